"""What a model may see of one item, and what its sentences are checked against."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk of a diff, whole, as its lines stand in the patch (with `+`, `-` or a space).

    `id` is `h1`, `h2` …, unique in its evidence; `start` is its first line in the new file.
    """

    id: str
    path: str
    start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item in the pieces that can be quoted; written by strangers, cleaned of invisible text.

    `body` holds whole paragraphs, `hunks` whole hunks, both as far as the budget reached:
    `paragraphs` and `hunks_total` count what there was. `facts` are ours and may be named too
    (computed numbers, labels, paths, references, states), each as one short text.
    """

    key: str
    title: str
    body: tuple[str, ...] = ()
    paragraphs: int = 0
    hunks: tuple[Hunk, ...] = ()
    hunks_total: int = 0
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of one item a model saw: hunks and paragraphs, of how many there are."""

    hunks: int
    hunks_total: int
    paragraphs: int
    paragraphs_total: int
