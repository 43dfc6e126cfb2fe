"""Where a link may lead: web addresses that cannot end it early, and places of its own page."""

import re

from digest.writing.document import is_place

_URL_UNSAFE = re.compile(r"[\s()<>\\\"'`\[\]|*_~@\x00-\x1f\x7f]")
_BAD_SCHEME = re.compile(r"^(?!https?://)", re.IGNORECASE)


def address(url: str) -> str:
    """Return a web address that cannot end its link early; nothing if it is not one."""
    if _BAD_SCHEME.match(url):
        return ""
    return _URL_UNSAFE.sub(lambda found: _quoted(found.group()), url)


def target(url: str) -> str:
    """Return what a link of a page leads to: a web address, or a place of the page itself."""
    return url if is_place(url) else address(url)


def _quoted(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
