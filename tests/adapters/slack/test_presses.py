"""What is pressed on a message reaches the bot as plain words, and its answer the person."""

from typing import Any

import pytest

from bot.answer.button_handler import MenuMessage
from bot.model.channels import Channel, Platform
from bot.model.parts import ActionKind

TEAM = "T0AAAAAAA"
CHANNEL = Channel(Platform.SLACK, TEAM, "C1")


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


@pytest.mark.parametrize("heard", [0.1], indirect=True)
async def test_the_answer_to_a_button_never_takes_the_place_of_the_message(
    heard: Any, chat: Any, slack: Any
) -> None:
    chat.takes = 0.3

    await heard.sender.interactive(press(slack, "infra:show_all", value="v"))
    await heard.face.settle()

    assert [each["replace_original"] for each in slack.responses["press"]] == [False, False]


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
