"""One process at a time holds a thing; long values by their short forms; moments by a name."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.store.figures import KEPT, Processes, ProcessState
from bot.store.store import ChannelStore
from digest.store.store import open_store
from tests.bot.platform_fake import at

NOON = at(12, 12)
LATER = NOON + timedelta(seconds=30)


@pytest.fixture
async def kept(database_url: str) -> AsyncIterator[ChannelStore]:
    """A store that is set up."""
    async with open_store(database_url) as store:
        yield ChannelStore(store.database)


async def test_what_one_holds_no_other_takes_until_it_ends(kept: ChannelStore) -> None:
    leases = kept.leases

    assert await leases.take("gateway", "one", NOON, LATER)
    assert not await leases.take("gateway", "two", NOON, LATER)
    assert await leases.take("another", "two", NOON, LATER)
    assert await leases.take("gateway", "one", NOON, LATER)
    assert await leases.take("gateway", "two", LATER, LATER + timedelta(seconds=30))
    assert not await leases.take("gateway", "one", LATER, LATER)


async def test_what_is_let_go_is_free_and_only_ones_own_is(kept: ChannelStore) -> None:
    leases = kept.leases
    await leases.take("gateway", "one", NOON, LATER)

    await leases.release("gateway", "two")
    assert not await leases.take("gateway", "two", NOON, LATER)

    await leases.release("gateway", "one")
    await leases.release("gateway", "one")
    assert await leases.take("gateway", "two", NOON, LATER)


async def test_values_are_found_by_their_short_forms(kept: ChannelStore) -> None:
    values = kept.values

    await values.remember({})
    await values.remember({"~a": "long \ud800 value", "~b": "x" * 5_000})
    await values.remember({"~a": "long \ud800 value"})

    assert await values.recall("~a") == "long \ud800 value"
    assert await values.recall("~b") == "x" * 5_000
    assert await values.recall("~c") is None


async def test_two_who_keep_the_same_values_in_another_order_keep_both(
    kept: ChannelStore,
) -> None:
    some = {f"~{number}": "value" for number in range(50)}
    others = dict(reversed(some.items()))

    for _ in range(50):
        await asyncio.gather(kept.values.remember(some), kept.values.remember(others))


async def test_processes_that_were_silent_for_long_speak_at_once(database_url: str) -> None:
    def state(owner: str, days: int) -> ProcessState:
        seen_at = NOON + days * KEPT
        return ProcessState(owner, "", "1.0", started_at=NOON, seen_at=seen_at)

    async with open_store(database_url) as store:
        processes = Processes(store.database)
        for day in range(0, 240, 2):
            await asyncio.gather(*(processes.speak(state(owner, day)) for owner in ("a", "b")))

        # Who came second forgot the first, which had not spoken yet; it speaks again soon.
        assert await processes.live(NOON + 238 * KEPT)


async def test_moments_are_kept_for_all_and_old_ones_forgotten(kept: ChannelStore) -> None:
    moments = kept.timestamps
    for number in (1, 2):
        await moments.decide(
            ("one", "two"), lambda known, number=number: ({"one": at(number)}, None)
        )
    assert await moments.of("one") == at(2)
    await moments.forget_old(at(2))
    assert await moments.of("one") == at(2)
    await moments.forget_old(at(2).replace(year=2028))
    assert await moments.of("one") is None
