"""Leaves a server alone that does not work, so that one dead server costs one wait."""

from collections.abc import Callable

from digest.errors import ModelFailed

COOLING = 300.0
"""Seconds for which a server is left alone; then one question tries it again."""

FAILURES = 3
"""Failures in a row after which a server that did answer before is left alone."""


class Breaker:
    """Counts failures of a server; one that never answered is given up at the first.

    `moment` gives seconds of any steady clock.
    """

    def __init__(self, moment: Callable[[], float]) -> None:
        self._moment = moment
        self._ever_answered = False
        self._failures = 0
        self._failure: ModelFailed | None = None
        self._until = 0.0

    def failure(self) -> ModelFailed | None:
        """Give why the server may not be asked now, or None where it may.

        Once it has been left alone for long enough, the one who asks first may try it.
        """
        if self._failure is None:
            return None
        if self._moment() < self._until:
            return ModelFailed(str(self._failure), trouble=self._failure.trouble)
        self._until = self._moment() + COOLING
        return None

    def answered(self) -> None:
        """Note that the server works."""
        self._ever_answered = True
        self._failures = 0
        self._failure = None

    def failed(self, failure: ModelFailed, *, for_good: bool = False) -> None:
        """Note that it does not, and why; `for_good` where asking again cannot help."""
        self._failures += 1
        if for_good or not self._ever_answered or self._failures >= FAILURES:
            self._failure = failure
            self._until = self._moment() + COOLING
