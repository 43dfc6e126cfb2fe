"""Whatever a stranger writes, it stays text in every format."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.grades import Importance
from digest.languages import Language
from digest.writing.document import (
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Hunk,
    Link,
    Quote,
    Strong,
    Table,
    Words,
)
from digest.writing.pages import digest_page
from digest.writing.visible import inline, spans, visible
from tests.digest.writing import invented

PARSER = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"])
HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
NASTY = st.text(
    st.one_of(
        st.sampled_from("`|[]()<>&*_~#@!\\$-+=:/.1 \n\t\r\u202e\u200b\x1b\x00中é😀"),
        st.characters(),
    ),
    max_size=60,
)


def parsed(page: str) -> list[Token]:
    return [token for block in PARSER.parse(page) for token in (block, *(block.children or ()))]


def links(tokens: list[Token]) -> list[str]:
    return [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]


def words(tokens: list[Token]) -> str:
    return "".join(t.content for t in tokens if t.type in ("text", "code_inline"))


def page(*blocks: Bullets | Table | Hunk | Quote) -> Document:
    return Document(Language.EN, (Words("Page"),), blocks, (), ())


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(NASTY)
@example("\r-")
@example(" 1. one")
@example("\t# one")
def test_any_title_is_one_line_of_text_beside_its_own_link(title: str) -> None:
    url = "https://github.com/o/r/pull/1"
    entry = Entry(
        (Strong((Foreign(title),)), Words(" "), Link("#1", url)), (Entry((Foreign(title),)),)
    )

    tokens = parsed(markdown.render(page(Bullets((entry, Entry((Foreign(title),)))))))

    assert links(tokens) == [url]
    kinds = {token.type for token in tokens}
    assert not kinds & {
        "html_inline",
        "html_block",
        "fence",
        "image",
        "blockquote_open",
        "hr",
        "em_open",
    }
    assert [token.type for token in tokens].count("list_item_open") == 3
    shown = "".join(piece for piece, _ in spans(title)).strip()
    drawn = re.sub(r"\s", "", words(tokens))
    assert drawn == re.sub(r"\s", "", f"Page{shown}#1{shown}{shown}")


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(NASTY, NASTY)
def test_any_cell_leaves_a_table_its_columns(title: str, code: str) -> None:
    table = Table(("One", "Two"), (((Foreign(title),), (Code(code),)),) * 2)

    tokens = parsed(markdown.render(page(table)))

    assert [token.type for token in tokens].count("td_open") == 4
    assert links(tokens) == []
    assert "html_inline" not in {token.type for token in tokens}


@given(NASTY)
def test_any_hunk_stays_in_its_fence(patch: str) -> None:
    tokens = parsed(markdown.render(page(Hunk("a.py", patch), Quote((), patch))))

    assert [token.type for token in tokens].count("fence") == 2
    assert not {"heading_open", "html_block"} & {t.type for t in tokens[3:]}


@given(NASTY)
def test_any_address_stays_inside_its_link(rest: str) -> None:
    entry = Entry((Link("#1", "https://example.org/" + rest), Words(" after")))

    tokens = parsed(markdown.render(page(Bullets((entry,)))))

    assert len(links(tokens)) == 1
    assert words(tokens) == "Page#1 after"


class Tags(HTMLParser):
    """Collects the tags and the text of a page's body."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(NASTY)
def test_any_title_adds_no_tag_to_html(title: str) -> None:
    def tags(said: str) -> Tags:
        found = Tags()
        found.feed(html.render(page(Bullets((Entry((Foreign(said),)),)))))
        return found

    assert tags(title).tags == tags("plain").tags
    assert inline(title) in tags(title).text


@given(NASTY)
def test_text_without_colour_holds_no_escape_code(title: str) -> None:
    drawn = text.render(page(Bullets((Entry((Foreign(title), Code(title))),))), width=60)

    assert not HIDDEN.search(drawn)
    assert "".join(drawn.split()) == "".join(f"Page•{visible(title)}{visible(title)}".split())


@pytest.mark.parametrize("language", list(Language))
def test_nobody_is_pinged_and_no_link_leads_away_from_the_repository(language: Language) -> None:
    drawn = markdown.render(digest_page(invented.written(invented.hostile()), language, full=True))

    assert not re.search(r"(?<!`)@\w", drawn)
    assert "<!" not in drawn
    assert all(url.startswith(invented.URL) for url in links(parsed(drawn)))


def test_a_title_of_ten_thousand_characters_is_told_whole() -> None:
    title = "brick " * 1_700
    read = invented.judged(invented.pull(1, title), Importance.HIGH)
    told = digest_page(invented.written(invented.reading((read,))), Language.ZH)

    assert title.strip() in markdown.render(told)
    assert title.strip() in html.render(told)
    assert title.strip() in text.render(told, width=0)


def test_an_address_that_is_not_of_the_web_is_no_link() -> None:
    entry = Bullets((Entry((Link("#1", "javascript:alert(1)"), Link("#2", ""))),))

    assert "](" not in markdown.render(page(entry))
    assert "<a " not in html.render(page(entry))
    assert "javascript" not in text.render(page(entry))


def test_hidden_characters_in_a_hunk_are_shown_by_number() -> None:
    drawn = markdown.render(page(Hunk("a.py", "@@ -1 +1 @@\n+if x:\u202e # }\r\n\tpass")))

    assert "+if x:<U+202E> # }\n\tpass" in drawn


def test_text_that_is_not_valid_unicode_can_be_written() -> None:
    read = invented.judged(invented.pull(1, "half \ud800 a pair"), Importance.HIGH)
    told = digest_page(invented.written(invented.reading((read,))), Language.EN)

    for drawn in (markdown.render(told), html.render(told), text.render(told)):
        assert "half \ufffd a pair" in drawn.encode().decode()


@pytest.mark.parametrize("name", ["`a", "a`", "``", "*", "_", "x`y", "<"])
def test_any_name_from_code_stays_code(name: str) -> None:
    tokens = parsed(markdown.render(page(Bullets((Entry((Code(name),)),)))))

    assert [token.content for token in tokens if token.type == "code_inline"] == [name]
