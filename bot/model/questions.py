"""The question "which one?", asked once below a message that is about several items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.model.channels import Channel, Person
from bot.model.followups import FollowUp, Outcome, apply
from bot.model.marks import Mark, Reaction, ReactionKind, marked, standing


@dataclass(frozen=True, slots=True)
class Question:
    """What is known of the flags on one message about several items; stored by its message.

    `message` is the message that was flagged, `about` the keys of its items. `stands` tells that
    the question is shown and waits; `asked` are the people whose flag it was asked for and who did
    not take it back. `posts` are the ids of the stored messages that ask, kept before the first is
    sent; `ref` is the first one's reference, empty until it is sent.
    """

    channel: Channel
    message: str
    about: tuple[str, ...]
    stands: bool = False
    asked: frozenset[str] = frozenset()
    ref: str = ""
    marks: tuple[Mark, ...] = ()
    posts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What follows from a flag on a message about several items, or from an answer.

    Store `question` and `followups` (whose flags, chosen from this message, were taken back).
    `post` tells to send the question now, `withdraw` to delete the message `question.ref` was.
    """

    question: Question
    post: bool = False
    withdraw: bool = False
    followups: tuple[Outcome, ...] = ()


def ask(question: Question, reaction: Reaction, chosen: Sequence[FollowUp] = ()) -> Asked:
    """Decide what a reaction on a message about several items changes: only flags do.

    `question` is the stored one of the message, else a new one. `chosen` are the follow-ups of the
    channel that hold a mark of this message. One question stands for all who flag while it does.
    """
    if reaction.kind is not ReactionKind.FLAG or not reaction.counts:
        return Asked(question)
    person = reaction.person.id
    after = replace(question, marks=marked(question.marks, reaction))
    flaggers = {flag.person for flag in standing(after.marks, ReactionKind.FLAG)}
    if person in flaggers:
        post = not question.stands and person not in question.asked
        after = replace(after, stands=question.stands or post, asked=question.asked | {person})
        return Asked(after, post=post)
    withdraw = question.stands and not flaggers
    after = replace(after, stands=question.stands and not withdraw, asked=question.asked - {person})
    undone = (apply(each, reaction) for each in chosen) if not reaction.added else ()
    return Asked(after, withdraw=withdraw, followups=tuple(undone))


def choose(
    question: Question, current: FollowUp, person: Person, at: datetime
) -> tuple[Asked, Outcome]:
    """Answer a question with the item of `current`; it is withdrawn.

    Everybody whose flag stands on the message flags the item, whoever of them chose; and who
    chose where none stands. A question that does not stand (any more) changes
    nothing; if it is still seen, it is withdrawn again. Taking the flag of the message back takes
    back what was chosen. Raises `ValueError` for an item that the message is not about.
    """
    if current.item_key not in question.about:
        raise ValueError(f"the message is not about {current.item_key}")
    if not question.stands or person.is_bot:
        left_over = not question.stands and bool(question.ref)
        return Asked(question, withdraw=left_over), Outcome(current)
    names = {mark.person: mark.name for mark in question.marks}
    flags = standing(question.marks, ReactionKind.FLAG)
    flaggers = [replace(person, id=each.person, name=names[each.person]) for each in flags]
    outcome = Outcome(current)
    for each in flaggers or [person]:
        flag = Reaction(
            ReactionKind.FLAG, each, True, (current.item_key,), at, message=question.message
        )
        after = apply(outcome.followup or current, flag)
        outcome = Outcome(after.followup, after.notice or outcome.notice)
    return Asked(replace(question, stands=False), withdraw=True), outcome
