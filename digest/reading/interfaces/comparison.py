"""What two sides of one file differ in, for a user of the software."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from digest.facts import FactChange, Subject
from digest.reading.interfaces.definition import Definition, Pair, snake_case
from digest.reading.interfaces.grammar import differing
from digest.reading.interfaces.native import native_definitions
from digest.reading.interfaces.place import Language, Place
from digest.reading.interfaces.python import (
    GIVEN,
    is_literal,
    python_definitions,
)
from digest.reading.interfaces.requirements import (
    Requirement,
    is_higher,
    is_listed,
    lowest,
    release_of,
    requirements_of,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was; `old` and `new` are where it stands, None on no side."""

    change: FactChange
    subject: Subject
    name: str
    before: str | None = None
    after: str | None = None
    old: Definition | None = None
    new: Definition | None = None
    must_act: bool = False
    inferred: bool = False
    conditions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def definition(self) -> Definition:
        """Where it stands, after the change if it does."""
        found = self.new or self.old
        assert found is not None  # a difference stands on one side at least
        return found


def _gone(was: Definition, **more: Any) -> Difference:
    """Tell that a thing is there no more, and what it said itself to use in its place."""
    now = was.instead or None
    made = Difference(FactChange.REMOVED, was.subject, was.name, _default(was), now, was)
    return replace(made, **more)


def _came(became: Definition, **more: Any) -> Difference:
    """Tell that a thing is new."""
    name, value = became.name, _default(became)
    made = Difference(FactChange.ADDED, became.subject, name, None, value, None, became)
    return replace(made, **more)


def _altered(change: FactChange, was: Definition, became: Definition, **more: Any) -> Difference:
    """Tell that a thing is another; what it was and is are the values unless others are given."""
    made = Difference(change, became.subject, became.name, was.value, became.value, was, became)
    return replace(made, **more)


def _default(one: Definition) -> str | None:
    return None if one.subject is Subject.METRIC else one.value


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences of one file, and what it defined on either side of what differs."""

    place: Place
    pair: Pair
    differences: tuple[Difference, ...]
    old: tuple[Definition, ...] = ()
    new: tuple[Definition, ...] = ()


def compared(pair: Pair, place: Place, *, cut: bool = False) -> Compared:
    """Compare a file before and after; a file that cannot be read differs in nothing.

    `cut` tells that the sides are parts of a file: statements that do not parse are left out.
    """
    before, after = pair.before or "", pair.after or ""
    if place.language is Language.REQUIREMENTS:
        return Compared(place, pair, tuple(_required(pair)))
    if place.language is Language.NATIVE:
        old = tuple(native_definitions(pair.old_path, before))
        new = tuple(native_definitions(pair.path, after))
    else:
        blocks = differing(before, after, cut=cut)
        old = tuple(python_definitions(blocks[0], pair.old_path, before, place))
        new = tuple(python_definitions(blocks[1], pair.path, after, place))
    return Compared(place, pair, tuple(_differences(old, new, pair)), old, new)


def _differences(
    old: Sequence[Definition], new: Sequence[Definition], pair: Pair
) -> Iterator[Difference]:
    plain = [
        [
            one
            for one in side
            if one.subject is not Subject.CHOICE
            and one.owner != "deprecated"
            and one.shape != GIVEN
        ]
        for side in (old, new)
    ]
    before, after = _collapsed(plain[0]), _collapsed(plain[1])
    for key, was in before.items():
        became = after.get(key)
        if became is not None:
            yield from _changed(was, became)
        elif not _stands(pair.after or "", was):
            yield _gone(was)
    for key, became in after.items():
        if key not in before and not _stands(pair.before or "", became):
            yield _came(became)
        elif became.deprecated and not (key in before and before[key].deprecated):
            yield Difference(
                FactChange.DEPRECATED, became.subject, became.name, None, became.instead or None,
                before.get(key), became,
            )  # fmt: skip
    yield from _newly_deprecated(old, new)
    yield from _of_dicts(old, new)
    yield from _choices_of_constants(old, new, pair)


_Key: TypeAlias = tuple[Subject, str, str]


def _of_dicts(old: Sequence[Definition], new: Sequence[Definition]) -> Iterator[Difference]:
    """Tell of what a dict of defaults gives otherwise, where a value by name is one too."""
    before = {one.key: one for one in old if one.shape == GIVEN}
    for became in new:
        was = before.get(became.key) if became.shape == GIVEN else None
        if was is None or was.value == became.value:
            continue
        if is_literal(was.value or "") or is_literal(became.value or ""):
            yield _altered(FactChange.DEFAULT, was, became, must_act=True)


def _newly_deprecated(old: Sequence[Definition], new: Sequence[Definition]) -> Iterator[Difference]:
    """Tell what a message says for the first time to be deprecated."""
    before = {one.name for one in old if one.owner == "deprecated"}
    for one in new:
        if one.owner == "deprecated" and one.name not in before:
            yield Difference(
                FactChange.DEPRECATED, one.subject, one.name, after=one.instead or None, new=one
            )


def _collapsed(definitions: Iterable[Definition]) -> dict[_Key, Definition]:
    """Return one definition for each key: the one that says most of it."""
    found: dict[_Key, Definition] = {}
    for one in definitions:
        known = found.get(one.key)
        if known is None or _detail(one) > _detail(known):
            found[one.key] = one
    return found


def _detail(one: Definition) -> tuple[bool, bool, bool, bool]:
    return one.table, one.deprecated, one.choices is not None, one.value is not None


def _changed(was: Definition, became: Definition) -> Iterator[Difference]:
    subject = became.subject
    if subject in (Subject.API_NAME, Subject.ENDPOINT, Subject.MODEL):
        return
    if subject is Subject.METRIC:
        if was.shape != became.shape:
            yield _altered(FactChange.CHANGED, was, became, before=was.shape, after=became.shape)
        elif was.value != became.value and was.value and became.value:
            yield _altered(FactChange.CHANGED, was, became)
        return
    if was.required != became.required and subject is not Subject.FLAG:
        if subject is Subject.API_ARGUMENT or became.required:
            before = "required" if was.required else was.value
            after = "required" if became.required else became.value
            must_act = became.required
            yield _altered(
                FactChange.CHANGED, was, became, before=before, after=after, must_act=must_act
            )
    elif subject is Subject.API_ARGUMENT and was.position >= 0 > became.position:
        yield _altered(
            FactChange.CHANGED, was, became,
            before=_written(was), after=f"*, {_written(became)}", must_act=True,
        )  # fmt: skip
    elif _differ(was, became):
        yield _altered(FactChange.DEFAULT, was, became, must_act=True)
    yield from _chosen_from(was, became)


def _chosen_from(was: Definition, became: Definition) -> Iterator[Difference]:
    """Tell of the values that a thing takes no more, and of those that it takes now."""
    if was.choices is None or became.choices is None:
        return
    for choice in was.choices:
        if choice not in became.choices:
            yield _gone(was, subject=Subject.CHOICE, before=choice, must_act=True)
    for choice in became.choices:
        if choice not in was.choices:
            yield _came(became, subject=Subject.CHOICE, after=choice)


def _written(one: Definition) -> str:
    """Return an argument as a signature writes it: `max_tokens=128`."""
    name = one.name.partition("(")[2].rstrip(")")
    return name if one.value is None else f"{name}={one.value}"


def _differ(was: Definition, became: Definition) -> bool:
    """Tell whether a default became another one; what cannot be read is not told apart."""
    if was.value is None or became.value is None or was.value == became.value:
        return False
    if was.inherited or became.inherited:
        return False
    return is_literal(was.value) and is_literal(became.value)


def _stands(text: str, one: Definition) -> bool:
    """Tell whether a side of the file that has the thing in what is the same has it after all."""
    last = one.name.removeprefix("*").rpartition(".")[2]
    if one.subject is not Subject.FLAG and last not in text:
        return False
    name, last = re.escape(one.name), re.escape(last)
    match one.subject, one.shape:
        case Subject.FLAG, _:
            field = one.name.lstrip("-").replace("-", "_")
            pattern = rf"[\"']{name}[\"']|^    {field}\s*:"
        case Subject.ENV, _:
            pattern = last if name != last else rf"(?<![A-Z0-9_]){last}(?![A-Z0-9_])"
        case ((Subject.METRIC | Subject.ENDPOINT | Subject.MODEL), _):
            pattern = rf"[\"']{name}[\"']"
        case Subject.CONFIG_FIELD, _:
            pattern = rf"^    {last}[ \t]*:"
        case Subject.API_NAME, "method":
            pattern = rf"^\s+(?:async )?def {last}\b"
        case Subject.API_NAME, shape if shape != "abstract":
            pattern = rf"\b{name}\b"
        case _:
            return False
    return re.search(pattern, text, re.M) is not None


def _choices_of_constants(
    old: Sequence[Definition], new: Sequence[Definition], pair: Pair
) -> Iterator[Difference]:
    sides = ((_by_owner(old), pair.before or ""), (_by_owner(new), pair.after or ""))
    for change, (others, elsewhere), (owners, text) in (
        (FactChange.ADDED, *sides),
        (FactChange.REMOVED, sides[1], sides[0]),
    ):
        for owner, values in owners.items():
            one = next(iter(values.values()))
            if owner not in others:
                partial = one.shape in ("enum", "registry") and _stands_owner(elsewhere, owner)
                if not partial:
                    continue
            for value, definition in values.items():
                if value not in others.get(owner, {}):
                    yield from _choice(change, definition, value, text)


def _by_owner(definitions: Sequence[Definition]) -> dict[str, dict[str, Definition]]:
    found: dict[str, dict[str, Definition]] = {}
    for one in definitions:
        if one.subject is Subject.CHOICE and one.value is not None:
            found.setdefault(one.owner, {}).setdefault(one.value, one)
    return found


def _stands_owner(text: str, owner: str) -> bool:
    return re.search(rf"\b{re.escape(owner)}\b\s*[:=(]", text) is not None


def _choice(change: FactChange, one: Definition, value: str, text: str) -> Iterator[Difference]:
    added = change is FactChange.ADDED
    names = users_of(text, one.owner)
    inferred = False
    if not names:
        if one.shape == "list" or (one.shape != "registry" and not _TYPE.search(one.owner)):
            return
        names, inferred = [_registry_name(one)], one.shape != "registry"
    make, side = (_came, "after") if added else (_gone, "before")
    yield make(
        one, subject=Subject.CHOICE, name=names[0], **{"before": None, "after": None, side: value},
        must_act=not added, inferred=inferred, names=tuple(names) if len(names) > 1 else (),
    )  # fmt: skip


_TYPE = re.compile(
    r"(?:Backend|Format|Kind|Level|Method|Mode|Option|Policy|Strategy|Type)s?(?:Enum)?$"
)
"""What types are called whose values a person chooses from."""


def _registry_name(one: Definition) -> str:
    """Name a registry by its file where that says more than the constant: `reasoning_parser`."""
    if one.shape != "registry":
        return one.owner
    if kind := re.search(r"(?:\w+_)?parser(?=s?(?:_|$))", snake_case(one.owner).strip("_")):
        return kind[0]
    *folders, name = one.path.split("/")
    stem = name.removesuffix(".py")
    return folders[-1] if stem in _NAMELESS and folders else stem


_NAMELESS = frozenset({"__init__", "registry", "factory", "base", "common", "utils"})
"""Files whose folder says what they hold."""


def users_of(text: str, constant: str, seen: frozenset[str] = frozenset()) -> list[str]:
    """Return the flags and fields of a file whose choices a constant or type gives, by name."""
    if constant in seen or len(seen) > 4:
        return []
    found: list[str] = []
    word = re.escape(constant)
    for match in re.finditer(rf"choices=\s*(?:list\(|sorted\()?{word}\b", text):
        if (name := _named_before(text, match.start())) is not None:
            found.append(name)
    for match in re.finditer(
        rf"^    (\w+)\s*:\s*[^\n=#]*\b{word}\b[^\n,(]*(?:=.*|\()?$", text, re.M
    ):
        owner = _class_before(text, match.start())
        if owner and not match[1].startswith("_"):
            found.append(_field_name(owner, match[1]))
    for match in re.finditer(
        rf"^(\w+)\s*(?::[^=\n]*)?=\s*(?:{word}\b|(?:\w+\.)?(?:Literal|Union)\[[^\]=]*\b{word}\b)",
        text,
        re.M,
    ):
        found += users_of(text, match[1], seen | {constant})
    return list(dict.fromkeys(found))


def _named_before(text: str, at: int) -> str | None:
    begin = max(0, at - 3_000)
    part = text[begin:at]
    flag = list(re.finditer(r"\"(--[a-z][\w-]+)\"", part))
    field = list(re.finditer(r"^    (\w+)\s*:\s*\w", part, re.M))
    if field and (not flag or field[-1].start() > flag[-1].start()):
        owner = _class_before(text, at)
        return _field_name(owner, field[-1][1]) if owner else None
    return flag[-1][1] if flag else None


def _class_before(text: str, at: int) -> str:
    """Return the class that a place stands in, empty where it stands in a function."""
    start = text.rfind("\nclass ", 0, at)
    if start < max(text.rfind("\ndef ", 0, at), text.rfind("\nasync def ", 0, at)):
        return ""
    match = re.match(r"\nclass (\w+)", text[start : start + 200]) if start >= 0 else None
    return match[1] if match else ""


def _field_name(owner: str, field: str) -> str:
    if owner.endswith(("Args", "Arguments")) and "Config" not in owner:
        return "--" + field.replace("_", "-")
    if owner.endswith(("Config", "Settings")):
        return f"{snake_case(owner)}.{field}"
    return f"{owner}.{field}"


def _required(pair: Pair) -> Iterator[Difference]:
    if pair.before is None or pair.after is None:
        return
    old, new = requirements_of(pair.old_path, pair.before), requirements_of(pair.path, pair.after)
    if not (is_listed(pair.path, pair.before) and is_listed(pair.path, pair.after)):
        # What everybody needs is worked out on one side: there it would look as if gone.
        old, new = ([one for one in side if one.extra] for side in (old, new))
    yield from _extras(old, new, pair.after)
    extras = {one.extra for one in old} & {one.extra for one in new}
    before = {one.key: one for one in old if one.extra in extras}
    after = {one.key: one for one in new if one.extra in extras}
    names_before = {(one.extra, key[0]) for key, one in before.items()}
    names_after = {(one.extra, key[0]) for key, one in after.items()}
    for key, was in before.items():
        became = after.get(key)
        if became is None:
            if (was.extra, key[0]) in names_after:
                continue  # under another marker
            yield _gone(_as_definition(was), conditions=_conditions(was))
        elif was.spec != became.spec:
            change = bound_change(was.spec, became.spec)
            yield _altered(
                change, _as_definition(was), _as_definition(became),
                must_act=change is FactChange.RAISED and not became.extra,
                conditions=_conditions(became),
            )  # fmt: skip
    for key, became in after.items():
        if key not in before and (became.extra, key[0]) not in names_before:
            yield _came(_as_definition(became), conditions=_conditions(became))


def _extras(
    old: Sequence[Requirement], new: Sequence[Requirement], text: str
) -> Iterator[Difference]:
    """Tell of extras as a whole that came, went, or ask for nothing any more."""
    for side, other in ((old, new), (new, old)):
        there = {one.extra for one in other} | {""}
        for extra in dict.fromkeys(one.extra for one in side if one.extra not in there):
            required = [one for one in side if one.extra == extra]
            listed = ", ".join(f"{one.name}{one.spec}" for one in required)[:200]
            first = _as_definition(required[0])
            first = replace(first, subject=Subject.DEPENDENCY, name=f"extra {extra}", value=listed)
            if side is new:
                yield _came(first)
            elif re.search(rf"^\s*[\"']?{re.escape(extra)}[\"']?\s*[=:]\s*\[", text, re.M):
                yield _gone(first, change=FactChange.CHANGED, after="")
            else:
                yield _gone(first, must_act=True)


def bound_change(before: str, after: str) -> FactChange:
    """Tell what became of the lowest version that a requirement allows."""
    low, high = lowest(before), lowest(after)
    if low == high or "@" in before[:1] + after[:1]:
        return FactChange.CHANGED
    if not high:
        return FactChange.LOWERED
    if not low:
        return FactChange.RAISED
    if release_of(low) == release_of(high):
        return FactChange.CHANGED
    return FactChange.RAISED if is_higher(high, low) else FactChange.LOWERED


def _subject(one: Requirement) -> Subject:
    return Subject.PLATFORM if one.name == "Python" else Subject.DEPENDENCY


def _conditions(one: Requirement) -> tuple[str, ...]:
    return (one.condition,) if one.condition else ()


def _as_definition(one: Requirement) -> Definition:
    spec = one.spec or None
    return Definition(_subject(one), one.name, one.path, one.line, one.quote, value=spec)
