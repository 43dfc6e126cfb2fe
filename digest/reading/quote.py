"""One or two whole sentences of an author's own description, copied exactly."""

import re
import unicodedata
from dataclasses import dataclass

from digest.models import Item
from digest.reading.change import declared
from digest.reading.description import TITLE_READ, is_template, visible
from digest.reading.orders import is_order

QUOTE_LIMIT = 300
"""Characters of a quote; a sentence is taken whole or not at all."""
_SILENT_RANK = 4
"""Rank from which a paragraph tells of tests and the like."""
MIN_LETTERS = 15
"""A shorter sentence seldom says what or why."""
MIN_WIDE_LETTERS = 8
"""The same for scripts that write a word with one or two characters."""
SAME_AS_TITLE = 0.75
"""Share of a sentence's words that its title may already hold."""

ENDS = ".!?。！？"

_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)|^\s{0,3}(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?\s*$")
_MEANINGFUL = re.compile(
    r"motivation|highlight|why|what|summary|description|purpose|overview|background|problem|"
    r"root cause|fix|modification|change|breaking|upgrade|migration|context|动机|背景|描述|问题|"
    r"修改|概述",
    re.IGNORECASE,
)
_SILENT = re.compile(
    r"test|known|check ?list|benchmark|accuracy|reviewer|review process|how to|related|screenshot|"
    r"result|reproduc|todo|follow|reference|credit|acknowledg|note to|environment|测试|结果",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]`*]{0,3}\s+|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|no|approx|resp|incl|eq|sec|al|w\.r\.t|a\.k\.a)\.|\b[A-Za-z]\.)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"https?:|www\.|\]\(|!\[|\]\[|<[A-Za-z/!@#:&]|(?<![\w.])@\w|&[a-z]{2,8};|&#|\||\\[*_`<\[]|~~"
)
_GREETING = re.compile(
    r"^(?:\(|(?:pr )?dependenc(?:y|ies):|hi|hello|hey|thanks?|thank you|dear|cc\b|lgtm|wip\b|"
    r"ping\b|signed-off-by|co-authored-by|"
    r"generated (?:by|with)|🤖|same as|see (?:also|the title|above|#)|as (?:above|title)|per title|"
    r"todo|fyi|n/?a\b|none\b|follow[- ]?up|split from|ditto|你好|谢谢|感谢)",
    re.IGNORECASE,
)
_ONLY_LINKS = re.compile(
    r"^(?:(?:this (?:pr|pull request|commit) )?"
    r"(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|related to|part of|reverts?|relates to|refs?|"
    r"depends on|stacked on|issue|修复|关联)\s*:?\s*"
    r"(?:\(?[\w./-]{0,100}#\d+\)?[\s,;.&]*(?:and\s+)?)+)$|"
    r"^this reverts commit [0-9a-f]{7,40}",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"^(?:this (?:pr |pull request |commit |change )?)?(?:reverts|undoes|takes back|backs out)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|since|due to|as it|so that|which|to (?!#)\w+)\b", re.IGNORECASE
)
_PROCESS = re.compile(
    r"^(?:the )?(?:first|second|third|fourth|next|final|last)(?: and \w{2,8})? "
    r"(?:part|step|pr|of)\b|^part \d|^made with\b|^goes with\b|"
    r"^(?:rebased|cherry-?picked|back-?port(?:ed|s)?|moved from|"
    r"reopen(?:ed|s)|re-?submit\w*|continu(?:es|ation) (?:of )?(?:#|the work))",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"\b(?:please (?:contact|ping|review|let me know|take a look)|feel free to|let me know|"
    r"reach out to|ready for review)\b",
    re.IGNORECASE,
)
ACT = re.compile(
    r"\b(?:must|ha(?:s|ve) to|needs? to (?:be )?(?:set|pass|chang|updat|renam|migrat|rebuil|upgrad|"
    r"reinstall|adapt)\w*|whoever|should (?:now )?(?:use|pass|set|update|migrate|switch|call|"
    r"upgrade)|(?:use|pass|set|call|import) \S{1,60} instead|(?:use|pass|set) `[^`]{1,60}` to "
    r"(?:keep|restore|get back)|please (?:use|pass|set|update|migrate|switch))\b|"
    r"需要|必须|请(?:使用|改用|将)",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:it|they|also|however|but|and|then|therefore|these|those|that|so|thus|hence|moreover|"
    r"furthermore|otherwise|besides|instead|as a result|additionally|after (?:that|this))\b|"
    r"^(?:其中|但|因此)",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\b(?:because|since|which|whose|and|or|but|if|when|while|of|the|an?|to|with|for|from|by|as|is|"
    r"are|was|were|that)$",
    re.IGNORECASE,
)
"""A last word that something has to follow: what came next was no prose."""
_LEAST_WORDS = 4
"""Words below which what has no wider script is a heading or a scrap of a list.

What stands in brackets is none, and what ends as a heading does has to have one more.
"""
_BRACKETED = re.compile(r"\([^()]*\)")
_HASH = re.compile(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}\b")
"""A commit, which nobody reads."""
_ONLY_ISSUE = re.compile(
    r"^(?:this (?:pr|pull request|change|commit) )?"
    r"(?:address|clos|complet|fix|finish|implement|resolv|tackl)(?:e?[sd]|es)?(?: the)? "
    r"(?:item|issue|milestone|part|phase|point|step|task|todo)s? #?\d+[^.;:]{0,80}"
    r"#\d+\W*$",
    re.IGNORECASE,
)
_BREAKING = re.compile(r"breaking|不兼容", re.IGNORECASE)
_WORD = re.compile(r"[0-9A-Za-z_]+|[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Prose on one line; `leads` where a list, table or code follows it at once."""

    text: str
    rank: int
    leads: bool


def quote(item: Item) -> str:
    """Give one or two neighbouring sentences of the item's body that stand alone, else nothing.

    The result is a substring of the body apart from runs of white space, has no link, mention or
    HTML, and is at most `QUOTE_LIMIT` characters long.
    """
    title = frozenset(_words(item.title[:TITLE_READ]))
    flat = " ".join(item.body.split())
    paragraphs = sorted(_paragraphs(item.body), key=lambda one: one.rank)
    if _requires_action(item):
        # What a reader has to do comes before why; where nothing says it, all is as ever.
        meaningful = [one for one in paragraphs if one.rank < _SILENT_RANK]
        return _first(meaningful, title, flat, ACT) or _first(paragraphs, title, flat)
    return _first(paragraphs, title, flat)


def _requires_action(item: Item) -> bool:
    """Whether a change is stated to break something, and is not told for its danger first."""
    marks = " ".join((item.title[:TITLE_READ], *item.labels[:50]))
    if "security" in marks.lower():
        return False
    return (
        declared(item.title).breaking
        or _BREAKING.search(marks) is not None
        or any(_BREAKING.match(line.lstrip("*_ #")[:20]) for line in item.body.split("\n"))
    )


def _first(
    paragraphs: list[_Paragraph],
    title: frozenset[str],
    flat: str,
    sign: re.Pattern[str] | None = None,
) -> str:
    """The first sentence that stands alone (and has the sign), with the one that follows it."""
    for paragraph in paragraphs:
        sentences = split_sentences(paragraph.text)
        if paragraph.leads and sentences and sentences[-1][-1] not in ENDS:
            sentences.pop()
        for place, sentence in enumerate(sentences):
            if not _stands_alone(sentence, title) or sentence not in flat:
                continue
            if sign is not None and not sign.search(sentence):
                continue
            following = sentences[place + 1] if place + 1 < len(sentences) else ""
            both = f"{sentence} {following}" if following else sentence
            if sentence[-1] in "。！？":
                both = sentence + following
            longer = following and len(both) <= QUOTE_LIMIT and _is_plain(following, title)
            return both if longer and both in flat else sentence
    return ""


def is_meaningful(sentence: str, title: str) -> bool:
    """Return whether a sentence stands alone, is harmless, and says more than a title."""
    return _stands_alone(sentence, frozenset(_words(title)))


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph on one line into its sentences, none of them changed."""
    sentences: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(paragraph):
        end = match.start() + len(match.group().rstrip())
        piece = paragraph[start:end]
        if _ABBREVIATION.search(piece[-8:]) or paragraph[match.end() : match.end() + 1].islower():
            continue
        if piece.strip():
            sentences.append(piece.strip())
        start = match.end()
    rest = paragraph[start:].strip()
    return [*sentences, rest] if rest else sentences


def _paragraphs(body: str) -> list[_Paragraph]:
    """Paragraphs of prose in order; a lower rank is more likely to say what and why."""
    found: list[_Paragraph] = []
    lines: list[str] = []
    section = 1
    in_list = False

    def close(leads: bool = False) -> None:
        if lines:
            text = " ".join(" ".join(lines).split())
            rank = section + (2 if in_list else 0)
            rank = -1 if _BREAKING.match(text.lstrip("*_ ")) else rank
            found.append(_Paragraph(text, rank, leads and not in_list))
            lines.clear()

    folded = False
    for line in visible(body).split("\n"):
        stripped = line.strip()
        lowered = stripped[:20].lower()
        folded = folded or lowered.startswith("<details")
        if not stripped or folded or _is_furniture(stripped) or is_template(line):
            close()
            in_list = False
            folded = folded and not lowered.startswith("</details")
        elif _HEADING.match(line[:200]):
            close()
            in_list = False
            section = (
                _SILENT_RANK
                if _SILENT.search(line[:200])
                else 0
                if _MEANINGFUL.search(line[:200])
                else 1
            )
        elif mark := _LIST_ITEM.match(line):
            close(leads=True)
            in_list = True
            lines.append(line[mark.end() :])
        else:
            lines.append(stripped)
    close()
    return found


def _is_furniture(line: str) -> bool:
    """Tables, rules, quotations, images and lines of HTML."""
    return line.startswith(("|", ">", "![", "<", "---", "===", "***", "___", "[!")) or (
        line.count("|") > 1
    )


def _stands_alone(sentence: str, title: frozenset[str]) -> bool:
    if not _is_plain(sentence, title) or _LEANING.match(sentence):
        return False
    letters = sum(1 for char in sentence if char.isalnum())
    wide = sum(1 for char in sentence if "\u3400" <= char <= "\u9fff")
    least = _LEAST_WORDS if sentence[-1] in ENDS else _LEAST_WORDS + 1
    enough = len(_BRACKETED.sub("", sentence).split()) >= least
    return wide >= MIN_WIDE_LETTERS or (letters >= MIN_LETTERS and enough)


def _is_plain(sentence: str, title: frozenset[str]) -> bool:
    """Whole, harmless and new: what a quote may hold."""
    if len(sentence) > QUOTE_LIMIT or sentence[-1] in ":：,，;；(（" or _MARKUP.search(sentence):
        return False
    if (
        _GREETING.match(sentence.lstrip("*_ "))
        or _CONTACT.search(sentence)
        or _is_of_process(sentence)
    ):
        return False
    if _CUT.search(sentence) or _HASH.search(sentence) or _ONLY_ISSUE.match(sentence):
        return False
    if _ONLY_LINKS.match(sentence) or is_template(sentence) or is_order(sentence):
        return False
    if sentence.count("`") % 2 or sentence.count("**") % 2 or _is_open(sentence):
        return False
    if any(unicodedata.category(char)[0] == "C" for char in sentence):
        return False
    words = _words(sentence)
    return bool(words) and sum(word in title for word in words) < SAME_AS_TITLE * len(words)


def _is_of_process(sentence: str) -> bool:
    """Whether a sentence tells how a change came about, not what or why."""
    bare = sentence.lstrip("*_ ")
    if _TAKES_BACK.match(bare) and not _BECAUSE.search(bare):
        return True
    return _PROCESS.match(bare) is not None


def _is_open(sentence: str) -> bool:
    return any(
        sentence.count(left) != sentence.count(right) for left, right in ("()", "[]", "（）")
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
