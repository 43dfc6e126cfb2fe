"""Questions to the bot by name in a channel: `@Infra what broke since monday?`.

Discord hands a bot what messages say that mention it, also without the privileged intent:
https://discord.com/developers/docs/events/gateway#message-content-intent
"""

import contextlib
import re

import discord
import structlog

from adapters.discord.client import DiscordPublisher
from adapters.discord.people import member
from adapters.operations.background import Background
from bot.answer.chat import Chat
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person, Platform
from bot.model.ports import PublishError

log = structlog.get_logger()


class Mentions:
    """Answers who mentions the bot: in the thread of their message, which everybody sees.

    Where no thread can be made, be it in the chat of a voice channel, the channel is answered.
    A mention is only a question: who may give orders, a server's admins set for each slash command,
    https://discord.com/developers/docs/interactions/application-commands#permissions
    """

    def __init__(self, chat: Chat, publisher: DiscordPublisher, background: Background) -> None:
        self._chat = chat
        self._publisher = publisher
        self._background = background

    def on_message(self, message: discord.Message, client: discord.Client) -> None:
        """Handle a message of a server: one that names the bot is answered beside what goes on.

        A reply to the bot is no question, nor is what another bot says.
        """
        text = question_in(message.content, client.user.id if client.user else 0)
        author, server = message.author, message.guild
        if text is None or server is None or not isinstance(author, discord.Member) or author.bot:
            return
        if not self._publisher.serves(str(server.id)):
            return
        thread = message.channel if isinstance(message.channel, discord.Thread) else None
        place = str(message.channel.id)
        channel = Channel(
            Platform.DISCORD, str(server.id), str(thread.parent_id) if thread else place
        )
        person = member(author, channel, client, in_thread=thread is not None)
        below = place if thread else str(message.id) if _takes_thread(message, server) else ""
        work = self._answer(text, channel, person, place, below, f"mention {message.id}")
        self._background.start(work, "discord mention")

    async def _answer(
        self, text: str, channel: Channel, person: Person, place: str, below: str, event_id: str
    ) -> None:
        await self._typing(place)
        reply = await self._chat.ask_by_mention(
            text, channel, person, thread=below, event_id=event_id
        )
        if reply is None:
            return
        try:
            await self._give(reply, channel, person, below)
        except PublishError as error:
            log.info("mention not answered", channel=str(channel), reason=str(error))

    async def _typing(self, place: str) -> None:
        """Show that an answer is on its way.

        https://discord.com/developers/docs/resources/channel#trigger-typing-indicator
        """
        with contextlib.suppress(PublishError):
            await self._publisher.rest.ask(
                "POST", "/channels/{channel_id}/typing", channel_id=place
            )

    async def _give(self, reply: ChatReply, channel: Channel, person: Person, below: str) -> None:
        """Say what went wrong where it was asked; what is the person's alone goes to them."""
        if not reply.is_personal:
            await self._chat.sharing.share(reply.parts, reply.language, channel, below or None)
            return
        for each in self._publisher.render_parts(reply.parts, reply.language):
            await self._publisher.tell(channel, person.id, each.payload)


def _takes_thread(message: discord.Message, server: discord.Guild) -> bool:
    """Return whether the bot can make a thread of a message, as far as is known.

    https://discord.com/developers/docs/topics/threads: in text and announcement channels alone.
    """
    place = message.channel
    if not isinstance(place, discord.TextChannel):
        return False
    if server.me is None:  # a server tells of the bot before its messages come
        return True
    may = place.permissions_for(server.me)
    return may.create_public_threads and may.send_messages_in_threads


def question_in(content: str, bot: int) -> str | None:
    """Return what stands after the mention of the bot, else before it; None where it has none.

    https://discord.com/developers/docs/reference#message-formatting
    """
    before, *rest = re.split(rf"<@!?{bot}>", content, maxsplit=1)
    if not rest:
        return None
    return " ".join((rest[0] if rest[0].strip() else before).split())
