"""Draws a digest as JSON: the documented schema of `docs/digest.schema.json`."""

from typing import Any

from digest.models import Digest, Language, Roundup


def render(digest: Digest, language: Language) -> str:
    """Give one digest as one JSON document."""
    raise NotImplementedError


def render_roundup(roundup: Roundup, language: Language) -> str:
    """Give a roundup as one JSON document: window, digests, and what could not be looked at."""
    raise NotImplementedError


def schema() -> dict[str, Any]:
    """Give the JSON Schema that every output of `render` fulfils."""
    raise NotImplementedError
