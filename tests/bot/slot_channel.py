"""A subscription whose mornings are looked at."""

from datetime import datetime, time, timedelta

from bot.model.channel_commands import DAILY, Quiet
from bot.model.channels import Channel, Platform
from bot.model.subscriptions import Subscription
from digest.languages import Language
from digest.models import Repo

DAY = timedelta(days=1)


def subscription(
    created: str = "2026-02-10T20:00+00:00",
    *,
    at: time = time(9),
    tz: str = "UTC",
    days: frozenset[int] = DAILY,
    weekly: bool = False,
) -> Subscription:
    return Subscription(
        id=7,
        channel=Channel(Platform.SLACK, "T1", "C1"),
        repos=(Repo("vllm-project", "vllm"),),
        at=at,
        tz=tz,
        days=days,
        weekly=weekly,
        language=Language.EN,
        without=frozenset(),
        paths=(),
        topics=(),
        quiet=Quiet.LINE,
        one_thread=False,
        created_by="U1",
        created_at=datetime.fromisoformat(created),
    )
