"""One question with its answer, as it is kept (pure)."""

from dataclasses import dataclass
from datetime import datetime

from digest.ports import Request


@dataclass(frozen=True, slots=True)
class Kept:
    """One question with its answer, cost and time (UTC).

    `unusable` says why nothing could be made of an answer that was cut, empty or declined; its
    text is then empty.
    """

    request: Request
    model: str
    text: str
    input_tokens: int
    output_tokens: int
    asked_at: datetime
    unusable: str = ""
