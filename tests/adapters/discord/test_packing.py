"""Pieces and action rows are packed without loss, and headings are said as often as needed."""

from adapters.discord import limits
from adapters.discord.packing import AGAIN, ROWS, Packed, pack
from adapters.discord.pieces import Piece

HEADING = Piece("**Attention**", leads=True)
ROW = {"type": 1, "components": [{"type": 2, "label": "Flag"}]}


def texts(packed: list[Packed]) -> list[list[str]]:
    return [[piece.text for piece in each.pieces] for each in packed]


def test_a_heading_that_begins_a_message_is_said_once() -> None:
    before, entry = Piece("x" * 90), Piece("- one", joins=True)
    assert texts(pack([before, HEADING, entry], (), 100)) == [
        [before.text],
        [HEADING.text, entry.text],
    ]


def test_a_heading_is_said_again_where_its_list_goes_on() -> None:
    first, second = Piece("- " + "x" * 60, joins=True), Piece("- " + "y" * 60, joins=True)
    assert texts(pack([HEADING, first, second], (), 100)) == [
        [HEADING.text, first.text],
        [HEADING.text + AGAIN, second.text],
    ]


def test_a_message_has_no_more_rows_than_leave_one_for_turning_pages() -> None:
    packed = pack([Piece("text")], [ROW] * (ROWS + 2), 100)
    assert [len(each.rows) for each in packed] == [ROWS, 2]
    assert texts(packed) == [["text"], []]


def test_rows_too_heavy_for_a_message_stand_in_their_own() -> None:
    heavy = {"type": 1, "components": [{"type": 2, "label": "题" * 1_700}]}
    packed = pack([Piece("text")], [heavy, heavy], 100)
    assert [(len(each.pieces), len(each.rows)) for each in packed] == [(1, 1), (0, 1)]
    packed = pack([Piece("题" * 1_500)], [heavy], 10_000)
    assert [(len(each.pieces), len(each.rows)) for each in packed] == [(1, 0), (0, 1)]


def test_text_leaves_bytes_for_the_buttons_that_turn_pages() -> None:
    third = limits.BYTES // 3 // 2
    pieces = [Piece("题" * third), Piece("题" * (third - 1))]
    assert [len(each.pieces) for each in pack(pieces, (), 10_000)] == [1, 1]
