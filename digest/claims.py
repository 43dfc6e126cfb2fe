"""What a model says, before and after it was proven.

A model chooses and phrases; it supplies no fact. It answers with drafts, each with a piece of the
source copied exactly. Grounding turns a draft into a claim or drops it; only claims are told.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from digest.languages import Text


class ClaimKind(StrEnum):
    """What a claim is about; those after `ACTION` belong to the analysis of one change."""

    WHAT = "what"
    WHY = "why"
    IMPACT = "impact"
    ACTION = "action"
    ARCHITECTURE = "architecture"
    PERFORMANCE = "performance"
    SECURITY = "security"
    MAINTAINABILITY = "maintainability"
    COMPATIBILITY = "compatibility"
    TEST = "test"
    BENCHMARK = "benchmark"
    RISK = "risk"
    FOR_DEVELOPERS = "for_developers"
    FOR_USERS = "for_users"
    FOR_MAINTAINERS = "for_maintainers"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Draft:
    """One sentence as a model gave it: nothing of it is believed.

    `quote` is what the model says it copied, from `quote_from`: `title`, `body`, or a hunk's id
    (`h3`). `cites` are item keys; a draft about one item has one.
    """

    kind: ClaimKind
    quote: str
    quote_from: str
    text: Text
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One proven sentence, in the languages in which it passed every check.

    `cites` are the keys of the items that prove it: one for the gloss of an item, two or more for
    the sentence of a theme, whose name `theme` then holds (`theme.attention`).
    """

    kind: ClaimKind
    quote: str
    quote_from: str
    text: Text
    cites: tuple[str, ...]
    theme: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a draft was not believed: the check, the language (empty for all), what it found."""

    check: str
    language: str
    found: str


class ModelOutcome(StrEnum):
    """How far the model's words came; anything but `COMPLETE` is told in the footer."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    LATE = "late"
    OVER_BUDGET = "over_budget"
    FAILED = "failed"


class Trouble(StrEnum):
    """Why a model gave no answer, as a class that names no host and holds no secret."""

    SETTINGS = "settings"
    KEY = "key"
    ACCESS = "access"
    UNKNOWN_MODEL = "unknown_model"
    ADDRESS = "address"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CERTIFICATE = "certificate"
    QUOTA = "quota"
    BUSY = "busy"
    BROKEN = "broken"
    REFUSED = "refused"
    UNREADABLE = "unreadable"
    TOO_LONG = "too_long"
    UNCOUNTED = "uncounted"


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a model had to do with a digest.

    `asked` counts items and themes it was asked about, `claims` what was proven, `dropped` what
    was not, `unanswered` items and themes without an answer. `why` says in a few words what went
    wrong, empty where nothing did; `trouble` is its class, for the footer. `verifier` is the
    version of the rules that proved the claims.
    """

    model: str
    outcome: ModelOutcome
    asked: int = 0
    claims: int = 0
    dropped: int = 0
    why: str = field(default="")
    unanswered: int = 0
    verifier: str = ""
    trouble: Trouble | None = None
