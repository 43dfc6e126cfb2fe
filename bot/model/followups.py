"""Reactions become follow-ups: what is flagged, who takes it, what is done.

A follow-up is what its marks say, so it is the same after the same reactions in any order:

- it is there while anyone flags or owns it: whoever flags, and the first of those who take it;
- it is done by the first ✅ since the last flag; a flag after that, or taking ✅ back, opens it;
- ✅ on what nobody had flagged or taken does nothing;
- where 👀 opens nothing by itself, it counts only where a flag stood when it came.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.model.channels import Channel, Person
from bot.model.following import NEVER, Following, next_look
from bot.model.reactions import Reaction, ReactionKind, ReactionRecord, marked, spans, standing

NUDGED_AFTER = timedelta(days=7)


class FollowUpState(StrEnum):
    """How a follow-up stands. `GONE`: all was taken back; only its marks are remembered."""

    OPEN = "open"
    TAKEN = "taken"
    DONE = "done"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One item that somebody of a channel has to look at; at most one for a channel and item.

    People are the platform's ids. `opened_at`, `flagged_by`, `taken_by` and `done_by` follow from
    `marks`. `opened_at` is None while nobody flags or owns it, and counts from the flag that
    opened again what was done. `nudged_at` is when it was last reminded of. `shown_on` are the
    messages about several items, by reference, that it was chosen from: they show how it stands.
    `following` is how its item stands upstream, None where that is not known yet; `watchers` are
    those who want to hear what becomes of it, until it is released.
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
    marks: tuple[ReactionRecord, ...] = ()
    shown_on: tuple[str, ...] = ()
    following: Following | None = None
    watchers: frozenset[str] = frozenset()

    @property
    def state(self) -> FollowUpState:
        """How it stands."""
        if not self.flagged_by and self.taken_by is None:
            return FollowUpState.GONE
        if self.done_by is not None:
            return FollowUpState.DONE
        return FollowUpState.OPEN if self.taken_by is None else FollowUpState.TAKEN

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to do something about it."""
        return self.state in (FollowUpState.OPEN, FollowUpState.TAKEN)

    def name_of(self, person: str) -> str:
        """Return a name that a person of its marks is known by, else the id."""
        return next(
            (mark.name for mark in self.marks if mark.person == person and mark.name), person
        )


class FollowUpNoticeKind(StrEnum):
    """What a reaction changed, as people see it."""

    FLAGGED = "flagged"
    UNFLAGGED = "unflagged"
    TAKEN = "taken"
    RELEASED = "released"
    DONE = "done"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class FollowUpNotice:
    """What changed, and by whom (the platform's id)."""

    kind: FollowUpNoticeKind
    person: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows from a reaction.

    `followup` is to be stored wherever it differs from the current one, also when it is gone: its
    marks are what makes late events harmless. With a `notice`, what people see has changed.
    """

    followup: FollowUp | None
    notice: FollowUpNotice | None = None


def look_at(followup: FollowUp, now: datetime) -> datetime:
    """Return when its item is looked at upstream, `NEVER` where nobody needs to know any more."""
    if followup.state is FollowUpState.GONE:
        return NEVER
    done = followup.state is FollowUpState.DONE
    return next_look(followup.following, now, done=done, awaited=bool(followup.watchers))


def react(
    current: FollowUp | None, reaction: Reaction, *, blank: FollowUp | None = None
) -> Outcome:
    """Decide what a reaction on a message about one item changes.

    `current` is the stored follow-up of the channel and item; where there is none, `blank` is
    what nobody flags yet. A message about several items, or about none, changes nothing here (see
    `bot.model.followups`), nor do bots and people outside the channel. Raises `ValueError` for a
    follow-up of another item, or for none.
    """
    if len(reaction.about) != 1 or not reaction.counts:
        return Outcome(current)
    before = current or blank
    if before is None or before.item_key != reaction.about[0]:
        raise ValueError(f"a reaction about {reaction.about[0]} needs the follow-up of that item")
    return apply(before, reaction)


def apply(before: FollowUp, reaction: Reaction) -> Outcome:
    """Return a follow-up after a reaction that is known to mean its item."""
    after = _as_marked(replace(before, marks=marked(before.marks, reaction)))
    return Outcome(after, _notice(before, after, reaction))


def without_owner(followup: FollowUp, at: datetime) -> FollowUp:
    """Return a follow-up whose owner left: anybody can take it, and is reminded of it anew.

    What nobody else flags counts as flagged by who left, so that it is not lost.
    """
    channel, owner = followup.channel, followup.taken_by or ""
    who = Person(channel.platform, channel.workspace, owner, followup.name_of(owner))
    let_go = Reaction(ReactionKind.TAKE, who, False, (followup.item_key,), at)
    if not followup.flagged_by:
        flag = replace(let_go, kind=ReactionKind.FLAG, added=True)
        followup = _as_marked(replace(followup, marks=marked(followup.marks, flag)))
    after = _as_marked(replace(followup, marks=marked(followup.marks, let_go)))
    return replace(after, nudged_at=None)


def _as_marked(followup: FollowUp) -> FollowUp:
    marks = followup.marks
    flags = standing(marks, ReactionKind.FLAG)
    flagged = spans(marks, ReactionKind.FLAG)
    taken = [
        take
        for take in spans(marks, ReactionKind.TAKE)
        if take.opens or any(take.start in flag for flag in flagged)
    ]
    takes = [take for take in taken if take.end is None]
    opening = sorted(flags + takes)
    # Flags that were taken back since count too: ✅ was for a follow-up that was there.
    opened = flagged + taken
    dones = [
        done
        for done in standing(marks, ReactionKind.DONE)
        if any(done.start in span for span in opened)
    ]
    closing = [done for done in dones if not flags or done.start >= flags[-1].start]
    if dones and not closing:
        opening = [each for each in opening if each.start > dones[-1].start]
    return replace(
        followup,
        opened_at=opening[0].start if opening else None,
        flagged_by=frozenset(flag.person for flag in flags),
        taken_by=takes[0].person if takes else None,
        done_by=closing[0].person if closing and opening else None,
    )


def _notice(before: FollowUp, after: FollowUp, reaction: Reaction) -> FollowUpNotice | None:
    person = reaction.person.id
    if before.state is FollowUpState.DONE and after.is_open:
        return FollowUpNotice(FollowUpNoticeKind.REOPENED, person)
    if reaction.kind is ReactionKind.FLAG and before.flagged_by != after.flagged_by:
        is_flagged = person in after.flagged_by
        return FollowUpNotice(
            FollowUpNoticeKind.FLAGGED if is_flagged else FollowUpNoticeKind.UNFLAGGED, person
        )
    if before.taken_by != after.taken_by:
        if after.taken_by is None:
            return FollowUpNotice(FollowUpNoticeKind.RELEASED, person)
        return FollowUpNotice(FollowUpNoticeKind.TAKEN, after.taken_by)
    if after.done_by and before.done_by != after.done_by:
        return FollowUpNotice(FollowUpNoticeKind.DONE, after.done_by)
    return None


class Which(StrEnum):
    """Which follow-ups are listed: `open` are not done, `mine` the open ones I took or flagged.

    `everywhere` are the channel's open ones and mine in all channels of the workspace.
    """

    OPEN = "open"
    MINE = "mine"
    DONE = "done"
    ALL = "all"
    EVERYWHERE = "everywhere"


def listing(
    followups: Iterable[FollowUp], which: Which, person: Person | None = None
) -> tuple[FollowUp, ...]:
    """Return those that are asked for, the oldest first; `mine` are open ones of `person`."""
    there = [each for each in followups if each.state is not FollowUpState.GONE]
    match which:
        case Which.OPEN | Which.EVERYWHERE:
            there = [each for each in there if each.is_open]
        case Which.MINE:
            there = [each for each in there if each.is_open and person and is_of(each, person.id)]
        case Which.DONE:
            there = [each for each in there if not each.is_open]
        case Which.ALL:
            pass
    return tuple(sorted(there, key=_age))


def nudges(followups: Iterable[FollowUp], now: datetime) -> tuple[FollowUp, ...]:
    """Return the open ones that are a week old and were not reminded of since, the oldest first."""
    old = (
        each
        for each in followups
        if each.is_open
        and each.opened_at
        and now - each.opened_at >= NUDGED_AFTER
        and (each.nudged_at is None or each.nudged_at < each.opened_at)
    )
    return tuple(sorted(old, key=_age))


def nudged(followup: FollowUp, at: datetime) -> FollowUp:
    """Return it as it is after the reminder."""
    return replace(followup, nudged_at=at)


def is_of(followup: FollowUp, person: str) -> bool:
    """Return whether a person flags or owns it."""
    return person == followup.taken_by or person in followup.flagged_by


def _age(followup: FollowUp) -> tuple[bool, datetime | None, str]:
    return followup.opened_at is None, followup.opened_at, followup.item_key


SCHEMA = 1
"""Of what a webhook gets: fields are added, none is taken away or changes its meaning."""


def followup_row(followup: FollowUp) -> dict[str, Any]:
    """Return what is known of a follow-up; moments are ISO 8601 in UTC."""
    following = followup.following
    seen = following.seen if following else None
    return {
        "channel": str(followup.channel),
        "item": followup.item_key,
        "ref": followup.ref,
        "title": followup.title,
        "url": followup.url,
        "state": followup.state.value,
        "opened_at": moment(followup.opened_at),
        "flagged_by": [_person(followup, id) for id in sorted(followup.flagged_by)],
        "owner": _person(followup, followup.taken_by),
        "done_by": _person(followup, followup.done_by),
        "nudged_at": moment(followup.nudged_at),
        "upstream": {
            "state": seen.state.value if seen.state else "missing",
            "reverted_by": seen.reverted_by or None,
            "fix": seen.fix or None,
            "release": seen.release or None,
            "amended": seen.amended,
            "pin": following.reported.pin or None,
            "looked_at": moment(following.looked_at),
        }
        if following and seen
        else None,
    }


def change_row(followup: FollowUp, change: str, person: str | None, at: datetime) -> dict[str, Any]:
    """Return one change of a follow-up, with how it stands after it; `person` is whose it is."""
    return {
        "schema": SCHEMA,
        "change": change,
        "at": moment(at),
        "by": _person(followup, person),
        "followup": followup_row(followup),
    }


def _person(followup: FollowUp, id: str | None) -> dict[str, str] | None:
    return {"id": id, "name": followup.name_of(id)} if id else None


def moment(at: datetime | None) -> str | None:
    """Write a moment as programs read it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


@dataclass(frozen=True, slots=True)
class Question:
    """What is known of the flags on one message about several items; stored by its message.

    `message` is the message that was flagged, `about` the keys of its items. `asked` are the people
    who were asked for their flag and did not take it back, `waiting` those of them who are invited
    to be asked and have not chosen. `posts` are the ids of the stored messages that invite them,
    kept before the first is sent; `ref` is the first one's reference, empty until it is sent.

    It is asked of that person alone. Where a platform cannot do that by itself, one invitation
    stands beside the messages for a while, and answers whoever presses it with their own
    questions.
    """

    channel: Channel
    message: str
    about: tuple[str, ...]
    asked: frozenset[str] = frozenset()
    ref: str = ""
    marks: tuple[ReactionRecord, ...] = ()
    posts: tuple[int, ...] = ()
    waiting: frozenset[str] = frozenset()

    def flagged_at(self, person: str) -> datetime | None:
        """Return since when a person's flag stands on the message, or None where none does."""
        flags = standing(self.marks, ReactionKind.FLAG)
        return next((flag.start for flag in flags if flag.person == person), None)


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """What follows from a flag on a message about several items, or from an answer.

    Store `question` and `followups` (whose flags, chosen from this message, were taken back).
    `ask` tells to ask the person now.
    """

    question: Question
    ask: bool = False
    followups: tuple[Outcome, ...] = ()


def ask(question: Question, reaction: Reaction, chosen: Sequence[FollowUp] = ()) -> QuestionOutcome:
    """Decide what a flag that came or went on a message about several items changes.

    `question` is the stored one of the message, else a new one. `chosen` are the follow-ups of the
    channel that hold a mark of this message. Whoever flags is asked once for each flag.
    """
    if reaction.kind is not ReactionKind.FLAG or not reaction.counts:
        return QuestionOutcome(question)
    person = reaction.person.id
    after = replace(question, marks=marked(question.marks, reaction))
    if after.flagged_at(person) is not None:
        is_new = person not in question.asked
        return QuestionOutcome(replace(after, asked=question.asked | {person}), ask=is_new)
    gone = {person}
    after = replace(after, asked=question.asked - gone, waiting=question.waiting - gone)
    undone = (apply(each, reaction) for each in chosen) if not reaction.added else ()
    return QuestionOutcome(after, followups=tuple(undone))


def choose(
    question: Question, current: FollowUp, person: Person, at: datetime
) -> tuple[Question, Outcome]:
    """Answer a question with the item of `current`: who chooses is the one who flags it.

    Taking the flag of the message back takes back what its owner chose. Raises `ValueError` for an
    item that the message is not about.
    """
    if current.item_key not in question.about:
        raise ValueError(f"the message is not about {current.item_key}")
    if person.is_bot:
        return question, Outcome(current)
    message = question.message if question.flagged_at(person.id) is not None else ""
    flag = Reaction(ReactionKind.FLAG, person, True, (current.item_key,), at, message)
    outcome = apply(current, flag)
    assert outcome.followup is not None  # `apply` gives one
    shown_on = tuple(dict.fromkeys((*current.shown_on, question.message)))
    shown = replace(outcome.followup, shown_on=shown_on)
    after = replace(question, waiting=question.waiting - {person.id})
    return after, replace(outcome, followup=shown)
