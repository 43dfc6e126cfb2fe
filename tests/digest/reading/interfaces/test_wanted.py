"""Which whole files are asked for, and at which commits."""

from dataclasses import replace
from datetime import timedelta

import pytest

from digest.models import Activity, FileAt, FileChange, Item, Kind, Window
from digest.reading.interfaces.place import (
    MOST_FILES,
    MOST_FRONTS,
    ChangeEnds,
    by_sha,
    ends_of,
    wanted,
)
from digest.reading.reader import files_wanted
from tests.digest.reading.interfaces.changed import item_of

BASE, FIRST, SECOND, MERGE, MAIN = (letter * 40 for letter in "01234")
ARGS = "rocket/cli/serve_args.py"


def _commit(sha: str, *parents: str) -> Item:
    item = item_of({ARGS: "a = 1\n"}, {ARGS: "a = 2\n"}, sha=sha)
    return replace(item, parents=parents)


def _pull(*shas: str) -> Item:
    return replace(_commit(shas[0]), kind=Kind.PULL_REQUEST, commits=shas, parents=())


@pytest.mark.parametrize(
    ("item", "commits", "expected"),
    [
        (_commit(FIRST, BASE), [], ChangeEnds(BASE, FIRST)),
        (_pull(FIRST), [_commit(FIRST, BASE)], ChangeEnds(BASE, FIRST)),
        (
            _pull(SECOND, FIRST),
            [_commit(FIRST, BASE), _commit(SECOND, FIRST)],
            ChangeEnds(BASE, SECOND),
        ),
        (
            _pull(FIRST, MERGE),
            [_commit(FIRST, BASE), _commit(MERGE, MAIN, FIRST)],
            ChangeEnds(MAIN, MERGE),
        ),
        (_pull(FIRST), [], None),
        (_pull(FIRST, SECOND), [_commit(FIRST, BASE)], None),
        (_commit(FIRST), [], None),
    ],
)
def test_the_ends_of_a_change(item: Item, commits: list[Item], expected: ChangeEnds | None) -> None:
    assert ends_of(item, by_sha(commits)) == expected


def test_both_sides_of_what_can_matter_are_asked_for() -> None:
    before = {
        ARGS: "a = 1\n",
        "rocket/core/pump.py": "def f():\n    return 1\n",
        "tests/test_args.py": "a = 1\n",
        "benchmarks/args.py": "a = 1\n",
        "tools/args.py": "a = 1\n",
        "docs/args.md": "a\n",
        "README.md": "a\n",
    }
    after = {path: text.replace("1", "2").replace("a\n", "b\n") for path, text in before.items()}
    after["rocket/envs.py"] = "A = 1\n"
    asked = wanted([item_of(before, after)])
    assert {at.path for at in asked if not at.path.endswith("__init__.py")} == {
        ARGS,
        "rocket/envs.py",
    }
    assert FileAt("b" * 40, ARGS) in asked
    assert FileAt("b" * 40, "rocket/envs.py") not in asked


def test_a_changed_comment_is_worth_no_file() -> None:
    assert wanted([item_of({ARGS: "a = 1  \n# x\n"}, {ARGS: "a = 1  \n# y\n"})]) == ()


def test_no_more_is_asked_for_than_fits_and_each_file_with_both_sides() -> None:
    patch = "@@ -1 +1 @@\n-a = 1\n+a = 2"
    files = tuple(
        FileChange(f"rocket/cli/part{number}_args.py", "modified", 1, 1, patch)
        for number in range(300)
    )
    asked = wanted([replace(_commit(FIRST, BASE), files=files)])
    fronts = [at for at in asked if at.path.endswith("/__init__.py")]
    assert 0 < len(fronts) <= MOST_FRONTS  # they say what of a file is public
    assert len(asked) - len(fronts) <= MOST_FILES
    sides = {at.path for at in asked if at.sha == BASE}
    assert {at.path for at in asked if at.sha == FIRST and "args" in at.path} == sides


def test_a_method_that_others_have_to_write_is_compared_before_what_only_may_matter() -> None:
    inner = "rocket/deep/inner/part{}.py"
    plain = {inner.format(n): "class A:\n    def f(self, a):\n        pass\n" for n in range(200)}
    last = {inner.format(999): "class B(ABC):\n    @abstractmethod\n    def {}(self): ...\n"}
    before = plain | {path: text.format("f") for path, text in last.items()}
    after = {path: text.replace("a):", "a, b):") for path, text in plain.items()}
    after |= {path: text.format("g") for path, text in last.items()}
    assert inner.format(999) in {at.path for at in wanted([item_of(before, after)])}


def test_a_file_of_settings_of_which_conditions_alone_changed_is_asked_for_last() -> None:
    pump = "rocket/core/pump.py"
    before = {
        ARGS: "def fill(self):\n    if is_moon():\n        go()\n",
        pump: "def f(a):\n    return 1\n",
        "rocket/core/valve.py": "def f(a):\n    if is_moon():\n        go()\n",
    }
    after = {
        path: text.replace("moon", "mars").replace("(a)", "(b)") for path, text in before.items()
    }
    after["rocket/core/valve.py"] = before["rocket/core/valve.py"].replace("moon", "mars")
    asked = [at.path for at in wanted([item_of(before, after)]) if "__init__" not in at.path]
    assert asked == [pump, pump, ARGS, ARGS]


def test_a_week_asks_for_as_many_files_as_its_days_would() -> None:
    patch = "@@ -1 +1 @@\n-a = 1\n+a = 2"
    items = [
        replace(
            _commit(f"{number:040x}", BASE),
            key=f"example-org/rocket:commit:{number}",
            files=(FileChange(f"rocket/cli/part{number}_args.py", "modified", 1, 1, patch),),
        )
        for number in range(1, 300)
    ]
    start = items[0].at
    asked = {
        days: len(files_wanted(Activity(items[0].repo, window, tuple(items), window.end, "")))
        for days in (1, 3, 365)
        for window in [Window(start, start + timedelta(days=days), "UTC", "some days")]
    }
    assert asked[1] <= MOST_FILES + MOST_FRONTS < 2 * MOST_FILES < asked[3]
    assert asked[3] <= 3 * MOST_FILES + MOST_FRONTS
    assert asked[365] <= 7 * MOST_FILES + MOST_FRONTS
