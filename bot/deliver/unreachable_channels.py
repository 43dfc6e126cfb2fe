"""Channels that cannot be told, and those that can again: noticed, said once, nothing else touched.

::

    await absences.gone(channel, Absence.ARCHIVED)         what an event says of a channel
    await absences.back(channel)
    await absences.workspace_gone(platform, workspace)     the bot was taken out of a workspace
    await absences.workspace_back(platform, workspace)
    await absences.failed(subscription, error)             what an error says while it is told
    await absences.look_again(now)                         what no event tells: once a day each

The rules are pure. A subscription that a person paused stays paused whatever becomes of the
channel; one that the platform stopped goes on by itself once the channel is back, with one thread
over all days since the last one that was told (`bot.model.slots`).
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

import structlog

from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Platform
from bot.model.ports import ChannelGone, Limited, NoPermission, Publisher, PublishError
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.languages import Language
from digest.phrase import NOTHING, Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import said

GIVEN_UP_AFTER = timedelta(days=3)
"""How long sending may fail in a row: longer than any outage of Slack's or Discord's that we know
of, https://slack-status.com/calendar and https://discordstatus.com/history."""

IN_A_ROW = timedelta(hours=4)
"""Failures further apart are none in a row, as the longest pause is an hour: the host slept."""

ASKED_AGAIN_AFTER = timedelta(hours=24)
"""How often a channel that cannot be told is looked at, for what no event tells."""


class Absence(StrEnum):
    """Why a channel cannot be told."""

    ARCHIVED = "archived"
    DELETED = "deleted"
    LEFT = "left"
    UNINSTALLED = "uninstalled"
    REFUSED = "refused"
    FAILING = "failing"


SENTENCES = {
    Absence.ARCHIVED: SAY.absences.archived,
    Absence.DELETED: SAY.absences.deleted,
    Absence.LEFT: SAY.absences.left,
    Absence.UNINSTALLED: SAY.absences.uninstalled,
}
"""Why nothing is sent, in the words of events. An error that the platform gives has its own."""


def kind_of(error: PublishError) -> Absence | None:
    """Return what an error that no waiting mends means for its channel; None for all others."""
    if isinstance(error, ChannelGone):
        return Absence.DELETED
    return Absence.REFUSED if isinstance(error, NoPermission) else None


def failed(
    subscription: Subscription, error: PublishError, now: datetime
) -> tuple[Subscription, Absence | None]:
    """Return a subscription after its channel could not be told, and why it pauses, if it does."""
    if subscription.absence:
        return subscription, Absence(subscription.absence)
    kind = kind_of(error)
    if kind:
        return absent(subscription, kind, error.why), kind
    since = _failing_since(subscription, now)
    if now - since < GIVEN_UP_AFTER:
        after = replace(subscription, failing_since=since, failed_at=now, last_error=error.why)
        return after, None
    why = SAY.absences.failing(f"{since:%Y-%m-%d %H:%M} UTC", error.why)
    return absent(subscription, Absence.FAILING, why), Absence.FAILING


def _failing_since(subscription: Subscription, now: datetime) -> datetime:
    """Return when the failures in a row began, of which one is now."""
    since, last = subscription.failing_since, subscription.failed_at
    if since is None or last is None or now - last > IN_A_ROW:
        return now
    return min(since, now)


def absent(subscription: Subscription, kind: Absence, why: Phrase = NOTHING) -> Subscription:
    """Return a subscription whose channel cannot be told; one that a person paused stays theirs."""
    if subscription.paused and not subscription.absence:
        return subscription
    why = why or SENTENCES[kind]
    return replace(subscription, paused=why, absence=kind.value, last_error=why)


def back(subscription: Subscription, now: datetime, *, certain: bool = True) -> Subscription:
    """Return a subscription whose channel is there again; one that a person paused stays paused.

    What is not `certain`, as no event told it, does not have who subscribed told again.
    """
    if not subscription.absence:
        return subscription
    complaint = NOTHING if certain else subscription.complaint
    return replace(
        subscription,
        paused=NOTHING,
        absence="",
        last_error=NOTHING,
        failing_since=None,
        asked_at=None,
        complaint=complaint,
        resumed_at=now,
    )


def is_to_be_notified(before: Subscription, after: Subscription) -> bool:
    """Return whether who subscribed has to hear why nothing is sent: once for each time."""
    return bool(after.absence) and not before.complaint


def is_to_be_checked(subscription: Subscription, now: datetime) -> bool:
    """Return whether a channel that cannot be told is to be looked at again."""
    if not subscription.absence:
        return False
    asked = subscription.asked_at
    return asked is None or not timedelta(0) <= now - asked < ASKED_AGAIN_AFTER


CHECKED_AT_ONCE = 4

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
            channel, lambda current: back(current, now, certain=certain) if current else None
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
        now = self._clock()
        kinds: list[Absence | None] = []

        def decide(current: Subscription | None) -> Subscription | None:
            kinds.clear()  # of a try that was taken back
            if current is None or current.id != subscription.id:
                return current
            after, kind = failed(current, error, now)
            kinds.append(kind)
            return self._with_complaint(current, after)

        await self._save(subscription.channel, decide)
        return kinds[-1] if kinds else None

    async def note(self, subscription: Subscription, why: Phrase) -> None:
        """Store what went wrong last."""
        await self._store.subscriptions.change(
            subscription.channel,
            lambda current: replace(current, last_error=why) if current else None,
        )

    async def notify(self, subscription: Subscription, text: Phrase) -> None:
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
            log.warning("nobody notified", channel=str(channel), reason=str(error))

    async def check_again(self, now: datetime) -> None:
        """Check unreachable channels, each once a day, for what no event says."""
        paused = await self._store.subscriptions.paused()
        checked = [each for each in paused if is_to_be_checked(each, now)]
        at_once = asyncio.Semaphore(CHECKED_AT_ONCE)

        async def check(subscription: Subscription) -> None:
            async with at_once:
                try:
                    await self._check(subscription, now)
                except InfraError as error:
                    channel = str(subscription.channel)
                    log.warning("channel not checked", channel=channel, reason=str(error))

        await asyncio.gather(*map(check, checked))

    async def _check(self, subscription: Subscription, now: datetime) -> None:
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
            return self._with_complaint(current, absent(current, kind))

        await self._save(channel, decide)

    def _with_complaint(self, before: Subscription, after: Subscription) -> Subscription:
        if not is_to_be_notified(before, after):
            return after
        return replace(after, complaint=after.paused)

    async def _save(self, channel: Channel, decide: Decide) -> None:
        before = await self._store.subscriptions.of(channel)
        after = await self._store.subscriptions.change(channel, decide)
        if before is None or after is None or after.complaint == before.complaint:
            return
        if after.complaint:
            log.warning(
                "channel unreachable",
                channel=str(channel),
                reason=said(after.complaint, Language.EN),
            )
            await self.notify(after, SAY.delivering.paused(channel, after.complaint))
