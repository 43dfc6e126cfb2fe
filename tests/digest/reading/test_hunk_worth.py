"""Hunks are shown by their worth."""

from collections.abc import Callable

import pytest

from digest.models import FileChange, Item, UpgradeNote
from digest.reading.hunk_choice import LONGEST_LINE, MOST_HUNKS, choose, weighed, worth

Make = Callable[..., Item]


def hunk(start: int, changed: int) -> str:
    rows = "\n".join(f"+line {number}" for number in range(changed))
    return f"@@ -{start} +{start},{changed + 1} @@\n kept\n{rows}"


def file(path: str, *hunks: str) -> FileChange:
    return FileChange(path, "modified", 9, 0, patch="\n".join(hunks))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("pkg/core.py", "pyproject.toml"),
        ("pyproject.toml", "tests/test_core.py"),
        ("tests/test_core.py", "docs/guide.md"),
        ("docs/guide.md", "uv.lock"),
        ("docs/guide.md", "go.sum"),
        ("pkg/core.py", "pkg/settings.yaml"),
        ("csrc/kernel.cu", ".github/workflows/ci.yml"),
    ],
)
def test_hunks_are_worth_what_their_file_is_for(better: str, worse: str) -> None:
    assert worth(better) < worth(worse)


def test_a_reader_is_shown_the_worthiest_hunk_first(pull: Make) -> None:
    files = (
        file("docs/guide.md", hunk(1, 30)),
        file("engine/args.py", hunk(1, 20), hunk(50, 4)),
        file("engine/run.py", hunk(1, 25)),
    )
    noted = UpgradeNote("flag", "removed", "--x", None, None, "engine/args.py", 52, ("k",))
    for notes, path, line in (((), "engine/run.py", 2), ((noted,), "engine/args.py", 51)):
        (first, *_), _ = weighed(files, notes)
        (shown,) = choose(pull(1, files=list(files)), notes, lines=first.lines).hunks

        assert first.file.path == shown.path == path
        assert shown.line == line


def test_what_runs_is_weighed_however_much_is_generated_before_it() -> None:
    generated = file("api/schema.lock", *(hunk(n * 9 + 1, 1) for n in range(MOST_HUNKS + 5)))

    ranked, total = weighed((generated, file("engine/run.py", hunk(1, 1))))

    assert (ranked[0].file.path, total) == ("engine/run.py", MOST_HUNKS + 6)
    assert len(ranked) == MOST_HUNKS


def test_a_hunk_that_is_too_long_or_minified_is_only_counted() -> None:
    minified = f"@@ -1 +1 @@\n+{'x' * (LONGEST_LINE + 1)}"

    ranked, total = weighed(
        (file("engine/run.py", minified, hunk(9, 50), hunk(90, 1)),), longest=99
    )

    assert ([each.hunk.new_start for each in ranked], total) == ([90], 3)
