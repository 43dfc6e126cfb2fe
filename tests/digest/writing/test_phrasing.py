"""Templates are filled without two scripts of ours touching."""

from digest.writing.document import Foreign, Link, Words
from digest.writing.phrasing import fill, linked


def test_what_strangers_wrote_is_filled_in_as_it_is() -> None:
    assert fill("见{what}。", what=Foreign("a题b")) == (Words("见"), Foreign("a题b"), Words("。"))


def test_known_references_of_a_text_are_links() -> None:
    urls = {"#1": "https://x.example/1"}
    assert linked("#1 takes back #9.", urls) == (
        Link("#1", "https://x.example/1"),
        Foreign(" takes back #9."),
    )
    assert linked("", urls) == ()
