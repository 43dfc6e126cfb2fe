"""Draws what is no digest as one JSON document: changes, searches, repositories, help."""

import json
from typing import Any, assert_never

from bot.replies import (
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    Reply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from digest import codec
from digest.models import Item, ReadItem

SCHEMA_VERSION = 1


def render(reply: Reply) -> str:
    """Give one JSON document that names its kind; moments are ISO 8601 in UTC."""
    body = {"schema": SCHEMA_VERSION, "language": reply.language.value, **_body(reply)}
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def _body(reply: Reply) -> dict[str, Any]:
    match reply:
        case ChangeReply(change):
            return {
                "kind": "change",
                "item": _read(change.read),
                "upgrade_notes": _plain(change.upgrade_notes),
                "related": [_item(item) for item in change.related],
                "reverts": _plain(change.reverts),
            }
        case WhyReply(read):
            return {"kind": "why", "item": _read(read)}
        case FoundReply(words, found):
            return {"kind": "search", "words": words, "items": [_read(read) for read in found]}
        case ReposReply(repos):
            rows = [{"alias": alias, "repo": str(repo)} for alias, repo in repos.items()]
            return {"kind": "repos", "repos": rows}
        case HelpReply(rows, language):
            return {
                "kind": "help",
                "commands": [
                    {"form": row.form, "example": row.example, "gives": row.gives[language]}
                    for row in rows
                ],
            }
        case MessageReply(text, language):
            return {"kind": "message", "text": text[language]}
        case DigestReply() | RoundupReply():
            raise TypeError(f"{type(reply).__name__} has a schema of its own")
        case _:
            assert_never(reply)


def _plain(value: object) -> Any:
    return json.loads(codec.dump(value))


def _item(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(item)
    plain["repo"] = str(item.repo)
    return plain


def _read(read: ReadItem) -> dict[str, Any]:
    judged: dict[str, Any] = _plain(read)
    del judged["item"]
    return {**_item(read.item), **judged}
