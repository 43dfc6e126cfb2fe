"""What a channel leaves out of a digest, and what it follows."""

from dataclasses import dataclass

from bot.subscriptions import Subscription
from digest.models import Reading, ReadItem


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items that a channel is told, in their order, and those it is not.

    Every item of the reading stands in exactly one of them, so that counts add up.
    """

    told: tuple[ReadItem, ...]
    excluded: tuple[ReadItem, ...]


def filtered(reading: Reading, subscription: Subscription) -> Filtered:
    """Part the items of a reading into told and excluded ones, by what the channel chose."""
    raise NotImplementedError
