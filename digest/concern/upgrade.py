"""What an upgrade means for a codebase: breaks, behaves otherwise, is new, is as it was.

Every line stands on both sides: a definition upstream with the change that altered it, and a line
of the codebase that uses it. What came and went within the span is no part of it.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from digest.concern.definitions import Way
from digest.concern.ends import Ends, HeldEnds
from digest.concern.matching import Ground, Match, Strength, WeighedChange
from digest.concern.surface import CodePlace, Surface, SurfaceOrigin, Use, UseKind
from digest.concern.upstream_names import IMPORTED, Tie, UpstreamNames
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.grades import ChangeObject
from digest.models import Item, Repo, Span
from digest.reading.bites import bites, is_of_within
from digest.reading.change import purpose, touched
from digest.reading.interfaces.grammar import UNREADABLE
from digest.reading.interfaces.requirements import requirements_of
from digest.reading.paths import UNREAD, role
from digest.reading.reverts import pair


class Same(StrEnum):
    """By what it is known that a name is as it was: its whole file, or its definition.

    Of a flag or variable (`SETTING`) the end has it, and no file that differs tells a change.
    """

    FILE = "file"
    DEFINITION = "definition"
    SETTING = "setting"


class Untold(StrEnum):
    """Why nothing is told of a name.

    `NOT_THERE` is made while the program runs, or is not at the beginning; `ALTERED` is what
    differs itself, by its class or by its file, with no change told of it; `NOT_SEEN` a flag or
    variable that no file which was read has.
    """

    NOT_THERE = "not there"
    UNKNOWN_CLASS = "unknown class"
    PIN = "pin"
    ALTERED = "altered"
    NOT_SEEN = "not seen"


@dataclass(frozen=True, slots=True)
class NotFollowed:
    """A use of which nothing is told, and why."""

    use: Use
    why: Untold


@dataclass(frozen=True, slots=True)
class Checked:
    """A name of the surface whose definition is as it was, and where both stand.

    `path` is empty for a flag or variable.
    """

    name: str
    same: Same
    path: str
    places: tuple[CodePlace, ...]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A flag or variable of the surface that upstream changed; `item` is empty where not known."""

    fact: Fact
    use: Use
    item: Item | None = None

    @property
    def is_aside(self) -> bool:
        """Return whether nothing that ships sets it."""
        return _is_aside(self.use)

    @property
    def is_new_choice(self) -> bool:
        """Return whether a flag takes one more value."""
        return self.fact.subject is Subject.CHOICE and self.fact.change is FactChange.ADDED

    @property
    def breaks(self) -> bool:
        """Return whether who sets it is refused or not heard.

        A value that is taken no more breaks who is known to give it.
        """
        if self.fact.subject is Subject.CHOICE and self.use.value != self.fact.before:
            return False
        return self.fact.change in (FactChange.REMOVED, FactChange.RENAMED)


@dataclass(frozen=True, slots=True)
class Mended:
    """A fix of what the codebase uses: what went wrong before it, and the use that it is about.

    The fix alters the inside of what is called there, or its title names it.
    """

    item: Item
    bite: Fact
    use: Use


@dataclass(frozen=True, slots=True)
class RequirementChange:
    """What upstream asks for when it is installed, otherwise than before; None on no side."""

    name: str
    before: str | None
    after: str | None
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The report of a span for one surface; changes are ordered by how much they concern it.

    Those that concern nothing that ships, by their breaks where they have some, come last.
    `mended` are fixes of what is used, of what the beginning has. `lightly` are changes that alter
    something used, below what is told. `gone_again` are those
    whose breaks do not hold any more at the end, `alone` is the whole span as one change, with the
    breaks that its ends show and none of its changes makes. `lost` are the names of which nothing
    is told, and `touched` counts those that the changes and settings tell of: with `unchanged`
    these are all names of the surface. `changes` counts all commits.
    `unread` are files, or short SHAs of commits, that could not be looked at; `is_whole` is false
    where the span has more commits than could be listed.
    """

    repo: Repo
    span: Span
    source: SurfaceOrigin
    changes: int
    breaks: tuple[WeighedChange, ...]
    otherwise: tuple[WeighedChange, ...]
    lightly: tuple[WeighedChange, ...]
    new: tuple[WeighedChange, ...]
    unchanged: tuple[Checked, ...]
    settings: tuple[SettingChange, ...]
    asked: tuple[RequirementChange, ...]
    lost: tuple[NotFollowed, ...]
    gone_again: tuple[WeighedChange, ...] = ()
    touched: int = 0
    unread: tuple[str, ...] = ()
    is_whole: bool = True
    alone: WeighedChange | None = None
    mended: tuple[Mended, ...] = ()

    @property
    def is_broken(self) -> bool:
        """Return whether something of the codebase goes wrong with it."""
        return (
            bool(self.breaks) or self.alone is not None or any(one.breaks for one in self.settings)
        )


def upgrade_of(
    repo: Repo,
    span: Span,
    holding: UpstreamNames,
    at_head: UpstreamNames,
    weighed: Sequence[WeighedChange],
    ends: Ends,
    settings: Sequence[SettingChange],
    declared: Collection[str],
    requirements: Sequence[RequirementChange],
) -> Upgrade:
    """Put the report together; `weighed` are of every commit, oldest first.

    `holding` and `at_head` are the surface held against the base and the head, `declared` the flags
    and variables of it that the head is known to have.
    """
    shown_by = HeldEnds(ends, holding, at_head)
    standing = [shown_by.standing(one) for one in weighed]
    in_order = sorted(
        (one for one in standing if one.matches),
        key=lambda one: (_is_all_aside(one), -one.weight, one.item.key),
    )
    breaks = [one for one in in_order if one.breaks]
    rest = [one for one in in_order if not one.breaks]
    shown = {one.item.key for one in breaks}
    gone = [one for one in weighed if one.breaks and one.item.key not in shown]
    new = [fresh for one in in_order if (fresh := _new(one)).matches]
    before = {path: text for path, (text, _) in ends.texts.items()}
    reverts = pair([one.item for one in weighed], ())
    untold = shown | {each.original.key for each in reverts if each.original is not None}
    mended = [
        found
        for one in standing
        if one.item.key not in untold and not is_of_within(one.item.files or (), before)
        if (found := _mended(one, holding.surface)) is not None
    ]
    shown |= {one.item.key for one in mended}
    otherwise = [
        other
        for one in rest
        if one.is_shown
        and one.item.key not in shown
        and _tells(other := _seen(one, holding.members))
    ]
    shown |= {one.item.key for one in (*otherwise, *new)}
    lightly = [one for one in rest if one.item.key not in shown]
    alone = _alone(span, weighed, shown_by.alone(one for each in breaks for one in each.matches))
    reported = {match.use.name for one in (*in_order, *gone) for match in one.matches}
    reported |= {match.use.name for match in alone.matches} if alone else set()
    reported |= {one.use.name for one in mended}
    came = {
        one.use.name
        for one in settings
        if one.fact.change is FactChange.ADDED and not one.is_new_choice
    }
    settings = [one for one in settings if one.use.name not in came]
    reported |= {one.use.name for one in settings}
    unchanged = _unchanged(holding, shown_by, ends)
    unchanged |= _settings_unchanged(holding.surface, reported | came, declared)
    lost = _not_followed(holding, {*reported, *unchanged}, came)
    return Upgrade(
        repo, span, holding.surface.source, len(weighed), tuple(breaks), tuple(otherwise),
        tuple(lightly), tuple(new), tuple(unchanged[name] for name in sorted(unchanged)),
        tuple(settings), tuple(requirements), lost, tuple(gone), len(reported - unchanged.keys()),
        alone=alone, mended=tuple(sorted(mended, key=_worst_first)),
    )  # fmt: skip


def _mended(one: WeighedChange, surface: Surface) -> Mended | None:
    """Return a change as a fix of something that is called here, or that its title names."""
    found = bites(one.item, purpose(one.item)[0], touched(one.item))
    if not found:
        return None
    inside = [match.use for match in one.matches if match.ground is Ground.BODY]
    title = {*_IDENTIFIER.findall(one.item.title)}
    named = [use for use in surface.uses if (use.name.rpartition(".")[2]) in title]
    uses = [use for use in (*inside, *named) if use.kind in _RUN_HERE]
    return Mended(one.item, found[0], min(uses, key=_nearest)) if uses else None


_RUN_HERE = frozenset(
    {UseKind.CALLED, UseKind.CONSTRUCTED, UseKind.OVERRIDE, UseKind.PATCHED, UseKind.SUBCLASS}
)
_IDENTIFIER = re.compile(r"(?<![\w-])(?:[A-Za-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*)(?![\w-])")
"""A name that no sentence has by chance."""


def _nearest(use: Use) -> tuple[bool, CodePlace]:
    return _is_aside(use), use.place


def _worst_first(one: Mended) -> tuple[bool, int]:
    symptom = one.bite.symptom or Symptom.BROKEN
    return one.bite.inferred, tuple(Symptom).index(symptom)


def _alone(
    span: Span, weighed: Sequence[WeighedChange], found: tuple[Match, ...]
) -> WeighedChange | None:
    """Return the span as one change that has these matches; None where there is none."""
    if not found or not weighed:
        return None
    last = weighed[-1].item
    base, slash, _ = last.url.rpartition("/commit/")
    whole = replace(
        last,
        ref=span.head,
        title="",
        url=f"{base}{slash}{span.head_sha}" if slash else "",
        pull_request=None,
        commits=(span.head_sha,),
        parents=(span.base_sha,),
    )
    return WeighedChange(whole, found, 0.0, {})


def _new(one: WeighedChange) -> WeighedChange:
    fresh = tuple(
        match
        for match in one.matches
        if match.ground is Ground.NEW
        and not match.altered.name.rpartition(".")[2].startswith("_")
        and not match.altered.after.startswith("self.")
    )
    return replace(one, matches=fresh)


def _seen(one: WeighedChange, members: Collection[str]) -> WeighedChange:
    """Leave out what is new, what went unused, and private members of what is merely imported.

    So are members that nothing here names (`members` are those), of what is not derived from.
    """
    matching = tuple(
        match
        for match in one.matches
        if match.ground is not Ground.NEW
        and not _is_inner(match)
        and not _went_unused(match)
        and not _is_unsaid(match, members)
    )
    return replace(one, matches=matching)


def _went_unused(match: Match) -> bool:
    """Return whether a member went that nothing here names: naming it, or giving it, breaks.

    What is given by `**` is not known, so that it may be among it.
    """
    is_gone = match.ground is Ground.MEMBER and match.altered.way is Way.GONE
    return is_gone and not match.use.more


def _is_unsaid(match: Match, members: Collection[str]) -> bool:
    """Return whether a member was altered that nothing here names, of a class that is only made."""
    is_made = match.ground is Ground.MEMBER and match.use.kind is not UseKind.SUBCLASS
    is_made = is_made and not match.use.more  # what is given by ** may be among it
    member = match.altered.name.rpartition(".")[2]
    return is_made and member not in ("__init__", "__call__") and member not in members


def _tells(one: WeighedChange) -> bool:
    """Return whether more is known than that a module which is imported whole was altered."""
    return any(match.ground is not Ground.MODULE for match in one.matches)


def _is_inner(match: Match) -> bool:
    member = match.altered.name.rpartition(".")[2]
    is_private = member.startswith("_") and not member.endswith("__")
    return is_private and match.use.kind in _BESIDE and not match.use.name.endswith(f".{member}")


_BESIDE = frozenset({UseKind.NAME, UseKind.CONSTRUCTED, UseKind.MODULE})


def _named_settings(surface: Surface) -> Iterator[Use]:
    """Yield the flags and variables of a surface, and those that a person says by hand."""
    read = [use for use in surface.uses if use.kind in _SETTINGS]
    yield from read
    for name in {*surface.words.flags} - {use.name for use in read}:
        yield Use(UseKind.FLAG if name.startswith("-") else UseKind.VARIABLE, name)


def _settings_unchanged(
    surface: Surface, reported: Collection[str], declared: Collection[str]
) -> dict[str, Checked]:
    """Return the settings that are there and of which no file tells a change, by name."""
    places: dict[str, list[CodePlace]] = {}
    for use in _named_settings(surface):
        if use.name in declared and use.name not in reported:
            places.setdefault(use.name, []).append(use.place)
    return {
        name: Checked(name, Same.SETTING, "", tuple(sorted(at)[:_MOST_PLACES]))
        for name, at in places.items()
    }


def _not_followed(
    holding: UpstreamNames, known: Collection[str], came: Collection[str]
) -> tuple[NotFollowed, ...]:
    """Return each name of which nothing is known, with the reason: those that ship first, by name.

    `came` are flags and variables that upstream has at the end alone.
    """
    bare = {use.name for uses in holding.bare.values() for use in uses if "." not in use.name}
    nowhere = {*came, *(use.name for use in holding.lost)}
    found: dict[str, NotFollowed] = {}
    for use in (*holding.surface.uses, *_named_settings(holding.surface)):
        if use.name in known:
            continue
        why = Untold.ALTERED
        if use.kind is UseKind.PIN:
            why = Untold.PIN
        elif use.name in bare:
            why = Untold.UNKNOWN_CLASS
        elif use.name in nowhere:
            why = Untold.NOT_THERE
        elif use.kind in _SETTINGS:
            why = Untold.NOT_SEEN
        found.setdefault(use.name, NotFollowed(use, why))
    return tuple(sorted(found.values(), key=lambda one: (_is_aside(one.use), one.use.name)))


def _is_aside(use: Use) -> bool:
    """Tell whether a use stands where nothing ships: tests, examples, documentation, CI."""
    return role(use.place.path) in UNREAD


def _is_all_aside(one: WeighedChange) -> bool:
    """Tell whether all that a change breaks, else all it touches, is used where nothing ships."""
    return all(_is_aside(match.use) for match in breaking(one.matches) or one.matches)


_MOST_PLACES = 3


def _unchanged(holding: UpstreamNames, shown_by: HeldEnds, ends: Ends) -> dict[str, Checked]:
    touched = shown_by.touched
    inner = {(path, name.rpartition(".")[0]) for path, name in touched if "." in name}
    found: dict[str, Checked] = {}
    for (path, name), holds in holding.holds.items():
        uses = [
            hold.use
            for hold in holds
            if hold.tie is Tie.IS
            and hold.use.kind in IMPORTED
            and shown_by.is_in_place(hold.use.name, (path, name))
        ]
        if not uses or path not in ends.before:
            continue
        if path not in ends.texts:
            same = Same.FILE
        elif not name or {(path, name), (path, ""), (path, name.rpartition(".")[0])} & touched | (
            {(path, name)} & inner
        ):
            continue
        else:
            same = Same.DEFINITION
        for used in sorted({use.name for use in uses}):
            places = sorted({use.place for use in uses if use.name == used})[:_MOST_PLACES]
            found.setdefault(used, Checked(used, same, path, tuple(places)))
    return found


_SETTINGS = {UseKind.FLAG: Subject.FLAG, UseKind.VARIABLE: Subject.ENV}


def settings_of(surface: Surface, facts: Iterable[Fact]) -> tuple[SettingChange, ...]:
    """Return the flags and variables of a surface that facts are about, removed ones first.

    Each is told of the first place that ships, and those that have none come after the others.
    Of a new one there is nothing to act on: it tells that the name was not there before.
    """
    used: dict[tuple[Subject, str], list[Use]] = {}
    for use in _named_settings(surface):
        used.setdefault((_SETTINGS[use.kind], use.name), []).append(use)
    for uses in used.values():
        uses.sort(key=_is_aside)
    found = []
    for fact in facts:
        is_choice = fact.subject is Subject.CHOICE
        if fact.kind is not FactKind.INTERFACE:
            continue
        names = fact.names or (fact.name,)
        for name in names:
            about = Subject.FLAG if is_choice else fact.subject
            held = used.get((about, name), []) if about else []
            if is_choice and fact.change is not FactChange.ADDED:
                held = _giving(fact.before or "", held)
            if held:
                alone = replace(fact, name=name, names=())
                found.append(SettingChange(alone, held[0]))
    return tuple(sorted(found, key=lambda one: (not one.breaks, one.is_aside, one.use.name)))


def _giving(value: str, uses: Sequence[Use]) -> list[Use]:
    """Return who gives a flag this value, surest first; of whom no value is known may."""
    given = value.casefold()
    may = [use for use in uses if use.value.casefold() in ("", given)]
    return sorted(may, key=lambda use: use.value != value)


def new_requirements(
    texts: Mapping[str, tuple[str | None, str | None]],
) -> tuple[RequirementChange, ...]:
    """Return what metadata files ask for otherwise than before, by path and text at both ends."""
    found = []
    for path, (before, after) in sorted(texts.items()):
        try:
            old, new = (
                {one.key: one for one in requirements_of(path, text or "")}
                for text in (before, after)
            )
        except UNREADABLE:
            continue
        for key in sorted({*old, *new}):
            was, became = old.get(key), new.get(key)
            either = became or was
            if either is None or (was and became and was.spec == became.spec):
                continue
            found.append(
                RequirementChange(
                    either.name,
                    was.spec if was else None,
                    became.spec if became else None,
                    path,
                    either.line,
                )
            )
    return tuple(found)


BREAKS_STATUS = 3
"""The exit status for CI where something breaks: one that no error has."""


def status_of(upgrade: Upgrade) -> int:
    """Return the exit status of a report."""
    return BREAKS_STATUS if upgrade.is_broken else 0


def strongest(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Return the matches that a reader sees: the best of each definition, breaks first.

    Best is what names the definition itself, in code that ships, by the use that depends on most.
    Of a module that is imported whole, of a member whose class is not known, and of an argument
    that a class takes no more and keeps no more, one is told.
    """
    found: dict[tuple[str, str], Match] = {}
    ranked = sorted(matches, key=_rank)
    sure = {(one.altered.path, one.altered.name) for one in ranked if one.tie is not Tie.NAMED}
    for match in ranked:
        path, name = match.altered.path, match.altered.name
        if match.ground is Ground.MODULE:
            name = ""
        elif match.tie is Tie.NAMED and match.altered.call is None and (path, name) not in sure:
            path, name = "", name.rpartition(".")[2]
        elif match.ground is Ground.LOST_ARGUMENT:
            path, name = match.use.name, ",".join(match.names)
        found.setdefault((path, name), match)
    strongest_of_each = tuple(found.values())
    nearer = tuple(match for match in strongest_of_each if match.ground is not Ground.MODULE)
    return nearer or strongest_of_each


def breaking(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Return the matches by which something goes wrong."""
    return tuple(match for match in matches if match.strength is Strength.BREAKS)


_GROUNDS = tuple(Ground)
_KINDS_IN_ORDER = (
    UseKind.OVERRIDE, UseKind.PATCHED, UseKind.CALLED, UseKind.SUBCLASS, UseKind.CONSTRUCTED,
    UseKind.MEMBER, UseKind.NAME, UseKind.MODULE,
)  # fmt: skip


def _rank(match: Match) -> tuple[bool, bool, bool, int, int, CodePlace]:
    last = match.altered.name.rpartition(".")[2]
    kind = match.use.kind
    return (
        match.strength is not Strength.BREAKS,
        _is_aside(match.use),
        match.use.name.rpartition(".")[2] != last,
        _KINDS_IN_ORDER.index(kind) if kind in _KINDS_IN_ORDER else len(_KINDS_IN_ORDER),
        _GROUNDS.index(match.ground),
        match.use.place,
    )


_IN_TITLE, _IN_PATHS, _IN_BODY = 2.0, 2.0, 1.0
_OF_A_NAME = 3.0
"""What a name in the symptom (`GLM-5`, `kv_cache`, `MI300`) is worth beside an ordinary word."""

_OF_CONCERN = 3.0
"""What a change that surely concerns the codebase is worth: as much as a rare word of a title."""

_SHORTEST = 2
"""Letters of what says nothing alone."""
_RUN = re.compile(r"[A-Za-z0-9]+")
_NAME = re.compile(r"(?=[\w.-]*(?:\d|_|[a-zA-Z][A-Z]))[\w.-]+")
_MODEL = re.compile(r"(?=[\w.-]*\d)[a-z]\w*(?:[-_.]\w+)*", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Suspect:
    """A change with its score, the words that it shares with the symptom, and what it touches."""

    item: Item
    score: float
    words: tuple[str, ...]
    weighed: WeighedChange | None = None


def suspects(
    items: Sequence[Item], symptom: str, changes: Mapping[str, WeighedChange]
) -> tuple[Suspect, ...]:
    """Rank the changes of a span, oldest first; of equal score the newest comes first.

    What alters documentation alone comes last, whatever words it shares.

    In: the symptom as a person writes it (words, names, paths, an error's text), and what is known
    of the changes by their keys, empty without a surface. A word counts the more, the fewer
    changes of the span have it, and a name more than a word of any sentence.
    """
    spelled = _spelled(symptom)
    sought = frozenset(spelled)
    named = frozenset[str]().union(*(_words(name) for name in _NAME.findall(symptom)))
    where = [_where(item) for item in items]
    often = Counter(word for parts in where for word in frozenset().union(*parts.values()) & sought)
    rare = {
        word: math.log(1 + len(items) / often[word]) * (_OF_A_NAME if word in named else 1.0)
        for word in often
    }
    found = []
    for item, parts in zip(items, where, strict=True):
        score = sum(worth * rare[word] for worth, words in parts.items() for word in words & sought)
        weighed = changes.get(item.key)
        if weighed is not None and weighed.matches:
            score += _OF_CONCERN * (1.0 if weighed.breaks else 1 / (1 + math.exp(-weighed.weight)))
        shared = sorted(spelled[word] for word in frozenset().union(*parts.values()) & sought)
        found.append(Suspect(item, score, tuple(shared), weighed))
    return tuple(sorted(reversed(found), key=lambda one: (_is_documentation(one.item), -one.score)))


def _is_documentation(item: Item) -> bool:
    files = item.files or ()
    return bool(files) and all(role(file.path) is ChangeObject.DOCS for file in files)


def _where(item: Item) -> dict[float, frozenset[str]]:
    """Return the words of a change by what they are worth; one place has each word."""
    title, body = _words(item.title), _words(item.body)
    paths = _words(" ".join(file.path for file in item.files or ()))
    return {
        _IN_TITLE + _IN_PATHS: title & paths,
        _IN_TITLE: title ^ (title & paths) | paths ^ (title & paths),
        _IN_BODY: body - title - paths,
    }


_SAY_NOTHING = frozenset(
    {"and", "are", "for", "from", "into", "not", "that", "the", "when", "with"}
)


def _words(text: str) -> frozenset[str]:
    return frozenset(_spelled(text))


def _spelled(text: str) -> dict[str, str]:
    """Return the words of a text by how they are compared, of names their parts, no short ones.

    A name with a number stands whole too: `GLM-5`, `glm_5` and `GLM5` are the same word. Parts
    that are too short to stand alone are one word: `LoRA` is `lora`, `FusedMoERunner` has `moe`.
    """
    found: dict[str, str] = {}
    for run in _RUN.findall(text):
        for is_short, parts in groupby(_CAMEL.split(run), lambda part: len(part) <= _SHORTEST):
            words = " ".join(parts)
            words = words.replace(" ", "") if is_short else words
            found |= {_stem(word.lower()): word for word in words.split() if len(word) > _SHORTEST}
    found |= {re.sub(r"[-_.]", "", name.lower()): name for name in _MODEL.findall(text)}
    return {word: found[word] for word in found if word not in _SAY_NOTHING}


def _stem(word: str) -> str:
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) > 3 and not word.endswith("ss"):
            return word[: -len(end)]
    return word
