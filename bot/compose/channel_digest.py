"""A digest as one channel is told it: after its filters, with counts that add up."""

from dataclasses import dataclass, replace

from bot.model.subscriptions import Subscription, filtered
from digest.languages import Language
from digest.models import Digest, Reading, ReadItem, Repo, Revert
from digest.reading.reader import count
from digest.wording.saying import CATALOGUES
from digest.writing.rules import headline, points, tally


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

    def counted(self, language: Language) -> list[str]:
        """Return counts of what is told; of what is left out nobody says that it is not there."""
        say = CATALOGUES[language]
        counts = tally(self.reading, say)
        return [each for each in counts if not (self.excluded and each == say.say.no_changes)]

    def left_out(self, language: Language) -> list[str]:
        """Say how many items are left out, if any."""
        return [CATALOGUES[language].thread.left_out(self.excluded)] if self.excluded else []


def for_channel(digest: Digest, subscription: Subscription | None) -> ChannelDigest:
    """Leave out of a digest what a channel does not want; everything adds up afterwards."""
    if subscription is None:
        return ChannelDigest(digest)
    parted = filtered(digest.reading, subscription)
    if not parted.excluded:
        return ChannelDigest(digest)
    reading = _narrowed(digest.reading, parted.included, parted.excluded)
    headlines = {language: headline(reading, CATALOGUES[language]) for language in Language}
    known = {read.item.key for read in reading.items}
    remarks = tuple(each for each in digest.remarks if known.issuperset(each.cites))
    # Counts and points are of what is left; a sentence stands on its own items.
    narrow = replace(
        digest,
        reading=reading,
        headline=headlines,
        points=points(reading),
        remarks=remarks,
    )
    return ChannelDigest(narrow, len(parted.excluded))


def _narrowed(
    reading: Reading, included: tuple[ReadItem, ...], excluded: tuple[ReadItem, ...]
) -> Reading:
    gone = {read.item.key for read in excluded}
    known = {read.item.key for read in reading.items}

    def followed(pair: Revert) -> str:
        """Return item by which a channel follows a revert: what is taken back, if it is known."""
        original = pair.original
        return original.key if original and original.key in known else pair.revert.key

    stories = (
        replace(story, items=tuple(key for key in story.items if key not in gone))
        for story in reading.stories
    )
    return replace(
        reading,
        items=included,
        upgrade_notes=tuple(
            note
            for note in reading.upgrade_notes
            if not note.cites or not gone.issuperset(note.cites)
        ),
        reverts=tuple(pair for pair in reading.reverts if followed(pair) not in gone),
        counts=count(included, reading.window),
        facts=tuple(fact for fact in reading.facts if fact.item not in gone),
        stories=tuple(story for story in stories if story.items),
        front=tuple(key for key in reading.front if key not in gone),
    )
