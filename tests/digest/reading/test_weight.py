from collections.abc import Callable
from typing import Any

import pytest

from digest.grades import ChangeObject, Importance, Purpose
from digest.models import FileChange, Item, ReadItem, State
from digest.reading.reader import judge, read
from digest.reading.weight import (
    HIGH_PER_DAY,
    NOISE_CAP,
    front_page,
    not_quite_quiet,
    within_quota,
)
from tests.reasons import REASONS

Make = Callable[..., Any]

REMOVED_FLAG = FileChange(
    "engine/cli.py",
    "modified",
    0,
    1,
    "@@ -10,3 +10,2 @@ def main():\n     parser = ArgumentParser()\n"
    '-    parser.add_argument("--old-way", type=int, default=1)\n     run(parser)\n',
)


@pytest.fixture
def grade_of(activity: Make) -> Callable[[Item], tuple[Importance, set[str]]]:
    def of(item: Item) -> tuple[Importance, set[str]]:
        (one,) = judge(activity([item]))
        points, reasons = one.read.score, one.read.reasons
        assert points == sum(reason.points for reason in reasons)
        assert 0 <= points <= 100
        assert {reason.name for reason in reasons[1:]} <= REASONS
        return one.read.importance, {reason.name for reason in reasons}

    return of


@pytest.mark.parametrize(
    ("title", "more"),
    [
        ("Fix deadlock when a client leaves", {}),
        ("Fix wrong output of the sampler", {}),
        ("Remove --old-way", {"files": [REMOVED_FLAG]}),
        ("Stop names from leaving the folder", {"labels": ("security",)}),
        ("Fix path traversal in the loader", {}),
        ("feat!: drop the old way", {}),
        ("Change the queue", {"body": "BREAKING CHANGE: it must be a list."}),
        ("perf: wire", {"body": "Old workers cannot talk to a new server."}),
    ],
)
def test_what_a_user_must_act_on_or_was_harmed_by_is_high(
    pull: Make, grade_of: Make, title: str, more: dict[str, Any]
) -> None:
    assert grade_of(pull(1, title, **more))[0] is Importance.HIGH


@pytest.mark.parametrize(
    ("title", "more"),
    [
        ("Fix deadlock in the tests", {"files": ["tests/test_a.py"]}),
        ("Fix wrong output of the example", {"files": ["examples/a.py"]}),
        ("BREAKING: the page", {"files": ["docs/a.md"], "labels": ("breaking",)}),
        ("docs: security", {"files": ["docs/security.md"]}),
        ("[CI] Cancel what hangs", {"files": [".github/workflows/a.yml"]}),
        ("Add a debug dump", {}),
        ("Refactor the allocator", {}),
    ],
)
def test_what_nobody_who_uses_it_notices_is_low(
    pull: Make, grade_of: Make, title: str, more: dict[str, Any]
) -> None:
    assert grade_of(pull(1, title, **more))[0] is Importance.LOW


def test_a_bot_is_low_unless_it_is_about_security(pull: Make, activity: Make) -> None:
    item = pull(1, "Bump thing from 1 to 2", files=["requirements.txt"], author_is_bot=True)
    urgent = pull(
        2, "Bump thing: CVE-2026-12345", labels=("security",), files=["requirements.txt"],
        author_is_bot=True,
    )  # fmt: skip
    scores = {one.item.number: one.score for one in read(activity([item, urgent])).items}
    assert scores[1] <= NOISE_CAP < scores[2]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("engine/moe/configs/E=8,N=64,device_name=NVIDIA_B200.json", True),
        ("engine/kernels/configs/silu_and_mul_sm_90.json", True),
        ("engine/tuning_configs/v0_1_moe_NVIDIA_GB200.py", True),
        ("engine/tuned/gemm.csv", True),
        ("engine/moe/configs/layers.json", False),
        ("engine/moe/b200.py", False),
        ("engine/tuning.py", False),
    ],
)
def test_values_tuned_for_a_device_are_never_high(
    pull: Make, grade_of: Make, path: str, *, expected: bool
) -> None:
    wanted = {"reactions": 200, "labels": ("enhancement",)}
    item = pull(
        1, "Add Qwen3 for B200 by default", **wanted, files=[FileChange(path, "added", 900, 0)]
    )
    importance, reasons = grade_of(item)
    assert (importance is Importance.MEDIUM) is expected
    assert ("tuned_values_cap" in reasons) is expected


@pytest.mark.parametrize(
    ("title", "more", "expected"),
    [
        ("[Bug] 1.4.0 gives wrong output", {"reactions": 20}, Importance.HIGH),
        ("[Bug] it crashes on SM90", {}, Importance.MEDIUM),
        ("[Bug] odd colours", {"state": State.REOPENED}, Importance.MEDIUM),
        ("[Bug] odd colours", {"labels": ("regression",)}, Importance.MEDIUM),
        ("[Bug] odd colours", {"body": "Since then it crashes."}, Importance.MEDIUM),
        ("[Bug] odd colours", {}, Importance.LOW),
        ("[Bug] it crashes", {"state": State.DUPLICATE}, Importance.LOW),
        ("[Feature] more", {"state": State.NOT_PLANNED}, Importance.LOW),
        ("How do I set it?", {}, Importance.LOW),
        ("RFC: drafts", {"reactions": 50}, Importance.MEDIUM),
    ],
)
def test_issues_are_graded_by_harm_and_by_how_many_speak(
    issue: Make, grade_of: Make, title: str, more: dict[str, Any], expected: Importance
) -> None:
    assert grade_of(issue(1, title, **more))[0] is expected


@pytest.mark.parametrize(
    ("tag", "more", "expected"),
    [
        ("v1.4.0", {}, Importance.HIGH),
        ("v4.4", {}, Importance.HIGH),
        ("v1.4.0rc2", {"state": State.TAGGED}, Importance.MEDIUM),
        ("v1.5.0", {"state": State.PRERELEASE}, Importance.MEDIUM),
        ("nightly", {}, Importance.LOW),
        ("nightly-v1.4.0-20260401", {"state": State.PRERELEASE}, Importance.MEDIUM),
    ],
)
def test_a_final_release_is_high(
    release: Make, grade_of: Make, tag: str, more: dict[str, Any], expected: Importance
) -> None:
    assert grade_of(release(tag, **more))[0] is expected


def high(item: Item, points: int, **more: Any) -> ReadItem:
    return ReadItem(
        **{
            "item": item,
            "purpose": Purpose.FIX,
            "object": ChangeObject.SOURCE,
            "importance": Importance.HIGH,
            "score": points,
            "reasons": (),
            **more,
        }
    )


def test_a_day_has_few_high_items_and_a_week_the_same_ones(
    pull: Make, issue: Make, activity: Make
) -> None:
    first = [high(pull(n, hour=n), 90 - n) for n in range(1, 9)]
    second = [high(pull(50, hour=30), 65), high(issue(60, hour=2), 99)]
    told = within_quota([*first, *second], activity([], days=2).window)
    kept = {one.item.number for one in told if one.importance is Importance.HIGH}
    assert kept == {1, 2, 3, 4, 5, 6, 50}
    assert len(kept - {50}) == HIGH_PER_DAY
    lowered = next(one for one in told if one.item.number == 8)
    assert lowered.importance is Importance.MEDIUM
    assert lowered.reasons[-1].name == "day_quota"


def test_the_front_page_never_has_two_changes_of_one_story(pull: Make) -> None:
    grave = [high(pull(n), 90 - n) for n in range(1, 4)]
    middling = [high(pull(n), 50 - n, importance=Importance.MEDIUM) for n in range(4, 8)]
    of_story = {grave[n].item.key: "blades" for n in (0, 1)} | {middling[0].item.key: "blades"}

    told = front_page((*grave, *middling), of_story)

    assert told == tuple(one.item.key for one in (grave[0], grave[2], middling[1]))


def test_a_lone_large_change_of_a_quiet_repository_is_not_below_the_threshold(
    pull: Make, activity: Make
) -> None:
    large = pull(1, "Refactor everything", additions=5000, deletions=4000)
    small = pull(2, "Refactor a word", additions=1, deletions=1)
    told = not_quite_quiet([high(one, 5, importance=Importance.LOW) for one in (small, large)])
    assert [one.importance for one in told] == [Importance.LOW, Importance.MEDIUM]
    assert told[1].reasons[-1].name == "largest_of_a_quiet_day"
    alone = read(activity([large])).items[0]
    assert alone.importance is not Importance.LOW
    assert alone.score == sum(reason.points for reason in alone.reasons)


def test_a_switched_default_is_high_and_its_title_is_not_counted_again(
    pull: Make, activity: Make
) -> None:
    patch = (
        "@@ -1,2 +1,2 @@ class CacheConfig:\n-    share: bool = False\n+    share: bool = True\n"
    )
    file = FileChange("engine/config.py", "modified", 1, 1, patch)
    change = pull(1, "[3/3] Cache: switch sharing on by default", files=[file])
    for contents in (None, {}):
        (one,) = judge(activity([change]), contents)
        assert one.read.importance is Importance.HIGH
        assert "default_in_title" not in {reason.name for reason in one.read.reasons}
        assert [(f.name, f.before, f.after) for f in one.facts] == [
            ("cache_config.share", "False", "True")
        ]
