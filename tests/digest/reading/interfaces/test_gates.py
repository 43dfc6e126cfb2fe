"""Variables that count only while another one is set."""

import pytest

from tests.digest.reading.interfaces.changed import facts_between

ENVS = "rocket/envs.py"
ALL = {
    "ROCKET_STEAM": "0",
    "ROCKET_STEAM_PUMP": "1",
    "ROCKET_STEAM_LID": "1",
    "ROCKET_STEAM_VALVE": "0",
    "ROCKET_STEAMER_LID": "0",
}


def _table(**changed: str) -> dict[str, str]:
    rows = (
        f'    "{name}": lambda: bool(int(os.getenv("{name}", "{value}"))),\n'
        for name, value in {**ALL, **changed}.items()
    )
    return {ENVS: "import os\n\nvariables = {\n" + "".join(rows) + "}\n"}


@pytest.mark.parametrize(
    ("before", "after", "condition"),
    [
        pytest.param({}, {"ROCKET_STEAM_VALVE": "1"}, ("ROCKET_STEAM=1",), id="turned on"),
        pytest.param({}, {"ROCKET_STEAM_PUMP": "0"}, (), id="one of two that were on"),
        pytest.param({}, {"ROCKET_STEAMER_LID": "1"}, (), id="a word that begins alike"),
        pytest.param({}, {"ROCKET_STEAM": "1"}, (), id="what the others count with"),
        pytest.param(
            {"ROCKET_STEAM": "1"},
            {"ROCKET_STEAM": "1", "ROCKET_STEAM_VALVE": "1"},
            (),
            id="a part of what is on",
        ),
        pytest.param(
            {"ROCKET_STEAM_LID": "0"},
            {"ROCKET_STEAM_LID": "0", "ROCKET_STEAM_VALVE": "1"},
            (),
            id="beside one part alone that is on",
        ),
    ],
)
def test_a_default_of_a_part_counts_with_what_it_is_a_part_of(
    before: dict[str, str], after: dict[str, str], condition: tuple[str, ...]
) -> None:
    (fact,) = facts_between(_table(**before), _table(**after))
    assert (fact.conditions, fact.inferred) == (condition, bool(condition))


def test_a_new_variable_that_is_on_counts_with_what_it_is_a_part_of_and_one_that_is_off_asks() -> (
    None
):
    (on,) = facts_between(_table(), _table(ROCKET_STEAM_RING="1"))
    (off,) = facts_between(_table(), _table(ROCKET_STEAM_RING="0"))
    assert (on.after, on.conditions, on.inferred) == ("1", ("ROCKET_STEAM=1",), False)
    assert (off.after, off.conditions) == ("0", ())


COMMENT = "    # Steam of the second kind.\n    # {}.\n    ROCKET_MIST = EnvInt(4)\n"
CLASS = "class Envs:\n    ROCKET_STEAM = EnvBool(False)\n    ROCKET_FIRE = EnvBool(True)\n{}"


@pytest.mark.parametrize(
    ("comment", "condition"),
    [
        ("Requires ROCKET_STEAM", ("ROCKET_STEAM=1",)),
        ("It has no effect unless ROCKET_STEAM is set", ("ROCKET_STEAM=1",)),
        ("It is only used when `ROCKET_STEAM=1`", ("ROCKET_STEAM=1",)),
        ("Requires ROCKET_STEAM=1 and a lid", ("ROCKET_STEAM=1",)),
        ("Needs ROCKET_STEAM to be enabled, or nothing", ("ROCKET_STEAM=1",)),
        ("Only with ROCKET_STEAM set. Not for ovens", ("ROCKET_STEAM=1",)),
        ("Only when 'ROCKET_STEAM' is on", ("ROCKET_STEAM=1",)),
        ("Only used when ROCKET_STEAM is disabled", ()),
        ("Only works with ROCKET_STEAM=0", ()),
        ("No effect unless ROCKET_STEAM = False", ()),
        ("No effect unless `ROCKET_STEAM` is set to 0", ()),
        ("Needs ROCKET_STEAM off", ()),
        ("Needs ROCKET_STEAM to be turned off", ()),
        ("Only read if ROCKET_STEAM is not set", ()),
        ("Only read if ROCKET_STEAM isn't set", ()),
        ("Only read if ROCKET_STEAM is unset", ()),
        ("Requires ROCKET_STEAM or ROCKET_FIRE", ()),
        ("Requires ROCKET_STEAM=1 or ROCKET_FIRE=1", ()),
        ("Requires ROCKET_STEAM/ROCKET_FIRE", ()),
        ("Nothing requires ROCKET_STEAM here", ()),
        ("It does not need ROCKET_STEAM", ()),
        ("It doesn't need ROCKET_STEAM", ()),
        ("Requires ROCKET_STEAM" + "\n    # and so on" * 10, ("ROCKET_STEAM=1",)),
        ("Requires ROCKET_STEAM" + "\n    # and so on" * 12, ()),
        ("Requires ROCKET_FIRE", ()),
        ("Requires ROCKET_OF_OTHERS", ()),
        ("Unlike ROCKET_STEAM it is of no use", ()),
        ("Requires ROCKET_STEAM\n\n    # Of its own", ()),
    ],
)
def test_a_new_variable_counts_with_what_the_comment_above_it_says_that_it_needs(
    comment: str, condition: tuple[str, ...]
) -> None:
    path = "rocket/environ.py"
    after = CLASS.format(COMMENT.format(comment))
    (fact,) = facts_between({path: CLASS.format("")}, {path: after})
    assert (fact.name, fact.conditions) == ("ROCKET_MIST", condition)


ROUTER = "rocket/server/api_router.py"
ROUTES = '@router.{}("/{}")\nasync def {}(asked):\n    return 1\n\n\n'


@pytest.mark.parametrize(
    ("head", "tail", "conditions"),
    [
        pytest.param(
            "",
            "def attach(app):\n    if not envs.ROCKET_DEV_MODE:\n        return\n"
            "    app.include_router(router)\n",
            ("ROCKET_DEV_MODE=1",),
            id="the application takes none without it",
        ),
        pytest.param(
            "",
            "def attach(app):\n    if ROCKET_DEV_MODE:\n        warn()\n"
            "        app.include_router(router)\n",
            ("ROCKET_DEV_MODE=1",),
            id="the application takes them with it",
        ),
        pytest.param(
            "if envs.ROCKET_DEV_MODE:\n    warn()\n\n", "", ("ROCKET_DEV_MODE=1",), id="within"
        ),
        pytest.param("", "def attach(app):\n    app.include_router(router)\n", (), id="always"),
        pytest.param(
            "",
            "def attach(app):\n    if ROCKET_DEV_MODE:\n        app.include_router(debug_router)\n",
            (),
            id="another router is taken with it",
        ),
        pytest.param("if envs.ROCKET_LOG_DIR:\n    warn()\n\n", "", (), id="a folder is given"),
        pytest.param(
            "",
            "def attach(app):\n    if envs.ROCKET_DEV_MODE:\n        warn()\n"
            "    app.include_router(router)\n",
            (),
            id="another thing is done with it",
        ),
        pytest.param(
            "",
            "def attach(app):\n    app.include_router(router)\n    if not envs.ROCKET_DEV_MODE:\n"
            "        return\n    app.include_router(other)\n",
            (),
            id="one of two is taken without it",
        ),
    ],
)
def test_a_new_path_is_told_with_the_variable_without_which_a_server_has_it_not(
    head: str, tail: str, conditions: tuple[str, ...]
) -> None:
    def server(*names: str) -> dict[str, str]:
        routes = "".join(ROUTES.format("post", name, name) for name in names)
        inside = "".join(f"    {line}".rstrip() + "\n" for line in routes.splitlines())
        return {ROUTER: head + (inside if head else routes) + tail}

    (fact,) = facts_between(server("bake"), server("bake", "cool"))
    assert (fact.name, fact.conditions) == ("/cool", conditions)
