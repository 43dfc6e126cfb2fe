"""A database of an earlier version is brought up to date and keeps every row."""

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, insert, select

import bot.store.tables  # noqa: F401 - one history, the tables of both stores
import digest.store.tables  # noqa: F401 - the same
from digest.store.database import HEAD, Database, execute, upgrade
from digest.store.tables import TABLES

AS_IT_WAS = Path(__file__).with_name("version_0010.sql")
"""A row in each table, made by the ten steps that are one now."""

ADDED_SINCE_THE_FIRST = (
    *(
        "channel_log",
        "concern",
        "correction",
        "model_failure",
        "named_moment",
        "outgoing",
        "process",
        "source_record",
    ),
    "story",
)
VALUES: Mapping[type[Any], object] = {
    sa.Boolean: False,
    sa.Integer: 7,
    sa.LargeBinary: b"=x",
    sa.DateTime: datetime(2026, 2, 12, tzinfo=UTC),
    sa.Date: date(2026, 2, 12),
    sa.String: "text",
}


def reflected(connection: Connection) -> MetaData:
    found = MetaData()
    found.reflect(connection)
    return found


def row(table: Table) -> dict[str, object]:
    """Return a row as a version of the program writes it that knows these columns alone."""
    return {
        column.name: next(value for kind, value in VALUES.items() if isinstance(column.type, kind))
        for column in table.columns
    }


def rows(connection: Connection) -> dict[str, list[Any]]:
    return {
        name: [dict(each._mapping) for each in connection.execute(select(table))]
        for name, table in reflected(connection).tables.items()
        if name != "alembic_version"
    }


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, TABLES))


def make_of_0012(connection: Connection) -> None:
    """Take away what came after 0012, and write a row into each table."""
    for name in ("channel_log", "model_failure"):
        connection.execute(sa.text(f"DROP TABLE {name}"))
    connection.execute(sa.text("CREATE TABLE model_claim (key VARCHAR PRIMARY KEY)"))
    connection.execute(sa.text("UPDATE alembic_version SET version_num = '0012'"))
    fill(connection)


def make_of_0015(connection: Connection) -> None:
    """Take away what came after 0015, and write a row into each table."""
    connection.execute(sa.text("DROP TABLE model_failure"))
    connection.execute(sa.text("UPDATE alembic_version SET version_num = '0015'"))
    fill(connection)


def make_of_0004(connection: Connection) -> None:
    """Take away what came after 0004, and write a row into each table."""
    for name in ADDED_SINCE_THE_FIRST:
        connection.execute(sa.text(f"DROP TABLE {name}"))
    indexes = ("post_state", "delivery_state_date", "subscription_next_due_at", "follow_up_look_at")
    for index in indexes:
        connection.execute(sa.text(f"DROP INDEX ix_{index}"))
    connection.execute(sa.text("DROP INDEX ix_subscription_told_until"))
    late = (("post", "kept_at"), ("subscription", "told_until"), ("follow_up", "look_at"))
    for table, column in late:
        connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    connection.execute(sa.text("UPDATE alembic_version SET version_num = '0004'"))
    fill(connection)


def fill(connection: Connection) -> None:
    for table in reflected(connection).sorted_tables:
        if table.name != "alembic_version":
            connection.execute(insert(table), [row(table)])


@pytest.mark.parametrize("make_old", [make_of_0004, make_of_0012, make_of_0015])
async def test_a_database_of_an_earlier_step_keeps_its_rows_and_gets_what_it_lacks(
    database_url: str, make_old: Callable[[Connection], None]
) -> None:
    await upgrade(database_url)
    database = Database(database_url)
    before = await database.write(lambda c: (make_old(c), rows(c))[1], "")
    await database.close()

    await upgrade(database_url)

    async with Database(database_url) as database:
        after = await database.write(rows, "")
        assert await database.write(differences, "") == []
        assert await database.version() == HEAD
    assert len(before) > 10
    assert before.pop("model_claim", True)  # its rows were of what ran just then
    for name, kept in before.items():
        assert [{**new, **old} for new, old in zip(after[name], kept, strict=True)] == after[name]


async def test_a_file_that_the_ten_steps_made_has_all_that_is_wanted_and_keeps_its_rows(
    tmp_path: Path,
) -> None:
    file = tmp_path / "infra.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as made:
        made.executescript(AS_IT_WAS.read_text())

    async with Database(f"sqlite:///{file}") as database:
        kept = await database.write(rows, "")
        assert await database.write(differences, "") == []

    assert [len(each) for name, each in kept.items() if name in AS_IT_WAS.read_text()] == [1] * 22


async def test_a_file_brought_up_to_date_keeps_what_is_written_once_another_process_left_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "infra.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as made:
        made.executescript(AS_IT_WAS.read_text())
        made.execute("PRAGMA journal_mode = WAL")

    async with Database(f"sqlite:///{file}") as database:
        await database.write(execute(sa.text("CREATE TABLE written (name TEXT)")), "")
        elsewhere(file, "SELECT name FROM written")
        await database.write(execute(sa.text("INSERT INTO written VALUES ('after')")), "")

        assert elsewhere(file, "SELECT name FROM written") == "[('after',)]"


def elsewhere(file: Path, query: str) -> str:
    """Return what another process reads in a file, which it then leaves."""
    code = (
        "import sqlite3, sys; found = sqlite3.connect(sys.argv[1]); "
        "print(found.execute(sys.argv[2]).fetchall()); found.close()"
    )
    command = [sys.executable, "-c", code, str(file), query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
