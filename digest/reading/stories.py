"""Stories: changes of a window that belong together, found by evidence that is summed.

Engineers work in campaigns: parts of a series, an RFC's phases, one kernel on four vendors. Each
sign that two changes belong together is worth points (`POINTS`); two changes whose points reach
the threshold are joined, and a change joins a story that it fits on average, so that one weak link
does not chain two stories. What is rare in the repository's history tells more than what is common:
`History` says how common words, files and folders are there.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from digest.facts import Story
from digest.grades import ChangeObject
from digest.models import Item, Kind
from digest.reading.change import REVERT, TAG, bare, touched
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.paths import role
from digest.reading.relations import closed_issues, mentions, series

NOISE_OBJECTS = (ChangeObject.CI, ChangeObject.TEST, ChangeObject.DOCS)
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[.-]?\d+(?:\.\d+)*)?[a-z]*|\d{3,}|[\u3400-\u9fff]{2,}", re.I)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMBER = re.compile(r"#(\d{1,9})\b")
_SYMBOL = re.compile(r"\b(?=\w*[a-z])(?:[A-Za-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*)\b")
PATCH_READ = 20_000
"""Characters of a file's patch of which the symbols are read."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALIKE: Mapping[str, str] = {
    "dsv4": "deepseek4", "deepseekv4": "deepseek4", "dpskv4": "deepseek4",
    "dsv3": "deepseek3", "dsv32": "deepseek3", "deepseekv3": "deepseek3", "dsv3.2": "deepseek3",
    "amd": "rocm", "hip": "rocm", "mi355": "rocm", "mi300": "rocm", "aiter": "rocm",
    "gfx950": "rocm", "mi355x": "rocm", "mi35x": "rocm",
    "ascend": "npu", "intel": "xpu",
    "spec": "speculative", "eagle": "speculative", "mtp": "speculative", "nextn": "speculative",
    "eagle3": "speculative", "decoding": "decode",
    "mrv2": "runnerv2", "disagg": "disaggregation", "pd": "disaggregation",
    "toolcall": "tool", "parsers": "parser", "attn": "attention", "quant": "quantization",
    "kvoffload": "offload", "offloading": "offload", "kvconnector": "connector",
    "sm121": "sm120", "sm120f": "sm120", "sm121a": "sm120", "logprobs": "logprob",
    "kernels": "kernel", "docs": "doc", "tests": "test", "mlx": "apple",
}  # fmt: skip
"""Words for one thing in these repositories, and the word that they are counted under."""
_COMMON = _words(
    "a an and are as at be by can do for from has have in into is it its new no not of off on or "
    "so that the their this to up use used uses using via when where which while with without "
    "add adds added fix fixes fixed bug bugfix feat feature support supports update refactor "
    "remove make enable allow improve chore misc perf cleanup clean minor move only all"
)
"""Words that join nothing, however rare a history has them."""
GENERIC: Mapping[str, float] = dict.fromkeys(
    _words(
        "kernel model attention cache test doc ci moe quantization decode prefill speculative rocm "
        "cuda core batch memory backend runner error default api cpu gpu triton cutlass frontend "
        "kv parallel fp8 performance build version docker nightly config optimize diffusion "
        "graph mode input output request server tool lora linear layer weight token page "
        "size data load"
    ),
    0.04,
) | dict.fromkeys(
    _words(
        "npu xpu deepseek4 qwen3 multimodal disaggregation nvfp4 fp4 mxfp4 mla metrics "
        "connector offload scheduler router sampling logprob parser benchmark mamba flashinfer "
        "v1 v2 v4 compile transformers jit pool bump release revert"
    ),
    0.02,
)
"""Shares of changes that name a word, where no history says how many: rounded, of busy engines."""
UNKNOWN_SHARE = 0.004
"""The share assumed for any other word."""
PRIOR_OF_PATHS = 100
"""Changes whose files are known that weigh as much as an assumption by depth of folder."""
PRIOR = 200
"""Changes of history that weigh as much as these assumptions."""


@dataclass(frozen=True, slots=True)
class History:
    """How common words, files and folders were in a repository before a window.

    `changes` is how many changes were counted, `path_changes` how many of them with their files;
    `terms` by word of a title, `paths` by file and folder (ending in `/`), each with the number of
    changes that have it.
    """

    changes: int = 0
    terms: Mapping[str, int] = field(default_factory=dict)
    paths: Mapping[str, int] = field(default_factory=dict)
    path_changes: int = 0

    def term_rarity(self, term: str) -> float:
        """Return how rare a word is, in bits: 0 for one that every change has, 8 is rare."""
        guess = GENERIC.get(term, UNKNOWN_SHARE)
        share = (self.terms.get(term, 0) + PRIOR * guess) / (self.changes + PRIOR)
        return -math.log2(min(1.0, share))

    def path_rarity(self, path: str) -> float:
        """Return how rare changes of a file or folder are, in bits."""
        known = sum(1 for _ in path.split("/"))
        guess = 0.3 / 2 ** min(6, 1.3 * known)
        share = (self.paths.get(path, 0) + PRIOR_OF_PATHS * guess) / (
            self.path_changes + PRIOR_OF_PATHS
        )
        return -math.log2(min(1.0, share))


def history(changes: Iterable[tuple[str, Sequence[str]]]) -> History:
    """Count earlier changes, each a title and its paths (empty where they are not known)."""
    terms: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    count = with_paths = 0
    for title, files in changes:
        count += 1
        with_paths += bool(files)
        terms.update(_terms(title))
        paths.update({part for path in files for part in (path, *_folders(path))})
    return History(count, terms, paths, with_paths)


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: end + 1]) + "/" for end in range(len(parts))]


_VERSIONED = re.compile(r"\b([a-z]{2,})[ -]?(v?\d+(?:\.\d+)?)\b(?!/)")
_PART = re.compile(r"\(?\[?\b\d+ ?/ ?(?:\d+|[nNxX])\b\]?\)?|\bpart \d+\b", re.I)


def _terms(title: str) -> frozenset[str]:
    """The words of a title by which it may belong to others, and pairs of neighbours."""
    text = _PART.sub(" ", bare_title(title[:TITLE_READ]))
    text = _NUMBER.sub(" ", text)
    plain = text.lower().replace("_", " ")
    plain = _VERSIONED.sub(r"\1\2 ", plain)
    words: list[str] = []
    for word in _WORD.findall(plain):
        word = word.strip(".-")
        word = ALIKE.get(word, word)
        if word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
        words.append(ALIKE.get(word, word))
    found = {word for word in words if word not in _COMMON and len(word) > 1}
    pairs = {
        f"{one} {two}"
        for one, two in pairwise(words)
        if one in found and two in found and one != two
    }
    whole = {symbol.lower() for symbol in _SYMBOL.findall(text)}
    return frozenset(found | pairs | whole)


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
MOST_MEMBERS = 300
"""Changes that are compared with each other at most; a window of more is told by series only."""

PLAIN_TAGS = _words(
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
                symbols.update(_SYMBOL.findall(line))
    title = item.title[:TITLE_READ]
    object_ = touched(item)
    return _Profile(
        item=item,
        terms=_terms(title),
        tags=frozenset(tag.strip().lower() for tag in TAG.findall(title)) - PLAIN_TAGS,
        files=paths,
        folders=frozenset(folder for path in paths for folder in _folders(path)),
        stems=frozenset(ALIKE.get(stem, stem) for stem in stems if len(stem) > 2),
        symbols=frozenset(symbols),
        numbers=frozenset(mentions(item)[0] | set(closed_issues(item))),
        title_numbers=_tracked(item),
        series=series(item),
        is_noise=object_ in NOISE_OBJECTS,
        object=object_,
    )


def _tracked(item: Item) -> frozenset[int]:
    """The numbers that a title names beside its own; a revert names what it takes back."""
    if REVERT.match(item.title[:TITLE_READ]):
        return frozenset()
    found = {int(one) for one in _NUMBER.findall(bare_title(item.title[:TITLE_READ]))}
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
        for i in range(len(profiles))
        for j in range(i + 1, len(profiles))
        if len(profiles) <= MOST_MEMBERS or _are_of_one(profiles[i], profiles[j])
    }
    groups = _grouped(len(profiles), {at: points(found) for at, found in pairs.items()})
    stories = [
        _story([profiles[i] for i in group], _reasons(group, pairs), past, known or {})
        for group in groups
        if not all(profiles[i].is_noise for i in group)
        and (len(group) > 1 or profiles[group[0]].series or profiles[group[0]].title_numbers)
    ]
    stories.sort(key=lambda one: (-len(one.items), one.since, one.key))
    titles = {item.key: _clean(item.title) for item in changes}
    names = Counter(one.name for one in stories)
    return tuple(
        one
        if names[one.name] == 1
        else replace(one, name=f"{one.name}: {titles[one.items[0]]}".removeprefix(": "))
        for one in stories
    )


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
    return tuple(_story([one], (), History(), {}) for one in found if not one.is_noise)


def _are_of_one(one: _Profile, two: _Profile) -> bool:
    same_series = one.series and two.series and one.series[0] == two.series[0]
    return bool(same_series or one.title_numbers & two.title_numbers)


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
    members: Sequence[_Profile], reasons: tuple[str, ...], past: History, known: Mapping[int, Item]
) -> Story:
    items = [one.item for one in members]
    repo = items[0].repo
    numbers = Counter(number for one in members for number in one.title_numbers)
    most = numbers.most_common(1)
    tracker = most[0][0] if most and 2 * most[0][1] > len(members) else None
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
        name=_name(members, tracker, stem, past, known),
        items=tuple(item.key for item in items),
        part=tuple(sorted({one[1] for one in marks})) if stem else (),
        of=of if stem else None,
        authors=tuple(author for author, _ in authors.most_common()),
        since=min(item.at for item in items).date().isoformat(),
        reasons=reasons or ((f"tracker #{tracker}",) if tracker is not None else ("series",)),
    )


# Names: the authors' own words, never ours.

_TOKEN = re.compile(r"`[^`]{1,60}`|[\w][\w.+/-]*[\w]|\w|[^\w\s]")
_NO_EDGE = _COMMON | _words(
    "also after before between during if instead more not now only other per some than then "
    "through under we"
)
LONGEST_NAME = 6
"""Words of a phrase that names a story."""


def _name(
    members: Sequence[_Profile],
    tracker: int | None,
    stem: str,
    past: History,
    known: Mapping[int, Item],
) -> str:
    if tracker is not None and tracker in known:
        return _clean(known[tracker].title)
    titles = [_clean(one.item.title) for one in members]
    if stem:
        return _clean(stem) or stem
    phrase = _phrase(titles, past)
    tags = Counter(tag for one in members for tag in one.tags if not _NUMBER.search(tag))
    tag = next((tag for tag, count in tags.most_common(1) if 2 * count > len(members)), "")
    written = tag and next(
        found.strip()
        for one in members
        for found in TAG.findall(one.item.title)
        if found.strip().lower() == tag
    )
    if phrase and written and written.lower() not in phrase.lower():
        return f"{written}: {phrase}"
    if phrase or written:
        return phrase or written
    # Nothing is shared in words: the title that most of the others are like.
    ranked = sorted(
        members,
        key=lambda one: (
            one.is_noise,
            -sum(len(one.terms & other.terms) for other in members),
            one.item.at,
        ),
    )
    return _clean(ranked[0].item.title) or ranked[0].item.title


def _clean(title: str) -> str:
    """A title without tags, prefix, part marks and pull request numbers."""
    text = _PART.sub(" ", bare(bare_title(title[:TITLE_READ])))
    text = re.sub(
        r"\(\s*(?:RFC|follow[- ]?up(?: to| of)?|part of|see)?\s*#\d+[^)]*\)", " ", text, flags=re.I
    )
    text = re.sub(r"\[\s*\]|\(\s*\)", " ", text)
    return " ".join(text.split()).strip(" :,-–—")


def _phrase(titles: Sequence[str], past: History) -> str:
    """The best run of words that most titles share, as the first of them writes it."""
    counts: Counter[tuple[str, ...]] = Counter()
    spelled: dict[tuple[str, ...], str] = {}
    for title in titles:
        tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(title)]
        seen: set[tuple[str, ...]] = set()
        for start in range(len(tokens)):
            for end in range(start + 1, min(len(tokens), start + LONGEST_NAME) + 1):
                words = tuple(token.lower() for token, _, _ in tokens[start:end])
                if not words[-1][-1].isalnum() and words[-1][-1] != "`":
                    continue
                if words[0] in _NO_EDGE or words[-1] in _NO_EDGE or not words[0][0].isalnum():
                    continue
                seen.add(words)
                text = title[tokens[start][1] : tokens[end - 1][2]]
                if sum(map(str.isupper, text)) > sum(map(str.isupper, spelled.get(words, ""))):
                    spelled[words] = text  # `MLA` before `mla`
                spelled.setdefault(words, text)
        counts.update(seen)
    best, score = "", 0.0
    for words, count in counts.items():
        if count < 2 or 2 * count <= len(titles):
            continue
        rarity = max(past.term_rarity(ALIKE.get(word, word)) for word in words)
        text = spelled[words]
        is_name = len(words) > 1 or bool(re.search(r"[A-Z0-9_]", text[1:]))
        value = count / len(titles) * (rarity + 3 * math.log2(len(words)) + 1)
        if is_name and not text.isdecimal() and value > score:
            best, score = text, value
    return best


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
