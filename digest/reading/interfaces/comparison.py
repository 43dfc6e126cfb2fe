"""What two sides of one file differ in, for a user of the software."""

import ast
import operator
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from digest.facts import FactChange, Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.by_itself import given_differences, turned_on
from digest.reading.interfaces.chosen import (
    Function,
    changed_functions,
    chosen_differences,
    given_otherwise,
    on_where,
)
from digest.reading.interfaces.definition import (
    CALLED,
    Definition,
    Pair,
    has_variable,
    plain_name,
    snake_case,
)
from digest.reading.interfaces.difference import Compared, Difference, altered, came, gone
from digest.reading.interfaces.gates import ON, gate_of, route_gate, said_gate
from digest.reading.interfaces.grammar import UNREADABLE, differing
from digest.reading.interfaces.order import reordered
from digest.reading.interfaces.other_files import native_definitions, settings_of
from digest.reading.interfaces.place import FileLanguage, Place
from digest.reading.interfaces.presets import presets
from digest.reading.interfaces.python import (
    CONSTANT,
    ENTRY,
    GIVEN,
    LATE,
    MEMBER,
    OTHERS,
    QUERY,
    REGISTERED,
    REGISTRY,
    as_called,
    as_parsed,
    can_define,
    has_written,
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
from digest.reading.interfaces.rust_flags import RUST, may_have, rust_definitions
from digest.reading.interfaces.settings import defaults_of, users_of


def compared(pair: Pair, place: Place, *, cut: bool = False) -> Compared:
    """Compare a file before and after; raises one of `UNREADABLE` where a side does not parse.

    `cut` tells that the sides are parts of a file: statements that do not parse are left out.
    """
    before, after = pair.before or "", pair.after or ""
    if place.language is FileLanguage.REQUIREMENTS:
        return Compared(place, pair, tuple(_required(pair, cut=cut)))
    if place.language is FileLanguage.SETTINGS:
        old, new = tuple(settings_of(pair.old_path, before)), tuple(settings_of(pair.path, after))
        return Compared(place, pair, tuple(_set(old, new)), old, new)
    if place.language is FileLanguage.NATIVE:
        old = tuple(native_definitions(pair.old_path, before))
        new = tuple(native_definitions(pair.path, after))
    elif place.language is FileLanguage.RUST:
        old = tuple(rust_definitions(pair.old_path, before))
        new = tuple(rust_definitions(pair.path, after))
    else:
        blocks = differing(before, after, cut=cut, matters=can_define)
        old = as_called(python_definitions(blocks[0], pair.old_path, before, place), before)
        new = as_called(python_definitions(blocks[1], pair.path, after, place), after)
    found = [_gated(one, after) for one in _differences(old, new, pair, place)]
    if place.language is FileLanguage.PYTHON and not cut:
        found += [*presets(found, pair), *reordered(old, new)]
    if (place.arguments or place.config) and not cut:
        with suppress(*UNREADABLE):
            changed = changed_functions(pair)
            found = [_switched(one, changed.after, after) for one in found]
            found += [*chosen_differences(pair, changed), *given_differences(pair, changed)]
    return Compared(place, pair, tuple(found), old, new)


def _differences(
    old: Sequence[Definition], new: Sequence[Definition], pair: Pair, place: Place
) -> Iterator[Difference]:
    plain = [
        [
            one
            for one in side
            if one.subject is not Subject.CHOICE
            and one.owner != "deprecated"
            and one.shape not in _ELSEWHERE
        ]
        for side in (old, new)
    ]
    before, after = _collapsed(plain[0]), _collapsed(plain[1])
    given = _given_otherwise(before, after)
    notices = {one.name: one.instead for one in old if one.owner == "deprecated" and one.instead}
    for key, was in before.items():
        became = after.get(given.get(key, key))
        if became is not None:
            became = replace(became, subject=was.subject, name=was.name)
            yield from _changed(was, became, pair, place)
        elif not _stands(pair.after or "", was) and _has_route(was, new):
            other = _other_name(was, before.values(), after)
            if other or not _is_short(was):
                yield gone(replace(was, instead=was.instead or notices.get(was.name, other)))
    for key, became in after.items():
        if key in given.values():
            continue
        if key not in before and _is_short(became):
            continue
        if key not in before and not _has_route(became, old):
            continue
        if key not in before and not _stands(pair.before or "", became):
            on = on_where(became, pair.after or "") if became.subject in _SWITCHES else None
            yield came(became, after=on[0], conditions=on[1]) if on else came(became)
        elif became.deprecated and not (key in before and before[key].deprecated):
            yield Difference(
                FactChange.DEPRECATED, became.subject, became.name, None, became.instead or None,
                before.get(key), became,
            )  # fmt: skip
    yield from _newly_deprecated(old, new)
    yield from _of_constants(old, new, pair)
    yield from _choices_of_constants(old, new, pair)


def _switched(one: Difference, functions: Collection[Function], text: str) -> Difference:
    """Say of a new switch where code turns it on that is off elsewhere."""
    is_new = one.change is FactChange.ADDED and one.subject in _SWITCHES and not one.conditions
    where = turned_on(one.definition, functions, text) if is_new else ""
    return replace(one, after="True", conditions=(where,)) if where else one


def _gated(one: Difference, text: str) -> Difference:
    """Say of another default of a variable, or of a new one, what it counts with.

    By a comment, or, where it is more than off, by the name of what it is a part of. Of a new path
    say with what a server has it.
    """
    if one.change is FactChange.ADDED and (taken := route_gate(one.definition, text)):
        return replace(one, conditions=(f"{taken}=1",))
    stays = one.change in (FactChange.ADDED, FactChange.DEFAULT)
    if one.subject is not Subject.ENV or one.conditions or not stays:
        return one
    gate, inferred = said_gate(one.definition, text), one.inferred
    if not gate and (one.after in ON or one.change is FactChange.DEFAULT):
        gate = gate_of(one.definition, text)
        # That a variable is new is sure, whatever it counts with.
        inferred = inferred or (bool(gate) and one.change is FactChange.DEFAULT)
    return replace(one, conditions=(f"{gate}=1",), inferred=inferred) if gate else one


def _has_route(one: Definition, others: Iterable[Definition]) -> bool:
    """Tell whether the other side has the path too in whose query a thing is looked up."""
    return one.shape != QUERY or any(
        each.subject is Subject.ENDPOINT and each.name == one.owner for each in others
    )


_Key: TypeAlias = tuple[Subject, str, str]


def _is_short(one: Definition) -> bool:
    """Tell whether a flag is the short way to write another one: `-tp`."""
    is_flag = one.subject is Subject.FLAG and not one.name.startswith("--")
    return is_flag and one.shape.startswith("--")


def _other_name(
    gone: Definition, before: Iterable[Definition], after: Mapping[_Key, Definition]
) -> str:
    """Return a flag that was the same one as another flag that went, and stays; "" for none.

    Of a variable that a field of a table reads: the one that the same field reads now.
    """
    if gone.subject is Subject.ENV:
        return _read_now(gone, after.values())
    if gone.subject is not Subject.FLAG:
        return ""
    same = [gone.shape, *(one.name for one in before if one.shape == gone.name)]
    long = (name for name in same if name.startswith("--"))
    return next((name for name in long if (Subject.FLAG, "", name) in after), "")


_FIELD = re.compile(r"\w+\s*(?::[^=]*)?=\s*[\w.]+\(")


def _read_now(gone: Definition, after: Iterable[Definition]) -> str:
    """Return the variable that stands in a field where one stood that went, all else as it was."""
    read = re.search(rf"([\"']){re.escape(gone.name)}\1", gone.quote)
    if read is None or not gone.table or not _FIELD.match(gone.quote):
        return ""
    before, mark, rest = gone.quote[: read.start()], read[1], gone.quote[read.end() :]
    fields = (one for one in after if one.subject is Subject.ENV and one.table)
    same = (one.name for one in fields if one.quote == f"{before}{mark}{one.name}{mark}{rest}")
    return next(same, "")


_GIVEN_TO_CLASSES = (
    Subject.API_ARGUMENT, Subject.CONFIG_FIELD, Subject.REQUEST_FIELD, Subject.RESPONSE_FIELD,
)  # fmt: skip

_SWITCHES = (Subject.FLAG, Subject.ENV, Subject.CONFIG_FIELD)


def _given_otherwise(
    before: Mapping[_Key, Definition], after: Mapping[_Key, Definition]
) -> dict[_Key, _Key]:
    """Return what a class takes as a field now and took as an argument, or the other way round.

    Whoever makes an object writes the same: `__init__` or a record, the name is what is given.
    """

    def only(side: Mapping[_Key, Definition], other: Mapping[_Key, Definition]) -> dict[str, _Key]:
        return {
            f"{one.owner}.{re.split(r'[.(]', one.name.rstrip(')'))[-1]}": key
            for key, one in side.items()
            if key not in other and one.owner and one.subject in _GIVEN_TO_CLASSES
        }

    now = only(after, before)
    return {key: now[name] for name, key in only(before, after).items() if name in now}


_LATE = r"^        if self\.{0} is None:\n(?:\s*#.*\n)*            self\.{0} = (.+)$"
"""What somebody gets who sets nothing, where that does not stand with the setting."""


_ELSEWHERE = (LATE, CONSTANT, GIVEN)


def _of_constants(
    old: Sequence[Definition], new: Sequence[Definition], pair: Pair
) -> Iterator[Difference]:
    """Tell of defaults that changed elsewhere than where their settings are defined."""
    before = {one.key: one for one in old if one.shape in _ELSEWHERE}
    after = {one.key: one for one in new if one.shape in _ELSEWHERE}
    for key, became in after.items():
        was = before.get(key)
        if was is None or not (_gives(was, became) or _differ(was, became, pair)):
            continue
        names = [became.name]
        if became.shape == CONSTANT:
            names = defaults_of(pair.after or "", became.name)
        for name in names:
            subject = Subject.FLAG if name.startswith("--") else Subject.CONFIG_FIELD
            yield altered(
                FactChange.DEFAULT, was, became, subject=subject, name=name, must_act=True
            )


def _gives(was: Definition, became: Definition) -> bool:
    """Tell whether a dict of defaults gives something else, where a value by name is one too."""
    sides = (was.value or "", became.value or "")
    return became.shape == GIVEN and sides[0] != sides[1] and any(map(is_literal, sides))


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
        if known is None:
            found[one.key] = one
            continue
        more, less = (one, known) if _detail(one) > _detail(known) else (known, one)
        if less.deprecated and not less.table:
            # The text below a field says so.
            more = replace(more, deprecated=True, instead=more.instead or less.instead)
        found[one.key] = more
    return found


def _detail(one: Definition) -> tuple[bool, bool, bool, bool]:
    return one.table, one.deprecated, has_written(one.choices), one.value is not None


def _changed(was: Definition, became: Definition, pair: Pair, place: Place) -> Iterator[Difference]:
    subject = became.subject
    if was.subject is Subject.FLAG and (was.value, was.choices) != (became.value, became.choices):
        was = as_parsed(was, pair.before or "", place)
        became = as_parsed(became, pair.after or "", place)
    if subject in (Subject.API_NAME, Subject.ENDPOINT, Subject.MODEL):
        return
    if subject is Subject.METRIC:
        if was.shape != became.shape:
            yield altered(FactChange.CHANGED, was, became, before=was.shape, after=became.shape)
        elif was.value != became.value and was.value and became.value:
            yield altered(FactChange.CHANGED, was, became)
        return
    if was.required != became.required and subject is not Subject.FLAG:
        is_asked = _is_asked_for(was, pair.before) != _is_asked_for(became, pair.after)
        if (subject is Subject.API_ARGUMENT or became.required) and is_asked:
            before = "required" if was.required else was.value
            after = "required" if became.required else became.value
            must_act = became.required
            yield altered(
                FactChange.CHANGED, was, became, before=before, after=after, must_act=must_act
            )
    elif subject is Subject.API_ARGUMENT and was.position >= 0 > became.position:
        yield altered(
            FactChange.CHANGED, was, became,
            before=_written(was), after=f"*, {_written(became)}", must_act=True,
        )  # fmt: skip
        if _differ(was, became, pair):
            yield _default_is(was, became)
    elif _differ(was, became, pair):
        yield _default_is(was, became)
    elif was.value != became.value:
        yield from given_otherwise(was, became, pair.before or "", pair.after or "")
    yield from _chosen_from(was, became)


def _is_asked_for(one: Definition, text: str | None) -> bool:
    """Tell whether callers have to give a value: without one there is none, or None is refused."""
    if one.required or one.value != "None":
        return one.required
    name = one.name.partition("(")[2].rstrip(")")
    starts, functions = _refused(text or "")
    at = bisect_right(starts, one.line) - 1
    if at < 0 or one.line >= functions[at][0]:
        return False
    return not functions[at][1].isdisjoint((f"{name} is None", f"not {name}"))


@lru_cache(maxsize=4)
def _refused(text: str) -> tuple[Sequence[int], Sequence[tuple[int, frozenset[str]]]]:
    """Return where the functions of a text begin, and of each where it ends and when it raises.

    In the order of the text, without those inside of another one: each argument asks for its own.
    """
    functions: dict[int, tuple[int, frozenset[str]]] = {}
    with suppress(*UNREADABLE):
        left: list[ast.AST] = [grammar.module(text)]
        while left:
            node = left.pop()
            if isinstance(node, grammar.Function):
                functions[node.lineno] = (node.end_lineno or 0, frozenset(_raises_where(node)))
            else:
                left += ast.iter_child_nodes(node)
    starts = sorted(functions)
    return starts, [functions[start] for start in starts]


def _raises_where(function: grammar.Function) -> Iterator[str]:
    """Yield the conditions under which a function raises, as they are written."""
    for node in function.body:
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
            yield ast.unparse(node.test)


def _default_is(was: Definition, became: Definition) -> Difference:
    """Tell of another default; what nothing is given for now may be filled in with the same."""
    is_open = became.value == "None"
    return altered(FactChange.DEFAULT, was, became, must_act=True, inferred=is_open)


def _chosen_from(was: Definition, became: Definition) -> Iterator[Difference]:
    """Tell of the values that a thing takes no more, and of those that it takes now."""
    if was.choices is None or became.choices is None:
        return
    others = [
        {one for one in side if one.startswith(OTHERS)} for side in (was.choices, became.choices)
    ]
    if others[0] != others[1]:
        return  # what one side writes out the other may have had from a list that is not read
    for choice in was.choices:
        if choice not in became.choices:
            yield gone(was, subject=Subject.CHOICE, before=choice, must_act=True)
    for choice in became.choices:
        if choice not in was.choices:
            yield came(became, subject=Subject.CHOICE, after=choice)


def _written(one: Definition) -> str:
    """Return an argument as a signature writes it: `max_tokens=128`."""
    name = one.name.partition("(")[2].rstrip(")")
    return name if one.value is None else f"{name}={one.value}"


def _differ(was: Definition, became: Definition, pair: Pair) -> bool:
    """Tell whether a default became another one; what cannot be read is not told apart."""
    if was.value is None or became.value is None or was.value == became.value:
        return False
    if was.inherited or became.inherited:
        return False
    if was.is_text and became.is_text:
        texts = [one.value or "" for one in (was, became)]
        sides = [plain_value(_SAME_TEXT.get(each.casefold(), each)) for each in texts]
        return sides[0] != sides[1]
    members = [_MEMBER.fullmatch(one.value or "") for one in (was, became)]
    if all(members):
        # A class under another name has the same members.
        (left, one), (right, other) = (member.groups() for member in members if member)
        values = (_value_of(one, pair.before or ""), _value_of(other, pair.after or ""))
        return left == right and one != other and not (values[0] and values[0] == values[1])
    before = _resolved(was.value, was.name, pair.before or "")
    after = _resolved(became.value, became.name, pair.after or "")
    if not is_literal(before) or not is_literal(after):
        return False
    if after == "None" and before in _EMPTY:
        return False
    return plain_value(before) != plain_value(after)


def _value_of(member: str, text: str) -> str:
    """Return what a member of an enum is, as far as the file shows it."""
    found = re.search(rf"^[ \t]+{member}[ \t]*=[ \t]*(.+)$", text, re.M)
    return found[1].strip() if found else ""


_SAME_TEXT = {"": "None", "none": "None", "true": "True", "false": "False"}
"""What a variable is by default, written otherwise; without one it is not set, or empty."""
_MEMBER = re.compile(r"(?:\w+\.)*([A-Z]\w*)\.([A-Z][A-Z0-9_]*)(?:\.value|\.name)?")
"""A member of an enum: `Mode.EAGER`."""

_EMPTY = ("[]", "{}", "()", "''", '""')
"""Defaults that are nothing: objects that all calls would share are mostly written as None."""


def _resolved(value: str, name: str, text: str) -> str:
    """Return what a constant of the same file holds, or what is given in place of None."""
    if value == "None":
        late = re.findall(_LATE.format(re.escape(plain_name(name))), text, re.M)
        return late[0] if len(late) == 1 else value
    if not re.fullmatch(r"[A-Za-z_]\w*", value) or is_literal(value):
        return value
    found = re.search(rf"^{value}\s*(?::[^=\n]*)?=\s*(\S[^\n#]*)", text, re.M)
    return found[1].strip() if found else value


def plain_value(value: str) -> object:
    """Return a default so that `"1"`, `1` and `1.0`, or `1024` and `2 ** 10`, are the same."""
    text = value.strip("\"'") if value[:1] in "\"'" else value
    try:
        read = ast.literal_eval(grammar.expression(text.lstrip()))
        if isinstance(read, set | dict):
            # They are the same in any order.
            return sorted(map(repr, read.items() if isinstance(read, dict) else read))
        return repr(int(read) if isinstance(read, bool) else read)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    if re.fullmatch(r"[\d\s*+<\-()]{1,40}", text) and "**" not in text.replace("2 ** ", ""):
        try:
            tree = grammar.expression(text).body
        except SyntaxError:
            return text
        return repr(_number(tree))
    return text


_WORKED_OUT: Mapping[type[ast.operator], tuple[Callable[[int, int], int], int]] = {
    ast.Mult: (operator.mul, 2**40),
    ast.Add: (operator.add, 2**40),
    ast.Sub: (operator.sub, 2**40),
    ast.LShift: (operator.lshift, 64),
    ast.Pow: (operator.pow, 64),
}
"""What is worked out of whole numbers, each with what its right side is below."""


def _number(node: ast.expr) -> int | str:
    """Work out a product, sum, power or shift of small whole numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and (known := _WORKED_OUT.get(type(node.op))):
        work, limit = known
        left, right = _number(node.left), _number(node.right)
        if isinstance(left, int) and isinstance(right, int) and 0 <= right < limit:
            return work(left, right)
    return ast.unparse(node)


def _stands(text: str, one: Definition) -> bool:
    """Tell whether a side of the file that has the thing in what is the same has it after all."""
    name = one.name
    if one.subject is Subject.API_ARGUMENT and one.shape not in CALLED:
        return _is_field(text, one)
    if one.shape == RUST:
        return may_have(text, name)
    if one.subject is Subject.FLAG:
        return _stands_flag(text, name)
    if one.shape == QUERY or name.removeprefix("*").rpartition(".")[2] not in text:
        return False
    if one.subject is Subject.ENV:
        return name.startswith("*") or has_variable(text, name, one.path)
    if one.shape == ENTRY:
        key = name.rpartition(".")[2]
        return f'"{key}"' in text or f"'{key}'" in text
    if one.subject in (Subject.METRIC, Subject.ENDPOINT, Subject.MODEL):
        written = name.removeprefix(one.owner)
        return f'"{written}"' in text or f"'{written}'" in text
    if one.subject in (Subject.CONFIG_FIELD, Subject.REQUEST_FIELD, Subject.RESPONSE_FIELD):
        return _is_field(text, one)
    if one.subject is Subject.API_NAME and one.shape == "abstract":
        return False
    if one.subject is Subject.API_NAME and one.shape == "method":
        return re.search(rf"^\s+(?:async )?def {name.rpartition('.')[2]}\b", text, re.M) is not None
    if one.subject is Subject.API_NAME:
        return re.search(rf"\b{re.escape(name)}\b", text) is not None
    return False


def _stands_flag(text: str, name: str) -> bool:
    """Tell whether a side of a file has a flag, or the field of which it is made."""
    if "<" in name:
        return name.replace("<", "{").replace(">", "}") in text
    if f'"{name}"' in text or f"'{name}'" in text:
        return True
    field = f"    {name.lstrip('-').replace('-', '_')}"
    return field in text and re.search(rf"\n{field}\s*:", text) is not None


def _is_field(text: str, one: Definition) -> bool:
    """Tell whether a class of a side has a field, which may be a flag there and none here."""
    field = re.split(r"[.(]", one.name.rstrip(")"))[-1]
    return field in text and one.owner in _owners_of_fields(text).get(field, ())


_CLASS_OR_FIELD = re.compile(r"^(?:class (\w+)|(?:async )?def |    (\w+)[ \t]*:)", re.M)


@lru_cache(maxsize=4)  # the sides of one file, which are read one after the other
def _owners_of_fields(text: str) -> Mapping[str, set[str]]:
    """Return, of what stands in a file as a class's field, the classes; "" outside of one."""
    found: dict[str, set[str]] = {}
    owner = ""
    for owned, field in _CLASS_OR_FIELD.findall(text):
        if field:
            found.setdefault(field, set()).add(owner)
        else:
            owner = owned
    return found


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
                partial = one.shape in _SPREAD and _stands_owner(elsewhere, owner)
                announced = change is FactChange.ADDED and "DEPRECATED" in owner.upper()
                if not partial and not announced:
                    continue
            for value, definition in values.items():
                if value not in others.get(owner, {}) and not _is_value(elsewhere, definition):
                    yield from _choice(change, definition, value, text)


def _by_owner(definitions: Sequence[Definition]) -> dict[str, dict[str, Definition]]:
    found: dict[str, dict[str, Definition]] = {}
    for one in definitions:
        if one.subject is Subject.CHOICE and one.value is not None:
            found.setdefault(one.owner, {}).setdefault(one.value, one)
    return found


def _stands_owner(text: str, owner: str) -> bool:
    return re.search(rf"\b{re.escape(owner)}\b\s*[:=(]", text) is not None


def _is_value(text: str, one: Definition) -> bool:
    """Enum members and entries of a registry are statements of their own: look at the rest."""
    if one.shape not in _SPREAD:
        return False
    return (
        f'"{one.value}"' in text
        or re.search(rf"^\s+{re.escape(one.value or '')} = ", text, re.M) is not None
    )


_SPREAD = ("enum", MEMBER, REGISTRY, REGISTERED)
"""Choices of which each is a statement of its own."""


def _choice(change: FactChange, one: Definition, value: str, text: str) -> Iterator[Difference]:
    added = change is FactChange.ADDED
    if "DEPRECATED" in one.owner.upper():
        if added:
            yield Difference(FactChange.DEPRECATED, Subject.CHOICE, value, value, None, None, one)
        return
    names = users_of(text, one.owner)
    inferred = False
    if not names and one.shape == "enum" and not _TYPE.search(one.owner):
        # No setting of the file takes it: what others import is told as any other enum is.
        one = replace(one, shape=MEMBER)
    if not names:
        is_named = one.shape in (MEMBER, REGISTRY, REGISTERED)
        if one.shape == "list" or (not is_named and not _TYPE.search(one.owner)):
            return
        names, inferred = (_registry_name(one),), not is_named
    make, side = (came, "after") if added else (gone, "before")
    yield make(
        one, subject=Subject.CHOICE, name=names[0], **{"before": None, "after": None, side: value},
        must_act=not added, inferred=inferred, names=tuple(names) if len(names) > 1 else (),
    )  # fmt: skip


_TYPE = re.compile(
    r"(?:Backend|Format|Kind|Level|Method|Mode|Option|Policy|Strategy|Type)s?(?:Enum)?$"
)
"""What types are called whose values a person chooses from."""


def _registry_name(one: Definition) -> str:
    """Name a registry by its file where that says more than the constant: `reasoning_parser`.

    One that is called names it: `KVConnectorFactory.register_connector` is of `kv_connector`.
    """
    if one.shape == REGISTERED:
        called, _, function = one.owner.rpartition(".")
        named = re.sub(r"(?:Factory|Manager|Registry)$", "", called.rpartition(".")[2])
        return snake_case(named).strip("_") or function.removeprefix("register_")
    if one.shape != REGISTRY:
        return one.owner
    if kind := re.search(r"(?:\w+_)?parser(?=s?(?:_|$))", snake_case(one.owner).strip("_")):
        return kind[0]
    *folders, name = one.path.split("/")
    stem = name.removesuffix(".py")
    return folders[-1] if stem in _NAMELESS and folders else stem


_NAMELESS = frozenset({"__init__", "registry", "factory", "base", "common", "utils"})
"""Files whose folder says what they hold."""


def _set(old: Sequence[Definition], new: Sequence[Definition]) -> Iterator[Difference]:
    """Compare the keys of a file of settings; one that stands several times is not compared."""
    before, after = _single(old), _single(new)
    left = [before[name] for name in before if name not in {one.name for one in new}]
    fresh = [after[name] for name in after if name not in {one.name for one in old}]
    if len(left) == len(fresh) == 1 and _replaces(left[0], fresh[0]):
        was, became = left[0], fresh[0]
        yield altered(
            FactChange.RENAMED, was, became,
            name=was.name, before=was.name, after=became.name, must_act=True, inferred=True,
        )  # fmt: skip
        left, fresh = [], []
    yield from map(gone, left)
    yield from map(came, fresh)
    for name, was in before.items():
        if name in after and was.value != after[name].value:
            yield altered(FactChange.DEFAULT, was, after[name], must_act=True)


def _single(settings: Sequence[Definition]) -> dict[str, Definition]:
    often = Counter(one.name for one in settings)
    return {one.name: one for one in settings if often[one.name] == 1}


def _replaces(was: Definition, became: Definition) -> bool:
    return (was.owner, was.value) == (became.owner, became.value)


def _required(pair: Pair, *, cut: bool) -> Iterator[Difference]:
    if pair.before is None or pair.after is None:
        return
    old = requirements_of(pair.old_path, pair.before, cut=cut)
    new = requirements_of(pair.path, pair.after, cut=cut)
    if not (is_listed(pair.path, pair.before) and is_listed(pair.path, pair.after)):
        # What everybody needs is worked out on one side: there it would look as if gone.
        old, new = ([one for one in side if one.extra] for side in (old, new))
    extras = {one.extra for one in (*old, *new)}
    if not cut:
        yield from _extras(old, new, pair)
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
            yield gone(_as_definition(was), conditions=_conditions(was))
        elif was.spec != became.spec:
            change = bound_change(was.spec, became.spec)
            yield altered(
                change, _as_definition(was), _as_definition(became),
                must_act=change is FactChange.RAISED and not became.extra,
                conditions=_conditions(became),
            )  # fmt: skip
    for key, became in after.items():
        if key not in before and (became.extra, key[0]) not in names_before:
            yield came(_as_definition(became), conditions=_conditions(became))


def _extras(
    old: Sequence[Requirement], new: Sequence[Requirement], pair: Pair
) -> Iterator[Difference]:
    """Tell of extras as a whole that came, went, or ask for nothing any more."""
    for side, other, text in ((old, new, pair.after or ""), (new, old, pair.before or "")):
        there = {one.extra for one in other}
        for extra in dict.fromkeys(one.extra for one in side if one.extra not in there):
            if not extra:
                continue
            required = [one for one in side if one.extra == extra]
            listed = ", ".join(f"{one.name}{one.spec}" for one in required)[:200]
            first = _as_definition(required[0])
            first = replace(first, subject=Subject.DEPENDENCY, name=f"extra {extra}", value=listed)
            part = required[0].condition.rpartition(": extra")[0]
            if side is new:
                yield came(first, conditions=(part,) if part else ())
            elif re.search(rf"^[ \t]*[\"']?{re.escape(extra)}[\"']?\s*[=:]\s*\[", text, re.M):
                yield gone(first, change=FactChange.CHANGED, after="")
            else:
                yield gone(first, must_act=True)


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
