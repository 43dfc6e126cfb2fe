"""Draws what is no digest as one JSON document: changes, searches, repositories, help."""

import json
from typing import Any, assert_never

from adapters.terminal import digest_json
from adapters.terminal.output import as_json
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
from digest import codec
from digest.editing.answers import Question
from digest.languages import Language
from digest.models import Change, Item, ReadItem
from digest.reading.analysis import analysis
from digest.wording.saying import CATALOGUES, said
from digest.writing.analysis_page import LONG

SCHEMA_VERSION = 1


def render(reply: Reply) -> str:
    """Return one JSON document that names its kind; moments are ISO 8601 in UTC."""
    body = {"schema": SCHEMA_VERSION, "language": reply.language.value, **_body(reply)}
    return as_json(body)


def _body(reply: Reply) -> dict[str, Any]:
    match reply:
        case ChangeReply(change, language):
            return {"kind": "change", **_change(change, language)}
        case AnalysisReply(day, language, surfaces, ripples):
            return {
                "kind": "analysis",
                "digest": json.loads(digest_json.render(day.digest, language, surfaces, ripples)),
                "changes": [_change(change, language) for change in day.changes],
                "not_whole": [
                    {"item": key, "why": said(why, Language.EN)} for key, why in day.failed
                ],
            }
        case WhyReply(read, _, of_model):
            return {
                "kind": "why",
                "item": _read(read),
                "questions": [_question(question) for question in of_model.questions],
                "filled_in": [_plain(fact) for fact in of_model.facts],
                "joined": [_plain(story) for story in of_model.stories],
            }
        case FoundReply(words, found):
            return {"kind": "search", "words": words, "items": [_read(read) for read in found]}
        case QueryReply(found):
            query = found.query
            return {
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
                        "incomplete": [day.isoformat() for day in each.incomplete],
                    }
                    for each in found.unstored
                ],
                "remarks": [_plain(remark) for remark in found.remarks],
                "model": _plain(found.model) if found.model else None,
            }
        case ReposReply(repos):
            rows = [{"alias": alias, "repo": str(repo)} for alias, repo in repos.items()]
            return {"kind": "repos", "repos": rows}
        case HelpReply(rows, language):
            return {
                "kind": "help",
                "commands": [
                    {"form": row.form, "example": row.example, "gives": said(row.gives, language)}
                    for row in rows
                ],
            }
        case MessageReply(what, language):
            return {"kind": "message", "text": CATALOGUES[language].sentence(what)}
        case DigestReply() | RoundupReply():
            raise TypeError(f"{type(reply).__name__} has a schema of its own")
        case _:
            assert_never(reply)


def _change(change: Change, language: Language) -> dict[str, Any]:
    return {
        "item": _read(change.read),
        "upgrade_notes": _plain(change.upgrade_notes),
        "related": [_item(item) for item in change.related],
        "reverts": _plain(change.reverts),
        "analysis": _analysis(change, language),
    }


def _analysis(change: Change, language: Language) -> dict[str, Any]:
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


def _question(question: Question) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(question)
    return {"said" if name == "answer" else name: value for name, value in plain.items()}


def _item(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(item)
    plain["repo"] = str(item.repo)
    return plain


def _read(read: ReadItem) -> dict[str, Any]:
    judged: dict[str, Any] = _plain(read)
    del judged["item"]
    return {**_item(read.item), **judged}
