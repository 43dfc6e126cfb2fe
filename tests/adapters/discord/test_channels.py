"""What the bot lacks is computed as Discord does, and named with where to give it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

from adapters.discord.channels import ANNOUNCEMENT, FORUM, allowed, everybody_views
from adapters.discord.client import DiscordPublisher
from adapters.discord.permissions import (
    CREATE_THREADS,
    EMBED_LINKS,
    MANAGE_CHANNELS,
    NEEDED,
    READ_HISTORY,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Permission,
    bits,
    missing,
)
from adapters.discord.rest import Rest
from bot.model.channels import Platform
from bot.model.parts import Action, ActionKind, Mark, Part, PartKind, Thread
from bot.model.ports import ChannelGone, NoPermission, OutcomeUnknown, PublishError, Wish
from digest.languages import Language
from digest.writing.document import Paragraph, Words
from tests.adapters.discord.conftest import (
    BOT,
    CHANNEL,
    DAILY,
    GUILD,
    FakeChat,
    FakeDiscord,
    Listening,
    eventually,
)
from tests.adapters.discord.local_discord import ROLE
from tests.adapters.discord.objects import guild
from tests.adapters.discord.test_client import payload, posted
from tests.adapters.doors import Lives

MISSING = {"code": 50013, "message": "Missing Permissions"}
NO_ACCESS = {"code": 50001, "message": "Missing Access"}
SHOW = Action(ActionKind.SHOW_ALL, "x", "Show")
MEMBER = {"user": {"id": BOT}, "roles": [ROLE, "301"]}


def overwrite(id: str, *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    return {"id": id, "type": 0, "allow": str(allow), "deny": str(deny)}


def server(*, everybody: int = 0, own: int = 0) -> Mapping[str, Any]:
    given = {GUILD: everybody, ROLE: own, "999": bits()}
    roles = [{"id": id, "permissions": str(may)} for id, may in given.items()]
    return {"id": GUILD, "roles": roles}


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        ((), ()),
        ((overwrite(GUILD, deny=EMBED_LINKS.bit),), (EMBED_LINKS,)),
        (
            (overwrite(GUILD, deny=EMBED_LINKS.bit), overwrite(ROLE, allow=EMBED_LINKS.bit)),
            (),
        ),
        (
            (overwrite(ROLE, deny=EMBED_LINKS.bit), overwrite("301", allow=EMBED_LINKS.bit)),
            (),
        ),
        (
            (overwrite(ROLE, allow=EMBED_LINKS.bit), overwrite(BOT, deny=EMBED_LINKS.bit)),
            (EMBED_LINKS,),
        ),
        ((overwrite("999", deny=EMBED_LINKS.bit),), ()),
        (
            (overwrite(GUILD, deny=READ_HISTORY.bit | SEND_MESSAGES.bit),),
            (SEND_MESSAGES, READ_HISTORY),
        ),
        ((overwrite(GUILD, deny=VIEW_CHANNEL.bit),), NEEDED),
    ],
)
def test_a_channel_says_otherwise_for_everybody_then_for_roles_then_for_the_bot(
    said: tuple[Any, ...], lacking: tuple[Permission, ...]
) -> None:
    may = allowed(server(own=bits()), {"permission_overwrites": said}, MEMBER)
    assert missing(may) == lacking


def test_everybody_views_a_channel_that_neither_the_server_nor_the_channel_hides() -> None:
    shut = {"permission_overwrites": [overwrite(GUILD, deny=VIEW_CHANNEL.bit)]}
    mine = {"permission_overwrites": [overwrite(ROLE, allow=VIEW_CHANNEL.bit)]}

    assert everybody_views(server(everybody=VIEW_CHANNEL.bit), {})
    assert not everybody_views(server(everybody=VIEW_CHANNEL.bit), shut)
    assert not everybody_views(server(), mine)


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        (EMBED_LINKS.bit, "lacks Embed Links in"),
        (EMBED_LINKS.bit | CREATE_THREADS.bit, "lacks Embed Links, Create Public Threads in"),
        (0, "lacks Send Messages in"),
    ],
)
async def test_a_refused_post_names_what_is_really_missing_and_where_to_give_it(
    discord: FakeDiscord,
    publisher: DiscordPublisher,
    faults: Callable[..., Any],
    denied: int,
    named: str,
) -> None:
    discord.overwrites = [overwrite(GUILD, deny=denied)]
    discord.fail("POST messages", faults(403, MISSING))

    with pytest.raises(NoPermission, match=f"{named} this channel: .* under Edit Channel"):
        await posted(publisher)


async def test_an_edit_and_a_search_name_it_too(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    ref = await posted(publisher)
    discord.overwrites = [overwrite(ROLE, deny=EMBED_LINKS.bit)]
    discord.fail(f"PATCH {ref}", faults(403, MISSING))
    discord.fail("GET messages", faults(403, MISSING))

    with pytest.raises(NoPermission, match="lacks Embed Links"):
        await publisher.edit(CHANNEL, ref, payload(publisher, "x", SHOW))
    with pytest.raises(NoPermission, match="lacks Embed Links"):
        await publisher.find(CHANNEL, "n", parent=None)


async def test_a_hidden_channel_is_told_from_a_server_that_the_bot_is_not_on(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    discord.fail("POST messages", faults(403, NO_ACCESS), faults(403, NO_ACCESS))
    discord.fail("GET 200", faults(403, NO_ACCESS))
    with pytest.raises(NoPermission, match="lacks View Channel"):
        await posted(publisher)

    discord.fail(f"GET {GUILD}", faults(403, NO_ACCESS))
    with pytest.raises(ChannelGone, match="invite it again"):
        await posted(publisher)


@pytest.mark.parametrize("locked", [True, False])
async def test_a_thread_that_cannot_be_woken_is_locked_or_lacks_what_waking_needs(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Callable[..., Any], locked: bool
) -> None:
    parent = await posted(publisher)
    ref = await posted(publisher, "n2", parent)
    discord.threads[parent] |= {"archived": True, "locked": locked}
    discord.fail(f"PATCH {parent}", faults(403, MISSING))

    with pytest.raises(PublishError, match="is locked" if locked else "lacks Send Messages in"):
        await publisher.edit(CHANNEL, ref, payload(publisher, "new"))


async def test_an_empty_channel_without_history_is_blindness_and_not_emptiness(
    discord: FakeDiscord, publisher: DiscordPublisher
) -> None:
    assert await publisher.find(CHANNEL, "n", parent=None) is None
    discord.overwrites = [overwrite(GUILD, deny=READ_HISTORY.bit)]

    with pytest.raises(NoPermission, match="lacks Read Message History in"):
        await publisher.find(CHANNEL, "n", parent=None)


async def test_a_check_names_what_is_missing_before_anything_is_posted(
    discord: FakeDiscord, publisher: DiscordPublisher
) -> None:
    await publisher.check(CHANNEL)
    discord.overwrites = [overwrite(GUILD, deny=CREATE_THREADS.bit)]

    with pytest.raises(NoPermission, match="lacks Create Public Threads in"):
        await publisher.check(CHANNEL)


def part(text: str) -> Part:
    return Part(PartKind.ITEM, (Paragraph((Words(text),)),), summary=text)


def thread(*marks: Mark) -> Thread:
    return Thread(Language.EN, part("one"), (part("two"),), repo="a/kiln", marks=frozenset(marks))


async def told(publisher: DiscordPublisher, morning: Thread) -> list[str]:
    refs: list[str] = []
    for number, each in enumerate(publisher.render(morning)):
        parent = refs[0] if refs else None
        nonce = f"n{number}"
        refs.append(await publisher.send(CHANNEL, each.payload, parent=parent, nonce=nonce))
    return refs


@pytest.fixture
def forum(discord: Any) -> Any:
    discord.kinds["200"] = FORUM
    discord.messages["200"] = []
    return discord


async def test_a_forum_gets_a_post_with_its_replies_and_tags(
    forum: Any, publisher: DiscordPublisher
) -> None:
    forum.tags = [
        {"id": "1", "name": "不兼容", "moderated": False},
        {"id": "2", "name": "Security", "moderated": True},
    ]
    forum.allowed[ROLE] = bits() | MANAGE_CHANNELS.bit

    first, second = await told(publisher, thread(Mark.RELEASE, Mark.BREAKING, Mark.SECURITY))

    (asked,) = forum.asked("POST", "threads")
    post, _, message = first.partition("/")
    assert (post, second.split("/")[0]) == (message, post)
    assert asked["name"] == "a/kiln"
    names = {each["id"]: each["name"] for each in forum.tags}
    applied = [names[id] for id in asked["applied_tags"]]
    assert applied == ["不兼容", "release"]  # made where it was missing; a moderator's is left
    assert [each["content"] or each["embeds"][0] for each in forum.messages[post]]
    await publisher.edit(CHANNEL, first, publisher.render(thread())[0].payload)


async def test_a_post_whose_answer_was_lost_is_found_and_not_made_twice(
    forum: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    forum.fail("POST threads", faults(status=502, after=True))
    payload = publisher.render(thread())[0].payload
    with pytest.raises(OutcomeUnknown):
        await publisher.send(CHANNEL, payload, parent=None, nonce="n0")

    ref = await publisher.find(CHANNEL, "n0", parent=None)

    (post,) = forum.threads
    assert ref == f"{post}/{post}"
    assert await publisher.find(CHANNEL, "other", parent=None) is None


async def test_a_forum_that_takes_no_post_without_a_tag_says_which_to_make(
    forum: Any, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    forum.fail("POST threads", faults(status=400, body={"code": 40067, "message": "tag"}))
    with pytest.raises(NoPermission, match="digest"):
        await told(publisher, thread())


async def test_what_a_channel_cannot_have_is_named(
    discord: Any, publisher: DiscordPublisher
) -> None:
    async def unmet(*, publish: bool = False, role: str = "") -> set[Wish]:
        found = await publisher.unmet(CHANNEL, publish=publish, role=role)
        return {each.wish for each in found}

    discord.roles = [
        {"id": "301", "name": "ops", "permissions": "0", "mentionable": True},
        {"id": "302", "name": "all", "permissions": "0", "mentionable": False},
    ]
    assert await unmet() == set()
    assert await unmet(publish=True, role="301") == {Wish.PUBLISH}
    assert await unmet(role="302") == {Wish.MENTION}
    assert await unmet(role="404") == {Wish.MENTION}
    assert await unmet(role=CHANNEL.workspace) == {Wish.MENTION}  # @everyone
    discord.kinds["200"] = ANNOUNCEMENT
    assert await unmet(publish=True) == set()
    discord.kinds["200"] = FORUM
    assert await unmet() == set()  # a text channel never becomes one
    other = DiscordPublisher(publisher.rest, publisher.values)
    assert {each.wish for each in await other.unmet(CHANNEL, publish=False, role="")} == {Wish.TAGS}


async def test_what_is_published_already_stays_so(
    discord: Any, publisher: DiscordPublisher
) -> None:
    discord.kinds["200"] = ANNOUNCEMENT
    ref, _ = await told(publisher, thread())

    await publisher.publish(CHANNEL, ref)
    await publisher.publish(CHANNEL, ref)

    assert [each.get("published") for each in discord.messages["200"]] == [True]
    discord.kinds["200"] = 0
    with pytest.raises(PublishError):
        await publisher.publish(CHANNEL, ref)


async def test_a_server_that_is_not_served_gets_nothing(discord: Any, values: Any) -> None:
    rest = Rest("fake-token")
    publisher = DiscordPublisher(rest, values, frozenset({"7"}))
    with pytest.raises(NoPermission, match="INFRA_GUILDS"):
        await told(publisher, replace(thread(), replies=()))
    assert discord.messages["200"] == []
    await rest.close()


@pytest.fixture
async def lives(listening: Listening, chat: FakeChat) -> Lives:
    """What is told of by a face that hears."""
    return chat.delivering.unreachable  # type: ignore[no-any-return]  # a fake


async def heard_of(lives: Lives, discord: FakeDiscord, name: str, data: Any) -> tuple[Any, ...]:
    lives.said.clear()
    await discord.dispatch(name, data)
    await eventually(lambda: lives.said)
    return cast(tuple[Any, ...], lives.said[0])


def daily(**more: Any) -> dict[str, Any]:
    return {"id": DAILY, "guild_id": GUILD, "type": 0, "name": "daily", "position": 0} | more


async def test_a_server_that_is_joined_again_is_told_of(lives: Lives, discord: FakeDiscord) -> None:
    await discord.dispatch("GUILD_DELETE", {"id": GUILD})
    new = {name: value for name, value in guild().items() if name != "unavailable"}
    joined = await heard_of(lives, discord, "GUILD_CREATE", new)

    assert joined == ("workspace back", Platform.DISCORD, GUILD)


async def test_permissions_that_change_may_let_the_bot_in_again(
    lives: Lives, discord: FakeDiscord
) -> None:
    lives.said.clear()
    await discord.dispatch("CHANNEL_UPDATE", daily(name="renamed"))
    await asyncio.sleep(0.1)
    assert lives.said == []

    overwrite = {"id": GUILD, "type": 0, "allow": "1024", "deny": "0"}
    changed = daily(name="renamed", permission_overwrites=[overwrite])
    assert await heard_of(lives, discord, "CHANNEL_UPDATE", changed) == ("back", CHANNEL, False)
