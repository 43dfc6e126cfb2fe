"""What is told of a class where a change has two of its name, and of a module that went."""

import pytest

from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import wanted
from tests.digest.reading.interfaces.changed import AFTER, BEFORE, facts_between, item_of

FRONT = "rocket/__init__.py"
ONE, OTHER = "rocket/pump.py", "rocket/hand.py"
HANDED_ON = "from .pump import Pump\n"


def _pump(takes: str, more: str = "") -> str:
    return f"class Pump:\n    def __init__(self, {takes}):\n        self.x = 1\n{more}"


def _told(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str, str | None]]:
    facts = facts_between({FRONT: HANDED_ON} | before, {FRONT: HANDED_ON} | after)
    return [(one.change.value, one.name, one.after) for one in facts]


_TAKES = "    def fill(self, %s):\n        return 1\n"


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("class Pump:\n    y = {}\n", "rocket.pump.Pump"),
        ("class PumpHandle:\n    y = {}\n", "Pump"),
    ],
    ids=["another one of its name", "no other one"],
)
def test_an_argument_is_told_with_the_module_of_its_class_where_another_one_has_its_name(
    other: str, name: str
) -> None:
    before = {ONE: _pump("size, rate"), OTHER: other + _TAKES % "far"}
    after = {ONE: _pump("size, rate=2"), OTHER: other + _TAKES % "near"}
    assert f"{name}(rate)" in [told[1] for told in _told(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("value", "base, *, kind=None", [("renamed", "Pump(value)", "Pump(base)"),
                                         ("added", "Pump(kind)", "None")]),
        ("value", "base", [("renamed", "Pump(value)", "Pump(base)")]),
        ("value", "base=None", [("removed", "Pump(value)", None), ("added", "Pump(base)", "None")]),
        ("value", "base, other", [("removed", "Pump(value)", None), ("added", "Pump(base)", None),
                                  ("added", "Pump(other)", None)]),
        ("value", "*, base", [("removed", "Pump(value)", None), ("added", "Pump(base)", None)]),
    ],
    ids=["alone by its place", "alone", "need not be given", "one of two", "by its name"],
)  # fmt: skip
def test_the_one_argument_that_has_to_be_given_by_its_place_has_another_name(
    before: str, after: str, told: list[tuple[str, str, str | None]]
) -> None:
    assert _told({ONE: _pump(before)}, {ONE: _pump(after)}) == told


GONE = "rocket/parts/old_valve.py"
PARTS = "rocket/parts/__init__.py"
VALVES = "class Valve:\n    x = 1\n\n\nclass Lid:\n    y = 1\n\n\ndef close(valve):\n    return 1\n"


@pytest.mark.parametrize(
    ("front", "now"),
    [
        ("from .new_valve import Lid, Valve\n", "rocket.parts"),
        ("from .new_valve import Lid\n", None),
        ("# Valve, Lid and close are gone\nfrom .new_valve import Ring\n", None),
    ],
    ids=["has most", "has one of three", "names them in a comment"],
)
def test_of_a_module_that_went_it_is_told_where_its_names_are_handed_on(
    front: str, now: str | None
) -> None:
    before = {PARTS: "from .old_valve import Lid, Valve\n", GONE: VALVES}
    item = item_of(before, {PARTS: front})
    trees = {BEFORE: before, AFTER: {PARTS: front}}
    contents = {at: trees[at.sha].get(at.path) for at in wanted([item])}
    gone = [
        one for one in interface_facts([item], contents) if one.name == "rocket.parts.old_valve"
    ]
    assert [(one.change.value, one.after) for one in gone] == [("removed", now)]
