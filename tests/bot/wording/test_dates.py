from datetime import UTC, datetime

from bot.wording.dates import dates, span
from digest.languages import Language
from digest.models import Window

UNTIL_NOON = Window(
    datetime(2026, 3, 4, tzinfo=UTC),
    datetime(2026, 3, 4, 12, 5, tzinfo=UTC),
    "UTC",
    "2026-03-04 until 12:05",
    partial=True,
)


def test_a_day_that_is_not_over_says_how_far_it_goes() -> None:
    assert dates(UNTIL_NOON, Language.EN) == "Wed 4 Mar until 12:05"
    assert span(UNTIL_NOON, Language.EN) == "00:00–12:05, UTC"
