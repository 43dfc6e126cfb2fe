"""What to watch stands on evidence, and is not told where there is none."""

from dataclasses import replace
from datetime import timedelta

from digest.grades import Importance, Purpose
from digest.models import Item, Reading, ReadItem, Repo, Revert, State
from digest.reading.outlook import (
    MOST_POINTS,
    MOST_RFCS,
    MOST_TITLES,
    OutlookKind,
    Surroundings,
    WatchFor,
    has_reverted_features,
    outlook,
)
from tests.digest.writing.invented import DAY, REPO, issue, judged, pull, reading, release

AFTER = DAY.end + timedelta(hours=5)
FEATURE = pull(1, "Add a second door")
BACK = pull(2, 'Revert "Add a second door"', at=DAY.start + timedelta(hours=9))
OLD = replace(release("v1.0", ""), at=DAY.start - timedelta(days=3))


def reverted(*more: ReadItem) -> Reading:
    reads = (
        judged(FEATURE, purpose=Purpose.FEATURE, reverted_by=BACK.key),
        judged(BACK, purpose=Purpose.REVERT),
    )
    return reading((*reads, *more), reverts=(Revert(BACK, FEATURE, "#1", 28_800),))


def fix(number: int, importance: Importance = Importance.HIGH, **more: object) -> ReadItem:
    return judged(pull(number, f"Fix {number}"), importance, purpose=Purpose.FIX, **more)


def kinds(
    *readings: Reading, release: Item | None = None, later: tuple[Item, ...] = ()
) -> list[str]:
    return [each.kind.value for each in outlook(readings, {REPO: Surroundings(release, later)})]


def test_a_feature_that_was_taken_back_is_worth_watching() -> None:
    (watch,) = outlook((reverted(),), {})
    assert watch == WatchFor(OutlookKind.REVERTED, REPO, (FEATURE,), 1)
    assert has_reverted_features(reverted())


def test_a_feature_that_landed_again_that_day_or_later_is_not() -> None:
    again = pull(3, "Reland: Add a second door", at=DAY.start + timedelta(hours=12))
    assert kinds(reverted(judged(again, purpose=Purpose.FEATURE))) == []
    assert kinds(reverted(), later=(replace(again, at=AFTER),)) == []
    by_number = pull(4, "Reland #1 with the tail handled", at=AFTER)
    assert kinds(reverted(), later=(by_number,)) == []
    another = pull(6, "Reland #11, another door", at=AFTER)
    assert kinds(reverted(), later=(another,)) == ["reverted"]


def test_weighty_fixes_after_the_last_release_are_told_with_it() -> None:
    (watch,) = outlook(
        (reading((fix(7), fix(8, Importance.MEDIUM, fixes=(9,)))),), {REPO: Surroundings(OLD)}
    )
    assert (watch.kind, watch.count, watch.release) == (OutlookKind.UNRELEASED, 2, OLD)
    assert [item.number for item in watch.items] == [7, 8]


def test_what_may_be_released_or_is_light_is_not() -> None:
    light = reading((fix(7, Importance.MEDIUM), fix(8, Importance.LOW, fixes=(9,))))
    gone = reading((fix(7, reverted_by=BACK.key),))
    assert kinds(light, release=OLD) == kinds(gone, release=OLD) == []
    assert kinds(reading((fix(7),))) == [], "no release is known"
    newer = replace(release("v1.1", ""), at=DAY.start + timedelta(hours=20))
    assert kinds(reading((fix(7), judged(newer))), release=OLD) == [], "released that day"
    trial = replace(newer, state=State.PRERELEASE)
    assert kinds(reading((fix(7), judged(trial))), release=OLD) == ["unreleased"]
    assert kinds(reading((fix(7),)), release=replace(OLD, at=AFTER)) == []


def test_open_rfcs_are_told_the_most_discussed_first() -> None:
    rfcs = [
        judged(issue(n, f"[RFC] Door {n}", comments=n), purpose=Purpose.RFC) for n in range(20, 25)
    ]
    closed = judged(issue(30, "[RFC] Old", state=State.CLOSED), purpose=Purpose.RFC)
    guessed = judged(issue(31, "Roadmap", comments=99), purpose=Purpose.RFC, inferred=True)
    told = outlook((reading((*rfcs, closed, guessed)),), {})
    assert [watch.items[0].number for watch in told] == [24, 23]
    assert len(told) == MOST_RFCS


def test_an_outlook_is_a_few_lines_with_a_few_titles() -> None:
    many = [
        reading(tuple(fix(n) for n in range(10, 20)), repo=Repo("example-org", f"kiln{place}"))
        for place in range(9)
    ]
    told = outlook(many, {each.repo: Surroundings(OLD) for each in many})
    assert len(told) == MOST_POINTS
    assert {(len(watch.items), watch.count) for watch in told} == {(MOST_TITLES, 10)}
