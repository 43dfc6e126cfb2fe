"""What runs the bot, on the command line: one line for a mistake, the same words as in chat."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.terminal import documents
from adapters.terminal.main import run
from bot.model.channels import Channel
from bot.model.followups import FollowUp, ReactionKind, ReactionRecord, Which
from digest.languages import Language
from tests.adapters.terminal.command_line import DEMO, told

CHANNEL = "slack:T1/C1"
pytestmark = pytest.mark.usefixtures("here")


def test_a_channel_is_subscribed_listed_and_left(capsys: pytest.CaptureFixture[str]) -> None:
    def said(words: str) -> str:
        return told(capsys, *words.split(), "--channel", CHANNEL)

    assert said("settings").startswith("This channel has no subscription yet"), "no button to press"
    assert "vllm-project/vllm" in said("subscribe vllm at 8 tz Asia/Shanghai on weekdays")
    assert "on weekdays at 08:00 Asia/Shanghai" in said("subscriptions")
    assert said("settings").startswith("subscribe vllm-project/vllm at 08:00")
    assert "2026-03-06 17:00 Asia/Shanghai" in said("settings") + told(capsys, "status")
    assert "No follow-ups" in said("followups")
    assert "flags --tp" in said("concern models Qwen3 flags --tp")
    assert "没有跟进项" in said("subscribe vllm in zh") + said("followups")
    said("subscribe vllm in en")
    assert "no threads any more" in said("unsubscribe all")


def test_what_is_due_is_shown_and_says_what_could_not_be_looked_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    nine = ("deliver", "--at", "2026-03-06T09:00")
    assert told(capsys, *nine) == "nothing is due then\n"
    assert told(capsys, *nine, "--lang", "zh") == "那时没有要发送的内容\n"
    run(["subscribe", "vllm", "--channel", CHANNEL])

    said = told(capsys, *nine, status=1)
    assert said.startswith(f"{CHANNEL}  2026-03-05 UTC\n")
    assert "vllm-project/vllm" in said


def test_sending_without_a_platform_says_what_to_set_and_tells_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["subscribe", "vllm", "--channel", CHANNEL])
    capsys.readouterr()

    assert run(["deliver", "--at", "2026-03-06T09:00", "--send"]) == 78

    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "set SLACK_BOT_TOKEN" in said.err


def test_sending_says_of_every_channel_that_waits_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:1/")
    send = ("deliver", "--send", "--at")

    assert told(capsys, *send, "2026-03-05T09:00") == "nothing is due then\n"
    early = told(capsys, *send, "1971-01-01T09:00", status=2)
    assert "nothing is sent as of 1971-01-01" in early
    run(["subscribe", "vllm", "--channel", "discord:1/2"])
    capsys.readouterr()

    assert run([*send, "2026-03-07T09:00"]) == 1

    why = "discord is not set up here: set its tokens as infra run has them"
    assert capsys.readouterr() == ("", f"infra: discord:1/2: {why}\n")


def test_the_manifest_is_printed_and_an_invitation_needs_a_token(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "display_information:" in told(capsys, "slack", "manifest")
    assert run(["discord", "invite"]) == 78
    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_a_day_is_shown_as_slack_gets_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["slack", "preview", "lumen-org/lumen", "2026-03-04", "--source", f"recorded:{DEMO}"]
    assert run(words) == 0

    said = capsys.readouterr()
    messages = json.loads(said.out)
    assert messages[0]["is_parent"]
    assert {"text", "blocks"} <= set(messages[0]["payload"])
    assert messages[0]["builder"].startswith("https://app.slack.com/block-kit-builder/#%7B")
    assert messages[0]["builder"] in said.err


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
    document = json.loads(told(capsys, word, "--channel", CHANNEL, "--format", "json"))

    assert (document["schema"], document["kind"], document["channel"]) == (1, word, CHANNEL)
    assert document[rows] == []
    assert "text" not in document
    assert run([word, "--channel", CHANNEL, "--format", "html"]) == 2
    assert run([word, "--channel", CHANNEL, "--format", "csv"]) == (0 if word == "followups" else 2)
    assert capsys.readouterr().out.startswith("channel,item") is (word == "followups")
    assert run([word, "--format", "csv"]) == (0 if word == "followups" else 2)


def test_a_script_reads_what_a_channel_gets_without_reading_sentences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def said(words: str) -> Any:
        words_of_channel = (*words.split(), "--channel", CHANNEL, "--format", "json")
        return json.loads(told(capsys, *words_of_channel))

    done = said("subscribe vllm sglang at 8 tz Asia/Shanghai on mon,wed without bots paths csrc/**")
    assert "vllm" in done["text"]

    (row,) = said("subscriptions")["subscriptions"]
    assert done["subscriptions"] == [row]
    assert said("settings")["subscriptions"] == [row]
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
    assert said("pause")["subscriptions"][0]["paused"].startswith("since 2026-03-06")
    assert said("unsubscribe all")["subscriptions"] == []


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
    page = documents.followups_json(channel, Which.OPEN, (followup,), links, Language.EN)

    assert page["which"] == "open"
    assert page["followups"] == [
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
    head, row = csv.reader(documents.followups_csv((hostile,), links).splitlines())
    assert dict(zip(head, row, strict=True)) | {
        "title": '\'=HYPERLINK("x")',
        "flagged_by": "ann",
        "owner": "bo",
        "link": "https://chat.example/1.1",
    } == dict(zip(head, row, strict=True))
