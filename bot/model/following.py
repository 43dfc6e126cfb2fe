"""What is told of a followed item's standing upstream, and when it is looked at next (pure).

A change is told once. One that can be taken back has to stand for a while first, and between two
things told of an item lies an hour: a state that flips is told at most once in it.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bot.model.channels import Channel
from bot.model.references import ItemKey, read_key
from digest.models import Kind, Repo, State
from digest.upstream import Standing

EVERY = timedelta(minutes=30)
"""How often an item is looked at; all at the same minutes, so that one document asks for many."""

SLOWLY = timedelta(hours=6)
"""How often one is of which nothing was news for `LONG`."""

LONG = timedelta(days=30)

MINUTE_OF_LOOKS = timedelta(minutes=7)
"""After the full and the half hour, when everybody else asks."""

NEAR = timedelta(minutes=10)
"""What was looked at so lately is not looked at again with all others."""

SETTLED_AFTER = timedelta(minutes=10)
"""How long what can be taken back stands before it is told."""

APART = timedelta(hours=1)
"""What lies at least between two things told of an item."""

WATCHED_FOR = timedelta(hours=48)
"""How long what is done, or all that can become of it, is looked at: it may be taken back."""

GIVEN_UP = timedelta(days=180)
"""A merged change is waited for so long to be released."""

NEVER = datetime(9999, 1, 1, tzinfo=UTC)


class News(StrEnum):
    """What became of an item; its name in the JSON of a webhook, so never rename one."""

    MERGED = "merged"
    CLOSED = "closed"
    FIXED = "fixed"
    NOT_PLANNED = "not_planned"
    DUPLICATE = "duplicate"
    REOPENED = "reopened_upstream"
    LINKED = "fix_linked"
    REVERTED = "reverted"
    AMENDED = "amended"
    RELEASED = "in_release"
    PINNED = "in_pin"
    PULLED = "release_pulled"
    RETITLED = "retitled"
    REWRITTEN = "notes_changed"
    MISSING = "missing"
    BACK = "back"


LASTING = {News.MERGED, News.REVERTED, News.RELEASED, News.PINNED}
"""What nobody can take back: it is told at once."""

AMENDING = {News.RETITLED, News.REWRITTEN}
"""What is said of an item in other words now."""

CORRECTING = {
    *(News.REVERTED, News.AMENDED, News.NOT_PLANNED, News.DUPLICATE, News.PULLED),
    *AMENDING,
}
"""What makes wrong what was told before."""


@dataclass(frozen=True, slots=True)
class Following:
    """What is known of an item's standing, and what its channel was told.

    `seen` is how it stood when it was looked at last, None before the first look; `reported` is how
    the channel knows it. `since` is since when they differ. `saying` are the messages (by number)
    that tell a change and may not be posted yet; `hears` are the people who are still to be told of
    it. `awaits_pin` says that a codebase of the channel pins a version without it. `reopened` tells
    that the channel was told that it is open again.
    """

    reported: Annotated[Standing, Field(alias="told")]
    seen: Standing | None = None
    since: datetime | None = None
    reported_at: Annotated[datetime | None, Field(alias="told_at")] = None
    looked_at: datetime | None = None
    changed_at: datetime | None = None
    saying: tuple[int, ...] = ()
    hears: tuple[str, ...] = ()
    awaits_pin: bool = False
    reopened: bool = False


UNKNOWN = Following(Standing(None))
"""Of an item that nobody could look at yet: the first look tells nothing."""


def turns(before: Standing, after: Standing) -> tuple[News, ...]:
    """Return what became of an item between two standings, in the order of a sentence."""
    found: list[News] = []
    if before.state != after.state:
        found += _of_state(before.state, after)
    elif after.state is State.OPEN and after.fix and after.fix != before.fix:
        found.append(News.LINKED)
    if after.reverted_by and not before.reverted_by:
        found.append(News.REVERTED)
    if after.amended and not before.amended:
        found.append(News.AMENDED)
    if after.release and after.release != before.release:
        found.append(News.RELEASED)
    if after.pin and not before.pin:
        found.append(News.PINNED)
    if after.state and is_retitled(before.title, after.title):
        found.append(News.RETITLED)
    if before.state == after.state and is_rewritten(before.notes, after.notes):
        found.append(News.REWRITTEN)
    return tuple(found)


def is_retitled(before: str, after: str) -> bool:
    """Return whether a title says something else; marks in brackets and case do not count."""
    old, new = _words(before), _words(after)
    return bool(old and new) and old != new


def _words(title: str) -> list[str]:
    return re.findall(r"[\w.+-]*\w", re.sub(r"^(\s*\[[^]]*\])+", "", title).casefold())


def is_rewritten(before: tuple[str, ...] | None, after: tuple[str, ...] | None) -> bool:
    """Return whether more than a fifth of the lines of a release's notes came, went or changed."""
    if before is None or after is None:
        return False
    old, new = set(before), set(after)
    return 5 * len(old ^ new) > len(old | new)


def _of_state(before: State | None, after: Standing) -> list[News]:
    match after.state:
        case None:
            is_release = before in (State.PUBLISHED, State.TAGGED)
            return [News.PULLED if is_release and not after.is_repo_gone else News.MISSING]
        case _ if before is None:
            return [News.BACK]
        case State.TAGGED if before is State.PUBLISHED:
            return [News.PULLED]
        case State.PUBLISHED if before is State.TAGGED:
            return []
        case State.OPEN:
            return [News.REOPENED]
        case State.CLOSED if after.is_fixed:
            return [News.FIXED]
        case State.MERGED | State.CLOSED | State.NOT_PLANNED | State.DUPLICATE:
            return [News(after.state.value)]
        case _:
            return [News.BACK]


def looked(
    before: Following | None, seen: Standing, now: datetime, *, awaited: bool = False
) -> tuple[Following, tuple[News, ...]]:
    """Return what is known after a look, and what is to be told now.

    What is told is `shown` of the result from then on. The first look tells what changed of the
    state that the channel was told, and the release that somebody `awaited`; all else that it finds
    was so before.
    """
    if before is None or before == replace(UNKNOWN, saying=before.saying):
        before = Following(seen)
    before = _set_right(before, now)
    shown = before.reported
    if before.seen is None and seen.state == shown.state:
        shown = replace(
            seen,
            release="" if awaited else seen.release,
            reverted_by=shown.reverted_by,
            amended=shown.amended,
            title=shown.title or seen.title,
            notes=seen.notes if shown.notes is None else shown.notes,
        )
    news = turns(shown, seen)
    after = replace(before, reported=shown, seen=seen, looked_at=now)
    if before.seen is None or turns(before.seen, seen) or turns(seen, before.seen):
        after = replace(after, changed_at=now)
    # Of what is not there nothing else is seen: what was told of it is not told again once it is.
    known = seen if seen.state else replace(shown, state=None, is_repo_gone=seen.is_repo_gone)
    if not news:
        return replace(after, reported=known, since=None), ()
    after = replace(after, since=before.since or now)
    if now < _tells_at(after, news):
        return after, ()
    reopened = seen.state is State.OPEN and (before.reopened or News.REOPENED in news)
    return replace(after, reported=known, since=None, reported_at=now, reopened=reopened), news


def _set_right(following: Following, now: datetime) -> Following:
    """Return what is known without moments of a clock that ran ahead: nothing waits for them."""
    moments = ("since", "reported_at", "changed_at")
    known = {name: getattr(following, name) for name in moments}
    return replace(following, **{name: min(at, now) for name, at in known.items() if at})


def _tells_at(following: Following, news: tuple[News, ...]) -> datetime:
    """Return when a change that stays is told."""
    since = following.since
    assert since is not None  # there is news
    settled = since if set(news) <= LASTING else since + SETTLED_AFTER
    return max(settled, following.reported_at + APART) if following.reported_at else settled


def next_look(following: Following | None, now: datetime, *, done: bool, awaited: bool) -> datetime:
    """Return when an item is looked at next, `NEVER` for one that is settled.

    `done` says that somebody is done with it, `awaited` that somebody waits for its release.
    """
    if following is None or following.looked_at is None:
        return _on_the_grid(now)
    if following.saying or following.hears:
        return now
    if following.since is not None and following.seen is not None:
        at = _tells_at(following, turns(following.reported, following.seen))
        return max(at, now + timedelta(minutes=1))
    calm = now - (following.changed_at or now)
    awaits_pin = following.awaits_pin and following.reported.release and not done
    if awaits_pin and WATCHED_FOR <= calm < GIVEN_UP:  # before, it may be taken back: see below
        return now + SLOWLY
    if _is_settled(following.reported, calm, done=done and not awaited):
        return NEVER
    return _on_the_grid(now) if calm < LONG else now + SLOWLY


def _is_settled(shown: Standing, calm: timedelta, *, done: bool) -> bool:
    if shown.state is None:  # the channel was told that it is not followed any further
        return True
    if calm < WATCHED_FOR:
        return False
    match shown.state:
        case State.MERGED:
            return done or bool(shown.release or shown.reverted_by) or calm >= GIVEN_UP
        case State.OPEN:
            return done and calm >= LONG
        case _:
            return done or (calm >= LONG and not (shown.is_fixed and not shown.release))


def _on_the_grid(now: datetime) -> datetime:
    """Return the next of the minutes at which all are looked at, but for one that is near."""
    passed = (now - MINUTE_OF_LOOKS - datetime(2000, 1, 1, tzinfo=UTC)) % EVERY
    left = EVERY - passed
    return now + (left if left >= NEAR else left + EVERY)


CORRECTED_WITHIN = timedelta(hours=48)
"""How long after it was told something is corrected by itself."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One item that was told and is not so: what became of it, and how it stands now."""

    channel: Channel
    item_key: str
    ref: str
    title: str
    url: str
    turn: News
    standing: Standing

    @property
    def by(self) -> str:
        """The page of what took it back; empty where nothing did."""
        return upstream_url(read_key(self.item_key).repo, self.standing.reverted_by)


def upstream_url(repo: Repo, ref: str) -> str:
    """Return page of a pull request (`#1208`) or commit that a standing names; empty for none."""
    kind = Kind.PULL_REQUEST if ref.startswith("#") else Kind.COMMIT
    return ItemKey(repo, kind, ref.removeprefix("#")).url if ref else ""


def corrected(shown: Standing, now: Standing) -> News | None:
    """Return what makes wrong what was told of an item, None where nothing does.

    A pull request that lands and an issue that is closed as done make nothing wrong.
    """
    found = [turn for turn in turns(shown, now) if turn in CORRECTING]
    grave = [turn for turn in found if turn not in AMENDING]
    return next(reversed(grave or found), None)
