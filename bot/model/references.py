"""How people name a repository, or one change in it: numbers, SHAs, tags and addresses."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from digest.models import Repo

# https://docs.github.com/en/rest/repos/repos: owners are letters, digits and hyphens (managed
# users also have underscores), names letters, digits, hyphens, underscores and points.
_REPO = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]{0,99})/([A-Za-z0-9._-]{1,100})", re.ASCII)
_NUMBER = re.compile(r"(?:#|pr/|pull/|issue/|issues/)([1-9]\d{0,8})", re.ASCII | re.IGNORECASE)
_BARE_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_SHA = re.compile(r"(?:commit/)?([0-9a-f]{4,40})", re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r"[A-Za-z0-9._/+-]*\d\.\d[A-Za-z0-9._+-]*|v\d+", re.ASCII | re.IGNORECASE)
_TAG = re.compile(r"tag/([^\s\x00-\x1f\x7f~^:?*\[\\]{1,250})")  # git-check-ref-format(1)
_LINK = re.compile(r"(?:https?://)?(?:www\.)?github\.com/[^\s<>()\[\]{}|\"'`]{1,500}", re.I)
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
    """Read an address on github.com, or `REPO#N`; None for anything else.

    `/OWNER/NAME` may go on with `/pull/N`, `/issues/N`, `/commit/SHA` or `/releases/tag/TAG`; what
    comes after that, and any query or fragment, is left out.
    """
    if found := _HASH_FORM.fullmatch(text):
        return Reference(found[1], f"#{found[2]}")
    path = _github_path(text)
    if path is None:
        return None
    match [part for part in path.split("/") if part]:
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
    """Give the addresses on github.com that a text holds."""
    return tuple(found[0].rstrip(".,;:!?*_~") for found in _LINK.finditer(text))


def linked(text: str) -> tuple[Reference, ...]:
    """Give the changes that a text links on github.com, each once, in their order."""
    found = map(read_address, links(text))
    return tuple(dict.fromkeys(each for each in found if each and each.ref))


def _github_path(text: str) -> str | None:
    schemeless = text if "://" in text else f"https://{text}"
    try:
        address = urlsplit(schemeless)
        host = address.hostname
    except ValueError:
        return None
    if address.scheme not in {"http", "https"} or host not in {"github.com", "www.github.com"}:
        return None
    return unquote(address.path)
