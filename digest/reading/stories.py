"""Stories: changes of a window that belong together, found by evidence that is summed.

Engineers work in campaigns: parts of a series, an RFC's phases, one kernel on four vendors. Each
sign that two changes belong together is worth points (`POINTS`); two changes whose points reach
the threshold are joined, and a change joins a story that it fits on average, so that one weak link
does not chain two stories.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from digest.facts import Story
from digest.grades import ChangeObject
from digest.models import Item, Kind
from digest.reading.change import REVERT, TAG, touched
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.paths import role
from digest.reading.relations import closed_issues, mentions, series
from digest.reading.story_names import LONGEST, Member, clean_title, shortened, story_name
from digest.reading.terms import ALIKE, NUMBER, SYMBOL, History, folders, terms_of, words

NOISE_OBJECTS = (ChangeObject.CI, ChangeObject.TEST, ChangeObject.DOCS)
PATCH_READ = 20_000
"""Characters of a file's patch of which the symbols are read."""

POINTS: Mapping[str, float] = {
    "series": 4.5,
    "tracker": 4.5,
    "names": 1.1,
    "author": 1.8,
    "neighbour": 0.95,
    "near": 0.45,
    "hour": 0.85,
    "tag": 1.75,
    "platform": 1.6,
    "other platform": -0.5,
    "one platform": -0.6,
    "named": 1.2,
    "word": 0.5,
    "words": 0.06,
    "same files": 1.2,
    "file": 0.1,
    "folder": 0.25,
    "symbols": 0.25,
    "stems": 0.15,
    "crossing": 0.2,
    "object": 0.3,
    "unlike": -0.4,
}
"""What each sign is worth, for one unit of it (a flag, or a bit of rarity).

Fitted as a logistic regression on pairs of changes that editors of fifty windows put together or
apart, rounded; `series` and `tracker` are too seldom there and are set so that one alone joins.
"""
THRESHOLD = 3.8
"""Points on average from which changes are one story: set by leaving windows out."""
GROWTH = 0.15
"""Points more for each member beyond the third, so that a topic does not swallow a day."""
COHESION = 1.0
"""Points by which two groups may hold together less well than the looser of them does."""
MOST_MEMBERS = 120
"""Changes of a window that are all compared with each other, and of one author in a longer one."""
MOST_WITH_A_SIGN = 12
"""Changes of a long window that may share a word, symbol or file for it to join any of them."""
RARE_TERM = 5.0
"""Bits of rarity from which a word is looked for in a long window."""

PLAIN_TAGS = words(
    "bugfix bug fix feature feat perf performance core misc model models kernel kernels refactor "
    "doc docs ci test tests frontend minor chore cleanup style build hotfix ux ci/build wip rfc "
    "enhancement v1 other"
)
"""Tags that say why a change was made, or nothing about what it belongs to."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """What is compared of one change."""

    item: Item
    terms: frozenset[str]
    tags: frozenset[str]
    files: frozenset[str]
    folders: frozenset[str]
    stems: frozenset[str]
    symbols: frozenset[str]
    numbers: frozenset[int]
    title_numbers: frozenset[int]
    series: tuple[str, int, int] | None
    is_noise: bool
    object: ChangeObject


def _profile(item: Item) -> _Profile:
    files = [file for file in item.files or () if role(file.path) is not ChangeObject.DOCS]
    paths = frozenset(file.path for file in files)
    stems: set[str] = set()
    for path in paths:
        for part in path.lower().split("/")[-3:]:
            stems.update(re.split(r"[^a-z0-9]+", part.rpartition(".")[0] or part))
    symbols: set[str] = set()
    for file in files:
        for line in (file.patch or "")[:PATCH_READ].split("\n"):
            if line[:1] in ("+", "-"):
                symbols.update(SYMBOL.findall(line))
    title = item.title[:TITLE_READ]
    object_ = touched(item)
    return _Profile(
        item=item,
        terms=terms_of(title),
        tags=frozenset(tag.lower() for tag in _tags(title)) - PLAIN_TAGS,
        files=paths,
        folders=frozenset(folder for path in paths for folder in folders(path)),
        stems=frozenset(ALIKE.get(stem, stem) for stem in stems if len(stem) > 2),
        symbols=frozenset(symbols),
        numbers=frozenset(mentions(item)[0] | set(closed_issues(item))),
        title_numbers=_tracked(item),
        series=series(item),
        is_noise=object_ in NOISE_OBJECTS,
        object=object_,
    )


_SCOPE = re.compile(r"^\s*\w{2,12}\(([^()]{2,30})\)!?:")


def _tags(title: str) -> list[str]:
    """The tags of a title as written, and the scope of `fix(scope): …`."""
    scope = _SCOPE.match(title)
    scoped = [one.strip() for one in scope.group(1).split(",")] if scope else []
    return [*(tag.strip() for tag in TAG.findall(title)), *scoped]


def _tracked(item: Item) -> frozenset[int]:
    """The numbers that a title names beside its own; a revert names what it takes back."""
    if REVERT.match(item.title[:TITLE_READ]):
        return frozenset()
    found = {int(one) for one in NUMBER.findall(bare_title(item.title[:TITLE_READ]))}
    return frozenset(found) - {item.number or 0, item.pull_request or 0}


class _Day:
    """How common authors, words, stems and symbols are among the changes of the window."""

    def __init__(self, profiles: Sequence[_Profile]) -> None:
        self.size = max(2, len(profiles))
        self.terms = Counter(term for one in profiles for term in one.terms)
        self.stems = Counter(stem for one in profiles for stem in one.stems)
        self.symbols = Counter(symbol for one in profiles for symbol in one.symbols)

    def rarity(self, counts: Mapping[str, int], word: str) -> float:
        """Return, in bits, how few others have a word that two have."""
        return -math.log2(max(1, counts[word] - 1) / self.size)


def _evidence(one: _Profile, two: _Profile, past: History, day: _Day) -> dict[str, float]:
    """The signs that two changes belong together, or do not, with how strong each is."""
    found: dict[str, float] = {}
    _say_what_they_say(one, two, found)
    _say_who(one, two, found)
    shared = [
        (past.term_rarity(term) + day.rarity(day.terms, term) + 1) / 2
        for term in one.terms & two.terms
    ]
    above = sorted((rarity - 3.5 for rarity in shared if rarity > 3.5), reverse=True)
    if above:
        found["word"] = above[0]
        found["words"] = min(12.0, sum(above[1:4]))
    if any(" " not in term and re.search(r"\d", term) for term in one.terms & two.terms):
        found["named"] = 1.0
    if one.tags & two.tags:
        found["tag"] = 1.0
    _say_where(one, two, past, day, found)
    if one.is_noise != two.is_noise:
        found["unlike"] = 1.0
    if one.object is two.object:
        found["object"] = 1.0
    return found


def _pruned(one: _Profile, past: History, day: _Day) -> _Profile:
    """The profile without what is worth nothing, so that many pairs are compared in time."""
    return replace(
        one,
        folders=frozenset(path for path in one.folders if past.path_rarity(path) > 3.0),
        symbols=frozenset(
            symbol
            for symbol in one.symbols
            if day.symbols[symbol] > 1 and day.rarity(day.symbols, symbol) > 1.5
        ),
        stems=frozenset(
            stem
            for stem in one.stems
            if stem in PLACES or day.terms[stem] or day.rarity(day.stems, stem) > 1
        ),
    )


def _say_what_they_say(one: _Profile, two: _Profile, found: dict[str, float]) -> None:
    if one.series and two.series and one.series[0].casefold() == two.series[0].casefold():
        found["series"] = 1.0
    if one.title_numbers & two.title_numbers:
        found["tracker"] = 1.0
    if (
        one.item.number in two.numbers | two.title_numbers
        or two.item.number in one.numbers | one.title_numbers
    ):
        found["names"] = 1.0


def _say_who(one: _Profile, two: _Profile, found: dict[str, float]) -> None:
    a, b = one.item, two.item
    if a.author != b.author or not a.author or a.author_is_bot:
        return
    found["author"] = 1.0
    if a.number and b.number:
        apart = abs(a.number - b.number)
        if apart <= 4:
            found["neighbour"] = 1.0
        elif apart <= 40:
            found["near"] = 1.0
    if abs((a.at - b.at).total_seconds()) < 3600:
        found["hour"] = 1.0


def _say_where(
    one: _Profile, two: _Profile, past: History, day: _Day, found: dict[str, float]
) -> None:
    together = one.files & two.files
    rare = [past.path_rarity(path) - 3.0 for path in together]
    if together:
        found["same files"] = len(together) / len(one.files | two.files)
        found["file"] = max(0.0, *rare)
    folders = one.folders & two.folders
    if folders:
        found["folder"] = max(0.0, max(past.path_rarity(path) for path in folders) - 3.0)
    symbols = sorted(
        (day.rarity(day.symbols, symbol) for symbol in one.symbols & two.symbols), reverse=True
    )
    found["symbols"] = sum(max(0.0, rarity - 1.5) for rarity in symbols[:5]) / 5
    stems = sorted((day.rarity(day.stems, stem) for stem in one.stems & two.stems), reverse=True)
    found["stems"] = sum(max(0.0, rarity - 1) for rarity in stems[:3]) / 3
    crossing = (one.terms & two.stems) | (two.terms & one.stems)
    if crossing:
        found["crossing"] = max(0.0, max(past.term_rarity(term) - 4 for term in crossing))
    mine = (one.terms | one.stems) & PLACES
    theirs = (two.terms | two.stems) & PLACES
    if mine & theirs:
        found["platform"] = 1.0
    elif mine and theirs:
        found["other platform"] = 1.0
    elif mine or theirs:
        found["one platform"] = 1.0


PLACES = frozenset({"rocm", "npu", "xpu", "cpu", "apple"})
"""Platforms whose changes are seldom of a story with another platform's."""


def points(found: Mapping[str, float]) -> float:
    """Return what the signs between two changes are worth together."""
    return sum(POINTS[name] * strength for name, strength in found.items())


def find_stories(
    items: Sequence[Item],
    past: History | None = None,
    known: Mapping[int, Item] | None = None,
) -> tuple[Story, ...]:
    """Find which changes of a window belong together.

    In: folded items of one repository (issues and releases are no members), what its history was,
    and issues and changes by number that may be what members track. Out: stories, the largest
    first, each item in one at most. A part of a series, or a change that names a tracker, stands
    alone in a story of one, so that a later day can go on with it: `told` leaves those out. A
    story of CI, tests and documentation alone is none.
    """
    changes = [one for one in items if one.kind in (Kind.COMMIT, Kind.PULL_REQUEST)]
    profiles = [_profile(item) for item in sorted(changes, key=lambda one: (one.at, one.key))]
    past, day = past or History(), _Day(profiles)
    if not past.paths:
        # What many changes of one window touch is no rare place either.
        counts = Counter(path for one in profiles for path in (*one.files, *one.folders))
        past = replace(past, paths=counts, path_changes=len(profiles))
    profiles = [_pruned(one, past, day) for one in profiles]
    pairs = {
        (i, j): _evidence(profiles[i], profiles[j], past, day)
        for i, j in sorted(_pairs(profiles, past, day))
    }
    worth = {at: points(found) for at, found in pairs.items()}
    firm = {at: value - _of_tags(pairs[at]) for at, value in worth.items()}
    titles = {one.number: one.title for item in changes for one in item.linked_issues}
    titles |= {number: item.title for number, item in (known or {}).items()}

    def story(group: Sequence[int]) -> Story:
        members = [profiles[i] for i in group]
        sure = _mean(group, firm) >= THRESHOLD
        return _story(members, _reasons(group, pairs), past, titles, sure=sure)

    named: dict[str, tuple[str, list[int]]] = {}
    for group in _grouped(len(profiles), worth):
        lone = len(group) == 1 and not (
            profiles[group[0]].series or profiles[group[0]].title_numbers
        )
        if lone or all(profiles[i].is_noise for i in group):
            continue
        if name := story(group).name:
            # What is called the same is one story to a reader.
            first, before = named.get(name.casefold(), (name, []))
            named[name.casefold()] = (first, sorted(before + group))
    stories = [replace(story(group), name=name) for name, group in named.values()]
    stories.sort(key=lambda one: (-len(one.items), one.since, one.key))
    return tuple(stories)


def _of_tags(found: Mapping[str, float]) -> float:
    """The points that are of a tag or a platform alone: too little to call a story by a title."""
    return sum(POINTS[name] * found.get(name, 0.0) for name in ("tag", "platform"))


def _mean(group: Sequence[int], worth: Mapping[tuple[int, int], float]) -> float:
    inside = [worth.get((i, j), 0.0) for i in group for j in group if i < j]
    return sum(inside) / len(inside) if inside else 0.0


def told(stories: Iterable[Story]) -> tuple[Story, ...]:
    """Return the stories that are told: of two changes or more, one of them of this window."""
    return tuple(one for one in stories if one.items and len(one.items) + len(one.earlier) > 1)


def waiting(items: Iterable[Item], stories: Iterable[Story]) -> tuple[Story, ...]:
    """Return stories of one for a later day: parts of a series, and what names a tracker.

    In: folded items, and the stories that are told, whose members do not wait.
    """
    told_of = {key for one in stories for key in one.items}
    changes = [
        one
        for one in items
        if one.kind in (Kind.COMMIT, Kind.PULL_REQUEST)
        and one.key not in told_of
        and (series(one) or _tracked(one))
    ]
    found = (_profile(item) for item in changes)
    return tuple(_story([one], (), History(), {}, sure=True) for one in found if not one.is_noise)


def _pairs(profiles: Sequence[_Profile], past: History, day: _Day) -> set[tuple[int, int]]:
    """The places of changes that are compared with each other.

    Of a window of a day, all. Of a longer one those that may reach the threshold: of one author,
    with one series or tracker, a rare word, symbol or file in common.
    """
    if len(profiles) <= MOST_MEMBERS:
        return set(combinations(range(len(profiles)), 2))
    signs: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
    for place, one in enumerate(profiles):
        if one.item.author and not one.item.author_is_bot:
            signs["author", one.item.author].append(place)
        if one.series:
            signs["series", one.series[0].casefold()].append(place)
        for number in {*one.title_numbers, *one.numbers, one.item.number or 0} - {0}:
            signs["number", number].append(place)
        for term in one.terms:
            if past.term_rarity(term) > RARE_TERM:
                signs["term", term].append(place)
        for symbol in one.symbols:
            signs["symbol", symbol].append(place)
        for path in one.files:
            signs["file", path].append(place)
    return {
        pair
        for (kind, _), places in signs.items()
        if kind in ("author", "series", "number") or len(places) <= MOST_WITH_A_SIGN
        for pair in combinations(places[:MOST_MEMBERS], 2)
    }


def _grouped(size: int, worth: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """Join the two groups that fit best until none do: by average points between them."""
    groups: dict[int, list[int]] = {place: [place] for place in range(size)}
    inside: dict[int, float] = {}
    between = {pair: value for pair, value in worth.items() if value > 0}

    def mean(one: int, two: int) -> float:
        total = between.get((min(one, two), max(one, two)), 0.0)
        return total / (len(groups[one]) * len(groups[two]))

    while True:
        best: tuple[float, int, int] | None = None
        for one, two in between:
            value = mean(one, two)
            if value >= _bar(groups, inside, one, two) and (best is None or value > best[0]):
                best = (value, one, two)
        if best is None:
            return list(groups.values())
        _, one, two = best
        held = sum(
            inside.get(each, 0.0) * len(groups[each]) * (len(groups[each]) - 1) / 2
            for each in (one, two)
        ) + between.pop((one, two))
        groups[one] = sorted(groups[one] + groups.pop(two))
        count = len(groups[one])
        inside[one] = held / (count * (count - 1) / 2)
        for other in groups:
            if other != one:
                moved = between.pop((min(two, other), max(two, other)), 0.0)
                if moved:
                    pair = (min(one, other), max(one, other))
                    between[pair] = between.get(pair, 0.0) + moved


def _bar(groups: Mapping[int, list[int]], inside: Mapping[int, float], one: int, two: int) -> float:
    bar = THRESHOLD + GROWTH * max(0, len(groups[one]) + len(groups[two]) - 3)
    if one in inside and two in inside:
        bar = max(bar, min(inside[one], inside[two]) - COHESION)
    return bar


_REASONS = {
    "series": "series",
    "tracker": "tracker",
    "names": "named by another",
    "author": "same author",
    "neighbour": "neighbouring numbers",
    "hour": "same hour",
    "tag": "same tag",
    "platform": "same platform",
    "named": "same model or hardware",
    "word": "rare words",
    "same files": "same files",
    "symbols": "same symbols",
}


def _reasons(
    group: Sequence[int], pairs: Mapping[tuple[int, int], Mapping[str, float]]
) -> tuple[str, ...]:
    """The signs that at least half of the pairs of a story have, the weightiest first."""
    inside = [pairs[i, j] for i in group for j in group if i < j and (i, j) in pairs]
    held: defaultdict[str, float] = defaultdict(float)
    for name in _REASONS:
        strengths = [found.get(name, 0.0) for found in inside]
        if inside and 2 * sum(strength > 0 for strength in strengths) >= len(inside):
            held[name] = POINTS[name] * sum(strengths) / len(inside)
    best = sorted((name for name in held if held[name] > 0.1), key=lambda name: -held[name])
    return tuple(_REASONS[name] for name in best)


def _story(
    members: Sequence[_Profile],
    reasons: tuple[str, ...],
    past: History,
    titles: Mapping[int, str],
    *,
    sure: bool,
) -> Story:
    items = [one.item for one in members]
    repo = items[0].repo
    tracker = _most_named(members, lambda one: one.title_numbers)
    issue = tracker or _most_named(members, lambda one: one.numbers & titles.keys())
    marks = [one.series for one in members if one.series]
    stem = marks[0][0] if marks and 2 * len(marks) > len(members) else ""
    if tracker is not None:
        key = f"{repo}:story:tracker:{tracker}"
        reasons = tuple(f"tracker #{tracker}" if one == "tracker" else one for one in reasons)
    elif stem:
        key = f"{repo}:story:series:{'-'.join(re.findall(r'[a-z0-9]+', stem.lower()))[:60]}"
    else:
        key = f"{repo}:story:{items[0].ref.lstrip('#')}"
    of = max((one[2] for one in marks), default=0) or None
    authors = Counter(item.author for item in items if item.author and not item.author_is_bot)
    return Story(
        key=key,
        name=_name(members, titles.get(issue or 0, ""), stem, past, sure=sure),
        items=tuple(item.key for item in items),
        part=tuple(sorted({one[1] for one in marks})) if stem else (),
        of=of if stem else None,
        authors=tuple(author for author, _ in authors.most_common()),
        since=min(item.at for item in items).date().isoformat(),
        reasons=reasons or ((f"tracker #{tracker}",) if tracker is not None else ("series",)),
    )


def _most_named(
    members: Sequence[_Profile], numbers: Callable[[_Profile], Iterable[int]]
) -> int | None:
    """The number that more than half of the members name, None where none is."""
    counts = Counter(number for one in members for number in numbers(one))
    for number, count in counts.most_common(1):
        if 2 * count > len(members):
            return number
    return None


def _name(
    members: Sequence[_Profile], tracker: str, stem: str, past: History, *, sure: bool
) -> str:
    """The tracker's title, the series' stem, or words that members share; empty without any."""
    if tracker:
        return shortened(clean_title(tracker))
    told = [
        Member(
            clean_title(one.item.title, has_part=one.series is not None),
            tuple(
                tag
                for tag in _tags(one.item.title[:TITLE_READ])
                if tag.lower() in one.tags and not re.search(r"#\d|\d/", tag)
            ),
            one.symbols,
            one.is_noise,
        )
        for one in members
    ]
    if not stem:
        return story_name(told, past, sure=sure)
    name = shortened(clean_title(stem) or stem)
    if NUMBER.search(name) and (shared := story_name(told, past, sure=False)):
        longer = f"{shared} ({name})"
        return longer if len(longer) <= LONGEST else shared
    return name


def follow(
    stories: Sequence[Story], stored: Iterable[Story], gone: Iterable[str] = ()
) -> tuple[Story, ...]:
    """Let stories of this window go on with those that were stored before it.

    In: what `find_stories` gave, stories as they were stored, and keys of items that are of this
    window and so not of an earlier one. A story goes on by its key (tracker or series), else by
    its name and an author of both. Out: the same stories, with `earlier`, the first `since` and
    the stored key where one goes on; each stored story is gone on with once.
    """
    by_key = {one.key: one for one in stored}
    by_name: dict[str, Story] = {}
    for one in by_key.values():
        by_name.setdefault(one.name.casefold(), one)
    today = {key for one in stories for key in one.items} | set(gone)
    taken: set[str] = set()
    found: list[Story] = []
    for story in stories:
        named = by_name.get(story.name.casefold())
        before = by_key.get(story.key)
        if before is None and named is not None and set(named.authors) & set(story.authors):
            before = named
        if before is None or before.key in taken:
            found.append(story)
            continue
        taken.add(before.key)
        earlier = [key for key in (*before.earlier, *before.items) if key not in today]
        found.append(
            replace(
                story,
                key=before.key,
                earlier=tuple(dict.fromkeys(earlier)),
                of=story.of or before.of,
                authors=tuple(dict.fromkeys((*story.authors, *before.authors))),
                since=min(story.since, before.since) if before.since else story.since,
            )
        )
    return tuple(found)
