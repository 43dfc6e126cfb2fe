"""What every platform's publisher keeps to, whichever it is."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.discord.client import DiscordPublisher
from adapters.discord.rest import Rest, point_at
from adapters.slack.client import SlackPublisher
from bot.model.channels import Channel, Platform
from bot.model.parts import Part, PartKind, Thread
from bot.model.ports import MessageGone, OutcomeUnknown, Publisher
from digest.languages import Language
from digest.writing.document import Paragraph, Words
from tests.adapters.discord import conftest as on_discord
from tests.adapters.slack import conftest as on_slack


@dataclass
class Desk:
    """A publisher, a channel of its platform, and ways to lose the next message's answer."""

    publisher: Publisher
    channel: Channel
    lose: Callable[[bool], None]
    count: Callable[[], int]
    forget: Callable[[], None] = lambda: None


@pytest.fixture(params=Platform)
async def desk(request: pytest.FixtureRequest, clock: Any) -> AsyncIterator[Desk]:
    """The desk of each platform in turn."""
    if request.param is Platform.SLACK:
        slack = on_slack.FakeSlack()
        runner, slack.url = await on_slack.serve(slack.application())
        publisher = SlackPublisher("xoxb-fake", api_url=slack.api, interval=0.0)
        yield Desk(
            publisher,
            Channel(Platform.SLACK, on_slack.TEAM, "C1"),
            lambda done: slack.fail("chat.postMessage", on_slack.Fault(drop=True, after=done)),
            lambda: len(slack.posts),
        )
        await publisher.close()
        await runner.cleanup()
        return
    discord = on_discord.FakeDiscord(int(clock().timestamp() * 1000))
    runner, discord.url = await on_slack.serve(discord.application())
    point_at(f"{discord.url}/api")
    rest = Rest("fake-token")
    yield Desk(
        DiscordPublisher(rest, on_discord.KeptValues()),
        on_discord.CHANNEL,
        lambda done: discord.fail("POST messages", on_discord.Fault(after=done)),
        lambda: sum(map(len, discord.messages.values())),
        discord.forget_nonces,
    )
    await rest.close()
    await runner.cleanup()


def key(text: str) -> str:
    return f"example-org/kiln:commit:{text}"


def thread(*texts: str) -> Thread:
    parent, *replies = (
        Part(PartKind.ITEM, (Paragraph((Words(text),)),), about=(key(text),), summary=text)
        for text in texts
    )
    return Thread(Language.EN, parent, tuple(replies), repo="example-org/kiln")


async def test_a_thread_is_drawn_in_order_and_its_first_message_is_the_parent(desk: Desk) -> None:
    messages = desk.publisher.render(thread("one", "two", "three"))

    assert [each.about for each in messages] == [(key(text),) for text in ("one", "two", "three")]
    assert [each.is_parent for each in messages] == [True, False, False]


async def test_messages_are_posted_once_each_and_have_references_of_their_own(desk: Desk) -> None:
    parent, *replies = desk.publisher.render(thread("one", "two", "three"))
    first = await desk.publisher.send(desk.channel, parent.payload, parent=None, nonce="n0")
    refs = [
        await desk.publisher.send(desk.channel, each.payload, parent=first, nonce=f"n{number}")
        for number, each in enumerate(replies, start=1)
    ]

    assert len({first, *refs}) == 3
    assert desk.count() == 3
    for number, ref in enumerate((first, *refs)):
        parent_ref = first if number else None
        found = await desk.publisher.find(desk.channel, f"n{number}", parent=parent_ref)
        assert found == ref
        assert (await desk.publisher.link(desk.channel, ref)).startswith("http")


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("below", [False, True])
async def test_a_lost_answer_is_cleared_up(desk: Desk, done: bool, below: bool) -> None:
    head, reply = desk.publisher.render(thread("one", "two"))
    first = await desk.publisher.send(desk.channel, head.payload, parent=None, nonce="n0")
    parent = first if below else None
    desk.lose(done)

    with pytest.raises(OutcomeUnknown):
        await desk.publisher.send(desk.channel, reply.payload, parent=parent, nonce="n1")

    desk.forget()
    found = await desk.publisher.find(desk.channel, "n1", parent=parent)
    assert (found is not None) == done
    assert desk.count() == 1 + done


@pytest.mark.parametrize("done", [True, False])
async def test_an_older_message_that_says_the_same_is_not_taken_for_a_lost_one(
    desk: Desk, done: bool
) -> None:
    (said,) = desk.publisher.render(thread("one"))
    first = await desk.publisher.send(desk.channel, said.payload, parent=None, nonce="n0")
    desk.lose(done)
    with pytest.raises(OutcomeUnknown):
        await desk.publisher.send(desk.channel, said.payload, parent=None, nonce="n1")

    found = await desk.publisher.find(desk.channel, "n1", parent=None)

    assert (found is not None) == done
    assert found != first
    assert await desk.publisher.find(desk.channel, "n2", parent=None) is None
    assert await desk.publisher.find(desk.channel, "n0", parent=None) == first


async def test_what_is_deleted_is_gone(desk: Desk) -> None:
    (message,) = desk.publisher.render(thread("one"))
    ref = await desk.publisher.send(desk.channel, message.payload, parent=None, nonce="n0")
    await desk.publisher.edit(desk.channel, ref, message.payload)

    await desk.publisher.delete(desk.channel, ref)

    assert desk.count() == 0
    with pytest.raises(MessageGone):
        await desk.publisher.edit(desk.channel, ref, message.payload)
