"""A description in units that can be shown whole: paragraphs, list items, tables, code (pure)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from digest.asking.cleaning import clean
from digest.asking.marking import MARK
from digest.reading.description import BODY_READ, is_template, without_bots

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(\S.*)$|\s{0,3}(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?\s*$")
_BEFORE_WORDS = re.compile(r"^\W{1,20}(?=\w)")
_LIST_ITEM = re.compile(r"\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+(\S.*)$")
_BOX = re.compile(r"\s{0,12}[-*+] \[[ xX]?\]")
_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,100}\])?")
_LINK = re.compile(
    r"\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)"
)
_URL = re.compile(r"<?(?:https?|ftp)://[^\s<>]{1,4000}>?|\bwww\.[^\s<>]{1,2000}", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|br|blockquote|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|kbd|li|"
    r"ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|"
    r"tfoot|th|thead|tr|tt|u|ul|var|video)(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"\s{0,4}(?:(?:co-authored|co-developed|signed-off|reviewed|acked|tested|approved|reported|"
    r"suggested)-by|change-id|reviewed-on|differential revision|cc)\s?:|\s{0,4}cc @|"
    r".{0,4}generated (?:with|by) ",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"motivation|highlight|why|what|summary|description|purpose|overview|background|problem|"
    r"root cause|fix|modification|change|breaking|upgrade|migration|context|动机|背景|描述|问题|"
    r"修改|概述|总结|目的",
    re.IGNORECASE,
)
_SILENT = re.compile(
    r"test|check ?list|benchmark|accuracy|reviewer|review process|how to|related|screenshot|"
    r"result|reproduc|todo|reference|credit|acknowledg|environment|测试|结果|环境|精度|性能",
    re.IGNORECASE,
)
LONGEST_LINE = 20_000
"""Characters of a line that is read; a longer one is data, and is left out whole."""


LONGEST_LEAD = 80
"""Characters of a line that ends with a colon and is taken for a heading."""
LOWEST = 7
"""The level of a heading in bold: below those with one to six `#`."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a description; a lower `rank` is more likely to say what and why."""

    text: str
    rank: int
    code: bool = False


@dataclass(slots=True)
class _Section:
    """Where in a description one is: its rank, and a heading not told yet.

    `skips` tells that what follows goes on with a line that was left out.
    """

    rank: int = 1
    level: int = LOWEST
    heading: str = ""
    lines: list[str] = field(default_factory=list)
    quoted: bool = False
    skips: bool = False

    def open(self, heading: str, level: int) -> None:
        """Begin a section; one within another has its rank, if it says nothing of its own."""
        self.heading = _BEFORE_WORDS.sub("", _inline(heading)).rstrip(":： ")
        if _SILENT.search(heading):
            self.rank, self.level = 2, level
        elif _TELLING.search(heading):
            self.rank, self.level = 0, level
        elif level <= self.level:
            self.rank, self.level = 1, level

    def close(self) -> Iterator[Unit]:
        """Give the paragraph that was read, if it says anything."""
        prose = _inline(" ".join(self.lines))
        quoted, self.quoted, self.skips = self.quoted, False, False
        self.lines.clear()
        if len(prose) <= LONGEST_LEAD and prose.endswith((":", "：")):
            self.heading = prose.rstrip(":： ")  # it leads to what follows, as a heading does
        elif sum(char.isalnum() for char in prose) > 3:  # "N/A", "None"
            yield self._unit(prose, rank=3 if quoted else self.rank, code=False)

    def code(self, lines: list[str]) -> Iterator[Unit]:
        """Give code or a table, as it stands."""
        text = "\n".join(line.rstrip() for line in lines).strip("\n")
        if text.strip():
            yield self._unit(text, rank=self.rank + 2, code=True)

    def _unit(self, text: str, rank: int, code: bool) -> Unit:
        told, self.heading = self.heading, ""
        return Unit(f"{told}:\n{text}" if told else text, rank, code)


def units(body: str) -> tuple[Unit, ...]:
    """Cut a description into its units, in order.

    Left out are HTML comments, what a review bot added, a template's own lines, checklists,
    signatures, images and the addresses of links. The first unit under a heading begins with a
    line that holds it. Anything is accepted; what is past `BODY_READ` characters is not read.
    """
    return tuple(_units(clean(without_bots(body[:BODY_READ]))))


def _units(text: str) -> Iterator[Unit]:
    section = _Section()
    table: list[str] = []
    code: list[str] | None = None
    fence = ""
    for line in text.split("\n"):
        if code is not None:
            if line.strip().startswith(fence):
                yield from section.code(code)
                code = None
            else:
                code.append(line)
            continue
        if table and not line.lstrip().startswith("|"):
            yield from section.code(table)
            table = []
        if mark := _FENCE.match(line):
            yield from section.close()
            code, fence = [], mark[1]
        elif line.lstrip().startswith("|"):
            yield from section.close()
            table.append(line.strip())
        else:
            yield from _prose(line, section)
    yield from section.code(table if code is None else code)
    yield from section.close()


def _prose(line: str, section: _Section) -> Iterator[Unit]:
    """Take in one line outside code and tables."""
    if _is_left_out(line):
        yield from section.close()
        section.skips = _BOX.match(line) is not None
    elif heading := _HEADING.match(line[:300]):
        yield from section.close()
        section.open(heading[2] or heading[3], len(heading[1] or "") or LOWEST)
    elif entry := _LIST_ITEM.match(line):
        yield from section.close()
        section.lines.append(entry[1])
    elif line.lstrip().startswith(">"):
        if not section.quoted:
            yield from section.close()
        section.quoted = True
        section.lines.append(line.lstrip("> "))
    elif not section.skips:
        section.lines.append(line.strip())


def _is_left_out(line: str) -> bool:
    return (
        not line.strip()
        or len(line) > LONGEST_LINE
        or _BOX.match(line) is not None
        or _SIGNATURE.match(line) is not None
        or is_template(line)
        or not any(char.isalnum() for char in line)
    )


def _inline(prose: str) -> str:
    """Prose without images, addresses and tags, and without the mark of prompts."""
    text = _LINK.sub(r"\1", _IMAGE.sub("", prose))
    text = _URL.sub("", _TAG.sub(" ", text))
    return " ".join(text.replace(MARK, "_").split())
