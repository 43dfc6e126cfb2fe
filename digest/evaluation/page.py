"""The table of an evaluation, as it stands in `docs/quality.md`."""

from collections.abc import Sequence
from dataclasses import dataclass

from digest.evaluation.interfaces import InterfaceFigures
from digest.evaluation.scoring import Figures

HEADING = "# How well a day is told"


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of some windows: how the weights were got, how many windows and changes."""

    how: str
    windows: int
    changes: int
    figures: Figures
    by_size: Figures


_ROWS: Sequence[tuple[str, str]] = (
    ("first", "editors' front page among our first six"),
    ("second", "… among our first ten"),
    ("unshown", "our first six that no editor would show at all"),
    ("symptom", "symptoms that editors agree on, told right"),
    ("false_symptom", "symptoms told that no editor names"),
    ("inferred", "symptoms told as inferred that an editor names"),
    ("precise", "pairs of one story that editors made too"),
    ("found", "pairs of editors' stories, found"),
)
_SIZED = ("first", "second", "unshown")
_HEAD = f"""{HEADING}

Days of real repositories against what editors chose, who worked from the sources alone.
The front page is what two editors of three put there, or the one that a window has.
Rules alone, no model. Made by this command; labels and clones are not kept here:

    infra evaluate LABELS --clones DIR --write docs/quality.md
"""
_FOOT = """
Symptoms are claims: one is told where a text states it, or inferred, and marked so, of
a fix of nothing but what answers clients. Any other fix is *broken*, which counts as
not right here; editors inferred many from the diff. Words and rules of symptoms were
made with these windows in sight: for new ones their figures may be lower.
"""


def page(measured: Sequence[Measured], interfaces: InterfaceFigures | None) -> str:
    """Return the section as Markdown: a table for the windows, one for interfaces."""
    columns = [f"{one.how}: windows {one.windows}, changes {one.changes}" for one in measured]
    lines = [
        _HEAD,
        "| | " + " | ".join(columns) + " | by the number of files |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for name, words in _ROWS:
        cells = [getattr(one.figures, name).told() for one in measured]
        plain = getattr(measured[0].by_size, name).told() if name in _SIZED else ""
        lines.append(f"| {words} | " + " | ".join(cells) + f" | {plain} |")
    if interfaces is not None:
        lines += ["", *_of_interfaces(interfaces)]
    return "\n".join([*lines, _FOOT])


def _of_interfaces(figures: InterfaceFigures) -> list[str]:
    return [
        "| interfaces, by labelled commits | |",
        "|---|---:|",
        f"| changes that matter, told | {figures.matter.told()} |",
        f"| commits with such a change, one told | {figures.commits.told()} |",
        f"| our facts that a label has | {figures.labelled.told()} |",
        f"| our facts that fell for a trap | {figures.traps} |",
    ]
