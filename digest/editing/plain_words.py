"""A question in plain words, with a model: it reads, the program finds, it tells of what was found.

::

    query    one question: the program's own query, each field checked against what there is
    find     the program's: the model sees nothing but what it gives
    answer   one question: a few sentences, each with the items that it is about
    check    one question: these read a second time; what is not confirmed is not told

Whatever fails or is late leaves what the rules read, and the list that the program found.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from digest.editing import remarks
from digest.editing.calls import ModelCalls, ModelUser
from digest.editing.editor import sentences
from digest.editing.questions import one_line
from digest.errors import BadWindow
from digest.models import Repo, Window
from digest.ports import Clock
from digest.query.query import About, Found, Query
from digest.query.reading import looked_for
from digest.times import Days
from digest.windows import window_of

LONGEST_ANSWERED = 25.0
"""Seconds that somebody who asked is let wait for a model, whatever a digest may wait."""
MOST_REPOS = 60
MOST_NAMES, MOST_SPELLINGS, LONGEST_NAME = 6, 5, 60

_MENTION = re.compile(r"<[@#!][^<>]{0,200}>")
"""People and channels as Slack and Discord write them: nothing of theirs is sent."""


@dataclass(frozen=True)
class ModelAsking(ModelUser):
    """Reads questions with a model; nobody who asks waits longer than `LONGEST_ANSWERED`."""

    _: KW_ONLY
    clock: Clock

    async def found(
        self,
        query: Query,
        named: Mapping[str, Repo],
        find: Callable[[Query], Awaitable[Found]],
    ) -> Found:
        """Return what `find` gives for a query as the model reads it, with the model's sentences.

        `query` is as the rules read it, `named` the repositories that may be asked for. Raises
        what `find` raises, and nothing of a model.
        """
        found: Found | None = None

        async def answer(calls: ModelCalls) -> None:
            nonlocal found
            by_model = await read_by_model(query, named, calls, self.clock())
            found = await _found(query, by_model, find, calls)
            lines = {
                hit.read.item.key: remarks.line_of(hit.read, hit.facts, repo=True)
                for hit in found.hits
            }
            if lines:
                asked = f"question: {_plain(query.question)}\n"
                items = {hit.read.item.key: hit.read.item for hit in found.hits}
                written = await sentences(
                    "answer", lines, calls, question=asked, items=items, least=1
                )
                found = replace(found, remarks=written)

        _, use = await self.run(answer, seconds=min(self.seconds, LONGEST_ANSWERED))
        return replace(found or await find(query), model=use)


async def read_by_model(
    query: Query, named: Mapping[str, Repo], calls: ModelCalls, now: datetime
) -> Query:
    """Return a question as a model reads it, as far as that stands; else as the rules read it."""
    answer = await calls.ask("query", [], _question(query, named, now))
    if answer is None:
        return query
    by_model = checked(answer, query, named, now)
    return by_model if by_model is query else replace(by_model, by=calls.model.name)


async def _found(
    query: Query, by_model: Query, find: Callable[[Query], Awaitable[Found]], calls: ModelCalls
) -> Found:
    """Find what a model asked for.

    Where that is nothing, it is what fits what the rules read, of the same repositories and days.
    """
    found = await find(by_model)
    if by_model is query:
        return found
    if not found.total:
        ruled = replace(query, repos=by_model.repos, window=by_model.window)
        other = await find(query if ruled == query else replace(ruled, by=by_model.by))
        if other.total:
            calls.count(0, of=1)
            return other
    calls.count(1, of=1)
    return found


def _question(query: Query, named: Mapping[str, Repo], now: datetime) -> str:
    today = now.astimezone(ZoneInfo(query.window.tz))
    repos = {repo: alias for alias, repo in reversed(list(named.items())) if "/" not in alias}
    repos |= {repo: str(repo) for repo in named.values() if repo not in repos}
    listed = ", ".join(list(repos.values())[:MOST_REPOS])
    return (
        f"today: {today:%Y-%m-%d, a %A}\nrepositories: {listed}\nquestion: {_plain(query.question)}"
    )


def _plain(question: str) -> str:
    return one_line(_MENTION.sub(" ", question))


def checked(
    answer: Mapping[str, Any], query: Query, named: Mapping[str, Repo], now: datetime
) -> Query:
    """Return a query with what of a model's reading stands.

    Repositories are of those that may be asked for. Days are days that there were, and where the
    rules found some, such as hold these or are among these: more or less of one time. Kinds are of
    the closed list. Names are looked for and told, so that one that nothing holds is seen to be
    nowhere. An answer that says nothing changes nothing.
    """
    given = (named.get(each.strip().casefold()) for each in answer["repos"])
    repos = tuple(dict.fromkeys(each for each in given if each))
    window = _window(answer["first"], answer["last"], query, now)
    own = {alias for alias, repo in named.items() if repo in (repos or query.repos)}
    names = _names(answer["names"], query.question, own)
    kinds = frozenset(About(each) for each in answer["kinds"])
    if not (repos or window or names or kinds):
        return query
    return replace(
        query,
        repos=repos or query.repos,
        window=window or query.window,
        kinds=kinds or query.kinds,
        words=tuple(names),
        also=names,
        names_time=bool(window) or query.names_time,
    )


def _window(first: str, last: str, query: Query, now: datetime) -> Window | None:
    """Return the window of two days, the second of which is today at the latest."""
    tz = query.window.tz
    try:
        begins, ends = date.fromisoformat(first), date.fromisoformat(last or first)
        today = now.astimezone(ZoneInfo(tz)).date()
        window = window_of(Days(begins, min(ends, today)), now=now, tz=tz)
    except (BadWindow, ValueError):
        return None
    ruled = query.window
    holds = window.start <= ruled.start and ruled.end <= window.end
    is_held = ruled.start <= window.start and window.end <= ruled.end
    return window if holds or is_held or not query.names_time else None


def _names(given: Sequence[str], question: str, own: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return each name as it is looked for with its other spellings, one of the question first.

    `own` are names of the repositories that are searched, which say nothing within them.
    """
    words = looked_for(question)
    names: dict[str, tuple[str, ...]] = {}
    for each in given[:MOST_NAMES]:
        parts = (part for part in each.split("|") if len(part) <= LONGEST_NAME)
        spelled = dict.fromkeys(map(looked_for, parts))
        known = sorted((w for w in spelled if w and w not in own), key=lambda w: w not in words)
        if known:
            names[known[0]] = tuple(known[1:MOST_SPELLINGS])
    return names
