"""What people said by reactions, kept so that events may come late, repeated and in any order.

Of every kind, person and message one mark is kept: when it was last added, and when it was last
taken back. Both only ever grow, so any order and repetition of events ends at the same marks
(https://docs.slack.dev/apis/events-api: events are delivered again when an answer is late).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.model.channels import Channel, Person

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
