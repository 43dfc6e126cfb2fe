"""Messages go as fast as Slack takes them, and one channel's refusal holds up no other."""

import pytest

from adapters.slack.client import WAITED_HERE, Pace
from bot.model.ports import Limited


class Watch:
    """A clock that moves when it is waited for."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.waited: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waited.append(round(seconds, 3))
        self.now += seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


def paced(watch: Watch) -> Pace:
    return Pace(now=watch, sleep=watch.sleep)


async def test_a_short_burst_goes_at_once_and_then_a_message_a_second(watch: Watch) -> None:
    pace = paced(watch)

    for _ in range(6):
        await pace.turn("C1")

    assert watch.waited == [1.0, 1.0, 1.0]


async def test_channels_do_not_wait_for_one_another(watch: Watch) -> None:
    pace = paced(watch)

    for number in range(500):
        await pace.turn(f"C{number}")

    assert watch.waited == []


async def test_a_refused_channel_is_left_until_slack_says_and_holds_up_no_other(
    watch: Watch,
) -> None:
    pace = paced(watch)
    for number in range(5):
        pace.refused(f"C{number}", 20.0)

    with pytest.raises(Limited) as early:
        await pace.turn("C1")
    await pace.turn("C9")
    watch.now += 20.0
    await pace.turn("C1")

    assert early.value.retry_after == pytest.approx(20.0)
    assert watch.waited == []


async def test_a_short_pause_is_waited_for_here(watch: Watch) -> None:
    pace = paced(watch)
    await pace.turn("C1")
    pace.refused("C1", WAITED_HERE)

    await pace.turn("C1")

    assert watch.waited == [WAITED_HERE]


async def test_what_is_remembered_of_channels_is_bounded(watch: Watch) -> None:
    pace = paced(watch)
    for number in range(6_000):
        await pace.turn(f"C{number}")

    assert len(pace._free_at) <= 5_000
