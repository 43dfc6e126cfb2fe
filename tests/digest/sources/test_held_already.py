"""What another branch holds already as picks, by what its messages say."""

import pytest

from digest.sources.message import held_already

PUMP = {"a" * 40: "[Bugfix] Mend the pump of the stage (#5)"}
TWICE = {"a" * 40: "Update the nozzle to the latest version (#5)"} | {
    "b" * 40: "Update the nozzle to the latest version (#99)"
}


@pytest.mark.parametrize(
    ("ours", "theirs", "held"),
    [
        pytest.param(PUMP, ["[Bugfix] Mend the pump of the stage (#5) (#8)"], "a", id="number"),
        pytest.param(PUMP, ["[Bugfix] Mend the pump of the stage"], "a", id="title"),
        pytest.param(PUMP, ["Pick\n\n(cherry picked from commit aaaaaaaaaaaa)"], "a", id="-x"),
        pytest.param(PUMP, ["Disable (#5) for the release (#8)"], "", id="only named"),
        pytest.param(
            PUMP,
            [
                f"{PUMP['a' * 40]}\n\n(cherry picked from commit {'a' * 40})",
                'Revert "[Bugfix] Mend the pump of the stage (#5)"',
            ],
            "",
            id="taken back",
        ),
        pytest.param(
            {"c" * 40: 'Revert "Mend the valve of the stage (#4)" (#6)'},
            [f"Revert the valve\n\n(cherry picked from commit {'c' * 40})"],
            "c",
            id="a picked revert",
        ),
        pytest.param(TWICE, ["Update the nozzle to the latest version (#5)"], "a", id="two alike"),
        pytest.param({"a" * 40: "Bump version"}, ["Bump version"], "", id="a common title"),
        pytest.param({"a" * 40: ""}, ['Revert "x"', ""], "", id="nothing said"),
    ],
)
def test_what_is_held_already(ours: dict[str, str], theirs: list[str], held: str) -> None:
    assert {sha[0] for sha in held_already(ours, theirs)} == set(held)


def test_a_number_that_names_an_issue_holds_nothing() -> None:
    theirs = ["Something else (#5)"]
    assert held_already(PUMP, theirs, squash_numbers=False) == frozenset()
