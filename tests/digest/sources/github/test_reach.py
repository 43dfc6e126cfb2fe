"""Where a list of commits ends for a window."""

from datetime import UTC, datetime, timedelta

from digest.ports import Seen
from digest.sources.github.facts import CommitFact
from digest.sources.github.reach import RUN, is_passed, reached

START = datetime(2026, 3, 4, tzinfo=UTC)
YOUNG, OLD = timedelta(hours=3), timedelta(hours=-7)


def listed(*ages: timedelta) -> list[CommitFact]:
    """Commits named by their place, made so long after the window's start."""
    return [
        CommitFact(str(place), "", START + age, START + age, (str(place + 1),), 1, "ada", False)
        for place, age in enumerate(ages)
    ]


def shas(ages: list[timedelta], seen: str = "", at: timedelta = timedelta(0)) -> str:
    heads = [Seen("main", seen, START + at)] if seen else []
    return "".join(one.sha for one in reached(listed(*ages), START, heads))


def test_a_list_is_passed_once_a_run_of_older_commits_follows() -> None:
    assert not is_passed(listed(*[OLD] * (RUN - 1)), START)
    assert is_passed(listed(YOUNG, *[OLD] * RUN), START)
    assert not is_passed(listed(*[OLD] * (RUN - 1), YOUNG), START)
    assert not is_passed(listed(YOUNG, *[OLD] * RUN, YOUNG), START)


def test_a_window_reaches_down_to_the_last_commit_made_since_it_began() -> None:
    assert shas([YOUNG, OLD, YOUNG, OLD, OLD]) == "012"
    assert shas([OLD, OLD]) == ""
    assert shas([timedelta(hours=-6), OLD]) == "0", "a merge queue made it before it landed"


def test_a_window_reaches_down_to_the_head_that_was_seen_in_it() -> None:
    assert shas([YOUNG, OLD, OLD, OLD], seen="2") == "01"
    assert shas([YOUNG, OLD, YOUNG, OLD], seen="1") == "012"
    assert shas([OLD, OLD], seen="0") == ""
    assert shas([YOUNG, OLD], seen="not listed") == "0"
    assert shas([OLD, OLD, OLD], seen="2", at=-YOUNG) == "", "what was pushed before the window"
