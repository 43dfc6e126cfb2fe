"""When a channel is told, and of which days: each day once, without gap or overlap.

The slot of a local date tells the days before it, from the end of the last window that was told to
the midnight with which the date begins. So days chain over weekends, over hours in which the host
slept, over changes of the clocks and over a change of the channel's zone.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.model.subscriptions import MissedDays, Subscription, left, owed
from digest.errors import BadWindow, ConfigurationError
from digest.models import Repo, Window
from digest.phrase import NOTHING
from digest.times import MAX_DAYS, WEEK, zone_named
from digest.windows import day
from digest.wording.phrases import SAY

DAY = timedelta(days=1)
LOOKED_AHEAD = 2 * WEEK + 1
"""Days within which every subscription is due again, even where the zone skipped its weekday."""

SKEW = timedelta(minutes=15)
"""How far the clocks of two machines may be apart without one being taken for wrong."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One telling: `(subscription_id, local_date)` names it for ever.

    `due_at` and `window` are in UTC. `window` ends with the midnight that begins `local_date`.
    `untold_since` is set where more than `MAX_DAYS` days wait: those since then and before the
    window are left out, and the thread has to say so. `behind` are repositories of which earlier
    days are told too. Known once it is planned are `unseen`, those that could not be looked at, and
    `named`, all that its messages may name.
    """

    subscription_id: int
    local_date: date
    due_at: datetime
    window: Window
    untold_since: datetime | None = None
    behind: tuple[MissedDays, ...] = ()
    unseen: tuple[Repo, ...] = ()
    named: tuple[Repo, ...] = ()


def due(subscription: Subscription, now: datetime) -> Slot | None:
    """Return the latest slot that is due and untold, with all days since the last one told.

    None while nothing is due, and for a subscription that is paused or not stored. Raises
    `BadWindow` for a zone that this machine no longer knows.
    """
    if subscription.paused or subscription.id is None:
        return None
    zone = zone_named(subscription.tz)
    today = now.astimezone(zone).date()
    for back in range(WEEK + 1):
        local_date = today - back * DAY
        if (
            _is_undelivered(subscription, local_date)
            and _due_at(subscription, local_date, zone) <= now
        ):
            due_at = _due_at(subscription, local_date, zone)
            since = _since(subscription)
            slot = _slot(subscription.id, local_date, due_at, since, subscription.tz)
            return with_arrears(slot, subscription)
    return None


def with_arrears(slot: Slot, subscription: Subscription) -> Slot:
    """Return a slot that nothing is planned of with what its subscription is behind with by now."""
    earliest = _earliest(slot.local_date, slot.window.tz)
    begin = slot.window.start
    return replace(slot, behind=owed(subscription.arrears, subscription.repos, begin, earliest))


def first(subscription: Subscription, now: datetime) -> Slot:
    """Return the slot that a new subscription is shown at once: yesterday; the last week if weekly.

    Once it is told, the next slot is that of the next of the channel's days after today. Raises
    `ValueError` for a subscription that is not stored.
    """
    if subscription.id is None:
        raise ValueError("a slot belongs to a stored subscription")
    today = now.astimezone(zone_named(subscription.tz)).date()
    since = _midnight(_day_before(today, subscription), subscription.tz)
    return _slot(subscription.id, today, now.astimezone(UTC), since, subscription.tz)


def unshown(subscription: Subscription, now: datetime) -> Subscription:
    """Return a new subscription that is shown nothing at once: what is due by now is left out.

    What comes next is whole: a weekly channel's first message tells a week, whatever day it is.
    """
    missed = due(replace(subscription, id=subscription.id or 0), now)
    return replace(subscription, last_delivered_end=missed.window.end) if missed else subscription


def delivered(subscription: Subscription, slot: Slot) -> Subscription:
    """Return the subscription after a slot was told, so that the next one goes on from there."""
    if subscription.last_delivered_date and slot.local_date <= subscription.last_delivered_date:
        return subscription
    return replace(
        subscription,
        last_delivered_end=slot.window.end,
        last_delivered_date=slot.local_date,
        last_error=NOTHING,
        arrears=_arrears_after(subscription, slot),
    )


def mended(subscription: Subscription, now: datetime, right: Slot | None = None) -> Subscription:
    """Return a subscription that was told by a clock that ran ahead, as it was told up to `right`.

    `right` is the last slot that was told of days that are over by now; without one, all days up
    to today count as told. Days since then are told again; what was told of them ahead may come
    once more, and nothing is lost.
    """
    if not subscription.last_delivered_end or subscription.last_delivered_end <= now + SKEW:
        return subscription
    if right:
        return replace(
            subscription,
            last_delivered_end=right.window.end,
            last_delivered_date=right.local_date,
            arrears=_arrears_after(subscription, right),
        )
    today = now.astimezone(zone_named(subscription.tz)).date()
    end = _midnight(today, subscription.tz)
    return replace(subscription, last_delivered_end=end, last_delivered_date=today)


def window_from(slot: Slot, since: datetime) -> Window:
    """Return the window of a slot for a repository that is told from an earlier moment on."""
    return _window(since, slot.local_date, slot.window.tz)


def waits_since(subscription: Subscription, slot: Slot) -> datetime:
    """Return since when a slot could be told: while a channel is paused, nobody waits for it."""
    return max(slot.due_at, subscription.resumed_at or slot.due_at)


def next_due(subscription: Subscription, now: datetime) -> datetime | None:
    """Return next moment in UTC, later than `now`, at which a slot comes due; None if paused."""
    if subscription.paused:
        return None
    zone = zone_named(subscription.tz)
    today = now.astimezone(zone).date()
    ahead = (today + days * DAY for days in range(-1, LOOKED_AHEAD))
    moments = (
        _due_at(subscription, local_date, zone)
        for local_date in ahead
        if _is_undelivered(subscription, local_date)
    )
    return next((moment for moment in moments if moment > now), None)


def earliest_due(subscription: Subscription) -> datetime | None:
    """Return the moment in UTC before which `due` gives nothing; None where that is not known.

    It holds until the subscription changes, and does not depend on the present.
    """
    try:
        zone = zone_named(subscription.tz)
    except BadWindow:
        return None
    last_date = subscription.last_delivered_date
    begin = last_date + DAY if last_date else _since(subscription).astimezone(zone).date()
    dates = (begin + days * DAY for days in range(LOOKED_AHEAD))
    untold = (date for date in dates if _is_undelivered(subscription, date))
    return next((_due_at(subscription, date, zone) for date in untold), None)


def _is_undelivered(subscription: Subscription, local_date: date) -> bool:
    """Return whether a date is one of the channel's days, and has days to tell."""
    if local_date.weekday() not in subscription.days:
        return False
    if subscription.last_delivered_date and local_date <= subscription.last_delivered_date:
        return False
    its_day = day(local_date, subscription.tz)
    is_in_calendar = its_day.start < its_day.end
    return is_in_calendar and _since(subscription) < its_day.start


def _since(subscription: Subscription) -> datetime:
    if subscription.last_delivered_end:
        return subscription.last_delivered_end
    created = subscription.created_at.astimezone(zone_named(subscription.tz)).date()
    return _midnight(_day_before(created, subscription), subscription.tz)


def _day_before(local_date: date, subscription: Subscription) -> date:
    """Return the first day that a new subscription is told; one that its zone skipped is none."""
    before = local_date - (WEEK if subscription.weekly else 1) * DAY
    while _midnight(before, subscription.tz) == _midnight(local_date, subscription.tz):
        before -= DAY
    return before


def _due_at(subscription: Subscription, local_date: date, zone: ZoneInfo) -> datetime:
    # PEP 495: fold=0 is the first of two equal readings of the clock, and a reading that is
    # skipped counts with the offset before the change, as much later as the clock jumps.
    return datetime.combine(local_date, subscription.at, zone).astimezone(UTC)


def _slot(
    subscription_id: int, local_date: date, due_at: datetime, since: datetime, tz: str
) -> Slot:
    untold_since = None
    earliest = _earliest(local_date, tz)
    if since < earliest:
        since, untold_since = earliest, since
    window = _window(since, local_date, tz)
    return Slot(subscription_id, local_date, due_at, window, untold_since)


def _arrears_after(subscription: Subscription, slot: Slot) -> tuple[MissedDays, ...]:
    return left(slot.behind, slot.unseen, subscription.repos, slot.window.start)


def _earliest(local_date: date, tz: str) -> datetime:
    """Return the moment before which a slot tells nothing."""
    return _midnight(local_date - MAX_DAYS * DAY, tz)


def _window(since: datetime, until: date, tz: str) -> Window:
    """Return the window up to the midnight of `until`, labelled by the days in it.

    Only after a change of the zone does it begin within a day; its label then says so.
    """
    end = _midnight(until, tz)
    first_moment = since.astimezone(zone_named(tz))
    last = (end - timedelta(microseconds=1)).astimezone(zone_named(tz)).date()
    label = f"{first_moment:%Y-%m-%d}" + (f"..{last}" if first_moment.date() < last else "")
    if _midnight(first_moment.date(), tz) != since:
        label = f"{label} from {first_moment:%H:%M}"
    return Window(since.astimezone(UTC), end, tz, label)


def _midnight(of: date, tz: str) -> datetime:
    return day(of, tz).start


EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""No clock that is right shows an earlier moment: this program did not exist."""


def doubt(now: datetime) -> ConfigurationError | None:
    """Return what is wrong with a clock, if it is seen to be wrong."""
    return ConfigurationError(SAY.chat.clock(f"{now:%Y-%m-%d}")) if now < EARLIEST else None
