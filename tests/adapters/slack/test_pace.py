"""Messages go as fast as Slack takes them, and one channel's refusal holds up no other."""

import pytest

from adapters.slack.pace import SLOWEST, WAITED_HERE, Pace
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
        pace.taken("C1")

    assert watch.waited == [1.0, 1.0, 1.0]


async def test_channels_do_not_wait_for_one_another(watch: Watch) -> None:
    pace = paced(watch)

    for number in range(500):
        await pace.turn(f"C{number}")
        pace.taken(f"C{number}")

    assert watch.waited == []


async def test_a_refused_channel_is_left_until_slack_says_and_slower_from_then_on(
    watch: Watch,
) -> None:
    pace = paced(watch)
    await pace.turn("C1")
    pace.refused("C1", 20.0)

    with pytest.raises(Limited) as early:
        await pace.turn("C1")
    await pace.turn("C2")
    watch.now += 20.0
    await pace.turn("C1")
    pace.taken("C1")
    waits = []
    for _ in range(20):
        begun = watch.now
        await pace.turn("C1")
        pace.taken("C1")
        waits.append(watch.now - begun)

    assert early.value.retry_after == pytest.approx(20.0)
    assert max(waits) > 1.5
    assert waits[-1] == pytest.approx(1.0)


async def test_a_short_pause_is_waited_for_here(watch: Watch) -> None:
    pace = paced(watch)
    await pace.turn("C1")
    pace.refused("C1", WAITED_HERE)

    await pace.turn("C1")

    assert watch.waited == [WAITED_HERE]


async def test_refusals_in_several_channels_slow_the_workspace_down_to_what_it_takes(
    watch: Watch,
) -> None:
    pace = paced(watch)
    for number in range(100):
        await pace.turn(f"C{number}")
        pace.taken(f"C{number}")
        watch.now += 0.1
    for number in range(3):
        pace.refused(f"C{number}", 2.0)

    begun = watch.now
    for number in range(200, 211):
        await pace.turn(f"C{number}")

    assert watch.now - begun == pytest.approx(2.0 + 10 * 0.1, rel=0.2)


async def test_a_workspace_that_takes_everything_again_is_not_paced_any_more(watch: Watch) -> None:
    pace = paced(watch)
    for number in range(3):
        pace.refused(f"C{number}", 1.0)
    for number in range(200):
        await pace.turn(f"D{number}")
        pace.taken(f"D{number}")
    watch.waited.clear()

    for number in range(50):
        await pace.turn(f"E{number}")

    assert watch.waited == []


async def test_refusals_that_are_far_apart_are_those_of_single_channels(watch: Watch) -> None:
    pace = paced(watch)
    for number in range(5):
        pace.refused(f"C{number}", 1.0)
        watch.now += 10.0

    await pace.turn("C9")

    assert watch.waited == []


async def test_no_channel_becomes_slower_than_slowest(watch: Watch) -> None:
    pace = paced(watch)
    for _ in range(30):
        pace.refused("C1", 0.0)
        watch.now += 10.0
    watch.now += 1_000.0
    for _ in range(3):
        await pace.turn("C1")

    with pytest.raises(Limited) as limit:
        await pace.turn("C1")
    assert limit.value.retry_after <= SLOWEST


async def test_what_is_remembered_of_channels_is_bounded(watch: Watch) -> None:
    pace = paced(watch)
    for number in range(6_000):
        await pace.turn(f"C{number}")

    assert len(pace._lanes) <= 5_000
