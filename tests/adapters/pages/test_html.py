"""A page as HTML: strangers' words are escaped, an author's marks are drawn."""

from datetime import UTC, datetime

from adapters.pages import html
from digest.languages import Language
from digest.writing.document import Code, Document, Moment, Paragraph, Quote, Table, Typed, Words


def test_an_authors_bold_words_headings_and_code_are_drawn_without_their_marks() -> None:
    quote = Quote((), "# What\n**Set <b>** `--a`, not f(**a)\u202e. [See](https://x.example)")
    drawn = html.render(Document(Language.EN, (Words("Page"),), (quote,), (), ()))

    assert "<p><strong><bdi>What</bdi></strong></p>" in drawn
    assert "<strong><bdi>Set &lt;b&gt;</bdi></strong>" in drawn
    assert "<code>--a</code><bdi>, not f(**a)&lt;U+202E&gt;. </bdi><bdi>See</bdi></p>" in drawn
    assert "x.example" not in drawn


def test_what_a_person_types_is_code_a_moment_words_and_a_table_has_its_cells() -> None:
    runs = (Typed("vllm today"), Words(", "), Moment("at 09:00", datetime(2026, 2, 1, tzinfo=UTC)))
    table = Table(("What", "Name"), (((Words("flag"),), (Code("--a"),)),))
    page = Document(Language.EN, (Words("Page"),), (Paragraph(runs), table), (), ())
    drawn = html.render(page)

    assert "<code>vllm today</code>, at 09:00" in drawn
    assert "<td>flag</td><td><code>--a</code></td>" in drawn
