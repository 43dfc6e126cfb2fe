"""Which change of a window a fix says it mends, and what is none however near a number stands."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.models import Activity, Item
from digest.reading.reader import read
from digest.reading.regressions import Regression, regressions

Make = Callable[..., Any]


def of(day: Activity) -> dict[str, Regression]:
    return regressions(read(day).items)


@pytest.fixture
def cause(pull: Make) -> Item:
    item: Item = pull(7, "[Core] Fuse the norm", hour=1)
    return item


@pytest.mark.parametrize(
    "title",
    [
        "[Bugfix] Fix offloading broken by #7",
        "[Bugfix] Fix Ember-3 regression from #7",
        "fix(ember): keep the overlap (regressed by #7)",
        "[Fix] Restore graph support dropped by #7",
        "[Bugfix] Fix wrong choice of rings introduced by #7",
        "[Bugfix] Fix config bug caused by PR #7",
        "[fix] Fix two regressions due to the norm change (#7)",
        "[Bugfix] Fix for the import error from #7",
        "[Bugfix] Fix mocks after #7",
        "Fix issues from #7",
    ],
)
def test_a_fix_that_names_what_broke_in_its_title_is_told_with_it(
    activity: Make, pull: Make, cause: Item, title: str
) -> None:
    fix = pull(9, title, hour=3.5)
    assert of(activity([cause, fix])) == {fix.key: Regression(cause, 9000)}


@pytest.mark.parametrize(
    "body",
    [
        "Fix error introduced by #7",
        "## Description\n\nFix the missing `heat` argument introduced in #7 .",
        "The offloading was broken by [#7](https://github.com/example/engine/pull/7).",
        "PR #7 introduced a bug by replacing some branches.",
        "A change of messages in #7 caused this failure.",
        "Fix the symbolic-shape regression\nfrom #7.",
    ],
)
def test_a_fix_that_names_what_broke_in_its_description_is_told_with_it(
    activity: Make, pull: Make, cause: Item, body: str
) -> None:
    fix = pull(9, "[Bugfix] Fix the heat of the norm", hour=2, body=body)
    assert of(activity([cause, fix])) == {fix.key: Regression(cause, 3600)}


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("[Bugfix] Fix the heat (#7)", "Follow-up to #7."),
        ("[Bugfix] Fix the heat", "It follows the anchor introduced by #7."),
        ("[Bugfix] Fix the heat", "Uses the default that was introduced in #7."),
        ("[Bugfix] Fix the heat", "Extends the fix introduced by #7."),
        ("[Bugfix] Fix the heat", "This is not a regression from #7."),
        ("[Bugfix] Fix the heat", "I believe it was broken by #7."),
        ("[Bugfix] Fix the heat", "Likely a bug introduced in #7."),
        ("[Bugfix] Fix the heat", "The same bug from #7 in another oven."),
        ("[Bugfix] Fix the heat", "The regression from #7 was fixed in #8."),
        ("[Bugfix] Fix the heat", "Fixes the leak by using the pool introduced in #7."),
        ("[Bugfix] Fix the heat reported in #7", ""),
        ("[Bugfix] Fix the heat with #7", ""),
        ("[Bugfix] Fix nits from #7", ""),
        ("[Bugfix] Fix the heat", "Broken by example/other#7."),
        ("[Bugfix] Fix the heat", "<!-- broken by #7 -->"),
        ("[Bugfix] Fix lint introduced in #7", ""),
        ("[Bugfix] Cherry-pick the fix of heat from #7", ""),
        ("[Bugfix] Fix heat broken by #77", ""),
        ("[Feature] Share heat, broken by #7", ""),
        ('Revert "Fuse the norm", broken by #7', "Reverts #7"),
    ],
)
def test_a_number_that_no_fix_blames_is_no_cause(
    activity: Make, pull: Make, cause: Item, title: str, body: str
) -> None:
    assert of(activity([cause, pull(9, title, hour=2, body=body)])) == {}


def test_what_is_no_change_of_the_window_or_landed_later_broke_nothing(
    activity: Make, pull: Make, issue: Make, cause: Item
) -> None:
    fix = pull(9, "[Bugfix] Fix offloading broken by #7", hour=2)
    assert of(activity([fix])) == {}
    assert of(activity([fix, issue(7, hour=1)])) == {}
    assert of(activity([fix, replace(cause, at=fix.at.replace(hour=3))])) == {}


def test_a_fix_never_mends_itself(activity: Make, pull: Make) -> None:
    assert of(activity([pull(9, "[Bugfix] Fix what was broken by #9", hour=2)])) == {}
