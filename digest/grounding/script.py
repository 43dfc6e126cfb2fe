"""Whether a sentence is in the language that it is said to be in."""

import re
import unicodedata

from digest.languages import Language

LEAST_CJK = 0.25
"""Share of Chinese characters in a Chinese sentence, outside of names."""

CHARACTERS_OF_A_WORD = 2
"""Chinese characters that say as much as a Latin word: `FlashInfer` is one word, of any length."""

MOST_CJK = 0.02
"""Share of them in an English one."""

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile(r"[A-Za-z]+")
_SPAN = re.compile(r"`[^`]*`")
_NAME = re.compile(r"[A-Za-z0-9_./:#-]*(?:[_/.:#]|\d)[A-Za-z0-9_./:#-]*", re.ASCII)
_FOREIGN = re.compile(
    r"\b(?:der|das|und|ist|nicht|ein|eine|mit|auf|für|bei|wird|les|des|une|est|dans|pour|avec|sur|"
    r"du|el|los|las|para|con|por|del|una|il|gli|della|nel|che|het|een|van|voor|um|uma|não|dos)\b",
    re.IGNORECASE,
)
_ALLOWED = frozenset("µμαβγεσλθ")


def foreign(text: str, language: Language, known: str) -> str:
    """Give what of a folded sentence is not in its language, empty where all is.

    `known` is the source in lower case: a letter of another script is allowed if it is there.
    """
    strange = next((char for char in text if _is_strange(char, known)), "")
    if strange:
        return strange
    prose = _NAME.sub(" ", _SPAN.sub(" ", text))
    cjk = len(_CJK.findall(prose))
    latin = CHARACTERS_OF_A_WORD * len(_LATIN.findall(prose))
    share = cjk / (cjk + latin) if cjk + latin else 0.0
    if language is Language.ZH and share < LEAST_CJK:
        return text[:20]
    if language is Language.EN and share >= MOST_CJK and cjk:
        return "".join(_CJK.findall(prose)[:4])
    if language is Language.EN:
        words = [found.group() for found in _FOREIGN.finditer(prose)]
        if len(words) > 1:
            return " ".join(words[:2])
    return ""


def _is_strange(char: str, known: str) -> bool:
    """Tell of a letter that is neither Latin without marks nor Chinese: kana, Cyrillic, é."""
    if char.isascii() or not unicodedata.category(char).startswith(("L", "M", "N")):
        return False
    return not (_CJK.match(char) or char in _ALLOWED or char.lower() in known)
