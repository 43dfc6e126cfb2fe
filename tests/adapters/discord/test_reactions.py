"""Reactions count on messages of any age, and those that were missed are found."""

from typing import Any

import pytest

from adapters.discord import reactions
from bot.model.channels import Channel
from bot.model.followups import ReactionKind
from digest.errors import StoreFailed
from tests.adapters.discord.conftest import (
    ADA,
    BO,
    BOT,
    CHANNEL,
    DAILY,
    GUILD,
    FakeChat,
    FakeDiscord,
    eventually,
)
from tests.adapters.discord.objects import TRIAGE, member, user

FLAGGED = [{"emoji": {"id": None, "name": "🚩"}, "count": 1}]


def reacted(chat: FakeChat) -> list[tuple[Any, ...]]:
    return [
        (asked["kind"], asked["message"], asked["person"].name, asked["added"])
        for name, asked in chat.asked
        if name == "react"
    ]


def taken_back(person: str) -> dict[str, Any]:
    return {
        "user_id": person,
        "channel_id": DAILY,
        "message_id": "5",
        "guild_id": GUILD,
        "emoji": {"id": None, "name": "🚩"},
        "burst": False,
        "type": 0,
    }


@pytest.mark.parametrize(
    ("emoji", "kind"),
    [("🚩", ReactionKind.FLAG), ("👀", ReactionKind.TAKE), ("✅", ReactionKind.DONE)],
)
async def test_a_reaction_is_taken_in(
    discord: FakeDiscord, listening: Any, chat: FakeChat, emoji: str, kind: ReactionKind
) -> None:
    await discord.react("5", emoji)
    await eventually(lambda: reacted(chat))

    assert reacted(chat) == [(kind, "5", "Ada", True)]
    assert chat.asked[-1][1]["channel"] == CHANNEL


async def test_a_thread_that_is_not_known_is_asked_for_once(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    discord.messages["300"], discord.threads["300"] = [], {"archived": True}

    for id in ("7", "8"):
        await discord.react(id, "🚩", channel_id="300")
    await eventually(lambda: len(reacted(chat)) == 2)

    assert [message for _, message, _, _ in reacted(chat)] == ["300/7", "300/8"]
    assert {asked["channel"] for _, asked in chat.asked} == {CHANNEL}


async def test_who_takes_a_reaction_back_has_a_name(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    event = taken_back(ADA)
    await discord.dispatch("MESSAGE_REACTION_REMOVE", event)
    await eventually(lambda: reacted(chat))

    assert reacted(chat) == [(ReactionKind.FLAG, "5", "Ada", False)]


async def test_other_emoji_the_bots_own_and_direct_messages_say_nothing(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    await discord.react("5", "🎉")
    await discord.react("5", "🚩", emoji={"id": "1", "name": "🚩"})
    await discord.react("5", "🚩", user_id=BOT)
    await discord.react("5", "🚩", guild_id=None)
    await discord.react("6", "🚩")
    await eventually(lambda: reacted(chat))

    assert [message for _, message, _, _ in reacted(chat)] == ["6"]


async def test_reactions_that_a_moderator_clears_are_gone(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    where = {"channel_id": DAILY, "message_id": "5", "guild_id": GUILD}
    flag = {"emoji": {"id": None, "name": "🚩"}}
    await discord.dispatch("MESSAGE_REACTION_REMOVE_ALL", where)
    await discord.dispatch("MESSAGE_REACTION_REMOVE_EMOJI", where | flag)
    await eventually(lambda: len(chat.asked) == 2)

    gone = [asked["present"] for name, asked in chat.asked if name == "reconcile"]
    assert {kind: () for kind in ReactionKind} in gone
    assert {ReactionKind.FLAG: ()} in gone


async def test_what_was_missed_is_looked_for_after_a_new_session(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    await eventually(lambda: chat.looked)
    flagged, quiet = discord.new_id(), discord.new_id()
    person = {"id": ADA, "username": "ada", "global_name": "Ada"}
    discord.reacted[flagged, "🚩"] = [person]
    seen = [
        {"emoji": {"id": None, "name": "🚩"}, "count": 1},
        {"emoji": {"id": None, "name": "🎉"}, "count": 9},
    ]
    discord.messages[DAILY] += [{"id": flagged, "reactions": seen}, {"id": quiet}]
    chat.posts = [
        (CHANNEL, quiet),
        (CHANNEL, flagged),
        (CHANNEL, "12345"),  # of years ago
        (Channel(CHANNEL.platform, GUILD, "404"), discord.new_id()),
    ]

    await discord.sockets[-1].send_json({"op": 9, "d": False})
    await eventually(lambda: len(chat.asked) == 2)

    found = {asked["message"]: asked["present"] for _, asked in chat.asked}
    assert [each.name for each in found[flagged][ReactionKind.FLAG]] == ["Ada"]
    assert found[quiet] == {kind: [] for kind in ReactionKind}
    assert discord.identified == 2


async def test_of_more_people_than_are_read_nobody_is_taken_to_have_taken_it_back(
    discord: FakeDiscord, listening: Any, chat: FakeChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reactions, "PEOPLE_AT_ONCE", 1)
    monkeypatch.setattr(reactions, "MOST_PAGES", 2)
    await eventually(lambda: chat.looked)
    flagged = discord.new_id()
    emoji = [{"emoji": {"id": None, "name": name}} for name in ("🚩", "✅")]
    discord.messages[DAILY] += [{"id": flagged, "reactions": emoji}]
    discord.reacted[flagged, "🚩"] = [user(each, "one") for each in ("11", "12", "13")]
    discord.reacted[flagged, "✅"] = [user(ADA, "ada")]
    chat.posts = [(CHANNEL, flagged)]

    await discord.sockets[-1].send_json({"op": 9, "d": False})
    await eventually(lambda: chat.asked)

    ((_, asked),) = chat.asked
    assert set(asked["present"]) == {ReactionKind.TAKE, ReactionKind.DONE}


@pytest.mark.parametrize("call", ["GET messages", "GET 🚩", f"GET {ADA}"])
async def test_what_was_missed_is_looked_for_again_where_discord_does_not_answer(
    discord: FakeDiscord, listening: Any, chat: FakeChat, faults: Any, call: str
) -> None:
    await eventually(lambda: chat.looked)
    flagged = discord.new_id()
    discord.reacted[flagged, "🚩"] = [{"id": ADA, "username": "ada", "global_name": "Ada"}]
    discord.messages[DAILY] += [{"id": flagged, "reactions": FLAGGED}]
    chat.posts = [(CHANNEL, flagged)]
    discord.fail(call, faults(status=503))

    await discord.sockets[-1].send_json({"op": 9, "d": False})
    await eventually(lambda: chat.asked)

    ((_, asked),) = chat.asked
    assert [each.name for each in asked["present"][ReactionKind.FLAG]] == ["Ada"]


async def test_a_reaction_that_cannot_be_stored_is_taken_in_once_it_can(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    await eventually(lambda: chat.looked)
    chat.errors = [StoreFailed("the database is away")] * 2

    await discord.react("5", "🚩")
    await eventually(lambda: reacted(chat))

    assert reacted(chat) == [(ReactionKind.FLAG, "5", "Ada", True)]


async def test_who_reacts_is_known_with_roles_and_with_whether_they_may_write(
    discord: FakeDiscord, listening: Any, chat: FakeChat
) -> None:
    roles = {**member(ADA, "ada", 0), "roles": [TRIAGE]}
    for each in (roles, member(ADA, "ada", 0)):
        chat.asked.clear()
        await discord.react("77", "🚩", member=each)
        await eventually(lambda: chat.asked)
        person = chat.asked[-1][1]["person"]
        assert person.may_write == (each is roles)
        assert (f"role:{TRIAGE}" in person.groups) == (each is roles)


async def test_what_was_missed_counts_only_of_those_who_may_write_there(
    discord: FakeDiscord, listening: Any, chat: FakeChat, faults: Any
) -> None:
    await eventually(lambda: chat.looked)
    flagged = discord.new_id()
    discord.messages[DAILY] += [{"id": flagged, "reactions": FLAGGED}]
    discord.reacted[flagged, "🚩"] = [user(ADA, "ada"), user(BO, "bo"), user("555", "left")]
    discord.members[ADA] = {**member(ADA, "ada", 0), "roles": [TRIAGE]}
    discord.members[BO] = member(BO, "bo", 0)
    discord.fail("GET 555", faults(404, {"code": 10007, "message": "Unknown Member"}))
    chat.posts = [(CHANNEL, flagged)]

    await discord.sockets[-1].send_json({"op": 9, "d": False})
    await eventually(lambda: chat.asked)

    ada, bo, left = chat.asked[-1][1]["people"]
    assert (ada.may_write, bo.may_write, left.may_write) == (True, False, False)
    assert f"role:{TRIAGE}" in ada.groups - bo.groups
    assert not ada.may_manage


async def test_where_something_happened_is_asked_until_discord_answers(
    discord: FakeDiscord, listening: Any, chat: FakeChat, faults: Any
) -> None:
    for place in ("300", "301"):
        discord.messages[place], discord.threads[place] = [], {"archived": True}
        discord.fail(f"GET {place}", *[faults(status=503)] * 3)

    await discord.react("7", "🚩", channel_id="300")
    cleared = {"channel_id": "301", "message_id": "8", "guild_id": GUILD}
    await discord.dispatch("MESSAGE_REACTION_REMOVE_ALL", cleared)
    await eventually(lambda: len(chat.asked) == 2)

    assert {name: asked["message"] for name, asked in chat.asked} == {
        "react": "300/7",
        "reconcile": "301/8",
    }


async def test_who_cannot_be_looked_up_keeps_nobody_else_from_counting(
    discord: FakeDiscord, listening: Any, chat: FakeChat, faults: Any
) -> None:
    await eventually(lambda: chat.looked)
    flagged = discord.new_id()
    discord.messages[DAILY] += [{"id": flagged, "reactions": FLAGGED}]
    discord.reacted[flagged, "🚩"] = [user(BO, "bo"), user(ADA, "ada")]
    for id in (ADA, BO):
        discord.members[id] = {**member(id, "somebody", 0), "roles": [TRIAGE]}
    discord.fail(f"GET {BO}", faults(status=503))
    chat.posts = [(CHANNEL, flagged)]

    await discord.sockets[-1].send_json({"op": 9, "d": False})
    await eventually(lambda: len(chat.asked) == 2)

    may = [[person.may_write for person in asked["people"]] for _, asked in chat.asked]
    assert may == [[False, True], [True, True]]
