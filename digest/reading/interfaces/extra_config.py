"""Settings that code looks up by name in a table that users hand over whole: `extra_config`.

No class or parser lists them: where one is looked up is all that says that there is one.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces.comparison import plain_value
from digest.reading.interfaces.place import FileLanguage, place_of
from digest.reading.patch import MOST_READ, DiffHunk, Line, hunks

_TABLE = "extra_config"
_LOOKS_UP = re.compile(
    r"\b(?:(?P<table>\w{0,40}extra_config)\.get|get_from_extra_config)\(\s{0,60}"
    r"[\"'](?P<key>[a-z][\w.-]{1,60})[\"']"
    r"(?:,\s{0,60}(?P<value>[\w.-]{1,40}|\"[^\"\n]{0,60}\")\s{0,60},?\s{0,60}(?=\)))?"
)
"""A setting that is looked up, with its default where that is written out."""
_IS_TABLE = re.compile(r"\bextra_config(?:: [^=\n]{1,60})? = (?P<what>[^\n]{1,120})")
_TABLES = re.compile(r"\b\w{1,40}_extra_config\b")
"""What a table is handed over as, where code that looks into it calls it by a shorter name."""
_QUOTED = re.compile(r"(?<=[\"'])([\w.-]+)[\"']")
_REMARK = re.compile(r"#|``|>>>")
"""What stands before a setting on its line that is spoken of, and not looked up."""
_LITERAL = re.compile(r"True|False|None|-?\d[\d_.]*|\".*\"")
_MOST = 8
"""Settings of one change that are told."""
_MOST_SOUGHT = 40
"""Settings of one file of which it is asked whether they are new."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """A setting where it is looked up: with its default, None where it has none that is plain."""

    name: str
    value: str | None
    path: str
    line: Line


def extra_config_facts(
    item: Item, texts: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Fact]:
    """Yield the settings of a handed table that a change begins to look up, or alters defaults of.

    In: a change with its patches, and whole files after it, by path, as far as they are known. What
    other lines of the change name already is not new, nor what a new file looks up: it may have
    been taken along. Of a file that is not known whole that a setting is new is inferred.
    """
    files = [
        file
        for file in item.files or ()
        if file.status == "modified" and _TABLE in (file.patch or "")[:MOST_READ]
        if _is_python(file.path)
    ]
    if not files:
        return
    named = {
        word
        for file in item.files or ()
        for line in (file.patch or "")[:MOST_READ].split("\n")
        if line[:1] in ("-", " ")
        for word in _QUOTED.findall(line)
    }
    told: dict[str, Fact] = {}
    for file in files:
        text = texts.get(file.path)
        before, after = (_settings(file, sign, text) for sign in ("-", "+"))
        added = {one.name: one for one in after if one.line.sign == "+"}
        stays = {one.name for one in after if one.line.sign == " "}
        for name, one in islice(added.items(), _MOST_SOUGHT):
            if name in stays:
                continue
            fact = _fact(item, one, before, named, text)
            if fact is not None:
                told.setdefault(name, fact)
    yield from islice(told.values(), _MOST)


def _is_python(path: str) -> bool:
    place = place_of(path)
    return place is not None and place.language is FileLanguage.PYTHON


def _settings(file: FileChange, sign: str, text: str | None) -> list[_Setting]:
    read = [*hunks(file.patch, max_chars=MOST_READ)]
    shown = (line.text for hunk in read for line in hunk.lines)
    table = _table("\n".join(shown) if text is None else text)
    return [one for hunk in read for one in _of_hunk(hunk, file.path, sign, table)]


def _table(text: str) -> str:
    """Return what the table that code calls `extra_config` is handed over as, if it is one alone.

    In: the file, or what is known of it.
    """
    found = {name for one in _IS_TABLE.finditer(text) for name in _TABLES.findall(one["what"])}
    return found.pop() if len(found) == 1 else _TABLE


def _of_hunk(hunk: DiffHunk, path: str, sign: str, table: str) -> Iterator[_Setting]:
    """Yield what one side of a hunk looks up in a table, with the line that names it."""
    side = [line for line in hunk.lines if line.sign in (" ", sign)]
    text = "\n".join(line.text for line in side)
    if _TABLE not in text:
        return
    for found in _LOOKS_UP.finditer(text):
        line = side[text.count("\n", 0, found.start("key"))]
        if _REMARK.search(text, text.rfind("\n", 0, found.start()) + 1, found.start()):
            continue
        value = found["value"]
        plain = value if value and _LITERAL.fullmatch(value) else None
        name = table if found["table"] == _TABLE else found["table"] or _TABLE
        yield _Setting(f"{name}.{found['key']}", plain, path, line)


def _fact(
    item: Item, one: _Setting, before: Sequence[_Setting], named: Collection[str], text: str | None
) -> Fact | None:
    """Tell what an added line that looks a setting up makes of it: None where it is as ever."""
    key = one.name.partition(".")[2]
    evidence = (Evidence("diff", one.line.text.strip(), one.path, one.line.new, "+"),)
    was = {each.value for each in before if each.name == one.name}
    if was:
        old = next(iter(was))
        if len(was) > 1 or old is None or one.value is None:
            return None
        if plain_value(old) == plain_value(one.value):
            return None
        return Fact(
            FactKind.INTERFACE, item.key, FactChange.DEFAULT, Subject.CONFIG_FIELD, one.name,
            before=old, after=one.value, evidence=evidence, must_act=True,
        )  # fmt: skip
    if key in named or _is_known(key, item, one.path, text):
        return None
    return Fact(
        FactKind.INTERFACE, item.key, FactChange.ADDED, Subject.CONFIG_FIELD, one.name,
        after=one.value, evidence=evidence, inferred=text is None,
    )  # fmt: skip


def _is_known(key: str, item: Item, path: str, text: str | None) -> bool:
    """Tell whether a file names a setting in more lines than were added."""
    if text is None:
        return False
    quoted = re.compile(rf"[\"']{re.escape(key)}[\"']")
    patch = next((file.patch or "" for file in item.files or () if file.path == path), "")
    came = sum(len(quoted.findall(line)) for line in patch.split("\n") if line[:1] == "+")
    return len(quoted.findall(text)) > came
