"""What a program in Rust takes on its command line, by `clap`: flags, and variables beside them.

`#[arg(long, env = "OVEN_HEAT", default_value_t = 200)] heat: u32,` is `--heat`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from digest.facts import Subject
from digest.reading.interfaces.definition import Definition, quoted

RUST = "rust"
"""The shape of a flag of a program in Rust."""

_PATH = re.compile(r"(?:^|/)src/(?:main|(?:\w+/)?(?:cli|args))\.rs$")
_TEXT = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|'(?:\\[^\n][^'\n]{0,10}|[^\\'\n])'"
    r"|\br(?P<fence>#{0,3})\".*?(?:\"(?P=fence)|\Z)|\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)",
    re.S,
)
"""A comment, or what is written as text: neither declares anything."""
_BEGINS = re.compile(r"#\[(?:arg|clap)\(")
_LONGEST = 10_000
"""Characters of an attribute after which it is read no further."""
_LONG = re.compile(r"(?:^|,)\s*+long\b(?:\s*+=\s*+(?P<text>\"))?")
_ENV = re.compile(r"\benv\s*+=\s*+(?P<text>\")")
_DEFAULT = re.compile(r"\bdefault_value(?:_t)?\s*+=\s*+")
_CHOICES = re.compile(r"\bvalue_parser\s*+=\s*+\[([^\[\]]*)\]")
_NAME = r"(?:pub(?:\([^()\n]{1,40}\))? )?(?:r#)?(\w+)\s*+:(?!:)"
_FIELD = re.compile(rf"\)\]\s*+(?:#\[[^\]\n]{{1,200}}\]\s*+){{0,4}}{_NAME}\s*+([^\s,]*)")
_ANY_FIELD = re.compile(rf"^[ \t]*+{_NAME}", re.M)
_CALLED = re.compile(r"\b(?:long|env)\s*+=\s*+\"([\w-]+)\"")
_CONSTANT = re.compile(
    r"^[+ ]?(?:pub(?:\(\w+\))? )?const ([A-Z][A-Z0-9_]*):[^=\n]{1,80}=\s*([^;\n]+);", re.M
)
_NUMBER = re.compile(r"(-?[\d_]+(?:\.\d+)?)_?(?:[iuf](?:8|16|32|64|size))?")
_WORDS = {"true": "True", "false": "False"}


def holds_rust_flags(path: str) -> bool:
    """Tell whether a file is where a program in Rust begins, or declares its command line."""
    return _PATH.search(path) is not None


def rust_definitions(path: str, text: str) -> list[Definition]:
    """Return the flags of a file and the variables that set them too, in its order."""
    return [*_defined(path, text)] if "long" in text else []


def may_have(text: str, name: str) -> bool:
    """Tell whether a text has a flag or a variable, or an attribute not understood that may be it.

    In: a file of Rust, or a side of its patch. A field that is set by its place is no flag.
    """
    return name in _names(text)


@dataclass(frozen=True, slots=True)
class _Argument:
    """An attribute: from where to where it is `given`, and its field, None if not understood.

    `plain` is what is given with blanks within its texts: a word in there is none of it.
    """

    start: int
    given: str
    plain: str
    field: re.Match[str] | None

    def text_at(self, found: re.Match[str] | None) -> str:
        """Return the text that begins where a pattern found one, empty where it found none."""
        if found is None or not found["text"]:
            return ""
        start = found.end("text")
        return self.given[start : self.plain.index('"', start)]


def _arguments(text: str) -> Iterator[_Argument]:
    code = _TEXT.sub(_without_comment, text)
    plain = _TEXT.sub(_blank, text)
    starts = [found.end() for found in _BEGINS.finditer(plain)]
    for start, after in pairwise([*starts, len(plain)]):
        end = plain.find(")]", start, start + _LONGEST)
        field = _FIELD.match(plain, end) if end >= 0 else None
        if field is None:
            closed = plain.find("\n}", start, after)
            end = closed if closed >= 0 else after
        yield _Argument(start, code[start:end], plain[start:end], field)


def _blank(found: re.Match[str]) -> str:
    """Return blanks as long as what was found, in as many lines, between quotes if it is a text."""
    inside = re.sub(r"[^\n]", " ", found[0])
    is_text = found[0][0] != "/" and len(inside) > 1
    return f'"{inside[1:-1]}"' if is_text else inside


def _without_comment(found: re.Match[str]) -> str:
    return _blank(found) if found[0][0] == "/" else found[0]


@lru_cache(maxsize=8)
def _names(text: str) -> frozenset[str]:
    """Return the flags and variables that a text has or may have."""
    found: set[str] = set()
    for one in _arguments(text) if "long" in text else ():
        if one.field is None:
            called = {*_ANY_FIELD.findall(one.plain), *_CALLED.findall(one.given)}
            found |= {"--" + each.replace("_", "-") for each in called} | called
        elif long := _LONG.search(one.plain):
            found |= {_flag(one, long, one.field), one.text_at(_ENV.search(one.plain))}
    return frozenset(found)


def _flag(one: _Argument, long: re.Match[str], field: re.Match[str]) -> str:
    return "--" + (one.text_at(long) or field[1].replace("_", "-"))


def _defined(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    ends = [found.start() for found in re.finditer("\n", text)]
    for one in _arguments(text):
        field, long = one.field, _LONG.search(one.plain)
        if field is None or long is None:
            continue
        line = bisect_left(ends, field.start(1)) + 1
        name = _flag(one, long, field)
        listed = _CHOICES.search(one.plain)
        choices = listed and tuple(re.findall(r"\"([^\"]*)\"", one.given[slice(*listed.span(1))]))
        yield Definition(
            Subject.FLAG, name, path, line, quoted(lines, line),
            value=_default(one, field[2], text), choices=choices, shape=RUST,
        )  # fmt: skip
        found = _ENV.search(one.plain)
        variable = one.text_at(found)
        if found and re.fullmatch(r"[A-Z][A-Z0-9_]*", variable):
            at = bisect_left(ends, one.start + found.start()) + 1
            yield Definition(Subject.ENV, variable, path, at, quoted(lines, at), shape=RUST)


def _default(one: _Argument, kind: str, text: str) -> str | None:
    """Return a default as Python writes it, by a constant of the file where that gives it."""
    found = _DEFAULT.search(one.plain)
    if found is None:
        return "False" if kind == "bool" else None
    value = one.given[found.end() : _end_of_value(one.plain, found.end())].strip()
    if re.fullmatch(r"\"[^\"\\\n]*\"", value):
        return value[1:-1] if _NUMBER.fullmatch(value[1:-1]) else repr(value[1:-1])
    return constant_in(value, (text,)) or None


def _end_of_value(plain: str, start: int) -> int:
    """Return where a value ends that begins there: at a comma outside of all brackets."""
    depth = 0
    for found in re.finditer(r"[()\[\]{},]", plain[start:]):
        if found[0] == "," and depth <= 0:
            return start + found.start()
        depth += (found[0] in "([{") - (found[0] in ")]}")
    return len(plain) if depth == 0 else start


def constant_in(value: str, texts: Iterable[str]) -> str:
    """Return what a value is as Python writes it, by the constant of its name if a text has one."""
    if re.fullmatch(r"[A-Z][A-Z0-9_]*", value):
        held = (_constants(text).get(value) for text in texts)
        value = next((one for one in held if one), value)
    if number := _NUMBER.fullmatch(value):
        return number[1].replace("_", "")
    return _WORDS.get(value, value)


@lru_cache(maxsize=64)
def _constants(text: str) -> Mapping[str, str]:
    """Return the constants of a text of Rust or of its patch: each flag of a change asks for it."""
    found: dict[str, str] = {}
    for name, value in _CONSTANT.findall(text) if "const " in text else ():
        found.setdefault(name, value.strip())
    return found
