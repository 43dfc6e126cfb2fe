"""What is told where whole files could not be had."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.models import FileChange
from digest.reading.interfaces.facts import functions_touched, interface_facts
from tests.digest.reading.interfaces.changed import (
    AFTER,
    BEFORE,
    Told,
    at,
    check_evidence,
    facts_between,
    item_of,
    told,
)

ENVS = "rocket/envs.py"
ARGS = "rocket/cli/serve_args.py"
NEEDS = "requirements.txt"
FRONT = "rocket/__init__.py"
PUMP = "rocket/core/pump.py"

_FILLER = "".join(f"    # line {number}\n" for number in range(12))


def _envs(value: int) -> str:
    return f"class Envs:\n    ROCKET_HULL = EnvInt(0)\n{_FILLER}    ROCKET_A = EnvInt({value})\n"


def _args(lines: str) -> str:
    return f"def build(parser):\n{_FILLER}{lines}    return parser\n"


def _run(default: str) -> str:
    parts = "".join(f"    part_{number}: int,\n" for number in range(9))
    return f"def run(\n{parts}    n: int = {default},\n):\n    go()\n"


CASES: dict[str, tuple[str, str, str, list[Told]]] = {
    "a variable of a table": (ENVS, _envs(1), _envs(2), [("env", "default", "ROCKET_A", "1", "2")]),
    "a new flag": (
        ARGS,
        _args(""),
        _args("    parser.add_argument(\n        '--fuel',\n        default=3,\n    )\n"),
        [("flag", "added", "--fuel", None, "3")],
    ),
    "a requirement": (
        NEEDS,
        "hull>=1\n" + "".join(f"part{number}\n" for number in range(9)),
        "hull>=2\n" + "".join(f"part{number}\n" for number in range(9)),
        [("dependency", "raised", "hull", ">=1", ">=2")],
    ),
    "a flag that moves within its file": (
        ARGS,
        _args("") + "\n\ndef more(parser):\n    parser.add_argument('--fuel')\n",
        _args("    parser.add_argument('--fuel')\n") + "\n\ndef more(parser):\n    pass\n",
        [],
    ),
    "a statement that a hunk cuts": (
        ARGS,
        _args(
            "    parser.add_argument(\n        '--fuel',\n" + "        #\n" * 9 + "        a=1)\n"
        ),
        _args(
            "    parser.add_argument(\n        '--fuel',\n" + "        #\n" * 9 + "        a=2)\n"
        ),
        [],
    ),
    "a bound in a list that git's head names": (
        "pyproject.toml",
        "[project]\nname = 'rocket'\ndependencies = [\n" + '  "part",\n' * 9 + '  "hull>=1",\n]\n',
        "[project]\nname = 'rocket'\ndependencies = [\n" + '  "part",\n' * 9 + '  "hull>=2",\n]\n',
        [("dependency", "raised", "hull", ">=1", ">=2")],
    ),
    "a setting under a parent that git's head names": (
        "config/default.yaml",
        "tank:\n" + "  # more\n" * 9 + "  level: 0.90\n",
        "tank:\n" + "  # more\n" * 9 + "  level: 0.85\n",
        [("config_field", "default", "tank.level", "0.90", "0.85")],
    ),
    "a setting whose parents nothing shows": (
        "config/default.yaml",
        "tank:\n  deep:\n" + "    # more\n" * 9 + "    level: 0.90\n",
        "tank:\n  deep:\n" + "    # more\n" * 9 + "    level: 0.85\n",
        [],
    ),
    "a parameter that is a flag": (
        "rocket/cli/run.py",
        "def run(\n"
        + "    part: int,\n" * 9
        + "    n: int = typer.Option(1, '--n'),\n):\n    go()\n",
        "def run(\n"
        + "    part: int,\n" * 9
        + "    n: int = typer.Option(2, '--n'),\n):\n    go()\n",
        [("flag", "default", "--n", "1", "2")],
    ),
    "a public name": (FRONT, "from .core import a, b\n", "from .core import a\n", []),
    "a variable that is only read": (PUMP, "a = 1\n", "a = os.getenv('ROCKET_PUMP')\n", []),
}


def _head(path: str) -> str:
    """What git writes behind the place of a hunk: the last line at the margin above it."""
    heads = {
        ENVS: "class Envs:",
        "pyproject.toml": "dependencies = [",
        "config/default.yaml": "tank:",
        "rocket/cli/run.py": "def run(",
    }
    return heads.get(path, "")


@pytest.mark.parametrize("case", CASES)
def test_what_hunks_show_is_told_and_inferred_where_it_came_or_went(case: str) -> None:
    path, before, after, expected = CASES[case]
    item = item_of({path: before}, {path: after})
    (file,) = item.files or ()
    patch = re.sub(r"@@$", f"@@ {_head(path)}", file.patch or "", flags=re.M)
    facts = interface_facts([replace(item, files=(replace(file, patch=patch),))], {})
    assert told(facts) == expected
    gone_or_come = {"added", "removed"}
    assert all(fact.inferred == (fact.change in gone_or_come) for fact in facts)
    check_evidence(facts, {path: before}, {path: after})


PATHS = (ENVS, ARGS, NEEDS, "pyproject.toml", "setup.py", "include/a.h", "rocket/a.cu", *(
    f"config/a.{ending}" for ending in ("yaml", "toml", "json", "ini")
))  # fmt: skip
PIECES = (
    "@@ -1,2 +3 @@ class A:", "p.add_argument(", '"--x"', ",", ")", "(", "[", "]", "default=1", '"',
    "'", '"""', "os.getenv(", '"A_B"', "class AConfig:", "    x: int = 1", "    def f(self):", "+",
    "-", " ", "\n", "\n+", "\n-", "\n ", "warnings.warn(", "is deprecated", "#", "a: 1", "  b:",
    "[project]", "torch>=1", "\\", "{", "}", "\x00", "\u202e", "\f", "typer.Option(", "void f(",
)  # fmt: skip


@given(
    st.sampled_from(PATHS),
    st.sampled_from(["removed", "renamed", "added", "modified", "?"]),
    st.lists(st.sampled_from(PIECES) | st.text(max_size=5)),
)
def test_no_patch_makes_it_fail(path: str, status: str, pieces: list[str]) -> None:
    file = FileChange(path, status, 1, 1, "@@ -1 +1 @@\n+" + "".join(pieces), path)
    item = replace(item_of({}, {}), files=(file,))

    assert all(fact.name and fact.item == item.key for fact in interface_facts([item], {}))
    functions_touched(file)


HOSTILE = (
    "p.add_argument(", '"', "class A:\n+", "((((", "a\t", "x: int = Field(", "typer.Option(",
    "a:\n+ ", '"a": {\n+', "torch>=1;", '"torch>=1", ', "void f(", "std::vector<", "int a(b, ",
    "[a]\n+", "a = 1\n+", "@x\n+", "if a:\n+ ",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patches_are_read(unit: str) -> None:
    patch = "@@ -1 +1 @@\n+" + unit * (3_000 // len(unit))
    for path in PATHS:
        file = FileChange(path, "modified", 1, 1, patch)
        item = replace(item_of({}, {}), files=(file,))
        assert all(fact.item == item.key for fact in interface_facts([item], {}))
        functions_touched(file)


@pytest.mark.parametrize("title", ["Engine.fill takes its options by keyword", "Tidy"])
def test_of_public_names_hunks_tell_what_the_title_names(title: str) -> None:
    head = "class Engine:"
    before = f"{head}\n    def fill(self, tank, speed=1):\n        return 1\n"
    after = f"{head}\n    def fill(self, tank, *, speed=1):\n        return 1\n"
    item = item_of({PUMP: before}, {PUMP: after}, title=title)
    found = [(one.change.value, one.name) for one in interface_facts([item], {})]
    named = [("changed", "Engine.fill(speed)")]
    assert found == (named if title.startswith("Engine") else [])


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("rocket/args.py", "MAX = 1\n", "print 'two'\nMAX = 2\n"),
        ("rocket/args.py", "print 'two'\nMAX = 1\n", "MAX = 2\n"),
        ("rocket/args.py", "MAX = 1\n", "<<<<<<< one\nMAX = 1\n=======\nMAX = 2\n>>>>>>> two\n"),
        (
            "pyproject.toml",
            '[project]\nname = "rocket"\n[project.optional-dependencies]\ngpu = ["triton>=2"]\n',
            '[project\nname = "rocket"\n[project.optional-dependencies]\ngpu = ["triton>=2"]\n',
        ),
        ("rocket/args.py", "MAX = 1\n", "MAX = 2\n" + "# more\n" * 150_000),
        ("requirements.txt", "torch==2.0\n", "torch==2.1\n" + "# more\n" * 30_000),
    ],
    ids=["after", "before", "conflict", "toml", "long", "long list"],
)
def test_what_does_not_parse_or_is_too_long_differs_in_nothing_and_is_named(
    path: str, before: str, after: str
) -> None:
    item = item_of({path: before}, {path: after})
    contents = {at(BEFORE, path): before, at(AFTER, path): after}
    unread: list[str] = []
    assert interface_facts([item], contents, unread=unread.append) == ()
    assert unread == [path]


def test_a_mark_at_the_beginning_of_a_file_hides_nothing_of_it() -> None:
    mark = "\N{ZERO WIDTH NO-BREAK SPACE}"
    two, four = (
        mark + _args(f"    parser.add_argument('--n', default={number})\n") for number in (2, 4)
    )
    assert told(facts_between({ARGS: two}, {ARGS: four})) == [("flag", "default", "--n", "2", "4")]
