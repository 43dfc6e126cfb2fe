"""Files are read as trees in several threads at once."""

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from digest.reading.interfaces import grammar

TEXT = "".join(
    f"def f{at}(a: int, b=[1, {{2: 3}}]) -> None:\n    return a + b\n" for at in range(400)
)


class Finalized:
    """Runs code where it is collected, so that another thread goes on in the middle of a tree."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        pass


@pytest.fixture
def _often_interrupted() -> Iterator[None]:
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("_often_interrupted")
def test_many_threads_read_files_at_once() -> None:
    def read(_: int) -> int:
        made = [Finalized() for _ in range(50)]
        return len(grammar.module(TEXT).body) + len(made)

    with ThreadPoolExecutor(6) as threads:
        assert set(threads.map(read, range(16))) == {450}
