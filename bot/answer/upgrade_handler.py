"""What an upgrade means for the codebases of a channel, made once and kept.

::

    surfaces = those of the channel that are of the repository, as far as who asks may hear of them
    span     = what they pin .. newest release, or what was written
    report   = kept from before, or made: minutes where GitHub is asked, one at a time in a channel
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from bot.answer.channel_answers import ChannelAnswers
from bot.compose.answer_parts import upgrade_part
from bot.compose.chat_reply import Attachment, ChatReply
from bot.model.channel_commands import UPGRADE, AskUpgrade
from bot.model.channels import Channel, Person
from bot.store.store import ChannelStore
from digest import codec
from digest.concern.concerned import mentioned_pins
from digest.concern.surface import Source as SurfaceSource
from digest.concern.surface import Surface, SurfaceWords, sorted_uses
from digest.concern.upgrade import Upgrade
from digest.errors import BadAnswer, UsageError
from digest.executor import DRAWING, in_executor
from digest.languages import Language
from digest.leases import held
from digest.models import Repo, Span
from digest.phrase import Example, Phrase
from digest.ports import Clock, Source
from digest.upgrading import clone_of, newest, pinned, pins_of, upgrade_over
from digest.wording.phrases import SAY
from digest.writing.document import Document
from digest.writing.pages import upgrade_page
from digest.writing.upgrade_page import ends_of

FORM = 1
"""Changes with what is kept of a report, and with how it is made."""


def _untold(step: Phrase) -> None:
    """Tell nobody how far it is."""


class UpgradeHandler:
    """Makes reports. Methods raise `InfraError`."""

    def __init__(
        self,
        source: Source,
        reading: ChannelAnswers,
        store: ChannelStore,
        clock: Clock,
        draw: Callable[[Document], str],
    ) -> None:
        """`draw` makes a file of a page."""
        self._source = source
        self._reading = reading
        self._store = store
        self._clock = clock
        self._draw = draw

    async def answer(
        self,
        command: AskUpgrade,
        channel: Channel,
        person: Person,
        *,
        shareable: bool = True,
    ) -> ChatReply:
        """Tell what an upgrade means, in a message, and whole in a file.

        `shareable` is false for what everybody sees: there a reaction flags what it is about.
        """
        asker = await self._reading.asker(channel, person)
        language = command.language or asker.language
        repo = await self._reading.repo(command.repo, channel, person)
        surface = await self._surface(repo, channel, person)
        clone = clone_of(self._source, repo)
        head = command.head or await newest(clone, repo)
        if command.base:
            span = await clone.span(repo, command.base, head)
        else:
            span = await pinned(clone, repo, pins_of(repo, surface), head)
        name = _name(channel, repo, span, surface)
        found = await self._stored(name)
        if found is None:
            leases, own = self._store.leases, secrets.token_hex(8)
            async with held(leases, f"upgrade {channel}", own, self._clock) as is_alone:
                if not is_alone:
                    raise UsageError(SAY.upgrades.one_at_a_time)
                await self._spend(name, command, channel, person)
                found = await upgrade_over(clone, repo, span, surface, _untold)
            if not found.unread:  # what could not be read may be there the next time
                await self._store.values.remember({name: codec.dump(found).decode()})
        asks = f"{UPGRADE} {repo} {ends_of(span)} in {language}" if shareable else ""
        return await in_executor(lambda: self._reply(found, language, asks), DRAWING)

    async def _spend(
        self, name: str, command: AskUpgrade, channel: Channel, person: Person
    ) -> None:
        """Spend what a report costs; one that was begun goes on for nothing that day (UTC)."""
        begun = f"{name} begun {self._clock():%Y-%m-%d}"
        if await self._store.values.recall(begun) is None:
            await self._reading.spend(command, channel, person)
            await self._store.values.remember({begun: "yes"})

    def _reply(self, found: Upgrade, language: Language, asks: str) -> ChatReply:
        ends = ends_of(found.span).replace("/", "-")
        page = self._draw(upgrade_page(found, language, full=True))
        file = Attachment(f"upgrade-{found.repo.name}-{ends}.html", page)
        return ChatReply((upgrade_part(found, language, asks),), language, file=file)

    async def _surface(self, repo: Repo, channel: Channel, person: Person) -> Surface:
        """Return what the codebases of a channel use of a repository, as one."""
        seen = await self._reading.seen_concerns(channel, person)
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
        stored = await self._store.values.recall(name)
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
    source = SurfaceSource(", ".join(filter(None, (one.source.name for one in surfaces))))
    uses = sorted_uses(tuple(use for one in surfaces for use in one.uses))
    return Surface(first.of, source, uses, SurfaceWords(*lists))


def _name(channel: Channel, repo: Repo, span: Span, surface: Surface) -> str:
    """Name a report by its channel, so that it is forgotten with its workspace."""
    made_of = (str(FORM), str(repo), span.base_sha, span.head_sha, span.base, span.head)
    digest = hashlib.sha256("\n".join((*made_of, surface.write("json"))).encode()).hexdigest()
    return f"upgrade {channel} {digest}"
