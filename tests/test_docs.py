"""What is written for people is true: commands, options, settings, links and figures."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from adapters.terminal.commands import ROWS, parse_words
from adapters.terminal.main import OPTION_NAMES, Call, app, run
from bot.model.help import HelpRow
from bot.settings import NAMES

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "adapters" / "terminal" / "demo" / "activity.json"
README = ROOT / "README.md"
PAGES = (README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
IMPLIED = {"repo", "change", "options"}
"""Topics of help that are no word of a command."""

COMMANDS = sorted({row.topic for row in ROWS} - IMPLIED)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SAMPLE = re.compile(r"`infra (--source recorded:[^`]+)`\):\n\n```\n(.*?)```", re.DOTALL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give this project as the folder to be in, with a clock and a database of the test's own."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'infra.sqlite3'}")
    monkeypatch.setenv("INFRA_NOW", "2026-03-06T09:00:00Z")
    return ROOT


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def taken_apart(line: str) -> Call:
    call: Call = get_command(app)(shlex.split(line), prog_name="infra", standalone_mode=False)
    return call


def commands_of_the_readme() -> Iterator[str]:
    for line in text_of(README).splitlines():
        if line.startswith("infra "):
            yield re.split(r" {2,}", line.removeprefix("infra "))[0]


def commands_of_the_makefile() -> set[str]:
    return set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))


def slug(heading: str) -> str:
    """Give the anchor of a heading, as GitHub does."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command(command: str) -> None:
    assert re.search(rf"\binfra {command}\b", text_of(README))


@pytest.mark.parametrize("option", OPTION_NAMES)
def test_readme_and_page_of_commands_name_every_option(option: str) -> None:
    assert option in text_of(README)
    assert option in text_of(ROOT / "docs" / "commands.md")


@pytest.mark.parametrize("option", [name for name in OPTION_NAMES if name != "--help"])
def test_help_names_every_option(option: str) -> None:
    assert any(option in row.form for row in ROWS)


def test_the_options_that_are_taken_are_the_options_that_are_told() -> None:
    taken = {
        name
        for parameter in get_command(app).params
        for name in parameter.opts
        if name.startswith("--")
    }

    assert taken == set(OPTION_NAMES)


@pytest.mark.parametrize("setting", NAMES)
def test_the_readme_names_every_setting(setting: str) -> None:
    assert f"`{setting}`" in text_of(README)


def test_every_command_of_the_readme_is_understood() -> None:
    lines = list(commands_of_the_readme())

    assert len(lines) >= len(COMMANDS)
    for line in lines:
        call = taken_apart(line)
        parse_words(list(call.words), call.options.bot)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.form)
def test_every_example_of_help_is_understood(row: HelpRow) -> None:
    call = taken_apart(row.example)
    parse_words(list(call.words), call.options.bot)


def test_what_the_readme_makes_can_be_made() -> None:
    made = re.findall(r"`?make ([a-z]+)\b", text_of(README))

    assert {"demo", "test"} <= set(made)
    assert set(made) <= commands_of_the_makefile()


def test_the_sample_of_the_readme_is_what_its_command_prints(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = SAMPLE.search(text_of(README))
    assert sample is not None

    assert run(shlex.split(sample[1])) == 0

    printed = iter(capsys.readouterr().out.splitlines())
    shown = [line for line in sample[2].splitlines() if line != "…"]
    assert shown
    assert [line for line in shown if line not in printed] == [], "in this order"


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("all", "all 2026-03-04"),
        ("one change", "lumen 4096"),
        ("why", "why lumen 4096"),
        ("search", "search prefill"),
        ("repos", "repos"),
        ("help", "help"),
        ("unwatch", "unwatch torch"),
    ],
)
def test_the_page_of_commands_tells_the_names_of_every_json_document(
    here: Path, capsys: pytest.CaptureFixture[str], of: str, words: str
) -> None:
    run(["watch", "pytorch/pytorch", "as", "torch"])
    source = () if words.startswith("unwatch") else ("--source", f"recorded:{DEMO}")
    capsys.readouterr()

    assert run([*words.split(), "--format", "json", *source]) == 0

    document = json.loads(capsys.readouterr().out)
    table = text_of(ROOT / "docs" / "commands.md").partition("\n## JSON\n")[2]
    row = next(line for line in table.splitlines() if line.startswith("| ") and of in line[:20])
    told = [name for name in re.findall(r"`([a-z_]+)`", row.split("|")[2]) if name in document]
    assert list(dict.fromkeys(told)) == list(document)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_something(page: Path) -> None:
    for target in LINK.findall(text_of(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", text_of(file), re.MULTILINE)
            assert anchor in map(slug, headings), target


def test_figures_of_quality_stand_under_the_command_that_makes_them() -> None:
    """Each chapter of the page that holds figures has a command, of a program that is here."""
    chapters = re.split(r"^# ", text_of(ROOT / "docs" / "quality.md"), flags=re.MULTILINE)[1:]

    assert chapters
    for chapter in chapters:
        before_figures = chapter.partition("\n| ")[0]
        commands = re.findall(r"^ {4}(?:python|make|infra) (.+)$", before_figures, re.MULTILINE)
        assert commands, chapter.splitlines()[0]
        for command in commands:
            program = command.split()[0]
            is_here = (ROOT / program).exists() or program in commands_of_the_makefile()
            assert is_here, command
