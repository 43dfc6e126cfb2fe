"""The publisher posts once, finds what it posted, and says in the bot's words what went wrong."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from adapters.discord.client import MAX_PAGES, PAGE, DiscordPublisher, taken_at
from adapters.discord.rest import Rest
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Platform
from bot.model.parts import Action, ActionKind, Part, PartKind, Thread
from bot.model.ports import (
    ChannelGone,
    Limited,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    PlatformDown,
    PublishError,
    Refused,
    TokenRevoked,
    TooManyMessages,
)
from digest.languages import Language
from digest.writing.document import Link, Paragraph, Words

CHANNEL = Channel(Platform.DISCORD, "100", "200")
FLAG = Action(ActionKind.FLAG, "example-org/kiln:pull_request:1", "Flag")


def part(text: str, *actions: Action) -> Part:
    return Part(PartKind.ITEM, (Paragraph((Words(text),)),), actions=actions, summary=text)


def payload(publisher: DiscordPublisher, text: str = "hello", *actions: Action) -> str:
    (drawn,) = publisher.render_parts((part(text, *actions),), Language.EN)
    return drawn.payload


async def posted(publisher: DiscordPublisher, nonce: str = "n1", parent: str | None = None) -> str:
    return await publisher.send(CHANNEL, payload(publisher), parent=parent, nonce=nonce)


async def test_a_message_has_an_enforced_nonce_and_pings_nobody(
    discord: Any, publisher: DiscordPublisher
) -> None:
    ref = await posted(publisher)

    (asked,) = discord.asked("POST", "messages")
    assert discord.messages["200"][0]["id"] == ref
    assert (asked["nonce"], asked["enforce_nonce"]) == ("n1", True)
    assert asked["allowed_mentions"] == {"parse": []}


async def test_replies_go_to_a_thread_of_the_parent_that_sleeps_late(
    discord: Any, publisher: DiscordPublisher
) -> None:
    thread = Thread(Language.EN, part("one"), (part("two"), part("three")), repo="a/kiln")
    first, *others = publisher.render(thread)
    parent = await publisher.send(CHANNEL, first.payload, parent=None, nonce="n0")

    refs = [
        await publisher.send(CHANNEL, each.payload, parent=parent, nonce=f"n{number}")
        for number, each in enumerate(others, start=1)
    ]

    (asked,) = discord.asked("POST", "threads")
    assert asked == {"name": "a/kiln", "auto_archive_duration": 10_080}
    assert refs == [f"{parent}/{each['id']}" for each in discord.messages[parent]]


async def test_a_thread_below_a_persons_message_is_named_in_plain_words(
    discord: Any, publisher: DiscordPublisher
) -> None:
    link = Link("#7", "https://github.com/a/kiln/pull/7")
    said = Part(PartKind.NOTICE, (Paragraph((link, Words(" is out"))),), summary="#7 is out")
    (drawn,) = publisher.render_parts((said,), Language.EN)
    question = {"nonce": "", "content": "what of #7?"}
    _, theirs = discord._post(discord.messages["200"], question)

    await publisher.send(CHANNEL, drawn.payload, parent=theirs["id"], nonce="n1")

    (asked,) = discord.asked("POST", "threads")
    assert asked["name"] == "#7 is out"


async def test_a_thread_that_was_deleted_is_made_again(
    discord: Any, publisher: DiscordPublisher
) -> None:
    parent = await posted(publisher)
    await posted(publisher, "n2", parent)
    del discord.threads[parent], discord.messages[parent]

    await posted(publisher, "n3", parent)

    assert len(discord.messages[parent]) == 1


async def test_a_message_older_than_all_that_is_read_is_not_taken_for_absent(
    discord: Any, publisher: DiscordPublisher
) -> None:
    ref = await posted(publisher, "first")
    for number in range(PAGE * MAX_PAGES):
        discord._post(discord.messages["200"], {"nonce": f"x{number}", "content": "noise"})

    with pytest.raises(TooManyMessages):
        await publisher.find(CHANNEL, "first", parent=None)
    later = taken_at(ref) + timedelta(days=1)
    assert await publisher.find(CHANNEL, "first", parent=None, since=later) is None


async def test_an_answer_that_is_lost_once_inside_a_call_is_asked_for_with_the_same_nonce(
    discord: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    discord.fail("POST messages", faults(status=502, after=True))

    ref = await posted(publisher)

    assert [each["id"] for each in discord.messages["200"]] == [ref]


async def test_a_sleeping_thread_is_woken_to_be_edited(
    discord: Any, publisher: DiscordPublisher
) -> None:
    parent = await posted(publisher)
    ref = await posted(publisher, "n2", parent)
    discord.threads[parent]["archived"] = True

    await publisher.edit(CHANNEL, ref, payload(publisher, "changed"))

    assert discord.threads[parent]["archived"] is False
    assert "changed" in str(discord.messages[parent][0])


async def test_a_person_is_told_directly_and_the_channel_is_named(
    discord: Any, publisher: DiscordPublisher
) -> None:
    notice = ChatReply.line(f"Nothing more is posted to {CHANNEL}: why.", Language.EN)
    (drawn,) = publisher.render_parts(notice.parts, Language.EN)

    await publisher.tell(CHANNEL, "901", drawn.payload)

    assert discord.asked("POST", "@me/channels") == [{"recipient_id": "901"}]
    assert discord.messages["700"][0]["content"] == "Nothing more is posted to <#200>: why."


@pytest.mark.parametrize(
    ("status", "code", "kind", "words"),
    [
        (401, 0, TokenRevoked, "DISCORD_TOKEN"),
        (403, 50001, NoPermission, "View Channel"),
        (403, 50013, NoPermission, "Send Messages"),
        (404, 10003, ChannelGone, "no such channel"),
        (400, 50006, NoPermission, "Embed Links"),
        (400, 50035, Refused, "drawn"),
        (400, 160005, NoPermission, "locked"),
        (400, 50024, NoPermission, "forum channel"),
        (400, 20016, Limited, "for a while"),
        (404, 0, MessageGone, "not exist"),
        (413, 0, Refused, "drawn"),
        (418, 0, PlatformDown, "418"),
        (503, 0, OutcomeUnknown, "does not say"),
    ],
)
async def test_what_discord_refuses_is_said_in_the_bots_words(
    discord: Any,
    publisher: DiscordPublisher,
    faults: Callable[..., Any],
    status: int,
    code: int,
    kind: type[PublishError],
    words: str,
) -> None:
    discord.fail("POST messages", faults(status=status, body={"code": code, "message": "no"}))

    with pytest.raises(kind, match=words):
        await posted(publisher)


@pytest.mark.parametrize("status", [403, 404])
async def test_a_page_of_what_stands_before_discord_is_tried_again_later(
    discord: Any, publisher: DiscordPublisher, faults: Callable[..., Any], status: int
) -> None:
    discord.fail("POST messages", faults(status=status, body="<html>Attention required</html>"))

    with pytest.raises(PlatformDown, match=f"before Discord refuses with status {status}"):
        await posted(publisher)


async def test_an_answer_that_does_not_come_is_not_waited_for_long(
    discord: Any, publisher: DiscordPublisher, values: Any, faults: Callable[..., Any]
) -> None:
    rest = Rest("fake-token", timeout=0.2)
    hurried = DiscordPublisher(rest, values)
    discord.fail("GET @me", faults(status=500, hangs=2))
    discord.fail("POST messages", faults(status=500, hangs=2, after=True))

    with pytest.raises(OutcomeUnknown):
        await rest.user()
    with pytest.raises(OutcomeUnknown):
        await posted(hurried)

    assert await publisher.find(CHANNEL, "n1", parent=None) == discord.messages["200"][0]["id"]
    await rest.close()


async def test_a_long_limit_is_told_and_a_short_one_waited_for(
    discord: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    body = {"retry_after": 0.01, "global": False, "message": "slow"}
    discord.fail("POST messages", faults(status=429, body=body))
    await posted(publisher)

    discord.fail("POST messages", faults(status=429, body=body | {"retry_after": 900.0}))
    with pytest.raises(Limited) as limited:
        await posted(publisher, "n2")

    assert limited.value.retry_after == 900.0


async def test_who_is_not_on_the_server_or_cannot_view_the_channel_has_left(
    discord: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    discord.messages[CHANNEL.id] = []
    assert not await publisher.has_left(CHANNEL, "300")

    discord.fail("GET 300", faults(status=404, body={"code": 10007, "message": "Unknown Member"}))
    assert await publisher.has_left(CHANNEL, "300")
    discord.allowed.clear()
    assert await publisher.has_left(CHANNEL, "300")
    discord.fail("GET 300", faults(status=403, body={"code": 50001, "message": "Missing Access"}))
    with pytest.raises(PublishError):  # it is the bot that is not there
        await publisher.has_left(CHANNEL, "300")


async def test_who_is_not_on_the_server_is_a_stranger_and_who_cannot_be_asked_about_is_none(
    discord: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    assert not await publisher.is_stranger(CHANNEL, "300")

    discord.fail("GET 300", faults(status=404, body={"code": 10007, "message": "Unknown Member"}))
    assert await publisher.is_stranger(CHANNEL, "300")
    discord.fail("GET 300", faults(status=403, body={"code": 50001, "message": "Missing Access"}))
    with pytest.raises(PublishError):
        await publisher.is_stranger(CHANNEL, "300")
