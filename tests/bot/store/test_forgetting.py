"""A workspace that is forgotten leaves nothing, and its neighbours lose nothing."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.followups import Reaction, ReactionKind
from bot.model.policy import names
from bot.store.retention import forget, placed_tables
from bot.store.store import ChannelStore
from bot.store.tables import (
    CONCERNS,
    CORRECTIONS,
    OUTGOING,
    QUESTIONS,
    SOURCE_RECORDS,
    TIMESTAMPS,
    columns,
)
from digest.store.database import Database
from digest.store.tables import TABLES, put
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA, CHANNEL, OTHER, Transcript
from tests.conftest import on_both_databases

WORKSPACE = re.compile(r"T1(?!\d)")
NEIGHBOUR = Person(Platform.SLACK, "T2", "U9", "zoe")


async def contents(database: Database) -> dict[str, list[str]]:
    """Give every row of every table as text, with packed bodies unpacked."""

    def read(connection: Connection) -> dict[str, list[str]]:
        return {
            table.name: [repr(tuple(row)) for row in connection.execute(select(table))]
            for table in TABLES.sorted_tables
        }

    return await database.read(read)


@pytest.fixture
async def bot(chosen_url: str, clock: Any) -> AsyncIterator[Bot]:
    """Two workspaces, each with everything that a workspace can have."""
    async with open_bot(chosen_url, clock, Transcript()) as bot:
        for channel, person in ((CHANNEL, ADA), (OTHER, NEIGHBOUR)):
            await fill(bot, channel, person, clock)
        yield bot


async def fill(bot: Bot, channel: Channel, person: Person, clock: Any) -> None:
    database = bot.digests.database
    stored = await bot.subscribe(channel, created_by=person.id)
    await bot.chat.deliver_due(morning())
    told = [
        each for each in await bot.store.posts.numbered(range(1, 99)) if each.channel == channel
    ]
    about_one = next(post for post in told if len(post.message.about) == 1)
    await bot.chat.followups.react(
        Reaction(ReactionKind.FLAG, person, True, (), clock(), about_one.ref),
        channel,
        f"{about_one.ref} +flag {person.id}",
    )
    await bot.store.values.remember({f"short {person.name}": "search words"})

    def write(connection: Connection) -> None:
        place = columns(channel) | {"body": b"{}"}
        team = {"platform": "slack", "workspace": channel.workspace, "body": b"{}"}
        record = {"subscription_id": stored.id or 0, "repo": "a/b", "body": b"{}"}
        put(connection, QUESTIONS, place | {"message": "9.9"})
        put(connection, CONCERNS, place | {"name": "words"})
        put(connection, CORRECTIONS, place | {"item_key": "k", "at": clock(), "shown": True})
        connection.execute(OUTGOING.insert().values(**team, due_at=clock(), tries=0))
        put(connection, SOURCE_RECORDS, record)
        put(
            connection,
            TIMESTAMPS,
            *({"name": n, "at": clock()} for n in names(Visit(channel, person))),
        )

    await database.write(write, "")


@on_both_databases
async def test_nothing_of_it_is_left_in_any_table(bot: Bot) -> None:
    database = bot.digests.database
    before = await contents(database)
    assert {table.name for table in placed_tables()} >= {
        *("subscription", "delivery", "post", "follow_up", "question"),
    }
    for table in (*placed_tables(), TABLES.tables["named_moment"]):
        assert any("'T1" in row or ":T1" in row for row in before[table.name]), table.name

    gone = await forget(database, Platform.SLACK, "T1")

    after = await contents(database)
    for table, rows in after.items():
        for row in rows:
            assert not WORKSPACE.search(row), table
            assert ADA.id not in row.replace(NEIGHBOUR.id, ""), table
    assert gone.keys() >= {
        *("subscription", "delivery", "post", "follow_up", "question", "named_moment"),
        *("source_record", "seen_event"),
    }


async def test_the_neighbours_lose_nothing(bot: Bot) -> None:
    database = bot.digests.database
    before = await contents(database)

    await forget(database, Platform.SLACK, "T1")

    after = await contents(database)
    for table, rows in before.items():
        kept = [row for row in rows if "T2" in row]
        assert kept == [row for row in after[table] if "T2" in row]
    assert await ChannelStore(database).subscriptions.of(OTHER)
    for table in ("item", "digest", "told_item", "kept_value"):
        assert after[table] == before[table]


async def test_with_the_last_workspace_goes_what_all_of_them_shared(bot: Bot) -> None:
    database = bot.digests.database
    await forget(database, Platform.SLACK, "T1")
    await forget(database, Platform.SLACK, "T2")

    after = await contents(database)

    assert after["seen_event"] == []
    assert after["kept_value"]  # Discord's
    assert await forget(database, Platform.DISCORD, "1") == {"kept_value": 2}


@on_both_databases
async def test_no_pattern_reaches_further_than_a_name(bot: Bot) -> None:
    database = bot.digests.database

    for workspace in ("%", "_1", "T_", ""):
        assert await forget(database, Platform.SLACK, workspace) == {}
    assert await bot.store.subscriptions.of(CHANNEL)
