"""What of a morning concerns its channel, with both sides, before everything else."""

from collections.abc import Sequence

from bot.compose.shortening import LONGEST_TITLE, listed, shortened
from bot.wording.concerned_words import CONCERNED_WORDS
from digest.concern.reading_concerns import Concerned
from digest.concern.surface import UseKind
from digest.languages import Language
from digest.writing import entries
from digest.writing.concern_words import you_runs
from digest.writing.document import Block, Code, Entry, Foreign, Link, Run, Runs, Strong, Words
from digest.writing.phrasing import fill

MOST = 5


def concerns_you(told: Sequence[Concerned], language: Language) -> list[Block]:
    """Return the lines, at most five, and how many more there are; nothing where there is none."""
    words = CONCERNED_WORDS[language]
    lines = [_line(one, language) for one in told[:MOST]]
    more: Runs = (Words(f"+{len(told) - MOST}"),) if len(told) > MOST else ()
    return list(listed((Strong((Words(words.heading),)),), lines, more).blocks)


def _line(one: Concerned, language: Language) -> Entry:
    words = CONCERNED_WORDS[language]
    title = Foreign(shortened(one.item.title, LONGEST_TITLE))
    runs: list[Run] = [title, Words(" "), Link(one.item.ref, one.item.url), Words(entries.DOT)]
    if one.breaks:
        runs += [Strong((Words(words.breaks),)), Words(entries.DOT)]
    name = one.name or one.path
    if name and name != one.word and not (one.use and one.use.name == name):
        runs += [Code(name), Words(entries.DOT)]
    if one.use is None:
        runs += fill(words.said, word=Code(one.word))
    elif one.use.kind is UseKind.PIN:
        runs += fill(words.pinned, name=Code(one.use.name), value=Code(one.use.value))
    else:
        runs += you_runs(one.use, language)
    if one.use is not None and one.use.place.path:
        runs += [Words(" ("), Code(str(one.use.place)), Words(")")]
    return Entry(tuple(runs), about=(one.item.key,))
