"""A digest as a page, and several digests as one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from digest.concern.concerned import concerned
from digest.concern.ripple import Ripple
from digest.concern.surface import Surface
from digest.languages import Language
from digest.models import Change, Digest, Gap, Reading, Window
from digest.phrase import Phrase
from digest.wording.catalogue import Catalogue
from digest.wording.phrases import COUNTED, cause
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.choices import choices
from digest.writing.composition import compose
from digest.writing.concerned_parts import (
    MOST_CONCERNED,
    concerned_first,
    concerned_later,
    concerned_marks,
)
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Document,
    Foreign,
    Paragraph,
    Runs,
    Section,
    Strong,
    Tone,
    Words,
)
from digest.writing.making import made_by
from digest.writing.outline import Context, Outline, context
from digest.writing.phrasing import fill, label_of
from digest.writing.remarks import paragraph
from digest.writing.rules import summary
from digest.writing.sections import brief as brief_lines
from digest.writing.sections import first, following, mostly


def digest_page(
    digest: Digest,
    language: Language,
    *,
    full: bool = False,
    brief: bool = False,
    surfaces: Sequence[Surface] = (),
    ripples: Sequence[Ripple] = (),
) -> Document:
    """Return a digest as a page: `full` gives every item a line, `brief` is a few lines.

    With surfaces, what concerns their codebase comes before everything else, and nothing is left
    out for it.
    """
    if brief:
        return _brief_page(digest, language, surfaces, ripples)
    say = CATALOGUES[language]
    reading = digest.reading
    outline = compose(reading, language, full=full)
    about = context(reading, say, language, whole=full, upgrades=reading.window.is_span)
    lead: list[Block] = [
        *warnings(reading, say),
        Paragraph((Words(summary(reading, say)),), Tone.LEAD),
    ]
    begins = opening(digest, outline, about)
    parts = first(outline, about, in_full=True)
    parts += following(outline, about, parts)
    sections = [part.section() for part in parts]
    marks: frozenset[str] = frozenset()
    if not surfaces or not reading.items:
        lead += begins
    else:
        found, most = concerned(reading, surfaces), None if full else MOST_CONCERNED
        before = [concerned_first(found, language, most, ripples)]
        marks = concerned_marks(found)
        if begins:
            short = (Words(CATALOGUES[language].concerned.opening),)
            before.append(Section(short, "all-changes", tuple(begins)))
        sections = [*before, *sections, *concerned_later(found, language, most)]
    return Document(
        language=language,
        title=(Foreign(f"{reading.repo} · {label_of(reading.window, language)}"),),
        lead=tuple(lead),
        sections=tuple(sections),
        footer=(*_named(reading, say, full=full), *footer(digest, say, language)),
        concerned=marks,
        filter=choices(outline, about),
    )


def _named(reading: Reading, say: Catalogue, *, full: bool) -> tuple[Paragraph, ...]:
    """Say of a span where the names are that its page only counts."""
    if full or not reading.window.is_span:
        return ()
    return (Paragraph(fill(say.page.counted, full=Code("--full")), Tone.SMALL),)


def _brief_page(
    digest: Digest, language: Language, surfaces: Sequence[Surface], ripples: Sequence[Ripple]
) -> Document:
    """Return a digest in a few lines: how much happened, and what costs most, each with its link.

    With surfaces, the first of what concerns their codebase stands below.
    """
    say, reading = CATALOGUES[language], digest.reading
    outline = compose(reading, language, full=True)
    lines = brief_lines(outline, context(reading, say, language))
    found = concerned(reading, surfaces) if reading.items else []
    near = (concerned_first(found, language, MOST_CONCERNED, ripples),) if found else ()
    counted = summary(reading, say)
    if reading.window.partial:
        counted += say.gap + say.small.partial
    return Document(
        language=language,
        title=(Foreign(f"{reading.repo} · {label_of(reading.window, language)}"),),
        lead=(
            *warnings(reading, say),
            Paragraph((Words(counted),), Tone.LEAD),
            *((Bullets(tuple(lines)),) if lines else ()),
        ),
        sections=near,
        footer=tuple(limits(reading, say)),
        concerned=concerned_marks(found),
    )


def opening(digest: Digest, outline: Outline, about: Context) -> list[Block]:
    """Return what a digest begins with: what a model wrote of it, else the computed line."""
    written = paragraph(digest.remarks, digest.model, about.items, about.language)
    lines = () if written else mostly(outline, about)
    return [*written, *((Paragraph(lines),) if lines else ())]


def warnings(reading: Reading, say: Catalogue) -> list[Block]:
    """Say what could not be looked at in part, and what is new about the repository itself.

    What the source never has is no news and stands below: see `limits`.
    """
    lines = _gaps((gap for gap in reading.gaps if not gap.lasting), say)
    return [*(Paragraph(runs, Tone.WARNING) for runs in lines), *notices(reading, say)]


def limits(reading: Reading, say: Catalogue) -> list[Paragraph]:
    """Say in small print what asking again would not show: a clone holds no issues."""
    lines = _gaps((gap for gap in reading.gaps if gap.lasting), say)
    return [Paragraph(runs, Tone.SMALL) for runs in lines]


def _gaps(gaps: Iterable[Gap], say: Catalogue) -> list[Runs]:
    """Say each reason once, behind all that could not be looked at for it."""
    by_why: dict[Phrase, dict[str, None]] = {}
    for gap in gaps:
        if gap.what == "everything":
            continue
        what, why = say.names.gaps.get(gap.what, gap.what), gap.why
        if why.code in COUNTED:
            count, why = why.values[0], cause(why)
            if isinstance(count, int):
                number = say.count.changes(count) if gap.what == "patches" else f"{count}"
                what = say.say.so_many_unseen.format(what=what, count=number)
        by_why.setdefault(why, {})[what] = None
    return [
        fill(say.say.gap, what=say.comma.join(whats), why=Foreign(say.localized(why)))
        for why, whats in by_why.items()
    ]


def notices(reading: Reading, say: Catalogue, name: str = "") -> list[Block]:
    """Say what is new about a repository itself, after its name where it is one of several."""
    named: Runs = (Strong((Foreign(name),)), Words(say.colon)) if name else ()
    return [
        Paragraph((*named, *entries.notice_runs(notice, say)), Tone.WARNING)
        for notice in reading.notices
    ]


def moment(at: datetime, tz: str, *, seconds: bool = False) -> str:
    """Give a moment in a zone, to the minute or the second."""
    form = "%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M"
    return at.astimezone(ZoneInfo(tz)).strftime(form)


def window_runs(window: Window, say: Catalogue) -> Runs:
    """Say which time is told, in which zone."""
    runs = fill(
        say.small.window,
        start=moment(window.start, window.tz),
        end=moment(window.end, window.tz),
        tz=window.tz,
    )
    return (*runs, Words(say.gap + say.small.partial)) if window.partial else runs


def footer(
    digest: Digest,
    say: Catalogue,
    language: Language,
    analysed: Sequence[Change] = (),
) -> tuple[Paragraph, ...]:
    """Say which time was told from which source, and who made the sentences.

    `analysed` are changes that are told whole on the same page.
    """
    reading = digest.reading
    zone = reading.window.tz
    source = fill(
        say.small.source,
        source=Foreign(say.names.sources.get(reading.source, reading.source)),
        at=f"{moment(reading.collected_at, zone)} {zone}",
    )
    made = made_by((digest, *analysed), say, language)
    line = (*window_runs(reading.window, say), Words(say.gap), *source, Words(say.gap), *made)
    return (*limits(reading, say), Paragraph(line, Tone.SMALL))


def of_repo(reading: Reading, blocks: Iterable[Block], say: Catalogue) -> list[Paragraph]:
    """Give what is said of a repository that is one of several, behind its full name."""
    named = (Strong((Foreign(str(reading.repo)),)), Words(say.colon))
    return [
        replace(block, runs=(*named, *block.runs))
        for block in blocks
        if isinstance(block, Paragraph)
    ]
