"""How an item stands at its repository now: what a follow-up on it follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from zlib import crc32

from digest.models import Kind, Repo, State


@dataclass(frozen=True, slots=True)
class Followed:
    """An item that is asked about: `written` is its number, SHA or tag.

    `not_in` are tags of releases that are known not to hold it; where `releases` is false, none is
    asked whether it does, nor where `release` is known to.
    """

    key: str
    repo: Repo
    kind: Kind
    written: str
    not_in: tuple[str, ...] = ()
    releases: bool = True
    release: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """How an item stands; everything by the name that people write.

    A version tag without a release is `TAGGED`. `state` is None where there is nothing of it any
    more: deleted, moved, or of a repository that is gone or private. What was opened again or is a
    draft is `OPEN`. `reverted_by` is what took it back (`#1208`, a SHA), `fix` the pull request
    that is to close an issue, or did, and `release` the tag of the first release that holds it, or
    its fix. `amended` tells that its commit was on the default branch and is not any more. `pin` is
    the version that a codebase of who asks pins, once that holds it; a source leaves it empty.
    `is_repo_gone` tells that the whole repository is gone or private, not this item alone.
    `title` is that of a pull request or an issue, empty where it is not known; `notes` are a mark
    for each line of a release's notes, None where these are not known.
    """

    state: State | None
    reverted_by: str = ""
    fix: str = ""
    is_fixed: bool = False
    release: str = ""
    not_in: tuple[str, ...] = ()
    amended: bool = False
    pin: str = ""
    is_repo_gone: bool = False
    title: str = ""
    notes: tuple[str, ...] | None = None


MOST_LINES = 400
"""Lines of a release's notes that are compared."""


def marks_of(notes: str) -> tuple[str, ...]:
    """Give a mark for each line of a release's notes: enough to see how much of them changed."""
    lines = [" ".join(line.split()) for line in notes.splitlines()]
    return tuple(f"{crc32(line.encode()):08x}" for line in lines if line)[:MOST_LINES]


@runtime_checkable
class Upstream(Protocol):
    """A source that can tell how many items stand for few requests."""

    async def standings(self, wanted: Sequence[Followed]) -> Mapping[str, Standing]:
        """Give how items stand, by their keys.

        One that could not be looked at is absent, so that this and "is not there" never look
        alike. Raises `CouldNotLook` or `ConfigurationError` where nobody can be asked.
        """
        ...
