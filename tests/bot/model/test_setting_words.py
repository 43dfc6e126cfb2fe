from collections.abc import Callable
from datetime import time

import pytest

from bot.model.setting_words import (
    DAILY,
    MAX_FOLLOWED,
    WEEKDAYS,
    WEEKENDS,
    Quiet,
    read_at,
    read_days,
    read_paths,
    read_quiet,
    read_topics,
    read_without,
)
from digest.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("09:00", time(9)),
        ("9", time(9)),
        ("0", time(0)),
        ("9am", time(9)),
        ("12am", time(0)),
        ("12pm", time(12)),
        ("9:30 PM", time(21, 30)),
        ("9：30", time(9, 30)),
        ("9h05", time(9, 5)),
        ("23:59", time(23, 59)),
        ("09:00:00", time(9)),
    ],
)
def test_times_are_read_as_people_write_them(text: str, expected: time) -> None:
    assert read_at(text) == expected


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("24:00", "at 00:00"),
        ("25:00", "at 23:00"),
        ("9:75", "at 09:59"),
        ("13pm", "at 13:00"),
        ("0am", "at 00:00"),
        ("noon", "at 09:00"),
        ("", "at 09:00"),
        ("9:0", "at 09:00"),
        ("９:00", "at 09:00"),
    ],
)
def test_a_wrong_time_is_met_with_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"{hint}$"):
        read_at(text)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("daily", DAILY),
        ("weekdays", WEEKDAYS),
        ("weekends", WEEKENDS),
        ("mon,wed", {0, 2}),
        ("Monday Wednesdays", {0, 2}),
        ("mon-fri", WEEKDAYS),
        ("sat-mon", {5, 6, 0}),
        ("thurs", {3}),
        ("weekdays, sun", {0, 1, 2, 3, 4, 6}),
    ],
)
def test_days_are_read(text: str, days: set[int]) -> None:
    assert read_days(text) == (days, False)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "on weekdays"),
        ("monday-funday", "on daily, on weekdays or on mon,wed"),
        ("wekdays", "did you mean on weekdays?"),
        ("mo", "did you mean on mon?"),
        ("weekly mon,tue", "weekly is one day"),
        ("mon-", "on"),
    ],
)
def test_wrong_days_are_met_with_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_days(text)
    assert hint in str(caught.value)


def test_what_is_left_out_is_read_and_cleared() -> None:
    assert read_without("bots, CI") == {"bots", "ci"}
    assert read_without("nothing") == frozenset()
    assert read_without("none") == frozenset()
    with pytest.raises(UsageError, match="did you mean without docs"):
        read_without("doc")
    with pytest.raises(UsageError, match="without bots,ci,docs"):
        read_without("zzz")
    with pytest.raises(UsageError, match="without bots,ci,docs"):
        read_without(",")


@pytest.mark.parametrize("read", [read_paths, read_topics])
@pytest.mark.parametrize(
    "text", ["", "/", "a" * 201, "a\x00b", " ".join(f"x{n}" for n in range(MAX_FOLLOWED + 1))]
)
def test_what_cannot_be_followed_is_refused(
    read: Callable[[str], tuple[str, ...]], text: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read(text)
    assert str(caught.value).isprintable()


def test_quiet_days_are_read() -> None:
    assert read_quiet("Line") is Quiet.LINE
    assert read_quiet("nothing") is Quiet.NOTHING
    with pytest.raises(UsageError, match="quiet nothing"):
        read_quiet("silence")


def test_paths_do_not_climb_out_of_the_repository() -> None:
    with pytest.raises(UsageError, match=r"cannot be followed: paths csrc/"):
        read_paths("../x csrc/**")
