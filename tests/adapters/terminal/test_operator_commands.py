"""What whoever runs the bot does with it, as a command line."""

import asyncio
import contextlib
import json
import re
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.terminal.main import run
from adapters.terminal.operator_commands import _used_up
from bot.model.channels import Channel, Platform
from bot.model.slots import due
from bot.settings import Settings
from bot.store.figures import Processes, ProcessState
from bot.store.store import ChannelStore
from digest.edited import ModelFailure, ModelOutcome, ModelUse, Trouble
from digest.languages import Language
from digest.phrase import Phrase
from digest.store.database import Database
from digest.store.model_use import StoredModelFailures
from digest.wording.saying import localized
from tests.adapters.terminal.command_line import SOURCE, told
from tests.bot.bot_fixture import subscription

CHANNEL = Channel(Platform.SLACK, "T1", "C1")
NOW = datetime(2026, 2, 12, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INFRA_NOW", NOW.isoformat())


def filled(folder: Path, **chosen: Any) -> None:
    """Keep a channel, and a process that runs."""

    async def fill() -> None:
        async with Database(f"sqlite:///{folder / 'infra.sqlite3'}") as database:
            wanted = subscription(channel=CHANNEL, **chosen)
            await ChannelStore(database).subscriptions.change(CHANNEL, lambda _: wanted)

    asyncio.run(fill())


def runs(folder: Path) -> None:
    async def speak() -> None:
        async with Database(f"sqlite:///{folder / 'infra.sqlite3'}") as database:
            state = ProcessState(
                "host:1:a",
                "worker",
                "0.1.0",
                NOW,
                NOW,
                NOW - timedelta(seconds=7),
                {"slack": "", "discord": "the gateway is not open"},
                {"core": 4_900},
            )
            await Processes(database).speak(state)

    asyncio.run(speak())


def test_status_tells_channels_queue_processes_and_budgets(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(here, last_error=Phrase.as_written("GitHub does not answer"))
    runs(here)

    text = told(capsys, "status")

    assert text.startswith("slack:T1/C1  example-org/kiln at 09:00 tz UTC on daily in en")
    assert "  last: nothing yet; next: now\n" in text
    assert "  last error: GitHub does not answer\n" in text
    assert "queue: 1, the first due since 2026-02-12 09:00 UTC\n" in text
    assert (
        "process host:1:a (worker, 0.1.0): clock 7 s ago; slack heard; "
        "discord the gateway is not open\n"
    ) in text
    assert "GitHub requests left: core 4,900\n" in text
    assert "model today: 0 questions, 0 tokens sent to it, 0 answered (UTC)\n" in text
    assert "model this month: 0 questions, 0 tokens sent to it, 0 answered (UTC)\n" in text


def fails(folder: Path, *failures: ModelFailure) -> None:
    async def note() -> None:
        async with Database(f"sqlite:///{folder / 'infra.sqlite3'}") as database:
            for each in failures:
                await StoredModelFailures(database).note(each)

    asyncio.run(note())


KEY_REFUSED = ModelUse(
    "m", ModelOutcome.FAILED, asked=6, unanswered=6, trouble=Trouble.KEY, checker="m"
)


@pytest.mark.parametrize(
    ("use", "english", "chinese"),
    [
        (KEY_REFUSED, "the server of m refuses the key", "m 的服务器拒绝了密钥"),
        (
            replace(KEY_REFUSED, outcome=ModelOutcome.LATE, trouble=None),
            "m was late",
            "m 未及时完成",
        ),
        (
            replace(KEY_REFUSED, outcome=ModelOutcome.OVER_BUDGET, trouble=None),
            "no tokens left for m",
            "m 的 token 已用完",
        ),
        (
            replace(
                KEY_REFUSED,
                outcome=ModelOutcome.PARTIAL,
                told=3,
                unanswered=1,
                trouble=Trouble.UNREADABLE,
            ),
            "1 question unanswered, the answers of m could not be used",
            "1 个提问未答复、m 的答复无法使用",
        ),
        (
            replace(KEY_REFUSED, outcome=ModelOutcome.COMPLETE, trouble=None, dropped=2),
            "2 answers of it dropped",
            "舍去其 2 处答复",
        ),
    ],
)
def test_status_says_why_the_model_failed_last(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    use: ModelUse,
    english: str,
    chinese: str,
) -> None:
    filled(here)
    older = ModelFailure(replace(KEY_REFUSED, model="reader"), NOW - timedelta(hours=1))
    fails(here, ModelFailure(KEY_REFUSED, NOW - timedelta(minutes=3)))
    fails(here, older, ModelFailure(use, NOW - timedelta(minutes=2)))

    assert f"model failed last: 2026-02-12 09:28 UTC, {english}\n" in told(capsys, "status")
    chinese_text = told(capsys, "status", "--lang", "zh")
    assert "模型最近一次失败：2026-02-12 09:28 UTC，" in chinese_text
    assert chinese in chinese_text


def test_status_says_until_when_a_model_is_left_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(here)
    assert "model failed" not in told(capsys, "status")
    assert json.loads(told(capsys, "status", "--format", "json"))["model_failure"] is None

    fails(here, ModelFailure(KEY_REFUSED, NOW, NOW + timedelta(minutes=5)))

    assert told(capsys, "status").count("; it is left alone until 2026-02-12 09:35 UTC\n") == 1
    assert "；暂停提问至 2026-02-12 09:35 UTC\n" in told(capsys, "status", "--lang", "zh")
    assert json.loads(told(capsys, "status", "--format", "json"))["model_failure"] == {
        "at": "2026-02-12T09:30:00+00:00",
        "model": "m",
        "outcome": "failed",
        "trouble": "key",
        "asked": 6,
        "unanswered": 6,
        "paused_until": "2026-02-12T09:35:00+00:00",
    }

    with sqlite3.connect(here / "infra.sqlite3") as of_another_version:
        of_another_version.execute("UPDATE model_failure SET body = x'3d7b7d'")
    assert "model failed" not in told(capsys, "status")


def test_status_of_a_channel_tells_why_it_is_paused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(here, paused=Phrase.as_written("the channel is archived"))

    assert "  paused: the channel is archived\n" in told(
        capsys, "status", "--channel", "slack:T1/C1"
    )
    assert "slack:T1/C2 has no subscription" in told(
        capsys, "status", "--channel", "slack:T1/C2", status=2
    )


def test_status_is_one_json_document_for_programs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(here)
    runs(here)

    page = json.loads(told(capsys, "status", "--format", "json"))

    (channel,) = page["channels"]
    assert (channel["channel"], channel["next"], channel["paused"]) == ("slack:T1/C1", "now", "")
    assert "  上一次：尚无；下一次：现在\n" in told(capsys, "status", "--lang", "zh")
    assert page["processes"][0]["unheard"]["discord"] == "the gateway is not open"
    assert page["github"] == {"core": 4900}
    assert "write --format text|json" in told(capsys, "status", "--format", "html", status=2)


def test_a_backup_goes_into_a_new_file_and_comes_back(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(here)

    assert "rows" in told(capsys, "backup", "b")
    assert "b exists: name another file, or add --yes" in told(capsys, "backup", "b", status=2)
    assert "rows" in told(capsys, "backup", "b", "--yes")
    assert "it holds 1 subscription" in told(capsys, "restore", "b", status=2)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{here / 'new.sqlite3'}")
    assert run(["restore", "b"]) == 0
    said = capsys.readouterr()
    assert "holds 1 subscription" in said.out
    assert "comes once more: see docs/running.md" in said.err

    assert "slack:T1/C1" in told(capsys, "status")


def test_a_morning_that_was_being_told_in_a_backup_belongs_to_nobody_once_it_is_restored(
    here: Path,
) -> None:
    """Whoever told it then is gone, and would be waited for."""
    filled(here)

    async def owner(claimed: bool = False) -> str:
        async with Database(f"sqlite:///{here / 'infra.sqlite3'}") as database:
            store = ChannelStore(database)
            if claimed:
                stored = await store.subscriptions.of(CHANNEL)
                slot = due(stored, NOW) if stored else None
                assert slot
                until = NOW + timedelta(minutes=1)
                assert await store.deliveries.claim(slot, CHANNEL, "gone", NOW, until)
            (begun,) = (await store.deliveries.unfinished()).values()
            return begun.owner

    assert asyncio.run(owner(claimed=True)) == "gone"
    assert run(["backup", "b"]) == 0
    assert run(["restore", "b", "--yes"]) == 0

    assert asyncio.run(owner()) == ""


def test_an_older_program_leaves_a_newer_database_and_goes_back_to_a_copy_in_a_new_one(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(here)
    told(capsys, "backup", "before")
    with contextlib.closing(sqlite3.connect(here / "infra.sqlite3")) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")

    assert run(["restore", "before", "--yes"]) == 78
    assert "newer version of infra" in capsys.readouterr().err
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{here / 'back.sqlite3'}")
    assert "1 subscription" in told(capsys, "restore", "before")
    assert str(CHANNEL) in told(capsys, "status")


def test_nothing_is_restored_while_processes_run(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "backup", "b")
    runs(here)

    assert "the bot runs on the database" in told(capsys, "restore", "b", status=2)
    assert told(capsys, "restore", "b", "--yes")


def test_forgetting_says_what_is_gone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filled(here, paused=Phrase.as_written("the channel is archived"))

    assert told(capsys, "forget", "slack:T01") == "slack:T01: nothing is kept of it\n"
    assert run(["forget", "slack:T01"]) == 0
    assert capsys.readouterr().err == "infra: channels are subscribed in slack:T1\n"
    assert told(capsys, "forget", "slack:T1") == "slack:T1: deleted 1 subscription\n"
    assert told(capsys, "forget", "slack:T1") == "slack:T1: nothing is kept of it\n"


def test_a_day_that_cannot_be_collected_ends_the_filling_in(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()

    assert run(["backfill", "example-org/kiln", "2026-02-10"]) == 1

    said = capsys.readouterr()
    assert said.out == "example-org/kiln: 0 of 2 days since 2026-02-10 are stored\n"
    assert "2026-02-11: " in said.err
    assert "run it again" in said.err


def test_days_are_filled_in_once(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFRA_NOW", "2026-03-05T09:00:00Z")
    words = ("backfill", "lumen-org/lumen", "2026-03-04", "--source", SOURCE[1])
    wanted = "lumen-org/lumen: 1 of 1 days since 2026-03-04 are stored\n"

    capsys.readouterr()
    assert run(list(words)) == 0
    said = capsys.readouterr()

    assert said.out == wanted
    assert re.fullmatch(r"infra: lumen-org/lumen 2026-03-04: \d+ items, 0 requests\n", said.err)
    assert told(capsys, *words) == wanted


@pytest.mark.parametrize(
    ("token", "left", "language", "why"),
    [
        ("ghp_x", {"core": 499, "graphql": 4_000}, "en", "499 requests of core are left"),
        ("ghp_x", {"core": 500, "graphql": 500}, "en", ""),
        ("", {"core": 19}, "en", "19 requests of core are left"),
        (
            *("ghp_x", {"core": 3, "graphql": 7}, "zh"),
            "core 只剩 3 次请求；graphql 只剩 7 次请求",
        ),
    ],
)
def test_filling_in_leaves_requests_to_the_mornings(
    token: str, left: dict[str, int], language: str, why: str
) -> None:
    settings = Settings.model_validate({"GITHUB_TOKEN": token})
    infra: Any = SimpleNamespace(settings=settings, budget=lambda: (left, 7))

    spoken = Language(language)
    assert localized(_used_up(infra, spoken), spoken) == why


@pytest.mark.parametrize(
    ("since", "hint"),
    [
        ("2026-02-12", "is not over yet"),
        ("1200-01-01", "is before git's first day: infra backfill example-org/kiln 2026-02-01"),
    ],
)
def test_days_that_cannot_be_are_not_filled_in(
    capsys: pytest.CaptureFixture[str], since: str, hint: str
) -> None:
    assert hint in told(capsys, "backfill", "example-org/kiln", since, status=2)
