"""When a channel is told, and of which days."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.model.channel_commands import MONDAY, WEEKDAYS
from bot.model.slots import delivered, due, first, next_due, unshown
from bot.model.subscriptions import Subscription
from digest.errors import BadWindow
from digest.phrase import NOTHING, Phrase
from digest.times import MAX_DAYS
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


def test_a_morning_tells_the_day_before() -> None:
    slot = due(subscription(), moment("2026-02-11T09:00Z"))

    assert slot
    assert (slot.subscription_id, slot.local_date) == (7, date(2026, 2, 11))
    assert slot.due_at == moment("2026-02-11T09:00Z")
    assert slot.window.end == moment("2026-02-11T00:00Z")


def test_nothing_is_due_a_moment_before_its_time() -> None:
    one = told_at(subscription(), "2026-02-11T10:00Z")

    assert due(one, moment("2026-02-12T08:59:59.999999Z")) is None
    assert due_label(one, "2026-02-12T09:00Z") == "2026-02-11"


def test_a_slot_of_a_date_that_was_told_tells_nothing_new() -> None:
    slot = due(subscription(), moment("2026-02-11T09:00Z"))
    assert slot
    failed = replace(
        delivered(subscription(), slot), last_error=Phrase.as_written("not in the channel")
    )

    assert delivered(failed, slot) == failed
    assert delivered(failed, replace(slot, local_date=slot.local_date - DAY)) == failed
    assert delivered(failed, replace(slot, local_date=slot.local_date + DAY)).last_error == NOTHING


def test_monday_of_a_channel_of_weekdays_tells_friday_to_sunday() -> None:
    friday = told_at(subscription(days=WEEKDAYS), "2026-02-13T09:00Z")

    assert due(friday, moment("2026-02-14T12:00Z")) is None
    assert due(friday, moment("2026-02-15T12:00Z")) is None
    assert due_label(friday, "2026-02-16T09:00Z") == "2026-02-13..2026-02-15"


def test_a_host_that_slept_tells_all_days_since_once() -> None:
    one = told_at(subscription(), "2026-02-11T09:00Z")

    assert due_label(one, "2026-02-16T03:00Z") == "2026-02-11..2026-02-14"
    after = told_at(one, "2026-02-16T03:00Z")
    assert due(after, moment("2026-02-16T08:59Z")) is None
    assert due_label(after, "2026-02-16T09:00Z") == "2026-02-15"


def test_a_weekly_channel_tells_the_week_on_monday_already_the_first_time() -> None:
    one = subscription("2026-02-16T08:00+00:00", days=MONDAY, weekly=True)

    assert due_label(one, "2026-02-16T09:00Z") == "2026-02-09..2026-02-15"
    assert due_label(told_at(one, "2026-02-16T09:00Z"), "2026-02-23T09:00Z") == (
        "2026-02-16..2026-02-22"
    )


def test_a_slot_that_was_slept_through_is_due_until_the_next_one_a_week_later() -> None:
    one = subscription("2026-02-05T20:00+00:00", days=frozenset({4}))

    assert due_label(one, "2026-02-13T08:59Z") == "2026-02-04..2026-02-05"
    assert due_label(one, "2026-02-13T09:00Z") == "2026-02-04..2026-02-12"


def test_who_subscribes_is_shown_yesterday_at_once_and_goes_on_tomorrow() -> None:
    one = subscription("2026-02-10T08:00+00:00")
    shown = first(one, moment("2026-02-10T08:00Z"))

    assert shown.window.label == "2026-02-09"
    assert shown.due_at == moment("2026-02-10T08:00Z")
    after = delivered(one, shown)
    assert due(after, moment("2026-02-10T09:00Z")) is None
    assert due_label(after, "2026-02-11T09:00Z") == "2026-02-10"


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


def test_what_is_first_shown_skips_a_day_that_the_calendar_skipped() -> None:
    one = subscription(tz="Pacific/Apia")

    # Samoa went from 2011-12-29 to 2011-12-31.
    assert first(one, moment("2011-12-31T12:00+14:00")).window.label == "2011-12-29"


def test_a_channel_whose_weekday_the_calendar_skipped_is_told_a_week_later() -> None:
    one = subscription("2011-12-24T00:00+00:00", tz="Pacific/Apia", days=frozenset({4}))

    assert due(one, moment("2012-01-01T12:00+14:00")) is None
    assert next_due(one, moment("2011-12-29T12:00-10:00")) == moment("2012-01-06T09:00+14:00")
    assert due_label(one, "2012-01-06T09:00+14:00") == "2011-12-22..2012-01-05"


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


def test_a_zone_changed_to_the_west_neither_repeats_nor_leaves_out() -> None:
    shanghai = told_at(
        subscription("2026-02-11T00:00+00:00", tz="Asia/Shanghai"), "2026-02-12T09:00+08:00"
    )
    there = replace(shanghai, tz="America/Los_Angeles")

    # The slot of February 12 was told already, in Shanghai.
    assert due(there, moment("2026-02-12T12:00-08:00")) is None
    slot = due(there, moment("2026-02-13T09:00-08:00"))
    assert slot
    assert slot.window.start == shanghai.last_delivered_end
    assert slot.window.label == "2026-02-11..2026-02-12 from 08:00"


def test_a_zone_changed_to_the_east_neither_repeats_nor_leaves_out() -> None:
    west = told_at(
        subscription("2026-02-11T00:00-08:00", tz="America/Los_Angeles"), "2026-02-12T09:00-08:00"
    )
    slot = due(replace(west, tz="Asia/Shanghai"), moment("2026-02-13T09:00+08:00"))

    assert slot
    assert slot.window.start == west.last_delivered_end
    assert slot.window.label == "2026-02-12 from 16:00"


def test_more_days_than_anyone_reads_are_left_out_and_said_so() -> None:
    one = told_at(subscription(), "2026-02-11T09:00Z")
    slot = due(one, moment("2026-09-01T09:00Z"))

    assert slot
    assert slot.window.end - slot.window.start == MAX_DAYS * DAY
    assert slot.untold_since == one.last_delivered_end


def test_exactly_so_many_days_are_told() -> None:
    one = told_at(subscription(), "2026-02-11T09:00Z")
    slot = due(one, moment("2026-02-11T09:00Z") + MAX_DAYS * DAY)

    assert slot
    assert slot.untold_since is None
    assert slot.window.start == one.last_delivered_end


def test_a_paused_channel_is_not_due_and_catches_up_once_it_goes_on() -> None:
    one = told_at(subscription(), "2026-02-11T09:00Z")
    paused = replace(one, paused=Phrase.as_written("the channel is archived"))

    assert due(paused, moment("2026-02-13T09:00Z")) is None
    assert next_due(paused, moment("2026-02-13T09:00Z")) is None
    assert due_label(one, "2026-02-13T09:00Z") == "2026-02-11..2026-02-12"


def test_a_subscription_that_is_not_stored_has_no_slot() -> None:
    one = replace(subscription(), id=None)

    assert due(one, moment("2026-02-13T09:00Z")) is None
    with pytest.raises(ValueError, match="stored"):
        first(one, moment("2026-02-13T09:00Z"))


def test_an_older_slot_that_is_told_late_takes_nothing_back() -> None:
    one = subscription()
    early = due(one, moment("2026-02-11T09:00Z"))
    late = told_at(one, "2026-02-13T09:00Z")

    assert early
    assert delivered(late, early) == late


def test_what_was_told_forgets_the_last_error() -> None:
    assert (
        told_at(
            replace(subscription(), last_error=Phrase.as_written("it rained")), "2026-02-11T09:00Z"
        ).last_error
        == NOTHING
    )


def test_a_zone_that_the_machine_does_not_know_is_said() -> None:
    with pytest.raises(BadWindow, match="Mars/Base"):
        due(subscription(tz="Mars/Base"), moment("2026-02-11T09:00Z"))
