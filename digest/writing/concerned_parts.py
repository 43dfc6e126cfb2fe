"""What of a page concerns a codebase, with both sides: its first lines, and the others later."""

from collections.abc import Sequence

from digest.concern.reading_concerns import Concerned
from digest.concern.surface import UseKind
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.concern_words import you_runs
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Run,
    Section,
    Strong,
    Words,
)
from digest.writing.phrasing import fill
from digest.writing.sections import heading

MOST_CONCERNED = 5
"""Lines before everything else."""
ANCHOR = "concerns-you"
LATER = "concerns-you-too"


def concerned_first(told: Sequence[Concerned], language: Language, most: int | None) -> Section:
    """Return what is read first, at most so many lines; where there is none, that is said."""
    words = CATALOGUES[language].concerned
    if not told:
        return Section((Words(words.heading),), ANCHOR, (Paragraph((Words(words.nothing),)),))
    lines = [concerned_entry(one, language) for one in told[:most]]
    if left := len(told) - len(lines):
        lines.append(Entry((Link(f"+{left}", f"#{LATER}"),)))
    return Section(heading(words.heading, len(told)), ANCHOR, (Bullets(tuple(lines)),))


def concerned_later(
    told: Sequence[Concerned], language: Language, most: int | None
) -> list[Section]:
    """Return the lines after the first, folded; nothing where all are told there."""
    rest = told[len(told[:most]) :]
    if not rest:
        return []
    title = heading(CATALOGUES[language].concerned.too, len(rest))
    lines = Bullets(tuple(concerned_entry(one, language) for one in rest))
    return [Section(title, LATER, (lines,), folded=True)]


def concerned_entry(one: Concerned, language: Language) -> Entry:
    """Return a line: the change, whether it breaks, what of it is meant, and how you use that."""
    words = CATALOGUES[language].concerned
    title = Foreign(one.item.title)
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
