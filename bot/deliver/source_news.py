"""What who subscribed is told of their sources: failing or silent for long, renamed, rebranched."""

import asyncio
from dataclasses import replace
from datetime import datetime
from functools import partial

import structlog
from cachetools import LRUCache

from bot.deliver.planning import NOT_ALLOWED
from bot.deliver.unreachable_channels import UnreachableChannels
from bot.model.policy import Visibility
from bot.model.records import (
    Look,
    SourceRecord,
    episode,
    failed,
    looked,
    renamed,
)
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.models import Digest, NoticeKind, Repo, Roundup
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY

MOST_KNOWN = 1_000

log = structlog.get_logger()


class SourceNews:
    """Keeps how the sources of subscriptions are, and tells each thing once."""

    def __init__(
        self,
        store: ChannelStore,
        unreachable: UnreachableChannels,
        visibility: Visibility,
        *,
        clock: Clock,
    ) -> None:
        self._store = store
        self._unreachable = unreachable
        self._clock = clock
        self._visibility = visibility
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
        channel, person = subscription.channel, subscription.created_by
        for repo, line in news:
            if await self._visibility.may_tell_alone(repo, channel, person):
                await self._unreachable.notify(subscription, line)

    async def _record(self, repo: Repo, seen: Look | datetime) -> SourceRecord:
        """Return a repository's record after a look, or after a failure for a window's end.

        Many channels are told of the same window; it is taken in once. Of another one the store is
        asked, as other processes look too.
        """
        step = partial(looked, look=seen) if isinstance(seen, Look) else partial(failed, end=seen)
        async with self._turn:
            last, record = self._known.get(repo, (None, SourceRecord()))
            if seen != last:
                record = await self._store.sources.change(repo, step)
                self._known[repo] = (seen, record)
        return record

    async def _episode(
        self, subscription: Subscription, repo: Repo, record: SourceRecord, why: Phrase | None
    ) -> list[Phrase]:
        """Return what is to be said of a source that fails or is silent, once for each time."""
        found = episode(record, str(repo), why, self._clock())
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

    async def _is_new(self, subscription: Subscription, repo: Repo, **said: str) -> bool:
        """Return whether a subscription was not told so of a repository last, and store it."""
        if subscription.id is None:
            return False
        before = await self._store.sources.last_report(subscription.id, repo)
        after = replace(before, **said)
        if after == before:
            return False
        await self._store.sources.save_report(subscription.id, repo, after)
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
        may_tell = self._visibility.may_tell
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

        await self._store.subscriptions.change(subscription.channel, decide)
        for repo, now in moved:
            log.info("repository renamed", before=str(repo), now=str(now))
            before = await self._store.sources.of(repo)
            step = partial(renamed, before=before, name=str(repo))
            await self._store.sources.change(now, step)
            self._known.pop(now, None)
        return [(now, SAY.sources.moved(repo, now)) for repo, now in dict.fromkeys(moved)]


def _name(repo: Repo) -> str:
    return str(repo).lower()
