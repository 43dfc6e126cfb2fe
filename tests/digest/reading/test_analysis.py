"""Public names, tests, what is left to do and what could not be read, from the diff alone."""

from collections.abc import Callable
from typing import Any

from digest.models import Change, FileChange, Item
from digest.reading.analysis import (
    MOST_HUNKS,
    MOST_NAMES,
    Analysis,
    PublicNames,
    analysis,
    choose,
    everything,
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
    assert only == PublicNames("function", only.names, 4)
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


def hunk(start: int, lines: int, word: str = "x") -> str:
    added = "\n".join(f"+{word}{n}" for n in range(lines))
    return f"@@ -{start},1 +{start},{lines + 1} @@ def f():\n kept\n{added}"


def file(path: str, *hunks: str, status: str = "modified") -> FileChange:
    return FileChange(path, status, 9, 9, patch="\n".join(hunks) + "\n")


def test_what_runs_is_weighed_however_much_is_generated_before_it(pull: Make) -> None:
    generated = file("api/schema.lock", *(hunk(n * 9 + 1, 1) for n in range(MOST_HUNKS + 5)))
    item = pull(1, files=[generated, file("engine/run.py", hunk(1, 1))])
    choice = choose(item, (), lines=3)
    assert ([each.path for each in choice.hunks], choice.total) == (
        ["engine/run.py"],
        MOST_HUNKS + 6,
    )


def test_every_chosen_hunk_is_whole_and_stands_in_the_patch(pull: Make) -> None:
    files = [file(f"engine/{n}.py", *(hunk(at, 3 + n) for at in (1, 40, 90))) for n in range(5)]
    item = pull(1, files=files)
    for lines in range(1, 90, 7):
        for each in choose(item, (), lines=lines).hunks:
            patch = next(one.patch for one in files if one.path == each.path)
            assert each.text in (patch or "")
            assert each.more or each.text.count("\n") + 1 <= lines


def test_a_patch_that_goes_on_past_what_is_read_says_so(pull: Make) -> None:
    long = file("engine/a.py", hunk(1, 2), hunk(9, 1, "z" * 5_000_000))
    choice = choose(pull(1, files=[long]), (), lines=9)
    assert ([each.line for each in choice.hunks], choice.total, choice.more) == ([2], 1, True)
    assert everything(pull(1, files=[long])).more
