"""Command-line flags where a program declares them.

Declarations, not mentions: argparse (https://docs.python.org/3/library/argparse.html), optparse,
click, typer, absl, gflags, cxxopts, CLI11 and clap. A flag in a help text, in a README or in the
list of a subprocess is none.
"""

import re
from collections.abc import Iterator

from digest.reading.definitions import (
    Definition,
    Side,
    arguments,
    calls,
    keywords,
    limited,
    literal,
    prose,
    string,
)

MARKS = ('"--', "'--", ",--", "DEFINE_", "typer.Option(", "#[arg(", "#[clap(", "cxxopts::")
"""A hunk without any of these declares no flag."""

_CALL = re.compile(
    r"\b(add_argument|add_cli_argument|add_option|add_flag|Option|option|DEFINE_\w{3,24})\s{0,9}\("
)
_CUT_NAME = re.compile(r"[ \t]*[rf]?[\"'](--[\w{}.-]+)[\"'],[ \t]*\n(?=[ \t]*(?:[\"']-|\w+=))")
_PARAMETER = re.compile(r"(\w+)\s{0,9}:\s{0,9}[^=\n]{1,200}=\s{0,9}(?:typer\.)?$")
_ANNOTATED_VALUE = re.compile(r"[\s,]{0,200}\]\s{0,20}=\s{0,20}([^,\n)]+)")
_CLAP = re.compile(r"#\[(?:arg|clap)\(")
_CLAP_FIELD = re.compile(r"\)\]\s*(?:#\[[^\n]*\n\s*)?(?:pub(?:\([a-z]+\))?\s+)?(\w+)\s*:")
_CXXOPTS = re.compile(
    r"\(\s{0,99}\"(?:\w,\s?)?([A-Za-z][\w-]+)\"\s{0,99},\s{0,99}\"[^\"\n]*\"\s{0,99},\s{0,99}"
    r"cxxopts::value<[^\n]{1,80}>\(\)(?:->default_value\(\"([^\"\n]*)\"\))?"
)
_DEFINE = re.compile(r"DEFINE_(?:multi_)?(?:string|bool|boolean|u?int\d\d|integer|double|float|"
                     r"enum|list|enum_class)$")  # fmt: skip
_NAME = re.compile(r"--[A-Za-z{][\w{}.:-]*")
_INSTEAD = re.compile(r"[Uu]se\s+[`'\"]{0,2}(--[\w-]+)")
_DEPRECATED = re.compile(r"deprecated", re.IGNORECASE)


def flags(side: Side) -> Iterator[Definition]:
    """Find the flags that one side of a hunk declares."""
    return limited(_all(side))


def _all(side: Side) -> Iterator[Definition]:
    if side.path.endswith(".rs"):
        yield from _clap(side)
        return
    if (cut := _cut(side)) is not None:
        yield cut
    for call, end in calls(_CALL, side.text):
        if side.is_comment(call.start()):
            continue
        if call[1].startswith("DEFINE_"):
            yield from _gflag(side, call, end)
        elif (found := _flag(side, call.start(), call.end(), end, call[1])) is not None:
            yield found
    if "cxxopts::" in side.text:
        for match in _CXXOPTS.finditer(side.text):
            line, changed = side.span(match.start(), match.end())
            yield Definition(
                "flag", f"--{match[1]}", match[2], side.path, line, changed, shape=match[0]
            )


def _cut(side: Side) -> Definition | None:
    """The flag of a call whose opening line is above the hunk, if its name is in the hunk.

    A bare string is a flag's name here only where keyword arguments follow: a command list of
    strings has none.
    """
    opening = _CALL.search(side.text)
    match = _CUT_NAME.search(side.text, 0, opening.start() if opening else len(side.text))
    if match is None or "(" in side.text[: match.start()]:
        return None
    end = opening.start() if opening else len(side.text)
    return _flag(side, match.start(), match.start(), end, "")


def _flag(side: Side, start: int, inside: int, end: int, caller: str) -> Definition | None:
    found = arguments(side.text, inside, end)
    given = keywords(found.texts)
    positional = [text for text in found.texts if _is_positional(text)]
    names = [name for text in positional if (name := _long_name(text)) is not None]
    value = given.get("default", given.get("default_value"))
    if caller == "Option":
        if not names:
            parameter = _PARAMETER.search(side.before(start))
            if parameter is None or "typer" not in side.before(start):
                return None
            names = ["--" + parameter[1].replace("_", "-")]
        first = positional[0] if positional else ""
        if (value is None and first and string(first) is None) or _is_plain_default(first):
            value = first
        elif (annotated := _ANNOTATED_VALUE.match(side.text, found.end)) is not None:
            value = annotated[1]
    elif not names:
        return None
    help_text = prose(given.get("help", ""))
    line, changed = side.span(start, found.end)
    stated = _DEPRECATED.search(given.get("action", "") + help_text) or given.get("deprecated")
    instead = _INSTEAD.search(help_text)
    choices = given.get("choices")
    return Definition(
        "flag",
        names[0].split("/")[0],
        literal(value),
        side.path,
        line,
        changed,
        shape=_shape(found.texts, names),
        help=help_text,
        choices=_choices(choices),
        aliases=tuple(names[1:]),
        deprecated=bool(stated),
        instead=instead[1] if instead else None,
        complete=found.closed,
    )


def _choices(text: str | None) -> str | None:
    """The values that a flag takes, on one line, where the call itself lists them."""
    if not text or text[0] not in "[(" or text[-1] not in "])":
        return None
    inside = " ".join(text[1:-1].split()).rstrip(",")
    return f"{text[0]}{inside}{text[-1]}"


def _is_positional(text: str) -> bool:
    return not keywords((text,)) and not text.startswith("*")


def _is_plain_default(text: str) -> bool:
    said = string(text) if text else None
    return said is not None and not said.startswith("-")


def _long_name(text: str) -> str | None:
    said = string(text)
    if said is None:
        return None
    match = _NAME.search(said) if "--" in said and " " not in said.strip() else None
    return match[0] if match else None


def _shape(texts: tuple[str, ...], names: list[str]) -> str:
    kept = [text for text in texts if not any(name in text[:80] for name in names)]
    return " ".join(" ".join(kept).split())


def _gflag(side: Side, call: re.Match[str], end: int) -> Iterator[Definition]:
    """An absl flag or a gflag: name, default, help (https://gflags.github.io/gflags/)."""
    found = arguments(side.text, call.end(), end)
    if len(found.texts) < 2 or _DEFINE.match(call[1]) is None:
        return
    name = string(found.texts[0]) or found.texts[0]
    if not name.replace("_", "").replace("-", "").isalnum():
        return
    line, changed = side.span(call.start(), found.end)
    yield Definition(
        "flag",
        f"--{name}",
        literal(found.texts[1]),
        side.path,
        line,
        changed,
        shape=" ".join(found.texts[1:]),
        help=prose(found.texts[-1]),
        complete=found.closed,
    )


def _clap(side: Side) -> Iterator[Definition]:
    """Flags of clap's derive (https://docs.rs/clap/latest/clap/_derive/)."""
    for match, end in calls(_CLAP, side.text):
        found = arguments(side.text, match.end(), end)
        given = keywords(found.texts)
        if not found.closed or ("long" not in given and "long" not in found.texts):
            continue
        field = _CLAP_FIELD.match(side.text, found.end - 1)
        name = string(given.get("long", "")) or (field[1].replace("_", "-") if field else "")
        if not name or side.is_comment(match.start()):
            continue
        value = literal(given.get("default_value_t", given.get("default_value")))
        line, changed = side.span(match.start(), field.end() if field else found.end)
        yield Definition(
            "flag", f"--{name}", value, side.path, line, changed, shape=" ".join(found.texts)
        )
