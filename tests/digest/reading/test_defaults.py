"""Settings: keys of configuration files and fields of configuration classes."""

import pytest

from tests.digest.reading.noted import Told, told

YAML = "config/default.yaml"
TOML = "config/server.toml"
JSON = "config/settings.json"
CLASSES = "rocket/config.py"
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "a nested value": (
        YAML,
        "@@ -6,2 +6,2 @@\n tank:\n-  level: 0.90\n+  level: 0.85",
        [("default", "changed", "tank.level", "0.90", "0.85")],
    ),
    "a parent that only the section shows": (
        YAML,
        "@@ -6,2 +6,2 @@ tank:\n   a: 1\n-  level: 0.90 # old\n+  level: 0.85 # new",
        [("default", "changed", "tank.level", "0.90", "0.85")],
    ),
    "a parent that nothing shows": (YAML, "@@ -6,2 +6,2 @@\n-  level: 0.90\n+  level: 0.85", []),
    "a value at the top": (
        YAML,
        "@@ -6 +6 @@\n-level: 'a'\n+level: 'b'",
        [("default", "changed", "level", "a", "b")],
    ),
    "a new key": (
        YAML,
        "@@ -6 +6,2 @@\n tank:\n+  level: 3",
        [("config", "added", "tank.level", None, "3")],
    ),
    "a key that goes": (
        YAML,
        "@@ -6,2 +6 @@\n tank:\n-  level: 3",
        [("config", "removed", "tank.level", "tank.level", None)],
    ),
    "a remark": (YAML, "@@ -6 +6 @@\n-# level: 1\n+# level: 2", []),
    "the items of a list": (
        YAML,
        "@@ -6,2 +6,2 @@\n tanks:\n- - name: a\n+ - name: b\n+   size: 3",
        [],
    ),
    "a value whose two keys have the same last word": (
        YAML,
        "@@ -6,4 +6,4 @@\n a:\n   x: 1\n b:\n-  x: 2\n+  x: 3",
        [("default", "changed", "b.x", "2", "3")],
    ),
    "a table of TOML": (
        TOML,
        '@@ -6,2 +6,2 @@\n [tank]\n-level = "a"\n+level = "b"',
        [("default", "changed", "tank.level", "a", "b")],
    ),
    "a table of TOML that nothing shows": (TOML, "@@ -6 +6 @@\n-level = 1\n+level = 2", []),
    "TOML before any table": (
        TOML,
        "@@ -1 +1 @@\n-level = 1\n+level = 2",
        [("default", "changed", "level", "1", "2")],
    ),
    "JSON from its first line": (
        JSON,
        '@@ -1,4 +1,4 @@\n {\n   "tank": {\n-    "level": 1,\n+    "level": 2,\n     "x": 1',
        [("default", "changed", "tank.level", "1", "2")],
    ),
    "JSON whose parents nothing shows": (
        JSON,
        '@@ -9 +9 @@\n-    "level": 1,\n+    "level": 2,',
        [],
    ),
    "YAML that is no configuration": ("rocket/data.yaml", "@@ -1 +1 @@\n-level: 1\n+level: 2", []),
    "a hidden file": (".config/a.yaml", "@@ -1 +1 @@\n-level: 1\n+level: 2", []),
    "a lock": ("config/deps-lock.yaml", "@@ -1 +1 @@\n-level: 1\n+level: 2", []),
    "tuned data": (
        "configs/E=8,N=14.json",
        '@@ -1,2 +1,2 @@\n {\n-  "BLOCK": 1\n+  "BLOCK": 2',
        [],
    ),
    "a field of a configuration class": (
        CLASSES,
        "@@ -9,2 +9,2 @@ class TankConfig:\n-    level: int = 1\n+    level: int = 2  # more",
        [("default", "changed", "TankConfig.level", "1", "2")],
    ),
    "a field with a constructor": (
        CLASSES,
        "@@ -9 +9 @@ class TankConfig:\n-    level: int | None = Field(default=None, ge=0)\n"
        "+    level: int = Field(default=2, ge=0)",
        [("default", "changed", "TankConfig.level", "None", "2")],
    ),
    "a field that only gets a constructor": (
        CLASSES,
        "@@ -9 +9 @@ class TankConfig:\n-    level: int = 2\n+    level: int = field(default=2)",
        [],
    ),
    "a field that comes": (CLASSES, "@@ -9,0 +9 @@ class TankConfig:\n+    level: int = 2", []),
    "a private class": (
        CLASSES,
        "@@ -9 +9 @@ class _TankConfig:\n-    level: int = 1\n+    level: int = 2",
        [],
    ),
    "a class that is none of configuration": (
        CLASSES,
        "@@ -9 +9 @@ class Tank:\n-    level: int = 1\n+    level: int = 2",
        [],
    ),
    "a class that nothing shows": (
        CLASSES,
        "@@ -9 +9 @@\n-    level: int = 1\n+    level: int = 2",
        [],
    ),
    "a local of a method": (
        CLASSES,
        "@@ -9,2 +9,2 @@ class TankConfig:\n     def f(self):\n-        level: int = 1\n"
        "+        level: int = 2",
        [],
    ),
    "a parameter": (
        CLASSES,
        "@@ -9 +9 @@ class TankConfig:\n-    level: int = 1,\n+    level: int = 2,",
        [],
    ),
    "a value that is worked out": (
        CLASSES,
        "@@ -9 +9 @@ class TankConfig:\n-    level: int = one()\n+    level: int = two()",
        [],
    ),
    "a class after another one": (
        CLASSES,
        "@@ -9,5 +9,5 @@ class TankConfig:\n     a: int = 1\n \n class EngineArgs:\n"
        "-    level: str = 'x'\n+    level: str = 'y'",
        [("default", "changed", "EngineArgs.level", "x", "y")],
    ),
}


@pytest.mark.parametrize(("path", "patch", "expected"), CASES.values(), ids=CASES)
def test_settings_are_told_under_their_full_names(
    path: str, patch: str, expected: list[Told]
) -> None:
    assert told(path, patch) == expected
