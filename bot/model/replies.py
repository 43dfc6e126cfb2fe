"""What commands are answered with: a closed union that every platform must be able to draw.

What only types are made of is not imported as the program runs: help waits for none of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from digest.model_answers import OfModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.model.commands import HelpRow
    from digest.concern.ripple import Ripple
    from digest.concern.surface import Surface
    from digest.languages import Language
    from digest.models import AnalysedDay, Change, Digest, ReadItem, Repo, Roundup
    from digest.phrase import Phrase
    from digest.query.query import Found


@dataclass(frozen=True, slots=True)
class DigestReply:
    """One repository's digest; with surfaces, what concerns that codebase is told first."""

    digest: Digest
    language: Language
    surfaces: tuple[Surface, ...] = ()
    ripples: tuple[Ripple, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundupReply:
    """Several repositories' digests."""

    roundup: Roundup
    language: Language
    surfaces: tuple[Surface, ...] = ()
    ripples: tuple[Ripple, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeReply:
    """One change, issue or release, whole."""

    change: Change
    language: Language


@dataclass(frozen=True, slots=True)
class AnalysisReply:
    """One repository's digest in its long form."""

    day: AnalysedDay
    language: Language
    surfaces: tuple[Surface, ...] = ()
    ripples: tuple[Ripple, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundReply:
    """What a search for `words` found, best first."""

    words: str
    found: tuple[ReadItem, ...]
    language: Language


@dataclass(frozen=True, slots=True)
class QueryReply:
    """What a question in plain words found in what is stored."""

    found: Found
    language: Language


@dataclass(frozen=True, slots=True)
class ReposReply:
    """The repositories by alias, in the order in which they are told."""

    repos: Mapping[str, Repo]
    language: Language


@dataclass(frozen=True, slots=True)
class WhyReply:
    """An item with the reasons of its grade, and what is of a model about it."""

    read: ReadItem
    language: Language
    of_model: OfModel = field(default_factory=OfModel)


@dataclass(frozen=True, slots=True)
class HelpReply:
    """Rows of the table of commands."""

    rows: tuple[HelpRow, ...]
    language: Language


@dataclass(frozen=True, slots=True)
class MessageReply:
    """One sentence, such as that something was done."""

    what: Phrase
    language: Language


DigestPageReply: TypeAlias = (
    DigestReply | RoundupReply | ChangeReply | AnalysisReply | FoundReply | QueryReply | WhyReply
)
Reply: TypeAlias = DigestPageReply | ReposReply | HelpReply | MessageReply
