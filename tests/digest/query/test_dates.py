"""Weekends, days of a month and months by name, as dates that came last."""

from datetime import date

import pytest

from digest.query.dates import with_dates

FRIDAY, SATURDAY, SUNDAY = date(2026, 2, 13), date(2026, 2, 14), date(2026, 2, 15)


@pytest.mark.parametrize(
    ("text", "today", "said"),
    [
        ("moe over the weekend?", FRIDAY, "moe 2026-02-07..2026-02-08 ?"),
        # No more of such words than people say: else each of thousands is tried with all after it.
        ("the the this past weekend", FRIDAY, "the 2026-02-07..2026-02-08"),
        ("last weekend", SUNDAY, "2026-02-07..2026-02-08"),
        ("this weekend", SATURDAY, "2026-02-14"),
        ("this weekend", SUNDAY, "2026-02-14..2026-02-15"),
        ("crashes since the weekend", FRIDAY, "crashes since 2026-02-07"),
        ("上周末有进展吗", FRIDAY, "2026-02-07..2026-02-08 有进展吗"),
        ("周末以来", FRIDAY, "since 2026-02-07"),
        ("上上周末", FRIDAY, "2026-01-31..2026-02-01"),
        ("上上个周末", SUNDAY, "2026-01-31..2026-02-01"),
        ("本月9号", FRIDAY, "2026-02-09"),
        ("上个月9号以来", FRIDAY, "2026-01-09以来"),
        ("hangs since the 9th", FRIDAY, "hangs since 2026-02-09"),
        ("from the 29th to the 2nd", FRIDAY, "from 2026-01-29 to 2026-02-02"),
        ("on the 31st", FRIDAY, "on 2026-01-31"),
        ("what broke, the 9th?", FRIDAY, "what broke, 2026-02-09?"),
        ("the 2nd most common crash", FRIDAY, "the 2nd most common crash"),
        ("what broke before the 9th?", FRIDAY, "what broke before 2026-02-09?"),
        ("from 2 to 9 february", FRIDAY, "from 2 february to 9 february"),
        ("between the 2nd and the 9th of feb", FRIDAY, "from 2 feb to 9 feb"),
        ("between feb 2 and 9", FRIDAY, "from 2 feb to 9 feb"),
        ("between feb 2 and feb 9", FRIDAY, "between feb 2 and feb 9"),
        ("between december and january", FRIDAY, "2025-12-01..2026-01-31"),
        ("从12月到1月", FRIDAY, "2025-12-01..2026-01-31"),
        ("1月以来 2月9日", FRIDAY, "since 2026-01-01 2月9日"),
        ("2月的崩溃 3个月", FRIDAY, "2026-02-01..2026-02-13 的崩溃 3个月"),
        ("the 9th of february", FRIDAY, "9th february"),
        ("since feb 9th", FRIDAY, "since feb 9th"),
        ("on the 4th gen Xeon", FRIDAY, "on the 4th gen Xeon"),
        ("since the 32nd", FRIDAY, "since the 32nd"),
        ("9号以来", FRIDAY, "2026-02-09以来"),
        ("9号到11日", FRIDAY, "2026-02-09到2026-02-11"),
        ("2月9日到11日 3号线", FRIDAY, "2月9日到11日 3号线"),
        ("past two weeks", FRIDAY, "past 2 weeks"),
        ("最近两周", FRIDAY, "最近二周"),
        ("last couple of days", FRIDAY, "last 2 days"),
        ("in january and since december", FRIDAY, "2026-01-01..2026-01-31 and since 2025-12-01"),
        ("during february", FRIDAY, "2026-02-01..2026-02-13"),
        ("may I ask", FRIDAY, "may I ask"),
    ],
)
def test_what_the_calendar_says_becomes_a_date(text: str, today: date, said: str) -> None:
    assert " ".join(with_dates(text, today).split()) == said
