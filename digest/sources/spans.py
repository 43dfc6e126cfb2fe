"""What is wrong with the ends of a span, in the same words for every source."""

from digest.errors import BadWindow, NotFound
from digest.models import Repo
from digest.wording.phrases import SAY

SHOWN_CHARS = 60


def no_end(repo: Repo, name: str) -> NotFound:
    """Return the error for an end that is neither a tag nor a commit."""
    return NotFound(SAY.github.no_end(repo, repr(name[:SHOWN_CHARS])))


def empty_span(base: str, head: str) -> BadWindow:
    """Return the error for an end that has nothing the other has not."""
    return BadWindow(SAY.windows.nothing_between(base[:SHOWN_CHARS], head[:SHOWN_CHARS]))
