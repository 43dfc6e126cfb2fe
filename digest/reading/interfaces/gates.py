"""Variables and paths that count only while a variable is set: without it they hit nobody."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import takewhile

from digest.facts import Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import Definition

_SWITCH = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:[\"'],\s*| = (?:\w+\.)?Env\w{1,30}\()"
    r"[\"']?(?P<value>True|False|true|false|0|1)[\"']?\)"
)
"""A variable that is on or off, where it is read with its default: `getenv("X", "0")`."""
ON = frozenset(("True", "true", "1"))
"""What a variable is that is on, as tables write it."""
_SEVERAL = 2
"""Parts that are on from which on they are a family."""


def gate_of(one: Definition, text: str) -> str:
    """Return the variable without which another one of a table does nothing, empty for none.

    In: a variable, and the file that has the table. `OVEN_STEAM_FAST` is a part of `OVEN_STEAM`
    where that is off by default and has several other parts that are on: these can do nothing
    by themselves. One that is on may be a thing of its own.
    """
    if one.subject is not Subject.ENV or not one.table:
        return ""
    switches = _switches(text)
    words = one.name.split("_")
    longer = ("_".join(words[:at]) for at in range(len(words) - 1, 1, -1))
    gate = next((name for name in longer if name in switches), "")
    if not gate or switches[gate]:
        return ""
    parts = [name for name, is_on in switches.items() if is_on and name.startswith(f"{gate}_")]
    return gate if len(set(parts) - {one.name}) >= _SEVERAL else ""


_NEEDS = re.compile(
    r"\b(?:requires?|needs?|(?:no effect|ignored|nothing) (?:unless|without)"
    r"|only (?:\w+ ){0,3}(?:if|when|with)) [`'\"]?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:\b(?:no|not|nothing|nobody|none|never|no longer|cannot)|n't)\s$", re.IGNORECASE
)
"""What stands before a need that is none: `Nothing requires OVEN_STEAM`."""
_OTHERWISE = re.compile(
    r"[`'\"]?(?:\s?==?\s?(?![`'\"]?(?:1|true|on|yes)\b)|\s?/"
    r"|(?: (?:is|are|be|must|has|being|set|turned|switched|to|as|both)){0,4}"
    r"(?:n't| [`'\"]?(?:not|never|0|no|none|false|off|disabled|unset|empty|absent))\b"
    r"|[^.;]{0,40} or [`'\"]?[A-Z][A-Z0-9]*_)",
    re.IGNORECASE,
)
"""What goes on after a variable that has to be off, or is one of several that will do."""


def said_gate(one: Definition, text: str) -> str:
    """Return the variable that the comment right above another one says it needs.

    In: a variable, and the file that has the table. Empty where that is not off by default, or
    where the comment wants it to be off, or another one in its place.
    """
    if one.subject is not Subject.ENV or not one.table:
        return ""
    above = takewhile(lambda line: line.startswith("#"), _lines_above(one.line, text))
    comment = " ".join(line.lstrip("# ") for line in reversed([*above]))
    found = _NEEDS.search(comment)
    if found is None or _NOT.search(comment, 0, found.start()):
        return ""
    if _OTHERWISE.match(comment, found.end()):
        return ""
    return found["name"] if _switches(text).get(found["name"]) is False else ""


_NAME = r"(?:\w+\.){0,3}(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?<!_DIR)(?<!_PATH)(?<!_FILE)"
"""A variable that is on or off; a folder is given."""
_TAKES_ROUTES = re.compile(
    rf"^(?P<in> +)(?:if not {_NAME}:\n(?P=in) +return\n(?:(?:(?P=in)[^\n]*)?\n){{0,12}}?(?P=in)"
    rf"|if {_NAME.replace('name', 'set')}:\n(?:(?P=in) +[^\n]*\n){{0,6}}?(?P=in) +)"
    r"(?:\w+\.){1,3}include_router\((?:\w+\.){0,3}(?P<router>\w+)",
    re.MULTILINE,
)
"""Where an application takes the paths of a file only while a variable is set."""


_WITHIN = re.compile(rf"if {_NAME}:$")
_MOST_OF_BLOCK = 400
"""Lines above one in which what it stands in is looked for."""


def _block_of(line: int, text: str) -> str:
    """Return the line at the margin that begins what a line stands in; itself where it is there."""
    above = grammar.lines_of(text)[max(0, line - _MOST_OF_BLOCK) : line]
    return next((each for each in reversed(above) if each[:1] not in ("", " ", "#", ")")), "")


def route_gate(one: Definition, text: str) -> str:
    """Return the variable without which a server does not have the path of a file.

    In: a path, and the file that has it. Empty where the file gives its paths in several places:
    of which of them a path is, no line says.
    """
    if one.subject is not Subject.ENDPOINT:
        return ""
    if within := _WITHIN.match(_block_of(one.line, text)):
        return within["name"]
    router, variable = _taken_with(text)
    # The application itself has a path, or another router does, whatever is taken.
    return variable if router and f"@{router}." in one.quote else ""


@lru_cache(maxsize=4)
def _taken_with(text: str) -> tuple[str, str]:
    """Return the router that an application takes only with a variable, and that variable."""
    found = _TAKES_ROUTES.search(text) if text.count("include_router(") == 1 else None
    return (found["router"], found["name"] or found["set"]) if found else ("", "")


def _lines_above(line: int, text: str) -> Iterator[str]:
    """Yield the lines above one, the nearest first, as many as a comment may have."""
    lines = text.split("\n", line)[max(0, line - 1 - _MOST_ABOVE) : line - 1]
    yield from (each.strip() for each in reversed(lines))


_MOST_ABOVE = 12
"""Lines of a comment above a variable that are read."""


@lru_cache(maxsize=4)
def _switches(text: str) -> Mapping[str, bool]:
    """Return the variables of a text that are on or off, with whether they are on by default."""
    return {found["name"]: found["value"] in ON for found in _SWITCH.finditer(text)}
