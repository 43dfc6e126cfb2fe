"""Public names, requirements, metrics, routes, moved modules, bound functions."""

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from digest.facts import FactChange, FactKind, Subject
from digest.models import FileChange
from digest.reading.interfaces import grammar
from digest.reading.interfaces.moves import is_inner_state, move_facts
from digest.reading.interfaces.place import module_of
from tests.digest.reading.interfaces.changed import Told, facts_between, item_of, told

FRONT = "rocket/__init__.py"
PART = "rocket/engine/__init__.py"
PUMP = "rocket/engine/pump.py"
VALVE = "rocket/engine/valve.py"
MOVED = "@rocket_api\ndef fill(\n    tank,\n    speed=1,\n    *,\n    cold=None,\n):\n    pass\n"
DEEP = "rocket/engine/parts/valves/__init__.py"
NEEDS = "requirements/common.txt"
PROJECT = "pyproject.toml"
METRICS = "rocket/server/metrics.py"
ROUTES = "rocket/server/api_router.py"
BOUND = "csrc/pump.cpp"
REACHED = {FRONT: "from . import engine\n"}
ROOMS = ("a", "b", "c")


def _pyproject(needs: str, extras: str = "", python: str = ">=3.10") -> str:
    return (
        f'[project]\nname = "rocket"\nrequires-python = "{python}"\ndependencies = [\n{needs}]\n'
        f"[project.optional-dependencies]\n{extras}\n"
    )


def _abstract(arguments: str) -> str:
    return f"class Pump(ABC):\n    @abstractmethod\n    def fill({arguments}): ...\n"


def _bound(arguments: str) -> str:
    return f'void bind(py::module_ &m) {{\n  m.def("pump", &pump,\n    {arguments});\n}}\n'


def _shapes(count: int) -> str:
    return "class Tank(Value):\n    size = 1\n" + "".join(
        f"\n    @abstractmethod\n    def side_{at}(self): ...\n" for at in range(count)
    )


TANKS = "from .pump import fill, Tank\n"
OLD_FILL = (
    "def fill(tank):\n"
    "    warnings.warn('fill is deprecated, use fill_all', DeprecationWarning)\n"
    "    return fill_all(tank)\n"
)
ARGUMENTS = "class Tank:\n    def __init__(self, size: int = 1, lid: str | None = None):\n" + (
    "        self.size = size\n        self.lid = lid\n"
)
FIELDS = "    size: int = {size}\n    lid: str | None = None\n"

CASES: dict[str, tuple[dict[str, str], dict[str, str], list[Told]]] = {
    "a name that a front has from another module now": (
        {
            FRONT: "from .pump import fill, Lid\n",
            "rocket/pump.py": '__all__ = ["fill", "Lid"]\n\n\nclass Lid: ...\n',
        },
        {
            FRONT: "from .pump import fill\nfrom .lids import Lid\n",
            "rocket/pump.py": '__all__ = ["fill"]\n',
            "rocket/lids.py": "class Lid: ...\n",
        },
        [("api_name", "moved", "rocket.pump.Lid", "rocket.pump.Lid", "rocket.lids.Lid")],
    ),
    "a class that left a private module, which is nobody's": (
        {"rocket/_parts.py": "x = 1\n\n\nclass Lid: ...\n", "rocket/lids.py": "y = 1\n"},
        {"rocket/_parts.py": "x = 1\n", "rocket/lids.py": "y = 1\n\n\nclass Lid: ...\n"},
        [],
    ),
    "a name that went from a front to a module": (
        {FRONT: "from .pump import fill, Lid\n", "rocket/pump.py": "class Lid:\n    size = 1\n"},
        {
            FRONT: "from .pump import fill\n",
            "rocket/pump.py": "x = 1\n",
            "rocket/inner/lids.py": "y = 1\n\n\nclass Lid:\n    size = 1\n",
        },
        [("api_name", "removed", "rocket.Lid", None, "rocket.inner.lids.Lid")],
    ),
    "a bound function whose arguments get names": (
        {FRONT: "from ._c import pump\n", BOUND: _bound('"pumps"')},
        {FRONT: "from ._c import pump\n", BOUND: _bound('py::arg("tank"), py::arg("rate") = 1')},
        [],
    ),
    "a name that a front no longer has": (
        REACHED | {PART: "from .pump import (\n    fill,\n    drain,\n)\n"},
        REACHED | {PART: "from .pump import (\n    fill,\n)\n"},
        [("api_name", "removed", "rocket.engine.drain", None, None)],
    ),
    "names that all of another module may hold": (
        REACHED | {PART: "from .pump import *\nfrom .lids import Lid, Ring\n"},
        REACHED
        | {PART: "from .pump import *\nfrom .tanks import fill, Tank\n"}
        | {VALVE: "class Tank: ...\n"},
        [("api_name", "added", "rocket.engine.Tank", None, None)],
    ),
    "names that a module, of which a front hands on all, is known to lack": (
        REACHED
        | {PART: "from .pump import *\n", PUMP: "from .lids import *\n__all__ = ['fill']\n"}
        | {"rocket/engine/lids.py": "__all__ = ['Lid']\n"},
        REACHED
        | {PART: "from .pump import *\nfrom .rings import Lid, Ring\n"}
        | {PUMP: "from .lids import *\n__all__ = ['fill', 'drain']\n"}
        | {"rocket/engine/lids.py": "__all__ = ['Lid', 'Cap']\n"},
        [
            ("api_name", "added", "rocket.engine.Ring", None, None),
            ("api_name", "added", "rocket.engine.drain", None, None),
        ],
    ),
    "a name that a front had from a module that lists it now": (
        REACHED | {PART: "from .pump import fill\n", PUMP: "__all__ = ['drain']\n"},
        REACHED | {PART: "from .pump import fill\n", PUMP: "__all__ = ['drain', 'fill']\n"},
        [],
    ),
    "names of which another module may list as many": (
        REACHED | {PART: "from .pump import *\n", PUMP: '__all__ = ["fill", "drain"]\n'},
        REACHED | {PART: "from .pump import *\n", PUMP: '__all__ = [*_c.__all__, "stop"]\n'},
        [("api_name", "added", "rocket.engine.stop", None, None)],
    ),
    "a front that the package does not reach": (
        {FRONT: "", PART: "from .pump import fill, drain\n"},
        {FRONT: "", PART: "from .pump import fill\n"},
        [],
    ),
    "a front that imports its names as themselves, which the package does not reach": (
        {FRONT: "", PART: "from .pump import fill as fill, drain as drain\n"},
        {FRONT: "", PART: "from .pump import fill as fill\n"},
        [("api_name", "removed", "rocket.engine.drain", None, None)],
    ),
    "an argument of a function that such a front hands on": (
        {FRONT: "", PART: "from .pump import fill as fill\n", PUMP: "def fill(tank): ...\n"},
        {FRONT: "", PART: "from .pump import fill as fill\n", PUMP: "def fill(lid, tank): ...\n"},
        [("api_argument", "added", "fill(lid)", None, None)],
    ),
    "a helper that a front uses itself": (
        REACHED | {PART: "from .pump import fill\n"},
        REACHED | {PART: "from .pump import fill\nfrom ..tools import align\n"},
        [],
    ),
    "arguments of a public function": (
        REACHED
        | {
            PART: "from .pump import fill\n",
            PUMP: "def fill(\n    tank,\n    speed=1,\n    *,\n    cold=None,\n):\n    pass\n",
        },
        REACHED
        | {
            PART: "from .pump import fill\n",
            PUMP: "def fill(\n    tank,\n    level=5,\n    speed=2,\n    *,\n    dry=0,\n): ...\n",
        },
        [
            ("api_argument", "default", "fill(speed)", "1", "2"),
            ("api_argument", "removed", "fill(cold)", "None", None),
            ("api_argument", "added", "fill(level)", None, "5"),
            ("api_argument", "added", "fill(dry)", None, "0"),
        ],
    ),
    "arguments of a public function that moved to a module that its old one hands on": (
        REACHED | {PART: "from .pump import fill\n", PUMP: MOVED},
        REACHED
        | {PART: "from .pump import fill\n", VALVE: MOVED}
        | {PUMP: 'from .valve import fill\n\n__all__ = [\n    "fill",\n]\n'},
        [],
    ),
    "arguments that a function hands on from now": (
        REACHED | {PART: "from .pump import fill\n", PUMP: MOVED},
        REACHED
        | {PART: "from .pump import fill\n"}
        | {PUMP: "@rocket_api\ndef fill(tank, *args, **more) -> None:\n    _fill(tank, **more)\n"},
        [],
    ),
    "ways to call a function for a type checker": (
        REACHED | {PART: "from .pump import fill\n", PUMP: "def fill(tank, speed=1): ...\n"},
        REACHED
        | {PART: "from .pump import fill\n"}
        | {
            PUMP: "@t.overload\ndef fill(tank, speed, level): ...\n\n\n"
            "@typing_extensions.overload\ndef fill(tank, level): ...\n\n\n"
            "@overload\n@deprecated('Give a level.')\ndef fill(tank): ...\n\n\n"
            "def fill(*args, **more):\n    pass\n"
        },
        [],
    ),
    "arguments that a function handed on before": (
        REACHED | {PART: "from .pump import fill\n", PUMP: "def fill(**more):\n    pass\n"},
        REACHED | {PART: "from .pump import fill\n", PUMP: "def fill(tank):\n    pass\n"},
        [],
    ),
    "values that an annotation of an argument lists": (
        REACHED
        | {PART: "from .pump import fill\n"}
        | {PUMP: "def fill(\n    fuel: Literal['oil', 'gas'] = 'oil',\n): ...\n"},
        REACHED
        | {PART: "from .pump import fill\n"}
        | {PUMP: "def fill(\n    fuel: Literal['oil', 'ions'] = 'oil',\n): ...\n"},
        [("choice", "added", "fill(fuel)", None, "ions")],
    ),
    "an argument that a function lost as it moved": (
        REACHED | {PART: "from .pump import fill\n", PUMP: MOVED},
        REACHED
        | {PART: "from .pump import fill\n", VALVE: MOVED.replace("    speed=1,\n", "")}
        | {PUMP: 'from .valve import fill\n\n__all__ = [\n    "fill",\n]\n'},
        [("api_argument", "removed", "fill(speed)", "1", None)],
    ),
    "an argument that is no less asked for": (
        REACHED | {PART: "from .pump import fill\n", PUMP: "def fill(tank, lid):\n    pass\n"},
        REACHED
        | {PART: "from .pump import fill\n"}
        | {
            PUMP: "def fill(\n    tank=None,\n    lid=None,\n):\n    if tank is None:\n"
            "        raise ValueError('a tank must be given')\n"
        },
        [("api_argument", "changed", "fill(lid)", "required", "None")],
    ),
    "arguments of a function within": (
        REACHED | {PART: "", PUMP: "def fill(\n    tank,\n    speed=1,\n):\n    pass\n"},
        REACHED | {PART: "", PUMP: "def fill(\n    tank,\n    speed=2,\n):\n    pass\n"},
        [],
    ),
    "arguments of a class that are fields of a record now": (
        REACHED | {PART: TANKS, PUMP: ARGUMENTS},
        REACHED | {PART: TANKS, PUMP: "@dataclass\nclass Tank:\n" + FIELDS.format(size=2)},
        [("api_argument", "default", "Tank(size)", "1", "2")],
    ),
    "arguments of a class that are fields by name alone now": (
        REACHED | {PART: TANKS, PUMP: ARGUMENTS},
        REACHED
        | {PART: TANKS, PUMP: "class Tank(Struct, kw_only=True):\n" + FIELDS.format(size=1)},
        [
            ("api_argument", "changed", "Tank(size)", "size=1", "*, size=1"),
            ("api_argument", "changed", "Tank(lid)", "lid=None", "*, lid=None"),
        ],
    ),
    "arguments of settings that are fields now": (
        {"rocket/config.py": ARGUMENTS.replace("Tank", "TankParams")},
        {"rocket/config.py": "@dataclass\nclass TankParams:\n" + FIELDS.format(size=1)},
        [],
    ),
    "new abstract methods beside new names of the same file": (
        REACHED | {PART: "from .pump import Tank\n__all__ = ['Tank']\n" + _shapes(0)},
        REACHED
        | {
            PART: "from .pump import Tank, Lid, Seal, Hose, Knob\n"
            "__all__ = ['Tank', 'Lid', 'Seal', 'Hose', 'Knob']\n" + _shapes(1)
        },
        [
            ("api_name", "added", "rocket.engine.Lid", None, None),
            ("api_name", "added", "Tank.side_0", None, None),
        ],
    ),
    "a new abstract method of a class that was there": (
        {PUMP: "class Pump(ABC):\n    @abstractmethod\n    def fill(self): ...\n"},
        {
            PUMP: "class Pump(ABC):\n    @abstractmethod\n    def fill(self): ...\n\n"
            "    @abstractmethod\n    def drain(self): ...\n"
        },
        [("api_name", "added", "Pump.drain", None, None)],
    ),
    "an argument of what others have to write": (
        {PUMP: _abstract("self, tank")},
        {PUMP: _abstract("self, tank, level=1")},
        [("api_argument", "added", "Pump.fill(level)", None, "1")],
    ),
    "an argument of another name in the same place": (
        {PUMP: _abstract("self, tank, level")},
        {PUMP: _abstract("self, tank, height")},
        [("api_argument", "renamed", "Pump.fill(level)", "Pump.fill(level)", "Pump.fill(height)")],
    ),
    "two arguments of other names in two places": (
        {PUMP: _abstract("self, tank, level, rows")},
        {PUMP: _abstract("self, hull, height, rows")},
        [
            (
                "api_argument",
                "renamed",
                f"Pump.fill({was})",
                f"Pump.fill({was})",
                f"Pump.fill({now})",
            )
            for was, now in (("tank", "hull"), ("level", "height"))
        ],
    ),
    "an argument of a function in the place of one of another name": (
        {FRONT: "from .pump import fill\n", "rocket/pump.py": "def fill(a: int, rows): ...\n"},
        {FRONT: "from .pump import fill\n", "rocket/pump.py": "def fill(b: int, rows): ...\n"},
        [
            ("api_argument", "removed", "fill(a)", None, None),
            ("api_argument", "added", "fill(b)", None, None),
        ],
    ),
    "an argument of another type and most of the name in the same place": (
        {PUMP: _abstract("self, fill_level: int, rows")},
        {PUMP: _abstract("self, level: float, rows")},
        [
            (
                "api_argument",
                "renamed",
                "Pump.fill(fill_level)",
                "Pump.fill(fill_level)",
                "Pump.fill(level)",
            )
        ],
    ),
    "two arguments in the place of one": (
        {PUMP: _abstract("self, tank, level, rows")},
        {PUMP: _abstract("self, tank, heights, ids, rows")},
        [
            ("api_argument", "removed", "Pump.fill(level)", None, None),
            ("api_argument", "added", "Pump.fill(heights)", None, None),
            ("api_argument", "added", "Pump.fill(ids)", None, None),
        ],
    ),
    "one of two arguments that has most of the words of the one that is left": (
        {PUMP: _abstract("self, tank_id, num_full_tanks")},
        {PUMP: _abstract("self, full_tank_id")},
        [
            ("api_argument", "removed", "Pump.fill(num_full_tanks)", None, None),
            (
                "api_argument",
                "renamed",
                "Pump.fill(tank_id)",
                "Pump.fill(tank_id)",
                "Pump.fill(full_tank_id)",
            ),
        ],
    ),
    "a signature that was written anew": (
        {PUMP: _abstract("self, tank, level, speed")},
        {PUMP: _abstract("self, rows, weights")},
        [
            ("api_argument", "added", "Pump.fill(rows)", None, None),
            ("api_argument", "added", "Pump.fill(weights)", None, None),
            ("api_argument", "removed", "Pump.fill(tank)", None, None),
            ("api_argument", "removed", "Pump.fill(level)", None, None),
            ("api_argument", "removed", "Pump.fill(speed)", None, None),
        ],
    ),
    "a method that a class for others to write from lost": (
        {PUMP: _abstract("self, tank") + "\n    def drain(self):\n        return 1\n"},
        {PUMP: _abstract("self, tank")},
        [("api_name", "removed", "Pump.drain", None, None)],
    ),
    "a method that a class lost and still looks up": (
        {PUMP: _abstract("self, tank") + "\n    def drain(self):\n        return 1\n"},
        {
            PUMP: _abstract("self, tank") + "\n    def empty(self):\n"
            '        if callable(drain := getattr(self, "drain", None)):\n'
            '            warnings.warn("use empty", DeprecationWarning)\n'
            "            return drain()\n"
        },
        [("api_name", "deprecated", "Pump.drain", None, None)],
    ),
    "methods of a public class": (
        REACHED
        | {
            PART: "from .pump import Pump\n",
            PUMP: "class Pump:\n    def fill(self, tank, speed=1): ...\n\n"
            "    def drain(self): ...\n\n    def stop(self):\n        return 1\n",
        },
        REACHED
        | {
            PART: "from .pump import Pump\n",
            PUMP: "class Pump:\n    def fill(self, tank, *, speed=1, more=2): ...\n\n"
            "    def stop(self):\n"
            '        warnings.warn("use Pump.fill", DeprecationWarning, stacklevel=2)\n'
            "        return 1\n",
        },
        [
            ("api_argument", "changed", "Pump.fill(speed)", "speed=1", "*, speed=1"),
            ("api_argument", "added", "Pump.fill(more)", None, "2"),
            ("api_name", "removed", "Pump.drain", None, None),
            ("api_name", "deprecated", "Pump.stop", None, "Pump.fill"),
        ],
    ),
    "a function within that the title names": (
        REACHED | {PART: "", PUMP: "def fill_tank(\n    tank,\n    speed=1,\n):\n    pass\n"},
        REACHED | {PART: "", PUMP: "def fill_tank(\n    tank,\n):\n    pass\n"},
        [("api_argument", "removed", "fill_tank(speed)", "1", None)],
    ),
    "a package with a version of its own": (
        {FRONT: "", PART: '__version__ = "1"\nfrom .pump import fill, drain\n'},
        {FRONT: "", PART: '__version__ = "1"\nfrom .pump import fill\n'},
        [("api_name", "removed", "rocket.engine.drain", None, None)],
    ),
    "a function of a front whose name another one has now": (
        {
            FRONT: "from .lids import lift, fit\n",
            "rocket/lids.py": "def lift():\n    pass\n\ndef fit(lid):\n    pass\n",
            "rocket/crane.py": "",
        },
        {
            FRONT: "",
            "rocket/lids.py": "",
            "rocket/crane.py": (
                "def lift(\n    load,\n    rope=None,\n):\n    pass\n\n"
                "def fit(\n    load,\n    lid,\n):\n    pass\n"
            ),
        },
        [
            ("api_name", "removed", "rocket.lift", None, None),
            ("api_name", "removed", "rocket.fit", None, "rocket.crane.fit"),
        ],
    ),
    "a package below a folder that only holds packages": (
        {"src/space/rocket/__init__.py": "from .pump import fill, drain\n"},
        {"src/space/rocket/__init__.py": "from .pump import fill\n"},
        [("api_name", "removed", "space.rocket.drain", None, None)],
    ),
    "bounds of requirements": (
        {NEEDS: "hull>=1.2\ntank==3.0  # exact\nlamp>=1.76\nrope < 2\nwire\n-r other.txt\n"},
        {NEEDS: "hull>=1.10\ntank==2.9  # exact\nlamp\nrope < 3\nsail>=1 ; python_version<'4'\n"},
        [
            ("dependency", "raised", "hull", ">=1.2", ">=1.10"),
            ("dependency", "lowered", "tank", "==3.0", "==2.9"),
            ("dependency", "lowered", "lamp", ">=1.76", None),
            ("dependency", "changed", "rope", "<2", "<3"),
            ("dependency", "removed", "wire", None, None),
            ("dependency", "added", "sail", None, ">=1"),
        ],
    ),
    "requirements of tests and of the image": (
        {"requirements/test.txt": "hull>=1\n", "docker/requirements.txt": "hull>=1\n"},
        {"requirements/test.txt": "hull>=2\n", "docker/requirements.txt": "hull>=2\n"},
        [],
    ),
    "the lowest Python and a project's own list": (
        {PROJECT: _pyproject('  "hull>=1",\n')},
        {PROJECT: _pyproject('  "hull>=2",\n', python=">=3.11")},
        [
            ("platform", "raised", "Python", ">=3.10", ">=3.11"),
            ("dependency", "raised", "hull", ">=1", ">=2"),
        ],
    ),
    "what only an extra asked for": (
        {PROJECT: _pyproject('  "hull>=1",\n', 'fast = ["tank>=1"]')},
        {PROJECT: _pyproject('  "hull>=1",\n  "tank>=1",\n', "fast = []")},
        [
            ("dependency", "changed", "extra fast", "tank>=1", ""),
            ("dependency", "added", "tank", None, ">=1"),
        ],
    ),
    "what an extra alone asks for from now on": (
        {PROJECT: _pyproject('  "hull>=1",\n  "tank>=1",\n', 'fast = ["lamp>=1"]')},
        {PROJECT: _pyproject('  "hull>=1",\n', 'fast = ["lamp>=1", "tank>=2"]')},
        [
            ("dependency", "removed", "tank", ">=1", None),
            ("dependency", "added", "tank", None, ">=2"),
        ],
    ),
    "an extra that takes in another one of the project itself": (
        {PROJECT: _pyproject('  "hull>=1",\n', 'all = []\nfast = ["tank>=1"]')},
        {PROJECT: _pyproject('  "hull>=1",\n', 'all = ["Rocket[fast]"]\nfast = ["tank>=1"]')},
        [],
    ),
    "metrics": (
        {METRICS: "a = Counter(name='rocket:fuel_total', documentation='a')\n"},
        {METRICS: "a = Counter(name='rocket:fuel_used_total', documentation='a')\n"},
        [("metric", "renamed", "rocket:fuel_total", "rocket:fuel_total", "rocket:fuel_used_total")],
    ),
    "a function that came deprecated, as one that was renamed works again": (
        {FRONT: TANKS, "rocket/pump.py": "def fill_all(tank): ...\n"},
        {FRONT: TANKS, "rocket/pump.py": "def fill_all(tank): ...\n\n\n" + OLD_FILL},
        [("api_name", "added", "fill", None, "fill_all")],
    ),
    "a function that came deprecated, with nothing in its place": (
        {FRONT: TANKS, "rocket/pump.py": "def fill_all(tank): ...\n"},
        {
            FRONT: TANKS,
            "rocket/pump.py": "def fill_all(tank): ...\n\n\ndef fill(tank):\n"
            "    warnings.warn('fill is deprecated', DeprecationWarning)\n",
        },
        [("api_name", "deprecated", "fill", None, None)],
    ),
    "a function that is deprecated in another file now": (
        {
            FRONT: TANKS,
            "rocket/pump.py": "x = 1\n\n\ndef fill(tank): ...\n",
            "rocket/old.py": "y = 1\n",
        },
        {
            FRONT: "from .old import fill\nfrom .pump import Tank\n",
            "rocket/pump.py": "x = 1\n",
            "rocket/old.py": "y = 1\n\n\n" + OLD_FILL,
        },
        [("api_name", "deprecated", "fill", None, "fill_all")],
    ),
    "a function that is deprecated where another name of it stood": (
        {FRONT: TANKS, "rocket/pump.py": "def fill_all(tank): ...\n\n\nfill = fill_all\n"},
        {FRONT: TANKS, "rocket/pump.py": "def fill_all(tank): ...\n\n\n" + OLD_FILL},
        [("api_name", "deprecated", "fill", None, "fill_all")],
    ),
    "a route that a message calls deprecated": (
        {ROUTES: "@router.get('/fuel')\ndef fuel():\n    return 1\n"},
        {
            ROUTES: "@router.get('/fuel')\ndef fuel():\n"
            "    warn(\"'/fuel' is deprecated. Please use '/v1/fuels' instead.\")\n    return 1\n"
        },
        [("endpoint", "deprecated", "/fuel", None, "/v1/fuels")],
    ),
    "routes": (
        {ROUTES: "@router.get('/fuel')\ndef fuel(): ...\n"},
        {ROUTES: "@router.get('/fuel')\ndef fuel(): ...\n@router.post('/fire')\ndef f(): ...\n"},
        [("endpoint", "added", "/fire", None, None)],
    ),
    "routes of a router whose paths begin alike": (
        {
            ROUTES: "router = APIRouter(tags=['a'], prefix='/v1/tanks')\napp = FastAPI()\n"
            "@router.get('/{name}')\ndef tank(): ...\n@router.get('/gone')\ndef gone(): ...\n"
        },
        {
            ROUTES: "router = APIRouter(tags=['a'], prefix='/v1/tanks')\napp = FastAPI()\n"
            "@router.get('/{name}')\ndef tank(size): ...\n"
            "@router.post('/{name}/fill')\ndef fill(): ...\n@app.get('/fire')\ndef f(): ...\n"
        },
        [
            ("endpoint", "removed", "/v1/tanks/gone", None, None),
            ("endpoint", "added", "/v1/tanks/{name}/fill", None, None),
            ("endpoint", "added", "/fire", None, None),
        ],
    ),
    "a bound function": (
        {FRONT: "from ._C import pump\n", BOUND: _bound('py::arg("a") = 1, py::arg("b") = false')},
        {FRONT: "from ._C import pump\n", BOUND: _bound('py::arg("a"), py::arg("c") = false')},
        [
            ("api_argument", "changed", "pump(a)", "1", "required"),
            ("api_argument", "removed", "pump(b)", "False", None),
            ("api_argument", "added", "pump(c)", None, "False"),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case: str) -> None:
    before, after, expected = CASES[case]
    if BOUND in before:  # the front is found by a Python file of the change
        before, after = before | {METRICS: "a = 1\n"}, after | {METRICS: "a = 2\n"}
    title = "Take no speed in fill_tank any more" if "title" in case else "Change"
    facts = facts_between(before, after, title=title)
    assert sorted(told(facts), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("above", "told"),
    [
        ("(ABC)", True),
        ("(Generic[T], metaclass=ABCMeta)", True),
        ("(parts.Value)", True),
        ("(Whole)", True),
        ("(Plain)", False),
        ("(type)", False),
        ("", False),
    ],
)
def test_a_method_has_to_be_written_where_nobody_makes_a_class_without(
    above: str, *, told: bool
) -> None:
    stands = f"class Whole(Protocol): ...\n\n\nclass Plain: ...\n\n\nclass Pump{above}:\n"
    method = "    @abstractmethod\n    def fill(self): ...\n"
    facts = facts_between({PUMP: f"{stands}    a = 1\n"}, {PUMP: f"{stands}    a = 1\n\n{method}"})
    assert [fact.name for fact in facts] == ["Pump.fill"] * told


def test_where_functions_refuse_no_value_is_read_once_of_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = Counter[str]()

    def module(text: str) -> ast.Module:
        read[text] += 1
        return ast.parse(text)

    monkeypatch.setattr(grammar, "module", module)
    refuses = "    if tank is None:\n        raise ValueError\n"
    before, after = (
        "".join(
            f"@rocket_api\ndef fill_{at}({argument}):\n{refuses * (at != 7)}    pump({at})\n\n\n"
            for at in range(400)
        )
        for argument in ("tank", "tank=None")
    )
    facts = facts_between({PUMP: before}, {PUMP: after})
    assert ["fill_7" in fact.name for fact in facts] == [True]
    assert read[after] <= 3


def test_classes_that_stand_on_each_other_in_many_ways_are_each_looked_at_once() -> None:
    layers = [
        f"class {side}{at}(A{at - 1}, B{at - 1}): ...\n" for at in range(1, 60) for side in "AB"
    ]
    stands = "".join(("class A0(A1): ...\nclass B0: ...\n", *layers))
    method = "class Pump(A59):\n    a = 1\n\n    @abstractmethod\n    def fill(self): ...\n"
    before = stands + method[: method.index("\n\n") + 1]
    assert facts_between({PUMP: before}, {PUMP: stands + method}) == ()
    whole = [
        {PUMP: text.replace("class B0", "class B0(ABC)")} for text in (before, stands + method)
    ]
    assert [fact.name for fact in facts_between(*whole)] == ["Pump.fill"]


def test_modules_that_moved_are_one_fact_with_both_packages() -> None:
    old = {f"rocket/old/{name}.py": f"{name} = 1\n" for name in ("a", "b", "c")}
    new = {f"rocket/parts/new/{name}.py": f"{name} = 1\n" for name in ("a", "b", "c")}
    renamed = {path.replace("old", "parts/new"): path for path in old}
    (fact,) = facts_between(old, new, renamed=renamed)
    assert (fact.kind, fact.before, fact.after) == (FactKind.MOVE, "rocket.old", "rocket.parts.new")
    assert fact.names == ("rocket.old.a", "rocket.old.b", "rocket.old.c")
    assert not fact.must_act


def test_modules_that_went_several_ways_are_told_by_each_and_empty_fronts_by_none() -> None:
    code = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(9))
    ways = {
        "rocket/net/live/pump.py": "rocket/air/live/pump.py",
        "rocket/net/live/hose.py": "rocket/air/live/hose.py",
        "rocket/net/serving.py": "rocket/air/base/serving.py",
        "rocket/net/net.py": "rocket/air/base/hull.py",
        "rocket/net/live/__init__.py": "rocket/air/__init__.py",
    }
    files = [
        FileChange(new, "renamed", 1, 1, "@@ -1,3 +1,3 @@\n def a(): pass\n-b = 1\n+b = 2", old)
        if "init" not in new
        else FileChange(new, "renamed", 0, 0, "", old)
        for old, new in ways.items()
    ]
    item = replace(item_of({"rocket/a.py": code}, {"rocket/a.py": "b"}), files=tuple(files))
    assert [(fact.before, fact.names, fact.after) for fact in move_facts(item)] == [
        ("rocket.net", ("rocket.net.live.pump", "rocket.net.live.hose"), "rocket.air"),
        ("rocket.net.serving", (), "rocket.air.base.serving"),
        ("rocket.net.net", (), "rocket.air.base.hull"),
    ]


def test_a_package_moved_to_where_its_modules_went_whichever_front_git_finds_alike() -> None:
    ways = {
        "rocket/net/live/__init__.py": "rocket/air/__init__.py",
        "rocket/net/live/pump.py": "rocket/air/live/pump.py",
        "rocket/net/live/hose.py": "rocket/air/live/hose.py",
    }
    patch = "@@ -1,3 +1,3 @@\n def a(): pass\n-b = 1\n+b = 2"
    files = [FileChange(new, "renamed", 1, 1, patch, old) for old, new in ways.items()]
    item = replace(item_of({"rocket/a.py": ""}, {"rocket/a.py": "b"}), files=tuple(files))
    (fact,) = move_facts(item)
    assert (fact.before, fact.after) == ("rocket.net", "rocket.air")
    assert fact.names == ("rocket.net.live", "rocket.net.live.pump", "rocket.net.live.hose")


def test_of_modules_that_went_too_many_ways_those_are_told_that_most_went() -> None:
    rooms = {f"rocket/{name}.py": f"rocket/hull/{name}.py" for name in "abcdef"}
    others = {f"rocket/old/{n}.py": f"rocket/new/room{n}.py" for n in ("x", "y", "z", "u")}
    files = [FileChange(new, "renamed", 0, 0, "", old) for old, new in (rooms | others).items()]
    item = replace(item_of({"rocket/a.py": ""}, {"rocket/a.py": "b"}), files=tuple(files))
    (fact,) = move_facts(item)
    assert (fact.before, fact.after) == ("rocket", "rocket.hull")
    assert fact.names == tuple(f"rocket.{name}" for name in "abcdef")


def test_a_package_in_a_folder_of_its_name_is_called_as_it_is_imported() -> None:
    assert module_of("pumps/rocket/pumps/valve.py") == "rocket.pumps.valve"
    assert module_of("rocket/rocket/valve.py") == "rocket.valve"
    assert module_of("rocket/valve/rocket.py") == "rocket.valve.rocket"
    assert module_of("pumps/rocket/pumps/__init__.py") == "rocket.pumps"
    assert module_of("rocket/rocket/__init__.py") == "rocket"


def test_a_commit_that_is_too_odd_raises_nothing() -> None:
    odd = [
        "\0",
        "class",
        "def f(:\n",
        "x = [" * 500,
        "(" * 3000,
        '"""',
        "\\\n" * 50,
        "x: int = 0x" + "f" * 9_000,
        "@dataclass\nclass C:\n    x: int = " + "-" * 900 + "1",
        "a = 1\n" * 2_000,
        "hull" + " " * 5_000 + ">=",
        "if x:\n\ty\n z",
    ]
    for text in odd:
        for path in (FRONT, PUMP, METRICS, NEEDS, PROJECT, BOUND, "setup.py"):
            facts_between({path: "a = 1\n"}, {path: text})
            facts_between({path: text}, {path: "a = 1\n"})


LATE = "def f(x):\n    if x:\n        from rocket.core.fuel.pump import Pump\n        x(Pump, 1)\n"


def test_a_new_argument_of_a_method_is_told_where_a_front_hands_on_its_class() -> None:
    pump = "class Pump:\n    def fill(self, tank{}):\n        pass\n"
    front = {FRONT: "from .engine import Pump\n", PART: "from .pump import Pump\n"}
    for fronts, names in ((front, ["Pump.fill(more)"]), ({FRONT: "", PART: ""}, [])):
        before, after = (fronts | {PUMP: pump.format(one)} for one in ("", ", more=2"))
        facts = facts_between(before, after, title="Take more in Pump.fill")
        assert [fact.name for fact in facts] == names


def test_a_new_argument_of_a_method_of_a_base_is_not_for_callers() -> None:
    pump = "class BasePump:\n    def fill(self, tank{}):\n        pass\n"
    front = {FRONT: "from .engine import BasePump\n", PART: "from .pump import BasePump\n"}
    before, after = (front | {PUMP: pump.format(one)} for one in ("", ", more=2"))
    assert facts_between(before, after, title="Take more in BasePump.fill") == ()


@pytest.mark.parametrize(
    ("stays", "handed_on"),
    [
        ("", False),
        ("from rocket.core.fuel.pump import Pump\n", True),
        ("from rocket.core.fuel.pump import *\n", True),
        ("from rocket.core.fuel.pump import (\n    Lid, Pump\n)\n", True),
        ("try:\n    from rocket.core.fuel.pump import Pump\nexcept ImportError: ...\n", True),
        (LATE, False),
        (LATE.replace("x:", "x == 'Pump':"), True),
    ],
)
def test_a_class_that_moved_is_told_unless_its_old_module_hands_it_on(
    stays: str, *, handed_on: bool
) -> None:
    was, now = "rocket/core/pump.py", "rocket/core/fuel/pump.py"
    facts = facts_between(
        {was: "class Tank:\n    a = 1\n\n\nclass Pump:\n    b = 2\n"},
        {was: stays + "class Tank:\n    a = 1\n", now: "class Pump:\n    b = 2\n"},
    )

    moves = [(one.before, one.after) for one in facts if one.kind is FactKind.MOVE]
    there = ("rocket.core.pump.Pump", "rocket.core.fuel.pump.Pump")
    assert moves == ([] if handed_on else [there])


def test_classes_and_modules_that_went_are_told_and_new_names_of_classes() -> None:
    facts = facts_between(
        {
            "rocket/core/pump.py": "class Pump:\n    a = 1\n\n\nclass _Own:\n    b = 2\n",
            "rocket/core/tank.py": "class FuelTank:\n    a = 1\n",
            "rocket/core/hull.py": "class Hull:\n    a = 1\n",
            "rocket/core/deck.py": "class Deck:\n    a = 1\n",
        },
        {
            "rocket/core/pump.py": "x = 1\n",
            "rocket/core/tank.py": "class FuelTanks:\n    a = 1\n",
            "rocket/core/deck.py": "from rocket.decks import Deck\n",
        },
    )
    moves = [(one.change.value, one.name, one.after, one.must_act) for one in facts]
    assert moves == [
        ("removed", "rocket.core.hull", None, False),
        ("removed", "rocket.core.pump.Pump", None, False),
        ("renamed", "rocket.core.tank.FuelTank", "rocket.core.tank.FuelTanks", False),
    ]


@pytest.mark.parametrize(
    ("title", "body", "labels", "acts"),
    [
        ("Remove rocket.legacy", "", (), True),
        ("Remove the old way", "`rocket.legacy` was deprecated in 1.2.", (), True),
        ("refactor!: remove the old way", "", (), True),
        ("Remove the old way", "", ("breaking",), True),
        ("Remove the old way", "", (), False),
        ("Remove rocket.legacy.tank_of_another", "", (), False),
        ("Remove rocket/legacy/pump.py", "", (), False),
    ],
)
def test_a_package_that_went_hits_who_imports_it_where_its_author_says_so(
    title: str, body: str, labels: tuple[str, ...], *, acts: bool
) -> None:
    gone = {"rocket/legacy/__init__.py": "a = 1\n", "rocket/legacy/pump.py": "b = 2\n"}
    item = replace(item_of(gone, {}, title=title), body=body, labels=labels)
    (fact,) = move_facts(item)
    assert (fact.change, fact.name, fact.names) == (FactChange.REMOVED, "rocket.legacy", ())
    assert fact.must_act is acts


def test_a_front_that_git_takes_for_another_module_loses_its_own_names_and_moves_nothing() -> None:
    inner, near = "rocket/core/_tools/__init__.py", "rocket/engine/sizes.py"
    before = REACHED | {PART: "from .pump import *\n", inner: "__all__ = ['weld', 'cut']\n"}
    after = REACHED | {PART: "from .sizes import *\n", near: "SIZE = 1\n"}
    facts = facts_between(before, after, renamed={near: inner})
    moves = move_facts(item_of(before, after, renamed={near: inner}))
    assert [fact.name for fact in (*facts, *moves)] == []


LICENSE = "# Copyright of the makers of rockets\n# All rights are reserved to them.\n\n"


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("SIZES = (1, 2)\n", [("removed", "rocket.core.pumps", None)]),
        ("from rocket.core import Pump\n\nRING = 1\n", [("moved", "rocket.core.pumps", "rings")]),
        (
            "from rocket.core import Pump\n\n__all__ = ['Pump']\n",
            [("moved", "rocket.core.pumps", "rings")],
        ),
    ],
)
def test_a_module_of_which_no_code_is_left_has_not_moved(
    now: str, told: list[tuple[str, str, str | None]]
) -> None:
    old, new = "rocket/core/pumps.py", "rocket/engine/rings.py"
    was = LICENSE + "from rocket.core import Pump\n\n__all__ = ['Pump']\n"
    item = item_of({old: was}, {new: LICENSE + now}, renamed={new: old})
    facts = [(one.change, one.name, one.after) for one in move_facts(item)]
    assert facts == [
        (change, name, after and f"rocket.engine.{after}") for change, name, after in told
    ]


def test_a_class_of_a_private_module_that_went_is_nobodys() -> None:
    two = "class Pump:\n    a = 1\n\n\nclass Ring:\n    b = 1\n"
    one = "class Ring:\n    b = 1\n"
    for path, names in (("rocket/_core/a.py", []), ("rocket/core/a.py", ["rocket.core.a.Pump"])):
        assert [fact.name for fact in move_facts(item_of({path: two}, {path: one}))] == names


def test_a_package_went_whose_empty_front_git_takes_for_another_one() -> None:
    old, new = "rocket/legacy/__init__.py", "rocket/parts/__init__.py"
    pump, hull = {"rocket/legacy/pump.py": "b = 2\n"}, {"rocket/legacy/hull.py": "c = 3\n"}
    gone = item_of({old: ""} | pump, {new: ""}, renamed={new: old})
    assert [fact.name for fact in move_facts(gone)] == ["rocket.legacy"]
    moves = {new: old, "rocket/parts/hull.py": "rocket/legacy/hull.py"}
    moved = item_of(
        {old: ""} | pump | hull, {new: "", "rocket/parts/hull.py": "c = 3\n"}, renamed=moves
    )
    assert "rocket.legacy.pump" in [fact.name for fact in move_facts(moved)]


def test_members_that_a_class_that_stays_lost_are_told_once_for_the_class_and_ask_nobody() -> None:
    deep = "rocket/engine/inner/pump.py"
    whole = (
        "class Pump:\n    def start(self):\n        self.pool = make()\n        self.size = 1\n\n"
        "    def drain(self):\n        return self.size\n"
    )
    left = "class Pump:\n    def start(self):\n        self.size = 1\n        return self.size\n"
    (fact,) = facts_between({deep: whole}, {deep: left})
    owner = "rocket.engine.inner.pump.Pump"
    assert (fact.kind, fact.name, fact.inferred, fact.must_act) == (
        FactKind.MOVE,
        owner,
        True,
        False,
    )
    assert fact.names == (f"{owner}.pool", f"{owner}.drain")
    assert (
        facts_between({deep: whole}, {deep: whole.replace("self.pool = ", "self.pool: P = ")}) == ()
    )
    hidden = whole.replace("pool", "_pool").replace("drain", "_drain")
    assert facts_between({deep: hidden}, {deep: left}) == ()


def test_a_class_that_calls_a_method_no_more_has_it_all_the_same() -> None:
    deep = "rocket/core/deep/pump.py"
    whole = "class Pump(Base):\n    def stop(self):\n        self.drain(1)\n        return 1\n"
    assert facts_between({deep: whole}, {deep: whole.replace("        self.drain(1)\n", "")}) == ()


def test_a_method_that_a_class_has_from_one_above_it_now_is_not_told_as_removed() -> None:
    base, deep = "rocket/engine/base.py", "rocket/engine/inner/pump.py"
    idle = "class Base(ABC):\n    def stop(self, tank):\n        return None\n"
    whole = (
        "class Pump(Base):\n    level = 1\n\n"
        "    def stop(self, tank):\n        tank.close()\n\n"
        "    def drain(self, tank):\n        tank.drain()\n"
    )
    left = "class Pump(Base):\n    level = 1\n"
    busy = idle.replace("return None", "tank.close()")
    facts = move_facts(item_of({base: idle, deep: whole}, {base: busy, deep: left}), {base: busy})
    assert [fact.name for fact in facts] == ["rocket.engine.inner.pump.Pump.drain"]
    front = {"rocket/__init__.py": "from .pump import Pump\n"}
    near = {"rocket/base.py": idle, "rocket/pump.py": whole}
    now = {"rocket/base.py": busy, "rocket/pump.py": left}
    told_names = [fact.name for fact in facts_between(front | near, front | now)]
    assert told_names == ["Pump.drain"]


@pytest.mark.parametrize(
    ("above", "texts", "names"),
    [
        ("", (), ["drain"]),
        ("(Module)", (), ["drain"]),
        ("(Base)", (), []),
        ("(Base)", ("rocket/engine/base.py",), ["drain"]),
        ("", ("rocket/engine/inner/pump.py",), ["drain", "rate"]),
        ("(Base)", ("rocket/engine/inner/pump.py",), ["rate"]),
    ],
)
def test_what_code_that_is_not_read_may_still_have_is_not_told_as_removed(
    above: str, texts: Sequence[str], names: list[str]
) -> None:
    deep = "rocket/engine/inner/pump.py"
    trees = {"rocket/engine/base.py": "class Base:\n    def stop(self):\n        return 1\n"}
    head = f"class Pump{above}:\n    level = 1\n"
    whole = f"{head}\n    def drain(self):\n        return 1\n\n    def fill(self):\n"
    was = f"{whole}        self.rate = 2\n        return 3\n"
    left = f"{head}\n    def fill(self):\n        return 3\n"
    read = {path: {**trees, deep: left}[path] for path in texts}
    facts = move_facts(item_of({deep: was}, {deep: left}), read)
    told_names = [name for fact in facts for name in fact.names or (fact.name,)]
    assert told_names == [f"rocket.engine.inner.pump.Pump.{name}" for name in names]


@pytest.mark.parametrize(
    ("gone", "inner"),
    [
        ("self.free = sync(group)", True),
        ("self.free = (\n            sync(group)\n        )", True),
        ("self.size = size", False),
        ("self.hull = settings.hull", False),
    ],
)
def test_what_a_class_had_made_for_itself_is_its_inner_state(gone: str, *, inner: bool) -> None:
    deep = "rocket/engine/inner/pump.py"
    left = "class Pump:\n    def __init__(self):\n        self.parts = 1\n"
    whole = left.replace("(self)", "(self, size, settings)") + f"        {gone}\n"
    (fact,) = facts_between({deep: whole}, {deep: left})
    assert is_inner_state(fact) is inner
    assert not is_inner_state(replace(fact, must_act=True))


def test_extras_are_read_of_a_setup_that_works_out_what_everybody_needs() -> None:
    def setup(base: str, bound: str) -> dict[str, str]:
        return {"setup.py": f'setup({base}, extras_require={{"grpc": ["pump >= {bound}"]}})\n'}

    worked_out = "install_requires=needs()"
    (fact,) = facts_between(setup(worked_out, "0.5.0"), setup(worked_out, "0.5.2"))
    assert (fact.name, fact.before, fact.after) == ("pump", ">=0.5.0", ">=0.5.2")
    listed = 'install_requires=["hull"]'
    assert not facts_between(setup(listed, "0.5"), setup(worked_out, "0.5"))


VALVES = "def shut():\n    return 1\n\n\ndef leak():\n    return 2\n"


def importing(line: str, folders: Sequence[str] = ROOMS) -> dict[str, str]:
    return {f"rocket/{folder}/use.py": f"{line}\nHERE = 1\n" for folder in folders}


@pytest.mark.parametrize(
    ("line", "folders", "told"),
    [
        ("from rocket.core.valves import shut", ROOMS, ["rocket.core.valves.shut"]),
        ("from rocket.core.valves import (\n    shut,\n)", ROOMS, ["rocket.core.valves.shut"]),
        ("from rocket.core import leak, shut", ROOMS, ["rocket.core.valves.shut"]),
        ("from ..core.valves import shut", ROOMS, ["rocket.core.valves.shut"]),
        ("from torch.utils import shut", ROOMS, []),
        ("turn(\n    1,\n    shut,\n)", ROOMS, []),
        ("from rocket.core.valves import shut", ("a", "b"), []),
        ("from rocket.core.valves import shut", ("a", "b", "tests"), []),
        ("from rocket.core.valves import leak", ROOMS, []),
    ],
)
def test_a_function_that_went_hits_others_where_many_parts_had_to_stop_importing_it(
    line: str, folders: Sequence[str], told: list[str]
) -> None:
    path = "rocket/core/valves.py"
    before = importing(line, folders) | {path: VALVES}
    after = importing("", folders) | {path: VALVES.partition("\n\n\n")[2]}
    facts = move_facts(item_of(before, after))
    assert [fact.name for fact in facts if fact.must_act] == told


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("x = 1\n", ""),
        ("from rocket.tank.taps import shut\n", ""),
        ("from rocket.tank.doors import shut\n", "def shut():\n    return 3\n"),
    ],
)
def test_a_function_that_nothing_imports_from_the_one_place_where_it_came_did_not_move(
    line: str, other: str
) -> None:
    path, now, also = "rocket/core/valves.py", "rocket/tank/doors.py", "rocket/hull/doors.py"
    before = importing("from rocket.core.valves import shut") | {path: VALVES}
    before |= {now: "a = 1\n", also: "b = 1\n"}
    after = importing(line) | {path: VALVES.partition("\n\n\n")[2]}
    after |= {now: "a = 1\n\n\ndef shut(door):\n    door.turn()\n", also: f"b = 1\n{other}"}
    assert move_facts(item_of(before, after)) == []


@pytest.mark.parametrize(
    ("folders", "kept", "names"),
    [
        (ROOMS, "", ["rocket.core.valves.shut"]),
        (("a", "b"), "", []),
        (ROOMS, "from rocket.tank.doors import shut\n", []),
        (ROOMS, "def shut():\n    turn()\n", []),
    ],
)
def test_a_function_that_moved_is_told_where_many_parts_import_it_from_elsewhere_now(
    folders: Sequence[str], kept: str, names: list[str]
) -> None:
    path, now = "rocket/core/valves.py", "rocket/tank/doors.py"
    shut, leak = VALVES.split("\n\n\n")
    before = importing("from rocket.core.valves import shut", folders) | {path: VALVES}
    before |= {now: "a = 1\n"}
    after = importing("from rocket.tank.doors import shut", folders)
    after |= {path: kept + leak, now: f"a = 1\n\n\n{shut}\n"}
    facts = move_facts(item_of(before, after))
    assert [fact.name for fact in facts] == names
    assert all(
        (fact.change, fact.after, fact.must_act)
        == (FactChange.MOVED, "rocket.tank.doors.shut", True)
        for fact in facts
    )


@pytest.mark.parametrize(("folders", "acts"), [(ROOMS, True), (("a", "b"), False)])
def test_a_module_that_went_or_moved_hits_others_where_many_parts_imported_it(
    folders: Sequence[str], *, acts: bool
) -> None:
    was, now = "rocket/core/valves.py", "rocket/tank/valves.py"
    before = importing("from rocket.core.valves import shut", folders)
    after = importing("from rocket.tank.valves import shut", folders)
    gone = item_of(before | {was: VALVES}, importing("", folders))
    moved = item_of(before | {was: VALVES}, after | {now: VALVES}, renamed={now: was})
    for item in (gone, moved):
        (fact,) = move_facts(item)
        assert (fact.name, fact.must_act) == ("rocket.core.valves", acts)


def _asked(*names: str, owner: str = "tank_crew") -> dict[str, str]:
    """Return files of three folders that ask an object for each of these."""
    lines = "\n".join(f"print({owner}.{name})" for name in names)
    return {f"rocket/{folder}/use.py": f"a = 1\n{lines}\nb = 2\n" for folder in ("a", "b", "c")}


CREW = "rocket/deep/inner/crew.py"


def _crew(*fields: str) -> dict[str, str]:
    body = "\n".join(f"    {field}" for field in fields)
    return {CREW: f"@dataclass\nclass TankCrew:\n    size: int = 3\n{body}\n"}


@pytest.mark.parametrize(
    ("before", "after", "told_of"),
    [
        pytest.param(
            _crew("mood: str = ''") | _asked("mood"), _crew() | _asked(), ["mood"], id="a field"
        ),
        pytest.param(
            _crew("def sing(self):", "    return 1") | _asked("sing()"),
            _crew() | _asked(),
            ["sing"],
            id="a method",
        ),
        pytest.param(
            _crew("mood: str = ''") | _asked("mood", owner="other"),
            _crew() | _asked(),
            [],
            id="of another object",
        ),
        pytest.param(
            _crew("mood: str = ''") | _asked("mood"),
            _crew() | _asked() | {"rocket/d/use.py": "tank_crew.mood\n"},
            [],
            id="which is asked for elsewhere now",
        ),
    ],
)
def test_a_member_that_many_parts_stopped_asking_for_hits_others(
    before: dict[str, str], after: dict[str, str], told_of: list[str]
) -> None:
    facts = [fact for fact in facts_between(before, after) if fact.must_act]
    assert [fact.name for fact in facts] == [
        f"rocket.deep.inner.crew.TankCrew.{name}" for name in told_of
    ]
    assert all(fact.inferred for fact in facts)


def test_a_field_that_many_parts_stopped_asking_for_goes_with_it_from_other_records() -> None:
    base = "rocket/deep/inner/base.py"

    def records(field: str) -> dict[str, str]:
        code = "@dataclass\nclass {}:\n    size: int = 3\n{}    last: int = 4\n"
        return {CREW: code.format("TankCrew", field), base: code.format("Base", field)}

    before, after = records("    mood: str = ''\n    song: int = 1\n"), records("")
    facts = facts_between(before | _asked("mood"), after | _asked())
    assert {fact.name for fact in facts if fact.must_act} == {
        "rocket.deep.inner.crew.TankCrew.mood",
        "rocket.deep.inner.base.Base.mood",
    }


def test_a_field_that_is_told_as_an_argument_is_not_told_again() -> None:
    fronts = {
        FRONT: "from . import deep\n",
        "rocket/deep/__init__.py": "from . import inner\n",
        "rocket/deep/inner/__init__.py": "from .crew import TankCrew\n",
    }
    before, after = _crew("mood: str = ''") | _asked("mood"), _crew() | _asked()
    (fact,) = facts_between(fronts | before, fronts | after)
    assert fact.name == "TankCrew(mood)"


def test_arguments_of_a_class_are_told_where_a_front_has_it_whatever_the_title_names() -> None:
    before, after = _crew("mood: str = ''"), _crew()
    assert facts_between(before, after, title="Drop the mood of a TankCrew") == ()


@pytest.mark.parametrize(
    ("gone", "instead"),
    [
        ("@deprecated('Use `fill_all` instead.')\ndef fill(tank):\n    return tank\n", "fill_all"),
        (
            "def fill(tank):\n    warn('fill is deprecated, use '\n         'fill_all()')\n",
            "fill_all",
        ),
        ("def fill(tank, how):\n    warn('`how` is deprecated, use `why`')\n", None),
        ("def fill(tank):\n    return tank\n", None),
    ],
)
def test_what_went_tells_what_it_said_to_use_instead(gone: str, instead: str | None) -> None:
    inner = "rocket/deep/inner/pump.py"
    uses = {f"rocket/{one}/use.py": "from rocket.deep.inner.pump import fill\n" for one in "abc"}
    before = {inner: f"a = 1\n\n\n{gone}\n\nb = 2\n"} | uses
    after = {inner: "a = 1\n\n\nb = 2\n"} | dict.fromkeys(uses, "")
    (fact,) = facts_between(before, after)
    assert (fact.change, fact.after) == (FactChange.REMOVED, instead)


def test_what_leaves_a_front_tells_what_it_said_to_use_instead() -> None:
    front, inner = "rocket/__init__.py", "rocket/pump.py"
    gone = "@deprecated('`fill` is deprecated, use `fill_all` instead')\ndef fill(): pass\n"
    before = {front: "from .pump import drain, fill\n", inner: f"def drain(): pass\n\n\n{gone}"}
    after = {front: "from .pump import drain\n", inner: "def drain(): pass\n"}
    (fact,) = facts_between(before, after)
    assert (fact.name, fact.change, fact.after) == ("rocket.fill", FactChange.REMOVED, "fill_all")


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (("tank_level", "tank_level", "tank_level"), "tank_level"),
        (("tank_level", "tank_level", "tank_depth"), "tank_level"),
        (("tank_level", "tank_depth", "pump"), None),
        (("depth", "depth", "depth"), None),
    ],
)
def test_an_attribute_is_renamed_where_one_name_stands_in_its_place(
    now: tuple[str, str, str], told: str | None
) -> None:
    inner = "rocket/engine/inner/pump.py"
    text = (
        "class Pump(Module):\n    def __init__(self, tank):\n        self.{} = tank\n"
        "    def fill(self):\n        return self.{}.fill()\n"
        "    def stop(self):\n        self.{}.stop()\n"
    )
    was = {inner: text.format(*["full_tank"] * 3)}
    left = {inner: text.format(*now)}
    (fact,) = move_facts(item_of(was, left), left)
    assert (fact.change, fact.after and fact.after.rpartition(".")[2]) == (
        (FactChange.RENAMED, told) if told else (FactChange.REMOVED, None)
    )


def test_how_a_class_checks_its_fields_is_no_method_that_went() -> None:
    inner = "rocket/engine/inner/pump.py"
    head = "class Pump(Module):\n"
    check = '    @field_validator("size")\n    @classmethod\n    def {}(cls, size):\n        go()\n'
    fill = "    def fill(self, tank):\n        return tank.fill(self.size)\n"
    was = {inner: head + fill + check.format("check_size")}
    now = {inner: head + check.format("_check_size")}
    (fact,) = facts_between(was, now)
    assert (fact.name.rpartition(".")[2], fact.names) == ("fill", ())


def test_a_member_is_renamed_where_the_author_says_so() -> None:
    inner = "rocket/engine/inner/pump.py"
    was = {inner: "class Pump(Module):\n    def __init__(self):\n        self.is_dry = check(1)\n"}
    now = {inner: "class Pump(Module):\n    def __init__(self):\n        self.is_empty = look(2)\n"}
    (fact,) = facts_between(was, now, title="Rename is_dry to `is_empty`")
    assert (fact.change.value, fact.after) == ("renamed", "rocket.engine.inner.pump.Pump.is_empty")
    (fact,) = move_facts(item_of(was, now, title="Move is_dry to is_empty"), now)
    assert fact.change.value == "removed"


def test_an_argument_is_renamed_where_the_author_says_so() -> None:
    def pump(name: str) -> dict[str, str]:
        code = f"def fill(tank, *, {name}=None, lid=1):\n    return tank.fill({name}, lid)\n"
        return {FRONT: "from .pump import fill\n", "rocket/pump.py": code}

    (fact,) = facts_between(pump("plate_sizes"), pump("rows"), title="Rename plate_sizes to rows")
    assert (fact.change.value, fact.after) == ("renamed", "fill(rows)")
    changes = [one.change.value for one in facts_between(pump("plate_sizes"), pump("rows"))]
    assert changes == ["removed", "added"]


@pytest.mark.parametrize(
    ("before", "after", "inferred"),
    [
        ("fill_level: int, rows", "level: int, rows", False),
        ("fill_level: int, rows", "level: float, rows", True),
    ],
)
def test_an_argument_is_surely_another_one_where_type_default_and_most_of_its_name_stay(
    before: str, after: str, *, inferred: bool
) -> None:
    sides = (
        {FRONT: "from .pump import fill\n", "rocket/pump.py": f"def fill({each}):\n    pass\n"}
        for each in (before, after)
    )
    (fact,) = facts_between(*sides)
    assert (fact.change.value, fact.inferred) == ("renamed", inferred)


def test_an_argument_stays_where_one_of_two_classes_of_its_name_goes() -> None:
    pipe = "from dataclasses import dataclass\n\n\n@dataclass\nclass Pipe:\n    size: int\n"
    front = {FRONT: "from .wide import Pipe\n"}
    before = {**front, "rocket/wide.py": pipe, "rocket/narrow.py": f"x = 1\n{pipe}"}
    after = {**front, "rocket/wide.py": f"{pipe}    rate: int = 1\n", "rocket/narrow.py": "x = 1\n"}
    told = [(fact.change.value, fact.name) for fact in facts_between(before, after)]
    assert told == [("added", "Pipe(rate)")]


def test_a_kernel_that_code_launches_is_nobodys_to_call() -> None:
    def kernel(name: str) -> dict[str, str]:
        return {
            "rocket/ops/pump.py": f"@triton.jit\ndef pump_kernel({name}, n):\n    fill({name})\n"
        }

    assert facts_between(kernel("a_ptr"), kernel("b_ptr"), title="Speed up pump_kernel") == ()


def test_a_module_that_became_a_package_is_imported_as_before() -> None:
    code = (
        "def fill(tank):\n    return tank.fill(1)\n\n\ndef drain(tank):\n    return tank.drain(1)\n"
    )
    before = {FRONT: "", "rocket/pump.py": code}
    inner = {"rocket/pump/base.py": code}
    item = item_of(before, {FRONT: ""} | inner, renamed={"rocket/pump/base.py": "rocket/pump.py"})
    assert [fact.name for fact in move_facts(item)] == ["rocket.pump"]
    after = {FRONT: "", "rocket/pump/__init__.py": "from .base import fill, drain\n"} | inner
    item = item_of(before, after, renamed={"rocket/pump/base.py": "rocket/pump.py"})
    assert move_facts(item) == []
    nameless = '"""Pumps."""\n\nfrom __future__ import annotations\n\n__all__ = []\n'
    for front in ("# Pumps.\n", nameless):
        empty = after | {"rocket/pump/__init__.py": front}
        item = item_of(before, empty, renamed={"rocket/pump/base.py": "rocket/pump.py"})
        assert [fact.after for fact in move_facts(item)] == ["rocket.pump.base"]


def test_classes_that_a_program_made_are_not_told_one_by_one() -> None:
    inner = "rocket/engine/inner/pump.py"
    was = {inner: "".join(f"class Pump{at}:\n    size = {at}\n" for at in range(500))}
    assert facts_between(was, {inner: "x = 1\n"}) == ()


@pytest.mark.parametrize(
    ("folder", "of"),
    [("", ()), ("python/", ()), ("hopper/", ("hopper",)), ("rocket/engine/", ("rocket/engine",))],
)
def test_what_a_package_of_its_own_folder_needs_is_told_of_that_package(
    folder: str, of: tuple[str, ...]
) -> None:
    before = {f"{folder}{PROJECT}": _pyproject('  "hull>=1",\n')}
    after = {f"{folder}{PROJECT}": _pyproject('  "hull>=2",\n')}
    (fact,) = facts_between(before, after)
    assert (fact.name, fact.after, fact.conditions) == ("hull", ">=2", of)


@pytest.mark.parametrize(
    ("front", "after"),
    [
        ("from .pumps import Pump, Valve\n", "rocket.parts"),
        ("from .pumps import (\n    Pump,\n    Old as Valve,\n)\n", "rocket.parts"),
        ('_TABLE = {"Pump": "pumps", "Valve": "pumps"}\n', "rocket.parts"),
        ("class Pump: ...\n\n\ndef valve(): ...\n\n\nValve = 1\n", "rocket.parts"),
        ("from .pumps import Pump\n", None),
        ("from .pumps import Pump as Pump2, Valve as Valve2\n", None),
        ("# Pump and Valve are gone.\nsize = 1  # of Pump and Valve\n", None),
        ('"""Pump and Valve\n\nPump, Valve = both\n"""\n', None),
        ("from .pumps import Pump, Valve\n1 and\n", None),
    ],
)
def test_a_module_that_went_is_said_to_be_in_a_front_whose_code_has_its_names(
    front: str, after: str | None
) -> None:
    parts = "rocket/parts/__init__.py"
    gone = "class Pump:\n    size = 1\n\n\nclass Valve:\n    size = 2\n"
    item = item_of({"rocket/parts/engine.py": gone, parts: ""}, {parts: front})
    (fact,) = [one for one in move_facts(item, {parts: front}) if one.subject is Subject.MODULE]
    assert (fact.before, fact.after) == ("rocket.parts.engine", after)


def test_where_several_modules_went_none_is_said_to_be_in_a_front() -> None:
    parts, front = "rocket/parts/__init__.py", "from .pumps import Pump, Valve\n"
    one, other = "class Pump:\n    size = 1\n", "class Valve:\n    size = 2\n"
    before = {"rocket/parts/engine.py": one, "rocket/parts/lid.py": other, parts: ""}
    facts = move_facts(item_of(before, {parts: front}), {parts: front})
    (fact,) = [each for each in facts if each.subject is Subject.MODULE]
    assert (fact.names, fact.after) == (("rocket.parts.engine", "rocket.parts.lid"), None)


def test_names_that_went_are_found_in_no_front_that_has_others() -> None:
    parts = "rocket/parts/__init__.py"
    front = "".join(f"from .pumps import Pump{n}\n" for n in range(600))
    gone = "".join(f"class Valve{n}: ...\n" for n in range(300))
    item = item_of({"rocket/parts/engine.py": gone, parts: front}, {parts: front})
    (fact,) = [one for one in move_facts(item, {parts: front}) if one.subject is Subject.MODULE]
    assert (fact.name, fact.after) == ("rocket.parts.engine", None)


def test_a_new_extra_says_of_which_package_it_is() -> None:
    for path, conditions in ((PROJECT, ()), ("pyproject_cpu.toml", ("cpu",))):
        old, new = ({path: _pyproject("", extras)} for extras in ("", 'fast = ["tank>=1"]'))
        (fact,) = facts_between(old, new)
        assert (fact.name, fact.after, fact.conditions) == ("extra fast", "tank>=1", conditions)


def test_a_front_that_no_longer_imports_a_module_of_its_own_takes_it_from_nobody() -> None:
    before = REACHED | {PART: "from . import pump, valve\n", PUMP: "x = 1\n", VALVE: "y = 1\n"}
    after = before | {PART: "from . import valve\n"}
    assert facts_between(before, after) == ()
    assert facts_between(after, before) == ()  # `import rocket.engine.pump` worked all the time

    gone = facts_between(before, REACHED | {PART: "from . import valve\n", VALVE: "y = 1\n"})
    assert "rocket.engine.pump" in {fact.name for fact in gone if fact.must_act}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("from . import tank\n", ["rocket.ion.tank", "rocket.sail.tank"]),
        ("from .tank import fill\n", ["rocket.ion.fill"]),
    ],
)
def test_modules_of_several_packages_that_are_called_alike_are_each_told(
    line: str, names: list[str]
) -> None:
    front = {FRONT: "from . import ion\nfrom . import sail\n"}
    fronts = ("rocket/ion/__init__.py", "rocket/sail/__init__.py")
    old, new = ({path: text for path in fronts} for text in ("x = 1\n", f"{line}x = 1\n"))
    tank = dict.fromkeys(("rocket/ion/tank.py", "rocket/sail/tank.py"), "def fill(): ...\n")
    facts = facts_between(front | old, front | new | tank)
    assert [fact.name for fact in facts] == names


def test_a_name_that_a_front_takes_from_a_module_of_its_own_goes_with_the_line() -> None:
    before = REACHED | {PART: "from .pump import fill\n", PUMP: "def fill(): ...\n"}
    (fact,) = facts_between(before, before | {PART: "x = 1\n"})
    assert fact.name == "rocket.engine.fill"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "mask, tank, speed=1",
            "tank, speed=1, mask=0",
            ("mask, tank, speed", "tank, speed, mask"),
        ),
        ("tank, a, b, speed", "tank, b, a, speed", ("a, b", "b, a")),
        ("a, tank, old, b", "tank, new, a, b", ("a, tank", "tank, a")),
        # New and gone ones among them are told by themselves.
        ("tank, old, speed", "tank, new, speed", None),
        # Who gives those by name is not hit.
        ("tank, *, a, b", "tank, *, b, a", None),
        (
            "a, b, c, d, e, f, g, h, i",
            "i, b, c, d, e, f, g, h, a",
            ("a, b, c, d, e, f, g, h, …", "i, b, c, d, e, f, g, h, …"),
        ),
        ("tank, a, b", "tank, *, b, a", None),
    ],
)
def test_arguments_that_swap_their_places_are_told_of_the_function(
    before: str, after: str, expected: tuple[str, str] | None
) -> None:
    front = REACHED | {PART: "from .pump import fill\n"}
    facts = facts_between(
        front | {PUMP: f"def fill({before}): ...\n"}, front | {PUMP: f"def fill({after}): ...\n"}
    )
    swapped = [one for one in facts if one.name == "fill" and one.change is FactChange.CHANGED]
    assert [(one.before, one.after) for one in swapped] == ([expected] if expected else [])
    assert all(one.must_act for one in swapped)


def test_fields_of_a_record_have_no_places() -> None:
    front = REACHED | {PART: "from .pump import Tank\n"}
    record = "@dataclass\nclass Tank:\n    {}: int\n    {}: int\n"
    sides = (front | {PUMP: record.format(*each)} for each in (("a", "b"), ("b", "a")))
    assert facts_between(*sides) == ()


def test_of_two_definitions_of_one_function_no_order_is_told() -> None:
    front = REACHED | {PART: "from .pump import fill\n"}
    code = "if COLD:\n    def fill({}): ...\nelse:\n    def fill({}): ...\n"
    for sides in (("a, b", "b, a"), ("b, a", "a, b")):
        old, new = (front | {PUMP: code.format(*each)} for each in (("a, b", "a, b"), sides))
        assert facts_between(old, new) == ()
