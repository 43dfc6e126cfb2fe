"""Whether what a model says of an item is in that item."""

from collections.abc import Sequence

from digest.claims import Draft, Failure
from digest.evidence import Evidence
from digest.grounding.verdict import Verdict

VERIFIER_VERSION = "1"
"""Part of the key under which verdicts are kept: it changes with every rule."""


def verify(drafts: Sequence[Draft], evidence: Evidence) -> tuple[Verdict, ...]:
    """Judge the drafts about one item against that item's evidence alone.

    Gives one verdict for each draft, in the order of the drafts. Never raises: whatever a model
    wrote, of whatever length, is judged or dropped. A draft that cites another item than
    `evidence.key`, or more than it, is dropped. Of drafts that say the same, the first stays.
    """
    return tuple(_unproven(draft) for draft in drafts)


def verify_theme(draft: Draft, theme: str, evidences: Sequence[Evidence]) -> Verdict:
    """Judge the sentence of a theme against the items that it cites, and no others.

    `theme` is a key of the wording (`theme.attention`) and is kept in the claim; `evidences` are
    those of the theme's items, in any order. At least two of them must be cited and must have
    something of the sentence. A quote may be empty; one that is given must be in a cited item.
    """
    return _unproven(draft)


def _unproven(draft: Draft) -> Verdict:
    return Verdict(draft, None, (Failure("unproven", "", ""),))
