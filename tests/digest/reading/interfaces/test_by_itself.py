"""Settings that code turns on by itself, where who set nothing had the default of the class."""

import pytest

from tests.digest.reading.interfaces.changed import facts_between

ARGS = "kiln/bake_args.py"
HOOK = "kiln/hook.py"
WAY = "self.heat > 1"


def _args(body: str, fan: str = "fan: str | None = None", more: str = "") -> str:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return (
        f"@dataclass\nclass BakeArgs:\n    {fan}\n    heat: int = 1\n    by_hand: bool = False\n"
        "    lid: A[\n        bool,\n        'Keep it shut.',\n    ] = False\n\n"
        f"    def __post_init__(self):\n        self.fill()\n\n"
        f"    def fill(self):\n        loaf = self.loaf()\n{lines}\n{more}"
    )


def _given(where: str, value: str = "self.fan = 'fast'") -> str:
    return f"if {where}:\n    {value}"


RYE = "loaf in ['rye']"
UNSET = "self.fan is None and "


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("pass", _given("is_npu()"), ("is_npu()",), id="given for the first time"),
        pytest.param("pass", _given("is_npu()", "self.lid = True"), ("is_npu()",), id="a switch"),
        pytest.param("pass", _given("of_stone(loaf)"), None, id="asked for the first time"),
        pytest.param(
            f"if not is_deep():\n    raise E\n{_given(WAY)}", _given(WAY), None, id="refused before"
        ),
        pytest.param(
            _given(f"{UNSET}loaf in ['rye'] and is_deep()"),
            _given(f"{UNSET}loaf in ['rye', 'oat'] and is_deep()"),
            None,
            id="a loaf that nothing named before",
        ),
        pytest.param(
            _given(f"{UNSET}loaf in ['rye'] and is_deep()") + "\nself.log('oat')",
            _given(f"{UNSET}loaf in ['rye', 'oat'] and is_deep()") + "\nself.log('oat')",
            ("is_deep()", "loaf == 'oat'"),
            id="one loaf more",
        ),
        pytest.param(
            _given(f"is_deep() and {WAY}"),
            _given(f"(is_deep() or is_npu()) and {WAY}"),
            ("heat > 1", "is_npu()"),
            id="one oven more",
        ),
        pytest.param(
            _given(f"is_deep() and not is_old() and {WAY}"),
            _given(f"is_deep() and {WAY}"),
            ("is_deep()", "heat > 1", "is_old()"),
            id="a condition less",
        ),
        pytest.param(
            _given("is_deep()"), _given(f"is_deep() and {WAY}"), None, id="a condition more"
        ),
        pytest.param(
            f"if {RYE}:\n    self.fan = 'slow'\nelif is_deep():\n    self.fan = 'fast'",
            f"if {RYE}:\n    self.fan = 'slow'\nelif loaf in ['oat']:\n    self.log()\n"
            "elif is_deep():\n    self.fan = 'fast'",
            None,
            id="another branch before it",
        ),
        pytest.param(
            _given("is_deep() and is_wide()"),
            _given("is_hot() and is_round()"),
            None,
            id="conditions that are written otherwise",
        ),
        pytest.param(
            _given("is_hot()", "self.fan = 'slow'"),
            _given("is_hot()", "self.fan = 'slow'") + "\n" + _given("is_deep()"),
            None,
            id="given something else where both hold",
        ),
        pytest.param(
            _given("is_hot() or is_npu()", "self.fan = 'slow'"),
            _given("is_hot() or is_npu()", "self.fan = 'slow'")
            + "\n"
            + _given("not is_hot() or is_npu()"),
            None,
            id="given something else where one of both holds",
        ),
        pytest.param(
            _given("is_hot()", "self.fan = 'slow'"),
            _given("is_hot()", "self.fan = 'slow'") + "\n" + _given("not is_hot()"),
            ("not is_hot()",),
            id="given something else where it does not hold",
        ),
        pytest.param(
            _given("loaf == 'rye'", "self.fan = 'slow'") + "\nself.log('oat')",
            _given("loaf == 'rye'", "self.fan = 'slow'")
            + "\n"
            + _given("loaf == 'oat'")
            + "\nself.log('oat')",
            ("loaf == 'oat'",),
            id="given something else to another loaf",
        ),
        pytest.param("pass", _given("is_deep()", "self.lid = False"), None, id="off as it was"),
        pytest.param("pass", _given("is_deep()", "self.fan = self.pick()"), None, id="worked out"),
        pytest.param(
            _given("is_deep() and is_hot()", "self.fan = 'slow'"),
            _given("is_deep() and is_hot()", "self.fan = 'slow'")
            + "\n"
            + _given(f"is_deep() and {WAY}"),
            None,
            id="another value where more holds",
        ),
        pytest.param(
            "self.log('auto')",
            "self.log('auto')\n" + _given("self.fan == 'auto'"),
            None,
            id="what nobody has who sets nothing",
        ),
        pytest.param(
            _given("loaf in ['rye', 'oat'] and (not loaf == 'bun')"),
            _given("loaf in ['rye', 'oat']"),
            None,
            id="a condition less that said nothing",
        ),
        pytest.param(
            _given("loaf == 'rye' and is_deep()", "self.fan = 'slow'") + "\nself.log('oat')",
            _given("loaf == 'rye' and is_deep()", "self.fan = 'slow'")
            + "\n"
            + _given("loaf in ['rye', 'oat'] and is_deep()")
            + "\nself.log('oat')",
            ("loaf == 'rye'", "is_deep()"),
            id="another value to one loaf of a list",
        ),
        pytest.param(
            "self.log(is_npu())",
            f"if not is_old():\n    {_given('is_npu()').replace(chr(10), chr(10) + '    ')}\n"
            f"if not is_wet():\n    {_given('is_npu()').replace(chr(10), chr(10) + '    ')}",
            ("is_npu()",),
            id="told alike of two branches",
        ),
    ],
)
def test_what_code_gives_where_the_default_of_the_class_held(
    before: str, after: str, expected: tuple[str, ...] | None
) -> None:
    facts = facts_between({ARGS: _args(before)}, {ARGS: _args(after)})
    assert [one.conditions for one in facts] == ([] if expected is None else [expected])
    assert all((one.change.value, one.must_act) == ("default", True) for one in facts)


def test_the_default_of_the_class_and_what_code_gives_are_both_told() -> None:
    (fact,) = facts_between({ARGS: _args("pass")}, {ARGS: _args(_given("is_npu()"))})
    assert (fact.name, fact.before, fact.after) == ("--fan", "None", "'fast'")


@pytest.mark.parametrize(
    "other",
    [
        "    def __init__(self):\n        self.fan = 'fast'\n",
        "    def __init__(self):\n        if is_hot():\n            self.fan = 'slow'\n",
    ],
)
def test_nothing_is_told_that_another_function_may_give(other: str) -> None:
    old, new = (_args(body, more=other) for body in ("pass", _given("is_npu()")))
    assert facts_between({ARGS: old}, {ARGS: new}) == ()


def test_what_another_function_gives_who_asks_for_it_hides_nothing() -> None:
    other = "    def __init__(self):\n        if self.by_hand:\n            self.fan = 'slow'\n"
    old, new = (_args(body, more=other) for body in ("pass", _given("is_npu()")))
    assert len(facts_between({ARGS: old}, {ARGS: new})) == 1


@pytest.mark.parametrize(
    ("was", "told"),
    [
        ("def turn(args):\n    args.fan = 'fast'\n", 0),
        ("def turn(args):\n    return {'fan': 'fast'}\n", 0),
        ("def turn(args):\n    args.fans = 'fast'\n", 1),
    ],
)
def test_what_moved_from_another_file_is_no_news(was: str, told: int) -> None:
    old = {ARGS: _args("pass"), HOOK: was}
    new = {ARGS: _args(_given("is_npu()")), HOOK: "def turn(args):\n    pass\n"}
    assert len([one for one in facts_between(old, new) if one.name == "--fan"]) == told


def test_what_counts_with_a_setting_that_is_new_was_not_so_for_anybody() -> None:
    pump = "fan: str | None = None\n    pump: bool = False"
    for fan, told in ((pump, 1), ("fan: str | None = None", 0)):
        old, new = _args("pass", fan=fan), _args(_given(f"not self.pump and {WAY}"), fan=pump)
        facts = facts_between({ARGS: old}, {ARGS: new})
        assert len([one for one in facts if one.name == "--fan"]) == told


def test_a_private_field_is_no_setting() -> None:
    for name, told in (("fan", 1), ("_fan", 0)):
        value = f"self.{name} = 'fast'"
        old, new = (
            _args(body, fan=f"{name}: str | None = None")
            for body in ("pass", _given("is_npu()", value))
        )
        assert len(facts_between({ARGS: old}, {ARGS: new})) == told


def test_what_is_given_last_counts() -> None:
    last = _given("is_npu()", "self.fan = 'slow'")
    (fact,) = facts_between({ARGS: _args("pass")}, {ARGS: _args(f"{_given('is_npu()')}\n{last}")})
    assert fact.after == "'slow'"


def test_a_function_that_nothing_is_seen_to_call_gives_nothing() -> None:
    old, new = (
        _args(body).replace("        self.fill()\n", "        pass\n")
        for body in ("pass", _given("is_npu()"))
    )
    assert facts_between({ARGS: old}, {ARGS: new}) == ()


def test_the_default_of_a_field_is_that_of_its_class_alone() -> None:
    for fan, told in (("fan: str | None = field(default=None)", 1), ("sill: int = 0", 0)):
        below = "\n\n@dataclass\nclass Rack:\n    fan: str | None = None\n"
        old, new = (_args(body, fan=fan, more=below) for body in ("pass", _given("is_npu()")))
        assert len(facts_between({ARGS: old}, {ARGS: new})) == told


def test_a_new_switch_is_told_with_where_code_turns_it_on() -> None:
    old = _args("pass", fan="sill: int = 0")
    fan = "sill: int = 0\n    fan: bool = False"
    on = f"{_given(RYE, 'self.fan = True')}\nelif loaf == 'oat':\n    self.fan = True"
    wide = f"{_given(RYE, 'self.fan = True')}\nelif is_deep():\n    self.fan = True"
    both = wide.replace(RYE, "(is_hot() or is_npu()) and is_wide()")
    everywhere = "self.fan = True"
    for body, where in (
        (on, ("loaf in ['rye', 'oat']",)),
        (wide, ("loaf in ['rye'] or is_deep()",)),
        (both, ("(is_hot() or is_npu()) and is_wide() or is_deep()",)),
        (everywhere, ()),
        (_given(RYE, "self.fan = False"), ()),
    ):
        facts = facts_between({ARGS: old}, {ARGS: _args(body, fan=fan)})
        (came,) = [one for one in facts if one.change.value == "added"]
        assert (came.after, came.conditions) == ("True" if where else "False", where)


def test_a_switch_of_another_class_is_not_turned_on_with_it() -> None:
    path = "kiln/config/oven.py"
    tray = (
        "@dataclass\nclass TrayConfig:\n    fan: bool = False\n\n"
        "    def __post_init__(self):\n        if is_deep():\n            self.fan = True\n\n\n"
    )
    oven = "@dataclass\nclass OvenConfig:\n    heat: int = 1\n"
    (came,) = facts_between({path: tray + oven}, {path: f"{tray}{oven}    fan: bool = False\n"})
    assert (came.name, came.after, came.conditions) == ("oven_config.fan", "False", ())


def test_what_a_function_gives_is_told_with_where_it_is_called() -> None:
    old, new = (
        _args("pass").replace("self.fill()", "if is_npu():\n            self.fill()"),
        _args("self.fan = 'fast'").replace("self.fill()", "if is_npu():\n            self.fill()"),
    )
    (fact,) = facts_between({ARGS: old}, {ARGS: new})
    assert (fact.after, fact.conditions) == ("'fast'", ("is_npu()",))


def test_what_joins_a_branch_of_many_settings_is_no_loaf_that_was_there() -> None:
    for count, told in ((2, 2), (3, 0)):
        given = "\n    ".join(f"self.part_{n} = 'fast'" for n in range(count))
        fields = "\n    ".join(f"part_{n}: str = 'slow'" for n in range(count))
        old, new = (
            _args(_given(f"loaf in {loaves}", given) + "\nself.log('oat')", fan=fields)
            for loaves in (["rye"], ["rye", "oat"])
        )
        assert len(facts_between({ARGS: old}, {ARGS: new})) == told
