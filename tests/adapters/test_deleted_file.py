"""A database file that is deleted under the running program: nothing is accepted and lost."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.model.channels import Channel, Platform
from bot.store.store import ChannelStore
from digest.store.database import Database
from tests.adapters.running_program import Program, running_program
from tests.adapters.slack.conftest import FakeSlack
from tests.adapters.slack.local_slack import TEAM
from tests.adapters.web_served import served
from tests.digest.store.test_database import delete

CHANNEL = Channel(Platform.SLACK, TEAM, "C1")


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        fake.members["C1"] = ["U1", "U0BOT"]
        fake.users["U1"] = {"name": "ann", "is_admin": True}
        yield fake


async def told(program: Program, slack: FakeSlack, text: str) -> str:
    """Return what is told where a command was typed: to the person, or to the channel."""
    name, before = f"r{len(slack.responses)}", len(slack.posts)
    answered = await program.slack.command(text, response_url=f"{slack.url}/respond/{name}")
    assert answered[0] == 200
    await program.until(lambda: bool(slack.responses[name]) or len(slack.posts) > before)
    said = slack.responses[name]
    return str(said[-1]["text"]) if said else slack.posts[-1].text


async def test_who_subscribes_while_the_database_file_is_deleted_is_refused_and_nothing_is_lost(
    tmp_path: Path, slack: FakeSlack
) -> None:
    file, kept = tmp_path / "infra.sqlite3", tmp_path / "kept"
    async with running_program(tmp_path, slack, "--only", "web") as program:
        await program.healthy()
        await program.heard()
        assert "sglang" in await told(program, slack, "subscribe sglang tz UTC")
        with closing(sqlite3.connect(file)) as opened:
            opened.execute("VACUUM INTO ?", (str(kept),))
        delete(tmp_path, "infra.sqlite3*")

        refused = await told(program, slack, "subscribe vllm")
        assert "was deleted" in refused
        assert (refused.strip().count("\n"), str(tmp_path) in refused) == (0, False)
        assert (await program.get("/readyz"))[0] == 503
        assert not file.exists()

        kept.rename(file)
        assert "vllm" in await told(program, slack, "subscribe vllm")
        assert await program.end() == 0
    assert program.printed == []
    async with Database(f"sqlite:///{file}") as database:
        found = await ChannelStore(database).subscriptions.of(CHANNEL)
    assert found
    assert [repo.name for repo in found.repos] == ["sglang", "vllm"]
