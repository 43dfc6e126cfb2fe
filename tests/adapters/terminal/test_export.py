import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.export import BEGIN, END, day_page, updated
from adapters.terminal.files import FileFailed, read_text, write_text
from adapters.terminal.main import run
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Digest, Repo, Roundup
from digest.reading.reader import read
from digest.sources.recorded import Recorded
from digest.writing.pages import digest_page
from digest.writing.rules import write
from tests.adapters.terminal.command_line import DEMO, SOURCE

EN = Language.EN


def test_a_day_gets_a_page_and_the_index_holds_it_in_full(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "markdown", "out", "2026-03-04", *SOURCE]) == 0

    assert capsys.readouterr().out == "out/reports/2026-03-04.md\nout/README.md\n"
    page = (here / "out/reports/2026-03-04.md").read_text()
    index = (here / "out/README.md").read_text()
    assert "[#4096](https://github.com/lumen-org/lumen/pull/4096)" in page
    assert page.strip() in index
    assert "- [2026-03-04](reports/2026-03-04.md)" in index
    assert run(["export", "markdown", "out", "2026-03-04", *SOURCE]) == 0
    assert capsys.readouterr().out == "out is up to date\n"
    assert run(["export", "markdown", "out", "2026-03-04", "--analysis", *SOURCE]) == 0
    assert "## Contents" in (here / "out/reports/2026-03-04.md").read_text()


def test_what_a_person_wrote_around_the_marks_stays(here: Path) -> None:
    (here / "out").mkdir()
    index = here / "out/README.md"
    index.write_text("# Our team\n\nWe read this.\n")
    run(["export", "markdown", "out", "2026-03-04", *SOURCE])
    index.write_text(index.read_text() + "\nWritten below.\n")

    run(["export", "markdown", "out", "2026-03-04", "--lang", "zh", *SOURCE])

    assert index.read_text().startswith("# Our team\n\nWe read this.\n\n<!-- infra:")
    assert index.read_text().endswith("<!-- infra: end -->\n\nWritten below.\n")


def test_a_day_that_could_not_be_looked_at_leaves_its_page_as_it_was(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:1")
    page = here / "out/reports/2026-03-04.md"
    page.parent.mkdir(parents=True)
    page.write_text("as it was\n")

    assert run(["export", "markdown", "out", "2026-03-04", "vllm"]) == 1

    assert page.read_text() == "as it was\n"
    assert "infra: 2026-03-04: could not look at vllm-project/vllm" in capsys.readouterr().err


def test_the_newest_day_is_told_in_full_and_all_are_linked_newest_first() -> None:
    pages = {"2026-02-10": "old", "2026-02-12": "new", "2026-02-11": "middle"}

    index = updated("", pages, "reports", EN)

    assert "new" in index
    assert "old" not in index
    positions = [index.index(f"[{day}]") for day in ("2026-02-12", "2026-02-11", "2026-02-10")]
    assert positions == sorted(positions)


@given(st.text(), st.text())
def test_updating_twice_is_updating_once(before: str, page: str) -> None:
    if BEGIN in before or END in before or BEGIN in page or END in page:
        return
    once = updated(before, {"2026-02-11": page}, "reports", EN)

    assert updated(once, {"2026-02-11": page}, "reports", EN) == once
    assert once.startswith(before.rstrip("\n"))


@pytest.mark.parametrize("index", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{BEGIN}{END}"])
def test_marks_that_are_no_pair_are_told_and_nothing_is_guessed(index: str) -> None:
    with pytest.raises(UsageError, match="begin mark and its end mark once each"):
        updated(index, {"2026-02-11": "page"}, "reports", EN)


def test_a_file_keeps_its_mode_and_new_ones_are_readable_by_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.md"
    assert write_text(path, "one")
    assert path.stat().st_mode & 0o777 == 0o644

    path.chmod(0o600)
    assert write_text(path, "two")
    assert path.stat().st_mode & 0o777 == 0o600
    assert not write_text(path, "two")
    assert os.listdir(path.parent) == ["file.md"]
    write_text(path, "a\ud800b")
    assert read_text(path) == "a?b"


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileFailed, match=r"cannot write .*taken: Is a directory"):
        write_text(tmp_path / "taken", "text")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileFailed, match="make room or name another file"):
        write_text(tmp_path / "file" / "x.md", "text")

    assert sorted(os.listdir(tmp_path)) == ["file", "taken"]


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"\xff")
    with pytest.raises(FileFailed, match="is not UTF-8 text"):
        read_text(tmp_path / "x.md")
    with pytest.raises(FileFailed, match="cannot be read"):
        read_text(tmp_path)
    assert read_text(tmp_path / "none.md") == ""


def test_a_day_of_several_repositories_is_a_roundup_and_the_busy_ones_in_full() -> None:
    recorded = Recorded(DEMO)
    busy = asyncio.run(_digest(recorded))
    quiet = replace(busy, reading=replace(busy.reading, repo=Repo("a", "quiet"), items=()))
    roundup = Roundup(busy.reading.window, (busy, quiet))

    page = day_page(roundup, [digest_page(busy, EN)], EN)
    alone = day_page(Roundup(quiet.reading.window, (quiet,)), [], EN)

    assert [line for line in page.splitlines() if line.startswith("# ")] == [
        "# 2 repositories · 2026-03-04",
        "# lumen-org/lumen · 2026-03-04",
    ]
    assert alone.startswith("# a/quiet · 2026-03-04")


async def _digest(recorded: Recorded) -> Digest:
    activity = await recorded.collect(recorded.name(), recorded.window())
    return write(read(activity), activity.collected_at)
