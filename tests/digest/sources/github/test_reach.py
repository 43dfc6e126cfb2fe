"""Where a list of commits ends for a window."""

from datetime import UTC, datetime, timedelta

from digest.models import Window
from digest.ports import Seen
from digest.sources.github.commits import CommitFact
from digest.sources.github.window import MOST, RUN, is_passed, reached

START = datetime(2026, 3, 4, tzinfo=UTC)
DAY = Window(START, START + timedelta(days=1), "UTC", "2026-03-04")
YOUNG, OLD = timedelta(hours=3), timedelta(hours=-7)


def listed(*ages: timedelta) -> list[CommitFact]:
    """Commits named by their place, made so long after the window's start."""
    return [
        CommitFact(str(place), "", START + age, START + age, (str(place + 1),), 1, "ada", False)
        for place, age in enumerate(ages)
    ]


def shas(ages: list[timedelta], seen: str = "", at: timedelta = timedelta(0)) -> str:
    heads = [Seen("main", seen, START + at)] if seen else []
    return "".join(sha for sha in reached(listed(*ages), START, heads))


def test_a_list_is_passed_once_a_run_of_older_commits_follows() -> None:
    assert not is_passed(listed(*[OLD] * (RUN - 1)), DAY, ())
    assert is_passed(listed(YOUNG, *[OLD] * RUN), DAY, ())
    assert not is_passed(listed(*[OLD] * (RUN - 1), YOUNG), DAY, ())
    assert not is_passed(listed(YOUNG, *[OLD] * RUN, YOUNG), DAY, ())


def test_a_list_is_read_down_to_the_first_head_that_was_seen_in_the_window() -> None:
    def passed(count: int, *seen: tuple[str, timedelta]) -> bool:
        heads = [Seen("main", head, START + at) for head, at in seen]
        return is_passed(listed(*[OLD] * count), DAY, heads)

    early, late, later = timedelta(hours=9), timedelta(hours=12), timedelta(hours=33)
    assert not passed(100, ("120", early), ("60", late)), "a hundred older commits in one push"
    assert passed(200, ("120", early), ("60", late))
    assert passed(100, ("120", later)), "a head of another day"
    assert passed(MOST, ("gone", early)), "taken away by a forced push"


def test_a_window_reaches_down_to_the_head_that_was_seen_in_it() -> None:
    assert shas([YOUNG, OLD, OLD, OLD], seen="2") == "01"
    assert shas([YOUNG, OLD, YOUNG, OLD], seen="1") == "012"
    assert shas([OLD, OLD], seen="0") == ""
    assert shas([YOUNG, OLD], seen="not listed") == "0"
    assert shas([OLD, OLD, OLD], seen="2", at=-YOUNG) == "", "what was pushed before the window"
