"""What a sentence of a model's may be: of its language, and without names of its own."""

import pytest

from digest.editing.checks import fault, invented, mistranslated, quoted, stands
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
        "Adds Qwen3 支持 and removes the old loader of weights",
        "Use cutlass.",
    ],
)
def test_english_is_not_chinese_for_a_few_characters(text: str) -> None:
    assert fault(text, Language.ZH) == "another language"


@pytest.mark.parametrize("name", ["cutlass", "fp8", "rocm", "mamba"])
def test_what_the_software_runs_on_is_a_name_in_lower_case_too(name: str) -> None:
    sentence = f"The new kernel is used by {name} now."
    assert invented(sentence, Language.EN, "A new kernel") == name
    known = f"A new kernel for {name.upper()}"
    assert not invented(sentence, Language.EN, known)


@pytest.mark.parametrize("figure", ["5 ms", "5 GB", "7", "5.5 s"])
def test_a_figure_is_one_of_its_source_in_its_unit(figure: str) -> None:
    assert invented(f"It takes {figure} now.", Language.EN, "It takes 5 s.")
    assert not invented("It takes 5 seconds now.", Language.EN, "It takes 5 s.")


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("It spins, see PR#999.", "PR#999"),
        ("It spins, see evil/evil#1.", "evil/evil#1"),
        ("Uninstall it.", "uninstall"),
        ("Do not upgrade.", "not upgrade"),
        ("It holds malware.", "malware"),
    ],
)
def test_a_reference_or_an_order_to_readers_is_of_its_source(said: str, wrong: str) -> None:
    assert invented(said, Language.EN, "The blade spins #7") == wrong
    assert not invented(said, Language.EN, f"The blade spins. {said}")


def test_an_address_is_one_in_other_forms_of_its_characters_too() -> None:
    assert fault("It spins, \ufe6beveryone.", Language.EN) == "form: @"
    assert fault("叶片转动，见 https：//example.test", Language.ZH) == "form: https://"


@pytest.mark.parametrize("text", ["The `blade is mended.", "The blade is mended,", "It spins..."])
def test_a_sentence_that_ends_in_its_midst_is_cut(text: str) -> None:
    assert fault(text, Language.EN) == "cut"


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\n"])
def test_a_sentence_holds_no_character_that_nobody_sees(unseen: str) -> None:
    assert fault(f"The blade{unseen} is mended.", Language.EN) == "unseen characters"


@pytest.mark.parametrize(
    ("needle", "text", "is_there"),
    [
        ("spin", "a spin.", True),
        ("spin", "a spinner", False),
        ("spin", "re_spin", False),
        ("_spin", "re_spin", False),
        ("spin_", "spin_up", False),
        ("2", "2.5 blades", False),
        ("(blade)", "spin(blade)", True),
        ("spin()", "respin()", False),
        ("spin()", "spin()d", True),
        ("", "a spin", False),
    ],
)
def test_a_name_stands_where_it_is_no_piece_of_a_longer_one(
    needle: str, text: str, is_there: bool
) -> None:
    assert stands(needle, text) == is_there


@pytest.mark.parametrize(
    ("quote", "text", "is_there"),
    [
        ("“it  turns”", "Here IT\nturns.", True),
        ("it’s non\u2011stop", "It's non-stop.", True),
        ("turn", "Here it turns.", True),
        ("tur", "Here it turns.", False),
    ],
)
def test_a_quote_is_more_than_a_syllable_whatever_its_marks_and_white_space(
    quote: str, text: str, is_there: bool
) -> None:
    assert quoted(quote, text) == is_there


@pytest.mark.parametrize(
    ("language", "most", "length", "is_too_long"),
    [
        (Language.EN, 0, 320, False),
        (Language.EN, 0, 321, True),
        (Language.ZH, 0, 200, False),
        (Language.ZH, 0, 201, True),
        (Language.ZH, 210, 210, False),
        (Language.ZH, 150, 200, False),
    ],
)
def test_a_sentence_has_so_many_characters_at_most_or_as_many_as_its_original(
    language: Language, most: int, length: int, is_too_long: bool
) -> None:
    text = ("b" if language is Language.EN else "叶") * length
    assert bool(fault(text, language, most)) == is_too_long


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("请详细参见www.evil.example。", True),
        ("See WWW.evil.example now.", True),
        ("修复:tada:问题已经完成。", True),
        ("It is mended :TADA: now.", True),
        ("It is mended in a::blade::of_it now.", False),
        ("It holds `:blade:` now.", False),
        ("It is mended where 3 <4 now.", False),
        ("It is <B>mended</B> now.", True),
    ],
)
def test_a_sentence_has_no_address_and_no_markup_beside_chinese_and_in_capitals_too(
    text: str, is_wrong: bool
) -> None:
    language = Language.EN if text.isascii() else Language.ZH
    assert bool(fault(text, language)) == is_wrong


@pytest.mark.parametrize(
    ("sentence", "source", "name"),
    [
        ("It turns the Kiln.", "a kiln", ""),
        ("It turns the Kiln.", "a blade", "Kiln"),
        ("Blades turn! Kilns heat.", "", ""),
        ("It mends `blade` now.", "", "blade"),
        ("The API of the GPU turns Y now.", "", ""),
        ("It mends `spin()` of the Kilns, v2.1.", "the kiln of 2.1 may spin", ""),
        ("It mends the `kiln-heat`.", "kiln heat", ""),
        ("It mends `blade_speed` now.", "blade-speed", "blade_speed"),
        ("Give `--spin-hard` now.", "spin it hard", "--spin-hard"),
        ("It mends `spin_up-hold`.", "spin_up and hold", "spin_up-hold"),
        ("It mends the Kiln-Blades.", "the kiln of a blade", ""),
        ("It mends the Kiln-Blade.", "the kiln", "Kiln-Blade"),
        ("It mends the GPU-Kiln.", "the kiln", ""),
        ("It mends the Blads now.", "bla bla", "Blads"),
        ("It mends the QT-Kiln.", "the kiln", "QT-Kiln"),
        ("It mends ABC now.", "xabcx", "ABC"),
        ("It mends ABCD now.", "xabcdx", ""),
        ("Give `--spin` now.", "spin it", "--spin"),
        ("It mends Kiln4 now.", "kiln42", "Kiln4"),
        ("It is 5x the size of 1024 blades.", "5 times the size of 1,024 blades", ""),
        ("It mends the Kiln.", "all kilnwork", ""),
        ("It mends Kiln-4.", "the kiln", "Kiln-4"),
        ("It mends issue 4711 now.", "#4711", ""),
        ("It needs 2.1.7 now.", "It needs 2.1.", "2.1.7"),
        ("It needs 2.1.7 now.", "It needs v2.1.7.", ""),
        ("It takes 1,024 blades now.", "1024 blades", ""),
        ("It takes 5 months now.", "5 blades", ""),
        ("It takes 5 s now.", "5 samples", "5s"),
        ("It mends the 3D-Kiln.", "the kiln", "3D-Kiln"),
        ("It mends Kiln\u20115.", "the kiln-4", "Kiln-5"),
        ("Give `--spin-hard` now.", "--spin\u2011hard", ""),
        ("It mends 5.5 blades.", "", "5.5"),
        ("It mends 3 blades.", "", "3"),
        ("It no longer crashes.", "It crashes.", ""),
        ("It no longer crashes.", "It is mended.", "crash"),
        ("Crashes are gone.", "It is mended.", "crash"),
    ],
)
def test_names_figures_and_claims_are_those_of_the_source(
    sentence: str, source: str, name: str
) -> None:
    assert invented(sentence, Language.EN, source) == name


def test_in_chinese_every_latin_word_is_a_name_but_for_units() -> None:
    assert invented("修复 blade 的问题。", Language.ZH, "") == "blade"
    for told in ("现在耗时 5 ms。", "现在耗时 5 MS。"):
        assert not invented(told, Language.ZH, "It takes 5 milliseconds.")


@pytest.mark.parametrize(
    ("source", "claim"), [("It is mended.", "错误"), ("It had a bug.", ""), ("段错误", "错误")]
)
def test_a_mistake_in_chinese_is_one_in_its_source_and_no_part_of_a_crash(
    source: str, claim: str
) -> None:
    assert invented("叶片的错误已修复。", Language.ZH, source) == claim
    assert not invented("段错误已修复。", Language.ZH, "It had a segfault.")


def test_a_judge_speaks_of_harm_that_nobody_wrote_of() -> None:
    assert not invented("It may crash.", Language.EN, "", judges=True)
    assert invented("It may crash 7 blades.", Language.EN, "", judges=True) == "7"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The blade ist für alle.", "another script"),
        ("It takes 5 μs.", ""),
        ("Ѕpin it.", "another script"),
    ],
)
def test_a_sentence_is_of_one_script_beside_greek_letters_of_units(text: str, wrong: str) -> None:
    assert fault(text, Language.EN) == wrong


@pytest.mark.parametrize(
    ("chinese", "sentence", "wrong"),
    [
        ("修复叶片的速度。", "It mends blade_speed.", "without blade_speed"),
        ("修复窑炉的问题。", "It mends Kiln4.", "without Kiln4"),
        ("修复窑炉的问题。", "It mends the Kiln.", ""),
        ("**叶片**已经修复。", "The blade is mended.", "form: **"),
        ("修复 BLADE_SPEED 的问题。", "It mends blade_speed.", ""),
        ("叶片有 1024 个转子。", "The blade has 1,024 rotors.", ""),
        ("叶片有许多转子。", "The blade has 1,024 rotors.", "without 1024"),
        ("叶片有８个转子。", "The blade has 7 rotors.", "8"),
        ("叶片有 ５ 个转子。", "The blade has 5 rotors.", ""),
        ("修复 blade＿speed 的问题。", "It mends blade_speed.", ""),
        ("叶片不转动。", "The blade fails to turn.", ""),
        ("叶片不转动。", "Fails to turn the blade.", ""),
        ("叶片转动。", "The blade fails to turn.", ""),
        ("叶片避免使用油脂。", "The blade does not take grease.", ""),
        ("叶片使用油脂。", "The blade does not take grease.", "denies 0 for 1"),
        ("叶片不使用油脂。", "The blade takes grease.", "denies 1 for 0"),
        ("不同叶片不断转动，未来非常无缝。", "Other blades turn on and on.", ""),
        ("否则叶片转动。", "Else the blade turns.", ""),
        ("叶片不使用油脂。", "NO grease is given to the blade.", ""),
    ],
)
def test_a_translation_keeps_names_of_code_and_has_the_form_of_a_sentence(
    chinese: str, sentence: str, wrong: str
) -> None:
    assert mistranslated(chinese, sentence) == wrong


def test_what_is_useless_in_chinese_is_no_denial() -> None:
    assert not mistranslated(
        "去除窗口之外的无效计算。", "It removes dead work outside of the window."
    )
    assert mistranslated("去除窗口之外没有的计算。", "It removes dead work outside of the window.")
