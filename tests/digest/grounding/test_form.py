"""The form of a sentence: one, whole, in its language, and nothing that a medium acts on."""

import pytest

from tests.digest.grounding.conftest import Judge

STEM = "The kiln keeps a pool of 8 buffers"


@pytest.mark.parametrize(
    "text",
    [
        f"# {STEM}.",
        f"> {STEM}.",
        f"- {STEM}.",
        f"1. {STEM}.",
        f"**{STEM}**.",
        f"{STEM} ~~gone~~.",
        f"{STEM} ||hidden||.",
        f"```{STEM}```",
        f"{STEM} <b>now</b>.",
        f"{STEM} <!channel>.",
        f"{STEM} <@U012AB3CD>.",
        f"{STEM} @everyone.",
        f"{STEM} ＠here.",
        f"{STEM} `@here`.",
        f"{STEM} [now](x).",
        f"{STEM} ![now](x).",
        f"{STEM} https://example.com.",
        f"{STEM} example.com.",
        f"{STEM} www.kiln.",
        f"{STEM} &lt;now&gt;.",
        f"{STEM} :tada: now.",
        f"{STEM} 🎉.",
        f"{STEM}\nNow.",
        f"{STEM}\u202enow.",
        f"{STEM}\u200b.",
        f"{STEM}\U000e0041.",
        f"{STEM}\x07.",
        "As an AI I keep a pool of 8 buffers.",
        "Here is the kiln pool of 8 buffers.",
    ],
)
def test_what_a_medium_acts_on_is_not_told(judge: Judge, text: str) -> None:
    assert "format" in judge.checks(text)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (f"{STEM}. The pool is kept.", "sentences"),
        (f"{STEM} and the", "cut"),
        (f"{STEM} …", "cut"),
        (f"{STEM} (per kiln.", "cut"),
        (f"{STEM} per `kiln.", "cut"),
        (f"{STEM} per kil", "cut"),
        ("Buffers.", "cut"),
        (f"{STEM} {'per kiln ' * 40}.", "length"),
        ("The kiln keeps 8 个缓冲区 of the pool.", "language"),
        ("Der kiln und das pool mit 8 buffers.", "language"),
        ("Тhe kiln keeps a pool of 8 buffers.", "language"),
        ("The kiln gardé a pool of 8 buffers.", "language"),
    ],
)
def test_a_sentence_is_one_whole_and_english(judge: Judge, text: str, check: str) -> None:
    assert check in judge.checks(text)


@pytest.mark.parametrize(
    "text",
    [
        "The kiln keeps 8 buffers.",
        "キルンは 8 個のバッファを保持する。",
        "가마는 8 개의 버퍼를 유지한다。",
        "保 kiln pool buffers 8",
    ],
)
def test_chinese_is_chinese(judge: Judge, text: str) -> None:
    assert {"language", "cut"} & judge.checks(zh=text)


@pytest.mark.parametrize(
    "text",
    [f"{STEM} per kiln.", f"{STEM} per kiln", f"{STEM} per `kiln`.", f"{STEM}, i.e. per kiln."],
)
def test_a_plain_sentence_has_no_fault(judge: Judge, text: str) -> None:
    assert judge.checks(text) == set()


def test_words_without_a_beginning_are_no_sentence(judge: Judge) -> None:
    amid = "keeps a pool of 8 buffers per kiln from the scheduler."

    assert judge.checks(amid) == {"cut"}
    assert judge.checks(amid.capitalize()) == set()
    assert judge.checks(f"`fire` {amid}", "", "def fire(self, batch)", "h1") == set()
