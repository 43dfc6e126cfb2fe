"""Many channels at nine o'clock: messages per second of one core, and memory, by their number.

The running process tells channels of both platforms, half of them each; the platforms are a process
of their own. What counts is the CPU of the running process alone, which stays the same whoever else
has the cores. Without limits it shows what a message costs; with the platforms' own limits how much
of the rate that they allow is used.

`python -m benchmarks.fan_out 100 1000 10000` is on SQLite, with `postgres` behind it on PostgreSQL.
`python -m benchmarks.fan_out waves 10000` has a tenth of them told in each of ten minutes, and
shows what of the memory stays.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sqlalchemy import text

from benchmarks.local_chat import (
    DISCORD_CALLS,
    DISCORD_SECONDS,
    SLACK_BURST,
    SLACK_INTERVAL,
)
from benchmarks.rows import Row
from bot.model.channel_commands import Quiet
from bot.model.channels import Channel, Platform
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.languages import Language
from digest.models import Repo
from digest.store.database import Database, first_row, upgrade
from tests import postgres

SIZES = (100, 1_000)
"""Channels of `make bench`; 10,000 take minutes and are asked for by hand."""

WARM = 400
"""Channels told after which memory has to stay as it is: so many are busy at a time."""

WAVES = 10
LIMITED_CHANNELS = 20
"""So few that what they wait for is the platform's limit, and not the processor."""
NINE = datetime(2026, 2, 12, 9, tzinfo=UTC)
REPOS = tuple(Repo("example-org", name) for name in ("turbine", "rotor", "stator", "blade"))
AIM = 300
IDLE_MEGABYTES = 180
BEFORE_NINE = NINE - timedelta(seconds=20)
IDLE_SECONDS = 8.0
LONGEST = 3_600.0
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Told:
    """What one morning took: messages, seconds of CPU and of the clock, memory in MB.

    `cpu` is the process's own, `server_cpu` that of a PostgreSQL server, which is not counted among
    it. In `seconds` the platforms and the server have the same cores as the process;
    `limited_seconds` is the mean of what has a limit of its own, a Slack channel or Discord thread.
    `idle_megabytes` is before the first channel is told, `warm_megabytes` once `WARM` are, and
    `megabytes` once all are.
    """

    channels: int
    messages: int
    refused: int
    cpu: float
    server_cpu: float
    seconds: float
    limited_seconds: float
    idle_megabytes: float
    warm_megabytes: float
    megabytes: float

    @property
    def a_second_of_cpu(self) -> float:
        """Give messages per second of one core."""
        return self.messages / self.cpu

    @property
    def a_second(self) -> float:
        """Give messages per second of the clock."""
        return self.messages / self.seconds

    @property
    def swelling(self) -> float:
        """Give how much bigger the process is after the last channel than when it was warm."""
        return self.megabytes / self.warm_megabytes


def tell(channels: int, *, limited_on: Platform | None = None, on_postgres: bool = False) -> Told:
    """Tell so many channels, and give what it took of the bot's process.

    `limited_on` has one platform alone, with its own limits and long threads.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        _database(Path(folder), on_postgres) as (url, server),
        _platforms(limited_on is not None) as (chat, github),
    ):
        wanted = [subscription(number, limited_on) for number in range(channels)]
        asyncio.run(_subscribe(url, wanted))
        with _bot(Path(folder), url, chat, github) as process:
            time.sleep(IDLE_SECONDS)
            idle, cpu = _megabytes(process.pid), _cpu_seconds(process.pid)
            server_cpu = _cpu_of_all(server)
            asyncio.run(_until_told(url, min(WARM, channels), process, Path(folder)))
            warm = _megabytes(process.pid)
            asyncio.run(_until_told(url, channels, process, Path(folder)))
            seen = _seen(chat)
            return Told(
                channels,
                int(seen["messages"]),
                int(seen["refused"]),
                cpu=_cpu_seconds(process.pid) - cpu,
                server_cpu=_cpu_of_all(server) - server_cpu,
                seconds=seen["last"] - seen["first"],
                limited_seconds=seen["limited"],
                idle_megabytes=idle,
                warm_megabytes=warm,
                megabytes=_megabytes(process.pid),
            )


@contextmanager
def _platforms(limited: bool) -> Iterator[tuple[int, int]]:
    command = [sys.executable, "-m", "benchmarks.local_chat", *(["--limits"] if limited else [])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdin
        chat, github = map(int, process.stdout.readline().split())
        yield chat, github
        process.stdin.close()


@contextmanager
def _database(folder: Path, on_postgres: bool) -> Iterator[tuple[str, int | None]]:
    """Give the URL of a database, and the number of the server's process where it has one."""
    if not on_postgres:
        yield f"sqlite:///{folder / 'infra.sqlite3'}", None
        return
    with postgres.serving() as server, postgres.database(server) as url:
        yield url, server.get_pid()


@contextmanager
def _bot(folder: Path, url: str, chat: int, github: int) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "DATABASE_URL": url,
        "GITHUB_API_URL": f"http://127.0.0.1:{github}",
        "GITHUB_TOKEN": "t",
        "INFRA_NOW": BEFORE_NINE.isoformat(),
        "INFRA_LOG": "json",
        "SLACK_BOT_TOKEN": "xoxb-local",
        "SLACK_APP_TOKEN": "xapp-local",
        "SLACK_API_URL": f"http://127.0.0.1:{chat}/slack/",
        "DISCORD_TOKEN": "local",
        "DISCORD_API_URL": f"http://127.0.0.1:{chat}/discord",
        "DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{chat}/gateway",
        "PORT": "0",
    }
    command = [sys.executable, "-m", "adapters.terminal.main", "run"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(15)


async def _until_told(
    url: str, channels: int, process: "subprocess.Popen[bytes]", folder: Path
) -> None:
    query = text("SELECT count(*) FROM delivery WHERE state = 'told'")
    async with asyncio.timeout(LONGEST), Database(url) as database:
        while process.poll() is None:
            if (await database.read(first_row(query)))[0] >= channels:
                return
            await asyncio.sleep(0.2)
    raise RuntimeError((folder / "log").read_text()[-2_000:])


def _seen(chat: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{chat}/seen") as answer:
        seen: dict[str, float] = json.load(answer)
    return seen


def _megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _cpu_seconds(process: int, *, with_ended: bool = False) -> float:
    """Give the seconds of CPU of a process, `with_ended` also of what it started and saw end."""
    # Fields 14 to 17 of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended else 13])) / TICKS_A_SECOND


def _cpu_of_all(server: int | None) -> float:
    """Give the seconds of CPU of a process and those that it started, none for no process."""
    if server is None:
        return 0.0
    while True:
        own = _cpu_seconds(server, with_ended=True)
        try:
            return own + sum(map(_cpu_seconds, _started_by(server)))
        except (FileNotFoundError, ProcessLookupError):
            continue  # one ended in between, and the server's own figure has it now


def _started_by(server: int) -> list[int]:
    return [*map(int, Path(f"/proc/{server}/task/{server}/children").read_text().split())]


async def _subscribe(url: str, wanted: Sequence[Subscription]) -> None:
    await upgrade(url)
    async with Database(url) as database:
        subscriptions = ChannelStore(database).subscriptions
        for each in wanted:
            await subscriptions.change(each.channel, partial(_wanted, each))


def waves(channels: int) -> list[float]:
    """Tell a tenth of so many channels each minute, and give the memory in MB after each tenth."""
    wanted = [
        replace(subscription(number, None), at=(NINE + timedelta(minutes=number % WAVES)).time())
        for number in range(channels)
    ]
    found: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        _database(Path(folder), False) as (url, _),
        _platforms(False) as (chat, github),
    ):
        asyncio.run(_subscribe(url, wanted))
        with _bot(Path(folder), url, chat, github) as process:
            for wave in range(1, WAVES + 1):
                told = channels * wave // WAVES
                asyncio.run(_until_told(url, told, process, Path(folder)))
                found.append(_megabytes(process.pid))
    return found


def _wanted(subscription: Subscription, _: Subscription | None) -> Subscription:
    return subscription


def subscription(number: int, alone: Platform | None) -> Subscription:
    """Return the subscription of one channel: of `alone`, or of both platforms in turn."""
    if alone is Platform.SLACK or (alone is None and number % 2):
        channel = Channel(Platform.SLACK, "T1", f"C{number}")
    else:
        channel = Channel(Platform.DISCORD, "100", str(1_000_000 + number))
    return Subscription(
        id=None,
        channel=channel,
        repos=REPOS if alone else REPOS[:1],
        at=NINE.time(),
        tz="UTC",
        days=frozenset(range(7)),
        weekly=False,
        language=Language.EN,
        without=frozenset(),
        paths=(),
        topics=(),
        quiet=Quiet.LINE,
        one_thread=alone is not None,
        created_by="",
        created_at=NINE - timedelta(hours=1),
    )


def measure() -> list[Row]:
    """Give the rows of `make bench`."""
    first, last = (tell(size) for size in SIZES)
    on_postgres = tell(SIZES[-1], on_postgres=True)
    dearer = (last.cpu / last.messages) / (first.cpu / first.messages)
    return [
        *(
            Row(
                f"fan-out, {each.channels} channels{where}",
                f"{each.a_second_of_cpu:.0f} messages/s of a core",
                f"aim {AIM}",
            )
            for each, where in ((first, ""), (last, ""), (on_postgres, " on PostgreSQL"))
        ),
        Row("fan-out, cost of a message, many to few", f"{dearer:.2f}", "1.10", dearer <= 1.1),
        Row(
            "fan-out, memory before nine",
            f"{last.idle_megabytes:.0f} MB",
            f"{IDLE_MEGABYTES} MB",
            last.idle_megabytes <= IDLE_MEGABYTES,
        ),
        Row(
            f"fan-out, memory after {last.channels} channels to that after {WARM}",
            f"{last.swelling:.2f}",
            "1.05",
            last.swelling <= 1.05,
        ),
        *map(_within_limits, Platform),
    ]


def _within_limits(platform: Platform) -> Row:
    told = tell(LIMITED_CHANNELS, limited_on=platform)
    each = told.messages // LIMITED_CHANNELS
    if platform is Platform.SLACK:
        shortest = (each - SLACK_BURST) * SLACK_INTERVAL
    else:
        # The thread below the one parent has a bucket of its own.
        shortest = (each - 2) // DISCORD_CALLS * DISCORD_SECONDS
    share = shortest / told.limited_seconds
    name = f"fan-out, {platform.value}, of the rate that it allows"
    return Row(name, f"{share:.0%} ({told.refused} refused)", "95%", share >= 0.95)


if __name__ == "__main__":
    wanted = [size for size in sys.argv[1:] if size.isdigit()]
    for size in map(int, wanted):
        if "waves" in sys.argv:
            memory = waves(size)
            print(*(f"{each:.0f} MB" for each in memory), f"{memory[-1] / memory[0]:.3f}")
            continue
        told = tell(size, on_postgres="postgres" in sys.argv)
        print(told)
        print(f"{told.a_second_of_cpu:.0f} messages/s of a core, {told.a_second:.0f} of the clock")
