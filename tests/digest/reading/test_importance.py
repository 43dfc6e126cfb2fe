from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from digest.grades import ChangeObject, Importance, Noise, Purpose, Reason
from digest.models import FileChange, Item, ReadItem, State, UpgradeNote
from digest.reading.change import purpose, touched
from digest.reading.importance import (
    ASIDE_CAP,
    HIGH_PER_DAY,
    NOISE_CAP,
    SUPPLY_CAP,
    grade,
    gravity,
    score,
    within_quota,
)
from digest.reading.reader import read
from digest.reading.signals import REASONS, Context

Make = Callable[..., Any]


def graded(
    item: Item,
    notes: Sequence[UpgradeNote] = (),
    noise: Noise | None = None,
    context: Context | None = None,
) -> tuple[Importance, set[str]]:
    points, reasons = score(item, purpose(item)[0], touched(item), notes, noise, context)
    assert points == sum(reason.points for reason in reasons)
    assert 0 <= points <= 100
    assert reasons[0].name == purpose(item)[0].value
    assert {reason.name for reason in reasons[1:]} <= set(REASONS)
    return grade(points), {reason.name for reason in reasons}


def note(
    kind: str,
    change: str,
    name: str = "thing",
    before: str | None = None,
    after: str | None = None,
    path: str = "engine/a.py",
) -> UpgradeNote:
    return UpgradeNote(kind, change, name, before, after, path, 1, ("key",))


HIGH = [
    ("Fix deadlock when a client leaves", {}, ()),
    ("Rename --max-batch to --limit", {}, (note("flag", "renamed"),)),
    ("Remove --old", {}, (note("flag", "removed"),)),
    ("Listen elsewhere", {}, (note("default", "changed", "--port", "1", "2"),)),
    ("Require a newer Python", {}, (note("python", "changed", "requires-python"),)),
    ("Stop names from leaving the folder", {"labels": ("security",)}, ()),
    ("Fix path traversal in the loader", {}, ()),
    ("feat!: drop the old way", {}, ()),
    ("Change the queue", {"body": "BREAKING CHANGE: it must be a list."}, ()),
    ("perf: wire", {"body": "Old workers cannot talk to a new server."}, ()),
    ("Release 1.4.0", {"files": ["pyproject.toml"]}, ()),
    (
        "Build images on a new base",
        {"files": ["docker/Dockerfile"], "body": "Needs driver 570 or newer."},
        (note("dependency", "changed", "nvidia/cuda", path="docker/Dockerfile"),),
    ),
    (
        "Read the timeout in milliseconds",
        {},
        (note("env", "renamed", "T_MS", "T (seconds, 30)", "T_MS (milliseconds, 30000)"),),
    ),
]


@pytest.mark.parametrize(("title", "more", "notes"), HIGH)
def test_what_a_user_must_act_on_or_was_harmed_by_is_high(
    pull: Make, title: str, more: dict[str, Any], notes: tuple[UpgradeNote, ...]
) -> None:
    assert graded(pull(1, title, **more), notes)[0] is Importance.HIGH


MEDIUM = [
    ("Add a queue", {}, ()),
    ("Fix the order of a list", {}, ()),
    ("perf: 10x faster on SM120", {}, ()),
    ("Fuse the norm", {"body": "| a |\n|---|\n| 9.5x |"}, ()),
    ("[Model] Support SM120 model", {}, ()),
    ("Leave more free", {}, (note("default", "changed", "memory.part", "0.9", "0.8"),)),
    ("Deprecate a method", {}, (note("signature", "deprecated"),)),
    ("Rename policy", {"body": "The old key still works."}, (note("config", "renamed"),)),
    ("Move tools", {}, (note("module", "renamed"),)),
    ('Revert "Add a queue"', {}, (note("flag", "removed"),)),
    ("[Build] Bump flashinfer", {"files": ["a.toml"]}, (note("dependency", "changed", "vllm"),)),
]


@pytest.mark.parametrize(("title", "more", "notes"), MEDIUM)
def test_what_a_user_can_notice_is_medium(
    pull: Make, title: str, more: dict[str, Any], notes: tuple[UpgradeNote, ...]
) -> None:
    assert graded(pull(1, title, **more), notes)[0] is Importance.MEDIUM


LOW = [
    ("Split the allocator", {}, ()),
    ("Let pages be shared", {"body": "Off until #40."}, ()),
    ("Add a debug dump", {}, ()),
    ("Bump third_party/fastmath", {"files": ["third_party/fastmath"]}, ()),
    ("Fix deadlock in the tests", {"files": ["tests/test_a.py"]}, ()),
    ("Fix wrong output of the example", {"files": ["examples/a.py"]}, ()),
    ("Add --flag", {"files": ["benchmarks/a.py"]}, (note("flag", "removed", path="bench/a.py"),)),
    ("BREAKING: the page", {"files": ["docs/a.md"], "labels": ("breaking",)}, ()),
    ("docs: security", {"files": None}, ()),
]


@pytest.mark.parametrize(("title", "more", "notes"), LOW)
def test_what_nobody_who_uses_it_notices_is_low(
    pull: Make, title: str, more: dict[str, Any], notes: tuple[UpgradeNote, ...]
) -> None:
    assert graded(pull(1, title, **more), notes)[0] is Importance.LOW


def test_a_name_with_digits_is_no_speed(pull: Make) -> None:
    assert "stated_speed" not in graded(pull(1, "perf: tune SM120 for 2x4 tiles"))[1]
    assert "stated_speed" in graded(pull(1, "perf: ~9.5x on long prompts"))[1]


def test_an_alias_that_stays_halves_a_renamed_flag(pull: Make) -> None:
    item = pull(1, "Rename --a to --b", body="The old one still works.")
    assert graded(item, [note("flag", "renamed")])[0] is Importance.MEDIUM


def test_what_was_reported_weighs_on_the_fix(pull: Make, issue: Make) -> None:
    told = issue(4, "1.4.0 does not start on a laptop", reactions=16)
    item = pull(1, "Fix start-up without a card", body="Fixes #4")
    assert graded(item)[0] is Importance.MEDIUM
    grade_, names = graded(item, context=Context(closed=(told,)))
    assert grade_ is Importance.HIGH
    assert {"harm_reported", "harm_in_release", "asked_for", "closes_issue"} <= names


def test_a_change_that_was_taken_back_is_not_high(pull: Make) -> None:
    item = pull(1, "Fix wrong results in the sampler")
    assert graded(item)[0] is Importance.HIGH
    assert graded(item, context=Context(reverted=True))[0] is Importance.MEDIUM


def test_the_end_of_a_series_that_switches_on_is_high(pull: Make) -> None:
    item = pull(1, "perf: switch sharing on")
    switched = note("default", "changed", "cache.share", "false", "true")
    assert graded(item, [switched], context=Context(ends_series=True))[0] is Importance.HIGH


def test_a_bot_is_low_unless_it_is_about_security(pull: Make) -> None:
    item = pull(1, "Bump thing from 1 to 2", files=["requirements.txt"])
    points, _ = score(item, Purpose.CHORE, ChangeObject.DEPENDENCY, (), Noise.BOT)
    assert points <= NOISE_CAP
    urgent = pull(1, "Bump thing", body="CVE-2026-12345", files=["requirements.txt"])
    assert score(urgent, Purpose.CHORE, ChangeObject.DEPENDENCY, (), Noise.BOT)[0] > NOISE_CAP


def test_a_cap_is_a_reason_with_the_points_it_takes(pull: Make) -> None:
    item = pull(1, "Fix deadlock", files=["tests/test_a.py"])
    points, reasons = score(item, Purpose.FIX, ChangeObject.TEST)
    assert points == ASIDE_CAP
    assert reasons[-1] == Reason("nothing_that_runs", ASIDE_CAP - 36 - 26)
    built = pull(1, "Add a build stage", files=["docker/Dockerfile"])
    assert score(built, Purpose.FEATURE, ChangeObject.BUILD)[0] == SUPPLY_CAP


def test_a_large_feature_weighs_more_and_a_large_refactoring_does_not(pull: Make) -> None:
    large = [FileChange("engine/a.py", "modified", 900, 0)]
    huge = [FileChange("csrc/a.cu", "modified", 9000, 0)]
    assert "large" in graded(pull(1, "Add a queue", files=large))[1]
    assert {"very_large", "kernel"} <= graded(pull(1, "Add a queue", files=huge))[1]
    assert "large" not in graded(pull(1, "Refactor the queue", files=large))[1]


@pytest.mark.parametrize(
    ("title", "more", "expected"),
    [
        ("[Bug] 1.4.0 gives wrong output", {"reactions": 20}, Importance.HIGH),
        ("[Bug] it crashes on SM90", {}, Importance.MEDIUM),
        ("[Bug] odd colours", {"state": State.REOPENED}, Importance.MEDIUM),
        ("[Bug] it crashes", {"state": State.DUPLICATE}, Importance.LOW),
        ("[Feature] more", {"state": State.NOT_PLANNED}, Importance.LOW),
        ("How do I set it?", {}, Importance.LOW),
        ("RFC: drafts", {"reactions": 50}, Importance.MEDIUM),
    ],
)
def test_issues_are_graded_by_harm_and_by_how_many_speak(
    issue: Make, title: str, more: dict[str, Any], expected: Importance
) -> None:
    assert graded(issue(1, title, **more))[0] is expected


@pytest.mark.parametrize(
    ("tag", "more", "context", "expected"),
    [
        ("v1.4.0", {}, Context(), Importance.HIGH),
        ("v1.4.0", {}, Context(released=True), Importance.MEDIUM),
        ("v4.4", {}, Context(), Importance.HIGH),
        ("v1.4.0rc2", {"state": State.TAGGED}, Context(), Importance.MEDIUM),
        ("v1.5.0", {"state": State.PRERELEASE}, Context(), Importance.MEDIUM),
        ("nightly", {}, Context(), Importance.LOW),
    ],
)
def test_a_final_release_is_high_once(
    release: Make, tag: str, more: dict[str, Any], context: Context, expected: Importance
) -> None:
    assert graded(release(tag, **more), context=context)[0] is expected


def test_a_day_has_few_high_items_and_a_week_the_same_ones(
    pull: Make, issue: Make, activity: Make
) -> None:
    def high(item: Item, points: int) -> ReadItem:
        return ReadItem(
            item=item,
            purpose=Purpose.FIX,
            object=ChangeObject.SOURCE,
            importance=Importance.HIGH,
            score=points,
            reasons=(),
            theme="other",
        )

    first = [high(pull(n, hour=n), 70 + n) for n in range(1, 9)]
    second = [high(pull(50, hour=30), 65), high(issue(60, hour=2), 99)]
    whole = activity([], days=2).window
    told = within_quota([*first, *second], whole)
    kept = {one.item.number for one in told if one.importance is Importance.HIGH}
    assert kept == {3, 4, 5, 6, 7, 8, 50}
    assert len(kept - {50}) == HIGH_PER_DAY
    lowered = next(one for one in told if one.item.number == 1)
    assert lowered.importance is Importance.MEDIUM
    assert lowered.reasons[-1].name == "day_quota"
    assert lowered.score == 71


def test_an_issue_from_before_the_window_counts_on_its_first_day(
    issue: Make, activity: Make
) -> None:
    window = activity([]).window
    old = issue(1, at=window.start - timedelta(days=90))
    one = ReadItem(old, Purpose.BUG_REPORT, ChangeObject.OTHER, Importance.HIGH, 80, (), "other")
    assert within_quota([one], window) == (one,)


def ranked(item: Item, points: int, *reasons: str, reverted_by: str | None = None) -> ReadItem:
    return ReadItem(
        item,
        Purpose.FIX,
        ChangeObject.SOURCE,
        Importance.HIGH,
        points,
        tuple(Reason(name, 1) for name in reasons),
        "other",
        reverted_by=reverted_by,
    )


def test_the_gravest_of_a_day_stay_high(pull: Make, activity: Make) -> None:
    items = [
        ranked(pull(1, "Fast"), 90),
        ranked(pull(2, "Release 1.0"), 99, "release"),
        ranked(pull(3), 70, "harm"),
        ranked(pull(4), 71, "breaking"),
        ranked(pull(5), 65, "security"),
        ranked(pull(6, "Do not lose data at shutdown"), 64),
        ranked(pull(7), 95, "harm", reverted_by="key"),
    ]
    assert [gravity(one) for one in items] == [4, 3, 2, 1, 0, 0, 4]
    more = [ranked(pull(8), 66, "harm")]
    told = within_quota([*items, *more], activity([]).window)
    kept = {one.item.number for one in told if one.importance is Importance.HIGH}
    assert kept == {2, 3, 4, 5, 6, 8}


def test_security_comes_before_a_break_of_the_same_score(pull: Make, activity: Make) -> None:
    breaks = pull(1, "feat!: rename it", labels=("breaking",), comments=900)
    safe = pull(2, "[Security] Never unpickle unless told to", labels=("security", "breaking"))
    told = read(activity([breaks, safe])).items
    assert [one.item.number for one in told] == [2, 1]
    assert told[0].purpose is Purpose.FIX


def test_a_label_of_wrong_results_is_harm(pull: Make) -> None:
    item = pull(1, "[Bugfix] Cache gave pages to another", labels=("correctness",))
    grade_, names = graded(item)
    assert (grade_, "harm" in names) == (Importance.HIGH, True)


def test_what_a_passive_sentence_requires_is_required(pull: Make) -> None:
    item = pull(1, "Build on CUDA 13.0", body="**A driver of 580 or newer is needed** to run it.")
    assert "requirement" in graded(item)[1]


def test_tables_of_tuned_values_alone_are_low(pull: Make) -> None:
    table = pull(1, "Tuned MoE tiles for four cards", files=["engine/tiles/h100.json"])
    with_code = pull(2, "Tuned MoE tiles for four cards", files=["engine/tiles.py", "a/b.json"])
    config = pull(3, "Add config file for fused MoE", files=["engine/moe/E=8.json"])
    assert graded(table)[0] is Importance.LOW
    assert graded(with_code)[0] is Importance.MEDIUM
    assert graded(config)[0] is Importance.LOW


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("speed up the kernel build", Importance.LOW),
        ("[CI] Reduce end-to-end fusion test time", Importance.LOW),
        ("Speed up building of the batch", Importance.MEDIUM),
    ],
)
def test_the_speed_of_the_workshop_is_nobodys_who_uses_it(
    pull: Make, title: str, expected: Importance
) -> None:
    assert graded(pull(1, title))[0] is expected
