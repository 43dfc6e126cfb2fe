"""Several processes: one of them completes a platform's threads, another goes on when it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from bot.deliver.completing import HELD_FOR
from bot.model.channels import Channel
from digest.store.database import upgrade
from tests.bot.bot_fixture import morning
from tests.bot.late_bot import Late, about_jobs, payloads, process
from tests.bot.platform_fake import Transcript
from tests.conftest import SetClock
from tests.digest.asking.scripted import Scripted


class Edits(Transcript):
    """A platform that takes its time for edits, and keeps them."""

    def __init__(self) -> None:
        super().__init__()
        self.edited: list[str] = []

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        await asyncio.sleep(0.01)
        self.edited.append(ref)
        await super().edit(channel, ref, payload)


@pytest.fixture
async def two(database_url: str, clock: SetClock) -> AsyncIterator[tuple[Late, Late]]:
    """Give two processes on one database, and a thread whose words have come since."""
    await upgrade(database_url)
    platform, models = Edits(), [Scripted(about_jobs) for _ in range(2)]
    models[0].open.clear()
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(process(database_url, clock, platform, model, owner))
            for model, owner in zip(models, ("first", "second"), strict=True)
        ]
        await first.bot.subscribe()
        await first.bot.chat.deliver_due(morning())
        await first.answers()
        yield first, second


async def test_each_message_is_edited_by_one_process(two: tuple[Late, Late]) -> None:
    first, second = two
    before = dict(payloads(first))
    platform = first.platform
    assert isinstance(platform, Edits)

    await asyncio.gather(*(each.completing.complete(morning()) for each in two))
    for each in two:
        await each.completing.complete(morning())

    changed = [ref for ref, payload in payloads(first) if payload != before[ref]]
    assert changed
    assert sorted(platform.edited) == sorted(changed)
    assert first.says(1100)
    assert second.model.asked == [], "who does not complete asks no model"


async def test_another_goes_on_where_a_process_ended_or_fell_silent(
    two: tuple[Late, Late], clock: SetClock
) -> None:
    first, second = two
    await first.bot.store.holds.take("completing slack", "dead", clock(), clock() + HELD_FOR)
    await first.completing.complete(clock())
    assert first.platform.edits == 0
    clock.advance(seconds=HELD_FOR.total_seconds())
    await first.completing.complete(clock())
    done = first.platform.edits
    assert done
    await first.completing.stop()
    await second.completing.complete(clock())
    assert await second.bot.store.holds.take(
        "completing slack", "second", clock(), clock() + timedelta(seconds=1)
    )
    assert first.platform.edits == done


async def test_who_lost_its_claim_stops_before_its_next_edit(
    two: tuple[Late, Late], clock: SetClock
) -> None:
    first, second = two
    edit = first.platform.edit

    async def slowly(channel: Channel, ref: str, payload: str) -> None:
        await edit(channel, ref, payload)
        if first.platform.edits == 1:
            clock.advance(seconds=HELD_FOR.total_seconds())
            await second.completing.complete(clock())

    first.platform.edit = slowly  # type: ignore[method-assign]  # it stands still for minutes
    await first.completing.complete(clock())

    platform = first.platform
    assert isinstance(platform, Edits)
    in_flight, *others = platform.edited
    assert sorted(others) == sorted(set(platform.edited)), "the one in flight is edited again"
    assert in_flight in others
    assert first.says(1100)
