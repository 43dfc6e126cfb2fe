"""How facts are said, in both languages: templates filled from fields, names and values as code."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.languages import Language
from digest.wording.pages import FactTemplates
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Foreign, Link, Run, Runs, Words
from digest.writing.entries import abbreviated
from digest.writing.phrasing import fill, joined
from digest.writing.phrasing import plain as unmarked
from digest.writing.visible import visible

DOT = " · "
ARROW = " → "
LONGEST_VALUE = 80
"""A longer default is an expression; the page of the change has it whole."""
LONGEST_EXPRESSION = 24
"""A longer default that has to be worked out is told on the page of the change alone."""
_WORKED_OUT = re.compile(r"\w\s*[(\[]|\b(?:lambda|if|or|and|for)\b")
"""What is called, looked up or chosen in an expression, once its strings are left out."""
_STRINGS = re.compile(r"""'[^']*'|"[^"]*\"""")
LONGEST_VERSIONS = 160
"""A longer list of conditions is told by its bounds: the others are versions left out."""
LONGEST_NAME = 120
"""No name of a setting is as long; what is longer is no name."""
MOST_NAMES = 6
"""Names of one change in one statement; how many more there are is told."""
MOST_CHARACTERS = 130
"""Characters of names in one statement, about three lines of a phone; one stands however long."""
A_NAME_MORE = 24
"""Characters of a last name that is told all the same."""
MOST_MODULES = 8
"""Modules named in braces of those that moved together; where their package did, it is told."""

EMPTY = ("None", "null", "''", '""')
"""Defaults that say nothing of a setting."""
RULES = "rules"
"""Who made a fact, where no model did."""
PYTHON = "Python"
"""The platform that a requirement without a name is about."""
_PROSE = (FactKind.SUPPORT,)
"""Kinds whose names are words, not code."""
_MODEL_CLASS = re.compile(r"[A-Z]\w*?For[A-Z]\w*")
"""A class of a registry of models, as `LlamaForCausalLM`: a name of code and none of a product."""
_OF_PARTS = (Subject.API_NAME, Subject.CONFIG_FIELD, Subject.MODULE)
"""Subjects whose dotted names say what they are part of."""
_PLATFORM_NAMES = ("requires-python", "python_requires", "python-requires")
"""How package metadata spells the version of Python that is needed."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SAYS_NOTHING = re.compile(r"(?i)true|false|-?[\d._]+(?:e-?\d+)?|auto|none")
"""Defaults of something new that tell a reader nothing among other names."""
_SWITCHES = (Subject.FLAG, Subject.ENV, Subject.CONFIG_FIELD)
EXTRA = "extra "
"""What the name of an extra as a whole begins with."""
_EXTRA = re.compile(r"\bextra (\S+)$")
"""How a requirement says which extra of a package it is of."""
_RUNS = re.compile(r"^((?!(?:\w+\.)*_?(?:is|has|supports?|use)_)[\w.]+\(\))$")
"""A function in which a default holds, unless it answers yes or no."""
LONGEST_MARKER = 60
"""Of a longer environment marker it is told only that it means some systems."""
_MARKER = re.compile(r"\b(?:sys_platform|platform_machine|platform_system|os_name)\b")
"""How a requirement says for which systems it is: https://peps.python.org/pep-0508/."""
REQUIRED = "required"
"""What stands for the default of an argument or a field that has to be given."""
_ON = re.compile(r"(?i)true")
"""The default of a switch that is on unless somebody turns it off."""
_OFF = re.compile(r"(?i)false")
"""The default of one that does nothing unless somebody turns it on."""
_SET = (Subject.ENV, Subject.CONFIG_FIELD)
"""What may be on or off without being set: that a flag is off its name says, which is typed."""
_MERGED = (FactChange.ADDED, FactChange.REMOVED, FactChange.DEPRECATED, FactChange.DEFAULT)


def fact_runs(
    facts: Iterable[Fact], language: Language, *, whom: bool = True, whole: bool = False
) -> list[Runs]:
    """Return one statement for each group of facts that say the same of several names.

    In: facts of one item, in the order of telling. Facts about reverts and releases are told
    with these, not here. With `whom`, who is concerned and on what condition is told too. Of many
    names the first ones are told and the others counted, but with `whole`.
    """
    groups = in_statements(facts)
    return [_grouped(group, language, whom=whom, whole=whole) for group in groups]


def in_statements(facts: Iterable[Fact]) -> list[list[Fact]]:
    """Return the facts of each statement, in the order of telling."""
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        if fact.kind not in (FactKind.REVERT, FactKind.RELEASE):
            groups.setdefault(_alike(fact), []).append(fact)
    return [part for group in groups.values() for part in _parts(group)]


def _parts(group: list[Fact]) -> list[list[Fact]]:
    """Return a group in as many statements as name all that takes the place of each."""
    first = group[0]
    is_each = first.change is FactChange.DEPRECATED and first.after and not first.quote
    most = MOST_NAMES if is_each else len(group)
    return [group[at : at + most] for at in range(0, len(group), most)]


def _alike(fact: Fact) -> tuple[object, ...]:
    """Return what facts have in common that are told in one statement."""
    if fact.kind is FactKind.REQUIREMENT and fact.change is FactChange.REMOVED:
        return (fact.kind, fact.change, fact.by)
    if fact.kind is FactKind.REQUIREMENT and fact.after:
        bounds = (fact.before, fact.after) if fact.before else ()
        held = (fact.who, fact.conditions, fact.inferred, fact.by)
        return (fact.kind, bounds, _is_new_extra(fact), *held)
    if fact.kind is FactKind.MOVE and _is_gone_name(fact):
        return (fact.kind, fact.change, fact.subject, fact.must_act, fact.after, fact.by)
    if fact.kind in (FactKind.BITE, FactKind.SPEED, FactKind.MOVE, FactKind.REQUIREMENT):
        return (id(fact),)
    if _is_by_keyword(fact):
        held = (fact.who, fact.conditions, fact.inferred, fact.by)
        return (fact.kind, fact.change, fact.subject, *held)
    if fact.quote or _built_by(fact):
        return (id(fact),)
    if _is_other_name(fact):
        held = (fact.who, fact.conditions, fact.inferred, fact.by)
        return (fact.kind, fact.change, fact.subject, *held)
    if fact.change not in _MERGED:
        return (id(fact),)
    is_gone = fact.change is FactChange.REMOVED
    now = fact.after if is_gone else fact.change is FactChange.DEPRECATED and bool(fact.after)
    now = fact.after if _is_there_again(fact) else now
    # What is gone is told in one statement, marked where any of it is inferred.
    inferred = fact.inferred and not is_gone
    conditions = () if _shifts_others(fact) else fact.conditions
    shared = (fact.who, conditions, inferred, fact.by, _has_to_be_given(fact))
    return (fact.kind, fact.change, _subject(fact), now, *shared)


_BY_PLACE = (FactChange.DEFAULT, FactChange.ADDED)
"""What may hold on some hardware or for some models alone."""


def _is_gone_name(fact: Fact) -> bool:
    return fact.change is FactChange.REMOVED and fact.subject is Subject.API_NAME


def _shifts_others(fact: Fact) -> bool:
    """Tell whether a new argument stands before others that were given by their place."""
    is_new = fact.change is FactChange.ADDED and fact.subject is Subject.API_ARGUMENT
    return is_new and bool(fact.conditions)


def _has_to_be_given(fact: Fact) -> bool:
    """Tell whether a new argument has no default: who calls has to give it."""
    is_new = fact.change is FactChange.ADDED and fact.subject is Subject.API_ARGUMENT
    return is_new and fact.must_act and not fact.conditions and not fact.after


def _is_there_again(fact: Fact) -> bool:
    """Tell whether a name that is new is deprecated for another one: it may have been there."""
    return fact.change is FactChange.ADDED and fact.subject is Subject.API_NAME and bool(fact.after)


def _is_by_keyword(fact: Fact) -> bool:
    """Tell whether an argument can no more be given by its place: `n=1` is `*, n=1` now."""
    moved = fact.change is FactChange.CHANGED and fact.subject is Subject.API_ARGUMENT
    return moved and (fact.after or "").startswith("*, ")


def _built_by(fact: Fact) -> str:
    """Return the file by whose list something is built for some hardware, empty for no list."""
    if fact.kind is not FactKind.SUPPORT or fact.subject is not Subject.HARDWARE:
        return ""
    return next((one.path for one in fact.evidence if one.path), "")


def _is_reordered(fact: Fact) -> bool:
    """Tell whether the arguments of a function stand in another order: the function is named."""
    changed = fact.change is FactChange.CHANGED and fact.subject is Subject.API_ARGUMENT
    return changed and "(" not in fact.name


def _is_other_name(fact: Fact) -> bool:
    return fact.change is FactChange.RENAMED and bool(fact.before and fact.after)


def _subject(fact: Fact) -> Subject | None:
    return None if fact.change is FactChange.DEFAULT else fact.subject


def _grouped(group: Sequence[Fact], language: Language, *, whom: bool, whole: bool) -> Runs:
    first, words = group[0], CATALOGUES[language]
    if first.kind is FactKind.BITE:
        return bite(first, language)
    where = _where(first, language)
    runs = (*_statement(group, language, whole=whole), *where)
    if whom and (concerned := _whom(first, language)):
        runs = (*runs, Words(DOT), *concerned)
    elif whom and first.conditions and not where and not _shifts_others(first):
        runs = (*runs, *fill(words.facts.only, conditions=_list(first.conditions, language)))
    marked = next((fact for fact in group if fact.inferred), first)
    return runs if _is_read_now(marked) else (*runs, *_mark(marked, language))


def _is_read_now(fact: Fact) -> bool:
    """Tell whether it is only known that a file reads a variable, which others may have read."""
    is_new = fact.subject is Subject.ENV and fact.change is FactChange.ADDED
    return is_new and fact.inferred and fact.by == RULES


def _where(fact: Fact, language: Language) -> Runs:
    """Say where a default holds that code chooses: without that it would be told of everybody."""
    chosen = fact.kind is FactKind.INTERFACE and fact.change in _BY_PLACE
    if not chosen or not fact.conditions or _shifts_others(fact):
        return ()
    words = CATALOGUES[language].facts
    return fill(words.where, conditions=_list(fact.conditions, language))


def _whom(fact: Fact, language: Language) -> Runs:
    """Say whom a fact concerns, and what else must hold."""
    if not fact.who:
        return ()
    words = CATALOGUES[language].facts
    runs = fill(words.whom, whom=_list(fact.who, language))
    if fact.conditions:
        runs = (*runs, *fill(words.only, conditions=_list(fact.conditions, language)))
    return runs


def bite(fact: Fact, language: Language, brought_by: Link | None = None) -> Runs:
    """Say what was seen and by whom: `wrong output · async TP: "avg" → "sum" · since #12`.

    Nothing but the symptom where no text says who was hit; marked where no text says what was seen.
    `brought_by` leads to the change that is named as the one that brought it.
    """
    if fact.symptom is None:
        return ()
    runs: Runs = (Words(CATALOGUES[language].symptoms[fact.symptom]), *_mark(fact, language))
    if concerned := hit(fact, language):
        runs = (*runs, Words(DOT), *concerned)
    if fact.before and fact.after:
        colon = Words(CATALOGUES[language].colon)
        runs = (*runs, colon, _value(fact.before), Words(ARROW), _value(fact.after))
    if fact.name:
        since = CATALOGUES[language].facts.since
        change = brought_by or Foreign(visible(fact.name))
        runs = (*runs, Words(DOT), *fill(since, change=change))
    return runs


def symptom_runs(
    fact: Fact, title: str, language: Language, brought_by: Link | None = None
) -> Runs:
    """Say what was seen beside a title: whom it hit only where the title does not name them."""
    return bite(beside(fact, title), language, brought_by)


def beside(fact: Fact, title: str) -> Fact:
    """Return a fact as it is told beside a title, which may name all whom a fault hit."""
    named = title.casefold()
    if fact.kind is not FactKind.BITE:
        return fact
    if fact.before and fact.after:
        values = (each.strip("\"'").casefold() for each in (fact.before, fact.after))
        if all(each in named for each in values):
            fact = replace(fact, before=None, after=None)
    is_named = all(each.casefold() in named for each in (*fact.who, *fact.conditions))
    return replace(fact, who=(), conditions=()) if is_named else fact


def mended_value(fact: Fact, title: str) -> Runs:
    """Say which value a fix gives the one literal that it changes, where the title does not."""
    told = beside(fact, title)
    if not (told.before and told.after):
        return ()
    return (_value(told.before), Words(ARROW), _value(told.after))


def is_sure(fact: Fact) -> bool:
    """Tell whether a fact is told without a mark that a model alone reads it there."""
    return fact.by == RULES or not fact.inferred


def mark(fact: Fact, language: Language) -> str:
    """Return how it is said of what is inferred that it is, and by whom where that is a model."""
    if not fact.inferred:
        return ""
    say = CATALOGUES[language]
    return say.say.inferred if is_sure(fact) else say.editing.read_by


def _mark(fact: Fact, language: Language) -> Runs:
    marked = mark(fact, language)
    return (Words(marked),) if marked else ()


def hit(fact: Fact, language: Language) -> Runs:
    """Say who is hit by a bite and under which conditions; nothing where it is not known.

    Whom a condition names already is not said twice.
    """
    words = CATALOGUES[language].facts
    named = " ".join(fact.conditions).casefold()
    who = [each for each in fact.who if each.casefold() not in named]
    if not who:
        return _list(fact.conditions or fact.who, language)
    runs = _list(who, language)
    if fact.conditions:
        runs = (*runs, *fill(words.only, conditions=_list(fact.conditions, language)))
    return runs


def _list(texts: Sequence[str], language: Language) -> Runs:
    words = CATALOGUES[language]
    named = (
        "; ".join(
            words.facts.some_systems
            if len(part) > LONGEST_MARKER and _MARKER.search(part)
            else _RUNS.sub(
                lambda of: words.facts.runs.format(name=of[1]),
                _EXTRA.sub(lambda of: words.facts.extra.format(name=of[1]), part),
            )
            for part in text.split("; ")
        )
        for text in texts
    )
    return joined(((Foreign(text),) for text in named if visible(text)), words.comma)


def _statement(group: Sequence[Fact], language: Language, *, whole: bool) -> Runs:
    fact, say = group[0], CATALOGUES[language].facts
    is_gone = fact.change is FactChange.REMOVED
    what, names = _noun(group, language), _names(group, language, whole=whole)
    match fact.kind:
        case FactKind.REQUIREMENT if is_gone:
            return fill(say.no_longer_lists, name=names)
        case FactKind.REQUIREMENT if fact.after == "":
            return fill(say.asks_for_nothing, name=names)
        case FactKind.REQUIREMENT:
            return _requirement(group, language)
        case FactKind.MOVE if len(group) > 1:
            short = [_without_package(each) for each in group]
            return fill(say.removed, what=what, names=_names(short, language, whole=whole))
        case FactKind.MOVE if is_gone and fact.after:
            return fill(say.removed_now, what=what, names=names, now=_value(fact.after))
        case FactKind.MOVE:
            is_apart = is_gone and _is_apart(fact)
            return (
                fill(say.removed, what=what, names=names)
                if is_apart
                else _move(fact, language, whole=whole)
            )
        case FactKind.SPEED:
            return fill(say.faster, quote=Foreign(unmarked(fact.quote) or fact.name))
        case FactKind.SUPPORT if is_gone and fact.subject is Subject.FEATURE:
            if fact.quote:
                return fill(say.says_now, quote=Foreign(unmarked(fact.quote)))
            return fill(say.gone, name=Foreign(fact.name))
        case FactKind.SUPPORT if path := _built_by(fact):
            template = say.no_longer_built if is_gone else say.built_for
            return fill(template, names=names, path=_value(path))
        case FactKind.SUPPORT if fact.change is not FactChange.RENAMED:
            ends = is_gone or fact.change is FactChange.DEPRECATED
            template = say.no_longer_supported if ends else say.supported
            return fill(template, what=what, names=names)
    return _interface(group, what, names, language, whole=whole)


def _is_apart(fact: Fact) -> bool:
    """Tell whether what went has no common beginning that all could be told by."""
    return any(not name.startswith(fact.name) for name in fact.names)


def _without_package(fact: Fact) -> Fact:
    """Return a fact whose dotted names have what tells where they are, by the last two parts.

    Of a function of a module that is the module with the package that it is in: many packages have
    an `inputs` or `utils`.
    """
    short = tuple(map(_last_parts, _each(fact)))
    return replace(fact, name=short[0], names=short)


def _last_parts(name: str) -> str:
    parts = name.split(".")
    is_of_module = len(parts) > 1 and parts[-2].islower()
    return ".".join(parts[-3 if is_of_module else -2 :])


def _interface(
    group: Sequence[Fact], what: str, names: Runs, language: Language, *, whole: bool
) -> Runs:
    fact, say = group[0], CATALOGUES[language].facts
    slots: dict[str, Run | Runs | str] = {"what": what, "names": names}
    if _is_by_keyword(fact) or _is_reordered(fact):
        lists = {"before": Words(fact.before or ""), "after": Words(fact.after or "")}
        template = say.keyword_only if _is_by_keyword(fact) else say.reordered
        return fill(template, **slots, **lists)
    if fact.change is FactChange.REMOVED:
        return _removed(fact, say, slots, alone=len(group) == 1)
    match fact.change:
        case FactChange.ADDED if _is_read_now(fact):
            return fill(say.read_now, **slots)
        case FactChange.ADDED if _is_there_again(fact):
            return fill(say.there_again, **slots, now=_value(fact.after or ""))
        case FactChange.ADDED:
            owed = fact.subject is Subject.API_NAME and fact.must_act
            runs = fill(say.to_write if owed else say.added, **slots)
            if _has_to_be_given(fact):
                return (*runs, *fill(say.only, conditions=Words(say.required)))
            return runs
        case FactChange.DEPRECATED:
            return _deprecated(group, what, names, language, whole=whole)
        case FactChange.DEFAULT:
            defaults = (_default(each, language, whole=whole) for each in group)
            return joined(defaults, CATALOGUES[language].semicolon)
        case FactChange.RENAMED | FactChange.MOVED if fact.before and fact.after:
            return _renamed(group, what, language, whole=whole)
    if fact.before and fact.after:
        values = {"before": fact.before, "after": fact.after}
        given = {
            name: Words(say.required) if value == REQUIRED else _value(value)
            for name, value in values.items()
        }
        return fill(say.changed_values, **slots, **given)
    if fact.after:
        return fill(say.changed_to, **slots, after=_value(fact.after))
    return fill(say.changed, **slots)


def _deprecated(
    group: Sequence[Fact], what: str, names: Runs, language: Language, *, whole: bool
) -> Runs:
    fact, say = group[0], CATALOGUES[language].facts
    if fact.quote:
        return fill(say.says_now, quote=Foreign(unmarked(fact.quote)))
    if len({each.after for each in group}) > 1:
        pairs = [(name, each.after or "") for each in group for name in _each(each)]
        return _pairs(pairs, say.deprecated_each, what, fact.subject, language, whole=whole)
    if fact.after:
        return fill(say.deprecated_now, what=what, names=names, now=_value(fact.after))
    return fill(say.deprecated, what=what, names=names)


def _removed(
    fact: Fact, say: FactTemplates, slots: Mapping[str, Run | Runs | str], *, alone: bool
) -> Runs:
    if fact.subject is Subject.FEATURE:
        return fill(say.refused, name=Foreign(fact.name))
    if alone and fact.after:
        return fill(say.removed_now, **slots, now=_value(fact.after))
    return fill(say.removed, **slots)


def _default(fact: Fact, language: Language, *, whole: bool) -> Runs:
    say = CATALOGUES[language].facts
    if fact.subject is Subject.FEATURE and fact.before is None:
        template = {"on": say.default_on, "off": say.default_off}.get(fact.after or "")
        return fill(template or say.default_chosen, name=Foreign(fact.name))
    after = _value(fact.after or "None")
    name = Foreign(fact.name) if fact.subject is Subject.FEATURE else _name(fact.name)
    if not whole and _is_long_expression(fact.after or ""):
        return fill(say.default_changed, name=name)
    if fact.before is None or (not whole and _is_long_expression(fact.before)):
        return fill(say.default_to, name=name, after=after)
    return fill(say.default, name=name, before=_value(fact.before), after=after)


def _requirement(group: Sequence[Fact], language: Language) -> Runs:
    """Say what is needed: `needs torch ==2.11, was ==2.10`, `needs av ==16, addict, rope ==2`.

    Nobody needs what only a new extra asks for: `new extra fast: rope ==2`.
    """
    fact, say, comma = group[0], CATALOGUES[language].facts, CATALOGUES[language].comma
    if _is_new_extra(fact):
        extras = (
            fill(
                say.new_extra,
                name=_name(each.name.removeprefix(EXTRA)),
                after=_versions(each.after or ""),
            )
            for each in group
        )
        return joined(extras, CATALOGUES[language].semicolon)
    by_bound: dict[str, list[Runs]] = {}
    for each in group:
        name = PYTHON if each.name in _PLATFORM_NAMES else each.name or PYTHON
        by_bound.setdefault(each.after or "", []).append((_name(name),))
    (*others, (after, last)) = ((bound, joined(names, comma)) for bound, names in by_bound.items())
    first = (fill(say.name_and_bound, name=name, bound=_versions(bound)) for bound, name in others)
    named = joined((*first, last), comma)
    if not after:
        return fill(say.needs_any, name=named)
    if fact.before:
        was, now = _versions(fact.before), _versions(after)
        return fill(say.needs_was, name=named, before=was, after=now)
    return fill(say.needs, name=named, after=_versions(after))


def _is_new_extra(fact: Fact) -> bool:
    return fact.change is FactChange.ADDED and fact.name.startswith(EXTRA)


def _move(fact: Fact, language: Language, *, whole: bool) -> Runs:
    say = CATALOGUES[language].facts
    before, after = _what_moved(fact, whole=whole), fact.after
    seen = Code(visible(before)) if whole else _name(before)
    if fact.change is FactChange.REMOVED:
        counted = replace(fact, names=()) if before == fact.name else fact
        return fill(say.removed, what=_noun([counted], language), names=seen)
    if fact.change is FactChange.RENAMED and after:
        owner, _, leaf = after.rpartition(".")
        now = leaf if owner == before.rpartition(".")[0] else after
        return fill(say.renamed, what=_noun([fact], language), before=seen, after=_name(now))
    if after:
        return fill(say.moved, before=seen, after=_name(after))
    return fill(say.moved_from, before=seen)


def _what_moved(fact: Fact, *, whole: bool) -> str:
    """Return what moved by its one name, several modules of a package in braces behind it."""
    before = fact.before or fact.name
    inner = [name.removeprefix(f"{before}.") for name in fact.names if name != before]
    if len(inner) < 2:
        return before
    if whole:
        return f"{before}.{{{', '.join(inner)}}}"
    # Of many modules the package alone is told only where it went with them.
    if len(inner) > MOST_MODULES and before in fact.names:
        return before
    # What stays cannot be told without what it lost: its last name leaves room for that.
    least = 0 if before in fact.names else 1
    owner = before.rpartition(".")[2] if least else before
    return _in_braces(before, inner) or _in_braces(owner, inner, least=least) or before


def _in_braces(owner: str, inner: Sequence[str], *, least: int = 0) -> str:
    """Return the names within an owner as one, as many as fit but `least` of them, or nothing."""
    few = inner[:MOST_MODULES]
    room = LONGEST_NAME - len(".{, …}")
    fit = [name for at, name in enumerate(few) if len(", ".join((owner, *few[: at + 1]))) < room]
    shown = fit or inner[:least]
    if not shown:
        return ""
    return f"{owner}.{{{', '.join(shown if len(shown) == len(inner) else (*shown, '…'))}}}"


def _noun(group: Sequence[Fact], language: Language) -> str:
    subject = group[0].subject
    if subject is None:
        return ""
    if choices := _choices_of(group):
        count = len({value for values in choices for value in values})
    else:
        count = 1 if _one_of_each(group) else sum(len(_each(fact)) for fact in group)
    return CATALOGUES[language].nouns[subject](count)


def _each(fact: Fact) -> tuple[str, ...]:
    return fact.names or (fact.name,)


def _names(group: Sequence[Fact], language: Language, *, whole: bool = False) -> Runs:
    """Return the names of facts, those of one class, function or module together.

    `SamplingParams: n, seed`. Of many the first ones, and how many more there are, but for `whole`.
    """
    if not group:
        return ()
    words = CATALOGUES[language]
    if choices := _choices_of(group):
        return _of_settings(choices, language, most=None if whole else MOST_NAMES)
    if shared := _of_functions(group, language, whole=whole):
        return shared
    by_owner: dict[str, list[tuple[str, Runs]]] = {}
    prose = group[0].kind in _PROSE
    known_names: set[str] = set()
    for fact in group:
        each = tuple(name for name in dict.fromkeys(_each(fact)) if name not in known_names)
        known_names.update(each)
        for name in each:
            known = "" if prose else _owner(name, fact.subject)
            alone = len(group) == len(each) == 1
            value = _value_told(fact, alone=alone, whole=whole) if name == each[-1] else ""
            valued = _valued(value, fact, language)
            if _shifts_others(fact):
                valued = fill(words.facts.added_before, other=_name(fact.conditions[0]))
            by_owner.setdefault(known, []).append((name, valued))
    room = len(known_names) if whole else _fitting(by_owner, MOST_NAMES)
    left = len(known_names) - room
    listed: list[Runs] = []
    is_grouped = is_of_others = False
    for owner, members in by_owner.items():
        shown = members[:room]
        room -= len(shown)
        is_of_others |= not shown
        if owner and len(shown) > 1:
            leaves = [(_name(_leaf(name, owner)), *value) for name, value in shown]
            listed.append((_name(owner), Words(words.colon), *joined(leaves, words.comma)))
            is_grouped = True
        else:
            listed += [
                ((_said(name),) if prose else (_name(name), *value)) for name, value in shown
            ]
    runs = joined(listed, words.semicolon if is_grouped else words.comma)
    if not left:
        return runs
    # What is of another module or class is none of those that the last one has.
    more = words.facts.besides(left) if is_grouped and is_of_others else words.facts.and_more(left)
    return (*runs, Words(more))


def _one_of_each(group: Sequence[Fact]) -> str:
    """Return the argument that each of several functions takes now or no more, else nothing."""
    arguments = {
        _leaf(name, _owner(name, fact.subject)) if "(" in name else ""
        for fact in group
        for name in _each(fact)
    }
    is_one = len(arguments) == 1 and len(group) > 1
    alike = len({(fact.after, fact.conditions) for fact in group}) == 1
    is_argument = group[0].subject is Subject.API_ARGUMENT
    return arguments.pop() if is_argument and is_one and alike else ""


def _of_functions(group: Sequence[Fact], language: Language, *, whole: bool) -> Runs:
    """Say an argument of several functions once: `out (before hot) of fill, drain`."""
    argument = _one_of_each(group)
    if not argument:
        return ()
    words, fact = CATALOGUES[language], group[0]
    functions = dict.fromkeys(_owner(name, one.subject) for one in group for name in _each(one))
    valued = _valued(_value_told(fact, alone=True, whole=whole), fact, language)
    if _shifts_others(fact):
        valued = fill(words.facts.added_before, other=_name(fact.conditions[0]))
    few = list(functions)[: None if whole else MOST_NAMES]
    names = joined(((_name(one),) for one in few), words.comma)
    left = len(functions) - len(few)
    more = (Words(words.facts.and_more(left)),) if left else ()
    arguments = (_name(argument), *valued)
    return fill(words.facts.arguments_of, arguments=arguments, functions=(*names, *more))


def _renamed(group: Sequence[Fact], what: str, language: Language, *, whole: bool) -> Runs:
    """Say what things are called now: `public names renamed: door: sync → lock, vote → ask`."""
    say, subject = CATALOGUES[language].facts, group[0].subject
    pairs = [(fact.before or "", fact.after or "") for fact in group]
    if len(pairs) == 1:
        before, after = pairs[0]
        now = after if "(" in after else _leaf(after, _shared_owner(pairs, subject))
        return fill(say.renamed, what=what, before=_name(before), after=_name(now))
    return _pairs(pairs, say.renamed_each, what, subject, language, whole=whole)


def _pairs(
    pairs: Sequence[tuple[str, str]],
    template: str,
    what: str,
    subject: Subject | None,
    language: Language,
    *,
    whole: bool,
) -> Runs:
    """Say of several names what takes the place of each, their one owner once."""
    words, owner = CATALOGUES[language], _shared_owner(pairs, subject)
    shown = pairs if whole else pairs[:MOST_NAMES]
    listed = joined((_both_names(*pair, owner, subject) for pair in shown), words.comma)
    names = (_name(owner), Words(words.colon), *listed) if owner else listed
    left = len(pairs) - len(shown)
    more = (Words(words.facts.and_more(left)),) if left else ()
    return (*fill(template, what=what, names=names), *more)


def _both_names(before: str, after: str, owner: str, subject: Subject | None) -> Runs:
    """Say a name before and after; of an argument within its function: `gemm(out → d)`."""
    function = _owner(before, subject)
    if not owner and "(" in before and function == _owner(after, subject) != "":
        old, new = _leaf(before, function), _leaf(after, function)
        return (Code(f"{visible(function)}({visible(old)}{ARROW}{visible(new)})"),)
    return (_name(_leaf(before, owner)), Words(ARROW), _name(_leaf(after, owner)))


def _shared_owner(pairs: Iterable[tuple[str, str]], subject: Subject | None) -> str:
    """Return the one module, class or function of all names before and after, else nothing."""
    owners = {_owner(name, subject) for pair in pairs for name in pair}
    return owners.pop() if len(owners) == 1 else ""


def _fitting(by_owner: Mapping[str, Sequence[tuple[str, Runs]]], most: int) -> int:
    """Return how many names fit into a statement: the first one always does.

    The last one is told by its name, where that is short: to count it is hardly shorter.
    """
    total = sum(map(len, by_owner.values()))
    count = characters = 0
    for owner, members in by_owner.items():
        characters += len(owner)
        for name, _ in members:
            characters += len(_leaf(name, owner) if owner else name) + len(", ")
            if count and (characters > MOST_CHARACTERS or count == most):
                is_short = characters <= MOST_CHARACTERS + A_NAME_MORE
                return count + (is_short and count == total - 1)
            count += 1
    return count


def _value_told(fact: Fact, *, alone: bool, whole: bool) -> str:
    """Return the value that a choice is, or what is worth saying of that of something new."""
    value = fact.after or ""
    is_new = fact.change is FactChange.ADDED and fact.kind is FactKind.INTERFACE
    is_inner = not whole and value.startswith("_") and value.isidentifier()
    if not is_new or is_inner or _is_there_again(fact) or value in (*EMPTY, "", *_each(fact)):
        return ""
    if " | " in value:
        return value  # what can be chosen by now is the news itself
    if fact.subject in _SWITCHES and _ON.fullmatch(value):
        return value  # it acts on everybody who upgrades
    if _is_long_expression(value) and not whole:
        return ""
    says = not _SAYS_NOTHING.fullmatch(value) or _NUMBER.fullmatch(value)
    is_opt_in = fact.subject in _SET and _OFF.fullmatch(value)
    return value if alone and (says or is_opt_in) else ""


def _is_long_expression(value: str) -> bool:
    """Tell whether a default is code to be worked out: it is no value that a line can tell."""
    return (
        len(value) > LONGEST_EXPRESSION and _WORKED_OUT.search(_STRINGS.sub("", value)) is not None
    )


def _choices_of(group: Sequence[Fact]) -> dict[tuple[str, ...], list[str]]:
    """Return which values several settings take now, or no more, with these settings.

    Nothing where a fact is about something else, or tells no value.
    """
    values: dict[str, list[str]] = {}
    for fact in group:
        value = fact.before if fact.change is FactChange.REMOVED else fact.after
        if fact.subject is not Subject.CHOICE or fact.change not in _MERGED or not value:
            return {}
        for name in _each(fact):
            values.setdefault(name, []).append(value)
    settings: dict[tuple[str, ...], list[str]] = {}
    for name, each in values.items():
        settings.setdefault(tuple(dict.fromkeys(each)), []).append(name)
    return settings


def _of_settings(
    choices: Mapping[tuple[str, ...], Sequence[str]], language: Language, *, most: int | None
) -> Runs:
    """Say of which settings values are: `auto-round of --quantization, --draft-quantization`."""
    words = CATALOGUES[language]

    def some(names: Sequence[str], draw: Callable[[str], Code]) -> Runs:
        runs = joined(((draw(name),) for name in names[:most]), words.comma)
        left = len(names[most:]) if most else 0
        return (*runs, Words(words.facts.and_more(left))) if left else runs

    each = (
        fill(words.facts.choices_of, values=some(values, _value), names=some(settings, _name))
        for values, settings in choices.items()
    )
    return joined(each, words.semicolon)


def _valued(value: str, fact: Fact, language: Language) -> Runs:
    if not value:
        return ()
    say = CATALOGUES[language].facts
    template = say.added_choices if " | " in value else say.added_default
    return fill(template, value=_value(value))


def _owner(name: str, subject: Subject | None) -> str:
    """Return the function of an argument (`gemm(out)`), the class of its member, else nothing.

    Of a public name or a setting it is the module or the part that it is of.
    """
    function, opened, argument = name.partition("(")
    if opened and argument[:-1].isidentifier() and argument.endswith(")"):
        return function
    owner, dot, leaf = name.rpartition(".")
    is_part = owner[:1].isupper() or subject in _OF_PARTS
    return owner if dot and is_part and leaf else ""


def _leaf(name: str, owner: str) -> str:
    return name.removeprefix(owner).removeprefix(".").strip("()") if owner else name


def _said(name: str) -> Run:
    """Return a name of prose as its author spells it; a class of the program's stays code."""
    return _name(name) if _MODEL_CLASS.fullmatch(name) else Foreign(name)


def _name(name: str) -> Code:
    seen = visible(name)
    return Code(seen if len(seen) <= LONGEST_NAME else f"{seen[: LONGEST_NAME - 1]}…")


def _value(value: str) -> Code:
    """Return a value as code; a whole SHA as git abbreviates it."""
    seen = abbreviated(visible(value))
    return Code(seen if len(seen) <= LONGEST_VALUE else f"{seen[: LONGEST_VALUE - 1]}…")


def _versions(value: str) -> Code:
    """Return which versions do, with what is left out of them where that is not too long.

    Of a longer list, as of what an extra needs, the first ones are told whole. A space behind each
    lets a line end there.
    """
    seen = re.sub(r",\s*", ", ", visible(value))
    if len(seen) > LONGEST_VERSIONS:
        bounds = ", ".join(one for one in seen.split(", ") if "!=" not in one)
        if len(bounds) > (room := LONGEST_VALUE - len(", …")):
            bounds = bounds[:room].rpartition(", ")[0] or bounds
        return _value(f"{bounds}, …")
    return Code(seen) if "," in seen else _value(seen)


MOST_NOVEL = 3
"""Names of one change among what is new; its own line has all."""
MOST_COUNTED = 2
"""Names of a change that is counted among others."""


def named_as_new(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return what of a change's additions is told by name: what it supports, else one setting.

    Of support that is only inferred, and of several settings, its title says better what it is.
    """
    support = [fact for fact in facts if fact.kind is FactKind.SUPPORT and not fact.inferred]
    if support:
        return tuple(support[:MOST_NOVEL])
    settings = [fact for fact in facts if fact.kind is FactKind.INTERFACE]
    return tuple(settings) if sum(len(_each(fact)) for fact in settings) == 1 else ()


def novelty(facts: Sequence[Fact], language: Language, *, whole: bool = False) -> Runs:
    """Return what is `named_as_new`, by kind and name, in one line; what is inferred is marked."""
    if not facts or facts[0].kind is FactKind.SUPPORT:
        return joined(fact_runs(facts, language, whole=whole), CATALOGUES[language].comma)
    named = _names(facts, language, whole=whole)
    what = _noun(facts, language)
    supported = fill(CATALOGUES[language].facts.supported, what=what, names=named)
    return (*supported, *_where(facts[0], language), *_mark(facts[0], language))


def names(facts: Sequence[Fact], language: Language, *, count: bool = True) -> Runs:
    """Return the names that facts are about, each once and short; of many how many more there are.

    Without `count`, whole names, and only that there are more.
    """
    unique = list(dict.fromkeys(name for fact in facts for name in _each(fact) if name))
    if count and len({*map(_end, unique)}) == len(unique):
        unique = list(map(_end, unique))
    words = CATALOGUES[language]
    most = MOST_COUNTED if count else MOST_NAMES
    room = _fitting({"": [(name, ()) for name in unique]}, most)
    runs = joined(((_name(name),) for name in unique[:room]), words.comma)
    more = words.facts.and_more(len(unique) - room) if count else words.comma + "…"
    return (*runs, Words(more)) if room < len(unique) else runs


_LONG_PATH = re.compile(r"(?:[A-Za-z_]\w*\.){2,}([A-Za-z_]\w*\.[A-Za-z_]\w*)")


def _end(name: str) -> str:
    """Return the two last names of a long dotted one, which tell it from the others."""
    found = _LONG_PATH.fullmatch(name)
    return found[1] if found else name
