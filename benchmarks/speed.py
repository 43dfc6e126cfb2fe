"""How long it takes until help is shown, a surface is read, and a look finds nothing due."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.fan_out import NINE, REPOS
from benchmarks.rows import Row
from bot.model.channel_commands import Quiet
from bot.model.channels import Channel, Platform
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.concern.reader import surface_of
from digest.concern.surface import upstream
from digest.languages import Language
from digest.sources.git.codebase import codebase
from digest.store.database import upgrade
from digest.store.store import open_store

RUNS = 7
MOST_TIMES = 3.0
"""How much longer help may take than the libraries that it is made with."""

LIBRARIES = (sys.executable, "-c", "import pydantic, structlog, typer")
HELP = (sys.executable, "-c", "from adapters.terminal.main import main; main()", "help")


def _start_up() -> list[Row]:
    """Give the median of several runs, the two commands taking turns."""
    bare, told = [], []
    for _ in range(RUNS):
        bare.append(_seconds(LIBRARIES))
        told.append(_seconds(HELP))
    times = median(told) / median(bare)
    return [
        Row("its libraries, start-up", f"{median(bare):.2f} s"),
        Row("infra help, start-up", f"{median(told):.2f} s"),
        Row(
            "infra help, against its libraries",
            f"{times:.1f} ×",
            f"{MOST_TIMES:.0f} ×",
            times <= MOST_TIMES,
        ),
    ]


def _seconds(command: tuple[str, ...]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


ROOT = Path(__file__).parent.parent
FILES = 300
SURFACE_SECONDS = 10.0


def _surface() -> list[Row]:
    """Return the seconds of processor time that a surface of 300 Python files takes."""
    begun = time.process_time()
    read = asyncio.run(
        codebase(
            str(ROOT),
            cache_dir=ROOT,
            environment={"PATH": os.environ["PATH"]},
            progress=lambda _: None,
        )
    )
    paths = [path for path in read.files if path.endswith(".py")][:FILES]
    files = {path: read.files[path] for path in paths}
    surface = surface_of(replace(read, files=files), upstream("pydantic/pydantic"))
    spent = time.process_time() - begun
    assert surface.uses
    name = f"the surface of {len(files)} files"
    return [Row(name, f"{spent:.1f} s", f"{SURFACE_SECONDS:.0f} s", spent <= SURFACE_SECONDS)]


FEW, MANY = 100, 10_000
LOOKS = 50
GROWTH = 2.0
"""How much longer a look may take with a hundred times as many channels."""

TOLD = date(2026, 2, 12)


def _idle_looks() -> list[Row]:
    """Return the median look with few and with many channels, in milliseconds of CPU."""
    few, many = (asyncio.run(_look(channels)) for channels in (FEW, MANY))
    ratio = many / few
    return [
        Row(f"a look with nothing due, {FEW} channels", f"{few:.2f} ms"),
        Row(f"a look with nothing due, {MANY} channels", f"{many:.2f} ms"),
        Row("the same, many against few", f"{ratio:.1f} ×", f"{GROWTH:.0f} ×", ratio <= GROWTH),
    ]


async def _look(channels: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'idle.sqlite3'}"
        await upgrade(url)
        async with open_store(url) as digests:
            store = ChannelStore(digests.database)
            for one in _subscriptions(channels):
                await store.subscriptions.change(one.channel, partial(_wanted, one))
            now, spent = NINE + timedelta(hours=1), []
            for _ in range(LOOKS):
                begun = time.process_time()
                unfinished = await store.deliveries.unfinished()
                due = [each async for each in store.subscriptions.each_due(now, unfinished.keys())]
                spent.append((time.process_time() - begun) * 1000)
                assert not due
            return median(spent)


def _wanted(subscription: Subscription, _: Subscription | None) -> Subscription:
    return subscription


def _subscriptions(channels: int) -> Iterator[Subscription]:
    first = Subscription(
        id=None,
        channel=Channel(Platform.SLACK, "T1", "C0"),
        repos=REPOS[:1],
        at=NINE.time(),
        tz="UTC",
        days=frozenset(range(7)),
        weekly=False,
        language=Language.EN,
        without=frozenset(),
        paths=(),
        topics=(),
        quiet=Quiet.LINE,
        one_thread=False,
        created_by="U1",
        created_at=NINE - timedelta(days=9),
        last_delivered_date=TOLD,
        last_delivered_end=datetime(2026, 2, 12, tzinfo=NINE.tzinfo),
    )
    for number in range(channels):
        yield replace(first, channel=replace(first.channel, id=f"C{number}"))


def measure() -> list[Row]:
    """Return the rows of all three."""
    return [*_start_up(), *_surface(), *_idle_looks()]
