"""Definitions found on the two sides of a patch, and what became of them."""

import bisect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from digest.reading.patch import Hunk, Line

MAX_DEFINITIONS = 2_000
"""Definitions read from one side of one file; past it the file is data, not a declaration."""

MAX_CALL = 4_000
"""Characters of one call or list that are looked through for its end."""

MAX_LEAD = 400
"""Characters of a line before a place that are looked at."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Something that people downstream name: a flag, variable, key, pin or function.

    `key` identifies it within a kind, `value` is its default, version or parameters as the diff
    has them. `shape` is the definition without its name, to compare it with another; `complete`
    is False where the hunk ends before the definition does. `changed` tells that one of its lines
    is added or removed. `inline` ones are used where they stand and may be elsewhere too.
    """

    kind: str
    name: str
    value: str | None
    path: str
    line: int | None
    changed: bool
    key: str = ""
    shape: str = ""
    help: str = ""
    choices: str | None = None
    aliases: tuple[str, ...] = ()
    deprecated: bool = False
    instead: str | None = None
    complete: bool = True
    inline: bool = False

    @property
    def identity(self) -> tuple[str, str]:
        """What makes two definitions the same thing."""
        return self.kind, self.key or self.name


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a hunk: its context with either its removed or its added lines."""

    path: str
    section: str
    sign: str
    lines: tuple[Line, ...]
    text: str
    starts: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, hunk: Hunk, sign: str, path: str) -> "Side":
        """Take the side of `sign`: `-` for the old file, `+` for the new one."""
        lines = tuple(line for line in hunk.lines if line.sign in (" ", sign))
        starts, offset = [], 0
        for line in lines:
            starts.append(offset)
            offset += len(line.text) + 1
        text = "\n".join(line.text for line in lines)
        return cls(path, hunk.section, sign, lines, text, tuple(starts))

    def index(self, offset: int) -> int:
        """The index of the line in which an offset of the text lies."""
        return bisect.bisect_right(self.starts, offset) - 1

    def number(self, index: int) -> int | None:
        """The number of a line in its own file."""
        line = self.lines[index]
        return line.old if self.sign == "-" else line.new

    def before(self, offset: int) -> str:
        """The last `MAX_LEAD` characters of a line before an offset."""
        start = max(self.starts[self.index(offset)], offset - MAX_LEAD)
        return self.text[start:offset]

    def is_comment(self, offset: int) -> bool:
        """Tell whether the line of an offset is a comment from its start."""
        start = self.starts[self.index(offset)]
        head = self.text[start : min(offset, start + MAX_LEAD)].lstrip()
        return head.startswith(("#", "//", "*", "/*")) and not head.startswith("#[")

    def span(self, start: int, end: int) -> tuple[int | None, bool]:
        """The line to show for `[start, end)`, and whether any line of it changed.

        The first changed line is shown, the first line if there is none.
        """
        first, last = self.index(start), self.index(max(start, end - 1))
        for index in range(first, last + 1):
            if self.lines[index].sign != " ":
                return self.number(index), True
        return self.number(first), False


Reader: TypeAlias = Callable[[Side], Iterable[Definition]]
"""What finds the definitions of one family on one side."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What became of the definitions between two sides."""

    changed: tuple[tuple[Definition, Definition], ...]
    removed: tuple[Definition, ...]
    added: tuple[Definition, ...]


def differences(old: Iterable[Definition], new: Iterable[Definition]) -> Differences:
    """Compare the definitions of both sides.

    A definition that stands several times on either side is only told as changed where the sides
    have as many of them; otherwise the name was there before and still is, and nothing is told.
    """
    before, after = _grouped(old), _grouped(new)
    changed: list[tuple[Definition, Definition]] = []
    removed: list[Definition] = []
    added: list[Definition] = []
    for identity, olds in before.items():
        news = after.get(identity)
        if news is None:
            removed += [item for item in olds[:1] if item.changed]
        elif len(olds) == len(news):
            pairs = [(a, b) for a, b in zip(olds, news, strict=True) if _differs(a, b)]
            changed += [(a, b) for a, b in pairs if a.changed or b.changed]
    for identity, news in after.items():
        if identity not in before:
            added += [item for item in news[:1] if item.changed]
    return Differences(tuple(changed), tuple(removed), tuple(added))


def _grouped(found: Iterable[Definition]) -> dict[tuple[str, str], list[Definition]]:
    groups: dict[tuple[str, str], list[Definition]] = defaultdict(list)
    for definition in found:
        groups[definition.identity].append(definition)
    return groups


def _differs(old: Definition, new: Definition) -> bool:
    if old.deprecated != new.deprecated or old.choices != new.choices:
        return True
    if old.value == new.value:
        return False
    # A value that only one side shows may stand beyond the end of the hunk on the other.
    whole = old.complete and new.complete
    return whole or (old.value is not None and new.value is not None)


_TOKEN = re.compile(r"'''|\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[()\[\]{},]")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call as texts, where it ends, and whether the hunk shows its end."""

    texts: tuple[str, ...]
    end: int
    closed: bool


def calls(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Find the places of a pattern, each with the end of what may belong to it: the next place.

    With that bound all calls of a text are read in one pass, even where none is closed.
    """
    last: re.Match[str] | None = None
    for match in pattern.finditer(text):
        if last is not None:
            yield last, match.start()
        last = match
    if last is not None:
        yield last, len(text)


def arguments(text: str, start: int, end: int | None = None) -> Arguments:
    """Split the arguments of a call (or the elements of a list) from after its bracket on."""
    bound = min(len(text) if end is None else end, start + MAX_CALL)
    pieces: list[str] = []
    piece: list[str] = []
    depth, at, triple = 0, start, ""
    for token in _TOKEN.finditer(text, start, bound):
        mark = token[0]
        if mark in ("'''", '"""'):
            triple = "" if triple == mark else triple or mark
        elif triple:
            continue
        elif mark[0] == "#":
            piece.append(text[at : token.start()])
            at = token.end()
        elif mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            if depth == 0:
                piece.append(text[at : token.start()])
                pieces.append("".join(piece).strip())
                return Arguments(tuple(p for p in pieces if p), token.end(), True)
            depth -= 1
        elif mark == "," and depth == 0:
            piece.append(text[at : token.start()])
            pieces.append("".join(piece).strip())
            piece, at = [], token.end()
    piece.append(text[at:bound])
    pieces.append("".join(piece).strip())
    return Arguments(tuple(p for p in pieces if p), bound, False)


_KEYWORD = re.compile(r"([A-Za-z_]\w*)\s{0,20}=(?!=)\s*")
_STRING = re.compile(r"[rbuf]{0,2}(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')")


def keywords(texts: Iterable[str]) -> dict[str, str]:
    """The keyword arguments among the arguments of a call, by name."""
    found = {}
    for text in texts:
        if match := _KEYWORD.match(text):
            found[match[1]] = text[match.end() :]
    return found


def string(text: str) -> str | None:
    """What a string literal says, or None where a text is not one literal alone."""
    match = _STRING.fullmatch(text.strip())
    return match[1][1:-1] if match else None


def prose(text: str) -> str:
    """What adjacent string literals say together, such as a help text over several lines."""
    return "".join(match[1][1:-1] for match in _STRING.finditer(text))


def literal(text: str | None) -> str | None:
    """A value as people read it: a string without its quotes, None for `None` and for nothing."""
    if text is None:
        return None
    plain = " ".join(text.split())
    said = string(plain)
    if said is not None:
        return said
    return None if plain in ("", "None", "...", "nullptr", "NULL") else plain


def limited(found: Iterator[Definition]) -> Iterator[Definition]:
    """Stop a reader after `MAX_DEFINITIONS`."""
    for count, definition in enumerate(found):
        if count >= MAX_DEFINITIONS:
            return
        yield definition
