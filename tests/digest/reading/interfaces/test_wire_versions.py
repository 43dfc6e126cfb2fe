from collections.abc import Callable
from dataclasses import replace

import pytest

from digest.facts import FactChange, Subject
from digest.models import FileChange, Item
from digest.reading.interfaces.facts import interface_facts
from digest.reading.known_facts import is_of_code

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
    found = [(one.change, one.subject, one.before, one.after, one.must_act) for one in facts]
    expected = (FactChange.CHANGED, Subject.PROTOCOL, "2", "3", True)
    assert found == ([expected] if told else [])
    assert not any(map(is_of_code, facts)), "who runs both sides has to act, not who imports"
