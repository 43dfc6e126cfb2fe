"""Draws a document as text for a terminal or a pipe."""

from digest.writing.document import Document


def render(document: Document, *, width: int = 100, colour: bool = False) -> str:
    """Give the page as text that ends with a line break; without colour it holds no escape code.

    `width` is in columns; 0 leaves lines as long as they are.
    """
    raise NotImplementedError
