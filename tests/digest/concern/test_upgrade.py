"""What a report of an upgrade holds, and under which heading."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from digest.concern.definitions import altered
from digest.concern.ends import Ends
from digest.concern.matching import Ground, Moves, weigh
from digest.concern.surface import CodePlace, Surface, Use, UseKind
from digest.concern.upgrade import Same, Untold, Upgrade, settings_of, upgrade_of
from digest.concern.upstream_names import UpstreamTree, held
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.models import FileChange, Kind, Repo, Span
from digest.reading.interfaces.definition import Pair
from tests.digest.concern.test_matching import PATH, SCHED, TREE, holding, use
from tests.digest.concern.test_ripple import item

REPO = Repo("o", "pump")
NOW = datetime(2026, 2, 9, tzinfo=UTC)
SPAN = Span("v1", "v2", "a" * 40, "b" * 40, NOW, NOW, frozenset())


def report(
    after: str,
    *uses: Use,
    by_change: str = "",
    head: Mapping[str, str | None] | None = None,
    title: str = "",
    patch: str = "",
) -> Upgrade:
    """Report one change of the file, as one that weighs enough to be told.

    `by_change` is the file after the change where the ends differ in something else, `head` what
    the head has otherwise than the base; without a text it lacks the file. `title` and `patch` are
    the change's.
    """
    holds = holding(*uses)
    change = altered([Pair(PATH, PATH, SCHED, by_change or after)])
    files = (FileChange(PATH, "modified", 1, 1, patch),)
    one = replace(item(REPO, 3, "#7", title), kind=Kind.COMMIT, files=files)
    weighed = weigh(one, change, holds, frozenset({"pump"}), Moves())
    now = {path: text for path, text in {**TREE, PATH: after, **(head or {})}.items() if text}
    at_head = held(Surface("o/pump", uses=uses), UpstreamTree(now, now))
    texts = {path: (TREE[path], now.get(path)) for path in TREE if TREE[path] != now.get(path)}
    told = [replace(weighed, weight=9.0)]
    return upgrade_of(
        REPO, SPAN, holds, at_head, told, Ends(TREE, now, {}, texts), (), ("--workers",), ()
    )


def test_a_member_that_went_unused_is_no_other_behaviour_and_one_that_is_used_breaks() -> None:
    start = SCHED.index("    def finish")
    after = SCHED.replace(SCHED[start : SCHED.index("class Scheduler(")], "")
    made = use(UseKind.CONSTRUCTED, "pump.core.sched.SchedulerInterface")
    called = use(UseKind.CALLED, "pump.core.sched.SchedulerInterface.finish", positional=1)

    unused = report(after, made)
    assert (unused.breaks, unused.otherwise, len(unused.lightly)) == ((), (), 1)
    assert len(report(after, made, called).breaks) == 1
    open_ended = report(after, replace(made, more=True))
    assert len(open_ended.otherwise) == 1, "what is given by ** may be among it"


@pytest.mark.parametrize(
    ("name", "title", "took", "is_mended"),
    [
        ("pump.core.sched.helper", "Fix crash of the pump", "return 1", True),
        ("pump.build", "Fix crash of the pump", "return 1", False),
        ("pump.core.sched.build_all", "Fix crash of build_all()", "return 1", True),
        ("pump.core.sched.helper", "Fix crash of the pump", "return 17", False),
        ("pump.core.sched.helper", "Say more of the pump", "return 1", False),
    ],
)
def test_a_fix_of_what_is_called_is_told_where_the_old_version_has_what_it_mends(
    name: str, title: str, took: str, *, is_mended: bool
) -> None:
    after = SCHED.replace("helper(): return 1", "helper(): return 2")
    patch = f"@@ -1 +1 @@\n-def helper(): {took}\n+def helper(): return 2"
    called = use(UseKind.CALLED, name)
    told = report(after, called, title=title, patch=patch)
    symptoms = [(one.bite.symptom, one.use.name) for one in told.mended]
    assert symptoms == ([(Symptom.CRASH, name)] if is_mended else [])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (("cutlass",), [("cutlass", True)]),
        (("auto", "cutlass"), [("cutlass", True)]),
        (("auto",), []),
        (("",), [("", False)]),
        ((), []),
    ],
)
def test_a_value_that_is_taken_no_more_breaks_who_gives_it(
    values: tuple[str, ...], told: list[tuple[str, bool]]
) -> None:
    uses = [use(UseKind.FLAG, "--gemm-backend", value=value) for value in values]
    gone = Fact(
        FactKind.INTERFACE, "1", FactChange.REMOVED, Subject.CHOICE, "--gemm-backend",
        before="cutlass",
    )  # fmt: skip
    found = settings_of(Surface("o/pump", uses=tuple(uses)), [gone])
    assert [(one.use.value, one.breaks) for one in found] == told


@pytest.mark.parametrize("aside", ["tests/run.yaml", "docs/run.md", ".github/workflows/run.yaml"])
def test_settings_of_what_ships_come_first_and_are_told_where_it_sets_them(aside: str) -> None:
    def at(name: str, path: str) -> Use:
        return replace(use(UseKind.VARIABLE, name), place=CodePlace(path, 1))

    uses = (at("PUMP_A", aside), at("PUMP_B", aside), at("PUMP_B", "plug/run.py"))
    gone = [
        Fact(FactKind.INTERFACE, "1", FactChange.REMOVED, Subject.ENV, name)
        for name in ("PUMP_A", "PUMP_B")
    ]
    told = settings_of(Surface("o/pump", uses=uses), gone)
    assert [(one.use.name, one.use.place.path, one.is_aside) for one in told] == [
        ("PUMP_B", "plug/run.py", False),
        ("PUMP_A", aside, True),
    ]


@pytest.mark.parametrize("weight", [1.0, 9.0])
def test_what_breaks_tests_alone_comes_after_what_breaks_the_product(weight: float) -> None:
    called = use(UseKind.CALLED, "pump.build", keywords=("workers",), positional=1)
    tested = replace(use(UseKind.CALLED, "pump.core.sched.helper"),
                     place=CodePlace("tests/test_it.py", 1))  # fmt: skip
    after = SCHED.replace("*, workers=1", "").replace("helper()", "help_out()")
    steps = [(SCHED.replace("*, workers=1", ""), "1"), (SCHED.replace("helper()", "hel()"), "2")]
    holds = holding(called, tested)
    weighed = [
        replace(
            weigh(item(REPO, int(at), f"#{at}"), altered([Pair(PATH, PATH, SCHED, text)]), holds,
                  frozenset({"pump"}), Moves()),
            weight=weight if at == "2" else 5.0,
        )
        for text, at in steps
    ]  # fmt: skip
    now = {**TREE, PATH: after}
    at_head = held(Surface("o/pump", uses=(called, tested)), UpstreamTree(now, now))
    ends = Ends(TREE, now, {}, {PATH: (SCHED, after)})
    found = upgrade_of(REPO, SPAN, holds, at_head, weighed, ends, (), (), ())
    assert [one.item.ref for one in found.breaks] == ["#1", "#2"]


def test_each_name_that_is_used_is_told_unchanged_or_not_followed_with_the_reason() -> None:
    after = SCHED.replace("def build(config, *, workers=1)", "def build(config)")
    uses = (
        use(UseKind.CALLED, "pump.build", keywords=("workers",), positional=1),
        use(UseKind.CALLED, "pump.core.sched.helper"),
        use(UseKind.MODULE, "pump.core.sched"),
        use(UseKind.NAME, "pump.core.nothing"),
        use(UseKind.MEMBER, "seq_lens_cpu"),
        use(UseKind.FLAG, "--workers"),
        replace(use(UseKind.FLAG, "--a-page-alone"), place=CodePlace("docs/use.md", 1)),
        use(UseKind.FLAG, "--wrokers"),
        use(UseKind.PIN, "pump", value="==1.0"),
    )
    told = report(after, *uses)

    assert [match.use.name for one in told.breaks for match in one.matches if one.breaks] == [
        "pump.build", "pump.core.sched",
    ]  # fmt: skip
    assert {one.name: one.same for one in told.unchanged} == {
        "pump.core.sched.helper": Same.DEFINITION,
        "--workers": Same.SETTING,
    }
    assert {one.use.name: one.why for one in told.lost} == {
        "pump.core.nothing": Untold.NOT_THERE,
        "seq_lens_cpu": Untold.UNKNOWN_CLASS,
        "pump": Untold.PIN,
        "--wrokers": Untold.NOT_SEEN,
        "--a-page-alone": Untold.NOT_SEEN,
    }
    assert told.lost[-1].use.name == "--a-page-alone"
    assert told.touched + len(told.unchanged) + len(told.lost) == len(uses)


def test_what_the_ends_do_not_show_breaks_nothing_and_what_they_alone_show_does() -> None:
    called = use(UseKind.CALLED, "pump.build", keywords=("workers",), positional=1)
    more = SCHED.replace("config, *, workers", "config, trace, *, workers")
    came_and_went = report(SCHED.replace("helper(): return 1", "helper(): return 2"), called,
                           by_change=more)  # fmt: skip
    assert (came_and_went.breaks, came_and_went.is_broken) == ((), False)

    alone = report(more, called, by_change=SCHED + "\nLIMIT = 1\n")
    assert alone.is_broken
    assert alone.alone
    found = alone.alone.matches
    assert [(one.ground, one.names) for one in found] == [(Ground.NEW_ARGUMENT, ("trace",))]
    assert "pump.build" not in {one.name for one in alone.unchanged}
    assert report(more, called).alone is None, "the change tells it"


def test_a_name_that_moved_is_gone_only_where_it_is_not_had_by_the_same_name() -> None:
    start = SCHED.index("def build")
    moved = {"pump/core/made.py": SCHED[start:], PATH: SCHED[:start]}
    front = "from .core.sched import Scheduler\nfrom .core.made import build\n"
    called = use(UseKind.CALLED, "pump.build", positional=1)
    handed_on = report(SCHED[:start], called, head={**moved, "pump/__init__.py": front})
    assert (handed_on.is_broken, len(handed_on.gone_again)) == (False, 1)
    assert report(SCHED[:start], called, head=moved).is_broken


def test_a_name_is_unchanged_only_where_it_still_stands_for_the_same_definition() -> None:
    called = use(UseKind.CALLED, "pump.core.sched.helper")
    made = use(UseKind.NAME, "pump.Scheduler")
    other = {"pump/other.py": "class Scheduler: ...\n",
             "pump/__init__.py": "from .other import Scheduler\n"}  # fmt: skip
    assert {one.name for one in report(SCHED, called, made).unchanged} == {called.name, made.name}
    told = report(SCHED, called, made, head=other)
    assert [one.name for one in told.unchanged] == [called.name]
    assert [(one.use.name, one.why) for one in told.lost] == [(made.name, Untold.ALTERED)]
