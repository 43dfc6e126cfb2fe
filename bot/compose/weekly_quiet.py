"""A word once a week where nothing happens and the channel wants to hear nothing of that.

So that silence is never taken for quiet: the line says since when, and when it was looked at last.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.compose.thread import short_names
from bot.model.parts import Part, PartKind, Thread
from bot.model.setting_words import Quiet
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.wording.dates import day
from digest.models import Roundup
from digest.wording.saying import CATALOGUES
from digest.writing.document import Foreign, Paragraph
from digest.writing.phrasing import fill
from digest.writing.rules import plain, quiet

EVERY = timedelta(days=7)


def is_silent(roundup: Roundup) -> bool:
    """Tell whether everything was looked at and nothing happened."""
    return not roundup.failed and all(quiet(digest.reading) for digest in roundup.digests)


def is_due(subscription: Subscription, slot: Slot) -> bool:
    """Tell whether a channel that hears nothing of quiet days has heard nothing for a week."""
    if subscription.quiet is not Quiet.NOTHING:
        return False
    zone = ZoneInfo(subscription.tz)
    said = subscription.said_date or subscription.created_at.astimezone(zone).date()
    return slot.local_date - said >= EVERY


def weekly_quiet(roundup: Roundup, subscription: Subscription, slot: Slot) -> tuple[Thread, ...]:
    """Give the thread of one line."""
    language = subscription.language
    zone = ZoneInfo(subscription.tz)
    names = short_names(digest.reading.repo for digest in roundup.digests)
    looked: datetime = min(digest.reading.collected_at for digest in roundup.digests)
    since = subscription.quiet_since or slot.window.start
    runs = fill(
        CATALOGUES[language].thread.quiet_since,
        repos=Foreign(CATALOGUES[language].comma.join(names.values())),
        since=day(since.astimezone(zone).date(), language),
        at=f"{looked.astimezone(zone):%Y-%m-%d %H:%M}",
    )
    part = Part(PartKind.PARENT, (Paragraph(runs),), summary=plain(runs))
    return (Thread(language, part),)
