"""Several things awaited at once."""

import asyncio
from collections.abc import Coroutine, Iterable


async def together(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Await all at once; the first error ends them all, as one who stops waiting does."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors
