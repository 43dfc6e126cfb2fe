"""What a parser is told of a flag whose field stands in the same file: the flag is the parser's."""

import re
from collections.abc import Iterable
from dataclasses import replace

from digest.facts import Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.blocks import Block, Parsed
from digest.reading.interfaces.definition import Definition
from digest.reading.interfaces.place import Place
from digest.reading.interfaces.python import is_literal, python_definitions

_CALLED = r"^[ \t]*[\w.]*add_argument\(\s*(?:[\"']-\w[\"'],\s*)?[\"']{}[\"']"
_CALLED_FOR = (
    r"add_argument\(\s*[\"'](--[\w-]{{1,80}})[\"'][^()]{{0,400}}?\bdefault=\w{{1,80}}\.{}\b"
)
"""A flag of another name than the field that its default is taken from."""
_LONGEST = 40
"""Lines of a call after which it is read no further."""


def as_called(definitions: Iterable[Definition], text: str) -> tuple[Definition, ...]:
    """Return definitions of a file with each flag as its parser calls it, whatever its field is.

    In: the definitions and the whole file.
    """
    if "add_argument" not in text:
        return tuple(definitions)
    found = []
    for one in definitions:
        if one.subject is Subject.FLAG and not re.search(
            _CALLED.format(re.escape(one.name)), text, re.M
        ):
            field = one.name.removeprefix("--").replace("-", "_")
            other = re.search(_CALLED_FOR.format(re.escape(field)), text)
            one = replace(one, name=other[1]) if other else one
        found.append(one)
    return tuple(found)


def as_parsed(one: Definition, text: str, place: Place) -> Definition:
    """Return a flag with the default and the choices that a parser of its file gives it.

    In: the flag as a field defines it, and the whole file. A default of the parser's own counts
    for everybody who uses the flag, whatever the field is; one that it takes from the field, or
    does not give, is the field's.
    """
    if one.subject is not Subject.FLAG or "add_argument" not in text:
        return one
    called = re.search(_CALLED.format(re.escape(one.name)), text, re.M)
    if called is None:
        return one
    given = _read(text, called.start(), one, place)
    if given is None:
        return one
    choices = given.choices or one.choices
    if given.inherited or not is_literal(given.value or ""):
        return replace(one, choices=choices)
    return replace(given, choices=choices, shape=one.shape)


def _read(text: str, at: int, one: Definition, place: Place) -> Definition | None:
    """Read the call that begins at a place of a text, None where it does not parse."""
    lines = text[at:].split("\n", _LONGEST)
    lines[0] = lines[0].lstrip()
    for end in range(1, min(len(lines), _LONGEST) + 1):
        if not lines[end - 1].rstrip().endswith(")"):
            continue
        call = "\n".join(lines[:end])
        try:
            body = grammar.module(call).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        before = text.count("\n", 0, at)
        parsed = Parsed(Block((), call, before + 1), body, before)
        defined = python_definitions([parsed], one.path, text, place)
        return next((flag for flag in defined if flag.name == one.name), None)
    return None
