"""Environment variables: where a program reads them or an image sets them."""

from datetime import UTC, datetime

import pytest

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.upgrade import upgrade_notes
from tests.digest.reading.noted import Told, told

ENV = "rocket/env.py"
CODE = "rocket/engine.py"
DOCKER = "docker/Dockerfile"
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "getenv with a default": (
        ENV,
        '@@ -3,0 +4 @@\n+X = os.getenv("ROCKET_FUEL", "full")',
        [("env", "added", "ROCKET_FUEL", None, "full")],
    ),
    "environ by index": (
        ENV,
        '@@ -3,0 +4 @@\n+X = os.environ["ROCKET_FUEL"]',
        [("env", "added", "ROCKET_FUEL", None, None)],
    ),
    "a variable that is set": (ENV, '@@ -3,0 +4 @@\n+os.environ["ROCKET_FUEL"] = "1"', []),
    "a variable that is set if it is not": (
        ENV,
        '@@ -3,0 +4 @@\n+os.environ.setdefault("ROCKET_FUEL", "1")',
        [],
    ),
    "a variable that is deleted": (ENV, '@@ -3,0 +4 @@\n+del os.environ["ROCKET_FUEL"]', []),
    "a variable that a test patches": (
        CODE,
        '@@ -3,0 +4 @@\n+monkeypatch.setenv("ROCKET_FUEL", "1")',
        [],
    ),
    "a comparison is a read": (
        ENV,
        '@@ -3,0 +4 @@\n+if os.environ["ROCKET_FUEL"] == "1":',
        [("env", "added", "ROCKET_FUEL", None, None)],
    ),
    "a reading function of the project": (
        ENV,
        '@@ -3 +3 @@\n-X = env_int("ROCKET_STAGES", 2)\n+X = env_int("ROCKET_STAGES", 3)',
        [("env", "changed", "ROCKET_STAGES", "2", "3")],
    ),
    "a table of readers": (
        ENV,
        '@@ -3,0 +4,3 @@\n+    "ROCKET_STAGES": lambda: int(\n'
        '+        os.getenv("ROCKET_STAGES", "2")\n+    ),',
        [("env", "added", "ROCKET_STAGES", None, "2")],
    ),
    "declared fields": (
        "rocket/environ.py",
        "@@ -3,2 +3,2 @@ class Envs:\n-    ROCKET_DRY = EnvBool(False)\n"
        "+    ROCKET_WET = EnvStr(default='x')",
        [
            ("env", "removed", "ROCKET_DRY", "ROCKET_DRY", None),
            ("env", "added", "ROCKET_WET", None, "x"),
        ],
    ),
    "a default that only the program knows": (
        ENV,
        '@@ -3 +3 @@\n-X = os.getenv("ROCKET_HOME", "a")\n+X = os.getenv("ROCKET_HOME", home())',
        [],
    ),
    "a unit that a remark states": (
        "rocket/environ.py",
        "@@ -3 +3 @@ class Envs:\n-    ROCKET_WAIT_MS = EnvInt(-1)\n"
        "+    ROCKET_WAIT = EnvFloat(-1)  # in seconds",
        [
            (
                "env",
                "renamed",
                "ROCKET_WAIT",
                "ROCKET_WAIT_MS (milliseconds, -1)",
                "ROCKET_WAIT (seconds, -1)",
            )
        ],
    ),
    "one place that no longer reads a variable": (
        CODE,
        '@@ -3 +3,0 @@\n-X = os.getenv("ROCKET_FUEL")',
        [],
    ),
    "a variable of something else": (CODE, '@@ -3,0 +4 @@\n+X = os.getenv("NCCL_DEBUG")', []),
    "a variable of the system": (ENV, '@@ -3,0 +4 @@\n+X = os.getenv("CUDA_VISIBLE_DEVICES")', []),
    "a variable that another line knows": (
        CODE,
        '@@ -3 +3,2 @@\n say("ROCKET_FUEL is low")\n+X = os.getenv("ROCKET_FUEL")',
        [],
    ),
    "a longer name on another line": (
        CODE,
        '@@ -3 +3,2 @@\n say("ROCKET_FUEL_MAX")\n+X = os.getenv("ROCKET_FUEL")',
        [("env", "added", "ROCKET_FUEL", None, None)],
    ),
    "a comment": (ENV, '@@ -3,0 +4 @@\n+# os.getenv("ROCKET_FUEL")', []),
    "C++": (
        "rocket/main.cpp",
        '@@ -3,0 +4 @@\n+  if (std::getenv("ROCKET_FUEL")) {',
        [("env", "added", "ROCKET_FUEL", None, None)],
    ),
    "Rust": (
        "rocket/env.rs",
        '@@ -3,0 +4 @@\n+let x = env::var("ROCKET_FUEL").unwrap_or("full".into());',
        [("env", "added", "ROCKET_FUEL", None, "full")],
    ),
    "shell": (
        "rocket/launch.sh",
        "@@ -3 +3 @@\n-export ROCKET_FUEL=${ROCKET_FUEL:-low}\n"
        "+export ROCKET_FUEL=${ROCKET_FUEL:-full}",
        [("env", "changed", "ROCKET_FUEL", "low", "full")],
    ),
    "an image's ENV": (
        DOCKER,
        '@@ -3 +3 @@\n-ENV ROCKET_ARCHS="80;90"\n+ENV ROCKET_ARCHS="80;90;100"',
        [("env", "changed", "ROCKET_ARCHS", "80;90", "80;90;100")],
    ),
    "an image's ENV over several lines": (
        DOCKER,
        "@@ -3,2 +3,3 @@\n ENV A_ONE=1 \\\n+    B_TWO=-DX=Y \\\n     C_THREE=3",
        [("env", "added", "B_TWO", None, "-DX=Y")],
    ),
    "an image's ENV of the old form": (
        DOCKER,
        "@@ -3 +3,0 @@\n-ENV ROCKET_FUEL full tank",
        [("env", "removed", "ROCKET_FUEL", "ROCKET_FUEL", None)],
    ),
    "an image's ARG": (
        DOCKER,
        "@@ -3,0 +4 @@\n+ARG BUILD_JOBS=4",
        [("env", "added", "BUILD_JOBS", None, "4")],
    ),
    "an image's ARG without a value": (
        DOCKER,
        "@@ -3,0 +4 @@\n+ARG BUILD_JOBS # as set by make",
        [("env", "added", "BUILD_JOBS", None, None)],
    ),
    "a version that an image is built with": (
        DOCKER,
        "@@ -3 +3 @@\n-ARG TORCH_VERSION=2.1\n+ARG TORCH_VERSION=2.2",
        [("dependency", "changed", "TORCH_VERSION", "2.1", "2.2")],
    ),
    "a value that is handed on": (
        DOCKER,
        "@@ -3 +3 @@\n-ENV TORCH_VERSION=2.1\n+ENV TORCH_VERSION=${TORCH_VERSION}",
        [],
    ),
}


@pytest.mark.parametrize(("path", "patch", "expected"), CASES.values(), ids=CASES)
def test_variables_are_told_where_they_are_defined(
    path: str, patch: str, expected: list[Told]
) -> None:
    assert told(path, patch) == expected


def test_a_read_amid_other_code_is_only_inferred_to_be_new() -> None:
    item = Item(
        "k", Repo("acme", "rocket"), Kind.COMMIT, "0a", "t", "https://x.test", "ada",
        datetime(2026, 1, 2, tzinfo=UTC), State.MERGED,
        files=(
            FileChange(CODE, "modified", 1, 0, '@@ -3,0 +4 @@\n+X = os.getenv("ROCKET_A")'),
            FileChange(ENV, "modified", 1, 0, '@@ -3,0 +4 @@\n+X = os.getenv("ROCKET_B")'),
        ),
    )  # fmt: skip

    assert {note.name: note.inferred for note in upgrade_notes(item)} == {
        "ROCKET_A": True,
        "ROCKET_B": False,
    }


def test_an_image_that_comes_or_goes_whole_is_not_a_list_of_variables() -> None:
    for status, sign in (("added", "+"), ("removed", "-")):
        item = Item(
            "k", Repo("acme", "rocket"), Kind.COMMIT, "0a", "t", "https://x.test", "ada",
            datetime(2026, 1, 2, tzinfo=UTC), State.MERGED,
            files=(FileChange(DOCKER, status, 1, 1, f"@@ -1 +1 @@\n{sign}ENV A_B=1"),),
        )  # fmt: skip
        assert upgrade_notes(item) == ()


def test_a_variable_that_is_declared_and_read_is_told_where_it_is_declared() -> None:
    item = Item(
        "k", Repo("acme", "rocket"), Kind.COMMIT, "0a", "t", "https://x.test", "ada",
        datetime(2026, 1, 2, tzinfo=UTC), State.MERGED,
        files=(
            FileChange(CODE, "modified", 1, 0, '@@ -3,0 +4 @@\n+X = os.getenv("ROCKET_A")'),
            FileChange(ENV, "modified", 1, 0, '@@ -3,0 +4 @@\n+X = os.getenv("ROCKET_A", "1")'),
        ),
    )  # fmt: skip

    assert [(note.path, note.after) for note in upgrade_notes(item)] == [(ENV, "1")]
