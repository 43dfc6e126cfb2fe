"""How well the change type is told when the author's own prefix is hidden.

    python benchmarks/change_type.py CLONE [--write docs/quality.md]

Labels are the conventional prefixes of a clone's commit titles (`feat:`, `fix(scope):` …). The
prefix, opening tags and scope are hidden; title, body and paths remain. Commits are put in order
of time: the older half was for looking while rules were written, the newer half is reported too
as held out. Only `git log` is run on the clone.
"""

import argparse
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from adapters.terminal.files import write_section
from digest.grades import ChangeObject, Purpose
from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.change import OPENING_TAGS, PREFIX, purpose, touched

LABELS = {
    "feat": "feat",
    "feature": "feat",
    "fix": "fix",
    "bugfix": "fix",
    "hotfix": "fix",
    "perf": "perf",
    "refactor": "refactor",
    "docs": "docs",
    "doc": "docs",
    "test": "test",
    "tests": "test",
    "ci": "ci",
    "chore": "chore",
    "misc": "chore",
    "build": "build",
}
"""Prefixes that are labels, and the class of each."""

BY_OBJECT = {
    ChangeObject.DOCS: "docs",
    ChangeObject.CI: "ci",
    ChangeObject.TEST: "test",
    ChangeObject.BUILD: "build",
    ChangeObject.DEPENDENCY: "chore",
}
BY_PURPOSE = {
    Purpose.FEATURE: "feat",
    Purpose.FIX: "fix",
    Purpose.PERFORMANCE: "perf",
    Purpose.REFACTOR: "refactor",
    Purpose.CHORE: "chore",
    Purpose.RELEASE: "chore",
    Purpose.REVERT: "revert",
    Purpose.OTHER: "fix",
}
SAID_BY_PURPOSE = {
    ChangeObject.BUILD: frozenset({Purpose.FIX, Purpose.CHORE, Purpose.RELEASE}),
    ChangeObject.TEST: frozenset({Purpose.FIX}),
}
"""Purposes that authors name before they name the object, by object."""
FEWEST = 5
"""Commits that a class needs in a half to count in the macro-F1."""
RECORD, FIELD = "\x1e", "\x1f"
SOMEWHERE = Repo("example", "clone")


@dataclass(frozen=True)
class Example:
    """A commit with its hidden label."""

    item: Item
    label: str


@dataclass(frozen=True)
class Score:
    """Figures of a set of examples; `classes` holds precision, recall, F1 and count by class."""

    count: int
    accuracy: float
    macro_f1: float
    majority: float
    classes: dict[str, tuple[float, float, float, int]]


def main() -> None:
    """Read the arguments, print the figures, write the page if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clone", type=Path, help="any git clone, also a bare one")
    parser.add_argument("--write", type=Path, help="the page to write its section of")
    arguments = parser.parse_args()
    found = sorted(examples(history(arguments.clone)), key=lambda one: one.item.at)
    if len(found) < 10:
        parser.exit(1, f"{arguments.clone} has {len(found)} commits with a conventional prefix.\n")
    half = len(found) // 2
    older, newer = score(found[:half]), score(found[half:])
    text = page(older, newer, found)
    print(text)
    if arguments.write:
        write_section(arguments.write, text)


def history(clone: Path) -> str:
    """Give the whole history of a clone's HEAD, one record for each commit."""
    layout = f"--format={RECORD}%H{FIELD}%ct{FIELD}%s{FIELD}%b{FIELD}"
    command = ["git", "-C", str(clone), "log", "--no-merges", "--numstat", layout]
    run = subprocess.run(command, check=True, capture_output=True)
    return run.stdout.decode("utf-8", "replace")


def examples(log: str) -> Iterator[Example]:
    """Read the commits that have a label, with their titles masked."""
    for record in log.split(RECORD)[1:]:
        sha, seconds, title, body, files = record.split(FIELD, 4)
        prefix = PREFIX.match(title)
        label = LABELS.get(prefix.group(1).lower()) if prefix else None
        if prefix is None or label is None:
            continue
        rest = title[prefix.end() :]
        opening = OPENING_TAGS.match(rest)
        masked = rest[opening.end() :] if opening else rest
        yield Example(_item(sha, int(seconds), masked, body, files), label)


def _item(sha: str, seconds: int, title: str, body: str, numstat: str) -> Item:
    at = datetime.fromtimestamp(seconds, UTC)
    rows = [line.split("\t") for line in numstat.splitlines() if line.count("\t") == 2]
    files = tuple(
        FileChange(path, "modified", int(added), int(deleted))
        if added.isdecimal() and deleted.isdecimal()
        else FileChange(path, "modified", 0, 0)
        for added, deleted, path in rows
    )
    return Item(
        key=f"{SOMEWHERE}:commit:{sha}",
        repo=SOMEWHERE,
        kind=Kind.COMMIT,
        ref=sha[:7],
        title=title,
        url="",
        author="",
        at=at,
        state=State.MERGED,
        body=body,
        files=files,
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
    )


def told(item: Item) -> str:
    """The class that the two axes come to in conventional words."""
    reason, _ = purpose(item)
    object_ = touched(item)
    if reason in SAID_BY_PURPOSE.get(object_, ()):
        return BY_PURPOSE[reason]
    return BY_OBJECT.get(object_) or BY_PURPOSE.get(reason, "feat")


def score(found: Sequence[Example]) -> Score:
    """Compare what is told with the labels."""
    pairs = Counter((one.label, told(one.item)) for one in found)
    labels = Counter(one.label for one in found)
    classes: dict[str, tuple[float, float, float, int]] = {}
    for label, count in labels.most_common():
        right = pairs[label, label]
        answered = sum(n for (_, answer), n in pairs.items() if answer == label)
        precision = right / answered if answered else 0.0
        recall = right / count
        both = precision + recall
        classes[label] = (precision, recall, 2 * precision * recall / both if both else 0.0, count)
    counted = [row[2] for row in classes.values() if row[3] >= FEWEST] or [0.0]
    return Score(
        count=len(found),
        accuracy=sum(n for (label, answer), n in pairs.items() if label == answer) / len(found),
        macro_f1=sum(counted) / len(counted),
        majority=max(labels.values()) / len(found),
        classes=classes,
    )


def page(older: Score, newer: Score, found: Sequence[Example]) -> str:
    """Write the page in Markdown."""
    first, last = found[0].item.at, found[-1].item.at
    lines = [
        "# How well the change type is told",
        "",
        "The author's own prefix (`feat:`, `fix(scope):` …) is hidden; title, body and paths stay.",
        "Made by this command, with a clone of flashinfer as the example; any clone will do:",
        "",
        "    python benchmarks/change_type.py path/to/flashinfer --write docs/quality.md",
        "",
        f"{len(found)} labelled commits from {first:%Y-%m-%d} to {last:%Y-%m-%d}. "
        "The older half was looked at while the",
        "rules were written, the newer half was held out. Macro-F1 is the mean over classes with",
        f"{FEWEST} commits or more in that half.",
        "",
        "| | commits | accuracy | macro-F1 | always the commonest class |",
        "|---|---:|---:|---:|---:|",
        _row("older half", older),
        _row("**newer half, held out**", newer),
        "",
        "By class, newer half:",
        "",
        "| class | precision | recall | F1 | commits |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {label} | {precision:.2f} | {recall:.2f} | {f1:.2f} | {count} |"
            for label, (precision, recall, f1, count) in newer.classes.items()
        ),
        "",
        "In a digest most types are not guessed: what an author declares by prefix, tag or label",
        "is taken, and a guess is marked as one.",
        "",
    ]
    return "\n".join(lines)


def _row(name: str, one: Score) -> str:
    return (
        f"| {name} | {one.count} | {one.accuracy:.3f} | {one.macro_f1:.3f} | {one.majority:.3f} |"
    )


if __name__ == "__main__":
    main()
