"""The command line, when a private repository is taken out of INFRA_PRIVATE_REPOS."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from adapters.operations.once_private import OncePrivate
from adapters.wiring.run import github_source
from bot.settings import Settings
from bot.store.hidden_repos import HiddenRepos
from digest.store.store import open_store
from tests.conftest import SetClock
from tests.digest.sources.github.github_fake import FakeGitHub, one_pull_day, serving

TITLE = "Plan to buy Umbrella"


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        one_pull_day(server)
        server.private = True
        server.pulls[12]["title"] = TITLE
        home = {"full_name": "acme/rocket", "default_branch": "main", "private": True}
        server.rest["/repos/acme/rocket"] = home
        yield server


async def infra(folder: Path, url: str, *words: str, listed: str = "") -> tuple[int, str]:
    """Run the program; give its exit status and all that it says."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adapters.terminal.main", *words),
        cwd=folder,
        env={
            "PYTHONPATH": str(Path(__file__).parents[3]),
            "DATABASE_URL": f"sqlite:///{folder / 'infra.sqlite3'}",
            "GITHUB_API_URL": url,
            "GITHUB_TOKEN": "invented",
            "INFRA_PRIVATE_REPOS": listed,
            "INFRA_NOW": "2026-03-05T09:00:00Z",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()


async def test_what_is_stored_of_it_is_told_no_more_anywhere(
    fake: FakeGitHub, tmp_path: Path
) -> None:
    day = ("acme/rocket", "2026-03-04")
    status, said = await infra(tmp_path, fake.url, *day, listed="acme/rocket=slack:T1")
    assert (status, TITLE in said) == (0, True)

    fake.faults.append(lambda request, body: web.Response(status=400))
    for words in (day, ("search", "umbrella")):
        _, said = await infra(tmp_path, fake.url, *words)
        assert TITLE not in said, words
    fake.faults.clear()
    _, said = await infra(tmp_path, fake.url, "why", "acme/rocket", "12")
    assert TITLE not in said
    folder = tmp_path / "pages"
    await infra(tmp_path, fake.url, "export", "markdown", str(folder), *day)
    assert not any(TITLE in page.read_text() for page in folder.rglob("*.md"))


async def test_one_that_github_calls_private_is_remembered_as_such(
    fake: FakeGitHub, tmp_path: Path
) -> None:
    day = ("acme/rocket", "2026-03-04")
    fake.private = False
    _, said = await infra(tmp_path, fake.url, *day)
    assert TITLE in said
    fake.private = True
    _, said = await infra(tmp_path, fake.url, "acme/rocket", "2026-03-03")
    assert "INFRA_PRIVATE_REPOS" in said
    _, said = await infra(tmp_path, fake.url, "search", "umbrella")
    assert TITLE not in said
    fake.private = False
    _, said = await infra(tmp_path, fake.url, *day)
    assert TITLE in said, "it is public again"


async def test_the_bot_sees_within_a_day_that_it_is_public_again_and_tells_nothing_before(
    fake: FakeGitHub, sqlite_url: str, clock: SetClock
) -> None:
    async with open_store(sqlite_url) as store:
        hidden = HiddenRepos(store.database)
        await hidden.hide({"acme/rocket", "acme/other"}, clock())
        settings = Settings(GITHUB_API_URL=fake.url, GITHUB_TOKEN="invented")
        async with github_source(settings, store, clock, lambda line: None) as github:
            looking = OncePrivate(github, frozenset({"acme/other"}), store.database, clock)
            fake.private = True
            await looking.look()
            assert await hidden.all() == {"acme/rocket", "acme/other"}

            fake.private = False
            asked = len(fake.log)
            await looking.look()
            assert len(fake.log) == asked, "once a day"
            clock.advance(days=1)
            await looking.look()
            assert await hidden.all() == {"acme/other"}
