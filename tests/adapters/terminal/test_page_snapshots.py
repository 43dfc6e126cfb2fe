"""Whole pages, reviewed like code.

After a wanted change: `SNAPSHOTS=write pytest tests/adapters/terminal`, then read the difference.
"""

import os
from pathlib import Path

import pytest

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.grades import Importance
from digest.languages import Language
from digest.writing.analysis_page import LONG
from digest.writing.pages import change_page, day_page, digest_page
from tests.digest.writing import analysed, edited, invented

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


@pytest.mark.parametrize("name", ["busy.en", "gap.en", "hostile.en", "one-release.en"])
def test_the_markdown_of_a_day_is_as_reviewed(name: str) -> None:
    day, _, language = name.partition(".")
    page = digest_page(invented.written(DAYS[day]()), Language(language))

    matches(f"{name}.md", markdown.render(page))


def test_every_day_names_its_high_items_in_both_languages() -> None:
    for make in DAYS.values():
        reading = make()
        high = [read.item for read in reading.items if read.importance is Importance.HIGH]
        for language in Language:
            page = markdown.render(digest_page(invented.written(reading), language))
            assert [item.ref for item in high if item.url not in page] == []


def test_a_day_with_a_model_is_as_reviewed() -> None:
    matches("edited.zh.md", markdown.render(digest_page(edited.whole(), Language.ZH)))
    page = digest_page(edited.whole(), Language.EN)
    matches("edited.en.txt", text.render(page, width=80))
    hostile = digest_page(edited.hostile(), Language.EN)
    matches("edited-hostile.en.html", html.render(hostile))


def test_why_a_model_was_not_heard_stands_on_the_page() -> None:
    pages = {
        name: markdown.render(digest_page(make(), Language.EN))
        for name, make in edited.DAYS.items()
    }

    assert "was late" in pages["edited-late"]
    assert "no tokens left" in pages["edited-over-budget"]
    assert len(set(pages.values())) == len(pages)


def test_the_brief_form_is_the_opening_and_the_full_one_leaves_nothing_out() -> None:
    digest = invented.written(invented.busy())
    brief, usual, full = (
        markdown.render(digest_page(digest, Language.EN, **form)).splitlines()
        for form in ({"brief": True}, {}, {"full": True})
    )

    assert len(brief) < len(usual) < len(full)
    for read in digest.reading.items:
        assert any(read.item.ref in line for line in full), read.item.key


def test_the_analysis_of_a_change_is_as_reviewed() -> None:
    matches("change.en.md", markdown.render(change_page(analysed.change(), Language.EN)))


def test_a_model_adds_to_an_analysis_and_takes_nothing_away() -> None:
    plain, reviewed = (
        markdown.render(change_page(change, Language.EN, LONG)).splitlines()
        for change in (analysed.change(), analysed.reviewed())
    )

    assert set(plain) - set(reviewed) == {"<sub>No AI used.</sub>"}
    assert "## How some-model reads it" in set(reviewed) - set(plain)


def test_a_day_as_an_analysis_is_as_reviewed() -> None:
    matches("day.zh.md", markdown.render(day_page(analysed.day(), Language.ZH)))
    matches("day.en.html", html.render(day_page(analysed.day(), Language.EN)))
