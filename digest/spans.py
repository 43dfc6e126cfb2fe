"""A digest of what lies between two versions, made of the same stored days as any other.

::

    span     = await source.span(repo, base, head)       which commits, and since when
    activity = await gather(repo, window)                days that are not stored are collected
    activity = within(activity, span) + what is on the head's branch alone
    reading  = read(activity, …)                         as any window; it is not stored
    reading  = by_ends(reading, span, contents)          what both ends show is truer than the sum
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

from digest.errors import CouldNotLook, NotFound, UsageError
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.grades import ChangeObject
from digest.models import (
    Activity,
    FileAt,
    FileChange,
    Gap,
    Item,
    Kind,
    Notice,
    NoticeKind,
    Reading,
    Repo,
    Span,
    Window,
)
from digest.ports import Source, Spans
from digest.reading.bites import is_of_within
from digest.reading.change import declared
from digest.reading.interfaces.moves import as_they_went, gone_modules, moved_modules
from digest.reading.interfaces.place import ChangeEnds
from digest.reading.interfaces.requirements import is_higher
from digest.reading.interfaces.variables import as_searched
from digest.reading.interfaces.window import attributed, span_facts, span_wanted
from digest.reading.known_facts import fact_note
from digest.reading.paths import RUNTIME, role
from digest.times import MAX_DAYS
from digest.wording.phrases import SAY

MOST_ALONE = 60
"""Commits of a release branch that are looked up one by one; more are said to be left out."""

MOST_MENDED = 100
"""Files of fixes whose text at the base is read, to see whether it had what they mend."""

_MOVED = 0.3
"""The share of a new file's lines from which on lines that went may stand there now."""

A_MOMENT = timedelta(seconds=1)

Gather = Callable[[Repo, Window], Awaitable[Activity]]

_BY_ENDS = (FactKind.INTERFACE, FactKind.REQUIREMENT, FactKind.MOVE)
_NOBODY = "span"
_NUMBERED = re.compile(r"v?\d+\.\d", re.IGNORECASE)
"""A tag whose name says which of two is newer."""
_SHA = re.compile(r"[0-9a-f]{7,64}")
_LEAF = re.compile(r"\w[\w-]*")
"""The last of a name is what code writes: `encode` of `Client.encode`, `x` of `encode(x)`."""


async def span_of(source: Source, repo: Repo, base: str, head: str) -> Span:
    """Return what lies between two commits; raises `UsageError` for a source without history."""
    if not isinstance(source, Spans):
        raise UsageError(SAY.files.no_versions)
    return await source.span(repo, base, head)


def window_of(span: Span, tz: str) -> Window:
    """Return the time in which a span was made, the last `MAX_DAYS` days of it at most."""
    until = span.until + A_MOMENT
    since = max(min(span.since, until - A_MOMENT), until - timedelta(days=MAX_DAYS))
    return Window(since, until, tz, f"{span.base}..{span.head}", is_span=True)


def notices_of(span: Span) -> tuple[Notice, ...]:
    """Say what of a span is not as who asks may take it: its base stands aside, or came later."""
    if is_backward(span):
        return (Notice(NoticeKind.BACKWARD, span.base, span.head),)
    return (Notice(NoticeKind.DIVERGED, span.base, span.head),) if span.lacks else ()


def is_backward(span: Span) -> bool:
    """Return whether the base is the newer one: by number, else as the head has nothing of its own.

    A release of another branch may be made after a head that has more than it.
    """
    if _NUMBERED.match(span.base) and _NUMBERED.match(span.head):
        return is_higher(span.base, span.head)
    return not span.commits and span.based_at is not None and span.based_at > span.until


def within(activity: Activity, span: Span) -> Activity:
    """Return an activity with the changes and releases of a span; issues are none of it."""

    def belongs(item: Item) -> bool:
        if item.kind.is_change:
            return any(sha in span.commits for sha in item.commits)
        if item.kind is not Kind.RELEASE:
            return False
        return item.ref in span.tags if span.tags is not None else is_between(item.ref)

    def is_between(tag: str) -> bool:
        # The time of a span begins where two branches parted: releases of the first one are in it.
        is_version = _NUMBERED.match(tag) is not None
        is_older = _NUMBERED.match(span.base) and not is_higher(tag, span.base)
        is_newer = _NUMBERED.match(span.head) and is_higher(tag, span.head)
        return tag != span.base and not (is_version and (is_older or is_newer))

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
            gaps.append(Gap("commits", SAY.unread.commit(sha[:7], error.why)))
        else:
            items.append(replace(found, at=min(max(found.at, window.start), span.until)))
    try:
        items += await _head_release(source, span, repo, items)
    except CouldNotLook as error:
        gaps.append(Gap("releases", SAY.unread.commit(span.head, error.why)))
    left_out = len(alone) - MOST_ALONE
    if left_out > 0:
        gaps.append(Gap("commits", SAY.git.one_by_one(left_out, span.head)))
    if not span.is_whole:
        gaps.append(Gap("commits", SAY.git.more_between(span.base, span.head)))
    notices = tuple(dict.fromkeys((*activity.notices, *notices_of(span))))
    gaps = list(dict.fromkeys(gaps))
    return replace(activity, window=window, items=tuple(items), gaps=tuple(gaps), notices=notices)


async def _head_release(
    source: Source, span: Span, repo: Repo, items: Iterable[Item]
) -> list[Item]:
    """Return the release that the head is, where it was tagged later than its commit was made.

    Raises `CouldNotLook` where nobody could say whether it is one.
    """
    if _SHA.fullmatch(span.head) or any(item.ref == span.head for item in items):
        return []
    try:
        found = await source.find(repo, span.head)
    except NotFound:
        return []
    return [replace(found, at=span.until)] if found.kind is Kind.RELEASE else []


def files_of(items: Iterable[Item]) -> tuple[FileChange, ...]:
    """Return the files that differ between the ends of a span, by what its changes did to them.

    What was added and removed again is not among them. A patch is those of all changes, one after
    the other: it shows what was touched, and no line numbers hold in it.
    """
    known: dict[str, FileChange] = {}  # by the path by now
    gone: dict[str, FileChange] = {}
    for item in sorted(items, key=lambda each: each.at):
        for file in item.files or ():
            before = known.pop(file.previous_path or file.path, None) or gone.pop(file.path, None)
            joined = _joined(before, file) if before else file
            if joined.status == "removed":
                if before is None or before.status != "added":
                    gone[joined.path] = joined
            else:
                known[file.path] = joined
    return tuple(sorted((*known.values(), *gone.values()), key=lambda file: file.path))


def _joined(before: FileChange, after: FileChange) -> FileChange:
    """Return two changes of one file as one."""
    origin = before.previous_path or before.path
    patch = "\n".join(filter(None, (before.patch, after.patch))) or None
    status = after.status
    if before.status == "added" and status != "removed":
        status = "added"
    elif status == "removed":
        return replace(after, path=origin, previous_path=None, patch=patch)
    else:
        status = "modified" if after.path == origin else "renamed"
    return FileChange(
        after.path,
        status,
        before.additions + after.additions,
        before.deletions + after.deletions,
        patch,
        origin if status == "renamed" else None,
    )


def wanted_of(reading: Reading, span: Span) -> tuple[FileAt, ...]:
    """Return the whole files at both ends that `by_ends` needs."""
    files = files_of(read.item for read in reading.items)
    mended = {path for paths in _mended(reading, files).values() for path in paths.values()}
    fixes = (FileAt(span.base_sha, path) for path in sorted(mended)[:MOST_MENDED])
    said = (
        FileAt(span.head_sha, fact.evidence[-1].path)
        for fact in reading.facts
        if _is_of_program(fact)
    )
    wanted = (*span_wanted(files, span.base_sha, span.head_sha), *fixes, *said)
    return tuple(dict.fromkeys(wanted))


def _mended(reading: Reading, files: Iterable[FileChange]) -> dict[str, dict[str, str]]:
    """Return, by the key of each fix that may have bitten, where its files stood at the base."""
    origins = {file.path: file.previous_path for file in files if file.previous_path}
    fixes = {fact.item for fact in reading.facts if fact.change is FactChange.FIXED}
    return {
        read.item.key: {
            path: origins.get(path, path)
            for file in read.item.files or ()
            if role(file.path) in RUNTIME and file.status != "added"
            for path in (file.previous_path or file.path,)
        }
        for read in reading.items
        if read.item.key in fixes and read.item.kind.is_change
    }


def _mended_within(
    reading: Reading,
    span: Span,
    files: Iterable[FileChange],
    contents: Mapping[FileAt, str | None],
) -> set[str]:
    """Return the keys of fixes of what the base never had: nobody who runs it was bitten."""
    items = {read.item.key: read.item for read in reading.items}
    written = {path for item in items.values() for path in _written(item)}
    found = set()
    for key, paths in _mended(reading, files).items():
        texts = {path: contents.get(FileAt(span.base_sha, at)) for path, at in paths.items()}
        texts |= {path: "" for path, at in paths.items() if at in written and texts[path] is None}
        if is_of_within(items[key].files or (), texts):
            found.add(key)
    return found


def _written(item: Item) -> Iterator[str]:
    """Yield the files that a change wrote: what it takes away elsewhere may have moved there."""
    files = item.files or ()
    taken = sum(file.deletions for file in files)
    for file in files:
        if file.status == "added" and taken < file.additions * _MOVED:
            yield file.path


def by_ends(
    reading: Reading,
    span: Span,
    contents: Mapping[FileAt, str | None],
    had: Mapping[str, bool] = MappingProxyType({}),
) -> Reading:
    """Return a reading whose interfaces are those that both ends of the span differ in.

    Each is told of the last change that made it; what came and went in between is not told, nor
    whom a fix could have bitten that mends what came in between. What a title or a message alone
    says is kept.
    Where not every change of the span could be read, what none of those that were read is seen
    to have made is not told either: another one made it.
    """
    files = files_of(read.item for read in reading.items)
    ends = ChangeEnds(span.base_sha, span.head_sha)
    in_order = sorted((each.item for each in reading.items), key=lambda item: item.at)
    compared = span_facts(_NOBODY, reading.repo.name, files, contents, ends, in_order)
    seen = [fact for fact in as_searched(compared, had) if not _is_of_modules(fact)]
    landed = {read.item.key: read.item.at for read in reading.items}
    made = sorted(reading.facts, key=lambda fact: landed[fact.item])
    names = {name for fact in seen for name in fact.names or (fact.name,)}
    released = next((one.item.key for one in reading.items if one.item.ref == span.head), "")
    within = _mended_within(reading, span, files, contents)
    facts = [
        fact
        for fact in _each_message_once(reading.facts)
        if fact.kind not in _BY_ENDS
        or (_is_stated(fact, span, contents) and fact.name not in names)
        if fact.kind is not FactKind.BITE or fact.item not in within
    ]
    facts += _moves(in_order, files)
    read = {sha for each in reading.items for sha in each.item.commits}
    is_whole = span.is_whole and span.commits <= read
    for fact in attributed(seen, made):
        if fact.item != _NOBODY:
            facts.append(fact)
        elif item := _maker(fact, reading):
            facts.append(replace(fact, item=item))
        elif item := _likely_maker(fact, reading, is_whole=is_whole and not span.lacks):
            # Both ends say it: which change made it is a guess.
            facts.append(replace(fact, item=item, inferred=True))
        elif released and span.lacks:
            # Not a change of the span: the base's branch took it back, or never had it.
            facts.append(replace(fact, item=released))
    notes = (fact_note(fact) for fact in facts)
    return replace(
        reading,
        facts=tuple(facts),
        upgrade_notes=tuple(note for note in notes if note is not None),
    )


def _is_of_modules(fact: Fact) -> bool:
    return fact.kind is FactKind.MOVE and fact.subject is Subject.MODULE


def _moves(in_order: Iterable[Item], files: Iterable[FileChange]) -> Iterator[Fact]:
    """Yield which modules went or moved between the ends, by the change that did so last."""
    origins: dict[str, str] = {}  # by the path by now
    movers: dict[str, str] = {}
    for item in in_order:
        for file in item.files or ():
            if file.status not in ("renamed", "removed"):
                continue
            old = file.previous_path or file.path
            origin = origins.pop(old, old)
            movers[origin] = item.key
            if file.status == "renamed":
                origins[file.path] = origin
    went = as_they_went(tuple(files))
    for key in dict.fromkeys(movers.values()):
        own = {file for file in went if movers.get(file.previous_path or file.path) == key}
        yield from moved_modules(key, [file for file in went if file in own])
        yield from gone_modules(
            key, [file for file in went if file in own or file.status != "removed"]
        )


def _is_stated(fact: Fact, span: Span, contents: Mapping[FileAt, str | None]) -> bool:
    """Tell whether words say it and no definition has to show it: `Use the ring by default`.

    Those of a title, and the program's own: what it refuses or warns of, where it still does so.
    """
    if fact.kind is not FactKind.INTERFACE or not fact.evidence:
        return False
    if fact.evidence[0].source == "title":
        return True
    if not _is_of_program(fact):
        return False
    at = FileAt(span.head_sha, fact.evidence[-1].path)
    text = contents.get(at)
    return fact.evidence[-1].quote in text if text is not None else at not in contents


def _is_of_program(fact: Fact) -> bool:
    """Tell whether a line of the program says it: what it refuses, or warns of."""
    shown = fact.evidence[-1] if fact.evidence else None
    is_of_words = fact.kind is FactKind.INTERFACE and fact.subject is Subject.FEATURE
    return is_of_words and shown is not None and shown.source == "diff"


def _each_message_once(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts without those whose message another one of the span has already."""
    told: set[str] = set()
    for fact in facts:
        if fact.kind is FactKind.INTERFACE and fact.quote:
            if fact.quote in told:
                continue
            told.add(fact.quote)
        yield fact


def _maker(fact: Fact, reading: Reading) -> str:
    """Return the last change whose patch has the line that a fact stands on; "" where none has."""
    shown = fact.evidence[-1] if fact.evidence else None
    if shown is None or not shown.quote or not shown.side:
        return ""
    for item, file in _touching(fact, reading):
        if any(line[1:].strip().startswith(shown.quote) for line in _changed(file, shown.side)):
            return item.key
    return ""


def _likely_maker(fact: Fact, reading: Reading, *, is_whole: bool) -> str:
    """Return the last change whose patch brings or takes a name; "" without one.

    Where no change is missing, else the last one that touched its file. Documentation and tests
    name much that they do not make, as does a line that is written otherwise.
    """
    leaf = (_LEAF.findall(fact.name) or [""])[-1]
    name = re.compile(rf"\b{re.escape(_plain(leaf))}\b")
    touching = list(_touching(fact, reading))
    for item, file in touching if leaf else ():
        came, went = (
            sum(name.search(_plain(line)) is not None for line in _changed(file, sign))
            for sign in "+-"
        )
        makes = {FactChange.ADDED: came > went, FactChange.REMOVED: went > came}
        if makes.get(fact.change, came or went) and not _is_aside(item):
            return item.key
    return touching[0][0].key if touching and is_whole else ""


def _changed(file: FileChange, signs: str) -> Iterator[str]:
    return (line for line in (file.patch or "").split("\n") if line[:1] and line[0] in signs)


def _touching(fact: Fact, reading: Reading) -> Iterator[tuple[Item, FileChange]]:
    """Yield what touched the file of a fact, the last first, documentation and tests last."""
    path = fact.evidence[-1].path if fact.evidence else ""
    last_first = sorted((each.item for each in reading.items), key=lambda one: one.at, reverse=True)
    for item in sorted(last_first, key=_is_aside):
        for file in item.files or ():
            if path in (file.path, file.previous_path):
                yield item, file


def _is_aside(item: Item) -> bool:
    """Return whether a change calls itself documentation or tests."""
    return declared(item.title).object in (ChangeObject.DOCS, ChangeObject.TEST)


def _plain(text: str) -> str:
    return text.replace("-", "_").casefold()
