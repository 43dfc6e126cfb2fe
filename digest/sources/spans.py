"""The ends of a span: how a tag is spelled, and what is wrong, in the same words everywhere."""

import re

from digest.errors import BadWindow, NotFound
from digest.models import Repo
from digest.wording.phrases import SAY

SHOWN_CHARS = 60

_VERSION = re.compile(r"v?\d+\.[\w.+-]*", re.ASCII)


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
