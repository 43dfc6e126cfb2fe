"""The door to every page: judged data in, a `Document` out; any renderer draws it."""

from collections.abc import Sequence

from digest.models import Change, Digest, Item, Language, ReadItem, Roundup
from digest.writing.document import Document


def digest_page(
    digest: Digest, language: Language, *, full: bool = False, brief: bool = False
) -> Document:
    """Give a digest as a page: `full` lists every item by title, `brief` is the parent alone."""
    raise NotImplementedError


def roundup_page(roundup: Roundup, language: Language) -> Document:
    """Give several repositories on one page, busiest first, the quiet ones in one line."""
    raise NotImplementedError


def change_page(change: Change, language: Language) -> Document:
    """Give one item whole: facts, files, hunks, upgrade notes, relations, reverts."""
    raise NotImplementedError


def search_page(words: str, found: Sequence[Item], language: Language) -> Document:
    """Give the items that a search for `words` found, in the order given."""
    raise NotImplementedError


def why_page(read: ReadItem, language: Language) -> Document:
    """Give the reasons of an item's importance, with their points."""
    raise NotImplementedError
