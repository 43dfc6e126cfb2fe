"""When a channel is told, and of which days: each day once, without gap or overlap."""

from dataclasses import dataclass
from datetime import date, datetime

from bot.subscriptions import Subscription
from digest.models import Window


@dataclass(frozen=True, slots=True)
class Slot:
    """One telling: `(subscription_id, local_date)` names it for ever.

    `due_at` and `window` are in UTC. `window` ends with the midnight that begins `local_date`.
    `untold_since` is set where the days since then are too many to tell: they are left out, and
    the thread has to say so.
    """

    subscription_id: int
    local_date: date
    due_at: datetime
    window: Window
    untold_since: datetime | None = None


def due(subscription: Subscription, now: datetime) -> Slot | None:
    """Give the latest slot that is due and untold, with all days since the last one told.

    None while nothing is due, and for a subscription that is paused or not stored.
    """
    raise NotImplementedError


def first(subscription: Subscription, now: datetime) -> Slot:
    """Give the slot that a new subscription is shown at once: yesterday; the last week if weekly.

    After it the channel's next slot is tomorrow's, or that of the next of its days.
    """
    raise NotImplementedError


def told(subscription: Subscription, slot: Slot) -> Subscription:
    """Give the subscription after a slot was told, so that the next one goes on from there."""
    raise NotImplementedError


def next_due(subscription: Subscription, now: datetime) -> datetime | None:
    """Give the next moment in UTC, later than `now`, at which a slot comes due; None if paused."""
    raise NotImplementedError
