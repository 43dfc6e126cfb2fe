"""What is changed in a channel while its morning is on the way."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from structlog.testing import capture_logs

from bot.answer.button_handler import Press
from bot.deliver import delivery
from bot.model.channels import Channel, Visit
from bot.model.followups import FollowUp, Reaction, ReactionKind, react
from bot.model.parts import ActionKind
from bot.model.ports import NoPermission, PlatformDown
from bot.model.slots import due
from digest.errors import CouldNotLook
from digest.models import Activity, Repo, Window
from digest.phrase import NOTHING, Phrase
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import (
    ADA,
    BO,
    BO_HERE,
    CHANNEL,
    KILN,
    LOOM,
    OTHER,
    SECRET,
    Transcript,
    at,
    unknown,
)
from tests.conftest import SetClock
from tests.phrases import english

ITEM = f"{KILN}:pull_request:1101"


@pytest.fixture
async def bot(sqlite_url: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(delivery, "AT_ONCE", 1)
    async with open_bot(sqlite_url, clock, Transcript()) as opened:
        yield opened


def flagged(followup: FollowUp | None = None, person=ADA) -> FollowUp:
    blank = FollowUp(None, CHANNEL, ITEM, "Mend it", "#1101", "https://x.example/1101")
    reaction = Reaction(ReactionKind.FLAG, person, True, (ITEM,), at(2))
    followup = react(followup, reaction, blank=blank).followup
    assert followup
    return followup


async def keep(bot: Bot, followup: FollowUp) -> None:
    await bot.store.followups.change(followup.channel, lambda ledger: ledger.save(followup))


async def while_the_first_is_looked_at(
    bot: Bot, clock: SetClock, happens: Callable[[], Awaitable[object]]
) -> None:
    looking, goes_on, collect = asyncio.Event(), asyncio.Event(), bot.forge.collect

    async def slowly(repo: Repo, window: Window) -> Activity:
        looking.set()
        await goes_on.wait()
        return await collect(repo, window)

    bot.forge.collect = slowly  # type: ignore[method-assign]  # this forge is slow
    await bot.subscribe(CHANNEL)
    await bot.subscribe(OTHER)
    await bot.delivering.start_due(clock())
    await looking.wait()
    await happens()
    goes_on.set()
    await bot.delivering.settle()


@pytest.mark.parametrize(
    "change",
    [lambda current: None, lambda current: replace(current, paused=Phrase.as_written("archived"))],
    ids=["taken away", "paused"],
)
async def test_a_channel_that_ends_its_subscription_while_it_waits_is_told_nothing(
    bot: Bot, clock: SetClock, change
) -> None:
    await while_the_first_is_looked_at(
        bot, clock, lambda: bot.store.subscriptions.change(OTHER, change)
    )

    assert list(bot.platform.said) == [CHANNEL]
    assert await bot.store.deliveries.unfinished() == {}


async def subscribed_anew(bot: Bot, channel: Channel) -> None:
    await bot.store.subscriptions.change(channel, lambda current: None)
    await bot.subscribe(channel)


async def test_a_channel_that_subscribes_anew_while_it_waits_is_told_once_by_its_own_turn(
    bot: Bot, clock: SetClock
) -> None:
    await while_the_first_is_looked_at(bot, clock, partial(subscribed_anew, bot, OTHER))
    assert list(bot.platform.said) == [CHANNEL]

    await bot.chat.deliver_due(clock())
    await bot.chat.deliver_due(clock())

    texts = bot.platform.texts(OTHER)
    assert len(texts) == len(set(texts)) > 1


async def test_a_channel_that_subscribes_anew_as_its_morning_ends_is_told_as_a_new_one(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(repos=(KILN, LOOM))
    edit = bot.platform.edit

    async def last_of_all(channel: Channel, ref: str, payload: str) -> None:
        await edit(channel, ref, payload)
        await subscribed_anew(bot, channel)

    bot.platform.edit = last_of_all  # type: ignore[method-assign]  # something happens in it
    await bot.chat.deliver_due(clock())
    assert (await bot.subscription()).last_delivered_date is None
    before = len(bot.platform.texts())

    await bot.chat.deliver_due(clock())

    assert len(bot.platform.texts()) > before
    assert (await bot.subscription()).last_delivered_date == clock().date()


async def test_a_channel_that_was_paused_goes_on_as_soon_as_it_is_wanted_again(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", NoPermission("invite me"), False)]

    held_by: list[str] = []

    async def looks(channel: Channel, person: str, payload: str) -> None:
        held_by.extend(each.owner for each in (await bot.store.deliveries.unfinished()).values())

    bot.platform.tell = looks  # type: ignore[method-assign]  # it may take long to tell somebody
    await bot.chat.deliver_due(clock())
    assert held_by == [""]
    assert english((await bot.subscription()).paused) == "invite me"
    await bot.store.subscriptions.change(
        CHANNEL, lambda current: replace(current, paused=NOTHING) if current else None
    )

    await bot.chat.deliver_due(clock())

    assert bot.platform.texts()


async def test_what_waits_of_a_channel_that_is_paused_as_its_turn_comes_is_not_told(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", PlatformDown("down"), False)]
    await bot.chat.deliver_due(clock())
    clock.advance(minutes=2)
    claim = bot.store.deliveries.claim
    pause = partial(replace, paused=Phrase.as_written("paused by ada"))

    async def paused_before(*given: object) -> object:
        await bot.store.subscriptions.change(CHANNEL, lambda now: pause(now) if now else None)
        return await claim(*given)  # type: ignore[arg-type]  # as they are

    monkeypatch.setattr(bot.store.deliveries, "claim", paused_before)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts() == []

    monkeypatch.undo()
    await bot.store.subscriptions.change(
        CHANNEL, lambda current: replace(current, paused=NOTHING) if current else None
    )
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts()


async def test_a_channel_that_is_paused_while_its_morning_fails_is_no_error_of_ours(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.subscribe()
    bot.forge.down[KILN] = CouldNotLook("no network")
    pause = partial(replace, paused=Phrase.as_written("paused by ada"))

    async def paused_meanwhile(channel: Channel, **wanted: object) -> tuple[()]:
        await bot.store.subscriptions.change(channel, lambda now: pause(now) if now else None)
        return ()

    monkeypatch.setattr(bot.platform, "unmet", paused_meanwhile)
    with capture_logs() as logged:
        await bot.chat.deliver_due(clock())

    assert [each for each in logged if each["log_level"] == "error"] == []
    assert "no network" in english((await bot.subscription()).last_error)


async def test_what_is_sent_before_its_time_is_looked_for_where_it_was_sent(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.subscribe()
    bot.platform.faults = [unknown(done=True)]
    find, looked_since = bot.platform.find, []

    async def finding(
        channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        looked_since.append(since)
        return await find(channel, nonce, parent=parent, since=since)

    monkeypatch.setattr(bot.platform, "find", finding)
    await bot.chat.deliver_due(clock() + timedelta(days=2))

    assert looked_since
    assert all(since is None or since <= clock() for since in looked_since)


async def test_a_reminder_stays_in_a_roundup_that_gets_its_links(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe(repos=(KILN, LOOM))
    await keep(bot, flagged())

    await bot.chat.deliver_due(clock())

    roundup = bot.platform.said[CHANNEL][0]
    assert "https://chat.example/" in roundup.payload
    assert "Mend it" in roundup.payload


async def test_a_message_about_what_is_flagged_already_shows_it(bot: Bot, clock: SetClock) -> None:
    key = ITEM.replace("1101", "1100")
    await bot.subscribe()
    await keep(bot, replace(flagged(), item_key=key))

    await bot.chat.deliver_due(clock())
    item = bot.platform.reply("CVE-2026-1100")
    assert item.state == "🚩 flagged by ada"

    await bot.chat.press(Press(ActionKind.TAKE, key, BO_HERE, item.ref, clock()))
    assert item.state == "🚩 flagged by ada · 👀 taken by bo"
    assert len(await bot.store.followups.of(CHANNEL)) == 1


async def test_a_flag_that_comes_while_a_reminder_is_planned_is_not_lost(
    bot: Bot, clock: SetClock
) -> None:
    subscription = await bot.subscribe()
    slot = due(subscription, clock())
    assert slot
    seen = flagged()
    await keep(bot, flagged(seen, BO))
    claimed = await bot.store.deliveries.claim(
        slot, CHANNEL, "first", clock(), clock() + timedelta(minutes=1)
    )
    assert claimed
    reminded = replace(seen, nudged_at=slot.due_at)

    await bot.store.deliveries.plan(claimed, [], [reminded], complete=True)

    (kept,) = await bot.store.followups.of(CHANNEL)
    assert kept.flagged_by == {ADA.id, BO.id}
    assert kept.nudged_at == slot.due_at
    await bot.store.deliveries.finish(claimed, lambda now: now)
    (kept,) = await bot.store.followups.of(CHANNEL)
    assert kept.nudged_at == slot.due_at


async def test_a_reminder_that_nobody_saw_is_given_with_the_next_morning(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    await keep(bot, flagged())
    bot.platform.faults = [("send", PlatformDown("down"), False)]
    await bot.chat.deliver_due(clock())
    clock.advance(days=1)

    await bot.chat.deliver_due(clock())

    assert "Mend it" in bot.platform.said[CHANNEL][0].payload
    clock.advance(days=1)
    count = len(bot.platform.said[CHANNEL])
    await bot.chat.deliver_due(clock())
    assert "Mend it" not in bot.platform.said[CHANNEL][count].payload


async def test_a_button_that_came_from_elsewhere_shows_nothing_of_a_hidden_repository(
    bot: Bot, clock: SetClock
) -> None:
    value = f"{SECRET}|{at(11).timestamp():.0f}-{at(12).timestamp():.0f}|UTC|2026-02-11"
    for channel, is_hidden in ((CHANNEL, False), (OTHER, True)):
        told = await bot.chat.press(
            Press(ActionKind.SHOW_ALL, value, Visit(channel, ADA), "1.0", clock())
        )
        assert told
        assert told.failed == is_hidden
        assert ("it is private: check the name" in told.parts[0].summary) == is_hidden
