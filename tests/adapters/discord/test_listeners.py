"""What people ask is promised at once, and answered for them alone."""

from dataclasses import replace
from typing import Any

import pytest

from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.parts import ActionKind
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Repo
from digest.phrase import Example
from digest.wording.phrases import SAY
from tests.adapters.discord.asked import (
    COMMAND,
    EPHEMERAL,
    PRESS,
    TYPING,
    VLLM,
    button,
    long_reply,
    message,
    on_message,
    option,
    shown,
    typed,
)
from tests.adapters.discord.conftest import DAILY, GUILD, FakeChat, FakeDiscord, eventually
from tests.adapters.discord.objects import thread
from tests.digest.writing import invented


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            typed(
                "infra", option("repo", "vllm"), option("change", "35621"), option("language", "zh")
            ),
            "vllm 35621 in zh",
        ),
        (
            typed("infra-search", option("words", "kv"), option("repo", "vllm")),
            "search kv repo:vllm",
        ),
        (typed("infra-search", option("words", "what broke?")), "what broke?"),
        (
            typed("infra-channel", option("repos", "vllm"), option("show", False), sub="subscribe"),
            "subscribe vllm show later",
        ),
    ],
)
async def test_a_command_is_asked_in_the_words_of_the_grammar(
    discord: FakeDiscord, listening: Any, chat: FakeChat, data: Any, text: str
) -> None:
    id = await discord.interact(COMMAND, data)

    answer = await shown(discord, id)

    assert discord.callbacks[id] == [{"type": 5, "data": {"flags": EPHEMERAL}}]
    assert "done" in str(answer)
    (_, asked) = chat.asked[-1]
    assert asked["text"] == text
    assert str(asked["channel"]) == f"discord:{GUILD}/{DAILY}"
    person = asked["person"]
    assert (person.id, person.name, person.language, person.may_manage) == (
        "901",
        "Ada",
        "en",
        True,
    )


FILE = {"type": 11, "name": "file", "value": "77"}
STORED = {"id": "77", "filename": "own.toml", "url": "https://cdn.discordapp.com/own.toml?ex=1"}


async def test_an_uploaded_file_is_given_with_its_name_and_address(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    data = typed("infra-channel", FILE, sub="concern")
    resolved = {"resolved": {"attachments": {"77": STORED}}}
    id = await discord.interact(COMMAND, data | resolved)
    both = typed("infra-channel", FILE, option("add", "a/b"), sub="concern")
    other = await discord.interact(COMMAND, both | resolved)

    assert "done" in str(await shown(discord, id))
    assert "one at a time" in str(await shown(discord, other))
    ((name, asked),) = chat.asked
    assert (name, asked["name"], asked["url"]) == ("give_file_from", "own.toml", STORED["url"])


async def test_a_file_comes_with_the_answer(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    assert chat.reply is not None
    chat.reply = replace(chat.reply, file=Attachment("up.html", "<p>whole</p>"))
    ends = (option("repo", "vllm"), option("from", "v1"), option("to", "v2"))

    id = await discord.interact(COMMAND, typed("infra-upgrade", *ends))
    await eventually(lambda: discord.added[f"token-{id}"])

    assert "done" in str(discord.shown[f"token-{id}"][-1])
    assert chat.asked[-1][1]["text"] == "upgrade vllm v1..v2"
    assert "<p>whole</p>" in str(discord.added[f"token-{id}"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            typed("infra", option("repo", "vllm"), option("when", "week"), option("change", "1")),
            "not both",
        ),
        (typed("infra", option("repo", "subscribe vllm")), "/infra-channel"),
        (typed("old"), "choose it again"),
    ],
)
async def test_options_that_cannot_be_are_told_in_one_line(
    discord: FakeDiscord, listening: Any, chat: FakeChat, data: Any, words: str
) -> None:
    id = await discord.interact(COMMAND, data)

    assert words in str(await shown(discord, id))
    assert chat.asked == []


async def test_help_and_errors_name_the_commands_that_discord_has(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    id = await discord.interact(COMMAND, typed("infra", option("repo", "help")))

    assert "</infra-channel unsubscribe:503> `repos:sglang`" in str(await shown(discord, id))
    assert chat.asked == []

    chat.reply = ChatReply.line(
        SAY.settings.beyond_clock("25:00", Example("at 23:00")), Language.EN, failed=True
    )
    id = await discord.interact(COMMAND, typed("infra", *VLLM))
    assert (await shown(discord, id))["content"] == (
        "“25:00” is not on a clock of 24 hours: `time:23:00`."
    )


async def test_who_shares_where_embed_links_is_missing_is_told_which_permission(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    share = typed("infra", *VLLM, option("share", True))
    id = await discord.interact(COMMAND, share, app_permissions=str(1 << 10 | 1 << 11))

    assert "The bot lacks Embed Links in this channel" in str(await shown(discord, id))
    assert chat.asked == []


async def test_in_a_thread_the_channel_is_meant(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    id = await discord.interact(
        COMMAND, on_message("Flag for follow-up", "7"), channel_id="300", channel=thread("300")
    )
    await shown(discord, id)

    (name, asked) = chat.asked[-1]
    message = asked["message"]
    assert (name, message.ref, asked["channel"].id) == ("flag", "300/7", DAILY)
    assert message.thread == "300"


async def test_errors_are_told_in_one_line(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    chat.error = UsageError("first line\nsecond line")
    id = await discord.interact(COMMAND, typed("infra", option("repo", "vllm")))
    answer = str(await shown(discord, id))
    assert "First line." in answer
    assert "second line" not in answer

    chat.error = ValueError("a fault of ours")
    id = await discord.interact(COMMAND, typed("infra", option("repo", "vllm")))
    await eventually(lambda: discord.added[f"token-{id}"])
    assert "went wrong" in str(discord.added[f"token-{id}"])


@pytest.mark.parametrize(
    ("data", "offered"),
    [
        (typed("infra", option("repo", "gl", focused=True)), ["sglang"]),
        (typed("infra", option("repo", "al", focused=True)), ["all"]),
        (
            typed("infra", option("repo", "vllm"), option("when", "yes", focused=True)),
            ["yesterday"],
        ),
        (
            typed("infra", option("repo", "vllm"), option("when", "2026-02-1", focused=True)),
            ["2026-02-11", "2026-02-10"],
        ),
        (
            typed("infra", option("repo", "vllm"), option("change", "35621", focused=True)),
            ["35621"],
        ),
        (
            typed("infra-channel", option("repos", "vllm fl", focused=True), sub="subscribe"),
            ["vllm flashinfer", "vllm fl"],
        ),
        (
            typed("infra-channel", option("tz", "shang", focused=True), sub="settings"),
            ["Asia/Shanghai"],
        ),
        (typed("infra-channel", option("time", "23:3", focused=True), sub="settings"), ["23:30"]),
        (
            typed("infra-channel", option("days", "weekd", focused=True), sub="settings"),
            ["weekdays"],
        ),
        (
            typed("infra-channel", option("without", "bo", focused=True), sub="settings"),
            ["bots", "bots,ci,docs"],
        ),
        (typed("infra-channel", option("other", "x", focused=True), sub="settings"), []),
    ],
)
async def test_options_are_completed(
    discord: FakeDiscord, listening: Any, data: Any, offered: list[str]
) -> None:
    id = await discord.interact(TYPING, data)
    await eventually(lambda: discord.callbacks[id])

    (said,) = discord.callbacks[id]
    assert said["type"] == 8
    assert [each["value"] for each in said["data"]["choices"]] == offered


async def test_a_title_that_is_offered_shows_nothing_that_hides(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    item = invented.judged(invented.pull(7, "Fix\u202e\n" + "x" * 200))
    chat.found = (item,)

    id = await discord.interact(
        TYPING, typed("infra", *VLLM, option("change", "fix", focused=True))
    )
    await eventually(lambda: discord.callbacks[id])

    (choice,) = discord.callbacks[id][0]["data"]["choices"]
    assert choice == {"name": "#7 Fix " + "x" * 92 + "…", "value": "#7"}


async def test_a_first_answer_that_is_lost_is_said_again_and_counts_once(
    discord: FakeDiscord, listening: Any, chat: FakeChat, faults: Any
) -> None:
    discord.fail("POST callback", faults(after=True), faults(status=502, after=True))
    discord.fail("PATCH @original", faults(status=503, after=True), faults(after=True))

    id = await discord.interact(COMMAND, typed("infra", option("repo", "vllm")))
    await eventually(lambda: len(discord.shown[f"token-{id}"]) == 3)

    assert len(discord.callbacks[id]) == 1
    assert len(chat.asked) == 1


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


REPOS = (Repo("example-org", "kiln"), Repo("example-org", "flint"))


async def offered(discord: FakeDiscord, text: str) -> list[str]:
    data = typed("infra-channel", option("repos", text, focused=True), sub="unsubscribe")
    id = await discord.interact(TYPING, data)
    await eventually(lambda: discord.callbacks[id])
    (said,) = discord.callbacks[id]
    return [each["value"] for each in said["data"]["choices"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [*map(str, REPOS), "all"]),
        ("fl", ["example-org/flint", "fl"]),
        ("al", ["all", "al"]),
        ("example-org/flint ", ["example-org/flint example-org/kiln"]),
    ],
)
async def test_what_a_channel_gives_up_is_chosen_from_what_it_gets(
    discord: FakeDiscord, listening: Any, chat: FakeChat, text: str, found: list[str]
) -> None:
    chat.current = replace(chat.current, repos=REPOS)
    assert await offered(discord, text) == [*found, *([text] if text.endswith(" ") else [])]
