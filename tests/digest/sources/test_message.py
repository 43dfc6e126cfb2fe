"""What a commit message says about itself and other changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.sources.message import Message, held_already, parse


def test_a_number_inside_the_title_stays_and_is_not_the_pull_request() -> None:
    assert parse("Fix #12 in the loader") == Message(
        "Fix #12 in the loader", "", pull_request=None, closes=(12,)
    )


def test_where_a_number_names_an_issue_it_stays_in_the_title() -> None:
    read = parse("Mend the loader (#12)", squash_numbers=False)
    assert (read.title, read.pull_request) == ("Mend the loader (#12)", None)


def test_a_github_merge_is_told_by_the_title_that_follows() -> None:
    read = parse("Merge pull request #71 from someone/branch\n\nAdd SM120 kernels\n\nWhy not.")
    assert (read.title, read.body, read.pull_request) == ("Add SM120 kernels", "Why not.", 71)


def test_a_gitlab_merge_names_its_merge_request_in_the_body() -> None:
    read = parse("Merge branch 'fix' into 'main'\n\nMend it\n\nSee merge request group/sub/x!12")
    assert (read.title, read.body, read.pull_request) == ("Mend it", "", 12)


def test_trailers_about_people_are_removed_wherever_they_stand() -> None:
    read = parse(
        "Title (#1)\n\n* first\n\nSigned-off-by: Ann <a@b>\n\n* second\n\n---------\n\n"
        "Co-authored-by: Bob <b@c>\nco-authored-by: Eve <e@f>\r\n"
    )
    assert read.body == "* first\n\n\n* second"


@pytest.mark.parametrize("mark", ["* ", "- ", "+  ", "• "])
def test_the_mark_of_a_list_is_no_part_of_a_title(mark: str) -> None:
    read = parse(f"{mark}Fix the loader (#12)\n\n{mark}tidy")
    assert (read.title, read.pull_request, read.body) == ("Fix the loader", 12, f"{mark}tidy")
    assert parse("*args are kept").title == "*args are kept"


def test_closing_keywords_give_issue_numbers_once() -> None:
    assert parse("T\n\nFixes #3, closes: #4, resolved #3, see #9").closes == (3, 4)


@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    assert parse(text).title == parse(text).title.strip()


@pytest.mark.parametrize("piece", ["(#", 'Revert "', "a ", "-", "Merged in ", "See merge request "])
def test_a_huge_message_is_read(piece: str) -> None:
    huge = piece * 200_000
    assert parse(huge + "\n" + huge).title


def test_a_title_that_was_cut_is_whole_again_where_the_body_goes_on_with_it() -> None:
    read = parse(
        "Fix the dtype of the sampled tokens for proba… (#12)\n\n…bilistic rejection\n\nWhy."
    )
    assert (read.title, read.body) == (
        "Fix the dtype of the sampled tokens for probabilistic rejection",
        "Why.",
    )
    assert parse("Fix the dtype for proba… (#12)\n\nWhy.").title == "Fix the dtype for proba…"


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
