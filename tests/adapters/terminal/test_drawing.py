"""A page as text and as Markdown; whatever a stranger writes, it stays text in every format."""

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
    Paragraph,
    Quote,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.pages import digest_page
from digest.writing.visible import spans
from tests.digest.writing import invented

BUSY = digest_page(invented.written(invented.busy()), Language.ZH)


def test_a_terminal_gets_links_and_no_list_of_addresses() -> None:
    drawn = text.render(BUSY, colour=True)

    assert "\x1b]8;" in drawn
    assert "https://github.com/example-org/kiln/pull/101\x1b\\" in drawn
    assert "#101  https://" not in drawn


def test_wide_characters_count_as_two_columns() -> None:
    title = "支持从对象存储直接加载配方" * 20
    drawn = text.render(
        Document(Language.ZH, (Words("页"),), (Paragraph((Foreign(title),)),), (), ()), width=40
    )

    assert all(len(line) <= 20 for line in drawn.splitlines())
    assert drawn.replace("\n", "").removeprefix("页") == title


def test_a_warning_is_marked_by_shape_and_hunks_keep_their_lines() -> None:
    long = "+" + "x" * 200
    page = Document(
        Language.EN,
        (Words("Page"),),
        (
            Paragraph((Words("careful"),), Tone.WARNING),
            Hunk("a.py", f"@@ -1 +1 @@\n{long}"),
            Quote((Words("The notes begin:"),), "one\ntwo"),
            Quote((), "## three\n   \t**four** f(**a)\u202e `five`"),
            Quote((), "## six **seven**", printed=True),
        ),
        (),
        (Paragraph((Link("#1", ""),)),),
    )
    drawn = text.render(page, width=60)

    assert "! careful" in drawn
    assert long in drawn
    assert "  │ one\n  │ two\n  │ three\n" in drawn
    assert "  │     **four** f(**a)<U+202E> `five`\n  │ ## six **seven**\n" in drawn


def test_an_authors_bold_words_headings_and_code_are_drawn_without_their_marks() -> None:
    quote = Quote((), "# What\n  **Set** `--a`, not f(**a)\u202e, [see](https://x.example).")
    page = Document(Language.EN, (Words("Page"),), (quote,), (), ())

    plain = text.render(page)
    assert plain == "Page\n  │ What\n  │   Set --a, not f(**a)<U+202E>, see.\n"
    coloured = text.render(page, colour=True)
    assert "\x1b[1mWhat\x1b[0m" in coloured
    assert "\x1b[1mSet\x1b[0m \x1b[36m--a\x1b[0m," in coloured


def test_a_table_that_is_too_wide_is_wrapped_beside_its_first_column() -> None:
    name = "--kiln-" + "heat" * 9
    rows = (((Words("flag"),), (Code(name),)), ((), (Code("--door"),)))
    table = Table(("What", "Name"), rows)
    page = Document(Language.EN, (Words("Page"),), (table,), (), ())

    narrow = text.render(page, width=30).splitlines()[1:]
    assert "".join(line.removeprefix("flag").strip() for line in narrow) == f"{name}--door"
    assert {line.index("--") for line in narrow if "--" in line} == {7}
    assert max(map(len, narrow)) <= 30
    assert "What" in text.render(page, width=110)


def test_a_table_in_a_pipe_is_a_line_a_row() -> None:
    rows = (((Words("flag"),), (Code("--kiln-" + "heat" * 99),)), ((), (Code("--door"),)))
    page = Document(Language.EN, (Words("Page"),), (Table(("What", "Name"), rows),), (), ())

    assert text.render(page, width=0).splitlines()[1].startswith("• flag · --kiln-")
    assert text.render(page, width=0).splitlines()[2] == "• --door"


def test_an_authors_words_stand_as_written_but_for_the_addresses_of_links() -> None:
    quote = Quote((), "**Set** [it](https://x.example)\v `[a](/a)`\n")
    printed = Quote((), "[b](/b)", printed=True)
    page = markdown.render(Document(Language.EN, (Words("Day"),), (quote, printed), (), ()))

    assert "```text\n**Set** it<U+000B> `[a](/a)`\n```" in page
    assert "```text\n[b](/b)\n```" in page


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


def holding(*blocks: Bullets | Table | Hunk | Quote) -> Document:
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

    tokens = parsed(markdown.render(holding(Bullets((entry, Entry((Foreign(title),)))))))

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

    tokens = parsed(markdown.render(holding(table)))

    assert [token.type for token in tokens].count("td_open") == 4
    assert links(tokens) == []
    assert "html_inline" not in {token.type for token in tokens}


@given(NASTY)
def test_any_hunk_stays_in_its_fence(patch: str) -> None:
    tokens = parsed(markdown.render(holding(Hunk("a.py", patch), Quote((), patch))))

    assert [token.type for token in tokens].count("fence") == 2
    assert not {"heading_open", "html_block"} & {t.type for t in tokens[3:]}


@given(NASTY)
def test_any_address_stays_inside_its_link(rest: str) -> None:
    entry = Entry((Link("#1", "https://example.org/" + rest), Words(" after")))

    tokens = parsed(markdown.render(holding(Bullets((entry,)))))

    assert len(links(tokens)) == 1
    assert words(tokens) == "Page#1 after"


def test_an_address_that_is_not_of_the_web_is_no_link() -> None:
    entry = Bullets((Entry((Link("#1", "javascript:alert(1)"), Link("#2", ""))),))

    assert "](" not in markdown.render(holding(entry))
    assert "<a " not in html.render(holding(entry))
    assert "javascript" not in text.render(holding(entry))


@pytest.mark.parametrize("name", ["`a", "a`", "``", "*", "_", "x`y", "<"])
def test_any_name_from_code_stays_code(name: str) -> None:
    tokens = parsed(markdown.render(holding(Bullets((Entry((Code(name),)),)))))

    assert [token.content for token in tokens if token.type == "code_inline"] == [name]
