"""What a process says of itself by HTTP: that it is alive, whether it is ready, what it counts."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text as sql

from adapters.operations.health import Health
from adapters.operations.metrics import Metrics, counted
from adapters.web.http_server import Responder, application, operators_application
from bot.model.channels import Channel, Platform
from bot.model.parts import PartKind
from bot.model.ports import ChannelGone, Message, Publisher
from bot.model.posts import Post, PostState
from bot.model.slots import due
from bot.store.figures import Processes, ProcessState
from bot.store.store import ChannelStore
from digest.languages import Language
from digest.phrase import Phrase
from digest.store.database import Database, execute
from digest.store.tables import MODEL_SPENDING
from tests.adapters.web_served import served
from tests.bot.bot_fixture import subscription

CHANNEL = Channel(Platform.SLACK, "T1", "C1")


@dataclass
class World:
    """A process that can be asked, and what it is made of."""

    url: str
    """Where everybody may ask."""
    ops: str
    """Where who runs it asks."""
    health: Health
    metrics: Metrics
    database: Database
    doors: dict[str, Responder]
    left: dict[str, int] = field(default_factory=dict)

    async def get(self, path: str) -> tuple[int, str]:
        return await self._get(self.ops + path)

    async def get_in_public(self, path: str) -> tuple[int, str]:
        return await self._get(self.url + path)

    async def _get(self, address: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, await answer.text()

    async def samples(self) -> dict[tuple[str, ...], float]:
        status, text = await self.get("/metrics")
        assert status == 200
        return {
            (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@asynccontextmanager
async def process(database: Database, clock: Any) -> AsyncIterator[World]:
    metrics = Metrics({"day": 50_000, "month": None})
    doors: dict[str, Responder] = {}
    left: dict[str, int] = {}
    health = Health(
        database,
        metrics,
        owner="here:1:a",
        only="worker",
        clock=clock,
        budget=lambda: (left, 12),
    )
    async with (
        served(application(health, doors, ("/slack/events",))) as url,
        served(operators_application(health)) as ops,
    ):
        yield World(url, ops, health, metrics, database, doors, left)


@pytest.fixture
async def world(sqlite_url: str, clock: Any) -> AsyncIterator[World]:
    database = Database(sqlite_url)
    await database.upgrade()
    async with database, process(database, clock) as world:
        yield world


async def subscribe(database: Database, now: datetime) -> None:
    """Keep a channel with an error, a morning that is due since an hour, and a message."""
    store = ChannelStore(database)
    wanted = subscription(
        channel=CHANNEL, last_error=Phrase.as_written("GitHub is down"), at=time(8)
    )
    stored = await store.subscriptions.change(CHANNEL, lambda _: wanted)
    assert stored
    slot = due(stored, now)
    assert slot
    await store.deliveries.claim(slot, CHANNEL, "a", now, now + timedelta(minutes=1))
    message = Message("{}", (), is_parent=True, kind=PartKind.PARENT)
    post = Post(None, None, CHANNEL, 0, 0, message, Language.EN, "n", ref="1.2")
    (kept,) = await store.posts.add([post])
    await store.posts.advance(replace(kept, state=PostState.SENT))


async def eventually(processes: Processes, clock: Any) -> None:
    while not await processes.live(clock()):
        await asyncio.sleep(0.01)


async def heard() -> str:
    return ""


async def unheard() -> str:
    return "no socket is open"


async def test_it_is_alive_also_while_it_is_not_ready(world: World) -> None:
    world.health.expect_clock()

    assert await world.get("/readyz") == (503, "clock: it has not asked yet what is due\n")
    assert await world.get("/healthz") == (200, "ok\n")


async def test_it_is_ready_once_database_clock_and_platforms_are(world: World, clock: Any) -> None:
    world.health.expect_clock()
    world.health.ticked(clock())
    world.health.listens("discord", heard)
    assert await world.get("/readyz") == (200, "ready\n")

    assert world.health._ticked
    world.health._ticked -= 3600
    world.health.listens("slack", unheard)
    status, text = await world.get("/readyz")
    assert (status, text.count("\n")) == (503, 2)
    assert text.startswith("clock: it last asked 36")
    assert text.endswith("\nslack: no socket is open\n")


async def test_strangers_learn_whether_it_is_ready_and_no_more(world: World) -> None:
    assert await world.get_in_public("/readyz") == (200, "ready\n")
    world.health.listens("slack", unheard)

    assert await world.get_in_public("/readyz") == (503, "not ready\n")
    assert (await world.get_in_public("/metrics"))[0] == 404
    assert await world.get_in_public("/healthz") == (200, "ok\n")


async def test_a_clock_that_cannot_be_right_is_told(world: World, clock: Any) -> None:
    world.health.expect_clock()
    world.health.ticked(clock())
    clock.now = datetime(1970, 1, 2, tzinfo=UTC)

    status, text = await world.get("/readyz")

    assert status == 503
    assert text.startswith("clock: the clock (of PostgreSQL, else of this machine) says 1970-01-02")


async def test_a_database_that_is_not_migrated_is_told(empty_postgres_url: str, clock: Any) -> None:
    database = Database(empty_postgres_url)
    async with process(database, clock) as world:
        status, text = await world.get("/readyz")
    await database.close()

    assert status == 503
    assert text.startswith("database: it is at None, this program works with ")


async def at_version(database: Database, version: str) -> None:
    await database.write(
        execute(sql("UPDATE alembic_version SET version_num = :v"), {"v": version}),
        "",
    )


async def test_a_process_stays_ready_while_a_newer_one_upgrades_its_database(world: World) -> None:
    await at_version(world.database, "9999")
    assert await world.get("/readyz") == (200, "ready\n")

    await at_version(world.database, "0001")
    assert (await world.get("/readyz"))[0] == 503


async def test_a_database_that_can_only_be_read_is_told_until_it_can_be_written(
    world: World,
) -> None:
    await world.database.write(execute(sql("ALTER TABLE process RENAME TO hidden")), "")
    await world.health._speak()

    status, told = await world.get("/readyz")
    assert (status, told.split(":")[0]) == (503, "database")

    await world.database.write(execute(sql("ALTER TABLE hidden RENAME TO process")), "")
    assert await world.get("/readyz") == (200, "ready\n")


async def test_a_database_that_does_not_answer_is_told(clock: Any) -> None:
    database = Database("postgresql://infra@127.0.0.1:1/infra")
    async with process(database, clock) as world:
        status, text = await world.get("/readyz")
        samples = await world.samples()
    await database.close()

    assert status == 503
    assert "does not answer" in text
    assert samples["infra_database_up",] == 0


async def test_what_is_posted_too_early_is_asked_to_come_again(world: World) -> None:
    async def take(request: web.Request) -> web.Response:
        return web.Response(text=await request.text())

    async with aiohttp.ClientSession() as session:
        async with session.post(f"{world.url}/slack/events", data="first") as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        world.doors["/slack/events"] = take
        async with session.post(f"{world.url}/slack/events", data="again") as answer:
            assert (answer.status, await answer.text()) == (200, "again")


async def test_the_page_of_metrics_counts_what_the_database_knows(world: World, clock: Any) -> None:
    now = clock()
    world.left |= {"core": 4_000}
    await subscribe(world.database, clock())
    names = ("day", "model", "calls", "input_tokens", "output_tokens")
    spent = (("2026-02-12", "m", 3, 70, 9), ("2026-02-11", "m", 8, 1, 1))
    rows = [dict(zip(names, each, strict=True)) for each in spent]
    await world.database.write(execute(MODEL_SPENDING.insert(), rows), "")
    processes = Processes(world.database)
    for owner, left in (("a", 100), ("b", 40)):
        state = ProcessState(
            owner, "", "1", now, now, now - timedelta(seconds=9), {}, {"core": left}
        )
        await processes.speak(state)

    samples = await world.samples()

    assert samples["infra_database_up",] == 1
    assert samples["infra_all_deliveries", "claimed"] == 1
    assert samples["infra_all_queue_length",] == 1
    assert samples["infra_all_queue_age_seconds",] == 3600
    assert samples["infra_all_messages", "slack", "sent"] == 1
    assert samples["infra_all_subscriptions", "active"] == 1
    assert samples["infra_all_subscriptions", "failing"] == 1
    assert samples["infra_all_model_spent_today", "calls"] == 3
    assert samples["infra_all_model_spent_today", "input_tokens"] == 70
    assert samples["infra_all_model_spent_this_month", "calls"] == 11
    assert samples["infra_all_github_requests_left", "core"] == 40
    assert samples["infra_all_processes",] == 2
    assert samples["infra_all_tick_timestamp_seconds",] == (now - timedelta(seconds=9)).timestamp()
    assert samples["infra_github_requests_left", "core"] == 4_000
    assert samples["infra_all_model_tokens_cap", "day"] == 50_000
    assert ("infra_all_model_tokens_cap", "month") not in samples


async def test_what_a_paused_channel_has_begun_is_not_in_the_queue(
    world: World, clock: Any
) -> None:
    await subscribe(world.database, clock())
    subscriptions = ChannelStore(world.database).subscriptions
    assert (await world.samples())["infra_all_queue_length",] == 1

    await subscriptions.change(
        CHANNEL, lambda now: replace(now, paused=Phrase.as_written("archived")) if now else None
    )

    samples = await world.samples()
    assert samples["infra_all_queue_length",] == samples["infra_all_queue_age_seconds",] == 0


async def test_what_metrics_are_labelled_by_names_no_channel_or_repository(
    world: World, clock: Any
) -> None:
    await subscribe(world.database, clock())

    _, text = await world.get("/metrics")

    for name in ("T1", "C1", "vllm", "U1", "here:1:a"):
        assert name not in text


async def test_calls_to_platforms_are_counted_by_their_outcome(world: World) -> None:
    class Odd:
        async def send(self, channel: Channel, payload: str, **_: object) -> str:
            if payload == "gone":
                raise ChannelGone("it is gone")
            return "1.2"

        async def find(self, channel: Channel, nonce: str, **_: object) -> None:
            return None

    odd: Any = Odd()
    publisher: Publisher = counted(odd, Platform.SLACK, world.metrics)

    assert await publisher.send(CHANNEL, "hello", parent=None, nonce="n") == "1.2"
    with pytest.raises(ChannelGone):
        await publisher.send(CHANNEL, "gone", parent=None, nonce="n")
    assert await publisher.find(CHANNEL, "n", parent=None) is None

    samples = await world.samples()
    assert samples["infra_messages_total", "ok", "slack"] == 1
    assert samples["infra_messages_total", "ChannelGone", "slack"] == 1


async def test_a_process_speaks_while_it_lives_and_leaves_when_it_ends(
    world: World, clock: Any
) -> None:
    world.left |= {"core": 7}
    world.health.listens("slack", unheard)
    world.health.ticked(clock())
    life = asyncio.create_task(world.health.live())
    processes = Processes(world.database)
    await eventually(processes, clock)

    (state,) = await processes.live(clock())
    assert (state.owner, state.only, state.ticked_at) == ("here:1:a", "worker", clock())
    assert (state.unheard, state.github) == ({"slack": "no socket is open"}, {"core": 7})

    life.cancel()
    await asyncio.gather(life, return_exceptions=True)
    assert await processes.live(clock()) == ()


async def test_a_locked_database_is_told_within_the_limit(
    tmp_path: Path, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.operations.health.ANSWERS_WITHIN", 1.0)
    monkeypatch.setattr("digest.store.connections.SQLITE_WAIT_MS", 60_000)
    database = Database(f"sqlite:///{tmp_path}/infra.sqlite3")
    async with database, process(database, clock) as world:
        world.health._unwritten = "it could not be written"
        with closing(sqlite3.connect(tmp_path / "infra.sqlite3")) as other:
            other.execute("BEGIN EXCLUSIVE")
            began = asyncio.get_running_loop().time()
            answers = await asyncio.gather(*(world.get("/readyz") for _ in range(20)))
            took = asyncio.get_running_loop().time() - began
            other.rollback()
            assert world.health._trying
            await world.health._trying

        assert {status for status, _ in answers} == {503}
        assert "locked" in answers[0][1]
        assert took < 15  # one after the other they would take 20 seconds


async def test_a_database_whose_file_is_deleted_is_not_ready_and_names_no_path(
    tmp_path: Path, clock: Any
) -> None:
    file = tmp_path / "infra.sqlite3"
    database = Database(f"sqlite:///{file}")
    async with database, process(database, clock) as world:
        assert (await world.get("/readyz"))[0] == 200
        file.unlink()

        status, text = await world.get("/readyz")

    assert (status, "was deleted" in text, str(tmp_path) in text) == (503, True, False)
