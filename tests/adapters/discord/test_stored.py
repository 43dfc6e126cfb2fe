import copy

from adapters.discord.client import marked, message, read
from adapters.discord.render import render
from bot.compose.thread import plan
from tests.bot.channels_invented import subscription, told
from tests.digest.writing import invented


def test_what_many_channels_are_told_is_read_once_and_stays_as_it_is() -> None:
    (thread,) = plan([told(invented.busy())], [], subscription())
    payload = message(render(thread)[0]).payload
    before = copy.deepcopy(read(payload))

    bodies = [marked(read(payload), nonce) for nonce in ("n1", "n2")]

    assert [body["nonce"] for body in bodies] == ["n1", "n2"]
    assert read(payload) == before
    assert read(payload) is read("".join(payload))
