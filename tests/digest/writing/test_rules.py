"""The sentences of a digest, without a model."""

from dataclasses import replace

import pytest

from digest.grades import Importance
from digest.languages import Language
from digest.models import Revert
from digest.writing.rules import write
from tests.digest.writing import invented
from tests.digest.writing.invented import COLLECTED, judged, pull, reading, release

EN, ZH = Language.EN, Language.ZH


def headline(read, language: Language = EN) -> str:
    return write(read, COLLECTED).headline[language]


def test_a_window_in_which_nothing_happened_is_quiet() -> None:
    assert headline(invented.quiet()) == "Quiet: no commits, no issues, no releases."
    assert headline(invented.quiet(), ZH) == "无动静：没有提交、Issue 和发布。"


def test_issues_without_commits_are_not_quiet() -> None:
    assert headline(invented.issues_only()) == "No commits; 1 issue opened. Oven stays hot #90"
    assert headline(invented.issues_only(), ZH) == "没有提交；新开 Issue 1 项。Oven stays hot #90"


def test_changes_below_the_threshold_are_counted_and_said_to_be_below() -> None:
    assert headline(invented.none_above()) == "1 change, of low importance."
    assert headline(invented.none_above(), ZH) == "1 项变更，均为低重要度。"


def test_a_source_that_failed_never_looks_quiet() -> None:
    assert headline(invented.unseen()) == "Could not look: no requests are left until 07:30 UTC."
    assert headline(invented.unseen(), ZH).startswith("未能查看：")
    assert "No commits" not in headline(invented.gap())
    assert headline(invented.gap()) == "1 issue opened."
    assert headline(replace(invented.gap(), items=(), counts=invented.quiet().counts)) == (
        "The commits could not be looked at."
    )


def test_a_source_that_gave_something_was_looked_at_in_part() -> None:
    day = replace(invented.busy(), gaps=invented.unseen().gaps)

    assert headline(day).startswith(
        "Could look only in part: no requests are left until 07:30 UTC. 10 changes, 2 of them"
    )


def test_a_reverted_change_is_not_what_the_headline_names() -> None:
    gone = judged(pull(1, "Gone"), Importance.HIGH, reverted_by="x:pull_request:2")
    stays = judged(pull(3, "Stays"), Importance.MEDIUM)

    assert headline(reading((gone, stays))).endswith("Stays #3")


def test_a_release_comes_before_a_medium_change_in_the_headline() -> None:
    made = judged(release("v2.0.0", ""), Importance.MEDIUM)
    change = judged(pull(3, "Stays"), Importance.MEDIUM)

    assert headline(reading((change, made))).endswith("1 release. v2.0.0")
    trial = judged(release("v2.0.0rc1", ""), Importance.LOW)
    assert "1 release; 1 pre-release." in headline(reading((change, made, trial)))


def test_a_revert_is_told_with_what_it_reverts_and_the_time_between() -> None:
    points = [p for p in write(invented.busy(), COLLECTED).points if len(p.cites) == 2]

    assert points[0].text[EN] == (
        "Fuse glazing and drying #103, reverted by #104 4 h 44 min after merging."
    )
    assert points[0].text[ZH] == "Fuse glazing and drying #103，合并 4 小时 44 分钟后由 #104 回退。"
    assert len(points) == 1


@pytest.mark.parametrize(
    ("seconds", "en", "zh"),
    [
        (59, "less than a minute", "不到 1 分钟"),
        (60, "1 min", "1 分钟"),
        (3600, "1 h", "1 小时"),
        (3 * 86400, "3 d", "3 天"),
        (86400 + 7200, "1 d 2 h", "1 天 2 小时"),
    ],
)
def test_durations_are_told_in_two_units_at_most(seconds: int, en: str, zh: str) -> None:
    back, gone = pull(2, "Back"), pull(1, "Gone")
    day = reading((judged(back),), reverts=(Revert(back, gone, "#1", seconds),))

    (point,) = write(day, COLLECTED).points
    assert f"reverted by #2 {en} after merging" in point.text[EN]
    assert f"合并 {zh}后由" in point.text[ZH]


def test_a_revert_without_times_gives_none() -> None:
    back, gone = pull(2, "Back"), pull(1, "Gone")
    day = reading((judged(back),), reverts=(Revert(back, gone, "#1", None),))

    assert write(day, COLLECTED).points[0].text[EN] == "Gone #1, reverted by #2."
