"""What people type in a channel, answered, reports of upgrades among it."""

import hashlib
import secrets
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial

from cachetools import LRUCache

from bot.answer.answers import with_concerns
from bot.answer.channel_answers import ChannelAnswers
from bot.answer.channel_settings import ChannelSettings
from bot.answer.overviews import FollowUpLists
from bot.compose.answer_parts import answer_parts, is_shareable, upgrade_part
from bot.compose.chat_reply import Attachment, ChatReply
from bot.compose.welcome import CHOICE, welcome, which_digest
from bot.model.channel_commands import (
    UPGRADE,
    AskUpgrade,
    ListSubscriptions,
    Pause,
    Resume,
    ShowFollowUps,
    ShowSettings,
    Subscribe,
    Unsubscribe,
    Welcome,
    parse_chat,
)
from bot.model.channels import Channel, Visit
from bot.model.commands import Question, parse_question
from bot.model.concerns import (
    AddCodebase,
    AddFile,
    ChangeWords,
    RemoveConcern,
    ShowConcern,
)
from bot.model.parts import Part
from bot.model.policy import cost
from bot.model.replies import DigestReply, Reply, WhyReply
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from bot.wording.channel_words import why_shown_here
from digest import codec
from digest.concern.concerned import mentioned_pins
from digest.concern.ripple import RippleHistory
from digest.concern.surface import Surface, SurfaceOrigin, SurfaceWords, sorted_uses
from digest.concern.upgrade import Upgrade
from digest.errors import BadAnswer, UsageError
from digest.executor import DRAWING, in_executor
from digest.languages import Language
from digest.leases import held
from digest.models import KNOWN, Repo, Span
from digest.phrase import Example
from digest.ports import Clock, Source
from digest.upgrading import clone_of, newest, pinned, pins_of, upgrade_over
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Document, Foreign, Paragraph, Tone
from digest.writing.pages import upgrade_page
from digest.writing.phrasing import fill
from digest.writing.upgrade_page import ends_of

FORM = 1
"""Changes with what is kept of a report, and with how it is made."""


@dataclass(frozen=True)
class UpgradeHandler:
    """Makes reports; `draw` makes a file of a page. Methods raise `InfraError`."""

    source: Source
    reading: ChannelAnswers
    store: ChannelStore
    clock: Clock
    draw: Callable[[Document], str]

    async def answer(
        self, command: AskUpgrade, visit: Visit, *, shareable: bool = True
    ) -> ChatReply:
        """Tell what an upgrade means, in a message, and whole in a file.

        `shareable` is false for what everybody sees: there a reaction flags what it is about.
        """
        asker = await self.reading.asker(visit)
        language = command.language or asker.language
        repo = await self.reading.repo(command.repo, visit)
        surface = await self._surface(repo, visit)
        clone = clone_of(self.source, repo)
        head = command.head or await newest(clone, repo)
        if command.base:
            span = await clone.span(repo, command.base, head)
        else:
            span = await pinned(clone, repo, pins_of(repo, surface), head)
        name = _name(visit.channel, repo, span, surface)
        found = await self._stored(name)
        if found is None:
            leases, own = self.store.leases, secrets.token_hex(8)
            async with held(leases, f"upgrade {visit.channel}", own, self.clock) as is_alone:
                if not is_alone:
                    raise UsageError(SAY.upgrades.one_at_a_time)
                await self._spend(name, command, visit)
                found = await upgrade_over(clone, repo, span, surface, lambda _: None)
            if not found.unread:  # what could not be read may be there the next time
                await self.store.values.remember({name: codec.dump(found).decode()})
        asks = f"{UPGRADE} {repo} {ends_of(span)} in {language}" if shareable else ""
        return await in_executor(lambda: self._reply(found, language, asks), DRAWING)

    async def _spend(self, name: str, command: AskUpgrade, visit: Visit) -> None:
        """Spend what a report costs; one that was begun goes on for nothing that day (UTC)."""
        begun = f"{name} begun {self.clock():%Y-%m-%d}"
        if await self.store.values.recall(begun) is None:
            await self.reading.spend(cost(command), visit)
            await self.store.values.remember({begun: "yes"})

    def _reply(self, found: Upgrade, language: Language, asks: str) -> ChatReply:
        ends = ends_of(found.span).replace("/", "-")
        page = self.draw(upgrade_page(found, language, full=True))
        file = Attachment(f"upgrade-{found.repo.name}-{ends}.html", page)
        return ChatReply((upgrade_part(found, language, asks),), language, file=file)

    async def _surface(self, repo: Repo, visit: Visit) -> Surface:
        """Return what the codebases of a channel use of a repository, as one."""
        seen = await self.reading.seen_concerns(visit)
        words = [one.surface for one in seen if not one.surface.of]
        found = [one.surface for one in seen if one.surface.of.casefold() == str(repo).casefold()]
        if not found and any(
            one.is_fetched and one.read_at is None and not one.trouble for one in seen
        ):
            raise UsageError(SAY.upgrades.being_read)
        if not found and not any(
            one.words.flags or any(mentioned_pins(repo, one)) for one in words
        ):
            example = Example(f"concern add vllm-project/vllm-ascend of {repo}")
            raise UsageError(SAY.upgrades.no_surface(repo, example))
        return replace(joined([*found, *words]), of=str(repo))

    async def _stored(self, name: str) -> Upgrade | None:
        stored = await self.store.values.recall(name)
        if stored is None:
            return None
        try:
            return codec.load(Upgrade, stored)
        except BadAnswer:  # of another version
            return None


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Return several surfaces of one repository as one."""
    first, *others = surfaces
    if not others:
        return first
    lists = (
        tuple(dict.fromkeys(word for one in surfaces for word in getattr(one.words, each.name)))
        for each in fields(SurfaceWords)
    )
    source = SurfaceOrigin(", ".join(filter(None, (one.source.name for one in surfaces))))
    uses = sorted_uses(tuple(use for one in surfaces for use in one.uses))
    return Surface(first.of, source, uses, SurfaceWords(*lists))


def _name(channel: Channel, repo: Repo, span: Span, surface: Surface) -> str:
    """Name a report by its channel, so that it is forgotten with its workspace."""
    made_of = (str(FORM), str(repo), span.base_sha, span.head_sha, span.base, span.head)
    digest = hashlib.sha256("\n".join((*made_of, surface.write("json"))).encode()).hexdigest()
    return f"upgrade {channel} {digest}"


MOST_DAYS = 64
"""Written days kept in memory: some hundred kilobytes each at most."""


@dataclass(frozen=True)
class CommandHandler:
    """Answers commands for a person of a channel. Methods raise `InfraError`."""

    reading: ChannelAnswers
    settings: ChannelSettings
    upgrades: UpgradeHandler
    lists: FollowUpLists
    store: ChannelStore
    ripple_history: RippleHistory
    _days: LRUCache[Hashable, tuple[Part, ...]] = field(
        default_factory=lambda: LRUCache(MOST_DAYS), init=False
    )

    async def answer(self, text: str, visit: Visit, *, shareable: bool = True) -> ChatReply:
        """Answer what was typed; `shareable` puts a Share button below what others may want."""
        command = parse_chat(text)
        settings = self.settings
        match command:
            case Welcome():
                return await self.welcome(visit)
            case Subscribe():
                return await settings.subscribe(command, visit)
            case Unsubscribe():
                return await settings.unsubscribe(command, visit)
            case Pause():
                return await settings.pause(command, visit)
            case Resume():
                return await settings.resume(command, visit)
            case ShowConcern() | ChangeWords() | AddCodebase() | AddFile() | RemoveConcern():
                return await settings.concern(command, visit)
            case AskUpgrade():
                return await self.upgrades.answer(command, visit, shareable=shareable)
            case ListSubscriptions(language=language):
                language = language or await settings.language(visit)
                return await settings.listed(visit, language)
            case ShowSettings(language=language):
                language = language or await settings.language(visit)
                return await settings.settings(visit, language)
            case ShowFollowUps(which, language=language):
                language = language or await settings.language(visit)
                return await self.lists.reply(which, visit, language)
        return await self.ask(command, visit, request=text if shareable else "")

    async def welcome(self, visit: Visit) -> ChatReply:
        """Say what the bot is for, to who asked for nothing yet."""
        own, names = await self._subscribed(visit)
        language = await self.settings.language(visit)
        return welcome(own, names, next(iter((*names, *KNOWN))), language)

    async def press_ask(self, request: str, visit: Visit) -> ChatReply:
        """Answer what a button asks; `CHOICE` asks which repository is meant."""
        if request.startswith(f"{UPGRADE} "):
            return await self.answer(request, visit)
        if request != CHOICE:
            return await self.ask(parse_question(request), visit, request=request)
        _, own = await self._subscribed(visit)
        names = own or tuple(await self.reading.names(visit))
        return which_digest(names, await self.settings.language(visit))

    async def _subscribed(self, visit: Visit) -> tuple[Subscription | None, tuple[str, ...]]:
        """Return what a channel gets as far as a person may hear of it, and how it is asked for."""
        own = await self.settings.seen(visit)
        aliases = {repo: alias for alias, repo in reversed(list(KNOWN.items()))}
        return own, tuple(aliases.get(repo, str(repo)) for repo in (own.repos if own else ()))

    async def ask(self, question: Question, visit: Visit, *, request: str = "") -> ChatReply:
        """Answer a question; `request`, as typed, is for the Share button."""
        reply = await self._reply(question, visit)
        parts = await self._parts(reply, request)
        parts = await self.lists.shown_on(parts, visit.channel, reply.language)
        return ChatReply((*parts, *await self._here(reply, visit.channel)), reply.language)

    async def shared(self, request: str, visit: Visit) -> ChatReply:
        """Answer a question for everybody, who are told whose it is and what was asked.

        Raises `UsageError` for words that are no question, and where nobody would learn anything.
        """
        reply = await self._reply(parse_question(request), visit)
        if not is_shareable(reply):
            raise UsageError(SAY.chat.nothing_to_share)
        parts = await self.lists.shown_on(
            await self._parts(reply, ""), visit.channel, reply.language
        )
        first, *others = (*parts, *await self._here(reply, visit.channel))
        words = CATALOGUES[reply.language].thread.shared_by
        heading = fill(
            words, person=Foreign(visit.person.name), asked=Foreign(" ".join(request.split()))
        )
        blocks = (Paragraph(heading, Tone.SMALL), *first.blocks)
        summary = f"{visit.person.name}: {first.summary}"
        return ChatReply((replace(first, blocks=blocks, summary=summary), *others), reply.language)

    async def _reply(self, question: Question, visit: Visit) -> Reply:
        """Answer a question; a digest begins with what concerns the channel, as in the morning."""
        reply = await self.reading.reply(question, visit)
        seen = await self.reading.seen_concerns(visit)
        surfaces = [each.surface for each in seen if each.surface != Surface()]
        may_hear = partial(self.reading.may_hear, visit=visit)
        return await with_concerns(reply, surfaces, self.ripple_history, may_hear)

    async def _here(self, reply: Reply, channel: Channel) -> tuple[Part, ...]:
        """Say of an item that is explained why this channel was told it, or was not."""
        if not isinstance(reply, WhyReply):
            return ()
        subscription = await self.store.subscriptions.of(channel)
        item = reply.read.item
        record = await self.store.sources.of(item.repo)
        names = (str(item.repo), *record.formerly)
        keys = [item.key.replace(str(item.repo), name, 1) for name in names]
        mentions = await self.store.posts.mentions(channel, *keys)
        sentence = why_shown_here(reply.read, subscription, mentions, reply.language)
        return ChatReply.line(sentence, reply.language).parts if sentence else ()

    async def _parts(self, reply: Reply, request: str) -> tuple[Part, ...]:
        """Write an answer; a day that many ask for is written once."""
        make = partial(answer_parts, reply, request=request)
        if not isinstance(reply, DigestReply) or reply.surfaces:
            return await in_executor(make, DRAWING)
        reading, digest = reply.digest.reading, reply.digest
        made_of = (
            *(reading.repo, reading.window, reading.collected_at, digest.generated_at),
            *(repr((digest.remarks, digest.model)), reply.language, request),
        )
        parts = self._days.get(made_of)
        if parts is None:
            parts = self._days[made_of] = await in_executor(make, DRAWING)
        return parts
