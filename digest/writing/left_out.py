"""How many of a model's proven sentences a page leaves out for its length (pure)."""

from collections.abc import Iterable, Iterator

from digest.claims import Claim
from digest.languages import Language
from digest.models import Reading, ReadItem
from digest.writing.glosses import Glosses, glosses, said
from digest.writing.outline import Plan
from digest.writing.plan import plan


def left_out(told: Plan, reading: Reading, claims: Iterable[Claim], language: Language) -> int:
    """Count the sentences that the full page of a reading has and the one planned has not."""
    known = glosses(claims)
    if not known.items and not known.themes:
        return 0
    everything = plan(reading, claims, full=True)
    return sum(_told(everything, known, language)) - sum(_told(told, known, language))


def _told(page: Plan, known: Glosses, language: Language) -> Iterator[int]:
    """Give the number of sentences about each item and theme that a page tells."""
    groups = (*page.themes, page.issues, *page.rest)
    lines = [read for group in groups for read in group.told]
    at_length = page.whole | page.opened

    def sentences(read: ReadItem, *, whole: bool) -> int:
        count = len(said(known.items.get(read.item.key, ()), language))
        return count if whole else min(count, 1)

    for read in (*page.high, *page.releases, *lines):
        if read.item.key in page.glossed:
            yield sentences(read, whole=page.full or read.item.key in at_length)
    for group in page.themes:
        claim = known.themes.get(group.name)
        if group.name in page.glossed and claim and claim.text.get(language):
            yield 1
