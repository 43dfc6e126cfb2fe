"""Versions of what processes say to each other: two that differ in one do not talk.

A number in the code that its authors count up when a format on the wire or on disk changes.
Whoever upgrades one side before the other is hit, and no title says so.
"""

import re
from collections.abc import Iterator

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.patch import lines
from digest.reading.paths import RUNTIME, role

_VERSION = re.compile(
    r"(?:constexpr |static |const |int |export )*"
    r"(\w*(?:PROTOCOL|CONNECTOR|WIRE|FORMAT|SCHEMA|HANDSHAKE|RPC)_VERSION)"
    r"(?:: (?:int|Final\[int\]|Final))? = (\d{1,6});?\s*(?:#.*|//.*)?"
)


def wire_version_facts(item: Item) -> Iterator[Fact]:
    """Yield a fact for each version of a format that a change of running code counts on."""
    for file in item.files or ():
        if role(file.path) in RUNTIME and "_VERSION" in (file.patch or ""):
            yield from _of_file(item, file)


def _of_file(item: Item, file: FileChange) -> Iterator[Fact]:
    before: dict[str, str] = {}
    for line in lines(file.patch):
        found = _VERSION.fullmatch(line.text.strip())
        if found is None or line.sign == " ":
            continue
        name, value = found.groups()
        if line.sign == "-":
            before[name] = value
        elif before.get(name, value) != value:
            yield Fact(
                FactKind.INTERFACE,
                item.key,
                FactChange.CHANGED,
                Subject.PROTOCOL,
                name,
                before=before[name],
                after=value,
                evidence=(Evidence("diff", line.text, file.path, line.new, "+"),),
                must_act=True,
            )
