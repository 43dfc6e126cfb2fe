"""Defaults that a class of settings gives the fields of the class above it."""

import pytest

from tests.digest.reading.interfaces.changed import facts_between

PATH = "rocket/configs/ovens.py"
HEAD = "from dataclasses import dataclass\n\n\n"
BASE = (
    "@dataclass\nclass OvenParams(Params):\n    heat: int = 200\n    doors: int = 1\n"
    "    rack: Rack = Rack.LOW\n"
)
SMALL = "\n\n@dataclass\nclass SmallOvenParams(OvenParams):\n    width: int = 1\n"
HEAT = "    heat: int = {}\n"


def _told(before: str, after: str) -> list[tuple[str, str, str | None, str | None]]:
    facts = facts_between({PATH: HEAD + before}, {PATH: HEAD + after})
    return [(one.change.value, one.name, one.before, one.after) for one in facts]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param(SMALL, SMALL + HEAT.format(180), ("200", "180"), id="for the first time"),
        pytest.param(SMALL + HEAT.format(180), SMALL, ("180", "200"), id="no more"),
        pytest.param(
            SMALL + HEAT.format(180), SMALL + HEAT.format(170), ("180", "170"), id="another one"
        ),
        pytest.param(SMALL, SMALL + HEAT.format(200), None, id="the same one"),
        pytest.param(SMALL, SMALL + "    light: int = 3\n", None, id="a field of its own"),
        pytest.param(SMALL, SMALL + "    rack: Rack = Rack.HIGH\n", None, id="no literal"),
        pytest.param("", SMALL + HEAT.format(180), None, id="a new class"),
        pytest.param(
            SMALL + HEAT.format(180),
            SMALL + HEAT.format(170) + SMALL.replace("Small", "Tiny") + HEAT.format(180),
            None,
            id="another class goes on with the old one",
        ),
    ],
)
def test_a_default_below_another_class_of_settings_is_told(
    before: str, after: str, told: tuple[str, str] | None
) -> None:
    expected = [("default", "SmallOvenParams.heat", *told)] if told else []
    assert _told(BASE + before, BASE + after) == expected


@pytest.mark.parametrize("name", ["SmallOven", "SmallArchConfig", "ModelOvenParams"])
def test_what_a_class_is_that_is_none_of_settings_is_not_told(name: str) -> None:
    small = SMALL.replace("SmallOvenParams", name)
    assert not _told(BASE + small, BASE + small + HEAT.format(180))
    assert not _told(BASE + small + HEAT.format(1), BASE + small + HEAT.format(2))


def test_classes_that_stand_on_each_other_are_looked_at_once() -> None:
    ring = "".join(
        f"\n\n@dataclass\nclass {one}Params({other}Params):\n    width: int = 1\n"
        for one, other in ("AB", "BC", "CA")
    )
    assert not _told(ring, ring + HEAT.format(2))


def test_one_field_of_two_classes_is_told_of_each() -> None:
    other = SMALL.replace("Small", "Tiny")
    before = SMALL + HEAT.format(180) + other + HEAT.format(90)
    after = SMALL + HEAT.format(170) + other + HEAT.format(80)
    assert _told(BASE + before, BASE + after) == [
        ("default", "SmallOvenParams.heat", "180", "170"),
        ("default", "TinyOvenParams.heat", "90", "80"),
    ]


CONFIG = "rocket/config/ovens.py"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param("", HEAT.format(180), ("default", "200", "180"), id="for the first time"),
        pytest.param(HEAT.format(180), "", ("default", "180", "200"), id="no more"),
        pytest.param(
            HEAT.format(180), HEAT.format(170), ("default", "180", "170"), id="another one"
        ),
        pytest.param("", HEAT.format(200), None, id="the same one"),
        pytest.param(HEAT.format(200), "", None, id="the same one no more"),
        pytest.param(
            "", HEAT.replace("heat", "lid").format(1), ("added", None, "1"), id="of its own"
        ),
    ],
)
def test_a_default_below_another_class_of_a_configuration_is_told_once(
    before: str, after: str, told: tuple[str, str | None, str] | None
) -> None:
    head, small = (one.replace("Params", "Config") for one in (HEAD + BASE, SMALL))
    facts = facts_between({CONFIG: head + small + before}, {CONFIG: head + small + after})
    name = "small_oven_config.lid" if told and told[0] == "added" else "small_oven_config.heat"
    assert [(one.change.value, one.name, one.before, one.after) for one in facts] == (
        [(told[0], name, *told[1:])] if told else []
    )


@pytest.mark.parametrize(("between", "is_told"), [(4, True), (5, False)])
def test_classes_above_are_looked_at_up_to_a_depth(between: int, is_told: bool) -> None:
    chain = "".join(
        f"\n\n@dataclass\nclass Oven{n}Params(Oven{n - 1}Params):\n    width: int = 1\n"
        for n in range(1, between + 2)
    )
    chain = BASE.replace("OvenParams", "Oven0Params") + chain
    expected = [("default", f"Oven{between + 1}Params.heat", "200", "180")] if is_told else []
    assert _told(chain, chain + HEAT.format(180)) == expected
