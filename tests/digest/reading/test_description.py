"""What of a description its author wrote."""

import pytest

from digest.reading.description import written


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        ("which was wrapped", False),
        ("- a list", True),
        ("2) a list", True),
        ("# A heading", True),
        ("| a | table |", True),
        ("> a quotation", True),
        ("~~~\ncode\n~~~\nwords", True),
        ("\nwords", True),
    ],
)
def test_what_goes_on_after_a_box_is_left_out_with_it(after: str, *, is_kept: bool) -> None:
    box = "- [x] I have read the guide"
    rest = written(f"The lid.\n{box}\n{after}").removeprefix("The lid.").strip()
    assert box not in rest
    assert bool(rest) is is_kept
