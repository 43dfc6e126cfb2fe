"""Deprecations that the added lines of a diff state."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from digest.reading.definitions import Side, arguments, calls, prose
from digest.reading.scopes import Scope, scopes

MARKS = ("eprecat", "FutureWarning")
"""A hunk without any of these deprecates nothing."""

MAX_CALLS = 500
"""Calls of one hunk that are looked at for a deprecation."""

_CALL = re.compile(r"(@?)\b(warn|warning|warning_once|warn_once|deprecated?|error)\(")
_CATEGORY = re.compile(r"\b(?:Pending)?DeprecationWarning\b|\bFutureWarning\b")
_QUOTE = r"[`'\"]{0,2}"
_NAME = r"(--[\w-]+|[A-Za-z_][\w.]*[A-Za-z0-9_])"
_SUBJECT = re.compile(
    rf"{_QUOTE}{_NAME}(?:\(\))?{_QUOTE}\s(?:flag |option |environment variable |env var )?"
    r"(?:is|are|has been|will be)\s(?:now\s)?"
    r"(?:deprecated|removed|renamed|replaced|[`'\"]?[\w-]+\.)"
)
_GENERIC = re.compile(
    r"\b[Tt]his (?:function|method|class|module|api|API|kernel|op|operator) (?:is|has been|will be)"
)
_INSTEAD = re.compile(
    rf"(?:\b[Uu]se|favou?r of|replaced (?:by|with)|renamed to|migrate to|is now|switch to)\s"
    rf"(?:the\s)?{_QUOTE}{_NAME}"
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+$")
_NO_NAMES = frozenset({"the", "a", "an", "it", "instead", "this", "that", "another", "new", "our"})
_CODE_NAME = re.compile(r"[._]|^--|^[a-z]+[A-Z]|^[A-Z][a-z]+[A-Z]")


@dataclass(frozen=True, slots=True)
class Deprecation:
    """What a diff says is deprecated: its kind and name, what to use if said, and where."""

    kind: str
    name: str
    instead: str | None
    path: str
    line: int | None


def deprecations(side: Side) -> Iterator[Deprecation]:
    """Find what the added lines of a new side deprecate; nothing where the subject is not plain."""
    stacks: dict[int, tuple[Scope, ...]] | None = None
    for call, end in islice(calls(_CALL, side.text), MAX_CALLS):
        index = side.index(call.start())
        if side.lines[index].sign != "+" or side.is_comment(call.start()):
            continue
        found = arguments(side.text, call.end(), end)
        message = prose(found.texts[0]) if found.texts else ""
        category = any(_CATEGORY.search(text) for text in found.texts[1:])
        decorates = call[1] == "@" or call[2].startswith("deprecate")
        if not (category or decorates or "deprecated" in message.lower()):
            continue
        if stacks is None:
            stacks = {at: stack for at, stack, known in scopes(side) if known}
        owner = _decorated(side, index, stacks) if decorates else _warning(side, index, stacks)
        kind_and_name = _subject(message, owner, decorates or category)
        if kind_and_name is not None:
            kind, name = kind_and_name
            yield Deprecation(kind, name, instead(message, name), side.path, side.number(index))


def instead(message: str, name: str) -> str | None:
    """What a message says to use in place of `name`."""
    for match in _INSTEAD.finditer(message):
        said = match[1].rstrip(".")
        if said.lower() not in _NO_NAMES and said != name and _looks_named(said, message, match):
            return said
    return None


def _looks_named(said: str, message: str, match: re.Match[str]) -> bool:
    quoted = message[match.start(1) - 1 : match.start(1)] in "`'\""
    return quoted or _CODE_NAME.search(said) is not None


def _subject(message: str, owner: str | None, plain: bool) -> tuple[str, str] | None:
    found = _SUBJECT.search(message)
    if found is not None and _GENERIC.search(message) is None:
        name = found[1]
        if name.startswith("--"):
            return "flag", name
        if _VARIABLE.match(name):
            return "env", name
        if owner is not None and name in (owner, owner.rpartition(".")[2]):
            return "signature", owner
        return None
    # Without a subject the message is about what it stands in, if that warns on every call.
    if owner is None or not plain:
        return None
    return "signature", owner


def _warning(side: Side, index: int, stacks: dict[int, tuple[Scope, ...]]) -> str | None:
    """The public function that warns unconditionally at a line, by its full name."""
    stack = stacks.get(index, ())
    if not stack or stack[-1].is_class:
        return None
    text = side.lines[index].text
    if len(text) - len(text.lstrip()) != stack[-1].indent + 4:
        return None
    if not _is_first_statement(side, index, stack[-1]):
        return None
    if any(not scope.is_class for scope in stack[:-1]):
        return None
    names = [scope.name for scope in stack]
    if names[-1] == "__init__" and len(names) > 1:
        names.pop()
    return None if any(name.startswith("_") for name in names) else ".".join(names)


def _is_first_statement(side: Side, index: int, scope: Scope) -> bool:
    """Tell whether the hunk shows the function's own `def` above the line."""
    pattern = f"def {scope.name}("
    return any(pattern in line.text for line in side.lines[max(0, index - 30) : index])


_DEFINED = re.compile(r"[ \t]*(?:(?:async )?def|class)[ \t]+(\w+)")


def _decorated(side: Side, index: int, stacks: dict[int, tuple[Scope, ...]]) -> str | None:
    """The function or class under a decorator, with the class that the hunk shows around it."""
    for at in range(index + 1, min(index + 13, len(side.lines))):
        if match := _DEFINED.match(side.lines[at].text):
            names = [*(scope.name for scope in stacks.get(at, ())), match[1]]
            return None if any(name.startswith("_") for name in names) else ".".join(names)
    return None
