"""Days of a clone are measured against what an editor chose of them."""

import json
import os
from errno import EISDIR, ENOTDIR
from pathlib import Path

import pytest

from adapters.terminal.evaluate import evaluate
from adapters.terminal.files import FileFailed
from digest.errors import UsageError
from digest.reading.learned import learned_of
from tests.digest.sources.git.workshop import Workshop

GRAVE = "[Bugfix] Fix wrong output of the pump under load"
OTHERS = ("[Docs] Mend a typo", "[CI] Build nightly", "Tidy a comment", "[Docs] Say how to test")


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Labels of two days: each has one change that an editor puts on top, and four of noise."""
    shop = Workshop(tmp_path / "example-org+turbine")
    shop.write("turbine/pump.py", "def flow():\n    return 1\n")
    shop.commit(1, "Begin")
    folder = tmp_path / "labels"
    for part in ("windows", "editors/a"):
        (folder / part).mkdir(parents=True)
    for day in (9, 10):
        shas = [shop.change(day, f"{title} {day}") for title in OTHERS]
        shop.write("turbine/pump.py", f"def flow():\n    return {day}\n")
        keys = [f"k{at}" for at in range(5)]
        items = dict(zip([*shas, shop.commit(day, GRAVE)], keys, strict=True))
        name = f"turbine-2026-02-{day:02d}"
        window = {
            "window": name,
            "repo": "example-org/turbine",
            "snapshot": "example-org/turbine",
            "days": f"2026-02-{day:02d}",
            "items": [{"sha": sha, "key": key} for sha, key in items.items()],
        }
        choice = {
            "top": [{"key": "k4"}],
            "also": [],
            "noise": keys[:4],
            "stories": [],
            "bites": [{"key": "k4", "symptom": "wrong output"}],
        }
        (folder / "windows" / f"{name}.json").write_text(json.dumps(window), "utf-8")
        (folder / "editors" / "a" / f"{name}.json").write_text(json.dumps(choice), "utf-8")
    return folder


def rows(page: str) -> dict[str, list[str]]:
    """Return the cells of each row of a table, by its first; of the heads, by nothing."""
    cells = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("|")]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in cells if row[0] != "---"}


async def test_windows_that_the_weights_do_not_know_are_measured_as_shipped(
    labels: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await evaluate(labels, labels.parent, None, None) == 0

    table = rows(capsys.readouterr().out)
    assert table[""] == ["as shipped: windows 2, changes 10", "by the number of files"]
    assert table["editors' front page among our first six"][0] == "100 % (2 of 2)"
    assert table["our first six that no editor would show at all"][0] == "80 % (8 of 10)"
    assert table["symptoms that editors agree on, told right"][0] == "100 % (2 of 2)"


async def test_windows_that_are_learned_from_are_measured_by_leaving_each_out(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, table = tmp_path / "page.md", tmp_path / "learned.toml"
    page.write_text("# How well a day is told\n\nOld.\n\n# Another\n\nStays.\n", "utf-8")

    assert await evaluate(labels, labels.parent, page, table) == 0

    known = learned_of(table.read_text("utf-8"))
    assert known.windows == {"turbine-2026-02-09", "turbine-2026-02-10"}
    written = page.read_text("utf-8")
    assert rows(written)[""][0] == "weights learned without the window: windows 2, changes 10"
    assert "Old." not in written
    assert written.endswith("# Another\n\nStays.\n")


@pytest.mark.parametrize("place", [".", "a file/learned.toml", "a file/more/learned.toml"])
async def test_a_file_that_cannot_be_written_is_named_before_anything_is_read(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "a file").write_text("")
    file = tmp_path / place
    for files in ((file, None), (None, file)):
        reason = os.strerror(EISDIR if place == "." else ENOTDIR)
        with pytest.raises(FileFailed, match=f"{file.name}.*{reason}"):
            await evaluate(tmp_path / "no labels", tmp_path, *files)


async def test_one_window_that_is_learned_from_is_said_to_be_known(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (labels / "windows" / "turbine-2026-02-10.json").unlink()

    assert await evaluate(labels, labels.parent, None, tmp_path / "learned.toml") == 0

    known = rows(capsys.readouterr().out)[""]
    assert known[0] == "weights that know the window: windows 1, changes 5"


@pytest.mark.parametrize(
    "written",
    [
        *('{"window": "x"}', "[]", "3", '{"items": 3}'),
        *({"days": "2026-99-99"}, {"days": ""}, {"repo": "nope"}),
    ],
)
async def test_a_file_of_another_form_is_named(labels: Path, written: str | dict[str, str]) -> None:
    file = labels / "windows" / "turbine-2026-02-10.json"
    if isinstance(written, dict):
        written = json.dumps(json.loads(file.read_text("utf-8")) | written)
    file.write_text(written, "utf-8")

    with pytest.raises(UsageError, match=r"turbine-2026-02-10\.json"):
        await evaluate(labels, labels.parent, None, None)
