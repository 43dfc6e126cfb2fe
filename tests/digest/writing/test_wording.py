"""Every language has every phrase."""

import ast
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from digest.gaps import GAP_WORDS
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.languages import Language
from digest.models import Kind, NoticeKind, State
from digest.reading.weight import REASONS
from digest.writing.wording.analysing import ANALYSIS_WORDS
from digest.writing.wording.languages import CATALOGUES
from digest.writing.wording.outlook import OUTLOOK_WORDS

ROOT = Path(__file__).parents[3]
EN, ZH = CATALOGUES[Language.EN], CATALOGUES[Language.ZH]


@pytest.mark.parametrize("say", CATALOGUES.values())
def test_every_word_of_the_models_has_a_name(say: Any) -> None:
    names = say.names
    for words, named in (
        (Kind, names.kinds),
        (Purpose, names.purposes),
        (ChangeObject, names.objects),
        (Importance, names.importance),
        (State, names.states),
        (Noise, names.noise),
        (NoticeKind, say.say.notice),
        (GAP_WORDS, names.gaps),
    ):
        assert set(words) == set(named)


@pytest.mark.parametrize("say", CATALOGUES.values())
def test_every_reason_that_a_score_can_have_is_said_in_words(say: Any) -> None:
    unsaid = {name for name in REASONS if name not in say.names.reasons}

    assert unsaid == set()
    assert all(say.reason(purpose.value) == say.names.purposes[purpose] for purpose in Purpose)


def phrases(value: Any, path: str = "") -> dict[str, str]:
    if is_dataclass(value):
        found: dict[str, str] = {}
        for field in fields(value):
            found |= phrases(getattr(value, field.name), f"{path}.{field.name}")
        return found
    if isinstance(value, str):
        return {path: value}
    if hasattr(value, "items"):
        return {f"{path}[{key}]": said for key, said in value.items() if isinstance(said, str)}
    return {}


def test_both_languages_have_the_same_phrases_with_the_same_slots() -> None:
    english, chinese = phrases(EN), phrases(ZH)

    for words in (ANALYSIS_WORDS, OUTLOOK_WORDS):
        english |= phrases(words[Language.EN], type(words[Language.EN]).__name__)
        chinese |= phrases(words[Language.ZH], type(words[Language.ZH]).__name__)
    assert english.keys() == chinese.keys()
    for path, phrase in english.items():
        slots = sorted(part.split("}")[0] for part in phrase.split("{")[1:])
        assert slots == sorted(part.split("}")[0] for part in chinese[path].split("{")[1:]), path


def test_no_phrase_names_a_day_by_today_or_a_week() -> None:
    said = " ".join((*phrases(EN).values(), *phrases(ZH).values())).lower()

    for word in ("today", "yesterday", "this week", "今日", "昨日", "今天", "昨天", "本周"):
        assert word not in said


def test_english_has_its_plurals() -> None:
    assert [EN.count.changes(n) for n in (0, 1, 2, 1200)] == [
        "0 changes",
        "1 change",
        "2 changes",
        "1,200 changes",
    ]
    assert EN.count.opened(1) == "1 issue opened"
    assert EN.count.opened(2) == "2 issues opened"


def test_a_reason_without_a_phrase_is_its_own_name() -> None:
    assert EN.reason("fix") == "fix"
    assert ZH.reason("new_reason") == "new reason"


@pytest.mark.parametrize("folder", ["digest/writing", "bot", "adapters"])
def test_a_space_stands_between_chinese_and_latin_letters(folder: str) -> None:
    meeting = re.compile("[\u4e00-\u9fff][A-Za-z]|[A-Za-z][\u4e00-\u9fff]")
    said = {
        node.value
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {text for text in said if meeting.search(text)} == set()


def test_chinese_has_one_word_for_a_change() -> None:
    said = " ".join((*phrases(ZH).values(), *phrases(ANALYSIS_WORDS[Language.ZH]).values()))
    assert "改动" not in said
    assert "合并请求" not in said
