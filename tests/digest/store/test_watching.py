"""What the store knows beyond a reading: a release only where nothing after it is unknown."""

from dataclasses import replace
from datetime import datetime, timedelta

from digest.grades import Purpose
from digest.models import Activity, Item, Reading, Revert, State, Window
from digest.reading.outlook import Known
from digest.store.activity import LANDED_AGAIN, known_of
from digest.store.store import open_store
from tests.digest.writing.invented import DAY, REPO, judged, pull, reading, release

FEATURE = pull(1, "Add a second door")
BACK = pull(2, 'Revert "Add a second door"')
REVERTED = reading(
    (judged(FEATURE, purpose=Purpose.FEATURE), judged(BACK)),
    reverts=(Revert(BACK, FEATURE, "#1", 1),),
)
OLD = replace(release("v1.0", ""), at=DAY.start - timedelta(days=2, hours=-3))


def collected(items: tuple[Item, ...], start: datetime, end: datetime) -> Activity:
    return Activity(REPO, Window(start, end, "UTC", ""), items, end, "github")


async def known(read: Reading, *activities: Activity, now: datetime = DAY.end) -> Known:
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
