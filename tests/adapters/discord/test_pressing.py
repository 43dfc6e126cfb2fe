"""Buttons, menus and pages: what is pressed does what it says."""

from typing import Any

from bot.compose.chat_reply import ChatReply
from bot.model.parts import ActionKind
from digest.languages import Language
from tests.adapters.discord.asked import (
    COMMAND,
    EPHEMERAL,
    PRESS,
    button,
    long_reply,
    message,
    on_message,
    option,
    shown,
    typed,
)
from tests.adapters.discord.conftest import FakeChat, FakeDiscord, eventually

SHARED = {"type": 5, "name": "share", "value": True}


async def told_to_ask_again(discord: FakeDiscord, id: str) -> None:
    """The page stays as it is, and beside it stands for the person alone what to do."""
    await eventually(lambda: discord.added[f"token-{id}"])
    (told,) = discord.added[f"token-{id}"]
    assert "out of date: ask again" in str(told)
    assert told["flags"] & EPHEMERAL
    assert discord.callbacks[id] == [{"type": 6}]
    assert discord.shown[f"token-{id}"] == []


async def test_pages_of_an_answer_are_turned_without_asking_again(
    discord: FakeDiscord, listening: Any, chat: FakeChat, clock: Any
) -> None:
    for said, kind in (
        (typed("infra-search", option("words", "attention")), COMMAND),
        (button("infra:show_all:x"), PRESS),
        (on_message("Deep dive"), COMMAND),
    ):
        chat.reply = long_reply(3)
        more = {"message": message()} if kind == PRESS else {}
        first = await shown(discord, await discord.interact(kind, said, **more))
        turn = button(first["components"][-1]["components"][-1]["custom_id"])
        chat.asked.clear()

        id = await discord.interact(PRESS, turn, message=message(flags=64))
        second = await shown(discord, id)

        assert "page 0" in str(first)
        assert "page 1" in str(second)
        assert discord.callbacks[id] == [{"type": 6}]
        assert chat.asked == []

    clock.advance(hours=1)
    id = await discord.interact(PRESS, turn, message=message(flags=64))
    await told_to_ask_again(discord, id)


async def test_a_turn_of_an_answer_that_nobody_knows_says_so_and_leaves_the_page(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    id = await discord.interact(PRESS, button("infra:turn:1:~lost"), message=message(flags=64))

    await told_to_ask_again(discord, id)


async def test_flag_buttons_leave_the_message_to_the_bot(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    chat.reply = None

    id = await discord.interact(PRESS, button("infra:flag:kiln:1"), message=message("77"))
    await eventually(lambda: chat.asked)
    await listening.face.settle()

    assert discord.callbacks[id] == [{"type": 6}]
    _, asked = chat.asked[-1]
    assert (asked["kind"], asked["value"]) == (ActionKind.FLAG, "kiln:1")
    assert (asked["message"], asked["thread"]) == ("77", "")
    assert (discord.shown, discord.added) == ({}, {})


async def test_what_a_button_could_not_do_is_told_beside_the_message(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    chat.reply = ChatReply.line("nobody has flagged it", Language.EN, failed=True)

    id = await discord.interact(PRESS, button("infra:done:kiln:1"), message=message())
    await eventually(lambda: discord.added[f"token-{id}"])

    (told,) = discord.added[f"token-{id}"]
    assert "nobody has flagged it" in str(told)
    assert told["flags"] & EPHEMERAL


async def test_a_choice_from_a_menu_is_answered_in_place(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    data = button("infra:choose:~menu1", "me|5|kiln:2")

    id = await discord.interact(PRESS, data, message=message(flags=64))

    assert "done" in str(await shown(discord, id))
    assert chat.asked[-1][1]["value"] == "me|5|kiln:2"
    assert discord.callbacks[id] == [{"type": 6}]


async def test_a_long_value_is_taken_from_where_it_is_kept(
    discord: FakeDiscord, listening: Any, chat: FakeChat, values: Any
) -> None:
    values.kept["~known"] = "a long value"
    for custom_id in ("infra:deep_dive:~known", "infra:deep_dive:~unknown"):
        answer = await shown(
            discord, await discord.interact(PRESS, button(custom_id), message=message())
        )

    assert [asked["value"] for _, asked in chat.asked] == ["a long value"]
    assert "out of date" in str(answer)


async def test_nothing_to_say_takes_the_promise_back(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    chat.reply = None

    id = await discord.interact(PRESS, button("infra:share:vllm"), message=message())

    assert await shown(discord, id) is None


async def test_strange_buttons_and_direct_messages_are_let_go(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    strange = await discord.interact(PRESS, button("other:1"), message=message())
    direct = await discord.interact(
        COMMAND,
        typed("infra"),
        guild_id=None,
        member=None,
        user={"id": "901", "username": "ada", "discriminator": "0", "avatar": None},
    )
    last = await discord.interact(COMMAND, typed("infra", option("repo", "vllm")))
    await shown(discord, last)

    assert (discord.callbacks[strange], discord.callbacks[direct]) == ([], [])


async def test_without_the_store_answers_are_shown_and_their_buttons_say_what_is_wrong(
    discord: FakeDiscord, listening: Any, chat: FakeChat, values: Any
) -> None:
    values.is_lost = True
    chat.reply = long_reply(2)

    id = await discord.interact(COMMAND, typed("infra", option("repo", "x" * 100)))
    assert "page 0" in str(await shown(discord, id))

    id = await discord.interact(PRESS, button("infra:deep_dive:~lost"), message=message(flags=64))
    assert "cannot be reached" in str(await shown(discord, id))


async def test_help_is_given_to_the_person_alone_in_the_commands_that_discord_has(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    id = await discord.interact(COMMAND, typed("infra", option("repo", "help"), SHARED))

    assert "</infra:500> `repo:sglang change:18905`" in str(await shown(discord, id))
    assert chat.asked == []
