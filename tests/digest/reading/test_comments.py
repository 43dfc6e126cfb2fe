"""Which lines of a patch are read as comments."""

import re

from digest.models import FileChange
from digest.reading.comments import LONGEST_LINE, MOST_CHARS, notes


def told(*rows: str) -> list[str]:
    patch = "@@ -40,9 +40,9 @@\n" + "\n".join(rows)
    file = FileChange("kiln/heat.py", "modified", len(rows), 0, patch)
    return [note.text for note in notes([file], re.compile(""))]


def test_a_line_of_data_is_no_comment() -> None:
    for spare, is_read in ((0, True), (1, False)):
        line = "# " + "a" * (LONGEST_LINE - 2 + spare)
        assert bool(told(f"+{line}")) is is_read


def test_a_patch_is_read_up_to_a_bound() -> None:
    hunk = "+x = 1\n" * 20 + "@@ -90,1 +90,1 @@\n+# Keep the lid."
    assert told(hunk) == ["Keep the lid."]
    assert told("+x = 1\n" * (MOST_CHARS // 7) + hunk) == []
