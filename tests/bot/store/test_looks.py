"""What is looked at again and again is found by an index, however much was told before."""

from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any

from sqlalchemy import event

from bot.model.slots import delivered, due
from bot.store.figures import figures
from bot.store.store import ChannelStore
from digest.store.database import upgrade
from digest.store.store import open_store
from tests.bot.bot_fixture import open_bot, subscription
from tests.bot.platform_fake import CHANNEL, Transcript, at
from tests.conftest import SetClock


async def test_waiting_deliveries_and_counts_of_messages_read_no_whole_table(
    sqlite_url: str, clock: SetClock
) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, given: Any, *___: object) -> None:
        if "FROM delivery" in statement or "FROM post" in statement:
            asked.append((statement, given))

    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        database = bot.digests.database
        assert database.is_sqlite
        event.listen(database._engine, "before_cursor_execute", note)

        await bot.store.deliveries.unfinished()
        await figures(database, clock())

        assert len(asked) >= 4
        for statement, given in tuple(asked):
            plan = await database.read(
                lambda c, s=statement, g=given: c.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {s}", g
                ).all()
            )
            assert "INDEX" in plan[0].detail, (statement, plan)


async def test_a_look_reads_only_subscriptions_that_may_be_due(
    sqlite_url: str, clock: SetClock
) -> None:
    await upgrade(sqlite_url)
    async with open_store(sqlite_url) as digests:
        store = ChannelStore(digests.database)
        for hour in range(24):
            channel = replace(CHANNEL, id=f"C{hour}")
            wanted = subscription(
                channel=channel,
                at=time(hour),
                last_delivered_date=date(2026, 2, 11),
                last_delivered_end=at(11, 0),
            )
            await store.subscriptions.change(channel, lambda _, wanted=wanted: wanted)
        now = at(12, 9)

        found = [each async for each in store.subscriptions.each_due(now)]
        assert {each.at.hour for each in found} == set(range(10))
        assert all(due(each, now) for each in found)

        for each in found:
            slot = due(each, now)
            assert slot
            await store.subscriptions.change(
                each.channel, lambda current, slot=slot: current and delivered(current, slot)
            )
        assert [each async for each in store.subscriptions.each_due(now)] == []

        (ahead, waiting) = (found[0], found[1])
        await store.subscriptions.change(
            ahead.channel,
            lambda current: (
                current and replace(current, last_delivered_end=now + timedelta(days=30))
            ),
        )
        looked = [each.id async for each in store.subscriptions.each_due(now, [waiting.id or 0])]
        assert looked == sorted([ahead.id or 0, waiting.id or 0])
