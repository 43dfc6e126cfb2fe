"""How what one watched repository released reaches another by its pins, up to what is pinned here.

::

    cutlass v4.4.2 -> taken by flashinfer, #2798 -> in flashinfer v0.6.7 -> taken by vLLM, #38423

Every hop is an item of a reading. A release has what was taken before it where its text names the
pull request; where no text is known (a tag of a clone), it is told only that it came next.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from cachetools import LRUCache

from digest.concern.concerned import name_of, pins_of
from digest.concern.surface import Surface, Use, UseKind
from digest.models import KNOWN, Digest, Item, Kind, Reading, Repo, State, Window
from digest.reading.interfaces.requirements import is_higher, lowest
from digest.reading.relations import package_repo

_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+(?:\.\d+)*(?:\.?(?:post|rc|dev|a|b)\d+)?)(?![\w])")
_MOST_HOPS = 6

BEFORE = timedelta(days=60)
"""How far back a hop may lie: what was released takes days to weeks from one to the next."""

_MOST_READINGS = 64
"""Repositories with the days before a window that are kept at once: a morning asks for the same."""

Stored: TypeAlias = Callable[[Repo, Window], Awaitable[tuple[Digest, ...]]]
"""Gives what is stored of a repository and may be told."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A step: its repository released `version`, or with `of` took that version of another one.

    `sure` tells of a release whether its text names what was taken before it.
    """

    item: Item
    version: str
    of: Repo | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a codebase pins below a release: by a use that was read, or by a person's word."""

    name: str
    value: str
    use: Use | None = None


@dataclass(frozen=True, slots=True)
class Ripple:
    """The hops, oldest first, at least two; and what is pinned before one of their releases."""

    hops: tuple[Hop, ...]
    pins: tuple[Pinned, ...]


def may_ripple(readings: Sequence[Reading], surfaces: Sequence[Surface]) -> bool:
    """Return whether days before have to be known: something is pinned, and released or taken."""
    pins = any(
        one.words.pins or any(use.kind is UseKind.PIN for use in one.uses) for one in surfaces
    )
    return pins and any(
        any(read.item.kind is Kind.RELEASE for read in one.items) or any(_taken(one))
        for one in readings
    )


def lean(reading: Reading) -> Reading:
    """Return what of a reading ripples are told from: some kilobytes of some hundred."""
    taking = {hop.item.key for hop, _ in _taken(reading)}
    items = tuple(
        read for read in reading.items if read.item.kind is Kind.RELEASE or read.item.key in taking
    )
    notes = tuple(note for note in reading.upgrade_notes if taking & {*note.cites})
    return replace(
        reading, items=items, upgrade_notes=notes, facts=(), stories=(), front=(), reverts=()
    )


def ripples(
    readings: Sequence[Reading], earlier: Sequence[Reading], surfaces: Sequence[Surface]
) -> tuple[Ripple, ...]:
    """Return what of these readings goes on with what came before, and reaches a pin.

    `earlier` are readings of the days before, of any watched repository. A line that another one
    goes on with is not told twice.
    """
    known = _Known((*earlier, *readings))
    today = {read.item.key for reading in readings for read in reading.items}
    found = [known.line(hop) for hop in known.hops if hop.item.key in today]
    found = [line for line in found if len(line) > 1]
    longest = [line for line in found if not any(_goes_on(other, line) for other in found)]
    reached = [Ripple(line, pins) for line in longest if (pins := tuple(_pinned(line, surfaces)))]
    return tuple(reached)


def _goes_on(other: tuple[Hop, ...], line: tuple[Hop, ...]) -> bool:
    keys = [hop.item.key for hop in line]
    return len(other) > len(line) and [hop.item.key for hop in other][: len(line)] == keys


class _Known:
    """The releases and takings of some readings, and what leads to each."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._releases: dict[tuple[Repo, str], Hop] = {}
        takings: dict[tuple[str, Repo], Hop] = {}
        for reading in readings:
            for read in reading.items:
                item = read.item
                if item.kind is Kind.RELEASE and item.state is not State.PRERELEASE:
                    version = item.ref.lstrip("vV")
                    if _VERSION.fullmatch(version):
                        self._releases[item.repo, version] = Hop(item, version)
            for hop, of in _taken(reading):
                takings.setdefault((hop.item.key, of), hop)
        self._takings = tuple(takings.values())
        self.hops = (*self._takings, *self._releases.values())

    def line(self, hop: Hop, most: int = _MOST_HOPS) -> tuple[Hop, ...]:
        """Return what leads to a hop, and the hop."""
        if most <= 1:
            return (hop,)
        if hop.of is not None:
            release = self._releases.get((hop.of, hop.version))
            before = self.line(release, most - 1) if release else ()
            return (*before, hop)
        inside = [self.line(one, most - 1) for one in self._takings if self._has(hop, one)]
        longest = max(inside, key=lambda line: (len(line), line[-1].item.at), default=())
        if not longest:
            return (hop,)
        sure = _names(hop.item, longest[-1].item)
        return (*longest, Hop(hop.item, hop.version, sure=sure))

    def _has(self, release: Hop, taking: Hop) -> bool:
        if release.item.repo != taking.item.repo or release.item.at < taking.item.at:
            return False
        return _names(release.item, taking.item) or (
            not release.item.body and self._next(taking) is release
        )

    def _next(self, taking: Hop) -> Hop | None:
        """Return the first release after a taking that is higher than all before it."""
        own = sorted(
            (one for (repo, _), one in self._releases.items() if repo == taking.item.repo),
            key=lambda one: one.item.at,
        )
        before = [one.version for one in own if one.item.at < taking.item.at]
        return next(
            (
                one
                for one in own
                if one.item.at >= taking.item.at
                and all(is_higher(one.version, other) for other in before)
            ),
            None,
        )


def _names(release: Item, item: Item) -> bool:
    numbers = [number for number in (item.number, item.pull_request) if number]
    return any(re.search(rf"(?:#|/pull/){number}(?!\d)", release.body) for number in numbers)


def _taken(reading: Reading) -> Iterator[tuple[Hop, Repo]]:
    """Yield what a repository took of others: by what it requires, or by a submodule."""
    items = {read.item.key: read.item for read in reading.items}
    for note in reading.upgrade_notes:
        of = package_repo(note.name) if note.kind == "dependency" else None
        version = lowest(note.after or "")
        item = next((items[key] for key in note.cites if key in items), None)
        if of and version and item and note.before and of != reading.repo:
            yield Hop(item, version, of), of
    for item in items.values():
        for file in item.files or ():
            of = package_repo(file.path) if "." not in file.path and "/" in file.path else None
            versions = _VERSION.findall(item.title)
            if of and versions and of != reading.repo and item.kind is not Kind.ISSUE:
                yield Hop(item, versions[-1], of), of


def _pinned(line: Sequence[Hop], surfaces: Sequence[Surface]) -> Iterator[Pinned]:
    """Yield the pins before the line: of a lower release, or of whom no release has it yet."""
    found: dict[tuple[str, str], Pinned] = {}
    for hop in reversed(line):
        for surface in surfaces:
            for use, word, lower in pins_of(hop.item.repo, surface):
                name = use.name if use else name_of(word)
                value = use.value if use else word.removeprefix(name).strip()
                if hop is line[-1] if hop.of else is_higher(hop.version, lower):
                    found.setdefault((name, value), Pinned(name, value, use))
    yield from found.values()


class RippleHistory:
    """Tells ripples; the days before a window are read once however many channels ask.

    Nobody is asked and nothing is collected: a hop that no stored day has is not told.
    """

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._readings: LRUCache[tuple[Repo, Window], tuple[Reading, ...]] = LRUCache(
            _MOST_READINGS
        )

    async def of(
        self,
        readings: Sequence[Reading],
        surfaces: Sequence[Surface],
        may_hear: Callable[[Repo], Awaitable[bool]],
    ) -> tuple[Ripple, ...]:
        """Return the ripples of readings of one window; `may_hear` is asked of every repository."""
        if not may_ripple(readings, surfaces):
            return ()
        window = max((each.window for each in readings), key=lambda one: one.end)
        span = Window(window.start - BEFORE, window.end, window.tz, "")
        earlier: list[Reading] = []
        for repo in dict.fromkeys(KNOWN.values()):
            if await may_hear(repo):
                earlier += await self._days(repo, span)
        return ripples(readings, earlier, surfaces)

    async def _days(self, repo: Repo, span: Window) -> tuple[Reading, ...]:
        key = (repo, span)
        if key not in self._readings:
            digests = await self._stored(repo, span)
            self._readings[key] = tuple(lean(digest.reading) for digest in digests)
        return self._readings[key]
