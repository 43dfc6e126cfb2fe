"""Faults that another change of the same day brought."""

from dataclasses import replace
from datetime import timedelta

import pytest

from digest.models import Item
from digest.reading.reader import judge
from digest.reading.short_lived import brought
from tests.digest.reading.conftest import Make
from tests.digest.reading.interfaces.changed import item_of

OVEN = "kiln/oven.py"
OLD = "def bake(loaf):\n    return loaf\n"
HOT = "def bake(loaf):\n    loaf.heat(degrees=900)\n    return loaf\n"
MENDED = "def bake(loaf):\n    loaf.heat(degrees=180)\n    return loaf\n"


MANY = [f"    loaf.turn(degrees={number})" for number in range(70)]
KERNEL = "#define SLOTS 16\n*out = 1;\n"


def _changes(*sides: tuple[dict[str, str], dict[str, str]], hours: float = 5) -> list[Item]:
    made = [item_of(*one, sha=f"{at + 1:040x}") for at, one in enumerate(sides)]
    return [
        replace(one, at=one.at + timedelta(hours=hours * place)) for place, one in enumerate(made)
    ]


def _told(changes: list[Item]) -> dict[str, str]:
    return {key[-1:]: one.key[-1:] for key, one in brought(changes).items()}


def test_a_fix_that_takes_out_what_came_the_same_day() -> None:
    sides = ({OVEN: OLD}, {OVEN: HOT}), ({OVEN: HOT}, {OVEN: MENDED})
    assert _told(_changes(*sides)) == {"2": "1"}
    assert _told(_changes(*sides)[::-1]) == {"2": "1"}
    assert _told(_changes(*sides, hours=48)) == {}


@pytest.mark.parametrize(
    ("before", "after", "last"),
    [
        pytest.param(HOT, f"{HOT}\n\nSIZE = 1\n", OLD, id="what is taken out was there before"),
        pytest.param(
            f"def warm(loaf):\n    loaf.heat(degrees=900)\n\n\n{OLD}",
            f"def warm(loaf):\n    pass\n\n\n{HOT}",
            f"def warm(loaf):\n    pass\n\n\n{MENDED}",
            id="a line that moved",
        ),
        pytest.param(OLD, HOT, HOT.replace("bake", "burn"), id="another line"),
        pytest.param(OLD, OLD + "    # return to sender\n", OLD, id="a remark"),
        pytest.param(OLD, OLD + "go()\n", OLD, id="a line that stands everywhere"),
        pytest.param(f"{OLD}N = 1\n", f"{HOT}N = 1\n", f"{MENDED}N = 2\n", id="and what was there"),
        pytest.param(OLD, HOT + "\n".join(MANY), MENDED, id="more than a fix takes out"),
        pytest.param(OLD, HOT, HOT + "\n\ndef cool(loaf):\n    return loaf\n", id="nothing"),
    ],
)
def test_what_is_not_known_to_have_come_the_same_day(before: str, after: str, last: str) -> None:
    changes = _changes(({OVEN: before}, {OVEN: after}), ({OVEN: after}, {OVEN: last}))
    assert _told(changes) == {}


def test_a_line_that_a_fix_only_puts_elsewhere_is_not_taken_out() -> None:
    around = MENDED.replace("    return loaf\n", "    if loaf:\n        return loaf\n")
    assert _told(_changes(({OVEN: OLD}, {OVEN: HOT}), ({OVEN: HOT}, {OVEN: around}))) == {"2": "1"}


@pytest.mark.parametrize("line", KERNEL.splitlines())
def test_what_begins_like_a_remark_is_code_elsewhere(line: str) -> None:
    path = "kiln/oven.cu"
    hot, mended = (f"heat_the_loaf({degrees});\n{KERNEL}" for degrees in (900, 180))
    mended = mended.replace(line, "")
    changes = _changes(({path: KERNEL}, {path: hot}), ({path: hot}, {path: mended}))
    assert _told(changes) == {}


def test_what_came_to_another_file_or_only_in_part_is_another_thing() -> None:
    both = MENDED.replace("loaf\n", "loaf.done()\n")
    for first, second in (
        (({"kiln/tin.py": OLD}, {"kiln/tin.py": HOT}), ({OVEN: HOT}, {OVEN: MENDED})),
        (({OVEN: OLD}, {OVEN: HOT}), ({OVEN: HOT}, {OVEN: both})),
    ):
        assert _told(_changes(first, second)) == {}
    tests = "tests/test_oven.py"
    assert _told(_changes(({tests: OLD}, {tests: HOT}), ({tests: HOT}, {tests: MENDED}))) == {}


def test_a_bite_says_which_change_of_the_same_day_brought_it(activity: Make) -> None:
    heated, mended = _changes(({OVEN: OLD}, {OVEN: HOT}), ({OVEN: HOT}, {OVEN: MENDED}))
    fix = replace(mended, title="Fix a crash of the oven")
    facts = [fact for one in judge(activity([heated, fix])) for fact in one.facts]
    assert [fact.name for fact in facts if fact.symptom] == [heated.ref]
