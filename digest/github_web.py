"""Where GitHub's pages are: on github.com, or on the GitHub Enterprise server that is asked.

One process asks one server, so its address is told once, as the settings are read.
"""

from urllib.parse import urlsplit

PUBLIC = "https://github.com"
_API_PATH = "/api/v3"
_ITS_OWN = (".github.com", ".ghe.com")
"""Hosts of GitHub's own, whose API stands before them."""

_web = PUBLIC


def web_of(api_url: str) -> str:
    """Return the address of the pages that belong to the address of an API.

    `https://HOST/api/v3` and `https://api.NAME.ghe.com` belong to their hosts; any other, as of a
    proxy or a test, tells of no pages, so that links lead to github.com:
    https://docs.github.com/en/enterprise-server/rest/quickstart,
    https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency (`api.NAME.ghe.com`).
    """
    api = urlsplit(api_url.rstrip("/").lower())
    if api.path == _API_PATH:
        return f"{api.scheme}://{api.netloc}"
    if not api.path and api.netloc.startswith("api.") and api.netloc.endswith(_ITS_OWN):
        return f"{api.scheme}://{api.netloc.removeprefix('api.')}"
    return PUBLIC


def use_api(api_url: str) -> None:
    """Have every link of this process, built or read, lead to the pages of an API."""
    global _web
    _web = web_of(api_url)


def web() -> str:
    """Return the address before `/OWNER/NAME`."""
    return _web


def as_public(text: str) -> str:
    """Return a text in which addresses of these pages are read as those of github.com are."""
    return text.replace(f"{_web}/", f"{PUBLIC}/") if _web != PUBLIC else text


def host() -> str:
    """Return the host of it, with its port where it has one."""
    return urlsplit(_web).netloc
