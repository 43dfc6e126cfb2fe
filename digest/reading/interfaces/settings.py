"""The settings of a file, found in its whole text by what stands near: as users write them."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from digest.reading.interfaces.definition import field_name, member_name


@lru_cache(maxsize=8)  # all the choices that a constant gives are asked for one after the other
def users_of(text: str, constant: str, seen: frozenset[str] = frozenset()) -> Sequence[str]:
    """Return the flags and fields of a file whose choices a constant or type gives, by name."""
    if constant in seen or len(seen) > 4:
        return ()
    found: list[str] = []
    word = re.escape(constant)
    for match in re.finditer(rf"choices=\s*(?:list\(|sorted\()?{word}\b", text):
        if (name := _named_before(text, match.start())) is not None:
            found.append(name)
    for match in re.finditer(
        rf"\n    (\w+)\s*:\s*[^\n=#]*\b{word}\b[^\n,(]*(?:=.*|\()?$", text, re.M
    ):
        owner = class_before(text, match.start())
        if owner and not match[1].startswith("_"):
            found.append(field_name(owner, match[1]))
    for match in re.finditer(
        rf"^(\w+)\s*(?::[^=\n]*)?=\s*(?:{word}\b|(?:\w+\.)?(?:Literal|Union)\[[^\]=]*\b{word}\b)",
        text,
        re.M,
    ):
        found += users_of(text, match[1], seen | {constant})
    return tuple(dict.fromkeys(found))


def _named_before(text: str, at: int) -> str | None:
    begin = max(0, at - 3_000)
    part = text[begin:at]
    flag = list(re.finditer(r"\"(--[a-z][\w-]+)\"", part))
    field = list(re.finditer(r"^    (\w+)\s*:\s*\w", part, re.M))
    if field and (not flag or field[-1].start() > flag[-1].start()):
        owner = class_before(text, at)
        return field_name(owner, field[-1][1]) if owner else None
    return flag[-1][1] if flag else None


def class_before(text: str, at: int) -> str:
    """Return the class that a place stands in, empty where it stands in a function."""
    start = text.rfind("\nclass ", 0, at)
    if start < max(text.rfind("\ndef ", 0, at), text.rfind("\nasync def ", 0, at)):
        return ""
    match = re.match(r"\nclass (\w+)", text[start : start + 200]) if start >= 0 else None
    return match[1] if match else ""


def defaults_of(text: str, constant: str) -> list[str]:
    """Return the settings of a file whose default is a constant, as users write them."""
    found: list[str] = []
    for match in re.finditer(rf"^    (\w+)\s*:[^\n=]*=\s*{re.escape(constant)}$", text, re.M):
        if owner := class_before(text, match.start()):
            found.append(field_name(owner, match[1]))
    for match in re.finditer(rf"\bdefault={re.escape(constant)}\b", text):
        if (name := _named_before(text, match.start())) is not None:
            found.append(name)
    return list(dict.fromkeys(found))


_TAKEN = re.compile(
    r"^    (?P<field>[a-z]\w*)[ \t]*:[^=\n]*=\s*(?:\(\s*)?"
    r"(?:(?P<owner>[A-Z]\w*)\.(?P<name>[a-z]\w*)\)?$"
    r"|\w+\(\s*(?P<by>[A-Z]\w*),\s*[\"'](?P<named>\w+)[\"'])",
    re.M,
)
"""An argument whose default is that of a field of another class: `rate: int = PumpConfig.rate`."""
_NAMES = 200
"""Characters at the begin of a call that adds a flag in which its names stand."""


@lru_cache(maxsize=8)
def flags_of_fields(text: str) -> Mapping[str, str]:
    """Return the flags that a parser of a text makes of fields of other classes, by their names.

    `pump_config.rate` → `--rate`, where an argument takes its default from that field, and the
    text has a flag of the argument's name, to which it gives no default besides. A field that
    several flags take theirs from has none.
    """
    calls = text.split("add_argument(")[1:]
    found: dict[str, str] = {}
    several: set[str] = set()
    for match in _TAKEN.finditer(text):
        flag = "--" + match["field"].replace("_", "-")
        owner, name = match["owner"] or match["by"], match["name"] or match["named"]
        made = [call for call in calls if f'"{flag}"' in call[:_NAMES]]
        if not made or any(_gives_another(call, (match["field"], name)) for call in made):
            continue
        field = member_name(owner, name)
        if found.setdefault(field, flag) != flag:
            several.add(field)
    return {field: flag for field, flag in found.items() if field not in several}


def _gives_another(call: str, fields: Sequence[str]) -> bool:
    """Tell whether a call that adds a flag gives it a default that is none of these fields."""
    given = re.search(r"\bdefault=\s*(?:(?:\w+\.)+(?P<field>\w+))?", call)
    return given is not None and given["field"] not in fields
