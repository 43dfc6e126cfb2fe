"""Requests and bytes that one repository costs: a day never seen, the same again, the next day."""

import asyncio
import tempfile
from datetime import timedelta
from pathlib import Path

from benchmarks.rows import Row
from benchmarks.small_github import CHANGES_A_DAY, DAYS, NAME, START, SmallGitHub, serving
from digest.models import Repo, Window
from digest.pipeline import Pipeline
from digest.sources.github.source import GitHub
from digest.store.store import open_store

LIMIT = 5
"""Counted requests of a day of 40 changes, besides one for each patch that is read.

One of them asks for all whole files that are compared.
"""

FIRST = Window(START, START + timedelta(days=1), "UTC", f"{START:%Y-%m-%d}")
SECOND = Window(FIRST.end, FIRST.end + timedelta(days=1), "UTC", f"{FIRST.end:%Y-%m-%d}")


def measure() -> list[Row]:
    """Give the rows of the three ways to ask."""
    return asyncio.run(_measure())


async def _measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'infra.sqlite3'}"
        async with serving() as server, open_store(url) as store:
            server.now = START + timedelta(days=DAYS)
            clock = lambda: server.now  # noqa: E731 - one line says it all
            async with GitHub(
                token="invented",
                api_url=server.url,
                memory=store.memory,
                clock=clock,
                progress=lambda line: None,
                seen_since=store.activity("github").seen_since,
            ) as github:
                pipeline = Pipeline(
                    github,
                    source_name="github",
                    store=store,
                    clock=clock,
                    progress=lambda line: None,
                )
                return [
                    await _ask("a day never seen", LIMIT, server, pipeline, FIRST),
                    await _ask("the same day again", 0, server, pipeline, FIRST),
                    await _ask("the next day", LIMIT, server, pipeline, SECOND),
                ]


async def _ask(
    name: str, limit: int, server: SmallGitHub, pipeline: Pipeline, window: Window
) -> Row:
    server.requests = server.patches = server.unchanged = server.sent = 0
    told = await pipeline.digest(Repo.parse(NAME), window)
    if told.reading.counts.commits != CHANGES_A_DAY or told.reading.gaps:
        raise SystemExit(f"{name}: the day was not collected whole: {told.reading.gaps}")
    counted = server.requests - server.patches - server.unchanged
    return Row(
        f"GitHub, {name} of {CHANGES_A_DAY} changes",
        f"{counted} requests + {server.patches} patches, {server.sent / 1024:.0f} KiB",
        f"{limit} requests",
        counted <= limit,
    )
