"""Where a repository lives on the web, read from the address of its remote (pure).

Only hosts whose forge is told by their name get links: an address is never guessed. The forms:
https://docs.github.com/repositories, https://docs.gitlab.com/user/project/repository/,
https://gerrit.googlesource.com/gitiles/.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import quote, unquote, urlsplit

from digest.errors import BadWindow, NotFound
from digest.models import Repo
from digest.reading.releases import is_build
from digest.wording.phrases import SAY

_SCP_FORM = re.compile(r"(?:[\w.+-]{1,64}@)?([A-Za-z0-9.-]{1,253}):(?!/)(\S{1,1000})")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}")
_CREDENTIALS = re.compile(r"(://)[^/\s]{1,2000}@")
_SSH_HOSTS = {"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com"}
_REMOTE_SCHEMES = ("http", "https", "ssh", "git")

_LINKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "github": ("/commit/{sha}", "/releases/tag/{tag}"),
        "gitlab": ("/-/commit/{sha}", "/-/tags/{tag}"),
        "gitiles": ("/+/{sha}", "/+/refs/tags/{tag}"),
    }
)


@dataclass(frozen=True, slots=True)
class Forge:
    """A remote on a host; `kind` is empty where the host does not tell which forge it runs."""

    host: str
    path: str
    kind: str

    @property
    def repo(self) -> Repo:
        """The last two parts of the path: of nested groups, the innermost is the owner."""
        owner, _, name = self.path.rpartition("/")
        return Repo(owner.rpartition("/")[2] or self.host, name)

    def commit_url(self, sha: str) -> str:
        """Link a commit; empty where the form of links is not known."""
        return self._link(0, sha=sha)

    def tag_url(self, tag: str) -> str:
        """Link a tag; empty where the form of links is not known."""
        return self._link(1, tag=quote(tag, safe="/", errors="replace"))

    def _link(self, index: int, **names: str) -> str:
        if not self.kind:
            return ""
        path = quote(self.path, safe="/~", errors="replace")
        return f"https://{self.host}/{path}" + _LINKS[self.kind][index].format(**names)


def forge_of(remote: str) -> Forge | None:
    """Read a remote's address (http, ssh, git, `git@host:path`); None for files and nonsense."""
    if "://" in remote:
        try:
            parts = urlsplit(remote)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return None
        if parts.scheme not in _REMOTE_SCHEMES:
            return None
        path = unquote(parts.path)
        shown = f"{host}:{port}" if port and parts.scheme in ("http", "https") else host
    elif found := _SCP_FORM.fullmatch(remote):
        host, path = found[1].lower(), found[2]
        shown = host
    else:
        return None
    path = path.strip("/").removesuffix(".git").strip("/")
    if not host or not path:
        return None
    if host in _SSH_HOSTS:
        host = shown = _SSH_HOSTS[host]
    return Forge(shown.removeprefix("www."), path, _kind(host.removeprefix("www."), path))


def without_credentials(text: str) -> str:
    """Remove `user:password@` from every address in a text, so that it may be shown."""
    return _CREDENTIALS.sub(r"\1", text)


def _kind(host: str, path: str) -> str:
    if not _HOST.fullmatch(host):
        return ""  # an alias of the ssh configuration, not a name of the web
    if host.endswith(".googlesource.com"):
        return "gitiles"
    labels = host.split(".") if "/" in path else []
    return next((label for label in labels if label in _LINKS), "")


SHOWN_CHARS = 60

_VERSION = re.compile(r"v?\d+\.[\w.+-]*", re.ASCII)
_NUMBERS = re.compile(r"\d+\.\d+")


def spellings(name: str) -> tuple[str, ...]:
    """Return the tags that a person may mean: of a version also the one with or without its `v`.

    A package is `0.5.1` where its repository's tag is `v0.5.1`.
    """
    if not _VERSION.fullmatch(name):
        return (name,)
    return (name, name[1:] if name.startswith("v") else f"v{name}")


def no_end(repo: Repo, name: str) -> NotFound:
    """Return the error for an end that is neither a tag nor a commit."""
    return NotFound(SAY.github.no_end(repo, repr(name[:SHOWN_CHARS])))


def empty_span(base: str, head: str) -> BadWindow:
    """Return the error for an end that has nothing the other has not."""
    return BadWindow(SAY.windows.nothing_between(base[:SHOWN_CHARS], head[:SHOWN_CHARS]))


def is_version(tag: str) -> bool:
    """Return whether a tag names a version (`v0.5.8.post1`), not a nightly build or a mark."""
    return _NUMBERS.search(tag) is not None and "nightly" not in tag.lower()


def is_told(tag: str) -> bool:
    """Return whether a tag is told as a release: it names a version or a build, no other mark."""
    return _NUMBERS.search(tag) is not None or is_build(tag)
