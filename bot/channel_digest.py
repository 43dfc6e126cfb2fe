"""A digest as one channel is told it: after its filters, with counts that add up."""

from dataclasses import dataclass, replace

from bot.filters import filtered
from bot.subscriptions import Subscription
from digest.models import Digest, Language, Reading, ReadItem, Repo, Revert
from digest.reading.counts import count
from digest.writing.rules import headline, points
from digest.writing.wording.languages import CATALOGUES


@dataclass(frozen=True, slots=True)
class ChannelDigest:
    """What is told, and how many items the channel's settings leave out of it."""

    digest: Digest
    excluded: int = 0

    @property
    def reading(self) -> Reading:
        """The reading of what is told."""
        return self.digest.reading

    @property
    def repo(self) -> Repo:
        """The repository."""
        return self.digest.reading.repo


def for_channel(digest: Digest, subscription: Subscription | None) -> ChannelDigest:
    """Leave out of a digest what a channel does not want; everything adds up afterwards."""
    if subscription is None:
        return ChannelDigest(digest)
    parted = filtered(digest.reading, subscription)
    if not parted.excluded:
        return ChannelDigest(digest)
    reading = _narrowed(digest.reading, parted.told, parted.excluded)
    said = {language: headline(reading, CATALOGUES[language]) for language in Language}
    narrow = replace(digest, reading=reading, headline=said, points=points(reading))
    return ChannelDigest(narrow, len(parted.excluded))


def _narrowed(
    reading: Reading, told: tuple[ReadItem, ...], excluded: tuple[ReadItem, ...]
) -> Reading:
    gone = {read.item.key for read in excluded}
    known = {read.item.key for read in reading.items}

    def followed(pair: Revert) -> str:
        """Give the item by which a channel follows a revert: what is taken back, if it is known."""
        original = pair.original
        return original.key if original and original.key in known else pair.revert.key

    themes = (
        replace(theme, keys=tuple(key for key in theme.keys if key not in gone))
        for theme in reading.themes
    )
    return replace(
        reading,
        items=told,
        upgrade_notes=tuple(
            note
            for note in reading.upgrade_notes
            if not note.cites or not gone.issuperset(note.cites)
        ),
        themes=tuple(theme for theme in themes if theme.keys),
        reverts=tuple(pair for pair in reading.reverts if followed(pair) not in gone),
        counts=count(told, reading.window),
    )
