"""What a day was, in one line: its largest stories, and the parts that its other work was in.

Each change counts once: in its story, else in the part of the software that most of its lines are
in, or with who is meant by its title.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from digest.facts import Story
from digest.models import Item, ReadItem
from digest.reading.features import AREAS
from digest.reading.paths import RUNTIME, role
from digest.writing.audience import Audiences
from digest.writing.outline import Lead, Strand
from digest.writing.shown_stories import work
from digest.writing.upkeep import is_upkeep

MOST_STRANDS = 4
LEAST_OF_STRAND = 3
"""Changes of which it can be said that a day was about them."""
PART_SHARE = 10
"""Of so many changes one is in a part of the software that is told, or more."""
BUSY = 15
"""Changes from which a day is told by parts of the software; fewer are read one by one."""
LEAD_SHARE = 3
"""What leads a day has one of so many of its changes."""

_SAYS_LITTLE = ("area_plugins", "area_config")
"""Parts that are in every corner of a program."""
_SAME = {
    "Speculative decoding": "area_speculative",
    "Diffusion": "area_generation_of_images",
    "Multimodal": "area_multimodal",
}
"""Who is meant, and the part of the software that is the same by other signs."""


def lead(stories: Sequence[Story], landed: Sequence[ReadItem], audiences: Audiences) -> Lead:
    """Return what changes were about, the largest first; nothing where that is too little of them.

    `stories` are largest first, `audiences` who is meant by changes that run. What was upkeep, or
    was taken back or takes back, is not counted.
    """
    by_key = {read.item.key: read for read in landed}
    gone = {key for read in landed if read.reverts for key in (read.item.key, read.reverts)}
    gone |= {read.item.key for read in landed if read.reverted_by is not None}
    left = {key: None for key, read in by_key.items() if not is_upkeep(read) and key not in gone}
    count = len(left)
    found = [
        Strand(story.name, tuple(key for key in story.items if key in left), story)
        for story in stories
        if work(story.items, by_key) >= LEAST_OF_STRAND
    ][:MOST_STRANDS]
    for strand in found:
        left = _without(left, strand.keys)
    room = MOST_STRANDS - len(found)
    if room and len(landed) >= BUSY:
        least = max(LEAST_OF_STRAND, math.ceil(count / PART_SHARE))
        found += _parts([by_key[key] for key in left], audiences, least)[:room]
    shown = tuple(sorted(found, key=lambda strand: -strand.count))
    told = sum(len(strand.keys) for strand in shown)
    # Four things of an eighth each are no one thing that a day was about.
    is_most = bool(shown) and 2 * told >= count and 4 * len(shown[0].keys) >= count
    return Lead(shown, is_most) if told * LEAD_SHARE >= count else Lead()


def _parts(reads: Sequence[ReadItem], audiences: Audiences, least: int) -> list[Strand]:
    """Return the parts that changes are in and who is meant, with those that no larger one has."""
    members: dict[str, dict[str, None]] = {}
    for read in reads:
        for name in areas(read.item):
            members.setdefault(name, {})[read.item.key] = None
    asked = {read.item.key for read in reads}
    for name, theirs in audiences:
        for read in theirs:
            if read.item.key in asked:
                members.setdefault(_SAME.get(name, name), {})[read.item.key] = None
    found: list[Strand] = []
    while members:
        name = max(members, key=lambda each: len(members[each]))
        keys = members.pop(name)
        if len(keys) < least:
            break
        found.append(Strand(name, tuple(keys)))
        members = {other: _without(theirs, keys) for other, theirs in members.items()}
    return found


def areas(item: Item) -> list[str]:
    """Return the parts of the software that most of a change's lines of what runs are in.

    The folder that is called like the repository says nothing: all is in it.
    """
    top = f"{item.repo.name.casefold()}/"
    lines: dict[str, int] = {}
    total = 0
    for file in item.files or ():
        if role(file.path) in RUNTIME:
            size = file.additions + file.deletions
            total += size
            path = file.path.casefold().removeprefix(top)
            for name, pattern in AREAS:
                if name not in _SAYS_LITTLE and pattern.search(path):
                    lines[name] = lines.get(name, 0) + size
    return [name for name, size in lines.items() if 2 * size > total]


def _without(keys: Mapping[str, None], others: Iterable[str]) -> dict[str, None]:
    aside = set(others)
    return {key: None for key in keys if key not in aside}
