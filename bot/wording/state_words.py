"""How a channel is, in a line: what it was told last, what comes next, and what went wrong."""

from datetime import datetime

from bot.model.slots import next_due
from bot.model.subscriptions import Subscription
from digest.errors import BadWindow
from digest.languages import Language, Text
from digest.windows import zone_named

LAST: Text = {Language.EN: "Last: {date}.", Language.ZH: "上一次：{date}。"}
NEVER: Text = {Language.EN: "Nothing told yet.", Language.ZH: "尚未播报。"}
NEXT: Text = {Language.EN: "Next: {at}.", Language.ZH: "下一次：{at}。"}
WRONG: Text = {Language.EN: "Last error: {why}.", Language.ZH: "上次出错：{why}。"}
SPACE = {Language.EN: " ", Language.ZH: ""}


def state(
    subscription: Subscription, now: datetime, language: Language, *, errors: bool = True
) -> str:
    """Say it; without `errors`, what went wrong is left out, for where it stands already."""
    last = subscription.last_told_date
    said = [LAST[language].format(date=last) if last else NEVER[language]]
    if at := next_moment(subscription, now):
        said.append(NEXT[language].format(at=at))
    if errors and subscription.last_error and not subscription.paused:
        said.append(WRONG[language].format(why=subscription.last_error.rstrip(".。")))
    return SPACE[language].join(said)


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
