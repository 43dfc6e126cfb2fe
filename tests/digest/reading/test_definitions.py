"""The arguments of calls, split as the language splits them."""

import re

import pytest

from digest.reading.definitions import (
    Definition,
    arguments,
    calls,
    differences,
    keywords,
    literal,
    prose,
    string,
)


@pytest.mark.parametrize(
    ("text", "texts", "closed"),
    [
        ("a, b=1)", ("a", "b=1"), True),
        ("f(a, b), [c, d], {e: g})", ("f(a, b)", "[c, d]", "{e: g}"), True),
        ("\"a, (b\", 'c)')", ('"a, (b"', "'c)'"), True),
        ("a, # one, two)\n b)", ("a", "b"), True),
        ('"""a, "b" ) \'""", c)', ('"""a, "b" ) \'"""', "c"), True),
        (r'"a\", b", c)', (r'"a\", b"', "c"), True),
        ("a, b", ("a", "b"), False),
        (")", (), True),
        ("", (), False),
    ],
)
def test_arguments_end_where_the_call_ends(text: str, texts: tuple[str, ...], closed: bool) -> None:
    found = arguments(text, 0)

    assert (found.texts, found.closed) == (texts, closed)


def test_a_call_is_read_no_further_than_the_next_one() -> None:
    text = "f(a, f(b), f(c"
    ends = [(match.start(), end) for match, end in calls(re.compile(r"f\("), text)]

    assert ends == [(0, 5), (5, 11), (11, 14)]


def test_keywords_are_named_arguments_and_no_comparisons() -> None:
    assert keywords(("a", "b=1", "c == 2", "d = [3]")) == {"b": "1", "d": "[3]"}


def test_literals_are_read_as_people_read_them() -> None:
    assert [literal(text) for text in ('"a"', "1", "None", "...", None, " [1,\n 2] ")] == [
        "a", "1", None, None, None, "[1, 2]",
    ]  # fmt: skip
    assert string('"a" "b"') is None
    assert prose('"a " "b"') == "a b"


def one(name: str, value: str | None, *, changed: bool = True, complete: bool = True) -> Definition:
    return Definition("flag", name, value, "p", 1, changed, complete=complete)


def test_what_stands_on_both_sides_alike_is_no_difference() -> None:
    found = differences([one("a", "1")], [one("a", "1")])

    assert (found.changed, found.removed, found.added) == ((), (), ())


def test_what_the_context_shows_is_neither_added_nor_removed() -> None:
    found = differences([one("a", "1", changed=False)], [one("b", "1", changed=False)])

    assert (found.changed, found.removed, found.added) == ((), (), ())


def test_a_value_that_a_cut_call_may_hide_is_no_change() -> None:
    assert differences([one("a", "1")], [one("a", None, complete=False)]).changed == ()
    assert len(differences([one("a", "1")], [one("a", None)]).changed) == 1
    assert len(differences([one("a", "1")], [one("a", "2", complete=False)]).changed) == 1


def test_a_name_that_stands_several_times_is_changed_in_its_place() -> None:
    ((old, new),) = differences(
        [one("a", "1"), one("a", "2")], [one("a", "1"), one("a", "3")]
    ).changed

    assert (old.value, new.value) == ("2", "3")
    assert differences([one("a", "1")], [one("a", "1"), one("a", "3")]).added == ()
