"""What of a morning concerns its channel, with both sides, before everything else."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.compose.channel_digest import ChannelDigest
from bot.compose.shortening import brief, listed
from bot.model.parts import Part, PartKind
from digest.concern.concerned import Concerned, concerned
from digest.concern.ripple import Ripple
from digest.concern.surface import Surface
from digest.languages import Language
from digest.models import Repo
from digest.wording.saying import CATALOGUES
from digest.writing.concerned_parts import (
    MOST_CONCERNED,
    MOST_RIPPLES,
    concerned_entry,
    ripple_entry,
)
from digest.writing.document import Block, Entry, Runs, Strong, Words
from digest.writing.rules import plain
from digest.writing.sections import heading


def concerns_you(
    near: Sequence[Concerned], of: int, language: Language, ripples: Sequence[Ripple] = ()
) -> list[Block]:
    """Return the lines, at most five, how many of all are below, and ripples; nothing without."""
    words = CATALOGUES[language].concerned
    lines = _lines(near[:MOST_CONCERNED], language)
    left = of - len(lines)
    lines += [ripple_entry(one, language) for one in ripples[:MOST_RIPPLES]]
    more: Runs = (Words(words.below.format(count=left)),) if left else ()
    return list(listed((Strong((Words(words.heading),)),), lines, more).blocks)


def concerns_you_too(near: Sequence[Concerned], language: Language) -> list[Part]:
    """Return the reply that has the lines after the first; none where all are told there."""
    if not near:
        return []
    head = heading(CATALOGUES[language].concerned.too, len(near))
    shown = listed((Strong(head),), _lines(near, language))
    return [Part(PartKind.CHANGES, shown.blocks, about=shown.keys, summary=plain(head))]


def nearest(digests: Sequence[ChannelDigest], surfaces: Sequence[Surface]) -> tuple[Concerned, ...]:
    """Return what of several repositories concerns a channel, what breaks first."""
    near = [one for view in digests for one in concerned(view.reading, surfaces)]
    return tuple(sorted(near, key=lambda one: not one.breaks))


def alarm(near: Sequence[Concerned], language: Language) -> list[str]:
    """Return how a notification begins where something breaks the channel: the first line of it."""
    return [plain(entry.runs) for entry in _lines(near[:1], language) if near[0].breaks]


def strongest(near: Sequence[Concerned], elsewhere: Collection[Repo]) -> list[Concerned]:
    """Return what a roundup tells: of a repository that is told `elsewhere` too, the first line."""
    heads = {one.item.repo: one for one in reversed(near)}
    return [one for one in near if one.item.repo not in elsewhere or one is heads[one.item.repo]]


def _lines(near: Sequence[Concerned], language: Language) -> list[Entry]:
    return [concerned_entry(replace(one, item=brief(one.item)), language) for one in near]
