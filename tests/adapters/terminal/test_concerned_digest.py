"""What of a printed digest concerns a codebase, by real commits, as every form draws it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from adapters.terminal.main import run
from tests.digest.sources.git.workshop import Workshop

SCHEMA = Path(__file__).parents[3] / "docs" / "digest.schema.json"
SERVE = 'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--wide")\n'
DEPTH = 'parser.add_argument("--depth", type=int, default=3)\n'
SURFACE = """\
surface = 1
of = "acme/pump"
models = ["Qwen3"]
uses = [{ kind = "flag", name = "--depth", at = "mine/<b>run.sh:3" }]
"""
DAY = ["acme/pump", "2026-02-02", "--source", "git:pump", "--no-store"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the upstream repository and the surface; the codebase itself is not needed."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("INFRA_NOW", "2026-02-04T09:00:00Z")
    upstream = Workshop(tmp_path / "pump")
    upstream.write("pump/serve.py", SERVE + DEPTH)
    upstream.commit(1, "Begin (#1)")
    upstream.write("pump/serve.py", SERVE)
    upstream.commit(2, "Remove an old switch (#2)")
    for number in range(3, 9):
        upstream.write(f"pump/part{number}.py", "x = 1\n")
        upstream.commit(2, f"[Qwen3] Add part {number} (#{number})")
    upstream.write("pump/tidy.py", "y = 1\n")
    upstream.commit(2, "Tidy up (#9)")
    (tmp_path / "own.toml").write_text(SURFACE)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    capsys.readouterr()
    assert run([*DAY, *options]) == 0
    return capsys.readouterr().out


def test_every_form_begins_with_what_concerns_the_codebase_and_hides_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bare = told(capsys, "--format", "markdown")
    page = told(capsys, "--for", "own.toml", "--format", "markdown")
    first, later = page.index("## Concerns you · 7"), page.index("## Concerns you too · 2")
    line = page[first:].splitlines()[2]
    assert page.index("## ") == first
    assert re.search(r"Remove an old switch .*breaks.*`--depth`.*`mine/<b>run.sh:3`", line)
    assert {line for line in bare.splitlines() if line} <= set(page.splitlines())
    assert len(re.findall("Qwen3`: you said so", page[first:later])) == 4
    assert len(re.findall("Qwen3`: you said so", page[later:])) == 2
    assert "Concerns you too" not in told(capsys, "--for", "own.toml", "--full")
    assert "与你有关 · 7" in told(capsys, "--for", "own.toml", "--lang", "zh", "--brief")

    html = told(capsys, "--for", "own.toml", "--format", "html")
    assert '<h2 id="concerns-you">' in html
    assert 'href="#concerns-you-too"' in html
    assert "<script" not in html
    assert "<b>run" not in html

    made = json.loads(told(capsys, "--for", "own.toml", "--format", "json"))
    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))
    broken, *others = made["concerns"]
    titles = {item["key"]: item["title"] for item in made["items"]}
    assert (titles[broken["item"]], broken["breaks"]) == ("Remove an old switch", True)
    assert broken["evidence"][0]["path"] == "pump/serve.py"
    assert (broken["use"]["kind"], broken["use"]["path"]) == ("flag", "mine/<b>run.sh")
    assert [one["word"] for one in others] == ["Qwen3"] * 6
    assert json.loads(told(capsys, "--format", "json"))["concerns"] is None


def test_nothing_is_said_and_a_bad_surface_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "none.toml").write_text('surface = 1\nmodels = ["Kimi"]\n')
    (folder / "bad.toml").write_text("uses = [")
    (folder / "empty.toml").write_text("surface = 1\n")
    (folder / "other.toml").write_text(SURFACE.replace("acme/pump", "acme/valve"))

    assert "Concerns you\nnothing" in told(capsys, "--for", "none.toml")
    assert json.loads(told(capsys, "--for", "none.toml", "--format", "json"))["concerns"] == []
    for name, says in {
        "bad.toml": "",
        "empty.toml": "uses nothing",
        "gone.toml": "infra surface",
        "other.toml": "of acme/valve, not of acme/pump",
        "nowhere": "",
    }.items():
        assert run([*DAY, "--for", name]) in (1, 2)
        error = capsys.readouterr().err
        assert says in error
        assert error.count("\n") == 1


def test_an_analysis_and_all_repositories_begin_with_it_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = told(capsys, "--for", "own.toml", "--analysis", "--format", "markdown")
    assert page.index("## ") == page.index("## Concerns you")
    made = json.loads(told(capsys, "--for", "own.toml", "--analysis", "--format", "json"))
    assert [one["breaks"] for one in made["digest"]["concerns"]] == [True] + [False] * 6

    everything = ["all", *DAY[1:], "--for"]
    (folder / "local.toml").write_text(SURFACE.replace("acme/pump", "local/pump"))
    assert run([*everything, "local.toml"]) == 0
    assert "Concerns you" in capsys.readouterr().out
    assert run([*everything, "local.toml", "--format", "json"]) == 0
    (digest,) = json.loads(capsys.readouterr().out)["digests"]
    assert len(digest["concerns"]) == 7
    assert run([*everything, "own.toml"]) == 2
    assert "of acme/pump" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Show only what concerns you"), ("zh", "只看与你有关的")]
)
def test_a_page_can_show_what_concerns_the_codebase_alone_without_a_script(
    capsys: pytest.CaptureFixture[str], language: str, words: str
) -> None:
    options = ("--format", "html", "--lang", language)
    bare = told(capsys, *options)
    page = told(capsys, "--for", "own.toml", *options)

    assert f'href="#only-you">{words}</a>' in page
    assert page.index('<span id="only-you">') < page.index("<main")
    assert "only-you" not in bare.partition("</style>")[2]
    assert "<script" not in page
    lines = re.findall(r"<li( class=\"you\")?>(.*)", page.partition("<main")[2])
    shown = {text: bool(mark) for mark, text in lines if "<bdi>" in text}
    assert any("Remove an old switch" in text and mark for text, mark in shown.items())
    assert any("Tidy up" in text for text in shown)
    assert all(not mark for text, mark in shown.items() if "Tidy up" in text)
