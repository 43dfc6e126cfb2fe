"""Work of the processor alone, done beside the loop that answers platforms and asks GitHub.

A platform waits three seconds for an acknowledgement; to read a busy month takes ten and more.
One thread does all of a kind: more would only take turns with the loop more often.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Made = TypeVar("Made")

READING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
DRAWING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing")
"""Writing and drawing, tens of milliseconds of a full day: no answer waits for a long window."""


async def in_executor(make: Callable[[], Made], thread: ThreadPoolExecutor = READING) -> Made:
    """Give what a pure function makes, without holding up anybody who waits for an answer."""
    return await asyncio.get_running_loop().run_in_executor(thread, make)
