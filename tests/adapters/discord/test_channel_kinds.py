"""Forums, announcement channels and roles: what Discord has beside text channels."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adapters.discord.channels import ANNOUNCEMENT, FORUM
from adapters.discord.client import DiscordPublisher
from adapters.discord.permissions import MANAGE_CHANNELS, bits
from adapters.discord.rest import Rest
from bot.model.channels import Channel, Platform
from bot.model.parts import Mark, Part, PartKind, Thread
from bot.model.ports import NoPermission, OutcomeUnknown, PublishError, Wish
from digest.languages import Language
from digest.writing.document import Paragraph, Words
from tests.adapters.discord.local_discord import ROLE

CHANNEL = Channel(Platform.DISCORD, "100", "200")


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
