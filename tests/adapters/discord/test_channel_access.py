"""What the bot lacks is computed as Discord does, and named with where to give it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from adapters.discord.channels import allowed, everybody_views
from adapters.discord.client import DiscordPublisher
from adapters.discord.permissions import (
    ADMINISTRATOR,
    CREATE_THREADS,
    EMBED_LINKS,
    NEEDED,
    READ_HISTORY,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    Permission,
    bits,
    missing,
)
from bot.model.parts import Action, ActionKind
from bot.model.ports import ChannelGone, NoPermission, PublishError
from tests.adapters.discord.conftest import BOT, CHANNEL, GUILD, FakeDiscord
from tests.adapters.discord.local_discord import ROLE
from tests.adapters.discord.test_client import payload, posted

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


def test_roles_add_up_and_an_administrator_may_all() -> None:
    split = server(everybody=VIEW_CHANNEL.bit, own=bits() & ~VIEW_CHANNEL.bit)
    assert missing(allowed(split, {}, MEMBER)) == ()
    shut = {"permission_overwrites": [overwrite(GUILD, deny=bits())]}
    assert missing(allowed(server(own=ADMINISTRATOR.bit), shut, MEMBER)) == ()


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


async def test_what_cannot_be_looked_up_leaves_what_the_call_asks_for(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    discord.fail("POST messages", faults(403, MISSING))
    discord.fail(f"GET {GUILD}", faults(404))

    with pytest.raises(NoPermission, match="lacks Send Messages"):
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


async def test_a_thread_that_takes_no_word_is_locked(
    discord: FakeDiscord, publisher: DiscordPublisher, faults: Callable[..., Any]
) -> None:
    parent = await posted(publisher)
    await posted(publisher, "n2", parent)
    discord.fail("POST messages", faults(400, {"code": 50083, "message": "archived"}))

    with pytest.raises(NoPermission, match="locked: a moderator unlocks it"):
        await posted(publisher, "n3", parent)


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
