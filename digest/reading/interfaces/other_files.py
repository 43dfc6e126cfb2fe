"""What a C++ or CUDA file defines for users of a Python package: bound names and variables."""

import re
from collections.abc import Iterator

from digest.facts import Subject
from digest.reading.interfaces.definition import CUT, SETTING, Definition, quoted

_BOUND_NAME = re.compile(r"\bm\.def\(\s*\"(\w+)\"")
_ARGUMENT = re.compile(
    r"(?:py|pybind11|nb)::arg\(\"(\w+)\"\)(?:\.noconvert\(\))?(?:\s*=\s*([^,()]+(?:\([^()]*\))?[^,()]*))?"
)
_VARIABLE = re.compile(
    r"\b(?:std::)?get_?env(?:_\w+)?\s*(?:<[^<>]{1,60}>)?\(\s*\"([A-Z][A-Z0-9_]+)\"\s*(?:,\s*([^,()]+(?:\(\))?))?"
)
_CPP_NONE = re.compile(r"std::nullopt|py::none\(\)|nullptr")
MAX_BINDING = 4_000
"""Characters after a bound name in which its arguments stand."""


def native_definitions(path: str, text: str) -> list[Definition]:
    """Return the bound functions with their arguments, and the variables that a file reads."""
    return [*_bound(path, text), *_variables(path, text)]


def _bound(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    for match in _BOUND_NAME.finditer(text):
        name = match[1]
        line = text.count("\n", 0, match.start(1)) + 1
        yield Definition(Subject.API_NAME, name, path, line, quoted(lines, line), shape="native")
        end = _closing(text, match.start() + len("m.def("))
        for position, found in enumerate(_ARGUMENT.finditer(text, match.end(), end)):
            value = found[2].strip() if found[2] else None
            at = text.count("\n", 0, found.start(1)) + 1
            yield Definition(
                Subject.API_ARGUMENT, f"{name}({found[1]})", path, at, quoted(lines, at),
                owner=name, value=None if value is None else _python(value),
                required=value is None, shape="native", position=position,
            )  # fmt: skip


def _python(value: str) -> str:
    if _CPP_NONE.fullmatch(value):
        return "None"
    return {"true": "True", "false": "False"}.get(value, value)


def _closing(text: str, start: int) -> int:
    depth = 1
    for at in range(start, min(len(text), start + MAX_BINDING)):
        letter = text[at]
        if letter in "({[":
            depth += 1
        elif letter in ")}]":
            depth -= 1
            if not depth:
                return at
    return start


def _variables(path: str, text: str) -> Iterator[Definition]:
    lines = text.split("\n")
    for match in _VARIABLE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        value = match[2].strip() if match[2] else None
        yield Definition(
            Subject.ENV,
            match[1],
            path,
            line,
            quoted(lines, line),
            value=value,
            shape="native",
            table=False,
        )


_PATH = re.compile(
    r"(?:^|[/._-])(?:config|configs|conf|settings|defaults?|values)(?:[/._-]|$)", re.I
)
_ENDINGS = (".yaml", ".yml", ".toml", ".json", ".ini", ".cfg")
_MANIFESTS = frozenset({"package.json", "pyproject.toml", "cargo.toml", "setup.cfg"})
_DATA_NAME = re.compile(r"[=,]|lock|tsconfig|tuned|compose", re.I)

_YAML = re.compile(r"^( *)([A-Za-z_][\w.-]*):(?:\s+(.*))?$")
_JSON = re.compile(r"^(\s*)\"([A-Za-z_][\w.-]*)\"\s*:\s*(.*)$")
_TABLE = re.compile(r"^\s*\[([\w.\"-]+)\]\s*(?:[#;].*)?$")
_ASSIGNED = re.compile(r"^\s*([A-Za-z_][\w.-]*)\s*=\s*(.+)$")
_COMMENT = re.compile(r"\s#.*$")
_OPENS = frozenset({"", "{", "[", "|", ">", "|-", ">-"})
_ROWS_OF_DATA = 6
"""How often each key stands in a file, on average, from which on it is a table and no settings."""
_DEEPEST_KNOWN = 2
"""Spaces before a key up to which the line at the margin above it is its parent."""


def holds_settings(path: str) -> bool:
    """Tell whether a file holds settings that people change (not data, locks or manifests)."""
    lowered = path.lower()
    name = lowered.rpartition("/")[2]
    return (
        lowered.endswith(_ENDINGS)
        and _PATH.search(lowered) is not None
        and name not in _MANIFESTS
        and not any(part.startswith(".") for part in lowered.split("/"))
        and _DATA_NAME.search(name) is None
    )


def settings_of(path: str, text: str) -> list[Definition]:
    """Return the settings of a file, each with its dotted name, in the order of the lines.

    A line `CUT` in the text begins a part whose parents are not known. Where the same few keys
    stand in row after row, as in what a kernel was tuned to, the file holds data: there are none.
    """
    lines = text.split("\n")
    ending = path.rpartition(".")[2].lower()
    if ending in ("toml", "ini", "cfg"):
        found = list(_tabled(lines))
    else:
        found = list(_nested(lines, _JSON if ending == "json" else _YAML))
    if len(found) >= _ROWS_OF_DATA * len({name.rpartition(".")[2] for _, name, _ in found}):
        return []
    return [
        Definition(
            Subject.CONFIG_FIELD,
            name,
            path,
            number,
            quoted(lines, number),
            owner=name.rpartition(".")[0],
            value=_plain(value),
            shape=SETTING,
        )
        for number, name, value in found
    ]


def _tabled(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    table: str | None = ""
    for number, text in enumerate(lines, 1):
        if text == CUT:
            table = None
        elif header := _TABLE.match(text):
            table = header[1]
        elif table is not None and (found := _ASSIGNED.match(text)):
            name = f"{table}.{found[1]}" if table else found[1]
            yield number, name, _COMMENT.sub("", found[2]).strip()


def _nested(lines: list[str], pattern: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Yield keys that are nested by indentation, each with its line and value."""
    parents: list[tuple[int, str]] = []
    known, after_cut = True, False
    listed: int | None = None
    for number, text in enumerate(lines, 1):
        if text == CUT:
            parents, known, after_cut, listed = [], False, True, None
            continue
        if not text.strip() or text.lstrip().startswith(("#", "//")):
            continue
        indent = len(text) - len(text.lstrip())
        if listed is not None and indent > listed:
            continue
        listed = indent if text.lstrip().startswith("- ") else None
        if after_cut and indent > _DEEPEST_KNOWN:
            parents = []  # what stands between is not shown
        after_cut = after_cut and indent == 0
        found = pattern.match(text)
        if found is None:
            continue
        while parents and parents[-1][0] >= indent:
            parents.pop()
        name = ".".join([*(name for _, name in parents), found[2]])
        value = _COMMENT.sub("", found[3] or "").strip().rstrip(",").strip()
        if not (parents or indent == 0 or known):
            continue
        if value in _OPENS:
            parents.append((indent, found[2]))
        else:
            yield number, name, value


def _plain(value: str) -> str:
    """Return a value as people read it: a string without its quotes."""
    plain = " ".join(value.split())
    quoted_whole = re.fullmatch(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'", plain)
    if quoted_whole is None:
        return plain
    return quoted_whole[1] if quoted_whole[1] is not None else quoted_whole[2]
