"""What a model's answers change of a day, by answers to the program's real questions.

    python benchmarks/answered.py picks|symptoms LABELS --clones DIR --answers DIR \
        [--how WORDS] [--write docs/quality.md]

Each question is written to `ANSWERS/WINDOW-KEY.txt`, its answer is `WINDOW-KEY.json` where somebody
has put one there, as a model or a person gives it; KEY is a hash of the question, of `picks` of the
changes in their order. Where only an earlier question of `picks` has an answer, with the changes in
another order, that counts by their titles. Windows without an answer are not counted, and for
stories none whose answer says nothing of them. Labels and clones are those of `infra evaluate`;
weights are learned without the window.
"""

import argparse
import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from adapters.terminal.evaluate import Seen, labelled_windows, seen_in
from adapters.terminal.files import write_section
from benchmarks.learning import case_of, left_out
from digest.edited import Trouble
from digest.editing import picking
from digest.editing.editor import Editor
from digest.editing.questions import read as answered
from digest.editing.questions import request
from digest.errors import InfraError, ModelFailed
from digest.evaluation.scoring import Figures, figures
from digest.models import Reading
from digest.ports import ModelAnswer, Request

PICKS = """# How well a model picks the front page

The program's one question a repository-day: title, facts, the author's sentence or the lines that
say most, size, two paths and story of each change that may stand there, at most {most}.
Answered for {windows} windows ({changes} changes), for stories, too, in {grouped} of them,
{how}.
Counted against the editors of *How well a day is told*; both orders begin from weights that were
learned without the window. Made by:

    python benchmarks/answered.py picks LABELS --clones DIR --answers DIR --write docs/quality.md

| | rules alone | with the pick | {three} windows of three editors: rules alone | with it |
|---|---:|---:|---:|---:|
{rows}
"""
SYMPTOMS = """# How well a model says what was seen

The program's own questions about a day's items: title, sentences and about 100 tokens of the diff,
300 of what stands on the front page. Answered for {windows} windows ({changes} changes),
{how}.
Clones hold few descriptions, so most of it is read from titles and diffs. Told is what a model
calls sure or likely, with its name; editors are those of *How well a day is told*, and where one
alone looked at a window, their own word counts as the truth. Made by:

    python benchmarks/answered.py symptoms LABELS --clones DIR --answers DIR --write docs/quality.md

| | rules alone | with the model | {three} windows of three editors: rules alone | with it |
|---|---:|---:|---:|---:|
{rows}
"""
PICKED = {
    "editors' front page among our first six": "first",
    "… among our first ten": "second",
    "our first six that no editor would show": "unshown",
    "pairs of one story that editors made too": "precise",
    "pairs of editors' stories, found": "found",
}
SAID = {
    "symptoms that editors agree on, told right": "symptom",
    "symptoms told that no editor names": "false_symptom",
    "symptoms told as inferred that an editor names": "inferred",
}
OF_STORIES = ("precise", "found")
BY_HAND = "given by hand from the prompts alone, at once and before a label was read"

_TITLE = re.compile(r"^(i\d+) (.*?)(?: \| .*)?$", re.MULTILINE)
_ID = re.compile(r'"(i\d+)"')


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of one window, by rules alone and with the answers."""

    seen: Seen
    ruled: Figures
    answered: Figures
    of_stories: bool = True


def _written(file: Path) -> float:
    return file.stat().st_mtime


def picked(one: Seen, reading: Reading, answers: Path) -> Counted | None:
    """Count a window with its picks, None without an answer; the question is written down."""
    name = one.window.name
    reads = picking.candidates(reading)
    data = picking.lines(reads, reading)
    asked = request("pick", [each.item.key for each in reads], data)
    key = sha256(asked.about.encode()).hexdigest()[:8]
    (answers / f"{name}-{key}.txt").write_text(f"{asked.system}\n\n{asked.user}\n", "utf-8")
    earlier = sorted(answers.glob(f"{name}-{'?' * len(key)}.json"), key=_written)
    kept = answers / f"{name}-{key}.json"
    if not (kept.exists() or earlier):
        return None
    kept = kept if kept.exists() else earlier[-1]
    text = kept.read_text("utf-8")
    now = {title: id for id, title in _TITLE.findall(data)}
    was = _TITLE.findall(kept.with_suffix(".txt").read_text("utf-8"))
    today = {id: now.get(title, "") for id, title in was}
    answer = answered(_ID.sub(lambda id: f'"{today.get(id[1], "")}"', text), asked.schema)
    pick = picking.picked(answer, reads)
    told = picking.with_stories(picking.with_picks(reading, pick.keys), pick.groups, "model")
    return Counted(one, figures(one.window, reading), figures(one.window, told), "stories" in text)


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


async def filled(one: Seen, reading: Reading, answers: Path) -> Counted | None:
    """Count a window with what a model says was seen; None where an answer is missing."""
    model = Answers(answers, one.window.name)
    edited = await Editor(model, seconds=60).edit(reading)
    if model.missing:
        return None
    return Counted(one, figures(one.window, reading), figures(one.window, edited.reading))


def _rows(counted: Sequence[Counted], named: dict[str, str]) -> str:
    """Return the rows of the table: all windows, and those of three editors."""
    rows = []
    for name, figure in named.items():
        cells = []
        for least in (1, 2):
            group = [each for each in counted if len(each.seen.window.editors) >= least]
            if figure in OF_STORIES:
                group = [each for each in group if each.of_stories]
            for of in ("ruled", "answered"):
                total = sum((getattr(each, of) for each in group), Figures())
                cells.append(getattr(total, figure).told())
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


async def _main(chosen: argparse.Namespace) -> None:
    of_picks = chosen.what == "picks"
    page, named = (PICKS, PICKED) if of_picks else (SYMPTOMS, SAID)
    windows = labelled_windows(chosen.labels)
    cases = [case_of(await seen_in(window, chosen.clones, lambda _: None)) for window in windows]
    counted: list[Counted] = []
    for case, without, _ in left_out(cases):
        one, reading = case.seen, case.seen.read(without)
        found = (
            picked(one, reading, chosen.answers)
            if of_picks
            else await filled(one, reading, chosen.answers)
        )
        if found is not None:
            counted.append(found)
            shares = (
                ", ".join(getattr(of, figure).told() for figure in named.values())
                for of in (found.ruled, found.answered)
            )
            print(one.window.name, *shares, sep=" | ")
    section = page.format(
        most=picking.MOST_SHOWN,
        windows=len(counted),
        changes=sum(len(each.seen.window.keys) for each in counted),
        grouped=sum(each.of_stories for each in counted),
        how=chosen.how,
        three=sum(len(each.seen.window.editors) > 1 for each in counted),
        rows=_rows(counted, named),
    )
    print(section)
    if chosen.write is not None:
        write_section(chosen.write, section)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("picks", "symptoms"))
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
