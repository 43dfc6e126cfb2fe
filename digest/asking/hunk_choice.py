"""Which hunks of a change a model is shown: whole ones, by worth, as far as tokens reach (pure)."""

from collections.abc import Collection, Iterator, Sequence

from digest.asking.cleaning import clean, one_line
from digest.asking.tokens import OTHERS_IN_A_TOKEN, tokens
from digest.evidence import Hunk
from digest.models import FileChange, UpgradeNote
from digest.reading.hunk_worth import Weighed, fitting, weighed, worth
from digest.reading.patch import parse_hunk

PREFIX_TOKENS = 2
"""What stands before each line of a hunk in a prompt (`h3+12|`)."""


def chosen(
    files: Sequence[FileChange], budget: int, notes: Collection[UpgradeNote] = ()
) -> tuple[tuple[Hunk, ...], int]:
    """Choose hunks within a budget of tokens, and give how many there were.

    They come by the worth of their files, then as they stand in the change. One that does not fit
    is left out whole. Files without a patch have none.
    """
    # Too large by its length alone: not worth reading line by line.
    ranked, total = weighed(files, notes, longest=int(budget * OTHERS_IN_A_TOKEN))
    taken = fitting(ranked, budget, _cost)
    in_order = sorted(taken, key=lambda each: (worth(each.file.path), each.place))
    return tuple(_numbered(in_order)), total


def _cost(each: Weighed) -> int:
    return tokens(each.text) + tokens(each.file.path) + PREFIX_TOKENS * each.text.count("\n")


def _numbered(taken: Sequence[Weighed]) -> Iterator[Hunk]:
    number = 0
    for each in taken:
        hunk = parse_hunk(each.text)
        if hunk is None or not hunk.lines:
            continue
        number += 1
        lines = tuple(_shown(line.sign + line.text) for line in hunk.lines)
        yield Hunk(f"h{number}", one_line(each.file.path), hunk.new_start, lines)


def _shown(line: str) -> str:
    return clean(line).replace("\n", " ")
