"""How an item is classified and graded: the words that a reading judges with."""

from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    """Why a change was made: the first axis of its type."""

    FEATURE = "feat"
    FIX = "fix"
    PERFORMANCE = "perf"
    REFACTOR = "refactor"
    REVERT = "revert"
    CHORE = "chore"
    RELEASE = "release"
    BUG_REPORT = "bug"
    REQUEST = "request"
    QUESTION = "question"
    RFC = "rfc"
    OTHER = "other"


class ChangeObject(StrEnum):
    """What a change touches: the second axis of its type."""

    SOURCE = "source"
    KERNEL = "kernel"
    TEST = "test"
    DOCS = "docs"
    CI = "ci"
    BUILD = "build"
    DEPENDENCY = "dependency"
    EXAMPLE = "example"
    BENCHMARK = "benchmark"
    OTHER = "other"


class Importance(StrEnum):
    """How much an item matters, few being high by construction."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Noise(StrEnum):
    """Why an item may be told by count alone."""

    BOT = "bot"
    CI = "ci"
    DOCS = "docs"
    TESTS = "tests"
    DEPENDENCY = "dependency"
    SYNC = "sync"
    STYLE = "style"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Reason:
    """A named reason of a score, with its points (negative ones lower it)."""

    name: str
    points: int
