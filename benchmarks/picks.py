"""How well the front page and stories are picked, by answers to the real question, one a window.

    python benchmarks/picks.py LABELS --clones DIR --answers DIR [--write docs/quality.md]

Each question is written to `ANSWERS/WINDOW-KEY.txt`, its answer is `WINDOW-KEY.json` where somebody
has put one there, as a model or a person gives it; KEY is of the changes in their order. Where only
an earlier question has an answer, with the changes in another order, that counts by their titles.
Windows without an answer are not counted, and for stories none whose answer says nothing of them.
Labels and clones are those of `infra evaluate`; weights are learned without the window.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from adapters.terminal.evaluate import Seen
from adapters.terminal.files import write_section
from benchmarks.hand_answers import readings, rows, run
from digest.editing import picking
from digest.editing.questions import read as answered
from digest.editing.questions import request
from digest.evaluation.scoring import Figures, figures
from digest.models import Reading

PAGE = """# How well a model picks the front page

The program's one question a repository-day: title, facts, the author's sentence or the lines that
say most, size, two paths and story of each change that may stand there, at most {most}.
Answered for {windows} windows ({changes} changes), for stories, too, in {grouped} of them,
{how}.
Counted against the editors of *How well a day is told*; both orders begin from weights that were
learned without the window. Made by:

    python benchmarks/picks.py LABELS --clones DIR --answers DIR --write docs/quality.md

| | rules alone | with the pick | {three} windows of three editors: rules alone | with it |
|---|---:|---:|---:|---:|
{rows}
"""
_TITLE = re.compile(r"^(i\d+) (.*?)(?: \| .*)?$", re.MULTILINE)
_ID = re.compile(r'"(i\d+)"')
BY_HAND = "given by hand from the prompt alone, at once and before a label was read"


def _written(file: Path) -> float:
    return file.stat().st_mtime


def _picked(reading: Reading, name: str, answers: Path) -> tuple[Reading, bool] | None:
    """Give a reading with its answer, and whether that is of stories, too; None without one.

    The question is written down.
    """
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
    now = {title: name for name, title in _TITLE.findall(data)}
    was = _TITLE.findall(kept.with_suffix(".txt").read_text("utf-8"))
    today = {name: now.get(title, "") for name, title in was}
    answer = answered(_ID.sub(lambda id: f'"{today.get(id[1], "")}"', text), asked.schema)
    pick = picking.picked(answer, reads)
    reading = picking.with_picks(reading, pick.keys)
    return picking.with_stories(reading, pick.groups, "model"), "stories" in text


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of one window, by rules alone and with an answer."""

    seen: Seen
    ruled: Figures
    picked: Figures
    of_stories: bool


def _sums(counted: Sequence[Counted]) -> list[Figures]:
    ruled = sum((each.ruled for each in counted), Figures())
    return [ruled, sum((each.picked for each in counted), Figures())]


async def _main(labels: Path, clones: Path, answers: Path, how: str, write: Path | None) -> None:
    counted: list[Counted] = []
    for one, reading in await readings(labels, clones):
        if (with_picks := _picked(reading, one.window.name, answers)) is not None:
            picked, of_stories = with_picks
            both = figures(one.window, reading), figures(one.window, picked)
            counted.append(Counted(one, *both, of_stories))
            told = (
                ", ".join(share.told() for share in (of.first, of.second, of.precise, of.found))
                for of in both
            )
            print(one.window.name, *told, sep=" | ")
    three = [each for each in counted if len(each.seen.window.editors) > 1]
    sums = [*_sums(counted), *_sums(three)]
    grouped = [each for each in counted if each.of_stories]
    paired = [*_sums(grouped), *_sums([each for each in three if each.of_stories])]

    page = PAGE.format(
        most=picking.MOST_SHOWN,
        windows=len(counted),
        changes=sum(len(each.seen.window.keys) for each in counted),
        grouped=len(grouped),
        how=how,
        three=len(three),
        rows=rows(
            {
                "editors' front page among our first six": [each.first for each in sums],
                "… among our first ten": [each.second for each in sums],
                "our first six that no editor would show": [each.unshown for each in sums],
                "pairs of one story that editors made too": [each.precise for each in paired],
                "pairs of editors' stories, found": [each.found for each in paired],
            }
        ),
    )
    print(page)
    if write is not None:
        write_section(write, page)


if __name__ == "__main__":
    run(_main, __doc__, BY_HAND)
