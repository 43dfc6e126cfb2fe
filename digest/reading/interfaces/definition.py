"""A part of an interface as one side of a file defines it, and a file as it stood on both sides."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from digest.facts import Subject
from digest.reading.interfaces import grammar

SETTING = "setting"
"""The shape of a key of a file of settings: its name is whole, its value as people write it."""

CALLED = ("function", "method", "api", "native")
"""Shapes of arguments of what is called, which have places: those of a record are its fields."""

CUT = "\f"
"""A line that stands for what is missing between two parts of a file."""

MAX_QUOTE = 240
"""Characters of a line that are quoted: the beginning of a longer one."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One flag, variable, field, argument, metric … where it stands.

    `name` is as a user writes it, `owner` the class, function or table that it belongs to.
    `value` is its default as the source writes it, None where there is none or none can be read.
    `required` tells that there is no default at all. `choices` are the values that it takes, None
    where nothing limits them. `shape` is what it is otherwise (its type, labels or place), for
    telling a new name from an old one.
    `table` tells that the place exists to define such things (a table of variables, a field, a
    parser); without it the thing is only read there. `line` counts from 1; `quote` is that line.
    `instead` is what a deprecation says to use. `worked_out` tells that the value is what the
    source writes in a variable's place, and not what it is. `annotation` is that of an argument.
    `is_module` tells that a front imports a module of its own package, and no name of one.
    """

    subject: Subject
    name: str
    path: str
    line: int
    quote: str
    owner: str = ""
    value: str | None = None
    required: bool = False
    choices: tuple[str, ...] | None = None
    shape: str = ""
    deprecated: bool = False
    table: bool = True
    position: int = -1
    inherited: bool = False
    instead: str = ""
    worked_out: bool = False
    annotation: str = ""
    is_module: bool = False

    @property
    def key(self) -> tuple[Subject, str, str]:
        """What makes two definitions the same thing."""
        return self.subject, self.owner, self.name

    @property
    def is_text(self) -> bool:
        """Tell whether the default is that of a variable, as a person writes it, and no name."""
        is_written = self.shape != "native" and not self.worked_out
        return self.subject is Subject.ENV and self.value is not None and is_written


@dataclass(frozen=True, slots=True)
class Pair:
    """A file before and after a change; None where it was not there. Paths differ on a rename."""

    old_path: str
    path: str
    before: str | None
    after: str | None


def quoted(lines: Sequence[str], line: int) -> str:
    """Return the line (from 1) without its indentation, empty where there is none."""
    return lines[line - 1].strip()[:MAX_QUOTE] if 0 < line <= len(lines) else ""


@lru_cache(maxsize=4096)
def snake_case(name: str) -> str:
    """Return what instances of a class are called: `KVCacheConfig` → `kv_cache_config`."""
    # LoRA and MoE are one word each.
    known = re.sub(
        r"([A-Z][a-z])([A-Z]+)(?=[A-Z][a-z]|$)", lambda match: match[1] + match[2].lower(), name
    )
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", known).lower()


def member_name(owner: str, field: str) -> str:
    """Return the name of a field as a user writes it: `compilation_config.level`, `Request.n`."""
    return f"{snake_case(owner) if owner.endswith(('Config', 'Settings')) else owner}.{field}"


def field_name(owner: str, field: str) -> str:
    """Return the name of a setting as a user writes it: of a class of arguments it is a flag."""
    if owner.endswith(("Args", "Arguments")) and "Config" not in owner:
        return "--" + field.replace("_", "-")
    return member_name(owner, field)


def plain_name(name: str) -> str:
    """Return what two names of one thing share: `--max-len`, `config.max_len` → `max_len`."""
    last = name.rpartition(".")[2] if not name.startswith("-") else name.rpartition(" ")[2]
    return last.lstrip("-").replace("-", "_").lower()


_OPPOSITES = frozenset(("enable", "disable", "no", "not", "without"))
"""Words of which one in a name and none or another in the other makes it say the opposite."""


def are_opposite(old: str, new: str) -> bool:
    """Tell whether one name turns on what another one turns off: no new name of the same thing."""
    turned = [set(re.split(r"[\W_]+", one.lower())) & _OPPOSITES for one in (old, new)]
    return any(word != "enable" for word in turned[0] ^ turned[1])


def likeness(old: str, new: str) -> float:
    """How surely one name was made of another: from 0.6 to 1, and 0 where it was not."""
    one, other = plain_name(old), plain_name(new)
    if one.endswith(")") and other.endswith(")"):  # arguments of one function
        one, other = one.partition("(")[2], other.partition("(")[2]
    words, others = (set(re.split(r"[_:()]", each)) - {""} for each in (one, other))
    if old.isupper() and new.isupper():  # the project's own word, which all its variables have
        first = {old.partition("_")[0].lower()}
        words, others = words - first, others - first
    shared = len(words & others) / max(1, len(words), len(others))
    if shared < 0.5 or old == new or are_opposite(one, other):
        return 0.0
    alike = SequenceMatcher(None, one, other).ratio()
    return alike if alike >= 0.6 else 0.0


def spelling(old: str, new: str) -> float:
    """How surely one name is another one spelled otherwise: 0 where it has other words.

    1 where underscores and capitals alone differ, less where some words are cut short in one and
    written out in the other: `load_ptr` and `load_pointer`. A class is no function.
    """
    was, became = snake_case(old).strip("_"), snake_case(new).strip("_")
    if old == new or old[:1].isupper() != new[:1].isupper():
        return 0.0
    if was.replace("_", "") == became.replace("_", ""):
        return 1.0
    words, others = was.split("_"), became.split("_")
    if len(words) != len(others) or not all(map(_is_cut, words, others)):
        return 0.0
    return SequenceMatcher(None, was, became).ratio()


def _is_cut(word: str, other: str) -> bool:
    """Tell whether a word is another one, or what is left of it with letters taken out."""
    short, whole = sorted((word, other), key=len)
    if short == whole:
        return True
    if len(short) < _SHORTEST_CUT or short[0] != whole[0] or not (word + other).isalpha():
        return False
    letters = iter(whole)
    return all(letter in letters for letter in short)


_SHORTEST_CUT = 2

_UNITS = frozenset(
    {
        "ns", "nanos", "nanoseconds", "us", "micros", "microseconds", "ms", "msec", "millis",
        "milliseconds", "s", "sec", "secs", "seconds", "min", "mins", "minutes", "h", "hours",
        "bytes", "kb", "mb", "gb", "kib", "mib", "gib",
    }
)  # fmt: skip


def unit_of(name: str) -> str | None:
    """Return the unit of time or size that a name ends with, None without one."""
    *first, last = re.split(r"[_.-]+", name.lower().lstrip("-"))
    return last if first and last in _UNITS else None


def stem(name: str) -> str:
    """Return a name without its unit, in lower case with one kind of separator."""
    parts = [part for part in re.split(r"[_.-]+", name.lower()) if part]
    return "_".join(parts[:-1] if len(parts) > 1 and parts[-1] in _UNITS else parts)


_COMMENT = re.compile(r"^[ \t]*#.*", re.MULTILINE)


def has_variable(text: str, name: str, path: str) -> bool:
    """Tell whether the text of a file has an environment variable.

    A docstring or a line of comment of Python that still names one does not read it.
    """
    # A pattern that begins with a name is looked for by it, which is many times faster.
    named = re.compile(rf"{re.escape(name)}(?![A-Z0-9_])(?<![A-Z0-9_]{re.escape(name)})")
    if name not in text or not named.search(text):
        return False
    return not path.endswith(".py") or named.search(_without_docstrings(text)) is not None


@lru_cache(maxsize=4)  # all the variables of a file are asked for one after the other
def _without_docstrings(text: str) -> str:
    """Return Python without docstrings and lines of comments, as it is where it cannot be read."""
    try:
        tree = grammar.module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    lines = text.split("\n")
    for body in grammar.bodies(tree):
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            at, end = first.lineno - 1, first.end_lineno or first.lineno
            lines[at:end] = [""] * (end - at)
    return _COMMENT.sub("", "\n".join(lines))
