"""What Slack sends reaches the bot as plain words, and what it says reaches the person."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog

from bot.answer.button_handler import MenuMessage
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Platform
from bot.model.followups import ReactionKind
from bot.model.parts import ActionKind, Part, PartKind
from digest.errors import StoreFailed
from digest.languages import Language
from digest.writing.document import Paragraph, Words
from tests.conftest import PATIENCE

TEAM = "T0AAAAAAA"
BOT = "U0BOTBOT0"
CHANNEL = Channel(Platform.SLACK, TEAM, "C1")


def reaction(name: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "reaction_added",
        "user": "U1",
        "reaction": name,
        "item": {"type": "message", "channel": "C1", "ts": "1.2"},
        "item_user": BOT,
        "event_ts": "1700000000.000500",
        **more,
    }


async def test_a_command_is_taken_silently_and_answered_to_the_person_alone(
    heard: Any, slack: Any, chat: Any
) -> None:
    slack.users["U1"] = {"tz": "Asia/Shanghai", "locale": "zh-CN", "name": "ann"}

    answer = await heard.sender.command("vllm  today", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    assert answer == (200, "")
    ((name, asked),) = chat.asked
    person = asked["person"]
    assert (name, asked["text"], asked["channel"]) == ("answer_text", "vllm  today", CHANNEL)
    assert (person.id, person.tz, person.language) == ("U1", "Asia/Shanghai", "zh")
    (shown,) = slack.responses["command"]
    assert shown["response_type"] == "ephemeral"
    assert shown["text"] == "done"
    assert shown["blocks"]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("search a &lt;b&gt; &amp;amp;", "search a <b> &amp;"),
        ("<https://github.com/a/b/pull/1>", "https://github.com/a/b/pull/1"),
        ("<http://vllm.ai|vllm.ai> today", "vllm.ai today"),
        ("<https://evil.example|docs>", "https://evil.example"),
        ("<#C1|general> <@U1|ann> <@U2> <!here>", "#general @ann @U2 here"),
        ("sglang\xa0week", "sglang week"),
    ],
)
async def test_what_slack_dresses_up_is_read_as_it_was_typed(
    heard: Any, chat: Any, sent: str, meant: str
) -> None:
    await heard.sender.command(sent)
    await heard.face.settle()

    assert chat.asked[0][1]["text"] == meant


@pytest.mark.parametrize("heard", [0.1], indirect=True)
async def test_long_work_says_so_and_is_then_replaced_by_the_answer(
    heard: Any, slack: Any, chat: Any
) -> None:
    goes_on = chat.goes_on = asyncio.Event()
    await heard.sender.command("vllm", response_url=f"{slack.url}/respond/command")
    async with asyncio.timeout(PATIENCE):
        while not slack.responses["command"]:
            await asyncio.sleep(0.01)
    goes_on.set()
    await heard.face.settle()

    working, answer = slack.responses["command"]
    assert working["text"] == "Looking; the answer comes here."
    assert (answer["text"], answer["replace_original"]) == ("done", True)


async def test_an_answer_of_many_messages_goes_on_where_slack_ends_the_address(
    heard: Any, slack: Any, chat: Any
) -> None:
    parts = tuple(
        Part(PartKind.ANSWER, (Paragraph((Words(f"part {n}"),)),), summary=f"part {n}")
        for n in range(8)
    )
    chat.reply = ChatReply(parts, Language.EN)

    await heard.sender.command("vllm", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    by_address = [shown["text"] for shown in slack.responses["command"]]
    by_call = [shown["text"] for shown in slack.ephemeral]
    assert by_address == [f"part {n}" for n in range(5)]
    assert by_call == [f"part {n}" for n in range(5, 8)]
    assert {(each["channel"], each["user"]) for each in slack.ephemeral} == {("C1", "U1")}


@pytest.mark.parametrize("fault", [(404, "expired_url"), (429, "limited"), (502, "taken or not")])
async def test_an_address_that_does_not_take_the_answer_does_not_lose_it(
    heard: Any, slack: Any, faults: Callable[..., Any], fault: Any
) -> None:
    slack.fail("respond/command", faults(*fault))

    await heard.sender.command("vllm", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    assert [each["text"] for each in slack.ephemeral] == ["done"]


async def test_what_is_too_much_where_the_bot_is_not_in_the_channel_is_told_directly(
    heard: Any, slack: Any, faults: Callable[..., Any]
) -> None:
    slack.fail("respond/command", faults(404, "used_url"))
    slack.fail("chat.postEphemeral", faults(body={"ok": False, "error": "not_in_channel"}))

    await heard.sender.command("vllm", response_url=f"{slack.url}/respond/command")
    await heard.face.settle()

    assert [(post.channel, post.text) for post in slack.posts] == [("U1", "done")]


async def test_a_fault_of_the_program_is_told_and_logged(heard: Any, slack: Any, chat: Any) -> None:
    chat.error = ZeroDivisionError("secret detail")

    with structlog.testing.capture_logs() as logs:
        await heard.sender.command("vllm", response_url=f"{slack.url}/respond/command")
        await heard.face.settle()

    (shown,) = slack.responses["command"]
    assert "bot's log" in shown["text"]
    assert "secret" not in shown["text"]
    assert [each["event"] for each in logs] == ["work failed"]


async def test_a_mention_is_answered_in_its_thread(heard: Any, chat: Any, slack: Any) -> None:
    event = {"type": "app_mention", "user": "U1", "channel": "C1", "ts": "5.6"}

    await heard.sender.event(event | {"text": f"<@{BOT}> vllm today", "thread_ts": "1.2"}, "Ev1")
    await heard.sender.event(event | {"text": f"hello vllm <@{BOT}>"}, "Ev2")
    await heard.face.settle()

    (_, in_thread), (_, at_top) = chat.asked
    assert (in_thread["text"], in_thread["thread"]) == ("vllm today", "1.2")
    assert (at_top["text"], at_top["thread"]) == ("hello vllm", "5.6")
    assert (in_thread["event_id"], at_top["event_id"]) == ("Ev1", "Ev2")
    assert [each["thread_ts"] for each in slack.ephemeral] == ["1.2", "5.6"]


async def test_what_is_written_to_the_bot_alone_is_answered_there(heard: Any, chat: Any) -> None:
    chat.reply = None
    event = {"type": "message", "channel_type": "im", "user": "U1", "channel": "D1", "ts": "5.6"}
    for number, other in enumerate(
        (
            {"text": "what broke in <http://vllm.ai|vllm.ai>?"},
            {"text": "its own", "bot_id": "B0"},
            {"text": "edited", "subtype": "message_changed"},
            {"text": "of a channel", "channel_type": "channel"},
            {"text": " "},
        )
    ):
        await heard.sender.event(event | other, f"Ev{number}")
    await heard.face.settle()

    ((name, asked),) = chat.asked
    assert (name, asked["text"]) == ("answer_direct", "what broke in vllm.ai?")
    assert (asked["channel"].id, asked["person"].id, asked["event_id"]) == ("D1", "U1", "Ev0")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("triangular_flag_on_post", ReactionKind.FLAG),
        ("eyes", ReactionKind.TAKE),
        ("white_check_mark", ReactionKind.DONE),
    ],
)
async def test_reactions_come_and_go(heard: Any, chat: Any, name: str, kind: ReactionKind) -> None:
    await heard.sender.event(reaction(name), "Ev1")
    await heard.sender.event(reaction(name, type="reaction_removed"), "Ev2")
    await heard.face.settle()

    (_, came), (_, went) = chat.asked
    assert (came["kind"], came["channel"], came["message"]) == (kind, CHANNEL, "1.2")
    assert (came["added"], went["added"]) == (True, False)
    assert came["at"] == datetime(2023, 11, 14, 22, 13, 20, 500, tzinfo=UTC)
    assert (came["event_id"], came["in_channel"]) == ("Ev1", True)


async def test_a_reaction_that_could_not_be_kept_is_left_to_slack_to_tell_again(
    heard: Any, chat: Any
) -> None:
    chat.error = StoreFailed("the database does not answer")
    status, _ = await heard.sender.event(reaction("eyes"))
    assert status == 503
    chat.error = None
    status, _ = await heard.sender.event(reaction("eyes"))
    assert status == 200
    assert [name for name, _ in chat.asked] == ["react", "react"]


async def test_a_reaction_that_takes_long_to_keep_is_not_acknowledged_and_goes_on(
    heard: Any, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.listeners.STORED_WITHIN", 0.05)
    chat.takes = 0.3
    status, _ = await heard.sender.event(reaction("eyes"))
    assert status == 503
    await heard.face.settle()
    assert [name for name, _ in chat.asked] == ["react"]


@pytest.mark.parametrize(
    "event",
    [
        reaction("tada"),
        reaction("eyes", item_user="U9OTHER"),
        reaction("eyes", item={"type": "file", "file": "F1"}),
        reaction("eyes", user=BOT),
        reaction("eyes", user=None),
        reaction("eyes", item=None),
        {"type": "message", "text": "hello", "user": "U1", "channel": "C1", "ts": "1.1"},
        {"type": "app_mention", "text": f"<@{BOT}> vllm", "user": "U7", "bot_id": "B7"},
    ],
)
async def test_what_means_nothing_here_is_passed_over(
    heard: Any, chat: Any, event: dict[str, Any]
) -> None:
    await heard.sender.event(event)
    await heard.face.settle()

    assert chat.asked == []


def press(slack: Any, action_id: str, **action: Any) -> dict[str, Any]:
    return {
        "type": "block_actions",
        "actions": [{"action_id": action_id, "action_ts": "1700000000.5", **action}],
        "container": {"type": "message", "message_ts": "1.2", "channel_id": "C1"},
        "channel": {"id": "C1"},
        "message": {"ts": "1.2"},
        "trigger_id": "trigger",
        "response_url": f"{slack.url}/respond/press",
    }


@pytest.mark.parametrize(
    ("action_id", "kind"),
    [
        ("infra:show_all", ActionKind.SHOW_ALL),
        ("infra:choose:3", ActionKind.CHOOSE),
        ("infra:share", ActionKind.SHARE),
    ],
)
async def test_a_button_does_what_it_says(
    heard: Any, chat: Any, slack: Any, action_id: str, kind: ActionKind
) -> None:
    status, _ = await heard.sender.interactive(press(slack, action_id, value="v"))
    await heard.face.settle()

    ((name, asked),) = chat.asked
    assert status == 200
    assert (name, asked["kind"], asked["value"], asked["message"]) == ("press", kind, "v", "1.2")
    (shown,) = slack.responses["press"]
    assert shown["replace_original"] is False


async def test_a_button_in_a_thread_is_answered_there_and_on_a_parent_in_the_channel(
    heard: Any, chat: Any, slack: Any
) -> None:
    reply = press(slack, "infra:deep_dive", value="v")
    reply["container"]["thread_ts"] = "1.0"
    parent = press(slack, "infra:show_all", value="v")
    parent["message"]["thread_ts"] = "1.2"

    await heard.sender.interactive(reply)
    await heard.sender.interactive(parent)
    await heard.face.settle()

    shown = slack.responses["press"]
    assert sorted(str(each.get("thread_ts")) for each in shown) == ["1.0", "None"]
    assert {asked["thread"] for _, asked in chat.asked} == {"1.0", ""}


@pytest.mark.parametrize("action_id", ["infra:page", "infra:unheard_of"])
async def test_a_button_that_only_opens_a_page_is_taken_and_nothing_else(
    heard: Any, chat: Any, slack: Any, action_id: str
) -> None:
    status, _ = await heard.sender.interactive(press(slack, action_id))
    await heard.face.settle()

    assert (status, chat.asked) == (200, [])


async def test_the_shortcut_flags_its_message(heard: Any, chat: Any, slack: Any) -> None:
    await heard.sender.interactive(
        {
            "type": "message_action",
            "callback_id": "flag_for_followup",
            "action_ts": "1700000000.5",
            "channel": {"id": "C1"},
            "message": {
                "ts": "1.2",
                "thread_ts": "1.0",
                "text": "is <https://github.com/a/b/pull/1|this> ours?",
            },
            "response_url": f"{slack.url}/respond/shortcut",
        }
    )
    await heard.face.settle()

    ((name, asked),) = chat.asked
    link = "is https://github.com/a/b/pull/1 ours?"
    assert (name, asked["channel"]) == ("flag", CHANNEL)
    assert asked["message"] == MenuMessage("1.2", link, "1.0")
    assert slack.responses["shortcut"][0]["thread_ts"] == "1.0"


async def test_who_is_no_member_of_the_channel_may_not_write_there(
    heard: Any, chat: Any, slack: Any, faults: Any
) -> None:
    async def pressed(kind: str, by: str) -> Any:
        who = {"user": {"id": by, "name": "ann"}}
        await heard.sender.interactive(press(slack, f"infra:{kind}", value="vllm") | who)
        await heard.face.settle()
        return chat.asked[-1][1]["person"]

    assert (await pressed("share", "U1")).may_write
    assert not (await pressed("share", "U9")).may_write
    assert not (await pressed("flag", "U9")).may_write
    slack.fail("conversations.members", faults(body={"ok": False, "error": "internal_error"}))
    assert not (await pressed("share", "U9")).may_write


async def test_the_answer_to_a_question_that_one_person_sees_takes_its_place(
    heard: Any, chat: Any, slack: Any
) -> None:
    pressed = press(slack, "infra:choose", value="me|1.2|a/b:issue:1")
    pressed["container"]["is_ephemeral"] = True

    await heard.sender.interactive(pressed)
    await heard.face.settle()

    assert [each["replace_original"] for each in slack.responses["press"]] == [True]
