"""What every language has to be able to say.

No field has a default, so a phrase that a language lacks is a type error. Phrases with a number
are functions, because each language has its own plural. Phrases around other runs (a title, a
link) are templates with `{names}`, filled by `digest.writing.phrasing.fill`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.models import Kind, NoticeKind, State
from digest.phrase import Phrase

Counted: TypeAlias = Callable[[int], str]
"""Says a number with its noun."""


@dataclass(frozen=True, slots=True)
class Counting:
    """Numbers with their nouns; `duration` takes seconds."""

    changes: Counted
    commits: Counted
    importance: Mapping[Importance, Counted]
    reverted: Counted
    opened: Counted
    closed: Counted
    reopened: Counted
    issues: Counted
    releases: Counted
    notes: Counted
    files: Counted
    comments: Counted
    reactions: Counted
    lines: Counted
    further_lines: Counted
    points: Counted
    found: Counted
    duration: Counted


@dataclass(frozen=True, slots=True)
class Headings:
    """Titles of pages, sections and columns."""

    before_upgrade: str
    notes: str
    reverted: str
    high: str
    issues: str
    releases: str
    rest: str
    facts: str
    files: str
    hunks: str
    related: str
    reverts: str
    roundup: str
    between: str
    search: str
    why: str
    asked: str
    file_columns: tuple[str, str, str]
    reason_columns: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Templates and whole sentences."""

    quiet: str
    no_changes: str
    none_above: str
    could_not_look: str
    looked_in_part: str
    not_looked_at: str
    gap: str
    so_many_unseen: str
    notice: Mapping[NoticeKind, str]
    quiet_repos: str
    failed_repo: str
    before_upgrade: str
    reverted_after: str
    reverted: str
    taken_back: str
    taken_back_after: str
    takes_back: str
    takes_back_after: str
    why: str
    author: str
    own_words: str
    size: str
    size_lines: str
    files_unread: str
    linked_change: str
    fixes: str
    duplicate_of: str
    labels: str
    same_as: str
    now_needs: str
    no_longer_needs: str
    released_here: str
    series: str
    score: str
    merged_by: str
    milestone: str
    detail_missing: str
    no_patch: str
    pure_renames: str
    renamed: str
    nothing_found: str
    inferred: str
    untitled: str
    tokens: str
    with_others: str
    unread: str
    said_nothing: str
    filled_in: str


@dataclass(frozen=True, slots=True)
class SmallPrint:
    """What stands at the foot of every page."""

    window: str
    partial: str
    source: str
    no_ai: str
    no_ai_briefly: str
    no_ai_because: str
    nothing_why: str
    with_ai: str
    with_ai_briefly: str
    late: str
    over_budget: str
    failed: str
    dropped: Counted
    unanswered: Counted


@dataclass(frozen=True, slots=True)
class Names:
    """Single words for what the models call by a key."""

    kinds: Mapping[Kind, str]
    purposes: Mapping[Purpose, str]
    objects: Mapping[ChangeObject, str]
    importance: Mapping[Importance, str]
    states: Mapping[State, str]
    noise: Mapping[Noise, str]
    low: str
    gaps: Mapping[str, str]
    details: Mapping[str, str]
    statuses: Mapping[str, str]
    reasons: Mapping[str, str]
    tasks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All phrases of one language; the joints are the marks between statements.

    `comma` stands between words of a list, `pause` between parts of a sentence. `cause` says
    without a full stop why something could not be looked at.
    """

    comma: str
    pause: str
    semicolon: str
    colon: str
    stop: str
    gap: str
    cause: Callable[[Phrase], str]
    count: Counting
    headings: Headings
    say: Sentences
    small: SmallPrint
    names: Names

    def reason(self, key: str) -> str:
        """Name a reason of importance in words; the base of a score is named for the purpose."""
        if key in self.names.reasons:
            return self.names.reasons[key]
        base = next((purpose for purpose in Purpose if purpose.value == key), None)
        return key.replace("_", " ") if base is None else self.names.purposes[base]
