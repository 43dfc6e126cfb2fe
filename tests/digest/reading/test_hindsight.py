"""What the comments and tests of a fix say of what went wrong without it."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from digest.facts import Symptom
from digest.grades import Purpose
from digest.models import FileChange
from digest.reading.bites import bites
from digest.reading.change import purpose, touched
from digest.reading.comments import notes
from digest.reading.hindsight import LONGEST, MOST_WITH_PAST, hindsight

Make = Callable[..., Any]


def changed(
    text: str, path: str = "kiln/heat.py", status: str = "modified", start: int = 40
) -> FileChange:
    """Return a file with a patch: each line as it stands, with `+` where it has no sign."""
    rows = [line if line[:1] in ("+", "-", " ") else f"+{line}" for line in text.split("\n")]
    new = sum(row[:1] == "+" for row in rows)
    return FileChange(
        path, status, new, len(rows) - new, f"@@ -{start},9 +{start},9 @@\n" + "\n".join(rows)
    )


TEST = "tests/test_heat.py"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (
            "# Keep the lid: otherwise the\n# next batch reads garbage.",
            "kiln/a.py",
            Symptom.WRONG_OUTPUT,
        ),
        ("// Without this the ovens would deadlock.", "kiln/a.cu", Symptom.HANG),
        ("# A cold tray produces a shape mismatch.", "kiln/a.py", Symptom.CRASH),
        ("# Default to None instead of raising AttributeError.", "kiln/a.py", Symptom.CRASH),
        ("# Never hold all trays, which can cause OOM.", "kiln/a.py", Symptom.OUT_OF_MEMORY),
        ("# The tray would otherwise fail to load.", "kiln/a.py", Symptom.CANNOT_START),
        ("# Without this, loaves fail for trays > 0.", "kiln/a.py", Symptom.CRASH),
        ("# The tray would leak its slots.", "kiln/a.py", Symptom.MEMORY_LEAK),
        ('"""Previously a lid was lost, causing\nillegal memory access."""', TEST, Symptom.CRASH),
        ("# Pre-fix this path produced NaN.", TEST, Symptom.WRONG_OUTPUT),
        ("# The lid used to hang at noon.", TEST, Symptom.HANG),
        ("# It used to raise KeyError and return 500 on each loaf.", TEST, Symptom.BAD_ANSWER),
        ("# Regression for the crash of the lid.", TEST, Symptom.CRASH),
        ("# Before the fix, baking crashed with two lids.", TEST, Symptom.CRASH),
        ("# Prior to this fix the oven hung forever.", TEST, Symptom.HANG),
        ("# Prior to noon the oven hung forever.", TEST, None),
        ("# An empty tray must not hang the oven.", TEST, Symptom.HANG),
        ("# Close the lid instead of a crash.", "kiln/a.py", Symptom.CRASH),
        ("# Without this a lid that already closed would hang.", "kiln/a.py", Symptom.HANG),
        ("# Before the fix, a lid was not detected, and it hung.", TEST, Symptom.HANG),
        ("# Without this the baker is told at once instead of a crash.", "kiln/a.py", None),
        ("# Previously, hangs were detected by the clock.", TEST, None),
        ("# None would raise ValueError, which is caught by the baker.", "kiln/a.py", None),
        ("# Unlike the mill, which would produce NaN here, we sift.", "kiln/a.py", None),
        ("# We used to crash here, but the mill fixed that already.", TEST, None),
        ("# In theory the lids would deadlock.", "kiln/a.py", None),
        # What is meant, still to do, of another thing, or no more than a test's own care.
        ("# Keep the lid on.", "kiln/a.py", None),
        ("# TODO: otherwise it would crash.", "kiln/a.py", None),
        ("# Otherwise the caller must raise ValueError.", "kiln/a.py", None),
        ("# Without this the tray would leak the name.", "kiln/a.py", None),
        ("# Deferred to avoid a circular import.", "kiln/a.py", None),
        ("# Copy the lid, because it cannot load: would burn.", "kiln/a.py", None),
        ("# The lid is used to avoid OOM.", TEST, None),
        ("# Otherwise the kiln would crash.", TEST, None),
        ("def test_cold_tray_does_not_crash():", TEST, None),
        ("# Avoid a GPU sync, which would be slow.", "kiln/a.py", None),
    ],
)
def test_a_sentence_of_what_would_be_or_was_tells_a_symptom(
    text: str, path: str, expected: Symptom | None
) -> None:
    found = hindsight("Fix the lid", [changed(text, path)])
    assert (found and found[0]) == expected


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("-# Otherwise it would crash.\n+x = 1\n+# Otherwise it would crash.", "modified"),
        (" # Otherwise it would crash.\n+x = 1", "modified"),
        ("+# Otherwise it would crash.", "added"),
        ("+# Otherwise it would crash.\n" + "+x = 1\n" * 80, "modified"),
        ("+# Otherwise it would crash.\n+x = 1\n+# Otherwise it would hang.", "modified"),
        ('+bread = "otherwise it would crash"', "modified"),
    ],
)
def test_what_stood_before_moved_is_new_or_is_said_of_much_tells_nothing(
    text: str, status: str
) -> None:
    assert hindsight("Fix the lid", [changed(text, status=status)]) is None


def test_a_title_of_how_fast_something_is_has_no_symptom_from_a_comment() -> None:
    file = changed("# Without this the oven would crash.")
    assert hindsight("Fix the throughput of the oven", [file]) is None


def test_what_most_tests_say_is_told() -> None:
    file = changed(
        "# Pre-fix it crashed.\nx = 1\n# Pre-fix it hung.\nx = 1\n# Previously, a crash.", TEST
    )
    found = hindsight("Fix the lid", [file])
    assert found is not None
    assert (found[0], found[1].line) == (Symptom.CRASH, 40)


def test_what_most_sentences_say_is_told_also_where_another_stands_first() -> None:
    lines = "# Pre-fix it hung.\nx = 1\n# Pre-fix it crashed.\nx = 1\n# Previously, a crash."
    found = hindsight("Fix the lid", [changed(lines, TEST)])
    assert found is not None
    assert (found[0], found[1].line) == (Symptom.CRASH, 42)


@pytest.mark.parametrize(("more", "is_told"), [(0, True), (1, False)])
def test_what_came_with_much_new_code_is_of_any_of_it(more: int, *, is_told: bool) -> None:
    runs = changed("\n".join(["x = 1"] * (MOST_WITH_PAST + more)))
    test = changed("# Pre-fix it hung.", TEST)
    assert bool(hindsight("Fix the lid", [runs, test])) is is_told


@pytest.mark.parametrize(("more", "is_told"), [(0, True), (1, False)])
def test_a_sentence_that_goes_on_and_on_says_no_one_thing(more: int, *, is_told: bool) -> None:
    words = "Pre-fix it hung" + " here" * 200
    words = words[: LONGEST - 1 + more].replace(" ", "\n# ")
    assert bool(hindsight("Fix the lid", [changed(f"# {words}.", TEST)])) is is_told


def test_the_sentence_is_evidence_of_an_inferred_bite_with_its_line(pull: Make) -> None:
    file = changed(" x = 1\n+# Otherwise the next batch\n+# reads garbage.\n+y = 2")
    item = pull(1, "[Bugfix] Keep the lid", files=[file])
    (fact,) = bites(item, purpose(item)[0], touched(item))
    assert (fact.symptom, fact.inferred) == (Symptom.WRONG_OUTPUT, True)
    (shown,) = fact.evidence
    assert shown.quote == "Otherwise the next batch reads garbage."
    assert (shown.source, shown.path, shown.line, shown.side) == ("diff", "kiln/heat.py", 41, "+")


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("Fix the oven", True),
        ("[Bugfix][CI] Fix the oven", True),
        ("[CI] Fix the oven", False),
        ("[CI] Restore the oven", False),
    ],
)
def test_a_change_of_ci_has_no_symptom_from_a_comment(
    pull: Make, title: str, *, is_told: bool
) -> None:
    item = pull(1, title, files=[changed("# Otherwise it would crash.")])
    found = bites(item, Purpose.FIX, touched(item))
    assert any(fact.inferred and fact.symptom is Symptom.CRASH for fact in found) is is_told


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("+# One two.\n+# Three\n+# four.", "a.py", ["One two.", "Three four."]),
        (" # It holds that\n+# one is two.", "a.py", []),
        (" # It holds.\n+# One is two.", "a.py", ["One is two."]),
        (
            '+def bake():\n+    """Bake it.\n+\n+    Or not.\n+    """\n+    x = "a"',
            "a.py",
            ["Bake it.", "Or not."],
        ),
        (' It ended.\n     """\n+x = 1\n+# One is two.', "a.py", ["One is two."]),
        ('+x = """\n+# No note.\n+"""', "a.py", []),
        ("+x = 1  # not read", "a.py", []),
        ("+#define BAKE 1\n+int x;", "a.cu", []),
        ("+/* One is\n+ * two. */\n+int *y;\n+*y = 2;", "a.cu", ["One is two."]),
    ],
)
def test_new_sentences_of_comments_and_docstrings_are_read(
    text: str, path: str, expected: list[str]
) -> None:
    assert [note.text for note in notes([changed(text, path)], re.compile(""))] == expected
