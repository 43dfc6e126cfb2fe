"""The changes of a bisect range as a page, the likeliest cause first."""

from collections.abc import Sequence

from digest.concern.suspects import Suspect
from digest.concern.upgrade import strongest
from digest.languages import Language
from digest.models import Repo, Span
from digest.wording.saying import CATALOGUES
from digest.writing.concern_words import change_link, match_runs
from digest.writing.document import (
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Paragraph,
    Run,
    Section,
    Tone,
    Words,
)

MOST_SHOWN = 30
MOST_MATCHES = 3


def suspects_page(
    repo: Repo, span: Span, ranked: Sequence[Suspect], language: Language, *, full: bool = False
) -> Document:
    """Return the page, of the first thirty or with `full` of all."""
    words = CATALOGUES[language].suspects
    shown = ranked if full else ranked[:MOST_SHOWN]
    counts = words.counts.format(count=len(ranked), shown=len(shown))
    steps = words.steps.format(steps=max(0, (len(ranked) - 1).bit_length()))
    title = (Code(str(repo)), Words(": " + words.title), Code(span.base), Words(words.to),
             Code(span.head))  # fmt: skip
    entries = tuple(_entry(one, language) for one in shown)
    lead = (Paragraph((Words(counts),), Tone.LEAD), Paragraph((Words(steps),), Tone.SMALL))
    section = Section((Words(words.ranked),), "ranked", (Bullets(entries),))
    return Document(language, title, lead, (section,), ())


def _entry(one: Suspect, language: Language) -> Entry:
    runs: tuple[Run, ...] = (change_link(one.item), Words(" "), Foreign(one.item.title))
    under = []
    if one.words:
        told = CATALOGUES[language].suspects.shares
        under.append(Entry((Words(told), Code(", ".join(one.words)))))
    if one.weighed is not None:
        told_matches = strongest(one.weighed.matches)[:MOST_MATCHES]
        under += [Entry(match_runs(match, one.item, language)) for match in told_matches]
    return Entry(runs, tuple(under), (one.item.key,))
