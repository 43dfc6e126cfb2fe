"""A patch as hunks and numbered lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.reading.patch import Line, hunks, lines, parse_hunk, raw_hunks


def test_lines_have_the_numbers_of_their_own_files() -> None:
    patch = "@@ -10,3 +20,4 @@ def f():\n a\n-b\n+c\n+d\n e\n"

    assert list(lines(patch)) == [
        Line(" ", "a", 10, 20),
        Line("-", "b", 11, None),
        Line("+", "c", None, 21),
        Line("+", "d", None, 22),
        Line(" ", "e", 12, 23),
    ]


@pytest.mark.parametrize(
    ("patch", "texts"),
    [
        ("@@ -1 +1 @@\r\n-a\r\n+b\r\n", ["a", "b"]),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline", ["a", "b"]),
        ("@@ -1,3 +1,3 @@\n a\n\n+b\n", ["a", "", "b"]),
        ("@@ -1 +1 @@\n+a\u2028b\x0cc\n", ["a\u2028b\x0cc"]),
        ("@@ -1 +1 @@\n+a\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -5 +5 @@\n+b\n", ["a", "b"]),
        ("--- a/x\n+++ b/x\n@@ -5 +5 @@\n+b\n", ["b"]),
    ],
    ids=["crlf", "no newline", "stripped blank", "other line ends", "two files", "file header"],
)  # fmt: skip
def test_the_forms_that_tools_write_are_read(patch: str, texts: list[str]) -> None:
    assert [line.text for line in lines(patch)] == texts


@pytest.mark.parametrize(
    "patch",
    [
        None,
        "",
        "Binary files a/x and b/x differ",
        "@@ garbage @@\n+a",
        "@@@ -1 -1 +1 @@@\n++a",
        "@@ -1 +1",
        "@@ -99999999999999999999 +1 @@\n+a",
        "GIT binary patch\nliteral 10\nzcmZ",
        "-Subproject commit 1111111\n+Subproject commit 2222222",
    ],
)
def test_what_is_no_patch_has_no_lines(patch: str | None) -> None:
    assert list(lines(patch)) == []


def test_a_huge_patch_is_read_up_to_its_bound() -> None:
    patch = "@@ -1 +1 @@\n+a\n" * 670_000

    first = next(hunks(patch))
    count = sum(1 for _ in hunks(patch, max_chars=30_000))

    assert first.lines == (Line("+", "a", None, 1),)
    assert count == 30_000 // 15 - 1


def test_raw_hunks_can_be_searched_before_they_are_parsed() -> None:
    first, second = raw_hunks("@@ -1 +1 @@\n+a\n@@ -5 +5 @@ f\n+b")

    assert "+a" in first
    assert (found := parse_hunk(second)) is not None
    assert found.section == "f"


@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    list(hunks(text))
    list(hunks("@@ -1 +1 @@" + text))


@given(st.lists(st.sampled_from(["@@ -1 +1 @@", "@@", "+a", "-b", " c", "", "\\", "diff", "\r"])))
def test_no_order_of_rows_makes_it_fail_and_numbers_only_rise(rows: list[str]) -> None:
    for hunk in hunks("\n".join(rows)):
        new = [line.new for line in hunk.lines if line.new is not None]
        assert new == sorted(set(new))
