"""Files are cut into what differs, and read as trees in several threads at once."""

import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def _told(before: str, after: str) -> list[list[tuple[int, str]]]:
    """Return what only either side has, by the line on which it begins."""
    sides = grammar.differing(before, after, cut=True)
    return [[(one.block.line, one.block.text.rstrip()) for one in side] for side in sides]


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        pytest.param('a = """\nb = 1\n"""\nc = 2', [1, 4], id="a string of several lines"),
        pytest.param("a = '''\nb = \"\"\"\n'''\nc = 2", [1, 4], id="the other mark inside"),
        pytest.param("# \"\"\"\na = 1\nb = '''\nc = 2\n'''", [2, 3], id="a mark that nothing ends"),
        pytest.param('a = """"""\nb = 1', [1, 2], id="an empty string"),
    ],
)
def test_no_statement_begins_within_a_string(text: str, begun: list[int]) -> None:
    assert [line for line, _ in _told("", text)[1]] == begun


def test_of_statements_that_are_alike_the_last_is_told_to_be_new() -> None:
    before = "a = 1\nb = 2\nz = 3\nw = 4\n"
    after = "a = 1\nz = 3\nb = 2\nz = 3\nw = 4\n"

    assert _told(before, after) == [[], [(4, "z = 3")]]


_LINES = st.sampled_from(
    ("x = 1", "y = 2", "@d", "def f():", "    return 1", '"""', "'''", "", ")", "# x = 1", "else:")
)
_FILES = st.lists(_LINES, max_size=8)


@given(_FILES, _FILES, _FILES, _FILES)
def test_what_both_sides_begin_and_end_with_changes_nothing_of_what_differs(
    begin: list[str], old: list[str], new: list[str], end: list[str]
) -> None:
    sides = [grammar._Side("\n".join([*begin, *each, *end])) for each in (old, new)]

    whole = grammar._apart(sides[0].blocks(), sides[1].blocks())
    assert grammar._apart_at_the_top(sides[0], sides[1]) == whole
