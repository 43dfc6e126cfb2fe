"""What a sentence of a model's may be: of its language, and without names of its own."""

import pytest

from digest.editing.checks import fault, invented, mistranslated
from digest.languages import Language


@pytest.mark.parametrize(
    "text",
    [
        "支持 Qwen3、GLM-4.5、Kimi-K2 与 DeepSeek-V3.2。",
        "新增 Qwen3-MoE、DeepSeek-V3.2、GLM-4.5、Kimi-K2 在 H200、B200、MI355X 上的支持。",
        "将 attention backend 的 prefill kernel 换为 cutlass。",
        "修复 Qwen3 的 out of memory 崩溃问题。",
    ],
)
def test_chinese_that_is_full_of_names_is_chinese(text: str) -> None:
    assert not fault(text, Language.ZH)
    assert fault(text, Language.EN) == "another language"


@pytest.mark.parametrize(
    "text",
    [
        "Qwen3, GLM-4.5, Kimi-K2 and DeepSeek-V3.2 are supported.",
        "Support for Qwen3 模型",
        "Fixes a crash in Qwen3 when TP > 1, 修复崩溃",
        "Adds Qwen3 支持 and removes the old loader of weights",
        "Use cutlass.",
    ],
)
def test_english_is_not_chinese_for_a_few_characters(text: str) -> None:
    assert fault(text, Language.ZH) == "another language"


@pytest.mark.parametrize("name", ["cutlass", "fp8", "rocm", "mamba"])
def test_what_the_software_runs_on_is_a_name_in_lower_case_too(name: str) -> None:
    sentence = f"The new kernel is used by {name} now."
    assert invented(sentence, Language.EN, "A new kernel", frozenset()) == name
    known = f"A new kernel for {name.upper()}"
    assert not invented(sentence, Language.EN, known, frozenset())


@pytest.mark.parametrize("figure", ["5 ms", "5 GB", "7", "5.5 s"])
def test_a_figure_is_one_of_its_source_in_its_unit(figure: str) -> None:
    assert invented(f"It takes {figure} now.", Language.EN, "It takes 5 s.", frozenset())
    assert not invented("It takes 5 seconds now.", Language.EN, "It takes 5 s.", frozenset())


@pytest.mark.parametrize("text", ["The `blade is mended.", "The blade is mended,", "It spins..."])
def test_a_sentence_that_ends_in_its_midst_is_cut(text: str) -> None:
    assert fault(text, Language.EN) == "cut"


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\n"])
def test_a_sentence_holds_no_character_that_nobody_sees(unseen: str) -> None:
    assert fault(f"The blade{unseen} is mended.", Language.EN) == "unseen characters"


def test_what_is_useless_in_chinese_is_no_denial() -> None:
    assert not mistranslated(
        "去除窗口之外的无效计算。", "It removes dead work outside of the window."
    )
    assert mistranslated("去除窗口之外没有的计算。", "It removes dead work outside of the window.")
