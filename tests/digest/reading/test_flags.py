"""Flags: only where a program declares them."""

import pytest

from tests.digest.reading.noted import Told, told

CLI = "rocket/cli.py"
CASES: dict[str, tuple[str, str, list[Told]]] = {
    "argparse, over several lines": (
        CLI,
        '@@ -3,0 +4,5 @@ def cli():\n+    p.add_argument(\n+        "--cache-size",\n'
        "+        type=int,\n"
        "+        default=8,\n+    )",
        [("flag", "added", "--cache-size", None, "8")],
    ),
    "a default that is a string stands without quotes": (
        CLI,
        '@@ -3,0 +4 @@\n+p.add_argument("-m", "--mode", default="fast")',
        [("flag", "added", "--mode", None, "fast")],
    ),
    "one changed line of a call that the context opens": (
        CLI,
        '@@ -3,4 +3,4 @@\n p.add_argument(\n     "--depth",\n-    default=1,\n+    default=2,\n )',
        [("default", "changed", "--depth", "1", "2")],
    ),
    "a call that opens above the hunk, with its name in it": (
        CLI,
        '@@ -3,4 +3,4 @@ def cli():\n     "--depth",\n     type=int,\n-    default=1,\n'
        "+    default=2,\n )",
        [("default", "changed", "--depth", "1", "2")],
    ),
    "a default whose flag the hunk does not show": (
        CLI,
        "@@ -3,3 +3,3 @@ def cli():\n     type=int,\n-    default=1,\n+    default=2,\n )",
        [],
    ),
    "the list of a subprocess": (
        CLI,
        '@@ -3,0 +4,4 @@\n+subprocess.run([\n+    "--depth",\n+    "4",\n+])',
        [],
    ),
    "a command list that begins above the hunk": (
        CLI,
        '@@ -3,0 +4,3 @@\n+    "--depth",\n+    "4",\n+    "--port",\n',
        [],
    ),
    "a flag named in a help text": (
        CLI,
        '@@ -3 +3 @@\n-p.add_argument("--a", help="x")\n+p.add_argument("--a", help="see --b")',
        [],
    ),
    "a comment": (CLI, '@@ -3,0 +4 @@\n+# p.add_argument("--a")', []),
    "a positional argument": (CLI, '@@ -3,0 +4 @@\n+p.add_argument("path")', []),
    "choices that grow": (
        CLI,
        '@@ -3,3 +3,6 @@\n p.add_argument("--mode",\n-    choices=["a"],\n+    choices=[\n'
        '+        "a",\n+        "b",\n+    ],\n )',
        [("flag", "changed", "--mode", '["a"]', '["a", "b"]')],
    ),
    "a default that a class field holds": (
        CLI,
        '@@ -3,0 +4 @@ class RunArgs:\n+    engine: str = "steam"\n'
        "@@ -30,0 +31,4 @@ class RunArgs:\n"
        '+        p.add_argument(\n+            "--engine",\n'
        "+            default=RunArgs.engine,\n+        )",
        [("flag", "added", "--engine", None, "steam")],
    ),
    "a default that a class elsewhere holds": (
        CLI,
        '@@ -3,0 +4 @@\n+p.add_argument("--engine", default=RunArgs.engine)',
        [("flag", "added", "--engine", None, None)],
    ),
    "a flag that becomes deprecated": (
        CLI,
        '@@ -3 +3 @@\n-p.add_argument("--old", help="x")\n'
        '+p.add_argument("--old", help="Deprecated. Use --new instead.")',
        [("flag", "deprecated", "--old", "--old", "--new")],
    ),
    "a flag on two subcommands": (
        CLI,
        '@@ -3,1 +3,2 @@\n a.add_argument("--port")\n+b.add_argument("--port")',
        [],
    ),
    "click": (
        CLI,
        '@@ -3 +3 @@\n-@click.option("--level", "-l", default=1)\n'
        '+@click.option("--level", "-l", default=2)',
        [("default", "changed", "--level", "1", "2")],
    ),
    "typer with a name": (
        CLI,
        '@@ -3,0 +4 @@\n+    kind: str = typer.Option("auto", "--kind", help="x"),',
        [("flag", "added", "--kind", None, "auto")],
    ),
    "typer without a name": (
        CLI,
        "@@ -3,0 +4 @@\n+    batch_size: int = typer.Option(4),",
        [("flag", "added", "--batch-size", None, "4")],
    ),
    "typer required": (
        CLI,
        '@@ -3,0 +4 @@\n+    kind: str = typer.Option(..., "--kind"),',
        [("flag", "added", "--kind", None, None)],
    ),
    "typer annotated": (
        CLI,
        '@@ -3,0 +4 @@\n+    kind: Annotated[str, typer.Option("--kind")] = "auto",',
        [("flag", "added", "--kind", None, "auto")],
    ),
    "typer on and off": (
        CLI,
        '@@ -3,0 +4 @@\n+    dry: bool = typer.Option(False, "--dry/--no-dry"),',
        [("flag", "added", "--dry", None, "False")],
    ),
    "an Option of something else": (CLI, "@@ -3,0 +4 @@\n+x = Option(1, foo=typer.Option(2))", []),
    "absl": (
        CLI,
        '@@ -3 +3 @@\n-flags.DEFINE_integer("rounds", 3, "x")\n'
        '+flags.DEFINE_integer("rounds", 5, "x")',
        [("default", "changed", "--rounds", "3", "5")],
    ),
    "gflags": (
        "rocket/main.cc",
        '@@ -3,0 +4 @@\n+DEFINE_int32(rounds, 3, "how many");',
        [("flag", "added", "--rounds", None, "3")],
    ),
    "a macro that is no flag": ("rocket/main.cc", "@@ -3,0 +4 @@\n+DEFINE_KERNEL(rounds, 3);", []),
    "cxxopts": (
        "rocket/main.cpp",
        '@@ -3,0 +4 @@\n+    ("r,rounds", "how many", cxxopts::value<int>()->default_value("3"))',
        [("flag", "added", "--rounds", None, "3")],
    ),
    "CLI11": (
        "rocket/main.cpp",
        '@@ -3 +3,0 @@\n-  app.add_option("-r,--rounds", rounds, "how many");',
        [("flag", "removed", "--rounds", "--rounds", None)],
    ),
    "clap": (
        "src/main.rs",
        "@@ -3,0 +4,2 @@\n+    #[arg(long, default_value_t = 3)]\n+    max_rounds: u32,",
        [("flag", "added", "--max-rounds", None, "3")],
    ),
    "clap with a name of its own": (
        "src/main.rs",
        '@@ -3,0 +4,2 @@\n+    #[arg(short, long = "rounds", default_value = "3")]\n'
        "+    pub n: u32,",
        [("flag", "added", "--rounds", None, "3")],
    ),
    "clap without a long name": (
        "src/main.rs",
        "@@ -3,0 +4,2 @@\n+    #[arg(short)]\n+    n: u32,",
        [],
    ),
}


@pytest.mark.parametrize(("path", "patch", "expected"), CASES.values(), ids=CASES)
def test_flags_are_told_where_they_are_declared(
    path: str, patch: str, expected: list[Told]
) -> None:
    assert told(path, patch) == expected
