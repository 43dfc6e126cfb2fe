"""Public names, requirements, metrics, routes, moved modules, bound functions."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from digest.facts import FactChange, FactKind
from digest.reading.interfaces.moves import is_inner_state, move_facts
from tests.digest.reading.interfaces.changed import Told, facts_between, item_of, told

FRONT = "rocket/__init__.py"
PART = "rocket/engine/__init__.py"
PUMP = "rocket/engine/pump.py"
VALVE = "rocket/engine/valve.py"
MOVED = "@rocket_api\ndef fill(\n    tank,\n    speed=1,\n    *,\n    cold=None,\n):\n    pass\n"
DEEP = "rocket/engine/parts/valves/__init__.py"
NEEDS = "requirements/common.txt"
PROJECT = "pyproject.toml"
METRICS = "rocket/server/metrics.py"
ROUTES = "rocket/server/api_router.py"
BOUND = "csrc/pump.cpp"
REACHED = {FRONT: "from . import engine\n"}


def _pyproject(needs: str, extras: str = "", python: str = ">=3.10") -> str:
    return (
        f'[project]\nname = "rocket"\nrequires-python = "{python}"\ndependencies = [\n{needs}]\n'
        f"[project.optional-dependencies]\n{extras}\n"
    )


def _abstract(arguments: str) -> str:
    return f"class Pump(ABC):\n    @abstractmethod\n    def fill({arguments}): ...\n"


def _bound(arguments: str) -> str:
    return f'void bind(py::module_ &m) {{\n  m.def("pump", &pump,\n    {arguments});\n}}\n'


def _shapes(count: int) -> str:
    return "class Tank(Value):\n    size = 1\n" + "".join(
        f"\n    @abstractmethod\n    def side_{at}(self): ...\n" for at in range(count)
    )


TANKS = "from .pump import fill, Tank\n"
ARGUMENTS = "class Tank:\n    def __init__(self, size: int = 1, lid: str | None = None):\n" + (
    "        self.size = size\n        self.lid = lid\n"
)
FIELDS = "    size: int = {size}\n    lid: str | None = None\n"

CASES: dict[str, tuple[dict[str, str], dict[str, str], list[Told]]] = {
    "a name that a front no longer has": (
        REACHED | {PART: "from .pump import (\n    fill,\n    drain,\n)\n"},
        REACHED | {PART: "from .pump import (\n    fill,\n)\n"},
        [("api_name", "removed", "rocket.engine.drain", None, None)],
    ),
    "a front that the package does not reach": (
        {FRONT: "", PART: "from .pump import fill, drain\n"},
        {FRONT: "", PART: "from .pump import fill\n"},
        [],
    ),
    "arguments of a public function": (
        REACHED
        | {
            PART: "from .pump import fill\n",
            PUMP: "def fill(\n    tank,\n    speed=1,\n    *,\n    cold=None,\n):\n    pass\n",
        },
        REACHED
        | {
            PART: "from .pump import fill\n",
            PUMP: "def fill(\n    tank,\n    level=5,\n    speed=2,\n    *,\n    dry=0,\n): ...\n",
        },
        [
            ("api_argument", "default", "fill(speed)", "1", "2"),
            ("api_argument", "removed", "fill(cold)", "None", None),
            ("api_argument", "added", "fill(level)", None, "5"),
            ("api_argument", "added", "fill(dry)", None, "0"),
        ],
    ),
    "a new abstract method of a class that was there": (
        {PUMP: "class Pump(ABC):\n    @abstractmethod\n    def fill(self): ...\n"},
        {
            PUMP: "class Pump(ABC):\n    @abstractmethod\n    def fill(self): ...\n\n"
            "    @abstractmethod\n    def drain(self): ...\n"
        },
        [("api_name", "added", "Pump.drain", None, None)],
    ),
    "an argument of what others have to write": (
        {PUMP: _abstract("self, tank")},
        {PUMP: _abstract("self, tank, level=1")},
        [("api_argument", "added", "Pump.fill(level)", None, "1")],
    ),
    "methods of a public class": (
        REACHED
        | {
            PART: "from .pump import Pump\n",
            PUMP: "class Pump:\n    def fill(self, tank, speed=1): ...\n\n"
            "    def drain(self): ...\n\n    def stop(self):\n        return 1\n",
        },
        REACHED
        | {
            PART: "from .pump import Pump\n",
            PUMP: "class Pump:\n    def fill(self, tank, *, speed=1, more=2): ...\n\n"
            "    def stop(self):\n"
            '        warnings.warn("use Pump.fill", DeprecationWarning, stacklevel=2)\n'
            "        return 1\n",
        },
        [
            ("api_argument", "changed", "Pump.fill(speed)", "speed=1", "*, speed=1"),
            ("api_name", "removed", "Pump.drain", None, None),
            ("api_name", "deprecated", "Pump.stop", None, "Pump.fill"),
        ],
    ),
    "a function within that the title names": (
        REACHED | {PART: "", PUMP: "def fill_tank(\n    tank,\n    speed=1,\n):\n    pass\n"},
        REACHED | {PART: "", PUMP: "def fill_tank(\n    tank,\n):\n    pass\n"},
        [("api_argument", "removed", "fill_tank(speed)", "1", None)],
    ),
    "a package with a version of its own": (
        {FRONT: "", PART: '__version__ = "1"\nfrom .pump import fill, drain\n'},
        {FRONT: "", PART: '__version__ = "1"\nfrom .pump import fill\n'},
        [("api_name", "removed", "rocket.engine.drain", None, None)],
    ),
    "bounds of requirements": (
        {NEEDS: "hull>=1.2\ntank==3.0  # exact\nlamp>=1.76\nrope < 2\nwire\n-r other.txt\n"},
        {NEEDS: "hull>=1.10\ntank==2.9  # exact\nlamp\nrope < 3\nsail>=1 ; python_version<'4'\n"},
        [
            ("dependency", "raised", "hull", ">=1.2", ">=1.10"),
            ("dependency", "lowered", "tank", "==3.0", "==2.9"),
            ("dependency", "lowered", "lamp", ">=1.76", None),
            ("dependency", "changed", "rope", "<2", "<3"),
            ("dependency", "removed", "wire", None, None),
            ("dependency", "added", "sail", None, ">=1"),
        ],
    ),
    "requirements of tests and of the image": (
        {"requirements/test.txt": "hull>=1\n", "docker/requirements.txt": "hull>=1\n"},
        {"requirements/test.txt": "hull>=2\n", "docker/requirements.txt": "hull>=2\n"},
        [],
    ),
    "the lowest Python and a project's own list": (
        {PROJECT: _pyproject('  "hull>=1",\n')},
        {PROJECT: _pyproject('  "hull>=2",\n', python=">=3.11")},
        [
            ("platform", "raised", "Python", ">=3.10", ">=3.11"),
            ("dependency", "raised", "hull", ">=1", ">=2"),
        ],
    ),
    "what only an extra asked for": (
        {PROJECT: _pyproject('  "hull>=1",\n', 'fast = ["tank>=1"]')},
        {PROJECT: _pyproject('  "hull>=1",\n  "tank>=1",\n', "fast = []")},
        [
            ("dependency", "changed", "extra fast", "tank>=1", ""),
            ("dependency", "added", "tank", None, ">=1"),
        ],
    ),
    "metrics": (
        {METRICS: "a = Counter(name='rocket:fuel_total', documentation='a')\n"},
        {METRICS: "a = Counter(name='rocket:fuel_used_total', documentation='a')\n"},
        [("metric", "renamed", "rocket:fuel_total", "rocket:fuel_total", "rocket:fuel_used_total")],
    ),
    "routes": (
        {ROUTES: "@router.get('/fuel')\ndef fuel(): ...\n"},
        {ROUTES: "@router.get('/fuel')\ndef fuel(): ...\n@router.post('/fire')\ndef f(): ...\n"},
        [("endpoint", "added", "/fire", None, None)],
    ),
    "a bound function": (
        {FRONT: "from ._C import pump\n", BOUND: _bound('py::arg("a") = 1, py::arg("b") = false')},
        {FRONT: "from ._C import pump\n", BOUND: _bound('py::arg("a"), py::arg("c") = false')},
        [
            ("api_argument", "changed", "pump(a)", "1", "required"),
            ("api_argument", "removed", "pump(b)", "False", None),
            ("api_argument", "added", "pump(c)", None, "False"),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case: str) -> None:
    before, after, expected = CASES[case]
    if BOUND in before:  # the front is found by a Python file of the change
        before, after = before | {METRICS: "a = 1\n"}, after | {METRICS: "a = 2\n"}
    title = "Take no speed in fill_tank any more" if "title" in case else "Change"
    facts = facts_between(before, after, title=title)
    assert sorted(told(facts), key=str) == sorted(expected, key=str)


def test_modules_that_moved_are_one_fact_with_both_packages() -> None:
    old = {f"rocket/old/{name}.py": f"{name} = 1\n" for name in ("a", "b", "c")}
    new = {f"rocket/parts/new/{name}.py": f"{name} = 1\n" for name in ("a", "b", "c")}
    renamed = {path.replace("old", "parts/new"): path for path in old}
    (fact,) = facts_between(old, new, renamed=renamed)
    assert (fact.kind, fact.before, fact.after) == (FactKind.MOVE, "rocket.old", "rocket.parts.new")
    assert fact.names == ("rocket.old.a", "rocket.old.b", "rocket.old.c")
    assert not fact.must_act


def test_a_commit_that_is_too_odd_raises_nothing() -> None:
    odd = [
        "\0",
        "class",
        "def f(:\n",
        "x = [" * 500,
        "(" * 3000,
        '"""',
        "\\\n" * 50,
        "x: int = 0x" + "f" * 9_000,
        "@dataclass\nclass C:\n    x: int = " + "-" * 900 + "1",
        "a = 1\n" * 2_000,
        "hull" + " " * 5_000 + ">=",
        "if x:\n\ty\n z",
    ]
    for text in odd:
        for path in (FRONT, PUMP, METRICS, NEEDS, PROJECT, BOUND, "setup.py"):
            facts_between({path: "a = 1\n"}, {path: text})
            facts_between({path: text}, {path: "a = 1\n"})


@pytest.mark.parametrize("handed_on", [False, True])
def test_a_class_that_moved_is_told_unless_its_old_module_hands_it_on(*, handed_on: bool) -> None:
    was, now = "rocket/core/pump.py", "rocket/core/fuel/pump.py"
    stays = "from rocket.core.fuel.pump import Pump\n" if handed_on else ""
    facts = facts_between(
        {was: "class Tank:\n    a = 1\n\n\nclass Pump:\n    b = 2\n"},
        {was: stays + "class Tank:\n    a = 1\n", now: "class Pump:\n    b = 2\n"},
    )

    moves = [(one.before, one.after) for one in facts if one.kind is FactKind.MOVE]
    there = ("rocket.core.pump.Pump", "rocket.core.fuel.pump.Pump")
    assert moves == ([] if handed_on else [there])


def test_classes_and_modules_that_went_are_told_and_new_names_of_classes() -> None:
    facts = facts_between(
        {
            "rocket/core/pump.py": "class Pump:\n    a = 1\n\n\nclass _Own:\n    b = 2\n",
            "rocket/core/tank.py": "class FuelTank:\n    a = 1\n",
            "rocket/core/hull.py": "class Hull:\n    a = 1\n",
            "rocket/core/deck.py": "class Deck:\n    a = 1\n",
        },
        {
            "rocket/core/pump.py": "x = 1\n",
            "rocket/core/tank.py": "class FuelTanks:\n    a = 1\n",
            "rocket/core/deck.py": "from rocket.decks import Deck\n",
        },
    )
    moves = [(one.change.value, one.name, one.after, one.must_act) for one in facts]
    assert moves == [
        ("removed", "rocket.core.hull", None, False),
        ("removed", "rocket.core.pump.Pump", None, False),
        ("renamed", "rocket.core.tank.FuelTank", "rocket.core.tank.FuelTanks", False),
    ]


@pytest.mark.parametrize(
    ("title", "body", "labels", "acts"),
    [
        ("Remove rocket.legacy", "", (), True),
        ("refactor!: remove the old way", "", (), True),
        ("Remove the old way", "", (), False),
        ("Remove rocket.legacy.tank_of_another", "", (), False),
    ],
)
def test_a_package_that_went_hits_who_imports_it_where_its_author_says_so(
    title: str, body: str, labels: tuple[str, ...], *, acts: bool
) -> None:
    gone = {"rocket/legacy/__init__.py": "a = 1\n", "rocket/legacy/pump.py": "b = 2\n"}
    item = replace(item_of(gone, {}, title=title), body=body, labels=labels)
    (fact,) = move_facts(item)
    assert (fact.change, fact.name, fact.names) == (FactChange.REMOVED, "rocket.legacy", ())
    assert fact.must_act is acts


LICENSE = "# Copyright of the makers of rockets\n# All rights are reserved to them.\n\n"


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("SIZES = (1, 2)\n", [("removed", "rocket.core.pumps", None)]),
        (
            "from rocket.core import Pump\n\n__all__ = ['Pump']\n",
            [("moved", "rocket.core.pumps", "rings")],
        ),
    ],
)
def test_a_module_of_which_no_code_is_left_has_not_moved(
    now: str, told: list[tuple[str, str, str | None]]
) -> None:
    old, new = "rocket/core/pumps.py", "rocket/engine/rings.py"
    was = LICENSE + "from rocket.core import Pump\n\n__all__ = ['Pump']\n"
    item = item_of({old: was}, {new: LICENSE + now}, renamed={new: old})
    facts = [(one.change, one.name, one.after) for one in move_facts(item)]
    assert facts == [
        (change, name, after and f"rocket.engine.{after}") for change, name, after in told
    ]


def test_members_that_a_class_that_stays_lost_are_told_once_for_the_class_and_ask_nobody() -> None:
    deep = "rocket/engine/inner/pump.py"
    whole = (
        "class Pump:\n    def start(self):\n        self.pool = make()\n        self.size = 1\n\n"
        "    def drain(self):\n        return self.size\n"
    )
    left = "class Pump:\n    def start(self):\n        self.size = 1\n        return self.size\n"
    (fact,) = facts_between({deep: whole}, {deep: left})
    owner = "rocket.engine.inner.pump.Pump"
    assert (fact.kind, fact.name, fact.inferred, fact.must_act) == (
        FactKind.MOVE,
        owner,
        True,
        False,
    )
    assert fact.names == (f"{owner}.pool", f"{owner}.drain")
    assert (
        facts_between({deep: whole}, {deep: whole.replace("self.pool = ", "self.pool: P = ")}) == ()
    )
    hidden = whole.replace("pool", "_pool").replace("drain", "_drain")
    assert facts_between({deep: hidden}, {deep: left}) == ()


def test_a_method_that_a_class_has_from_one_above_it_now_is_not_told_as_removed() -> None:
    base, deep = "rocket/engine/base.py", "rocket/engine/inner/pump.py"
    idle = "class Base(ABC):\n    def stop(self, tank):\n        return None\n"
    whole = (
        "class Pump(Base):\n    level = 1\n\n"
        "    def stop(self, tank):\n        tank.close()\n\n"
        "    def drain(self, tank):\n        tank.drain()\n"
    )
    left = "class Pump(Base):\n    level = 1\n"
    busy = idle.replace("return None", "tank.close()")
    (fact,) = facts_between({base: idle, deep: whole}, {base: busy, deep: left})
    assert fact.name == "rocket.engine.inner.pump.Pump.drain"
    front = {"rocket/__init__.py": "from .pump import Pump\n"}
    near = {"rocket/base.py": idle, "rocket/pump.py": whole}
    now = {"rocket/base.py": busy, "rocket/pump.py": left}
    told_names = [fact.name for fact in facts_between(front | near, front | now)]
    assert told_names == ["Pump.drain"]


@pytest.mark.parametrize(
    ("gone", "inner"),
    [
        ("self.free = sync(group)", True),
        ("self.size = size", False),
    ],
)
def test_what_a_class_had_made_for_itself_is_its_inner_state(gone: str, *, inner: bool) -> None:
    deep = "rocket/engine/inner/pump.py"
    left = "class Pump:\n    def __init__(self):\n        self.parts = 1\n"
    whole = left.replace("(self)", "(self, size, settings)") + f"        {gone}\n"
    (fact,) = facts_between({deep: whole}, {deep: left})
    assert is_inner_state(fact) is inner
    assert not is_inner_state(replace(fact, must_act=True))


def test_a_new_argument_tells_which_one_it_shifts() -> None:
    front = {"rocket/__init__.py": "from .core import fill\n"}

    def signature(arguments: str) -> dict[str, str]:
        return {"rocket/core.py": f"def fill({arguments}):\n    return 1\n"}

    facts = facts_between(
        front | signature("tank, hot=False, *, slow=False"),
        front | signature("tank, cold=False, hot=False, last=1, *, slow=False"),
    )
    places = {fact.name: (fact.conditions, fact.must_act) for fact in facts}
    assert places == {"fill(cold)": (("hot",), True), "fill(last)": ((), False)}


def test_extras_are_read_of_a_setup_that_works_out_what_everybody_needs() -> None:
    def setup(base: str, bound: str) -> dict[str, str]:
        return {"setup.py": f'setup({base}, extras_require={{"grpc": ["pump >= {bound}"]}})\n'}

    worked_out = "install_requires=needs()"
    (fact,) = facts_between(setup(worked_out, "0.5.0"), setup(worked_out, "0.5.2"))
    assert (fact.name, fact.before, fact.after) == ("pump", ">=0.5.0", ">=0.5.2")
    listed = 'install_requires=["hull"]'
    assert not facts_between(setup(listed, "0.5"), setup(worked_out, "0.5"))


VALVES = "def shut():\n    return 1\n\n\ndef leak():\n    return 2\n"
ROOMS = ("a", "b", "c")


def importing(line: str, folders: Sequence[str] = ROOMS) -> dict[str, str]:
    return {f"rocket/{folder}/use.py": f"{line}\nHERE = 1\n" for folder in folders}


@pytest.mark.parametrize(("folders", "acts"), [(ROOMS, True), (("a", "b"), False)])
def test_a_module_that_went_or_moved_hits_others_where_many_parts_imported_it(
    folders: Sequence[str], *, acts: bool
) -> None:
    was, now = "rocket/core/valves.py", "rocket/tank/valves.py"
    before = importing("from rocket.core.valves import shut", folders)
    after = importing("from rocket.tank.valves import shut", folders)
    gone = item_of(before | {was: VALVES}, importing("", folders))
    moved = item_of(before | {was: VALVES}, after | {now: VALVES}, renamed={now: was})
    for item in (gone, moved):
        (fact,) = move_facts(item)
        assert (fact.name, fact.must_act) == ("rocket.core.valves", acts)


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Make FuelGauge smaller", ["FuelGauge(level)"]),
        ("refactor(gauge): make FuelGauge smaller", []),
    ],
)
def test_what_a_refactor_names_in_its_title_is_not_for_others_by_that(
    title: str, names: list[str]
) -> None:
    record = "from dataclasses import dataclass\n\n\n@dataclass\nclass FuelGauge:\n    unit: str\n"
    path = "rocket/core/parts/gauge.py"
    facts = facts_between({path: f"{record}    level: int\n"}, {path: record}, title=title)
    assert [fact.name for fact in facts] == names


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("class HandPump:", "class HandPumps:", "HandPumps"),
        ("class HandPump:", "class Abacus:", None),
        ("class HandPump:", "class _HandPump:", None),
        ("class HandPump:", "class HandPumps:\n    x = 1\n\n\nclass HandPumpOld:", None),
    ],
)
def test_a_class_is_renamed_where_one_much_like_it_came_in_its_place(
    old: str, new: str, after: str | None
) -> None:
    path, body = "rocket/engine/inner/pump.py", "\n    def fill(self):\n        return 1\n"
    (fact,) = facts_between({path: old + body}, {path: new + body})
    where = "rocket.engine.inner.pump"
    assert (fact.name, fact.after) == (f"{where}.HandPump", after and f"{where}.{after}")
    assert fact.inferred is bool(after)


def test_a_method_is_renamed_within_its_class() -> None:
    path = "rocket/engine/inner/pump.py"
    whole = "class Pump:\n    def fill_tank(self):\n        return 1\n"
    (fact,) = facts_between({path: whole}, {path: whole.replace("fill_tank", "fill_tanks")})
    owner = "rocket.engine.inner.pump.Pump"
    assert (fact.change, fact.name, fact.after) == (
        FactChange.RENAMED,
        f"{owner}.fill_tank",
        f"{owner}.fill_tanks",
    )


def test_a_public_function_has_its_new_name_once_and_hits_whom_calls_it() -> None:
    front = "from .engine import {}\n\n__all__ = ['{}']\n"
    (fact,) = facts_between(
        {FRONT: front.format("fill", "fill"), "rocket/engine.py": "def fill(tank): ...\n"},
        {
            FRONT: front.format("fill_tank", "fill_tank"),
            "rocket/engine.py": "def fill_tank(tank): ...\n",
        },
    )
    assert (fact.before, fact.after, fact.must_act) == ("rocket.fill", "rocket.fill_tank", True)
