"""Owners who left: what they took can be taken again, and one line in the channel says so.

Nobody is looked up day by day: about the owner of a follow-up a platform is asked once a week, at
the moment of the week at which it was opened, so that it has few to answer for at a time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from bot.compose.followup_parts import owner_left_part
from bot.deliver.sharing import Sharing
from bot.followups.followup_messages import FollowUpMessages
from bot.followups.handler import SHOWING
from bot.model.channels import Channel, Platform
from bot.model.following import UNKNOWN
from bot.model.followups import (
    FollowUp,
    FollowUpNoticeKind,
    Which,
    listing,
    look_at,
    without_owner,
)
from bot.model.ports import PublishError
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.languages import Language

EVERY = timedelta(hours=6)
WEEK = timedelta(days=7)

CHECKED_UNTIL = "owners asked about"
"""The moment until which any process asked a platform about those whose turn it was."""

log = structlog.get_logger()


class DepartedOwners:
    """Frees what is owned by who left; `language` is that of a channel which gets nothing else."""

    def __init__(
        self,
        store: ChannelStore,
        sharing: Sharing,
        messages: FollowUpMessages,
        *,
        platforms: Sequence[Platform],
        language: Language = Language.EN,
    ) -> None:
        self._store = store
        self._sharing = sharing
        self._messages = messages
        self._platforms = platforms
        self._language = language

    async def look(self, now: datetime) -> None:
        """Ask about those whose turn it is; by one process at a time. Raises `StoreFailed`.

        What it keeps is due to be looked at, and posted by the look that goes on.
        """
        for platform in self._platforms:
            name = f"{CHECKED_UNTIL} {platform}"
            since = await self._store.timestamps.of(name) or now - WEEK
            if not timedelta(0) <= now - since < EVERY:
                await self._ask(platform, since, now)
                await self._store.timestamps.note(name, now)

    async def _ask(self, platform: Platform, since: datetime, now: datetime) -> None:
        owned: dict[tuple[Channel, str], list[FollowUp]] = {}
        for each in listing(await self._store.followups.all(), Which.OPEN):
            if each.taken_by and each.channel.platform is platform:
                owned.setdefault((each.channel, each.taken_by), []).append(each)
        for (channel, owner), theirs in owned.items():
            is_turn = any(_is_turn(each, since, now) for each in theirs)
            if is_turn and await self._has_left(channel, owner):
                log.info("owner left", channel=str(channel), person=owner)
                await self._let_go(channel, owner, theirs, now)

    async def _has_left(self, channel: Channel, owner: str) -> bool:
        """Return whether an owner left; not of a paused channel, nor where nobody can be asked."""
        subscription = await self._store.subscriptions.of(channel)
        if subscription is not None and subscription.paused:
            return False
        try:
            return await self._sharing.publisher(channel).has_left(channel, owner)
        except PublishError as error:
            log.info("owner not known", channel=str(channel), reason=str(error))
            return False

    async def _let_go(
        self, channel: Channel, owner: str, owned: Sequence[FollowUp], now: datetime
    ) -> None:
        """Free what somebody took; the line that says so is kept with it, and posted by a look.

        It stands where people talk of what waits longest.
        """
        keys = await self._messages.shown(channel, [each.item_key for each in owned])
        oldest = next((each for each in owned if each.item_key in keys), None)
        if oldest is None:
            return
        spot = await self._messages.beside(oldest, self._language)
        shown = {key: f"{SHOWING}{channel} {key} " for key in keys}
        for name in shown.values():
            await self._store.timestamps.note(name, now)

        def free(ledger: OpenFollowUps) -> None:
            current = [each for each in ledger.owned_by(owner) if each.item_key in keys]
            freed = listing((without_owner(each, now) for each in current), Which.OPEN)
            for each in freed:
                ledger.save(each, look_at(each, now))
                ledger.announce(each, FollowUpNoticeKind.RELEASED.value, owner, now)
            for first in freed[:1]:
                part = owner_left_part(freed, owner, spot.language)
                drawn = self._sharing.drawn((part,), spot.language, channel, spot.parent)
                line = [each.id for each in ledger.plan(drawn) if each.id]
                following = first.following or UNKNOWN
                following = replace(following, saying=(*following.saying, *line))
                ledger.save(replace(first, following=following), now)

        await self._store.followups.change(channel, free)
        for key, name in shown.items():
            if await self._messages.followup(channel, key, None):
                await self._store.timestamps.forget(name)


def _is_turn(followup: FollowUp, since: datetime, now: datetime) -> bool:
    """Return whether a week, or some, since it was opened were over between two moments."""
    opened = followup.opened_at or now
    return (now - opened) // WEEK > max((since - opened) // WEEK, 0)
