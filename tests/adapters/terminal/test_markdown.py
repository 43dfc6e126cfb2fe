"""What Markdown marks as code, and an author's words in a block of it."""

from adapters.terminal import markdown
from digest.languages import Language
from digest.writing.document import Code, Document, Paragraph, Quote, Words


def drawn(*runs: Code | Words) -> str:
    page = Document(Language.EN, (Words("Day"),), (Paragraph(runs),), (), ())
    return markdown.render(page)


def test_names_are_code_and_a_lone_digit_is_not() -> None:
    page = drawn(Code("--seed"), Words(" from "), Code("0"), Words(" to "), Code("16"))

    assert "`--seed` from 0 to `16`" in page


def test_a_lone_sign_stays_code_so_that_it_marks_nothing_up() -> None:
    assert "from `*`" in drawn(Words("from "), Code("*"))


def test_an_authors_words_stand_as_written_but_for_the_addresses_of_links() -> None:
    quote = Quote((), "**Set** [it](https://x.example)\v `[a](/a)`\n")
    printed = Quote((), "[b](/b)", printed=True)
    page = markdown.render(Document(Language.EN, (Words("Day"),), (quote, printed), (), ()))

    assert "```text\n**Set** it<U+000B> `[a](/a)`\n```" in page
    assert "```text\n[b](/b)\n```" in page
