"""What this process counts, and what the database knows, in Prometheus' words.

Labels are platforms, outcomes, states and kinds of limits alone: no repository, channel, workspace
or person, so that nothing shows to whom it should not, and the number of series is bounded.

Counters are of this process since its start; what begins with `infra_all_` is read from the
database, is the same whichever process is asked, and must not be summed over processes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from bot.model.channels import Platform
from bot.model.ports import Publisher, PublishError
from bot.store.figures import DatabaseFigures

LATENESS = (1, 5, 15, 30, 60, 120, 300, 900, 3600, 4 * 3600, 24 * 3600)
"""Seconds after its time at which a morning was told: within a tick is usual."""

CONTENT_TYPE = CONTENT_TYPE_LATEST

COUNTED = ("send", "edit", "delete", "tell")
"""What a publisher does that changes something."""


class Metrics:
    """The counters of one process; `caps` are the tokens that may be spent by day and month."""

    def __init__(self, caps: Mapping[str, int | None] | None = None) -> None:
        self._registry = CollectorRegistry()
        self._caps = {name: cap for name, cap in (caps or {}).items() if cap is not None}
        self._messages = Counter(
            "infra_messages",
            "Calls that post, edit, delete or tell, by platform and outcome",
            ("platform", "outcome"),
            registry=self._registry,
        )
        self._lateness = Histogram(
            "infra_delivery_lateness_seconds",
            "Seconds after its time at which a morning was told",
            buckets=LATENESS,
            registry=self._registry,
        )
        self._left = Gauge(
            "infra_github_requests_left",
            "Requests left until GitHub's next reset, as it last said",
            ("limit",),
            registry=self._registry,
        )
        self._ticked = Gauge(
            "infra_tick_timestamp_seconds",
            "When the clock of this process last asked what is due; 0 without a clock",
            registry=self._registry,
        )

    def late(self, seconds: float) -> None:
        """Count a morning that was told so many seconds after its time."""
        self._lateness.observe(max(0.0, seconds))

    def done(self, platform: Platform, outcome: str) -> None:
        """Count a call to a platform: `ok`, or the name of the error."""
        self._messages.labels(platform.value, outcome).inc()

    def page(
        self,
        figures: DatabaseFigures | None,
        now: datetime,
        *,
        ticked_at: datetime | None,
        left: Mapping[str, int],
    ) -> bytes:
        """Return the page that Prometheus reads; without figures, the database cannot be read."""
        self._ticked.set(ticked_at.timestamp() if ticked_at else 0)
        for limit, number in left.items():
            self._left.labels(limit).set(number)
        stored = CollectorRegistry()
        stored.register(_Stored(figures, now, self._caps))
        return generate_latest(self._registry) + generate_latest(stored)


@dataclass(eq=False, repr=False)
class _Stored(Collector):
    """The figures of the database at one moment."""

    figures: DatabaseFigures | None
    now: datetime
    caps: Mapping[str, int]

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each figure under its name."""
        figures, now = self.figures, self.now
        up = figures is not None
        yield _gauge("infra_database_up", "1 where the database can be read", {(): up})
        help_text = "Tokens that may be spent on the model, by UTC day and month"
        yield _of_all("model_tokens_cap", help_text, self.caps, "a")
        if figures is None:
            return
        since = figures.waiting_since
        age = max(0.0, (now - since).total_seconds()) if since else 0
        ticked = figures.ticked_at.timestamp() if figures.ticked_at else 0
        states = {"active": figures.active, "paused": figures.paused, "failing": figures.failing}
        yield _of_all("deliveries", "Deliveries by state", figures.deliveries, "state")
        yield _of_all("messages", "Messages kept", figures.messages, "platform", "state")
        yield _of_all("queue_length", "Deliveries that are due and wait", {(): figures.waiting})
        yield _of_all("queue_age_seconds", "How long the first of them is due", {(): age})
        yield _of_all("subscriptions", "Failing ones are active too", states, "state")
        help_text = "Stretches of time collected within a day of which something is missing"
        yield _of_all("gaps", help_text, {(): figures.gaps})
        yield _of_all("model_spent_today", "Asked of the model today in UTC", figures.model, "of")
        help_text = "Asked of the model this month in UTC"
        yield _of_all("model_spent_this_month", help_text, figures.model_this_month, "of")
        help_text = "The least that any live process has left of GitHub's limits"
        yield _of_all("github_requests_left", help_text, figures.github, "limit")
        yield _of_all("processes", "Processes that spoke lately", {(): figures.processes})
        help_text = "When the clock of any process last asked what is due"
        yield _of_all("tick_timestamp_seconds", help_text, {(): ticked})


def _gauge(name: str, help_text: str, values: Mapping[Any, float], *labels: str) -> Any:
    """Return a figure; `values` are by the value of its label, or by the values of several."""
    family = GaugeMetricFamily(name, help_text, labels=labels)
    for key, value in values.items():
        family.add_metric([key] if isinstance(key, str) else [*key], float(value))
    return family


def _of_all(name: str, help_text: str, values: Mapping[Any, float], *labels: str) -> Any:
    return _gauge(f"infra_all_{name}", help_text, values, *labels)


def counted(publisher: Publisher, platform: Platform, metrics: Metrics) -> Publisher:
    """Return a publisher that does what another does, and counts what changes something."""
    return cast(Publisher, _Counted(publisher, platform, metrics))


class _Counted:
    """Every method that is not counted is the publisher's own."""

    def __init__(self, publisher: Publisher, platform: Platform, metrics: Metrics) -> None:
        self._publisher = publisher
        self._platform = platform
        self._metrics = metrics

    def __getattr__(self, name: str) -> Any:
        method: Callable[..., Any] = getattr(self._publisher, name)
        if name not in COUNTED:
            return method

        @wraps(method)
        async def call(*arguments: Any, **named: Any) -> Any:
            try:
                got = await method(*arguments, **named)
            except PublishError as error:
                self._metrics.done(self._platform, type(error).__name__)
                raise
            self._metrics.done(self._platform, "ok")
            return got

        return call
