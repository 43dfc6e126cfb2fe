"""What a program in Rust takes on its command line, by `clap`: flags, and variables beside them.

`#[arg(long, env = "OVEN_HEAT", default_value_t = 200)] heat: u32,` is `--heat`.
"""

import re
from collections.abc import Iterable, Iterator

from digest.facts import Subject
from digest.reading.interfaces.definition import Definition, quoted

RUST = "rust"
"""The shape of a flag of a program in Rust."""

_PATH = re.compile(r"(?:^|/)src/(?:main|(?:\w+/)?(?:cli|args))\.rs$")
_BEGINS = re.compile(r"#\[(?:arg|clap)\(")
_LONGEST = 2_000
"""Characters of an attribute after which it is read no further."""
_LONG = re.compile(r"(?:^|,)\s*long\b(?:\s*=\s*\"([\w-]+)\")?")
_ENV = re.compile(r"\benv\s*=\s*\"([A-Z][A-Z0-9_]*)\"")
_DEFAULT = re.compile(r"\bdefault_value(?:_t)?\s*=\s*(?:\"([^\"\n]*)\"|([^\s,][^,\n]*))")
_CHOICES = re.compile(r"\bvalue_parser\s*=\s*\[([^\[\]]*)\]")
_FIELD = re.compile(
    r"\)\](?:[ \t]*//[^\n]*)?\s*(?:#\[[^\]\n]{1,200}\]\s*){0,4}"
    r"(?:pub(?:\(\w+\))? )?(\w+)\s*:\s*([\w<>:]+)"
)
_COMMENT = re.compile(r"^\s*//.*$", re.M)
_NUMBER = re.compile(r"(-?[\d_]+(?:\.\d+)?)_?(?:[iuf](?:8|16|32|64|size))?")
_WORDS = {"true": "True", "false": "False"}


def holds_rust_flags(path: str) -> bool:
    """Tell whether a file is where a program in Rust begins, or declares its command line."""
    return _PATH.search(path) is not None


def rust_definitions(path: str, text: str) -> list[Definition]:
    """Return the flags of a file and the variables that set them too, in its order."""
    return [*_defined(path, text)] if "long" in text else []


def _defined(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    for begin in _BEGINS.finditer(text):
        end = text.find(")]", begin.end(), begin.end() + _LONGEST)
        field = _FIELD.match(text, end) if end >= 0 else None
        given = _COMMENT.sub("", text[begin.end() : end])
        long = _LONG.search(given) if field else None
        if field is None or long is None:
            continue
        line = text.count("\n", 0, field.start(1)) + 1
        name = "--" + (long[1] or field[1].replace("_", "-"))
        listed = _CHOICES.search(given)
        choices = tuple(re.findall(r"\"([^\"]*)\"", listed[1])) if listed else None
        yield Definition(
            Subject.FLAG, name, path, line, quoted(lines, line),
            value=_default(given, field[2], text), choices=choices, shape=RUST,
        )  # fmt: skip
        if variable := _ENV.search(given):
            at = text.count("\n", 0, text.index(variable[0], begin.start())) + 1
            yield Definition(Subject.ENV, variable[1], path, at, quoted(lines, at), shape=RUST)


def _default(given: str, kind: str, text: str) -> str | None:
    """Return a default as Python writes it, by a constant of the file where that gives it."""
    found = _DEFAULT.search(given)
    if found is None:
        return "False" if kind == "bool" else None
    if found[1] is not None:
        return found[1] if _NUMBER.fullmatch(found[1]) else repr(found[1])
    return constant_in(found[2].strip(), (text,))


def constant_in(value: str, texts: Iterable[str]) -> str:
    """Return what a value is as Python writes it, by the constant of its name if a text has one."""
    if re.fullmatch(r"[A-Z][A-Z0-9_]*", value):
        named = re.compile(rf"^[+ ]?(?:pub )?const {value}:[^=\n]{{1,80}}=\s*([^;\n]+);", re.M)
        held = (named.search(text) for text in texts if value in text)
        value = next((one[1].strip() for one in held if one), value)
    if number := _NUMBER.fullmatch(value):
        return number[1].replace("_", "")
    return _WORDS.get(value, value)
