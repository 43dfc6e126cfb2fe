"""What a program in Rust takes on its command line."""

import pytest

from digest.reading.interfaces.rust_flags import may_have, rust_definitions
from tests.digest.reading.interfaces.changed import Told, facts_between, told

MAIN = "oven-gateway/src/main.rs"
HEAD = "const LIMIT: u64 = 1_000;\n\n#[derive(Parser)]\nstruct CliArgs {\n"


def _main(*fields: str) -> str:
    return HEAD + "".join(f"    /// One more (of them)\n    {field},\n" for field in fields) + "}\n"


HOST = '#[arg(long, default_value = "0.0.0.0")]\n    host: String'
HEAT = "#[arg(long, default_value_t = {})]\n    oven_heat: u32"
RACK = "#[arg(long, value_parser = [{}])]\n    rack: Option<String>"


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (HEAT.format(200), [("flag", "added", "--oven-heat", None, "200")]),
        (HEAT.format("LIMIT"), [("flag", "added", "--oven-heat", None, "1000")]),
        (HEAT.format("crate::LIMIT"), [("flag", "added", "--oven-heat", None, None)]),
        (
            '#[clap(\n        long = "heat",\n        // as read\n        env = "OVEN_HEAT",\n'
            '        help = "Heat",\n    )] // degrees\n    #[serde]\n    pub degrees: u32',
            [
                ("flag", "added", "--heat", None, None),
                ("env", "added", "OVEN_HEAT", None, None),
            ],
        ),
        ("#[arg(long)]\n    dry: bool", [("flag", "added", "--dry", None, "False")]),
        ("#[arg(long, default_value_t = true)]\n    dry: bool",
         [("flag", "added", "--dry", None, "True")]),
        ('#[arg(help = "how long it bakes")]\n    time: u32', []),
        ("#[command(subcommand)]\n    long: Bake", []),
    ],
    ids=["default", "a constant", "another file's constant", "its own name and a variable",
         "a switch", "a switch that is on", "by its place", "no argument"],
)  # fmt: skip
def test_new_flags_are_told(field: str, expected: list[Told]) -> None:
    assert told(facts_between({MAIN: _main(HOST)}, {MAIN: _main(HOST, field)})) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (HEAT.format(200), HEAT.format(220), [("flag", "default", "--oven-heat", "200", "220")]),
        (HEAT.format(1000), HEAT.format("LIMIT"), []),
        (HEAT.format(200), HEAT.format("200 /* low */"), []),
        (HEAT.format(200), HOST.replace("host", "host_name"),
         [("flag", "removed", "--oven-heat", "200", None),
          ("flag", "added", "--host-name", None, "'0.0.0.0'")]),
        (RACK.format('"low"'), RACK.format('"low", "high"'),
         [("choice", "added", "--rack", None, "high")]),
    ],
    ids=["default", "the same by name", "not read", "gone", "choice"],
)  # fmt: skip
def test_flags_that_are_others_are_told(before: str, after: str, expected: list[Told]) -> None:
    assert told(facts_between({MAIN: _main(HOST, before)}, {MAIN: _main(HOST, after)})) == expected


@pytest.mark.parametrize(
    "path", ["oven/src/heat.rs", "oven/benches/main.rs", "oven/tests/src/main.rs"]
)
def test_what_is_no_command_line_of_a_program_is_not_read(path: str) -> None:
    assert not facts_between({path: _main(HOST)}, {path: _main(HOST, HEAT.format(200))})


def test_a_program_that_comes_as_a_whole_is_not_told_flag_by_flag() -> None:
    assert not facts_between({}, {MAIN: _main(HOST)})


def test_a_flag_in_python_by_the_same_name_is_another_one() -> None:
    args = "oven/serve_args.py"
    parser = "def build(parser):\n    parser.x = 1\n{}    return parser\n"
    flag = '    parser.add_argument("--oven-heat", type=int, default=200)\n'
    before = {MAIN: _main(HOST, HEAT.format(200)), args: parser.format("")}
    after = {MAIN: _main(HOST), args: parser.format(flag)}
    assert {one.change.value for one in facts_between(before, after)} == {"added", "removed"}


@pytest.mark.parametrize(("held", "value"), [("pub const HOT: u32 = 2_000;", "2000"), ("", None)])
def test_a_default_is_told_by_a_constant_that_another_file_of_the_change_gets(
    held: str, value: str | None
) -> None:
    types = "oven-gateway/src/config/types.rs"
    before = {MAIN: _main(HOST), types: "// All of it.\n"}
    after = {MAIN: _main(HOST, HEAT.format("HOT")), types: f"// All of it.\n{held}\n"}
    assert told(facts_between(before, after)) == [("flag", "added", "--oven-heat", None, value)]


CLI = "oven-gateway/src/cli.rs"


def test_flags_that_moved_to_another_file_are_neither_gone_nor_new() -> None:
    both, one = _main(HOST, HEAT.format(200)), _main(HOST)
    moved = HEAD + f"    {HEAT.format(200)},\n}}\n"
    assert not facts_between({MAIN: both}, {MAIN: one, CLI: moved})
    assert not facts_between({CLI: moved, MAIN: one}, {MAIN: both})
    assert not facts_between({MAIN: both}, {MAIN: one, "oven/src/options.rs": moved})
    by_place = moved.replace("long, ", "")
    assert told(facts_between({MAIN: both}, {MAIN: one, CLI: by_place}))
    assert told(facts_between({MAIN: both, CLI: moved}, {MAIN: one, CLI: "// Nothing.\n"}))


@pytest.mark.parametrize(
    "field",
    [
        "#[arg(long)]\n    /// How hot\n    // it is\n    heat: u32",
        '#[arg(long, help = "Heat (as in [low(er)])")]\n    heat: u32',
        f'#[arg(long, help = "{"hot " * 1_000}")]\n    heat: u32',
        f'#[arg(long, help = "{"hot " * 5_000}")]\n    heat: u32',
        "#[arg(long)]\n    r#heat: u32",
        "#[arg(long)]\n    heat: &'static str",
        "#[arg(long)]\n    #[serde(\n        skip\n    )]\n    pub(crate) heat: u32",
        '#[arg(help = r#"a "b)] c"#, long)]\n    heat: u32',
        "#[arg(value_delimiter = '\"', long)]\n    heat: u32",
    ],
)
def test_a_flag_that_is_written_otherwise_is_neither_gone_nor_new(field: str) -> None:
    plain = "#[arg(long)]\n    heat: u32"
    assert not facts_between({MAIN: _main(HOST, plain)}, {MAIN: _main(HOST, field)})
    assert not facts_between({MAIN: _main(HOST, field)}, {MAIN: _main(HOST, plain)})
    assert told(facts_between({MAIN: _main(HOST, plain)}, {MAIN: _main(HOST, "heat: u32")}))


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("/// Like: #[arg(long)] zoom: u8\n    light: u8", []),
        ('#[arg(help = "slow, long waits")]\n    time: u32', []),
        ('#[arg(long, default_value_t = String::from("a,b"))]\n    time: String',
         [("flag", "added", "--time", None, None)]),
        ('#[arg(long, default_value = "a,b", value_parser = ["a,b", "c"])]\n    time: String',
         [("flag", "added", "--time", None, "'a,b'")]),
        ("#[arg(short, long)]\n    short: u32", [("flag", "added", "--short", None, None)]),
    ],
)  # fmt: skip
def test_what_stands_in_a_comment_or_a_text_is_no_flag(field: str, expected: list[Told]) -> None:
    by_place = "#[arg(short)]\n    short: u32"
    facts = facts_between({MAIN: _main(HOST, by_place)}, {MAIN: _main(HOST, field, by_place)})
    if "short, long" in field:
        facts = facts_between({MAIN: _main(HOST, by_place)}, {MAIN: _main(HOST, field)})
    assert told(facts) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("#[arg(long" + "\n" * 100_000, 0),
        ('#[arg(long, help = "' + '\\"' * 50_000, 0),
        (
            "".join(f"#[arg(long, default_value_t = A{n})]\n a{n}: u8,\n" for n in range(4_000)),
            4_000,
        ),
        ("#[arg(long\n" * 10_000, 0),
        ("#[arg(long)]\n" * 10_000, 0),
        ("long " * 4_000, 0),
        ("const A: u8 = 1;\n" * 4_000, 0),
    ],
    ids=range(7),
)
def test_what_is_written_without_end_is_read(text: str, count: int) -> None:
    assert len(rust_definitions(MAIN, text)) == count
    assert not may_have(text, "--heat")
