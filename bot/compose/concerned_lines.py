"""What of a morning concerns its channel, with both sides, before everything else."""

from collections.abc import Sequence
from dataclasses import replace

from bot.compose.shortening import brief, listed
from digest.concern.reading_concerns import Concerned
from digest.concern.ripple import Ripple
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.concerned_parts import (
    MOST_CONCERNED,
    MOST_RIPPLES,
    concerned_entry,
    ripple_entry,
)
from digest.writing.document import Block, Runs, Strong, Words


def concerns_you(
    told: Sequence[Concerned], language: Language, ripples: Sequence[Ripple] = ()
) -> list[Block]:
    """Return the lines, at most five, how many more there are, and ripples; nothing without any."""
    heading = Strong((Words(CATALOGUES[language].concerned.heading),))
    short = (replace(one, item=brief(one.item)) for one in told[:MOST_CONCERNED])
    lines = [concerned_entry(one, language) for one in short]
    left = len(told) - len(lines)
    lines += [ripple_entry(one, language) for one in ripples[:MOST_RIPPLES]]
    more: Runs = (Words(f"+{left}"),) if left else ()
    return list(listed((heading,), lines, more).blocks)
