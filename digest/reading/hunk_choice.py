"""Which hunks of a change are shown to a reader first: whole ones, by what they are worth."""

from collections.abc import Collection
from dataclasses import dataclass

from digest.facts import Evidence
from digest.models import FileChange, Item
from digest.reading.hunk_worth import LONGEST_HUNK, Weighed, fitting, weighed
from digest.reading.patch import MAX_CHARS, Hunk, parse_hunk, raw_hunks


@dataclass(frozen=True, slots=True)
class ChosenHunk:
    """One hunk, byte for byte with its `@@`; `line` is its first one in the new file.

    Of a file that is gone it is the first line in the old one. `more` counts the lines that were
    left out, where no hunk of a change is short enough to be shown whole.
    """

    path: str
    line: int
    text: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen hunks in the order of the change, and how many there are in all.

    `more` tells that even those are not all: a patch goes on past what is read of it.
    """

    hunks: tuple[ChosenHunk, ...] = ()
    total: int = 0
    more: bool = False


def choose(item: Item, shown: Collection[Evidence], *, lines: int) -> Choice:
    """Choose whole hunks of an item's patches, of together at most `lines` lines.

    Of files of one worth, hunks that `shown` stands in come first. One longer than
    `LONGEST_HUNK` is a new file or data, one click away. Where none is short enough, the most
    telling one is begun. Bytes are those of the patch.
    """
    ranked, total = weighed(item.files or (), shown)
    short = (each for each in ranked if each.lines <= LONGEST_HUNK)
    chosen = fitting(short, lines, lambda each: each.lines)
    if not chosen:
        return Choice(tuple(_begun(each, lines) for each in ranked[:1]), total, _goes_on(item))
    in_order = sorted(chosen, key=lambda each: each.place)
    return Choice(tuple(_whole(each) for each in in_order), total, _goes_on(item))


def _whole(each: Weighed) -> ChosenHunk:
    return ChosenHunk(each.file.path, _first(each.file, each.hunk), each.text)


def _begun(each: Weighed, lines: int) -> ChosenHunk:
    kept = min(lines, LONGEST_HUNK)
    text = "\n".join(each.text.split("\n", kept)[:kept])
    return ChosenHunk(each.file.path, _first(each.file, each.hunk), text, each.lines - kept)


def everything(item: Item) -> Choice:
    """Give every hunk there is, whatever its length."""
    hunks = tuple(
        ChosenHunk(file.path, _start(file, raw), raw)
        for file in item.files or ()
        for raw in raw_hunks(file.patch)
    )
    return Choice(hunks, len(hunks), _goes_on(item))


def _goes_on(item: Item) -> bool:
    return any(len(file.patch or "") > MAX_CHARS for file in item.files or ())


def _start(file: FileChange, raw: str) -> int:
    header = parse_hunk(raw.partition("\n")[0])
    return _first(file, header) if header else 0


def _first(file: FileChange, hunk: Hunk) -> int:
    """Give the first changed line: where a reader has to look."""
    gone = file.status == "removed"
    changed = (line.old if gone else line.new for line in hunk.lines if line.sign != " ")
    numbered = next((number for number in changed if number is not None), None)
    return numbered or (hunk.old_start if gone else hunk.new_start)
