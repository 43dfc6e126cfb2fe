"""A day as an analysis: every change once, sized by importance, under anchors that lead there."""

from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser

import pytest

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.languages import Language
from digest.models import AnalysedDay
from digest.writing.day_page import day_page
from digest.writing.document import Table
from digest.writing.outline import changes
from digest.writing.rules import plain
from tests.digest.writing import invented
from tests.digest.writing.analysed import day

EN, ZH = Language.EN, Language.ZH


class Anchors(HTMLParser):
    """What an HTML page names, and what its links inside lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.meant: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("id"):
            self.ids.append(named["id"] or "")
        href = named.get("href") or ""
        if tag == "a" and href.startswith("#"):
            self.meant.append(href[1:])


def test_the_table_has_every_change_once_with_time_author_title_and_link() -> None:
    told = replace(day().digest.reading.window, tz="Asia/Shanghai")
    reading = replace(day().digest.reading, window=told)
    page = day_page(AnalysedDay(replace(day().digest, reading=reading)), EN)
    (table,) = [
        b
        for part in page.sections
        for b in part.blocks
        if isinstance(b, Table) and part.anchor == "commits"
    ]
    assert table.header == ("Time (Asia/Shanghai)", "Author", "Title", "Change")
    landed = [read.item for read in changes(reading)]
    assert sorted(plain(row[2]) for row in table.rows) == sorted(item.title for item in landed)
    times = [plain(row[0]) for row in table.rows]
    assert times == sorted(times, reverse=True)
    last = max(landed, key=lambda item: item.at)
    assert times[0] == f"{last.at + timedelta(hours=8):%Y-%m-%d %H:%M:%S}"
    drawn = markdown.render(page)
    assert all(f"/commit/{sha}" in drawn for item in landed for sha in item.commits)


@pytest.mark.parametrize(
    ("language", "said"), [(EN, "- Could not be looked at whole: "), (ZH, "- 未能完整查看：")]
)
def test_a_high_change_that_could_not_be_looked_at_whole_says_why(language, said) -> None:
    drawn = markdown.render(day_page(day(), language))
    under = drawn.partition('<a id="pull-request-102"></a>')[2].partition("<a id=")[0]
    assert said in under
    assert drawn.count(said) == 1


def test_a_quiet_day_is_a_sentence_without_a_table() -> None:
    page = day_page(AnalysedDay(invented.written(invented.quiet())), ZH)
    assert page.sections == ()
    assert "没有提交" in markdown.render(page)


def test_hostile_titles_lead_nowhere_and_name_no_place() -> None:
    page = day_page(AnalysedDay(invented.written(invented.hostile())), EN)
    seen = Anchors(html.render(page))
    assert set(seen.meant) <= set(seen.ids)
    assert "evil.example" not in "".join(seen.ids)


def test_the_text_of_a_terminal_names_no_places() -> None:
    assert "#pull-request-101" not in text.render(day_page(day(), EN))
