"""When a channel is told, and of which days."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from bot.model.channel_commands import MONDAY
from bot.model.slots import Slot, delivered, due, earliest_due, next_due, unshown
from bot.model.subscriptions import Subscription
from digest.times import MAX_DAYS
from digest.windows import day
from tests.bot.slot_channel import subscription

DAY = timedelta(days=1)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def due_label(one: Subscription, now: str) -> str | None:
    slot = due(one, moment(now))
    return slot and slot.window.label


def told_at(one: Subscription, now: str) -> Subscription:
    slot = due(one, moment(now))
    assert slot
    return delivered(one, slot)


def test_a_weekly_channel_tells_the_week_on_monday_already_the_first_time() -> None:
    one = subscription("2026-02-16T08:00+00:00", days=MONDAY, weekly=True)

    assert due_label(one, "2026-02-16T09:00Z") == "2026-02-09..2026-02-15"
    assert due_label(told_at(one, "2026-02-16T09:00Z"), "2026-02-23T09:00Z") == (
        "2026-02-16..2026-02-22"
    )


def test_who_is_shown_nothing_at_once_begins_with_the_next_time_of_the_clock() -> None:
    one = subscription("2026-02-10T08:00+00:00")

    early = unshown(one, moment("2026-02-10T08:00Z"))
    late = unshown(one, moment("2026-02-10T10:00Z"))

    assert due(early, moment("2026-02-10T08:59Z")) is None
    assert due_label(early, "2026-02-10T09:00Z") == "2026-02-09"
    assert due(late, moment("2026-02-10T23:00Z")) is None
    assert late.last_delivered_date is None
    assert due_label(late, "2026-02-11T09:00Z") == "2026-02-10"

    sunday = subscription("2026-02-15T12:00+00:00", days=MONDAY, weekly=True)
    weekly = unshown(sunday, moment("2026-02-15T12:00Z"))
    assert due(weekly, moment("2026-02-15T23:00Z")) is None
    assert due_label(weekly, "2026-02-16T09:00Z") == "2026-02-09..2026-02-15"


def test_a_time_that_the_clocks_skip_comes_when_they_have_jumped() -> None:
    one = subscription("2026-03-27T20:00+00:00", at=time(2, 30), tz="Europe/Berlin")
    before = told_at(one, "2026-03-28T12:00Z")

    assert due(before, moment("2026-03-29T01:29Z")) is None
    slot = due(before, moment("2026-03-29T01:30Z"))
    assert slot
    assert slot.local_date == date(2026, 3, 29)


def test_a_time_that_the_clocks_show_twice_comes_the_first_time() -> None:
    one = subscription("2026-10-23T20:00+00:00", at=time(2, 30), tz="Europe/Berlin")
    before = told_at(one, "2026-10-24T12:00Z")

    slot = due(before, moment("2026-10-25T00:30Z"))
    assert slot
    assert due(delivered(before, slot), moment("2026-10-25T01:30Z")) is None


def test_more_days_than_anyone_reads_are_left_out_and_said_so() -> None:
    one = told_at(subscription(), "2026-02-11T09:00Z")
    slot = due(one, moment("2026-09-01T09:00Z"))

    assert slot
    assert slot.window.end - slot.window.start == MAX_DAYS * DAY
    assert slot.untold_since == one.last_delivered_end


# Zones with every kind of change: an hour, half an hour, at midnight, a skipped day, none.
ZONES = (
    *("UTC", "Asia/Shanghai", "Asia/Kolkata", "Europe/Berlin", "America/Los_Angeles"),
    *("America/Sao_Paulo", "America/Havana", "Asia/Beirut", "Africa/Cairo", "America/Scoresbysund"),
    *("Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati"),
    *("Etc/GMT+12", "America/Asuncion", "Asia/Gaza", "Antarctica/Troll", "Asia/Amman"),
)
STARTS = st.sampled_from(
    [
        *(
            datetime(year, month, 15, tzinfo=UTC)
            for year in (2011, 2018, 2026)
            for month in (3, 10)
        ),
        *(datetime(2026, month, 25, tzinfo=UTC) for month in (1, 2, 9, 10)),
        datetime(2011, 12, 20, tzinfo=UTC),
    ]
)
SLEEPS = st.lists(
    st.one_of(st.integers(1, 90), st.integers(60, 60 * 30), st.integers(60 * 24, 60 * 24 * 12)).map(
        lambda minutes: timedelta(minutes=minutes)
    ),
    min_size=1,
    max_size=40,
)
ANY_DAYS = st.frozensets(st.integers(0, 6), min_size=1)
ANY_TIME = st.builds(time, st.integers(0, 23), st.sampled_from([0, 1, 15, 30, 59]))


def wake_ups(one: Subscription, sleeps: list[timedelta]) -> tuple[Subscription, list[Slot]]:
    """Let the clock look after every sleep, as it does every 15 seconds, and tell what is due."""
    now, slots = one.created_at, []
    for sleep in sleeps:
        now += sleep
        slot = due(one, now)
        if slot:
            assert slot.due_at <= now
            earliest = earliest_due(one)
            assert earliest is None or earliest <= now, "an index by it would miss the slot"
            one = delivered(one, slot)
            slots.append(slot)
        assert due(one, now) is None
    return one, slots


@given(st.sampled_from(ZONES), STARTS, ANY_TIME, ANY_DAYS, st.booleans(), SLEEPS)
def test_slots_chain_without_gap_or_overlap_however_the_host_sleeps(
    tz: str,
    start: datetime,
    at: time,
    days: frozenset[int],
    weekly: bool,
    sleeps: list[timedelta],
) -> None:
    one = replace(subscription(at=at, tz=tz, days=days, weekly=weekly), created_at=start)

    _, slots = wake_ups(one, sleeps)

    dates = [slot.local_date for slot in slots]
    assert dates == sorted(set(dates))
    assert all(slot.local_date.weekday() in days for slot in slots)
    for slot in slots:
        assert slot.window.start < slot.window.end == day(slot.local_date, tz).start
        assert slot.window.end <= slot.due_at
    for before, after in pairwise(slots):
        assert before.window.end == after.window.start


@given(st.sampled_from(ZONES), STARTS, ANY_TIME, ANY_DAYS)
def test_a_host_that_never_sleeps_tells_every_day_of_the_channel_once_on_time(
    tz: str, start: datetime, at: time, days: frozenset[int]
) -> None:
    one = replace(subscription(at=at, tz=tz, days=days), created_at=start)
    slots = []
    now = start
    for _ in range(12):
        moment = next_due(one, now)
        assert moment
        assert moment > now
        assert due(one, moment - timedelta(seconds=1)) is None or slots == []
        slot = due(one, moment)
        assert slot
        assert slot.due_at == moment
        slots.append(slot)
        one, now = delivered(one, slot), moment

    dates = [slot.local_date for slot in slots]
    between = [dates[0] + n * DAY for n in range((dates[-1] - dates[0]).days + 1)]
    exist = [one_day for one_day in between if day(one_day, tz).start < day(one_day, tz).end]
    assert dates == [each for each in exist if each.weekday() in days]


@given(
    st.lists(st.tuples(st.sampled_from(ZONES), ANY_TIME, ANY_DAYS, SLEEPS), min_size=2, max_size=5),
    STARTS,
)
def test_days_chain_also_where_zone_time_and_days_are_changed(
    lives: list[tuple[str, time, frozenset[int], list[timedelta]]], start: datetime
) -> None:
    one = replace(subscription(tz=lives[0][0]), created_at=start)
    slots: list[Slot] = []
    now = start
    for tz, at, days, sleeps in lives:
        one = replace(one, tz=tz, at=at, days=days)
        for sleep in sleeps:
            now += sleep
            slot = due(one, now)
            if slot:
                slots.append(slot)
                one = delivered(one, slot)
    assume(len(slots) > 1)

    dates = [slot.local_date for slot in slots]
    assert dates == sorted(set(dates))
    for before, after in pairwise(slots):
        assert (after.untold_since or after.window.start) == before.window.end
