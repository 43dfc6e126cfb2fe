"""What a commit message says about itself and other changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.sources.message import Message, parse


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
