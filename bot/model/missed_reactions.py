"""Reactions that nobody told of: what stands on a message against what is known of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from bot.model.channels import Channel, Person
from bot.model.reactions import Reaction, ReactionKind, ReactionRecord, standing

Present = Mapping[ReactionKind, Sequence[Person]]
"""Who reacts on a message now, by kind; a kind that is not there was not looked at."""

Rights = Callable[[Person], Awaitable[Person]]
"""Returns a person with what they may do where they reacted, and with their groups."""


def missed(
    marks: Sequence[ReactionRecord], present: Present, channel: Channel, message: str, at: datetime
) -> tuple[Reaction, ...]:
    """Give what came and went unheard, each as if it happened at `at`.

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
