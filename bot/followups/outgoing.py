"""Changes of follow-ups posted to a webhook: in their order, each until it is taken.

A change is kept together with what it changes. While the webhook takes nothing, the oldest one
alone is tried, at growing pauses, so that nothing is flooded once it is back.
"""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol

import structlog

from bot.store.outgoing import Change
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.leases import HEARTBEAT, RENEWED_FOR, renewed
from digest.ports import Clock

LEASE_NAME = "webhook"

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360))
"""After a failure, then after the next one, and so on; the last stays."""

GIVEN_UP_AFTER = timedelta(days=7)
"""How old a change may get before it is given up."""

MOST_AT_ONCE = 100
"""Changes of one look; the others come with the next one, seconds later."""

log = structlog.get_logger()


class HookFailed(InfraError):
    """A webhook did not take a change."""


class HookRefused(HookFailed):
    """It will never take this very one."""


class Hook(Protocol):
    """Where changes are posted."""

    async def post(self, delivery: str, body: bytes) -> None:
        """Post one; `delivery` is the same when it comes again. Raises `HookFailed`."""
        ...


class Posting:
    """Posts changes to a webhook, in one process at a time; `owner` names this one."""

    def __init__(self, hook: Hook, store: ChannelStore, *, clock: Clock, owner: str) -> None:
        self._hook = hook
        self._store = store
        self._clock = clock
        self._owner = owner
        self._posting: asyncio.Task[None] | None = None
        self._said = ""
        self._gave_up = False

    def start(self, now: datetime) -> None:
        """Begin to post what is due, unless that is under way."""
        if self._posting is None or self._posting.done():
            self._posting = asyncio.create_task(self.post(now))
            self._posting.add_done_callback(partial(_logged, log.error))

    async def settle(self) -> None:
        """Wait until nothing is under way."""
        if self._posting:
            await asyncio.wait([self._posting])

    async def stop(self) -> None:
        """Let go of what is under way; it is posted again."""
        if self._posting:
            self._posting.cancel()
            await self.settle()

    async def post(self, now: datetime) -> None:
        """Post what is due, where no other process does. Raises `StoreFailed`."""
        first = await self._store.outgoing.first()
        if first is None or _is_early(first, now) or not await self._renew():
            return
        try:
            async with renewed(self._renew, lambda: HEARTBEAT):
                for _ in range(MOST_AT_ONCE):
                    change = await self._store.outgoing.first()
                    if change is None or _is_early(change, now) or not await self._took(change):
                        return
        finally:
            await self._store.leases.release(LEASE_NAME, self._owner)

    async def _renew(self) -> bool:
        now = self._clock()
        return await self._store.leases.take(LEASE_NAME, self._owner, now, now + RENEWED_FOR)

    async def _took(self, change: Change) -> bool:
        """Post one; False where the webhook takes none now."""
        told = json.loads(change.body)
        try:
            await self._hook.post(str(told["id"]), change.body)
        except HookRefused as error:
            log.error("webhook refused a change", change=told["id"], reason=str(error))
            await self._store.outgoing.taken(change)
            return True
        except HookFailed as error:
            return await self._failed(change, datetime.fromisoformat(told["at"]), str(error))
        await self._store.outgoing.taken(change)
        if self._said:
            log.info("webhook takes changes again")
        self._said, self._gave_up = "", False
        return True

    async def _failed(self, change: Change, at: datetime, reason: str) -> bool:
        now = self._clock()
        if now - at.astimezone(UTC) >= GIVEN_UP_AFTER:
            if not self._gave_up:
                log.error("webhook given up: changes of a week ago are dropped", reason=reason)
            self._gave_up = True
            await self._store.outgoing.taken(change)
            return True
        pause = PAUSES[min(change.tries, len(PAUSES) - 1)]
        await self._store.outgoing.wait(change, now + pause)
        if reason != self._said:
            log.warning("webhook takes no changes; they wait for it", reason=reason)
        self._said = reason
        return False


def _is_early(change: Change, now: datetime) -> bool:
    """Tell whether one is to wait; never longer than the longest pause, if a clock ran ahead."""
    return now < change.due_at <= now + PAUSES[-1]


def _logged(tell: Callable[..., object], task: "asyncio.Task[None]") -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        trace = None if isinstance(error, InfraError) else error
        tell("nothing posted to the webhook", reason=str(error), exc_info=trace)
