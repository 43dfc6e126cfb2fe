"""Modules and classes that moved or went: one fact for a change, with the common prefixes.

Modules that got new names where they are have no such prefix: a fact for each.
"""

import ast
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from types import MappingProxyType
from typing import TypeAlias

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Item
from digest.reading.change import declared
from digest.reading.description import BREAKING_LABEL, TITLE_READ, is_stated_breaking, written
from digest.reading.interfaces import grammar
from digest.reading.interfaces.ancestry import Ancestry, after
from digest.reading.interfaces.lost_uses import LostImports, LostUses
from digest.reading.interfaces.place import FileLanguage, is_private, module_of, place_of
from digest.reading.interfaces.renames import (
    NewName,
    are_named_alike,
    instead,
    is_another_class,
    is_said_gone,
    renamed_elsewhere,
    renamed_in_place,
    said_new_name,
)
from digest.reading.patch import lines as lines_of

_MOST_RENAMED = 4
"""Modules renamed where they are that are told of one change."""


def move_facts(item: Item, texts: Mapping[str, str] = MappingProxyType({})) -> list[Fact]:
    """Return the facts that an item moved or dropped modules, or classes of modules that stay.

    `texts` are whole files after the change, by path, as far as they are known.

    Most modules are the program's own. Who imports one has to act where its author speaks to them:
    by the whole dotted name of what went or moved, or of a removal by calling the change breaking.
    So has who imports what many parts of the program itself had to stop importing.
    """
    files = as_they_went(item.files or ())
    moved = moved_modules(item.key, files) or moved_classes(item.key, files)
    modules = gone_modules(item.key, files, texts)
    if _is_breaking(item):
        modules = [replace(fact, must_act=True) for fact in modules]
    words = words_of(item)
    lost = LostImports(files)
    classes = gone_classes(item.key, files, words)
    functions = [
        *moved_functions(item.key, files, lost),
        *gone_functions(item.key, files, lost, words),
    ]
    facts = [*moved, *modules, *classes, *functions]
    facts = [
        replace(one, must_act=one.must_act or _is_named(one, words) or _is_imported(one, lost))
        for one in facts
    ]
    return [*facts, *gone_members(item.key, files, texts, words)]


def words_of(item: Item) -> str:
    """Return what the author of a change says of it, its title first."""
    return f"{item.title[:TITLE_READ]}\n{written(item.body)}"


def _fact(
    key: str,
    change: FactChange,
    subject: Subject,
    names: Sequence[str],
    evidence: Iterable[Evidence],
    *,
    common: str = "",
    after: str | None = None,
    inferred: bool = False,
) -> Fact:
    """Return a fact of names that went, moved or are others; several are told by a common one."""
    name = common if len(names) > 1 else names[0]
    return Fact(
        FactKind.MOVE, key, change, subject, name, tuple(names) if len(names) > 1 else (),
        before=name, after=after, evidence=tuple(evidence)[:5], inferred=inferred,
    )  # fmt: skip


def _that_stay(files: Sequence[FileChange]) -> Iterator[tuple[FileChange, str, str]]:
    """Yield the public modules that a change alters and that stay, with their names and patches."""
    for file in files:
        module = _module(file.path) if file.patch and file.status == "modified" else ""
        if module and not is_private(module):
            yield file, module, file.patch or ""


_CODE = re.compile(r"\s*(?![\s#]|$)")


def as_they_went(files: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Return files with what git takes for a rename told as gone where no code of it is left.

    Two small modules share the words of their license, and no line that runs.
    """
    return tuple(
        replace(file, path=file.previous_path, previous_path=None, status="removed", patch=None)
        if file.status == "renamed" and file.previous_path and _is_another(file)
        else file
        for file in files
    )


def _is_another(file: FileChange) -> bool:
    """Tell whether a patch takes code out of a Python file, and shows none that stays."""
    signs = {line.sign for line in lines_of(file.patch) if _CODE.match(line.text)}
    return file.path.endswith(".py") and "-" in signs and " " not in signs


def _is_breaking(item: Item) -> bool:
    title, labels = item.title[:TITLE_READ], " ".join(item.labels)[:TITLE_READ]
    stated = declared(title).breaking or BREAKING_LABEL.search(labels)
    return bool(stated or is_stated_breaking(written(item.body)))


def _is_named(fact: Fact, words: str) -> bool:
    """Tell whether a text has the dotted name of a public module or class that went or moved."""
    return any(
        "." in name
        and name in words
        and not is_private(name)
        and re.search(rf"(?<![\w./]){re.escape(name)}(?![\w/])(?!\.\w)", words) is not None
        for name in fact.names or (fact.name,)
    )


def _is_imported(fact: Fact, lost: LostImports) -> bool:
    """Tell whether many files lost an import of what went, moved or has another name."""
    names = fact.names or (fact.name,)
    if fact.subject is Subject.MODULE:
        return any(map(lost.are_wide, names))
    split = (name.rpartition(".") for name in names)
    return any(lost.are_wide(module, [name]) for module, _, name in split)


_CLASS_LINE = re.compile(r"\n([+-])class (?!_)(\w+)\b")
"""A line of a patch, which begins with the head of a hunk."""
_MOST_CLASSES = 12
"""Classes that went another way above which a change rearranges more than a reader can follow."""
_MOST_REWRITTEN = 400
"""Heads of classes that one file lost or got above which it was made by a program."""


def moved_classes(key: str, files: Sequence[FileChange]) -> list[Fact]:
    """Return one fact for each pair of modules between which classes moved, from the patches.

    The module that lost them stays and does not hand them on: an import from there fails now.
    What is no user's (tests, examples, tools), and what is private, is left out.
    """
    went: dict[str, FileChange] = {}
    came: dict[str, FileChange] = {}
    for file in files:
        if not file.patch or not _module(file.path):
            continue
        found = dict.fromkeys(_CLASS_LINE.findall(file.patch))
        for sign, name in found:
            other = "+" if sign == "-" else "-"
            if (other, name) not in found:
                (went if sign == "-" else came)[name] = file
    ways: _Ways = {}
    for name, old in went.items():
        new, module = came.get(name), module_of(old.path)
        if new is None or old.status != "modified" or _hands_on(name, old) or is_private(module):
            continue
        way = ways.setdefault((module, module_of(new.path)), {})
        way[name] = Evidence("diff", f"class {name}", old.path, None, "-")
    return _name_facts(key, ways) if sum(map(len, ways.values())) <= _MOST_CLASSES else []


_Ways: TypeAlias = dict[tuple[str, str], dict[str, Evidence]]
"""Names that left one module for another, by both modules, each with the line that went."""


def _name_facts(key: str, ways: _Ways) -> list[Fact]:
    return [
        _fact(
            key,
            FactChange.MOVED,
            Subject.API_NAME,
            [f"{before}.{name}" for name in names],
            names.values(),
            common=before,
            after=f"{after}.{next(iter(names))}" if len(names) == 1 else after,
        )
        for (before, after), names in ways.items()
    ]


def moved_functions(key: str, files: Sequence[FileChange], lost: LostImports) -> list[Fact]:
    """Return one fact for each pair of modules between which functions moved that many imported.

    As of classes that moved, the module that lost them stays and does not hand them on; and as of
    functions that went, many files had to import them from elsewhere: at least one from where the
    function came, which is one module.
    """
    came: dict[str, str] = {}
    for file in files:
        if file.patch and "\n+" in file.patch and (module := _module(file.path)):
            names = {name for sign, name in _FUNCTION.findall(file.patch) if sign == "+"}
            came |= {name: "" if name in came else module for name in names}
    ways: _Ways = {}
    for file, module, patch in _that_stay(files) if came else ():
        heads = dict.fromkeys(_FUNCTION.findall(patch))
        for name in [name for sign, name in heads if sign == "-" and name in came]:
            if (
                came[name] not in ("", module)
                and ("+", name) not in heads
                and not _hands_on(name, file)
                and lost.are_wide(module, [name])
                and lost.came(came[name], name)
            ):
                way = ways.setdefault((module, came[name]), {})
                way[name] = Evidence("diff", f"def {name}", file.path, None, "-")
    return _name_facts(key, ways)


def gone_classes(key: str, files: Sequence[FileChange], words: str = "") -> list[Fact]:
    """Return the facts that public classes left modules that stay, and came to no other.

    A class that came in the place of one that went, with nearly its body, is its new name, and so
    is the only one that came under a name like that of the only one that went and with members of
    it, and one with nearly its body and a name like its own in a file that came. Nobody must act
    unless something outside uses them, which no patch tells.
    """
    found: list[Fact] = []
    whole = [file.patch for file in files if file.patch]
    for file, module, patch in _that_stay(files):
        lines = _CLASS_LINE.findall(patch)
        if len(lines) > _MOST_REWRITTEN:
            continue
        came = [name for sign, name in lines if sign == "+"]
        went = [
            name
            for sign, name in lines
            if sign == "-" and not any(_stands_after(name, one) for one in whole)
        ]
        came = [name for name in came if ("-", name) not in lines]
        names = renamed_in_place(file) if went and came else {}
        alone = len(went) == len(came) == 1 and are_named_alike(went[0], came[0])
        if alone and not is_another_class(patch, went[0], came[0]):
            names.setdefault(went[0], NewName(came[0]))
        if others := [name for name in went if name not in names]:
            names |= renamed_elsewhere(file, others, files)
        found += [
            _name_fact(key, file, module, name, _as_told(name, names.get(name), words))
            for name in dict.fromkeys(went)
        ]
    return found if len(found) <= _MOST_CLASSES else []


_FUNCTION = re.compile(r"\n([+-])(?:async )?def (?!_)(\w+)")


def gone_functions(
    key: str, files: Sequence[FileChange], lost: LostImports, words: str = ""
) -> list[Fact]:
    """Return the facts that public functions went that many files imported, and came to no other.

    Most functions of a program are its own: one that few of its files imported is left out. What
    a module that stays still has, or hands on, is not gone.
    """
    found: list[Fact] = []
    whole = [file.patch for file in files if file.patch]
    for file, module, patch in _that_stay(files):
        went = [
            name
            for sign, name in _FUNCTION.findall(patch)
            if sign == "-"
            and lost.are_wide(module, [name])
            and not any(_is_defined(name, one) or _stands_after(name, one) for one in whole)
        ]
        names = renamed_in_place(file) if went else {}
        found += [
            _name_fact(key, file, module, name, _as_told(name, names.get(name), words))
            for name in dict.fromkeys(went)
        ]
    return found


def _is_defined(name: str, patch: str) -> bool:
    """Tell whether a patch shows a function of this name after the change."""
    return re.search(rf"^[+ ]\s*(?:async )?def {name}\b", patch, re.M) is not None


_OPENS = re.compile(r"^(?:@@[^@]*@@ ?|[ +-])(?:class (?P<owner>\w+)|(?=\S))")
_MEMBER = re.compile(
    r"^-\s+(?:(?:async )?def (?=\w+\()|self\.(?=\w+(?:: [^=\n]+)? = ))(?!_)(\w+)"
    r"|^-    (?P<field>(?!_)\w+): "
)
_GIVEN = re.compile(r"-\s+self\.")
"""A line by which a class gave itself a member: others may give it, too."""
_CHECK = re.compile(r"^[ -]\s+@(?:\w+\.)?(?:field_|model_|root_)?validator\b")
"""What stands above a method that a class checks its own fields with: nobody calls it."""
_LOST_MEMBER = re.compile(r"\n-(?:\s+(?:(?:async )?def |self\.)(?!_)\w|    (?!_)\w+: )")
"""A patch without such a line shows no member that went."""


def gone_members(
    key: str, files: Sequence[FileChange], texts: Mapping[str, str], words: str = ""
) -> list[Fact]:
    """Return one fact for each class that stays and lost public methods or attributes.

    Nobody must act unless something outside uses them, as of classes: where many parts of the
    program had to stop using a member, or a field of a record, that is likely, and of the same
    field of another record that the change lost, too. What the file still names is not told, nor
    what the class has from one above it that the change shows: inferred. Nor is told what may be
    there all the same: an attribute that code beside the hunks may set, and a method that a class
    above may have, where the whole text of that is not known. Of a method that got another name
    where it stands there is a fact of its own.
    """
    uses = LostUses(files)
    changed: _Lines | None = None
    gone: dict[str, dict[str, Evidence]] = {}
    fields: set[tuple[str, str]] = set()
    acquired: set[tuple[str, str]] = set()
    unsure: set[tuple[str, str]] = set()
    given: set[tuple[str, str]] = set()
    renames: dict[str, str] = {}
    for file, module, patch in _that_stay(files):
        if not _LOST_MEMBER.search(patch):
            continue
        lines = patch.split("\n")
        left = "\n".join([*(line for line in lines if line[:1] != "-"), texts.get(file.path, "")])
        classes = _CLASS_LINE.findall(patch)
        went = {name for sign, name in classes if sign == "-" and ("+", name) not in classes}
        went |= _based_anew(patch)
        owner, known, is_check = "", len(gone), False
        for line in lines:
            if opened := _OPENS.match(line):
                owner = opened["owner"] or ""
            member = _MEMBER.match(line) if owner[:1].isalpha() and owner not in went else None
            member = None if is_check else member
            is_check = _CHECK.match(line) is not None or (is_check and "def " not in line)
            name = (member[1] or member["field"]) if member else ""
            if member and not _has_word(left, name):
                quote = Evidence("diff", line[1:].strip(), file.path, None, "-")
                gone.setdefault(f"{module}.{owner}", {}).setdefault(name, quote)
                (acquired if member[1] else fields).add((f"{module}.{owner}", name))
                if _GIVEN.match(line):
                    (given if file.path in texts else unsure).add((f"{module}.{owner}", name))
        if len(gone) > known:
            here = {owner: gone[owner] for owner in list(gone)[known:]}
            changed = changed or _lines_of(files)
            renames |= _renamed_members(file, module, here, words, changed)
    if not gone:
        return []
    shown = [after(file.patch) for file in files if file.patch and file.path.endswith(".py")]
    ancestry = Ancestry([*texts.values(), *shown])
    gone = {owner: _own(owner, members, ancestry) for owner, members in gone.items()}
    lost = [(owner, name) for owner, members in gone.items() for name in members]
    whole = Ancestry(texts.values()).classes
    unsure |= {
        one
        for one in lost
        if one not in given and not ancestry.above(one[0].rpartition(".")[2]) <= whole
    }
    wide = {one for one in lost if uses.are_wide(one[0].rpartition(".")[2], one[1])}
    # What one record hands to the next leaves each of them.
    handed = {name for _, name in wide & fields}
    wide |= {one for one in fields if one[1] in handed}
    told = {one for one in lost if one in acquired or one in wide}
    few = len(told) <= _MOST_CLASSES
    found = []
    for owner, members in gone.items():
        for acts in (True, False) if few else (True,):
            left_it = {
                f"{owner}.{name}": quote
                for name, quote in members.items()
                if (owner, name) in told and ((owner, name) in wide) is acts
            }
            renamed = [name for name in left_it if name in renames]
            made = [
                _member_fact(key, [name], [left_it.pop(name)], renames[name]) for name in renamed
            ]
            left_it = {
                name: quote
                for name, quote in left_it.items()
                if acts or name.rpartition(".")[::2] not in unsure
            }
            if left_it:
                made.append(_member_fact(key, list(left_it), list(left_it.values())))
            found += [replace(one, must_act=acts) for one in made]
    return found


def _has_word(text: str, word: str) -> bool:
    # Each word is looked for once: to compile a pattern for it takes longer than to search.
    at = text.find(word)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(word) : at + len(word) + 1]
        if not any(each.isalnum() or each == "_" for each in around):
            return True
        at = text.find(word, at + 1)
    return False


def _renamed_members(
    file: FileChange,
    module: str,
    lost: Mapping[str, Iterable[str]],
    words: str,
    changed: "_Lines",
) -> dict[str, str]:
    """Return what members that classes lost are called now: by the patch, or by the author.

    `changed` are the lines of the whole change.
    """
    said = {
        f"{owner}.{name}": f"{owner}.{now}"
        for owner, names in lost.items()
        for name in names
        if (now := said_new_name(name, words))
        and re.search(rf"^\+.*\b{now}\b", file.patch or "", re.M)
    }
    in_place = {
        f"{module}.{name}": f"{module}.{now.name}"
        for name, now in renamed_in_place(file).items()
        if not is_said_gone(name, now, words)
    }
    own = _lines_of([file])
    swapped = {
        f"{owner}.{name}": f"{owner}.{now}"
        for owner, names in lost.items()
        for name in islice(names, _MOST_SOUGHT)
        if (now := _swapped_for(changed, name)) and now in _swaps(own, name)
    }
    return swapped | said | in_place


_MOST_SOUGHT = 40
"""Lost names of one class of which it is asked what stands in their place."""
_MOST_SWAPPED = 200
"""Lines that lost a name of which it is asked what stands in its place."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines that the Python files of a change lost, and those that they gained, sorted."""

    went: Sequence[str]
    came: Sequence[str]

    def begun_with(self, text: str) -> Iterator[str]:
        """Yield the lines that came and begin with a text."""
        found = islice(self.came, bisect_left(self.came, text), None)
        return takewhile(lambda line: line.startswith(text), found)


def _lines_of(files: Iterable[FileChange]) -> _Lines:
    patches = [file.patch or "" for file in files if file.path.endswith(".py")]
    lines = [line for patch in patches for line in patch.split("\n")]
    return _Lines(
        [line[1:] for line in lines if line[:1] == "-"],
        sorted(line[1:] for line in lines if line[:1] == "+"),
    )


def _swaps(changed: _Lines, name: str) -> Counter[str]:
    """Count what stands in the place of a name, in lines that are else as they were."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    found: Counter[str] = Counter()
    went = (line for line in changed.went if name in line and word.search(line))
    for line in islice(went, _MOST_SWAPPED):
        first, *rest = word.split(line)
        alike = re.compile(re.escape(first) + r"(\w+)" + r"\1".join(map(re.escape, rest)))
        near = changed.begun_with(first)
        found.update({match[1] for each in near if (match := alike.fullmatch(each))})
    return found


def _swapped_for(changed: _Lines, name: str) -> str:
    """Return what stands in the place of an attribute in most lines of a change, in two at least.

    It shares the beginning of a word with it. Nothing where another one stands in as many: of
    `rate_a` and `rate_b` each may be what became of `rate`.
    """
    went = [line for line in changed.went if name in line and re.search(rf"\b{name}\b", line)]
    if any(re.search(rf"\bdef {name}\b", line) for line in went):
        return ""
    (now, count), (_, next_count) = [*_swaps(changed, name).most_common(2), ("", 0), ("", 0)][:2]
    is_one = count > max(1, next_count) and 2 * count > len(went) and now[:1] != "_"
    stems = ({part[:_STEM] for part in each.split("_")} for each in (name, now))
    return now if is_one and not set.isdisjoint(*stems) else ""


_STEM = 5
"""Letters by which two words are one: `chunked`, `chunks`."""


_BASED = re.compile(r"^([+-])class (\w+)\(([^)\n]*)\)", re.M)


def _based_anew(patch: str) -> set[str]:
    """Return the classes that stand on another one now: what left them may come from there."""
    above: dict[tuple[str, str], set[str]] = {}
    for sign, name, bases in _BASED.findall(patch):
        above[sign, name] = set(re.findall(r"[\w.]+", bases))
    return {
        name
        for (sign, name), bases in above.items()
        if sign == "+" and bases - above.get(("-", name), set())
    }


_STATE = re.compile(r"self\.(\w+)(?:: [^=]+)? = (.*)")


def is_inner_state(fact: Fact) -> bool:
    """Tell whether a fact is of attributes alone that a class had made for itself and lost.

    What was handed in is what its callers know it by: `self.size = size`.
    """
    if fact.kind is not FactKind.MOVE or fact.must_act or not fact.evidence:
        return False
    kept = [_STATE.match(evidence.quote) for evidence in fact.evidence]
    return all(one is not None and one[1] not in one[2] for one in kept)


def _own(owner: str, members: Mapping[str, Evidence], ancestry: Ancestry) -> dict[str, Evidence]:
    """Leave out the members that a class has from one above it."""
    name = owner.rpartition(".")[2]
    return {
        member: quote for member, quote in members.items() if not ancestry.inherits(name, member)
    }


def _member_fact(
    key: str, names: Sequence[str], quotes: Iterable[Evidence], now: str | None = None
) -> Fact:
    """Return the fact that members of one class went, or that one of them is called otherwise."""
    change = FactChange.RENAMED if now else FactChange.REMOVED
    owner = names[0].rpartition(".")[0]
    return _fact(
        key, change, Subject.API_NAME, names, quotes, common=owner, after=now, inferred=True
    )


def _module(path: str) -> str:
    """Return the dotted name of a Python file that users may import, empty for any other file."""
    place = place_of(path)
    return place.module if place is not None and place.language is FileLanguage.PYTHON else ""


def _as_told(name: str, now: NewName | None, words: str) -> NewName | None:
    """Return the new name of what went, None where the author says that it went for good."""
    return None if now is None or is_said_gone(name, now, words) else now


def _name_fact(
    key: str, file: FileChange, module: str, name: str, now: NewName | None = None
) -> Fact:
    """Return the fact that a class or function went, or that it is called otherwise."""
    found = re.search(rf"^-((?:class|(?:async )?def) {name}\b)", file.patch or "", re.M)
    after = f"{_module(now.path) if now.path else module}.{now.name}" if now else None
    if found and not now:
        after = instead(file.patch or "", found.start(), name)
    change = FactChange.RENAMED if now else FactChange.REMOVED
    shown = Evidence("diff", found[1] if found else name, file.path, None, "-")
    inferred = now is not None and not now.is_same
    names = [f"{module}.{name}"]
    return _fact(key, change, Subject.API_NAME, names, [shown], after=after, inferred=inferred)


def _stands_after(name: str, patch: str) -> bool:
    """Tell whether a patch shows that a name is still given to something, or imported."""
    if name not in patch:
        return False
    given = (
        rf"class {name}\b|{name}[ \t]*(?::[^=\n]*)?=|"
        rf"[ \t]*(?:from|import)\b.*\b{name}\b|[ \t]+{name},$"
    )
    return re.search(rf"^[+ ](?:{given})", patch, re.M) is not None


def gone_modules(
    key: str, files: Sequence[FileChange], texts: Mapping[str, str] = MappingProxyType({})
) -> list[Fact]:
    """Return one fact that public modules are no more, and that none of their name came instead.

    Of a package that went as a whole it is the package that is told. Where one module went whose
    names the package around it still hands on, by the `texts` after the change, it is told where
    they are.
    """
    came = {file.path.rpartition("/")[2] for file in files if file.status in ("added", "renamed")}
    packages = {file.path.removesuffix("/__init__.py") for file in files if file.status == "added"}
    gone = [
        file
        for file in files
        if file.status == "removed"
        and "." in (module := _module(file.path))
        and not file.path.endswith("/__init__.py")
        and not is_private(module)
        and file.path.rpartition("/")[2] not in came
        and file.path.removesuffix(".py") not in packages
    ]
    if not gone:
        return []
    modules = _outermost(_whole(file.path, files) for file in gone)
    shown = (Evidence("diff", file.path, file.path, None, "-") for file in gone)
    common = _common(modules) or modules[0]
    after = _still_in(gone[0], texts) if len(gone) == 1 else None
    return [
        _fact(key, FactChange.REMOVED, Subject.MODULE, modules, shown, common=common, after=after)
    ]


_TOP = re.compile(r"^-(?:class|(?:async )?def) (?!_)(\w+)", re.M)


def _still_in(gone: FileChange, texts: Mapping[str, str]) -> str | None:
    """Return the package whose front has most public names of a module that went from it."""
    front = f"{gone.path.rpartition('/')[0]}/__init__.py"
    names, text = _TOP.findall(gone.patch or ""), texts.get(front, "")
    if not names or not text:
        return None
    try:
        words = set(_words_of_code(grammar.module(text)))
    except grammar.UNREADABLE:
        return None
    there = sum(name in words for name in names)
    return _module(front) if there * 2 > len(names) else None


def _words_of_code(tree: ast.AST) -> Iterator[str]:
    """Yield what code defines, imports or writes out as a text: a table of names is of texts."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name) | ast.alias(asname=None, name=name):
                yield name
            case ast.alias(asname=str(name)) | ast.Name(id=name) | ast.Constant(value=str(name)):
                yield name


def _outermost(modules: Iterable[str]) -> list[str]:
    """Return modules once each, without those that are inside of another one of them."""
    known = dict.fromkeys(modules)
    return [one for one in known if not any(one.startswith(f"{other}.") for other in known)]


def _whole(path: str, files: Sequence[FileChange]) -> str:
    """Return the module at a path that went, or the outermost package that went with it.

    Most fronts are empty: git may take another one for one that went.
    """
    went = {file.path for file in files if file.status == "removed"}
    moved = [file.previous_path or "" for file in files if file.status == "renamed"]
    stays = [file.path for file in files if file.status != "removed"]

    def is_gone(folder: str) -> bool:
        front, inside = f"{folder}/__init__.py", f"{folder}/"
        if any(one.startswith(inside) for one in stays):
            return False
        return front in went or [one for one in moved if one.startswith(inside)] == [front]

    folder, whole = path.rpartition("/")[0], path
    while is_gone(folder):
        whole = f"{folder}/__init__.py"
        folder = folder.rpartition("/")[0]
    return module_of(whole)


def _hands_on(name: str, file: FileChange) -> bool:
    """Tell whether a module that lost a class imports it, and so still hands it on.

    What comes with all of another module may be it. What is imported further in is for one
    function alone, unless that is asked for it by its name.
    """
    before = r"(?:(?:from|import)\b.*|(?:\w+(?: as \w+)?, *)*)"
    imported = (
        rf"^[+ ] {{0,4}}{before}\b{name}\b(?:,| as |\)|$)"
        rf"|^[+ ].*[\"']{name}[\"']|^\+from \S+ import \*"
    )
    return re.search(imported, file.patch or "", re.M) is not None


def moved_modules(key: str, files: Sequence[FileChange]) -> list[Fact]:
    """Return the facts that modules moved among the files of an item, none where none did.

    Read from the list of files alone: git's own word for a file that is the same elsewhere. What
    is no user's (tests, examples, tools) is left out. Moved modules are the program's own unless
    something documents them, so nobody must act.
    """
    pairs = list(_moved(files))
    if not pairs:
        return []
    ways: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for pair in pairs:
        ways.setdefault(_trimmed(*pair), []).append(pair)
    if len(pairs) > 1 and len(ways) <= _MOST_WAYS:
        return [
            _module_fact(key, way if len(theirs) > 1 else theirs[0], theirs, files)
            for way, theirs in ways.items()
        ]
    way = _way(pairs)
    if way[0] == way[1]:
        return [_module_fact(key, pair, [pair], files) for pair in pairs[:_MOST_RENAMED]]
    theirs = [pair for pair in pairs if all(map(_is_within, pair, way))]
    return [_module_fact(key, way, theirs, files)]


def _module_fact(
    key: str, way: tuple[str, str], pairs: Sequence[tuple[str, str]], files: Sequence[FileChange]
) -> Fact:
    """Return the fact that the modules of these pairs moved from one place to another."""
    paths = {module_of(file.path): file for file in files if file.status == "renamed"}
    shown = (
        Evidence("diff", file.previous_path or "", file.path, None, "")
        for _, other in pairs
        if (file := paths.get(other)) is not None
    )
    names = [one for one, _ in pairs] if len(pairs) > 1 else [way[0]]
    return _fact(key, FactChange.MOVED, Subject.MODULE, names, shown, common=way[0], after=way[1])


_MOST_WAYS = 4
"""Ways that modules of one change went which are each told: of more only where most went."""


def _moved(files: Sequence[FileChange]) -> Iterator[tuple[str, str]]:
    came = {file.path: file for file in files if file.status in ("added", "renamed")}
    for file in files:
        if file.status != "renamed" or not file.previous_path:
            continue
        front = came.get(file.previous_path.removesuffix(".py") + "/__init__.py")
        if front is not None and _holds(front):
            continue  # the package of its name is imported as the module was
        if file.path.endswith("/__init__.py") and not file.additions + file.deletions:
            continue  # mostly empty: git takes any two of them for the same
        old, new = _module(file.previous_path), module_of(file.path)
        if file.previous_path.endswith("/__init__.py"):
            new = _of_its_modules(file.previous_path, files) or new
        if old and new and old != new and not is_private(old) and place_of(file.path) is not None:
            yield old, new


def _holds(file: FileChange) -> bool:
    """Tell whether a file that came can hold names: an empty front of a package hands on none."""
    if file.status == "renamed" or file.patch is None:
        return file.status == "renamed" or file.additions > 0
    code = "\n".join(line.text for line in lines_of(file.patch) if line.sign == "+")
    try:
        body = grammar.module(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # what cannot be read may well hold them
    return not all(map(_is_nameless, body))


def _is_nameless(statement: ast.stmt) -> bool:
    """Tell whether a statement brings no name: a text, a future, or `__all__` of nothing."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__") | ast.Pass():
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def _of_its_modules(front: str, files: Sequence[FileChange]) -> str:
    """Return the package that the modules beside a front came to, empty unless all came to one.

    Git finds the most alike front, which may be that of another package.
    """
    folder = front.removesuffix("__init__.py")
    beside = {
        file.path.rpartition("/")[0]
        for file in files
        if file.status == "renamed"
        and file.previous_path != front
        and (file.previous_path or "").rpartition("/")[0] + "/" == folder
    }
    return module_of(f"{beside.pop()}/__init__.py") if len(beside) == 1 else ""


def _way(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return from where to where modules moved: what most of them left and came to.

    The same twice where each only got another name, in packages that share no more.
    """
    if len(pairs) == 1:
        return pairs[0]
    ways = Counter(_trimmed(old, new) for old, new in pairs)
    (way, often) = ways.most_common(1)[0]
    if often * 2 > len(pairs):
        return way
    old = _common([one for one, _ in pairs])
    new = _common([other for _, other in pairs])
    return (old, new) if old and new else way


def _is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _trimmed(old: str, new: str) -> tuple[str, str]:
    """Leave out the names at the end that stayed."""
    before, after = old.split("."), new.split(".")
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return ".".join(before), ".".join(after)


def _common(modules: Sequence[str]) -> str:
    parts = [module.split(".") for module in modules]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return ".".join(shared)
