"""What the tests of sources share."""

from pathlib import Path

import pytest

from tests.digest.sources.git.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path / "turbine")
