"""Defaults that code chooses: what who sets nothing gets, and on what condition.

`self.page_size = 64 if is_musa() else 1`, an assignment under `if`, a function that a default
names: all are lists of values, each with the conditions that hold there. Two lists are compared by
what they come to under each of these conditions.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from digest.facts import FactChange, Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.conditions import Conditions, Held, failed, held
from digest.reading.interfaces.definition import Definition, Pair, field_name, quoted
from digest.reading.interfaces.difference import Difference, altered
from digest.reading.interfaces.grammar import UNREADABLE
from digest.reading.interfaces.python import stands_for_itself

_MOST_CALLERS = 3
"""Functions around one that are looked at for the conditions under which it is called."""
MOST_CHOICES, _MOST_CONDITIONS = 60, 40
"""Values that one thing is given on both sides, and conditions of one: more is no default."""
_MEMBER = re.compile(r"[A-Z]\w*\.[A-Z][A-Z0-9_]*")
"""A member of an enum: `Mode.EAGER`."""
_PREDICATE = re.compile(r"(?:\w+\.)*_?(?:is|has|supports?|use)_\w+\(\)")
"""A call that answers yes or no about what the program runs on."""
PLATFORM = re.compile(
    r"\b(?:is|on)_(?:cuda|rocm|hip|xpu|npu|cpu|musa|gfx|sm\d|blackwell|hopper)|device_capability"
)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FIELDS_OF = re.compile(r"Config$|Settings$|Args$|Arguments$|Params$")
_RECEIVER = re.compile(r"(?:\w+\.)*(?!(?:hf|text|vision)_)(\w+_config|(?:\w+_)?args)")
_SETTING_IN = re.compile(r"\bself\.(\w+)")
_OBJECTS = re.compile(r"\b(?:self|server_args|args)\.(?=\w)")
_LONGEST_CONDITION = 100
"""Characters of conditions that are told; after the last ones that fit stands an ellipsis."""
_DEEPEST = 4
"""Spaces before a function of a class."""
_BEGINS = re.compile(rf"\n(?:class (\w+)|( {{0,{_DEEPEST}}})(?:async )?def (\w+)|[^\W\d_]|@)")
"""A line on which a class, a function of the file or of a class, or another statement begins.

It is looked for from the end of the line before: whatever begins with a letter of its own is found
many times faster than what begins anywhere on a line.
"""
ENDS = tuple(
    re.compile(rf"\n(?=[^\S\n]{{0,{indent}}}+[^\s)\]#])") for indent in range(_DEEPEST + 1)
)
"""A line on which a function has ended whose head stands so far in."""
_AT_ONCE = frozenset({"__init__", "__post_init__"})
"""Functions that run whenever an object is made."""


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """A value that code gives, None where it is worked out; `line` counts from 1 in the file.

    `is_guarded` where it is given to what has no value yet alone.
    """

    conditions: Conditions
    value: str | None
    line: int
    is_guarded: bool = False


@dataclass(frozen=True)
class Function:
    """A function: its class, its name, how it is written, the line of its head, its indentation."""

    owner: str
    name: str
    written: str
    line: int
    indent: int

    @cached_property
    def text(self) -> str:
        """What it would be at the top of a file."""
        return "\n".join(line[self.indent :] for line in self.written.split("\n"))

    @property
    def called(self) -> str:
        """What `reached` calls it that knows of no call."""
        return f"{self.owner}.{self.name}()".removeprefix(".")

    @cached_property
    def given(self) -> Mapping[str, Sequence[ChosenValue]]:
        """What it gives the attributes of objects, by the whole name: `self.size`."""
        return _chosen_by(self)

    @cached_property
    def refuses(self) -> frozenset[str]:
        """The conditions that hold behind the errors that it raises."""
        return frozenset(
            condition
            for node in self.body
            for one in ast.walk(node)
            if isinstance(one, ast.If) and isinstance(one.body[-1], ast.Raise)
            for condition in failed(one.test)
        )

    @cached_property
    def body(self) -> Sequence[ast.stmt]:
        """Its statements, none where it does not parse."""
        with suppress(*UNREADABLE):
            return getattr(grammar.module(self.text).body[0], "body", ())
        return ()


@dataclass(frozen=True, slots=True)
class Changed:
    """The functions of a file that changed, on both sides, and all of them before and after."""

    functions: Sequence[tuple[Function, Function]]
    before: Collection[Function]
    after: Collection[Function]


def changed_functions(pair: Pair) -> Changed:
    """Return the functions of a file that do something else, or in another way, now."""
    old, new = functions_of(pair.before or ""), functions_of(pair.after or "")
    altered = [
        (was, function)
        for key, function in new.items()
        if (was := old.get(key)) is not None
        # Most are as they were, which is seen without taking them out of their class.
        and was.written != function.written
        and was.text != function.text
    ]
    return Changed(altered, old.values(), new.values())


def chosen_differences(pair: Pair, changed: Changed) -> Iterator[Difference]:
    """Tell of defaults that code chooses, or works out, and that became others."""
    yield from _chosen_otherwise(pair, changed.functions, changed.after)
    yield from _decided_otherwise(pair, changed.functions)


_Altered = Sequence[tuple[Function, Function]]
"""Functions before and after."""


def _chosen_otherwise(
    pair: Pair, functions: _Altered, every: Collection[Function]
) -> Iterator[Difference]:
    """Tell of settings that functions give other values, with the conditions that hold."""
    before, after = pair.before or "", pair.after or ""
    for was, function in functions:
        earlier = was.given
        around: Conditions | None = None
        for target, choices in function.given.items():
            name = setting(target, function.owner, after)
            if not name:
                continue
            for one, other, conditions in differing(earlier.get(target, ()), choices):
                if not can_hold(conditions, target, before, after):
                    continue
                if not (other.is_guarded or name.startswith("--") or target.startswith("self.")):
                    continue
                around = reached(function, every) if around is None else around
                subject = Subject.FLAG if name.startswith("--") else Subject.CONFIG_FIELD
                yield Difference(
                    FactChange.DEFAULT, subject, name, one.value, other.value,
                    placed(subject, name, pair.old_path, before, one.line),
                    placed(subject, name, pair.path, after, other.line),
                    must_act=True, conditions=as_told((*around, *conditions), target),
                )  # fmt: skip


def _decided_otherwise(pair: Pair, functions: _Altered) -> Iterator[Difference]:
    """Tell of settings whose default a function works out, by the platform in another way now.

    `"fuse": enable_fusion` in a table of defaults: what the function answers is the default.
    """
    before, after = pair.before or "", pair.after or ""
    for was, function in functions:
        if function.owner or f": {function.name}," not in after:
            continue
        names = re.findall(rf"^\s+\"(\w+)\": {function.name},$", after, re.M)
        if not names:
            continue
        sides = [list(_returned(one)) for one in (was, function)]
        others = [(a, b) for a, b in zip(*sides, strict=False) if a[:2] != b[:2]]
        if len(sides[0]) != len(sides[1]) or len(others) != 1 or others[0][0][0] != others[0][1][0]:
            continue
        (conditions, left, line), (_, right, now) = others[0]
        lost, fresh = ([one for one in side if one not in other]
                       for side, other in ((left, right), (right, left)))  # fmt: skip
        if not any(map(PLATFORM.search, (*lost, *fresh))):
            continue
        for name in dict.fromkeys(names):
            subject = Subject.CONFIG_FIELD
            yield Difference(
                FactChange.DEFAULT, subject, name, _joined(lost, left), _joined(fresh, right),
                placed(subject, name, pair.old_path, before, line),
                placed(subject, name, pair.path, after, now),
                must_act=True, conditions=as_told(conditions, ""),
            )  # fmt: skip


def _returned(function: Function) -> Iterator[tuple[Conditions, Conditions, int]]:
    """Yield what a function returns, as the conditions that have to hold, and where."""
    for node, conditions in _statements(function.body, ()):
        if isinstance(node, ast.Return) and node.value is not None:
            yield conditions, held(node.value), node.lineno + function.line - 1


def _joined(part: Sequence[str], whole: Sequence[str]) -> str:
    """Return conditions as one expression, an ellipsis for the others that hold with them."""
    parts = [f"({one})" if " or " in one else one for one in part]
    return " and ".join([*(["…"] if len(part) < len(whole) else []), *parts])


def given_otherwise(
    was: Definition, became: Definition, before: str, after: str
) -> Iterator[Difference]:
    """Tell of a setting whose default is an expression that chooses, where it chooses otherwise.

    In: the setting on both sides, and the whole file on both.
    """
    if was.value is None or became.value is None:
        return
    old, new = _given(was, before), _given(became, after)
    if len(old) + len(new) > 2:
        for one, other, conditions in differing(old, new):
            yield altered(
                FactChange.DEFAULT, was, became, before=one.value, after=other.value,
                conditions=as_told(conditions, ""), must_act=True,
            )  # fmt: skip


def on_where(became: Definition, text: str) -> tuple[str, Conditions] | None:
    """Return the default of a new switch that is on in some places alone, and the conditions there.

    In: the switch, and the whole file; None where its default is the same everywhere, or no switch.
    """
    choices = _given(became, text)
    on = [one for one in choices if one.value in _ON]
    off = [one for one in choices if one.value in OFF]
    if len(on) != 1 or not off or len(on) + len(off) < len(choices):
        return None
    return on[0].value or "", as_told(on[0].conditions, "")


_ON, OFF = ("True", "1"), ("False", "0", "None")


def _given(one: Definition, text: str) -> list[ChosenValue]:
    """Return what the default of a setting comes to; a variable's has no quotes."""
    choices = given_by(one.value or "", text)
    if one.subject is not Subject.ENV:
        return choices
    bare = [replace(each, value=(each.value or "").strip("'\"") or None) for each in choices]
    return bare if len(bare) > 1 else [ChosenValue((), one.value, 0)]


def setting(target: str, owner: str, text: str) -> str:
    """Return how a user writes what is assigned, empty where it is no setting."""
    receiver, _, field = target.rpartition(".")
    if receiver == "self":
        defined = re.search(rf"\n    {field}[ \t]*:", text)
        return field_name(owner, field) if defined and _FIELDS_OF.search(owner) else ""
    known = _RECEIVER.fullmatch(receiver)
    if known is None or field.startswith("_"):
        return ""
    return "--" + field.replace("_", "-") if known[1].endswith("args") else f"{known[1]}.{field}"


def can_hold(conditions: Conditions, target: str, before: str, after: str) -> bool:
    """Tell whether conditions hold for who sets nothing: no setting that is new, nor the thing."""
    named, texts = rf"(?<![\w.]){re.escape(target)}(?!\w)", (before, after)
    return not any(
        (re.search(named, one) and not _is_unset(one, target))
        or any(name not in text for name in _SETTING_IN.findall(one) for text in texts)
        for one in conditions
    )


def as_told(conditions: Conditions, target: str) -> Conditions:
    """Return the conditions that are told: what holds, and what does not hold behind the last such.

    What fails before it is another branch of the same choice.
    """
    listed = [one for one in dict.fromkeys(conditions) if not _is_unset(one, target)]
    last = max((at for at, one in enumerate(listed) if not one.startswith("not ")), default=-1)
    listed = [one for at, one in enumerate(listed) if at > last or not one.startswith("not ")]
    told: list[str] = []
    for one in reversed([_OBJECTS.sub("", one) for one in listed]):
        if sum(map(len, told)) + len(one) > _LONGEST_CONDITION:
            return (*told, "…")
        told.insert(0, one)
    return tuple(told)


def placed(subject: Subject, name: str, path: str, text: str, line: int) -> Definition:
    """Return a setting where a line of a file gives it a value."""
    return Definition(subject, name, path, line, quoted(grammar.lines_of(text), line))


def functions_of(text: str) -> dict[tuple[str, str], Function]:
    """Return the functions of a file and of its classes, by class and name, cut by indentation."""
    text = f"\n{text}"
    found: dict[tuple[str, str], Function] = {}
    owner, at, line, counted = "", 0, 0, 0
    while begun := _BEGINS.search(text, at):
        opened, margin, name = begun.groups()
        at = begun.end()
        if not margin:
            owner = opened or ""
        if name is None:
            continue
        indent, start = len(margin), begun.start() + 1
        end = ENDS[indent].search(text, at)
        at = end.start() if end else len(text)
        line += text.count("\n", counted, start)
        counted = start
        function = Function(owner, name, text[start:at], line, indent)
        found.setdefault((owner, name), function)
    return found


def _chosen_by(function: Function) -> dict[str, list[ChosenValue]]:
    found: dict[str, list[ChosenValue]] = {}
    for node, conditions in _statements(function.body, ()):
        target, value = _assigned(node)
        if isinstance(target, ast.Attribute) and value is not None:
            name, line = ast.unparse(target), node.lineno + function.line - 1
            guarded = any(_is_unset(one, name) for one in conditions)
            found.setdefault(name, []).extend(
                ChosenValue(around, given, line, guarded)
                for around, given in _values(value, conditions)
            )
            continue
        # Counted up, unpacked, or given in a loop: what it comes to is not known.
        for bound in chain.from_iterable(map(ast.walk, _binding(node))):
            if isinstance(bound, ast.Attribute) and isinstance(bound.ctx, ast.Store | ast.Del):
                line = bound.lineno + function.line - 1
                found.setdefault(ast.unparse(bound), []).append(ChosenValue(conditions, None, line))
    return found


_BINDS_NOTHING = (ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.Pass)


def _binding(node: ast.stmt) -> Sequence[ast.AST]:
    """Return what of a statement may give an attribute a value: values, most of it, never do."""
    if isinstance(node, _BINDS_NOTHING):
        return ()
    if isinstance(node, ast.Assign):
        return node.targets
    return (node.target,) if isinstance(node, ast.AnnAssign | ast.AugAssign) else (node,)


def _assigned(node: ast.stmt) -> tuple[ast.expr | None, ast.expr | None]:
    """Return the one thing that a statement assigns to, and what; None where it does not."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return node.targets[0], node.value
    return (node.target, node.value) if isinstance(node, ast.AnnAssign) else (None, None)


def given_by(value: str, text: str) -> list[ChosenValue]:
    """Return what a default comes to: that of `A if C else B`, of a predicate, of a function.

    In: a default as it is written, and the whole file, which may hold the function that it names.
    """
    with suppress(*UNREADABLE):
        if value.isidentifier() and f"\ndef {value}(" in f"\n{text}":
            body = functions_of(text)["", value].body
            nodes = [one for node, _ in _statements(body, ()) for one in ast.walk(node)]
            returned = [node for node in nodes if isinstance(node, ast.Return)]
            if len(returned) != 1 or returned[0].value is None:
                return []
            return _choices(returned[0].value)
        return _choices(grammar.expression(value).body)
    return []


def _choices(value: ast.expr) -> list[ChosenValue]:
    return [ChosenValue(conditions, given, 0) for conditions, given in _values(value, ())]


def differing(
    old: Sequence[ChosenValue], new: Sequence[ChosenValue]
) -> Iterator[tuple[ChosenValue, ChosenValue, Conditions]]:
    """Yield where two lists of choices come to other values: both, and the fewest conditions.

    Nothing of lists that are too long to be compared with each other.
    """
    if len(old) + len(new) > MOST_CHOICES:
        return
    told: list[tuple[str, str, frozenset[str]]] = []
    every = dict.fromkeys(frozenset(one.conditions) for one in (*new, *old))
    written = {frozenset(one.conditions): one.conditions for one in (*old, *new)}
    for conditions in sorted(every, key=len):
        where = Held(conditions)
        was, became = under(where, old), under(where, new)
        if was is None or became is None or was.value is None or became.value is None:
            continue
        if was.value != became.value and not any(
            (was.value, became.value) == (before, after) and conditions >= fewer
            for before, after, fewer in told
        ):
            told.append((was.value, became.value, conditions))
            yield was, became, written[conditions]


def under(where: Held, choices: Iterable[ChosenValue]) -> ChosenValue | None:
    """Return what is chosen where some conditions hold, None where that is not known."""
    found: ChosenValue | None = None
    for one in choices:
        if not (one.is_guarded and found) and all(map(where.gives, one.conditions)):
            found = one
    return found


def reached(function: Function, functions: Iterable[Function]) -> Conditions:
    """Return the conditions under which a file calls a function, its own name where it does not."""
    every = list(functions)
    conditions: Conditions = ()
    for _ in range(_MOST_CALLERS):
        if function.name in _AT_ONCE:
            return conditions
        calls = [
            (caller, around)
            for caller in every
            if f"{function.name}(" in caller.written and caller is not function
            for around in _calls(caller, function.name)
        ]
        if len(calls) != 1:
            break
        function, around = calls[0]
        conditions = (*around, *conditions)
    return (function.called, *conditions)


def _calls(caller: Function, name: str) -> Iterator[Conditions]:
    for node, conditions in _statements(caller.body, ()):
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == name:
                yield conditions


def _statements(
    body: Sequence[ast.stmt], conditions: Conditions
) -> Iterator[tuple[ast.stmt, Conditions]]:
    """Yield statements, each with what holds there: also that no one before it left.

    What may run more than once or not to its end is given whole; nothing of what stands under more
    conditions than anybody reads.
    """
    for node in body:
        if len(conditions) > _MOST_CONDITIONS:
            return
        if isinstance(node, ast.If):
            holds, fails = held(node.test), failed(node.test)
            yield from _statements(node.body, (*conditions, *holds))
            yield from _statements(node.orelse, (*conditions, *fails))
            if isinstance(node.body[-1], _LEAVES):
                conditions = (*conditions, *fails)
            if node.orelse and isinstance(node.orelse[-1], _LEAVES):
                conditions = (*conditions, *holds)
        elif isinstance(node, ast.With):
            yield from _statements(node.body, conditions)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node, conditions


def _is_unset(condition: str, name: str) -> bool:
    return condition in (f"{name} is None", f"not {name}") or (
        condition in (f"{name} == 'auto'", f'{name} == "auto"')
    )


def _values(value: ast.expr, conditions: Conditions) -> Iterator[tuple[Conditions, str | None]]:
    """Yield what an expression comes to: None for what is worked out."""
    if isinstance(value, ast.IfExp):
        yield from _values(value.body, (*conditions, *held(value.test)))
        yield from _values(value.orelse, (*conditions, *failed(value.test)))
    elif _answers_yes_or_no(value):
        yield (*conditions, *held(value)), "True"
        yield (*conditions, *failed(value)), "False"
    else:
        yield conditions, known_value(value)


def known_value(value: ast.expr) -> str | None:
    """Return a value that stands for itself as it is written, None for what is worked out."""
    written = ast.unparse(value)
    return written if stands_for_itself(value) or _MEMBER.fullmatch(written) else None


def _answers_yes_or_no(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        return not isinstance(value.operand, ast.Constant)
    if isinstance(value, ast.BoolOp):
        return all(map(_answers_yes_or_no, value.values))
    asked = isinstance(value, ast.Call) and _PREDICATE.fullmatch(ast.unparse(value)) is not None
    return isinstance(value, ast.Compare) or asked
