"""Drawing, done beside the loop: a full day takes tens of milliseconds to write and draw.

It has a thread of its own, so that no answer waits until a long window is read.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from digest import executor

Made = TypeVar("Made")

_DRAWING = ThreadPoolExecutor(max_workers=1, thread_name_prefix="drawing")


async def in_executor(make: Callable[[], Made]) -> Made:
    """Give what a pure function makes, without holding up anybody who waits for an answer."""
    return await executor.in_executor(make, _DRAWING)
