"""Public functions whose parameters change or that go, and what a diff says is deprecated."""

from datetime import UTC, datetime

import pytest

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.upgrade import upgrade_notes

Told = tuple[str, str, str, str | None, str | None]


def told(path: str, patch: str, *, signatures: bool = True) -> list[Told]:
    item = Item(
        "k", Repo("acme", "rocket"), Kind.COMMIT, "0a1b2c3", "A change", "https://x.test/c", "ada",
        datetime(2026, 1, 2, tzinfo=UTC), State.MERGED,
        files=(FileChange(path, "modified", 1, 1, patch),),
    )  # fmt: skip
    notes = upgrade_notes(item, signatures=signatures)
    return [(note.kind, note.change, note.name, note.before, note.after) for note in notes]


ENGINE = "rocket/engine.py"
SIGNATURES: dict[str, tuple[str, str, list[Told]]] = {
    "a method": (
        ENGINE,
        "@@ -61,2 +61,2 @@ class Engine:\n-    def burn(self, fuel, n=1):\n"
        "+    def burn(self, fuel, *, n=1):\n         go()",
        [("signature", "changed", "Engine.burn", "(self, fuel, n=1)", "(self, fuel, *, n=1)")],
    ),
    "a constructor": (
        ENGINE,
        "@@ -61 +61 @@ class Engine:\n-    def __init__(self, a):\n+    def __init__(self, a, b):",
        [("signature", "changed", "Engine", "(self, a)", "(self, a, b)")],
    ),
    "parameters over several lines": (
        ENGINE,
        "@@ -1,4 +1,5 @@\n def burn(\n     fuel: str,\n+    n: int = 1,\n ) -> None:\n     go()",
        [("signature", "changed", "burn", "(fuel: str)", "(fuel: str, n: int = 1)")],
    ),
    "a function that goes": (
        ENGINE,
        "@@ -1,2 +1 @@\n-def burn(fuel):\n-    go()",
        [("signature", "removed", "burn", "burn", None)],
    ),
    "a function that comes": (ENGINE, "@@ -1,0 +1 @@\n+def burn(fuel):\n+    go()", []),
    "a private function": (ENGINE, "@@ -1 +1 @@\n-def _burn(a):\n+def _burn(a, b):", []),
    "a function within another": (
        ENGINE,
        "@@ -9,2 +9,2 @@ def outer():\n-    def burn(a):\n+    def burn(a, b):",
        [],
    ),
    "a method whose class nothing shows": (
        ENGINE,
        "@@ -9 +9 @@\n-    def burn(a):\n+    def burn(a, b):",
        [],
    ),
    "only the layout": (
        ENGINE,
        "@@ -1,1 +1,4 @@\n-def burn(a, b):\n+def burn(\n+    a,\n+    b,\n+):",
        [],
    ),
    "only the result": (ENGINE, "@@ -1 +1 @@\n-def burn(a):\n+def burn(a) -> int:", []),
    "a C++ header": (
        "include/rocket.h",
        "@@ -7 +7 @@\n-void burn(const Fuel& f);\n+void burn(const Fuel& f, int n);",
        [("signature", "changed", "burn", "(const Fuel& f)", "(const Fuel& f, int n)")],
    ),
    "a C++ source": ("src/rocket.cpp", "@@ -7 +7 @@\n-void burn(int a) {\n+void burn(int b) {", []),
    "a private C++ header": (
        "include/detail/rocket.h",
        "@@ -7 +7 @@\n-void burn(int a);\n+void burn(int b);",
        [],
    ),
    "C++ that returns a call": (
        "include/rocket.h",
        "@@ -7 +7 @@\n-return burn(a);\n+return burn(b);",
        [],
    ),
}


@pytest.mark.parametrize(("path", "patch", "expected"), SIGNATURES.values(), ids=SIGNATURES)
def test_signatures_are_told_if_they_are_wanted(
    path: str, patch: str, expected: list[Told]
) -> None:
    assert told(path, patch) == expected
    assert told(path, patch, signatures=False) == []


DEPRECATIONS: dict[str, tuple[str, list[Told]]] = {
    "a method that warns on every call": (
        "@@ -102 +102,2 @@ class Engine:\n     def burn_all(self, x):\n"
        '+        warnings.warn("use Engine.burn", DeprecationWarning, stacklevel=2)',
        [("signature", "deprecated", "Engine.burn_all", "Engine.burn_all", "Engine.burn")],
    ),
    "a method that warns sometimes": (
        "@@ -102,2 +102,3 @@ class Engine:\n     def burn_all(self, x):\n         if x:\n"
        '+            warnings.warn("use y.z", DeprecationWarning)',
        [],
    ),
    "a function whose def nothing shows": (
        "@@ -102 +102,2 @@ def burn():\n     a()\n"
        '+    warnings.warn("use y.z", DeprecationWarning)',
        [],
    ),
    "a decorator": (
        "@@ -9,2 +9,3 @@ class Engine:\n"
        '+    @deprecated("Engine.old is deprecated, use `burn` instead")\n'
        "     def old(self):\n         go()",
        [("signature", "deprecated", "Engine.old", "Engine.old", "burn")],
    ),
    "a flag in a warning": (
        "@@ -9,1 +9,2 @@ def f(a):\n     if a.x:\n"
        '+        logger.warning("--old-x is deprecated, use --new-x instead.")',
        [("flag", "deprecated", "--old-x", "--old-x", "--new-x")],
    ),
    "a variable in a warning": (
        "@@ -9,1 +9,3 @@ def f(a):\n     if a.x:\n+        logger.warning_once(\n"
        '+            "ROCKET_OLD is deprecated and "\n+            "will go. Use ROCKET_NEW.")',
        [("env", "deprecated", "ROCKET_OLD", "ROCKET_OLD", "ROCKET_NEW")],
    ),
    "nothing to use instead": (
        '@@ -9 +9,2 @@ def f(a):\n     if a:\n+        logger.warning("--old-x is deprecated.")',
        [("flag", "deprecated", "--old-x", "--old-x", None)],
    ),
    "a message about something else": (
        "@@ -9 +9,2 @@ def burn(a):\n def burn(a):\n"
        '+    warnings.warn("numpy.bool is deprecated, use bool", DeprecationWarning)',
        [],
    ),
    "a message that was there in other words": (
        '@@ -9,2 +9,2 @@ def f(a):\n     if a:\n-        logger.warning("--old-x is deprecated")\n'
        '+        logger.warning("--old-x is deprecated!")',
        [],
    ),
    "a private function": (
        '@@ -9 +9,2 @@\n def _burn(a):\n+    warnings.warn("use y.z", DeprecationWarning)',
        [],
    ),
    "a comment": ("@@ -9 +9,2 @@\n def burn(a):\n+    # warnings.warn('deprecated')", []),
    "the same thing said twice": (
        '@@ -9 +9,3 @@ def f(a):\n     if a:\n+        logger.warning("--old-x is deprecated")\n'
        '+        logger.warning("--old-x is deprecated, use --new-x")',
        [("flag", "deprecated", "--old-x", "--old-x", "--new-x")],
    ),
}


@pytest.mark.parametrize(("patch", "expected"), DEPRECATIONS.values(), ids=DEPRECATIONS)
def test_deprecations_are_told_always(patch: str, expected: list[Told]) -> None:
    assert told(ENGINE, patch, signatures=False) == expected
