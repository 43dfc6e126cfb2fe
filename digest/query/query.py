"""What a question in plain words asks for, and what was found for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from digest.edited import ModelUse, Remark
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.models import ReadItem, Repo, Window
from digest.search_words import as_written


class About(StrEnum):
    """What kind of fact is asked for, closed: each is told by fields of a fact."""

    BROKE = "broke"
    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"
    SLOW = "slow"
    SECURITY = "security"
    BREAKING = "breaking"
    REMOVED = "removed"
    RENAMED = "renamed"
    DEPRECATED = "deprecated"
    DEFAULT = "default"
    ADDED = "added"
    REVERTED = "reverted"
    RELEASED = "released"
    SPEED = "speed"
    FLAG = "flag"
    ENV = "env"
    API = "api"
    REQUIREMENT = "requirement"
    MODEL = "model"
    HARDWARE = "hardware"


def _seen(*symptoms: Symptom) -> Callable[[Fact], bool]:
    return lambda fact: fact.symptom in symptoms


def _done(change: FactChange) -> Callable[[Fact], bool]:
    return lambda fact: fact.change is change and fact.kind is not FactKind.BITE


def _supported(subject: Subject) -> Callable[[Fact], bool]:
    return lambda fact: fact.kind is FactKind.SUPPORT and fact.subject is subject


def _of(*subjects: Subject) -> Callable[[Fact], bool]:
    return lambda fact: fact.subject in subjects


SUBJECTS: Mapping[About, Callable[[Fact], bool]] = {
    About.FLAG: _of(Subject.FLAG, Subject.CHOICE),
    About.ENV: _of(Subject.ENV),
    About.API: _of(
        *(Subject.API_NAME, Subject.API_ARGUMENT, Subject.PROTOCOL),
        *(Subject.ENDPOINT, Subject.REQUEST_FIELD),
    ),
    About.REQUIREMENT: lambda fact: fact.kind is FactKind.REQUIREMENT,
    About.MODEL: _supported(Subject.MODEL),
    About.HARDWARE: _supported(Subject.HARDWARE),
}
"""Kinds that say what a fact is about; the others say what happened."""

HAPPENED: Mapping[About, Callable[[Fact], bool]] = {
    About.BROKE: lambda fact: fact.kind is FactKind.BITE,
    About.CRASH: _seen(Symptom.CRASH, Symptom.CANNOT_START),
    About.HANG: _seen(Symptom.HANG),
    About.MEMORY: _seen(Symptom.MEMORY_LEAK, Symptom.OUT_OF_MEMORY),
    About.SLOW: _seen(Symptom.SLOW),
    About.SECURITY: _seen(Symptom.SECURITY),
    About.BREAKING: lambda fact: fact.must_act,
    About.REMOVED: _done(FactChange.REMOVED),
    About.RENAMED: _done(FactChange.RENAMED),
    About.DEPRECATED: _done(FactChange.DEPRECATED),
    About.DEFAULT: _done(FactChange.DEFAULT),
    About.ADDED: _done(FactChange.ADDED),
    About.REVERTED: lambda fact: fact.kind is FactKind.REVERT,
    About.RELEASED: lambda fact: fact.kind is FactKind.RELEASE,
    About.SPEED: lambda fact: fact.kind is FactKind.SPEED,
}

_COME_OR_GO = frozenset({About.ADDED, About.REMOVED})


def is_about(fact: Fact, kinds: frozenset[About]) -> bool:
    """Tell whether a fact is of one of the kinds that happened, and of one of the subjects.

    A value that a flag takes, or takes no more, is no flag that came or went.
    """
    if fact.subject is Subject.CHOICE and About.FLAG in kinds and kinds & _COME_OR_GO:
        return False
    happened = [HAPPENED[kind] for kind in kinds if kind in HAPPENED]
    subjects = [SUBJECTS[kind] for kind in kinds if kind in SUBJECTS]
    return all(any(fits(fact) for fits in some) for some in (happened, subjects) if some)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the program asks it of what is stored.

    `words` are looked for in facts, stories, titles and paths, in lower case; no `kinds` is any,
    and `kind_words` are the words that named them. `also` are other spellings of a word: one is
    enough. `by` is `rules`, or the name of the model that read the question.
    """

    question: str
    repos: tuple[Repo, ...]
    window: Window
    kinds: frozenset[About] = frozenset()
    words: tuple[str, ...] = ()
    kind_words: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by: str = "rules"
    names_time: bool = False

    @property
    def text(self) -> str:
        """Give the words as people write them."""
        return " ".join(map(as_written, self.words))


@dataclass(frozen=True, slots=True)
class Hit:
    """One item that was found, with its facts, those that were asked for first."""

    read: ReadItem
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Unstored:
    """What is not stored of a repository: days of which nothing is, and those told with gaps.

    `without` is what all of these lack alike and whole, as `Gap.what` names it: what their source
    does not hold.
    `nothing` is true where no day of the range is stored.
    """

    repo: Repo
    days: tuple[date, ...]
    incomplete: tuple[date, ...] = ()
    without: tuple[str, ...] = ()
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, best first; `total` counts also what is not among `hits`.

    `without` are words that nothing holds, `kindless` tells that nothing of the kinds was found,
    so that what holds the words is told instead. `remarks` are a model's sentences.
    """

    query: Query
    hits: tuple[Hit, ...]
    total: int = 0
    without: tuple[str, ...] = ()
    kindless: bool = False
    unstored: tuple[Unstored, ...] = ()
    remarks: tuple[Remark, ...] = ()
    model: ModelUse | None = None

    @property
    def is_blind(self) -> bool:
        """Tell whether nothing could be looked at: no day of any repository is stored."""
        nothing = [each for each in self.unstored if each.nothing]
        return not self.hits and len(nothing) == len(self.query.repos)
