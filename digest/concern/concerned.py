"""What of a reading concerns codebases, by its facts, its paths and words that people said.

Told from what a digest keeps, so that nothing has to be collected: whole definitions are compared
only where a clone is read (`infra upgrade`).
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digest.concern.surface import Surface, Use, UseKind
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import Item, Kind, Reading, Repo
from digest.reading.interfaces.definition import member_name
from digest.reading.interfaces.place import module_of
from digest.reading.interfaces.requirements import is_higher, lowest, release_of
from digest.reading.relations import package_repo

_HARD = frozenset({FactChange.REMOVED, FactChange.RENAMED})
_DEEP = frozenset({UseKind.SUBCLASS, UseKind.OVERRIDE, UseKind.PATCHED})
_NAMED = _DEEP | {UseKind.NAME, UseKind.CALLED, UseKind.CONSTRUCTED, UseKind.MEMBER}


@dataclass(frozen=True, slots=True)
class Concerned:
    """An item that concerns a codebase: by a use of it, or by a word that a person said.

    `fact` is what shows it upstream, of `name`; without one `path` is the changed file, or both
    are empty where the title has the word. `breaks` tells that what is used is gone, moved or
    called otherwise.
    """

    item: Item
    use: Use | None = None
    word: str = ""
    fact: Fact | None = None
    name: str = ""
    path: str = ""
    breaks: bool = False


def concerned(reading: Reading, surfaces: Sequence[Surface]) -> tuple[Concerned, ...]:
    """Return the items of a reading that concern any of these, each once, what breaks first."""
    found: dict[str, Concerned] = {}
    near = [_Index(one) for one in surfaces if _is_about(one, reading.repo)]
    facts: dict[str, list[Fact]] = {}
    for fact in reading.facts:
        facts.setdefault(fact.item, []).append(fact)
    for read in reading.items:
        item = read.item
        matches = [
            one
            for index in near
            for one in (
                *_by_facts(item, facts.get(item.key, ()), index),
                *_by_release(item, index.surface),
                *_by_words(item, index.surface),
                *_by_files(item, index),
            )
        ]
        if matches:
            found[item.key] = next((one for one in matches if one.breaks), matches[0])
    order = {read.item.key: at for at, read in enumerate(reading.items)}
    return tuple(
        sorted(found.values(), key=lambda one: (not one.breaks, _depth(one), order[one.item.key]))
    )


class _Index:
    """The uses of a surface by what they are looked up by; the first of each kind and name."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.settings: dict[tuple[UseKind, str], Use] = {}
        self.by_last: defaultdict[str, list[Use]] = defaultdict(list)
        self.modules: dict[str, Use] = {}
        self.within: dict[str, Use] = {}
        names: set[str] = set()
        for use in surface.uses:
            if use.kind in (UseKind.FLAG, UseKind.VARIABLE):
                self.settings.setdefault((use.kind, use.name), use)
            if use.kind in _NAMED:
                self.by_last[_last(use.name)].append(use)
            if use.name not in names and (use.kind in _NAMED or use.kind is UseKind.MODULE):
                names.add(use.name)
                for module in _above(use.name):
                    self.modules.setdefault(module, use)
            if use.kind in _DEEP and not use.place.is_test:
                for module in _above(use.name)[:2]:
                    self.within.setdefault(module, use)


def _above(name: str) -> list[str]:
    """Return a dotted name and what is above it, the nearest first, without the package alone."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(len(parts), 1, -1)]


def _is_about(surface: Surface, repo: Repo) -> bool:
    return not surface.of or surface.of.casefold() == str(repo).casefold()


def _depth(one: Concerned) -> int:
    """What a fact shows or a person said comes before a file alone."""
    return int(one.fact is None and bool(one.path) and not one.word)


def _by_facts(item: Item, facts: Sequence[Fact], index: _Index) -> Iterator[Concerned]:
    words = index.surface.words
    for fact in facts:
        hard = fact.change in _HARD or fact.kind is FactKind.MOVE or _is_owed(fact)
        for name in fact.names or (fact.name,):
            use = _used(fact, name, index)
            if use is not None:
                yield Concerned(item, use, "", fact, name, breaks=hard)
            for word in _mentions(fact, index.surface):
                if _plain(word) == _plain(name):
                    yield Concerned(item, None, word, fact, name, breaks=hard)
        for who in fact.who:
            for word in (*words.models, *words.hardware):
                if _has_word(who, word):
                    yield Concerned(item, None, word, fact, who)


def _is_owed(fact: Fact) -> bool:
    """Return whether who derives from a class has to write the method that is new."""
    is_new = fact.subject is Subject.API_NAME and fact.change is FactChange.ADDED
    return is_new and fact.must_act


def _used(fact: Fact, name: str, index: _Index) -> Use | None:
    """Return a use of what a fact is about, None where nothing of it is used."""
    match fact.subject:
        case Subject.FLAG:
            return index.settings.get((UseKind.FLAG, name)) or _use_of_field(fact, index)
        case Subject.ENV:
            return index.settings.get((UseKind.VARIABLE, name))
        case Subject.MODULE if fact.kind is FactKind.MOVE:
            return index.modules.get(name)
        case Subject.API_NAME if _is_owed(fact):
            if any(f".{use.name}".endswith(f".{name}") for use in index.by_last[_last(name)]):
                return None
            owner = name.rpartition(".")[0]
            return next(
                (
                    use
                    for use in index.by_last[_last(owner)]
                    if use.kind is UseKind.SUBCLASS and f".{use.name}".endswith(f".{owner}")
                ),
                None,
            )
        case Subject.API_NAME:
            return next((use for use in index.by_last[_last(name)] if use.name == name), None)
        case Subject.API_ARGUMENT:
            function, _, argument = name.rstrip(")").partition("(")
            uses = index.by_last[_last(function)]
            if not argument:  # its arguments stand in another order
                return next((use for use in uses if use.positional), None)
            return next((use for use in uses if argument in use.keywords), None)
        case Subject.CONFIG_FIELD if "." in name:
            owner, _, field = name.rpartition(".")
            return _given_or_read(owner, field, index)
    return None


_CLASS = re.compile(r"class (\w+)")
_FIELD = re.compile(r"(\w+)\s*:")


def _use_of_field(fact: Fact, index: _Index) -> Use | None:
    """Return a use of the field that a parser makes a flag of, by what the fact stands on."""
    quotes = [one.quote for one in fact.evidence]
    owner = next(filter(None, map(_CLASS.match, quotes)), None)
    field = next(filter(None, map(_FIELD.match, quotes)), None)
    return _given_or_read(owner[1], field[1], index) if owner and field else None


def _given_or_read(owner: str, field: str, index: _Index) -> Use | None:
    """Return who makes a class with a field, or reads the field of what is called as the class."""
    name = member_name(owner, field)
    made = (use for use in index.by_last[_last(owner)] if field in use.keywords)
    read = (use for use in index.by_last[field] if use.name.endswith(f".{name}"))
    return next(made, None) or next(read, None)


def _mentions(fact: Fact, surface: Surface) -> tuple[str, ...]:
    words = surface.words
    match fact.subject:
        case Subject.FLAG | Subject.ENV:
            return words.flags
        case Subject.API_NAME:
            return words.symbols
        case Subject.MODEL:
            return words.models
        case Subject.HARDWARE:
            return words.hardware
        case Subject.DEPENDENCY:
            return tuple(name_of(pin) for pin in words.pins)
    return ()


def _by_release(item: Item, surface: Surface) -> Iterator[Concerned]:
    """Tell a release that is higher than what is pinned."""
    if item.kind is not Kind.RELEASE:
        return
    for use, pin, pinned in pins_of(item.repo, surface):
        if is_higher(item.ref, pinned):
            yield Concerned(item, use, pin)
            if use:
                return


def lowest_pin(repo: Repo, surface: Surface) -> str:
    """Return the lowest version of a repository that a surface pins, empty where it pins none."""
    found = [pinned for _, _, pinned in pins_of(repo, surface)]
    return min(found, key=release_of, default="")


def pins_of(repo: Repo, surface: Surface) -> Iterator[tuple[Use | None, str, str]]:
    """Yield each pin of a repository: its use or how it was written by hand, and the version."""
    if surface.of.casefold() == str(repo).casefold():
        for use in surface.uses:
            pinned = lowest(use.value) or use.value.lstrip("v")
            if use.kind is UseKind.PIN and pinned[:1].isdigit():
                yield use, "", pinned
    for pin, pinned in mentioned_pins(repo, surface):
        yield None, pin, pinned


def mentioned_pins(repo: Repo, surface: Surface) -> Iterator[tuple[str, str]]:
    """Yield each pin of a repository that was written by hand, and its version."""
    for pin in surface.words.pins:
        name = name_of(pin)
        pinned = lowest(pin.removeprefix(name).strip().lstrip("v"))
        if pinned and (_plain(name) == _plain(repo.name) or package_repo(name) == repo):
            yield pin, pinned


def name_of(pin: str) -> str:
    """Return the name of a pin that was written by hand: of `flashinfer==0.6.3` what is before."""
    name = re.match(r"[\w.-]*\w", pin)
    return name[0] if name else pin


def _by_words(item: Item, surface: Surface) -> Iterator[Concerned]:
    words = surface.words
    for word in (*words.models, *words.hardware, *words.symbols):
        if _has_word(item.title, word):
            yield Concerned(item, None, word)
    for folder in words.paths:
        prefix = folder.rstrip("/")
        for file in item.files or ():
            if file.path == prefix or file.path.startswith(f"{prefix}/"):
                yield Concerned(item, None, folder, path=file.path)
                break


def _by_files(item: Item, index: _Index) -> Iterator[Concerned]:
    """Tell a change of the file of what is derived from, overridden or replaced here."""
    for file in item.files or ():
        for path in (file.path, file.previous_path):
            use = index.within.get(module_of(path)) if path and path.endswith(".py") else None
            if use is not None:
                yield Concerned(item, use, path=path or "")
                return


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _plain(word: str) -> str:
    return re.sub(r"[-_.\s]+", "-", word.lstrip("-")).casefold()


def _has_word(text: str, word: str) -> bool:
    """Return whether a text has a word whole: `Qwen3` is in `[Qwen3] Fix`, and in `Qwen3-Next`."""
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", text, re.I) is not None
