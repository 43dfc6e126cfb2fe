"""What a process asked of its model, and what all may spend on it, in Prometheus' words."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from digest.editing.keeping import Counting
from digest.editing.spending import Caps


class ModelCollector(Collector):
    """The counts of one process, and the caps that hold for all."""

    def __init__(self, counting: Counting, caps: Caps) -> None:
        self._counting = counting
        self._caps = caps

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Give each figure under its name; a cap that is not set has none."""
        counted = self._counting
        said = "Questions to the model, by what came of them; kept ones had been answered before"
        questions = CounterMetricFamily("infra_model_questions", said, labels=("outcome",))
        for outcome in ("answered", "kept", "failed", "over_budget"):
            questions.add_metric([outcome], getattr(counted, outcome))
        yield questions
        said = "Tokens of the questions that were answered"
        spent = CounterMetricFamily("infra_model_tokens", said, labels=("of",))
        spent.add_metric(["input"], counted.input_tokens)
        spent.add_metric(["output"], counted.output_tokens)
        yield spent
        said = "Seconds spent waiting for the model's server"
        yield CounterMetricFamily("infra_model_seconds", said, value=counted.seconds)
        said = "Tokens that all processes together may spend on the model, by UTC day and month"
        caps = GaugeMetricFamily("infra_all_model_tokens_cap", said, labels=("a",))
        for name, cap in (("day", self._caps.a_day), ("month", self._caps.a_month)):
            if cap is not None:
                caps.add_metric([name], cap)
        yield caps
