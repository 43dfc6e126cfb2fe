import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from adapters.terminal.demo_command import demonstrate
from adapters.terminal.options import Options
from digest.languages import Language

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


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


class Page(HTMLParser):
    """The tags, addresses and texts of a page."""

    def __init__(self, file: str) -> None:
        super().__init__()
        text = Path(file).read_text(encoding="utf-8")
        assert "url(" not in text, "no font or picture from elsewhere"
        self.tags: set[str] = set()
        self.addresses: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.text = "".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses |= {value or "" for name, value in attrs if name in ("href", "src")}
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("columns", [100, 80])
async def test_it_prints_a_screen_and_writes_one_page_with_the_rest(
    checkout: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert await demonstrate(Options(), checkout) == 0

    *screen, last = capsys.readouterr().out.splitlines()
    assert len(screen) <= 25
    assert max(map(len, screen)) <= columns
    assert {"lumen-org/lumen · 2026-03-04", "…"} <= set(screen)
    assert any("local/infra-digest" in line for line in screen)
    pictures = {
        f"{name}-{on}.svg" for name in ("morning", "followup") for on in ("slack", "discord")
    }
    assert set(os.listdir("demo-output")) == {"demo.html", *pictures}
    assert last.endswith(os.path.join(os.getcwd(), "demo-output", "demo.html"))
    page = Page(last.rpartition(": ")[2])
    assert "Say it in Chinese too" in page.text
    for told in ("flagged by alice", "taken by bob", "done by bob"):
        assert page.text.count(told) >= 2, "on Slack and on Discord"
    assert page.text.count("released in v0.15.1") >= 4
    assert "↗ · " not in page.text, "what is told says something"
    assert page.tags.isdisjoint({"script", "img", "link", "iframe", "form"})
    assert all(each.startswith("https://github.com/lumen-org/") for each in page.addresses)
    assert "[#4096](" not in page.text, "what is written to be a link is one"
    assert "<!everyone>" in page.text, "a stranger's title is text"


async def test_it_needs_no_setting_and_heeds_none(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INFRA_TZ", "nowhere")
    monkeypatch.setenv("DATABASE_URL", "nonsense")

    assert await demonstrate(Options(language=Language.ZH), checkout) == 0

    told = capsys.readouterr().out
    assert "lumen-org/lumen · 2026-03-04" in told
    assert told.startswith("一个虚构仓库的一天")


async def test_a_history_that_cannot_be_read_is_said_and_the_rest_shown(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(checkout / ".git")

    assert await demonstrate(Options(), checkout) == 0

    told = capsys.readouterr().out
    assert "\nThis project's own history could not be read: " in told
    assert "lumen-org/lumen · 2026-03-04" in told


def pictures(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text("utf-8") for each in folder.glob("*.svg")}


async def test_the_pictures_of_the_docs_are_made_by_the_demo_and_stand_alone(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in Language:
        await demonstrate(Options(language=language), checkout)
    made, kept = pictures(Path("demo-output")), pictures(PICTURES)
    assert set(made) == set(kept), "run make pictures"
    for name, picture in (*made.items(), *kept.items()):
        assert ElementTree.fromstring(picture).tag.endswith("svg"), name
        assert not re.search(r"url\(|<image|<script|@import", picture)
        assert len(picture.encode()) < 200_000
