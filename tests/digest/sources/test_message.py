"""What a commit message says about itself and other changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.sources.message import CommitMessage, held_already, parse


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Fix #12 in the loader", CommitMessage("Fix #12 in the loader", "", None, (12,))),
        (
            "Merge pull request #71 from someone/branch\n\nAdd SM120 kernels\n\nWhy not.",
            CommitMessage("Add SM120 kernels", "Why not.", 71),
        ),
        (
            "Merge branch 'fix' into 'main'\n\nMend it\n\nSee merge request group/sub/x!12",
            CommitMessage("Mend it", "", 12),
        ),
        (
            "Title (#1)\n\n* first\n\nSigned-off-by: Ann <a@b>\n\n* second\n\n---------\n\n"
            "Co-authored-by: Bob <b@c>\nco-authored-by: Eve <e@f>\r\n",
            CommitMessage("Title", "* first\n\n\n* second", 1),
        ),
        (
            "T\n\nFixes #3, closes: #4, resolved #3, #9",
            CommitMessage("T", "Fixes #3, closes: #4, resolved #3, #9", None, (3, 4)),
        ),
        (
            "Fix the tokens for proba… (#12)\n\n…bilistic rejection\n\nWhy.",
            CommitMessage("Fix the tokens for probabilistic rejection", "Why.", 12),
        ),
        ("Fix for proba… (#12)\n\nWhy.", CommitMessage("Fix for proba…", "Why.", 12)),
    ],
)
def test_a_message_is_read_in_the_forms_of_github_and_gitlab(
    text: str, read: CommitMessage
) -> None:
    assert parse(text) == read


@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    assert parse(text).title == parse(text).title.strip()


@pytest.mark.parametrize("piece", ["(#", 'Revert "', "a ", "-", "Merged in ", "See merge request "])
def test_a_huge_message_is_read(piece: str) -> None:
    huge = piece * 200_000
    assert parse(huge + "\n" + huge).title


PUMP = {"a" * 40: "[Bugfix] Mend the pump of the stage (#5)"}
TWICE = {"a" * 40: "Update the nozzle to the latest version (#5)"} | {
    "b" * 40: "Update the nozzle to the latest version (#99)"
}


def by_sha(messages: list[str]) -> dict[str, str]:
    return {f"{place:040x}": message for place, message in enumerate(messages)}


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
        pytest.param({"a" * 40: "v1.2.3 update"}, ["v1.2.3 update (#6)"], "a", id="a version"),
        pytest.param({"a" * 40: ""}, ['Revert "x"', ""], "", id="nothing said"),
    ],
)
def test_what_is_held_already(ours: dict[str, str], theirs: list[str], held: str) -> None:
    assert {sha[0] for sha in held_already(ours, by_sha(theirs))} == set(held)


def test_what_does_the_very_same_is_held_by_any_title_until_it_is_taken_back() -> None:
    theirs = by_sha(["Pump", 'Revert "Pump"'])
    pick, revert = theirs
    alike = {pick: "a" * 40}
    assert held_already(PUMP, {pick: theirs[pick]}, alike) == {"a" * 40}
    assert held_already(PUMP, theirs, alike) == frozenset()
    assert held_already(PUMP, {revert: theirs[revert]}, {revert: "b" * 40}) == frozenset()


def test_what_was_undone_under_any_title_is_not_held_until_it_is_picked_again() -> None:
    theirs = by_sha(["Pump", "Go without the pump", "Pump again"])
    pick, undone, again = theirs
    alike, contrary = {pick: "a" * 40, again: "a" * 40}, {undone: "a" * 40}
    assert held_already(PUMP, theirs, alike, contrary) == {"a" * 40}
    del theirs[again]
    assert held_already(PUMP, theirs, alike, contrary) == frozenset()
