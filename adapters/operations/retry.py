"""A platform asked again until it answers."""

import asyncio
import math
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


LONGEST = 3600.0
"""Seconds that a server is let ask for: a longer time is asked about again after them."""


def seconds_of(retry_after: str, otherwise: float) -> float:
    """Read a `Retry-After` in seconds, one at least; `otherwise` where it says nothing usable.

    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    try:
        seconds = float(retry_after)
    except ValueError:
        return otherwise
    return min(max(seconds, 1.0), LONGEST) if math.isfinite(seconds) else otherwise
