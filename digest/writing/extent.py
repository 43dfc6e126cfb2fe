"""How much of one change a page shows; what is left out is counted on the page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """Lines of hunks together, files in tables, lines of one result; None means all of them."""

    lines: int | None
    files: int | None
    result_lines: int | None


SHORT = Extent(lines=120, files=40, result_lines=30)
"""About eight screens in all, four of them of the patch."""
LONG = Extent(lines=600, files=200, result_lines=120)
"""The form for whoever asks for an analysis."""
WHOLE = Extent(lines=None, files=None, result_lines=None)
IN_A_DAY = Extent(lines=200, files=40, result_lines=60)
"""One high change of a day that is told as an analysis."""
