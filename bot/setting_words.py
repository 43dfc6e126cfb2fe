"""How people write a channel's settings: times, zones, days, what to leave out and to follow.

Chat, Discord's options and Slack's form read the same words. Every reader raises `UsageError` of
one line with the nearest right example.
"""

from datetime import time
from enum import StrEnum

from digest.models import Language

LEFT_OUT = ("bots", "ci", "docs")
"""What a channel can leave out."""


class Quiet(StrEnum):
    """What a quiet day is told by: one line, or nothing at all."""

    LINE = "line"
    NOTHING = "nothing"


def read_at(text: str) -> time:
    """Read a time of day: `09:00`, `9`, `9:30pm`."""
    raise NotImplementedError


def read_zone(text: str) -> str:
    """Read the name of a zone in any case and give it as IANA writes it."""
    raise NotImplementedError


def read_days(text: str) -> tuple[frozenset[int], bool]:
    """Read `daily`, `weekdays`, `weekly`, `mon,wed` or `mon-fri`; the flag tells `weekly`."""
    raise NotImplementedError


def read_language(text: str) -> Language:
    """Read `en` or `zh`."""
    raise NotImplementedError


def read_without(text: str) -> frozenset[str]:
    """Read words of `LEFT_OUT`; `nothing` gives none."""
    raise NotImplementedError


def read_paths(text: str) -> tuple[str, ...]:
    """Read globs; `all` gives none."""
    raise NotImplementedError


def read_topics(text: str) -> tuple[str, ...]:
    """Read words in lower case; `all` gives none."""
    raise NotImplementedError


def read_quiet(text: str) -> Quiet:
    """Read `line` or `nothing`."""
    raise NotImplementedError
