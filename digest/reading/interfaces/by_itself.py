"""Settings that code turns on where who sets nothing had the default of the class until then.

`if oven in ["deep"]: self.fan = "fast"`, below `fan: str | None = None`: who bakes in a deep oven
gets the fan unasked.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

from digest.facts import FactChange, Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.chosen import (
    ENDS,
    MOST_CHOICES,
    OFF,
    PLATFORM,
    Changed,
    ChosenValue,
    Function,
    as_told,
    can_hold,
    known_value,
    placed,
    reached,
    setting,
    under,
)
from digest.reading.interfaces.conditions import (
    Conditions,
    Held,
    as_one,
    beyond,
    contradict,
    listed,
    opposite,
)
from digest.reading.interfaces.definition import Definition, Pair, plain_name
from digest.reading.interfaces.difference import Difference
from digest.reading.interfaces.grammar import UNREADABLE

BY_ITSELF = "by itself"
"""The shape of a value that code gives where who sets nothing had the default of the class."""
_QUOTED = re.compile(r"['\"]([^'\"]+)['\"]")
_CALLED = re.compile(r"(\w+)\(")
_SWITCH = re.compile(r"self\.(\w+)(?: is not None)?")
_MANY = 3
"""Settings that are given something for one model more from which it is no model that was there."""
_INDENT = 4
"""Spaces before a field of a class."""


def given_differences(pair: Pair, changed: Changed) -> Iterator[Difference]:
    """Yield settings that functions of a class give a value, in the place of its own default.

    In: a file, and its functions. Nothing where another function gives the setting something too,
    or where that was given before on conditions that may hold as well: what was is not known then.
    What code gives no more is not told, as it may be given elsewhere. What joins a branch of many
    settings is no model that was there: it is new, or has a new name.
    """
    for was, function in changed.functions:
        found: list[tuple[Difference, str]] = []
        for target, choices in function.given.items():
            name = setting(target, function.owner, pair.after or "")
            field = target.removeprefix("self.")
            if name and field != target and not field.startswith("_"):
                sides = (was.given.get(target, ()), choices)
                found += _given(pair, changed, (was, function), name, field, sides)
        joins = Counter(model for _, model in found if model)
        yield from (each for each, model in found if joins[model] < _MANY)


def _given(
    pair: Pair,
    changed: Changed,
    functions: tuple[Function, Function],
    name: str,
    field: str,
    sides: tuple[Sequence[ChosenValue], Sequence[ChosenValue]],
) -> Iterator[tuple[Difference, str]]:
    """Yield what a setting is given, with what joined those for which that was so before."""
    (old, new), (earlier, function) = sides, functions
    texts = (pair.before or "", pair.after or "")
    was_given, is_given = ([(one.value, one.conditions) for one in each] for each in sides)
    if was_given == is_given or len(old) + len(new) > MOST_CHOICES:
        return
    was, usual = (default_of(function.owner, field, text) for text in texts)
    if was is None or usual is None or was.value != usual.value:
        return
    target = f"self.{field}"
    others = (
        one
        for one in (*changed.before, *changed.after)
        if target in one.written and one.name != function.name
    )
    if any(_may_give(one, target, usual.value, texts[1]) for one in others):
        return
    around = reached(function, changed.after)
    if around[:1] == (function.called,):
        return
    for one in new:
        if one.value in (None, usual.value) or {one.value, usual.value} <= {*OFF}:
            continue
        holds = Held(frozenset(one.conditions))
        if under(holds, new) != one:
            continue
        before = [each for each in old if each.value != usual.value]
        found = _new_of(one, holds, before, earlier.refuses)
        if (
            found is None
            or not can_hold(found, target, *texts)
            or _is_of_something_new(found, texts[0])
            or any(contradict(*two) for two in combinations(found, 2))
        ):
            continue
        conditions = as_told((*around, *found), target)
        if not conditions:
            continue
        subject = Subject.FLAG if name.startswith("--") else Subject.CONFIG_FIELD
        more = (each for each in found[-1:] if each not in one.conditions and listed(each)[0])
        joined = next(more, "")
        made = Difference(
            FactChange.DEFAULT, subject, name, usual.value, one.value,
            placed(subject, name, pair.old_path, texts[0], was.line),
            replace(placed(subject, name, pair.path, texts[1], one.line), shape=BY_ITSELF),
            must_act=True, conditions=conditions,
        )  # fmt: skip
        yield made, joined


def turned_on(one: Definition, functions: Collection[Function], text: str) -> str:
    """Return where code turns on a new switch that is off by default; empty where it does not.

    In: a flag or a field that is new, and the file after the change with its functions.
    """
    field = plain_name(one.name)
    target = f"self.{field}"
    if one.value not in OFF or f"{target} = True" not in text:
        return ""
    found: list[Conditions] = []
    for function in functions:
        choices = [each for each in function.given.get(target, ()) if each.value == "True"]
        usual = default_of(function.owner, field, text) if choices else None
        if usual is None or usual.value not in OFF:
            continue
        if setting(target, function.owner, text) != one.name:
            continue  # another class has a field of that name
        around = reached(function, functions)
        if around[:1] != (function.called,):
            found += [as_told((*around, *each.conditions), target) for each in choices]
    return _any_of(list(dict.fromkeys(found))) if all(found) else ""


def _any_of(found: Sequence[Conditions]) -> str:
    """Return in one condition that any of some hold: of one thing as the list of its values."""
    lists = [listed(one[0]) if len(one) == 1 else ("", ()) for one in found]
    if len({of for of, _ in lists}) == 1 and lists[0][0]:
        return as_one(lists[0][0], [value for _, values in lists for value in values])
    return " or ".join(map(_all_of, found))


def _all_of(conditions: Conditions) -> str:
    """Return in one condition that all of some hold."""
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({one})" if " or " in one else one for one in conditions)


def _may_give(function: Function, target: str, usual: str | None, text: str) -> bool:
    """Tell whether a function may give who sets nothing another value than the class does."""
    return any(
        one.value != usual
        and not any(_has_to_be_set(each, function.owner, text) for each in one.conditions)
        for one in function.given.get(target, ())
    )


def _has_to_be_set(condition: str, owner: str, text: str) -> bool:
    """Tell whether a condition holds only once somebody sets a switch that is off by default."""
    switch = _SWITCH.fullmatch(condition)
    usual = default_of(owner, switch[1], text) if switch else None
    return usual is not None and usual.value in OFF


def _is_of_something_new(conditions: Conditions, before: str) -> bool:
    """Tell whether conditions ask for what a file did not name before: a model that is new."""
    holding = [one for one in conditions if not one.startswith("not ")]
    named = [{one} if one.isidentifier() else {*_QUOTED.findall(one)} for one in holding]
    named += [{*_CALLED.findall(one)} for one in holding if not PLATFORM.search(one)]
    return any(names and not any(name in before for name in names) for names in named)


def _new_of(
    given: ChosenValue, holds: Held, others: Iterable[ChosenValue], refused: frozenset[str]
) -> Conditions | None:
    """Return the conditions of a value, last what is new of those under which it was given.

    Of `loaf in ["rye", "oat"]`, where it was given to rye, that is `loaf == "oat"`. None where this
    or another value was given before on conditions that may hold as well, or all but what an error
    refused until then.
    """
    conditions = given.conditions
    for other in others:
        if any(contradict(one, each) for one in conditions for each in other.conditions):
            continue
        left = [one for one in other.conditions if not holds.gives(one)]
        if len(left) != 1 or other.value != given.value:
            return None
        for one in conditions:
            if rest := beyond(one, left[0]):
                return (*(each for each in conditions if each != one), rest)
        if holds.conditions | {*left} != {*other.conditions} or left[0] in refused:
            return None
        return (*conditions, *opposite(left[0]))
    return conditions


def default_of(owner: str, field: str, text: str) -> ChosenValue | None:
    """Return the default that a class gives a field where it is written, None for none to read."""
    head = re.search(rf"^class {re.escape(owner)}\b", text, re.M)
    named = head and re.compile(rf"^    {re.escape(field)}[ \t]*:", re.M).search(text, head.end())
    if not head or not named or re.search(r"^\w", text[head.end() : named.start()], re.M):
        return None
    end = ENDS[_INDENT].search(text, named.end())
    written = text[named.start() + _INDENT : end.start() if end else len(text)]
    with suppress(*UNREADABLE):
        node = grammar.module(written).body[0]
        value = _plain(node.value) if isinstance(node, ast.AnnAssign) else None
        known = known_value(value) if value is not None else None
        if known is not None:
            return ChosenValue((), known, text.count("\n", 0, named.start()) + 1)
    return None


def _plain(value: ast.expr | None) -> ast.expr | None:
    """Return what a field has by default, of `field(default=…)` what that is given."""
    if not isinstance(value, ast.Call):
        return value
    return next((one.value for one in value.keywords if one.arg == "default"), None)
