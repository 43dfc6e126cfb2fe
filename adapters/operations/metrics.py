"""What this process counts, and what the database knows, in Prometheus' words.

Labels are platforms, outcomes, states and kinds of limits alone: no repository, channel, workspace
or person, so that nothing shows to whom it should not, and the number of series is bounded.

Counters are of this process since its start; what begins with `infra_all_` is read from the
database, is the same whichever process is asked, and must not be summed over processes.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from bot.model.channels import Platform
from bot.model.ports import Publisher, PublishError
from bot.store.figures import Figures
from digest.editing.spending import Caps, Counting

LATENESS = (1, 5, 15, 30, 60, 120, 300, 900, 3600, 4 * 3600, 24 * 3600)
"""Seconds after its time at which a morning was told: within a tick is usual."""

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The counters of one process, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
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
        self._requests = Gauge(
            "infra_github_requests_made",
            "Requests sent to GitHub since the start of this process",
            registry=self._registry,
        )
        self._ticked = Gauge(
            "infra_tick_timestamp_seconds",
            "When the clock of this process last asked what is due; 0 without a clock",
            registry=self._registry,
        )

    def add(self, collector: Collector) -> None:
        """Tell also what a collector counts."""
        self._registry.register(collector)

    def late(self, seconds: float) -> None:
        """Count a morning that was told so many seconds after its time."""
        self._lateness.observe(max(0.0, seconds))

    def done(self, platform: str, outcome: str) -> None:
        """Count a call to a platform: `ok`, or the name of the error."""
        self._messages.labels(platform, outcome).inc()

    def page(
        self,
        figures: Figures | None,
        now: datetime,
        *,
        ticked_at: datetime | None,
        left: Mapping[str, int],
        sent: int,
    ) -> bytes:
        """Return the page that Prometheus reads; without figures, the database cannot be read."""
        self._ticked.set(ticked_at.timestamp() if ticked_at else 0)
        self._requests.set(sent)
        for limit, number in left.items():
            self._left.labels(limit).set(number)
        stored = CollectorRegistry()
        stored.register(_Stored(figures, now))
        return generate_latest(self._registry) + generate_latest(stored)


class _Stored(Collector):
    """The figures of the database at one moment."""

    def __init__(self, figures: Figures | None, now: datetime) -> None:
        self._figures = figures
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield each figure under its name."""
        figures, now = self._figures, self._now
        yield _gauge("infra_database_up", "1 where the database can be read", figures is not None)
        if figures is None:
            return
        help_text = "Deliveries by state"
        yield _by("infra_all_deliveries", help_text, ("state",), figures.deliveries)
        help_text = "Messages kept, by platform and state"
        yield _by("infra_all_messages", help_text, ("platform", "state"), figures.messages)
        yield _gauge("infra_all_queue_length", "Deliveries that are due and wait", figures.waiting)
        since = figures.waiting_since
        age = max(0.0, (now - since).total_seconds()) if since else 0
        yield _gauge("infra_all_queue_age_seconds", "How long the first of them is due", age)
        states = {"active": figures.active, "paused": figures.paused, "failing": figures.failing}
        help_text = "Subscriptions; failing ones are active too"
        yield _by("infra_all_subscriptions", help_text, ("state",), states)
        help_text = "Stretches of time collected within a day of which something is missing"
        yield _gauge("infra_all_gaps", help_text, figures.gaps)
        help_text = "What was asked of the model today in UTC"
        yield _by("infra_all_model_spent_today", help_text, ("of",), figures.model)
        help_text = "What was asked of the model this month in UTC"
        yield _by("infra_all_model_spent_this_month", help_text, ("of",), figures.model_this_month)
        help_text = "The least that any live process has left of GitHub's limits"
        yield _by("infra_all_github_requests_left", help_text, ("limit",), figures.github)
        yield _gauge("infra_all_processes", "Processes that spoke lately", figures.processes)
        ticked = figures.ticked_at.timestamp() if figures.ticked_at else 0
        help_text = "When the clock of any process last asked what is due"
        yield _gauge("infra_all_tick_timestamp_seconds", help_text, ticked)


def _gauge(name: str, help_text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, value=float(value))


def _by(
    name: str,
    help_text: str,
    labels: tuple[str, ...],
    values: Mapping[str, int] | Mapping[tuple[str, str], int],
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_text, labels=labels)
    for key, value in values.items():
        family.add_metric([key] if isinstance(key, str) else [*key], value)
    return family


COUNTED = ("send", "edit", "delete", "tell")


def counted(publisher: Publisher, platform: Platform, metrics: Metrics) -> Publisher:
    """Return a publisher that does what another does, and counts what changes something."""
    # Every method that is not counted is the publisher's own, whatever the port comes to ask.
    return cast(Publisher, _Counted(publisher, platform, metrics))


class _Counted:
    def __init__(self, publisher: Publisher, platform: Platform, metrics: Metrics) -> None:
        self._publisher = publisher
        self._platform = platform
        self._metrics = metrics

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._publisher, name)
        return self._counting(method) if name in COUNTED else method

    def _counting(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **named: Any) -> Any:
            try:
                got = await method(*arguments, **named)
            except PublishError as error:
                self._metrics.done(self._platform.value, type(error).__name__)
                raise
            self._metrics.done(self._platform.value, "ok")
            return got

        return call


class ModelCollector(Collector):
    """The counts of one process, and the caps that hold for all."""

    def __init__(self, counting: Counting, caps: Caps) -> None:
        self._counting = counting
        self._caps = caps

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Yield each figure under its name; a cap that is not set has none."""
        counted = self._counting
        help_text = (
            "Questions to the model, by what came of them; kept ones had been answered before"
        )
        questions = CounterMetricFamily("infra_model_questions", help_text, labels=("outcome",))
        for outcome in ("answered", "kept", "failed", "over_budget"):
            questions.add_metric([outcome], getattr(counted, outcome))
        yield questions
        help_text = "Tokens of the questions that were answered"
        spent = CounterMetricFamily("infra_model_tokens", help_text, labels=("of",))
        spent.add_metric(["input"], counted.input_tokens)
        spent.add_metric(["output"], counted.output_tokens)
        yield spent
        help_text = "Seconds spent waiting for the model's server"
        yield CounterMetricFamily("infra_model_seconds", help_text, value=counted.seconds)
        help_text = (
            "Tokens that all processes together may spend on the model, by UTC day and month"
        )
        caps = GaugeMetricFamily("infra_all_model_tokens_cap", help_text, labels=("a",))
        for name, cap in (("day", self._caps.a_day), ("month", self._caps.a_month)):
            if cap is not None:
                caps.add_metric([name], cap)
        yield caps
