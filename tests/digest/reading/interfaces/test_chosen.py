"""Defaults that code chooses, by hardware, model or another setting."""

from itertools import pairwise

import pytest

from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import wanted
from digest.reading.interfaces.window import settled
from tests.digest.reading.interfaces.changed import facts_between, item_of

ARGS = "rocket/srt/serve_args.py"
CONFIG = "rocket/config/engine.py"
ENVS = "rocket/envs.py"
HOOK = "rocket/arg_groups/heavy_hook.py"


def _args(body: str, called: str = "self.fill()", field: str = "pump: str = 'auto'") -> str:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return (
        f"@dataclass\nclass ServeArgs:\n    {field}\n    fuel: int = 1\n\n"
        f"    def __post_init__(self):\n        {called}\n\n    def fill(self):\n{lines}\n"
    )


def _config(body: str) -> str:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return (
        "@dataclass\nclass EngineConfig:\n    tank: int | None = None\n\n"
        f"    def __post_init__(self):\n{lines}\n"
    )


GUARD = "if self.pump == 'auto':\n    self.pump = "
PLAIN = GUARD + "'steam'"
BY_DEVICE = (
    "if self.pump == 'auto':\n    if is_moon():\n        self.pump = {}\n"
    "    elif is_mars():\n        self.pump = {}\n    else:\n        self.pump = {}"
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            BY_DEVICE.format("'a'", "'b'", "'c'"),
            BY_DEVICE.format("'a'", "'x'", "'c'"),
            [("'b'", "'x'", ("is_mars()",))],
            id="another value on one device",
        ),
        pytest.param(
            PLAIN,
            BY_DEVICE.format("'ion'", "'steam'", "'steam'"),
            [("'steam'", "'ion'", ("is_moon()",))],
            id="a device that gets another value",
        ),
        pytest.param(
            BY_DEVICE.format("'ion'", "'steam'", "'steam'"),
            PLAIN,
            [("'ion'", "'steam'", ("is_moon()",))],
            id="a device that is as the others are",
        ),
        pytest.param(
            PLAIN,
            GUARD + "'ion' if is_moon() and self.fuel > 3 else 'steam'",
            [("'steam'", "'ion'", ("is_moon()", "fuel > 3"))],
            id="a choice in one line",
        ),
        pytest.param(
            BY_DEVICE.format("'a'", "'b'", "'c'"),
            BY_DEVICE.format("'a'", "'b'", "'x'"),
            [("'c'", "'x'", ("not is_moon()", "not is_mars()"))],
            id="what all the others get",
        ),
        pytest.param(
            "if not is_moon():\n    return\n" + PLAIN,
            "if not is_moon():\n    return\n" + GUARD + "'ion'",
            [("'steam'", "'ion'", ("is_moon()",))],
            id="behind a return",
        ),
        pytest.param(
            BY_DEVICE.format("'a'", "'b'", "'c'"),
            BY_DEVICE.format("'a'", "pick()", "'c'"),
            [],
            id="a value that is worked out now",
        ),
        pytest.param(
            PLAIN + "\nif self.pump != 'auto':\n    self.pump = 'a'",
            PLAIN + "\nif self.pump != 'auto':\n    self.pump = 'b'",
            [],
            id="what replaces a value that somebody set",
        ),
        pytest.param(
            PLAIN,
            "if self.pump == 'auto':\n    if self.wide:\n        self.pump = 'ion'\n"
            "    else:\n        self.pump = 'steam'",
            [],
            id="only with a setting that is new",
        ),
        pytest.param("self.inner = 'a'", "self.inner = 'b'", [], id="no setting"),
        pytest.param(
            "text = '''\n    def fill(self):\n'''\n" + PLAIN, "x = (", [], id="what does not parse"
        ),
    ],
)
def test_what_code_gives_who_sets_nothing(
    before: str, after: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    facts = facts_between({ARGS: _args(before)}, {ARGS: _args(after)})
    defaults = [one for one in facts if one.change.value == "default"]
    assert [(one.before, one.after, one.conditions) for one in defaults] == expected
    assert all((one.name, one.must_act) == ("--pump", True) for one in defaults)


def test_a_condition_around_the_call_is_told_and_an_unknown_caller_named() -> None:
    called = "if self.fuel > 3:\n            self.fill()"
    old, new = (_args(GUARD + value, called) for value in ("'steam'", "'ion'"))
    (inside,) = facts_between({ARGS: old}, {ARGS: new})
    hook = "def heavy(server_args):\n    server_args.pump = {}\n"
    (apart,) = facts_between({HOOK: hook.format("'steam'")}, {HOOK: hook.format("'ion'")})
    assert [one.conditions for one in (inside, apart)] == [("fuel > 3",), ("heavy()",)]


def test_a_default_of_a_config_and_long_conditions_are_cut() -> None:
    body = "if self.tank is None and {}:\n    if {}:\n        self.tank = {}"
    first, last = "is_" + "very_" * 15 + "far()", "is_moon_" + "or_mars_" * 5 + "()"
    old, new = (_config(body.format(first, last, value)) for value in (4, 8))
    (fact,) = facts_between({CONFIG: old}, {CONFIG: new})
    assert (fact.name, fact.before, fact.after) == ("engine_config.tank", "4", "8")
    assert fact.conditions == (last, "…")


def _envs(value: str) -> str:
    return f"class Envs:\n    ROCKET_B = EnvBool(False)\n    ROCKET_A = EnvBool({value})\n"


@pytest.mark.parametrize(
    ("value", "conditions"),
    [
        ("is_moon()", ("is_moon()",)),
        ("not is_moon()", ("not is_moon()",)),
        ("True if device == 'moon' else False", ("device == 'moon'",)),
        ("_on_moon", ("space.moon is not None",)),
    ],
)
def test_a_switch_that_is_on_in_one_place_alone(value: str, conditions: tuple[str, ...]) -> None:
    function = "def _on_moon():\n    return space.moon is not None\n\n\n"
    without = "class Envs:\n    ROCKET_B = EnvBool(False)\n"
    after = function + _envs(value)
    (came,) = facts_between({ENVS: function + without}, {ENVS: after})
    (changed,) = facts_between({ENVS: function + _envs("False")}, {ENVS: after})
    assert (came.change.value, came.after, came.conditions) == ("added", "True", conditions)
    assert (changed.before, changed.after, changed.conditions) == ("False", "True", conditions)


def test_a_default_that_a_function_works_out_under_another_condition() -> None:
    table = 'LEVEL = {\n    "fuse": may_fuse,\n    "wide": False,\n}\n'
    old, new = (
        f"def may_fuse(cfg):\n    return cfg.size > 1 and {one}\n\n\n{table}"
        for one in ("is_device_capability(9)", "(is_device_capability(9) or is_moon())")
    )
    (fact,) = facts_between({CONFIG: old}, {CONFIG: new})
    assert (fact.name, fact.before) == ("fuse", "… and is_device_capability(9)")
    assert fact.after == "… and (is_device_capability(9) or is_moon())"


def _over(*trees: dict[str, str]) -> list[tuple[str, str | None, str | None]]:
    """Return what is left of the changes between trees at the end of their window."""
    items = [
        item_of(before, after, sha=f"{at + 1:040x}", parent=f"{at:040x}")
        for at, (before, after) in enumerate(pairwise(trees))
    ]
    contents = {at: trees[int(at.sha, 16)].get(at.path) for at in wanted(items)}
    facts = settled(interface_facts(items, contents))
    return [(one.change.value, one.before, one.after) for one in facts]


def test_what_code_gives_a_setting_that_came_within_the_window_is_no_news() -> None:
    without = {ARGS: _args("pass", field="hull: int = 0")}
    first, second = ({ARGS: _args(BY_DEVICE.format(one, "'b'", "'c'"))} for one in ("'a'", "'x'"))
    assert ("default", "'a'", "'x'") not in _over(without, first, second)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.tank = 1\nself.tank += 3", "self.tank = 4"),
        ("self.tank = 1", "self.tank = 3\nself.tank: int = 1"),
        ("self.tank = 1\nself.tank, x = f()", "self.tank = 2\nself.tank, x = f()"),
        ("if self.tank == 9:\n    self.tank = 1", "if self.tank == 9:\n    self.tank = 2"),
        ("try:\n    self.tank = 1\nexcept E:\n    self.tank = 5",
         "try:\n    self.tank = 2\nexcept E:\n    self.tank = 5"),
        ("for one in x:\n    self.tank = 1", "for one in x:\n    self.tank = 2"),
    ],
)  # fmt: skip
def test_what_is_not_known_to_be_given_is_no_default(before: str, after: str) -> None:
    sides = ({CONFIG: _config(body)} for body in (before, after))
    assert facts_between(*sides) == ()


def test_what_stands_behind_a_branch_that_leaves_holds_in_the_other_one() -> None:
    body = "if is_moon():\n    pass\nelse:\n    return\nif self.tank is None:\n    self.tank = {}"
    (fact,) = facts_between({CONFIG: _config(body.format(1))}, {CONFIG: _config(body.format(2))})
    assert fact.conditions == ("is_moon()",)


def test_a_function_of_very_many_branches_is_read_and_hides_no_other_fact() -> None:
    branches = "".join(f"if c{n}:\n    self.tank = {n}\n    return\n" for n in range(1_200))
    deep = f"if {'not ' * 900}a:\n    self.tank = 1\n"
    for body in (branches, deep):
        before, after = (_config(f"{body}self.tank = {n}") for n in (1, 2))
        new = after.replace("    tank:", "    fuel: int = 1\n    tank:")
        names = [one.name for one in facts_between({CONFIG: before}, {CONFIG: new})]
        assert any("fuel" in name for name in names)
