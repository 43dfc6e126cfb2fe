"""A page in a terminal."""

import re

from adapters.terminal import text
from adapters.terminal.formats import draw
from adapters.terminal.options import Format
from bot.model.replies import DigestReply
from digest.languages import Language
from digest.writing.document import (
    Code,
    Document,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Table,
    Tone,
    Words,
)
from digest.writing.pages import digest_page
from tests.digest.writing import invented

BUSY = digest_page(invented.written(invented.busy()), Language.ZH)


def test_a_terminal_gets_links_and_no_list_of_addresses() -> None:
    drawn = text.render(BUSY, colour=True)

    assert "\x1b]8;" in drawn
    assert "https://github.com/example-org/kiln/pull/101\x1b\\" in drawn
    assert "#101  https://" not in drawn


def test_the_brief_form_has_each_address_in_its_line_and_no_list_of_them() -> None:
    reply = DigestReply(invented.written(invented.busy()), Language.EN)
    lines = draw(reply, Format.TEXT, brief=True).splitlines()

    assert len(lines) <= 8, "a title, the counts and a few lines"
    told = [line for line in lines if line.startswith("•")]
    assert told
    assert all(re.search(r"https://github\.com/example-org/kiln/pull/\d+", line) for line in told)
    assert not any(line.startswith("#") for line in lines)
    assert "\x1b]8;" in draw(reply, Format.TEXT, brief=True, colour=True)
    assert "](https://" in draw(reply, Format.MARKDOWN, brief=True)


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


def test_a_new_name_is_said_once_and_after_an_arrow_where_a_table_is_too_wide() -> None:
    old, new, path = "kiln." + "old" * 9, "kiln." + "new" * 9, "kiln/heat.py"
    renamed = tuple((Code(each),) for each in (new, old, new, path))
    removed = ((Code(old),), (Code(old),), (Words("–"),), (Code(path),))
    rows = (((Words("setting renamed"),), *renamed), ((Words("module removed"),), *removed))
    table = Table(("What", "Name", "Before", "After", "Where"), rows, turns=2)
    page = Document(Language.EN, (Words("Page"),), (table,), (), ())

    assert text.render(page, width=110).splitlines()[1:] == [
        f"• setting renamed · {old} → {new} · Where {path}",
        f"• module removed · {old} · Where {path}",
    ]
