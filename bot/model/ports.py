"""What the bot asks of a chat platform: a publisher that draws, posts and finds messages.

::

    PublishError
    ├── ChannelGone       deleted, archived or unknown channel        the subscription is paused
    ├── NoPermission      the bot is not in it, or may not post       the subscription is paused
    │   └── MayNotLook    the bot may not read what it posted         nothing is sent twice
    │       └── TooManyMessages   more since than it reads            nothing is sent twice
    ├── TokenRevoked      the platform refuses the bot's token        tried again later
    ├── Limited           too many calls: certainly not done          tried again when it says
    ├── PlatformDown      not reached; certainly not done             tried again later
    ├── OutcomeUnknown    asked, but no answer came: done or not      looked for, then tried again
    ├── MessageGone       the message to be edited or deleted is gone
    └── Refused           this very message cannot be posted          left out, the rest goes on

The sentence of an error says what happened and what a person or admin has to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.model.channels import Channel
from bot.model.parts import Part, PartKind, Thread
from digest.errors import InfraError
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.phrases import SAY


class PublishError(InfraError):
    """A platform did not do what it was asked."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)


class ChannelGone(PublishError):
    """The channel is deleted, archived or unknown to the bot."""


class NoPermission(PublishError):
    """The bot is not in the channel, or lacks a scope or permission."""


class MayNotLook(NoPermission):
    """The bot may not read the channel, and so cannot look for messages of its own."""


class TooManyMessages(MayNotLook):
    """More was posted since than is read: whether a message is there is not known."""

    def __init__(self) -> None:
        super().__init__(SAY.chat.much_said)


class TokenRevoked(PublishError):
    """The platform refuses the bot's token, or there is none for this workspace."""


class Limited(PublishError):
    """Too many calls: nothing was done; ask again after `retry_after` seconds."""

    def __init__(self, why: Phrase, retry_after: float) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class PlatformDown(PublishError):
    """The platform was not reached, or said that it could not: nothing was done."""


class OutcomeUnknown(PublishError):
    """No answer came, or one that does not tell whether it was done."""


class MessageGone(PublishError):
    """The message that was to be edited, deleted or answered does not exist any more."""


class Refused(PublishError):
    """The platform will never take this very message."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is posted: `payload` is the platform's own JSON, without channel and thread.

    `about` are the keys of the items in this very message; `is_parent` is true for the first of a
    thread alone.
    """

    payload: str
    about: tuple[str, ...]
    is_parent: bool
    kind: PartKind


class Wish(StrEnum):
    """What a channel may ask for beside messages."""

    TAGS = "tags"
    PUBLISH = "publish"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Unmet:
    """A wish that cannot be met now, and why."""

    wish: Wish
    why: Phrase


class Publisher(Protocol):
    """One platform's way of drawing and posting.

    Every coroutine raises `PublishError`. A message reference (`ref`) is the platform's own id of a
    message in its channel (Slack: `ts`).
    """

    def render(self, thread: Thread) -> tuple[Message, ...]:
        """Draw a thread: its messages in the order of posting, the first alone is the parent."""
        ...

    def render_parts(self, parts: Sequence[Part], language: Language) -> tuple[Message, ...]:
        """Draw parts that are no thread: answers, questions, notices, edits of posted messages."""
        ...

    async def send(self, channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        """Post one message, below `parent` if given, and give its reference.

        It is never asked for twice inside: where the outcome is not known, `OutcomeUnknown` says
        so. `nonce` (up to 25 letters and digits) marks the message for `find`.
        """
        ...

    async def find(
        self, channel: Channel, nonce: str, *, parent: str | None, since: datetime | None = None
    ) -> str | None:
        """Return the reference of the bot's own message with this nonce, or None.

        `since` is when it was asked for at the earliest. Raises `MayNotLook` where the bot may not
        read the channel, and `TooManyMessages` where it was not found in all that is read.
        """
        ...

    async def check(self, channel: Channel) -> None:
        """See that a channel is there and the bot in it, as far as the platform tells."""
        ...

    async def unmet(self, channel: Channel, *, publish: bool, role: str) -> tuple[Unmet, ...]:
        """Return which wishes a channel cannot meet now; `role` is the one to be mentioned.

        What kind of channel it is may be a wish itself: a forum wants tags.
        """
        ...

    async def publish(self, channel: Channel, ref: str) -> None:
        """Publish a message to whoever follows the channel; a second time does nothing."""
        ...

    async def is_shared(self, channel: Channel, person: str) -> bool:
        """Return whether people of another organisation are in a channel; True if it hides that.

        A conversation of two is with `person`, by the platform's id: whether they are a stranger.
        """
        ...

    async def is_public(self, channel: Channel) -> bool:
        """Return whether everybody of a channel's workspace can read it; True if it hides that."""
        ...

    async def is_stranger(self, channel: Channel, person: str) -> bool:
        """Return whether somebody belongs to a channel's workspace no more, or as a guest only.

        True where the platform does not know them. Raises `PublishError` where it does not answer.
        """
        ...

    async def is_member(self, channel: Channel, person: str, *, was_there: bool) -> bool:
        """Return whether somebody, by the platform's id, can read a channel now.

        `was_there` says that they did something there, which in a conversation of two means that it
        is theirs. Raises `PublishError` where the platform does not answer.
        """
        ...

    async def has_left(self, channel: Channel, person: str) -> bool:
        """Return whether a former member is gone: left, deactivated, or shut out.

        Raises `PublishError` where the platform does not say.
        """
        ...

    async def edit(self, channel: Channel, ref: str, payload: str) -> None:
        """Replace what a message of the bot's own says."""
        ...

    async def delete(self, channel: Channel, ref: str) -> None:
        """Delete a message of the bot's own."""
        ...

    async def link(self, channel: Channel, ref: str) -> str:
        """Return the address of a message, for a link to its thread."""
        ...

    async def ask(self, channel: Channel, person: str, payload: str, *, parent: str | None) -> bool:
        """Show one person alone (by the platform's id) a message in a channel or thread.

        False where the platform cannot do that unless they press something.
        """
        ...

    async def direct(self, channel: Channel, person: str) -> Channel:
        """Return the conversation with one person (by the platform's id) as a channel.

        It is of the workspace of `channel`; what is posted there is found again as anywhere.
        """
        ...

    async def tell(self, channel: Channel, person: str, payload: str) -> None:
        """Tell one person alone (by the platform's id), directly, where the channel cannot be."""
        ...
