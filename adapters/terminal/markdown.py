"""Draws a document as Markdown for GitHub, GitLab and plain readers."""

from digest.writing.document import Document


def render(document: Document) -> str:
    """Give the page as Markdown that ends with a line break."""
    raise NotImplementedError
