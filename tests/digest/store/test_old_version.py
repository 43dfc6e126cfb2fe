"""Every step of the database leaves the version before it at work: it only adds."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection, MetaData, Table, insert, select

from digest.store.database import Database
from digest.store.migrations import history

REVISIONS = history.known_revisions()[::-1]
STEPS = list(pairwise(REVISIONS))

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


@pytest.mark.parametrize(("before", "after"), STEPS)
async def test_what_the_version_before_writes_and_reads_works_on_the_next_schema(
    database_url: str, before: str, after: str
) -> None:
    database = Database(database_url)
    old = await at(database, before)
    new = await at(database, after)

    async with database._engine.begin() as connection:
        for table in old.sorted_tables:
            if table.name == "alembic_version":
                continue
            await connection.execute(insert(table), [row(table)])
            found = (await connection.execute(select(table))).one()
            assert {**found._mapping}.keys() == {**row(table)}.keys()
    await database.close()

    for table in old.sorted_tables:
        here = new.tables[table.name]
        for column in table.columns:
            assert str(here.columns[column.name].type) == str(column.type)


@pytest.mark.parametrize(("before", "after"), STEPS)
async def test_rows_of_the_version_before_are_kept_by_the_step(
    database_url: str, before: str, after: str
) -> None:
    database = Database(database_url)
    old = await at(database, before)
    async with database._engine.begin() as connection:
        for table in old.sorted_tables:
            if table.name != "alembic_version":
                await connection.execute(insert(table), [row(table)])

    new = await at(database, after)

    async with database._engine.begin() as connection:
        for table in old.sorted_tables:
            found = (await connection.execute(select(new.tables[table.name]))).all()
            assert len(found) == 1
    await database.close()
