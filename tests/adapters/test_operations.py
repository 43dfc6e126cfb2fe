"""What a process needs to be run: its clock, its daily work, its answers, its log, its disk."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import structlog
from apscheduler.schedulers.asyncio import (  # type: ignore[import-untyped] # it has no hints
    AsyncIOScheduler,
)
from sqlalchemy import select, text

from adapters.operations.background import AT_ONCE, Background, say_if_broken
from adapters.operations.clock import SteadyTrigger, daily_purge, ticking
from adapters.operations.logs import HIDDEN, log_running
from adapters.wiring.assembly import EPHEMERAL, ephemeral_storage, secrets_of
from bot.settings import Settings
from bot.store.tables import SEEN_EVENTS
from digest.errors import InfraError
from digest.store.database import Database, all_rows, execute
from tests.conftest import PATIENCE
from tests.phrases import english

BEGAN = datetime(2026, 2, 12, 9, tzinfo=UTC)


def machine() -> datetime:
    """Read the clock of the machine."""
    return datetime.now(UTC)


async def test_a_look_is_called_at_once_where_the_clock_of_the_machine_is_set_back() -> None:
    asked: list[datetime] = []
    again = asyncio.Event()

    def tick(now: datetime) -> None:
        asked.append(now)
        if len(asked) == 3:
            again.set()

    def set_back() -> datetime:
        return machine() - timedelta(days=1)

    # A look every eight hours: nothing but the one who watches can bring the second and the third.
    with ticking(tick, lambda: BEGAN, speed=0.001, machine=set_back, watched_every=0.02):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert asked == [BEGAN] * 3


async def test_a_clock_that_was_in_1970_goes_on_at_once_with_one_look() -> None:
    """The library walks through the times that were missed: of one year for many seconds."""
    looks: list[float] = []
    looked = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def look() -> None:
        looks.append(loop.time())
        looked.set()

    scheduler = AsyncIOScheduler(timezone=UTC)
    every, long_ago = timedelta(seconds=15), datetime(1970, 1, 1, tzinfo=UTC)
    scheduler.add_job(look, SteadyTrigger(every), next_run_time=long_ago, misfire_grace_time=None)
    scheduler.start()
    async with asyncio.timeout(PATIENCE):
        await looked.wait()
    await asyncio.sleep(0.1)
    scheduler.shutdown(wait=False)

    assert len(looks) == 1


async def test_a_look_that_fails_does_not_stop_the_clock(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked = 0
    again = asyncio.Event()

    def tick(now: datetime) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise RuntimeError("nobody foresaw this")
        if asked == 3:
            again.set()

    with (
        caplog.at_level(logging.ERROR, logger="apscheduler"),
        ticking(tick, lambda: BEGAN, speed=1_000.0, machine=machine),
    ):
        async with asyncio.timeout(PATIENCE):
            await again.wait()

    assert "nobody foresaw this" in caplog.text


async def test_after_its_end_nothing_is_asked_any_more() -> None:
    asked: list[datetime] = []

    with ticking(asked.append, lambda: BEGAN, speed=1_000.0, machine=machine):
        pass
    await asyncio.sleep(0.7)

    assert asked == [BEGAN]


async def keep_event(database: Database, clock: Any, name: str) -> None:
    at = clock() - timedelta(days=3)
    await database.write(
        execute(SEEN_EVENTS.insert().values(platform="slack", event_id=name, at=at)),
        "",
    )


async def events(database: Database) -> int:
    return len(await database.read(all_rows(select(SEEN_EVENTS))))


async def test_of_several_processes_one_purges_and_once_a_day(
    database_url: str, clock: Any
) -> None:
    one, two = Database(database_url), Database(database_url)
    await one.upgrade()
    async with one, two:
        processes = [daily_purge(database, 90, clock) for database in (one, two, one)]
        await keep_event(one, clock, "first")

        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 0

        await keep_event(one, clock, "second")
        clock.advance(hours=23)
        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 1
        clock.advance(hours=1)
        await asyncio.gather(*(each.look() for each in processes))
        assert await events(one) == 0


async def test_it_goes_on_although_the_database_fails_for_a_while(
    sqlite_url: str, clock: Any
) -> None:
    database = Database(sqlite_url)
    life = asyncio.create_task(daily_purge(database, 90, clock).live(0.01))
    await asyncio.sleep(0.1)
    assert not life.done()
    await database.upgrade()
    await keep_event(database, clock, "first")
    clock.advance(days=1)

    async with asyncio.timeout(PATIENCE):
        while await events(database):
            await asyncio.sleep(0.02)
    life.cancel()
    await asyncio.gather(life, return_exceptions=True)

    assert await events(database) == 0
    await database.close()


async def test_what_failed_is_tried_again_at_the_next_look_not_on_the_next_day(
    sqlite_url: str, clock: Any
) -> None:
    database = Database(sqlite_url)
    await database.upgrade()
    async with database:
        await keep_event(database, clock, "first")
        await database.write(execute(text("ALTER TABLE model_answer RENAME TO away")), "")
        with pytest.raises(InfraError):
            await daily_purge(database, 90, clock).look()
        await database.write(execute(text("ALTER TABLE away RENAME TO model_answer")), "")
        clock.advance(minutes=15)

        await daily_purge(database, 90, clock).look()

        assert await events(database) == 0


async def test_nothing_is_ever_purged_where_everything_is_kept(sqlite_url: str, clock: Any) -> None:
    async with Database(sqlite_url) as database:
        await keep_event(database, clock, "first")

        await daily_purge(database, 0, clock).look()

        assert await events(database) == 1


async def test_only_a_few_are_computed_side_by_side() -> None:
    background = Background()
    running = most = 0

    async def answer() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1

    for _ in range(20):
        background.start(answer(), "answer")
    await background.settle()

    assert most == AT_ONCE


async def test_what_never_began_is_let_go_without_a_word() -> None:
    background = Background()

    async def stuck() -> None:
        await asyncio.sleep(60)

    for _ in range(5):
        background.start(stuck(), "stuck")
    await asyncio.sleep(0)
    with structlog.testing.capture_logs() as logs:
        await background.stop(seconds=0.01)

    assert logs == []
    await background.stop()


async def test_what_breaks_is_said_by_its_name_and_what_ends_is_not() -> None:
    async def end(error: Exception | None) -> None:
        if error:
            raise error

    with structlog.testing.capture_logs() as logs:
        for error in (None, RuntimeError("nobody foresaw this")):
            task = asyncio.create_task(end(error), name="purging")
            task.add_done_callback(say_if_broken)
            await asyncio.wait([task])
            await asyncio.sleep(0)

    assert [(line["work"], str(line["exc_info"])) for line in logs] == [
        ("purging", "nobody foresaw this")
    ]


@pytest.fixture
def log() -> Iterator[Any]:
    """Give the log of this process back as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield structlog.get_logger()
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_off_a_terminal_every_line_is_json_whoever_writes_it(log: Any) -> None:
    stream = io.StringIO()
    log_running("", (), debug=False, stream=stream)

    log.info("delivery told", late_seconds=2)
    logging.getLogger("apscheduler").warning("run of job %s was missed", "look")

    own, library = lines_of(stream)
    assert own["event"] == "delivery told"
    assert own["late_seconds"] == 2
    assert own["level"] == "info"
    assert library["event"] == "run of job look was missed"
    assert library["logger"] == "apscheduler"
    assert own.keys() >= {"timestamp"} <= library.keys()


def test_what_is_bound_stands_on_every_line_also_of_libraries(log: Any) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    with structlog.contextvars.bound_contextvars(delivery=7):
        log.info("delivery begins")
        logging.getLogger("some.library").error("a task broke")
    log.info("afterwards")

    assert [line.get("delivery") for line in lines_of(stream)] == [7, 7, None]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_secret_shows_nowhere(log: Any, form: str) -> None:
    stream = io.StringIO()
    secrets = ("hunter2hunter2", 'quo"ted secret', "p%40ss/word")
    log_running(form, secrets, debug=True, stream=stream)

    log.info(
        "told hunter2hunter2", reason='said quo"ted secret', url="postgres://u:p%2540ss%2Fword@h"
    )
    logging.getLogger("some.library").debug("sent %r", {"token": "hunter2hunter2"})
    try:
        raise ValueError("hunter2hunter2")
    except ValueError as error:
        log.error("broke", exc_info=error)

    text = stream.getvalue()
    assert HIDDEN in text
    assert "ValueError" in text
    for part in ("hunter2", "ted secret", "ss%2Fword"):
        assert part not in text


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer abcdefghijklmnop1234",
        "authorization Bot MTIzNDU2Nzg5MDEyMzQ1.abc.def-ghi",
        "xoxb-1234-abcdef",
        "xapp-1-A1-abcdef",
        "ghp_abcdefghijklmnopqrstuv",
        "github_pat_abcdefghijklmnopqrstuv",
        "sk-abcdefghijklmnopqrstuv",
        "postgresql://infra:sesame@db/infra",
    ],
)
def test_what_looks_like_a_secret_is_hidden_also_where_no_setting_holds_it(
    log: Any, line: str
) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    log.info("answer", of=line)

    told = lines_of(stream)[0]["of"]
    assert HIDDEN in told
    assert line.split()[-1] not in told
    assert "sesame" not in told


@pytest.mark.parametrize("library", ["openai", "slack_sdk", "discord", "httpx"])
def test_libraries_that_write_what_they_send_are_quiet_also_with_debug(
    log: Any, library: str
) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=True, stream=stream)

    logging.getLogger(library).debug("Request options: the whole prompt")
    logging.getLogger(library).info("the whole prompt")
    logging.getLogger(library).error("refused")

    assert [line["event"] for line in lines_of(stream)] == ["refused"]


def test_half_a_character_stops_no_line(log: Any) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    log.info("delivery waits", reason="cut \ud83d here")

    stream.getvalue().encode("utf-8")
    assert "cut" in stream.getvalue()


def test_every_secret_setting_is_known_and_of_the_database_the_password_alone() -> None:
    settings = Settings.model_validate(
        {
            "DATABASE_URL": "postgresql://infra:open%40sesame@db/infra",
            "GITHUB_TOKEN": "ghp_x",
            "SLACK_BOT_TOKEN": "xoxb-x",
        }
    )

    assert set(secrets_of(settings)) == {"ghp_x", "xoxb-x", "open%40sesame", "open@sesame"}


MACHINE = "/dev/sda1 / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n"
CONTAINER = "overlay / overlay rw 0 0\nproc /proc proc rw 0 0\n/dev/sdb /data ext4 rw 0 0\n"
HOSTED = "/dev/vda / ext4 rw 0 0\n/dev/vdb /var/my\\040data ext4 rw 0 0\n"


@pytest.mark.parametrize(
    ("file", "sign", "mounts", "told"),
    [
        ("/home/ada/infra.sqlite3", "", MACHINE, ""),
        ("/srv/infra.sqlite3", "", "\nodd\n/dev/sda1 / ext4\n", ""),
        ("/dev/shm/infra.sqlite3", "", MACHINE, "in memory"),
        ("/home/infra/infra.sqlite3", "", CONTAINER, "inside a container"),
        ("/data/infra.sqlite3", "", CONTAINER, ""),
        ("/var/my data/infra.sqlite3", "FLY_APP_NAME", HOSTED, ""),
        *(("/app/infra.sqlite3", sign, "", f"disk of {EPHEMERAL[sign]}") for sign in EPHEMERAL),
    ],
)
def test_a_file_that_will_not_last_is_told_of(file: str, sign: str, mounts: str, told: str) -> None:
    sentence = english(ephemeral_storage(file, {sign: "web.1"}, mounts))

    assert told in sentence
    assert bool(sentence) is bool(told)
