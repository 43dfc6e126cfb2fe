"""Settings and their defaults: keys of configuration files, fields of configuration classes."""

import re
from collections.abc import Iterator

from digest.reading.definitions import Definition, Side, arguments, keywords, limited, literal
from digest.reading.scopes import class_fields

MAX_FIELD = 600
"""Characters of one `Field(...)` that are looked through for its default."""

_CONFIG_PATH = re.compile(
    r"(?:^|[/._-])(?:config|configs|conf|settings|defaults?|values)(?:[/._-]|$)", re.I
)
_CONFIG_ENDINGS = (".yaml", ".yml", ".toml", ".json", ".ini", ".cfg")
_MANIFESTS = frozenset({"package.json", "pyproject.toml", "cargo.toml", "setup.cfg"})
_DATA_NAME = re.compile(r"[=,]|lock|tsconfig|tuned|compose", re.I)
_PUBLIC_CLASS = re.compile(r"[A-Z]\w*(?:Config|Args|Arguments|Options|Settings|Params)$")
_CONFIG_MODULE = re.compile(r"config|args|arguments|options|settings|params|envs?\b", re.I)

_YAML = re.compile(r"^( *)([A-Za-z_][\w.-]*):(?:\s+(.*))?$")
_TOML_TABLE = re.compile(r"^\s*\[([\w.\"-]+)\]\s*(?:[#;].*)?$")
_TOML = re.compile(r"^\s*([A-Za-z_][\w.-]*)\s*=\s*(.+)$")
_JSON = re.compile(r"^(\s*)\"([A-Za-z_][\w.-]*)\"\s*:\s*(.*)$")
_COMMENT = re.compile(r"\s#.*$")
_LITERAL = re.compile(
    r"-?[\d_.]+(?:e-?\d+)?|True|False|None|\"[^\"\n]*\"|'[^'\n]*'|\[[^\]\n]*\]|\([^()\n]*\)|\{\}"
    r"|-?\d[\d_ */+.()-]*|[A-Z]\w*\.[A-Z_]+"
)


def is_configuration(path: str) -> bool:
    """Tell whether a file holds settings that people change (not data, locks or manifests)."""
    lowered = path.lower()
    name = lowered.rpartition("/")[2]
    return (
        lowered.endswith(_CONFIG_ENDINGS)
        and _CONFIG_PATH.search(lowered) is not None
        and name not in _MANIFESTS
        and not any(part.startswith(".") for part in lowered.split("/"))
        and _DATA_NAME.search(name) is None
    )


def has_config_classes(path: str) -> bool:
    """Tell whether a Python file is one that configuration classes are kept in, by its name."""
    return path.endswith(".py") and _CONFIG_MODULE.search(path) is not None


def settings(side: Side) -> Iterator[Definition]:
    """Find the settings that one side of a hunk states; none whose full name is not to be seen."""
    ending = side.path.rpartition(".")[2].lower()
    if ending in ("toml", "ini", "cfg"):
        return limited(_tabled(side))
    return limited(_nested(side, _JSON if ending == "json" else _YAML))


def _tabled(side: Side) -> Iterator[Definition]:
    header = _TOML_TABLE.match(side.section)
    starts_file = bool(side.lines) and side.number(0) == 1
    table = header[1] if header else "" if starts_file else None
    for index, line in enumerate(side.lines):
        if header := _TOML_TABLE.match(line.text):
            table = header[1]
        elif table is not None and (found := _TOML.match(line.text)):
            name = f"{table}.{found[1]}" if table else found[1]
            yield _setting(side, index, name, _COMMENT.sub("", found[2]).strip())


def _nested(side: Side, pattern: re.Pattern[str]) -> Iterator[Definition]:
    """Read keys nested by indentation: a key counts only under parents that the hunk shows."""
    parents: list[tuple[int, str]] = []
    section = pattern.match(side.section)
    if section and not (section[3] or "").strip("{ "):
        parents.append((len(section[1]), section[2]))
    known = bool(side.lines) and side.number(0) == 1
    listed: int | None = None
    for index, line in enumerate(side.lines):
        text = line.text
        if not text.strip() or text.lstrip().startswith(("#", "//")):
            continue
        indent = len(text) - len(text.lstrip())
        if listed is not None and indent > listed:
            continue
        listed = indent if text.lstrip().startswith("- ") else None
        found = pattern.match(text)
        if found is None:
            continue
        while parents and parents[-1][0] >= indent:
            parents.pop()
        value = _COMMENT.sub("", found[3] or "").strip().rstrip(",").strip()
        if value in ("", "{", "[", "|", ">", "|-", ">-"):
            if parents or indent == 0 or known:
                parents.append((indent, found[2]))
            continue
        top = indent == 0 or (pattern is _JSON and known)
        if parents or top:
            name = ".".join([*(name for _, name in parents), found[2]])
            yield _setting(side, index, name, value)


def _setting(side: Side, index: int, name: str, value: str) -> Definition:
    said = literal(value)
    return Definition(
        "config",
        name,
        value if said is None else said,
        side.path,
        side.number(index),
        side.lines[index].sign != " ",
        shape=value,
    )


def class_defaults(side: Side) -> Iterator[Definition]:
    """Find the literal defaults of the fields of public configuration classes."""
    return limited(_class_defaults(side))


def literal_value(text: str) -> str | None:
    """The value of a field as its line has it, or None where it is no literal."""
    bare = _COMMENT.sub("", text).strip()
    return literal(bare) if _LITERAL.fullmatch(bare) else None


def _class_defaults(side: Side) -> Iterator[Definition]:
    for found in class_fields(side):
        if found.name.startswith("_") or _PUBLIC_CLASS.match(found.owner) is None:
            continue
        text = found.value
        opening = re.match(r"(?:\w+\.)?[Ff]ield\(", text)
        complete = True
        if opening is not None:
            inside = found.offset + opening.end()
            inner = arguments(side.text, inside, min(len(side.text), inside + MAX_FIELD))
            complete = inner.closed
            given = keywords(inner.texts)
            text = given.get("default", "")
            if not text and inner.texts and opening[0].endswith("Field("):
                text = "" if keywords(inner.texts[:1]) else inner.texts[0]
        text = _COMMENT.sub("", text).strip()
        if _LITERAL.fullmatch(text) is None:
            continue
        line, changed = side.span(found.start, found.offset + len(found.value))
        said = literal(text)
        yield Definition(
            "field",
            f"{found.owner}.{found.name}",
            text if said is None else said,
            side.path,
            line,
            changed,
            complete=complete,
        )
