"""What who subscribed is told of their sources: failing or silent for long, renamed, rebranched."""

from collections.abc import Callable
from dataclasses import replace

import structlog

from bot.absences import Absences
from bot.channels import Channel
from bot.planning import NOT_ALLOWED
from bot.slots import Slot
from bot.source_records import BRANCH, MOVED, Look, SourceRecord, failed, looked, news
from bot.store.sources import record_name
from bot.store.store import ChannelStore
from bot.subscriptions import Subscription
from digest.models import Digest, NoticeKind, Repo, Roundup
from digest.ports import Clock

log = structlog.get_logger()


class SourceNews:
    """Keeps how the sources of subscriptions are, and tells each thing once."""

    def __init__(
        self,
        store: ChannelStore,
        absences: Absences,
        *,
        clock: Clock,
        may_tell: Callable[[Repo, Channel], bool],
    ) -> None:
        self._store = store
        self._absences = absences
        self._clock = clock
        self._may_tell = may_tell

    async def take(self, subscription: Subscription, slot: Slot, roundup: Roundup) -> None:
        """Take in what was gathered for a slot, also again; raises `StoreFailed`."""
        before = await self._store.sources.of(slot.subscription_id)
        records: dict[str, SourceRecord] = {}
        lines: list[str] = []
        now, language = self._clock(), subscription.language
        reasons = {record_name(repo): why for repo, why in roundup.failed if why != NOT_ALLOWED}
        for digest in roundup.digests:
            name = record_name(digest.reading.repo)
            record, said = _branch(before.get(name, SourceRecord()), digest, subscription)
            lines += said
            blind = [gap.why for gap in digest.reading.gaps if gap.what == "everything"]
            if blind:
                reasons[name] = blind[0]
            else:
                look = Look(slot.window.start, slot.window.end, len(digest.reading.items))
                record = looked(record, look)
            records[name] = record
        for name in reasons:
            record = records.get(name) or before.get(name, SourceRecord())
            records[name] = failed(record, slot.window.end)
        shown = {record_name(repo): str(repo) for repo in subscription.repos}
        for name, record in list(records.items()):
            repo = shown.get(name, name)
            records[name], line = news(record, repo, reasons.get(name, ""), now, language)
            lines += [line] if line else []
        await self._store.sources.keep(slot.subscription_id, before | records)
        lines += await self._renamed(subscription, roundup)
        for line in lines:
            await self._absences.tell(subscription, line)

    async def _renamed(self, subscription: Subscription, roundup: Roundup) -> list[str]:
        """Go on with renamed repositories under their new names, and say so once."""
        names: dict[str, Repo] = {}
        for digest in roundup.digests:
            for notice in digest.reading.notices:
                if notice.kind is NoticeKind.RENAMED:
                    names[notice.before.lower()] = Repo.parse(notice.after)
        if not names:
            return []
        moved: list[tuple[Repo, Repo]] = []

        def decide(current: Subscription | None) -> Subscription | None:
            if current is None:
                return None
            has = {record_name(repo) for repo in current.repos}
            repos = []
            for repo in current.repos:
                now = names.get(record_name(repo), repo)
                if now == repo or not self._may_tell(now, current.channel):
                    repos.append(repo)
                    continue
                moved.append((repo, now))
                if record_name(now) not in has or record_name(now) == record_name(repo):
                    repos.append(now)
            return replace(current, repos=tuple(repos))

        await self._store.subscriptions.change(subscription.channel, decide)
        for repo, now in moved:
            log.info("repository renamed", before=str(repo), now=str(now))
        return [
            MOVED[subscription.language].format(repo=repo, now=now)
            for repo, now in dict.fromkeys(moved)
        ]


def _branch(
    record: SourceRecord, digest: Digest, subscription: Subscription
) -> tuple[SourceRecord, list[str]]:
    """Give a record after what a digest says of the default branch, and what is to be said."""
    for notice in digest.reading.notices:
        if notice.kind is NoticeKind.DEFAULT_BRANCH_CHANGED and record.branch != notice.after:
            said = BRANCH[subscription.language].format(
                repo=digest.reading.repo, now=notice.after, before=notice.before
            )
            return replace(record, branch=notice.after), [said]
    return record, []
