"""Warnings of what is deprecated whose names a loop, or who calls a function, gives them."""

import pytest

from tests.digest.reading.interfaces.changed import facts_between

PATH = "rocket/config/pump.py"
ENVS = "rocket/envs.py"
TABLE = {
    ENVS: "import os\n\nvariables = {\n"
    + "".join(f'    "ROCKET_{one}": lambda: os.getenv("ROCKET_{one}"),\n' for one in "AB")
    + "}\nuse = 1\n"
}
WARN = "logger.warning({})"
PLAIN = '"Using %s environment variable is deprecated. Please use --%s instead.", {}, {}'
FLAG = '"--%s is deprecated.", {}'
HELPER = (
    "def get_from_env({}):\n    value = os.getenv(env)\n    if value:\n        "
    + WARN.format(PLAIN.format("env", "field"))
    + "\n    return value\n\n\n"
)


def loop(head: str, warning: str) -> str:
    return f"def check(args):\n    for {head}:\n        if args:\n            {warning}\n"


FILLED = {
    "a tuple of names": (
        loop('name in ("ROCKET_A", "ROCKET_B")', 'warnings.warn(f"{name} is deprecated")'),
        [("ROCKET_A", None), ("ROCKET_B", None)],
    ),
    "a dict of names with what comes in their place": (
        loop(
            'old, new in {"ROCKET_A": "ROCKET_X"}.items()',
            'warnings.warn(f"{old} (in ms) is deprecated, please use {new} (in seconds) instead")',
        ),
        [("ROCKET_A", "ROCKET_X")],
    ),
    "a constant that stands above": (
        'OLD = (\n    "ROCKET_A",\n    "ROCKET_B",\n)\n\n\n'
        + loop("name in OLD", WARN.format('"%s is deprecated", name')),
        [("ROCKET_A", None), ("ROCKET_B", None)],
    ),
    "flags by the names of their fields": (
        loop('name in ("burn_rate",)', WARN.format(FLAG.format('name.replace("_", "-")'))),
        [("--burn-rate", None)],
    ),
    "a value of flags that stay": (
        loop(
            'name in ("burn_rate",)',
            WARN.format('"--%s=old is deprecated.", name.replace("_", "-")'),
        ),
        [],
    ),
    "names that only a run knows": (
        loop("name in os.environ", 'warnings.warn(f"{name} is deprecated, see ROCKET_A")'),
        [],
    ),
    "a function that is given the name": (
        HELPER.format("field, env") + 'RATE = get_from_env("burn-rate", "ROCKET_A")\n',
        [("ROCKET_A", "--burn-rate")],
    ),
    "a function that is given the name by keyword": (
        HELPER.format("env, field") + 'RATE = get_from_env(field="burn-rate", env="ROCKET_A")\n',
        [("ROCKET_A", "--burn-rate")],
    ),
    "a method that is given the name": (
        "class Pump:\n    def get_from_env(self, env, field):\n        "
        + WARN.format(PLAIN.format("env", "field"))
        + '\n\n    def make(self):\n        self.get_from_env("ROCKET_A", "burn-rate")\n',
        [("ROCKET_A", "--burn-rate")],
    ),
    "a function of another file that says so in its name": (
        'set_from_deprecated_env(config, "ROCKET_A", "v1", "burn_rate")\n',
        [("ROCKET_A", None)],
    ),
    "a function of another file, which may take the new name first": (
        '_print_deprecated_env("ROCKET_A", "ROCKET_B")\n',
        [],
    ),
    "a function of another file, which may take the old name by keyword": (
        'add_deprecated_env_alias("ROCKET_A", old=OLD)\n',
        [],
    ),
    "a function that takes the new name first": (
        "def warn_deprecated(new, old):\n    warnings.warn(f'{old} is deprecated, use {new}')\n\n\n"
        'warn_deprecated("ROCKET_X", "ROCKET_A")\n',
        [("ROCKET_A", "ROCKET_X")],
    ),
    "a function that warns of some names alone": (
        "def get_env(name):\n    if name in OLD:\n        "
        + WARN.format('"%s is deprecated", name')
        + '\n    return os.getenv(name)\n\n\nRATE = get_env("ROCKET_A")\n',
        [],
    ),
    "a function that warns where it is asked to": (
        "def add_env(table, name, old=False):\n    if old:\n        "
        + WARN.format('"%s is deprecated", name')
        + '\n\n\ndef add(table):\n    add_env(table, "ROCKET_A")\n',
        [],
    ),
    "a function that leaves before it warns": (
        "def get_env(name):\n    if name not in OLD:\n        return 1\n    "
        + WARN.format('"%s is deprecated", name')
        + '\n\n\nRATE = get_env("ROCKET_A")\n',
        [],
    ),
    "a function that warns of names that are set, with a new one or without": (
        "def get_env(old, new=None):\n    if old in os.environ:\n"
        "        if new is None:\n            "
        + WARN.format('"%s is deprecated", old')
        + "\n        else:\n            "
        + WARN.format('"%s is deprecated, use %s instead", old, new')
        + '\n\n\nRATE = get_env("ROCKET_A", "ROCKET_X")\n',
        [("ROCKET_A", "ROCKET_X")],
    ),
    "a method of another object": (
        "class Old:\n    def take_env(self, name):\n        "
        + WARN.format('"%s is deprecated", name')
        + '\n\n\nRATE = settings.take_env("ROCKET_A")\n',
        [],
    ),
    "a method of one class of two": (
        "".join(
            f"class {name}:\n    def get_env(self, name):\n        {does}\n\n"
            '    def read(self):\n        self.get_env("ROCKET_A")\n\n\n'
            for name, does in (
                ("New", "return name"),
                ("Old", WARN.format('"%s is deprecated", name')),
            )
        ),
        [],
    ),
    "a function that speaks of something else": (
        "def set_new(name):\n    warnings.warn('The old way is deprecated, see %s', name)\n\n\n"
        'set_new("ROCKET_A")\n',
        [],
    ),
    "a variable that never was": (
        loop('name in ("ROCKET_V",)', 'warnings.warn(f"{name} is deprecated")'),
        [],
    ),
}


@pytest.mark.parametrize("case", FILLED)
def test_what_a_message_calls_deprecated_once_it_is_filled(case: str) -> None:
    code, expected = FILLED[case]
    before = TABLE | {PATH: "import os\n\n"}
    after = {ENVS: TABLE[ENVS].replace("use = 1", "use = 2"), PATH: f"import os\n\n{code}"}
    found = facts_between(before, after)
    assert [(fact.name, fact.after) for fact in found if fact.change.value == "deprecated"] == (
        expected
    )
    assert all(fact.evidence[0].path == PATH for fact in found)


def test_a_message_that_came_from_another_file_deprecates_nothing_anew() -> None:
    message = "def check(args):\n    warnings.warn('ROCKET_A is deprecated')\n"
    other = "rocket/config/tank.py"
    before = TABLE | {PATH: message, other: "a = 1\n"}
    after = TABLE | {PATH: "b = 1\n", other: message}
    assert facts_between(before, after) == ()
    used = {ENVS: TABLE[ENVS].replace("use = 1", "use = 2")}
    (fact,) = facts_between(TABLE | {PATH: "b = 1\n"}, used | {PATH: message})
    assert (fact.name, fact.change.value) == ("ROCKET_A", "deprecated")


@pytest.mark.parametrize(("was", "is_told"), [("'ROCKET_OLD'", True), ("'ROCKET_OLDER'", False)])
def test_a_name_that_a_table_reads_besides_is_deprecated_where_something_read_it(
    was: str, *, is_told: bool
) -> None:
    reader = {"rocket/core/pump.py": f"import os\n\nRATE = os.environ.get({was}, 1)\n"}
    table = "class Envs:\n    ROCKET_NEW = EnvInt(1{})\n"
    before = reader | {ENVS: table.format("").replace("NEW", "NOW")}
    after = {
        "rocket/core/pump.py": "import os\n\nRATE = envs.ROCKET_NEW.get()\n",
        ENVS: table.format(", deprecated_name='ROCKET_OLD'"),
    }
    found = {(fact.change.value, fact.name) for fact in facts_between(before, after)}
    assert (("deprecated", "ROCKET_OLD") in found) is is_told


def test_a_call_that_changes_its_place_alone_deprecates_nothing_anew() -> None:
    call = 'RATE = get_from_env("{}", "ROCKET_A")\n'
    before, after = (
        TABLE | {PATH: f"import os\n\n\n{HELPER.format('field, env')}{call.format(field)}"}
        for field in ("burn-rate", "burn")
    )
    assert facts_between(before, after) == ()
