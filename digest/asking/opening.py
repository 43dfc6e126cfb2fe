"""The first question about an item: what is shown of it, and the request (pure)."""

from digest.asking.outcome import Asked
from digest.asking.prompt import analysis_request, gloss_request
from digest.asking.seeing import DEEP, GLOSS, Budget, evidence
from digest.evidence import Evidence
from digest.models import ReadItem
from digest.ports import Request


def for_gloss(read: ReadItem, budget: Budget = GLOSS) -> Asked:
    """Give the question for the gloss of an item that has its hunks."""
    shown = _shown(read, budget)
    return Asked(read, shown, gloss_request(read, shown))


def for_analysis(read: ReadItem, budget: Budget = DEEP) -> Asked:
    """Give the question for the analysis of a change that has its hunks."""
    shown = _shown(read, budget)
    return Asked(read, shown, analysis_request(read, shown))


def opening_of(read: ReadItem, request: Request) -> Asked | None:
    """Give the first question that a stored one is, or mends the answer to.

    None where the item has changed since, so that the question would be another now.
    """
    for opened in (
        for_gloss(read),
        for_gloss(read, GLOSS.halved()),
        for_analysis(read),
        for_analysis(read, DEEP.halved()),
    ):
        if request.user == opened.request.user or request.user.startswith(
            f"{opened.request.user}\n"
        ):
            return opened
    return None


def _shown(read: ReadItem, budget: Budget) -> Evidence:
    return evidence(read.item, budget=budget, purpose=None if read.inferred else read.purpose)
