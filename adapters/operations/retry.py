"""A platform asked again until it answers, for what nothing can begin without."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, repeat
from typing import TypeVar

import structlog

from bot.model.channels import Platform
from bot.model.ports import Limited

Got = TypeVar("Got")

log = structlog.get_logger()


async def until_reached(
    ask: Callable[[], Awaitable[Got]],
    platform: Platform,
    pauses: Sequence[float],
    unreached: tuple[type[Exception], ...],
) -> Got:
    """Return what `ask` returns, asked again after `Limited` and after the errors of `unreached`.

    `pauses` are the seconds between tries, of which the last stays; a limit names its own. Every
    other error is raised.
    """
    for pause in chain(pauses, repeat(pauses[-1])):
        try:
            return await ask()
        except Limited as error:
            reason, seconds = str(error), error.retry_after
        except unreached as error:
            reason, seconds = str(error), pause
        log.warning(f"{platform.value} not reached", reason=reason, again_in=seconds)
        await asyncio.sleep(seconds)
    raise AssertionError("the last pause is repeated for ever")


def seconds_of(retry_after: str, otherwise: float) -> float:
    """Read a `Retry-After` in seconds, one at least; `otherwise` where it says nothing usable.

    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    try:
        return max(float(retry_after), 1.0)
    except ValueError:
        return otherwise
