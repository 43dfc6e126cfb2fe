"""What could not be looked at: told as such, never as a quiet day."""

from dataclasses import dataclass

from digest.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Gap:
    """What could not be looked at, and why: two short facts, never a quiet day.

    `what` is one of the words of `GAP_WORDS`; `why` is one clear sentence.
    A `lasting` one cannot heal (git holds no issues): asking again would not help.
    """

    what: str
    why: Phrase
    lasting: bool = False


GAP_WORDS = (
    "commits",
    "pull_requests",
    "issues",
    "releases",
    "files",
    "patches",
    "contents",
    "partly",
    "everything",
)
