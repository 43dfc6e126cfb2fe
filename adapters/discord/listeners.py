"""What people ask on Discord: every interaction is answered at once and worked on afterwards.

::

    command, message command     promised privately, then the answer is filled in
    button, menu                 a private answer, a turned page, or nothing but the edited message
    autocomplete                 choices, from the store alone
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from typing import Any, TypeAlias

import discord
import structlog
from cachetools import TTLCache

from adapters.discord import options
from adapters.discord.buttons import is_short_form, read_custom_id
from adapters.discord.client import DiscordPublisher
from adapters.discord.commands import (
    CHANNEL,
    DEEP_DIVE,
    FLAG,
    INFRA,
    MOST_CHOICES,
)
from adapters.discord.options import (
    QuestionText,
    SlashCommand,
    UploadedFile,
    help_reply,
    read,
    read_interaction,
)
from adapters.discord.people import Caller, caller_of
from adapters.discord.permissions import EMBED_LINKS, missing, named
from adapters.discord.render import DiscordMessage, PageTurn, page, read_turn, render_parts
from adapters.discord.responder import Responder
from adapters.operations.background import Background
from bot.answer.button_handler import MenuMessage, Press
from bot.answer.chat import Chat
from bot.answer.upgrade_handler import LatestStep
from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.channel_commands import UPGRADE, spelled_out
from bot.model.parts import ActionKind
from bot.model.ports import NoPermission, PublishError
from bot.model.references import links
from digest.errors import InfraError, StoreFailed, UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES

HELP = "help"
"""Who gives that as a repository is told what can be asked."""

OFFERED_WITHIN = 1.5
"""Seconds for choices to be found; none come later than Discord takes them."""

LONGEST_CHANGE = 100

STEP_EVERY = 4.0
"""Seconds between two edits that tell the steps of what takes minutes."""

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


class Listeners:
    """Answers interactions."""

    def __init__(
        self,
        chat: Chat,
        responder: Responder,
        publisher: DiscordPublisher,
        background: Background,
        clock: Clock,
    ) -> None:
        self._chat = chat
        self._responder = responder
        self._publisher = publisher
        self._values = publisher.values
        self._background = background
        self._clock = clock
        self._pages: TTLCache[str, tuple[Sequence[DiscordMessage], Language], datetime]
        self._pages = TTLCache(MOST_PAGED, PAGES_KEPT, timer=clock)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle an interaction: what is not of a server or not known is let go."""
        who = caller_of(interaction)
        data: Mapping[str, Any] = interaction.data or {}
        if who is None:
            return
        if not self._publisher.serves(who.place.channel.workspace):
            await self._turn_away(interaction.type, who)
            return
        match interaction.type:
            case discord.InteractionType.autocomplete:
                await self._offer(read_interaction(data), who)
            case discord.InteractionType.application_command:
                if await self._responder.defer(who.to):
                    self._background.start(self._command(data, who), "discord command")
            case discord.InteractionType.component:
                await self._component(data, who, interaction.message)

    async def _turn_away(self, kind: discord.InteractionType, who: Caller) -> None:
        """Say in one line that this server is not served."""
        if kind is discord.InteractionType.autocomplete:
            await self._responder.offer(who.to, [])
        elif await self._responder.defer(who.to):
            await self._give(_line(SAY.discord.not_served, who.language), who)

    async def _command(self, data: Mapping[str, Any], who: Caller) -> None:
        name, target = data.get("name"), str(data.get("target_id") or "")
        message = _on(data, target, who)
        at = self._clock()
        if name == FLAG:
            await self._give(self._chat.flag(who.place.channel, message, who.person, at), who)
        elif name == DEEP_DIVE:
            await self._give(self._chat.deep_dive(who.place.channel, message, who.person, at), who)
        else:
            await self._typed(read_interaction(data), who)

    async def _typed(self, typed: SlashCommand, who: Caller) -> None:
        try:
            command = read(typed)
            if (typed.command, typed.sub) == (CHANNEL, "subscribe"):
                _refuse_unfit(who)
        except (UsageError, NoPermission) as error:
            await self._give(_line(error.why, who.language), who)
            return
        if isinstance(command, UploadedFile):
            work = self._chat.give_file_from(
                command.name, command.url, who.place.channel, who.person
            )
            await self._give(work, who)
            return
        text = command.text
        if not isinstance(command, QuestionText):
            await self._give(self._ordered(text, who), who)
            return
        if typed.command == INFRA and typed.options.get("share") and text and not _is_help(text):
            await self._give(self._press(ActionKind.SHARE, text, who, ""), who)
            return
        await self._give(self._answer_text(text, who), who)

    async def _component(
        self, data: Mapping[str, Any], who: Caller, on: discord.Message | None
    ) -> None:
        custom_id = str(data.get("custom_id") or "")
        turn = read_turn(custom_id)
        if turn:
            if await self._responder.defer_edit(who.to):
                self._background.start(self._turn(turn, who), "discord page")
            return
        pressed = read_custom_id(custom_id)
        if pressed is None or on is None:
            return
        kind, value = pressed
        chosen = data.get("values") or [value]
        is_own = bool(on.flags.ephemeral)
        edits = kind in QUIETLY
        defer = self._responder.defer_edit if edits else self._responder.defer
        if await defer(who.to):
            work = self._pressed(kind, str(chosen[0]), who, str(on.id), is_own=is_own)
            self._background.start(work, f"discord {kind}")

    async def _pressed(
        self, kind: ActionKind, value: str, who: Caller, message: str, *, is_own: bool
    ) -> None:
        work = self._press(kind, value, who, who.place.reference(message))
        if kind in QUIETLY and not (is_own and kind is ActionKind.CHOOSE):
            await self._beside(work, who)
        else:
            await self._give(work, who)

    async def _give(self, work: Work, who: Caller) -> None:
        """Do the work, and fill in what comes of it; without anything the promise is withdrawn."""
        reply = await self._worked(work, who)
        if reply is None or reply.is_posted:
            await self._responder.withdraw(who.to)
            return
        if not await self._show(reply, who):
            await self._tell(reply, who)
        elif reply.file:
            await self._attach(reply.file, reply.language, who)

    async def _attach(self, file: Attachment, language: Language, who: Caller) -> None:
        if not await self._responder.attach(who.to, file.name, file.text.encode()):
            say = CATALOGUES[language]
            why = say.upgrades.no_file(say.said(SAY.discord.not_taken))
            await self._say(why, language, who)

    async def _tell(self, reply: ChatReply, who: Caller) -> None:
        """Tell what came after the quarter of an hour in which Discord takes an answer."""
        channel, person = who.place.channel, who.person.id
        for message in self._publisher.render_parts(reply.parts, reply.language):
            try:
                await self._publisher.tell(channel, person, message.payload)
            except PublishError as error:
                log.info("answer not told", channel=str(channel), reason=str(error))
                return

    async def _stepwise(self, text: str, who: Caller) -> ChatReply:
        """Answer a command; what takes minutes is told by edits of what was promised."""
        steps = LatestStep()
        work = asyncio.create_task(
            self._chat.answer_text(text, who.place.channel, who.person, tell=steps.tell)
        )
        try:
            async for step in steps.during(work, repeat(STEP_EVERY)):
                language = await self._chat.channel_language(who.place.channel)
                await self._show(ChatReply.line(step, language or who.language), who)
            return await work
        finally:
            work.cancel()

    async def _beside(self, work: Work, who: Caller) -> None:
        """Do the work; what there is to say of it stands beside the message, for the person."""
        reply = await self._worked(work, who)
        if reply is None:
            return
        for drawn in self._drawn(reply):
            await self._remember(drawn.values)
            await self._responder.add(who.to, drawn.payload)

    async def _turn(self, turn: PageTurn, who: Caller) -> None:
        """Show another page of an answer; if it is too long ago, say so beside it."""
        answer = self._pages.get(turn.answer)
        if answer is None:
            await self._say(CATALOGUES[who.language].discord.lost, who.language, who)
            return
        self._pages[turn.answer] = answer
        await self._show_page(answer, turn, who)

    async def _show(self, reply: ChatReply, who: Caller) -> bool:
        answer = (self._drawn(reply), reply.language)
        if len(answer[0]) > 1:
            self._pages[who.to.id] = answer
        return await self._show_page(answer, PageTurn(who.to.id, 0), who)

    async def _show_page(
        self, answer: tuple[Sequence[DiscordMessage], Language], turn: PageTurn, who: Caller
    ) -> bool:
        drawn, language = answer
        shown = page(drawn, turn, language)
        await self._remember(shown.values)
        return await self._responder.show(who.to, shown.payload)

    def _drawn(self, reply: ChatReply) -> tuple[DiscordMessage, ...]:
        return render_parts(reply.parts, reply.language, self._publisher.commands)

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
            return await _line(error.why, language)
        except Exception:
            await self._say(CATALOGUES[language].chat.broken, language, who)
            raise

    async def _say(self, text: str, language: Language, who: Caller) -> None:
        """Say one sentence more to the person."""
        line = await _line(text, language)
        await self._responder.add(who.to, render_parts(line.parts, language)[0].payload)

    async def _answer_text(self, text: str, who: Caller) -> ChatReply:
        if not text:
            return await self._ordered(text, who)
        if _is_help(text):
            return help_reply(who.language)
        return await self._chat.ask(text, who.place.channel, who.person)

    async def _ordered(self, text: str, who: Caller) -> ChatReply:
        if text.partition(" ")[0] == UPGRADE:
            return await self._stepwise(text, who)
        return await self._chat.answer_text(
            text, who.place.channel, who.person, post=who.place.post
        )

    async def _press(
        self, kind: ActionKind, value: str, who: Caller, message: str
    ) -> ChatReply | None:
        """Do what a button says; `value` may be its short form."""
        whole = await self._whole(value)
        if whole is None:
            return await _line(CATALOGUES[who.language].discord.lost, who.language)
        place = who.place
        if kind is ActionKind.SHARE and EMBED_LINKS in missing(place.allowed):
            # Discord refuses such a message without saying why.
            return await _line(SAY.discord.lacks(named(EMBED_LINKS)), who.language)
        if kind is ActionKind.ASK and _is_help(whole):
            return help_reply(who.language)
        at, thread = self._clock(), place.place if place.in_thread else ""
        return await self._chat.press(
            Press(kind, whole, place.channel, message, who.person, at, thread, place.post)
        )

    async def _whole(self, value: str) -> str | None:
        return await self._values.recall(value) if is_short_form(value) else value

    async def _offer(self, command: SlashCommand, who: Caller) -> None:
        try:
            async with asyncio.timeout(OFFERED_WITHIN):
                choices = await self._choices(command, who)
        except (TimeoutError, StoreFailed) as error:
            log.info("no choices offered", reason=str(error))
            choices = []
        await self._responder.offer(who.to, choices)

    async def _choices(
        self, command: SlashCommand, who: Caller
    ) -> list[str] | list[tuple[str, str]]:
        typed = str(command.options.get(command.focused) or "")
        channel = who.place.channel
        match command.focused:
            case "repo":
                names = list(await self._chat.repo_names(typed, channel, who.person))
                names += ["all"] if command.command == INFRA and "all".startswith(typed) else []
                return options.matching(typed, names)
            case "repos":
                return options.completed(typed, await self._repos(command, who))
            case "when":
                form = await self._chat.settings.form(channel, who.person)
                return options.days(typed, self._clock(), form.tz)
            case "change":
                repo = command.text("repo")
                found = await self._chat.changes(typed, repo, channel, who.person, MOST_CHOICES)
                named = [(f"{each.item.ref} {each.item.title}", each.item.ref) for each in found]
                return [(name[:LONGEST_CHANGE], ref) for name, ref in named if ref] or (
                    options.matching(typed, ())
                )
            case "tz":
                return options.zones(typed)
            case "time":
                return options.matching(typed, options.TIMES)
            case "days":
                return options.matching(typed, options.DAYS)
            case "without":
                return options.matching(typed, options.WITHOUT)
        return []

    async def _repos(self, command: SlashCommand, who: Caller) -> tuple[str, ...]:
        """Return the repositories to choose from: where a channel gives some up, those it gets."""
        channel = who.place.channel
        if command.sub == "unsubscribe":
            form = await self._chat.settings.form(channel, who.person)
            if not form.is_new:
                is_first = " " not in str(command.options.get("repos") or "").lstrip()
                return (*form.repos, *(("all",) if is_first else ()))
        return await self._chat.repo_names("", channel, who.person)


def _on(data: Mapping[str, Any], target: str, who: Caller) -> MenuMessage:
    """Read the message that a command in its menu was used on: its addresses are what matters.

    What it says comes with the command, whatever the bot may read:
    https://discord.com/developers/docs/interactions/application-commands#message-commands
    """
    message = ((data.get("resolved") or {}).get("messages") or {}).get(target) or {}
    texts = [message.get("content"), *(each.get("url") for each in message.get("embeds") or ())]
    place = who.place
    text = " ".join(links(" ".join(str(each) for each in texts if each)))
    return MenuMessage(place.reference(target), text, place.place if place.in_thread else "")


def _is_help(text: str) -> bool:
    """Return whether somebody asks what can be asked."""
    return spelled_out(text).partition(" ")[0].casefold() == HELP


def _refuse_unfit(who: Caller) -> None:
    """Raise `NoPermission` for a channel that cannot be subscribed."""
    if not who.place.holds_threads:
        raise NoPermission(SAY.discord.not_text)
    if lacking := missing(who.place.allowed):
        raise NoPermission(SAY.discord.lacks(named(*lacking)))


async def _line(text: str | Phrase, language: Language) -> ChatReply:
    return ChatReply.line(text, language, failed=True)
