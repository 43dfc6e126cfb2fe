"""Slack says that channels and the app go and come back; the subscriptions follow."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.slack.app import SlackBot
from adapters.slack.client import SlackPublisher
from bot.deliver.unreachable_channels import Absence
from bot.model.channels import Channel, Platform
from bot.model.ports import ChannelGone, MayNotLook, NoPermission
from tests.adapters.doors import Lives
from tests.adapters.slack.conftest import BOT, TEAM, FakeSlack, Sender, facing

CHANNEL = Channel(Platform.SLACK, TEAM, "C1")
PAYLOAD = '{"text": "hi"}'


@dataclass
class Living:
    """A face that hears of channels."""

    face: SlackBot
    sender: Sender
    lives: Lives

    async def event(self, **event: Any) -> list[tuple[Any, ...]]:
        """Send an event and give what came of it."""
        self.lives.said.clear()
        status, _ = await self.sender.event(event)
        assert status == 200
        await self.face.settle()
        return self.lives.said


@pytest.fixture
async def living(slack: FakeSlack, chat: Any, clock: Any) -> AsyncIterator[Living]:
    async with facing(slack, chat, clock) as heard:
        yield Living(heard.face, heard.sender, chat.delivering.unreachable)


@pytest.mark.parametrize(
    ("kind", "absence"),
    [
        ("channel_archive", Absence.ARCHIVED),
        ("group_archive", Absence.ARCHIVED),
        ("channel_deleted", Absence.DELETED),
        ("group_deleted", Absence.DELETED),
        ("channel_left", Absence.LEFT),
        ("group_left", Absence.LEFT),
    ],
)
async def test_a_channel_that_goes_is_told_of(living: Living, kind: str, absence: Absence) -> None:
    assert await living.event(type=kind, channel="C1") == [("gone", CHANNEL, absence)]


@pytest.mark.parametrize("kind", ["channel_unarchive", "group_unarchive"])
async def test_a_channel_that_comes_back_is_told_of(living: Living, kind: str) -> None:
    assert await living.event(type=kind, channel="C1", user="U1") == [("back", CHANNEL, True)]


async def test_the_bot_is_invited_again_and_others_who_join_are_none_of_its_business(
    living: Living,
) -> None:
    assert await living.event(type="member_joined_channel", channel="C1", user="U1") == []
    own = await living.event(type="member_joined_channel", channel="C1", user=BOT)

    assert own == [("back", CHANNEL, True)]


async def test_an_app_that_is_removed_is_told_of(living: Living) -> None:
    gone = ("workspace gone", Platform.SLACK, TEAM)

    assert await living.event(type="app_uninstalled") == [gone]
    assert await living.event(type="tokens_revoked", tokens={"bot": [BOT]}) == [gone]


@pytest.mark.parametrize("tokens", [{"oauth": ["U1"]}, {"bot": ["U0OTHER"]}, None])
async def test_tokens_of_others_are_none_of_its_business(living: Living, tokens: Any) -> None:
    assert await living.event(type="tokens_revoked", tokens=tokens) == []


async def test_an_event_without_a_channel_changes_nothing(living: Living) -> None:
    assert await living.event(type="channel_archive") == []
    assert await living.event(type="channel_archive", channel={"id": "C1"}) == []


async def test_a_token_that_works_lets_the_workspace_go_on(living: Living) -> None:
    await living.face.settle()

    assert living.lives.said == [("workspace back", Platform.SLACK, TEAM)]


async def test_a_channel_is_looked_at(slack: FakeSlack, publisher: SlackPublisher) -> None:
    await publisher.check(CHANNEL)
    slack.channel = {"is_archived": True}
    with pytest.raises(ChannelGone):
        await publisher.check(CHANNEL)
    slack.channel = {"is_member": False}
    with pytest.raises(NoPermission):
        await publisher.check(CHANNEL)


async def test_without_the_scope_for_it_nothing_can_be_looked_for(
    slack: FakeSlack, publisher: SlackPublisher, faults: Any
) -> None:
    missing = {"ok": False, "error": "missing_scope", "needed": "channels:history"}
    slack.fail("conversations.history", faults(body=missing))

    with pytest.raises(MayNotLook, match="channels:history"):
        await publisher.find(CHANNEL, "n1", parent=None)
