"""The command line, when a private repository is taken out of INFRA_PRIVATE_REPOS."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.operations.clock import once_private
from adapters.terminal.main import run
from adapters.wiring.assembly import github_source
from bot.settings import Settings
from bot.store.records import HiddenRepos
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


Infra = Callable[..., Awaitable[tuple[int, str]]]


@pytest.fixture
def infra(fake: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Infra:
    """Give what runs a command line, and gives its exit status and all that it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'infra.sqlite3'}")
    monkeypatch.setenv("GITHUB_API_URL", fake.url)
    monkeypatch.setenv("GITHUB_TOKEN", "invented")
    monkeypatch.setenv("INFRA_NOW", "2026-03-05T09:00:00Z")

    async def told(*words: str, listed: str = "") -> tuple[int, str]:
        monkeypatch.setenv("INFRA_PRIVATE_REPOS", listed)
        status = await asyncio.to_thread(run, list(words))
        said = capsys.readouterr()
        return status, said.out + said.err

    return told


async def test_what_is_stored_of_it_is_told_no_more_anywhere(
    fake: FakeGitHub, infra: Infra, tmp_path: Path
) -> None:
    day = ("acme/rocket", "2026-03-04")
    status, said = await infra(*day, listed="acme/rocket=slack:T1")
    assert (status, TITLE in said) == (0, True)

    fake.faults.append(lambda request, body: web.Response(status=400))
    for words in (day, ("search", "umbrella")):
        _, said = await infra(*words)
        assert TITLE not in said, words
    fake.faults.clear()
    _, said = await infra("why", "acme/rocket", "12")
    assert TITLE not in said
    folder = tmp_path / "pages"
    await infra("export", "markdown", str(folder), *day)
    assert not any(TITLE in page.read_text() for page in folder.rglob("*.md"))


async def test_one_that_github_calls_private_is_remembered_as_such(
    fake: FakeGitHub, infra: Infra
) -> None:
    day = ("acme/rocket", "2026-03-04")
    fake.private = False
    _, said = await infra(*day)
    assert TITLE in said
    fake.private = True
    _, said = await infra("acme/rocket", "2026-03-03")
    assert "INFRA_PRIVATE_REPOS" in said
    _, said = await infra("search", "umbrella")
    assert TITLE not in said
    fake.private = False
    _, said = await infra(*day)
    assert TITLE in said, "it is public again"


async def test_the_bot_sees_within_a_day_that_it_is_public_again_and_tells_nothing_before(
    fake: FakeGitHub, sqlite_url: str, clock: SetClock
) -> None:
    async with open_store(sqlite_url) as store:
        hidden = HiddenRepos(store.database)
        await hidden.hide({"acme/rocket", "acme/other"}, clock())
        settings = Settings(GITHUB_API_URL=fake.url, GITHUB_TOKEN="invented")
        async with github_source(settings, store, clock, lambda line: None) as github:
            looking = once_private(github, frozenset({"acme/other"}), store.database, clock)
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
