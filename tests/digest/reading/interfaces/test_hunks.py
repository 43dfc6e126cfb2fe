"""What is told where whole files could not be had."""

import re
from dataclasses import replace

import pytest

from digest.reading.interfaces.facts import interface_facts
from tests.digest.reading.interfaces.changed import Told, check_evidence, item_of, told

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
    "a public name": (FRONT, "from .core import a, b\n", "from .core import a\n", []),
    "a variable that is only read": (PUMP, "a = 1\n", "a = os.getenv('ROCKET_PUMP')\n", []),
}


@pytest.mark.parametrize("case", CASES)
def test_what_hunks_show_is_told_as_inferred(case: str) -> None:
    path, before, after, expected = CASES[case]
    item = item_of({path: before}, {path: after})
    (file,) = item.files or ()
    # Git names the class that a hunk stands in behind its place.
    patch = re.sub(r"@@$", "@@ class Envs:" if path == ENVS else "@@", file.patch or "", flags=re.M)
    facts = interface_facts([replace(item, files=(replace(file, patch=patch),))], {})
    assert told(facts) == expected
    assert all(fact.inferred for fact in facts)
    check_evidence(facts, {path: before}, {path: after})
