"""Odd payloads are read without a stumble."""

from datetime import UTC, datetime

import pytest

from adapters.slack.payloads import flagged, mention, moment, pressed, reacted, typed


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
