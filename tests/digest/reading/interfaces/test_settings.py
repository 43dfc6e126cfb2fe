"""Flags, variables, fields, choices and their defaults, wherever they live."""

import pytest

from digest.reading.interfaces.definition import snake_case
from tests.digest.reading.interfaces.changed import Told, facts_between, told

ARGS = "rocket/cli/serve_args.py"
CONFIG = "rocket/config/engine.py"
ENVS = "rocket/envs.py"
OTHER = "rocket/core/pump.py"
SAMPLING = "rocket/sampling_params.py"
PROTOCOL = "rocket/server/protocol.py"


def _parser(*lines: str) -> str:
    body = "\n".join(f"    parser.add_argument({line})" for line in lines)
    return f"def build(parser):\n    parser.description = 'x'\n{body}\n    return parser\n"


def _record(*fields: str, name: str = "EngineConfig", head: str = "@dataclass") -> str:
    body = "\n".join(f"    {field}" for field in fields)
    return f"from dataclasses import dataclass\n\n\n{head}\nclass {name}:\n    {body.strip()}\n"


def _table(*rows: str) -> str:
    body = "\n".join(f"    {row}" for row in rows)
    return f"import os\n\nvariables = {{\n{body}\n}}\n"


def _late(field: str, value: str) -> str:
    return (
        f"\n    def check_{field}(self):\n        if self.{field} is None:\n"
        f"            self.{field} = {value}\n"
    )


FAR = tuple(f'"--part-{at}"' for at in range(9))
"""Flags between two that are changed, so that these stand in two hunks."""

SERVED = "rocket.server.protocol"

CASES: dict[str, tuple[dict[str, str], dict[str, str], list[Told]]] = {
    "a new flag": (
        {ARGS: _parser("'--fuel'")},
        {ARGS: _parser("'--fuel'", '"--max-thrust", type=int, default=7')},
        [("flag", "added", "--max-thrust", None, "7")],
    ),
    "a flag that goes": (
        {ARGS: _parser('"--fuel"', '"--max-thrust", type=int, default=7')},
        {ARGS: _parser('"--fuel"')},
        [("flag", "removed", "--max-thrust", "7", None)],
    ),
    "a field that goes to the class above": (
        {
            PROTOCOL: "class Basic(BaseModel):\n    a: int = 1\n\n\n"
            "class FuelRequest(Basic, Other):\n    salt: str | None = None\n    b: int = 2\n"
        },
        {
            PROTOCOL: "class Basic(BaseModel):\n    a: int = 1\n    salt: str | None = None\n\n\n"
            "class FuelRequest(Basic, Other):\n    b: int = 2\n"
        },
        [],
    ),
    "another default": (
        {ARGS: _parser('"--max-thrust", type=int, default=7')},
        {ARGS: _parser('"--max-thrust", type=int, default=9')},
        [("flag", "default", "--max-thrust", "7", "9")],
    ),
    "a flag that is renamed": (
        {ARGS: _parser('"--max-thrust", type=int, default=7')},
        {ARGS: _parser('"--max-total-thrust", type=int, default=7')},
        [("flag", "renamed", "--max-thrust", "--max-thrust", "--max-total-thrust")],
    ),
    "an alias is no rename": (
        {ARGS: _parser('"--fuel", type=int')},
        {ARGS: _parser('"--fuel", "--propellant", type=int')},
        [("flag", "added", "--propellant", None, None)],
    ),
    "a flag that is deprecated": (
        {ARGS: _parser('"--fuel", help="How much"')},
        {ARGS: _parser('"--fuel", deprecated=True, help="How much"')},
        [("flag", "deprecated", "--fuel", None, None)],
    ),
    "a flag that a message calls deprecated": (
        {ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n    pass\n"},
        {
            ARGS: _parser('"--fuel"')
            + "\n\ndef check(args):\n    logger.warning('--fuel is deprecated, use --tank')\n"
        },
        [("flag", "deprecated", "--fuel", None, "--tank")],
    ),
    "a flag that turns off what another one turned on": (
        {ARGS: _parser('"--enable-pump-graph", action="store_true"')},
        {ARGS: _parser('"--disable-pump-graph", action="store_true"')},
        [
            ("flag", "removed", "--enable-pump-graph", "False", None),
            ("flag", "added", "--disable-pump-graph", None, "False"),
        ],
    ),
    "a flag of the same words and default far from one that went": (
        {ARGS: _parser('"--pump-size", type=int, default=0', *FAR)},
        {ARGS: _parser(*FAR, '"--pump-sizes", type=int, default=0')},
        [
            ("flag", "removed", "--pump-size", "0", None),
            ("flag", "added", "--pump-sizes", None, "0"),
        ],
    ),
    "choices of a flag": (
        {ARGS: _parser('"--mode", choices=["slow", "fast"]')},
        {ARGS: _parser('"--mode", choices=["fast", "warp"]')},
        [
            ("choice", "removed", "--mode", "slow", None),
            ("choice", "added", "--mode", None, "warp"),
        ],
    ),
    "choices that a constant holds": (
        {ARGS: 'MODES = ["slow"]\n' + _parser('"--mode", choices=MODES')},
        {ARGS: 'MODES = ["slow", "warp"]\n' + _parser('"--mode", choices=MODES')},
        [("choice", "added", "--mode", None, "warp")],
    ),
    "parameters that users make": (
        {SAMPLING: _record("n: int = 1", name="SamplingParams")},
        {SAMPLING: _record("n: int = 1", "seed: int = 0", name="SamplingParams")},
        [("config_field", "added", "SamplingParams.seed", None, "0")],
    ),
    "a new field that the program has to fill": (
        {CONFIG: _record("level: float = 0.9")},
        {CONFIG: _record("is_wide: bool", "level: float = 0.9")},
        [],
    ),
    "members of a Literal": (
        {CONFIG: 'Mode = Literal["slow"]\n' + _record('mode: Mode = "slow"')},
        {CONFIG: 'Mode = Literal["slow", "warp"]\n' + _record('mode: Mode = "slow"')},
        [("choice", "added", "engine_config.mode", None, "warp")],
    ),
    "a field that moves to a base class": (
        {CONFIG: _record("level: int = 1", "fuel: int = 2")},
        {CONFIG: _record("fuel: int = 2", name="BaseConfig") + _record("level: int = 1")},
        [],
    ),
    "a flag and the field behind it": (
        {CONFIG: _record("level: int = 1"), ARGS: _parser('"--level"')},
        {
            CONFIG: _record("level: int = 1", "max_thrust: int = 7"),
            ARGS: _parser('"--level"', '"--max-thrust", default=EngineConfig.max_thrust'),
        },
        [("flag", "added", "--max-thrust", None, "7")],
    ),
    "a field that says now that it is no flag": (
        {ARGS: _record("tank: str = 'big'", "hull: int = 1", name="ServeArgs")},
        {
            ARGS: _record(
                "tank: A[str, Arg(no_cli=True)] = 'big'",
                "hull: int = 1",
                "fin: A[str, Arg(no_cli=True)] = 'big'",
                name="ServeArgs",
            )
        },
        [("config_field", "added", "ServeArgs.fin", None, "'big'")],
    ),
    "a variable of a table": (
        {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "1"),')},
        {
            ENVS: _table(
                '"ROCKET_A": lambda: os.getenv("ROCKET_A", "0"),',
                '"ROCKET_B": lambda: int(os.environ.get("ROCKET_B", "5")),',
            )
        },
        [
            ("env", "default", "ROCKET_A", "1", "0"),
            ("env", "added", "ROCKET_B", None, "5"),
        ],
    ),
    "a variable that is read within the code": (
        {OTHER: "def pump():\n    return 1\n"},
        {OTHER: "def pump():\n    return os.environ.get('ROCKET_PUMP', '2')\n"},
        [("env", "added", "ROCKET_PUMP", None, "2")],
    ),
    "what a dict of defaults gives": (
        {CONFIG: "LEVEL_2 = {'hull': {'seal': False, 'paint': 1}}\nlevel = {'seal': 1}\n"},
        {CONFIG: "LEVEL_2 = {'hull': {'seal': if_deep, 'paint': 1}}\nlevel = {'seal': 2}\n"},
        [("config_field", "default", "LEVEL_2.hull.seal", "False", "if_deep")],
    ),
    "a field of a request": (
        {PROTOCOL: _record("n: int = 1", name="LaunchRequest", head="@dataclass")},
        {PROTOCOL: _record("n: int = 1", "crew: int | None = None", name="LaunchRequest")},
        [("request_field", "added", "LaunchRequest.crew", None, "None")],
    ),
    "a field of a request that goes with its class": (
        {
            PROTOCOL: _record("n: int = 1", "crew: int = 2", name="LaunchRequest")
            + _record("n: int = 1", name="Launch")
        },
        {PROTOCOL: _record("n: int = 1", name="Launch")},
        [
            ("request_field", "removed", "LaunchRequest.n", "1", None),
            ("request_field", "removed", "LaunchRequest.crew", "2", None),
            ("api_name", "removed", f"{SERVED}.LaunchRequest", f"{SERVED}.LaunchRequest", None),
        ],
    ),
    "statements of a file that does not parse as a whole": (
        {ARGS: _parser('"--fuel"')},
        {ARGS: "print 'old'\n" + _parser('"--fuel"', '"--tank"')},
        [("flag", "added", "--tank", None, None)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case: str) -> None:
    before, after, expected = CASES[case]
    assert told(facts_between(before, after)) == expected


def test_what_hits_somebody_who_does_nothing() -> None:
    before = {ARGS: _parser('"--fuel", default=1', '"--hull", choices=["a", "b"]', '"--old-way"')}
    after = {ARGS: _parser('"--fuel", default=2', '"--hull", choices=["a", "c"]', '"--seats"')}
    acts = {(fact.change.value, fact.name): fact.must_act for fact in facts_between(before, after)}
    assert acts == {
        ("default", "--fuel"): True,
        ("removed", "--hull"): True,
        ("added", "--hull"): False,
        ("removed", "--old-way"): True,
        ("added", "--seats"): False,
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("KVCacheConfig", "kv_cache_config"),
        ("LoRAConfig", "lora_config"),
        ("FusedMoEConfig", "fused_moe_config"),
        ("CompilationConfig", "compilation_config"),
        ("Simple", "simple"),
    ],
)
def test_settings_are_called_by_their_class(name: str, expected: str) -> None:
    assert snake_case(name) == expected


def test_values_of_an_argument_are_told_where_the_function_is_public() -> None:
    front = {"rocket/__init__.py": "from .core import fill\n", "rocket/core.py": ""}
    source = "def fill(\n    mode: Literal['slow'] = 'slow',\n): ...\n"
    before = front | {"rocket/core.py": source}
    after = front | {"rocket/core.py": source.replace("['slow']", "['slow', 'warp']")}
    assert told(facts_between(before, after)) == [("choice", "added", "fill(mode)", None, "warp")]
    within = "def _fill(\n    mode: Literal['slow'] = 'slow',\n): ...\n"
    before = front | {"rocket/core.py": within}
    after = front | {"rocket/core.py": within.replace("['slow']", "['slow', 'warp']")}
    assert facts_between(before, after) == ()


@pytest.mark.parametrize("title", ["Rename --pump-size to --pump-sizes", "Change"])
def test_a_flag_in_another_place_is_renamed_where_the_title_says_so(title: str) -> None:
    before = {ARGS: _parser('"--pump-size", type=int, default=0', *FAR)}
    after = {ARGS: _parser(*FAR, '"--pump-sizes", type=int, default=0')}
    facts = facts_between(before, after, title=title)
    changes = [(fact.change.value, fact.after, fact.inferred) for fact in facts]
    is_said = title.startswith("Rename")
    assert changes == ([("renamed", "--pump-sizes", False)] if is_said else [
        ("removed", None, False), ("added", "0", False),
    ])  # fmt: skip
