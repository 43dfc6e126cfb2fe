"""Channels that cannot be told, and those that can again: noticed, said once, nothing else touched.

::

    await absences.gone(channel, Absence.ARCHIVED)         what an event says of a channel
    await absences.back(channel)
    await absences.workspace_gone(platform, workspace)     the bot was taken out of a workspace
    await absences.workspace_back(platform, workspace)
    await absences.failed(subscription, error)             what an error says while it is told
    await absences.look_again(now)                         what no event tells: once a day each
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

import structlog

from bot.compose.chat_reply import ChatReply
from bot.deliver import reachability as life
from bot.deliver.reachability import Absence
from bot.model.channels import Channel, Platform
from bot.model.ports import Limited, Publisher, PublishError
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.languages import Language
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import said

ASKED_AT_ONCE = 4

Decide: TypeAlias = Callable[[Subscription | None], Subscription | None]

log = structlog.get_logger()


class UnreachableChannels:
    """Pauses subscriptions and lets them go on. Methods raise `StoreFailed`."""

    def __init__(
        self, store: ChannelStore, publishers: Mapping[Platform, Publisher], clock: Clock
    ) -> None:
        self._store = store
        self._publishers = publishers
        self._clock = clock

    async def gone(self, channel: Channel, kind: Absence) -> None:
        """Take in that a channel cannot be told any more."""
        await self._change(channel, kind)

    async def back(self, channel: Channel, *, certain: bool = True) -> None:
        """Take in that a channel can be told again: its next thread tells all days since.

        What is not `certain` is not said a second time if it was an error.
        """
        before = await self._store.subscriptions.of(channel)
        if before is None or not before.absence:
            return
        now = self._clock()
        await self._store.subscriptions.change(
            channel, lambda current: life.back(current, now, certain=certain) if current else None
        )
        log.info("channel is back", channel=str(channel), was=before.absence)

    async def workspace_gone(
        self, platform: Platform, workspace: str, kind: Absence = Absence.UNINSTALLED
    ) -> None:
        """Take in that the bot is in no channel of a workspace any more.

        Channels that were gone before keep their own reason, which outlasts the workspace's.
        """
        for subscription in await self._store.subscriptions.of_workspace(platform, workspace):
            if subscription.absence in ("", Absence.FAILING):
                await self.gone(subscription.channel, kind)

    async def workspace_back(self, platform: Platform, workspace: str) -> None:
        """Take in that the bot is in a workspace again.

        Channels that were gone for another reason are left to what becomes of them.
        """
        for subscription in await self._store.subscriptions.of_workspace(platform, workspace):
            if subscription.absence in (Absence.UNINSTALLED, Absence.FAILING):
                await self.back(subscription.channel)

    async def present(self, platform: Platform, workspaces: Collection[str]) -> None:
        """Take in which workspaces the bot is in, for what was missed."""
        for workspace in await self._store.subscriptions.workspaces(platform):
            if workspace in workspaces:
                await self.workspace_back(platform, workspace)
            else:
                await self.workspace_gone(platform, workspace)

    async def failed(self, subscription: Subscription, error: PublishError) -> Absence | None:
        """Take in that a channel could not be told; gives why it pauses, if it does."""
        if isinstance(error, Limited):
            await self.note(subscription, error.why)
            return None
        now, kinds = self._clock(), []

        def decide(current: Subscription | None) -> Subscription | None:
            if current is None or current.id != subscription.id:
                return current
            after, kind = life.failed(current, error, now)
            kinds.append(kind)
            return self._with_complaint(current, after)

        await self._save(subscription.channel, decide)
        return kinds[-1] if kinds else None

    async def note(self, subscription: Subscription, why: Phrase) -> None:
        """Keep what went wrong last."""
        await self._store.subscriptions.change(
            subscription.channel,
            lambda current: replace(current, last_error=why) if current else None,
        )

    async def tell(self, subscription: Subscription, text: Phrase) -> None:
        """Tell one line to who subscribed, directly; nobody on the command line, who asks there."""
        publisher = self._publishers.get(subscription.channel.platform)
        if not subscription.created_by or publisher is None:
            return
        channel, language = subscription.channel, subscription.language
        notice = ChatReply.line(text, language)
        try:
            for message in publisher.render_parts(notice.parts, language):
                await publisher.tell(channel, subscription.created_by, message.payload)
        except PublishError as error:
            log.warning("nobody could be told", channel=str(channel), reason=str(error))

    async def look_again(self, now: datetime) -> None:
        """Look at channels that cannot be told, each once a day, for what no event tells."""
        paused = await self._store.subscriptions.paused()
        asked = [each for each in paused if life.is_to_be_asked(each, now)]
        at_once = asyncio.Semaphore(ASKED_AT_ONCE)

        async def look(subscription: Subscription) -> None:
            async with at_once:
                try:
                    await self._look(subscription, now)
                except InfraError as error:
                    channel = str(subscription.channel)
                    log.warning("channel not looked at", channel=channel, reason=str(error))

        await asyncio.gather(*map(look, asked))

    async def _look(self, subscription: Subscription, now: datetime) -> None:
        publisher = self._publishers.get(subscription.channel.platform)
        if publisher is None:
            return
        is_first = subscription.asked_at is None
        await self._store.subscriptions.change(
            subscription.channel,
            lambda current: replace(current, asked_at=now) if current else None,
        )
        if is_first:
            return  # it has only just gone
        try:
            await publisher.check(subscription.channel)
        except PublishError as error:
            log.info("channel still away", channel=str(subscription.channel), reason=str(error))
        else:
            await self.back(subscription.channel, certain=False)

    async def _change(self, channel: Channel, kind: Absence) -> None:
        def decide(current: Subscription | None) -> Subscription | None:
            if current is None:
                return None
            return self._with_complaint(current, life.absent(current, kind))

        await self._save(channel, decide)

    def _with_complaint(self, before: Subscription, after: Subscription) -> Subscription:
        if not life.is_to_be_told(before, after):
            return after
        return replace(after, complaint=after.paused)

    async def _save(self, channel: Channel, decide: Decide) -> None:
        before = await self._store.subscriptions.of(channel)
        after = await self._store.subscriptions.change(channel, decide)
        if before is None or after is None or after.complaint == before.complaint:
            return
        if after.complaint:
            log.warning(
                "channel cannot be told",
                channel=str(channel),
                reason=said(after.complaint, Language.EN),
            )
            await self.tell(after, SAY.delivering.paused(channel, after.complaint))
