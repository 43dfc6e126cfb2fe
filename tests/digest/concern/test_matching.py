"""What an upstream change does to a codebase that uses it."""

from dataclasses import replace

import pytest

from digest.concern.definitions import Way, altered
from digest.concern.matching import (
    Ground,
    Moves,
    Strength,
    matches,
    weigh,
)
from digest.concern.surface import CodePlace, How, Surface, Use, UseKind
from digest.concern.upgrade import breaking, strongest
from digest.concern.upstream_names import UpstreamNames, UpstreamTree, held
from digest.models import Repo
from digest.reading.interfaces.definition import Pair
from tests.digest.concern.test_ripple import item

SCHED = """\
from abc import abstractmethod
from pump.base import Base

class SchedulerInterface(Base):
    limit: int = 4

    @abstractmethod
    def schedule(self, step): ...

    def finish(self, request_id: str, reason: str = "done") -> None:
        print(request_id)

class Scheduler(SchedulerInterface):
    def __init__(self, config, log=None):
        self.waiting_requests = []

    def schedule(self, step):
        return step

def build(config, *, workers=1): ...

def helper(): return 1
"""
TREE = {
    "pump/__init__.py": "from .core import Scheduler, build\n",
    "pump/core/__init__.py": "from pump.core.sched import *\n",
    "pump/core/sched.py": SCHED,
    "pump/base.py": "class Base:\n    def shut_down(self): ...\n",
}
PATH = "pump/core/sched.py"


def use(kind: UseKind, name: str, **more: object) -> Use:
    return Use(kind, name, CodePlace("mine/worker.py", 31), **more)  # type: ignore[arg-type]  # as given


def holding(*uses: Use) -> UpstreamNames:
    tree = UpstreamTree(TREE, TREE)
    found = held(Surface("o/pump", uses=uses), tree)
    assert not tree.wanted
    return found


def told(old: str, new: str, *uses: Use) -> set[tuple[Strength, Ground]]:
    assert old in SCHED
    change = altered([Pair(PATH, PATH, SCHED, SCHED.replace(old, new))])
    return {(one.strength, one.ground) for one in matches(change, holding(*uses))}


CALL = use(UseKind.CALLED, "pump.build", keywords=("workers",), positional=1)
DERIVED = use(UseKind.SUBCLASS, "pump.core.sched.SchedulerInterface", by="Mine")
OVERRIDES = use(
    UseKind.OVERRIDE, "pump.core.sched.Scheduler.schedule", by="Mine", keywords=("step",)
)


@pytest.mark.parametrize(
    ("old", "new", "used", "ground"),
    [
        ("def build(config, *, workers=1)", "def build(config)", CALL, Ground.LOST_ARGUMENT),
        (
            "build(config, *, workers=1)",
            "build(config, mode, *, workers)",
            CALL,
            Ground.NEW_ARGUMENT,
        ),
        (
            "build(config, *, workers=1)",
            "build(mode=0, config=0, *, workers=1)",
            CALL,
            Ground.ORDER,
        ),
        ("def build(", "async def build(", CALL, Ground.KIND),
        ("def build(", "def make(", CALL, Ground.GONE),
        ("*, workers=1", "*, workers=2", use(UseKind.CALLED, "pump.build"), Ground.DEFAULT),
        (
            "    def finish",
            "    @abstractmethod\n    def drain(self): ...\n    def finish",
            DERIVED,
            Ground.ABSTRACT,
        ),
        ("(SchedulerInterface):", "(Base):", use(UseKind.SUBCLASS, "pump.Scheduler"), Ground.BASES),
        ("step):\n        return", "step, x):\n        return", OVERRIDES, Ground.NEW_ARGUMENT),
        (", step):\n        return", "):\n        return", OVERRIDES, Ground.LOST_ARGUMENT),
        (
            "-> None:\n        print(request_id)",
            "-> bool:\n        return bool(request_id)",
            use(UseKind.CALLED, "pump.Scheduler.finish"),
            Ground.RETURNS,
        ),
        (
            'def finish(self, request_id: str, reason: str = "done") -> None:\n'
            "        print(request_id)",
            "def finish(self, request_id: str) -> bool:\n        return bool(request_id)",
            use(UseKind.CALLED, "pump.Scheduler.finish", positional=1),
            Ground.RETURNS,
        ),
        (
            'def finish(self, request_id: str, reason: str = "done")',
            "def finish(self, request_id: str)",
            use(UseKind.CALLED, "pump.Scheduler.finish", positional=2),
            Ground.LOST_ARGUMENT,
        ),
        (
            "(self, config, log=None)",
            "(self, config)",
            use(UseKind.CONSTRUCTED, "pump.Scheduler", keywords=("log",)),
            Ground.LOST_ARGUMENT,
        ),
        (
            "limit: int = 4",
            "limit: int = 8",
            use(UseKind.CONSTRUCTED, "pump.core.sched.SchedulerInterface"),
            Ground.DEFAULT,
        ),
        (
            "self.waiting_requests = []",
            "self.queue = []",
            use(UseKind.MEMBER, "waiting_requests"),
            Ground.GONE,
        ),
        (
            "self.waiting_requests = []",
            "self.waiting_requests = {}",
            use(UseKind.MEMBER, "waiting_requests"),
            Ground.SORT,
        ),
        (
            "limit: int = 4",
            "limit: int = Field(default=8, ge=1)",
            use(UseKind.CONSTRUCTED, "pump.core.sched.SchedulerInterface"),
            Ground.DEFAULT,
        ),
        (
            "def helper(): return 1",
            "def helper(): return Scheduler(1).schedule(step=2)",
            use(UseKind.OVERRIDE, "pump.core.sched.Scheduler.schedule", by="Mine"),
            Ground.GIVEN,
        ),
    ],
)
def test_breaks_what_is_used_so(old: str, new: str, used: Use, ground: Ground) -> None:
    assert (Strength.BREAKS, ground) in told(old, new, used)


@pytest.mark.parametrize(
    ("old", "new", "used"),
    [
        ("*, workers=1", "*, workers=1, colour=None", CALL),
        (
            "self.waiting_requests = []",
            "pass",
            use(UseKind.CONSTRUCTED, "pump.core.sched.Scheduler", keywords=("waiting_requests",)),
        ),
        (
            "    def finish(self, request_id",
            "    @staticmethod\n    def finish(request_id",
            use(UseKind.CALLED, "pump.Scheduler.finish", positional=1),
        ),
        ("return step", "return step + 1", OVERRIDES),
        (
            "def helper(): return 1",
            "def helper(): return 2",
            use(UseKind.CALLED, "pump.core.helper"),
        ),
        (
            "step):\n        return",
            "step, x):\n        return",
            use(UseKind.OVERRIDE, "pump.Scheduler.schedule", by="Mine", keywords=("step", "x")),
        ),
        (
            "(self, config, log=None)",
            "(self, config, log=None, more=0)",
            use(UseKind.CONSTRUCTED, "pump.Scheduler", positional=2),
        ),
        (
            "limit: int = 4",
            "limit: float = 4",
            use(UseKind.CONSTRUCTED, "pump.core.sched.SchedulerInterface"),
        ),
        (
            "def helper(): return 1",
            "def helper(): return Scheduler(config=1)",
            use(UseKind.SUBCLASS, "pump.Scheduler", by="Mine"),
        ),
        (
            SCHED[SCHED.index("    @abstractmethod") :],
            "    @abstractmethod\n    def drain(self): ...\n"
            + SCHED[SCHED.index("    @abstractmethod") :].replace(
                "    def schedule(self, step):\n",
                "    def drain(self): ...\n\n    def schedule(self, step):\n",
            ),
            use(UseKind.SUBCLASS, "pump.Scheduler", by="Mine"),
        ),
    ],
)
def test_only_touches_what_still_works(old: str, new: str, used: Use) -> None:
    found = told(old, new, used)
    assert found
    assert {strength for strength, _ in found} == {Strength.TOUCHES}


def test_an_attribute_that_only_a_replaced_method_sets_is_missing() -> None:
    old, new = "self.waiting_requests = []", "self.waiting_requests = self.fresh_requests = []"
    own = use(UseKind.SUBCLASS, "pump.Scheduler", by="Mine")
    replaced = use(UseKind.OVERRIDE, "pump.Scheduler.__init__", by="Mine", more=True)
    called = use(UseKind.CALLED, "pump.Scheduler.__init__", more=True)
    missing = (Strength.BREAKS, Ground.UNSET)
    assert missing in told(old, new, own, replaced)
    assert missing not in told(old, new, own, replaced, called)
    assert missing not in told(old, new, own, replace(replaced, how=How.ON_TOP))
    assert missing not in told(old, new, own)


@pytest.mark.parametrize(
    ("old", "new", "is_given"),
    [
        ("def helper(): return 1", "def helper(one): one.main_scheduler.schedule(step=2)", True),
        ("def helper(): return 1", "def helper(one): Scheduler(one[0]).schedule(step=2)", True),
        ("def helper(): return 1", "def helper(one): one[0].kernel.schedule(step=2)", False),
        ("def helper(): return 1", "def helper(): schedule(step=2)", False),
        ("def helper(): return 1", "class Other:\n    def run(self): self.schedule(step=2)", False),
        ("return step", "return self.schedule(step=2)", True),
        ("print(request_id)", "self.schedule(step=2)", True),
        ("return step", "return super().schedule(step=2)", False),
    ],
)  # fmt: skip
def test_a_call_is_of_a_method_where_its_object_may_be_of_the_class(
    old: str, new: str, *, is_given: bool
) -> None:
    replaced = replace(OVERRIDES, keywords=())
    own = use(UseKind.SUBCLASS, "pump.core.sched.Scheduler", by="Mine")
    found = told(old, new, replaced, own)
    assert ((Strength.BREAKS, Ground.GIVEN) in found) is is_given


def test_a_member_is_of_the_class_that_its_object_is_called_like() -> None:
    text = SCHED.replace("self.log = log", "") + "class Other:\n    waiting_requests = 1\n"
    tree = UpstreamTree(TREE, {**TREE, PATH: text})
    by_name = held(
        Surface(
            "o/pump", uses=(use(UseKind.MEMBER, "pump.Scheduler.other.waiting_requests"), CALL)
        ),
        tree,
    )
    one_less = text.replace("self.waiting_requests = []", "pass")
    both_less = one_less.replace("    waiting_requests = 1", "    pass")
    found = [
        matches(altered([Pair(PATH, PATH, text, new)]), by_name) for new in (one_less, both_less)
    ]
    assert {(one.ground, one.strength) for one in found[0]} == {(Ground.GONE, Strength.TOUCHES)}
    assert {(one.ground, one.strength) for one in found[1]} == {(Ground.GONE, Strength.BREAKS)}


@pytest.mark.parametrize(
    ("is_named", "expected"), [(False, Strength.TOUCHES), (True, Strength.BREAKS)]
)
def test_a_member_of_a_class_that_nothing_names_is_of_another_that_keeps_it(
    is_named: bool, expected: Strength
) -> None:
    text = SCHED + "class Other:\n    waiting_requests = 1\n"
    tree = UpstreamTree(TREE, {**TREE, PATH: text})
    names = (use(UseKind.NAME, "pump.core.sched.Other"),) if is_named else ()
    read = use(UseKind.MEMBER, "pump.Scheduler.batch.waiting_requests")
    mine = held(Surface("o/pump", uses=(read, CALL, *names)), tree)
    less = text.replace("    waiting_requests = 1\n", "    pass\n")
    found = matches(altered([Pair(PATH, PATH, text, less)]), mine)
    gone = {one.strength for one in found if one.ground is Ground.GONE}
    assert gone == {expected}


def test_a_type_that_is_written_otherwise_and_a_class_that_is_handed_on_alter_nothing() -> None:
    before = "def find(a) -> Optional['Dict[str, X]']: ...\nclass A:\n def set(self): self.b = 1\n"
    after = "from pump.base import A\ndef find(a) -> 'dict[str, X] | None': ...\n"
    assert [(one.name, one.way) for one in altered([Pair(PATH, PATH, before, after)])] == [
        ("A", Way.BODY)
    ]


def test_a_name_that_a_module_looks_up_when_it_is_asked_for_can_be_gone() -> None:
    lazy = '_MOVED = {"helper": "sched"}\ndef __getattr__(name): return _MOVED[name]\n'
    tree = UpstreamTree(TREE, {**TREE, "pump/core/__init__.py": lazy})
    wanted = use(UseKind.NAME, "pump.core.helper")
    found = held(Surface("o/pump", uses=(wanted,)), tree)
    path = "pump/core/__init__.py"
    change = altered([Pair(path, path, lazy, "")])
    assert [(one.use, one.ground) for one in matches(change, found)] == [(wanted, Ground.GONE)]
    moved = altered([Pair(PATH, PATH, SCHED, SCHED.replace("def helper(): return 1", ""))])
    assert [one.ground for one in matches(moved, found)] == [Ground.GONE]


LONG = "".join(f"    steps.append({number})\n" for number in range(40))
INSIDE = f'def run(steps):\n    """Run."""\n    left: list[int] = []\n{LONG}    return left\n'


@pytest.mark.parametrize("text", [INSIDE, INSIDE.replace(LONG, "")])
def test_annotations_docstrings_and_comments_inside_alter_nothing(text: str) -> None:
    other = text.replace('"""Run."""', '"""Run all."""\n    # at once\n    done: int')
    other = other.replace("left: list[int]", "left: 'list[float]'")

    def ways(after: str) -> list[Way]:
        return [one.way for one in altered([Pair(PATH, PATH, text, after)])]

    assert ways(other) == []
    assert ways(other.replace("= []", "= [0]")) == [Way.BODY]


@pytest.mark.parametrize(
    ("head", "counts"),
    [("class A:", False), ("@config\nclass A:", True), ("class A(TypedDict):", True)],
)
def test_annotations_of_fields_count(head: str, counts: bool) -> None:
    text = f"{head}\n    limit: int\n    size: int = 4\n"
    change = altered([Pair(PATH, PATH, text, text.replace("int", "float"))])
    assert [one.name for one in change] == (["A.limit", "A.size"] if counts else [])


@pytest.mark.parametrize(
    ("now", "same"),
    [
        ("Annotated[int | None, Arg('--limit')]", True),
        ("A[Optional[int], 'How many at once.', Arg()]", True),
        ("Annotated[int | None, Field(ge=1)]", False),
        ("Annotated[float, Arg('--limit')]", False),
        ("Literal['a b', 'c d']", False),
    ],
)
def test_what_a_field_says_to_a_parser_beside_its_type_alters_nothing(
    now: str, *, same: bool
) -> None:
    text = "@dataclass\nclass A:\n    limit: Optional[int] = None\n"
    change = altered([Pair(PATH, PATH, text, text.replace("Optional[int]", now, 1))])
    assert ("A.limit" not in [one.name for one in change]) is same


@pytest.mark.parametrize(
    ("head", "written", "is_asked_for"),
    [
        ("class Order(TypedDict)", "NotRequired[int]", False),
        ("class Order(TypedDict)", "Annotated[NotRequired[int], 'how many']", False),
        ("class Order(TypedDict)", "int", True),
        ("class Order(TypedDict, total=False)", "int", False),
        ("class Order(TypedDict, total=False)", "Required[int]", True),
        ("@dataclass\nclass Order", "int", True),
        ("@dataclass\nclass Order", "ClassVar[int]", False),
        ("class Order", "int", False),
        ("class Order(Base)", "int\n    def __init__(self): ...", False),
    ],
)
@pytest.mark.parametrize("before", ["\n    number: int\n", "\n    pass\n"])
def test_a_new_field_breaks_who_has_to_give_it(
    head: str, written: str, before: str, *, is_asked_for: bool
) -> None:
    text = f"{head}:{before}"
    tree = {PATH: text}
    made = use(UseKind.CONSTRUCTED, "pump.core.sched.Order", keywords=("number",))
    known = held(Surface("o/pump", uses=(made,)), UpstreamTree(tree, tree))
    change = altered([Pair(PATH, PATH, text, f"{text}    amount: {written}\n")])
    found = {one.ground for one in breaking(matches(change, known))}
    assert found == ({Ground.NEW_ARGUMENT} if is_asked_for else set())


MADE = "class Tank:\n    def __init__(self, size=1, lid=None):\n        self.size = size\n"
FIELDS = ":\n    size: int = 1\n    lid: str | None = None\n"


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(
    ("head", "used", "broken"),
    [
        ("@dataclass\nclass Tank", {"positional": 2}, set()),
        ("@dataclass\nclass Tank", {"keywords": ("lid",)}, set()),
        ("class Tank(msgspec.Struct, kw_only=True)", {"keywords": ("lid",)}, set()),
        ("class Tank(msgspec.Struct, kw_only=True)", {"positional": 1}, {Ground.ORDER}),
        ("class Tank(Vessel)", {"positional": 1}, set()),
    ],
)
def test_fields_of_a_record_are_what_init_took(
    head: str, used: dict[str, object], broken: set[Ground], *, back: bool
) -> None:
    texts = [MADE, head + FIELDS]
    before, after = reversed(texts) if back else texts
    tree = {PATH: before}
    made = use(UseKind.CONSTRUCTED, "pump.core.sched.Tank", **used)
    known = held(Surface("o/pump", uses=(made,)), UpstreamTree(tree, tree))
    found = matches(altered([Pair(PATH, PATH, before, after)]), known)
    breaks = {one.ground for one in found if one.strength is Strength.BREAKS}
    assert breaks == broken


def test_a_statement_that_changes_its_place_in_a_function_alters_it() -> None:
    first, last = "    steps.append(0)\n", "    steps.append(39)\n"
    text = INSIDE.replace(first, "    # first\n" + first)
    moved = INSIDE.replace(first, "").replace(last, last + "    # now last\n" + first)
    assert [one.way for one in altered([Pair(PATH, PATH, text, moved)])] == [Way.BODY]


def test_members_are_followed_through_objects_and_what_methods_set() -> None:
    text = """
class Queue:
    def put(self, one): ...

class Pump:
    def __init__(self, queue: "Queue | None"):
        self.queue = queue
        self.spare = Queue()

    def start(self): ...

PUMP = Pump(None)
"""
    uses = [
        use(UseKind.CALLED, name, positional=1)
        for name in ("pump.core.sched.PUMP.queue.put", "pump.core.sched.PUMP.spare.put")
    ]
    found = held(Surface("o/pump", uses=tuple(uses)), UpstreamTree(TREE, {**TREE, PATH: text}))
    assert [hold.use for hold in found.holds[PATH, "Queue.put"]] == uses
    assert found.lost == ()


def test_what_moved_before_is_held_where_it_stood() -> None:
    one, held_by, moves = item(Repo("o", "pump"), 1, "#1"), holding(CALL), Moves()
    build = "def build(config, *, workers=1): ...\n"
    left = SCHED.replace(build, "from pump.made import build\n")
    steps = [
        [Pair(PATH, PATH, SCHED, left), Pair("pump/made.py", "pump/made.py", None, build)],
        [Pair("pump/made.py", "pump/made.py", build, build.replace("workers", "hands"))],
        [Pair("pump/made.py", "pump/made.py", build, None)],
    ]
    grounds = [
        {match.ground for match in weigh(one, altered(step), held_by, frozenset(), moves).matches}
        for step in steps
    ]
    assert Ground.BODY in grounds[0]
    assert grounds[1:] == [{Ground.LOST_ARGUMENT}, {Ground.GONE}]


def test_does_not_touch_what_is_not_used() -> None:
    assert told("def helper(): return 1", "def helper(): return 2", CALL) == set()


def test_tells_where_a_name_that_moved_is_now() -> None:
    text = SCHED.replace("def helper(): return 1\n", "")
    other = Pair("pump/help.py", "pump/help.py", None, "def helper(): return 1\n")
    change = altered([Pair(PATH, PATH, SCHED, text), other])
    (found,) = matches(change, holding(use(UseKind.NAME, "pump.core.helper")))
    assert (found.strength, found.ground) == (Strength.BREAKS, Ground.MOVED)
    assert found.altered.after == "pump.help.helper"


def test_a_module_that_is_gone_breaks_all_that_is_imported_from_it() -> None:
    change = altered([Pair(PATH, PATH, SCHED, None)])
    names = {one.use.name for one in matches(change, holding(CALL, DERIVED))}
    assert names == {CALL.name, DERIVED.name}


def test_a_method_of_a_class_above_is_followed_up() -> None:
    base = TREE["pump/base.py"]
    change = altered(
        [Pair("pump/base.py", "pump/base.py", base, base.replace("self)", "self, now)"))]
    )
    used = use(UseKind.OVERRIDE, "pump.Scheduler.shut_down", by="Mine")
    assert [one.ground for one in matches(change, holding(used))] == [Ground.NEW_ARGUMENT]


@pytest.mark.parametrize("text", ["def (", "\x00", "x = " + "(" * 500, ""])
def test_no_text_makes_it_fail(text: str) -> None:
    matches(altered([Pair(PATH, PATH, SCHED, text), Pair(PATH, PATH, text, SCHED)]), holding(CALL))


@pytest.mark.parametrize(("what", "gone"), [("build", {"pump.core.helper"}), ("*", set())])
def test_a_module_that_became_a_package_is_where_it_was(what: str, gone: set[str]) -> None:
    front = f"from pump.core.sched.inner import {what}\n"
    change = altered(
        [
            Pair(PATH, "pump/core/sched/inner.py", SCHED, SCHED),
            Pair("pump/core/sched/__init__.py", "pump/core/sched/__init__.py", None, front),
        ]
    )
    found = matches(change, holding(CALL, use(UseKind.NAME, "pump.core.helper")))
    assert {one.use.name for one in found if one.strength is Strength.BREAKS} == gone


def test_what_a_function_gives_is_told_where_it_does_something_else_alone() -> None:
    assert not told("-> None", "-> bool", use(UseKind.CALLED, "pump.Scheduler.finish"))


def test_a_constant_that_is_read_by_name_breaks_nothing() -> None:
    text = "LIMIT = 4\n"
    tree = UpstreamTree({**TREE, "pump/limits.py": text}, {**TREE, "pump/limits.py": text})
    read = held(Surface("o/pump", uses=(use(UseKind.NAME, "pump.limits.LIMIT"),)), tree)
    change = altered([Pair("pump/limits.py", "pump/limits.py", text, "LIMIT = 5\n")])
    assert {one.strength for one in matches(change, read)} == {Strength.TOUCHES}


def test_an_argument_that_a_class_takes_no_more_and_keeps_no_more_is_told_once() -> None:
    used = use(UseKind.CONSTRUCTED, "pump.core.sched.Scheduler", keywords=("log",))
    keeping = SCHED.replace("self.waiting_requests = []", "self.log = log")
    change = altered([Pair(PATH, PATH, keeping, SCHED.replace("config, log=None", "config"))])
    found = breaking(matches(change, holding(used)))
    assert {one.altered.name for one in found} == {"Scheduler.__init__"}
    assert len(strongest(found)) == 1


@pytest.mark.parametrize(
    ("returns", "way"), [("int | tuple[int, str]", Way.BODY), ("tuple[int, str]", Way.RETURNS)]
)
def test_what_may_still_give_all_that_it_gave_works_otherwise_inside(
    returns: str, way: Way
) -> None:
    before = "def probe(x) -> int:\n    return x\n"
    after = f"def probe(x) -> {returns}:\n    return (x, '') if x > 1 else x\n"
    ways = [one.way for one in altered([Pair(PATH, PATH, before, after)])]
    assert way in ways
    assert (Way.RETURNS in ways) is (way is Way.RETURNS)
