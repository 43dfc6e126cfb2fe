"""Whole pages, reviewed like code.

After a wanted change: `SNAPSHOTS=write pytest tests/adapters/terminal`, then read the difference.
"""

import os
from pathlib import Path

import pytest

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.languages import Language
from digest.models import Reading
from digest.writing.extent import LONG
from digest.writing.pages import change_page, day_page, digest_page
from tests.digest.writing import analysed, glossed, invented

SNAPSHOTS = Path(__file__).parent / "snapshots"

DAYS = {
    "busy": invented.busy,
    "quiet": invented.quiet,
    "issues-only": invented.issues_only,
    "none-above": invented.none_above,
    "gap": invented.gap,
    "unseen": invented.unseen,
    "one-release": invented.one_release,
    "hostile": invented.hostile,
    "many": invented.many,
}


def matches(name: str, drawn: str) -> None:
    path = SNAPSHOTS / name
    if os.environ.get("SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("day", DAYS)
def test_the_markdown_of_a_day_is_as_reviewed(day: str, language: Language) -> None:
    reading: Reading = DAYS[day]()
    page = digest_page(invented.written(reading), language)

    matches(f"{day}.{language}.md", markdown.render(page))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("day", glossed.DAYS)
def test_the_markdown_of_a_day_with_a_model_is_as_reviewed(day: str, language: Language) -> None:
    page = digest_page(glossed.DAYS[day](), language)

    matches(f"{day}.{language}.md", markdown.render(page))


def test_a_day_with_a_model_in_a_pipe_and_as_html_is_as_reviewed() -> None:
    page = digest_page(glossed.whole(), Language.EN)

    matches("glossed.en.txt", text.render(page, width=80))
    hostile = digest_page(glossed.hostile(), Language.EN)
    matches("glossed-hostile.en.html", html.render(hostile))


@pytest.mark.parametrize("language", list(Language))
def test_the_full_and_the_brief_form_of_a_busy_day_are_as_reviewed(language: Language) -> None:
    digest = invented.written(invented.busy())

    matches(f"busy-full.{language}.md", markdown.render(digest_page(digest, language, full=True)))
    matches(f"busy-brief.{language}.md", markdown.render(digest_page(digest, language, brief=True)))


def test_a_busy_day_in_a_pipe_is_as_reviewed() -> None:
    page = digest_page(invented.written(invented.busy()), Language.EN)

    matches("busy.en.txt", text.render(page, width=80))


def test_a_hostile_day_as_html_is_as_reviewed() -> None:
    page = digest_page(invented.written(invented.hostile()), Language.EN)

    matches("hostile.en.html", html.render(page))


@pytest.mark.parametrize("language", list(Language))
def test_the_analysis_of_a_change_is_as_reviewed(language: Language) -> None:
    matches(f"change.{language}.md", markdown.render(change_page(analysed.change(), language)))
    claimed = change_page(analysed.claimed(), language, LONG)
    matches(f"change-claimed.{language}.md", markdown.render(claimed))


@pytest.mark.parametrize("language", list(Language))
def test_a_day_as_an_analysis_is_as_reviewed(language: Language) -> None:
    matches(f"day.{language}.md", markdown.render(day_page(analysed.day(), language)))


def test_a_day_as_an_analysis_in_html_is_as_reviewed() -> None:
    matches("day.en.html", html.render(day_page(analysed.day(), Language.EN)))
