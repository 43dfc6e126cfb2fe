"""What Markdown marks as code, and an author's words in a block of it."""

from adapters.terminal import markdown
from digest.languages import Language
from digest.writing.document import Document, Quote, Words


def test_an_authors_words_stand_as_written_but_for_the_addresses_of_links() -> None:
    quote = Quote((), "**Set** [it](https://x.example)\v `[a](/a)`\n")
    printed = Quote((), "[b](/b)", printed=True)
    page = markdown.render(Document(Language.EN, (Words("Day"),), (quote, printed), (), ()))

    assert "```text\n**Set** it<U+000B> `[a](/a)`\n```" in page
    assert "```text\n[b](/b)\n```" in page
