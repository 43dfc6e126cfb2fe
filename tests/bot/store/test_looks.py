"""What is looked at again and again is found by an index, however much was told before."""

from datetime import timedelta
from typing import Any

from sqlalchemy import event

from bot.store.figures import figures
from tests.bot.bot_fixture import open_bot
from tests.bot.platform_fake import Transcript
from tests.conftest import SetClock


async def test_recent_deliveries_and_counts_of_messages_read_no_whole_table(
    sqlite_url: str, clock: SetClock
) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, given: Any, *___: object) -> None:
        if "FROM delivery" in statement or "FROM post" in statement:
            asked.append((statement, given))

    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        database = bot.digests.database
        assert database._file
        for engine in (database._file, database._engine.sync_engine):
            event.listen(engine, "before_cursor_execute", note)

        await bot.store.deliveries.told_since(clock() - timedelta(days=1))
        await bot.store.deliveries.unfinished()
        await figures(database, clock())

        assert len(asked) >= 5
        for statement, given in tuple(asked):
            plan = await database.look(
                lambda c, s=statement, g=given: c.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {s}", g
                ).all()
            )
            assert "INDEX" in plan[0].detail, (statement, plan)
        (recent, *_) = asked
        detail = await database.look(
            lambda c: c.exec_driver_sql(f"EXPLAIN QUERY PLAN {recent[0]}", recent[1]).first()
        )
        assert "state=? AND local_date>?" in detail.detail
