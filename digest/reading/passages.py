"""The pieces of a description, each word for word: prose, list items, boxes, tables, code.

What a template or a bot wrote is no word of the author's and is left out, and so is what orders a
model about. Nothing is cut: a piece
is whole or not there. What is told of a change and what a model is shown of it are made of these.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from digest.reading.description import BODY_READ, is_template, without_bots

MOST_PASSAGES = 400
"""Pieces of one description that are read; what people write has fewer."""

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(
    r"^ {0,3}(#{1,6})\s+(\S.{0,200})$|^ {0,3}(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?\s*$"
)
_SUMMARY = re.compile(r"<summary[^>]{0,80}>(.{0,200}?)(?:</summary>|$)", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|br|blockquote|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|kbd|li|"
    r"ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|"
    r"tfoot|th|thead|tr|tt|u|ul|var|video)(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE,
)
"""Tags that GitHub lets through; `List<T>` is none."""
_FOLD = re.compile(r"\s{0,8}<(/?)details", re.IGNORECASE)
_BOX = re.compile(r"^[ \t]{0,8}[-*+] \[([ xX])\]\s+(\S.*)$")
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$")
_RULE = re.compile(r"^\s{0,3}(?:[-_*=]\s{0,3}){3,200}$")
_DELIMITER = re.compile(r"^\s{0,3}\|?[\s:|-]{3,400}$")
_TRAILER = re.compile(
    r"(?:(?:co-authored|co-developed|signed-off|reviewed|acked|tested|approved|reported|"
    r"suggested)-by|change-id|reviewed-on|differential revision|cc)\s?:|cc @|"
    r".{0,4}generated (?:with|by) ",
    re.IGNORECASE,
)
_CALLOUT = re.compile(r"\[!\w{1,20}\]\s{0,8}")
LONGEST_LINE = 20_000
"""Characters of a line that is read; a longer one is data, and is left out whole."""
LOWEST = 7
"""The level of a heading in bold or of a fold: below those with one to six `#`."""
_FORMS = re.compile(
    r"check ?list|before submitting|contributor guide|reviewer|pre-commit|"
    r"review (?:and merge )?process",
    re.IGNORECASE,
)
"""Headings under which stand a form's own boxes and sentences, not the author's."""
_FORM_BOX = re.compile(
    r"\btests? (?:have|has) been\b|\ball tests?\b|\bunit ?tests?\b|\bdocumentation\b|\bdocs?\b|"
    r"\bpre-commit\b|\bformat\b|\blint\b|\bi have\b|\bthe purpose of the pr\b|\bthe test plan\b|"
    r"\bthe test results?\b|\brelease notes?\b|\bsupported.models\b|\bcode style\b|"
    r"\bbenchmark results\b|\bbreaking change\b|\bchangelog\b|\bself.review\b",
    re.IGNORECASE,
)
"""Boxes of the templates of the repositories that are known here."""


class PassageKind(StrEnum):
    """What a piece of a description is."""

    PROSE = "prose"
    ITEM = "item"
    OPEN_BOX = "open_box"
    DONE_BOX = "done_box"
    TABLE = "table"
    CODE = "code"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece, as written but for the breaks within a paragraph; `heading` is that above it.

    `opened` are the headings between it and the passage before, with their levels (1 to `LOWEST`).
    What `is_folded` is seen only after a click.
    """

    kind: PassageKind
    text: str
    heading: str = ""
    opened: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    is_folded: bool = field(default=False, compare=False)


def passages(body: str) -> tuple[Passage, ...]:
    """Give what the author wrote in the order of the description, `MOST_PASSAGES` at most."""
    found: list[Passage] = []
    opened: tuple[tuple[str, int], ...] = ()
    for passage in _read(without_bots(body[:BODY_READ]).split("\n")):
        if len(found) == MOST_PASSAGES:
            break
        opened += passage.opened
        if not _is_of_form(passage) and not is_order(passage.text):
            found.append(replace(passage, opened=opened))
            opened = ()
    return tuple(found)


def _is_of_form(passage: Passage) -> bool:
    if passage.kind in (PassageKind.OPEN_BOX, PassageKind.DONE_BOX):
        return bool(_FORMS.search(passage.heading) or _FORM_BOX.search(passage.text))
    if passage.kind in (PassageKind.TABLE, PassageKind.CODE):
        return False
    return bool(_FORMS.search(passage.heading)) or is_template(passage.text)


def _read(lines: list[str]) -> Iterator[Passage]:
    reader = _Reader()
    place = 0
    while place < len(lines):
        if fence := _FENCE.match(lines[place]):
            end = _fence_end(lines, place, fence[1])
            yield from reader.block(PassageKind.CODE, lines[place + 1 : end])
            place = end + 1
        elif _begins_table(lines, place):
            end = place
            while end < len(lines) and ("|" in lines[end] or _parts_a_header(lines, end)):
                end += 1
            yield from reader.block(PassageKind.TABLE, lines[place:end])
            place = end
        else:
            yield from reader.prose(lines[place])
            place += 1
    yield from reader.close()


@dataclass(slots=True)
class _Reader:
    """The piece that is being read, and the heading that it stands under."""

    heading: str = ""
    opened: list[tuple[str, int]] = field(default_factory=list)
    kind: PassageKind = PassageKind.PROSE
    held: list[str] = field(default_factory=list)
    folded: bool = False

    def block(self, kind: PassageKind, lines: list[str]) -> Iterator[Passage]:
        """Take in a table or fenced code."""
        yield from self.close()
        text = "\n".join(lines)
        if text.strip():
            yield self._piece(kind, text)

    def prose(self, line: str) -> Iterator[Passage]:
        """Take in one line outside tables and code."""
        if fold := _FOLD.match(line):
            yield from self.close()
            self.folded = not fold[1]
        if named := _heading(line):
            yield from self.close()
            self.heading = named[0]
            self.opened.append(named)
        elif not (bare := _TAG.sub("", line).strip()) or _is_furniture(bare):
            yield from self.close()
        elif bare.startswith(">"):
            if self.kind is not PassageKind.QUOTED:
                yield from self.close()
            self.kind = PassageKind.QUOTED
            self.held.append(_CALLOUT.sub("", bare.lstrip("> "), count=1))
        elif begun := _listed(line):
            yield from self.close()
            self.kind = begun[0]
            self.held.append(begun[1])
        else:
            if self.kind is PassageKind.QUOTED:
                yield from self.close()
            self.held.append(bare if "<" in line else line.strip())

    def close(self) -> Iterator[Passage]:
        """Give the piece that was read; what follows is prose until something else begins."""
        text = " ".join(" ".join(self.held).split())
        kind, self.kind = self.kind, PassageKind.PROSE
        self.held.clear()
        if text:
            yield self._piece(kind, text)

    def _piece(self, kind: PassageKind, text: str) -> Passage:
        opened = tuple(self.opened)
        self.opened.clear()
        return Passage(kind, text, self.heading, opened, self.folded)


def _heading(line: str) -> tuple[str, int] | None:
    """Give the words of a heading and its level."""
    if found := _HEADING.match(line[:300]):
        words = (found[2] or found[3]).strip().rstrip("#: ")
        return (words, len(found[1] or "") or LOWEST) if words else None
    if found := _SUMMARY.search(line[:400]):
        words = _TAG.sub("", found[1]).strip()
        return (words, LOWEST) if words else None
    return None


def _listed(line: str) -> tuple[PassageKind, str] | None:
    if box := _BOX.match(line):
        return (PassageKind.OPEN_BOX if box[1] == " " else PassageKind.DONE_BOX), box[2]
    if item := _ITEM.match(line):
        return PassageKind.ITEM, item[1]
    return None


def _is_furniture(line: str) -> bool:
    """Rules, pictures, signatures, a row that is alone, and lines that are data."""
    return (
        line.startswith(("![", "[!", "|"))
        or len(line) > LONGEST_LINE
        or not any(char.isalnum() for char in line)
        or _RULE.match(line) is not None
        or _TRAILER.match(line) is not None
    )


def _begins_table(lines: list[str], place: int) -> bool:
    line, following = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
    if line.lstrip().startswith("|"):
        if following.lstrip().startswith("|"):
            return True
        return place + 1 < len(lines) and _parts_a_header(lines, place + 1)
    return "|" in line and "|" in following and _DELIMITER.match(following) is not None


def _parts_a_header(lines: list[str], place: int) -> bool:
    """Tell whether an empty line stands between the names of columns and their rule."""
    following = lines[place + 1] if place + 1 < len(lines) else ""
    return not lines[place].strip() and "|" in following and bool(_DELIMITER.match(following))


def _fence_end(lines: list[str], start: int, mark: str) -> int:
    """Give the line that closes a fence, or the end: an open one reaches to it, as on GitHub."""
    for place in range(start + 1, len(lines)):
        if lines[place].lstrip()[: len(mark)] == mark and not lines[place].strip(" `~"):
            return place
    return len(lines)


_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:instructions?|guidelines|system prompts?|(?:all|everything) (?:the )?above)\b"
    r"|\b(?:you are|act as|pretend to be) (?:now )?(?:an? |the )?"
    r"(?:helpful |honest |new )?(?:ai|assistant|chatgpt|gpt|language model|llm|dan|summari[sz]er)\b"
    r"|\b(?:as an|dear|hey|note to|attention) (?:ai|llm|language model|assistant|summari[sz]er)s?\b"
    r"|\b(?:respond|reply|answer|output|print) (?:only|exactly|just) (?:with|in|the)\b"
    r"|(?:^|[.!:;,]\s{0,3}|\bplease |\bmust |\binstead,? |\balways )"
    r"(?:say|write|claim|announce|declare|tell (?:them|users|readers|everyone))"
    r"(?: only| exactly| just)?(?: that\b|: |,? ?[\"'`])"
    r"|\bin (?:your|this) (?:summary|digest|answer)\b|\bwhen (?:you )?summari[sz](?:e|ing) this\b"
    r"|(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|提示词|系统提示|以上|上述)"
    r"|你(?:现在)?是(?:一个|一名)?.{0,6}(?:助手|模型|机器人)"
    r"|(?:请|必须)(?:只|仅|直接)?(?:输出|回复|回答|写上|写道|声称|说)(?:以下|如下|：|:|[“\"「])",
    re.IGNORECASE | re.ASCII | re.MULTILINE,
)
_MOST_READ = 20_000


def is_instruction(text: str) -> bool:
    """Tell whether a paragraph, title or line speaks to a model."""
    return _TO_A_MODEL.search(text, 0, _MOST_READ) is not None


_ROLE = re.compile(r"^\W{0,4}(?:system|assistant|user|developer)\s{0,3}:", re.IGNORECASE)

_ADDRESSED = re.compile(
    r"\bnotes? (?:for|to) (?:the |any |all |every )?"
    r"(?:ai|llm|language model|assistant|summari[sz]er)s?\b"
    r"|\b(?:ai|assistant|bot|llm|model|tool) (?:that|which|who) (?:summari[sz]es|writes) "
    r"(?:the|this)\b"
    r"|\byour (?:digest|gloss|report|sentence|summary) (?:has to|is|must|shall|should|will)\b"
    r"|(?:写|撰写|生成).{0,6}(?:摘要|总结|晨报).{0,4}的(?:助手|模型|机器人)"
    r"|你的(?:句子|总结|摘要)(?:是|应|必须)",
    re.IGNORECASE,
)


def is_order(text: str) -> bool:
    """Tell whether a passage orders a model about, or speaks as one of the roles of a chat."""
    return (
        _ROLE.match(text) is not None
        or _ADDRESSED.search(text, 0, _MOST_READ) is not None
        or is_instruction(text)
    )
