"""Every language has every phrase."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from bot.model.following import News
from bot.model.parts import ActionKind
from digest.concern.matching import Ground
from digest.concern.surface import UseKind
from digest.concern.upgrade import Same, Untold
from digest.edited import RemarkKind, Trouble
from digest.facts import Subject, Symptom
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.languages import Language
from digest.models import GAP_WORDS, Kind, NoticeKind, State
from digest.query.query import About
from digest.wording.pages import Keyed
from digest.wording.saying import CATALOGUES
from tests.reasons import REASONS

ROOT = Path(__file__).parents[2]
EN, ZH = CATALOGUES[Language.EN], CATALOGUES[Language.ZH]
ENUMERATIONS: tuple[type[Enum], ...] = (
    *(About, ChangeObject, Ground, Importance, Kind, Noise, NoticeKind, Purpose),
    *(ActionKind, RemarkKind, State, Subject, Symptom, Trouble, News, UseKind, Same, Untold),
)
OTHERS = {"ask", "set_up", "unsubscribe_all", "subscribe", "show_bites"}
"""Buttons that have a sentence for a label, and one of old messages alone."""


def keyed(value: Any) -> Iterator[tuple[str, set[str]]]:
    """Give the name of each enumeration that a language has a word for every member of."""
    for field in fields(value):
        inner = getattr(value, field.name)
        if isinstance(inner, Keyed):
            doc = str(type(inner).__doc__)
            yield doc.partition("`")[2].partition("`")[0], {each.name for each in fields(inner)}
        if is_dataclass(inner):
            yield from keyed(inner)


def test_every_word_of_the_models_has_a_name() -> None:
    found = {name: members for name, members in keyed(EN)}
    assert len(found) == len(ENUMERATIONS)
    for each in ENUMERATIONS:
        members = {member.name.lower() for member in each}
        assert members == found[each.__name__] | (OTHERS if each is ActionKind else set())
    assert set(GAP_WORDS) == set(EN.names.gaps) == set(ZH.names.gaps)


@pytest.mark.parametrize("say", CATALOGUES.values())
def test_no_two_lists_of_a_morning_have_one_name(say: Any) -> None:
    page = say.page
    names = [page.fixed, page.added, page.changed, page.also, page.new, page.bitten]
    names += [say.headings.rest, say.names.low, *(say.names.noise[noise] for noise in Noise)]
    assert len(set(map(str.casefold, names))) == len(names)


@pytest.mark.parametrize("say", CATALOGUES.values())
def test_every_reason_that_a_score_can_have_is_said_in_words(say: Any) -> None:
    unsaid = {
        name for name in REASONS if say.reason(name) == name.replace("_", " ") == ZH.reason(name)
    }

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
    assert english.keys() == chinese.keys()
    for path, phrase in english.items():
        slots = sorted(part.split("}")[0] for part in phrase.split("{")[1:])
        assert slots == sorted(part.split("}")[0] for part in chinese[path].split("{")[1:]), path


@pytest.mark.parametrize("folder", ["digest/wording", "bot", "adapters"])
def test_a_space_stands_between_chinese_and_latin_letters(folder: str) -> None:
    meeting = re.compile("[\u4e00-\u9fff][A-Za-z]|[A-Za-z][\u4e00-\u9fff]")
    said = {
        node.value
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {text for text in said if meeting.search(text)} == set()
