"""What stored digests hold for a query, best first, and what is not stored (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.facts import Fact, Symptom
from digest.grades import Importance
from digest.models import Digest, Reading, ReadItem, Repo
from digest.query.query import About, Found, Hit, Query, Unstored, is_about
from digest.reading.known_facts import facts_by_item
from digest.search_words import words as words_of
from digest.windows import days

MOST_HITS = 12
"""Items that are told; who wants more asks by command, which the answer names."""

_TITLE, _FACT, _STORY, _PATH = 6, 6, 4, 2
_WEIGHT = {Importance.HIGH: 3, Importance.MEDIUM: 2}
SHORT = 3
"""A word of so few letters is looked for as a whole: `tp` is not in `tpu`."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    hit: Hit
    fields: tuple[tuple[int, str], ...]
    is_wanted: bool


def found(query: Query, digests: Mapping[Repo, Sequence[Digest]]) -> Found:
    """Rank what stored digests of the asked repositories hold; the newest telling of an item wins.

    Every word that anything holds has to fit, unless nothing holds them all: then most of them.
    """
    candidates = _candidates(query, digests)
    known = {each.hit.read.item.key: _points(each, query.words, query.also) for each in candidates}
    held = [any(points[at] for points in known.values()) for at in range(len(query.words))]
    without = tuple(w for w, is_held in zip(query.words, held, strict=True) if not is_held)
    fitting = [each for each in candidates if each.is_wanted] if query.kinds else candidates
    if query.words:
        fitting = _with_words(fitting, known)
    kindless = bool(query.kinds) and not fitting
    if kindless:
        fitting = _with_words(candidates, known) if query.words else candidates
        named = {each.hit.read.item.key: _points(each, query.kind_words, {}) for each in fitting}
        fitting = _with_words(fitting, named) or (fitting if query.words else [])
        if not query.words:
            # `which flags were removed` is not answered by whatever else was removed.
            least = len(query.kinds)
            fitting = [each for each in fitting if _held(named, each) >= least]
    ranked = sorted(fitting, key=lambda each: _order(each, known[each.hit.read.item.key]))
    unstored = tuple(_unstored(query, repo, digests.get(repo, ())) for repo in query.repos)
    return Found(
        query,
        tuple(each.hit for each in ranked[:MOST_HITS]),
        total=len(ranked),
        without=without,
        kindless=kindless and bool(ranked),
        unstored=tuple(each for each in unstored if each.days or each.incomplete),
    )


def _with_words(
    candidates: Sequence[_Candidate], known: Mapping[str, Sequence[int]]
) -> list[_Candidate]:
    most = max((_held(known, each) for each in candidates), default=0)
    return [each for each in candidates if most and _held(known, each) == most]


def _held(known: Mapping[str, Sequence[int]], candidate: _Candidate) -> int:
    """Count the words that a candidate holds."""
    return sum(map(bool, known[candidate.hit.read.item.key]))


def _candidates(query: Query, digests: Mapping[Repo, Sequence[Digest]]) -> list[_Candidate]:
    newest: dict[str, tuple[datetime, _Candidate]] = {}
    for repo in query.repos:
        for digest in digests.get(repo, ()):
            reading = digest.reading
            known = facts_by_item(reading)
            story_of = {key: story.name for story in reading.stories for key in story.items}
            for read in reading.items:
                key = read.item.key
                if not query.window.start <= read.item.at < query.window.end:
                    continue
                if key not in newest or newest[key][0] < reading.collected_at:
                    one = _candidate(read, known.get(key, ()), story_of.get(key, ""), query)
                    newest[key] = (reading.collected_at, one)
    return [candidate for _, candidate in newest.values()]


def _candidate(read: ReadItem, facts: Sequence[Fact], story: str, query: Query) -> _Candidate:
    wanted = [fact for fact in facts if query.kinds and is_about(fact, query.kinds)]
    if read.noise is not None:
        wanted = [fact for fact in wanted if fact.symptom is not Symptom.BROKEN]
    others = [fact for fact in facts if fact not in wanted]
    item = read.item
    names = (
        word
        for fact in facts
        for word in (fact.name, *fact.names, fact.before, fact.after, *fact.who, *fact.conditions)
        if word
    )
    fields = (
        (_TITLE, words_of(item.title)),
        (_FACT, words_of(" ".join((*names, *(fact.quote for fact in facts))))),
        (_STORY, words_of(" ".join((story, *item.labels)))),
        (_PATH, words_of(" ".join(file.path for file in item.files or ()))),
    )
    is_gone = read.reverted_by is not None and About.REVERTED in query.kinds
    return _Candidate(Hit(read, (*wanted, *others)), fields, bool(wanted) or is_gone)


def _points(
    candidate: _Candidate, words: Iterable[str], also: Mapping[str, Sequence[str]]
) -> tuple[int, ...]:
    """Give how well each word fits: the weight of the best field that holds it, else 0."""
    return tuple(
        max(
            weight if _holds(text, each) else 0
            for each in (word, *also.get(word, ()))
            for weight, text in candidate.fields
        )
        for word in words
    )


def _holds(text: str, word: str) -> bool:
    stem = word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
    return (f" {stem} " if len(stem) <= SHORT and stem.isascii() else f" {stem}") in text


def _order(candidate: _Candidate, points: Sequence[int]) -> tuple[object, ...]:
    read = candidate.hit.read
    weight = _WEIGHT.get(read.importance, 1)
    is_shown = not points or max(points) > _PATH or candidate.is_wanted
    return (
        read.noise is not None,
        not is_shown,  # it is only a file that holds the word
        -(sum(points) + 2 * candidate.is_wanted + weight),
        -read.score,
        -read.item.at.timestamp(),
        read.item.key,
    )


def _unstored(query: Query, repo: Repo, digests: Sequence[Digest]) -> Unstored:
    windows = days(query.window)
    zone = ZoneInfo(query.window.tz)
    stored = [digest.reading for digest in digests if _was_looked_at(digest.reading)]
    missing, incomplete = [], []
    lacks: set[tuple[str, ...]] = set()
    for day in windows:
        seen = [
            each for each in stored if each.window.start < day.end and each.window.end > day.start
        ]
        date = day.start.astimezone(zone).date()
        if not seen:
            missing.append(date)
        elif _has_hole(day.start, day.end, seen) or any(each.gaps for each in seen):
            incomplete.append(date)
            lacks.add(() if _has_hole(day.start, day.end, seen) else _lacking(seen))
    without = next(iter(lacks)) if len(lacks) == 1 else ()
    nothing = len(missing) == len(windows)
    return Unstored(repo, tuple(missing), tuple(incomplete), without, nothing)


_SOURCES = ("pull_requests", "issues", "releases")


def _lacking(seen: Iterable[Reading]) -> tuple[str, ...]:
    """Return what a source does not hold at all; nothing where a part of something is missing."""
    gaps = [gap for each in seen for gap in each.gaps]
    if not all(gap.lasting and gap.what in _SOURCES for gap in gaps):
        return ()
    return tuple(dict.fromkeys(gap.what for gap in gaps))


def _was_looked_at(reading: Reading) -> bool:
    return bool(reading.items) or all(gap.what != "everything" for gap in reading.gaps)


def _has_hole(start: datetime, end: datetime, seen: Iterable[Reading]) -> bool:
    windows = sorted((each.window.start, each.window.end) for each in seen)
    for begins, ends in windows:
        if begins > start:
            return True
        start = max(start, ends)
    return start < end
