"""What is wrong with the ends of a span, in the same words for every source."""

from digest.errors import BadWindow, NotFound
from digest.models import Repo

SHOWN_CHARS = 60


def no_end(repo: Repo, name: str) -> NotFound:
    """Return the error for an end that is neither a tag nor a commit."""
    return NotFound(
        "{repo} has no tag or commit {ref}: write a tag as it is there, or a SHA",
        repo=repo,
        ref=repr(name[:SHOWN_CHARS]),
    )


def empty_span(base: str, head: str) -> BadWindow:
    """Return the error for an end that has nothing the other has not."""
    return BadWindow(
        "{head} has nothing that {base} has not: try {head}..{base}",
        base=base[:SHOWN_CHARS],
        head=head[:SHOWN_CHARS],
    )
