"""Words are found alike in English and Chinese, whatever stands around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.search_words import patterns, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("修复数据库连接", " 修 复 数 据 库 连 接 "),
        ("Fix `--tp-size` (FP8)", " fix tp size fp8 "),
        ("支持DeepSeek模型", " 支 持 deepseek 模 型 "),
        ("ＦＵＬＬ width", " full width "),
        ("\u202e\x00\u200b", "  "),
        ("", "  "),
    ],
)
def test_a_text_becomes_words_between_spaces(text: str, found: str) -> None:
    assert words(text) == found


def test_each_word_of_a_query_has_to_fit_by_its_start() -> None:
    assert patterns("flash_attn 数据 flash_attn") == ("% flash attn%", "% 数 据%")
    assert patterns(" %_' ") == ()


@given(st.text())
def test_no_text_makes_a_pattern_that_means_more_than_itself(text: str) -> None:
    assert all("_" not in each and "%" not in each[1:-1] for each in patterns(text))
