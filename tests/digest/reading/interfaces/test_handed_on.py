"""What the front of a package hands on from deeper, at once or when it is asked for."""

import pytest

from digest.reading.interfaces.handed_on import origins
from tests.digest.reading.interfaces.changed import facts_between, told

FRONT = "rocket/__init__.py"
LAUNCH = "rocket/parts/launch.py"
BEFORE = "class Launch:\n    def __init__(self, pad, *, size: int = 1): ...\n"
AFTER = BEFORE.replace("= 1", "= 2")
DEFAULT = [("api_argument", "default", "Launch(size)", "1", "2")]
ASKED = "\n\ndef __getattr__(name):\n    return load(name)\n"
FOR_TYPES = (
    "import typing\n\nif typing.TYPE_CHECKING:\n    from rocket.parts.launch import Launch\n"
)


@pytest.mark.parametrize(
    "front",
    [
        "from .parts.launch import Launch\n",
        "from rocket.parts.launch import Launch as Launch\n",
        FOR_TYPES + ASKED,
        FOR_TYPES + 'else:\n\n    def __getattr__(name):\n        ...\n\n__all__ = ["Launch"]\n',
        'PARTS = {"Launch": ".parts.launch:Launch"}' + ASKED,
        'PARTS = {"Launch": "rocket.parts.launch"}' + ASKED,
        'PARTS = {"parts.launch": ["Launch", "land"]}' + ASKED,
        'Launch = LazyImport("rocket.parts.launch", "Launch")\n',
        "def __getattr__(name):\n    if name:\n        from .parts.launch import Launch\n",
        "from rocket.parts import Launch\n",
    ],
)
def test_what_the_top_of_a_package_hands_on_from_deeper_is_public(front: str) -> None:
    fronts = {FRONT: front, "rocket/parts/__init__.py": "from .launch import Launch\n"}

    facts = facts_between(fronts | {LAUNCH: BEFORE}, fronts | {LAUNCH: AFTER})

    assert told(facts) == DEFAULT
    assert [fact.must_act for fact in facts] == [True]


@pytest.mark.parametrize(
    "front",
    [
        "",
        "from .parts import launch\n",
        "from .parts.launch import land\n",
        "from .parts.launch import Launch as _Launch\n",
        'from .parts.launch import Launch\n\n__all__ = ["land"]\n',
        "from .parts.other import Launch\n",
        FOR_TYPES,
        'PARTS = {"Launch": ".parts.launch:Launch"}\n',
        'PARTS = {"Launch": ".parts.launch:Landing"}' + ASKED,
        'Other = LazyImport("rocket.parts.launch", "Launch")\n',
        "def load():\n    from .parts.launch import Launch\n",
        "from .parts.launch import (\n",
    ],
)
def test_what_the_top_of_a_package_does_not_hand_on_is_its_own(front: str) -> None:
    fronts = {FRONT: front, "rocket/parts/__init__.py": ""}

    assert facts_between(fronts | {LAUNCH: BEFORE}, fronts | {LAUNCH: AFTER}) == ()


def test_a_method_of_what_the_top_hands_on_is_told_with_its_class() -> None:
    front = {FRONT: "from .parts.launch import Launch, Pad\n"}
    pad = "\n\nclass Pad:\n    def wait(self, hours=1): ...\n"
    method = "\n    def wait(self, minutes=1, hours=1): ...\n\n    def stop(self): ...\n"

    facts = facts_between(
        front | {LAUNCH: BEFORE + method + pad + "    def stop(self): ...\n"},
        front | {LAUNCH: BEFORE + "\n    def wait(self, hours=1): ...\n" + pad},
    )

    assert sorted(told(facts)) == [
        ("api_argument", "removed", "Launch.wait(minutes)", "1", None),
        ("api_name", "removed", "Launch.stop", None, None),
        ("api_name", "removed", "Pad.stop", None, None),
    ]


def test_a_module_is_named_from_the_package_and_from_the_top_where_a_front_leaves_it_open() -> None:
    front = 'PARTS = {"Launch": "launch"}' + ASKED + "\nfrom ..other import Pad\n"

    assert origins(front, "rocket.parts") == {
        ("Launch", "launch"),
        ("Launch", "rocket.parts.launch"),
        ("Pad", "rocket.other"),
    }
    assert origins("from ...far import Pad\n", "rocket.parts") == frozenset()


def test_a_condition_nested_beyond_all_measure_costs_nothing_else() -> None:
    front = f"if {'+'.join('x' * 3_000)}:\n    pass\nfrom .parts.launch import Launch\n"
    assert origins(front, "rocket") in (
        frozenset(),
        frozenset({("Launch", "rocket.parts.launch")}),
    )


def test_a_front_of_thousands_of_names_is_read_by_those_that_it_writes_out() -> None:
    names = [f"Part{number}" for number in range(3_000)]
    front = "".join(f"from .parts import {name}\n" for name in names)
    found = origins(f"{front}__all__ = {names[1:]}\n", "rocket")
    assert len(found) == 2_999
    assert (names[0], "rocket.parts") not in found
