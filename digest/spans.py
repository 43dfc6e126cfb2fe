"""A digest of what lies between two versions, made of the same stored days as any other.

::

    span     = await source.span(repo, base, head)       which commits, and since when
    activity = await gather(repo, window)                days that are not stored are collected
    activity = within(activity, span) + what is on the head's branch alone
    digest   = await tell(activity)                      as any window; it is not stored
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from digest.errors import CouldNotLook, UsageError
from digest.gaps import Gap
from digest.models import Activity, Digest, Item, Kind, Repo, Span, Window
from digest.ports import Source
from digest.windows import MAX_DAYS

MOST_ALONE = 60
"""Commits of a release branch that are looked up one by one; more are said to be left out."""

A_MOMENT = timedelta(seconds=1)

Gather = Callable[[Repo, Window], Awaitable[Activity]]
Tell = Callable[[Activity], Awaitable[Digest]]


async def span_of(source: Source, repo: Repo, base: str, head: str) -> Span:
    """Return what lies between two commits; raises `UsageError` for a source without history."""
    find = getattr(source, "span", None)
    if find is None:
        raise UsageError("a recording holds no versions: ask for days, or leave --source out")
    span: Span = await find(repo, base, head)
    return span


def window_of(span: Span, tz: str) -> Window:
    """Return the time in which a span was made, the last `MAX_DAYS` days of it at most."""
    until = span.until + A_MOMENT
    since = max(min(span.since, until - A_MOMENT), until - timedelta(days=MAX_DAYS))
    return Window(since, until, tz, f"{span.base}..{span.head}")


def within(activity: Activity, span: Span) -> Activity:
    """Return an activity with the changes of a span alone; issues are none of it."""

    def belongs(item: Item) -> bool:
        if item.kind in (Kind.COMMIT, Kind.PULL_REQUEST):
            return any(sha in span.commits for sha in item.commits)
        return item.kind is Kind.RELEASE and item.ref != span.base

    return replace(activity, items=tuple(filter(belongs, activity.items)), later=())


async def activity_of(source: Source, gather: Gather, span: Span, repo: Repo, tz: str) -> Activity:
    """Return all that a span holds, with a gap for what of it could not be read."""
    window = window_of(span, tz)
    activity = within(await gather(repo, window), span)
    known = {sha for item in activity.items for sha in item.commits}
    alone = sorted(span.commits - known)
    items, gaps = list(activity.items), list(activity.gaps)
    for sha in alone[:MOST_ALONE]:
        try:
            found = await source.find(repo, sha)
        except CouldNotLook as error:
            gaps.append(Gap("commits", f"{sha[:7]} could not be read: {error}"))
        else:
            items.append(replace(found, at=min(max(found.at, window.start), span.until)))
    left_out = len(alone) - MOST_ALONE
    if left_out > 0:
        why = f"{left_out} commits that are older, or on the branch of {span.head} alone"
        gaps.append(Gap("commits", f"not looked at one by one: {why}"))
    if not span.is_whole:
        gaps.append(
            Gap("commits", f"more lies between {span.base} and {span.head} than was listed")
        )
    return replace(activity, window=window, items=tuple(items), gaps=tuple(dict.fromkeys(gaps)))
