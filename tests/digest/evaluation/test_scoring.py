"""Readings and facts of interfaces held against labels."""

from collections.abc import Mapping
from typing import Any

from digest.evaluation.labels import LabelledWindow, commits_of, window_of
from digest.evaluation.scoring import DESCRIBED, Figures, Share, figures, interface_figures
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from tests.digest.writing.invented import judged, pull, reading

WRITTEN: list[dict[str, Any]] = [
    {
        "repo": "example/rocket",
        "sha": "a" * 40,
        "title": "Change",
        "changes": [
            {
                "kind": kind,
                "change": change,
                "name": name,
                "before": before,
                "after": after,
                "matters": matters,
            }
            for kind, change, name, before, after, matters in (
                ("flag", "removed", "--fuel", "1", None, 3),
                ("default", "changed", "ROCKET_HULL", "0", "1", 2),
                ("choice", "added", "--mode", None, "warp", 1),
                ("behaviour", "changed", "engine start", "slow", "fast", 2),
            )
        ],
        "traps": [{"name": "--tank", "why": "moved"}],
    }
]


def _fact(subject: Subject, change: FactChange, name: str, **more: Any) -> Fact:
    return Fact(FactKind.INTERFACE, "item", change, subject, name, **more)


def test_each_fact_is_counted_once_and_each_label_by_what_it_is() -> None:
    (commit,) = commits_of(WRITTEN)
    figures = interface_figures(
        commit,
        [
            _fact(Subject.FLAG, FactChange.REMOVED, "--fuel"),
            _fact(Subject.CHOICE, FactChange.ADDED, "--mode", after="warp"),
            _fact(Subject.FLAG, FactChange.REMOVED, "--tank"),
            _fact(Subject.FLAG, FactChange.ADDED, "--rope"),
        ],
    )
    assert figures.matter == Share(1, 2)
    assert figures.commits == Share(1, 1)
    assert figures.labelled == Share(2, 4)
    assert figures.traps == 1


def test_a_name_with_another_change_tells_nothing() -> None:
    (commit,) = commits_of(WRITTEN)
    figures = interface_figures(commit, [_fact(Subject.FLAG, FactChange.ADDED, "--fuel")])
    assert figures.matter == Share(0, 2)


def _editor(top: list[str], symptom: str, *stories: list[str]) -> Mapping[str, Any]:
    return {
        "top": [{"key": key} for key in top],
        "also": ["#3"],
        "noise": ["#4"],
        "stories": [{"keys": keys} for keys in stories],
        "bites": [{"key": "#1", "symptom": symptom}],
    }


def _window(*editors: Mapping[str, Any]) -> LabelledWindow:
    written = {
        "window": "a-2026-01-01",
        "repo": "o/a",
        "snapshot": "o/a",
        "days": "2026-01-01",
        "items": [{"sha": str(n) * 40, "key": f"#{n}"} for n in range(1, 5)],
    }
    return window_of(written, editors)


def test_two_of_three_editors_are_the_truth() -> None:
    told = _window(
        _editor(["#1"], "crash", ["#1", "#2"]),
        _editor(["#1", "#2"], "crash", ["#1", "#2"], ["#2", "#3"]),
        _editor(["#2"], "hang"),
    )
    assert [told.leads(f"#{n}") for n in (1, 2, 3)] == [True, True, False]
    assert [told.shown(f"#{n}") for n in (3, 4)] == [True, False]
    assert told.symptoms("#1") == (frozenset({"crash"}), frozenset({"crash", "hang"}))
    assert told.together == {frozenset({"#1", "#2"})}
    assert told.noise == {"#4"}


def test_one_editor_is_enough_where_there_is_one() -> None:
    told = _window(_editor([], "hang", ["#1", "#2", "#3"]))
    assert len(told.together) == 3


def test_shares_and_figures_add_up() -> None:
    whole = Share(1, 4) + Share(2, 4)
    assert whole == Share(3, 8)
    assert whole.told() == "38 % (3 of 8)"
    assert Share().told() == "–"
    both = Figures(first=whole) + Figures(first=Share(1, 2), found=Share(1, 1))
    assert (both.first, both.found, both.second) == (Share(4, 10), Share(1, 1), Share())


def test_symptoms_are_counted_again_for_changes_with_a_description() -> None:
    bites = [{"key": f"#{number}", "symptom": "crash"} for number in (1, 2, 3)]
    told = _window({"top": [], "also": [], "noise": [], "stories": [], "bites": bites})
    items = [
        pull(1, "Mend rows", commits=("1" * 40,), body="Rows were read twice. " * DESCRIBED),
        pull(2, "Mend columns", commits=("2" * 40,), body="Read once."),
        pull(3, "Mend cells", commits=("3" * 40,), body="Cells were read twice. " * DESCRIBED),
    ]
    facts = tuple(
        Fact(FactKind.BITE, item.key, FactChange.FIXED, symptom=symptom)
        for item, symptom in zip(items, (Symptom.CRASH, Symptom.CRASH, Symptom.HANG), strict=True)
    )
    found = figures(told, reading([judged(item) for item in items], facts=facts))
    assert (found.symptom, found.described) == (Share(2, 3), Share(1, 2))
    assert found.false_symptom == Share(1, 3)
