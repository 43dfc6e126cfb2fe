"""Whatever a stranger writes, it stays text in every format."""

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.pages import html
from adapters.terminal import markdown, text
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
from digest.writing.visible import spans

PARSER = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"])
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


def test_an_address_that_is_not_of_the_web_is_no_link() -> None:
    entry = Bullets((Entry((Link("#1", "javascript:alert(1)"), Link("#2", ""))),))

    assert "](" not in markdown.render(page(entry))
    assert "<a " not in html.render(page(entry))
    assert "javascript" not in text.render(page(entry))


@pytest.mark.parametrize("name", ["`a", "a`", "``", "*", "_", "x`y", "<"])
def test_any_name_from_code_stays_code(name: str) -> None:
    tokens = parsed(markdown.render(page(Bullets((Entry((Code(name),)),)))))

    assert [token.content for token in tokens if token.type == "code_inline"] == [name]
