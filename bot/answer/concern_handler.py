"""What concerns a channel, shown and changed by people."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from bot.answer.channel_answers import ChannelAnswers
from bot.answer.subscription_handler import SubscriptionHandler
from bot.compose.chat_reply import ChatReply
from bot.deliver.concern_reading import FetchFile
from bot.model.channels import Channel, Person
from bot.model.concerns import (
    BY_HAND,
    EVERY,
    AddCodebase,
    AddFile,
    ChangeWords,
    Concern,
    ConcernCommand,
    RemoveConcern,
    ShowConcern,
    codebase_name,
    file_name,
    named,
    nothing_said,
    read_addition,
    read_lists,
    refuse_more,
    with_words,
    written,
)
from bot.model.parts import Part, PartKind
from bot.store.concerns import Concerns
from bot.wording.settings_form import SettingsForm
from digest.concern.surface import Surface, SurfaceWords
from digest.errors import UsageError
from digest.executor import DRAWING, in_executor
from digest.languages import Language
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Paragraph, Words


async def read_surface(text: str, name: str) -> Surface:
    """Read the file of a surface; raises `UsageError` also where it says nothing."""
    surface = await in_executor(lambda: Surface.read(text), DRAWING)
    if not surface.uses and surface.words == SurfaceWords():
        raise UsageError(SAY.concerns.uses_nothing(name))
    return surface


class ConcernHandler:
    """Changes concerns in the name of people. Methods raise `InfraError` with a sentence."""

    def __init__(
        self,
        reading: ChannelAnswers,
        subscriptions: SubscriptionHandler,
        concerns: Concerns,
        clock: Clock,
        fetch: FetchFile,
    ) -> None:
        self._reading = reading
        self._subscriptions = subscriptions
        self._concerns = concerns
        self._clock = clock
        self._fetch = fetch

    async def do(self, command: ConcernCommand, channel: Channel, person: Person) -> ChatReply:
        """Show or change what concerns a channel; what it is afterwards is told."""
        language = command.language or (await self._reading.asker(channel, person)).language
        if not isinstance(command, ShowConcern):
            self._subscriptions.refuse_others(person)
        concerns = await self._concerns.of(channel)
        taken: tuple[str, ...] = ()
        match command:
            case ChangeWords(lists):
                concern = with_words(concerns, lists, channel)
                if concern.surface == Surface():
                    await self._concerns.remove(channel, concern.name)
                else:
                    await self._keep(concern, concerns)
            case AddCodebase(repo, of):
                await self._reading.refuse_hidden(repo, channel, person)
                name = codebase_name(repo, of)
                known = (each for each in concerns if each.name == name and each.repo)
                concern = next(known, Concern(channel, name, Surface(), repo, of))
                await self._keep(concern, concerns, self._clock())
            case AddFile(url):
                name, now = file_name(url), self._clock()
                surface = await read_surface(await self._fetch(url), name)
                concern = Concern(channel, name, surface, url=url, read_at=now)
                await self._keep(concern, concerns, now + EVERY)
            case RemoveConcern(name):
                seen = await self._seen(channel, person)
                for each in named(seen if name else concerns, name):
                    await self._concerns.remove(channel, each.name)
                    taken += (each.name,) if each in seen else ()
        return await self._shown(channel, person, language, taken)

    async def give(self, name: str, text: str, channel: Channel, person: Person) -> ChatReply:
        """Keep the text of a surface's file under a name, in place of one of that name."""
        self._subscriptions.refuse_others(person)
        surface = await read_surface(text, name)
        name = BY_HAND if not surface.of and not surface.uses else file_name(name)
        is_private = await self._reading.is_private(channel)
        concern = Concern(channel, name, surface, read_at=self._clock(), was_private=is_private)
        await self._keep(concern, await self._concerns.of(channel))
        language = (await self._reading.asker(channel, person)).language
        return await self._shown(channel, person, language)

    async def names(self, channel: Channel, person: Person) -> tuple[str, ...]:
        """Return the names of codebases and files that a person may hear of, for a form."""
        seen = await self._seen(channel, person)
        return tuple(each.name for each in seen if each.name != BY_HAND)

    async def words(self, channel: Channel) -> SurfaceWords:
        """Return the words by hand, for a form."""
        concerns = await self._concerns.of(channel)
        return next(
            (each.surface.words for each in concerns if each.name == BY_HAND), SurfaceWords()
        )

    async def changes_of(self, form: SettingsForm, channel: Channel) -> list[ConcernCommand]:
        """Return the commands that do what a form asks for, none for what is so already."""
        found: list[ConcernCommand] = [RemoveConcern(name) for name in form.remove]
        if form.concern is not None:
            words = SurfaceWords(**read_lists(form.concern))
            if words != await self.words(channel):
                found.append(ChangeWords(asdict(words)))
        return [*found, read_addition(form.add)] if form.add else found

    async def _keep(
        self, concern: Concern, concerns: tuple[Concern, ...], due_at: datetime | None = None
    ) -> None:
        refuse_more(concerns, concern.name)
        await self._concerns.save(concern, due_at)

    async def _seen(self, channel: Channel, person: Person) -> tuple[Concern, ...]:
        """Return the concerns of a channel without codebases that a person may not hear of."""
        return await self._reading.seen_concerns(await self._concerns.of(channel), person)

    async def _shown(
        self, channel: Channel, person: Person, language: Language, taken: Sequence[str] = ()
    ) -> ChatReply:
        """Say what concerns a channel; `taken` are names of what was just taken away."""
        stored = await self._concerns.of(channel)
        concerns = await self._reading.seen_concerns(stored, person)
        say = CATALOGUES[language].concerns
        lines = [say.taken(CATALOGUES[language].comma.join(taken))] if taken else []
        lines += [_described(each, language) for each in concerns]
        silent = sum(each.is_file for each in stored) - sum(each.is_file for each in concerns)
        if silent:
            lines.append(say.files_not_told(silent))
        if not lines:
            return ChatReply.line(nothing_said(), language)
        blocks = tuple(Paragraph((Words(line),)) for line in lines)
        return ChatReply((Part(PartKind.NOTICE, blocks, summary=lines[0]),), language)


def _described(concern: Concern, language: Language) -> str:
    """Say one concern in a sentence without its full stop."""
    surface, words = concern.surface, CATALOGUES[language]
    say = words.concerns
    if concern.name == BY_HAND or (concern.read_at and not surface.uses):
        description = say.by_hand(concern.name, written(surface.words))
    elif concern.read_at:
        names = len({(use.kind, use.name) for use in surface.uses})
        places = len(surface.uses)
        date = concern.read_at.date()
        description = say.used(concern.name, surface.of, f"{names:,}", f"{places:,}", date)
    else:
        description = concern.name if concern.trouble else say.unread(concern.name)
    if concern.trouble:
        return say.and_failed(description, words.said(concern.trouble).partition("\n")[0])
    return description
