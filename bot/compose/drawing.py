"""Threads planned and drawn once for all channels that read the same ones."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from typing import TypeAlias

from bot.model.channels import Platform
from bot.model.parts import Thread
from bot.model.ports import Message, Publisher
from bot.model.subscriptions import Subscription
from digest.models import Roundup

KEPT = 64
"""Plans kept in memory, each with its messages."""

Plan: TypeAlias = tuple[Thread, ...]


class Drawing:
    """Remembers the last plans, and how each was drawn for each platform."""

    def __init__(self) -> None:
        self._plans: OrderedDict[Hashable, Plan] = OrderedDict()
        self._drawn: dict[tuple[Platform, int], tuple[Thread, tuple[Message, ...]]] = {}

    def planned(self, key: Hashable | None, make: Callable[[], Plan]) -> Plan:
        """Give the plan of some inputs; those of no key are made anew."""
        if key is None:
            return make()
        if key in self._plans:
            self._plans.move_to_end(key)
            return self._plans[key]
        plan = self._plans[key] = make()
        while len(self._plans) > KEPT:
            self._forget(self._plans.popitem(last=False)[1])
        return plan

    def on(self, platform: Platform, publisher: Publisher) -> "Drawn":
        """Give what draws threads for a platform."""
        return Drawn(self, platform, publisher)

    def render(
        self, platform: Platform, publisher: Publisher, thread: Thread
    ) -> tuple[Message, ...]:
        """Draw a thread; one of a remembered plan is drawn once."""
        key = (platform, id(thread))
        known = self._drawn.get(key)
        if known and known[0] is thread:
            return known[1]
        messages = publisher.render(thread)
        if any(thread is each for plan in self._plans.values() for each in plan):
            self._drawn[key] = (thread, messages)
        return messages

    def _forget(self, plan: Plan) -> None:
        gone = {id(thread) for thread in plan}
        for key in [key for key in self._drawn if key[1] in gone]:
            del self._drawn[key]


class Drawn:
    """Draws threads for one platform through what is remembered."""

    def __init__(self, drawing: Drawing, platform: Platform, publisher: Publisher) -> None:
        self._drawing = drawing
        self._platform = platform
        self._publisher = publisher

    def render(self, thread: Thread) -> tuple[Message, ...]:
        """Draw a thread."""
        return self._drawing.render(self._platform, self._publisher, thread)


def inputs(
    roundup: Roundup,
    subscription: Subscription,
    open_followups: int,
    untold_since: datetime | None,
    thread_urls: Mapping[str, str] | None,
) -> Hashable:
    """Give everything that a plan without reminders is made of, so that equal ones are shared."""
    told = tuple(
        (
            *(digest.reading.repo, digest.reading.window, digest.reading.collected_at),
            *(digest.generated_at, digest.model),
        )
        for digest in roundup.digests
    )
    return (
        *(roundup.window, told, roundup.failed, repr(roundup.outlook)),
        *(subscription.language, subscription.without, subscription.paths, subscription.topics),
        *(subscription.quiet, subscription.one_thread),
        *(open_followups, untold_since, tuple(sorted((thread_urls or {}).items()))),
    )
