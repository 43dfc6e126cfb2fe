"""Public names, tests, what is left to do and what could not be read, from the diff alone."""

from collections.abc import Callable
from typing import Any

import pytest

from digest.models import Change, FileChange, Item, UpgradeNote
from digest.reading.analysis import (
    LONGEST_HUNK,
    MOST_HUNKS,
    MOST_NAMES,
    Analysis,
    Surface,
    analysis,
    choose,
    everything,
    worth,
)
from digest.reading.interfaces.facts import interface_facts
from tests.digest.writing.invented import judged

Make = Callable[..., Item]


def taken_apart(item: Item, lines: int | None = 99) -> Analysis:
    return analysis(Change(judged(item), (), facts=interface_facts([item], {})), lines=lines)


def names(told: Analysis) -> dict[str, tuple[str, ...]]:
    return {each.kind: each.names for each in told.surface}


def python(*lines: str, path: str = "engine/api.py", **more: Any) -> FileChange:
    patch = f"@@ -1,9 +1,9 @@\n{chr(10).join(lines)}\n"
    return FileChange(path, more.pop("status", "modified"), 3, 1, patch=patch, **more)


def test_flags_functions_and_headers_that_a_change_touches_are_its_surface(
    pull: Make,
) -> None:
    item = pull(
        1,
        files=[
            python(
                '-    parser.add_argument("--heat")',
                '+    parser.add_argument("--warmth")',
                path="engine/args.py",
            ),
            python("+def open_door(wide):", "+    pass", "+def _private():", path="engine/door.py"),
            FileChange("include/oven/door.h", "modified", 1, 1, patch="@@ -1 +1 @@\n-a\n+b\n"),
            FileChange("include/oven/detail/door.h", "modified", 1, 1),
        ],
    )
    told = names(taken_apart(item))
    assert set(told["flag"]) == {"--warmth", "--heat"}
    assert told["function"] == ("open_door",)
    assert told["header"] == ("include/oven/door.h",)


def test_very_many_names_are_bounded_and_counted(pull: Make) -> None:
    lines = [f"+def door_{n}(x):\n+    pass" for n in range(MOST_NAMES + 4)]
    (only,) = taken_apart(pull(1, files=[python(*lines)])).surface
    assert only == Surface("function", only.names, 4)
    assert len(only.names) == MOST_NAMES


def test_what_is_left_to_do_is_what_the_change_itself_adds(pull: Make) -> None:
    item = pull(
        1,
        files=[
            python("-    # TODO: only moved", "+x = 1", "+# TODO: only moved", "+# TODO: lock it"),
            python("+text = 'TODO list'", path="engine/list.py"),
            python("+<!-- TODO -->", path="docs/a.md"),
        ],
    )
    (left,) = taken_apart(item).left
    assert (left.path, left.line, left.text) == ("engine/api.py", 3, "# TODO: lock it")


def test_files_without_hunks_are_unread_and_pure_renames_are_not(pull: Make) -> None:
    files = [
        FileChange("a.png", "added", 0, 0),
        FileChange("b.py", "renamed", 0, 0, previous_path="c.py"),
        FileChange("d.py", "modified", 9_999, 0),
    ]
    assert taken_apart(pull(1, files=files)).unread == ("a.png", "d.py")
    endless = python("+" + "x" * 5_000_000, path="e.py")
    assert taken_apart(pull(1, files=[endless])).unread == ("e.py",)


def test_an_item_without_files_has_only_what_is_stated(pull: Make) -> None:
    told = taken_apart(pull(1, files=None, body="The door closes by itself."))
    assert (told.surface, told.tests, told.left, told.unread) == ((), (), (), ())
    assert told.stated.reason == ("The door closes by itself.",)


def test_all_hunks_are_given_where_no_bound_is(pull: Make) -> None:
    item = pull(1, files=[python("+a"), python("+b", path="docs/b.md")])
    assert len(taken_apart(item, lines=None).choice.hunks) == 2
    assert len(taken_apart(item, lines=2).choice.hunks) == 1


def hunk(start: int, lines: int, word: str = "x") -> str:
    added = "\n".join(f"+{word}{n}" for n in range(lines))
    return f"@@ -{start},1 +{start},{lines + 1} @@ def f():\n kept\n{added}"


def file(path: str, *hunks: str, status: str = "modified") -> FileChange:
    return FileChange(path, status, 9, 9, patch="\n".join(hunks) + "\n")


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


def test_what_runs_is_weighed_however_much_is_generated_before_it(pull: Make) -> None:
    generated = file("api/schema.lock", *(hunk(n * 9 + 1, 1) for n in range(MOST_HUNKS + 5)))
    item = pull(1, files=[generated, file("engine/run.py", hunk(1, 1))])
    choice = choose(item, (), lines=3)
    assert ([each.path for each in choice.hunks], choice.total) == (
        ["engine/run.py"],
        MOST_HUNKS + 6,
    )


def test_what_runs_comes_before_tests_documents_and_locks(pull: Make) -> None:
    item = pull(
        1,
        files=[
            file("docs/a.md", hunk(1, 3)),
            file("tests/test_a.py", hunk(1, 3)),
            file("uv.lock", hunk(1, 3)),
            file("engine/a.py", hunk(1, 3)),
        ],
    )
    assert [each.path for each in choose(item, (), lines=5).hunks] == ["engine/a.py"]
    assert [each.path for each in choose(item, (), lines=10).hunks] == [
        "tests/test_a.py",
        "engine/a.py",
    ]
    assert choose(item, (), lines=5).total == 4


def test_a_hunk_with_an_upgrade_note_comes_before_a_larger_one(pull: Make) -> None:
    item = pull(1, files=[file("engine/a.py", hunk(1, 8), hunk(50, 2))])
    note = UpgradeNote("flag", "removed", "--x", None, None, "engine/a.py", 52, (item.key,))
    assert [each.line for each in choose(item, (note,), lines=4).hunks] == [51]
    assert [each.line for each in choose(item, (), lines=10).hunks] == [2]


def test_every_chosen_hunk_is_whole_and_stands_in_the_patch(pull: Make) -> None:
    files = [file(f"engine/{n}.py", *(hunk(at, 3 + n) for at in (1, 40, 90))) for n in range(5)]
    item = pull(1, files=files)
    for lines in range(1, 90, 7):
        for each in choose(item, (), lines=lines).hunks:
            patch = next(one.patch for one in files if one.path == each.path)
            assert each.text in (patch or "")
            assert each.more or each.text.count("\n") + 1 <= lines


def test_of_hunks_that_are_all_too_long_the_most_telling_one_is_begun(pull: Make) -> None:
    long = hunk(1, LONGEST_HUNK + 100)
    item = pull(1, files=[file("tests/test_a.py", long), file("engine/a.py", long, status="added")])
    (only,) = choose(item, (), lines=20).hunks
    assert (only.path, only.text.count("\n"), only.more) == ("engine/a.py", 19, LONGEST_HUNK + 82)
    assert long.startswith(only.text)


def test_of_a_file_that_is_gone_the_line_is_the_old_one(pull: Make) -> None:
    patch = "@@ -7,2 +0,0 @@\n-a\n-b\n"
    item = pull(1, files=[FileChange("engine/a.py", "removed", 0, 2, patch=patch)])
    assert [each.line for each in choose(item, (), lines=9).hunks] == [7]


def test_a_patch_that_goes_on_past_what_is_read_says_so(pull: Make) -> None:
    long = file("engine/a.py", hunk(1, 2), hunk(9, 1, "z" * 5_000_000))
    choice = choose(pull(1, files=[long]), (), lines=9)
    assert ([each.line for each in choice.hunks], choice.total, choice.more) == ([2], 1, True)
    assert everything(pull(1, files=[long])).more
