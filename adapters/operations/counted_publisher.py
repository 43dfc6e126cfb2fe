"""A publisher whose calls are counted by outcome, and that is otherwise the publisher it was."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from adapters.operations.metrics import Metrics
from bot.model.channels import Platform
from bot.model.ports import Publisher, PublishError

COUNTED = ("send", "edit", "delete", "tell")


def counted(publisher: Publisher, platform: Platform, metrics: Metrics) -> Publisher:
    """Give a publisher that does what another does, and counts what changes something."""
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
