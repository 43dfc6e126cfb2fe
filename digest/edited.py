"""What a model adds to a digest or a change, and how far its answers came.

A model fills in facts (`digest.facts.Fact.by`), picks, translates (`digest.models.Sentence`) and
edits. What it edits are remarks: sentences of its own, always shown as the model's.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.languages import Text


class RemarkKind(StrEnum):
    """What a remark is for: the paragraph of a digest, or the reading of one change."""

    LEAD = "lead"
    INSIGHT = "insight"
    RISK = "risk"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence of a model's, in the languages in which it passed its checks.

    `cites` are the keys of the items that it is about. `quote` are the words of its item that it
    rests on, copied exactly, from `path` at `line` where they are of a diff; only what is missing
    may have none.
    """

    kind: RemarkKind
    text: Text
    cites: tuple[str, ...]
    quote: str = ""
    path: str = ""
    line: int | None = None


class ModelOutcome(StrEnum):
    """How far the model's answers came; anything but `COMPLETE` is told in the footer."""

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
    """What a model had to do with a digest or a change.

    `asked` counts questions, `unanswered` those without an answer that could be used, `told` what
    of the answers stands, `dropped` what did not pass its check. `why` says in a few words what
    went wrong, empty where nothing did; `trouble` is its class, for the footer. `checker` is the
    model that read the sentences a second time.
    """

    model: str
    outcome: ModelOutcome
    asked: int = 0
    told: int = 0
    dropped: int = 0
    why: str = ""
    unanswered: int = 0
    trouble: Trouble | None = None
    checker: str = ""

    @property
    def is_failure(self) -> bool:
        """Whether questions got no answer, or nothing of the answers could be used."""
        if not self.asked:
            return False
        return self.outcome is not ModelOutcome.COMPLETE or (self.dropped > 0 and not self.told)

    @property
    def found_no_time(self) -> bool:
        """Whether nothing was asked, as who asked had waited long enough for other answers."""
        return self.outcome is ModelOutcome.LATE and not self.asked


@dataclass(frozen=True, slots=True)
class ModelFailure:
    """What a model last failed at, and when; moments are UTC.

    Its server is not asked before `paused_until`, None where it is not left alone.
    """

    use: ModelUse
    at: datetime
    paused_until: datetime | None = None
