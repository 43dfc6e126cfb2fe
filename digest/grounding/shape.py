"""The form of one sentence: plain words on one line, whole, with nothing that a medium acts on."""

# ruff: noqa: E501 - the words of a pattern stay in one line

import re
import unicodedata
from collections.abc import Callable, Iterator

from digest.grounding.names import NAMES
from digest.languages import Language

MOST = {Language.EN: 260, Language.ZH: 240}
"""Characters of a sentence; the prompt asks for less."""

_FEWEST_WORDS = 3
_FEWEST_CJK = 2
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_PICTURES = frozenset({"So", "Sk"})
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\bmailto:|\bjavascript:"
    r"|\b[a-z0-9-]{2,63}\.(?:com|net|org|cn|ru|xyz|club|online|gg)\b"
    r"|\b(?:github|gitlab|bit|goo|t|x)\.(?:io|ly|gl|me|co)\b|[a-z0-9-]{3,63}\.(?:io|ai|ly|me)/",
    re.IGNORECASE | re.ASCII,
)
_MARKUP = re.compile(
    r"```|~~|\*\*|__(?=\s|$)|(?:^|\s)__(?=\S+ )|\|\||!\[|\]\s?\(|\]\[|<[!@#/]|<(?=[a-z]{1,10}[\s>:])"
    r"|(?<![\w`]):[a-z0-9_+-]{2,30}:(?![\w:])|&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});|\$\$|\{\{|\{%|\\[nrtux]"
    r"|(?<![\w*])\*[^*\s][^*]{0,80}\*(?![\w*])|(?<![\w`])_[^_\s`][^_`]{0,80}_(?![\w`])"
    r"|<\|",
    re.IGNORECASE | re.ASCII,
)
_OPENING = re.compile(r"(?:#{1,6}\s|>|[-*+•]\s|\d{1,3}[.)、]\s|\||={3,}|-{3,})")
_MORE = re.compile(
    r"[。！？!?][^\s\"'」』”’)）]|[。！？]\s*\S|[.!?]\s+[A-Z`\"'(]|\.\s+[a-z]{2,}\s|；.*；.*；"
)
_SHORT_FORMS = re.compile(r"\b(?:e\.g|i\.e|vs|etc|cf|approx|no|fig)\.\s", re.IGNORECASE)
_ABOUT_ITSELF = re.compile(
    r"\bas an? (?:ai|language model|assistant)\b|\bI(?:'m| am| cannot| can't| will| have)\b|\bsorry\b"
    r"|\b(?:the|this) (?:provided|given|above|supplied) (?:data|text|diff|source|context|content)\b"
    r"|\b(?:cannot|can't|unable to) (?:determine|summari[sz]e|comply|assist|help)\b"
    r"|\bhere(?:'s| is| are)\b|^(?:null|n/a|none|undefined|todo|tbd)\b.{0,3}$"
    r"|\binsufficient (?:data|information|context)\b|\bprompt injection\b"
    r"|作为(?:一个|一名)?(?:AI|人工智能|语言模型|助手)|抱歉|对不起|无法(?:总结|确定|提供|回答|满足)|以下是"
    r"|根据(?:您|你|所)?提供的?|信息不足|内容已?被?截断|未提供|(?:我|我们)(?:无法|不能|将|会|已)",
    re.IGNORECASE,
)
_DANGLES = re.compile(
    r"(?:\b(?:the|a|an|of|to|and|or|in|on|for|with|by|from|that|which|when|is|are|was|its|as|at|"
    r"into|than|via|per|if|but|because|while|using|be)|[，、：；:;,\-/(（]|和|与|或|的|在|为|对|将|把|由|于|及|从"
    r"|以及|并且?|使|让|被|当|如果|而|\.\.|…)$|(?:\b(?:the|a|an|and|or)|\.\.|…|[，、])[.。]$",
    re.IGNORECASE,
)
_SMALL_WORD = re.compile(r"[a-z]+(?= )")
_LAST_WORD = re.compile(r"(?<![\w`])([A-Za-z]{1,30})$")
_PAIRS = (("(", ")"), ("（", "）"), ("[", "]"), ("「", "」"), ("“", "”"), ("《", "》"))
_CJK = re.compile(r"[\u3400-\u9fff]")
_WORDS = re.compile(r"[A-Za-z0-9_`/.-]+")


def faults(text: str, language: Language) -> Iterator[tuple[str, str]]:
    """Give what is wrong in the form of a sentence as it came: the check, and the words."""
    if len(text) > MOST[language]:
        yield "length", f"{len(text)} characters"
        return
    unseen = next((char for char in text if unicodedata.category(char) in _UNSEEN), "")
    if unseen:
        yield "format", f"U+{ord(unseen):04X}"
    picture = next((char for char in text if unicodedata.category(char) in _PICTURES), "")
    if picture and picture not in "°`^":
        yield "format", picture
    if "@" in text or "＠" in text:
        yield "format", "@"
    for pattern in (_ADDRESS, _MARKUP):
        if found := pattern.search(text):
            yield "format", found.group().strip()
    if _OPENING.match(text):
        yield "format", text[:8]
    if found := _ABOUT_ITSELF.search(text):
        yield "format", found.group()
    if found := _MORE.search(_SHORT_FORMS.sub(" ", text.rstrip("。.！!？? \"'”’)）"))):
        yield "sentences", found.group()
    yield from _cuts(text, language)


def stops_short(text: str, known: Callable[[str], bool]) -> str:
    """Give the last word of a sentence that has no end, if it is no word: "when a dr"."""
    found = _LAST_WORD.search(text)
    return found[1] if found and not known(found[1].lower()) else ""


def _cuts(text: str, language: Language) -> Iterator[tuple[str, str]]:
    if _DANGLES.search(text) or (
        text.count("`") % 2
        or text.count('"') % 2
        or any(text.count(left) != text.count(right) for left, right in _PAIRS)
    ):
        yield "cut", text[-20:]
    elif language is Language.ZH and len(_CJK.findall(text)) < _FEWEST_CJK:
        yield "language", text[:20]
    elif language is Language.EN and (
        len(_WORDS.findall(text)) < _FEWEST_WORDS or _begins_amid(text)
    ):
        yield "cut", text[:20]


def _begins_amid(text: str) -> bool:
    """Tell of words without a beginning: "from kiln import fire". A name may begin small."""
    found = _SMALL_WORD.match(text)
    return found is not None and not any(name.said.fullmatch(found.group()) for name in NAMES)
