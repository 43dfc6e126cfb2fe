"""One item looked at whole: which stored items speak of it, and what a reading says of it. Pure."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from digest.models import Activity, Change, Item, Reading, Window
from digest.reading.relations import mentions

SHA = re.compile(r"[0-9a-f]{4,40}")
SHORTEST_QUOTED_TITLE = 8
"""Characters under which one title within another is chance, as in `Fix`."""


def answers_to(item: Item, ref: str) -> bool:
    """Tell whether `ref` means the item: `35621`, `#35621`, a SHA's first digits, a tag."""
    wanted = ref.strip().removeprefix("#").lower()
    if wanted == item.ref.removeprefix("#").lower():
        return True
    return bool(SHA.fullmatch(wanted)) and any(
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
