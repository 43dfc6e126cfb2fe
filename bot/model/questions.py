"""The question "which one?", asked of whoever flags a message that is about several items.

It is asked of that person alone. Where a platform cannot do that by itself, one invitation stands
beside the messages for a while, and answers whoever presses it with their own questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.model.channels import Channel, Person
from bot.model.followups import FollowUp, Outcome, apply
from bot.model.reactions import Reaction, ReactionKind, ReactionRecord, marked, standing


@dataclass(frozen=True, slots=True)
class Question:
    """What is known of the flags on one message about several items; stored by its message.

    `message` is the message that was flagged, `about` the keys of its items. `asked` are the people
    who were asked for their flag and did not take it back, `waiting` those of them who are invited
    to be asked and have not chosen. `posts` are the ids of the stored messages that invite them,
    kept before the first is sent; `ref` is the first one's reference, empty until it is sent.
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
