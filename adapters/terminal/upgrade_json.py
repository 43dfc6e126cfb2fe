"""Draws the report of an upgrade, and a ranked range, as one JSON document each."""

from collections.abc import Iterable, Sequence
from typing import Any

from adapters.terminal.output import as_json
from adapters.terminal.reply_json import SCHEMA_VERSION
from digest.concern.matching import Match, WeighedChange
from digest.concern.upgrade import Suspect, Upgrade
from digest.models import Item, Repo, Span
from digest.writing.concerned_parts import change_link, place_of


def render_upgrade(upgrade: Upgrade) -> str:
    """Return the report with every match, also of what is touched lightly."""
    lists = {
        "breaks": upgrade.breaks,
        "otherwise": upgrade.otherwise,
        "new": upgrade.new,
        "lightly": upgrade.lightly,
        "gone_again": upgrade.gone_again,
    }
    settings = [
        {
            "name": one.use.name,
            "change": one.fact.change.value,
            "before": one.fact.before,
            "after": one.fact.after,
            "breaks": one.breaks,
            "by": _item(one.item) if one.item else None,
            "here": str(one.use.place),
        }
        for one in upgrade.settings
    ]
    body: dict[str, Any] = {
        **_head("upgrade", upgrade.repo, upgrade.span),
        "source": upgrade.source.name,
        "commit": upgrade.source.commit,
        "changes": upgrade.changes,
        "broken": upgrade.is_broken,
        **{name: _changes(changes) for name, changes in lists.items()},
        "settings": settings,
        "asked": [
            {"name": one.name, "before": one.before, "after": one.after,
             "at": f"{one.path}:{one.line}"}
            for one in upgrade.asked
        ],
        "unchanged": [
            {"name": one.name, "same": one.same.value, "path": one.path,
             "here": [str(place) for place in one.places]}
            for one in upgrade.unchanged
        ],
        "unread": list(upgrade.unread),
        "whole": upgrade.is_whole,
        "not_followed": [
            {"name": one.use.name, "why": one.why.value, "here": str(one.use.place)}
            for one in upgrade.lost
        ],
    }  # fmt: skip
    return as_json(body)


def render_between(repo: Repo, span: Span, ranked: Sequence[Suspect]) -> str:
    """Return every change of a range in its order."""
    rows = [
        {
            **_item(one.item),
            "score": round(one.score, 3),
            "words": list(one.words),
            "matches": _matches(one.weighed) if one.weighed else [],
        }
        for one in ranked
    ]
    return as_json({**_head("between", repo, span), "changes": rows})


def _head(kind: str, repo: Repo, span: Span) -> dict[str, Any]:
    return {
        "schema": SCHEMA_VERSION,
        "kind": kind,
        "repo": str(repo),
        "from": span.base,
        "to": span.head,
        "from_sha": span.base_sha,
        "to_sha": span.head_sha,
    }


def _item(item: Item) -> dict[str, Any]:
    link = change_link(item)
    return {"ref": link.label, "url": link.url, "sha": item.commits[0], "title": item.title}


def _changes(changes: Iterable[WeighedChange]) -> list[dict[str, Any]]:
    return [
        {**_item(one.item), "weight": round(one.weight, 3), "matches": _matches(one)}
        for one in changes
    ]


def _matches(one: WeighedChange) -> list[dict[str, Any]]:
    return [_match(match, one.item) for match in one.matches]


def _match(match: Match, item: Item) -> dict[str, Any]:
    where = place_of(match.altered.path, match.altered.line, item)
    return {
        "strength": match.strength.value,
        "ground": match.ground.value,
        "name": match.altered.name,
        "names": list(match.names),
        "before": match.altered.before,
        "after": match.altered.after,
        "upstream": where.label,
        "url": where.url,
        "use": match.use.kind.value,
        "used": match.use.name,
        "here": str(match.use.place),
    }
