"""A description in units that a model can be shown whole, with how much each may say (pure)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from digest.asking.cleaning import clean
from digest.asking.marking import MARK
from digest.reading.description import BODY_READ
from digest.reading.passages import LOWEST, Passage, PassageKind, passages

_BEFORE_WORDS = re.compile(r"^\W{1,20}(?=\w)")
_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,100}\])?")
_LINK = re.compile(
    r"\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)"
)
_URL = re.compile(r"<?(?:https?|ftp)://[^\s<>]{1,4000}>?|\bwww\.[^\s<>]{1,2000}", re.IGNORECASE)
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
LONGEST_LEAD = 80
"""Characters of a line that ends with a colon and is taken for a heading."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a description; a lower `rank` is more likely to say what and why."""

    text: str
    rank: int
    code: bool = False


@dataclass(slots=True)
class _Section:
    """Where in a description one is: its rank, and a heading not told yet."""

    rank: int = 1
    level: int = LOWEST
    heading: str = ""

    def open(self, heading: str, level: int) -> None:
        """Begin a section; one within another has its rank, if it says nothing of its own."""
        self.heading = _BEFORE_WORDS.sub("", _inline(heading)).rstrip(":： ")
        if _SILENT.search(heading):
            self.rank, self.level = 2, level
        elif _TELLING.search(heading):
            self.rank, self.level = 0, level
        elif level <= self.level:
            self.rank, self.level = 1, level

    def prose(self, passage: Passage) -> Iterator[Unit]:
        """Give a paragraph, if it says anything."""
        text = _inline(passage.text)
        if len(text) <= LONGEST_LEAD and text.endswith((":", "：")):
            self.heading = text.rstrip(":： ")  # it leads to what follows, as a heading does
        elif sum(char.isalnum() for char in text) > 3:  # "N/A", "None"
            rank = 3 if passage.kind is PassageKind.QUOTED else self.rank
            yield self._unit(text, rank, code=False)

    def code(self, passage: Passage) -> Iterator[Unit]:
        """Give code or a table, as it stands."""
        lines = (line.rstrip() for line in passage.text.split("\n"))
        if passage.kind is PassageKind.TABLE:
            lines = (line.strip() for line in lines)
        if text := "\n".join(lines).strip("\n"):
            yield self._unit(text, self.rank + 2, code=True)

    def _unit(self, text: str, rank: int, *, code: bool) -> Unit:
        told, self.heading = self.heading, ""
        return Unit(f"{told}:\n{text}" if told else text, rank, code)


def units(body: str) -> tuple[Unit, ...]:
    """Give the passages of a description as a model is shown them, in order.

    Left out are checklists, images and the addresses of links. The first unit under a heading
    begins with a line that holds it. Anything is accepted; what is past `BODY_READ` characters is
    not read.
    """
    return tuple(_units(passages(clean(body[:BODY_READ]))))


def _units(told: Iterable[Passage]) -> Iterator[Unit]:
    section = _Section()
    for passage in told:
        for heading, level in passage.opened:
            section.open(heading, level)
        if passage.kind in (PassageKind.CODE, PassageKind.TABLE):
            yield from section.code(passage)
        elif passage.kind not in (PassageKind.OPEN_BOX, PassageKind.DONE_BOX):
            yield from section.prose(passage)


def _inline(prose: str) -> str:
    """Prose without images, addresses and tags, and without the mark of prompts."""
    text = _LINK.sub(r"\1", _IMAGE.sub("", prose))
    return " ".join(_URL.sub("", text).replace(MARK, "_").split())
