from dataclasses import replace

from bot.compose.channel_digest import for_channel
from digest.grades import Importance
from digest.languages import Language
from digest.models import ReadItem, Revert
from tests.bot.channels_invented import subscription, told
from tests.digest.writing import invented
from tests.digest.writing.invented import judged, note, pull, reading


def by_bot() -> ReadItem:
    return judged(pull(1, "Bump clay", author_is_bot=True))


def test_counts_add_up_after_the_channels_filters() -> None:
    digest = told(invented.busy())
    channel = for_channel(digest, subscription(without=frozenset({"bots", "docs"})))
    assert channel.excluded == 2
    assert len(channel.reading.items) + channel.excluded == len(digest.reading.items)
    counts = channel.reading.counts
    changes = [r for r in channel.reading.items if r.item.kind.value in ("pull_request", "commit")]
    assert counts.high + counts.medium + counts.low == len(changes) + counts.releases
    assert "8 changes" in channel.digest.headline[Language.EN]


def test_notes_of_items_that_are_left_out_are_left_out_with_them() -> None:
    bot = by_bot()
    mine = judged(pull(2, "Add --glaze"), Importance.MEDIUM)
    notes = (note("dependency", "changed", "clay", bot.item), note("flag", "added", "x", mine.item))
    digest = told(reading((mine, bot), upgrade_notes=notes))
    channel = for_channel(digest, subscription(without=frozenset({"bots"})))
    assert [each.name for each in channel.reading.upgrade_notes] == ["x"]


def test_a_revert_is_told_where_what_it_takes_back_is_followed() -> None:
    kept = judged(pull(2, "Fuse glazing", files=None), Importance.MEDIUM)
    back = pull(9, 'Revert "Fuse glazing"')
    lost = by_bot()
    pairs = (
        Revert(back, kept.item, "#2", 60),
        Revert(lost.item, None, "#0", None),
    )
    digest = told(reading((kept, lost), reverts=pairs))
    channel = for_channel(digest, subscription(without=frozenset({"bots"})))
    assert channel.reading.reverts == pairs[:1]


def test_a_note_that_stands_on_no_item_is_told_to_every_channel() -> None:
    alone = replace(note("python", "changed", "requires-python", by_bot().item), cites=())
    digest = told(reading((by_bot(),), upgrade_notes=(alone,)))
    channel = for_channel(digest, subscription(without=frozenset({"bots"})))
    assert channel.reading.upgrade_notes == (alone,)
