"""The life of a channel: what it means for a subscription that it cannot be told, or can again.

Every rule is pure. A subscription that a person paused stays paused whatever becomes of the
channel; one that the platform stopped goes on by itself once the channel is back, with one thread
over all days since the last one that was told (`bot.model.slots`).
"""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.model.ports import ChannelGone, NoPermission, PublishError
from bot.model.subscriptions import Subscription
from digest.phrase import NOTHING, Phrase
from digest.wording.phrases import SAY

GIVEN_UP_AFTER = timedelta(days=3)
"""How long sending may fail in a row: longer than any outage of Slack's or Discord's that we know
of, https://slack-status.com/calendar and https://discordstatus.com/history."""

IN_A_ROW = timedelta(hours=4)
"""Failures further apart are none in a row, as the longest pause is an hour: the host slept."""

ASKED_AGAIN_AFTER = timedelta(hours=24)
"""How often a channel that cannot be told is looked at, for what no event tells."""


class Absence(StrEnum):
    """Why a channel cannot be told."""

    ARCHIVED = "archived"
    DELETED = "deleted"
    LEFT = "left"
    UNINSTALLED = "uninstalled"
    REFUSED = "refused"
    FAILING = "failing"


SENTENCES = {
    Absence.ARCHIVED: SAY.absences.archived,
    Absence.DELETED: SAY.absences.deleted,
    Absence.LEFT: SAY.absences.left,
    Absence.UNINSTALLED: SAY.absences.uninstalled,
}
"""Why nothing is sent, in the words of events. An error that the platform gives has its own."""


def kind_of(error: PublishError) -> Absence | None:
    """Give what an error that no waiting mends means for its channel; None for all others."""
    if isinstance(error, ChannelGone):
        return Absence.DELETED
    return Absence.REFUSED if isinstance(error, NoPermission) else None


def failed(
    subscription: Subscription, error: PublishError, now: datetime
) -> tuple[Subscription, Absence | None]:
    """Give a subscription after its channel could not be told, and why it pauses, if it does."""
    if subscription.absence:
        return subscription, Absence(subscription.absence)
    kind = kind_of(error)
    if kind:
        return absent(subscription, kind, error.why), kind
    since = _failing_since(subscription, now)
    if now - since < GIVEN_UP_AFTER:
        after = replace(subscription, failing_since=since, failed_at=now, last_error=error.why)
        return after, None
    why = SAY.absences.failing(f"{since:%Y-%m-%d %H:%M} UTC", error.why)
    return absent(subscription, Absence.FAILING, why), Absence.FAILING


def _failing_since(subscription: Subscription, now: datetime) -> datetime:
    """Give when the failures in a row began, of which one is now."""
    since, last = subscription.failing_since, subscription.failed_at
    if since is None or last is None or now - last > IN_A_ROW:
        return now
    return min(since, now)


def absent(subscription: Subscription, kind: Absence, why: Phrase = NOTHING) -> Subscription:
    """Give a subscription whose channel cannot be told; one that a person paused stays theirs."""
    if subscription.paused and not subscription.absence:
        return subscription
    why = why or SENTENCES[kind]
    return replace(subscription, paused=why, absence=kind.value, last_error=why)


def back(subscription: Subscription, now: datetime, *, certain: bool = True) -> Subscription:
    """Give a subscription whose channel is there again; one that a person paused stays paused.

    What is not `certain`, as no event told it, does not have who subscribed told again.
    """
    if not subscription.absence:
        return subscription
    complaint = NOTHING if certain else subscription.complaint
    return replace(
        subscription,
        paused=NOTHING,
        absence="",
        last_error=NOTHING,
        failing_since=None,
        asked_at=None,
        complaint=complaint,
        resumed_at=now,
    )


def is_to_be_told(before: Subscription, after: Subscription) -> bool:
    """Tell whether who subscribed has to hear why nothing is sent: once until it is sent again."""
    return bool(after.absence) and not before.complaint


def is_to_be_asked(subscription: Subscription, now: datetime) -> bool:
    """Tell whether a channel that cannot be told is to be looked at again."""
    if not subscription.absence:
        return False
    asked = subscription.asked_at
    return asked is None or not timedelta(0) <= now - asked < ASKED_AGAIN_AFTER
