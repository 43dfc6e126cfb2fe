"""One question to a model and what became of the answer, for whoever asks why (pure)."""

from dataclasses import dataclass
from datetime import datetime

from digest.grounding.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model about an item, with its cost and what became of the answer.

    `task` and `version` name the prompt. `verdicts` judge its sentences as they would be judged
    now, by the rules and by the second reading that they had; they are empty for a question about
    several items, and where `unread` says why the answer could not be read. `changed` tells that
    the item, as far as it is stored, is no longer what the model saw, so that the same answer may
    be judged otherwise than it was. `stated` has a line for each sentence that was read a second
    time: its number, whether it is stated, and on what words.
    """

    task: str
    version: str
    model: str
    asked_at: datetime
    input_tokens: int
    output_tokens: int
    verdicts: tuple[Verdict, ...] = ()
    unread: str = ""
    items: int = 1
    changed: bool = False
    stated: tuple[str, ...] = ()
