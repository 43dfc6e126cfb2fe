"""How items belong together: mentions, closed issues, series, duplicates; one looked at whole."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from digest.github_web import as_public
from digest.models import (
    KNOWN,
    Activity,
    Change,
    Item,
    Kind,
    Reading,
    Repo,
    UpgradeNote,
    Window,
)
from digest.reading.change import TAG, bare
from digest.reading.description import TITLE_READ, written

SERIES = re.compile(
    r"[\[(] {0,2}([^\[\]()\d\s][^\[\]()/]{0,40}?)?[ #:]{0,3}(\d{1,3}) ?/ ?(\d{1,3}|[A-Za-z])"
    r"(?:[-:, ]{0,3}([A-Za-z][^\[\]()]{0,40}))?[\])]"
)
"""`[2/3]`, `(2/N)`, `[Refactor 2/n]`, `(RFC #12, Phase 2.5, 6/7)`."""
_BARE_SERIES = re.compile(r"(?:^|[\s,])(\d{1,2})/(?:([NnXx])|(\d{1,2}))(?=[:,]|\s|$)")
"""`DeepSeek V4 11/N: …`; with a number after the stroke only where a colon follows."""
MOST_PARTS = 60
"""A higher index is no part: `SM120/121`."""
CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[ :]{0,3}"
    r"((?:[ ,&]{0,3}(?:and )?(?:https://github\.com/[\w.-]{1,100}/[\w.-]{1,100}/issues/|[\w./-]{0,140}#)"
    r"\d{1,9}\b){1,20})",
    re.IGNORECASE,
)
"""Words by which merging closes an issue, with the numbers after them.

https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
"""
_CLOSED = re.compile(r"(?:https://github\.com/([\w./-]{3,200})/issues/|([\w./-]{0,140})#)(\d{1,9})")
MENTION = re.compile(
    r"(?<![\w/#&])#(\d{1,9})\b|github\.com/([\w.-]{1,100}/[\w.-]{1,100})/(?:pull|issues)/(\d{1,9})\b"
)
SHA = re.compile(r"(?<![\w/.-])[0-9a-f]{7,40}(?![\w-])")
RELATED_IN_A_SERIES = 20
"""Members of a series that are all related to each other; of a longer one only neighbours."""

PACKAGES: Mapping[str, Repo] = {
    name: KNOWN[alias]
    for alias, names in {
        "vllm": "vllm",
        "sglang": "sglang sgl-kernel sglang-kernel sglang-router",
        "flashinfer": "flashinfer flashinfer-python flashinfer-cubin flashinfer-jit-cache",
        "cutlass": "cutlass nvidia-cutlass nvidia-cutlass-dsl",
        "flash-attention": "flash-attn flash-attn-4 flash-attention vllm-flash-attn",
        "deepgemm": "deep-gemm deepgemm",
        "flashmla": "flash-mla flashmla",
        "cutile-python": "cuda-tile",
    }.items()
    for name in names.split()
}
"""Package and submodule names, in normal form, of the known repositories.

https://packaging.python.org/en/latest/specifications/name-normalization/
"""
_SEPARATORS = re.compile(r"[-_.]+")


def mentions(item: Item) -> tuple[set[int], set[str]]:
    """Give the numbers of the item's own repository and the SHAs that its text names."""
    text = as_public(f"{item.title[:TITLE_READ]}\n{written(item.body)}")
    own = str(item.repo).lower()
    numbers = {
        int(match.group(1) or match.group(3))
        for match in MENTION.finditer(text)
        if not match.group(2) or match.group(2).lower() == own
    }
    return numbers - {item.number or 0}, set(SHA.findall(text))


def closed_issues(item: Item) -> tuple[int, ...]:
    """Give the issues of the same repository that the item says it closes, in rising order."""
    if not item.kind.is_change:
        return ()
    text = as_public(f"{item.title[:TITLE_READ]}\n{written(item.body)}")
    own = {"", str(item.repo).lower()}
    found = set(item.closes)
    for match in CLOSES.finditer(text):
        for linked, short, number in _CLOSED.findall(match.group(1)):
            if (linked or short).lower() in own:
                found.add(int(number))
    return tuple(sorted(found - {item.number or 0}))


def series(item: Item) -> tuple[str, int, int] | None:
    """Read `[2/N]` from a title: what is left of the name, index, and total (0 for a letter)."""
    title = item.title[:TITLE_READ]
    if not item.kind.is_change:
        return None
    match = SERIES.search(title)
    if match is None:
        return _bare_series(title)
    index = int(match.group(2))
    if index > MOST_PARTS:
        return None
    total = int(match.group(3)) if match.group(3).isdecimal() else 0
    if not index or (total and (index > total or total < 2)):
        return None
    rest = " ".join((title[: match.start()] + " " + title[match.end() :]).split())
    inner = (match.group(1) or match.group(4) or "").strip(" :,-")
    head, colon, _ = bare(rest).partition(":")
    name = inner or (head.strip() if colon else "") or bare(rest) or rest
    return name, index, total


def _bare_series(title: str) -> tuple[str, int, int] | None:
    """Read `NAME 11/N: …` and `[NAME] 2/N …`; the name is what stands before the mark."""
    match = _BARE_SERIES.search(title)
    if match is None:
        return None
    index, total = int(match.group(1)), int(match.group(3) or 0)
    if not index or (total and (index > total or not title[match.end() :].startswith(":"))):
        return None
    before = title[: match.start()]
    name = bare(before) or " ".join(TAG.findall(before))
    return (name.strip(" :,-"), index, total) if name.strip(" :,-") else None


def relate(
    items: Sequence[Item],
    serial: Mapping[str, tuple[str, int, int]],
    fixes: Mapping[str, tuple[int, ...]],
    again: Mapping[str, tuple[str, ...]],
) -> dict[str, tuple[str, ...]]:
    """Give, for each key, the keys of items that belong with it, both ways, in order of key.

    Related are: items that name each other by number or SHA, a change and the issue that it
    closes (`fixes`), members of one series (`serial`: same name and total), what brings another
    `again`, and an issue with the one that it is a duplicate of.
    """
    by_number = {item.number: item.key for item in items if item.number is not None}
    by_sha = {sha[:7]: (sha, item.key) for item in items for sha in item.commits}
    links: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        numbers, shas = mentions(item)
        numbers.update(fixes.get(item.key, ()))
        if item.duplicate_of is not None:
            numbers.add(item.duplicate_of)
        targets = {by_number[number] for number in numbers if number in by_number}
        targets.update(again.get(item.key, ()))
        for named in shas:
            sha, key = by_sha.get(named[:7], ("", ""))
            if sha.startswith(named):
                targets.add(key)
        for key in targets - {item.key, ""}:
            links[item.key].add(key)
            links[key].add(item.key)
    for group in _series_groups(items, serial):
        reach = len(group) if len(group) <= RELATED_IN_A_SERIES else 1
        for place, key in enumerate(group):
            for other in group[place + 1 : place + 1 + reach]:
                links[key].add(other)
                links[other].add(key)
    return {key: tuple(sorted(links[key])) for key in sorted(links)}


def _series_groups(
    items: Iterable[Item], serial: Mapping[str, tuple[str, int, int]]
) -> list[list[str]]:
    groups: defaultdict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for item in items:
        if item.key in serial:
            name, index, total = serial[item.key]
            groups[name.casefold(), total].append((index, item.key))
    return [[key for _, key in sorted(group)] for group in groups.values() if len(group) > 1]


def package_repo(name: str) -> Repo | None:
    """Give the known repository that a package, image or submodule name belongs to, if any."""
    normal = _SEPARATORS.sub("-", name.strip().lower().rpartition("/")[2].partition("[")[0])
    return PACKAGES.get(normal)


def cross_repo(readings: Sequence[Reading]) -> tuple[tuple[UpgradeNote, Repo, Item | None], ...]:
    """Link dependency notes to the known repository that the dependency comes from.

    In: readings of one window. Out: for each note about another known repository's package, the
    note, that repository, and its release among the readings whose tag is the version that the
    note ends at (None where it was not told in this window). Order: as the readings and notes.
    """
    releases = {
        (one.item.repo, one.item.ref.lstrip("vV")): one.item
        for reading in readings
        for one in reading.items
        if one.item.kind is Kind.RELEASE
    }
    found: list[tuple[UpgradeNote, Repo, Item | None]] = []
    for reading in readings:
        for note in reading.upgrade_notes:
            repo = package_repo(note.name) if note.kind == "dependency" else None
            if repo is not None and repo != reading.repo:
                version = re.search(r"\d+(?:\.\w+){1,4}", note.after or "")
                found.append((note, repo, releases.get((repo, version[0])) if version else None))
    return tuple(found)


SHORT_SHA = re.compile(r"[0-9a-f]{4,40}")
SHORTEST_QUOTED_TITLE = 8
"""Characters under which one title within another is chance, as in `Fix`."""


def answers_to(item: Item, ref: str) -> bool:
    """Tell whether `ref` means the item: `35621`, `#35621`, a SHA's first digits, a tag."""
    wanted = ref.strip().removeprefix("#").lower()
    if wanted == item.ref.removeprefix("#").lower():
        return True
    return bool(SHORT_SHA.fullmatch(wanted)) and any(
        sha.lower().startswith(wanted) for sha in item.commits
    )


def speaks_of(one: Item, other: Item) -> bool:
    """Tell whether an item names another by number, SHA or title, or they are one change."""
    numbers, shas = mentions(one)
    named = {*numbers, *one.closes, one.pull_request} - {None}
    if other.number in named or set(one.commits) & set(other.commits):
        return True
    if any(sha.startswith(short) for sha in other.commits for short in shas):
        return True
    title = other.title.casefold()
    return len(title) >= SHORTEST_QUOTED_TITLE and title in one.title.casefold()


def close_up(item: Item, stored: Iterable[Item], now: datetime, source: str) -> Activity:
    """Give an item as an activity of its own, with the stored items that speak of it.

    Only what belongs to the same change keeps its hunks. `now` is UTC.
    """
    others = tuple(
        each if _is_same_change(item, each) else _without_hunks(each)
        for each in stored
        if each.key != item.key and (speaks_of(each, item) or speaks_of(item, each))
    )
    moments = [each.at for each in (item, *others)]
    window = Window(min(moments), max(moments) + timedelta(microseconds=1), "UTC", item.ref)
    return Activity(item.repo, window, (item, *others), collected_at=now, source=source)


def as_change(reading: Reading, item: Item) -> Change | None:
    """Give what a reading says of one item, or of the change that the item was folded into."""
    own = next(
        (
            read
            for read in reading.items
            if read.item.key == item.key or set(item.commits) & set(read.item.commits)
        ),
        None,
    )
    if own is None:
        return None
    key = own.item.key
    return Change(
        read=own,
        upgrade_notes=tuple(note for note in reading.upgrade_notes if key in note.cites),
        related=tuple(read.item for read in reading.items if read.item.key in own.related),
        reverts=tuple(
            revert
            for revert in reading.reverts
            if key in (revert.revert.key, revert.original.key if revert.original else None)
        ),
        facts=tuple(fact for fact in reading.facts if fact.item == key),
    )


def _is_same_change(item: Item, other: Item) -> bool:
    joined = {item.number, item.pull_request} & {other.number, other.pull_request} - {None}
    return bool(joined or set(item.commits) & set(other.commits))


def _without_hunks(item: Item) -> Item:
    if item.files is None:
        return item
    return replace(item, files=tuple(replace(file, patch=None) for file in item.files))
