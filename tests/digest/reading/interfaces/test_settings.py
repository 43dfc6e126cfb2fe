"""Flags, variables, fields, choices and their defaults, wherever they live."""

import json
from typing import Any

import pytest

from digest.facts import Subject
from digest.reading.interfaces.changes import _ALL_OF, _put_together
from digest.reading.interfaces.definition import snake_case
from digest.reading.interfaces.place import _names_module
from digest.reading.interfaces.python import _RECORD, _is_called_internal
from tests.digest.reading.interfaces.changed import Told, facts_between, told

ARGS = "rocket/cli/serve_args.py"
CONFIG = "rocket/config/engine.py"
ENVS = "rocket/envs.py"
OTHER = "rocket/core/pump.py"
FACTORY = "rocket/drive/factory.py"
SAMPLING = "rocket/sampling_params.py"
PROTOCOL = "rocket/server/protocol.py"


def _parser(*lines: str) -> str:
    body = "\n".join(f"    parser.add_argument({line})" for line in lines)
    return f"def build(parser):\n    parser.description = 'x'\n{body}\n    return parser\n"


def _record(*fields: str, name: str = "EngineConfig", head: str = "@dataclass") -> str:
    body = "\n".join(f"    {field}" for field in fields)
    return f"from dataclasses import dataclass\n\n\n{head}\nclass {name}:\n    {body.strip()}\n"


_REGISTERED = 'DriveFactory.register_drive("IonDrive", "rocket.ion", "IonDrive")\n'
_FRONT = {
    "rocket/__init__.py": "from rocket.core import Drive\n",
    "rocket/core/__init__.py": "from .pump import Drive\n",
}


def _enum(name: str, *members: str) -> str:
    body = "".join(f"    {member}\n" for member in members)
    return f"class {name}(IntEnum):\n{body}\n\n"


_ARGS = "from rocket.cli.serve_args import ServerArgs\n"
_BURN = "class BurnRequest(BaseModel):\n    burn: BurnConfig | None = None\n\n\n"
_RUN = (
    "if __name__ == '__main__':\n    p = argparse.ArgumentParser()\n"
    "    p.add_argument('--host')\n{}    run(p)\n"
)
_ASKED = 'int(os.environ["ROCKET_A"]) if "ROCKET_A" in os.environ'


_KIND = '@click.option(\n    "--kind",\n    type=click.Choice(["any", {}]),\n)'


def _commands(*options: str) -> str:
    return "import click\n\n\n@click.command()\n" + "\n".join(options) + "\ndef main(**all): ...\n"


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
_CREW = "    Crew,  # one of the crew\n" * 40
_COMMENTED = f"class BurnRequest(\n{_CREW}    BaseModel,\n    kind(1)\n):\n    m: int = 1\n"


_WIDE = "".join(
    f"\n{one} = Literal[{', '.join([other] * 100)}]"
    for one, other in ("AB", "BC", "CD", ("D", "'x'"))
)
CASES: dict[str, tuple[dict[str, str], dict[str, str], list[Told]]] = {
    "a setting beside which two came, the nearer one of another type": (
        {CONFIG: _record("burn_rate: float | None = None")},
        {
            CONFIG: _record(
                "burn_rates: list[float] | None = None", "burn_length: float | None = None"
            )
        },
        [
            ("config_field", "removed", "engine_config.burn_rate", "None", None),
            ("config_field", "added", "engine_config.burn_rates", None, "None"),
            ("config_field", "added", "engine_config.burn_length", None, "None"),
        ],
    ),
    "choices of which some stand under a name of their own now": (
        {
            CONFIG: 'Fuel = Literal["oil", "gas", "ions"]\n'
            + _record('fuel: Fuel = "oil"', head="@dataclass")
        },
        {
            CONFIG: 'Light = Literal[\n    "gas",\n    "ions",\n]\n'
            'Fuel = Literal["oil", Light, "sun"]\n'
            + _record('fuel: Fuel = "oil"', head="@dataclass")
        },
        [("choice", "added", "engine_config.fuel", None, "sun")],
    ),
    "a choice beside names of which each holds a hundred of the next": (
        {CONFIG: _record('fuel: Literal["oil", A] = "oil"') + _WIDE},
        {CONFIG: _record('fuel: Literal["oil", "sun", A] = "oil"') + _WIDE},
        [("choice", "added", "engine_config.fuel", None, "sun")],
    ),
    "a choice that is named with a bracket in a comment stops nothing else": (
        {CONFIG: 'Light = Literal[\n    "gas",  # as in [1]\n]\n' + _record("deep: int = 1")},
        {
            CONFIG: 'Light = Literal[\n    "gas",  # as in [1]\n]\n'
            + _record("deep: int = 2", "fuel: Literal['oil', Light] = 'oil'")
        },
        [
            ("config_field", "default", "engine_config.deep", "1", "2"),
            ("config_field", "added", "engine_config.fuel", None, "'oil'"),
        ],
    ),
    "choices of which some stand in another file now": (
        {CONFIG: _record('fuel: Literal["oil", "gas"] = "oil"')},
        {CONFIG: _record('fuel: Literal["oil", Light] = "oil"')},
        [],
    ),
    "a field of a class that an answer holds": (
        {
            PROTOCOL: "class Part(BaseModel):\n    text: str\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part] | None = None\n"
        },
        {
            PROTOCOL: "class Part(BaseModel):\n    text: str\n    heat: int | None = None\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part] | None = None\n"
        },
        [("response_field", "added", "Part.heat", None, "None")],
    ),
    "a field of a class that a request holds and that is called after answers": (
        {
            PROTOCOL: "class ResponseTool(BaseModel):\n    name: str\n\n\n"
            "class BurnRequest(BaseModel):\n    tools: list[ResponseTool]\n"
        },
        {
            PROTOCOL: "class ResponseTool(BaseModel):\n    name: str\n    heat: int = 0\n\n\n"
            "class BurnRequest(BaseModel):\n    tools: list[ResponseTool]\n"
        },
        [("request_field", "added", "ResponseTool.heat", None, "0")],
    ),
    "a field of a class that a request and an answer hold": (
        {
            PROTOCOL: "class Part(BaseModel):\n    text: str\n\n\n"
            "class BurnRequest(BaseModel):\n    parts: list[Part]\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part] | None = None\n"
        },
        {
            PROTOCOL: "class Part(BaseModel):\n    text: str\n    heat: int | None = None\n\n\n"
            "class BurnRequest(BaseModel):\n    parts: list[Part]\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part] | None = None\n"
        },
        [("request_field", "added", "Part.heat", None, "None")],
    ),
    "a field of a class that another file has as it was": (
        {
            PROTOCOL: "class BurnResponse(BaseModel):\n    heat: int\n",
            "rocket/server/burn/protocol.py": "class BurnResponse(BaseModel):\n    heat: int\n",
        },
        {
            PROTOCOL: "x = 1\n",
            "rocket/server/burn/protocol.py": "class BurnRequest(BaseModel):\n"
            "    rate: int = 1\n\n\nclass BurnResponse(BaseModel):\n    heat: int\n",
        },
        [("request_field", "added", "BurnRequest.rate", None, "1")],
    ),
    "a variable whose default another name holds": (
        {ENVS: _table('"ROCKET_FUEL": lambda: os.getenv("ROCKET_FUEL", "1"),')},
        {
            ENVS: _table(
                '"ROCKET_FUEL": lambda: os.getenv("ROCKET_FUEL", "1"),',
                '"ROCKET_LID": lambda: os.getenv("ROCKET_LID", lid_size),',
                '"ROCKET_DOOR": lambda: os.getenv("ROCKET_DOOR", "shut"),',
            )
        },
        [
            ("env", "added", "ROCKET_LID", None, None),
            ("env", "added", "ROCKET_DOOR", None, "shut"),
        ],
    ),
    "a new flag": (
        {ARGS: _parser("'--fuel'")},
        {ARGS: _parser("'--fuel'", '"--max-thrust", type=int, default=7')},
        [("flag", "added", "--max-thrust", None, "7")],
    ),
    "a flag that has another name than its field": (
        {ARGS: _record("fuel: int = 1", name="ServerArgs") + "\n\n" + _parser("'--fuel'")},
        {
            ARGS: _record("fuel: int = 1", "dock_timeout: float = 3.0", name="ServerArgs")
            + "\n\n"
            + _parser("'--fuel'", '"--docking-timeout", default=ServerArgs.dock_timeout')
        },
        [("flag", "added", "--docking-timeout", None, "3.0")],
    ),
    "what a program fills in by itself, which is no flag": (
        {ARGS: _record("fuel: int = 1", name="PortArgs")},
        {ARGS: _record("fuel: int = 1", "pipe: Pipe", name="PortArgs")},
        [],
    ),
    "options of a compiler, which are no flags": (
        {"rocket/_compiler_options.py": _record("fuel: int = 1", name="CompilerOptions")},
        {
            "rocket/_compiler_options.py": _record(
                "fuel: int = 1", "warps: int = 4", name="CompilerOptions"
            )
        },
        [],
    ),
    "a variable that is called deprecated where it first stands": (
        {ARGS: "import os\n\nMAX = 3\n"},
        {ARGS: "import os\n\nMAX = 3\n_print_deprecated_env('ROCKET_V3', 'ROCKET_X')\n"},
        [],
    ),
    "a variable of which a call that warns is all that is left": (
        {ENVS: "class Envs:\n    ROCKET_V2 = EnvBool(True)\n    ROCKET_X = EnvBool(True)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_X = EnvBool(True)\n\n\n"
            "_warn_deprecated_env_to_flag('ROCKET_V2', \"use '--sync' instead\")\n"
        },
        [("env", "removed", "ROCKET_V2", None, "--sync")],
    ),
    "a variable that a call prints as deprecated, with the flag in its place": (
        {ENVS: "class Envs:\n    ROCKET_V2 = EnvBool(True)\n    ROCKET_X = EnvBool(True)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_X = EnvBool(True)\n\n\n"
            "_print_deprecated_env('ROCKET_V2', '--sync')\n"
        },
        [("env", "deprecated", "ROCKET_V2", None, "--sync")],
    ),
    "variables that a table of deprecated ones gives new names": (
        {ENVS: "class Envs:\n    ROCKET_MS = EnvInt(1)\n    ROCKET_X = EnvBool(True)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_WAIT = EnvFloat(1)\n    ROCKET_X = EnvBool(True)\n\n\n"
            "def convert():\n"
            "    _deprecated_ms = {'ROCKET_MS': 'ROCKET_WAIT', **MORE, 'ROCKET_X': None}\n"
        },
        [
            ("env", "added", "ROCKET_WAIT", None, "1"),
            ("env", "deprecated", "ROCKET_MS", None, "ROCKET_WAIT"),
        ],
    ),
    "variables of a table of deprecated ones that stands by itself": (
        {ENVS: "class Envs:\n    ROCKET_MS = EnvInt(1)\n    ROCKET_WAIT = EnvFloat(1)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_WAIT = EnvFloat(1)\n\n\n"
            "DEPRECATED_ENVS: dict[str, str] = {'ROCKET_MS': 'ROCKET_WAIT'}\n"
        },
        [("env", "deprecated", "ROCKET_MS", None, "ROCKET_WAIT")],
    ),
    "variables that a table gives the deprecated names of": (
        {ENVS: "class Envs:\n    ROCKET_WAIT = EnvFloat(1)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_WAIT = EnvFloat(1)\n\n\n"
            "REPLACES_DEPRECATED = {'ROCKET_WAIT': 'ROCKET_MS'}\n"
        },
        [],
    ),
    "variables that a table gives other names for another end": (
        {ENVS: "class Envs:\n    ROCKET_MS = EnvInt(1)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_MS = EnvInt(1)\n\n\n"
            "PASSED_ON = {'ROCKET_MS': 'TANK_MS'}\n"
        },
        [],
    ),
    "a variable in whose place a switch of the contrary is named": (
        {ENVS: "class Envs:\n    ROCKET_ENABLE_V2 = EnvBool(True)\n    ROCKET_X = EnvBool(True)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_X = EnvBool(True)\n\n\n"
            "_warn_deprecated_env_to_flag('ROCKET_ENABLE_V2', \"use '--disable-v1' instead\")\n"
        },
        [("env", "removed", "ROCKET_ENABLE_V2", None, None)],
    ),
    "a variable that a field reads under another name of the program": (
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvVar('ROCKET_TANK', 'full')\n    ROCKET_X = Y\n"},
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvVar('ROCKET_FUEL', 'full')\n    ROCKET_X = Y\n"},
        [("env", "removed", "ROCKET_TANK", "full", "ROCKET_FUEL")],
    ),
    "a variable that another field reads in place of one that went": (
        {ENVS: "class Envs:\n    ROCKET_GAS = EnvVar('ROCKET_TANK', 'full')\n    ROCKET_X = Y\n"},
        {ENVS: "class Envs:\n    ROCKET_OIL = EnvVar('ROCKET_LAMP', 'none')\n    ROCKET_X = Y\n"},
        [
            ("env", "removed", "ROCKET_TANK", "full", None),
            ("env", "added", "ROCKET_LAMP", None, "none"),
        ],
    ),
    "a variable whose default stands behind its name": (
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvVar('ROCKET_FUEL', 'full')\n"},
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvVar('ROCKET_FUEL', 'none')\n"},
        [("env", "default", "ROCKET_FUEL", "full", "none")],
    ),
    "a variable whose default is written like a name": (
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvStr('OXYGEN_ONLY')\n"},
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvStr('OXYGEN_FIRST')\n"},
        [("env", "default", "ROCKET_FUEL", "OXYGEN_ONLY", "OXYGEN_FIRST")],
    ),
    "a flag that goes": (
        {ARGS: _parser('"--fuel"', '"--max-thrust", type=int, default=7')},
        {ARGS: _parser('"--fuel"')},
        [("flag", "removed", "--max-thrust", "7", None)],
    ),
    "a variable that is gone, and is read only to say so": (
        {ENVS: "class Envs:\n    ROCKET_V2 = EnvBool(True)\n    ROCKET_X = EnvBool(True)\n"},
        {
            ENVS: "class Envs:\n    ROCKET_X = EnvBool(True)\n",
            ARGS: "import os\n\nif os.getenv('ROCKET_V2') is not None:\n"
            "    warn('ROCKET_V2 has been removed: use --sync')\n",
        },
        [("env", "removed", "ROCKET_V2", "True", "--sync")],
    ),
    "fields of what one part of the program hands to another": (
        {PROTOCOL: "", "rocket/core/request.py": ""},
        {
            PROTOCOL: "class TokenizedFuelReqInput(BaseModel):\n    salt: int = 1\n\n\n"
            "class FuelRequest(Struct, array_like=True):\n    salt: int = 2\n",
            "rocket/core/request.py": "@dataclass\nclass TankRequest:\n    salt: int = 3\n",
        },
        [],
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
    "a field that comes from the class above": (
        {
            PROTOCOL: "class Basic(BaseModel):\n    salt: str | None = None\n\n\n"
            "class FuelRequest(Basic):\n    b: int = 2\n"
        },
        {
            PROTOCOL: "class Basic(BaseModel):\n    salt: str | None = None\n\n\n"
            "class FuelRequest(BaseModel):\n    salt: str | None = None\n    b: int = 2\n"
            "    pepper: int = 1\n"
        },
        [("request_field", "added", "FuelRequest.pepper", None, "1")],
    ),
    "another default": (
        {ARGS: _parser('"--max-thrust", type=int, default=7')},
        {ARGS: _parser('"--max-thrust", type=int, default=9')},
        [("flag", "default", "--max-thrust", "7", "9")],
    ),
    "a default that is written otherwise": (
        {ARGS: _parser('"--room", type=int, default=1024')},
        {ARGS: _parser('"--room", type=int, default=2**10')},
        [],
    ),
    "a default that becomes a constant of the same value": (
        {ARGS: "ROOM = 5\n" + _parser('"--room", default=5')},
        {ARGS: "ROOM = 5\n" + _parser('"--room", default=ROOM')},
        [],
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
    "a deprecated flag that goes": (
        {
            ARGS: _parser(
                '"--fuel", help="Note: --fuel is deprecated now. Please use --tank instead."',
                '"--tank"',
            )
        },
        {ARGS: _parser('"--tank"')},
        [("flag", "removed", "--fuel", None, "--tank")],
    ),
    "a deprecated flag in whose place there are several": (
        {ARGS: _parser('"--fuel", help="Deprecated. Use --tank-{in,out}=full instead."')},
        {ARGS: ""},
        [("flag", "removed", "--fuel", None, "--tank-{in,out}")],
    ),
    "a flag that a message calls deprecated": (
        {ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n    pass\n"},
        {
            ARGS: _parser('"--fuel"')
            + "\n\ndef check(args):\n    logger.warning('--fuel is deprecated, use --tank')\n"
        },
        [("flag", "deprecated", "--fuel", None, "--tank")],
    ),
    "a field that says what to use instead": (
        {CONFIG: _record("fuel: int = 1")},
        {CONFIG: _record('fuel: int = Field(1, deprecated="Please use `tank_size` instead.")')},
        [("config_field", "deprecated", "engine_config.fuel", None, "tank_size")],
    ),
    "a default that is given to who sets none": (
        {CONFIG: _record("fuel: int | None = None") + _late("fuel", "4") + _late("hull", "1")},
        {CONFIG: _record("fuel: int | None = None") + _late("fuel", "8") + _late("hull", "x")},
        [("config_field", "default", "engine_config.fuel", "4", "8")],
    ),
    "a default that only got another place": (
        {CONFIG: _record("fuel: int = 4")},
        {CONFIG: _record("fuel: int | None = None") + _late("fuel", "4")},
        [],
    ),
    "a constant that is a default": (
        {CONFIG: "MOST = 4\nOTHER = 1\n" + _record("fuel: int = MOST", "tank: int = 2")},
        {CONFIG: "MOST = 8\nOTHER = 2\n" + _record("fuel: int = MOST", "tank: int = 2")},
        [("config_field", "default", "engine_config.fuel", "4", "8")],
    ),
    "a variable in another unit": (
        {ENVS: "import os\n\nWAIT = os.getenv('ROCKET_WAIT', '30')\n"},
        {ENVS: "import os\n\nWAIT_MS = os.getenv('ROCKET_WAIT_MS', '30000')\n"},
        [("env", "renamed", "ROCKET_WAIT", "ROCKET_WAIT", "ROCKET_WAIT_MS")],
    ),
    "a flag in another one's place": (
        {ARGS: _parser('"--max-batch", type=int, default=7')},
        {ARGS: _parser('"--batch-limit", type=int, default=7')},
        [("flag", "renamed", "--max-batch", "--max-batch", "--batch-limit")],
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
    "a variable of some of the words and the default of one that another file lost": (
        {ENVS: _table(), OTHER: "A = os.getenv('ROCKET_B12_TANK_FILL_COPY', '0')\n"},
        {
            ENVS: _table('"ROCKET_B12_TANK_FILL": lambda: os.getenv("ROCKET_B12_TANK_FILL", "0"),'),
            OTHER: "A = 1\n",
        },
        [
            ("env", "added", "ROCKET_B12_TANK_FILL", None, "0"),
            ("env", "removed", "ROCKET_B12_TANK_FILL_COPY", "0", None),
        ],
    ),
    "flags of typer and click": (
        {ARGS: "def run(seed: int = 0, n: int = typer.Option(1, '--workers')):\n    pass\n"},
        {
            ARGS: "@click.option('--wide/--narrow', default=True)\n"
            "def run(seed: int = 0, n: int = typer.Option(0, '--workers')):\n    pass\n"
        },
        [
            ("flag", "default", "--workers", "1", "0"),
            ("flag", "added", "--wide", None, "True"),
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
    "names that implementations are registered under": (
        {OTHER: '@register_pump_backend("old")\nclass Pump: pass\n', FACTORY: _REGISTERED},
        {
            OTHER: '@register_pump_backend("new")\nclass Pump: pass\n\n\n'
            '@register_kernel("burn")\ndef burn(): pass\n',
            FACTORY: _REGISTERED + _REGISTERED.replace("Ion", "Sail"),
        },
        [
            ("choice", "added", "drive", None, "SailDrive"),
            ("choice", "added", "pump_backend", None, "new"),
            ("choice", "removed", "pump_backend", "old", None),
        ],
    ),
    "a variable that is read under its old name, too": (
        {ENVS: "class Envs:\n    ROCKET_FUEL = EnvInt(2)\n"},
        {ENVS: 'class Envs:\n    ROCKET_GAS = EnvAlias(2, deprecated_name="ROCKET_FUEL")\n'},
        [
            ("env", "added", "ROCKET_GAS", None, "2"),
            ("env", "deprecated", "ROCKET_FUEL", None, "ROCKET_GAS"),
        ],
    ),
    "a flag whose action is given the one that it stands for": (
        {ARGS: _parser('"--fuel"')},
        {ARGS: _parser('"--fuel", action=DeprecatedAlias, new_flag="--gas"', '"--gas"')},
        [
            ("flag", "deprecated", "--fuel", None, "--gas"),
            ("flag", "added", "--gas", None, None),
        ],
    ),
    "a variable that is read without a default, which a comment tells of": (
        {OTHER: "import os\n"},
        {OTHER: "import os\n\n# Opt in by ROCKET_FAST=1.\nFAST = os.getenv('ROCKET_FAST')\n"},
        [("env", "added", "ROCKET_FAST", None, None)],
    ),
    "a variable that is read without a default in one more place": (
        {OTHER: "import os\n"},
        {OTHER: "import os\n\n# Opt in.\nFAST = os.getenv('ROCKET_FAST')\n"},
        [],
    ),
    "what a server notes of a request": (
        {PROTOCOL: "class BurnRequest(BaseModel):\n    n: int = 1\n    burn_time: int = 1\n"},
        {PROTOCOL: "class BurnRequest(BaseModel):\n    n: int = 1\n    sent_ts: int = 1\n"},
        [],
    ),
    "what is measured of requests": (
        {
            PROTOCOL: "class BurnRequestTimingMixin(BaseModel):\n"
            "    n: int = 1\n    delay: int = 1\n"
        },
        {PROTOCOL: "class BurnRequestTimingMixin(BaseModel):\n    n: int = 1\n"},
        [],
    ),
    "fields that a request has from a new class above it": (
        {
            PROTOCOL: "class BurnRequest(BaseModel):\n    n: int = 1\n    crew: int = 1\n",
            "rocket/server/base/protocol.py": "class StopRequest(BaseModel):\n    m: int = 1\n",
        },
        {
            PROTOCOL: "class BurnRequest(CrewRequest):\n    n: int = 1\n",
            "rocket/server/base/protocol.py": "class StopRequest(BaseModel):\n    m: int = 1\n\n\n"
            "class CrewRequest(BaseModel):\n    crew: int | None = None\n",
        },
        [],
    ),
    "a field that a request has from a class above it, named lines below its own": (
        {
            PROTOCOL: "class BurnRequest(\n    CrewRequest, StopRequest\n):\n"
            "    n: int = 1\n    crew: int = 1\n",
            "rocket/server/base/protocol.py": "class CrewRequest(BaseModel):\n    m: int = 1\n",
        },
        {
            PROTOCOL: "class BurnRequest(\n    CrewRequest,  # one (of two)\n    StopRequest\n"
            "):\n    n: int = 1\n",
            "rocket/server/base/protocol.py": "class CrewRequest(BaseModel):\n    m: int = 1\n"
            "    crew: int = 1\n",
        },
        [("request_field", "added", "CrewRequest.crew", None, "1")],
    ),
    "a class with as many comments above its bases as take no time": (
        {PROTOCOL: "class BurnRequest(BaseModel):\n    m: int = 1\n    n: int = 1\n"},
        {PROTOCOL: _COMMENTED},
        [("request_field", "removed", "BurnRequest.n", "1", None)],
    ),
    "a part of a request": (
        {PROTOCOL: _BURN + "class BurnConfig(BaseModel):\n    rate: int = 1\n"},
        {PROTOCOL: _BURN + "class BurnConfig(BaseModel):\n    rate: int = 1\n    wide: int = 2\n"},
        [("request_field", "added", "BurnConfig.wide", None, "2")],
    ),
    "keys of settings that only who imports them gives, of which one went": (
        {"rocket/__init__.py": "from .config.engine import FuelKey\n"}
        | {CONFIG: _enum("FuelKey", "GAS = 'fuel.gas'", "OIL = 'fuel.oil'")},
        {"rocket/__init__.py": "from .config.engine import FuelKey\n"}
        | {CONFIG: _enum("FuelKey", "GAS = 'fuel.gas'", "SUN = 'fuel.sun'")},
        [
            ("choice", "added", "FuelKey", None, "fuel.sun"),
            ("choice", "removed", "FuelKey", "fuel.oil", None),
        ],
    ),
    "keys of settings that nobody else imports": (
        {CONFIG: _enum("FuelKey", "GAS = 'fuel.gas'", "OIL = 'fuel.oil'")},
        {CONFIG: _enum("FuelKey", "GAS = 'fuel.gas'", "SUN = 'fuel.sun'")},
        [],
    ),
    "members of an enum that a front hands on, and of another one": (
        {**_FRONT, OTHER: _enum("Drive", "ION = 1") + _enum("Inner", "A = 1")},
        {**_FRONT, OTHER: _enum("Drive", "SAIL = 1") + _enum("Inner", "A = 1", "B = 2")},
        [
            ("choice", "added", "Drive", None, "SAIL"),
            ("choice", "removed", "Drive", "ION", None),
        ],
    ),
    "members of an enum that moved with it to a file that hands nothing on itself": (
        {**_FRONT, OTHER: _enum("Drive", "ION = 1", "SAIL = 2"), "rocket/core/kinds.py": ""},
        {
            **_FRONT,
            OTHER: "from .kinds import *\n",
            "rocket/core/kinds.py": _enum("Drive", "ION = 1", "SAIL = 2"),
        },
        [],
    ),
    "choices that a constant holds": (
        {ARGS: 'MODES = ["slow"]\n' + _parser('"--mode", choices=MODES')},
        {ARGS: 'MODES = ["slow", "warp"]\n' + _parser('"--mode", choices=MODES')},
        [("choice", "added", "--mode", None, "warp")],
    ),
    "a list that nobody chooses from": (
        {ARGS: 'SEEN = ["slow"]\n' + _parser('"--mode"')},
        {ARGS: 'SEEN = ["slow", "warp"]\n' + _parser('"--mode"')},
        [],
    ),
    "a default of a field": (
        {CONFIG: _record("level: float = 0.9")},
        {CONFIG: _record("level: float = 0.92")},
        [("config_field", "default", "engine_config.level", "0.9", "0.92")],
    ),
    "a default within Field": (
        {CONFIG: _record("level: float = Field(default=0.9, gt=0)")},
        {CONFIG: _record("level: float = Field(default=0.92, gt=0)")},
        [("config_field", "default", "engine_config.level", "0.9", "0.92")],
    ),
    "parameters that one part of the program hands to another": (
        {CONFIG: _record("language: str = 'en'", name="SpeechParams")},
        {CONFIG: _record("language: str = 'en'", "audio: str = ''", name="SpeechParams")},
        [],
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
    "a set and a dict in another order": (
        {CONFIG: _record("kinds: set = {1, 2}", "rates: dict = {'a': 1, 'b': 2}")},
        {CONFIG: _record("kinds: set = {2, 1}", "rates: dict = {'b': 2, 'a': 1}")},
        [],
    ),
    "a dict with another value": (
        {CONFIG: _record("rates: dict = {'a': 1, 'b': 2}")},
        {CONFIG: _record("rates: dict = {'b': 1, 'a': 1}")},
        [
            (
                "config_field",
                "default",
                "engine_config.rates",
                "{'a': 1, 'b': 2}",
                "{'b': 1, 'a': 1}",
            )
        ],
    ),
    "a type that is written otherwise": (
        {CONFIG: _record("level: int | None = None")},
        {CONFIG: _record("level: int = None")},
        [],
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
    "a default of the parser's own that goes to the field": (
        {
            ARGS: _record("tank: str = None", "hull: int = 1", name="ServeArgs")
            + _parser('"--tank", default="big"', '"--hull", default=ServeArgs.hull')
        },
        {ARGS: _record("tank: Told[str, 'Which'] = 'big'", "hull: int = 2", name="ServeArgs")},
        [("flag", "default", "--hull", "1", "2")],
    ),
    "a default of a field that the parser does not take": (
        {ARGS: _record("tank: int = 1", name="ServeArgs") + _parser('"--tank", default=(3)')},
        {ARGS: _record("tank: int = 2", name="ServeArgs") + _parser('"--tank", default=(3)')},
        [],
    ),
    "choices of the parser's own that go to the field": (
        {
            ARGS: _record("tank: Literal[None, 'big'] = None", name="ServeArgs")
            + _parser('"--tank", choices=["none", "big"]')
        },
        {
            ARGS: _record(
                "tank: A[Literal[None, 'big'], Arg(choices=['none', 'big'])] = None",
                name="ServeArgs",
            )
        },
        [],
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
    "a variable that is asked for first": (
        {ENVS: _table(f'"ROCKET_A": lambda: {_ASKED} else None,')},
        {ENVS: _table(f'"ROCKET_A": lambda: {_ASKED} else True,')},
        [("env", "default", "ROCKET_A", "None", "True")],
    ),
    "a variable that is taken for unset where it is empty": (
        {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "").lower() or "12.9",')},
        {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "").lower() or "13.0",')},
        [("env", "default", "ROCKET_A", "12.9", "13.0")],
    ),
    "a variable whose empty value is not its default": (
        {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "1") or "2",')},
        {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "1") or "3",')},
        [],
    ),
    "a variable of a class": (
        {ENVS: "class Envs:\n    ROCKET_A = EnvBool(False)\n    ROCKET_C = EnvInt(1)\n"},
        {ENVS: "class Envs:\n    ROCKET_A = EnvBool(True)\n"},
        [
            ("env", "default", "ROCKET_A", "False", "True"),
            ("env", "removed", "ROCKET_C", "1", None),
        ],
    ),
    "a constant of a class of settings": (
        {CONFIG: "class EngineConfig:\n    WAYS = ('x',)\n    way = 'x'\n"},
        {CONFIG: "class EngineConfig:\n    WAYS = ('x', 'y')\n    way = 'y'\n"},
        [("config_field", "default", "engine_config.way", "'x'", "'y'")],
    ),
    "a variable that is read within the code": (
        {OTHER: "def pump():\n    return 1\n"},
        {OTHER: "def pump():\n    return os.environ.get('ROCKET_PUMP', '2')\n"},
        [("env", "added", "ROCKET_PUMP", None, "2")],
    ),
    "a variable that a sentence of the file still names, and nothing reads": (
        {OTHER: '"""Pump while ROCKET_PUMP=1."""\nwet = os.environ.get("ROCKET_PUMP", "1")\n'},
        {OTHER: '"""Pump while ROCKET_PUMP=1."""\nwet = "1"\n'},
        [("env", "removed", "ROCKET_PUMP", "1", None)],
    ),
    **{
        f"a variable that `{line}` still uses": (
            {OTHER: 'wet = os.environ.get("ROCKET_PUMP", "1")\n', path: before},
            {OTHER: "wet = 1\n", path: f"{before}{line}\n"},
            [],
        )
        for path, before, line in (
            ("rocket/core/hull.py", "", "B = envs.ROCKET_PUMP"),
            ("rocket/core/hull.py", "", "from envs import A, ROCKET_PUMP"),
            ("rocket/core/hull.py", "", "B = env(ROCKET_PUMP)"),
            ("rocket/core/hull.py", "", "run('A=1 ROCKET_PUMP=1 start')"),
            ("rocket/core/hull.py", 'A = """Answer:\n"""\n', "B = env(ROCKET_PUMP)"),
            ("rocket/core/hull.py", "", 'B = {\'sh\':\n     """export ROCKET_PUMP=1"""}'),
            ("rocket/core/tank.cpp", "int a;\n", "auto wet = GET_ENV(ROCKET_PUMP);"),
        )
    },
    "a variable that a function of the file reads, and one by another name of `os`": (
        {OTHER: "a = 1\n"},
        {
            OTHER: "import os as _os\n\n\ndef read_env(name: str, default: bool) -> bool:\n"
            "    given = _os.getenv(name)\n    return default if given is None else bool(given)\n"
            "\n\ndef _environment_of(name, kind):\n    return kind(_os.environ[name])\n\n\n"
            "def pump():\n    burn(read_env('ROCKET_PUMP', True), _os.environ.get('ROCKET_B', 1))\n"
            "    return _environment_of('ROCKET_C', int)\n"
        },
        [
            ("env", "added", "ROCKET_PUMP", None, "True"),
            ("env", "added", "ROCKET_B", None, "1"),
        ],
    ),
    "a variable that is written, and those that were read": (
        {
            OTHER: "def pump(name):\n    return os.environ.get(f'{name}_PUMP', '2')\n",
            "rocket/core/tank.cpp": 'int size = getenv("ROCKET_SIZE");\n',
        },
        {
            OTHER: "def pump(name):\n    os.environ.setdefault('ROCKET_A', '1')\n"
            "    burn(os.environ.get('ROCKET_SIZE', '1'))\n"
            "    return os.environ.get('ROCKET_PUMP', '2')\n"
        },
        [],
    ),
    "a variable of whose end something is printed": (
        {OTHER: "def pump(name):\n    print(f'{name}_PUMP')\n"},
        {
            OTHER: "def pump(name):\n    print(f'{name}_PUMP')\n"
            "    return os.environ.get('ROCKET_PUMP', '2')\n"
        },
        [("env", "added", "ROCKET_PUMP", None, "2")],
    ),
    "fields of a request below a comment on what is internal": (
        {PROTOCOL: "class BurnRequest(BaseModel):\n    a: int = 1\n"},
        {
            PROTOCOL: "class BurnRequest(BaseModel):\n    a: int = 1\n"
            "    # Internal server errors are retried so often.\n    b: int = 1\n"
            "    # Internal: how it came.\n    c: int = 1\n"
            "    # Internal use only.\n    d: int = 1\n"
        },
        [("request_field", "added", "BurnRequest.b", None, "1")],
    ),
    "fields of a request that are called internal": (
        {PROTOCOL: "class BurnRequest(BaseModel):\n    a: int = 1\n"},
        {
            PROTOCOL: "class BurnRequest(BaseModel):\n    a: int = 1\n    b: int = 1\n"
            "    # (Internal) How it\n    # came\n    c: int = 1\n    d: int = 1\n\n"
            "    e: int = 1\n    # Internal fields\n    f: int = 1\n    g: int = 1\n"
        },
        [
            ("request_field", "added", "BurnRequest.b", None, "1"),
            ("request_field", "added", "BurnRequest.d", None, "1"),
            ("request_field", "added", "BurnRequest.e", None, "1"),
        ],
    ),
    "a variable of somebody else": (
        {OTHER: "def pump():\n    return 1\n"},
        {OTHER: "def pump():\n    return os.environ.get('CUDA_VISIBLE_DEVICES', '2')\n"},
        [],
    ),
    "a read that moves to another file": (
        {OTHER: "A = os.getenv('ROCKET_PUMP')\n", "rocket/core/hull.py": "B = 1\n"},
        {OTHER: "A = 1\n", "rocket/core/hull.py": "B = os.getenv('ROCKET_PUMP')\n"},
        [],
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
    "fields of a request whose class another one took in": (
        {
            PROTOCOL: _record("n: int = 1", "crew: int = 2", name="LaunchReqInput")
            + _record("kind: str", "n: int = 1", "crew: int = 2", name="Launch")
        },
        {PROTOCOL: _record("kind: str = 'a'", "n: int = 1", "crew: int = 2", name="Launch")},
        [("api_name", "removed", f"{SERVED}.LaunchReqInput", f"{SERVED}.LaunchReqInput", None)],
    ),
    "a variable whose default is another word": (
        {OTHER: "import os\n\nMODE = os.getenv('ROCKET_MODE', 'slow').lower()\n"},
        {OTHER: "import os\n\nMODE = os.getenv('ROCKET_MODE', 'fast').lower()\n"},
        [("env", "default", "ROCKET_MODE", "slow", "fast")],
    ),
    "variables whose defaults are written otherwise, or by a name": (
        {
            ENVS: "class Envs:\n    ROCKET_A = EnvStr('')\n    ROCKET_B = EnvBool('False')\n"
            "    ROCKET_C = EnvStr(slow)\n    ROCKET_D = EnvStr('fast')\n"
        },
        {
            ENVS: "class Envs:\n    ROCKET_A = EnvStr(None)\n    ROCKET_B = EnvBool('false')\n"
            "    ROCKET_C = EnvStr(fast)\n    ROCKET_D = EnvStr(fast)\n"
        },
        [],
    ),
    "a field, a flag and an argument whose default is another member of an enum": (
        _FRONT
        | {CONFIG: _record("mode: Mode = Mode.SLOW", "kind: Mode = OldKind.A")}
        | {ARGS: _parser('"--mood", default=Mood.CALM.value')}
        | {OTHER: "class Drive:\n    def __init__(self, *, pace=Pace.SLOW): ...\n"},
        _FRONT
        | {CONFIG: _record("mode: Mode = Mode.FAST", "kind: Mode = Kind.B")}
        | {ARGS: _parser('"--mood", default=Mood.WILD.value')}
        | {OTHER: "class Drive:\n    def __init__(self, *, pace=Pace.FAST): ...\n"},
        [
            ("flag", "default", "--mood", "Mood.CALM.value", "Mood.WILD.value"),
            ("config_field", "default", "engine_config.mode", "Mode.SLOW", "Mode.FAST"),
            ("api_argument", "default", "Drive(pace)", "Pace.SLOW", "Pace.FAST"),
        ],
    ),
    "a default whose member has another name, and a variable that is written otherwise": (
        {CONFIG: _record("mode: Mode = Mode.SLOW") + "\n\nclass Mode(Enum):\n    SLOW = 1\n"}
        | {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "FALSE"),')},
        {CONFIG: _record("mode: Mode = Mode.LAZY") + "\n\nclass Mode(Enum):\n    LAZY = 1\n"}
        | {ENVS: _table('"ROCKET_A": lambda: os.getenv("ROCKET_A", "false"),')},
        [
            ("choice", "added", "engine_config.mode", None, "LAZY"),
            ("choice", "removed", "engine_config.mode", "SLOW", None),
        ],
    ),
    "a flag that has one name less of several, also a short one": (
        {ARGS: _parser('"--fuel", "--gas", "-f", default=1', '"--tank", "-t"', '"--lid", "-l"')},
        {ARGS: _parser('"--fuel", default=1', '"--tank", "-t", "-tt"')},
        [
            ("flag", "removed", "-f", None, "--fuel"),
            ("flag", "removed", "--gas", "1", "--fuel"),
            ("flag", "removed", "--lid", None, None),
        ],
    ),
    "a flag that lost the first of its names": (
        {ARGS: _parser('"--fuel", "--gas", default=1')},
        {ARGS: _parser('"--gas", default=1')},
        [("flag", "removed", "--fuel", "1", "--gas")],
    ),
    "a short flag that other code reads now": (
        {ARGS: _parser('"--fuel", "-f"'), OTHER: "def main(args):\n    return args\n"},
        {
            ARGS: _parser('"--fuel", "-ff"'),
            OTHER: "def main(args):\n    return [one.replace('-f.', '-ff.') for one in args]\n",
        },
        [],
    ),
    "flags of commands, in a file whose name says nothing": (
        {OTHER: _commands('@click.option("--fuel", default=1)', _KIND.format("'old'"))},
        {OTHER: _commands('@click.option("--gas-tank", default=3)', _KIND.format("'new'"))},
        [
            ("flag", "removed", "--fuel", "1", None),
            ("choice", "removed", "--kind", "old", None),
            ("choice", "added", "--kind", None, "new"),
            ("flag", "added", "--gas-tank", None, "3"),
        ],
    ),
    "flags of commands of a script": (
        {
            OTHER: _commands('@click.option("--fuel")')
            + "\nif __name__ == '__main__':\n    main()\n"
        },
        {OTHER: _commands('@click.option("--gas")') + "\nif __name__ == '__main__':\n    main()\n"},
        [],
    ),
    "what is called an option where nothing is a command": (
        {OTHER: "def main():\n    pump.option('--fuel', default=1)\n"},
        {OTHER: "def main():\n    pump.option('--fuel', default=2)\n"},
        [],
    ),
    "a field that has to be given, of which a flag is made now": (
        {
            ARGS: _record("pad: str", "deep: int = 1", name="ServerArgs"),
            "rocket/__init__.py": _ARGS,
        },
        {
            ARGS: _record('pad: A[str, Arg(help="Where.")]', "deep: int = 1", name="ServerArgs"),
            "rocket/__init__.py": _ARGS,
        },
        [],
    ),
    "a flag whose warning says what is used in its place": (
        {ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n    pass\n"},
        {
            ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n"
            "    logger.warning('--fuel is deprecated; using '\n        '--tank=full instead.')\n"
        },
        [("flag", "deprecated", "--fuel", None, "--tank")],
    ),
    "a flag of which a warning says what else is used besides": (
        {ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n    pass\n"},
        {
            ARGS: _parser('"--fuel"') + "\n\ndef check(args):\n"
            "    logger.warning('--fuel is deprecated when using --tank with it.')\n"
        },
        [("flag", "deprecated", "--fuel", None, None)],
    ),
    "a flag that is another name for one": (
        {ARGS: _parser('"--fuel", help="How much"')},
        {ARGS: _parser('"--fuel", help="[Deprecated] Alias for --tank."')},
        [("flag", "deprecated", "--fuel", None, "--tank")],
    ),
    "a flag whose field says it in plain words": (
        {ARGS: _record('fuel: A[bool, "How much."] = False', name="ServerArgs")},
        {
            ARGS: _record(
                'fuel: A[bool, "Deprecated. Use --tank=1 for it."] = False', name="ServerArgs"
            )
        },
        [("flag", "deprecated", "--fuel", None, "--tank")],
    ),
    "a field one of whose values is that it is deprecated": (
        {CONFIG: _record('fuel: Literal["new", "old"] = "new"')},
        {CONFIG: _record('fuel: Literal["new", "deprecated"] = "new"')},
        [
            ("choice", "removed", "engine_config.fuel", "old", None),
            ("choice", "added", "engine_config.fuel", None, "deprecated"),
        ],
    ),
    "a field that is another type, too, once its documentation calls it deprecated": (
        {CONFIG: _record("tank: int = 1", '"""How deep."""', "deep: Depth | None = None")},
        {
            CONFIG: _record(
                "tank: int = 1", "deep: int | None = None", '"""[DEPRECATED] Use `depth`."""'
            )
        },
        [("config_field", "deprecated", "engine_config.deep", None, "depth")],
    ),
    "a field whose own documentation calls it deprecated": (
        {CONFIG: _record("deep: int = 1") + '    """How deep."""\n'},
        {
            CONFIG: _record("depth: int = 1", "deep: int = 1")
            + '    """\n    Deprecated: Use `depth` instead.\n    """\n'
        },
        [
            ("config_field", "added", "engine_config.depth", None, "1"),
            ("config_field", "deprecated", "engine_config.deep", None, "depth"),
        ],
    ),
    "a field whose documentation says more of what is deprecated": (
        {CONFIG: _record("deep: int = 1") + '    """Deprecated: go up."""\n'},
        {CONFIG: _record("deep: int = 1") + '    """Deprecated: look up."""\n'},
        [],
    ),
    "a class that is the name of several now": (
        {
            PROTOCOL: "class Part(BaseModel):\n    text: str\n    heat: int\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part]\n"
        },
        {
            PROTOCOL: "class Words(BaseModel):\n    text: str\n\n\n"
            "class Warmth(BaseModel):\n    heat: int\n\n\n"
            "Part = Annotated[Words | Warmth, Field()]\n\n\n"
            "class BurnResponse(BaseModel):\n    parts: list[Part]\n"
        },
        [],
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
    "a flag of a test": (
        {"tests/args.py": _parser('"--fuel"')},
        {"tests/args.py": _parser('"--fuel"', '"--tank"')},
        [],
    ),
    "a flag of a script that is a program of its own": (
        {OTHER: "def pump():\n    return 1\n"},
        {OTHER: "p = argparse.ArgumentParser()\np.add_argument('--fuel')\n"},
        [],
    ),
    "flags of a server that comes as a whole": (
        {OTHER: ""},
        {OTHER: "", "rocket/relay/relay_server.py": _RUN.format("")},
        [],
    ),
    "a flag of the server that there was": (
        {"rocket/server.py": _RUN.format("")},
        {"rocket/server.py": _RUN.format("    p.add_argument('--tank')\n")},
        [("flag", "added", "--tank", None, None)],
    ),
    "a file that does not parse": (
        {ARGS: _parser('"--fuel"')},
        {ARGS: "print 'old'\n" + _parser('"--fuel"', '"--tank"')},
        [],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case: str) -> None:
    before, after, expected = CASES[case]
    assert told(facts_between(before, after)) == expected


TOLD_OF = "rocket/managers/answers.py"
_ANSWER = (
    "def answer(state, meta_info):\n    meta_info = {{'id': state.id, {}}}\n"
    "    meta_info['tokens'] = {{'each': 1}}\n{}    return {{'meta_info': meta_info}}\n"
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (("", ""), ("'stop_at': 1", ""), [("added", "meta_info.stop_at")]),
        (("", ""), ("", '    meta_info["mask"] = 1\n'), [("added", "meta_info.mask")]),
        (("", '    meta_info.update({"mask": 1})\n'), ("", ""), [("removed", "meta_info.mask")]),
        (("", ""), ("", '    request.meta_info["mask"] = 1\n'), [("added", "meta_info.mask")]),
        (("", ""), ("", "    meta_info[state.key] = 1\n    meta['mask'] = 1\n"), []),
        (("'mask': 1", ""), ("", '    meta_info["mask"] = 1\n'), []),
    ],
)
def test_what_a_dict_of_an_answer_holds_is_told_by_its_keys(
    before: tuple[str, str], after: tuple[str, str], expected: list[tuple[str, str]]
) -> None:
    trees = [{TOLD_OF: _ANSWER.format(*side)} for side in (before, after)]
    facts = facts_between(*trees)
    assert [(fact.change.value, fact.name) for fact in facts] == expected
    assert all(fact.subject is Subject.RESPONSE_FIELD for fact in facts)


@pytest.mark.parametrize(
    ("path", "is_told"),
    [
        ("rocket/disagg/transfer.py", False),
        ("rocket/entrypoints/serving.py", True),
        ("rocket/http_server.py", True),
    ],
)
def test_a_dict_that_no_answer_gets_is_told_where_answers_are_made_alone(
    path: str, *, is_told: bool
) -> None:
    sent = "def send(x):\n    meta_info = {{'id': 1{}}}\n    sock.send(meta_info)\n"
    facts = facts_between({path: sent.format("")}, {path: sent.format(", 'rank': 2")})
    assert [fact.name for fact in facts] == (["meta_info.rank"] if is_told else [])


def test_what_another_file_puts_into_a_dict_of_an_answer_now_is_neither_new_nor_gone() -> None:
    filled, empty = (_ANSWER.format("", line) for line in ('    meta_info["mask"] = 1\n', ""))
    other = "rocket/managers/more_answers.py"
    assert not facts_between({TOLD_OF: filled, other: empty}, {TOLD_OF: empty, other: filled})
    assert not facts_between({TOLD_OF: filled}, {TOLD_OF: empty, other: filled})


_MADE = (
    "@dataclass\nclass EngineArgs:\n    burn_rate: int = EngineConfig.rate\n"
    "    fuel: Fuel = get_field(EngineConfig, 'fuel')\n    low: int = EngineConfig.limit\n"
    "    high: int = EngineConfig.limit\n    inner: int = EngineConfig.inner\n"
    "    own: int = EngineConfig.own\n    same: int = EngineConfig.same\n\n"
    "    def add(self, parser):\n"
    + "".join(f'        parser.add_argument("--{one}")\n' for one in ("burn-rate", "fuel", "low"))
    + '        parser.add_argument("--high")\n'
    + '        parser.add_argument("--own", help="Its own (none).", default=None)\n'
    + '        parser.add_argument("--same", default=EngineArgs.same)\n'
)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("rate: int = {}", "--burn-rate"),
        ("fuel: Fuel = {}", "--fuel"),
        ("limit: int = {}", "engine_config.limit"),
        ("inner: int = {}", "engine_config.inner"),
        ("own: int = {}", "engine_config.own"),
        ("same: int = {}", "--same"),
        ("other: int = {}", "engine_config.other"),
    ],
)
def test_a_default_of_a_field_is_told_of_the_flag_that_a_parser_elsewhere_makes_of_it(
    field: str, name: str
) -> None:
    before, after = (
        {CONFIG: _record(field.format(value)), "rocket/engine/arg_utils.py": _MADE}
        for value in (1, 2)
    )
    (fact,) = facts_between(before, after)
    assert (fact.change.value, fact.name, fact.before, fact.after) == ("default", name, "1", "2")


def test_a_choice_of_a_field_is_told_of_the_flag_that_a_parser_elsewhere_makes_of_it() -> None:
    before, after = (
        {
            CONFIG: f"Fuel = Literal[{fuels}]\n\n\n{_record('fuel: Fuel = 1')}",
            "rocket/engine/arg_utils.py": _MADE,
        }
        for fuels in ("'coal', 'oil'", "'coal'")
    )
    (fact,) = facts_between(before, after)
    assert (fact.change.value, fact.name, fact.before) == ("removed", "--fuel", "oil")


def test_a_flag_in_another_place_is_renamed_where_the_author_says_so() -> None:
    before = {ARGS: _parser('"--pump-size", type=int, default=0', *FAR)}
    after = {ARGS: _parser(*FAR, '"--pump-sizes", type=int, default=0')}
    (fact,) = facts_between(before, after, title="Rename --pump-size to --pump-sizes")
    assert (fact.change.value, fact.after, fact.inferred) == ("renamed", "--pump-sizes", False)


def test_a_choice_that_went_tells_what_to_choose_where_the_title_renames_it() -> None:
    before, after = {FACTORY: _REGISTERED}, {FACTORY: _REGISTERED.replace("Ion", "Sail")}
    gone = ("choice", "removed", "drive", "IonDrive", None)
    assert gone in told(facts_between(before, after))
    renamed = told(facts_between(before, after, title="Rename the drive"))
    assert (*gone[:4], "SailDrive") in renamed


def test_rows_of_data_are_no_settings() -> None:
    path = "rocket/configs/pump.json"

    def tuned(prefix: str, rows: int, warps: int) -> str:
        return json.dumps(
            {f"{prefix}_{row}": {"num_warps": warps, "stages": 2} for row in range(rows)}, indent=2
        )

    assert told(facts_between({path: tuned("batch", 8, 4)}, {path: tuned("tokens", 9, 8)})) == []
    few = told(facts_between({path: tuned("batch", 2, 4)}, {path: tuned("batch", 2, 8)}))
    assert len(few) == 2


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


def test_fields_of_a_class_that_is_made_otherwise_are_not_removed() -> None:
    fields = "    fuel: {} = 1\n    salt: int = 2\n"
    before = "@dataclass\nclass FuelReqInput(BaseReq):\n" + fields.format("int")
    after = "class FuelReqInput(BaseReq):\n" + fields.format("float")
    sides = ({PROTOCOL: f"import os\n\n\n{side}"} for side in (before, after))
    assert facts_between(*sides) == ()


def test_a_field_that_comes_to_several_classes_is_told_of_each() -> None:
    parts = "class BurnRequest(BaseModel):\n    n: int = 1\n{0}\n\n"
    parts += "class LaunchRequest(BaseModel):\n    n: int = 1\n{0}"
    before, after = ({PROTOCOL: parts.format(each)} for each in ("", "    crew: int = 2\n"))
    (fact,) = facts_between(before, after)
    assert fact.names == ("BurnRequest.crew", "LaunchRequest.crew")


def test_many_fields_that_come_to_several_classes_are_told_of_each() -> None:
    parts = "class BurnRequest(BaseModel):\n    n: int = 1\n{0}\n\n"
    parts += "class LaunchRequest(BaseModel):\n    n: int = 1\n{0}"
    fields = "".join(f"    crew_{each}: int = 2\n" for each in "abcd")
    before, after = ({PROTOCOL: parts.format(each)} for each in ("", fields))
    (fact,) = facts_between(before, after)
    assert set(fact.names) == {
        f"{owner}.crew_{each}" for owner in ("BurnRequest", "LaunchRequest") for each in "abcd"
    }


def test_fields_that_go_with_their_class_to_another_file_are_not_removed() -> None:
    there = "import os\n\n\n"
    facts = facts_between(
        {
            PROTOCOL: "class FuelRequest(BaseModel):\n    fuel: int = 1\n    salt: int = 2\n",
            OTHER: there,
        },
        {
            PROTOCOL: "import os\n",
            OTHER: there + "class FuelRequest(Struct):\n    fuel: int = 1\n    other: int = 3\n",
        },
    )
    fields = [one.name for one in facts if one.subject is Subject.REQUEST_FIELD]
    assert fields == ["FuelRequest.salt"]


def test_a_field_that_names_its_flag_is_told_by_that_name() -> None:
    field = 'join_mode: A[str, Arg(help="How", cli_name="--elastic-join-mode")] = "scale"\n'
    before = "class ServerArgs:\n    port: int = 1\n"
    after = f"{before}    {field}"
    path = "rocket/server_args.py"
    assert [one.name for one in facts_between({path: before}, {path: after})] == [
        "--elastic-join-mode"
    ]


@pytest.mark.parametrize(
    ("before", "after", "inferred"),
    [("30", "20", [False]), ("30", "None", [True]), ("None", "30", [False]), ("[]", "None", [])],
)
def test_a_default_that_is_none_now_may_be_filled_in(
    before: str, after: str, inferred: list[bool]
) -> None:
    facts = facts_between(
        {CONFIG: _record(f"size: Any = {before}")}, {CONFIG: _record(f"size: Any = {after}")}
    )
    assert [fact.inferred for fact in facts] == inferred


class _Counted(list[str]):
    """Lines that count how many of them are handed out."""

    given = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.given += len(found) if isinstance(at, slice) else 1
        return found


def test_a_field_looks_for_what_heads_it_no_further_than_near() -> None:
    lines = _Counted(["# internal fields", *(f"a_{at}: int" for at in range(8_000))])
    assert [_is_called_internal(line, lines) for line in (1, 2, 100, 8_000)] == [
        False,
        True,
        True,
        False,
    ]
    assert lines.given < 1_000


def test_the_variables_that_a_text_puts_together_are_read_once() -> None:
    text = "x = f'{prefix}_LIBS'\n" + "f'{prefix}_A{at}'\n" * 1_000
    _put_together.cache_clear()
    gone = "".join(f'x{at} = os.getenv("ROCKET_{at}_LIBS", "{at}")\n' for at in range(400))
    facts_between({OTHER: f"import os\n{text}{gone}"}, {OTHER: f"import os\n{text}"})
    found = _put_together.cache_info()
    assert found.misses <= 4 < found.hits


def test_many_blank_lines_are_read_once() -> None:
    blank = "\n" * 300_000
    assert _ALL_OF.findall(f"{blank}  from .a import *\n{blank}") == [(".", "a")]
    assert _RECORD.search(f"{blank}  @dataclass") is not None
    assert not _names_module(blank, "pump")
    assert _names_module(f"{blank}  pump,{blank}", "pump")
