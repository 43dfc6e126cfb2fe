"""What hides in a stranger's text does not reach a reader."""

import pytest

from digest.writing.visible import revealed, unhidden, visible, without_kind

UNSEEN = [
    *range(0xE0000, 0xE1000),  # tags, and the variation selectors beside them
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x2800, 0x3164, 0xFFA0),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFFF0, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
]


@pytest.mark.parametrize("number", [0x034F, 0x17B4, 0x17B5, 0x2800, 0xE0100, 0xE01EF])
def test_a_character_that_draws_nothing_is_dropped(number: int) -> None:
    assert visible(f"rm{chr(number)} -rf") == "rm -rf"
    assert revealed(f"rm{chr(number)}") == f"rm<U+{number:04X}>"


def test_no_unseen_character_survives() -> None:
    assert [hex(number) for number in UNSEEN if visible(f"a{chr(number)}b") != "ab"] == []


def test_marks_heaped_on_a_letter_do_not_cover_the_lines_around() -> None:
    assert visible("a" + "\u0301" * 90 + "b") == "a" + "\u0301" * 4 + "b"
    kept = "e\u0302\u0301 ก็ำ नि שָׁלוֹם"
    assert visible(kept) == kept


def test_what_has_lines_keeps_them() -> None:
    assert unhidden("a\u202e\n\u200bb") == "a\nb"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("* [Bugfix][MoE] Close the door", "[MoE] Close the door"),
        ("[Feature] Add doors", "Add doors"),
        ("[Fix] Kiln 5 supports doors", "[Fix] Kiln 5 supports doors"),
        ("[Bugfix][Perf] Improve doors", "[Bugfix][Perf] Improve doors"),
        ("[Bugfix] Fix support of doors", "Fix support of doors"),
        ("[Bugfix]", "[Bugfix]"),
    ],
)
def test_a_title_goes_without_its_kind_unless_it_would_read_as_the_contrary(
    title: str, expected: str
) -> None:
    assert without_kind(title) == expected
