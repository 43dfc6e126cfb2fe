"""Draws answers, settings and follow-ups as one JSON document each, or as CSV."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, assert_never

from adapters.terminal.digest_json import Document, digest_json, roundup_json
from bot.model.channels import Channel
from bot.model.followups import FollowUp, Which, followup_row, moment
from bot.model.replies import (
    AnalysisReply,
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    QueryReply,
    Reply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from bot.model.slots import next_due
from bot.model.subscriptions import Subscription
from bot.wording.channel_words import mention_words
from digest import codec
from digest.errors import InfraError
from digest.languages import Language
from digest.model_answers import ModelQuestion
from digest.models import Change, Item, ReadItem
from digest.reading.analysis import analysis
from digest.times import DAY_NAMES
from digest.wording.saying import CATALOGUES, localized
from digest.writing.analysis_page import LONG

SCHEMA_VERSION = 1


def reply_json(reply: Reply) -> Document:
    """Return one JSON document; of all but digests it names its kind. Moments are ISO 8601 in UTC.

    Whatever is asked for, it holds everything.
    """
    head: Document = {"schema": SCHEMA_VERSION, "language": reply.language.value}
    match reply:
        case DigestReply(digest, language, surfaces, ripples):
            return digest_json(digest, language, surfaces, ripples)
        case RoundupReply(roundup, language, surfaces, ripples):
            return roundup_json(roundup, language, surfaces, ripples)
        case ChangeReply(change, language):
            return head | {"kind": "change", **_change(change, language)}
        case AnalysisReply(day, language, surfaces, ripples):
            return head | {
                "kind": "analysis",
                "digest": digest_json(day.digest, language, surfaces, ripples),
                "changes": [_change(change, language) for change in day.changes],
                "not_whole": [
                    {"item": key, "why": localized(why, Language.EN)} for key, why in day.failed
                ],
            }
        case WhyReply(read, _, of_model):
            return head | {
                "kind": "why",
                "item": _read(read),
                "questions": [_question(question) for question in of_model.questions],
                "filled_in": [_plain(fact) for fact in of_model.facts],
                "joined": [_plain(story) for story in of_model.stories],
            }
        case FoundReply(words, found):
            return head | {
                "kind": "search",
                "words": words,
                "items": [_read(read) for read in found],
            }
        case QueryReply(found):
            query = found.query
            return head | {
                "kind": "asked",
                "query": {
                    "asked": query.question,
                    "repos": [str(repo) for repo in query.repos],
                    "window": _plain(query.window),
                    "kinds": sorted(query.kinds),
                    "words": list(query.words),
                    "also": {word: list(others) for word, others in query.also.items() if others},
                    "by": query.by,
                },
                "total": found.total,
                "items": [
                    {**_read(hit.read), "facts": [_plain(fact) for fact in hit.facts]}
                    for hit in found.hits
                ],
                "words_without": list(found.without),
                "kinds_without": found.kindless,
                "unstored": [
                    {
                        "repo": str(each.repo),
                        "days": [day.isoformat() for day in each.days],
                        "without": list(each.without),
                        "incomplete": [day.isoformat() for day in each.incomplete],
                    }
                    for each in found.unstored
                ],
                "remarks": [_plain(remark) for remark in found.remarks],
                "model": _plain(found.model) if found.model else None,
            }
        case ReposReply(repos):
            rows = [{"alias": alias, "repo": str(repo)} for alias, repo in repos.items()]
            return head | {"kind": "repos", "repos": rows}
        case HelpReply(rows, language):
            return head | {
                "kind": "help",
                "commands": [
                    {
                        "form": row.form,
                        "example": row.example,
                        "gives": localized(row.gives, language),
                    }
                    for row in rows
                ],
            }
        case MessageReply(what, language):
            return head | {"kind": "message", "text": CATALOGUES[language].sentence(what)}
        case _:
            assert_never(reply)


def _change(change: Change, language: Language) -> Document:
    return {
        "item": _read(change.read),
        "upgrade_notes": _plain(change.upgrade_notes),
        "related": [_item(item) for item in change.related],
        "reverts": _plain(change.reverts),
        "analysis": _analysis(change, language),
    }


def _analysis(change: Change, language: Language) -> Document:
    """Return what was taken apart by rule, and a model's remarks about it."""
    analysed = analysis(change, lines=LONG.lines)
    return {
        "reason": list(analysed.stated.reason),
        "stated": {aspect.value: list(texts) for aspect, texts in analysed.stated.by_aspect},
        "results": [
            {"heading": each.heading, "text": each.text} for each in analysed.stated.figures
        ],
        "no_benchmark": analysed.stated.unmeasured,
        "surface": _plain(analysed.surface),
        "tests": [file.path for file in analysed.tests],
        "benchmarks": [file.path for file in analysed.benchmarks],
        "left": _plain(analysed.left),
        "hunks": _plain(analysed.choice.hunks),
        "hunks_total": analysed.choice.total,
        "files_without_hunks": list(analysed.unread),
        "remarks": [
            {
                "kind": remark.kind.value,
                "text": remark.text.get(language),
                "quote": remark.quote,
                "path": remark.path,
                "line": remark.line,
            }
            for remark in change.remarks
        ],
        "model": _plain(change.model) if change.model else None,
        "model_saw": _plain(change.reach) if change.reach else None,
    }


def _plain(value: object) -> Any:
    return json.loads(codec.dump(value))


def _question(question: ModelQuestion) -> Document:
    plain: Document = _plain(question)
    return {"said" if name == "answer" else name: value for name, value in plain.items()}


def _item(item: Item) -> Document:
    plain: Document = _plain(item)
    plain["repo"] = str(item.repo)
    return plain


def _read(read: ReadItem) -> Document:
    judged: Document = _plain(read)
    del judged["item"]
    return {**_item(read.item), **judged}


def subscriptions_json(
    kind: str,
    channel: Channel,
    rows: Sequence[Subscription],
    now: datetime,
    language: Language,
    *,
    text: str | None = None,
) -> Document:
    """Return one document of subscriptions, none or one for a channel.

    `kind` is the command; `text` what it said, for one that changes something.
    """
    body = _head(kind, channel, language)
    if text is not None:
        body["text"] = text
    return body | {"subscriptions": [_subscription(each, now) for each in rows]}


def followups_json(
    channel: Channel | None,
    which: Which,
    rows: Sequence[FollowUp],
    links: Mapping[int | None, str],
    language: Language,
) -> Document:
    """Return one document of follow-ups, the oldest first; `links` are addresses by number.

    Without a channel it is of all.
    """
    body = _head("followups", channel, language) | {"which": which.value}
    return body | {"followups": [_linked(each, links) for each in rows]}


def _linked(followup: FollowUp, links: Mapping[int | None, str]) -> Document:
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


def answered_json(
    kind: str, channel: Channel, text: str, language: Language, answer: Reply | None
) -> Document:
    """Return one document of a question: what was said, and the document of the answer by itself.

    `answer` is None where the question could not be answered.
    """
    body = _head(kind, channel, language) | {"text": text.strip()}
    return body | {"answer": reply_json(answer) if answer else None}


def _head(kind: str, channel: Channel | None, language: Language) -> Document:
    return {
        "schema": SCHEMA_VERSION,
        "language": language.value,
        "kind": kind,
        "channel": str(channel) if channel else None,
    }


def _subscription(each: Subscription, now: datetime) -> Document:
    return {
        "channel": str(each.channel),
        "repos": [str(repo) for repo in each.repos],
        "at": f"{each.at:%H:%M}",
        "tz": each.tz,
        "days": [DAY_NAMES[day] for day in sorted(each.days)],
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
        "paused": localized(each.paused, each.language) or None,
        "last_error": localized(each.last_error, each.language) or None,
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
