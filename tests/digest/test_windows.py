from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import BadWindow
from digest.models import Window
from digest.times import MAX_DAYS, zone_meant, zone_named, zones_like
from digest.windows import FIRST_DAY, day, days, names_time, parse

NOW = datetime(2026, 2, 12, 1, 0, 30, tzinfo=UTC)  # a Thursday
ZONES = st.sampled_from(sorted(available_timezones()))
DAYS = st.dates(FIRST_DAY, date(2035, 12, 31))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]  # the parts of a moment


def told(words: str, *, now: datetime = NOW, tz: str = "UTC") -> tuple[datetime, datetime, str]:
    window = parse(words, now=now, tz=tz)
    return window.start, window.end, window.label


def fault(words: str, *, now: datetime = NOW, tz: str = "UTC") -> str:
    with pytest.raises(BadWindow) as caught:
        parse(words, now=now, tz=tz)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_day_that_ends_this_moment_is_over() -> None:
    midnight = utc(2026, 2, 12)
    window = parse("2026-02-11", now=midnight, tz="UTC")

    assert (window.end, window.label, window.partial) == (midnight, "2026-02-11", False)


def test_today_ends_now_and_is_partial() -> None:
    window = parse("today", now=NOW, tz="Asia/Shanghai")

    assert window == Window(
        utc(2026, 2, 11, 16), utc(2026, 2, 12, 1, 0, 30), "Asia/Shanghai",
        "2026-02-12 until 09:00", partial=True,
    )  # fmt: skip


def test_a_range_includes_both_ends() -> None:
    expected = (utc(2026, 2, 9), utc(2026, 2, 12), "2026-02-09..2026-02-11")

    assert told("2026-02-09..2026-02-11") == expected
    assert told(" 2026-02-09 .. 2026-02-11 ") == expected
    assert told("2026-02-09...2026-02-11") == expected


def test_days_and_periods_are_read_as_people_write_them() -> None:
    said = {
        "2026-02-09": "monday, Last Monday, 周一, 9 feb, Feb 9th, 9 february 2026, 2月9日, "
        "2026/2/9, 20260209, the 9th, 9th, on the 9th",
        "2025-02-27": "27 feb, 2月27号, 2025年2月27日, february 27 2025",
        "2024-02-29": "29 feb",
        "2026-02-10": "前天",
        "2026-02-08": "sunday, 星期天",
        "2026-02-09..2026-02-11": "last 3 days, 3 days, 最近三天, mon..wed, from monday to wed, "
        "周一至周三, 2月9日到昨天",
        "2026-01-29..2026-02-11": "2 weeks, 过去14天",
        "2026-02-02..2026-02-08": "last week, 上周",
        "2026-02-09..2026-02-12 until 01:00": "this week, 本周, since 9 feb",
        "2026-02-10..2026-02-12 until 01:00": "tuesday to thursday, 周二到周四",
        "2026-01-01..2026-01-31": "last month, 上个月, 2026-01",
        "2025-11-01..2026-01-31": "2025-11..2026-01",
    }
    for label, words in said.items():
        for word in words.split(", "):
            assert told(word)[2] == label, word
            assert names_time(word)


def test_what_is_no_time_claims_to_be_none() -> None:
    for words in ("may", "999999", "last", "2026", "march", "12 to 13", "weekly", "到"):
        assert not names_time(words), words


@pytest.mark.parametrize("weekday", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
def test_since_a_weekday_begins_on_it_within_the_last_seven_days(weekday: str) -> None:
    start, end, _ = told(f"since {weekday}")

    assert f"{start:%a}".lower() == weekday
    assert timedelta(days=1) <= end - start < timedelta(days=8)


def test_a_day_whose_midnight_is_skipped_begins_at_its_first_moment() -> None:
    # Clocks in São Paulo went from 2018-11-03 24:00 to 2018-11-04 01:00.
    assert day(date(2018, 11, 4), "America/Sao_Paulo").start == utc(2018, 11, 4, 3)


def test_a_day_with_two_midnights_begins_at_the_first() -> None:
    # Clocks in Havana went back from 01:00 to 00:00 on 2025-11-02.
    window = day(date(2025, 11, 2), "America/Havana")

    assert window.start == utc(2025, 11, 2, 4)
    assert window.end - window.start == timedelta(hours=25)


def test_a_day_that_a_zone_skipped_is_said_to_be_missing() -> None:
    message = fault("2011-12-30", tz="Pacific/Apia")

    assert message == "the calendar of Pacific/Apia skipped 2011-12-30: try 2011-12-29"


@given(ZONES, DAYS, st.integers(1, 40))
def test_the_days_of_any_zone_follow_one_another_without_gap_or_overlap(
    tz: str, first: date, count: int
) -> None:
    chain = [day(first + timedelta(days=n), tz) for n in range(count + 1)]

    assert all(before.end == after.start for before, after in pairwise(chain))
    assert all(one.start <= one.end for one in chain)


@given(ZONES, DAYS)
def test_a_day_holds_the_moments_of_its_date_and_no_others(tz: str, of: date) -> None:
    window, zone = day(of, tz), ZoneInfo(tz)
    last = window.end - timedelta(seconds=1)

    if window.start < window.end:
        assert window.start.astimezone(zone).date() == of
        assert last.astimezone(zone).date() == of
        assert (window.start - timedelta(seconds=1)).astimezone(zone).date() <= of
        assert window.end.astimezone(zone).date() >= of


@given(ZONES, DAYS, st.integers(1, 86_399))
def test_the_parts_of_a_window_are_its_days_and_cover_it(tz: str, on: date, second: int) -> None:
    now = utc(on.year, on.month, on.day) + timedelta(seconds=second)
    window = parse("since sun", now=now, tz=tz)
    parts = days(window)

    assert (parts[0].start, parts[-1].end) == (window.start, window.end)
    assert all(one.end == other.start for one, other in pairwise(parts))
    assert not any(part.partial for part in parts[:-1])
    assert parts[-1].partial


def test_a_skipped_day_is_left_out_of_the_days_of_a_range() -> None:
    window = parse("2011-12-29..2011-12-31", now=NOW, tz="Pacific/Apia")

    assert [part.label for part in days(window)] == ["2011-12-29", "2011-12-31"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "2026-02-30",
            "2026-02-30 does not exist, February 2026 has 28 days: try 2026-02-28",
        ),
        ("2026-01-00", "2026-01-00 does not exist, January 2026 has 31 days: try 2026-01-01"),
        ("2026-13-01", "2026-13-01 is not a date: write year-month-day, such as 2026-02-12"),
        ("0000-01-01", "0000-01-01 is not a date: write year-month-day, such as 2026-02-12"),
        (
            "2026-02-11..2026-02-09",
            "2026-02-11..2026-02-09 runs backwards: write 2026-02-09..2026-02-11",
        ),
        ("2026-02..2025-12", "2026-02..2025-12 runs backwards: write 2025-12..2026-02"),
        ("45号", "45号 does not exist, February 2026 has 28 days: try 2026-02-28"),
        ("四十五日", "四十五日 does not exist, February 2026 has 28 days: try 2026-02-28"),
        ("the 45th", "the 45th does not exist, February 2026 has 28 days: try 2026-02-28"),
        ("2026-03-01", "2026-03-01 is still to come, it is 2026-02-12 in UTC: try 2026-02-11"),
        (
            "2026-02-10..2026-03-01",
            "2026-03-01 is still to come, it is 2026-02-12 in UTC: try 2026-02-10..2026-02-12",
        ),
        ("9999-12-31", "9999-12-31 is still to come, it is 2026-02-12 in UTC: try 2026-02-11"),
        (
            "2025-01-01..2026-01-01",
            "366 days are too many, a digest has at most 92: try 2025-10-02..2026-01-01",
        ),
        ("1969-07-20", "1969-07-20 is before git's first day: start at 1970-01-02 or later"),
        ("yesturday", "'yesturday' is not a time: did you mean yesterday?"),
        ("2026-02-09..", "'2026-02-09..' has one end: write 2026-02-11..2026-02-12"),
        ("v1..", "'v1..' has one end: name two tags or SHAs, such as v0.15.0..v0.15.1"),
    ],
)
def test_what_cannot_be_is_refused_with_the_nearest_right_form(words: str, message: str) -> None:
    assert fault(words) == message


def test_today_has_nothing_to_tell_at_midnight() -> None:
    message = fault("today", now=utc(2026, 2, 12))

    assert message == "2026-02-12 has only just begun in UTC: try yesterday"


def test_a_range_of_the_longest_length_is_accepted() -> None:
    first = date(2026, 2, 11) - timedelta(days=MAX_DAYS - 1)

    assert parse(f"{first}..2026-02-11", now=NOW, tz="UTC").label == f"{first}..2026-02-11"


@pytest.mark.parametrize(
    "words", ["", "since", "since blue", "x" * 10_000, "‮today\x1b[2J", "٢٠٢٦-٠٢-١١"]
)
def test_words_that_are_no_time_are_refused_in_one_harmless_line(words: str) -> None:
    message = fault(words)

    assert message.isprintable()
    assert len(message) < 200


@given(st.text(max_size=60))
def test_any_words_are_a_window_or_a_bad_window(words: str) -> None:
    try:
        window = parse(words, now=NOW, tz="UTC")
    except BadWindow:
        return

    assert window.start < window.end <= NOW


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Louisvile", "did you mean America/Kentucky/Louisville?"),
        ("Europe/Berln", "did you mean Europe/Berlin?"),
        ("UTC+99", "zones have names such as UTC, Asia/Shanghai or Europe/Berlin"),
        ("/etc/passwd", "zones have names such as UTC, Asia/Shanghai or Europe/Berlin"),
        ("", "zones have names such as UTC, Asia/Shanghai or Europe/Berlin"),
        ("a\0b", "zones have names such as UTC, Asia/Shanghai or Europe/Berlin"),
    ],
)
def test_an_unknown_zone_is_refused_with_the_nearest_one(name: str, hint: str) -> None:
    with pytest.raises(BadWindow, match="no time zone is called") as caught:
        zone_meant(name)

    assert str(caught.value).endswith(hint)


def test_zones_are_read_as_people_say_them() -> None:
    said = {
        "Asia/Shanghai": "Beijing, 北京, UTC+8, +08:00, gmt+8, shanghai, asia/shanghai, China",
        "America/Los_Angeles": "PST, pdt, san francisco, Los Angeles",
        "America/New_York": "EST, boston",
        "Asia/Kolkata": "IST, UTC+5:30, Bangalore",
        "Europe/Berlin": "CET, munich, Berlin",
        "Etc/GMT+8": "UTC-8",
    }
    for zone, words in said.items():
        for word in words.split(", "):
            assert zone_meant(word).key == zone, word
            assert zone in zones_like(word), word

    assert all(zone.endswith("/Istanbul") for zone in zones_like("IST")[1:])
    assert zones_like("bei")[0] == "Asia/Shanghai"


def test_letters_of_two_clocks_are_asked_about() -> None:
    with pytest.raises(BadWindow, match=r"Asia/Shanghai and of America/Chicago"):
        zone_meant("CST")

    assert zones_like("cst")[:2] == ("Asia/Shanghai", "America/Chicago")


def test_a_stored_name_keeps_its_clock_where_people_would_mean_another() -> None:
    assert zone_named("EST").key == "EST"
