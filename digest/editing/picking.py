"""The front page and stories by a model: ids of a closed list, none invented (pure)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from digest.editing.questions import one_line
from digest.editing.shown import gist
from digest.facts import Fact, FactKind, Story, Symptom
from digest.grades import Reason
from digest.languages import Language
from digest.models import Item, Reading, ReadItem
from digest.reading.known_facts import demands, facts_by_item
from digest.reading.passages import is_order
from digest.reading.paths import RUNTIME, role
from digest.reading.stories import regrouped
from digest.writing.fact_phrases import fact_runs
from digest.writing.rules import plain

MOST_SHOWN = 90
"""Changes that are shown, the heaviest ones; what has not been shown cannot be picked."""
MOST_PICKED = 14
MOST_FRONT = 6
MOST_MENDED = 8
"""Fixes that do not call themselves so, of which it is asked what was seen."""
PLACES = 5
"""Places in the rules' order that one place of a pick weighs: rules know no meaning, but a pick
that puts their last above their first by a place or two mostly errs. What was not picked stands as
if after the last of a whole pick. From 4 to 8 it makes hardly a difference."""
MOST_OF_A_STORY = 10
"""Changes of one story that a model names, if the rules have none of more; of a list of more
nothing is believed."""
KNOWN_OF_A_STORY = 120
"""Characters of a change's facts where it is asked what belongs together."""
FILES = 2
SHOWN_WHOLE = 60
"""Changes that are shown with their author's words or their lines; those after weigh less."""
KNOWN, WORDS = 200, 160
"""Characters of a change's facts, and of its author's words or its lines."""
PICKED = "picked"
"""The reason of what a model picked, without points."""
_PACKAGES = re.compile(r"\b(?:\w+\.){2,}(?=\w+\.[\w{])")
"""What stands before the last two parts of a name, which say where it is."""


def candidates(reading: Reading) -> tuple[ReadItem, ...]:
    """Return the changes that may stand on the front page."""
    reads = (
        read
        for read in reading.items
        if read.item.kind.is_change
        and read.noise is None
        and read.reverted_by is None
        and not read.reverts
    )
    return tuple(reads)[:MOST_SHOWN]


def facts_text(facts: Sequence[Fact], most: int = 240) -> str:
    """Return the rules' facts of an item in words, for a prompt."""
    return one_line("; ".join(plain(runs) for runs in fact_runs(facts[:4], Language.EN)))[:most]


def lines(reads: Sequence[ReadItem], reading: Reading) -> str:
    """Return changes a line each, under their ids: what an editor would look at of each.

    That is its title, what it changes for whom and whether who upgrades is hit, its author's best
    sentence or else the changed lines that say most, how much of it runs and where, and its story,
    of which the front page tells one change.
    """
    known = facts_by_item(reading)
    stories = _stories_of(reads, reading)
    story_of = {key: f"story {n}" for n, story in enumerate(stories, 1) for key in story.items}
    rows: list[str] = []
    for number, read in enumerate(reads, 1):
        item = read.item
        parts = (
            f"i{number} {_part(item.title)[:140]}",
            _part(_known(known.get(item.key, ()))),
            _words(read) if number <= SHOWN_WHOLE else "",
            _size(item),
            story_of.get(item.key, ""),
        )
        rows.append(" | ".join(part for part in parts if part))
    return "\n".join(rows)


def _part(text: str) -> str:
    """Return a stranger's words as one part of a line, which they cannot end."""
    return one_line(text).replace("|", "¦")


def _known(facts: Sequence[Fact]) -> str:
    """Return the facts of a change, first what hits who upgrades and does nothing.

    What only says again that it mends something, or what its title names, is left out.
    """
    owed = demands(facts)
    others = (
        fact
        for fact in facts
        if fact not in owed
        and fact.symptom is not Symptom.BROKEN
        and not (fact.kind is FactKind.SUPPORT and fact.inferred)
    )
    known = _PACKAGES.sub("…", facts_text((*owed, *others), 600))[:KNOWN]
    return f"MUST ACT: {known}" if owed else known


def _words(read: ReadItem) -> str:
    """Return what a change's author says of it, else what its issue does, else its lines."""
    if read.sentence and not read.sentence.is_title:
        return f'"{_part(read.sentence.text)[:WORDS]}"'
    for issue in read.item.linked_issues:
        if issue.title and not is_order(issue.title):
            return f'closes "{_part(issue.title)[:WORDS]}"'
    return _part(gist(read.item, WORDS))


def _size(item: Item) -> str:
    """Return how much of a change runs at a user's, and where; of one of which nothing does, all.

    Then it begins with what it is made of: `only docs, test`.
    """
    files = sorted(item.files or (), key=lambda file: -(file.additions + file.deletions))
    run = [file for file in files if role(file.path) in RUNTIME]
    paths = (_part("/".join(file.path.split("/")[-3:]))[-60:] for file in (run or files)[:FILES])
    added, gone, only = item.additions, item.deletions, ""
    if run:
        added = sum(file.additions for file in run)
        gone = sum(file.deletions for file in run)
    elif files:
        only = f"only {', '.join(sorted({role(file.path).value for file in files}))} "
    return " ".join((f"{only}+{added} -{gone} in {len(run or files)}", *paths))


def story_lines(reads: Sequence[ReadItem], reading: Reading) -> str:
    """Return changes a line each, under their ids, and below them the stories of the rules."""
    known = facts_by_item(reading)
    ids = {read.item.key: f"i{number}" for number, read in enumerate(reads, 1)}
    rows = []
    for key, read in zip(ids, reads, strict=True):
        item, facts = read.item, facts_text(known.get(key, ()), KNOWN_OF_A_STORY)
        by = f"by {_part(item.author)}" if item.author else ""
        parts = (f"{ids[key]} {_part(item.title)[:140]}", _part(facts), _size(item), by)
        rows.append(" | ".join(part for part in parts if part))
    for story in _stories_of(reads, reading):
        members = " ".join(ids[key] for key in story.items if key in ids)
        rows.append(f"topic: {_part(story.name)} | {members}")
    return "\n".join(rows)


def _stories_of(reads: Sequence[ReadItem], reading: Reading) -> list[Story]:
    """Return the stories of which two changes or more are shown."""
    shown = {read.item.key for read in reads}
    return [story for story in reading.stories if len(shown & {*story.items}) > 1]


@dataclass(frozen=True, slots=True)
class Pick:
    """What a model picked, best first; `mended` are fixes whose titles do not say so."""

    keys: tuple[str, ...]
    mended: tuple[str, ...]


def picked(answer: Mapping[str, Any], reads: Sequence[ReadItem]) -> Pick:
    """Return what of an answer stands: an id is of the list, and counts once."""
    keys = _keys(reads)
    picks, mended = (
        tuple(dict.fromkeys(keys[each] for each in answer[part] if each in keys))[:most]
        for part, most in (("ids", MOST_PICKED), ("mended", MOST_MENDED))
    )
    return Pick(picks, mended)


def grouped(
    answer: Mapping[str, Any], reads: Sequence[ReadItem], reading: Reading
) -> dict[tuple[str, ...], str]:
    """Return keys of changes that belong together by an answer, each with what it calls them.

    An id is of the list, and counts once; a group has two to `MOST_OF_A_STORY`, or as many as a
    story of the rules. What a model doubts of a group comes along where it is sure of more than
    half: of pairs with such a change every second is an editor's too, of the others five of six.
    """
    every = _keys(reads)
    keys = dict(every)
    sizes = (len(story.items) for story in _stories_of(reads, reading))
    most = max(MOST_OF_A_STORY, *sizes, 0)
    sure: list[tuple[str, list[str], list[str]]] = []
    for story in answer["stories"]:
        if len(set(story["ids"])) <= most:
            doubted = list(dict.fromkeys(each for each in story["maybe"] if each in every))
            group = [key for each in story["ids"] if (key := keys.pop(each, None))]
            sure.append((story["name"], group, doubted))
    groups: dict[tuple[str, ...], str] = {}
    for name, group, doubted in sure:
        if len(doubted) < len(group) <= most - len(doubted):
            # What another group is sure of stays there.
            group += [key for each in doubted if (key := keys.pop(each, None))]
        if len(group) > 1:
            groups[tuple(group)] = name
    return groups


def meant(answer: Mapping[str, Any]) -> int:
    """Return how many groups an answer means: those that it wholly doubts itself are none."""
    return sum(len(story["ids"]) > 1 or not story["maybe"] for story in answer["stories"])


def _keys(reads: Sequence[ReadItem]) -> dict[str, str]:
    return {f"i{number}": read.item.key for number, read in enumerate(reads, 1)}


def with_stories(
    reading: Reading,
    groups: Mapping[tuple[str, ...], str],
    reads: Sequence[ReadItem],
    model: str,
) -> Reading:
    """Return a reading with its changes, of which a model was shown `reads`, as it groups them.

    The rules' stories of which no change is in one of its stories stay.
    """
    items = [read.item for read in reading.items]
    shown = {read.item.key for read in reads}
    return replace(reading, stories=regrouped(model, groups, reading.stories, items, shown))


def with_picks(reading: Reading, picks: Sequence[str]) -> Reading:
    """Return a reading in the order of what was picked, best first, and of its own together.

    The front page is the first of what was picked, and never has two of one story. These are the
    stories of the rules: a model's are wider (a vendor's fixes, a subsystem), and two changes of
    one may each deserve their place, so they are added after this. What the rules put on the front
    page because it must be acted on stays there, whatever was picked, and where fewer were picked
    than it had, the next of its own follow.
    """
    if not picks:
        return reading
    placed = {key: place for place, key in enumerate(picks)}
    ranks = {
        read.item.key: PLACES * placed.get(read.item.key, MOST_PICKED) + rank
        for rank, read in enumerate(reading.items)
    }
    order = sorted(ranks, key=ranks.__getitem__)
    story_of = {key: story.key for story in reading.stories for key in story.items}
    front: list[str] = []

    def add(keys: Iterable[str], most: int) -> None:
        for key in keys:
            taken = {story_of[each] for each in front if each in story_of}
            if len(front) < most and key not in front and story_of.get(key) not in taken:
                front.append(key)

    add((key for key in order if key in placed), MOST_FRONT)
    known = facts_by_item(reading)
    front += [key for key in reading.front if demands(known.get(key, ())) and key not in front]
    add(reading.front, len(reading.front))
    reads = {read.item.key: read for read in reading.items}
    for key in (each for each in front if each in placed):
        reads[key] = replace(reads[key], reasons=(*reads[key].reasons, Reason(PICKED, 0)))
    items = tuple(reads[key] for key in dict.fromkeys((*front, *order)))
    return replace(reading, items=items, front=tuple(front))
