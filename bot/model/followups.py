"""Reactions become follow-ups: what is flagged, who takes it, what is done.

A follow-up is what its marks say, so it is the same after the same reactions in any order:

- it is there while anyone flags or owns it: whoever flags, and the first of those who take it;
- it is done by the first ✅ since the last flag; a flag after that, or taking ✅ back, opens it;
- ✅ on what nobody had flagged or taken does nothing;
- where 👀 opens nothing by itself, it counts only where a flag stood when it came.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.model.channels import Channel, Person
from bot.model.following import NEVER, Following, next_look

LATEST = timedelta(days=2)
"""No event is heard of so long after a later one (Slack tries for a day): what lies further ahead
was marked by a clock that ran ahead, and is not to outlast what people say since."""


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
    reactions of one person on two messages about one item are told apart. It is empty for a button
    or a command: taken back by those, all that the person said of the kind is taken back, and a
    `DONE` that of everybody, so that anyone can open again what is done. `opens` tells whether a
    `TAKE` opens a follow-up on what nobody flagged, as a channel chose it.
    """

    kind: ReactionKind
    person: Person
    added: bool
    about: tuple[str, ...]
    at: datetime
    message: str = ""
    in_channel: bool = True
    opens: bool = True

    @property
    def counts(self) -> bool:
        """Whether it is of a person of the channel; one who left can still take back."""
        return not self.person.is_bot and (self.in_channel or not self.added)


@dataclass(frozen=True, slots=True)
class ReactionRecord:
    """What one person said of one kind on one message, kept also when it was taken back.

    `name` is what the person was called at the latest of the two moments, `opens` what the reaction
    said that was added last.
    """

    kind: ReactionKind
    person: str
    message: str
    added_at: datetime | None
    removed_at: datetime | None
    name: str = ""
    opens: bool = True


def marked(marks: Sequence[ReactionRecord], reaction: Reaction) -> tuple[ReactionRecord, ...]:
    """Return the marks after a reaction, in an order of their own."""
    known = (_set_right(mark, reaction.at) for mark in marks)
    latest = {(mark.kind, mark.person, mark.message): mark for mark in known}
    key = (reaction.kind, reaction.person.id, reaction.message)
    mark = latest.get(key, ReactionRecord(*key, None, None))
    if not mark.name or reaction.at >= max(moments(mark), default=reaction.at):
        mark = replace(mark, name=reaction.person.name)
    if reaction.added:
        if mark.added_at is None or reaction.at >= mark.added_at:
            mark = replace(mark, opens=reaction.opens)
        mark = replace(mark, added_at=max(reaction.at, mark.added_at or reaction.at))
    else:
        mark = replace(mark, removed_at=max(reaction.at, mark.removed_at or reaction.at))
    latest[key] = mark
    return tuple(latest[each] for each in sorted(latest))


def _set_right(mark: ReactionRecord, at: datetime) -> ReactionRecord:
    """Return a mark as it is heard of at a moment: none was set so long after it."""
    added, removed = mark.added_at, mark.removed_at
    return replace(
        mark,
        added_at=at if added and added > at + LATEST else added,
        removed_at=at if removed and removed > at + LATEST else removed,
    )


@dataclass(frozen=True, slots=True, order=True)
class ReactionSpan:
    """From when on somebody's mark stood, and until when; `end` is None while it stands."""

    start: datetime
    person: str
    end: datetime | None = field(compare=False)
    opens: bool = field(default=True, compare=False)

    def __contains__(self, moment: object) -> bool:
        if not isinstance(moment, datetime) or moment < self.start:
            return False
        return self.end is None or moment < self.end


def spans(marks: Sequence[ReactionRecord], kind: ReactionKind) -> list[ReactionSpan]:
    """Return when marks of a kind stood, the earliest first, also those that were taken back.

    Where both happened in the same moment, taking back wins.
    """
    of_kind = [mark for mark in marks if mark.kind is kind]
    found = []
    for mark in of_kind:
        if mark.added_at:
            ends = (
                other.removed_at
                for other in of_kind
                if other.removed_at
                and other.removed_at >= mark.added_at
                and _takes_back(other, mark)
            )
            end = min(ends, default=None)
            found.append(ReactionSpan(mark.added_at, mark.person, end, mark.opens))
    return sorted(found)


def standing(marks: Sequence[ReactionRecord], kind: ReactionKind) -> list[ReactionSpan]:
    """Return the marks of a kind that stand, the earliest first."""
    return [span for span in spans(marks, kind) if span.end is None]


def _takes_back(other: ReactionRecord, mark: ReactionRecord) -> bool:
    """Return whether what was taken back by `other` includes `mark`, of the same kind."""
    if other.message:
        return (other.person, other.message) == (mark.person, mark.message)
    return other.person == mark.person or other.kind is ReactionKind.DONE


def moments(mark: ReactionRecord) -> list[datetime]:
    """Return when something was said and taken back, as far as it was."""
    return [at for at in (mark.added_at, mark.removed_at) if at]


Present = Mapping[ReactionKind, Sequence[Person]]
"""Who reacts on a message now, by kind; a kind that is not there was not looked at."""

Rights = Callable[[Person], Awaitable[Person]]
"""Returns a person with what they may do where they reacted, and with their groups."""


def missed(
    marks: Sequence[ReactionRecord], present: Present, channel: Channel, message: str, at: datetime
) -> tuple[Reaction, ...]:
    """Return what came and went unheard, each as if it happened at `at`.

    `marks` are those that are known of this very message. Bots are nobody here.
    """
    names = {mark.person: mark.name for mark in marks}
    found = []
    for kind, people in present.items():
        known = {mark.person for mark in standing(marks, kind)}
        here = {person.id: person for person in people if not person.is_bot}
        came = [(person, True) for id, person in here.items() if id not in known]
        went = [
            (Person(channel.platform, channel.workspace, id, names.get(id) or id), False)
            for id in sorted(known - here.keys())
        ]
        found += [Reaction(kind, person, added, (), at, message) for person, added in came + went]
    return tuple(found)


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
    kept before the first is sent.

    It is asked of that person alone. Where a platform cannot do that by itself, one invitation
    stands beside the messages for a while, and answers whoever presses it with their own
    questions.
    """

    channel: Channel
    message: str
    about: tuple[str, ...]
    asked: frozenset[str] = frozenset()
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
