"""A page as HTML: strangers' words are escaped, an author's marks are drawn."""

from adapters.terminal import html
from digest.languages import Language
from digest.writing.document import Document, Quote, Words


def test_an_authors_bold_words_headings_and_code_are_drawn_without_their_marks() -> None:
    quote = Quote((), "# What\n**Set <b>** `--a`, not f(**a)\u202e. [See](https://x.example)")
    drawn = html.render(Document(Language.EN, (Words("Page"),), (quote,), (), ()))

    assert "<p><strong><bdi>What</bdi></strong></p>" in drawn
    assert "<strong><bdi>Set &lt;b&gt;</bdi></strong>" in drawn
    assert "<code>--a</code><bdi>, not f(**a)&lt;U+202E&gt;. </bdi><bdi>See</bdi></p>" in drawn
    assert "x.example" not in drawn
