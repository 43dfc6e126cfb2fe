"""Defaults that a class of settings gives the fields of the class above it.

`class SmallOvenParams(OvenParams): heat: int = 180`: who bakes in a small oven gets 180 unasked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from digest.facts import FactChange, Subject
from digest.reading.interfaces.definition import CALLED, Definition, Pair
from digest.reading.interfaces.difference import Difference
from digest.reading.interfaces.python import is_literal

PRESET = "preset"
"""The shape of a field to which a class gives another default than the class above it."""

_SETTINGS = re.compile(r"^(?!\w*(?:Arch|Model)).*(?:Config|Settings|Params|Options)$")
"""What classes of settings are called that people change: a model is what it is."""
_LINE = re.compile(
    r"^(?:class (?P<owner>\w+)(?:\((?:\w+\.)*(?P<above>\w+)[,)])?|[\w@]"
    r"|    (?P<field>[a-z]\w*)[ \t]*:[^=\n]{1,200}= (?P<value>[^\s#][^#\n]{0,200}))",
    re.M,
)
"""A line at the top of a file, or one of a class that gives a field its default."""
_DEEPEST = 5
"""Classes above a class that are looked at."""


def presets(differences: Iterable[Difference], pair: Pair) -> Iterator[Difference]:
    """Yield the defaults that are others in classes of settings below another class of settings.

    In: the differences of a file of Python. A class that gives a field a default for the first
    time had that of the class above it, and has that again once it gives none, as far as the file
    has both. Where a class came that has the default which another one lost, that one is told to
    be another thing and not another default.
    """
    for one in differences:
        was, became = one.old, one.new
        if not _is_field(one.definition):
            continue
        before, after = was and was.value, became and became.value
        if one.change is FactChange.ADDED and became and _given_above(became, pair.after):
            before = _given_above(became, pair.before)
        elif one.change is FactChange.REMOVED and was:
            after = _given_above(was, pair.after)
        elif one.change is not FactChange.DEFAULT or not _above(one.definition.owner, pair.after):
            continue
        elif one.subject is Subject.CONFIG_FIELD:
            continue  # it is told as what it is
        if before and after and is_literal(before) and is_literal(after):
            made = _as_preset(one, before, after)
            if not _goes_on(made.name, before, pair):
                yield made


def _goes_on(name: str, before: str, pair: Pair) -> bool:
    """Tell whether a class came that gives a field what one of another name gave it."""
    field = name.rpartition(".")[2]
    had = _classes(pair.before or "")
    return any(
        fields.get(field) == before and owner not in had
        for owner, (_, fields) in _classes(pair.after or "").items()
    )


def _is_field(one: Definition) -> bool:
    is_argument = one.subject is Subject.API_ARGUMENT and one.shape not in CALLED
    is_field = is_argument or one.subject is Subject.CONFIG_FIELD
    return is_field and _SETTINGS.search(one.owner) is not None


def _leaf(one: Definition) -> str:
    """Return the field alone: of `OvenParams(heat)`, `oven_config.heat`."""
    return re.split(r"[.(]", one.name.rstrip(")"))[-1]


def _as_preset(one: Difference, before: str | None, after: str | None) -> Difference:
    name = one.definition.name
    if one.subject is Subject.API_ARGUMENT:
        name = f"{one.definition.owner}.{_leaf(one.definition)}"
    old, new = (side and replace(side, shape=PRESET) for side in (one.old, one.new))
    return replace(
        one, change=FactChange.DEFAULT, subject=Subject.CONFIG_FIELD,
        name=name, before=before, after=after,
        must_act=True, old=old, new=new,
    )  # fmt: skip


def _given_above(one: Definition, text: str | None) -> str | None:
    """Return the default that a field of a class has from one above it, where it is another one."""
    field = _leaf(one)
    classes = _classes(text or "")
    owner = one.owner
    if owner not in classes:
        return None
    for _ in range(_DEEPEST):
        owner = classes[owner][0]
        if owner not in classes or not _SETTINGS.search(owner):
            return None
        if value := classes[owner][1].get(field):
            return value if value != one.value else None
    return None


def _above(owner: str, text: str | None) -> str:
    """Return the class of settings above one, empty where there is none."""
    above = _classes(text or "").get(owner, ("", {}))[0]
    return above if _SETTINGS.search(above) else ""


@lru_cache(maxsize=4)
def _classes(text: str) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """Return the classes of a text: what stands above each, and the defaults of its fields."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    fields: dict[str, str] = {}
    for line in _LINE.finditer(text):
        if line["field"]:
            fields[line["field"]] = line["value"].strip()
        else:
            fields = {}
            if line["owner"]:
                found[line["owner"]] = (line["above"] or "", fields)
    return found
