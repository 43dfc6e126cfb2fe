"""What is kept of channels is claimed once, found by an index and forgotten in time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import date, time, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event

from bot.model.channels import Channel
from bot.model.parts import PartKind
from bot.model.ports import Message, PlatformDown
from bot.model.posts import Delivery, DeliveryState, Post, PostState
from bot.model.slots import Slot, delivered, due
from bot.model.subscriptions import Subscription
from bot.store.deliveries import UNFINISHED
from bot.store.figures import KEPT, Processes, ProcessState, figures
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from bot.store.tables import DELIVERIES, PROCESSES
from digest.languages import Language
from digest.leases import LeaseLost
from digest.phrase import Phrase
from digest.store.database import execute, upgrade
from digest.store.store import open_store
from tests.bot.bot_fixture import Bot, morning, open_bot, subscription
from tests.bot.channels_invented import followup
from tests.bot.platform_fake import ADA_HERE, CHANNEL, OTHER, Transcript, at
from tests.conftest import SetClock

NOW = morning()
UNTIL = NOW + timedelta(seconds=90)
WHEN_OVER = UNTIL + timedelta(seconds=1)
LONG_OVER = WHEN_OVER + timedelta(seconds=90)


@pytest.fixture
async def subscribed(sqlite_url: str) -> AsyncIterator[ChannelStore]:
    """A store that is set up."""
    async with open_store(sqlite_url) as store:
        subscribed = ChannelStore(store.database)
        await subscribed.subscriptions.change(CHANNEL, lambda _: subscription())
        yield subscribed


def slot() -> Slot:
    found = due(subscription(id=1), NOW)
    assert found
    return found


async def test_days_that_somebody_tells_already_are_not_begun_under_another_date(
    subscribed: ChannelStore,
) -> None:
    tomorrow = due(subscription(id=1), NOW + timedelta(days=1))
    assert tomorrow
    assert tomorrow.window.start == slot().window.start
    claimed = await subscribed.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert claimed

    assert await subscribed.deliveries.claim(tomorrow, CHANNEL, "second", NOW, UNTIL) is None

    await subscribed.deliveries.finish(claimed, lambda now: delivered(now, slot()) if now else None)
    assert await subscribed.deliveries.claim(tomorrow, CHANNEL, "second", NOW, UNTIL) is None


@pytest.mark.parametrize(
    "became", [None, subscription(paused=Phrase.as_written("on holiday"))], ids=["gone", "paused"]
)
async def test_what_nobody_wants_any_more_is_not_begun(
    subscribed: ChannelStore, became: Subscription | None
) -> None:
    await subscribed.subscriptions.change(CHANNEL, lambda _: became)

    assert await subscribed.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL) is None


@pytest.mark.parametrize("over", ["told", "superseded"])
async def test_what_is_over_is_never_claimed_again(subscribed: ChannelStore, over: str) -> None:
    claimed = await subscribed.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert claimed
    if over == "told":
        await subscribed.deliveries.finish(claimed, lambda now: now)
    else:
        await subscribed.deliveries.supersede(claimed)

    for owner in ("first", "second"):
        assert (
            await subscribed.deliveries.claim(slot(), CHANNEL, owner, WHEN_OVER, LONG_OVER) is None
        )


Change = Callable[[ChannelStore, Delivery], Awaitable[object]]
CHANGES: dict[str, Change] = {
    "renew": lambda subscribed, lost: subscribed.deliveries.renew(lost, LONG_OVER),
    "plan": lambda subscribed, lost: subscribed.deliveries.plan(lost, [], [], complete=False),
    "wait": lambda subscribed, lost: subscribed.deliveries.wait(lost, 3, LONG_OVER),
    "release": lambda subscribed, lost: subscribed.deliveries.release(lost),
    "finish": lambda subscribed, lost: subscribed.deliveries.finish(lost, lambda now: None),
    "supersede": lambda subscribed, lost: subscribed.deliveries.supersede(lost),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
async def test_who_lost_a_delivery_to_another_changes_nothing_of_it(
    subscribed: ChannelStore, change: Change
) -> None:
    lost = await subscribed.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert lost
    taken_over = await subscribed.deliveries.claim(slot(), CHANNEL, "second", WHEN_OVER, LONG_OVER)

    with pytest.raises(LeaseLost, match="not held any more"):
        await change(subscribed, lost)

    assert list((await subscribed.deliveries.unfinished()).values()) == [taken_over]


def _channels(count: int) -> list[Channel]:
    return [replace(CHANNEL, id=f"C{number}") for number in range(count)]


async def _subscribed(store: ChannelStore, channel: Channel) -> Slot:
    """Subscribe a channel; give the slot that is due there."""
    wanted = subscription(channel=channel)
    kept = await store.subscriptions.change(channel, lambda _: wanted)
    found = due(kept, NOW) if kept else None
    assert found
    return found


async def test_many_who_claim_at_once_have_each_what_they_would_have_alone(
    database_url: str,
) -> None:
    await upgrade(database_url)
    channels = _channels(6)
    async with open_store(database_url) as digests:
        store = ChannelStore(digests.database)
        slots = [await _subscribed(store, channel) for channel in channels]
        deliveries, places = store.deliveries, list(zip(slots, channels, strict=True))
        over, held = [await deliveries.claim(*each, "first", NOW, UNTIL) for each in places[:2]]
        assert over
        assert held
        await deliveries.renew(held, LONG_OVER)
        paused = subscription(channel=channels[2], paused=Phrase.as_written("on holiday"))
        await store.subscriptions.change(channels[2], lambda _: paused)
        await store.subscriptions.change(channels[3], lambda _: None)

        claimed = await asyncio.gather(
            *(deliveries.claim(*each, "second", WHEN_OVER, LONG_OVER) for each in places),
            deliveries.claim(*places[5], "third", WHEN_OVER, LONG_OVER),
        )

        assert [each and each.slot.subscription_id for each in claimed] == [
            slots[0].subscription_id,
            *(None, None, None),
            *(slot.subscription_id for slot in slots[4:]),
            None,
        ]
        assert claimed[0] == replace(over, owner="second", lease_until=LONG_OVER)
        stored = await deliveries.unfinished()
        assert {each for each in claimed if each} <= set(stored.values())
        with pytest.raises(LeaseLost):
            await deliveries.renew(over, LONG_OVER)


def _post(delivery: Delivery, channel: Channel) -> Post:
    message = Message("{}", (), True, PartKind.PARENT)
    return Post(None, delivery.id, channel, 0, 0, message, Language.EN, f"nonce {delivery.id}")


async def test_of_many_who_go_on_at_once_one_that_lost_its_delivery_alone_is_refused(
    database_url: str,
) -> None:
    await upgrade(database_url)
    async with open_store(database_url) as digests:
        store = ChannelStore(digests.database)
        deliveries, claimed = store.deliveries, []
        for channel in _channels(5):
            slot_of = await _subscribed(store, channel)
            claimed.append(await deliveries.claim(slot_of, channel, "first", NOW, UNTIL))
        held = [each for each in claimed if each]
        lost = held[2]
        taken = await deliveries.claim(lost.slot, lost.channel, "second", WHEN_OVER, LONG_OVER)
        assert taken
        (own,) = await deliveries.plan(taken, [_post(taken, lost.channel)], [], complete=True)

        async def all_do(work: Callable[[Delivery], Awaitable[Any]]) -> list[Any]:
            """Let all do something at once; give what those had who hold their deliveries."""
            done = await asyncio.gather(*map(work, held), return_exceptions=True)
            assert [type(one) is LeaseLost for one in done] == [each is lost for each in held]
            return [one for one in done if type(one) is not LeaseLost]

        planned = await all_do(
            lambda one: deliveries.plan(one, [_post(one, one.channel)], [], complete=True)
        )
        posts = {post.channel: post for (post,) in planned} | {lost.channel: own}
        assert len(posts) == len(held)

        await all_do(
            lambda one: deliveries.advance(
                one, replace(posts[one.channel], state=PostState.SENDING)
            )
        )
        states = [(await store.posts.of_delivery(one.id))[0].state for one in held]
        assert [state is PostState.SENDING for state in states] == [
            each is not lost for each in held
        ]

        await all_do(lambda one: deliveries.finish(one, lambda now: now))
        left = list((await deliveries.unfinished()).values())
        assert left == [replace(taken, state=DeliveryState.PLANNED)]


async def test_what_is_flagged_comes_in_one_order_whatever_was_stored_last(
    kept: ChannelStore,
) -> None:
    flagged = [replace(followup(number), channel=CHANNEL) for number in (103, 101, 102, 101)]
    for each in flagged:
        await kept.followups.change(CHANNEL, partial(OpenFollowUps.save, followup=each))

    found = await kept.followups.of(CHANNEL)

    assert [each.item_key for each in found] == sorted({each.item_key for each in flagged})


NOON = at(12, 12)
LATER = NOON + timedelta(seconds=30)


@pytest.fixture
async def kept(database_url: str) -> AsyncIterator[ChannelStore]:
    """A store that is set up."""
    async with open_store(database_url) as store:
        yield ChannelStore(store.database)


async def test_what_one_holds_no_other_takes_until_it_ends(kept: ChannelStore) -> None:
    leases = kept.leases

    assert await leases.take("gateway", "one", NOON, LATER)
    assert not await leases.take("gateway", "two", NOON, LATER)
    assert await leases.take("another", "two", NOON, LATER)
    assert await leases.take("gateway", "one", NOON, LATER)
    assert await leases.take("gateway", "two", LATER, LATER + timedelta(seconds=30))
    assert not await leases.take("gateway", "one", LATER, LATER)


async def test_what_is_let_go_is_free_and_only_ones_own_is(kept: ChannelStore) -> None:
    leases = kept.leases
    await leases.take("gateway", "one", NOON, LATER)

    await leases.release("gateway", "two")
    assert not await leases.take("gateway", "two", NOON, LATER)

    await leases.release("gateway", "one")
    await leases.release("gateway", "one")
    assert await leases.take("gateway", "two", NOON, LATER)


async def test_values_are_found_by_their_short_forms(kept: ChannelStore) -> None:
    values = kept.values

    await values.remember({})
    await values.remember({"~a": "long \ud800 value", "~b": "x" * 5_000})
    await values.remember({"~a": "long \ud800 value"})

    assert await values.recall("~a") == "long \ud800 value"
    assert await values.recall("~b") == "x" * 5_000
    assert await values.recall("~c") is None


async def test_two_who_keep_the_same_values_in_another_order_keep_both(
    kept: ChannelStore,
) -> None:
    some = {f"~{number}": "value" for number in range(50)}
    others = dict(reversed(some.items()))

    for _ in range(50):
        await asyncio.gather(kept.values.remember(some), kept.values.remember(others))


async def test_processes_that_were_silent_for_long_speak_at_once(database_url: str) -> None:
    def state(owner: str, days: int) -> ProcessState:
        seen_at = NOON + days * KEPT
        return ProcessState(owner, "", "1.0", started_at=NOON, seen_at=seen_at)

    async with open_store(database_url) as store:
        processes = Processes(store.database)
        for day in range(0, 240, 2):
            await asyncio.gather(*(processes.speak(state(owner, day)) for owner in ("a", "b")))

        # Who came second forgot the first, which had not spoken yet; it speaks again soon.
        assert await processes.live(NOON + 238 * KEPT)


async def test_moments_are_kept_for_all_and_old_ones_forgotten(kept: ChannelStore) -> None:
    moments = kept.timestamps
    for number in (1, 2):
        await moments.decide(
            ("one", "two"), lambda known, number=number: ({"one": at(number)}, None)
        )
    assert await moments.of("one") == at(2)
    await moments.forget_old(at(2))
    assert await moments.of("one") == at(2)
    await moments.forget_old(at(2).replace(year=2028))
    assert await moments.of("one") is None


async def test_what_is_due_waits_also_where_nobody_has_begun(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER, tz="No/Where")
    database = bot.digests.database

    early = await figures(database, morning() - timedelta(hours=25))
    due = await figures(database, morning() + timedelta(minutes=5))
    await bot.chat.deliver_due(clock())
    told = await figures(database, morning() + timedelta(minutes=5))

    assert (early.waiting, early.waiting_since) == (0, None)
    assert (due.waiting, due.waiting_since) == (1, morning())
    assert (told.waiting, told.waiting_since) == (0, None)
    assert (told.active, told.failing) == (2, 1)


async def test_what_cannot_be_read_is_counted_as_far_as_it_is_known(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER)
    bot.platform.faults = [("send", PlatformDown("away"), False)]
    await bot.chat.deliver_due(clock())
    database = bot.digests.database
    state = ProcessState("me", "", "1", clock(), clock())
    await Processes(database).speak(state)
    await Processes(database).speak(replace(state, owner="another version"))
    assert (await figures(database, clock())).processes == 2
    broken = DELIVERIES.update().where(DELIVERIES.c.state.in_(UNFINISHED)).values(body=b"{}")
    of_another = PROCESSES.update().where(PROCESSES.c.owner != "me").values(body=b"{}")
    for statement in (broken, of_another):
        assert await database.write(execute(statement), "") == 1

    counted = await figures(database, clock())

    assert (counted.active, counted.processes) == (2, 1)
    assert (counted.waiting, counted.waiting_since) == (1, morning())


async def test_nobody_waits_for_a_channel_while_it_is_paused(bot: Bot, clock: SetClock) -> None:
    late: list[float] = []
    bot.delivering.late = late.append
    await bot.subscribe()
    await bot.chat.answer_text("pause", ADA_HERE)
    clock.advance(days=3)
    paused = await figures(bot.digests.database, clock())
    await bot.chat.answer_text("resume", ADA_HERE)
    resumed = clock()
    clock.advance(seconds=40)
    waiting = await figures(bot.digests.database, clock())
    await bot.chat.deliver_due(clock())

    assert (paused.waiting, paused.paused) == (0, 1)
    assert (waiting.waiting, waiting.waiting_since) == (1, resumed)
    assert late == [pytest.approx(40)]


async def test_waiting_deliveries_and_counts_of_messages_read_no_whole_table(
    sqlite_url: str, clock: SetClock
) -> None:
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, given: Any, *___: object) -> None:
        if "FROM delivery" in statement or "FROM post" in statement:
            asked.append((statement, given))

    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        database = bot.digests.database
        assert database.is_sqlite
        event.listen(database._engine, "before_cursor_execute", note)

        await bot.store.deliveries.unfinished()
        await figures(database, clock())

        assert len(asked) >= 4
        for statement, given in tuple(asked):
            plan = await database.read(
                lambda c, s=statement, g=given: c.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {s}", g
                ).all()
            )
            assert "INDEX" in plan[0].detail, (statement, plan)


async def test_what_many_channels_have_is_read_at_once_and_by_an_index(sqlite_url: str) -> None:
    channels = [replace(CHANNEL, id=f"C{number}") for number in range(9)]
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, given: Any, *___: object) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, given))

    async with open_store(sqlite_url) as digests:
        store = ChannelStore(digests.database)
        for channel in channels[:-1]:
            wanted = subscription(channel=channel)
            await store.subscriptions.change(channel, lambda _, wanted=wanted: wanted)
        event.listen(digests.database._engine, "before_cursor_execute", note)

        found = await asyncio.gather(*map(store.subscriptions.of, channels))
        await store.followups.of(CHANNEL)
        await store.concerns.of(CHANNEL)
        await store.corrections.for_morning(CHANNEL, NOW)

        assert [each and each.channel for each in found] == [*channels[:-1], None]
        assert len(asked) == 4
        for statement, given in tuple(asked):
            plan = await digests.database.read(
                lambda c, s=statement, g=given: c.exec_driver_sql(
                    f"EXPLAIN QUERY PLAN {s}", g
                ).all()
            )
            assert "USING INDEX" in plan[0].detail, (statement, plan)


async def test_a_look_reads_only_subscriptions_that_may_be_due(
    sqlite_url: str, clock: SetClock
) -> None:
    await upgrade(sqlite_url)
    async with open_store(sqlite_url) as digests:
        store = ChannelStore(digests.database)
        for hour in range(24):
            channel = replace(CHANNEL, id=f"C{hour}")
            wanted = subscription(
                channel=channel,
                at=time(hour),
                last_delivered_date=date(2026, 2, 11),
                last_delivered_end=at(11, 0),
            )
            await store.subscriptions.change(channel, lambda _, wanted=wanted: wanted)
        now = at(12, 9)

        found = [each async for each in store.subscriptions.each_due(now)]
        assert {each.at.hour for each in found} == set(range(10))
        assert all(due(each, now) for each in found)

        for each in found:
            slot = due(each, now)
            assert slot
            await store.subscriptions.change(
                each.channel, lambda current, slot=slot: current and delivered(current, slot)
            )
        assert [each async for each in store.subscriptions.each_due(now)] == []

        (ahead, waiting) = (found[0], found[1])
        await store.subscriptions.change(
            ahead.channel,
            lambda current: (
                current and replace(current, last_delivered_end=now + timedelta(days=30))
            ),
        )
        looked = [each.id async for each in store.subscriptions.each_due(now, [waiting.id or 0])]
        assert looked == sorted([ahead.id or 0, waiting.id or 0])
