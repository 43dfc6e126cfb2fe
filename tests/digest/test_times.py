"""Times in the middle of a question, English and Chinese: which days they are, and what is left."""

import contextlib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.errors import BadWindow
from digest.times import Days, days_named, found_in

FRIDAY, SATURDAY, SUNDAY = date(2026, 2, 13), date(2026, 2, 14), date(2026, 2, 15)


@pytest.mark.parametrize(
    ("text", "today", "days", "rest"),
    [
        ("moe over the weekend?", FRIDAY, "2026-02-07..2026-02-08", "moe ?"),
        ("last weekend", SUNDAY, "2026-02-07..2026-02-08", ""),
        ("this weekend", SATURDAY, "2026-02-14", ""),
        ("crashes since the weekend", FRIDAY, "2026-02-07..2026-02-13", "crashes"),
        ("上周末有进展吗", FRIDAY, "2026-02-07..2026-02-08", "有进展吗"),
        ("上个月9号以来", FRIDAY, "2026-01-09..2026-02-13", ""),
        ("hangs since the 9th", FRIDAY, "2026-02-09..2026-02-13", "hangs"),
        ("from the 29th to the 2nd", FRIDAY, "2026-01-29..2026-02-02", ""),
        ("the 2nd most common crash", FRIDAY, "", "the 2nd most common crash"),
        ("on the 4th gen Xeon", FRIDAY, "", "on the 4th gen Xeon"),
        ("on the 32nd", FRIDAY, "", "on the 32nd"),
        ("between the 2nd and the 9th of feb", FRIDAY, "2026-02-02..2026-02-09", ""),
        ("llama 4 and 5 february", FRIDAY, "2026-02-05", "llama 4 and"),
        ("从12月到1月", FRIDAY, "2025-12-01..2026-01-31", ""),
        ("2月9日到11日 3号线", FRIDAY, "2026-02-09..2026-02-11", "3号线"),
        ("第9层 9日前缀缓存", FRIDAY, "2026-02-09", "第9层 前缀缓存"),
        ("9日前的崩溃", FRIDAY, "2026-02-02..2026-02-08", "的崩溃"),
        ("past two weeks", FRIDAY, "2026-01-30..2026-02-12", ""),
        ("last couple of days", FRIDAY, "2026-02-11..2026-02-12", ""),
        ("最近两周", FRIDAY, "2026-01-30..2026-02-12", ""),
        ("这几天", FRIDAY, "2026-02-10..2026-02-12", ""),
        ("昨晚", FRIDAY, "2026-02-12..2026-02-13", ""),
        ("since three days ago", FRIDAY, "2026-02-10..2026-02-13", ""),
        ("三天前 moe", FRIDAY, "2026-02-10", "moe"),
        ("on friday last week", FRIDAY, "2026-02-06", ""),
        ("two weeks ago", FRIDAY, "2026-01-26..2026-02-01", ""),
        ("两周前 moe", FRIDAY, "2026-01-26..2026-02-01", "moe"),
        ("two months ago", FRIDAY, "2025-12-01..2025-12-31", ""),
        ("一个月前 moe", FRIDAY, "2026-01-01..2026-01-31", "moe"),
        ("3月前 moe", FRIDAY, "2025-02-22..2025-02-28", "moe"),
        ("last 2 months", FRIDAY, "2025-12-13..2026-02-12", ""),
        ("last october", FRIDAY, "2025-10-01..2025-10-31", ""),
        ("yesterday and today", FRIDAY, "2026-02-12..2026-02-13", ""),
        ("上周三到周五", FRIDAY, "2026-02-04..2026-02-06", ""),
        ("昨天 和 今天 moe", FRIDAY, "2026-02-12..2026-02-13", "moe"),
        ("前三天 moe", FRIDAY, "2026-02-10..2026-02-12", "moe"),
        ("发布前三天", FRIDAY, "", "发布前三天"),
        ("llama 4 week", FRIDAY, "2026-02-06..2026-02-12", "llama 4"),
        ("moe 2 weeks", FRIDAY, "2026-01-30..2026-02-12", "moe"),
        ("上周一直崩溃", FRIDAY, "2026-02-02..2026-02-08", "一直崩溃"),
        ("3天内的崩溃", FRIDAY, "2026-02-10..2026-02-12", "的崩溃"),
        ("内存 3天内存泄漏", FRIDAY, "", "内存 3天内存泄漏"),
        ("one day support", FRIDAY, "", "one day support"),
        ("qwen 3 may crash, may I ask", FRIDAY, "", "qwen 3 may crash, may I ask"),
        ("2号模型 三号节点", FRIDAY, "", "2号模型 三号节点"),
        ("notes for february", FRIDAY, "2026-02-01..2026-02-13", "notes"),
        ("march of the kernels in 2.5", FRIDAY, "", "march of the kernels in 2.5"),
        ("3d conv on 2w4a until now", FRIDAY, "", "3d conv on 2w4a until now"),
    ],
)
def test_a_time_is_found_in_a_question(text: str, today: date, days: str, rest: str) -> None:
    found = found_in(text, today)

    said = found.said() if found.said else None
    both = dict.fromkeys(str(day) for day in (said.first, said.last)) if said else {}
    assert "..".join(both) == days
    assert " ".join(found.rest.split()) == rest


def test_what_is_still_to_come_is_no_time_of_what_happened() -> None:
    for text in ("upgrade next week", "明天升级", "tomorrow", "下周一 moe", "the next weekend"):
        found = found_in(text, FRIDAY)
        assert (found.said, found.is_coming) == (None, True), text
    assert not found_in("the next release, 下面", FRIDAY).is_coming


@pytest.mark.parametrize("text", ["what hangs every monday", "每周一 moe", "since the refactor"])
def test_what_claims_to_be_a_time_and_is_none_is_refused(text: str) -> None:
    said = found_in(text, FRIDAY).said
    assert said is not None
    with pytest.raises(BadWindow, match="is not a time"):
        said()


def test_a_whole_text_is_a_time_or_none() -> None:
    for text in ("tomorrow", "next week", "明天"):
        coming = days_named(text, FRIDAY)
        assert coming is not None
        assert coming.first > FRIDAY
    assert (
        days_named("3 day", FRIDAY) == days_named("3 days", FRIDAY) == days_named("前三天", FRIDAY)
    )
    for text in ("what broke yesterday", "yesterday?", "since", "to", "", "to monday"):
        assert days_named(text, FRIDAY) is None, text


WORDS = """
    since until before from between on to and .. - the last past this next 3 0 31st days weeks ago
    month feb 2026 2026-02-30 9999-12-31 sun today now 上周 月 13月 9号 十 前 以来 到 最近 天 去年
"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=6), st.sampled_from(["", " "]))
def test_any_words_of_time_are_days_or_said_to_be_none(words: list[str], gap: str) -> None:
    text = gap.join(words)
    for read in (lambda: days_named(text, FRIDAY), found_in(text, FRIDAY).said):
        with contextlib.suppress(BadWindow):
            assert read is None or read() is None or isinstance(read(), Days)
