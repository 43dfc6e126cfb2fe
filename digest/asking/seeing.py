"""What a model may see of one item: whole units by value, without invisible text (pure)."""

from dataclasses import dataclass
from typing import Self

from digest.evidence import Evidence
from digest.grades import Purpose
from digest.models import Item


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


GLOSS = Budget(body=450, hunks=450)
"""For the gloss of one item: with title and facts about 1,000 tokens."""

DEEP = Budget(body=3_000, hunks=8_500, code=True)
"""For the analysis of one change: about 12,000 tokens."""


def evidence(item: Item, *, budget: Budget, purpose: Purpose | None = None) -> Evidence:
    """Choose what a model sees of an item, and what its sentences are checked against.

    Paragraphs, list items and hunks are whole or left out, and counted either way
    (`paragraphs`, `hunks_total`). `purpose` is given where the author declared it. `facts` are
    short texts, each `name: value`: `ref: #12`, `kind: pull_request`, `state: merged`,
    `purpose: fix`, `label: bug`, `path: a/b.py`, `files: 3`, `added lines: 40`,
    `removed lines: 2`, `closes: #7`, `pull request: #12`, `milestone: v1`; paths of all files,
    in the order of the change.
    """
    raise NotImplementedError
