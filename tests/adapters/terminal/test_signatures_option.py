"""Upgrade notes about public Python functions, which are told where they are asked for."""

import subprocess
from pathlib import Path

import pytest

from adapters.terminal.main import run

BEFORE = 'def split(text: str, size: int) -> list[str]:\n    """Cut a text."""\n    return []\n'
AFTER = BEFORE.replace("size: int", "width: int")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository whose one public function was changed on 2026-02-11."""
    for name, value in {
        "DATABASE_URL": f"sqlite:///{tmp_path / 'infra.sqlite3'}",
        "INFRA_NOW": "2026-02-12T09:00:00Z",
        "GIT_AUTHOR_DATE": "2026-02-11T10:00:00Z",
        "GIT_COMMITTER_DATE": "2026-02-11T10:00:00Z",
    }.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "texts"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "Ida")
    git(folder, "config", "user.email", "ida@example.org")
    for text, title in ((BEFORE, "Cut texts"), (AFTER, "Say how wide a piece is")):
        (folder / "texts").mkdir(exist_ok=True)
        (folder / "texts" / "cutting.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", title)
    return folder


def test_a_changed_public_function_is_told_where_signatures_are_asked_for(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    day = [".", "2026-02-11", "--source", f"git:{clone}"]
    told = {}
    for options in ((), ("--signatures",), ()):
        assert run([*day, *options]) == 0
        told[options] = capsys.readouterr().out

    assert "signature changed" in told["--signatures",]
    assert "width: int" in told["--signatures",]
    assert "signature" not in told[()]


def test_an_export_tells_signatures_too(clone: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    words = ["export", "markdown", str(folder), "2026-02-11", "--source", f"git:{clone}"]

    assert run([*words, "--signatures"]) == 0
    assert "signature changed" in (folder / "reports" / "2026-02-11.md").read_text()
