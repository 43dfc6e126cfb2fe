from dataclasses import replace

from bot.compose.channel_digest import for_channel
from digest.models import ReadItem
from tests.bot.channels_invented import subscription, told
from tests.digest.writing.invented import judged, note, pull, reading


def by_bot() -> ReadItem:
    return judged(pull(1, "Bump clay", author_is_bot=True))


def test_a_note_that_stands_on_no_item_is_told_to_every_channel() -> None:
    alone = replace(note("python", "changed", "requires-python", by_bot().item), cites=())
    digest = told(reading((by_bot(),), upgrade_notes=(alone,)))
    channel = for_channel(digest, subscription(without=frozenset({"bots"})))
    assert channel.reading.upgrade_notes == (alone,)
