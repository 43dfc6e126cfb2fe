import io
import time
from pathlib import Path

import pytest

from adapters.terminal.main import run
from adapters.terminal.output import progress
from tests.conftest import PATIENCE

DEMO = Path(__file__).parents[3] / "adapters" / "terminal" / "demo" / "activity.json"
SOURCE = ("--source", f"recorded:{DEMO}")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'infra.sqlite3'}")
    monkeypatch.setenv("INFRA_NOW", "2026-03-06T09:00:00Z")
    return tmp_path


def test_what_was_recorded_tells_the_same_digest(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["record", "lumen", "2026-03-04", "again.json", *SOURCE]) == 0
    assert capsys.readouterr().out.startswith("again.json: ")
    run(["lumen", "2026-03-04", *SOURCE])
    first = capsys.readouterr().out

    run(["lumen", "2026-03-04", "--source", "recorded:again.json"])

    told = capsys.readouterr().out
    assert told.partition("Window:")[0] == first.partition("Window:")[0] != ""


def test_a_file_that_exists_is_left_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.json").write_text("mine")

    assert run(["record", "lumen", "2026-03-04", "mine.json", *SOURCE]) == 2

    assert (here / "mine.json").read_text() == "mine"
    assert capsys.readouterr().err.startswith("infra: mine.json exists: name another file")


def test_what_is_not_recorded_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "lumen", "2026-03-03..2026-03-04", "two.json", *SOURCE]) == 0

    told = capsys.readouterr().err
    assert told.startswith("infra: not recorded: a part of this time: ")
    assert "activity.json holds 2026-03-04 alone" in told


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nobody_is_told_of_progress_in_a_pipe() -> None:
    pipe = io.StringIO()
    with progress(pipe) as tell:
        tell("collecting")

    assert pipe.getvalue() == ""


def test_a_quick_step_shows_nothing_on_a_terminal() -> None:
    terminal = Terminal()
    with progress(terminal) as tell:
        tell("collecting")

    assert "collecting" not in terminal.getvalue()


def test_a_slow_step_shows_after_a_second_and_cannot_disturb_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with progress(terminal) as tell:
        tell("collecting [red]\x1b[2Jsglang")
        ends = time.monotonic() + PATIENCE
        while "sglang" not in terminal.getvalue() and time.monotonic() < ends:
            time.sleep(0.02)

    assert "collecting [red]�[2Jsglang" in terminal.getvalue()
