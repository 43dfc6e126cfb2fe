"""What who subscribed hears: their channel is unreachable, a wish is not met, a source changed.

::

    await unreachable.failed(subscription, error)          what an error says while it is told
    await unreachable.back(channel)                        what an event says of a channel
    await unreachable.workspace_back(platform, workspace)  the bot is in a workspace again
    unreachable.start(now)                                 what no event tells: once a day each

A subscription that a person paused stays paused whatever becomes of the channel; one that the
platform stopped goes on by itself once the channel is back, with one thread over all days since
the last one that was told (`bot.model.slots`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

import structlog
from cachetools import LRUCache

from bot.compose.chat_reply import ChatReply
from bot.deliver.background import BackgroundLook, is_since
from bot.deliver.planning import NOT_ALLOWED
from bot.model.channel_commands import NOBODY
from bot.model.channels import Channel, Platform
from bot.model.policy import Visibility
from bot.model.ports import (
    ChannelGone,
    Limited,
    NoPermission,
    Publisher,
    PublishError,
    Unmet,
    Wish,
)
from bot.model.posts import Post, PostState
from bot.model.records import Look, SourceRecord, episode, looked, renamed
from bot.model.records import failed as failed_look
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.deliveries import Subscriptions
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.languages import Language
from digest.models import Digest, NoticeKind, Repo, Roundup
from digest.phrase import NOTHING, Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import localized

GIVEN_UP_AFTER = timedelta(days=3)
"""How long sending may fail in a row: longer than any outage of Slack's or Discord's that we know
of, https://slack-status.com/calendar and https://discordstatus.com/history."""

IN_A_ROW = timedelta(hours=4)
"""Failures further apart are none in a row, as the longest pause is an hour: the host slept."""

ASKED_AGAIN_AFTER = timedelta(hours=24)
"""How often a channel that cannot be told is looked at, for what no event tells."""


class Absence(StrEnum):
    """Why a channel cannot be told; stored, so never take one out. New are the last three."""

    ARCHIVED = "archived"
    LEFT = "left"
    UNINSTALLED = "uninstalled"
    DELETED = "deleted"
    REFUSED = "refused"
    FAILING = "failing"


def kind_of(error: PublishError) -> Absence | None:
    """Return what an error that no waiting mends means for its channel; None for all others."""
    if isinstance(error, ChannelGone):
        return Absence.DELETED
    return Absence.REFUSED if isinstance(error, NoPermission) else None


def failed(subscription: Subscription, error: PublishError, now: datetime) -> Subscription:
    """Return a subscription after its channel could not be told; its absence says why it pauses."""
    if subscription.absence:
        return subscription
    if kind := kind_of(error):
        return absent(subscription, kind, error.why)
    since, last = subscription.failing_since, subscription.failed_at
    is_in_a_row = since is not None and last is not None and now - last <= IN_A_ROW
    since = min(since, now) if since and is_in_a_row else now
    if now - since < GIVEN_UP_AFTER:
        return replace(subscription, failing_since=since, failed_at=now, last_error=error.why)
    why = SAY.absences.failing(f"{since:%Y-%m-%d %H:%M} UTC", error.why)
    return absent(subscription, Absence.FAILING, why)


def absent(subscription: Subscription, kind: Absence, why: Phrase) -> Subscription:
    """Return a subscription whose channel cannot be told; one that a person paused stays theirs.

    Who subscribed hears why nothing is sent, once for each time: that is its complaint.
    """
    if subscription.paused and not subscription.absence:
        return subscription
    complaint = subscription.complaint or why
    return replace(
        subscription, paused=why, absence=kind.value, last_error=why, complaint=complaint
    )


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


LOOKED_AT_EVERY = timedelta(minutes=10)
"""How often channels that are away are gone through; each of them is looked at once a day."""

MOST_PUBLISHED = 10
"""First messages of a morning that are published. More than that an hour Discord was seen to refuse
(https://github.com/discordjs/discord.js/issues/4956); its own pages on announcement channels,
https://support.discord.com/hc/en-us/articles/360032008192 among them, are obeyed by its answers."""

MOST_KNOWN = 1_000

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class UnreachableChannels(BackgroundLook):
    """Pauses subscriptions and lets them go on. Methods raise `StoreFailed`."""

    failure = "unreachable channels not looked at"

    store: ChannelStore
    publishers: Mapping[Platform, Publisher]
    clock: Clock

    def __post_init__(self) -> None:
        self._looked_at: datetime | None = None

    def start(self, now: datetime) -> None:
        """Begin to look at channels that are away; a slow platform keeps no morning waiting."""
        if not is_since(self._looked_at, now, LOOKED_AT_EVERY):
            self._looked_at = now
            super().start(now)

    async def back(self, channel: Channel, *, certain: bool = True) -> None:
        """Take in that a channel can be told again: its next thread tells all days since.

        What is not `certain` is not said a second time if it was an error.
        """
        before = await self.store.subscriptions.of(channel)
        if before is None or not before.absence:
            return
        now = self.clock()
        await self.store.subscriptions.change(
            channel, lambda current: back(current, now, certain=certain) if current else None
        )
        log.info("channel is back", channel=str(channel), was=before.absence)

    async def workspace_back(self, platform: Platform, workspace: str) -> None:
        """Take in that the bot is in a workspace again.

        Where a channel is still away, its next thread meets that, and nobody is told again.
        """
        for subscription in await self.store.subscriptions.of_workspace(platform, workspace):
            if subscription.absence in (Absence.UNINSTALLED, Absence.FAILING, Absence.DELETED):
                await self.back(subscription.channel, certain=False)

    async def failed(self, subscription: Subscription, error: PublishError) -> bool:
        """Take in that a channel could not be told; gives whether it pauses for that."""
        if isinstance(error, Limited):
            await self.note(subscription, error.why)
            return False
        now = self.clock()

        def decide(current: Subscription | None) -> Subscription | None:
            if current is None or current.id != subscription.id:
                return current
            return failed(current, error, now)

        channel = subscription.channel
        before = await self.store.subscriptions.of(channel)
        after = await self.store.subscriptions.change(channel, decide)
        if before and after and after.complaint and after.complaint != before.complaint:
            why = localized(after.complaint, Language.EN)
            log.warning("channel unreachable", channel=str(channel), reason=why)
            await self.notify(after, SAY.delivering.paused(channel, after.complaint))
        return after is not None and after.id == subscription.id and bool(after.absence)

    async def note(self, subscription: Subscription, why: Phrase) -> None:
        """Store what went wrong last."""
        await self.store.subscriptions.change(
            subscription.channel,
            lambda current: replace(current, last_error=why) if current else None,
        )

    async def notify(self, subscription: Subscription, text: Phrase) -> None:
        """Tell one line to who subscribed, directly; nobody on the command line, who asks there."""
        publisher = self.publishers.get(subscription.channel.platform)
        if not subscription.created_by or publisher is None:
            return
        channel, language = subscription.channel, subscription.language
        notice = ChatReply.line(text, language)
        try:
            for message in publisher.render_parts(notice.parts, language):
                await publisher.tell(channel, subscription.created_by, message.payload)
        except PublishError as error:
            log.warning("nobody notified", channel=str(channel), reason=str(error))

    async def look(self, now: datetime) -> None:
        """Check unreachable channels, each once a day, for what no event says."""
        await self.store.timestamps.forget_old(now)
        paused = await self.store.subscriptions.paused()
        for each in paused:
            if each.absence and not is_since(each.asked_at, now, ASKED_AGAIN_AFTER):
                try:
                    await self._check(each, now)
                except InfraError as error:
                    log.warning("channel not checked", channel=str(each.channel), reason=str(error))

    async def _check(self, subscription: Subscription, now: datetime) -> None:
        publisher = self.publishers.get(subscription.channel.platform)
        if publisher is None:
            return
        is_first = subscription.asked_at is None
        await self.store.subscriptions.change(
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


def attainable(subscription: Subscription, missing: Sequence[Unmet]) -> Subscription:
    """Return a subscription without what it cannot have now."""
    wishes = {each.wish for each in missing}
    if Wish.MENTION in wishes:
        subscription = replace(subscription, mention=NOBODY)
    if Wish.PUBLISH in wishes:
        subscription = replace(subscription, publish=False)
    return subscription


async def notify_once(
    subscription: Subscription,
    missing: Sequence[Unmet],
    subscriptions: Subscriptions,
    unreachable: UnreachableChannels,
) -> None:
    """Tell who subscribed what their channel cannot have, unless it was so the last time too."""
    wishes = frozenset(each.wish.value for each in missing)
    if wishes == subscription.unmet:
        return
    await subscriptions.change(
        subscription.channel, lambda current: replace(current, unmet=wishes) if current else None
    )
    for each in missing:
        if each.wish.value not in subscription.unmet:
            line = SAY.delivering.of_channel(
                subscription.channel, SAY.subscribing.not_had(each.why)
            )
            await unreachable.notify(subscription, line)


async def published(
    publisher: Publisher, subscription: Subscription, posts: Sequence[Post]
) -> Unmet | None:
    """Publish a morning to whoever follows the channel; give what was not done of it.

    Threads are not published, only the messages that they hang on: the roundup, then the busiest
    repositories. Those that are published already, before a crash, stay so.
    """
    first = [post for post in posts if post.position == 0 and post.state is PostState.SENT]
    try:
        for post in first[:MOST_PUBLISHED]:
            await publisher.publish(subscription.channel, post.ref)
    except PublishError as error:
        log.warning(
            "not published",
            channel=str(subscription.channel),
            reason=str(error),
            limited=isinstance(error, Limited),
        )
        return Unmet(Wish.PUBLISH, SAY.discord.not_published(error.why))
    return None


@dataclass(eq=False, repr=False)
class SourceNews:
    """Keeps how the sources of subscriptions are, and tells each thing once."""

    store: ChannelStore
    unreachable: UnreachableChannels
    visibility: Visibility
    _: KW_ONLY
    clock: Clock

    def __post_init__(self) -> None:
        self._known: LRUCache[Repo, tuple[Look | datetime, SourceRecord]] = LRUCache(MOST_KNOWN)
        self._turn = asyncio.Lock()

    async def take(self, subscription: Subscription, slot: Slot, roundup: Roundup) -> None:
        """Take in what was gathered for a slot, also again; raises `StoreFailed`.

        Who subscribed may have become a guest or left since: they hear of nothing private.
        """
        news: list[tuple[Repo, Phrase]] = []
        for digest in roundup.digests:
            repo, reading = digest.reading.repo, digest.reading
            blind = [gap.why for gap in reading.gaps if gap.what == "everything"]
            look = Look(reading.window.start, slot.window.end, len(reading.items))
            record = await self._record(repo, slot.window.end if blind else look)
            lines = await self._episode(subscription, repo, record, blind[0] if blind else None)
            lines += await self._branch(subscription, digest)
            news += [(repo, line) for line in lines]
        for repo, why in roundup.failed:
            if why != NOT_ALLOWED:
                record = await self._record(repo, slot.window.end)
                lines = await self._episode(subscription, repo, record, why)
                news += [(repo, line) for line in lines]
        news += await self._renamed(subscription, roundup)
        for repo, line in news:
            if await self._may_hear(subscription, repo):
                await self.unreachable.notify(subscription, line)

    async def _may_hear(self, subscription: Subscription, repo: Repo) -> bool | None:
        """Return whether who subscribed may hear of a repository; None where nobody says so now."""
        channel, person = subscription.channel, subscription.created_by
        try:
            return await self.visibility.may_tell_alone(repo, channel, person)
        except PublishError as error:
            log.warning("nobody notified", channel=str(channel), reason=str(error))
            return None

    async def _record(self, repo: Repo, seen: Look | datetime) -> SourceRecord:
        """Return a repository's record after a look, or after a failure for a window's end.

        Many channels are told of the same window; it is taken in once. Of another one the store is
        asked, as other processes look too.
        """
        step = (
            partial(looked, look=seen) if isinstance(seen, Look) else partial(failed_look, end=seen)
        )
        async with self._turn:
            last, record = self._known.get(repo, (None, SourceRecord()))
            if seen != last:
                record = await self.store.sources.change(repo, step)
                self._known[repo] = (seen, record)
        return record

    async def _episode(
        self, subscription: Subscription, repo: Repo, record: SourceRecord, why: Phrase | None
    ) -> list[Phrase]:
        """Return what is to be said of a source that fails or is silent, once for each time."""
        found = episode(record, str(repo), why, self.clock())
        is_new = found and await self._is_new(subscription, repo, episode=found.name)
        return [found.sentence] if found and is_new else []

    async def _branch(self, subscription: Subscription, digest: Digest) -> list[Phrase]:
        """Return what is to be said of another default branch, once for each."""
        repo = digest.reading.repo
        return [
            SAY.sources.branch(repo, notice.after, notice.before)
            for notice in digest.reading.notices
            if notice.kind is NoticeKind.DEFAULT_BRANCH_CHANGED
            and await self._is_new(subscription, repo, branch=notice.after)
        ]

    async def _is_new(self, subscription: Subscription, repo: Repo, **changed: str) -> bool:
        """Return whether a subscription was not told so of a repository last, and store it.

        Not while it is not known whether who subscribed may hear of it: it is new later, too.
        """
        if subscription.id is None:
            return False
        before = await self.store.sources.last_report(subscription.id, repo)
        after = replace(before, **changed)
        if after == before or await self._may_hear(subscription, repo) is None:
            return False
        await self.store.sources.save_report(subscription.id, repo, after)
        return True

    async def _renamed(
        self, subscription: Subscription, roundup: Roundup
    ) -> list[tuple[Repo, Phrase]]:
        """Go on with renamed repositories under their new names, and say so of each once."""
        names: dict[str, Repo] = {}
        for digest in roundup.digests:
            for notice in digest.reading.notices:
                if notice.kind is NoticeKind.RENAMED:
                    names[notice.before.lower()] = Repo.parse(notice.after)
        if not names:
            return []
        moved: list[tuple[Repo, Repo]] = []
        channel = subscription.channel
        may_tell = self.visibility.may_tell
        allowed = {now for now in names.values() if await may_tell(now, channel)}

        def decide(current: Subscription | None) -> Subscription | None:
            moved.clear()
            if current is None:
                return None
            has = {_name(repo) for repo in current.repos}
            repos = []
            names_now: dict[Repo, Repo] = {}
            for repo in current.repos:
                now = names.get(_name(repo), repo)
                if now == repo or now not in allowed:
                    repos.append(repo)
                    continue
                moved.append((repo, now))
                if _name(now) not in has or _name(now) == _name(repo):
                    repos.append(now)
                    names_now[repo] = now
            arrears = tuple(
                replace(each, repo=names_now.get(each.repo, each.repo)) for each in current.arrears
            )
            return replace(current, repos=tuple(repos), arrears=arrears)

        await self.store.subscriptions.change(subscription.channel, decide)
        for repo, now in moved:
            log.info("repository renamed", before=str(repo), now=str(now))
            before = await self.store.sources.of(repo)
            step = partial(renamed, before=before, name=str(repo))
            await self.store.sources.change(now, step)
            self._known.pop(now, None)
        return [(now, SAY.sources.moved(repo, now)) for repo, now in dict.fromkeys(moved)]


def _name(repo: Repo) -> str:
    return str(repo).lower()
