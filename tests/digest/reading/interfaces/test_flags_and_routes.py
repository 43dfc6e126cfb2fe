"""Flags as they are typed, whatever their fields are, and what a server is asked for by a path."""

import pytest

from tests.digest.reading.interfaces.changed import Told, facts_between, told

ARGS = "rocket/cli/serve_args.py"
PARTS = "rocket/configs/parts/hull.py"
SERVER = "rocket/server.py"


def _args(field: str, call: str) -> str:
    return (
        f"@dataclass\nclass ServerArgs:\n    fuel: int = 1\n{field}\n\n"
        f"def build(parser):\n    parser.add_argument('--fuel')\n{call}    return parser\n"
    )


@pytest.mark.parametrize(
    ("call", "named"),
    [
        ('"--dock-size", dest="dock_degree"', "--dock-size"),
        ('"-d", "--dock-size", type=int, dest="dock_degree", default=None', "--dock-size"),
        ('"--dock-size", dest="dock_degrees"', "--dock-degree"),
        ('"--dock-size", help="The (whole) size", dest="dock_degree"', "--dock-degree"),
    ],
)
def test_a_flag_is_called_as_its_parser_calls_it_which_sets_a_field_of_another_name(
    call: str, named: str
) -> None:
    before = _args("", "")
    after = _args("    dock_degree: int | None = None", f"    parser.add_argument({call})\n")
    names = {fact.name for fact in facts_between({ARGS: before}, {ARGS: after})}
    assert named in names
    assert (named == "--dock-size") == ("--dock-degree" not in names)


def _choices(choices: str, fuels: str = "fuels = list(Fuels.all.keys())") -> dict[str, str]:
    return {
        ARGS: f"def build(parser):\n    {fuels}\n    parser.add_argument(\n"
        f'        "--fuel",\n        choices={choices},\n    )\n'
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("fuels", '["any"] + fuels', [("added", "any")], id="beside a list"),
        pytest.param(
            "list(Fuels.all.keys())", '["any"] + fuels', [("added", "any")], id="of another name"
        ),
        pytest.param('fuels + ["any"]', '[*fuels, "oil"]', [("removed", "any"), ("added", "oil")],
                     id="within a list"),
        pytest.param("old_fuels", '["any"] + fuels', [], id="beside another list"),
        pytest.param('["any"] + fuels', '["any"] + more_fuels', [], id="another list"),
        pytest.param("[one.name for one in Fuels]", "[one for one in Fuels]", [], id="no list"),
    ],
)  # fmt: skip
def test_choices_beside_a_list_that_is_not_read_are_told(
    before: str, after: str, expected: list[tuple[str, str]]
) -> None:
    facts = facts_between(_choices(before), _choices(after))
    assert [(one.change.value, one.before or one.after) for one in facts] == expected


def test_a_choice_that_lines_show_to_have_been_one_is_not_new() -> None:
    fuels = "class Fuel(Enum):\n    {} = 1\n    GAS = 2\n\n\n"
    before, after = fuels.format("OIL"), fuels.format("OILS")
    given = _choices("list(Fuel)")[ARGS], _choices('list(Fuel) + ["oil", "sun"]')[ARGS]
    other = "rocket/core/fuels.py"
    facts = facts_between({ARGS: given[0], other: before}, {ARGS: given[1], other: after})
    assert [one.after for one in facts if one.name == "--fuel"] == ["sun"]


def _parts(*calls: str, given: str = 'prefix: str = "hull-parts"') -> str:
    lines = "".join(
        f"        parser.add_argument(\n            {call},\n        )\n" for call in calls
    )
    return (
        "class HullParts:\n    width: int = 1\n\n    @staticmethod\n"
        f"    def add_cli_args(parser, {given}):\n{lines}        return parser\n"
    )


WIDE, OPEN = 'f"--{prefix}.wide"', 'f"--{prefix}.open", type=int, default=1'


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (_parts(WIDE), _parts(WIDE, OPEN), [("flag", "added", "--hull-parts.open", None, "1")]),
        (
            _parts(WIDE, given="prefix"),
            _parts(WIDE, OPEN, given="prefix"),
            [("flag", "added", "--<prefix>.open", None, "1")],
        ),
        (_parts(WIDE, OPEN), _parts(WIDE), [("flag", "removed", "--hull-parts.open", "1", None)]),
        (None, _parts(WIDE, OPEN), []),
        (_parts(WIDE), _parts(WIDE, 'f"--{prefix}open"'), []),
        (
            _parts(WIDE).replace("add_cli_args", "measure"),
            _parts(WIDE, OPEN).replace("add_cli_args", "measure"),
            [],
        ),
    ],
    ids=["new", "of a prefix that is given", "gone", "a new file", "one word", "another function"],
)
def test_flags_that_begin_with_what_their_function_is_given(
    before: str | None, after: str, expected: list[Told]
) -> None:
    assert told(facts_between({PARTS: before} if before else {}, {PARTS: after})) == expected


def _aiohttp(*calls: str) -> str:
    return "def serve(app):\n    app.port = 1\n" + "".join(f"    {call}\n" for call in calls)


OLD = 'app.router.add_get("/health", health)'


@pytest.mark.parametrize(
    ("path", "call", "name"),
    [
        (SERVER, 'app.router.add_post("/start", start)', "/start"),
        (SERVER, 'app.add_routes([web.get("/start", start)])', "/start"),
        (SERVER, 'app.router.add_static("/start", start)', None),
        (SERVER, 'pump.web.fetch("/start", start)', None),
        ("rocket/dock/conn.py", 'app.router.add_post("/start", start)', None),
        ("rocket/dock/options.py", 'app.router.add_post("/start", start)', None),
        ("rocket/entrypoints/options.py", 'app.router.add_post("/start", start)', "/start"),
    ],
)
def test_paths_that_a_server_hands_to_functions_are_endpoints(
    path: str, call: str, name: str | None
) -> None:
    facts = facts_between({path: _aiohttp(OLD)}, {path: _aiohttp(OLD, call)})
    assert told(facts) == ([("endpoint", "added", name, None, None)] if name else [])


def _handler(looks_up: str, route: str = "/bake") -> str:
    return (
        f'@router.post("{route}")\nasync def bake(request):\n'
        f'    shelf = request.query_params.get("shelf", "1")\n{looks_up}'
        "    return shelf\n"
    )


MODE = '    mode = request.query_params.get("mode", "slow")\n'


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            _handler(""),
            _handler(MODE),
            [("request_field", "added", "/bake?mode=", None, "'slow'")],
        ),
        (
            _handler(MODE),
            _handler(MODE.replace("slow", "fast")),
            [("request_field", "default", "/bake?mode=", "'slow'", "'fast'")],
        ),
        (
            _handler(MODE),
            _handler(""),
            [("request_field", "removed", "/bake?mode=", "'slow'", None)],
        ),
        ("", _handler(MODE), [("endpoint", "added", "/bake", None, None)]),
        (
            _handler(MODE),
            _handler("", "/heat"),
            [
                ("endpoint", "removed", "/bake", None, None),
                ("endpoint", "added", "/heat", None, None),
            ],
        ),
        (_handler(""), _handler('    mode = options.get("mode", "slow")\n'), []),
    ],
    ids=["new", "another default", "gone", "a new path", "another path", "no query"],
)
def test_what_a_handler_looks_up_in_a_query_is_a_part_of_a_request(
    before: str, after: str, expected: list[Told]
) -> None:
    facts = facts_between(
        {SERVER: "import web\n\n\n" + before}, {SERVER: "import web\n\n\n" + after}
    )
    assert told(facts) == expected


@pytest.mark.parametrize(
    ("named", "table", "names"),
    [("FuelMethods", "fuels", ("fuel",)), ("FuelMethods", "", ())],
    ids=["beside a table", "alone"],
)
def test_a_choice_is_not_told_of_a_type_beside_what_people_write(
    named: str, table: str, names: tuple[str, ...]
) -> None:
    def written(*fuels: str) -> str:
        listed = ", ".join(f'"{one}"' for one in fuels)
        rows = "".join(f'    "{one}": {one.title()}Fuel,\n' for one in fuels)
        return f"{named} = Literal[{listed}]\n\n" + (f"{table} = {{\n{rows}}}\n" if table else "")

    path = "rocket/layers/fuel/__init__.py"
    facts = facts_between({path: written("oil", "gas")}, {path: written("oil", "gas", "ions")})
    choice = next(fact for fact in facts if fact.after == "ions")
    assert choice.name == (names[0] if names else named)
    assert choice.names in (names, ())
