"""Both platforms in one process: one that fails does not touch the other."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.wiring.process import run
from digest.errors import BadToken
from tests.adapters.discord.conftest import DAILY, FakeDiscord, eventually
from tests.adapters.discord.objects import ADA, member
from tests.adapters.slack import conftest as on_slack
from tests.adapters.slack.conftest import FakeSlack
from tests.adapters.web_served import served
from tests.conftest import PATIENCE

COMMAND = 2
MAY_WRITE = 1 << 10 | 1 << 11
SHARED = {
    "id": "1",
    "name": "infra",
    "type": 1,
    "options": [
        {"type": 3, "name": "repo", "value": "repos"},
        {"type": 5, "name": "share", "value": True},
    ],
}
REFUSED = on_slack.Fault(body={"ok": False, "error": "invalid_auth"})


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        yield fake


@pytest.fixture
async def discord(clock: Any) -> AsyncIterator[FakeDiscord]:
    fake = FakeDiscord(int(clock().timestamp() * 1000))
    async with served(fake.application()) as fake.url:
        yield fake


@pytest.fixture
async def running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slack: FakeSlack, discord: FakeDiscord
) -> AsyncIterator["asyncio.Task[None]"]:
    """A process that is set up for both, and begins with the next await."""
    monkeypatch.chdir(tmp_path)
    given = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/infra.sqlite3",
        "GITHUB_API_URL": "http://127.0.0.1:1",
        "SLACK_BOT_TOKEN": "xoxb-fake",
        "SLACK_APP_TOKEN": "xapp-fake",
        "SLACK_API_URL": slack.api,
        "DISCORD_TOKEN": "fake-token",
        "DISCORD_API_URL": f"{discord.url}/api",
        "DISCORD_GATEWAY_URL": f"{discord.url.replace('http', 'ws')}/gateway",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    task = asyncio.create_task(run(""))
    yield task
    if not task.done():
        os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.gather(task, return_exceptions=True)


async def test_discord_is_heard_and_posted_to_where_slack_refuses_the_token(
    running: Any, slack: FakeSlack, discord: FakeDiscord
) -> None:
    slack.fail("auth.test", *[REFUSED] * 9)
    await eventually(lambda: discord.identified and slack.called("auth.test"))

    await discord.interact(COMMAND, SHARED, member=member(ADA, "ada", MAY_WRITE))

    await eventually(lambda: discord.messages[DAILY])
    assert not running.done()


async def test_slack_goes_on_where_discords_gateway_refuses_the_bot(
    running: Any, slack: FakeSlack, discord: FakeDiscord
) -> None:
    discord.close_code = 4013
    await eventually(lambda: slack.called("apps.connections.open"))
    await asyncio.sleep(0.5)

    assert not running.done()


async def test_where_every_platform_fails_the_process_ends_and_says_why(
    running: Any, slack: FakeSlack, discord: FakeDiscord
) -> None:
    discord.close_code = 4004
    slack.fail("auth.test", *[REFUSED] * 9)

    with pytest.raises(BadToken, match="token"):
        async with asyncio.timeout(PATIENCE):
            await running
