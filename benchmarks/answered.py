"""How well a day is told with a model, by answers to the program's real questions.

    python -m benchmarks.answered LABELS --clones DIR --answers DIR \
        [--how WORDS] [--write docs/quality.md]

Each question is written to `ANSWERS/WINDOW-TASK-KEY.txt`, its answer is `WINDOW-TASK-KEY.json`
where somebody has put one there, as a model or a person gives it; KEY is a hash of the changes that
it is about, in their order. What is asked after the front page and the stories is known with their
answers alone.
Windows of which an answer is missing are not counted. Labels and clones are those of `infra
evaluate`; weights are learned without the window.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from adapters.terminal.evaluate import labelled_windows, seen_in
from adapters.terminal.files import write_section
from digest.edited import Trouble
from digest.editing.editor import Editor
from digest.errors import InfraError, ModelFailed
from digest.evaluation.learning import SeenWindow, case_of, left_out
from digest.evaluation.scoring import Figures, figures
from digest.models import Reading
from digest.ports import ModelAnswer, Request

PAGE = """# How well a day is told with a model

The program's own questions about a day: which changes stand on the front page and what belongs
together, then what was seen of its fixes. {windows} windows ({changes} changes), answered {how}.

Clones hold few descriptions, so most of it is read from titles and diffs. Told of what was seen is
what a model calls sure or likely, of wrong output also what it guesses, with its name. Counted
against the editors of *How well a day is told*; where one alone looked at a window, their own word
counts as the truth. Both orders begin from weights that were learned without the window. Made by:

    python -m benchmarks.answered LABELS --clones DIR --answers DIR --write docs/quality.md

| | rules alone | with the model | {three} windows of three editors: rules alone | with it |
|---|---:|---:|---:|---:|
{rows}
"""
FIGURES = {
    "editors' front page among our first six": "first",
    "… among our first ten": "second",
    "our first six that no editor would show": "unshown",
    "pairs of one story that editors made too": "precise",
    "pairs of editors' stories, found": "found",
    "symptoms that editors agree on, told right": "symptom",
    "… of changes with a description": "described",
    "symptoms told that no editor names": "false_symptom",
    "symptoms told as inferred that an editor names": "inferred",
}
FIRST = ("pick", "stories")
ANSWERED = (*FIRST, "items")
BY_HAND = "given by hand from the prompts alone, at once and before a label was read"


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of one window, by rules alone and with the answers."""

    seen: SeenWindow
    ruled: Figures
    answered: Figures


@dataclass
class Answers:
    """A model whose answers about a window are files of a folder; it answers nothing else."""

    folder: Path
    window: str
    name: str = "by-hand"
    missing: list[str] = field(default_factory=list)

    async def ask(self, request: Request) -> ModelAnswer:
        """Return the answer of a file, and write the question down; `ModelFailed` without one."""
        is_known = request.task in FIRST or {*FIRST}.isdisjoint(self.missing)
        if request.task in ANSWERED and is_known:
            key = sha256(request.about.encode()).hexdigest()[:8]
            name = self.folder / f"{self.window}-{request.task}-{key}"
            question = f"{request.system}\n\n{request.user}\n"
            name.with_suffix(".txt").write_text(question, "utf-8")
            answer = name.with_suffix(".json")
            if answer.exists():
                return ModelAnswer(answer.read_text("utf-8"), 0, 0)
            self.missing.append(request.task)
        raise ModelFailed("nobody answered", trouble=Trouble.UNREADABLE)


async def answered(one: SeenWindow, reading: Reading, answers: Path) -> Counted | None:
    """Count a window with the answers about it; None where one is missing."""
    model = Answers(answers, one.window.name)
    edited = await Editor(model, seconds=60).edit(reading)
    if model.missing:
        return None
    return Counted(one, figures(one.window, reading), figures(one.window, edited.reading))


def _rows(counted: Sequence[Counted]) -> str:
    """Return the rows of the table: all windows, and those of three editors."""
    rows = []
    for name, figure in FIGURES.items():
        cells = []
        for least in (1, 2):
            group = [each for each in counted if len(each.seen.window.editors) >= least]
            for of in ("ruled", "answered"):
                total = sum((getattr(each, of) for each in group), Figures())
                cells.append(getattr(total, figure).told())
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


async def _main(chosen: argparse.Namespace) -> None:
    windows = labelled_windows(chosen.labels)
    cases = [case_of(await seen_in(window, chosen.clones, lambda _: None)) for window in windows]
    counted: list[Counted] = []
    for case, without, _ in left_out(cases):
        found = await answered(case.seen, case.seen.read(without), chosen.answers)
        if found is not None:
            counted.append(found)
            shares = (
                ", ".join(getattr(of, figure).told() for figure in FIGURES.values())
                for of in (found.ruled, found.answered)
            )
            print(found.seen.window.name, *shares, sep=" | ")
    section = PAGE.format(
        windows=len(counted),
        changes=sum(len(each.seen.window.keys) for each in counted),
        how=chosen.how,
        three=sum(len(each.seen.window.editors) > 1 for each in counted),
        rows=_rows(counted),
    )
    print(section)
    if chosen.write is not None:
        write_section(chosen.write, section)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--how", default=BY_HAND, help="who answered, as the page says it")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    arguments.answers.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(_main(arguments))
    except InfraError as error:
        sys.exit(str(error))
