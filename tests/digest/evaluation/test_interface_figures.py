"""Facts of interfaces held against labels."""

from typing import Any

from digest.evaluation.interfaces import commits_of, interface_figures
from digest.evaluation.scoring import Share
from digest.facts import Fact, FactChange, FactKind, Subject

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
    assert figures.small == Share(1, 1)
    assert figures.behaviour == Share(0, 1)
    assert figures.labelled == Share(2, 4)
    assert figures.traps == 1
    assert len(figures.missed) == 1
    assert len((figures + figures).unlabelled) == 4


def test_a_name_with_another_change_tells_nothing() -> None:
    (commit,) = commits_of(WRITTEN)
    figures = interface_figures(commit, [_fact(Subject.FLAG, FactChange.ADDED, "--fuel")])
    assert figures.matter == Share(0, 2)
