"""Who subscribed hears once of what their channel cannot have, and when it is away."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.deliver import subscriber_notices as life
from bot.deliver.subscriber_notices import GIVEN_UP_AFTER, Absence
from bot.model.channel_commands import RoleMention
from bot.model.channels import Channel
from bot.model.parts import Mark
from bot.model.ports import (
    ChannelGone,
    Limited,
    NoPermission,
    OutcomeUnknown,
    PlatformDown,
    TokenRevoked,
    Unmet,
    Wish,
)
from bot.model.slots import due
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from tests.bot.bot_fixture import Bot, morning, open_bot, subscription
from tests.bot.platform_fake import CHANNEL, KILN, LOOM, OTHER, Transcript, at
from tests.conftest import PATIENCE, SetClock
from tests.phrases import english

NOW = at(12, 9)


@pytest.mark.parametrize(
    "error", [PlatformDown("down"), OutcomeUnknown("no answer"), TokenRevoked("no token")]
)
def test_what_may_pass_is_given_up_only_after_days(error) -> None:
    after, tried = subscription(), NOW
    while tried < NOW + GIVEN_UP_AFTER:
        after = life.failed(after, error, tried)
        assert not after.paused
        tried += timedelta(hours=1)
    after = life.failed(after, error, NOW + GIVEN_UP_AFTER)

    assert after.absence == Absence.FAILING
    assert str(error) in english(after.paused)
    assert "2026-02-12 09:00 UTC" in english(after.paused)


def test_a_host_that_slept_between_two_failures_has_not_failed_meanwhile() -> None:
    friday = life.failed(subscription(), PlatformDown("down"), NOW)
    monday = life.failed(friday, PlatformDown("down"), NOW + GIVEN_UP_AFTER)

    assert not monday.paused
    assert monday.failing_since == NOW + GIVEN_UP_AFTER


def test_a_pause_by_a_person_is_not_changed_by_what_becomes_of_the_channel() -> None:
    paused = subscription(paused=Phrase.as_written("on holiday"))

    assert life.failed(paused, ChannelGone("archived"), NOW) == paused
    assert life.back(paused, NOW) == paused


@pytest.fixture
async def bot(sqlite_url: str, clock: SetClock):
    async with open_bot(sqlite_url, clock, Transcript()) as opened:
        yield opened


async def test_a_channel_that_is_archived_is_said_once_and_caught_up_when_it_is_back(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER)
    await bot.chat.deliver_due(clock())
    for _ in range(3):
        await bot.delivering.unreachable.failed(await bot.subscription(), ChannelGone("archived"))
    bot.platform.faults = [("check", ChannelGone("archived"), False)] * 2
    for day in (13, 14, 15):
        clock.now = morning(day)
        await bot.chat.deliver_due(clock())
    parents = [each for each in bot.platform.said[CHANNEL] if each.parent is None]
    assert len(parents) == 1
    assert len([each for each in bot.platform.said[OTHER] if each.parent is None]) == 4

    await bot.delivering.unreachable.back(CHANNEL)
    await bot.chat.deliver_due(clock())

    assert [person for person, _ in bot.platform.told] == ["U1"]
    assert "archived" in bot.platform.told[0][1]
    parents = [each for each in bot.platform.said[CHANNEL] if each.parent is None]
    assert len(parents) == 2
    assert "Thu 12 Feb – Sat 14 Feb" in parents[1].text
    assert english((await bot.subscription()).complaint) == ""


async def test_a_workspace_that_is_back_lets_its_channels_go_on(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe()
    unreachable = bot.delivering.unreachable
    await unreachable.failed(await bot.subscription(), ChannelGone("not on the server"))
    await bot.chat.deliver_due(clock())
    assert not bot.platform.said

    await unreachable.workspace_back(CHANNEL.platform, CHANNEL.workspace)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts()


async def test_a_channel_whose_return_nobody_told_is_found_again_within_a_day(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", NoPermission("invite me"), False)]
    await bot.chat.deliver_due(clock())
    assert (await bot.subscription()).absence == Absence.REFUSED

    for _ in range(30):
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())

    assert bot.platform.checked == [CHANNEL]
    assert bot.platform.texts()
    assert len(bot.platform.told) == 1


async def test_a_platform_that_hangs_while_absent_channels_are_looked_at_holds_up_no_morning(
    sqlite_url: str, clock: SetClock
) -> None:
    hanging, sent = asyncio.Event(), asyncio.Event()

    class Hanging(Transcript):
        async def check(self, channel: Channel) -> None:
            hanging.set()
            await asyncio.Event().wait()

    platform = Hanging(step=lambda name: sent.set() if name == "sent" else None)
    async with open_bot(sqlite_url, clock, platform) as bot:
        await bot.subscribe(OTHER)
        away = replace(life.failed(subscription(), ChannelGone("left"), NOW), asked_at=at(10))
        await bot.store.subscriptions.change(CHANNEL, lambda _: away)

        async with asyncio.timeout(PATIENCE):
            await bot.delivering.start_due(clock())
            await hanging.wait()
            await sent.wait()

    assert platform.texts(OTHER)


async def test_a_channel_that_is_still_away_is_asked_once_a_day_and_said_once(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [
        ("send", NoPermission("invite me"), False),
        ("check", NoPermission("invite me"), False),
        ("check", PlatformDown("down"), False),
        ("send", NoPermission("invite me"), False),
    ]
    await bot.chat.deliver_due(clock())

    for _ in range(24 * 4):
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())

    assert 3 <= len(bot.platform.checked) <= 4
    assert len(bot.platform.told) == 1


async def test_a_platform_that_fails_for_days_pauses_a_channel_and_says_why(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    for _ in range(24 * 3 + 2):
        bot.platform.faults = [("send", PlatformDown("down"), False)] * 10
        await bot.chat.deliver_due(clock())
        clock.advance(hours=1)

    assert (await bot.subscription()).absence == Absence.FAILING
    ((_, said),) = bot.platform.told
    assert "down" in said
    bot.platform.faults = []
    for _ in range(26):
        clock.advance(hours=1)
        await bot.chat.deliver_due(clock())
    assert len([each for each in bot.platform.said[CHANNEL] if each.parent is None]) <= 2
    assert english((await bot.subscription()).paused) == ""


ON_SECURITY = RoleMention("301", frozenset({Mark.SECURITY}))
NO_ROLE = Unmet(Wish.MENTION, SAY.discord.no_role)


async def test_what_cannot_be_had_is_said_once_and_keeps_no_morning(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(mention=ON_SECURITY)
    said = []
    for wanting in ((NO_ROLE,), (NO_ROLE,), (), (NO_ROLE,)):
        bot.platform.wanting = wanting
        before = len(bot.platform.texts())
        await bot.chat.deliver_due(clock())
        assert len(bot.platform.texts()) > before
        said.append(len(bot.platform.told))
        error = english((await bot.subscription()).last_error)
        assert ("role" in error) is bool(wanting)
        clock.advance(days=1)

    assert said == [1, 1, 1, 2]


async def test_a_role_is_mentioned_once_a_morning_and_on_its_days_alone(
    bot: Bot, clock: SetClock
) -> None:
    wanted = {"repos": (KILN, LOOM), "last_delivered_end": None}
    breaks = RoleMention("301", frozenset({Mark.BREAKING}))
    found = []
    for mention in (ON_SECURITY, breaks):
        subscription = await bot.subscribe(mention=mention, **wanted)
        slot = due(subscription, clock())
        assert slot
        morning = await bot.planning.morning(subscription, slot)
        found.append([thread.mention for thread in morning.threads])

    assert found == [["301", "", ""], ["", "", ""]]


async def test_a_morning_is_published_once_it_is_linked(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe(repos=(KILN, LOOM), publish=True)
    edits = []
    bot.platform.step = lambda name: edits.append((name, list(bot.platform.published)))

    await bot.chat.deliver_due(clock())

    assert len(bot.platform.published) == 3  # the roundup, and a thread each
    assert [published for name, published in edits if name == "edited"] == [[]]


async def test_a_limit_on_publishing_is_told_and_keeps_no_morning(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(publish=True)
    bot.platform.faults = [("publish", Limited(Phrase.as_written("ten an hour"), 3600), False)]

    await bot.chat.deliver_due(clock())

    stored = await bot.subscription()
    assert stored.last_delivered_date
    assert "ten an hour" in english(stored.last_error)
