import os
import shutil
import subprocess
from pathlib import Path

import pytest

from adapters.terminal.demonstration import demonstrate
from adapters.terminal.options import Options
from digest.languages import Language


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(
        ["git", "-C", str(folder), *identity, *words],
        check=True,
        capture_output=True,
        env={**os.environ, "GIT_COMMITTER_DATE": "2025-06-01T12:00:00Z"},
    )


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for title in ("Lay out the house", "Say it in Chinese too"):
        (folder / "file.py").write_text(title)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", title)
    return folder


async def test_it_tells_its_own_history_and_a_busy_day_and_names_the_files_last(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await demonstrate(Options(), checkout) == 0

    told = capsys.readouterr().out
    assert "Say it in Chinese too" in told
    assert "local/infra-digest" in told
    assert "local/project" not in told
    assert "lumen-org/lumen · 2026-03-04" in told
    assert told.startswith("This project's own git history: the 7 days")
    assert "\n\nA recorded busy day of an invented repository" in told
    names = [Path(line) for line in told.splitlines()[-2:]]
    assert [name.name for name in names] == ["own-history.html", "recorded-day.html"]
    assert all(name.read_text().startswith("<!doctype html>") for name in names)


async def test_it_needs_no_setting_and_heeds_none(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INFRA_TZ", "nowhere")
    monkeypatch.setenv("DATABASE_URL", "nonsense")

    assert await demonstrate(Options(language=Language.ZH), checkout) == 0

    told = capsys.readouterr().out
    assert "lumen-org/lumen · 2026-03-04" in told
    assert "\n\n一个虚构仓库的一天" in told


async def test_a_copy_without_history_says_so_and_shows_the_rest(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(checkout / ".git")

    assert await demonstrate(Options(), checkout) == 0

    told = capsys.readouterr().out
    assert told.startswith("This copy of the project came without its git history.\n")
    assert "lumen-org/lumen · 2026-03-04" in told


async def test_a_history_that_git_cannot_read_is_told_with_its_reason(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(checkout / ".git")
    git(checkout, "init", "-q", "-b", "main")

    assert await demonstrate(Options(), checkout) == 0

    assert "git cannot read this project's history: " in capsys.readouterr().out


async def test_without_git_the_recorded_day_is_told(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(checkout))

    assert await demonstrate(Options(), checkout) == 0

    assert capsys.readouterr().out.startswith("git is not installed")


async def test_a_shallow_history_says_that_it_is_shallow(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = checkout.parent / "copy"
    git(checkout, "clone", "-q", "--depth", "1", f"file://{checkout}", str(copy))

    assert await demonstrate(Options(), copy) == 0

    assert "shallow" in capsys.readouterr().out.partition("lumen-org/lumen")[0]
