"""How well a model says what was seen before a fix, by answers to the real questions of a day.

    python benchmarks/symptoms.py LABELS --clones DIR --answers DIR [--write docs/quality.md]

Each question about a window's items is written to `ANSWERS/WINDOW-KEY.txt`, its answer is
`WINDOW-KEY.json` where somebody has put one there, as a model or a person gives it; KEY is a hash
of the question. Windows of which a question has no answer are not counted. Labels and clones are
those of `infra evaluate`; weights are learned without the window.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from adapters.terminal.evaluate import Seen
from adapters.terminal.files import write_section
from benchmarks.hand_answers import readings, rows, run
from digest.edited import Trouble
from digest.editing.editor import Editor
from digest.errors import ModelFailed
from digest.evaluation.scoring import Figures, figures
from digest.models import Reading
from digest.ports import ModelAnswer, Request

PAGE = """# How well a model says what was seen

The program's own questions about a day's items: title, sentences and about 100 tokens of the diff,
300 of what stands on the front page. Answered for {windows} windows ({changes} changes),
{how}.
Clones hold few descriptions, so most of it is read from titles and diffs. Told is what a model
calls sure or likely, with its name; editors are those of *How well a day is told*, and where one
alone looked at a window, their own word counts as the truth. Made by:

    python benchmarks/symptoms.py LABELS --clones DIR --answers DIR --write docs/quality.md

| | rules alone | with the model | {three} windows of three editors: rules alone | with it |
|---|---:|---:|---:|---:|
{rows}
"""
BY_HAND = "given by hand from the prompts alone, at once and before a label was read"


@dataclass
class Answers:
    """A model whose answers about items are files of a folder; it answers nothing else."""

    folder: Path
    window: str
    name: str = "by-hand"
    missing: int = 0

    async def ask(self, request: Request) -> ModelAnswer:
        """Return the answer of a file, and write the question down; `ModelFailed` without one."""
        if request.task == "items":
            key = sha256(f"{request.system}\n{request.user}".encode()).hexdigest()[:8]
            name = self.folder / f"{self.window}-{key}"
            question = f"{request.system}\n\n{request.user}\n"
            name.with_suffix(".txt").write_text(question, "utf-8")
            answer = name.with_suffix(".json")
            if answer.exists():
                return ModelAnswer(answer.read_text("utf-8"), 0, 0)
            self.missing += 1
        raise ModelFailed("nobody answered", trouble=Trouble.UNREADABLE)


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of one window, by rules alone and with the answers."""

    seen: Seen
    ruled: Figures
    filled: Figures


async def _counted(one: Seen, reading: Reading, answers: Path) -> Counted | None:
    model = Answers(answers, one.window.name)
    edited = await Editor(model, seconds=60).edit(reading)
    if model.missing:
        return None
    return Counted(one, figures(one.window, reading), figures(one.window, edited.reading))


def _sums(counted: Sequence[Counted]) -> list[Figures]:
    ruled = sum((each.ruled for each in counted), Figures())
    return [ruled, sum((each.filled for each in counted), Figures())]


async def _main(labels: Path, clones: Path, answers: Path, how: str, write: Path | None) -> None:
    counted: list[Counted] = []
    for one, reading in await readings(labels, clones):
        if (window := await _counted(one, reading, answers)) is not None:
            counted.append(window)
            told = (
                ", ".join(share.told() for share in (of.symptom, of.false_symptom, of.inferred))
                for of in (window.ruled, window.filled)
            )
            print(one.window.name, *told, sep=" | ")
    three = [each for each in counted if len(each.seen.window.editors) > 1]
    sums = [*_sums(counted), *_sums(three)]
    shares = {
        "symptoms that editors agree on, told right": [each.symptom for each in sums],
        "symptoms told that no editor names": [each.false_symptom for each in sums],
        "symptoms told as inferred that an editor names": [each.inferred for each in sums],
    }
    page = PAGE.format(
        windows=len(counted),
        changes=sum(len(each.seen.window.keys) for each in counted),
        how=how,
        three=len(three),
        rows=rows(shares),
    )
    print(page)
    if write is not None:
        write_section(write, page)


if __name__ == "__main__":
    run(_main, __doc__, BY_HAND)
