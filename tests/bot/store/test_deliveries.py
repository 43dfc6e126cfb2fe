"""A delivery is claimed by one process at a time, and never again once it is over."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import pytest

from bot.model.posts import Delivery
from bot.model.slots import Slot, delivered, due
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.leases import LeaseLost
from digest.phrase import Phrase
from digest.store.store import open_store
from tests.bot.bot_fixture import morning, subscription
from tests.bot.platform_fake import CHANNEL

NOW = morning()
UNTIL = NOW + timedelta(seconds=90)
LATER = UNTIL + timedelta(seconds=1)
LATER_STILL = LATER + timedelta(seconds=90)


@pytest.fixture
async def kept(sqlite_url: str) -> AsyncIterator[ChannelStore]:
    """A store that is set up."""
    async with open_store(sqlite_url) as store:
        kept = ChannelStore(store.database)
        await kept.subscriptions.change(CHANNEL, lambda _: subscription())
        yield kept


def slot() -> Slot:
    found = due(subscription(id=1), NOW)
    assert found
    return found


async def test_days_that_somebody_tells_already_are_not_begun_under_another_date(
    kept: ChannelStore,
) -> None:
    tomorrow = due(subscription(id=1), NOW + timedelta(days=1))
    assert tomorrow
    assert tomorrow.window.start == slot().window.start
    claimed = await kept.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert claimed

    assert await kept.deliveries.claim(tomorrow, CHANNEL, "second", NOW, UNTIL) is None

    await kept.deliveries.finish(claimed, lambda now: delivered(now, slot()) if now else None)
    assert await kept.deliveries.claim(tomorrow, CHANNEL, "second", NOW, UNTIL) is None


@pytest.mark.parametrize(
    "became", [None, subscription(paused=Phrase.as_written("on holiday"))], ids=["gone", "paused"]
)
async def test_what_nobody_wants_any_more_is_not_begun(
    kept: ChannelStore, became: Subscription | None
) -> None:
    await kept.subscriptions.change(CHANNEL, lambda _: became)

    assert await kept.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL) is None


@pytest.mark.parametrize("over", ["told", "superseded"])
async def test_what_is_over_is_never_claimed_again(kept: ChannelStore, over: str) -> None:
    claimed = await kept.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert claimed
    if over == "told":
        await kept.deliveries.finish(claimed, lambda now: now)
    else:
        await kept.deliveries.supersede(claimed)

    for owner in ("first", "second"):
        assert await kept.deliveries.claim(slot(), CHANNEL, owner, LATER, LATER_STILL) is None


Change = Callable[[ChannelStore, Delivery], Awaitable[object]]
CHANGES: dict[str, Change] = {
    "renew": lambda kept, lost: kept.deliveries.renew(lost, LATER_STILL),
    "plan": lambda kept, lost: kept.deliveries.plan(lost, [], [], complete=False),
    "wait": lambda kept, lost: kept.deliveries.wait(lost, 3, LATER_STILL),
    "release": lambda kept, lost: kept.deliveries.release(lost),
    "finish": lambda kept, lost: kept.deliveries.finish(lost, lambda now: None),
    "supersede": lambda kept, lost: kept.deliveries.supersede(lost),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
async def test_who_lost_a_delivery_to_another_changes_nothing_of_it(
    kept: ChannelStore, change: Change
) -> None:
    lost = await kept.deliveries.claim(slot(), CHANNEL, "first", NOW, UNTIL)
    assert lost
    taken_over = await kept.deliveries.claim(slot(), CHANNEL, "second", LATER, LATER_STILL)

    with pytest.raises(LeaseLost, match="not held any more"):
        await change(kept, lost)

    assert list((await kept.deliveries.unfinished()).values()) == [taken_over]
