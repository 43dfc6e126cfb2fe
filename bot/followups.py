"""Reactions become follow-ups: what is flagged, who takes it, what is done.

A follow-up is what its marks say. Every reaction leaves a mark for its kind, person and message, of
which the latest stands; so events may come late, in any order and any number of times.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.channels import Channel, Person


class ReactionKind(StrEnum):
    """What a reaction or a button says; the stored name."""

    FLAG = "flag"
    TAKE = "take"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction that came or went, or a button that was pressed.

    `about` are the keys of the items that its message is about. `at` is when it happened as the
    platform says, not when it was heard of. `message` is the message's reference, so that two
    reactions of one person on two messages about one item are told apart; empty for a command.
    """

    kind: ReactionKind
    person: Person
    added: bool
    about: tuple[str, ...]
    at: datetime
    message: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The latest that one person said of one kind on one message; kept also when taken back."""

    kind: ReactionKind
    person: str
    message: str
    added: bool
    at: datetime
    name: str = ""


class FollowUpState(StrEnum):
    """How a follow-up stands. `GONE`: all was taken back; only its marks are remembered."""

    OPEN = "open"
    TAKEN = "taken"
    DONE = "done"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One item that somebody of a channel has to look at; at most one for a channel and item.

    People are the platform's ids. All fields from `opened_at` to `done_by` follow from `marks`;
    `opened_at` is None while nobody flags or owns it. `nudged_at` is when it was last reminded of.
    """

    id: int | None
    channel: Channel
    item_key: str
    title: str
    ref: str
    url: str
    opened_at: datetime | None = None
    flagged_by: frozenset[str] = frozenset()
    taken_by: str | None = None
    done_by: str | None = None
    nudged_at: datetime | None = None
    marks: tuple[Mark, ...] = ()

    @property
    def state(self) -> FollowUpState:
        """How it stands."""
        raise NotImplementedError

    def name_of(self, person: str) -> str:
        """Give the name that a person of its marks was last known by, else the id."""
        raise NotImplementedError


class NoticeKind(StrEnum):
    """What a reaction changed, as the person sees it."""

    FLAGGED = "flagged"
    UNFLAGGED = "unflagged"
    TAKEN = "taken"
    RELEASED = "released"
    DONE = "done"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class Notice:
    """What changed, and by whom (the platform's id)."""

    kind: NoticeKind
    person: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows from a reaction.

    `followup` is to be stored if it differs from the current one, also when it is gone: its marks
    are what makes late events harmless. `notice` is None where nobody sees a change. `current` may
    come back as it was.
    """

    followup: FollowUp | None
    notice: Notice | None = None


def react(
    current: FollowUp | None, reaction: Reaction, *, blank: FollowUp | None = None
) -> Outcome:
    """Decide what a reaction about one item changes.

    `current` is the follow-up of the reaction's channel and item, if one is stored; else `blank` is
    what it becomes (see `unopened`). Bots change nothing. A message about no item or about several
    changes nothing here: see `ask`.
    """
    raise NotImplementedError


def unopened(channel: Channel, item_key: str, title: str, ref: str, url: str) -> FollowUp:
    """Give the follow-up that an item would have, while nobody flagged or owns it."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Question:
    """The question "which one?", asked once below a message that is about several items.

    `message` is the message that was flagged, `about` its items. `stands` tells that the question
    is shown and waits; `asked` are the people whose flag it was or is asked for. `ref` is the
    bot's own message that asks, empty until it is sent.
    """

    channel: Channel
    message: str
    about: tuple[str, ...]
    stands: bool = False
    asked: frozenset[str] = frozenset()
    ref: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What follows from a flag on a message about several items.

    `post` tells to send the question now, `withdraw` to delete it. `followups` are those whose
    flag, chosen from this message, was taken back; store them with the question.
    """

    question: Question
    post: bool = False
    withdraw: bool = False
    followups: tuple[FollowUp, ...] = ()


def ask(question: Question, reaction: Reaction, chosen: Sequence[FollowUp] = ()) -> Asked:
    """Decide what a reaction on a message about several items changes: only flags do.

    `question` is the stored one of this message, else a new one; `chosen` are follow-ups of the
    channel that hold a mark of this message.
    """
    raise NotImplementedError


def choose(
    question: Question, current: FollowUp, person: Person, at: datetime
) -> tuple[Asked, Outcome]:
    """Answer a question with the item of `current`, in the name of who chose; it is withdrawn."""
    raise NotImplementedError


class Which(StrEnum):
    """Which follow-ups are listed: `open` are not done, `mine` the open ones I took or flagged."""

    OPEN = "open"
    MINE = "mine"
    DONE = "done"
    ALL = "all"


def listing(
    followups: Iterable[FollowUp], which: Which, person: Person | None = None
) -> tuple[FollowUp, ...]:
    """Give those that are asked for, the oldest first; `mine` are open ones of `person`."""
    raise NotImplementedError


def nudges(followups: Iterable[FollowUp], now: datetime) -> tuple[FollowUp, ...]:
    """Give the open ones that are a week old and were not reminded of since, the oldest first."""
    raise NotImplementedError


def nudged(followup: FollowUp, at: datetime) -> FollowUp:
    """Give it as it is after the reminder."""
    raise NotImplementedError
