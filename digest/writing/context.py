"""Who is who on a page: what every section needs besides its own part of the plan."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from digest.languages import Language
from digest.models import Item, Reading
from digest.writing.wording.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Context:
    """What every section needs: the language, and who is who in the reading.

    `closers` maps the number of an issue to the changes that say they close it.
    """

    say: Catalogue
    language: Language
    items: Mapping[str, Item]
    closers: Mapping[int, Sequence[Item]]

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
    return Context(say, language, items, closers)
