"""Threads planned and drawn once for all channels that read the same ones."""

from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from typing import TypeAlias

from cachetools import LRUCache

from bot.model.channels import Platform
from bot.model.parts import Thread
from bot.model.ports import Message, Publisher
from bot.model.subscriptions import Subscription
from digest.models import Roundup

CACHED = 64
"""Plans in memory, and threads as they were drawn."""

Plan: TypeAlias = tuple[Thread, ...]


class Drawing:
    """Caches the last plans, and how their threads were drawn for each platform."""

    def __init__(self) -> None:
        self._plans: LRUCache[Hashable, Plan] = LRUCache(CACHED)
        self._drawn: LRUCache[tuple[Platform, int], tuple[Thread, tuple[Message, ...]]]
        self._drawn = LRUCache(CACHED)

    def planned(self, key: Hashable | None, make: Callable[[], Plan]) -> Plan:
        """Return the plan of some inputs; without a key it is made anew."""
        if key is None:
            return make()
        if key not in self._plans:
            self._plans[key] = make()
        return self._plans[key]

    def render(
        self, platform: Platform, publisher: Publisher, thread: Thread
    ) -> tuple[Message, ...]:
        """Return the messages of a thread; the same object is drawn once for a platform."""
        key = (platform, id(thread))
        # The thread is cached beside its messages: while it is, no other has its identity.
        cached = self._drawn.get(key)
        if cached is None or cached[0] is not thread:
            cached = self._drawn[key] = (thread, publisher.render(thread))
        return cached[1]


def inputs(
    roundup: Roundup,
    subscription: Subscription,
    open_followups: int,
    untold_since: datetime | None,
    thread_urls: Mapping[str, str] | None,
) -> Hashable:
    """Return everything that a plan without reminders is made of, so that equal ones are shared."""
    told = tuple(
        (
            *(digest.reading.repo, digest.reading.window, digest.reading.collected_at),
            *(digest.generated_at, digest.model),
        )
        for digest in roundup.digests
    )
    return (
        *(
            roundup.window,
            told,
            roundup.failed,
            repr((roundup.outlook, roundup.remarks, roundup.model)),
        ),
        *(subscription.language, subscription.without, subscription.paths, subscription.topics),
        *(subscription.quiet, subscription.one_thread, subscription.mention),
        *(open_followups, untold_since, tuple(sorted((thread_urls or {}).items()))),
    )
