"""Who is who on a page: what every section needs besides its own part of the plan."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from digest.claims import Claim
from digest.facts import Fact
from digest.languages import Language
from digest.models import Item, Reading, ReadItem
from digest.reading.known_facts import facts_by_item
from digest.writing.glosses import Glosses, glosses, in_one, said
from digest.writing.wording.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Context:
    """What every section needs: the language, and who is who in the reading.

    `closers` maps the number of an issue to the changes that say they close it. `facts` are what
    is known of each item, by its key, `start` is when the window began. `glosses` are
    those that are told; all sentences of them where the page is `full`, else the first ones.
    """

    say: Catalogue
    language: Language
    items: Mapping[str, Item]
    closers: Mapping[int, Sequence[Item]]
    facts: Mapping[str, Sequence[Fact]] = field(default_factory=dict)
    reads: Mapping[str, ReadItem] = field(default_factory=dict)
    start: datetime | None = None
    glosses: Glosses = field(default_factory=Glosses)
    full: bool = False

    def facts_of(self, read: ReadItem) -> Sequence[Fact]:
        """Return what is known of an item, the most telling first."""
        return self.facts.get(read.item.key, ())

    def cited(self, keys: Iterable[str]) -> list[Item]:
        """Give the known items among keys, in their order."""
        return [self.items[key] for key in keys if key in self.items]

    def claims(self, read: ReadItem) -> tuple[Claim, ...]:
        """Give the proven sentences about an item that are told in the page's language."""
        told = self.glosses.items.get(read.item.key, ())
        return tuple(claim for claim in told if claim.text.get(self.language))

    def gloss(self, read: ReadItem, *, whole: bool = False) -> tuple[str, ...]:
        """Give the first sentence that is told about an item, or all; none is no fault.

        On a full page, those that stand in one line are one text.
        """
        sentences = said(self.glosses.items.get(read.item.key, ()), self.language)
        if self.full and sentences and not whole:
            return (in_one(sentences, self.language),)
        return sentences if whole else sentences[:1]

    def telling(self, told: Collection[str], *, full: bool = False) -> "Context":
        """Give the same with the glosses of these items, by key, and themes, by name, alone."""
        return replace(self, glosses=self.glosses.only(told), full=full)


def context(
    reading: Reading, say: Catalogue, language: Language, claims: Iterable[Claim] = ()
) -> Context:
    """Look up who is who in a reading; `claims` are a model's proven sentences about it."""
    items = {read.item.key: read.item for read in reading.items}
    for pair in reading.reverts:
        items.setdefault(pair.revert.key, pair.revert)
    closers: dict[int, list[Item]] = defaultdict(list)
    for read in reading.items:
        for number in read.fixes:
            closers[number].append(read.item)
    return Context(
        say,
        language,
        items,
        closers,
        facts_by_item(reading),
        {read.item.key: read for read in reading.items},
        reading.window.start,
        glosses(claims),
    )
