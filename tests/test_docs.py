"""What is written for people is true: commands, options, settings, links and figures."""

import importlib.util
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.terminal.commands import ROWS, option_names, understood
from adapters.terminal.main import run
from adapters.terminal.options import ParsedCommand, taken_apart
from bot.model.channel_commands import parse_chat
from bot.settings import NAMES
from tests.phrases import english

ROOT = Path(__file__).parent.parent
DEMO = ROOT / "adapters" / "terminal" / "demo" / "activity.json"
README = ROOT / "README.md"
CHINESE = ROOT / "README.zh.md"
PAGES = (README, CHINESE, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
IMPLIED = {"repo", "change", "options", "span", "ask"}
"""Topics of help that are no word of a command."""

COMMANDS = sorted({row.topic for row in ROWS} - IMPLIED)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SETTING, PRESSED = r"^ {3}([A-Z_]+=\S+)", r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)"
ADDRESS, STEP = r"<(https://[^>]+)>", r"^(\d+)\. "
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


def understand(line: str) -> None:
    """Read a command line, and do nothing; raises `UsageError`."""
    call = taken_apart(shlex.split(line))
    assert isinstance(call, ParsedCommand)
    understood(call.words, call.options)


def commands_of(page: Path) -> Iterator[str]:
    """Give what stands after `infra` on the lines that begin with it, also in numbered steps."""
    for line in text_of(page).splitlines():
        if line.lstrip().startswith("infra "):
            yield re.split(r" {2,}", line.lstrip().removeprefix("infra "))[0]


def commands_of_the_makefile() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))


def slug(heading: str) -> str:
    """Give the anchor of a heading, as GitHub does."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def test_the_readme_names_every_command_and_every_setting() -> None:
    readme = text_of(README)

    assert [name for name in COMMANDS if not re.search(rf"\binfra {name}\b", readme)] == []
    assert [name for name in NAMES if f"`{name}`" not in readme] == []


def test_readme_page_of_commands_and_help_name_every_option() -> None:
    for page in (README, ROOT / "docs" / "commands.md"):
        assert [name for name in option_names() if name not in text_of(page)] == []
    told = " ".join(row.form for row in ROWS)
    assert [name for name in option_names() if name not in told and name != "--help"] == []


def test_every_command_of_the_readme_is_understood() -> None:
    assert len(list(commands_of(README))) >= len(COMMANDS)
    for line in (*commands_of(README), *commands_of(CHINESE)):
        understand(line)


@pytest.mark.parametrize("name", ["slack", "discord"])
def test_both_languages_set_up_a_platform_by_the_same_steps(name: str) -> None:
    """Commands, settings, scopes and what is pressed are the same; each leads to the other."""
    english, chinese = ROOT / "docs" / f"{name}.md", ROOT / "docs" / f"{name}.zh.md"
    steps = [text_of(page).partition("\n## ")[0] for page in (english, chinese)]

    assert list(commands_of(chinese)) == list(commands_of(english))
    for what in (SETTING, PRESSED, ADDRESS, STEP):
        there, here = (
            {re.sub(r"\s+", " ", each) for each in re.findall(what, text, re.MULTILINE)}
            for text in steps
        )
        assert here == there, what
    assert f"]({name}.zh.md)" in text_of(english)
    assert f"]({name}.md)" in text_of(chinese)


def test_what_a_page_tells_to_type_in_a_slack_channel_is_understood() -> None:
    pages = [ROOT / "docs" / name for name in ("slack.md", "slack.zh.md")]
    typed = [words for page in pages for words in re.findall(r"/infra ([^`\n]+)", text_of(page))]

    assert len(typed) >= 10
    for words in typed:
        parse_chat(words)


def test_every_setting_that_a_page_names_is_one() -> None:
    names = re.compile(r"`((?:INFRA|SLACK|DISCORD|GITHUB|OPENAI)_[A-Z_]+)[`=]")
    for page in PAGES:
        if page.name != "CHANGELOG.md":
            assert set(names.findall(text_of(page))) <= set(NAMES), page.name


def test_every_example_of_help_is_understood() -> None:
    for row in ROWS:
        understand(row.example)


def test_every_make_and_every_module_that_a_page_tells_to_run_is_there() -> None:
    pages = "\n".join(map(text_of, PAGES))
    made = set(re.findall(r"(?:`|^ {4})make ([a-z-]+)", pages, re.MULTILINE))
    run_as = r"python -m ((?:benchmarks|tests|adapters)[\w.]*)(?: ([a-z_]+))?"
    modules = {name for name, _ in re.findall(run_as, pages + text_of(ROOT / "Makefile"))}

    assert {"demo", "test", "test-all", "crash"} <= made <= commands_of_the_makefile()
    assert {"benchmarks", "tests.e2e.crash"} <= modules
    for name in modules:
        assert importlib.util.find_spec(name), name


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


def test_every_relative_link_leads_to_something() -> None:
    for page in PAGES:
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
        commands = r"^ {4}(?:python|make|infra) (?:-m )?(\S+)"
        programs = re.findall(commands, before_figures, re.MULTILINE)
        assert programs, chapter.splitlines()[0]
        for program in programs:
            is_here = (ROOT / program).exists() or program in {
                *COMMANDS,
                *commands_of_the_makefile(),
            }
            assert is_here or importlib.util.find_spec(program), program


def test_the_page_of_commands_is_the_table_of_help() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    first_table = page.partition("\n## ")[0]
    rows = [
        f"| `{row.form.replace('|', chr(92) + '|')}` | `{row.example}` | {english(row.gives)} |"
        for row in ROWS
    ]

    assert [line for line in first_table.splitlines() if line.startswith("| `")] == rows
