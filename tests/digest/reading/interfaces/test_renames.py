"""What got another name where it stands is renamed; another thing in its place is not."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from digest.facts import FactChange
from digest.models import FileChange
from digest.reading.interfaces.renames import near, renamed_in_place
from tests.digest.reading.interfaces.changed import facts_between

DEEP = "rocket/engine/inner/pump.py"
FRONT = "rocket/__init__.py"
BODY = (
    "    def fill(self, tank):\n        self.level = tank.level\n        return self.level\n\n"
    "    def drain(self, tank):\n        tank.open()\n        return tank.close()\n"
)
OTHER = "    def count(self):\n        total = sum(self.parts)\n        log()\n        return 1\n"
OPENS = "        tank.open()\n        tank.run()\n        return tank.close()\n"
LOGS = "        log(1)\n        log(2)\n        return 3\n"


def _renames(before: dict[str, str], after: dict[str, str]) -> list[tuple[str, str, str | None]]:
    return [(one.change.value, one.name, one.after) for one in facts_between(before, after)]


def test_a_class_that_is_registered_as_before_with_all_its_methods_is_the_same() -> None:
    def pump(name: str, inner: str, more: str = "") -> str:
        return f'@PUMPS.register("hand")\nclass {name}:\n{more}    def fill(self):\n{inner}\n'

    was = pump("HandPump", "".join(f"        open({at})\n" for at in range(9)))
    now = pump("PumpByHand", "".join(f"        close({at})\n" for at in range(9)), "    x = 1\n")
    both = f"class Valve:\n{BODY}\n\n", f"class Tap:\n{BODY}\n\n"
    name = "rocket.engine.inner.pump"
    assert _renames({DEEP: both[0] + was}, {DEEP: both[1] + now}) == [
        ("renamed", f"{name}.Valve", f"{name}.Tap"),
        ("renamed", f"{name}.HandPump", f"{name}.PumpByHand"),
    ]


@pytest.mark.parametrize(
    ("name", "inner", "is_renamed"),
    [("empty", OPENS, True), ("empty", LOGS, False), ("_drain_one", OPENS, False)],
)
def test_a_method_is_renamed_where_its_body_stays_and_others_may_call_it(
    name: str, inner: str, *, is_renamed: bool
) -> None:
    was = f"class Pump:\n    def drain(self, tank):\n{OPENS}"
    now = f"class Pump:\n    def {name}(self, tank):\n{inner}"
    owner = "rocket.engine.inner.pump.Pump"
    change, after = ("renamed", f"{owner}.{name}") if is_renamed else ("removed", None)
    assert _renames({DEEP: was}, {DEEP: now}) == [(change, f"{owner}.drain", after)]


QUEUES = (
    "        self.done = {}\n        self.queue.{}(one)\n{}        self.free(one)\n"
    "        self.log(one)\n        return one\n"
)


def _queue(name: str, inner: str) -> str:
    return f"class Queue:\n    def {name}(self, one):\n{inner}"


@pytest.mark.parametrize(
    ("title", "change"),
    [
        ("Put back what is not done", "renamed"),
        ("Rename abort_one to requeue_one, drop its checks", "renamed"),
        ("Remove abort_one", "removed"),
        ("Requeue in place of aborting, which is gone", "removed"),
        ("Delete requests; aborting is checked", "renamed"),
    ],
)
def test_what_is_nearly_as_it_was_is_inferred_unless_the_author_says_that_it_is_gone(
    title: str, change: str
) -> None:
    was = _queue("abort_one", QUEUES.format(True, "remove", ""))
    now = _queue("requeue_one", QUEUES.format(True, "append", ""))
    (fact,) = facts_between({DEEP: was}, {DEEP: now}, title=title)
    assert (fact.change.value, fact.inferred) == (change, True)


def test_a_class_is_surely_renamed_where_no_line_but_its_name_differs() -> None:
    def pump(name: str, first: str) -> str:
        return f"class {name}(Base):\n    log = log_of({name})\n    first = {first}\n{BODY}"

    for first, inferred in (("1", False), ("2", True)):
        (fact,) = facts_between({DEEP: pump("HandPump", "1")}, {DEEP: pump("Pump", first)})
        assert (fact.change, fact.inferred) == (FactChange.RENAMED, inferred)
    (fact,) = facts_between(
        {DEEP: f"class HandPump:\n{BODY}"},
        {DEEP: f"class Pump:\n{BODY}"},
        title="Remove HandPump",
    )
    assert (fact.change, fact.after) == (FactChange.REMOVED, None)


def test_a_public_function_has_its_new_name_once_and_hits_whom_calls_it() -> None:
    inner = "(tank, speed=1):\n    tank.open()\n    tank.run(speed)\n    return tank.close()\n"
    front = "from .engine import {}\n\n__all__ = ['{}']\n"
    place = "rocket/engine.py"
    (fact,) = facts_between(
        {FRONT: front.format("fill", "fill"), place: f"def fill{inner}"},
        {FRONT: front.format("fill_tank", "fill_tank"), place: f"def fill_tank{inner}"},
    )
    assert (fact.change, fact.before, fact.after) == (
        FactChange.RENAMED,
        "rocket.fill",
        "rocket.fill_tank",
    )
    assert fact.must_act


@pytest.mark.parametrize(
    ("name", "body", "after"),
    [
        ("HandPumpOfFuel", BODY, "rocket.motor.parts.HandPumpOfFuel"),
        ("HandPumpOfFuel", OTHER, None),
        ("Abacus", BODY, None),
    ],
)
def test_a_class_has_its_new_name_where_a_file_that_came_has_its_body(
    name: str, body: str, after: str | None
) -> None:
    new = "rocket/motor/parts.py"
    (fact,) = facts_between(
        {DEEP: f"class HandPump:\n{BODY}"},
        {DEEP: "from rocket.motor.parts import *\n", new: f"import log\n\nclass {name}:\n{body}"},
    )
    change = FactChange.RENAMED if after else FactChange.REMOVED
    assert (fact.change, fact.name, fact.after) == (
        change,
        "rocket.engine.inner.pump.HandPump",
        after,
    )


def _calls(work: Callable[[], object]) -> int:
    """Count the calls that something makes, of Python's own functions too."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def _replaced(count: int, indent: str = "") -> FileChange:
    """Give each of many classes, each in the one before it where there is an indent, a new name."""
    lines = [
        line
        for at in range(count)
        for line in (
            f"{indent * at}class Old{at}:",
            *(f"{indent * at} part{at}_{part} = {part}" for part in range(9)),
        )
    ]
    gone = [f"-{line}" for line in lines]
    came = [f"+{line.replace('Old', 'New')}" for line in lines]
    patch = "\n".join(["@@ -1,9 +1,9 @@", *gone, *came])
    return FileChange("rocket/pump.py", "modified", len(came), len(gone), patch)


@pytest.mark.parametrize("indent", ["", " "])
def test_twice_as_many_definitions_of_one_run_are_about_twice_the_work(indent: str) -> None:
    def work(count: int) -> int:
        file = _replaced(count, indent)
        assert renamed_in_place(file)
        return _calls(lambda: renamed_in_place(file))

    assert work(400) < 3 * work(200)


def test_each_of_many_in_one_run_has_its_own_new_name() -> None:
    names = renamed_in_place(_replaced(60))
    assert {old: new.name for old, new in names.items()} == {
        f"Old{at}": f"New{at}" for at in range(60)
    }


def _front(*names: str) -> dict[str, str]:
    """Return a package that hands on functions whose definitions nothing shows."""
    listed = "".join(f"    {name},\n" for name in names)
    return {FRONT: f"from ._stub import (\n    first,\n{listed}    last,\n)\n"}


@pytest.mark.parametrize(
    ("old", "new", "renames"),
    [
        (
            ("clusterlaunch_token", "FenceKind"),
            ("cluster_launch_token", "Fencekind"),
            [
                ("clusterlaunch_token", "cluster_launch_token", False),
                ("FenceKind", "Fencekind", False),
            ],
        ),
        (
            ("block_idx", "thread_idx", "LdStShape"),
            ("block_index", "thread_index", "LoadStoreShape"),
            [
                ("block_idx", "block_index", True),
                ("thread_idx", "thread_index", True),
                ("LdStShape", "LoadStoreShape", True),
            ],
        ),
        (("fence_proxy",), ("FenceProxy",), []),
        (("gemm_fp8", "pump_v2"), ("gemm_fp16", "pump_v3"), []),
        (("block_dim", "sync"), ("block_count", "barrier_sync"), []),
    ],
)
def test_names_of_a_front_that_are_spelled_otherwise_are_renamed(
    old: tuple[str, ...], new: tuple[str, ...], renames: list[tuple[str, str, bool]]
) -> None:
    facts = facts_between(_front(*old), _front(*new))
    assert [
        (one.name, one.after, one.inferred) for one in facts if one.change is FactChange.RENAMED
    ] == [(f"rocket.{was}", f"rocket.{now}", inferred) for was, now, inferred in renames]


@pytest.mark.parametrize(
    ("said", "is_renamed"),
    [
        ("Rename block_dim() -> thread_count()", True),
        ("Rename `block_dim` to `thread_count`", True),
        ("Add thread_count to rockets, drop block_dim", False),
        ("Rename arguments of launch, block_dim -> thread_count", False),
    ],
)
def test_a_name_of_a_front_is_renamed_where_its_author_says_so(
    said: str, *, is_renamed: bool
) -> None:
    facts = facts_between(_front("block_dim"), _front("thread_count"), title=said)
    assert (facts[0].change is FactChange.RENAMED) is is_renamed
    assert len(facts) == 1 + (not is_renamed)


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("Rename `fill` →\n`tank_up`, as the others are called", "rocket.tank_up"),
        ("Rename arguments, as fill to tank_up", None),
        ("Fill is better now", None),
    ],
)
def test_a_public_function_that_was_written_anew_is_renamed_where_its_author_says_so(
    said: str, after: str | None
) -> None:
    def rocket(name: str, inner: str) -> dict[str, str]:
        code = f"@rocket_api\ndef {name}{inner}\n"
        return {FRONT: f"from .engine import {name} as {name}\n", "rocket/engine.py": code}

    was = rocket("fill", "(size, lid=1):\n    return size")
    now = rocket("tank_up", "(tank):\n    open(tank)\n    return tank.fill()")
    facts = facts_between(was, now, title=f"Change\n\n{said}")
    told = [(one.change, one.after) for one in facts if one.change is not FactChange.ADDED]
    change = FactChange.RENAMED if after else FactChange.REMOVED
    assert told == [(change, after)]


@pytest.mark.parametrize(
    ("name", "inner", "is_renamed"),
    [
        ("fill_tank_of_fuel", "(\n    tank,\n    speed,\n):", True),
        ("fill_tank_of_fuel", "(\n    pump,\n    speed,\n):", False),
        ("drain_lid", "(\n    tank,\n    speed,\n):", False),
    ],
)
def test_a_function_that_takes_the_same_under_most_of_its_name_is_likely_the_same(
    name: str, inner: str, *, is_renamed: bool
) -> None:
    place = "rocket/engine.py"
    was = "def fill_fuel_tank(\n    tank,\n    speed,\n):\n" + OPENS.replace("        ", "    ")
    now = f"def {name}{inner}\n" + LOGS.replace("        ", "    ")
    facts = facts_between(
        {FRONT: "from .engine import fill_fuel_tank\n", place: was},
        {FRONT: f"from .engine import {name}\n", place: now},
    )
    changes = [one.change for one in facts]
    assert changes == (
        [FactChange.RENAMED] if is_renamed else [FactChange.REMOVED, FactChange.ADDED]
    )
    assert not is_renamed or facts[0].inferred


@pytest.mark.parametrize(
    ("now", "after"),
    [
        ("def expect_all(pump):\n    ...\n", "rocket.expect_all"),
        ("def expect_all(pump):\n    log()\n", None),
    ],
)
def test_a_body_of_one_line_that_stays_has_another_name_above_it(
    now: str, after: str | None
) -> None:
    was = "def expect_tx(pump):\n    ...\n"
    facts = facts_between(
        {**_front("expect_tx"), "rocket/_stub.py": was},
        {**_front("expect_all"), "rocket/_stub.py": now},
    )
    assert [one.after for one in facts if one.name == "rocket.expect_tx"] == [after]


def test_a_module_that_renames_a_function_says_nothing_of_a_front_that_has_not_its_new_name() -> (
    None
):
    body = "(tank):\n    tank.open()\n    tank.run()\n    return tank.close()\n"
    (fact,) = facts_between(
        {**_front("run"), "rocket/deep/parts.py": f"def run{body}"},
        {**_front(), "rocket/deep/parts.py": f"def go{body}"},
    )
    assert (fact.change, fact.after) == (FactChange.REMOVED, None)


def test_names_that_went_are_compared_with_as_many_as_came_around_their_place() -> None:
    pairs = list(near(range(400), range(400), type, 5))
    assert len(pairs) == 400 * 5
    assert all((at, at) in pairs for at in range(400))


LEVELS = ("LOW", "MIDDLE", "HIGH", "FULL")


@pytest.mark.parametrize(
    ("now", "is_renamed"),
    [
        ("    LOW = 9\n    MIDDLE = 8\n    HIGH = 7\n", True),
        ("    LOW = 9\n    left: bool = False\n    right: bool = False\n", False),
        ("    left: bool = False\n    def low(self):\n        LOW = MIDDLE = 1\n", False),
        ("    pass\n", True),
    ],
    ids=["most members", "one member", "members of its own", "members that are not shown"],
)
def test_a_class_under_a_name_like_another_ones_is_that_with_most_of_its_members(
    now: str, *, is_renamed: bool
) -> None:
    was = "class TankLevel(Enum):\n" + "".join(f"    {one} = auto()\n" for one in LEVELS)
    before = {DEEP: f"{was}\n\nx = 1\n"}
    after = {DEEP: f"y = 1\nx = 1\n\n\nclass TankSpec:\n{now}"}
    name = "rocket.engine.inner.pump"
    change, called = ("renamed", f"{name}.TankSpec") if is_renamed else ("removed", None)
    assert _renames(before, after) == [(change, f"{name}.TankLevel", called)]
