"""What every language has to be able to say of facts and stories.

No field has a default, so a phrase that a language lacks is a type error. Templates have `{slots}`
that `digest.writing.phrasing.fill` fills with names and values from the source; a phrase with a
number is a function, because each language has its own plural.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from digest.facts import Subject, Symptom

Counted: TypeAlias = Callable[[int], str]
"""Says a number with its noun."""


@dataclass(frozen=True, slots=True)
class FactTemplates:
    """One statement of a fact. `{what}` is the noun, `{names}` are one or several names.

    A template that ends in `_now` is for a fact that knows the replacement, one in `_values` for
    a fact that knows both sides.
    """

    added: str
    added_choices: str
    added_default: str
    removed: str
    removed_now: str
    renamed: str
    default: str
    default_to: str
    default_on: str
    default_off: str
    default_chosen: str
    changed: str
    changed_to: str
    changed_values: str
    deprecated: str
    deprecated_now: str
    moved: str
    moved_from: str
    needs: str
    needs_any: str
    needs_was: str
    no_longer_needs: str
    supported: str
    no_longer_supported: str
    faster: str
    whom: str
    only: str


@dataclass(frozen=True, slots=True)
class StoryWords:
    """What is said of a story beside its name."""

    mostly: str
    story: str
    stories: str
    size: Counted
    by: str
    others: Counted
    parts: str
    complete: str
    began: str
    earlier: Counted


@dataclass(frozen=True, slots=True)
class PageWords:
    """Headings and counted ends of lists on a page that stands on facts."""

    bitten: str
    new: str
    also: str
    foremost: Counted
    fixed: str
    added: str
    changed: str
    more: str
    show: str
    prereleases: str
    whole: str
    rest: Mapping[str, str]
    in_short: str
    in_short_fixed: str
    in_short_new: str
    counted: str


@dataclass(frozen=True, slots=True)
class FactWords:
    """All phrases of one language about facts and stories.

    `nouns` name what a fact is about, for a number of names. `symptoms` say what was seen by who
    was hit, `cases` count such symptoms.
    """

    nouns: Mapping[Subject, Callable[[int], str]]
    symptoms: Mapping[Symptom, str]
    cases: Mapping[Symptom, Counted]
    facts: FactTemplates
    stories: StoryWords
    page: PageWords
