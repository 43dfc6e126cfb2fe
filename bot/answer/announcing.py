"""A change to a channel is said in the channel, with who made it."""

from dataclasses import replace

import structlog

from bot.compose.chat_reply import ChatReply
from bot.deliver.sharing import Sharing
from bot.model.channel_commands import (
    ChannelCommand,
    Pause,
    Resume,
    Subscribe,
    Unsubscribe,
)
from bot.model.channels import Channel, Person
from bot.model.commands import Question
from bot.model.concerns import AddCodebase, AddFile, ChangeWords, RemoveConcern
from bot.model.ports import PublishError
from bot.model.records import LogEntry, LogKind
from bot.store.records import ChannelLog
from digest.ports import Clock
from digest.wording.chat import ThreadWords
from digest.wording.saying import CATALOGUES
from digest.writing.document import Foreign, Paragraph
from digest.writing.phrasing import fill

log = structlog.get_logger()


class Announcing:
    """Says in a channel what a person changed there, and keeps it in its log."""

    def __init__(self, sharing: Sharing, kept: ChannelLog, clock: Clock) -> None:
        self._sharing = sharing
        self._kept = kept
        self._clock = clock

    async def kept(
        self,
        command: Question | ChannelCommand,
        reply: ChatReply,
        channel: Channel,
        person: Person,
    ) -> str:
        """Keep in the channel's log what a command changed; give how it is said, if it did."""
        words = _words(command, CATALOGUES[reply.language].thread)
        if not words or reply.failed or reply.is_personal:
            return ""
        summary = reply.parts[0].summary
        entry = LogEntry(self._clock(), LogKind.CHANGED, summary, person.name)
        await self._kept.add(channel, entry)
        return words

    async def announced(
        self,
        command: Question | ChannelCommand,
        reply: ChatReply,
        channel: Channel,
        person: Person,
        post: str | None = None,
    ) -> ChatReply:
        """Post the reply to a command that changed the channel; give what the person is told.

        `post` is where it was typed in a channel that has posts alone.

        What failed, changed nothing, or cannot be posted is for the person alone.
        """
        words = await self.kept(command, reply, channel, person)
        if not words:
            return reply
        by = Paragraph(fill(words, person=Foreign(person.name)))
        (first, *others) = reply.parts
        first = replace(
            first, blocks=(by, *first.blocks), summary=f"{person.name}: {first.summary}"
        )
        try:
            await self._sharing.share((first, *others), reply.language, channel, post)
        except PublishError as error:
            log.info("change not announced", channel=str(channel), reason=str(error))
            return reply
        return replace(reply, is_posted=True)


def _words(command: Question | ChannelCommand, words: ThreadWords) -> str:
    """Give how a change is said; empty for what changes nothing."""
    match command:
        case Subscribe() | Unsubscribe():
            return words.changed_by
        case Pause():
            return words.paused_by
        case Resume():
            return words.resumed_by
        case ChangeWords() | AddCodebase() | AddFile() | RemoveConcern():
            return words.concern_by
    return ""
