"""What becomes of a followed item is told once, and who left owns nothing."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.answer.button_handler import MenuMessage, Press
from bot.followups import upstream_checks
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.concerns import Concern
from bot.model.followups import ReactionKind
from bot.model.parts import ActionKind, Part, PartKind
from bot.model.ports import (
    ChannelGone,
    MayNotLook,
    Message,
    MessageGone,
    NoPermission,
    PlatformDown,
    PublishError,
    Refused,
)
from bot.store import tagged
from bot.store.followups import OpenFollowUps
from bot.store.tables import CORRECTIONS, FOLLOW_UPS, columns
from digest.concern.surface import Surface, SurfaceWords
from digest.errors import Unreachable
from digest.languages import Language
from digest.models import Repo, State
from digest.phrase import NOTHING
from digest.store.database import execute
from digest.upstream import Followed, Standing
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import (
    ADA,
    ADA_HERE,
    BO,
    BO_HERE,
    CHANNEL,
    KILN,
    LOOM,
    SECRET,
    Killed,
    Said,
    at,
    unknown,
)
from tests.bot.talking import line, listed, react, typed
from tests.conftest import SetClock, on_both_databases

REVERTED = Standing(State.MERGED, reverted_by="#9")
RELEASED = Standing(State.MERGED, release="v1.2")


async def look(bot: Bot, clock: SetClock, minutes: int = 41) -> None:
    clock.advance(minutes=minutes)
    bot.chat.tick(clock())
    await bot.chat.settle()
    bot.chat.tick(clock())
    await bot.chat.settle()


async def flagged(bot: Bot) -> tuple[Said, str]:
    """Flag the first item that has a message of its own; give it and the item's key."""
    own = next(each for each in bot.platform.said[CHANNEL] if _key(each))
    await react(bot, ReactionKind.FLAG, own)
    return own, _key(own)


def _key(said: Said) -> str:
    flags = [value for kind, value in said.buttons if kind == "flag"]
    return flags[0] if flags else ""


def news(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[CHANNEL] if each.text.startswith("↗")]


async def test_what_becomes_of_an_item_is_told_once_in_its_thread(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    assert news(told) == []

    told.forge.standing[key] = RELEASED
    for _ in range(4):
        await look(told, clock)

    (said,) = news(told)
    assert "v1.2" in said.text
    assert said.parent == own.parent
    assert "v1.2" in own.state
    assert "flagged by" in said.state
    assert "v1.2" not in said.state, "the message itself says so"


async def test_a_state_that_flips_is_told_at_most_once_in_an_hour(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    for state in (State.CLOSED, State.OPEN, State.CLOSED, State.OPEN, State.CLOSED):
        told.forge.standing[key] = Standing(state)
        await look(told, clock, minutes=11)
    assert len(news(told)) <= 1

    await look(told, clock, minutes=61)
    await look(told, clock, minutes=61)

    assert "closed" in news(told)[-1].text
    assert len(news(told)) <= 2


async def test_what_is_done_and_settled_is_looked_at_no_more(told: Bot, clock: SetClock) -> None:
    own, key = await flagged(told)
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    await react(told, ReactionKind.DONE, own, second=9)
    for _ in range(5):
        await look(told, clock, minutes=13 * 60)
    looks = len(told.forge.looks)

    for _ in range(3):
        await look(told, clock, minutes=13 * 60)

    assert len(told.forge.looks) == looks
    assert await told.store.followups.due(clock(), [Platform.SLACK], 9) == ()


async def test_whoever_watches_hears_of_it_alone_until_it_is_released(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    reply = await told.chat.press(Press(ActionKind.WATCH, key, ADA_HERE, "", clock()))
    assert reply

    told.forge.standing[key] = RELEASED
    await look(told, clock)
    told.forge.standing[key] = replace(RELEASED, reverted_by="#9")
    await look(told, clock, minutes=90)

    assert len(told.platform.said[replace(CHANNEL, id=f"D{ADA.id}")]) == 1
    assert len(news(told)) == 2


@pytest.mark.parametrize(
    ("step", "fault", "comes"),
    [
        ("direct", PlatformDown("away"), True),
        ("direct", NoPermission("no messages"), False),
        ("send", NoPermission("no messages"), False),
    ],
)
async def test_a_watcher_is_told_later_and_one_who_takes_no_messages_keeps_no_other_waiting(
    told: Bot, clock: SetClock, step: str, fault: PublishError, comes: bool
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    for each in (ADA, BO):
        await told.chat.press(Press(ActionKind.WATCH, key, Visit(CHANNEL, each), "", clock()))
    told.forge.standing[key] = RELEASED
    told.platform.faults = [("direct", fault, False)]
    if step == "send":
        told.platform.closed = {f"D{ADA.id}"}
        told.platform.faults = []
    for _ in range(3):
        await look(told, clock)

    assert len(told.platform.said[replace(CHANNEL, id=f"D{BO.id}")]) == 1
    assert bool(told.platform.said.get(replace(CHANNEL, id=f"D{ADA.id}"))) is comes
    assert len(news(told)) == 1


REOPENED = Standing(State.OPEN)
"""News after which whoever watches goes on watching."""


async def watched(bot: Bot, clock: SetClock) -> str:
    """Flag an item that ada and bo watch; give its key."""
    _, key = await flagged(bot)
    await look(bot, clock)
    for each in (ADA, BO):
        await bot.chat.press(Press(ActionKind.WATCH, key, Visit(CHANNEL, each), "", clock()))
    return key


async def watchers(bot: Bot) -> frozenset[str]:
    (followup,) = await bot.store.followups.of(CHANNEL)
    return followup.watchers


def alone(bot: Bot, person: Person) -> list[Said]:
    return bot.platform.said.get(replace(CHANNEL, id=f"D{person.id}"), [])


async def change_following(bot: Bot, key: str, **changed: object) -> None:
    def change(ledger: OpenFollowUps) -> None:
        current = ledger.followup(key)
        assert current
        assert current.following
        following = replace(current.following, **changed)  # type: ignore[arg-type]  # by name
        ledger.save(replace(current, following=following))

    await bot.store.followups.change(CHANNEL, change)


async def test_who_watches_is_told_also_where_something_else_is_to_be_said_meanwhile(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await watched(told, clock)
    told.forge.standing[key] = REOPENED
    direct = told.platform.direct
    lines: list[int | None] = []

    async def overtaken(channel: Channel, person: str) -> Channel:
        if not lines:
            (followup,) = await told.store.followups.of(CHANNEL)
            assert followup.following
            part = Part(PartKind.NEWS, (), summary="bo is not here any more")
            posts = await told.store.posts.add(
                told.upstream.sharing.drawn((part,), Language.EN, CHANNEL, None)
            )
            lines.extend(each.id for each in posts)
            saying = (*followup.following.saying, *lines)
            await change_following(told, key, saying=saying)
        return await direct(channel, person)

    monkeypatch.setattr(told.platform, "direct", overtaken)
    for _ in range(4):
        await look(told, clock)

    assert lines
    for each in (ADA, BO):
        (said,) = alone(told, each)
        assert "open" in said.text
    assert await watchers(told) == {ADA.id, BO.id}
    assert len(news(told)) == 1


async def test_nobody_is_struck_off_where_nothing_is_left_to_tell_them(
    told: Bot, clock: SetClock
) -> None:
    key = await watched(told, clock)
    await change_following(told, key, hears=(ADA.id, BO.id))
    for _ in range(2):
        await look(told, clock)
    assert await watchers(told) == {ADA.id, BO.id}

    told.forge.standing[key] = REOPENED
    for _ in range(3):
        await look(told, clock)
    assert [len(alone(told, each)) for each in (ADA, BO)] == [1, 1]


@pytest.mark.parametrize("step", ["direct", "send"])
@pytest.mark.parametrize("fault", [PlatformDown("away"), NoPermission("no messages")])
async def test_who_is_not_reached_waits_alone_and_who_takes_nothing_watches_no_more(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch, step: str, fault: PublishError
) -> None:
    key = await watched(told, clock)
    asked = getattr(told.platform, step)
    is_for_good = isinstance(fault, NoPermission)
    tries: list[str] = []

    async def failing(channel: Channel, *given: str, **chosen: str | None) -> object:
        if ADA.id in (channel.id.removeprefix("D"), *given):
            tries.append(step)
            if is_for_good or len(tries) == 1:
                raise fault
        return await asked(channel, *given, **chosen)

    monkeypatch.setattr(told.platform, step, failing)
    told.forge.standing[key] = REOPENED
    for minutes in (1, 31):
        clock.advance(minutes=minutes)
        await told.upstream.look(clock())
    assert [len(alone(told, each)) for each in (ADA, BO)] == [0, 1]

    for _ in range(3):
        await look(told, clock)
    assert [len(alone(told, each)) for each in (ADA, BO)] == [0 if is_for_good else 1, 1]
    assert await watchers(told) == ({BO.id} if is_for_good else {ADA.id, BO.id})
    before = len(tries)
    told.forge.standing[key] = REVERTED
    for _ in range(4):
        await look(told, clock)
    assert (len(tries) == before) is is_for_good
    assert len(alone(told, BO)) == 2


@pytest.mark.parametrize("fault", [PlatformDown("away"), NoPermission("lacks users:read")])
async def test_nobody_is_struck_off_while_a_platform_does_not_say_who_they_are(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch, fault: PublishError
) -> None:
    key = await watched(told, clock)
    private = {KILN: frozenset({"slack:T1"})}
    monkeypatch.setitem(vars(told.planning.visibility), "private", private)
    told.platform.faults = [("is_stranger", fault, False)]
    told.forge.standing[key] = REOPENED
    for _ in range(3):
        await look(told, clock)

    assert told.platform.faults == []
    assert [len(alone(told, each)) for each in (ADA, BO)] == [1, 1]
    assert await watchers(told) == {ADA.id, BO.id}


@pytest.mark.parametrize(
    ("step", "fault"), [("direct", Refused("nobody")), ("send", PlatformDown("away"))]
)
async def test_who_is_never_reached_keeps_no_news_from_the_channel_for_longer_than_a_day(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch, step: str, fault: PublishError
) -> None:
    key = await watched(told, clock)
    asked = getattr(told.platform, step)

    async def failing(channel: Channel, *given: str, **chosen: str | None) -> object:
        if ADA.id in (channel.id.removeprefix("D"), *given):
            raise fault
        return await asked(channel, *given, **chosen)

    monkeypatch.setattr(told.platform, step, failing)
    told.forge.standing[key] = REOPENED
    for _ in range(30):
        await look(told, clock, minutes=60)
    told.forge.standing[key] = RELEASED
    for _ in range(3):
        await look(told, clock)

    assert [len(alone(told, each)) for each in (ADA, BO)] == [0, 2]
    assert [word in news(told)[-1].text for word in ("v1.2", "merged")] == [True, True]


@pytest.mark.parametrize("step", ["direct", "send"])
async def test_what_comes_while_one_watcher_waits_is_told_to_all_others_at_once(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    key = await watched(told, clock)
    requested, away = getattr(told.platform, step), True

    async def failing(channel: Channel, *given: str, **chosen: str | None) -> object:
        if away and ADA.id in (channel.id.removeprefix("D"), *given):
            raise PlatformDown("away")
        return await requested(channel, *given, **chosen)

    monkeypatch.setattr(told.platform, step, failing)
    told.forge.standing[key] = REOPENED
    for _ in range(2):
        await look(told, clock)
    told.forge.standing[key] = REVERTED
    for _ in range(4):
        await look(told, clock)

    shown = next(each for each in told.platform.said[CHANNEL] if _key(each) == key)
    assert ["open" in news(told)[0].text, "#9" in news(told)[1].text] == [True, True]
    assert "#9" in shown.state
    assert [len(alone(told, each)) for each in (ADA, BO)] == [0, 2]

    away = False
    for _ in range(3):
        await look(told, clock)
    assert [each.text for each in alone(told, ADA)] == [each.text for each in alone(told, BO)]
    assert len(news(told)) == 2
    assert await watchers(told) == frozenset()


async def test_what_comes_back_again_while_a_watcher_waits_is_told_each_time(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await watched(told, clock)
    direct, away = told.platform.direct, True

    async def failing(channel: Channel, person: str) -> Channel:
        if away and person == ADA.id:
            raise PlatformDown("away")
        return await direct(channel, person)

    monkeypatch.setattr(told.platform, "direct", failing)
    for state in (State.OPEN, State.CLOSED, State.OPEN):
        told.forge.standing[key] = Standing(state)
        for _ in range(3):
            await look(told, clock, minutes=61)
    away = False
    for _ in range(3):
        await look(told, clock)

    assert len(alone(told, BO)) == 3
    assert [each.text for each in alone(told, ADA)] == [each.text for each in alone(told, BO)]


async def test_who_became_a_guest_while_their_message_waits_hears_of_nothing_private(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await watched(told, clock)
    private = {KILN: frozenset({"slack:T1"})}
    monkeypatch.setitem(vars(told.planning.visibility), "private", private)
    send, away = told.platform.send, True

    async def failing(channel: Channel, *given: str, **chosen: str | None) -> str:
        if away and channel.id == f"D{ADA.id}":
            raise PlatformDown("away")
        return await send(channel, *given, **chosen)  # type: ignore[arg-type]  # as it is

    monkeypatch.setattr(told.platform, "send", failing)
    told.forge.standing[key] = RELEASED
    for _ in range(2):
        await look(told, clock)
    assert [len(alone(told, each)) for each in (ADA, BO)] == [0, 1]
    away = False
    told.platform.strangers = {ADA.id}
    for _ in range(3):
        await look(told, clock)

    assert [len(alone(told, each)) for each in (ADA, BO)] == [0, 1]


async def test_who_watches_in_their_conversation_with_the_bot_is_told_once(
    bot: Bot, clock: SetClock
) -> None:
    direct = replace(CHANNEL, id=f"D{ADA.id}")
    await bot.chat.answer_text("subscribe example-org/kiln tz UTC", Visit(direct, ADA))
    await bot.chat.settle()
    own = next(each for each in bot.platform.said[direct] if _key(each))
    await react(bot, ReactionKind.FLAG, own, channel=direct)
    await look(bot, clock)
    await bot.chat.press(Press(ActionKind.WATCH, _key(own), Visit(direct, ADA), "", clock()))
    before = len(bot.platform.said[direct])
    bot.forge.standing[_key(own)] = REOPENED
    for _ in range(4):
        await look(bot, clock)

    assert len(bot.platform.said[direct]) == before + 1
    followups = await bot.store.followups.of(direct)
    assert [each.watchers for each in followups] == [{ADA.id}]


async def test_a_line_that_names_other_items_is_not_for_who_watches_one(
    told: Bot, clock: SetClock
) -> None:
    key = await watched(told, clock)
    line = Part(PartKind.NEWS, (), about=(f"{SECRET}:pull_request:7", key), summary="of the vault")
    drawn = told.upstream.sharing.drawn((line,), Language.EN, CHANNEL, None)
    kept = await told.store.posts.add(drawn)
    saying = tuple(each.id for each in kept)
    await change_following(told, key, saying=saying, hears=(ADA.id,))
    for _ in range(2):
        await look(told, clock)

    assert told.platform.one("of the vault")
    assert alone(told, ADA) == []
    assert await watchers(told) == {ADA.id, BO.id}


@on_both_databases
async def test_what_is_flagged_again_while_others_are_looked_at_is_followed(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, other, *_ = (each for each in told.platform.said[CHANNEL] if _key(each))
    await react(told, ReactionKind.FLAG, other)
    await look(told, clock)
    await react(told, ReactionKind.FLAG, again)
    await react(told, ReactionKind.FLAG, again, added=False, second=5)
    standings = told.forge.standings

    async def meanwhile(wanted: Sequence[Followed]) -> dict[str, Standing]:
        if wanted[0].releases:
            monkeypatch.setattr(told.forge, "standings", standings)
            await react(told, ReactionKind.FLAG, again, second=9)
        return await standings(wanted)

    monkeypatch.setattr(told.forge, "standings", meanwhile)
    told.forge.standing[_key(again)] = Standing(State.MERGED, release="")
    await look(told, clock)
    told.forge.standing[_key(again)] = RELEASED
    for _ in range(2):
        await look(told, clock)

    assert "v1.2" in again.state


async def test_who_was_told_first_by_a_version_before_is_told_once(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    await told.chat.press(Press(ActionKind.WATCH, key, ADA_HERE, "", clock()))
    told.forge.standing[key] = RELEASED

    def die(name: str) -> None:
        if name == "sent" and alone(told, ADA):
            raise Killed

    told.platform.step = die
    clock.advance(minutes=31)
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None
    await change_following(told, key, hears=(ADA.id, BO.id))
    told.platform.faults = [("find", PlatformDown("away"), False)]
    told.platform.faults += [("direct", PlatformDown("away"), False)]
    for _ in range(4):
        await look(told, clock)

    assert [len(alone(told, each)) for each in (ADA, BO)] == [1, 1]
    assert len(news(told)) == 1


async def test_what_watchers_are_to_be_told_outlives_a_line_whose_thread_was_deleted(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await watched(told, clock)
    send = told.platform.send
    lost: list[Exception] = [PlatformDown("away"), MessageGone("the thread is gone")]

    async def failing(channel: Channel, *given: str, **chosen: str | None) -> str:
        if len(lost) == 2 and channel.id == f"D{ADA.id}":
            raise lost.pop(0)
        if len(lost) == 1 and channel == CHANNEL:
            raise lost.pop()
        return await send(channel, *given, **chosen)  # type: ignore[arg-type]  # as it is

    monkeypatch.setattr(told.platform, "send", failing)
    told.forge.standing[key] = RELEASED
    clock.advance(minutes=31)
    await told.upstream.look(clock())
    assert len(lost) == 1
    (followup,) = await told.store.followups.of(CHANNEL)
    assert followup.following
    part = Part(PartKind.NOTICE, (), about=(key,), summary="bo is not here any more")
    (line,) = await told.store.posts.add(
        told.upstream.sharing.drawn((part,), Language.EN, CHANNEL, "1.0")
    )
    await change_following(told, key, saying=(*followup.following.saying, line.id))
    for _ in range(3):
        await look(told, clock)

    assert lost == []
    assert [len(alone(told, each)) for each in (ADA, BO)] == [1, 1]
    assert len(lines(told)) == 1


async def test_one_line_says_that_an_item_vanished_and_it_is_asked_for_no_more(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    told.forge.standing[key] = Standing(None)
    for _ in range(8):
        await look(told, clock, minutes=13 * 60)

    (said,) = news(told)
    looks = len(told.forge.looks)
    await look(told, clock)

    assert "not there any more" in said.text
    assert len(told.forge.looks) == looks


async def test_a_repository_that_vanished_is_told_once_for_all_that_was_flagged_of_it(
    told: Bot, clock: SetClock
) -> None:
    own = [each for each in told.platform.said[CHANNEL] if _key(each)]
    for each in own:
        await react(told, ReactionKind.FLAG, each)
        told.forge.standing[_key(each)] = Standing(None, is_repo_gone=True)
    for _ in range(4):
        await look(told, clock)

    (said,) = news(told)
    assert f"{KILN} is not there any more" in said.text
    assert len(own) > 1
    assert all("is not there any more" in each.state for each in own)


async def test_news_of_a_thread_that_was_deleted_stand_in_the_channel_once(
    told: Bot, clock: SetClock
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    told.platform.faults.append(("send", MessageGone("the thread is gone"), False))
    for _ in range(3):
        await look(told, clock)

    (said,) = news(told)
    assert said.parent is None


@pytest.mark.parametrize(
    "faults",
    [
        [("send", PlatformDown("down"), False)],
        [unknown(done=True)],
        [unknown(done=False)],
        [unknown(done=True), ("find", MayNotLook("no scope"), False)],
    ],
)
async def test_news_that_could_not_be_sent_are_sent_once(
    told: Bot, clock: SetClock, faults: list[tuple[str, PublishError, bool]]
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    told.platform.faults += faults
    for _ in range(3):
        await look(told, clock)

    assert len(news(told)) == 1


async def test_what_a_platform_would_not_draw_anew_stands_on_the_message_later(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    await look(told, clock, minutes=3 * 24 * 60)
    told.forge.standing[key] = RELEASED
    told.platform.faults += [("edit", PlatformDown("away"), False)] * 3
    await look(told, clock)
    assert "v1.2" in news(told)[0].text
    assert "v1.2" not in own.state

    for _ in range(3):
        await look(told, clock)
    assert "v1.2" in own.state
    assert len(news(told)) == 1


@pytest.mark.parametrize(
    ("step", "time"),
    [("send", 1), ("sent", 1), ("edit", 1), ("edited", 1)]
    + [(step, time) for step in ("send", "sent") for time in (2, 3)],
)
async def test_a_process_killed_while_it_tells_leaves_the_rest_to_the_next(
    chosen_url: str, clock: SetClock, told: Bot, step: str, time: int
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    for each in (ADA, BO):
        await told.chat.press(Press(ActionKind.WATCH, key, Visit(CHANNEL, each), "", clock()))
    left = [time]
    told.forge.standing[key] = RELEASED

    def die(name: str) -> None:
        left[0] -= name == step
        if name == step and not left[0]:
            raise Killed

    told.platform.step = die
    clock.advance(minutes=31)
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None

    clock.advance(minutes=31)
    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as second:
        for _ in range(2):
            await look(second, clock)

    assert len(news(told)) == 1
    assert "v1.2" in own.state
    for each in (ADA, BO):
        (alone,) = told.platform.said[replace(CHANNEL, id=f"D{each.id}")]
        assert "v1.2" in alone.text
        assert alone.buttons == []


async def test_whoever_waits_for_what_is_released_already_is_told_so_at_the_next_look(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    told.forge.standing[key] = RELEASED
    await told.chat.press(Press(ActionKind.WATCH, key, ADA_HERE, "", clock()))
    for _ in range(3):
        await look(told, clock)

    assert "v1.2" in own.state
    assert len(told.platform.said[replace(CHANNEL, id=f"D{ADA.id}")]) == 1
    reply = await told.chat.press(Press(ActionKind.WATCH, key, BO_HERE, "", clock()))
    assert "released in v1.2. There is nothing more to wait for" in line(reply)


async def test_an_issue_is_followed_from_its_fix_to_the_release_that_holds_it(
    told: Bot, clock: SetClock
) -> None:
    key = f"{KILN}:issue:77"
    opened = Standing(State.OPEN)
    told.forge.standing[key] = opened
    fixed = Standing(State.CLOSED, fix="#78", is_fixed=True)
    await told.chat.press(Press(ActionKind.FLAG, key, ADA_HERE, "", clock()))
    for standing in (opened, replace(opened, fix="#78"), fixed, replace(fixed, release="v1.2")):
        told.forge.standing[key] = standing
        for _ in range(4):
            await look(told, clock)

    texts = [each.text for each in news(told)]
    assert [text.split(" · ")[0] for text in texts] == [
        "↗ #78 is to fix it",
        "↗ fixed by #78",
        "↗ released in v1.2",
    ]


PLACES = ["a link", "a message that cannot be drawn anew", "one deleted", "nothing known of it"]


@pytest.mark.parametrize(
    ("place", "step"),
    [*((place, step) for place in PLACES for step in ("send", "sent")), ("one deleted", "edit")],
)
async def test_a_notice_of_a_flag_outlives_the_process_that_kept_it(
    chosen_url: str, clock: SetClock, told: Bot, place: str, step: str
) -> None:
    def die(name: str) -> None:
        if name == step:
            raise Killed

    clock.now = at(12, 11)
    own = told.platform.reply("Stories ·")
    post = await told.store.posts.at(CHANNEL, own.ref)
    assert post
    key = post.message.about[-1]
    assert await told.store.posts.about(CHANNEL, key, 1) == (), "no message tells it alone"
    if place == "one deleted":
        told.platform.faults.append(("edit", MessageGone("gone"), False))
    else:
        if place == "nothing known of it":
            key = f"{KILN}:pull_request:9999"
        message = replace(post.message, about=(key,))
        post = replace(post, id=None, part=None, ref="9.9", nonce="another", message=message)
        await told.store.posts.add([post])
    followups = told.chat.press(
        Press(ActionKind.CHOOSE, f"me|{post.ref}|{key}", ADA_HERE, post.ref, clock())
    )
    if place == "a link":
        followups.close()
        key = f"{KILN}:pull_request:1105"
        link = MenuMessage("7.7", f"https://github.com/{KILN}/pull/1105", own.parent)
        followups = told.chat.flag(ADA_HERE, link, clock())
    told.platform.step = die
    with pytest.raises(Killed):
        await followups
    told.platform.step = lambda name: None

    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as second:
        if step == "edit":
            told.platform.faults.append(("edit", MessageGone("gone"), False))
        for _ in range(3):
            await look(second, clock)

    number = key.rpartition(":")[2]
    said = [each for each in told.platform.said[CHANNEL] if "flagged by" in each.state]
    (notice,) = [each for each in said if number in each.text]
    assert notice.parent == own.parent


async def test_a_pin_that_is_raised_to_the_release_is_told_once(told: Bot, clock: SetClock) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    await typed(told, "concern pins kiln==1.1")
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    assert [("in_pin" in each.text, "v1.2" in each.text) for each in news(told)] == [(False, True)]

    await typed(told, "concern pins kiln==1.3")
    for _ in range(3):
        await look(told, clock, minutes=31)

    _, said = news(told)
    assert "what this channel pins: 1.3" in said.text


async def test_what_a_channel_pins_is_asked_for_once_in_a_look(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [each for each in told.platform.said[CHANNEL] if _key(each)]
    for each in own:
        await react(told, ReactionKind.FLAG, each)
        told.forge.standing[_key(each)] = RELEASED
    words = Surface(words=SurfaceWords(pins=("kiln==1.1",)))
    await told.store.concerns.save(Concern(CHANNEL, "own.toml", words))
    asked: list[Channel] = []

    async def is_shared(channel: Channel, person: str) -> bool:
        asked.append(channel)
        return False

    monkeypatch.setitem(vars(told.planning.visibility), "is_shared", is_shared)
    clock.advance(minutes=11)
    await told.upstream.look(clock())

    assert len(own) > 1
    assert told.forge.looks == [len(own)]
    assert len(asked) == 1


async def test_what_cannot_be_read_keeps_no_other_follow_up_and_no_morning(
    told: Bot, clock: SetClock
) -> None:
    broken, own, *_ = (each for each in told.platform.said[CHANNEL] if _key(each))
    for each in (broken, own):
        await react(told, ReactionKind.FLAG, each)
    await look(told, clock)
    wrong = FOLLOW_UPS.update().where(FOLLOW_UPS.c.item_key == _key(broken)).values(body=b"{}")
    assert await told.digests.database.write(execute(wrong), "") == 1
    place = columns(CHANNEL) | {"item_key": "k", "at": clock(), "shown": False, "body": b"{}"}
    await told.digests.database.write(execute(CORRECTIONS.insert().values(place)), "")
    told.forge.standing[_key(own)] = RELEASED
    for _ in range(2):
        await look(told, clock)

    assert len(news(told)) == 1
    before = len(told.platform.said[CHANNEL])
    clock.now = at(13, 9)
    await told.chat.deliver_due(clock())
    assert len(told.platform.said[CHANNEL]) > before


@pytest.mark.parametrize("goes_on", [True, False])
async def test_a_title_that_says_something_else_is_told_once_and_stands_in_the_list(
    told: Bot, clock: SetClock, goes_on: bool
) -> None:
    own, key = await flagged(told)
    (followup,) = await told.store.followups.of(CHANNEL)
    told.forge.standing[key] = Standing(State.MERGED, title=followup.title)
    await look(told, clock)
    told.forge.standing[key] = Standing(State.MERGED, title="Take the blade out")
    for _ in range(3):
        await look(told, clock)
    if goes_on:
        told.forge.standing[key] = replace(REVERTED, title="Take the blade out")
        for _ in range(3):
            await look(told, clock)

    said = [each.text for each in news(told)]
    assert "its title is now: Take the blade out" in said[0]
    assert ["reverted by" in each for each in said] == [False, True][: 1 + goes_on]
    assert own.text.startswith("⚠ "), "what was told said something else"
    assert "opened again" not in own.state
    assert "Take the blade out" in str((await typed(told, "followups")).parts)
    head = json.loads(own.payload)["all"]
    assert ("reverted by" in head) is goes_on, "the graver correction stands in its place"


async def test_what_was_told_and_is_reverted_is_corrected_where_it_stands_and_next_morning(
    told: Bot, clock: SetClock
) -> None:
    own = next(each for each in told.platform.said[CHANNEL] if _key(each))
    key = _key(own)
    ref = key.rpartition(":")[2]
    for _ in range(3):
        await look(told, clock)
    edits = told.platform.edits

    told.forge.standing[key] = REVERTED
    for _ in range(3):
        await look(told, clock)

    assert own.text.startswith("⚠")
    assert "reverted by" in json.loads(own.payload)["all"]
    names_it = [each for each in told.platform.said[CHANNEL] if f"/pull/{ref}'" in each.payload]
    assert len(names_it) > 1
    assert all("reverted by" in each.payload for each in names_it)
    assert told.platform.edits == edits + len(names_it)
    before = len(told.platform.said[CHANNEL])
    clock.now = at(13, 9)
    await told.chat.deliver_due(clock())
    parent = json.loads(told.platform.said[CHANNEL][before].payload)["all"]
    assert parent.index("reverted by") < parent.index("CVE-2026-1200")
    before = len(told.platform.said[CHANNEL])
    clock.now = at(14, 9)
    await told.chat.deliver_due(clock())
    assert "Corrections" not in told.platform.said[CHANNEL][before].payload


async def test_a_correction_is_shown_at_once_by_the_process_that_goes_on(
    chosen_url: str, clock: SetClock, told: Bot
) -> None:
    own = next(each for each in told.platform.said[CHANNEL] if _key(each))
    told.forge.standing[_key(own)] = REVERTED

    def die(name: str) -> None:
        if name == "edit":
            raise Killed

    told.platform.step = die
    clock.advance(minutes=61)
    of_discord = {"owner": "of Discord", "platforms": (Platform.DISCORD,)}
    async with open_bot(chosen_url, clock, told.platform, **of_discord) as other:
        await other.upstream.look(clock())  # it looked at nothing of Slack's
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None
    clock.advance(minutes=3)
    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as second:
        await second.upstream.look(clock())

    assert own.text.startswith("⚠")


def named_only_with_others(bot: Bot, repo: Repo) -> tuple[str, list[Said]]:
    """Give a change that has no message of its own, and the messages that name it."""
    said = bot.platform.said[CHANNEL]
    own = {_key(each) for each in said}
    for number in range(1100, 1106):
        key = f"{repo}:pull_request:{number}"
        names_it = [each for each in said if f"{repo}/pull/{number}'" in each.payload]
        if key not in own and names_it:
            return key, names_it
    raise AssertionError("every change has a message of its own")


async def test_what_shares_messages_is_corrected_at_its_place_in_each_of_them(
    bot: Bot, clock: SetClock
) -> None:
    await typed(bot, "subscribe example-org/kiln example-org/loom tz UTC")
    key, names_it = named_only_with_others(bot, LOOM)
    roundup = next(each for each in bot.platform.said[CHANNEL] if "2 repositories" in each.text)
    linked = roundup.payload.count("label='thread'")
    await look(bot, clock)
    bot.forge.standing |= {key: REVERTED, f"{LOOM}:pull_request:1100": REVERTED}
    place = f"/pull/{key.rpartition(':')[2]}'), Words(text=' (⚠ ')"

    await look(bot, clock, minutes=60)

    assert all(place in json.loads(each.payload)["all"] for each in names_it)
    assert roundup.payload.count("reverted by") == 1
    assert roundup.payload.count("label='thread'") == linked > 0
    before = len(bot.platform.said[CHANNEL])
    clock.now = at(13, 9)
    await bot.chat.deliver_due(clock())
    assert "Corrections" in bot.platform.said[CHANNEL][before].payload


async def test_what_a_morning_names_is_read_once_however_often_it_is_looked_at(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    load_message = tagged.load_message

    def counted(raw: bytes) -> Message:
        read.append(len(raw))
        return load_message(raw)

    monkeypatch.setattr(tagged, "load_message", counted)
    await look(told, clock, minutes=61)
    once = len(read)
    before = len(told.platform.said[CHANNEL])
    for _ in range(3):
        await look(told, clock, minutes=61)
    assert len(read) == once > 3

    clock.now = at(13, 9)
    await told.chat.deliver_due(clock())
    await look(told, clock, minutes=61)
    assert len(read) - once == len(told.platform.said[CHANNEL]) - before > 3


async def test_of_many_items_that_mornings_named_each_has_its_turn_in_one_of_several_hours(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    standings = told.forge.standings

    async def counted(wanted: Sequence[Followed]) -> dict[str, Standing]:
        asked.append([each.key for each in wanted])
        return await standings(wanted)

    monkeypatch.setattr(told.forge, "standings", counted)
    await look(told, clock, minutes=61)
    (named,) = asked
    monkeypatch.setattr(upstream_checks, "MOST_COMPARED", len(named) // 2)
    asked.clear()
    for _ in range(2):
        await look(told, clock, minutes=60)

    assert all(len(some) < len(named) for some in asked)
    assert sorted(key for some in asked for key in some) == sorted(named)


async def refuse(wanted: object) -> dict[str, Standing]:
    raise Unreachable(NOTHING)


@pytest.mark.parametrize("days", ["weekly", "daily"])
async def test_once_a_week_a_thread_says_what_became_of_what_was_flagged(
    told: Bot, clock: SetClock, days: str
) -> None:
    _, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    await look(told, clock)
    await typed(told, f"subscribe example-org/kiln on {days} tz UTC")

    said = []
    for day in (16, 17, 23):
        before = len(told.platform.said[CHANNEL])
        clock.now = at(day, 9)
        await told.chat.deliver_due(clock())
        mine = told.platform.said[CHANNEL][before:]
        said.append("".join(json.loads(each.payload)["all"] for each in mine))
    became = [text.partition("became of what was flagged")[2] for text in said]
    assert "v1.2" in became[0]
    assert became[1:] == ["", ""]


async def test_a_list_says_age_standing_and_place_and_its_buttons_bring_it_anew(
    told: Bot, clock: SetClock
) -> None:
    own, key = await flagged(told)
    await look(told, clock)
    told.forge.standing[key] = RELEASED
    await look(told, clock, minutes=4 * 24 * 60)

    (part,) = (await typed(told, "followups")).parts
    row = str(part.blocks)
    take = next(each for each in part.actions if each.kind is ActionKind.TAKE)
    anew = await told.chat.press(Press(take.kind, take.value, ADA_HERE, "", clock()))

    assert "3 days" in row
    assert "v1.2" in row
    assert f"https://chat.example/{CHANNEL.id}/{own.ref}" in row
    assert anew
    assert "taken by" in str(anew.parts[0].blocks)


async def test_everywhere_lists_what_is_open_in_the_channels_that_a_person_is_in(
    told: Bot, clock: SetClock
) -> None:
    await flagged(told)
    elsewhere = replace(CHANNEL, id="C9")
    told.platform.members = {CHANNEL: {BO.id}}

    assert "kiln" not in str((await typed(told, "followups everywhere", elsewhere)).parts)
    bos = await typed(told, "followups everywhere", elsewhere, BO)
    assert "kiln" in str(bos.parts), "whoever flagged it"
    assert (await typed(told, "followups everywhere", elsewhere)).parts[0].actions == ()


async def test_a_channel_that_cannot_be_asked_about_keeps_no_other_from_its_news(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = replace(CHANNEL, id="C9")
    first = f"{KILN}:pull_request:900"
    await told.chat.press(Press(ActionKind.FLAG, first, Visit(away, ADA), "", clock()))
    words = Surface(words=SurfaceWords(models=("Qwen3",)))
    await told.store.concerns.save(Concern(away, "own.toml", words))
    await look(told, clock)
    _, key = await flagged(told)
    await look(told, clock)
    is_shared = told.platform.is_shared

    for error in (PlatformDown("down"), ChannelGone("not found")):

        async def lost(channel: Channel, person: str, error: PublishError = error) -> bool:
            if channel == away:
                raise error
            return await is_shared(channel, person)

        monkeypatch.setitem(vars(told.planning.visibility), "is_shared", lost)
        told.forge.standing[first] = replace(RELEASED, release=f"v1.{error}")
        told.forge.standing[key] = replace(RELEASED, release=f"v1.{error}")
        looks = len(told.forge.looks)
        for _ in range(3):
            await look(told, clock, minutes=61)

        assert f"v1.{error}" in news(told)[-1].text
        assert len(told.forge.looks) - looks <= 4, "it is not asked for at every turn"


LEFT = "bo is not here any more"


def lines(bot: Bot) -> list[Said]:
    return [each for each in bot.platform.said[CHANNEL] if LEFT in each.text]


async def taken(bot: Bot) -> list[Said]:
    """Have bo take two items, the first of which ada flagged."""
    own = [bot.platform.reply("CVE-2026-1100"), bot.platform.reply("CVE-2026-1101")]
    await react(bot, ReactionKind.FLAG, own[0])
    for second, each in enumerate(own, start=1):
        await react(bot, ReactionKind.TAKE, each, BO, second=second)
    bot.platform.members = {CHANNEL: {ADA.id, BO.id}}
    return own


async def test_what_somebody_took_who_left_can_be_taken_again_and_that_is_said_once(
    told: Bot, clock: SetClock
) -> None:
    first, second = await taken(told)
    await look(told, clock, minutes=60 * 24 * 8)
    assert lines(told) == []

    told.platform.members = {CHANNEL: {ADA.id}}
    for _ in range(10):
        await look(told, clock, minutes=60 * 24)

    (said,) = lines(told)
    assert said.parent == first.parent
    assert "#1100" in said.payload
    assert "#1101" in said.payload
    assert "taken by" not in first.state
    assert second.state == "🚩 flagged by bo", "it is not lost, although bo alone had it"
    assert "taken by" not in await listed(told)
    key = f"{KILN}:pull_request:1100"
    assert await told.chat.press(Press(ActionKind.TAKE, key, ADA_HERE, said.ref, clock())) is None
    assert "👀 taken by ada" in first.state


@pytest.mark.parametrize("step", ["send", "sent"])
async def test_that_somebody_left_is_said_once_also_by_a_process_that_goes_on(
    chosen_url: str, clock: SetClock, told: Bot, step: str
) -> None:
    first, second = await taken(told)
    told.platform.members = {CHANNEL: {ADA.id}}

    def die(name: str) -> None:
        if name == step:
            raise Killed

    told.platform.step = die
    clock.advance(days=8)
    with pytest.raises(Killed):
        await told.upstream.look(clock())
    told.platform.step = lambda name: None

    async with open_bot(
        chosen_url, clock, told.platform, forge=told.forge, owner="second"
    ) as other:
        for _ in range(3):
            await look(other, clock, minutes=60 * 1)

    assert len(lines(told)) == 1
    assert "taken by" not in first.state
    assert "taken by" not in second.state


async def test_a_line_that_is_kept_while_a_notice_is_posted_is_posted_too(
    told: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = told.platform.reply("Stories ·")
    post = await told.store.posts.at(CHANNEL, own.ref)
    assert post
    key = post.message.about[-1]
    message = replace(post.message, about=(key,))
    post = replace(post, id=None, part=None, ref="9.9", nonce="another", message=message)
    await told.store.posts.add([post])
    send, kept = told.platform.send, []

    async def sending(channel: Channel, *given: str, **chosen: str | None) -> str:
        if not kept:
            part = Part(PartKind.NOTICE, (), summary=LEFT)
            drawn = told.upstream.sharing.drawn((part,), Language.EN, CHANNEL, None)
            kept.extend(each.id for each in await told.store.posts.add(drawn))
            (followup,) = await told.store.followups.of(CHANNEL)
            assert followup.following
            await change_following(told, key, saying=(*followup.following.saying, *kept))
        return await send(channel, *given, **chosen)  # type: ignore[arg-type]  # as it is

    monkeypatch.setattr(told.platform, "send", sending)
    press = Press(ActionKind.CHOOSE, f"me|9.9|{key}", ADA_HERE, "9.9", clock())
    await told.chat.press(press)
    for _ in range(3):
        await look(told, clock)

    assert kept
    assert len(lines(told)) == 1


async def test_nobody_is_taken_to_have_left_where_the_platform_is_silent(
    told: Bot, clock: SetClock
) -> None:
    first, _ = await taken(told)
    told.platform.members = {CHANNEL: {ADA.id}}
    told.platform.faults = [("has_left", PlatformDown("away"), False)]
    await look(told, clock, minutes=60 * 24 * 8)
    assert lines(told) == []
    assert "taken by bo" in first.state

    await look(told, clock, minutes=60 * 24 * 7)

    assert len(lines(told)) == 1
