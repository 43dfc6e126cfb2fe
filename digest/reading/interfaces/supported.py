"""What classes say of themselves that they support: answers that became wider or narrower.

`supports_sink` of a backend, `get_supported_head_sizes`, `get_min_capability`: what chooses among
backends asks these, so another answer is another choice, on hardware that no title need name.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from digest.facts import Evidence, Fact, FactChange, FactKind, Side, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces import grammar
from digest.reading.interfaces.renames import Defined, defined_in
from digest.reading.paths import RUNTIME, role

_ANSWERS = re.compile(r"_?supports_\w+|_?is_supported\w*|get_supported_\w+|get_min_capability")
_IS_SHOWN = re.compile(r"supports_\w|supported|get_min_capability")
"""A patch without one of these shows no answer."""
_LISTS = re.compile(
    r"(?<!\w)(supported_\w{1,80})(?: ?:[^=]{0,120})? = "
    r"(\[[^\]]{0,2000}\]|\([^)]{0,2000}\)|\{[^}]{0,2000}\})"
)
_MOST_OF_CLASS = 20_000
"""Characters of a class that are looked at."""
_SIMPLE = (ast.Constant, ast.Name, ast.Attribute, ast.Call)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is answered: one value, or several of which each is supported; and its line."""

    values: tuple[str, ...]
    is_list: bool
    quote: str


def supported_facts(item: Item) -> Iterator[Fact]:
    """Yield a fact for each answer that the patches of a change show whole on both sides."""
    for file in item.files or ():
        python = file.status == "modified" and file.path.endswith(".py")
        if python and _IS_SHOWN.search(file.patch or "") and role(file.path) in RUNTIME:
            before, after = (_answers(side) for side in defined_in(file))
            for name, was in before.items():
                if name in after and was.is_list == after[name].is_list:
                    yield from _difference(item.key, name, was, after[name], file)


def _answers(defined: Sequence[Defined]) -> Mapping[str, _Answer]:
    found: dict[str, _Answer] = {}
    for one in defined:
        if one.kind == "class":
            for match in _LISTS.finditer(" ".join(one.body)[:_MOST_OF_CLASS]):
                if answer := _answer(match[2], match[0]):
                    found[f"{one.name}.{match[1]}"] = answer
        elif one.around and _ANSWERS.fullmatch(one.name) and not one.hidden:
            starts = [at for at, line in enumerate(one.body) if re.match(r"return\b", line)]
            if len(starts) == 1:
                text = " ".join(one.body[starts[0] :]).removeprefix("return ")
                if answer := _answer(text, one.body[starts[0]]):
                    found[one.whole_name] = answer
    return found


def _answer(text: str, quote: str) -> _Answer | None:
    """Read an answer: a value, a list of values, or a thing that has to be one of them."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        node = grammar.expression(text).body
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
            node = node.comparators[0]
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            if all(isinstance(one, _SIMPLE) for one in node.elts):
                return _Answer(tuple(map(ast.unparse, node.elts)), True, quote)
        elif isinstance(node, ast.Constant) and node.value is not None:
            return _Answer((ast.unparse(node),), False, quote)
    return None


_LONGEST = 80
"""Characters of an answer that is told whole; of a longer one only what differs."""


def _difference(
    key: str, name: str, was: _Answer, became: _Answer, file: FileChange
) -> Iterator[Fact]:
    old, now = ({_bare(one) for one in each.values} for each in (was, became))
    lost = [one for one in was.values if _bare(one) not in now]
    new = [one for one in became.values if _bare(one) not in old]
    is_narrower = _is_narrower(lost, new)
    # What more an inner part can do is for its own program to choose.
    if (not lost and not new) or ("._" in name and not is_narrower):
        return
    whole = max(len(", ".join(one.values)) for one in (was, became)) <= _LONGEST
    before, after = (was.values, became.values) if whole else (("…", *lost), ("…", *new))
    evidence: tuple[tuple[str, Side], ...] = ((was.quote, "-"), (became.quote, "+"))
    yield Fact(
        FactKind.INTERFACE,
        key,
        FactChange.CHANGED,
        Subject.API_NAME,
        name,
        before=", ".join(before),
        after=", ".join(after) or "none",
        evidence=tuple(Evidence("diff", quote, file.path, None, side) for quote, side in evidence),
        must_act=is_narrower and "._" not in name,
    )


def _bare(value: str) -> str:
    """Return a value without the class and the case that a member of it is written in."""
    return value.rpartition(".")[2].strip("'\"").casefold()


def _is_narrower(lost: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether less is supported now: nothing came, or yes became no, or a minimum rose."""
    if len(lost) == len(new) == 1 and lost[0].isdigit() and new[0].isdigit():
        return int(new[0]) > int(lost[0])
    return not new or new == ["False"]
