"""Settings that code looks up in a table which is handed over whole."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from digest.facts import FactChange, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces.extra_config import extra_config_facts
from digest.reading.interfaces.facts import interface_facts

Make = Callable[..., Item]
PATH = "kiln/oven/link.py"
LOOK = 'heat = self.oven_extra_config.get("{}", {})'
NAME = "oven_extra_config.preheat_time"


def _change(make: Make, patch: str, path: str = PATH, **more: object) -> Item:
    file = FileChange(path, "modified", 1, 1, patch=f"@@ -7,3 +7,3 @@\n{patch}\n pass")
    return replace(make(1, "Preheat"), files=(replace(file, **more),))  # type: ignore[arg-type] # fields of one dataclass


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        pytest.param(
            "+" + LOOK.format("preheat_time", 30), (FactChange.ADDED, NAME, None, "30"), id="new"
        ),
        pytest.param(
            '+heat = settings.get_from_extra_config(\n+    "preheat_time", 30\n+)',
            (FactChange.ADDED, "extra_config.preheat_time", None, "30"),
            id="over lines",
        ),
        pytest.param(
            '+heat = oven_extra_config.get("preheat_time", default_time(3))',
            (FactChange.ADDED, NAME, None, None),
            id="a default that is worked out",
        ),
        pytest.param(
            f"-{LOOK.format('preheat_time', 30)}\n+{LOOK.format('preheat_time', 60)}",
            (FactChange.DEFAULT, NAME, "30", "60"),
            id="another default",
        ),
        pytest.param(
            f"-{LOOK.format('preheat_time', 30)}\n+warm = 1 + {LOOK.format('preheat_time', 30)}",
            None,
            id="looked up otherwise",
        ),
        pytest.param(
            f'-heat = oven["preheat_time"]\n+{LOOK.format("preheat_time", 30)}',
            None,
            id="known under its name before",
        ),
        pytest.param(f" {LOOK.format('preheat_time', 30)}\n+turn()", None, id="as it was"),
        pytest.param(
            f"-{LOOK.format('preheat_time', 1000)}\n+{LOOK.format('preheat_time', '1_000')}",
            None,
            id="a number written otherwise",
        ),
        pytest.param(
            f"-{LOOK.format('preheat_time', 30)}\n-{LOOK.format('preheat_time', 40)}\n"
            f"+{LOOK.format('preheat_time', 60)}",
            None,
            id="which of two it was is not known",
        ),
        pytest.param(
            f" {LOOK.format('preheat_time', 30)}\n+warm = {LOOK.format('preheat_time', 60)}",
            None,
            id="looked up once more with another default",
        ),
        pytest.param(f"+# {LOOK.format('preheat_time', 30)}", None, id="a remark"),
        pytest.param(
            '+    It is ``oven_extra_config.get("preheat_time", 30)``.', None, id="spoken of"
        ),
        pytest.param('+heat = self.loaves.get("preheat_time", 30)', None, id="another table"),
    ],
)
def test_a_setting_of_a_table_that_is_handed_over_is_told_where_it_is_looked_up_first(
    pull: Make, patch: str, told: tuple[FactChange, str, str | None, str | None] | None
) -> None:
    facts = [*extra_config_facts(_change(pull, patch))]
    found = [(one.change, one.name, one.before, one.after) for one in facts]
    assert found == ([told] if told else [])
    assert all(one.subject is Subject.CONFIG_FIELD for one in facts)
    assert all(one.must_act is (one.change is FactChange.DEFAULT) for one in facts)


def test_a_setting_is_new_for_sure_only_where_the_whole_file_is_known(pull: Make) -> None:
    line = LOOK.format("preheat_time", 30)
    change = _change(pull, f"+{line}")
    (guessed,) = extra_config_facts(change)
    (sure,) = extra_config_facts(change, {PATH: f"{line}\n"})
    assert (guessed.inferred, sure.inferred) == (True, False)
    assert [*extra_config_facts(change, {PATH: f'{line}\nwarm("preheat_time")\n'})] == []


SHORT = 'heat = extra_config.get("preheat_time", 30)'
IS = "extra_config = oven.oven_extra_config"


@pytest.mark.parametrize(
    ("rest", "name"),
    [
        (IS, NAME),
        ("extra_config: dict[str, Any] = oven.oven_extra_config or {}", NAME),
        ("extra_config = oven.read()", "extra_config.preheat_time"),
        (f"{IS}\nextra_config = rack.rack_extra_config", "extra_config.preheat_time"),
        (f"old_{IS}", "extra_config.preheat_time"),
    ],
)
def test_a_table_that_code_calls_by_a_shorter_name_is_told_by_that_which_it_is_handed_over_as(
    pull: Make, rest: str, name: str
) -> None:
    change = _change(pull, f"+{SHORT}")
    assert [one.name for one in extra_config_facts(change, {PATH: f"{rest}\n{SHORT}\n"})] == [name]
    beside = _change(pull, "\n".join(f" {line}" for line in rest.split("\n")) + f"\n+{SHORT}")
    assert [one.name for one in extra_config_facts(beside)] == [name]


@pytest.mark.parametrize("path", ["tests/test_link.py", "examples/link.py", "kiln/oven/link.md"])
def test_what_no_user_runs_has_no_settings(pull: Make, path: str) -> None:
    assert [*extra_config_facts(_change(pull, f"+{LOOK.format('preheat_time', 30)}", path))] == []


def test_of_very_many_settings_the_first_ones_are_told(pull: Make) -> None:
    lines = "\n".join(f"+{LOOK.format(f'level_{at}', at)}" for at in range(9))
    names = [one.name.partition(".")[2] for one in extra_config_facts(_change(pull, lines))]
    assert names == [f"level_{at}" for at in range(8)]


def test_what_a_new_file_looks_up_may_have_been_taken_along(pull: Make) -> None:
    line = f"+{LOOK.format('preheat_time', 30)}"
    assert [*extra_config_facts(_change(pull, line, status="added"))] == []


def test_such_a_setting_is_one_of_the_facts_of_a_change(pull: Make) -> None:
    facts = interface_facts([_change(pull, f"+{LOOK.format('preheat_time', 30)}")], {})
    assert [one.name for one in facts] == [NAME]
