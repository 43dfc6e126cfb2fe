"""A channel asks what an upgrade means for its codebases, and is told once it is known."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.answer.channel_answers import ChannelAnswers
from bot.model.channel_commands import AskUpgrade, parse_chat
from bot.model.channels import Person
from bot.model.parts import ActionKind
from bot.store.retention import forget
from digest.errors import RateLimited
from digest.languages import Language
from digest.models import Item, Repo, Span
from digest.ports import Steps
from digest.sources.git.source import Git
from digest.wording.phrases import SAY
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import ADA, ADA_HERE, CHANNEL, Transcript
from tests.bot.talking import everything, typed
from tests.conftest import SetClock
from tests.digest.sources.git.workshop import ISOLATED, NOW, Workshop

EVE = Person(ADA.platform, "T1", "U9", "eve", is_stranger=True)
ENGINE = "def launch(path):\n    return path\n\n\ndef steady(path):\n    return path\n"
SURFACE = """
of = "acme/rocket"
source = "plug"
uses = [
  { kind = "called", name = "rocket.engine.launch", at = "vault/run.py:5", positional = 1 },
  { kind = "name", name = "rocket.engine.steady", at = "vault/run.py:2" },
  { kind = "pin", name = "rocket", at = "pyproject.toml:9", value = "==1.0.0" },
]
"""


class SlowClone(Git):
    """A clone that waits to be let go on, and counts how often a span was read."""

    read = 0

    def __init__(self, folder: Path) -> None:
        super().__init__(
            str(folder),
            cache_dir=folder,
            clock=lambda: NOW,
            progress=lambda line: None,
            environment={"PATH": os.environ["PATH"], **ISOLATED},
        )
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()

    async def brought(
        self, repo: Repo, span: Span, tell: Steps = lambda step: None
    ) -> Sequence[Item]:
        self.read += 1
        tell(SAY.upgrades.listing(3, 9))
        self.begun.set()
        await self.go_on.wait()
        return await super().brought(repo, span)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path / "rocket")
    shop.write("rocket/engine.py", ENGINE)
    shop.commit(1, "Begin (#1)")
    shop("tag", "v1.0.0")
    shop.write("rocket/engine.py", ENGINE.replace("launch(path)", "launch(path, seed)"))
    shop.commit(2, "Launch with a seed (#2)")
    shop("tag", "v1.1.0")
    return shop


@pytest.fixture
def source(shop: Workshop) -> SlowClone:
    return SlowClone(shop.folder)


@pytest.fixture
async def rocket(chosen_url: str, clock: SetClock, source: SlowClone) -> AsyncIterator[Bot]:
    async with open_bot(chosen_url, clock, Transcript(), source=source) as bot:
        await bot.chat.settings.give("own.toml", SURFACE, ADA_HERE)
        yield bot


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("upgrade vllm", AskUpgrade("vllm")),
        ("upgrade vllm v1..v2", AskUpgrade("vllm", "v1", "v2")),
        ("Upgrade vllm v1... in zh", AskUpgrade("vllm", "v1", "", language=Language.ZH)),
        ("upgrade vllm ..v2", AskUpgrade("vllm", "", "v2")),
        ("upgrade vllm v1 to v2", AskUpgrade("vllm", "v1", "v2")),
        ("upgrade vllm v1 v2", AskUpgrade("vllm", "v1", "v2")),
    ],
)
def test_it_is_understood(text: str, command: object) -> None:
    assert parse_chat(text) == command


async def test_it_goes_from_the_pin_to_the_newest_release_and_is_made_once(
    rocket: Bot, source: SlowClone
) -> None:
    told = await typed(rocket, "upgrade acme/rocket")
    again = await typed(rocket, "upgrade acme/rocket in zh")

    text = everything(told)
    assert "1.0.0..v1.1.0" in text
    assert "Launch with a seed" in text
    assert "vault/run.py:5" in text
    assert "checked and unchanged 1, not followed 1" in text
    assert "会出错" in everything(again)
    assert told.file is not None
    assert told.file.name == "upgrade-rocket-v1.0.0..v1.1.0.html"
    assert "rocket.engine.steady" in told.file.text
    assert source.read == 1
    (part,) = told.parts  # the item that a day tells, so that both are flagged as one
    assert [(each.kind, each.value) for each in part.actions] == [(ActionKind.FLAG, *part.about)]
    assert part.about == ("acme/rocket:pull_request:2",)


async def test_who_may_not_hear_of_the_codebase_is_told_of_none(rocket: Bot) -> None:
    refused = await typed(rocket, "upgrade acme/rocket", person=EVE)
    rocket.platform.shared = {CHANNEL}
    shared = await typed(rocket, "upgrade acme/rocket")
    for reply in (refused, shared, await typed(rocket, "upgrade acme/other")):
        assert reply.failed
        assert reply.file is None
        assert "concern add" in everything(reply)
        assert "vault" not in everything(reply)


async def test_one_at_a_time_is_made_in_a_channel(rocket: Bot, source: SlowClone) -> None:
    source.go_on.clear()
    first = asyncio.create_task(typed(rocket, "upgrade acme/rocket"))
    await source.begun.wait()
    second = await typed(rocket, "upgrade acme/rocket v1.0.0..v1.1.0")
    source.go_on.set()

    assert "is being made" in everything(second)
    assert not (await first).failed
    assert not (await typed(rocket, "upgrade acme/rocket v1.0.0..v1.1.0")).failed


async def test_a_report_that_ended_halfway_goes_on_without_being_spent_again(
    rocket: Bot, source: SlowClone, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, spend = Git.brought, ChannelAnswers.spend
    paid = []

    async def spent(*_: object) -> Sequence[Item]:
        raise RateLimited(SAY.upgrades.spent)

    async def counted(*given: Any) -> None:
        paid.append(clock().day)
        await spend(*given)

    monkeypatch.setattr(ChannelAnswers, "spend", counted)
    monkeypatch.setattr(Git, "brought", spent)
    for _ in range(3):
        refused = await typed(rocket, "upgrade acme/rocket")
        assert "kept for mornings" in everything(refused)
    assert len(paid) == 1
    clock.advance(days=1)
    await typed(rocket, "upgrade acme/rocket")
    assert len(paid) == 2
    monkeypatch.setattr(Git, "brought", whole)

    assert not (await typed(rocket, "upgrade acme/rocket")).failed


async def test_a_mention_is_answered_in_the_thread(rocket: Bot) -> None:
    private = await rocket.chat.answer_mention(
        "upgrade acme/rocket", ADA_HERE, thread="7.0", event_id="1"
    )

    assert private is None
    report = rocket.platform.said[CHANNEL]
    assert all(each.parent == "7.0" for each in report)
    post = await rocket.store.posts.at(CHANNEL, report[0].ref)
    assert post is not None
    assert post.message.about == ("acme/rocket:pull_request:2",)  # so that a 🚩 there counts
    assert "Launch with a seed" in report[0].payload
    assert "upgrade acme/rocket" in report[-1].payload


async def test_a_report_is_forgotten_with_its_workspace(rocket: Bot, source: SlowClone) -> None:
    await typed(rocket, "upgrade acme/rocket")
    await forget(rocket.digests.database, CHANNEL.platform, CHANNEL.workspace)
    await rocket.chat.settings.give("own.toml", SURFACE, ADA_HERE)

    await typed(rocket, "upgrade acme/rocket")
    assert source.read == 2
