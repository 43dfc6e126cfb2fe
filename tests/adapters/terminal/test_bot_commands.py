"""What runs the bot, on the command line: one line for a mistake, the same words as in chat."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.terminal import channel_json
from adapters.terminal.commands import BOT_ROWS, Deliver, parse_words
from adapters.terminal.formats import draw
from adapters.terminal.main import run
from adapters.terminal.options import Format
from bot.model.channels import Channel
from bot.model.commands import Ask, Help, Search
from bot.model.commands import Command as Question
from bot.model.followups import FollowUp, Which
from bot.model.reactions import ReactionKind, ReactionRecord
from bot.model.replies import HelpReply
from digest.errors import UsageError
from digest.languages import Language

CHANNEL = "slack:T1/C1"
DEMO = Path(__file__).parents[3] / "adapters" / "terminal" / "demo" / "activity.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/infra.sqlite3")
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("INFRA_NOW", "2026-03-05T09:30:00Z")
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "DISCORD_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run now", "infra run"),
        ("run --only slak", "did you mean slack?"),
        ("run --only everything", "slack|discord|worker|web"),
        ("deliver", "infra deliver --at 2026-02-12T09:00"),
        ("deliver --at soon", "--at 2026-02-12T09:00"),
        ("deliver now --at 2026-02-12", "takes no more words"),
        ("slack", "infra slack manifest"),
        ("slack preview", "infra slack manifest"),
        ("slack preview sglang someday", "infra slack preview sglang yesterday"),
        ("slack manifest please", "takes no more words"),
        ("discord", "infra discord invite"),
        ("discord invite please", "infra discord invite"),
        ("subscribe vllm", "--channel slack:TEAM/CHANNEL"),
        ("subscribe vllm --channel teams:1/2", "slack:TEAM/CHANNEL"),
        ("subscribe vlm --channel slack:T1/C1", "did you mean vllm?"),
        ("vllm --channel slack:T1/C1", "infra help subscribe"),
        ("vllm --send", "infra help deliver"),
        ("repos --only slack", "infra help run"),
        ("status --only slack", "infra help run"),
        ("vllm --at x", "infra help surface, infra help deliver"),
        ("evaluate labels --clones=", "say where the clones are"),
        ("deliver --al 2026-02-12", "did you mean --at?"),
    ],
)
def test_a_mistake_is_one_line_with_the_right_form(
    capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    status = run(words.split())

    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert told.err.startswith("infra: ")
    assert told.err.count("\n") == 1
    assert said in told.err


def test_every_example_of_the_table_is_understood() -> None:
    for row in BOT_ROWS:
        assert not isinstance(parse_words(row.example.split()), Question)
    with pytest.raises(UsageError):
        parse_words(["slack", "what"])


def test_options_of_a_command_may_stand_before_it_and_after_it() -> None:
    words = ["deliver", "--at", "2026-02-12T09:00", "--send"]

    assert parse_words(words) == parse_words([*words[1:], "deliver"]) == Deliver(words[2], True)


def test_a_channel_is_subscribed_listed_and_left(capsys: pytest.CaptureFixture[str]) -> None:
    def told(words: str) -> str:
        assert run([*words.split(), "--channel", CHANNEL]) == 0
        return capsys.readouterr().out

    assert "vllm-project/vllm" in told("subscribe vllm at 8 tz Asia/Shanghai on weekdays")
    assert "on weekdays at 08:00 Asia/Shanghai" in told("subscriptions")
    assert told("settings").startswith("subscribe vllm-project/vllm at 08:00")
    assert "No follow-ups" in told("followups")
    assert "no threads any more" in told("unsubscribe all")


def test_what_is_due_is_shown_and_says_what_could_not_be_looked_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["deliver", "--at", "2026-03-05T09:00"]) == 0
    assert capsys.readouterr().out == "nothing is due then\n"
    assert run(["deliver", "--at", "2026-03-05T09:00", "--lang", "zh"]) == 0
    assert capsys.readouterr().out == "那时没有要发送的内容\n"
    run(["subscribe", "vllm", "--channel", CHANNEL])
    capsys.readouterr()

    assert run(["deliver", "--at", "2026-03-05T09:00"]) == 0

    told = capsys.readouterr().out
    assert told.startswith(f"{CHANNEL}  2026-03-04 UTC\n")
    assert "vllm-project/vllm" in told


def test_sending_without_a_platform_says_what_to_set_and_tells_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["subscribe", "vllm", "--channel", CHANNEL])
    capsys.readouterr()

    assert run(["deliver", "--at", "2026-03-06T09:00", "--send"]) == 78

    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "set SLACK_BOT_TOKEN" in told.err


def test_sending_says_of_every_channel_that_waits_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:1/")

    assert run(["deliver", "--at", "2026-03-05T09:00", "--send"]) == 0
    assert capsys.readouterr().out == "nothing is due then\n"
    assert run(["deliver", "--at", "1971-01-01T09:00", "--send"]) == 2
    assert "nothing is sent as of 1971-01-01" in capsys.readouterr().err
    run(["subscribe", "vllm", "--channel", "discord:1/2"])
    capsys.readouterr()

    assert run(["deliver", "--at", "2026-03-06T09:00", "--send"]) == 1

    told = capsys.readouterr()
    assert (
        told.err
        == "infra: discord:1/2: discord is not set up here: set its tokens as infra run has them\n"
    )
    assert told.out == ""


def test_the_manifest_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["slack", "manifest"]) == 0

    assert "display_information:" in capsys.readouterr().out


def test_an_invitation_needs_a_token(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)

    assert run(["discord", "invite"]) == 78

    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_a_day_is_shown_as_slack_gets_it(capsys: pytest.CaptureFixture[str]) -> None:
    repo = json.loads(DEMO.read_text(encoding="utf-8"))["repo"]
    name = f"{repo['owner']}/{repo['name']}"
    day = json.loads(DEMO.read_text(encoding="utf-8"))["window"]["label"]

    assert run(["slack", "preview", name, day, "--source", f"recorded:{DEMO}"]) == 0

    told = capsys.readouterr()
    messages = json.loads(told.out)
    assert messages[0]["is_parent"]
    assert {"text", "blocks"} <= set(messages[0]["payload"])
    assert messages[0]["builder"].startswith("https://app.slack.com/block-kit-builder/#%7B")
    assert messages[0]["builder"] in told.err


@pytest.mark.parametrize(
    ("word", "rows"),
    [
        ("subscriptions", "subscriptions"),
        ("followups", "followups"),
        ("settings", "subscriptions"),
    ],
)
def test_a_channel_without_anything_is_a_document_without_rows(
    capsys: pytest.CaptureFixture[str], word: str, rows: str
) -> None:
    assert run([word, "--channel", CHANNEL, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert (told["schema"], told["kind"], told["channel"]) == (1, word, CHANNEL)
    assert told[rows] == []
    assert "text" not in told
    assert run([word, "--channel", CHANNEL, "--format", "html"]) == 2
    assert run([word, "--channel", CHANNEL, "--format", "csv"]) == (0 if word == "followups" else 2)
    assert capsys.readouterr().out.startswith("channel,item") is (word == "followups")
    assert run([word, "--format", "csv"]) == (0 if word == "followups" else 2)


def test_a_script_reads_what_a_channel_gets_without_reading_sentences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def told(words: str) -> Any:
        assert run([*words.split(), "--channel", CHANNEL, "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    done = told("subscribe vllm sglang at 8 tz Asia/Shanghai on mon,wed without bots paths csrc/**")
    assert "vllm" in done["text"]

    (row,) = told("subscriptions")["subscriptions"]
    assert done["subscriptions"] == [row]
    assert told("settings")["subscriptions"] == [row]
    assert {name: row[name] for name in ("channel", "repos", "at", "tz", "days")} == {
        "channel": CHANNEL,
        "repos": ["vllm-project/vllm", "sgl-project/sglang"],
        "at": "08:00",
        "tz": "Asia/Shanghai",
        "days": ["mon", "wed"],
    }
    assert (row["without"], row["paths"], row["topics"]) == (["bots"], ["csrc/**"], [])
    assert (row["paused"], row["last_error"], row["eyes"]) == (None, None, None)
    assert row["next"] == "2026-03-09T00:00:00Z"
    assert told("pause")["subscriptions"][0]["paused"].startswith("since 2026-03-05")
    assert told("unsubscribe all")["subscriptions"] == []


def test_a_script_reads_what_was_asked_of_an_item_as_an_object() -> None:
    channel, document = Channel.parse(CHANNEL), draw(HelpReply((), Language.EN), Format.JSON)
    told = json.loads(channel_json.answered("why", channel, "told\n", Language.EN, document))
    assert (told["kind"], told["text"], told["answer"]) == ("why", "told", json.loads(document))
    failed = json.loads(channel_json.answered("why", channel, "no", Language.EN, None))
    assert failed["answer"] is None


def test_a_script_reads_follow_ups_with_who_flagged_and_who_owns_them() -> None:
    channel, flagged = Channel.parse(CHANNEL), datetime(2026, 3, 4, 9, tzinfo=UTC)
    marks = (
        ReactionRecord(ReactionKind.FLAG, "U1", "1.1", flagged, None, "ann"),
        ReactionRecord(ReactionKind.TAKE, "U2", "1.1", flagged, None, "bo"),
    )
    followup = FollowUp(
        *(None, channel, "vllm-project/vllm:pull_request:12", "A \u202etitle", "#12"),
        "https://github.com/vllm-project/vllm/pull/12",
        opened_at=flagged,
        flagged_by=frozenset({"U1"}),
        taken_by="U2",
        marks=marks,
    )

    links = {None: "https://chat.example/1.1"}
    told = json.loads(channel_json.followups(channel, Which.OPEN, (followup,), links, Language.EN))

    assert told["which"] == "open"
    assert told["followups"] == [
        {
            "channel": CHANNEL,
            "item": "vllm-project/vllm:pull_request:12",
            "ref": "#12",
            "title": "A \u202etitle",
            "url": "https://github.com/vllm-project/vllm/pull/12",
            "state": "taken",
            "opened_at": "2026-03-04T09:00:00Z",
            "flagged_by": [{"id": "U1", "name": "ann"}],
            "owner": {"id": "U2", "name": "bo"},
            "done_by": None,
            "nudged_at": None,
            "upstream": None,
            "link": "https://chat.example/1.1",
        }
    ]

    hostile = replace(followup, title='=HYPERLINK("x")')
    head, row = csv.reader(channel_json.followups_csv((hostile,), links).splitlines())
    assert dict(zip(head, row, strict=True)) | {
        "title": '\'=HYPERLINK("x")',
        "flagged_by": "ann",
        "owner": "bo",
        "link": "https://chat.example/1.1",
    } == dict(zip(head, row, strict=True))


@pytest.mark.parametrize(
    "line",
    [
        "run --only slack",
        "evaluate labels --clones clones --write check",
        "why vllm 5 --channel slack:T1/C1",
    ],
)
def test_options_may_stand_before_their_command_also_where_a_value_is_called_as_one(
    line: str,
) -> None:
    words = line.split()
    at = next(place for place, word in enumerate(words) if word.startswith("--"))
    assert parse_words([*words[at:], *words[:at]]) == parse_words(words)


def test_what_stands_behind_two_dashes_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_words(["search", "--", "--max-num-seqs"]) == Search("--max-num-seqs")
    assert run(["search", "--", "--max-num-seqs", "--format"]) == 0
    assert "--max-num-seqs --format" in capsys.readouterr().out


def test_an_hour_and_a_question_about_the_bot_are_not_searched() -> None:
    with pytest.raises(UsageError, match="subscribe vllm at 09:00"):
        parse_words(["vllm", "at", "9:00"])
    assert parse_words(["how do I subscribe?"]) == Help("subscribe")
    assert parse_words(["how", "do", "I", "add", "a", "model?"]) == Ask("how do I add a model?")


def test_each_command_of_a_row_of_several_has_help_and_a_refused_format_names_its_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for topic in ("concern", "pause", "settings", "unsubscribe"):
        assert run(["help", topic]) == 0
        assert topic in capsys.readouterr().out
    assert run(["--of", "vllm", "surface", ".", "--format", "html"]) == UsageError.exit_status
    assert "surface" in capsys.readouterr().err
