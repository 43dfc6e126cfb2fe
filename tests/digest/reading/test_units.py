"""Units that names, help texts and values state."""

import pytest

from digest.reading.units import scaled_unit, stem, unit_of


@pytest.mark.parametrize(
    ("name", "help_text", "unit"),
    [
        ("ROCKET_WAIT_MS", "", "milliseconds"),
        ("--wait-s", "", "seconds"),
        ("--size-mb", "", "megabytes"),
        ("--wait", "how long, in seconds", "seconds"),
        ("--wait", "how long (milliseconds)", "milliseconds"),
        ("--wait", "the second try", None),
        ("ms", "", None),
        ("--stages", "", None),
    ],
)
def test_a_unit_is_what_the_last_word_or_the_help_says(
    name: str, help_text: str, unit: str | None
) -> None:
    assert unit_of(name, help_text) == unit


def test_names_that_differ_in_their_unit_have_one_stem() -> None:
    assert stem("ROCKET_WAIT_MS") == stem("ROCKET_WAIT") == stem("--rocket-wait-s")
    assert stem("MS") == "ms"


@pytest.mark.parametrize(
    ("unit", "before", "after", "expected"),
    [
        ("milliseconds", "30", "30000", "seconds"),
        ("seconds", "1500", "1.5", "milliseconds"),
        ("seconds", "2", "120", "minutes"),
        ("milliseconds", "30", "30", None),
        ("milliseconds", "30", "31000", None),
        ("milliseconds", "0", "0", None),
        ("milliseconds", None, "30", None),
        ("milliseconds", "a", "30", None),
        ("megabytes", "1", "1000", None),
    ],
)
def test_the_old_unit_is_known_where_both_values_are_one_amount(
    unit: str, before: str | None, after: str | None, expected: str | None
) -> None:
    assert scaled_unit(unit, before, after) == expected


@pytest.mark.parametrize(
    ("name", "help_text", "unit"),
    [
        ("ROOM", "# Room in GiB.", "gibibytes"),
        ("ROOM", "how much (MB)", "megabytes"),
        ("ROOM_MB", "Room in MiB.", "mebibytes"),
        ("ROOM_MB", "Room in GiB.", "megabytes"),
        ("WAIT", "in ms", "milliseconds"),
    ],
)
def test_sizes_are_units_too(name: str, help_text: str, unit: str) -> None:
    assert unit_of(name, help_text) == unit
