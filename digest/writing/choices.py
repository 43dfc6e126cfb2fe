"""What the items of a page can be chosen by: what is known of them, their grade, their author."""

from collections import defaultdict
from collections.abc import Iterable

from digest.grades import Importance, Purpose
from digest.models import Kind, ReadItem
from digest.reading.known_facts import additions
from digest.writing.document import Choice, Filter
from digest.writing.outline import Context, Outline

LEAST_CHOSEN_FROM = 10
"""Items of a page that is worth a filter: fewer are seen at once."""


def choices(outline: Outline, about: Context) -> Filter | None:
    """Return what the items of a page can be chosen by; None where there are few.

    An item can be of several kinds. What holds for none or for all is no choice.
    """
    reads = outline.reads.values()
    if len(reads) < LEAST_CHOSEN_FROM:
        return None
    say = about.say
    pairs = (each for pair in outline.reverts for each in (pair.revert, pair.original) if each)
    members = (key for story in outline.stories for key in story.items)
    kinds = (
        _choice(say.page.bitten, outline.bitten),
        _choice(say.headings.before_upgrade, outline.upgrading),
        _choice(say.page.new, (each for each in reads if additions(about.facts_of(each)))),
        Choice(say.headings.reverted, frozenset(item.key for item in pairs)),
        Choice(say.stories.stories, frozenset(members)),
        _choice(say.page.fixed, (each for each in reads if each.purpose is Purpose.FIX)),
        _choice(say.headings.issues, (each for each in reads if each.item.kind is Kind.ISSUE)),
        _choice(say.headings.releases, outline.releases),
    )
    grades = (
        _choice(say.names.importance[grade], (each for each in reads if each.importance is grade))
        for grade in Importance
    )
    authors: defaultdict[str, list[ReadItem]] = defaultdict(list)
    for read in reads:
        authors[read.item.author].append(read)
    return Filter(
        tuple(each for each in kinds if 0 < len(each.keys) < len(reads)),
        tuple(each for each in grades if 0 < len(each.keys) < len(reads)),
        tuple(_choice(name, theirs) for name, theirs in sorted(authors.items()) if name),
    )


def _choice(label: str, reads: Iterable[ReadItem]) -> Choice:
    return Choice(label, frozenset(read.item.key for read in reads))
