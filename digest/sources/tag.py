"""Which tags name a version (pure)."""

import re

_VERSION = re.compile(
    r"(?:[A-Za-z][\w.+-]{0,80}?[-_/])?v?[0-9]{1,9}(?:\.[0-9]{1,9}){1,4}"
    r"(?:[-_.+]?(?:rc|alpha|beta|preview|pre|post|dev|a|b|c)[-_.]?[0-9]{0,9})?"
    r"(?:[-_.+][A-Za-z0-9.]{1,40})?",
    re.IGNORECASE,
)


def is_version(tag: str) -> bool:
    """Tell whether a tag reads as a version: `v0.6.4`, `1.2.0rc1`, `gateway-v0.3.1`."""
    return len(tag) <= 200 and _VERSION.fullmatch(tag) is not None
