"""What a model answered, read with patience for form and none for content (pure)."""

from collections.abc import Sequence

from digest.claims import Draft
from digest.errors import ModelFailed


class BadReply(ModelFailed):
    """An answer without drafts in it: no JSON, cut JSON, a wrong shape, a refusal."""


def drafts(text: str, key: str) -> tuple[Draft, ...]:
    """Read the claims about one item, with its key as their only cite; none is a good answer.

    Marks of the prompt are taken out of the quotes: one from the title or body has its spaces
    again, one from a hunk is without the line's prefix (`h3+12|`) but with the line's sign if the
    model copied it. Raises `BadReply`.
    """
    raise NotImplementedError


def theme_drafts(text: str, keys: Sequence[str]) -> tuple[Draft, ...]:
    """Read the sentences about several items, cited by `keys` as ordered in the request.

    `quote_from` is empty: the quote stands in the title or a claim's quote of a cited item. A
    draft that cites none of `keys` has no cites. Raises `BadReply`.
    """
    raise NotImplementedError
