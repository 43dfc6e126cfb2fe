"""What was told and is not so any more, said in the messages that told it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.compose.item_part import correction_runs
from bot.model.following import Correction
from bot.model.parts import Part
from digest.languages import Language
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Runs,
    Strong,
    Table,
    Tone,
    Words,
)


def with_corrections(part: Part, corrections: Sequence[Correction], language: Language) -> Part:
    """Give a message with what makes it wrong: at its head where it is about one item.

    Of several it is said behind the first link to each; another link to one has the sign alone.
    """
    if not corrections:
        return part
    if len(part.about) == 1:
        said = Paragraph(correction_runs(corrections[0], language), Tone.WARNING)
        return replace(part, blocks=(said, *part.blocks), summary=f"⚠ {part.summary}")
    marking = _Marking({each.url: correction_runs(each, language) for each in corrections})
    return replace(part, blocks=tuple(map(marking.block, part.blocks)))


class _Marking:
    """Marks what leads to items by their addresses; `said` is what became of each."""

    def __init__(self, said: Mapping[str, Runs]) -> None:
        self._said = said
        self._met: set[str] = set()

    def block(self, block: Block) -> Block:
        match block:
            case Paragraph(runs):
                return replace(block, runs=self._runs(runs))
            case Bullets(entries):
                return Bullets(tuple(map(self._entry, entries)))
            case Table():
                rows = tuple(tuple(map(self._runs, row)) for row in block.rows)
                return replace(block, rows=rows)
            case Hunk() | Quote():
                return block

    def _entry(self, entry: Entry) -> Entry:
        runs = self._runs(entry.runs)
        return replace(entry, runs=runs, under=tuple(map(self._entry, entry.under)))

    def _runs(self, runs: Runs) -> Runs:
        marked: Runs = ()
        for run in runs:
            if isinstance(run, Strong):
                run = Strong(self._runs(run.runs))
            marked += (run,)
            if isinstance(run, Link) and run.url in self._said:
                is_known = run.url in self._met
                self._met.add(run.url)
                told = (Words(" (⚠ "), *self._said[run.url], Words(")"))
                marked += (Words(" ⚠"),) if is_known else told
        return marked
