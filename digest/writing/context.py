"""Who is who on a page: what every section needs besides its own part of the plan."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from digest.facts import Fact
from digest.languages import Language
from digest.models import Item, Reading, ReadItem
from digest.reading.known_facts import facts_by_item
from digest.wording.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Context:
    """What every section needs: the language, and who is who in the reading.

    `closers` maps the number of an issue to the changes that say they close it. `facts` are what
    is known of each item, by its key, `start` is when the window began.
    """

    say: Catalogue
    language: Language
    items: Mapping[str, Item]
    closers: Mapping[int, Sequence[Item]]
    facts: Mapping[str, Sequence[Fact]] = field(default_factory=dict)
    reads: Mapping[str, ReadItem] = field(default_factory=dict)
    start: datetime | None = None

    def facts_of(self, read: ReadItem) -> Sequence[Fact]:
        """Return what is known of an item, the most telling first."""
        return self.facts.get(read.item.key, ())

    def cited(self, keys: Iterable[str]) -> list[Item]:
        """Give the known items among keys, in their order."""
        return [self.items[key] for key in keys if key in self.items]


def context(reading: Reading, say: Catalogue, language: Language) -> Context:
    """Look up who is who in a reading."""
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
    )
