"""Definitions on both sides of a patch: which is another one under a new name.

What stands where another thing stood and has nearly its body is that thing, renamed.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TypeVar

from digest.models import FileChange
from digest.reading.interfaces.definition import snake_case
from digest.reading.interfaces.python import successor
from digest.reading.patch import hunks

_LOST = re.compile(r"^-\s*(?:async )?(?:class|def) \w", re.M)
_CAME = re.compile(r"^\+\s*(?:async )?(?:class|def) \w", re.M)
_DEFINES = re.compile(r" *(?:async )?(class|def) (\w+)")
_PLAIN = frozenset(("forward", "__init__", "__call__", "run", "call"))
"""Members that say nothing of a class, for most have them."""

_UNCHANGED = 0.8
"""The share of a definition's lines that has to be as it was."""

_GROWN = 0.5
"""The share of the lines after the change that have to be there before."""

_NEARLY = 0.99
"""How alike two things are at most whose bodies are not the same, line for line."""

_LEAST_ALIKE = 0.5
"""How alike two functions are at least of whose heads nothing but most of a name stands."""

_OWN = ("self,", "cls,")
"""First arguments that say nothing of a method."""

_LEAST = 3
"""Lines that have to be as they were: a shorter body is like many others."""


_NEAREST = 20
"""Definitions of one run that each is compared with, those around its place: a patch may replace
thousands, which are names for nobody then."""

_DEEPEST = 8
"""Definitions around one that is looked at, for each line is kept of all around it."""


@dataclass(frozen=True, slots=True)
class NewName:
    """What a thing is called now, and whether its body is as it was, but for its own name.

    Where it is not, that one thing is the other is inferred. `path` is the file that it stands in
    now, empty where that is the same one.
    """

    name: str
    is_same: bool = False
    path: str = ""


@dataclass
class Defined:
    """A definition on one side of a patch, with the lines of its body that the patch shows.

    `run` numbers the run of changed lines that has its first line, 0 where that is no changed
    line. `hidden` are the lines between hunks that belong to it: the same ones on both sides.
    `stays_below` tells that the line below that one is as it was.
    """

    kind: str
    name: str
    around: tuple["Defined", ...]
    indent: int
    run: int = 0
    mark: str = ""
    body: list[str] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    hidden: int = 0
    stays_below: bool = False
    head: str = ""

    @cached_property
    def whole_name(self) -> str:
        """Return the name with those of the classes around it."""
        return ".".join(one.name for one in (*self.around, self))

    @cached_property
    def lines(self) -> list[str]:
        """Return the lines of its body, without the name that it has itself."""
        own = re.compile(rf"\b{re.escape(self.name)}\b")
        return [own.sub("", line) if self.name in line else line for line in self.body]

    @cached_property
    def counted(self) -> Counter[str]:
        """Return how often each of these lines is there."""
        return Counter(self.lines)

    @property
    def is_inner(self) -> bool:
        """Tell whether it stands in a function, where nobody else reaches it."""
        return any(one.kind == "def" for one in self.around)


def renamed_in_place(file: FileChange) -> dict[str, NewName]:
    """Return what a patch gives another name where it stands: the new name by the old one.

    In: a Python file of a change, with its patch where that is known. Out: names of classes and
    functions, methods as `Owner.name`; only those whose bodies stay nearly as they were.
    """
    patch = file.patch or ""
    if not (_LOST.search(patch) and _CAME.search(patch)):
        return {}
    old, new = defined_in(file)
    stays, stood = ({one.whole_name for one in side} for side in (new, old))
    went = [one for one in old if one.run and not one.is_inner and one.whole_name not in stays]
    came = [one for one in new if one.run and one.whole_name not in stood]
    pairs = [
        (alike, was, became)
        for was, became in near(went, came, _where, _NEAREST)
        if became.name[0] != "_" or was.name[0] == "_"  # a private name is for nobody else
        if (alike := _likeness(was, became)) > 0
    ]
    found: dict[str, NewName] = {}
    # Classes first: a member is renamed where its class stays, under whatever name.
    taken: set[str] = set()
    for alike, was, became in sorted(pairs, key=lambda pair: (pair[1].indent, -pair[0])):
        owner = ".".join(one.name for one in was.around)
        now = ".".join(one.name for one in became.around)
        if (found[owner].name if owner in found else owner) != now:
            continue
        if was.whole_name not in found and became.whole_name not in taken:
            found[was.whole_name] = NewName(became.whole_name, alike >= 1)
            taken.add(became.whole_name)
    return found


def renamed_over(files: Iterable[FileChange], names: Collection[str]) -> dict[str, NewName]:
    """Return what some names are called after changes of Python files, in the order of these."""
    first = {name: name for name in names}
    found: dict[str, NewName] = {}
    for file in files:
        patch = file.patch or ""
        if not any(name.rpartition(".")[2] in patch for name in first):
            continue
        for old, new in renamed_in_place(file).items():
            if old in first:
                name = first.pop(old)
                was = found.get(name)
                found[name] = replace(new, is_same=new.is_same and (was is None or was.is_same))
                first[new.name] = name
    return found


def _where(one: Defined) -> tuple[int, str, int]:
    return one.run, one.kind, one.indent


_SIGNED_CLASS = re.compile(r"^([+-])class (\w+)", re.M)


def renamed_elsewhere(
    file: FileChange, names: Sequence[str], files: Sequence[FileChange]
) -> dict[str, NewName]:
    """Return which classes that left a file stand in a new one under names of mostly their words.

    In: the file, its classes that are looked for, all files of the change: git shows a file of
    which most was written anew as one that came. Out: as `renamed_in_place` has it.
    """
    stood = {
        name
        for one in files
        for sign, name in _SIGNED_CLASS.findall(one.patch or "")
        if sign == "-"
    }
    names = names[:_NEAREST]
    came = [
        (one, name)
        for one in files
        if one.status == "added" and one.path.endswith(".py")
        for _, name in _SIGNED_CLASS.findall(one.patch or "")
        if name not in stood and any(are_named_alike(old, name) for old in names)
    ][:_NEAREST]
    if not came:
        return {}
    went = {one.name: one for one in defined_in(file)[0] if not one.around}
    found: dict[str, NewName] = {}
    read = {one.path: defined_in(one)[1] for one, _ in came}
    for old in (went[name] for name in names if name in went):
        alike = [
            (_likeness(old, new), other.path, new.name)
            for other, name in came
            for new in read[other.path]
            if new.name == name and not new.around and are_named_alike(old.name, name)
        ]
        best, path, name = max(alike, default=(0.0, "", ""))
        if best >= _UNCHANGED:
            found[old.name] = NewName(name, best >= 1, path)
    return found


def are_named_alike(old: str, new: str) -> bool:
    """Tell whether a class has most words of another one's name."""
    words, others = (set(snake_case(name).split("_")) for name in (old, new))
    return len(words & others) * 2 >= max(len(words), len(others))


_MEMBER_LINE = re.compile(
    r"    (?:(?:async )?def )?(?!(?:if|else|try|with|for|pass)\b)([a-zA-Z]\w*)\s*[(:=]"
)


def is_another_class(patch: str, old: str, new: str) -> bool:
    """Tell whether a class that came has hardly a member of one that went, as a patch shows them.

    In: a patch with the first lines of both. Members are public values, fields and methods. Of a
    class that shows none nothing is known.
    """
    had, has = _members_in(patch, "-", old), _members_in(patch, "+", new)
    return bool(had and has) and len(had & has) * 2 < len(had)


def _members_in(patch: str, sign: str, name: str) -> set[str]:
    head = re.search(rf"^{re.escape(sign)}class {re.escape(name)}\b.*\n", patch, re.M)
    found: set[str] = set()
    for line in patch[head.end() :].split("\n") if head else ():
        if line[:1] not in (sign, " ") and line[:1] != "@":
            continue
        if line[:1] == "@" or (line[1:2] and line[1] not in " )#"):
            break
        if member := _MEMBER_LINE.match(line, 1):
            found.add(member[1])
    return found


_Thing = TypeVar("_Thing")


def near(
    went: Iterable[_Thing], came: Iterable[_Thing], kind: Callable[[_Thing], Hashable], most: int
) -> Iterator[tuple[_Thing, _Thing]]:
    """Pair each thing that went with those of its kind that came, the `most` around its place.

    Of more nobody reads which one is which: the pairs are as many as the things, `most` times.
    """
    groups: dict[Hashable, tuple[list[_Thing], list[_Thing]]] = {}
    for side, found in enumerate((went, came)):
        for one in found:
            groups.setdefault(kind(one), ([], []))[side].append(one)
    for old, new in groups.values():
        last = max(0, len(new) - most)
        for at, was in enumerate(old):
            first = min(max(0, at - most // 2), last)
            yield from ((was, became) for became in new[first : first + most])


@dataclass(slots=True)
class _Side:
    """What one side of a patch shows to be defined, and what its last line stands in."""

    found: list[Defined] = field(default_factory=list)
    around: list[Defined] = field(default_factory=list)
    above: str = ""

    def read(self, line: str, run: int) -> None:
        """Take the next line of this side; `run` is 0 for one that stands on both."""
        text = line.strip()
        if not text:
            return
        indent = len(line) - len(line.lstrip(" "))
        if text[0] not in ")]}#":
            while (
                self.around and self.around[-1].indent >= indent
            ):  # each stands deeper than those before
                self.around.pop()
        for one in self.around:
            one.stays_below = one.stays_below if one.body else not run
            one.body.append(text)
        opened = _DEFINES.match(line) if len(self.around) < _DEEPEST else None
        if opened:
            inside = tuple(self.around)
            one = Defined(opened[1], opened[2], inside, indent, run, self.above, head=text)
            for above in self.around[-1:]:
                above.members.add(one.name)
            self.found.append(one)
            self.around.append(one)
        self.above = text if text[0] == "@" and not run else ""


def defined_in(file: FileChange) -> tuple[list[Defined], list[Defined]]:
    """Return what either side of a patch shows to be defined, in order, with its lines."""
    old, new = _Side(), _Side()
    run = ended = 0
    for hunk in hunks(file.patch):
        # The text behind a hunk's mark is the line of the old side that it stands below.
        opened = _DEFINES.match(hunk.section)
        goes_on = opened and old.around and new.around and old.around[0].name == opened[2]
        for side in (old, new):
            if goes_on:
                side.around = side.around[:1]
                side.around[0].hidden += max(0, hunk.old_start - ended)
            else:
                side.around = [Defined(opened[1], opened[2], (), 0)] if opened else []
        changes = False
        for line in hunk.lines:
            run += not changes and line.sign != " "
            changes = line.sign != " "
            ended = line.old + 1 if line.old is not None else ended
            if line.sign != "+":
                old.read(line.text, run if changes else 0)
            if line.sign != "-":
                new.read(line.text, run if changes else 0)
    return old.found, new.found


def _likeness(was: Defined, became: Defined) -> float:
    """How surely one thing is the other: 0 where it is another thing, 1 where the body stays."""
    if was.stays_below and became.stays_below and was.lines == became.lines:
        return 1.0  # of a body as short as any other, nothing but the name above it differs
    if was.stays_below and became.stays_below and was.kind == "def":
        heads = (
            (one.head.replace(one.name, "", 1), one.body[: 1 + (one.body[0] in _OWN)])
            for one in (was, became)
        )
        if next(heads) == next(heads) and _shares_most(was.name, became.name):
            return _LEAST_ALIKE
    before, after = len(was.body) + was.hidden, len(became.body) + became.hidden
    # The lengths alone tell of most that they are not the same; lines are compared of the rest.
    most = min(len(was.body), len(became.body)) + was.hidden
    unchanged = 0
    if _is_most(most, before, after) or was.kind == "class":
        unchanged = (was.counted & became.counted).total() + was.hidden
    share = unchanged / max(1, before)
    if _is_most(unchanged, before, after):
        return 1.0 if was.lines == became.lines else min(share, _NEARLY)
    members = was.members - _PLAIN
    if was.kind != "class" or not members or not members <= became.members:
        return 0.0
    marked = "(" in was.mark and was.mark == became.mark
    named = _shares_words(was.name, became.name)
    return min(share, _NEARLY) if named and (marked or len(members) > 1) else 0.0


def _is_most(unchanged: int, before: int, after: int) -> bool:
    """Tell whether so many lines that are as they were are most of a body, on both sides."""
    enough = unchanged >= _LEAST and unchanged >= _UNCHANGED * before
    return enough and unchanged >= _GROWN * after


def _shares_most(old: str, new: str) -> bool:
    words, others = (set(snake_case(name).strip("_").split("_")) for name in (old, new))
    return len(words & others) * 2 > max(len(words), len(others))


def _shares_words(old: str, new: str) -> bool:
    words, others = (set(snake_case(name).strip("_").split("_")) for name in (old, new))
    return len(words & others) * 2 >= min(len(words), len(others))


_GONE = re.compile(
    r"\b(?:gone|remov(?:e|es|ed|ing|al)|drop(?:s|ped|ping)?|delet(?:e|es|ed|ing|ion))\b|删除|移除|去掉",
    re.IGNORECASE,
)
_RENAMES = re.compile(r"\brenam|\bis now\b|->|→|⇒|改名|重命名|更名", re.IGNORECASE)
_CLAUSES = re.compile(r"[\n;。；]|\.\s")
_WRAPPED = re.compile(r"(?<=[\w`→>])\n(?=[\w`→])")
"""Where a line of a statement goes on in the next one."""
_LEAST_OF_WORD = 4
"""Letters of a word that is looked for in other forms: `abort` in *aborting*."""


def is_said_gone(old: str, new: NewName, words: str) -> bool:
    """Tell whether an author says of a name that it is gone, so that another in its place is new.

    In: the name before the change, the one that was taken for its new one, what the author says.
    Where the body is another too, the title need only have a word that the old name has alone, in
    any form: *aborting*.
    """
    was, became = old.rpartition(".")[2], new.name.rpartition(".")[2]
    named = rf"(?<!\w){re.escape(was)}(?!\w)"
    if _is_gone(named, words, became):
        return True
    mine, others = (set(snake_case(one).strip("_").split("_")) for one in (was, became))
    alone = [word for word in mine - others if len(word) >= _LEAST_OF_WORD]
    if new.is_same or not alone:
        return False
    return _is_gone(rf"\b(?:{'|'.join(sorted(alone))})", words.partition("\n")[0], became)


_CALLED = r"(?<![\w.-]){}\W{{0,2}}\s(?:to|is now|->|=>|→|⇒|改为|重命名为)\s\W{{0,2}}([A-Za-z_]\w*)"


def said_new_name(old: str, words: str) -> str:
    """Return the name that an author says a thing has now (*rename a to b*), empty without one."""
    clauses = [one for one in _renaming(words) if old in one]
    if not clauses:
        return ""
    named = re.compile(_CALLED.format(re.escape(old)))
    return next((found[1] for one in clauses if (found := named.search(one))), "")


@lru_cache(maxsize=16)
def _renaming(words: str) -> tuple[str, ...]:
    """Return the clauses of a text that speak of other names."""
    return tuple(one for one in _CLAUSES.split(_WRAPPED.sub(" ", words)) if _RENAMES.search(one))


def _is_gone(named: str, words: str, became: str) -> bool:
    """Tell whether a clause has a name and that it is gone, and none that it is called `became`."""
    said = re.compile(named, re.IGNORECASE)
    return any(
        said.search(clause) is not None and _GONE.search(clause) is not None
        for clause in _CLAUSES.split(words)
        if not (became in clause and _RENAMES.search(clause))
    )


_WARNED = 40
"""Lines of what went in which it may have said that it is deprecated, and what to use."""


def instead(patch: str, at: int, name: str) -> str | None:
    """Return what a thing that went said to use in its place, None where it said nothing.

    In: a patch, and where in it the removed head of a function or class stands. Said by a
    decorator, or by a text in it that names it: its arguments may be deprecated too.
    """
    above = re.search(r"(?:^-[@ )].*\n)*\Z", patch[:at], re.M)
    adorning = above[0] if above else ""
    _, *lines = patch[at:].split("\n", _WARNED)[:_WARNED]
    own = "\n".join(takewhile(lambda line: re.match(r"-(?:[\s)]|$)", line), lines))
    text = adorning if "deprecat" in adorning else own if name in own else ""
    joined = re.sub(r"[\"']\s*-?\s*f?[\"']", "", text)
    return (successor(joined, name) or None) if "deprecat" in text.lower() else None
