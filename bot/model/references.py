"""How people name a repository or one change in it, and how buttons name an item or a digest."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from digest.errors import UsageError
from digest.github_web import host, web
from digest.models import Kind, Reading, Repo, Window
from digest.upstream import Followed
from digest.wording.phrases import SAY

# https://docs.github.com/en/rest/repos/repos: owners are letters, digits and hyphens (managed
# users also have underscores), names letters, digits, hyphens, underscores and points.
_REPO = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,99})/([A-Za-z0-9._-]{1,100})", re.ASCII)
_NUMBER = re.compile(r"(?:#|pr/|pull/|issue/|issues/)([1-9]\d{0,8})", re.ASCII | re.IGNORECASE)
_BARE_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_SHA = re.compile(r"(?:commit/)?([0-9a-f]{4,40})", re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r"[A-Za-z0-9._/+-]*\d\.\d[A-Za-z0-9._+-]*|v\d+", re.ASCII | re.IGNORECASE)
_TAG = re.compile(r"tag/([^\s\x00-\x1f\x7f~^:?*\[\\]{1,250})")  # git-check-ref-format(1)
_HASH_FORM = re.compile(r"([^#\s]+)#([1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reference:
    """A repository as written, and the change in it; `ref` is empty for the repository alone."""

    repo: str
    ref: str


def read_repo(text: str) -> Repo | None:
    """Read `OWNER/NAME` or the address of a repository; None if it is neither."""
    address = read_address(text)
    name = address.repo if address and not address.ref else text
    found = _REPO.fullmatch(name)
    if not found or found[2] in {".", ".."}:
        return None
    return Repo(found[1], found[2])


def read_reference(word: str) -> str | None:
    """Read one change: `#N`, a SHA in lower case, or a tag; None if it is none of them."""
    # `tag/` first: what follows it is a tag even where it looks like a number.
    if found := _TAG.fullmatch(word):
        return found[1]
    if found := _NUMBER.fullmatch(word):
        return f"#{found[1]}"
    if _BARE_NUMBER.fullmatch(word):
        return f"#{word}"
    if found := _SHA.fullmatch(word):
        return found[1].lower()
    return word if _VERSION.fullmatch(word) else None


def read_address(text: str) -> Reference | None:
    """Read an address of GitHub's pages, or `REPO#N`; None for anything else.

    `/OWNER/NAME` may go on with `/pull/N`, `/issues/N`, `/commit/SHA` or `/releases/tag/TAG`; what
    comes after that, and any query or fragment, is left out.
    """
    if found := _HASH_FORM.fullmatch(text):
        return Reference(found[1], f"#{found[2]}")
    try:
        address = urlsplit(text if "://" in text else f"https://{text}")
        place = address.netloc.lower().removeprefix("www.")
    except ValueError:
        return None
    if address.scheme not in {"http", "https"} or place != host():
        return None
    match [part for part in unquote(address.path).split("/") if part]:
        case [owner, name]:
            ref: str | None = ""
        case [owner, name, "pull" | "issues" as kind, number, *_]:
            ref = read_reference(f"{kind}/{number}")
        case [owner, name, "commit", sha, *_]:
            ref = read_reference(f"commit/{sha}")
        case [owner, name, "releases", "tag", *tag] if tag:
            ref = read_reference(f"tag/{'/'.join(tag)}")
        case _:
            return None
    name = name.removesuffix(".git")
    if ref is None or not _REPO.fullmatch(f"{owner}/{name}"):
        return None
    return Reference(f"{owner}/{name}", ref)


def links(text: str) -> tuple[str, ...]:
    """Return the addresses of GitHub's pages that a text holds."""
    place = rf"(?:https?://)?(?<![A-Za-z0-9_.-])(?:www\.)?{re.escape(host())}"
    found = re.findall(rf"{place}/[^\s<>()\[\]{{}}|\"'`]{{1,500}}", text, re.ASCII | re.IGNORECASE)
    return tuple(each.rstrip(".,;:!?*_~") for each in found)


def linked(text: str) -> tuple[Reference, ...]:
    """Return the changes that a text links on GitHub, each once, in their order."""
    found = map(read_address, links(text))
    return tuple(dict.fromkeys(each for each in found if each and each.ref))


PLACES = {
    Kind.PULL_REQUEST: "pull",
    Kind.ISSUE: "issues",
    Kind.COMMIT: "commit",
    Kind.RELEASE: "releases/tag",
}
TYPED = {Kind.PULL_REQUEST: "#", Kind.ISSUE: "#", Kind.COMMIT: "commit/", Kind.RELEASE: "tag/"}


@dataclass(frozen=True, slots=True)
class ItemKey:
    """What a key says: `written` is the number, SHA or tag."""

    repo: Repo
    kind: Kind
    written: str

    @property
    def ref(self) -> str:
        """How people write it: `#35621`, a SHA, a tag."""
        return f"#{self.written}" if TYPED[self.kind] == "#" else self.written

    @property
    def command(self) -> str:
        """The command that shows it."""
        return f"{self.repo} {TYPED[self.kind]}{self.written}"

    @property
    def url(self) -> str:
        """Its page on GitHub, for an item of which nothing else is known any more."""
        return f"{web()}/{self.repo}/{PLACES[self.kind]}/{self.written}"


def read_key(key: str) -> ItemKey:
    """Read `OWNER/REPO:kind:written`; `UsageError` for what is no key, as on a very old button."""
    try:
        name, kind, written = key.split(":", 2)
        return ItemKey(Repo.parse(name), Kind(kind), written)
    except ValueError as error:
        raise UsageError(SAY.followups.old_button) from error


def followed(key: str, *, releases: bool = True) -> Followed:
    """Return what is asked of how the item of a key stands."""
    item = read_key(key)
    return Followed(key, item.repo, item.kind, item.written, releases=releases)


SEPARATOR = "|"
PARTIAL = "partial"
"""Stands last where the window was not over yet."""


def digest_reference(reading: Reading) -> str:
    """Return the text by which `read_digest_reference` finds the digest of a reading again."""
    window = reading.window
    times = f"{window.start.timestamp():.0f}-{window.end.timestamp():.0f}"
    over = (PARTIAL,) if window.partial else ()
    return SEPARATOR.join((str(reading.repo), times, window.tz, window.label, *over))


def read_digest_reference(text: str) -> tuple[Repo, Window]:
    """Return repository and window of a button's value; `UsageError` for anything else."""
    try:
        repo, times, tz, label, *over = text.split(SEPARATOR)
        start, end = (datetime.fromtimestamp(int(each), UTC) for each in times.split("-"))
        if over not in ([], [PARTIAL]):
            raise ValueError(text)
        return Repo.parse(repo), Window(start, end, tz, label, partial=bool(over))
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(SAY.followups.old_button) from error
