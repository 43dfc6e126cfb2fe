"""In which order the facts of one change are told."""

from collections.abc import Callable
from typing import Any

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import Change
from digest.reading.known_facts import facts_of_change
from tests.digest.writing.invented import judged


def test_a_default_of_who_debugs_is_told_after_what_others_have_to_know(
    commit: Callable[..., Any],
) -> None:
    def default(name: str, change: FactChange, *conditions: str) -> Fact:
        return Fact(
            FactKind.INTERFACE, "kiln", change, Subject.ENV, name,
            before="True", after="False", conditions=conditions, must_act=True,
        )  # fmt: skip

    facts = (
        default("KILN_A", FactChange.DEFAULT, "debug or show_trace"),
        default("KILN_HEAT_BY_DAY", FactChange.DEFAULT, "is_hot()"),
        default("KILN_OVEN_OF_OLD", FactChange.REMOVED),
    )
    change = Change(judged(commit("1" * 40)), (), facts=facts)
    assert [one.name for one in facts_of_change(change)] == [
        "KILN_OVEN_OF_OLD",
        "KILN_HEAT_BY_DAY",
        "KILN_A",
    ]
