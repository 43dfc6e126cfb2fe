"""Pieces and action rows are packed without loss, and headings are said as often as needed."""

from adapters.discord.render import ROWS, Packed, Piece, pack

HEADING = Piece("**Attention**", leads=True)
ROW = {"type": 1, "components": [{"type": 2, "label": "Flag"}]}


def texts(packed: list[Packed]) -> list[list[str]]:
    return [[piece.text for piece in each.pieces] for each in packed]


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
