"""What a channel was told of an item and does not hold any more (pure)."""

from dataclasses import dataclass
from datetime import timedelta

from bot.model.channels import Channel
from bot.model.following import CORRECTING, Turn, turns
from digest.upstream import Standing

WITHIN = timedelta(hours=48)
"""How long after it was told something is corrected by itself."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One item that was told and is not so: what became of it, and how it stands now."""

    channel: Channel
    item_key: str
    ref: str
    title: str
    url: str
    turn: Turn
    standing: Standing


def corrected(told: Standing, now: Standing) -> Turn | None:
    """Give what makes wrong what was told of an item, None where nothing does.

    A pull request that lands and an issue that is closed as done make nothing wrong.
    """
    found = [turn for turn in turns(told, now) if turn in CORRECTING]
    return found[-1] if found else None
