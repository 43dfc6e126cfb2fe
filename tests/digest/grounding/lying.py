"""How a lie is made from a true sentence, and of what."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from digest.claims import Draft
from digest.languages import Language
from tests.digest.grounding.invented import Told

EN, ZH = Language.EN, Language.ZH


@dataclass(frozen=True, slots=True)
class Case:
    """One true draft of one item, and another item of the same day."""

    draft: Draft
    item: Told
    other: Told
    chance: random.Random


Lie: TypeAlias = Callable[[Case], Draft | None]


def texts(draft: Draft, change: Callable[[str, Language], str]) -> Draft | None:
    """Change both texts; None where neither changed."""
    changed = {language: change(text, language) for language, text in draft.text.items()}
    return replace(draft, text=changed) if changed != draft.text else None


def said_too(en: str, zh: str) -> Lie:
    """Add something before the full stop."""

    def lie(case: Case) -> Draft | None:
        def change(text: str, language: Language) -> str:
            if language is EN:
                return f"{text.rstrip('.')}{en}."
            return f"{text.rstrip('。')}{zh}。"

        return texts(case.draft, change)

    return lie


def replaced(en: Mapping[str, str], zh: Mapping[str, str]) -> Lie:
    """Change the first word of a table that is there, language by language."""

    def change(text: str, language: Language) -> str:
        for old, new in (en if language is EN else zh).items():
            if re.search(old, text):
                return re.sub(old, new, text, count=1)
        return text

    def lie(case: Case) -> Draft | None:
        changed = {each: change(text, each) for each, text in case.draft.text.items()}
        lied = {each: text for each, text in changed.items() if text != case.draft.text[each]}
        return replace(case.draft, text=lied) if lied else None

    return lie


def said(en: str, zh: str) -> Lie:
    """Say something else, with a good quote."""
    return lambda case: replace(case.draft, text={EN: en, ZH: zh})
