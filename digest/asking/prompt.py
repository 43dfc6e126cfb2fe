"""The questions to a model, each from a versioned file and one item's evidence (pure)."""

from collections.abc import Sequence

from digest.claims import Claim, Failure
from digest.evidence import Evidence
from digest.models import ReadItem, Theme
from digest.ports import Request


def gloss_request(read: ReadItem, evidence: Evidence) -> Request:
    """Ask for up to three claims about one item; `reply.drafts(text, evidence.key)` reads them."""
    raise NotImplementedError


def analysis_request(read: ReadItem, evidence: Evidence) -> Request:
    """Ask for the analysis of one change; `reply.drafts(text, evidence.key)` reads it."""
    raise NotImplementedError


def theme_request(theme: Theme, evidences: Sequence[Evidence], claims: Sequence[Claim]) -> Request:
    """Ask for one sentence about several items, given their titles and proven claims.

    `reply.theme_drafts(text, keys)` reads it, `keys` being those of `evidences` in this order.
    """
    raise NotImplementedError


def repair_request(
    request: Request, answer: str, complaints: Sequence[tuple[str, Failure]]
) -> Request:
    """Ask again, once, for what failed: pairs of a sentence as answered and why it failed.

    The answer has the same shape as that of `request`, with only the sentences named here.
    """
    raise NotImplementedError
