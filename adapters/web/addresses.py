"""Where a link may lead: web addresses that cannot end it early, and places of its own page."""

from urllib.parse import quote

from digest.writing.document import is_place
from digest.writing.visible import visible

_WEB = ("https://", "http://")
# What may stand in an address unquoted: RFC 3986, without what Markdown or mrkdwn reads.
_UNQUOTED = "%/:=&?#+!$,;@"


def address(url: str, longest: int | None = None) -> str:
    """Return a web address that cannot end its link early; nothing for none, or too long a one."""
    plain = visible(url)
    # `quote` leaves tildes, of which two would end what is struck through.
    quoted = quote(plain, _UNQUOTED).replace("~", "%7E") if plain.startswith(_WEB) else ""
    return quoted if longest is None or len(quoted) <= longest else ""


def target(url: str) -> str:
    """Return what a link of a page leads to: a web address, or a place of the page itself."""
    return url if is_place(url) else address(url)
