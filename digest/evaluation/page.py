"""The table of an evaluation, as it stands in `docs/quality.md`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from digest.evaluation.interfaces import InterfaceFigures
from digest.evaluation.scoring import Figures, Share

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
)


def page(measured: Sequence[Measured], interfaces: InterfaceFigures | None) -> str:
    """Return the section as Markdown: a table for the windows, one for interfaces."""
    columns = [f"{one.how}: windows {one.windows}, changes {one.changes}" for one in measured]
    lines = [
        HEADING,
        "",
        "Days of real repositories against what editors chose, who worked from the sources alone.",
        "The front page is what two editors of three put there, or the one that a window has.",
        "Rules alone, no model. Made by this command; labels and clones are not kept here:",
        "",
        "    infra evaluate LABELS --clones DIR --write docs/quality.md",
        "",
        "| | " + " | ".join(columns) + " | by the number of files |",
        "|---|" + "---:|" * (len(columns) + 1),
    ]
    for name, words in _ROWS:
        cells = [_share(one.figures, name).told() for one in measured]
        plain = _share(measured[0].by_size, name).told() if name in _SIZED else ""
        lines.append(f"| {words} | " + " | ".join(cells) + f" | {plain} |")
    for words, value in (("precision", "precision"), ("recall", "recall")):
        cells = [_rate(getattr(one.figures.pairs, value)) for one in measured]
        lines.append(f"| pairs of one story: {words} | " + " | ".join(cells) + " | |")
    if interfaces is not None:
        lines += ["", *_of_interfaces(interfaces)]
    lines += [
        "",
        "Symptoms are claims: one is told where a text states it, or inferred, and marked so, of",
        "a fix of nothing but what answers clients. Any other fix is *broken*, which counts as",
        "not right here; editors inferred many from the diff. Words and rules of symptoms were",
        "made with these windows in sight: for new ones their figures may be lower.",
    ]
    return "\n".join(lines) + "\n"


_SIZED = frozenset({"first", "second", "unshown"})


def _share(figures: Figures, name: str) -> Share:
    shares: Mapping[str, Share] = {
        "first": figures.first,
        "second": figures.second,
        "unshown": figures.unshown,
        "symptom": figures.symptom,
        "false_symptom": figures.false_symptom,
        "inferred": figures.inferred,
    }
    return shares[name]


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.0f} %"


def _of_interfaces(figures: InterfaceFigures) -> list[str]:
    return [
        "| interfaces, by labelled commits | |",
        "|---|---:|",
        f"| changes that matter, told | {figures.matter.told()} |",
        f"| commits with such a change, one told | {figures.commits.told()} |",
        f"| our facts that a label has | {figures.labelled.told()} |",
        f"| our facts that fell for a trap | {figures.traps} |",
    ]
