from collections.abc import Callable
from dataclasses import replace

import pytest

from digest.facts import FactChange
from digest.models import FileChange, Item
from digest.reading.interfaces.facts import interface_facts

Make = Callable[..., Item]


@pytest.mark.parametrize(
    ("path", "gone", "came", "told"),
    [
        (
            "kiln/link.py",
            "OVEN_CONNECTOR_VERSION: int = 2",
            "OVEN_CONNECTOR_VERSION: int = 3",
            True,
        ),
        ("csrc/link.h", "constexpr int WIRE_VERSION = 2;", "constexpr int WIRE_VERSION = 3;", True),
        ("kiln/link.py", "OVEN_CONNECTOR_VERSION = 2", "OVEN_CONNECTOR_VERSION = 2  # two", False),
        ("kiln/link.py", "OVEN_VERSION = 2", "OVEN_VERSION = 3", False),
        ("tests/test_link.py", "OVEN_CONNECTOR_VERSION = 2", "OVEN_CONNECTOR_VERSION = 3", False),
    ],
)
def test_who_upgrades_one_side_is_told_that_a_format_on_the_wire_is_another(
    pull: Make, path: str, gone: str, came: str, told: bool
) -> None:
    file = FileChange(path, "modified", 1, 1, patch=f"@@ -7,1 +7,1 @@\n-{gone}\n+{came}")
    facts = interface_facts([replace(pull(1, "Refactor the link"), files=(file,))], {})
    assert [(one.change, one.before, one.after, one.must_act) for one in facts] == (
        [(FactChange.CHANGED, "2", "3", True)] if told else []
    )
