from pathlib import Path

from adapters.terminal.commands import ROWS
from adapters.terminal.options import OPTION_NAMES
from bot.settings import NAMES
from tests.phrases import english

ROOT = Path(__file__).parents[3]


def test_the_page_of_commands_is_the_table_of_help() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    first_table = page.partition("\n## ")[0]
    rows = [
        f"| `{row.form.replace('|', chr(92) + '|')}` | `{row.example}` | {english(row.gives)} |"
        for row in ROWS
    ]

    assert [line for line in first_table.splitlines() if line.startswith("| `")] == rows


def test_the_page_of_commands_names_every_option() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

    assert [name for name in OPTION_NAMES if name not in page] == []


def test_the_example_of_settings_names_every_setting() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = [line[1:].partition("=")[0] for line in example.splitlines() if line.startswith("#")]

    assert [name for name in named if name.isupper()] == list(NAMES)
