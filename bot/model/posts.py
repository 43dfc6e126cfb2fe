"""What is posted, step by step, so that a thread is continued after a crash and never repeated."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.model.channels import Channel
from bot.model.parts import Part
from bot.model.ports import Message
from bot.model.references import read_key
from bot.model.slots import Slot
from digest.github_web import web
from digest.languages import Language


class PostState(StrEnum):
    """How far a message is.

    `SENDING`: asked for; whether it was done is not known yet. `GONE`: deleted since; without a
    reference its thread was, before it could be posted.
    """

    PLANNED = "planned"
    SENDING = "sending"
    SENT = "sent"
    REFUSED = "refused"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Post:
    """One message of the bot's own.

    `thread` counts the threads of a delivery, `position` the messages of a thread; the message at
    position 0 is the parent of the others. `parent` is the reference of another thread's parent,
    for a message that is posted below it. `part` is what the message draws, where it draws one
    part alone and can be drawn again; `whole` is that of a roundup, or of several messages that
    draw it together, and is drawn again for corrections alone. `nonce` finds it, `ref` is the
    platform's own id once it is sent. `delivery` is None for what was not due but asked for.
    `repo` is that of the thread, if it tells of one.
    """

    id: int | None
    delivery: int | None
    channel: Channel
    thread: int
    position: int
    message: Message
    language: Language
    nonce: str
    part: Part | None = None
    parent: str | None = None
    state: PostState = PostState.PLANNED
    ref: str = ""
    repo: str = ""
    whole: Part | None = None


def named(message: Message) -> tuple[str, ...]:
    """Return the items that a message links, and does not merely count."""
    if len(message.about) == 1:
        return message.about
    return tuple(key for key in message.about if is_linked(read_key(key).url, message))


def is_linked(url: str, message: Message) -> bool:
    """Return whether a message leads to a change, of whose SHA the first digits are enough."""
    place = re.escape(url.removeprefix(web()))
    return re.search(rf"{place}(?!\w)|{place}(?<=commit/\w{{7}})", message.payload) is not None


class DeliveryState(StrEnum):
    """How far a delivery is. `SUPERSEDED`: never begun, and told with a later one."""

    CLAIMED = "claimed"
    PLANNED = "planned"
    DELIVERED = "told"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A slot being told, by the process `owner` alone until `lease_until`.

    After a failure it waits until `retry_at`; `tries` counts the failures in a row. `complete` is
    false where nothing could be looked at, `silent` true where nothing happened.
    """

    id: int
    channel: Channel
    slot: Slot
    state: DeliveryState
    owner: str
    lease_until: datetime
    tries: int = 0
    retry_at: datetime | None = None
    complete: bool = True
    silent: bool = False
