"""A morning reaches its channel whole and once, whatever fails on the way."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import count

import pytest

from bot.answer.button_handler import Press
from bot.compose.chat_reply import ChatReply
from bot.deliver.planning import BLIND_TRIES, PATIENT_TRIES, PAUSES
from bot.model.channel_commands import Quiet
from bot.model.channels import Person, Platform, Visit
from bot.model.parts import ActionKind
from bot.model.ports import (
    ChannelGone,
    NoPermission,
    PlatformDown,
    PublishError,
    TokenRevoked,
)
from digest.errors import Unreachable
from digest.phrase import NOTHING
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import (
    ADA,
    CHANNEL,
    KILN,
    LOOM,
    OTHER,
    SECRET,
    Transcript,
    at,
    unknown,
)
from tests.bot.talking import typed
from tests.conftest import SetClock, on_both_databases
from tests.phrases import english


@on_both_databases
async def test_a_slot_is_told_once_however_often_it_is_looked_at(bot: Bot) -> None:
    await bot.subscribe()

    for minute in range(5):
        await bot.chat.deliver_due(morning() + timedelta(minutes=minute))

    texts = bot.platform.texts()
    assert len(texts) == len(set(texts))
    assert [label for _, label in bot.forge.asked] == ["2026-02-10..2026-02-11"]


async def test_in_one_thread_the_roundup_links_to_where_each_repository_begins(bot: Bot) -> None:
    await bot.subscribe(repos=(KILN, LOOM), one_thread=True)

    await bot.chat.deliver_due(morning())

    roundup, *replies = bot.platform.said[CHANNEL]
    assert {each.parent for each in replies} == {roundup.ref}
    begins = [each.ref for each in replies if each.text.startswith(("kiln", "loom"))]
    linked = [each.ref for each in replies if f"/C1/{each.ref}'" in roundup.payload]
    assert linked == begins
    assert len(begins) == 2


async def test_who_comes_to_have_three_repositories_is_offered_one_thread(bot: Bot) -> None:
    button = ["set_up", "subscribe one thread"]
    await typed(bot, "subscribe example-org/kiln example-org/loom tz UTC")
    assert all(button not in each.buttons for each in bot.platform.said[CHANNEL])
    await typed(bot, "subscribe vllm")

    offered = next(each for each in bot.platform.said[CHANNEL] if button in each.buttons)

    async def press(value: str, person: Person) -> ChatReply | None:
        pressed = Press(ActionKind.SET_UP, value, Visit(CHANNEL, person), offered.ref, morning())
        return await bot.chat.press(pressed)

    member = replace(ADA, platform=Platform.DISCORD)
    for value in (button[1], "channel"):
        refused = await press(value, member)
        assert refused
        assert refused.failed, "on Discord a button asks nobody for a permission"
    assert not (await bot.subscription()).one_thread
    for presses in (replace(member, may_manage=True), ADA):
        await press(button[1], presses)
        assert (await bot.subscription()).one_thread


async def test_a_quiet_day_that_wants_nothing_is_over_without_a_message(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.changes = 0
    await bot.subscribe(quiet=Quiet.NOTHING)

    await bot.chat.deliver_due(morning())

    assert bot.platform.texts() == []
    assert (await bot.subscription()).last_delivered_date == morning().date()


@pytest.mark.parametrize("done", [True, False])
async def test_a_lost_answer_is_looked_for_before_anything_is_sent_again(
    bot: Bot, done: bool
) -> None:
    await bot.subscribe()
    bot.platform.faults = [unknown(done=done), unknown(done=done)]

    await bot.chat.deliver_due(morning())

    texts = bot.platform.texts()
    assert len(texts) == len(set(texts)) > 1
    assert len({each.nonce for each in bot.platform.said[CHANNEL]}) == len(texts)


@pytest.mark.parametrize("error", [PlatformDown("down"), TokenRevoked("down")])
async def test_what_may_pass_is_tried_again_with_growing_pauses_and_not_before(
    bot: Bot, clock: SetClock, error: PublishError
) -> None:
    await bot.subscribe()
    waits = []
    for _ in PAUSES[:3]:
        bot.platform.faults = [("send", error, False)]
        await bot.chat.deliver_due(clock())
        (waiting,) = (await bot.store.deliveries.unfinished()).values()
        assert waiting.retry_at
        waits.append(waiting.retry_at - clock())
        clock.now = waiting.retry_at - timedelta(seconds=1)
        await bot.chat.deliver_due(clock())
        clock.now = waiting.retry_at
    after = await bot.subscription()
    assert (english(after.paused), english(after.last_error)) == ("", "down")
    assert bot.platform.texts() == []

    await bot.chat.deliver_due(clock())

    assert waits == list(PAUSES[:3])
    assert bot.platform.texts()
    assert english((await bot.subscription()).last_error) == ""


@pytest.mark.parametrize("error", [ChannelGone("gone: choose another"), NoPermission("invite me")])
async def test_a_channel_that_cannot_be_reached_is_paused_and_its_subscriber_told_once(
    bot: Bot, clock: SetClock, error: ChannelGone | NoPermission
) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER)
    bot.platform.faults = [("send", error, False)]

    for _ in range(3):
        await bot.chat.deliver_due(clock())
        clock.advance(minutes=5)

    paused = await bot.subscription()
    working = await bot.subscription(OTHER)
    if working.paused:
        paused, working = working, paused
    assert english(paused.paused) == str(error)
    assert working.last_delivered_date == morning().date()
    assert len(bot.platform.told) == 1
    person, text = bot.platform.told[0]
    assert person == "U1"
    assert str(error) in text


async def test_who_subscribes_again_gets_the_rest_of_the_thread(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", NoPermission("invite me"), False)]
    bot.platform.step = _after(bot, "sent", 2)
    await bot.chat.deliver_due(clock())
    begun = bot.platform.texts()
    bot.platform.step = lambda name: None

    clock.advance(days=3)
    await bot.store.subscriptions.change(
        CHANNEL, lambda current: replace(current, paused=NOTHING) if current else None
    )
    await bot.chat.deliver_due(clock())

    texts = bot.platform.texts()
    assert texts[: len(begun)] == begun
    assert len(texts) == len(set(texts)) > len(begun)


def _after(bot: Bot, name: str, times: int) -> Callable[[str], None]:
    """Let nothing fail until something happened some times."""
    faults, bot.platform.faults = bot.platform.faults, []
    seen = count(1)

    def step(happened: str) -> None:
        if happened == name and next(seen) == times:
            bot.platform.faults = faults

    return step


async def test_a_repository_that_cannot_be_looked_at_is_waited_for_then_told_as_such(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.down[LOOM] = Unreachable("GitHub hangs")
    yesterday = {"last_delivered_date": date(2026, 2, 11), "last_delivered_end": at(11)}
    await bot.subscribe(repos=(KILN, LOOM), **yesterday)

    for tries in range(PATIENT_TRIES):
        await bot.chat.deliver_due(clock())
        assert bot.platform.texts() == []
        assert "GitHub hangs" in english((await bot.subscription()).last_error)
        clock.advance(seconds=PAUSES[tries].total_seconds())
    await bot.chat.deliver_due(clock())

    assert "GitHub hangs" in bot.platform.said[CHANNEL][0].payload


@on_both_databases
async def test_days_that_nobody_could_look_at_are_told_with_the_next_one(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.down[KILN] = Unreachable("GitHub hangs")
    await bot.subscribe()
    for tries in range(BLIND_TRIES + 1):
        await bot.chat.deliver_due(clock())
        clock.advance(seconds=PAUSES[min(tries, len(PAUSES) - 1)].total_seconds())
    assert "GitHub hangs" in bot.platform.said[CHANNEL][0].payload
    bot.forge.down.clear()
    clock.now = morning(13)

    await bot.chat.deliver_due(clock())

    assert bot.forge.asked[-1] == (KILN, "2026-02-10..2026-02-12")


async def test_a_thread_that_never_began_is_told_with_the_next_one(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", PlatformDown("down"), False)]
    await bot.chat.deliver_due(clock())
    clock.advance(days=2)

    await bot.chat.deliver_due(clock())
    await bot.chat.deliver_due(clock())

    texts = bot.platform.texts()
    assert len([each for each in bot.platform.said[CHANNEL] if each.parent is None]) == 1
    assert len(texts) == len(set(texts))
    assert (await bot.subscription()).last_delivered_end == at(14)


async def test_a_private_repository_is_told_only_where_it_is_allowed(bot: Bot) -> None:
    await bot.subscribe(repos=(SECRET,))
    await bot.subscribe(OTHER, repos=(SECRET, KILN))

    await bot.chat.deliver_due(morning())

    assert any("vault" in text for text in bot.platform.texts())
    elsewhere = "".join(each.payload for each in bot.platform.said[OTHER])
    assert "vault" not in elsewhere
    assert "1 repository may not be told here" in elsewhere
    assert "INFRA_PRIVATE_REPOS" in english((await bot.subscription(OTHER)).last_error)


@on_both_databases
async def test_a_delivery_of_a_channel_that_unsubscribed_is_forgotten(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.platform.faults = [("send", PlatformDown("down"), False)]
    await bot.chat.deliver_due(clock())
    await bot.store.subscriptions.change(CHANNEL, lambda current: None)

    assert await bot.store.deliveries.unfinished() == {}
    again = await bot.subscribe()
    assert again.id != 1
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts()


async def test_what_would_be_told_is_shown_without_a_trace(bot: Bot) -> None:
    await bot.subscribe(repos=(KILN, LOOM))

    (told,) = await bot.delivering.previews(morning())

    assert len(told.threads) == 3
    assert bot.platform.said == {}
    assert await bot.store.deliveries.unfinished() == {}


async def test_a_token_that_nobody_set_leaves_its_channels_alone(
    sqlite_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    async with open_bot(sqlite_url, clock, platform) as bot:
        elsewhere = replace(CHANNEL, platform=Platform.DISCORD)
        await bot.subscribe(elsewhere)
        await bot.subscribe()

        await bot.chat.deliver_due(clock())

        assert english((await bot.subscription(elsewhere)).last_error) == ""
        assert list(platform.said) == [CHANNEL]


async def test_a_zone_that_is_not_known_any_more_is_told_by_its_subscription_alone(
    sqlite_url: str, clock: SetClock
) -> None:
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        await bot.subscribe(tz="Mars/Olympus")
        await bot.subscribe(OTHER)

        await bot.chat.deliver_due(clock())

        assert "Mars/Olympus" in english((await bot.subscription()).last_error)
        assert bot.platform.texts(OTHER)


async def test_a_repository_that_was_private_once_is_told_to_no_channel_until_it_is_listed(
    bot: Bot,
) -> None:
    await bot.subscribe(repos=(KILN, LOOM))
    await bot.store.hidden.hide({str(LOOM).lower()}, at(11))
    await bot.chat.deliver_due(at(12, 9))
    said = "\n".join(bot.platform.texts())
    assert "kiln" in said
    assert "in loom" not in said
    assert all(repo != LOOM for repo, _ in bot.forge.asked)
    await bot.store.hidden.show({str(LOOM).lower()})
    assert await bot.store.hidden.all() == frozenset()
