"""What a change does to a codebase is said shortly: of two sides only what differs."""

import pytest

from digest.writing.concerned_parts import differing


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("1", "2", ("1", "2")),
        (
            "@Op.register('row') class Row(Base)",
            "@Layer.register('row') class Row(Base)",
            ("…Op…", "…Layer…"),
        ),
        ("class Run(Lora, Link)", "class Run(Lora)", ("…Lora, Link…", "…Lora…")),
        ("def tasks(self) -> str", "def tasks() -> str", ("…tasks(self…", "…tasks(…")),
        ("limit=1", "limit=1, more=2", ("limit=1", "limit=1, more=2")),
        ("same", "same", ("", "")),
        ("", "new", ("", "")),
        ("share: float = 0.9", "share: float = 0.92", ("…0.9", "…0.92")),
    ],
)
def test_of_both_sides_what_differs_is_told(before: str, after: str, told: tuple[str, str]) -> None:
    assert differing(before, after) == told
