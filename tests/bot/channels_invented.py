"""Invented channels, subscriptions and follow-ups for the tests of what chats are told."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from bot.model.channel_commands import Quiet
from bot.model.channels import Channel, Platform
from bot.model.followups import FollowUp
from bot.model.subscriptions import Subscription
from digest.languages import Language
from digest.models import Digest, Reading, Repo, Window
from tests.digest.writing import invented

CHANNEL = Channel(Platform.SLACK, "T0001", "C0001")
FLINT = Repo("example-org", "flint")
GLAZE = Repo("example-org", "glaze")
NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)
WEEKEND = Window(
    datetime(2026, 2, 27, 16, tzinfo=UTC),
    datetime(2026, 3, 2, 16, tzinfo=UTC),
    "Asia/Shanghai",
    "2026-02-28..2026-03-02",
)


def subscription(*repos: Repo, **more: Any) -> Subscription:
    fields: dict[str, Any] = {
        "id": 1,
        "channel": CHANNEL,
        "repos": repos or (invented.REPO,),
        "at": time(9),
        "tz": "UTC",
        "days": frozenset(range(7)),
        "weekly": False,
        "language": Language.EN,
        "without": frozenset(),
        "paths": (),
        "topics": (),
        "quiet": Quiet.LINE,
        "one_thread": False,
        "created_by": "U0001",
        "created_at": NOW - timedelta(days=30),
    }
    return Subscription(**(fields | more))


def followup(number: int = 101, **more: Any) -> FollowUp:
    fields: dict[str, Any] = {
        "opened_at": NOW - timedelta(days=8),
        "flagged_by": frozenset({"wren", "robin"}),
    }
    key = f"{invented.REPO}:pull_request:{number}"
    url = f"{invented.URL}/pull/{number}"
    return FollowUp(
        1, CHANNEL, key, "Rename --heat to --temperature", f"#{number}", url, **(fields | more)
    )


def told(reading: Reading, repo: Repo = invented.REPO, window: Window = invented.DAY) -> Digest:
    return invented.written(replace(reading, repo=repo, window=window))
