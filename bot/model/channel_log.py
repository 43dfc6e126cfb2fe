"""What happened to a channel lately: who changed what, and what came of each delivery."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from digest.phrase import NOTHING, Phrase

KEPT = 100
"""Entries of a channel; an older one goes when one is added."""


class LogKind(StrEnum):
    """What an entry is of; its stored name, so never rename one."""

    CHANGED = "changed"
    TOLD = "told"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened.

    `who` is the name of who changed the channel, empty for a delivery. `what` is what the channel
    gets since, or which date was told, `why` the reason for which it was not.
    """

    at: datetime
    kind: LogKind
    what: str = ""
    who: str = ""
    why: Phrase = NOTHING
