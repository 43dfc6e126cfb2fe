"""What a model may see of one item: whole units by value, without invisible text (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from digest.asking.cleaning import one_line
from digest.asking.hunk_choice import chosen
from digest.asking.marking import MARK, marked
from digest.asking.paragraphs import Unit, units
from digest.asking.tokens import tokens
from digest.evidence import Evidence
from digest.grades import Purpose
from digest.models import Item
from digest.reading.upgrade import upgrade_notes


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens, as `tokens` estimates them, that the parts of one item may take in a prompt.

    `code` tells whether fenced code and tables of a description are shown.
    """

    body: int
    hunks: int
    code: bool = False

    def halved(self) -> Self:
        """Give half of it, for an item that a model could not take whole."""
        return type(self)(self.body // 2, self.hunks // 2, self.code)


GLOSS = Budget(body=550, hunks=550)
"""For the gloss of one item: with title and facts about 1,200 tokens at most."""

DEEP = Budget(body=2_500, hunks=7_500, code=True)
"""For the analysis of one change: with all around it about 12,000 tokens at most."""


def evidence(item: Item, *, budget: Budget, purpose: Purpose | None = None) -> Evidence:
    """Choose what a model sees of an item, and what its sentences are checked against.

    Paragraphs, list items and hunks are whole or left out, and counted either way
    (`paragraphs`, `hunks_total`). `purpose` is given where the author declared it. `facts` are
    short texts, each `name: value`: `ref: #12`, `kind: pull_request`, `state: merged`,
    `purpose: fix`, `label: bug`, `path: a/b.py`, `files: 3`, `added lines: 40`,
    `removed lines: 2`, `closes: #7`, `pull request: #12`, `milestone: v1`; paths of all files,
    in the order of the change.
    """
    told = units(item.body)
    if not budget.code:
        told = tuple(unit for unit in told if not unit.code)
    # Without signatures, which take ten times as long to find: a digest asks about many items.
    hunks, hunks_total = chosen(item.files or (), budget.hunks, upgrade_notes(item))
    return Evidence(
        key=item.key,
        title=one_line(item.title).replace(MARK, "_"),
        body=_within(told, budget.body),
        paragraphs=len(told),
        hunks=hunks,
        hunks_total=hunks_total,
        facts=tuple(_facts(item, purpose)),
    )


def _within(told: tuple[Unit, ...], budget: int) -> tuple[str, ...]:
    """Take units by their rank, then in order, while they fit; give them in their order."""
    left = budget
    taken: set[int] = set()
    for place in sorted(range(len(told)), key=lambda index: (told[index].rank, index)):
        cost = tokens(marked(told[place].text))
        if cost <= left:
            taken.add(place)
            left -= cost
    return tuple(told[place].text for place in sorted(taken))


def _facts(item: Item, purpose: Purpose | None) -> Iterator[str]:
    yield f"ref: {one_line(item.ref)}"
    yield f"kind: {item.kind}"
    yield f"state: {item.state}"
    if purpose is not None:
        yield f"purpose: {purpose}"
    yield from (f"label: {one_line(label)}" for label in item.labels)
    if item.milestone:
        yield f"milestone: {one_line(item.milestone)}"
    if item.pull_request is not None:
        yield f"pull request: #{item.pull_request}"
    yield from (f"closes: #{number}" for number in item.closes)
    if item.files is not None:
        yield f"files: {len(item.files)}"
        yield f"added lines: {item.additions}"
        yield f"removed lines: {item.deletions}"
        yield from (f"path: {one_line(file.path)}" for file in item.files)
