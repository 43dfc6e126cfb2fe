"""A window by its two ends, and two versions by the same rules."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileAt, FileChange
from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.moves import move_facts
from digest.reading.interfaces.place import ChangeEnds, wanted
from digest.reading.interfaces.window import attributed, settled, span_facts
from tests.digest.reading.interfaces.changed import AFTER, BEFORE, Told, Tree, item_of, told

ENVS = "rocket/envs.py"
ARGS = "rocket/cli/serve_args.py"
NEEDS = "requirements.txt"


def _envs(**values: int) -> str:
    rows = "\n".join(f"    {name} = EnvInt({value})" for name, value in values.items())
    return f"class Envs:\n    ROCKET_HULL = EnvInt(0)\n{rows}\n"


def _window(*trees: Tree) -> tuple[Fact, ...]:
    """Return the facts of the changes between the trees, one commit after another."""
    shas = [f"{number:040x}" for number in range(len(trees))]
    items = [
        item_of(before, after, sha=shas[number + 1], parent=shas[number])
        for number, (before, after) in enumerate(pairwise(trees))
    ]
    by_sha = dict(zip(shas, trees, strict=True))
    contents = {at: by_sha[at.sha].get(at.path) for at in wanted(items)}
    return interface_facts(items, contents)


def _settled(*trees: Tree) -> list[tuple[Told, int]]:
    facts = settled(_window(*trees))
    return [(one, int(fact.item[-3:], 16)) for one, fact in zip(told(facts), facts, strict=True)]


def test_what_came_and_went_is_no_news() -> None:
    assert _settled({ENVS: _envs()}, {ENVS: _envs(ROCKET_A=1)}, {ENVS: _envs()}) == []


def test_what_went_and_came_back_the_same_is_no_news() -> None:
    assert _settled({ENVS: _envs(ROCKET_A=1)}, {ENVS: _envs()}, {ENVS: _envs(ROCKET_A=1)}) == []


def test_what_came_back_otherwise_has_another_default() -> None:
    trees = {ENVS: _envs(ROCKET_A=1)}, {ENVS: _envs()}, {ENVS: _envs(ROCKET_A=2)}
    assert _settled(*trees) == [(("env", "default", "ROCKET_A", "1", "2"), 2)]


def test_arguments_of_what_came_within_the_window_were_given_by_nobody() -> None:
    fact = Fact(
        FactKind.INTERFACE, "two", FactChange.REMOVED, Subject.API_ARGUMENT, "Hull(width)",
        evidence=(Evidence("diff", "def __init__(self):", "rocket/hull.py", 2, "+"),),
    )  # fmt: skip
    came = FileChange("rocket/hull.py", "added", 2, 0, "@@ -0,0 +1 @@\n+class Hull:")
    first = item_of({}, {"rocket/a.py": "a"}, sha="1" * 40, parent="0" * 40)
    assert settled([fact], [replace(first, files=(came,))]) == ()
    moved = replace(came, patch="@@ -1 +1 @@\n-class Hull:\n+class Hull(Part):")
    assert settled([fact], [replace(first, files=(moved,))]) == (fact,)
    assert settled([fact], [replace(first, files=(replace(came, path="b.py"),))]) == (fact,)


def test_arguments_of_what_came_within_the_window_and_was_written_again_were_given_by_nobody() -> (
    None
):
    path = "rocket/pump.py"
    fact = Fact(
        FactKind.INTERFACE, "two", FactChange.ADDED, Subject.API_ARGUMENT, "turn(speed)",
        names=("turn(speed)", "stop(speed)"),
        evidence=(Evidence("diff", "def turn(speed):", path, 2, "+"),), must_act=True,
    )  # fmt: skip
    again = "@@ -1 +1 @@\n-def turn():\n+def turn(speed):\n-def stop():\n+def stop(speed):"
    first = item_of({}, {"rocket/a.py": "a"}, sha="1" * 40, parent="0" * 40)
    second = replace(first, key="two", at=first.at + timedelta(hours=1))
    second = replace(second, files=(FileChange(path, "modified", 2, 2, again),))

    def left(patch: str, *more: FileChange) -> list[tuple[str, ...]]:
        came = (FileChange(path, "modified", 2, 0, f"@@ -0,0 +1 @@\n{patch}"), *more)
        facts = settled([fact], [second, replace(first, files=came)])
        return [one.names or (one.name,) for one in facts]

    assert left("+def turn():\n+def stop():") == []
    assert left("+def turn():") == [("stop(speed)",)]
    assert left("+def turn_back():") == [("turn(speed)", "stop(speed)")]
    taken = FileChange("rocket/b.py", "modified", 0, 1, "@@ -1 +0,0 @@\n-def turn():")
    assert left("+def turn():", taken) == [("turn(speed)", "stop(speed)")]


OLD, NEW, LAST = "rocket/core/pump.py", "rocket/tank/pump.py", "rocket/tank/motor.py"
PUMP = "".join(f"def turn_{number}(rows):\n    return rows * {number}\n\n\n" for number in range(9))


def _went(*ways: tuple[str, str]) -> list[tuple[str, str, str | None, str]]:
    """Return what is told of a module that changes bring from path to path, empty for nowhere."""
    items = []
    for number, (old, new) in enumerate(ways, 1):
        before, after = ({old: PUMP} if old else {}), ({new: PUMP} if new else {})
        renamed = {new: old} if old and new else None
        sha, parent = str(number) * 40, str(number - 1) * 40
        item = item_of(before, after, sha=sha, parent=parent, renamed=renamed)
        items.append(replace(item, at=item.at + timedelta(hours=number)))
    facts = [fact for item in items for fact in move_facts(item)]
    return [
        (fact.change.value, fact.name, fact.after, fact.item[-1]) for fact in settled(facts, items)
    ]


def test_a_module_that_moved_twice_moved_once() -> None:
    was, now = "rocket.core.pump", "rocket.tank.motor"
    assert _went((OLD, NEW), (NEW, LAST)) == [("moved", was, now, "2")]
    assert _went((OLD, NEW), (NEW, "")) == [("removed", was, None, "2")]
    assert _went((OLD, NEW), (NEW, OLD)) == []
    assert _went((OLD, NEW), ("", OLD), (OLD, "")) == [("moved", was, "rocket.tank.pump", "1")]
    assert [name for _, name, _, _ in _went((OLD, NEW), (LAST, ""))] == [was, now]


def test_what_moved_twice_stands_on_both_changes() -> None:
    one = item_of({OLD: PUMP}, {NEW: PUMP}, sha="1" * 40, renamed={NEW: OLD})
    two = item_of({NEW: PUMP}, {LAST: PUMP}, sha="2" * 40, renamed={LAST: NEW})
    (fact,) = settled([*move_facts(one), *move_facts(two)], [one, two])
    assert {each.item or fact.item for each in fact.evidence} == {one.key, two.key}


def test_a_module_that_came_within_the_window_neither_moved_nor_went() -> None:
    assert _went(("", OLD), (OLD, NEW)) == []
    assert _went(("", OLD), (OLD, "")) == []
    assert _went((OLD, ""), ("", OLD)) == [("removed", "rocket.core.pump", None, "1")]


def test_of_a_module_that_came_twice_the_first_time_counts() -> None:
    steps = [item_of({}, {OLD: PUMP}), item_of({OLD: PUMP}, {}), item_of({}, {OLD: PUMP})]
    items = [
        replace(item, key=f"change {at}", at=item.at + timedelta(hours=at))
        for at, item in enumerate(steps)
    ]
    facts = move_facts(items[1])
    assert [fact.name for fact in settled(facts, items[1:])] == ["rocket.core.pump"]
    assert settled(facts, items[::-1]) == ()


def test_of_modules_that_moved_together_those_that_moved_on_are_told_by_themselves() -> None:
    trees = [("rocket/core", "a", "b", "c"), ("rocket/tank", "a", "b", "c")]
    paths = [[f"{folder}/{name}.py" for name in names] for folder, *names in trees]
    both = [dict.fromkeys(each, PUMP) for each in paths]
    one = item_of(*both, sha="1" * 40, renamed=dict(zip(paths[1], paths[0], strict=True)))
    two = item_of({paths[1][0]: PUMP}, {LAST: PUMP}, sha="2" * 40, renamed={LAST: paths[1][0]})
    facts = settled([*move_facts(one), *move_facts(two)], [one, two])
    assert [(fact.name, fact.names, fact.after) for fact in facts] == [
        ("rocket.core", ("rocket.core.b", "rocket.core.c"), "rocket.tank"),
        ("rocket.core.a", (), "rocket.tank.motor"),
    ]


def test_how_an_argument_is_given_is_told_beside_its_new_default() -> None:
    def tree(signature: str) -> dict[str, str]:
        launch = f"def launch({signature}):\n    pass\n"
        return {"rocket/__init__.py": "from rocket.pad import launch\n", "rocket/pad.py": launch}

    assert [one for one, _ in _settled(tree("heat=1, wide=2"), tree("heat=1, *, wide=3"))] == [
        ("api_argument", "changed", "launch(wide)", "wide=2", "*, wide=3"),
        ("api_argument", "default", "launch(wide)", "2", "3"),
    ]


def test_a_rename_over_two_changes_is_one() -> None:
    trees = (
        {ENVS: _envs(ROCKET_FUEL_MAX=7)},
        {ENVS: _envs(ROCKET_FUEL_MAX=7, ROCKET_FUEL_MAX_TONS=7)},
        {ENVS: _envs(ROCKET_FUEL_MAX_TONS=7)},
    )
    assert _settled(*trees) == [
        (("env", "renamed", "ROCKET_FUEL_MAX", "ROCKET_FUEL_MAX", "ROCKET_FUEL_MAX_TONS"), 2)
    ]


def test_two_renames_are_one() -> None:
    trees = (
        {ENVS: _envs(ROCKET_FUEL_MAX=7)},
        {ENVS: _envs(ROCKET_FUEL_MAX_TONS=7)},
        {ENVS: _envs(ROCKET_FUEL_MAX_TONNES=7)},
    )
    assert _settled(*trees) == [
        (("env", "renamed", "ROCKET_FUEL_MAX", "ROCKET_FUEL_MAX", "ROCKET_FUEL_MAX_TONNES"), 2)
    ]


def test_what_is_needed_for_some_goes_on_with_what_it_becomes_for_everybody() -> None:
    def tree(all_need: str, some_need: str) -> dict[str, str]:
        return {NEEDS: f"hull=={all_need}\n", "requirements-cu13.txt": f"hull[cu13]=={some_need}\n"}

    trees = tree("1.5rc", "1.5"), tree("1.4", "1.4"), tree("1.6", "1.6")
    assert {one[3:] for one, _ in _settled(*trees)} == {("==1.5rc", "==1.6"), ("==1.5", "==1.6")}


def test_names_of_one_statement_each_find_the_change_that_made_them() -> None:
    whole = Fact(
        FactKind.INTERFACE,
        "span",
        FactChange.ADDED,
        Subject.API_NAME,
        "rocket.fill",
        names=("rocket.fill", "rocket.burn", "rocket.land", "rocket.lost"),
    )
    made = [
        replace(whole, item="one", name="rocket.fill", names=("rocket.fill", "rocket.land")),
        replace(whole, item="two", name="rocket.burn", names=()),
    ]
    found = {fact.item: fact.names or (fact.name,) for fact in attributed([whole], made)}
    assert found == {
        "one": ("rocket.fill", "rocket.land"),
        "two": ("rocket.burn",),
        "span": ("rocket.lost",),
    }


@pytest.mark.parametrize("is_used", [True, False])
def test_a_name_that_went_between_two_versions_is_what_no_file_has_at_the_end(
    is_used: bool,
) -> None:
    front, rest, pump = "rocket/__init__.py", "rocket/rest.py", "rocket/pump.py"
    first = {front: "from .deep import *\nfrom .pump import fill, drain\n", rest: "x = 1\n"}
    first |= {pump: "def fill(tank): ...\ndef drain(tank): ...\n"}
    # In between, another file of the package comes to use the name.
    middle = first | {rest: "x = drain(1)\n"}
    last = middle | {
        front: "from .deep import *\nfrom .pump import fill\n",
        pump: "def fill(tank): ...\n",
        rest: "x = drain(1)\n" if is_used else "x = fill(1)\n",
    }
    steps = [item_of(first, middle), item_of(middle, last)]
    files = item_of(first, last).files or ()
    contents = {
        FileAt(sha, path): text
        for sha, tree in ((BEFORE, first), (AFTER, last))
        for path, text in tree.items()
    }
    ends = ChangeEnds(BEFORE, AFTER)
    facts = span_facts("span", "rocket", files, contents, ends, steps)
    went = {fact.name for fact in facts if fact.change is FactChange.REMOVED}
    assert went == (set() if is_used else {"rocket.drain"})
