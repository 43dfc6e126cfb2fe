"""What a channel leaves out of a digest, and what it follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.model.globs import matches
from bot.model.subscriptions import Subscription
from digest.grades import ChangeObject, Importance, Noise
from digest.models import Kind, Reading, ReadItem
from digest.writing.wording.languages import CATALOGUES

TITLE_READ = 1_000
"""Topics are looked for in so much of a title; GitHub allows 256 characters."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items that a channel is told, in their order, and those it is not.

    Every item of the reading stands in exactly one of them, so that counts add up.
    """

    told: tuple[ReadItem, ...]
    excluded: tuple[ReadItem, ...]


def filtered(reading: Reading, subscription: Subscription) -> Filtered:
    """Part the items of a reading into told and excluded ones, by what the channel chose.

    A release is always told. `without` leaves nothing out that is high, or that takes back or is
    taken back. A channel with `paths` or `topics` is told the changes that touch one of the paths
    or speak of one of the topics, and those whose files could not be read; with `topics`, only the
    issues that speak of one.
    """
    told: list[ReadItem] = []
    excluded: list[ReadItem] = []
    for read in reading.items:
        (told if is_told(read, subscription) else excluded).append(read)
    return Filtered(tuple(told), tuple(excluded))


def is_told(read: ReadItem, subscription: Subscription) -> bool:
    """Tell whether a channel is told an item."""
    if read.item.kind is Kind.RELEASE:
        return True
    return not _is_left_out(read, subscription) and _is_followed(read, subscription)


def _is_left_out(read: ReadItem, subscription: Subscription) -> bool:
    if read.importance is Importance.HIGH or read.reverts or read.reverted_by:
        return False
    return any(LEAVES_OUT[word](read) for word in subscription.without if word in LEAVES_OUT)


def _is_bots(read: ReadItem) -> bool:
    return read.noise is Noise.BOT or read.item.author_is_bot


def _is_ci(read: ReadItem) -> bool:
    return read.noise is Noise.CI or read.object is ChangeObject.CI


def _is_docs(read: ReadItem) -> bool:
    return read.noise is Noise.DOCS or read.object is ChangeObject.DOCS


LEAVES_OUT: Mapping[str, Callable[[ReadItem], bool]] = {
    "bots": _is_bots,
    "ci": _is_ci,
    "docs": _is_docs,
}
"""What each word of `setting_words.LEFT_OUT` leaves out."""


def _is_followed(read: ReadItem, subscription: Subscription) -> bool:
    if _speaks_of(read, subscription.topics):
        return True
    if read.item.kind is Kind.ISSUE:
        return not subscription.topics
    if not subscription.paths:
        return not subscription.topics
    return _touches(read, subscription.paths)


def _touches(read: ReadItem, paths: tuple[str, ...]) -> bool:
    if read.item.files is None:
        return True
    touched = {path for file in read.item.files for path in (file.path, file.previous_path) if path}
    return any(matches(glob, path) for glob in paths for path in touched)


def _speaks_of(read: ReadItem, topics: tuple[str, ...]) -> bool:
    themes = [catalogue.theme(read.theme) for catalogue in CATALOGUES.values()]
    title = read.item.title[:TITLE_READ]
    folded = " ".join((read.theme, *themes, *read.item.labels, title)).casefold()
    return any(_stands_in(topic.casefold(), folded) for topic in topics)


def _stands_in(topic: str, text: str) -> bool:
    """Tell whether a topic stands at the beginning of a word: `moe` in `MoE-kernels`, not `remoe`.

    Scripts without spaces have no such beginnings: there it may stand anywhere.
    """
    at = text.find(topic)
    while at >= 0:
        if at == 0 or not (text[at - 1].isalnum() and text[at - 1].isascii()):
            return True
        at = text.find(topic, at + 1)
    return False
