"""The pieces of a description, each word for word: prose, list items, boxes, tables, code.

What a template or a bot wrote is no word of the author's and is left out. Nothing is cut: a piece
is whole or not there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from digest.reading.description import BODY_READ, is_template, without_bots

MOST_PASSAGES = 400
"""Pieces of one description that are read; what people write has fewer."""

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(
    r"^ {0,3}#{1,6}\s+(\S.{0,200})$|^ {0,3}(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?\s*$"
)
_SUMMARY = re.compile(r"<summary[^>]{0,80}>(.{0,200}?)(?:</summary>|$)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_BOX = re.compile(r"^[ \t]{0,8}[-*+] \[([ xX])\]\s+(\S.*)$")
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$")
_RULE = re.compile(r"^\s{0,3}(?:[-_*=]\s{0,3}){3,200}$")
_DELIMITER = re.compile(r"^\s{0,3}\|?[\s:|-]{3,400}$")
_TRAILER = re.compile(r"^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|cc|change-id):", re.I)
_FORMS = re.compile(
    r"check ?list|before submitting|contributor guide|reviewer|pre-commit|review process",
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


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece, as written but for the breaks within a paragraph; `heading` is that above it."""

    kind: PassageKind
    text: str
    heading: str = ""


def passages(body: str) -> tuple[Passage, ...]:
    """Give what the author wrote in the order of the description, `MOST_PASSAGES` at most."""
    found: list[Passage] = []
    for passage in _read(without_bots(body[:BODY_READ]).split("\n")):
        if len(found) == MOST_PASSAGES:
            break
        if not _is_of_form(passage):
            found.append(passage)
    return tuple(found)


def _is_of_form(passage: Passage) -> bool:
    if passage.kind in (PassageKind.OPEN_BOX, PassageKind.DONE_BOX):
        return bool(_FORMS.search(passage.heading) or _FORM_BOX.search(passage.text))
    if passage.kind in (PassageKind.TABLE, PassageKind.CODE):
        return False
    return bool(_FORMS.search(passage.heading)) or is_template(passage.text)


def _read(lines: list[str]) -> Iterator[Passage]:
    heading, kind = "", PassageKind.PROSE
    held: list[str] = []
    place = 0

    def close() -> Iterator[Passage]:
        text = " ".join(" ".join(held).split())
        held.clear()
        if text:
            yield Passage(kind, text, heading)

    while place < len(lines):
        line = lines[place]
        if fence := _FENCE.match(line):
            yield from close()
            end = _fence_end(lines, place, fence[1])
            code = "\n".join(lines[place + 1 : end])
            if code.strip():
                yield Passage(PassageKind.CODE, code, heading)
            place, kind = end + 1, PassageKind.PROSE
            continue
        if _begins_table(lines, place):
            yield from close()
            end = place
            while end < len(lines) and ("|" in lines[end] or _parts_a_header(lines, end)):
                end += 1
            yield Passage(PassageKind.TABLE, "\n".join(lines[place:end]), heading)
            place, kind = end, PassageKind.PROSE
            continue
        place += 1
        named = _heading(line)
        if named or not (bare := _TAG.sub("", line).strip()) or _is_furniture(bare):
            yield from close()
            heading, kind = named or heading, PassageKind.PROSE
        elif begun := _listed(line):
            yield from close()
            kind = begun[0]
            held.append(begun[1])
        else:
            held.append(bare if "<" in line else line.strip())
    yield from close()


def _heading(line: str) -> str:
    if found := _HEADING.match(line[:300]):
        return (found[1] or found[2]).strip().rstrip("#: ")
    if found := _SUMMARY.search(line[:400]):
        return _TAG.sub("", found[1]).strip()
    return ""


def _listed(line: str) -> tuple[PassageKind, str] | None:
    if box := _BOX.match(line):
        return (PassageKind.OPEN_BOX if box[1] == " " else PassageKind.DONE_BOX), box[2]
    if item := _ITEM.match(line):
        return PassageKind.ITEM, item[1]
    return None


def _is_furniture(line: str) -> bool:
    """Rules, pictures, quotations of others, signatures, and a row that is alone."""
    return (
        line.startswith((">", "![", "[!", "|"))
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
