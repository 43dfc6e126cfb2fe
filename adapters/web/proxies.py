"""The proxy that the environment names for an address, for libraries that do not look there.

`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, as curl and httpx read them.
"""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_for(url: str) -> str | None:
    """Return the address of the proxy that leads to a URL, or None where none does."""
    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    named = getproxies()
    return named.get(parts.scheme) or named.get("all")
