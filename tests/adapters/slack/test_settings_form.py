"""The settings form: opened from a command, checked before it closes, saved after."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from adapters.slack import render as limits
from adapters.slack import views
from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.channel_commands import Quiet, Subscribe, read_days
from bot.model.channels import Channel, Platform
from bot.model.concerns import AddCodebase, RemoveConcern, read_all_lists
from bot.model.settings_form import FilledForm, SettingsForm
from bot.model.subscriptions import CHOSEN
from digest.errors import StoreFailed
from digest.languages import Language
from digest.models import Repo
from digest.phrase import Phrase
from tests.adapters.slack.local_slack import BOT_TOKEN
from tests.bot.channels_invented import subscription

CHANNEL = Channel(Platform.SLACK, "T0AAAAAAA", "C1")
GETS = subscription(
    Repo("vllm-project", "vllm"),
    Repo("sgl-project", "sglang"),
    at=time(9, 30),
    tz="Asia/Shanghai",
    days=frozenset({0, 2}),
    language=Language.ZH,
    without=frozenset({"bots", "ci"}),
    paths=("csrc/**", "*.cu"),
    topics=("attention",),
    quiet=Quiet.NOTHING,
    one_thread=True,
)
FORM = SettingsForm(GETS, "models Qwen3, DeepSeek-V4")


def filled(view: Mapping[str, Any]) -> dict[str, Any]:
    """Give the state of a view as Slack sends it when nobody changes anything."""
    values: dict[str, Any] = {}
    for block in view["blocks"]:
        if block["type"] != "input":
            continue
        element = block["element"]
        state: dict[str, Any] = {"type": element["type"]}
        match element["type"]:
            case "timepicker":
                state["selected_time"] = element.get("initial_time")
            case "plain_text_input":
                state["value"] = element.get("initial_value")
            case "checkboxes" | "multi_external_select":
                state["selected_options"] = element.get("initial_options", [])
            case _:
                state["selected_option"] = element.get("initial_option")
        values[block["block_id"]] = {element["action_id"]: state}
    return values


def submission(view: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """Give what Slack sends; `changed` are states by field."""
    values = filled(view)
    for name, state in changed.items():
        values[name] = {views.ACTION.format(name): state}
    sent = {
        "callback_id": view["callback_id"],
        "private_metadata": view["private_metadata"],
        "type": "modal",
        "state": {"values": values},
    }
    return {"type": "view_submission", "view": sent}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("days", ["daily", "weekdays", "weekly", "mon,wed", "weekly,fri", "sun"])
def test_a_form_that_nobody_changes_comes_back_as_it_was(language: Language, days: str) -> None:
    chosen, weekly = read_days(days)
    gets = replace(GETS, days=chosen, weekly=weekly)
    form = replace(FORM, subscription=gets)

    sent = views.submitted(submission(views.view(form, "C1", language, "https://hooks/1")))

    settings = {name: getattr(gets, name) for name in CHOSEN - {"publish", "mention"}}
    names = tuple(map(str, gets.repos))
    assert sent.filled == FilledForm(
        Subscribe(names, weekly=weekly, **settings), (read_all_lists(FORM.concern),)
    )
    assert (sent.origin.channel, sent.origin.response_url) == ("C1", "https://hooks/1")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "form",
    [
        FORM,
        SettingsForm(replace(subscription(), repos=())),
        SettingsForm(subscription(*(Repo("o" * 39, f"{'n' * 100}{i}") for i in range(30)))),
        replace(FORM, surfaces=("&" * 150, "<" * 150)),
        SettingsForm(subscription(paths=("p" * 5_000,), topics=("t" * 5_000,), tz="")),
        SettingsForm(subscription(paused=Phrase.as_written("x" * 5_000))),
    ],
)
def test_a_view_keeps_to_slacks_limits(form: SettingsForm, language: Language) -> None:
    view = views.view(form, "C1", language, "https://hooks.slack.com/" + "x" * 300)

    assert len(view["title"]["text"]) <= 24
    assert len(view["submit"]["text"]) <= 24
    assert len(view["close"]["text"]) <= 24
    assert len(view["private_metadata"]) <= 3_000
    assert len(json.dumps(view)) <= 250_000
    assert len(view["blocks"]) <= 100
    names = [block["block_id"] for block in view["blocks"] if block["type"] == "input"]
    assert names == [name for name in views.FIELDS if name != "remove" or form.surfaces]
    for option in options_in(view):
        assert 0 < len(limits.escape(option["text"]["text"])) <= limits.BUTTON_TEXT
        assert 0 < len(option["value"]) <= limits.OPTION_VALUE
    for block in view["blocks"]:
        element = block.get("element", {})
        assert element.get("initial_options", [0]) != []
        if block["type"] == "section":
            assert len(block["text"]["text"]) <= limits.TEXT_OBJECT


def test_each_field_that_cannot_be_read_says_so() -> None:
    view = views.view(FORM, "C1", Language.EN)
    unread = {"paths": "../x", "topics": "x" * 300, "concern": "Qwen3", "add": "what"}
    wrong = {name: {"value": text} for name, text in unread.items()}

    sent = views.submitted(submission(view, at={}, tz={}, days={}, **wrong))
    emptied = views.submitted(submission(view, paths={}, topics={"value": " "}, concern={}))

    assert sent.filled.faults.keys() == {"at", "tz", "days", *unread}
    assert sent.filled.concerns == ()
    assert (emptied.filled.command.paths, emptied.filled.command.topics) == ((), ())
    assert emptied.filled.concerns == (read_all_lists(""),)
    assert emptied.filled.faults == {}


def options_in(value: object) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [option for each in value for option in options_in(each)]
    if not isinstance(value, dict):
        return []
    if "value" in value and isinstance(value.get("text"), dict):
        return [value]
    return [option for each in value.values() for option in options_in(each)]


def test_a_fault_is_no_longer_than_slack_takes() -> None:
    shown = views.shown_faults({"repos": Phrase.as_written("b" * 3_000)}, Language.EN)

    assert len(shown["repos"]) == 2_000


async def test_settings_open_as_a_form_and_nothing_is_said(
    heard: Any, slack: Any, chat: Any
) -> None:
    chat.reply = replace(ChatReply.line("settings", Language.ZH), form=FORM)

    await heard.sender.command("settings", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    (view,) = slack.views
    assert view["title"]["text"] == "Infra Digest"
    assert view["submit"]["text"] == "保存"
    assert slack.called("views.open")[0]["trigger_id"] == "trigger"
    assert slack.responses["command"] == []


async def test_a_form_that_opens_no_more_is_shown_with_a_button_that_opens_it(
    heard: Any, slack: Any, chat: Any, faults: Callable[..., Any]
) -> None:
    chat.reply = replace(ChatReply.line("as it is", Language.EN), form=FORM)
    slack.fail("views.open", faults(body={"ok": False, "error": "expired_trigger_id"}))

    await heard.sender.command("settings", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()
    button = slack.responses["command"][0]["blocks"][-1]["elements"][0]
    await heard.sender.interactive(
        {
            "type": "block_actions",
            "actions": [{"action_id": button["action_id"], "action_ts": "1.0"}],
            "container": {"type": "message", "message_ts": "1.2", "channel_id": "C1"},
            "channel": {"id": "C1"},
            "trigger_id": "fresh",
        }
    )
    await heard.face.settle()

    assert slack.responses["command"][0]["text"] == "as it is"
    assert [asked["trigger_id"] for asked in slack.called("views.open")] == ["trigger", "fresh"]
    assert chat.asked[-1][1]["text"] == "settings"


async def test_a_form_takes_codebases_and_files_away_and_adds_them(
    heard: Any, slack: Any, chat: Any
) -> None:
    shown = replace(FORM, surfaces=("own.toml", "o/n of vllm"))
    view = views.view(shown, "C1", Language.EN, f"{slack.url}/respond/command")
    slack.files = {"own.toml": "surface = 1", "gone.toml": None}
    elsewhere = "https://evil.example/own.toml"
    rows = [
        {"name": "own.toml", "url_private_download": f"{slack.url}/files/own.toml"},
        {"name": "gone.toml", "url_private_download": f"{slack.url}/files/gone.toml"},
        {"name": "evil.toml", "url_private_download": elsewhere},
    ]

    sent = submission(
        view,
        remove={"selected_options": [{"value": "own.toml"}]},
        add={"value": " a/b of vllm "},
        file={"files": rows},
    )
    answer = await heard.sender.interactive(sent)
    await heard.face.settle()

    assert answer == (200, "")
    taken, _, added = chat.asked[1][1]["filled"].concerns
    assert (taken, added) == (RemoveConcern("own.toml"), AddCodebase(Repo("a", "b"), "vllm"))
    given = [asked for name, asked in chat.asked if name == "give_file"]
    assert [(each["name"], each["text"]) for each in given] == [
        ("own.toml", "surface = 1"),
        ("gone.toml", "files:read"),
        ("evil.toml", "files:read"),
    ]
    assert slack.file_tokens == [f"Bearer {BOT_TOKEN}"] * 2


async def test_a_file_goes_to_the_person_alone(heard: Any, slack: Any, chat: Any) -> None:
    file = Attachment("up.html", "<p>whole</p>")
    chat.reply = replace(ChatReply.line("the report", Language.EN), file=file)

    await heard.sender.command("upgrade vllm", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    assert slack.uploads == {"up.html": ("<p>whole</p>", "DU1")}
    (shared,) = slack.called("files.completeUploadExternal")
    assert shared["initial_comment"] == "The whole report:"


@pytest.mark.parametrize(
    "failing",
    ["conversations.open", "files.getUploadURLExternal", "upload", "files.completeUploadExternal"],
)
async def test_a_file_that_does_not_arrive_is_announced_nowhere(
    heard: Any, slack: Any, chat: Any, faults: Callable[..., Any], failing: str
) -> None:
    file = Attachment("up.html", "<p>whole</p>")
    chat.reply = replace(ChatReply.line("the report", Language.EN), file=file)
    refused = {"ok": False, "error": "missing_scope", "needed": "files:write"}
    slack.fail(failing, faults(403 if failing == "upload" else 200, body=refused))

    await heard.sender.command("upgrade vllm", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    assert slack.posts == []
    assert slack.called("chat.postMessage") == []
    report, why = (each["text"] for each in slack.responses["command"])
    assert report == "the report"
    assert why.startswith("the file of the whole report was not sent: ")


@pytest.mark.parametrize("origin", ["", "{", "null", '{"channel": 1}', '{"language": "en"}'])
async def test_a_form_that_does_not_say_where_it_was_opened_stays_open_and_says_so(
    heard: Any, chat: Any, origin: str
) -> None:
    sent = submission(views.view(FORM, "C1", Language.EN) | {"private_metadata": origin})
    typed = {"action_id": "infra_settings:repos", "block_id": "repos", "view": sent["view"]}

    status, text = await heard.sender.interactive(sent)
    offered = await heard.sender.interactive({"type": "block_suggestion", "value": "vl", **typed})
    await heard.face.settle()

    assert status == 200
    wrong = "This form is out of date: close it and open the settings again."
    assert json.loads(text) == {"response_action": "errors", "errors": {"repos": wrong}}
    assert (offered[0], json.loads(offered[1])) == (200, {"options": []})
    assert chat.asked == []


async def test_a_wrong_form_stays_open_and_says_what_is_wrong_where(heard: Any, chat: Any) -> None:
    view = views.view(FORM, "C1", Language.EN)
    chat.faults = {"paths": Phrase.as_written("too many")}

    status, text = await heard.sender.interactive(submission(view))
    await heard.face.settle()

    assert status == 200
    assert json.loads(text) == {"response_action": "errors", "errors": {"paths": "too many"}}
    assert "save_settings" not in [name for name, _ in chat.asked]


async def test_names_that_cannot_be_looked_up_are_none_and_slack_is_answered(
    heard: Any, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.listeners.CHECKED_WITHIN", 0.05)
    view = views.view(FORM, "C1", Language.EN)
    about = {"action_id": views.ACTION.format("repos"), "block_id": "repos", "view": view}
    chat.error = StoreFailed("the disk is full")
    failed = await heard.sender.interactive({"type": "block_suggestion", "value": "vl", **about})
    chat.error, chat.takes = None, 0.2
    late = await heard.sender.interactive({"type": "block_suggestion", "value": "vl", **about})

    assert failed == late == (200, '{"options": []}')


async def test_names_are_offered_while_somebody_types(heard: Any, chat: Any) -> None:
    view = views.view(FORM, "C1", Language.EN)

    def typing(field: str, value: str) -> dict[str, Any]:
        about = {"action_id": views.ACTION.format(field), "block_id": field, "view": view}
        return {"type": "block_suggestion", "value": value, **about}

    _, repos = await heard.sender.interactive(typing("repos", "vl"))
    _, zones = await heard.sender.interactive(typing("tz", "Berlin"))
    await asyncio.sleep(0)

    assert [each["value"] for each in json.loads(repos)["options"]] == ["vllm"]
    assert [each["value"] for each in json.loads(zones)["options"]] == ["Europe/Berlin"]
    ((name, asked),) = chat.asked
    assert (name, asked["typed"], asked["channel"]) == ("repo_names", "vl", CHANNEL)
