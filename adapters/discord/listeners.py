"""What people ask on Discord: every interaction is answered at once and worked on afterwards.

::

    command, message command     promised privately, then the answer is filled in
    button, menu                 a private answer, a turned page, or nothing but the edited message
    autocomplete                 choices, from the store alone
"""

import asyncio
import re
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

import discord
import structlog
from cachetools import TTLCache

from adapters.discord import commands
from adapters.discord.client import DiscordPublisher
from adapters.discord.commands import (
    DEEP_DIVE,
    FLAG,
    INFRA,
    MOST_CHOICES,
    SlashCommand,
    help_reply,
    read,
    read_interaction,
)
from adapters.discord.interactions import Caller, Responder, caller_of, member
from adapters.discord.markup import shortened
from adapters.discord.permissions import EMBED_LINKS, missing, named
from adapters.discord.render import (
    DiscordMessage,
    is_short_form,
    page,
    read_custom_id,
    read_turn,
    render_parts,
)
from adapters.operations.background import Background
from bot.answer.button_handler import MenuMessage, Press
from bot.answer.chat import Chat
from bot.compose.chat_reply import ChatReply
from bot.model.channel_commands import spelled_out
from bot.model.channels import Channel, Platform, Visit
from bot.model.concerns import UploadedFile
from bot.model.parts import ActionKind
from bot.model.ports import NoPermission, PublishError
from bot.model.references import links
from digest.errors import InfraError, StoreFailed, UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.visible import visible

HELP = "help"
"""Who gives that as a repository is told what can be asked."""

OFFERED_WITHIN = 1.5
"""Seconds for choices to be found; none come later than Discord takes them."""

LONGEST_CHANGE = 100

QUIETLY = {
    *(ActionKind.FLAG, ActionKind.TAKE, ActionKind.DONE, ActionKind.REOPEN),
    ActionKind.CHOOSE,
}
"""Buttons whose answer is seen on the messages themselves."""

PAGES_KEPT = timedelta(minutes=15)
MOST_PAGED = 200
"""Long answers whose pages can be turned, and how long after they were looked at last."""

Work: TypeAlias = Coroutine[Any, Any, ChatReply | None]

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class Listeners:
    """Answers interactions."""

    chat: Chat
    responder: Responder
    publisher: DiscordPublisher
    background: Background
    clock: Clock

    def __post_init__(self) -> None:
        self._values = self.publisher.values
        self._pages: TTLCache[str, tuple[Sequence[DiscordMessage], Language], datetime]
        self._pages = TTLCache(MOST_PAGED, PAGES_KEPT, timer=self.clock)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle an interaction: what is not of a server or not known is let go."""
        who = caller_of(interaction)
        data: Mapping[str, Any] = interaction.data or {}
        if who is None:
            return
        if not self.publisher.serves(who.channel.workspace):
            await self._turn_away(interaction.type, who)
            return
        match interaction.type:
            case discord.InteractionType.autocomplete:
                await self._offer(read_interaction(data), who)
            case discord.InteractionType.application_command:
                if await self.responder.defer(who.to):
                    self.background.start(self._command(data, who), "discord command")
            case discord.InteractionType.component:
                await self._component(data, who, interaction.message)

    def on_message(self, message: discord.Message, client: discord.Client) -> None:
        """Handle a message of a server: one that names the bot is answered in a thread of it.

        A reply to the bot is no question, nor is what another bot says. Where no thread can be
        made, be it in the chat of a voice channel, the channel is answered. A mention is only a
        question: who may give orders, a server's admins set for each slash command,
        https://discord.com/developers/docs/interactions/application-commands#permissions
        """
        text = question_in(message.content, client.user.id if client.user else 0)
        author, server, where = message.author, message.guild, message.channel
        if text is None or server is None or not isinstance(author, discord.Member) or author.bot:
            return
        if not self.publisher.serves(str(server.id)):
            return
        in_thread = isinstance(where, discord.Thread)
        place = str(where.parent_id if isinstance(where, discord.Thread) else where.id)
        channel = Channel(Platform.DISCORD, str(server.id), place)
        person = member(author, channel, client, in_thread=in_thread)
        takes_thread = isinstance(where, discord.TextChannel) and (
            server.me is None or where.permissions_for(server.me).create_public_threads
        )
        below = str(where.id) if in_thread else str(message.id) if takes_thread else ""
        visit = Visit(channel, person)
        work = self._mentioned(text, visit, below, f"mention {message.id}")
        self.background.start(work, "discord mention")

    async def _mentioned(self, text: str, visit: Visit, below: str, event_id: str) -> None:
        """Answer a mention for everybody to see, or, what is the person's alone, directly."""
        reply = await self.chat.ask_by_mention(text, visit, thread=below, event_id=event_id)
        channel = visit.channel
        if reply and reply.is_personal:
            await self._tell(reply, visit)
        elif reply:
            try:
                await self.chat.sharing.share(reply.parts, reply.language, channel, below or None)
            except PublishError as error:
                log.info("mention not answered", channel=str(channel), reason=str(error))

    async def _turn_away(self, kind: discord.InteractionType, who: Caller) -> None:
        """Say in one line that this server is not served."""
        if kind is discord.InteractionType.autocomplete:
            await self.responder.offer(who.to, [])
        elif await self.responder.defer(who.to):
            await self._give(_ready(_line(SAY.discord.not_served, who.language)), who)

    async def _command(self, data: Mapping[str, Any], who: Caller) -> None:
        name = data.get("name")
        if name not in (FLAG, DEEP_DIVE):
            await self._typed(read_interaction(data), who)
            return
        act = self.chat.flag if name == FLAG else self.chat.deep_dive
        await self._give(act(who.visit, _on(data, who), self.clock()), who)

    async def _typed(self, typed: SlashCommand, who: Caller) -> None:
        try:
            command = read(typed)
            if typed.sub == "subscribe" and not who.holds_threads:
                raise NoPermission(SAY.discord.not_text)
        except (UsageError, NoPermission) as error:
            await self._give(_ready(_line(error.why, who.language)), who)
            return
        if isinstance(command, UploadedFile):
            given = self.chat.give_file_from(command.name, command.url, who.visit)
            await self._give(given, who)
            return
        text = command.text
        if not command.is_question or not text:
            work: Work = self.chat.answer_text(text, who.visit, post=who.post)
        elif _is_help(text):
            work = _ready(help_reply(who.language))
        elif typed.command == INFRA and typed.options.get("share"):
            work = self._press(ActionKind.SHARE, text, who, "")
        else:
            work = self.chat.ask(text, who.visit)
        await self._give(work, who)

    async def _component(
        self, data: Mapping[str, Any], who: Caller, on: discord.Message | None
    ) -> None:
        custom_id = str(data.get("custom_id") or "")
        if turn := read_turn(custom_id):
            if await self.responder.defer_edit(who.to):
                self.background.start(self._turn(*turn, who), "discord page")
            return
        pressed = read_custom_id(custom_id)
        if pressed is None or on is None:
            return
        kind, value = pressed
        chosen = str((data.get("values") or [value])[0])
        edits = kind in QUIETLY
        if await (self.responder.defer_edit if edits else self.responder.defer)(who.to):
            is_answered = not edits or (on.flags.ephemeral and kind is ActionKind.CHOOSE)
            show = self._give if is_answered else self._beside

            async def work() -> None:
                message = who.reference(str(on.id))
                await show(self._press(kind, chosen, who, message), who)

            self.background.start(work(), f"discord {kind}")

    async def _give(self, work: Work, who: Caller) -> None:
        """Do the work, and fill in what comes of it; without anything the promise is withdrawn."""
        reply = await self._worked(work, who)
        if reply is None or reply.is_posted:
            await self.responder.withdraw(who.to)
            return
        if not await self._show(reply, who):
            # It came after the quarter of an hour in which Discord takes an answer.
            await self._tell(reply, who.visit)
        elif (file := reply.file) and not await self.responder.attach(
            who.to, file.name, file.text.encode()
        ):
            say = CATALOGUES[reply.language]
            why = say.upgrades.no_file(say.localized(SAY.discord.not_taken))
            await self._say(why, reply.language, who)

    async def _tell(self, reply: ChatReply, visit: Visit) -> None:
        """Tell a person directly."""
        try:
            for message in self.publisher.render_parts(reply.parts, reply.language):
                await self.publisher.tell(visit.channel, visit.person.id, message.payload)
        except PublishError as error:
            log.info("answer not told", channel=str(visit.channel), reason=str(error))

    async def _beside(self, work: Work, who: Caller) -> None:
        """Do the work; what there is to say of it stands beside the message, for the person."""
        reply = await self._worked(work, who)
        if reply is None:
            return
        for drawn in self._drawn(reply):
            await self._remember(drawn.values)
            await self.responder.add(who.to, drawn.payload)

    async def _turn(self, answer: str, number: int, who: Caller) -> None:
        """Show another page of an answer; if it is too long ago, say so beside it."""
        found = self._pages.get(answer)
        if found is None:
            await self._say(CATALOGUES[who.language].discord.lost, who.language, who)
            return
        self._pages[answer] = found
        drawn, language = found
        await self._show_page(page(drawn, answer, number, language), who)

    async def _show(self, reply: ChatReply, who: Caller) -> bool:
        drawn = self._drawn(reply)
        if len(drawn) > 1:
            self._pages[who.to.id] = (drawn, reply.language)
        return await self._show_page(page(drawn, who.to.id, 0, reply.language), who)

    async def _show_page(self, shown: DiscordMessage, who: Caller) -> bool:
        await self._remember(shown.values)
        return await self.responder.show(who.to, shown.payload)

    def _drawn(self, reply: ChatReply) -> tuple[DiscordMessage, ...]:
        return render_parts(reply.parts, reply.language, self.publisher.commands)

    async def _remember(self, values: Mapping[str, str]) -> None:
        """Keep what buttons name; without the store they say later that they are out of date."""
        try:
            await self._values.remember(values)
        except StoreFailed as error:
            log.warning("values not kept", reason=str(error))

    async def _worked(self, work: Work, who: Caller) -> ChatReply | None:
        """Do the work; what breaks is told to the person and logged."""
        language = who.language
        try:
            return await work
        except InfraError as error:
            return _line(error.why, language)
        except Exception:
            await self._say(CATALOGUES[language].chat.broken, language, who)
            raise

    async def _say(self, text: str, language: Language, who: Caller) -> None:
        """Say one sentence more to the person."""
        line = _line(text, language)
        await self.responder.add(who.to, render_parts(line.parts, language)[0].payload)

    async def _press(
        self, kind: ActionKind, value: str, who: Caller, message: str
    ) -> ChatReply | None:
        """Do what a button says; `value` may be its short form."""
        whole = await self._values.recall(value) if is_short_form(value) else value
        if whole is None:
            return _line(CATALOGUES[who.language].discord.lost, who.language)
        if kind is ActionKind.SHARE and EMBED_LINKS in missing(who.allowed):
            # Discord refuses such a message without saying why.
            return _line(SAY.discord.lacks(named(EMBED_LINKS)), who.language)
        if kind is ActionKind.ASK and _is_help(whole):
            return help_reply(who.language)
        press = Press(kind, whole, who.visit, message, self.clock(), who.thread, who.post)
        return await self.chat.press(press)

    async def _offer(self, command: SlashCommand, who: Caller) -> None:
        try:
            async with asyncio.timeout(OFFERED_WITHIN):
                choices = await self._choices(command, who)
        except (TimeoutError, StoreFailed) as error:
            log.info("no choices offered", reason=str(error))
            choices = []
        await self.responder.offer(who.to, choices)

    async def _choices(
        self, command: SlashCommand, who: Caller
    ) -> list[str] | list[tuple[str, str]]:
        typed = str(command.options.get(command.focused) or "")
        match command.focused:
            case "repo":
                names = list(await self.chat.repo_names(typed, who.visit))
                names += ["all"] if command.command == INFRA and "all".startswith(typed) else []
                return commands.matching(typed, names)
            case "repos":
                return commands.completed(typed, await self._repos(command, who))
            case "when":
                current = await self.chat.settings.seen_or_begun(who.visit)
                return commands.recent_days(typed, self.clock(), current.tz)
            case "change":
                repo = command.text("repo")
                found = await self.chat.reading.changes(typed, repo, who.visit, MOST_CHOICES)
                named = [
                    (shortened(visible(f"{ref} {each.item.title}"), LONGEST_CHANGE), ref)
                    for each in found
                    if (ref := each.item.ref)
                ]
                return named or commands.matching(typed, ())
            case "tz":
                return commands.zones(typed)
            case "time":
                return commands.matching(typed, commands.TIMES)
            case "days":
                return commands.matching(typed, commands.DAYS)
            case "without":
                return commands.matching(typed, commands.WITHOUT)
        return []

    async def _repos(self, command: SlashCommand, who: Caller) -> tuple[str, ...]:
        """Return the repositories to choose from: where a channel gives some up, those it gets."""
        if command.sub == "unsubscribe":
            current = await self.chat.settings.seen_or_begun(who.visit)
            if current.repos:
                is_first = " " not in str(command.options.get("repos") or "").lstrip()
                return (*map(str, current.repos), *(("all",) if is_first else ()))
        return await self.chat.repo_names("", who.visit)


def _on(data: Mapping[str, Any], who: Caller) -> MenuMessage:
    """Read the message that a command in its menu was used on: its addresses are what matters.

    What it says comes with the command, whatever the bot may read:
    https://discord.com/developers/docs/interactions/application-commands#message-commands
    """
    target = str(data.get("target_id") or "")
    message = ((data.get("resolved") or {}).get("messages") or {}).get(target) or {}
    texts = [message.get("content"), *(each.get("url") for each in message.get("embeds") or ())]
    text = " ".join(links(" ".join(str(each) for each in texts if each)))
    return MenuMessage(who.reference(target), text, who.thread)


def _is_help(text: str) -> bool:
    """Return whether somebody asks what can be asked."""
    return spelled_out(text).partition(" ")[0].casefold() == HELP


def _line(text: str | Phrase, language: Language) -> ChatReply:
    return ChatReply.line(text, language, failed=True)


async def _ready(reply: ChatReply) -> ChatReply:
    return reply


def question_in(content: str, bot: int) -> str | None:
    """Return what stands after the mention of the bot, else before it; None where it has none."""
    # https://discord.com/developers/docs/reference#message-formatting
    before, *rest = re.split(rf"<@!?{bot}>", content, maxsplit=1)
    if not rest:
        return None
    return " ".join((rest[0] if rest[0].strip() else before).split())
