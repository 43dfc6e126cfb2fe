"""What an upgrade means for a codebase, by real commits of two repositories."""

import json
from pathlib import Path

import pytest

from adapters.terminal import upgrade
from adapters.terminal.main import run
from tests.digest.sources.git.workshop import Workshop

LLM = """\
class LLM:
    def generate(self, prompts, *, depth=1):
        return prompts

    def close(self):
        return None

def load(path):
    return path

def steady(path):
    return path
"""
DOWNSTREAM = """\
from pump import LLM, load
from pump.engine import steady

class Mine(LLM):
    def generate(self, prompts, *, depth=1):
        return super().generate(prompts, depth=depth)

load("x")
steady("y")
"""


@pytest.fixture
def file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """Make both repositories, and give the file of the surface."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    upstream, mine = Workshop(tmp_path / "pump"), Workshop(tmp_path / "mine")
    upstream.write("pump/__init__.py", "from pump.engine import LLM, load\n")
    upstream.write("pump/engine.py", LLM)
    upstream.commit(1, "Begin (#1)")
    upstream("tag", "v1.0.0")
    taken_back = LLM.replace("def steady(path)", "def steady(where)")
    changes = [
        ("Let generate take a seed (#2)", LLM.replace("depth=1)", "depth=1, seed=0)")),
        ("Rename steady (#3)", taken_back.replace("depth=1)", "depth=1, seed=0)")),
        ("Name steady as before (#4)", LLM.replace("depth=1)", "depth=1, seed=0)")),
        ("Drain on close (#5)", LLM.replace("depth=1)", "depth=1, seed=0)").replace("None", "1")),
    ]
    for day, (title, text) in enumerate(changes, 2):
        upstream.write("pump/engine.py", text)
        upstream.commit(day, title)
    upstream("tag", "v1.1.0")
    mine.write("mine/run.py", DOWNSTREAM)
    mine.write("requirements.txt", "pump==1.0.0\n")
    mine.commit(1, "Use it")
    assert run(["surface", "mine", "--of", "acme/pump", "--format", "json"]) == 0
    Path("pump.json").write_text(capsys.readouterr().out)
    return "pump.json"


def test_tells_what_breaks_what_is_otherwise_and_what_is_unchanged(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["upgrade", "acme/pump", "v1.0.0..v1.1.0", "--source", "git:pump"]
    status = run([*words, "--for", file, "--format", "json"])

    told = json.loads(capsys.readouterr().out)
    (broken,) = told["breaks"]
    assert (status, told["broken"], told["changes"]) == (3, True, 4)
    assert (broken["ref"], broken["url"]) == ("#2", "https://github.com/acme/pump/pull/2")
    assert {(one["name"], one["ground"], one["here"]) for one in broken["matches"]} >= {
        ("LLM.generate", "new argument", "mine/run.py:5")
    }
    assert [one["ref"] for one in told["gone_again"]] == ["#3", "#4"]
    same = {one["name"]: one["same"] for one in told["unchanged"]}
    assert same["pump.load"] == same["pump.engine.steady"] == "definition"
    assert same["pump"] == "file"
    assert told["not_followed"] == []

    apart = ["upgrade", "acme/pump", "v1.0.0", "v1.1.0", "--source", "git:pump", "--for", file]
    assert run([*apart, "--format", "json"]) == 3
    assert json.loads(capsys.readouterr().out)["breaks"] == told["breaks"]


def test_an_argument_that_the_base_took_back_breaks_who_gives_what_follows_by_position(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream = Workshop(Path("line").resolve())
    for day, text in enumerate(("load(path, depth=1)", "load(path, trace=None, depth=1)"), 1):
        upstream.write("pump/__init__.py", f"def {text}:\n    return path\n")
        upstream.commit(day, f"Change {day} (#{day})")
    upstream("checkout", "-b", "release")
    upstream.write("pump/__init__.py", "def load(path, depth=1):\n    return path\n")
    upstream.commit(3, "Take the trace back")
    upstream("tag", "v1.0.0")
    upstream("checkout", "main")
    upstream.write("pump/__init__.py", "def load(path, trace=None, depth=1):\n    return [path]\n")
    upstream.commit(4, "Give a list (#3)")
    upstream("tag", "v1.1.0")
    Path("uses/a.py").parent.mkdir()
    Path("uses/a.py").write_text("from pump import load\nload('x', 2)\n")

    words = ["upgrade", "acme/pump", "v1.0.0..v1.1.0", "--source", "git:line", "--for", "uses"]
    assert run([*words, "--format", "json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["broken"], told["breaks"]) == (True, [])
    assert [(one["ground"], one["used"]) for one in told["by_ends"]] == [("order", "pump.load")]
    assert run(words) == 3
    text = capsys.readouterr().out
    assert "path, trace,…" in text
    assert [one["kind"] for one in told["notices"]] == ["diverged"]
    assert "v1.0.0 was made on a branch of its own" in text
    assert run([*words, "--lang", "zh"]) == 3
    assert "v1.0.0 出自单独的分支" in capsys.readouterr().out


CONFIG = """\
from dataclasses import dataclass
from typing import Literal

CacheDType = Literal["auto", "fp8"]

@dataclass
class CacheConfig:
    cache_dtype: CacheDType = "auto"
"""
ARGUMENTS = """\
import argparse
from pump.config.cache import CacheConfig

def add(parser: argparse.ArgumentParser) -> None:
    cache_kwargs = get_kwargs(CacheConfig)
    parser.add_argument("--kv-cache-dtype", **cache_kwargs["cache_dtype"])
"""
SETS = """
of = "acme/pump"
uses = [{ kind = "flag", name = "--kv-cache-dtype", at = "run.sh:3", value = "fp8" }]
"""


def test_a_value_that_the_class_behind_a_flag_takes_no_more_breaks_who_gives_it(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream = Workshop(Path("line").resolve())
    upstream.write("pump/engine/arg_utils.py", ARGUMENTS)
    upstream.write("pump/config/cache.py", CONFIG)
    upstream.commit(1, "Begin (#1)")
    upstream("tag", "v1.0.0")
    upstream.write("pump/config/cache.py", CONFIG.replace('"fp8"', '"fp4"'))
    upstream.commit(2, "Halve it (#2)")
    upstream("tag", "v1.1.0")
    Path("sets.toml").write_text(SETS)
    words = ["upgrade", "acme/pump", "v1.0.0..v1.1.0", "--source", "git:line", "--for", "sets.toml"]
    assert run([*words, "--format", "json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["before"], one["after"], one["breaks"], one["by"]["ref"])
            for one in told["settings"]] == [
        ("--kv-cache-dtype", "fp8", None, True, "#2"),
        ("--kv-cache-dtype", None, "fp4", False, "#2"),
    ]  # fmt: skip
    assert told["unchanged"] == []


def test_ends_may_be_left_out_and_every_form_is_drawn(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for form in ("text", "markdown", "html"):
        run(["upgrade", "acme/pump", "--source", "git:pump", "--for", file, "--format", form])
        told = capsys.readouterr().out
        assert "1.0.0..v1.1.0" in told
        assert "Let generate take a seed" in told
        assert "mine/run.py:5" in told
        assert "seed=0" in told


def test_a_draft_is_no_longer_than_a_description_may_be(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["upgrade", "acme/pump", "--source", "git:pump", "--for", file, "--draft"]
    assert run(words) == 3
    whole = capsys.readouterr().out
    monkeypatch.setattr(upgrade, "LONGEST_DRAFT", len(whole) - 1)
    assert run(words) == 3
    cut = capsys.readouterr().out
    assert "## Breaks" in whole
    assert "[#2](https://github.com/acme/pump/pull/2)" in whole
    assert len(cut) < len(whole)
    assert "and 1 more" in cut


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["upgrade", "acme/pump", "v1.1.0..v1.0.0"], "has nothing that"),
        (["upgrade", "acme/pump", "v9..v1.1.0"], "no tag or commit"),
        (["upgrade", "acme/other", "v1.0.0..v1.1.0"], "this surface is of acme/pump"),
        (["upgrade", "acme/pump", "v1.0.0"], "infra upgrade REPO [FROM..TO]"),
        (["upgrade", "acme/pump", "v1.0.0", "v1.0.1", "v1.1.0"], "infra upgrade REPO [FROM..TO]"),
    ],
)
def test_what_cannot_be_is_one_line(
    file: str,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    assert run([*words, "--source", "git:pump", "--for", file]) in (1, 2)

    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_good_version_that_is_the_newer_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'infra.sqlite3'}")
    shop = Workshop(tmp_path / "pump")
    shop.change(1)
    shop("checkout", "-q", "-b", "release")
    shop.change(2)
    shop("tag", "v1.0.1")
    shop("checkout", "-q", "main")
    shop.change(3)
    shop("tag", "v1.1.0")

    assert run(["between", "v1.1.0", "v1.0.1", "--source", "git:pump"]) == 2
    assert "v1.1.0 is newer than v1.0.1: name the good version first" in capsys.readouterr().err
    assert run(["between", "v1.0.1", "v1.1.0", "--source", "git:pump"]) == 0


def test_a_surface_that_does_not_parse_or_is_not_there_is_one_line(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.toml").write_text("uses = [")
    capsys.readouterr()
    for name in ("bad.toml", "none.toml", "nowhere"):
        assert run(["upgrade", "acme/pump", "--source", "git:pump", "--for", name]) in (1, 2)
        assert capsys.readouterr().err.count("\n") == 1


def test_the_likeliest_cause_comes_first(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["between", "v1.0.0", "v1.1.0", "hangs", "when", "it", "drains", "on", "close"]
    assert run([*words, "--source", "git:pump", "--format", "json"]) == 0
    by_words = json.loads(capsys.readouterr().out)["changes"]
    run(["between", "v1.0.0", "v1.1.0", "--source", "git:pump", "--for", file, "--format", "json"])
    by_concern = json.loads(capsys.readouterr().out)["changes"]

    # A clone that nothing names has no links: changes are told by title.
    assert ("Drain on close" in by_words[0]["title"], len(by_words)) == (True, 4)
    assert by_words[0]["words"] == ["close", "drains"]
    run(["between", ".", *words[1:], "--source", "git:pump", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["changes"] == by_words
    run(["between", "v1.0.0", "v1.1.0", "zebra", "--source", "git:pump"])
    told = capsys.readouterr().out
    assert "the newest first, as none shares a word" in told
    assert "likeliest" not in told
    run(["between", "v1.0.0", "v1.1.0", "zebra", "--source", "git:pump", "--for", file])
    told = capsys.readouterr().out
    assert "none shares a word" in told
    assert ("likeliest" in told, "the newest first" in told) == (False, False)
    assert "Drain" not in by_concern[0]["title"]
    assert by_concern[0]["score"] > by_concern[-1]["score"]
