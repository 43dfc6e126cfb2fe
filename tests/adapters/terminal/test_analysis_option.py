"""`--analysis` as people use it: one change, one day, and a clear word where it has no meaning."""

import json
from pathlib import Path

import pytest

from adapters.terminal.main import run
from tests.adapters.terminal.test_command_line import DAY, environment

CHANGE = ("lumen", "4096", *DAY[2:])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("form", "language"), [("text", "en"), ("markdown", "zh"), ("html", "en")])
@pytest.mark.parametrize("words", [CHANGE, DAY])
def test_a_change_and_a_day_have_a_long_form_in_every_format_and_language(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], form: str, language: str
) -> None:
    plain = told(capsys, *words, "--format", form, "--lang", language)
    long = told(capsys, *words, "--format", form, "--lang", language, "--analysis")
    assert len(long) >= len(plain)


def test_a_day_has_its_table_of_commits_and_contents(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = told(capsys, *DAY, "--analysis", "--format", "markdown")
    assert "| Time (UTC) | Author | Title | Change |" in page
    assert "## Contents\n\n- [Commits · " in page
    assert "#### " in page, "a high change is told whole"


def test_json_holds_the_digest_and_each_high_change_with_its_analysis(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(told(capsys, *DAY, "--analysis", "--format", "json"))
    assert (document["schema"], document["kind"]) == (1, "analysis")
    high = [item["key"] for item in document["digest"]["items"] if item["importance"] == "high"]
    assert [each["item"]["key"] for each in document["changes"]] == [
        key for key in high if ":issue:" not in key and ":release:" not in key
    ]
    assert all(each["analysis"]["hunks_total"] >= 1 for each in document["changes"])
    assert document["not_whole"] == []


def test_one_change_as_json_has_the_bytes_of_its_hunks(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(told(capsys, *CHANGE, "--format", "json"))
    patches = {file["path"]: file["patch"] for file in document["item"]["files"]}
    hunks = document["analysis"]["hunks"]
    assert hunks
    assert all(hunk["text"] in patches[hunk["path"]] for hunk in hunks)


@pytest.mark.parametrize("words", ["all", "repos", "why sglang 1", "search door", "help", "check"])
def test_what_has_no_long_form_says_so(
    here: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert run([*words.split(), "--analysis"]) == 2
    assert "--analysis is for a change or a day" in capsys.readouterr().err


def test_a_long_form_is_not_brief(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*DAY, "--analysis", "--brief"]) == 2
    assert "leave one of them out" in capsys.readouterr().err


def test_an_export_has_the_long_form_where_it_is_asked_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "export", "markdown", "out", DAY[1], *DAY[2:], "--analysis")
    (page,) = (here / "out" / "reports").iterdir()
    assert page.read_text(encoding="utf-8") == told(
        capsys, *DAY, "--analysis", "--format", "markdown"
    )
