"""What was collected comes back by window: once, with gaps, and with what is known beyond it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.grades import Purpose
from digest.models import (
    Activity,
    Event,
    FileChange,
    Gap,
    Item,
    Kind,
    Notice,
    NoticeKind,
    Reading,
    Repo,
    Revert,
    State,
    Window,
)
from digest.reading.outlook import Surroundings
from digest.store.activity import LANDED_AGAIN, StoredActivity, known_of
from digest.store.store import Store, open_store
from tests.conftest import on_both_databases
from tests.digest.sources.git.workshop import REPO as CLONED
from tests.digest.sources.git.workshop import Workshop, february, source
from tests.digest.writing.invented import DAY, REPO, judged, pull, reading, release
from tests.phrases import gap as gap_of

TURBINE = Repo("example-org", "turbine")
NO_ISSUES = gap_of("issues", "the server did not answer")


@pytest.fixture
def stored(store):
    return store.activity("github")


async def told_of(stored: StoredActivity, window: Window) -> Activity | None:
    """Give the activity of a window, None unless all of it is covered."""
    return None if await stored.missing(TURBINE, window) else await stored.read(TURBINE, window)


@pytest.fixture
def issue(pull):
    def make(number, at, *events, **more):
        return pull(
            number,
            at,
            key=f"{TURBINE}:issue:{number}",
            kind=Kind.ISSUE,
            state=State.OPEN,
            events=tuple(Event(name, when) for name, when in events),
            **more,
        )

    return make


@on_both_databases
async def test_an_activity_comes_back_as_it_was_saved(stored, activity, pull, day, moment) -> None:
    hunks = FileChange("a.py", "modified", 2, 1, "@@ -1 +1 @@\n-你好\n+\x00 bin \u202e" * 500)
    one = pull(1, moment(11, 3), files=(hunks,), labels=("perf", "数据"), closes=(7,))
    two = pull(2, moment(11, 5), title="🔥" * 5000, body="\u200b<!-- -->")
    after = pull(3, moment(12, 4))
    notice = Notice(NoticeKind.FORCED_PUSH, "a" * 40, "b" * 40)
    saved = activity(day(11), one, two, later=(after,), notices=(notice,))

    await stored.save(saved)

    assert await told_of(stored, day(11)) == saved


async def test_a_window_is_half_open(stored, activity, pull, day, moment) -> None:
    first, last = pull(1, moment(11)), pull(2, moment(12) - timedelta(microseconds=1))
    outside = pull(3, moment(12))
    await stored.save(activity(day(11), first, last))
    await stored.save(activity(day(12), outside))

    told = await told_of(stored, day(11))

    assert told is not None
    assert told.items == (first, last)


async def test_a_gap_does_not_spoil_what_was_complete(stored, activity, pull, day, moment) -> None:
    one = pull(1, moment(11, 3))
    await stored.save(activity(day(11), one))
    await stored.save(activity(day(11), gaps=(NO_ISSUES,), collected_at=moment(13)))

    told = await told_of(stored, day(11))

    assert told is not None
    assert (told.items, told.gaps) == ((one,), ())


async def test_patches_that_are_lost_are_told_on_the_day_of_what_lacks_them(
    stored, activity, pull, day, moment
) -> None:
    both = Window(moment(11), moment(13), "UTC", "2026-02-11..2026-02-12")
    lost = gap_of("patches", "a content is gone", lasting=True)
    poor = pull(1, moment(11, 3), detail_missing=("patches",))
    whole = pull(2, moment(12, 3))
    await stored.save(activity(both, poor, whole, gaps=(lost,)))

    told = [await told_of(stored, one) for one in (day(11), day(12), both)]

    assert [one and one.gaps for one in told] == [(lost,), (), (lost,)]


@on_both_databases
async def test_an_issue_collected_again_has_its_newer_state_and_all_events(
    stored, activity, issue, day, moment
) -> None:
    opened = ("opened", moment(11, 3))
    closed = ("closed", moment(12, 4))
    await stored.save(activity(day(11), issue(7, moment(11, 3), opened)))
    await stored.save(activity(day(12), issue(7, moment(11, 3), closed, comments=5)))

    first = await told_of(stored, day(11))
    second = await told_of(stored, day(12))

    assert first is not None
    assert second is not None
    assert first.items == second.items
    assert first.items[0].comments == 5
    assert first.items[0].events == (Event(*opened), Event(*closed))


async def test_an_older_answer_does_not_replace_a_newer_one(
    stored, activity, pull, day, moment
) -> None:
    newer = pull(1, moment(11, 3), comments=9)
    await stored.save(activity(day(11), newer, collected_at=moment(13)))
    await stored.save(activity(day(11), pull(1, moment(11, 3)), collected_at=moment(12)))

    told = await told_of(stored, day(11))

    assert told is not None
    assert told.items == (newer,)


async def test_a_change_merely_seen_later_never_replaces_the_whole_one(
    stored, activity, pull, day, moment
) -> None:
    whole = pull(2, moment(12, 4), files=(FileChange("a.py", "added", 1, 0, "@@"),))
    glimpsed = pull(2, moment(12, 4))
    await stored.save(activity(day(11), later=(glimpsed,)))
    await stored.save(activity(day(12), whole))
    await stored.save(activity(day(11), later=(glimpsed,), collected_at=moment(14)))

    told = await told_of(stored, day(12))

    assert told is not None
    assert told.items == (whole,)


async def test_a_commit_that_a_forced_push_took_away_is_gone(
    stored, activity, pull, day, moment
) -> None:
    kept, gone = pull(1, moment(11, 3)), pull(2, moment(11, 4))
    await stored.save(activity(day(11), kept, gone))
    await stored.save(activity(day(11), kept, collected_at=moment(13)))

    told = await told_of(stored, day(11))

    assert told is not None
    assert told.items == (kept,)


async def test_a_commit_that_landed_late_moves_to_its_day(
    stored, activity, pull, day, moment
) -> None:
    guessed, landed = pull(1, moment(11, 3)), pull(1, moment(12, 3))
    await stored.save(activity(day(11), guessed))
    await stored.save(activity(day(12), landed))

    before, after = await told_of(stored, day(11)), await told_of(stored, day(12))

    assert before is not None
    assert after is not None
    assert (before.items, after.items) == ((), (landed,))


@on_both_databases
async def test_a_pull_request_is_told_with_the_commits_that_name_it(
    stored, activity, pull, day, moment
) -> None:
    merged = pull(1, moment(12) - timedelta(seconds=1))
    commit = replace(
        merged,
        at=moment(12),
        key=f"{TURBINE}:commit:{'a' * 40}",
        kind=Kind.COMMIT,
        number=None,
        pull_request=1,
        commits=("a" * 40,),
    )
    await stored.save(activity(replace(day(11), end=moment(13)), merged, commit))

    told = await told_of(stored, day(12))

    assert told is not None
    assert told.items == (merged, commit)


@on_both_databases
async def test_stored_items_are_found_by_time_and_reverts_by_when_they_were_learnt(
    stored, activity, pull, day, moment
) -> None:
    one = pull(1, moment(11, 3))
    revert = pull(2, moment(12, 3), title='Revert "Turn blade 1"')
    await stored.save(activity(day(11), one))
    await stored.save(activity(day(12), revert))

    assert await stored.between(TURBINE, moment(11, 3), moment(12, 3)) == (one,)
    assert await stored.reverting_since(TURBINE, moment(12), moment(12, 9)) == (revert,)
    assert await stored.reverting_since(TURBINE, moment(12), moment(13, 9)) == ()
    assert await stored.reverting_since(TURBINE, moment(13), moment(12, 9)) == ()


@on_both_databases
async def test_a_poorer_answer_does_not_take_details_away(
    stored, activity, pull, day, moment
) -> None:
    rich = pull(1, moment(11, 3), files=(FileChange("a.py", "added", 1, 0, "@@"),))
    poor = pull(1, moment(11, 3), detail_missing=("files", "patches"))
    await stored.save(activity(day(11), rich))
    await stored.save(activity(day(11), poor, gaps=(NO_ISSUES,), collected_at=moment(13)))
    kept = await told_of(stored, day(11))
    await stored.save(activity(day(12), pull(2, moment(12, 3), detail_missing=("files",))))
    await stored.save(
        activity(day(12), pull(2, moment(12, 3), detail_missing=("body",)), collected_at=moment(14))
    )
    as_poor = await told_of(stored, day(12))

    assert kept is not None
    assert as_poor is not None
    assert kept.items == (rich,)
    assert as_poor.items[0].detail_missing == ("body",)


async def test_what_a_window_takes_back_comes_from_its_collection_and_from_older_days(
    stored, activity, pull, day, moment
) -> None:
    hunks = FileChange("a.py", "modified", 2, 1, "@@ -1 +1 @@")
    known = pull(1, moment(10, 3), title="Surroundings", files=(hunks,))
    asked = pull(2, moment(1, 3), title="Asked")
    reverts = [
        pull(3, moment(11, 3), title='Revert "Known" (#1)'),
        pull(4, moment(11, 4), title='Revert "Asked" (#2)'),
    ]
    await stored.save(activity(day(10), known))
    await stored.save(activity(day(11), *reverts, earlier=(asked,)))
    told = await told_of(stored, day(11))
    assert told.earlier == (replace(known, files=None), asked)
    assert told.items == tuple(reverts)


async def test_a_late_push_is_told_on_the_day_on_which_it_could_be_seen(
    store: Store, tmp_path: Path
) -> None:
    shop, stored = Workshop(tmp_path / "turbine"), store.activity("git")

    async def told(window: Window, hour: int) -> list[str]:
        now = datetime(2026, 2, 9, tzinfo=UTC) + timedelta(hours=hour)
        git = source(shop.folder, now=now, seen=stored.seen_since)
        for part in await stored.missing(CLONED, window):
            await stored.save(await git.collect(CLONED, part))
        known = await stored.read(CLONED, window)
        return [item.commits[0] for item in known.items] if known else []

    shop.change(2)
    assert await told(february(8), hour=9) == []
    on_friday = shop.change(6, "Made on Friday, pushed on Monday")
    week = february(2, 8)
    assert on_friday not in await told(week, hour=12), "somebody else asks for the week"
    after = shop.change("2026-02-09T18:00:00Z")
    assert await told(february(9), hour=33) == [on_friday, after]
    assert await told(february(10), hour=57) == []


async def test_a_look_that_was_repeated_still_tells_when_a_late_push_came(
    store: Store, tmp_path: Path
) -> None:
    shop, stored = Workshop(tmp_path / "turbine"), store.activity("git")

    async def look(window: Window, hour: int, *gaps: Gap) -> list[str]:
        now = datetime(2026, 2, 9, tzinfo=UTC) + timedelta(hours=hour)
        git = source(shop.folder, now=now, seen=stored.seen_since)
        assert await stored.missing(CLONED, window) == (window,)
        await stored.save(replace(await git.collect(CLONED, window), gaps=gaps))
        known = await stored.read(CLONED, window)
        assert known
        assert known.gaps == gaps
        return [item.commits[0] for item in known.items]

    shop.change(2)
    assert await look(february(8), 9, gap_of("issues", "GitHub hangs")) == []
    on_friday = shop.change(6, "Made on Friday, pushed on Monday")
    assert await look(february(8), 12) == []
    after = shop.change("2026-02-09T18:00:00Z")
    assert await look(february(9), 33) == [on_friday, after]


FEATURE = pull(1, "Add a second door")
BACK = pull(2, 'Revert "Add a second door"')
REVERTED = reading(
    (judged(FEATURE, purpose=Purpose.FEATURE), judged(BACK)),
    reverts=(Revert(BACK, FEATURE, "#1", 1),),
)
OLD = replace(release("v1.0", ""), at=DAY.start - timedelta(days=2, hours=-3))


def collected(items: tuple[Item, ...], start: datetime, end: datetime) -> Activity:
    return Activity(REPO, Window(start, end, "UTC", ""), items, end, "github")


async def known(read: Reading, *activities: Activity, now: datetime = DAY.end) -> Surroundings:
    async with open_store("sqlite://") as store:
        activity = store.activity("github")
        for each in activities:
            await activity.save(each)
        return (await known_of(activity, [read], now))[REPO]


async def test_the_last_release_is_known_where_all_since_was_looked_at() -> None:
    days = collected((OLD, FEATURE), DAY.start - timedelta(days=3), DAY.end)
    assert (await known(reading(), days)).release == OLD


async def test_a_release_before_a_day_that_was_not_looked_at_is_not_known_to_be_the_last() -> None:
    old = collected((OLD,), DAY.start - timedelta(days=3), DAY.start - timedelta(days=1))
    today = collected((FEATURE,), DAY.start, DAY.end)
    assert (await known(reading(), old, today)).release is None


async def test_a_release_of_the_future_or_for_trial_is_not_the_last() -> None:
    trial = replace(release("v1.1rc1", "", state=State.PRERELEASE), at=DAY.start)
    later = replace(release("v2.0", ""), at=DAY.end + timedelta(hours=1))
    start, end = DAY.start - timedelta(days=3), DAY.end + timedelta(days=1)
    assert (await known(reading(), collected((OLD, trial, later), start, end))).release == OLD


async def test_what_landed_later_is_looked_up_only_where_a_feature_was_taken_back() -> None:
    again = pull(3, "Reland: Add a second door", at=DAY.end + timedelta(days=1))
    far = pull(4, "Reland: other", at=DAY.end + LANDED_AGAIN)
    now = DAY.end + timedelta(days=99)
    days = collected((FEATURE, BACK, again, far), DAY.start, now)
    assert (await known(REVERTED, days, now=now)).later == (again,)
    assert (await known(reading((judged(FEATURE),)), days, now=now)).later == ()
    assert (await known(REVERTED, days, now=DAY.end)).later == ()
