"""What is known of a change, as small typed records: the one thing that all the rest stands on.

Ranking, stories, pages, chat, JSON, a model and a channel's concern read facts, never titles. A
fact has no free text: its kind, its names and its values are rendered by a template in each
language. Rules make facts, a model may add to them; `by` says who did, and `inferred` whether the
source states it or only suggests it. Each carries the evidence that can be shown for it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias


class FactKind(StrEnum):
    """What sort of thing is known."""

    INTERFACE = "interface"
    REQUIREMENT = "requirement"
    BITE = "bite"
    SUPPORT = "support"
    SPEED = "speed"
    MOVE = "move"
    REVERT = "revert"
    RELEASE = "release"


class Subject(StrEnum):
    """What a fact is about: a part of an interface, a requirement, something supported."""

    FLAG = "flag"
    ENV = "env"
    CHOICE = "choice"
    REQUEST_FIELD = "request_field"
    RESPONSE_FIELD = "response_field"
    CONFIG_FIELD = "config_field"
    API_NAME = "api_name"
    API_ARGUMENT = "api_argument"
    ENDPOINT = "endpoint"
    METRIC = "metric"
    PROTOCOL = "protocol"
    DEPENDENCY = "dependency"
    PLATFORM = "platform"
    MODEL = "model"
    HARDWARE = "hardware"
    BACKEND = "backend"
    QUANTIZATION = "quantization"
    FEATURE = "feature"
    MODULE = "module"


class FactChange(StrEnum):
    """What happened to it.

    `DEFAULT` is a changed default (of a flag, variable, field or argument), `CHANGED` any other
    change of what stays (a type, a meaning, a pin that is neither raised nor lowered). Of a bite,
    `FIXED` is told of the change that mends it and of an issue that was closed as done, `REPORTED`
    of any other issue.
    """

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    DEFAULT = "default"
    CHANGED = "changed"
    RAISED = "raised"
    LOWERED = "lowered"
    DEPRECATED = "deprecated"
    MOVED = "moved"
    FIXED = "fixed"
    REPORTED = "reported"
    REVERTED = "reverted"
    RELEASED = "released"


class Symptom(StrEnum):
    """What somebody who was hit has seen.

    `BROKEN` is told where a fix is sure and no text says what was seen: a symptom is a claim.
    """

    WRONG_OUTPUT = "wrong output"
    CRASH = "crash"
    HANG = "hang"
    MEMORY_LEAK = "memory leak"
    OUT_OF_MEMORY = "out of memory"
    CANNOT_START = "cannot start"
    BAD_ANSWER = "bad API answer"
    SLOW = "slow"
    DATA_LOSS = "data loss"
    SECURITY = "security"
    BUILD_FAILS = "build fails"
    BROKEN = "broken"


Side: TypeAlias = Literal["+", "-", ""]
"""The added or the removed side of a diff; empty where the evidence is no line of a diff."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact stands, so that it can be shown and opened.

    `source` is `diff` (then `path`, `line` in the new file for `+`, in the old one for `-`, and
    `side`), `title`, `body`, `changelog`, `issue` (then `item` is that issue's key) or `history`.
    `quote` is copied from there exactly: a stranger's text, not escaped.
    """

    source: Literal["diff", "title", "body", "changelog", "issue", "history"]
    quote: str
    path: str = ""
    line: int | None = None
    side: Side = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing known of one item.

    `item` is the key of the item that made it. `name` is what it is about as the user writes it
    (`--max-num-seqs`, `VLLM_USE_V1`, `SamplingParams.n`, `torch`); several names in `names` where
    one fact is about several (`name` is then the first, or their common prefix). `before` and
    `after` are values as the source writes them; of a rename the old and the new name; `after` of
    an added public name is what to use instead, where it came deprecated.
    `symptom` is set on bites; `name` of a bite is the change of the day that brought the fault,
    where one did. `who` are models, hardware, features and settings that are hit or
    meant, as the source writes them. `conditions` are what else must hold (`TP > 1`), of
    a new name in another unit both defaults (`4 → 4096`), of a new argument the one that it shifts.
    `quote` is the author's sentence on a measured speed, or the program's own new message.
    `must_act` says that somebody who upgrades and does nothing is hit. `seconds` is how long a
    reverted change was in.
    `by` is `rules`, or the name of the model that filled it in.
    """

    kind: FactKind
    item: str
    change: FactChange
    subject: Subject | None = None
    name: str = ""
    names: tuple[str, ...] = ()
    before: str | None = None
    after: str | None = None
    symptom: Symptom | None = None
    who: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    quote: str = ""
    evidence: tuple[Evidence, ...] = ()
    inferred: bool = False
    must_act: bool = False
    seconds: int | None = None
    by: str = "rules"


@dataclass(frozen=True, slots=True)
class Story:
    """Changes that belong together, over days.

    `key` is stable while the story lives (made of its tracker, series or first member). `name` is
    the tracker's title, the series' stem, or words that its members share: never invented.
    `items` are the members' keys within the window, `earlier` those told before it. `part` and
    `of` are of a series mark (`6, 7` of `7`), empty and None without one. `authors` are who did
    it, most active first. `since` is the ISO date of the first known member, in the
    zone in which it was told.
    `reasons` name the evidence that joined them (`tracker #29630`, `series`, `same author`). `by`
    says who joined them, or the last of them: `rules` or a model's name.
    """

    key: str
    name: str
    items: tuple[str, ...]
    earlier: tuple[str, ...] = ()
    part: tuple[int, ...] = ()
    of: int | None = None
    authors: tuple[str, ...] = ()
    since: str = ""
    reasons: tuple[str, ...] = ()
    by: str = "rules"
