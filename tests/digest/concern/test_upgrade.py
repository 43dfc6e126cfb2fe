"""What a report of an upgrade holds, and under which heading."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from digest.concern.definitions import altered
from digest.concern.matching import Moves, weigh
from digest.concern.surface import Surface, Use, UseKind
from digest.concern.upgrade import Ends, Same, Untold, Upgrade, settings_of, upgrade_of
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import Repo, Span
from digest.reading.interfaces.definition import Pair
from tests.digest.concern.test_matching import PATH, SCHED, holding, use
from tests.digest.concern.test_ripple import item

REPO = Repo("o", "pump")
NOW = datetime(2026, 2, 9, tzinfo=UTC)
SPAN = Span("v1", "v2", "a" * 40, "b" * 40, NOW, NOW, frozenset())


def report(after: str, *uses: Use) -> Upgrade:
    """Report one change of the file, as one that weighs enough to be told."""
    held = holding(*uses)
    change = altered([Pair(PATH, PATH, SCHED, after)])
    weighed = weigh(item(REPO, 3, "#7"), change, held, frozenset({"pump"}), Moves())
    ends = Ends({PATH: "old"}, {PATH: "new"}, {}, {PATH: (SCHED, after)})
    return upgrade_of(REPO, SPAN, held, [replace(weighed, weight=9.0)], ends, (), ())


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
    found = settings_of(Surface("o/pump", uses=tuple(uses)), [gone], {})
    assert [(one.use.value, one.breaks) for one in found] == told


def test_each_name_that_is_used_is_told_unchanged_or_not_followed_with_the_reason() -> None:
    after = SCHED.replace("def build(config, *, workers=1)", "def build(config)")
    uses = (
        use(UseKind.CALLED, "pump.build", keywords=("workers",), positional=1),
        use(UseKind.CALLED, "pump.core.sched.helper"),
        use(UseKind.MODULE, "pump.core.sched"),
        use(UseKind.NAME, "pump.core.nothing"),
        use(UseKind.MEMBER, "seq_lens_cpu"),
        use(UseKind.FLAG, "--workers"),
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
    }
    assert told.touched + len(told.unchanged) + len(told.lost) == len(uses)
