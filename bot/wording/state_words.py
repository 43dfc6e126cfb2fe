"""How a channel is, in a line: what it was told last, what comes next, and what went wrong."""

from datetime import datetime

from bot.model.slots import next_due
from bot.model.subscriptions import Subscription
from digest.errors import BadWindow
from digest.languages import Language
from digest.windows import zone_named
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES


def state(
    subscription: Subscription, now: datetime, language: Language, *, errors: bool = True
) -> str:
    """Say it; without `errors`, what went wrong is left out, for where it stands already."""
    last = subscription.last_told_date
    said = [CATALOGUES[language].state.last(last) if last else CATALOGUES[language].state.never]
    if at := next_moment(subscription, now):
        said.append(CATALOGUES[language].state.next(at))
    if errors and subscription.last_error and not subscription.paused:
        said.append(CATALOGUES[language].said(SAY.state.wrong(subscription.last_error)))
    return CATALOGUES[language].gap.join(said)


def next_moment(subscription: Subscription, now: datetime) -> str:
    """Write when the next morning is, on the channel's own clock; empty where none comes."""
    try:
        at = next_due(subscription, now)
        return (
            f"{at.astimezone(zone_named(subscription.tz)):%Y-%m-%d %H:%M} {subscription.tz}"
            if at
            else ""
        )
    except BadWindow:  # a zone that this machine does not know any more
        return ""
