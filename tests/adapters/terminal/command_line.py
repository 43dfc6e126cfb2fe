"""The program as its users run it: words, an exit status, and what is printed."""

import os
from pathlib import Path

import pytest

from adapters.terminal.main import run

DEMO = Path(__file__).parents[3] / "adapters" / "terminal" / "demo" / "activity.json"
SOURCE = ("--source", f"recorded:{DEMO}")
DAY = ("lumen", "2026-03-04", *SOURCE)


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "PYTHONPATH"} or name.startswith("COV")  # measured in processes too
    }
    return {
        **kept,
        "HOME": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'infra.sqlite3'}",
        "GITHUB_API_URL": "http://127.0.0.1:1",
        "INFRA_NOW": "2026-03-06T09:00:00Z",
        **more,
    }


def told(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """Run a command line, and give what it printed, or the one line of what was wrong with it."""
    capsys.readouterr()
    assert run(list(words)) == status
    said = capsys.readouterr()
    if status != 2:
        return said.out
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err
