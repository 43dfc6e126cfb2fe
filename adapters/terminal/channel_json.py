"""Draws what a channel gets and follows up as JSON documents for programs: rows, no sentences."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from adapters.terminal.output import as_json
from adapters.terminal.reply_json import SCHEMA_VERSION
from bot.model.channels import Channel
from bot.model.followups import FollowUp, Which, followup_row, moment
from bot.model.slots import next_due
from bot.model.subscriptions import Subscription
from bot.wording.channel_words import mention_words
from digest.errors import InfraError
from digest.languages import Language
from digest.times import WEEKDAYS
from digest.wording.saying import said


def subscriptions(
    kind: str,
    channel: Channel,
    rows: Sequence[Subscription],
    now: datetime,
    language: Language,
    *,
    text: str | None = None,
) -> str:
    """Return one document of subscriptions, none or one for a channel.

    `kind` is the command; `text` what it said, for one that changes something.
    """
    body = _head(kind, channel, language)
    if text is not None:
        body["text"] = text
    return as_json(body | {"subscriptions": [_subscription(each, now) for each in rows]})


def followups(
    channel: Channel | None,
    which: Which,
    rows: Sequence[FollowUp],
    links: Mapping[int | None, str],
    language: Language,
) -> str:
    """Return one document of follow-ups, the oldest first; `links` are addresses by number.

    Without a channel it is of all.
    """
    body = _head("followups", channel, language) | {"which": which.value}
    return as_json(body | {"followups": [_linked(each, links) for each in rows]})


def _linked(followup: FollowUp, links: Mapping[int | None, str]) -> dict[str, Any]:
    return followup_row(followup) | {"link": links.get(followup.id) or None}


CSV_COLUMNS = (
    *("channel", "item", "ref", "title", "url", "state", "opened_at"),
    *("flagged_by", "owner", "done_by", "upstream", "fix", "reverted_by", "release", "link"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula for programs that open CSV, https://owasp.org/www-community/attacks/CSV_Injection."""


def followups_csv(rows: Sequence[FollowUp], links: Mapping[int | None, str]) -> str:
    """Return follow-ups as CSV with a header, the oldest first; people by their names.

    A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for each in rows:
        row = _linked(each, links)
        upstream = row.pop("upstream") or {}
        people = [person["name"] for person in row["flagged_by"]]
        row |= {name: (row[name] or {}).get("name", "") for name in ("owner", "done_by")}
        row |= {"flagged_by": ", ".join(people), "upstream": upstream.get("state")}
        row |= {name: upstream.get(name) for name in ("fix", "reverted_by", "release")}
        writer.writerow([_cell(row[name]) for name in CSV_COLUMNS])
    return out.getvalue()


def _cell(value: str | None) -> str:
    text = value or ""
    return f"'{text}" if text.startswith(FORMULA) else text


def answered(kind: str, channel: Channel, text: str, language: Language, answer: str | None) -> str:
    """Return one document of a question: what was said, and the document of the answer by itself.

    `answer` is that document, None where the question could not be answered.
    """
    body = _head(kind, channel, language) | {"text": text.strip()}
    return as_json(body | {"answer": json.loads(answer) if answer else None})


def _head(kind: str, channel: Channel | None, language: Language) -> dict[str, Any]:
    return {
        "schema": SCHEMA_VERSION,
        "language": language.value,
        "kind": kind,
        "channel": str(channel) if channel else None,
    }


def _subscription(each: Subscription, now: datetime) -> dict[str, Any]:
    return {
        "channel": str(each.channel),
        "repos": [str(repo) for repo in each.repos],
        "at": f"{each.at:%H:%M}",
        "tz": each.tz,
        "days": [WEEKDAYS[day] for day in sorted(each.days)],
        "weekly": each.weekly,
        "language": each.language.value,
        "without": sorted(each.without),
        "paths": list(each.paths),
        "topics": list(each.topics),
        "quiet": each.quiet.value,
        "eyes": each.eyes.value if each.eyes else None,
        "one_thread": each.one_thread,
        "publish": each.publish,
        "mention": mention_words(each.mention) or None,
        "created_by": each.created_by,
        "created_at": moment(each.created_at),
        "paused": said(each.paused, each.language) or None,
        "last_error": said(each.last_error, each.language) or None,
        "last_told_date": each.last_delivered_date.isoformat()
        if each.last_delivered_date
        else None,
        "last_told_end": moment(each.last_delivered_end),
        "next": moment(_next(each, now)),
    }


def _next(each: Subscription, now: datetime) -> datetime | None:
    try:
        return next_due(each, now)
    except InfraError:  # a zone that this machine does not know any more
        return None
