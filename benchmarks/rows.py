"""One line of the table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure as it is printed, its limit (empty where none is promised), and if it is kept."""

    name: str
    figure: str
    limit: str = ""
    is_kept: bool = True
