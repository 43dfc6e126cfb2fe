"""A folder to be in, with a database and a clock of the test's own, and no GitHub."""

import shutil
from pathlib import Path

import pytest

from tests.adapters.terminal.command_line import environment


@pytest.fixture
def here(tmp_path: Path, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(migrated_sqlite, tmp_path / "infra.sqlite3")
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "DISCORD_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
