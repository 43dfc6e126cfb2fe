"""Every step of the database leaves the version before it at work: it only adds."""

import sqlite3
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection, MetaData, Table, delete, insert, select

from digest.store.database import Database
from digest.store.migrations import history

REVISIONS = history.known_revisions()[::-1]

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
    """Give a row as a version of the program writes it that knows these columns alone."""
    return {
        column.name: next(value for kind, value in VALUES.items() if isinstance(column.type, kind))
        for column in table.columns
    }


async def at(database: Database, revision: str) -> MetaData:
    async with database._engine.begin() as connection:
        await connection.run_sync(history.upgrade, revision)
        return await connection.run_sync(reflected)


async def written(database: Database, schema: MetaData) -> None:
    """Write a row into each table, in place of what is there, and read it as that version does."""
    async with database._engine.begin() as connection:
        for table in reversed(schema.sorted_tables):
            if table.name != "alembic_version":
                await connection.execute(delete(table))
        for table in schema.sorted_tables:
            if table.name != "alembic_version":
                await connection.execute(insert(table), [row(table)])
                found = (await connection.execute(select(table))).one()
                assert {**found._mapping}.keys() == row(table).keys()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_each_step_keeps_the_rows_of_the_version_before_which_goes_on_writing_and_reading(
    request: pytest.FixtureRequest, kind: str
) -> None:
    database = Database(request.getfixturevalue(f"empty_{kind}_url"))
    if database.is_sqlite:
        sqlite3.connect(str(database.url.database)).close()  # makes the file
    old = await at(database, REVISIONS[0])
    for revision in REVISIONS[1:]:
        await written(database, old)

        new = await at(database, revision)

        async with database._engine.begin() as connection:
            for table in old.sorted_tables:
                kept = (await connection.execute(select(new.tables[table.name]))).all()
                assert len(kept) == 1, (revision, table.name)
        await written(database, old)
        for table in old.sorted_tables:
            here = new.tables[table.name]
            for column in table.columns:
                assert str(here.columns[column.name].type) == str(column.type), revision
        old = new
    await database.close()
