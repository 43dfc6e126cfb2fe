"""Public names, tests, what is left to do and what could not be read, from the diff alone."""

from collections.abc import Callable
from typing import Any

from digest.models import Change, FileChange, Item
from digest.reading.analysis import MOST_NAMES, Analysis, Surface, analysis
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
