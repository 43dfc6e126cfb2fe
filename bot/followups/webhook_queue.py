"""Changes of follow-ups posted to a webhook: in their order, each until it is taken.

A change is kept together with what it changes. While the webhook takes nothing, the oldest one
alone is tried, at growing pauses, so that nothing is flooded once it is back.
"""

import json
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog

from bot.deliver.background import BackgroundLook
from bot.store.followups import OutgoingChange
from bot.store.store import ChannelStore
from digest.errors import InfraError
from digest.leases import held
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


@dataclass(eq=False, repr=False)
class WebhookQueue(BackgroundLook):
    """Posts changes to a webhook, in one process at a time; `owner` names this one."""

    failure = "nothing posted to the webhook"

    hook: Hook
    store: ChannelStore
    _: KW_ONLY
    clock: Clock
    owner: str

    def __post_init__(self) -> None:
        self._last_failure = ""
        self._gave_up = False

    async def look(self, now: datetime) -> None:
        """Post what is due, where no other process does. Raises `StoreFailed`."""
        first = await self.store.outgoing.first()
        if first is None or now < first.due_at:
            return
        async with held(self.store.leases, LEASE_NAME, self.owner, self.clock) as is_held:
            for _ in range(MOST_AT_ONCE if is_held else 0):
                change = await self.store.outgoing.first()
                if change is None or now < change.due_at or not await self._took(change):
                    return

    async def _took(self, change: OutgoingChange) -> bool:
        """Post one; False where the webhook takes none now."""
        event = json.loads(change.body)
        try:
            await self.hook.post(str(event["id"]), change.body)
        except HookRefused as error:
            log.error("webhook refused a change", change=event["id"], reason=str(error))
            await self.store.outgoing.remove(change)
            return True
        except HookFailed as error:
            return await self._failed(change, datetime.fromisoformat(event["at"]), str(error))
        await self.store.outgoing.remove(change)
        if self._last_failure:
            log.info("webhook takes changes again")
        self._last_failure, self._gave_up = "", False
        return True

    async def _failed(self, change: OutgoingChange, at: datetime, reason: str) -> bool:
        now = self.clock()
        if now - at.astimezone(UTC) >= GIVEN_UP_AFTER:
            if not self._gave_up:
                log.error("webhook given up: changes of a week ago are dropped", reason=reason)
            self._gave_up = True
            await self.store.outgoing.remove(change)
            return True
        pause = PAUSES[min(change.tries, len(PAUSES) - 1)]
        await self.store.outgoing.retry_at(change, now + pause)
        if reason != self._last_failure:
            log.warning("webhook takes no changes; they wait for it", reason=reason)
        self._last_failure = reason
        return False
