"""What of a window is upkeep: CI, tests, documentation, and what hardly changes what runs."""

from digest.grades import ChangeObject, Noise
from digest.models import ReadItem
from digest.reading.change import STYLE, declared
from digest.reading.paths import BENCHMARK_FOLDERS, RUNTIME, role
from digest.reading.symptoms import is_of_tests
from digest.writing.visible import bare

CALLED = {
    ChangeObject.TEST: Noise.TESTS,
    ChangeObject.DOCS: Noise.DOCS,
    ChangeObject.CI: Noise.CI,
}
LINES_ON_THE_WAY = 5
"""Changed lines of what runs from which a change is more than the CI or tests it calls itself."""


def upkeep(read: ReadItem) -> Noise | None:
    """Return what upkeep a change is, or calls itself where hardly anything that runs changes.

    Documentation is so called by its title alone: docstrings stand in what runs.
    """
    if read.noise is not None:
        return read.noise
    stated = declared(read.item.title).object
    called_so = CALLED.get(stated) if stated else None
    if called_so is None and not _is_command(read) and is_of_tests(read.item.title):
        called_so = Noise.TESTS
    files = [file for file in read.item.files or () if role(file.path) in RUNTIME]
    lines = sum(file.additions + file.deletions for file in files)
    return called_so if called_so is Noise.DOCS or lines < LINES_ON_THE_WAY else None


def _is_command(read: ReadItem) -> bool:
    """Tell whether a change is of what measures within the program itself, as users run it."""
    return read.object is ChangeObject.BENCHMARK and any(
        role(file.path) is ChangeObject.BENCHMARK and not _BESIDE & {*file.path.split("/")[:1]}
        for file in read.item.files or ()
    )


_BESIDE = BENCHMARK_FOLDERS | {"scripts", "tools"}
"""Folders beside the program whose scripts who works on it runs."""
_LINES_OF_A_NUMBER = 10
"""Changed lines up to which what only builds the program is a number: a version, a pin."""


def is_upkeep(read: ReadItem) -> bool:
    """Tell whether a change is upkeep, of style or benchmarks, or a number of the build alone."""
    if upkeep(read) is not None or STYLE.search(bare(read.item.title)) is not None:
        return True
    if read.object is ChangeObject.BENCHMARK:
        return True
    size = read.item.additions + read.item.deletions
    return read.object in (ChangeObject.BUILD, ChangeObject.DEPENDENCY) and (
        0 < size <= _LINES_OF_A_NUMBER
    )
