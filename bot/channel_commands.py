"""What a channel can be told beside reading: subscriptions, settings and follow-ups.

::

    subscribe REPO… [at 09:00] [tz ZONE] [on daily|weekdays|weekly|mon,wed] [in zh|en]
              [without bots,ci,docs] [paths GLOB…] [topics WORD…] [quiet line|nothing] [one thread]
    unsubscribe REPO…|all · subscriptions · settings · followups [mine|open|done|all]
"""

from dataclasses import dataclass
from datetime import time
from typing import TypeAlias

from bot.commands import Command
from bot.followups import Which
from bot.setting_words import Quiet
from digest.models import Language


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Add repositories to what the channel gets, and change what is named.

    `repos` are names as written. Every other field is None where it was not named: `at` is a time
    of the channel's clock, `tz` an IANA name, `days` weekdays with 0 for Monday, `weekly` tells
    that they were asked for by that word, `without` has words of `LEFT_OUT`; an empty `without`,
    `paths` or `topics` clears what was set.
    """

    repos: tuple[str, ...] = ()
    at: time | None = None
    tz: str | None = None
    days: frozenset[int] | None = None
    weekly: bool = False
    language: Language | None = None
    without: frozenset[str] | None = None
    paths: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    quiet: Quiet | None = None
    one_thread: bool | None = None


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Take repositories out of what the channel gets; no `repos` means all."""

    repos: tuple[str, ...] = ()
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ListSubscriptions:
    """What this channel gets, and when."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """The settings of this channel, to be changed."""

    language: Language | None = None


@dataclass(frozen=True, slots=True)
class ShowFollowUps:
    """The channel's follow-ups."""

    which: Which = Which.OPEN
    language: Language | None = None


ChannelCommand: TypeAlias = (
    Subscribe | Unsubscribe | ListSubscriptions | ShowSettings | ShowFollowUps
)


def parse_chat(text: str) -> Command | ChannelCommand:
    """Read what a person typed in a channel: the reading grammar of `bot.commands`, and this one.

    `watch` and `unwatch` are refused, since they would reach every channel. Raises `UsageError` of
    one line with the nearest right example.
    """
    raise NotImplementedError
