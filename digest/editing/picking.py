"""The front page as a model picks it: ids of a closed list, so that none is invented (pure)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from digest.editing.fence import one_line
from digest.facts import Fact
from digest.grades import Reason
from digest.languages import Language
from digest.models import Kind, Reading, ReadItem
from digest.reading.known_facts import demands, facts_by_item
from digest.writing.fact_phrases import fact_runs
from digest.writing.rules import plain

MOST_SHOWN = 90
"""Changes that are shown, the heaviest ones; what has not been shown cannot be picked."""
MOST_PICKED = 10
MOST_FRONT = 6
FILES = 2
PICKED = "picked"
"""The reason of what a model picked, without points."""


def candidates(reading: Reading) -> tuple[ReadItem, ...]:
    """Give the changes that may stand on the front page."""
    told = (
        read
        for read in reading.items
        if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT)
        and read.noise is None
        and read.reverted_by is None
        and not read.reverts
    )
    return tuple(told)[:MOST_SHOWN]


def said_of(read: ReadItem, facts: Sequence[Fact]) -> str:
    """Give the rules' facts of an item in words, for a prompt."""
    return one_line("; ".join(plain(runs) for runs in fact_runs(facts[:4], Language.EN)))[:240]


def lines(reads: Sequence[ReadItem], known: Mapping[str, Sequence[Fact]]) -> str:
    """Give changes a line each, under their ids: size, facts, title, files."""
    return "\n".join(
        _line(f"i{number}", read, known.get(read.item.key, ()))
        for number, read in enumerate(reads, 1)
    )


def _line(name: str, read: ReadItem, facts: Sequence[Fact]) -> str:
    item = read.item
    files = sorted(item.files or (), key=lambda file: -(file.additions + file.deletions))
    paths = " ".join(one_line(file.path)[-48:] for file in files[:FILES])
    size = f"+{item.additions} -{item.deletions} in {len(files)}"
    said = said_of(read, facts)
    parts = (f"{name} {size}", one_line(item.title)[:140], said[:120], paths)
    return " | ".join(part for part in parts if part)


def picked(answer: Mapping[str, Any], reads: Sequence[ReadItem]) -> tuple[str, ...]:
    """Give the keys of what was picked, best first; what is on no list is left out."""
    keys = {f"i{number}": read.item.key for number, read in enumerate(reads, 1)}
    return tuple(dict.fromkeys(keys[each] for each in answer["ids"] if each in keys))[:MOST_PICKED]


def with_picks(reading: Reading, picks: Sequence[str]) -> Reading:
    """Give a reading with what was picked first; the front page never has two of one story.

    What the rules put on the front page because it must be acted on stays there, whatever was
    picked.
    """
    if not picks:
        return reading
    story_of = {key: story.key for story in reading.stories for key in story.items}
    front: list[str] = []
    for key in picks:
        told = {story_of[each] for each in front if each in story_of}
        if len(front) < MOST_FRONT and story_of.get(key) not in told:
            front.append(key)
    known = facts_by_item(reading)
    front += [key for key in reading.front if demands(known.get(key, ())) and key not in front]
    items = [_marked(read, front) for read in reading.items]
    order = {key: place for place, key in enumerate(dict.fromkeys((*front, *picks)))}
    items.sort(key=lambda read: order.get(read.item.key, len(order)))
    return replace(reading, items=tuple(items), front=tuple(front))


def _marked(read: ReadItem, front: Collection[str]) -> ReadItem:
    """Give an item of the front page with the reason why it is there."""
    if read.item.key not in front:
        return read
    return replace(read, reasons=(*read.reasons, Reason(PICKED, 0)))
