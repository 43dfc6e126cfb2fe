"""What of a page concerns a codebase, with both sides: its first lines, and the others later."""

from collections.abc import Sequence

from digest.concern.reading_concerns import Concerned
from digest.concern.ripple import Hop, Ripple
from digest.concern.surface import UseKind
from digest.languages import Language
from digest.wording.pages import ConcernedWords
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
    Runs,
    Section,
    Strong,
    Words,
)
from digest.writing.phrasing import fill
from digest.writing.sections import heading

MOST_CONCERNED = 5
"""Lines before everything else."""
MOST_RIPPLES = 3
ANCHOR = "concerns-you"
LATER = "concerns-you-too"


def concerned_first(
    told: Sequence[Concerned],
    language: Language,
    most: int | None,
    ripples: Sequence[Ripple] = (),
) -> Section:
    """Return what is read first, at most so many lines; where there is none, that is said.

    Ripples come after the lines, at most `MOST_RIPPLES`.
    """
    words = CATALOGUES[language].concerned
    rippling = tuple(ripple_entry(one, language) for one in ripples[:MOST_RIPPLES])
    if not told:
        nothing = Bullets(rippling) if rippling else Paragraph((Words(words.nothing),))
        return Section((Words(words.heading),), ANCHOR, (nothing,))
    lines = [concerned_entry(one, language) for one in told[:most]]
    if left := len(told) - len(lines):
        lines.append(Entry((Link(words.below.format(count=left), f"#{LATER}"),)))
    return Section(heading(words.heading, len(told)), ANCHOR, (Bullets((*lines, *rippling)),))


def concerned_later(
    told: Sequence[Concerned], language: Language, most: int | None
) -> list[Section]:
    """Return the lines after the first; nothing where all are told there."""
    rest = told[len(told[:most]) :]
    if not rest:
        return []
    title = heading(CATALOGUES[language].concerned.too, len(rest))
    lines = Bullets(tuple(concerned_entry(one, language) for one in rest))
    return [Section(title, LATER, (lines,))]


def concerned_marks(told: Sequence[Concerned]) -> frozenset[str]:
    """Return by what a page knows what tells of it: keys and addresses."""
    return frozenset({mark for one in told for mark in (one.item.key, one.item.url)} - {""})


def concerned_entry(one: Concerned, language: Language) -> Entry:
    """Return a line: the change, whether it breaks, what of it is meant, and how you use that."""
    words = CATALOGUES[language].concerned
    item = one.item
    named = () if item.title == item.ref else (Foreign(item.title), Words(" "))
    runs: list[Run] = [*named, Link(item.ref, item.url), Words(entries.DOT)]
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


def ripple_entry(one: Ripple, language: Language) -> Entry:
    """Return a line: what was released, who took it when, since which release, what you pin."""
    words = CATALOGUES[language].concerned
    steps = [_hop(hop, at == 0, words) for at, hop in enumerate(one.hops)]
    for pin in one.pins[:MOST_RIPPLES]:
        place = pin.use.place if pin.use else None
        where = (Words(" ("), Code(str(place)), Words(")")) if place and place.path else ()
        steps.append((*fill(words.before, name=Code(pin.name), value=Code(pin.value)), *where))
    runs = [run for step in steps for run in (Words(" → "), *step)][1:]
    return Entry(tuple(runs), about=tuple(hop.item.key for hop in one.hops))


def _hop(hop: Hop, is_first: bool, words: ConcernedWords) -> Runs:
    released = words.released if is_first else words.since if hop.sure else words.then
    what: Runs = (Foreign(f"{hop.of.name} {hop.version}"), Words(" ")) if hop.of else ()
    done = fill(
        words.taken if hop.of else released,
        repo=Foreign(hop.item.repo.name),
        ref=Link(hop.item.ref, hop.item.url),
        day=Words(f"{hop.item.at:%Y-%m-%d}"),
    )
    return (*what, *done) if is_first else done
