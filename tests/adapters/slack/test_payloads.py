"""Odd payloads are read without a stumble."""

from datetime import UTC, datetime

import pytest

from adapters.slack.errors import failure
from adapters.slack.payloads import flagged, mention, moment, pressed, reacted, typed, unmarked
from bot.model.ports import Limited


@pytest.mark.parametrize(
    ("ts", "read"),
    [
        ("1360782804.083113", datetime(2013, 2, 13, 19, 13, 24, 83113, tzinfo=UTC)),
        ("1360782804", datetime(2013, 2, 13, 19, 13, 24, tzinfo=UTC)),
        ("1360782804.5", datetime(2013, 2, 13, 19, 13, 24, 500_000, tzinfo=UTC)),
        ("", datetime(1970, 1, 1, tzinfo=UTC)),
        ("9" * 40, datetime(1970, 1, 1, tzinfo=UTC)),
        ("x.y", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_to_the_microsecond(ts: str, read: datetime) -> None:
    assert moment(ts) == read


def test_bodies_without_anything_in_them_are_of_no_concern() -> None:
    for body in ({}, {"event": None, "actions": None}, {"event": [], "actions": [1]}):
        assert mention(body, "UBOT") is None
        assert reacted(body, "UBOT") is None
        assert pressed(body) is None
        assert typed(body).text == ""
        assert flagged(body).message == ""


@pytest.mark.parametrize("text", ["<" * 10_000, "<a|" * 5_000, "<>" * 5_000, "&lt;" * 5_000])
def test_text_that_wants_to_be_slow_is_quick(text: str) -> None:
    assert len(unmarked(text)) <= len(text)


@pytest.mark.parametrize(("said", "seconds"), [("", 30), ("soon", 30), ("0", 1), ("7", 7)])
def test_how_long_a_limit_lasts(said: str, seconds: float) -> None:
    error = failure("ratelimited", status=429, retry_after=said)

    assert isinstance(error, Limited)
    assert error.retry_after == seconds
