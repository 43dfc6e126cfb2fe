from collections.abc import Callable
from typing import Any

import pytest

from digest.grades import ChangeObject, Noise
from digest.models import FileChange
from digest.reading.change import noise

Make = Callable[..., Any]
SOURCE, DEPENDENCY = ChangeObject.SOURCE, ChangeObject.DEPENDENCY


@pytest.mark.parametrize(
    ("title", "object_", "more", "expected"),
    [
        ("Add a queue", SOURCE, {}, None),
        ("Anything", SOURCE, {"author_is_bot": True}, Noise.BOT),
        ("Words", ChangeObject.DOCS, {}, Noise.DOCS),
        ("Runner", ChangeObject.CI, {}, Noise.CI),
        ("Test", ChangeObject.TEST, {}, Noise.TESTS),
        ("Bump thing from 1.0 to 2.0 (#7)", DEPENDENCY, {}, Noise.DEPENDENCY),
        ("chore(deps): bump the dev group", DEPENDENCY, {}, Noise.DEPENDENCY),
        ("Bump third_party/fastmath", DEPENDENCY, {}, None),
        ("Merge branch 'main' into x", SOURCE, {}, Noise.SYNC),
        ("Fix typo in comment", SOURCE, {}, Noise.STYLE),
        ("chore: fix some typos", SOURCE, {}, Noise.STYLE),
        ("fix typo routing issue in the scheduler", SOURCE, {}, None),
        ("fix: typo", SOURCE, {}, None),
        ("Sort imports", SOURCE, {}, Noise.STYLE),
        ("style: everything", SOURCE, {"additions": 4000}, None),
        ("Format of the wire changes", SOURCE, {}, None),
    ],
)
def test_noise_says_why(
    pull: Make, title: str, object_: ChangeObject, more: dict[str, Any], expected: Noise | None
) -> None:
    assert noise(pull(1, title, **more), object_) is expected


def test_a_merge_that_only_carries_commits_is_a_sync(commit: Make) -> None:
    assert noise(commit("a1", "Whatever", parents=("b", "c")), SOURCE) is Noise.SYNC


@pytest.mark.parametrize(
    ("path", "patch", "status", "expected"),
    [
        (
            "engine/a.py",
            "-    # Feed the the pump.\n+    # Feed the pump.\n+",
            "modified",
            Noise.DOCS,
        ),
        ("csrc/a.cu", "-// The the ring\n+ * The ring\n+ */", "modified", Noise.DOCS),
        ("engine/a.py", "+    # Feed the pump.\n+    pump()\n-", "modified", None),
        ("csrc/a.cu", "-#define RING 1\n+#define RING 2\n+", "modified", None),
        ("engine/a.json", "+# 1\n+# 2\n-# 3", "modified", None),
        ("engine/a.py", "+# 1\n+# 2\n+# 3", "added", None),
        ("engine/a.py", "+# all that is shown of three lines", "modified", None),
    ],
)
def test_what_changes_comments_alone_is_documentation(
    pull: Make, path: str, patch: str, status: str, expected: Noise | None
) -> None:
    change = FileChange(path, status, 2, 1, f"@@ -1,2 +1,2 @@ def run():\n{patch}\n     go()\n")
    assert noise(pull(1, "Fix the pump", files=[change, "docs/pump.md"]), SOURCE) is expected
