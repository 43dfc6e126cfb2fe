from datetime import UTC, datetime

from bot.wording.dates import dates, span
from digest.languages import Language
from digest.models import Window
from tests.bot.channels_invented import WEEKEND
from tests.digest.writing.invented import DAY

UNTIL_NOON = Window(
    datetime(2026, 3, 4, tzinfo=UTC),
    datetime(2026, 3, 4, 12, 5, tzinfo=UTC),
    "UTC",
    "2026-03-04 until 12:05",
    partial=True,
)


def test_a_day_is_named_in_both_languages() -> None:
    assert dates(DAY, Language.EN) == "Wed 4 Mar"
    assert dates(DAY, Language.ZH) == "3月4日 周三"
    assert span(DAY, Language.EN) == "all day, UTC"
    assert span(DAY, Language.ZH) == "全天，UTC"


def test_several_days_are_named_in_their_own_zone() -> None:
    assert dates(WEEKEND, Language.EN) == "Sat 28 Feb – Mon 2 Mar"
    assert dates(WEEKEND, Language.ZH) == "2月28日 周六 至 3月2日 周一"
    assert span(WEEKEND, Language.EN) == "3 days, Asia/Shanghai"


def test_a_day_that_is_not_over_says_how_far_it_goes() -> None:
    assert dates(UNTIL_NOON, Language.EN) == "Wed 4 Mar until 12:05"
    assert span(UNTIL_NOON, Language.EN) == "00:00–12:05, UTC"
