"""A whole day as an analysis: its commits in a table, contents, and each change by its importance.

High changes are told whole, with hunks; medium ones in short; low ones in a line. Every anchor of
the contents is that of a section of the page.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from digest.concern.concerned import concerned
from digest.concern.ripple import Ripple
from digest.concern.surface import Surface
from digest.grades import Importance
from digest.languages import Language
from digest.models import AnalysedDay, Change, Item, Kind, Reading, ReadItem
from digest.phrase import Phrase
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.analysis_page import IN_A_DAY
from digest.writing.change_page import change_sections, lead
from digest.writing.composition import compose
from digest.writing.concerned_parts import concerned_first, concerned_marks
from digest.writing.digest_page import footer, moment, warnings
from digest.writing.document import (
    NOTHING,
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Section,
    Struck,
    Table,
    Tone,
    Words,
)
from digest.writing.fact_phrases import fact_runs
from digest.writing.lines import line_entry, quotation
from digest.writing.outline import Context, changes, context
from digest.writing.phrasing import fill, first_of, joined, label_of
from digest.writing.remarks import own_sentence, paragraph
from digest.writing.rules import plain, summary
from digest.writing.sections import first, following
from digest.writing.visible import visible

FILES_TOLD = 3
_NOT_ANCHOR = re.compile("[^a-z0-9]+")
_BEFORE = ("bitten", "before-you-upgrade", "before-you-upgrade-code", "reverted", "new")
_AFTER = ("stories", "issues", "releases")


def day_page(
    day: AnalysedDay,
    language: Language,
    surfaces: Sequence[Surface] = (),
    ripples: Sequence[Ripple] = (),
) -> Document:
    """Give a digest in its long form; with surfaces, all that concerns their codebase is first."""
    digest = day.digest
    reading = digest.reading
    say, words = CATALOGUES[language], CATALOGUES[language].analysis
    about = context(reading, say, language, whole=True)
    whole = {change.read.item.key: change for change in day.changes}
    outline = compose(reading, language, full=True)
    before, after = first(outline, about), following(outline, about)
    parts = [
        *(part.section() for part in before if part.anchor in _BEFORE),
        *_high(reading, whole, dict(day.failed), about),
        *_medium(reading, whole, about),
        *_low(reading, about),
        *(part.section() for part in after if part.anchor in _AFTER),
    ]
    commits = _commits(reading, about)
    marks: frozenset[str] = frozenset()
    if surfaces:
        near = concerned(reading, surfaces)
        marks = concerned_marks(near)
        commits = [concerned_first(near, language, None, ripples), *commits]
    contents = _contents([*commits, *parts], about)
    title = fill(
        words.title_day, repo=Foreign(str(reading.repo)), label=label_of(reading.window, language)
    )
    return Document(
        language=language,
        title=title,
        concerned=marks,
        lead=(
            *warnings(reading, say),
            Paragraph((Words(summary(reading, say)),), Tone.LEAD),
            *paragraph(digest.remarks, digest.model, about.items, language),
        ),
        sections=(*commits, *contents, *parts),
        footer=footer(digest, say, language, day.changes),
    )


def anchor(item: Item) -> str:
    """Give the anchor of an item: `pull-request-18766`, `commit-0d30896…`."""
    name = item.key.removeprefix(f"{item.repo}:")
    return _NOT_ANCHOR.sub("-", name.casefold()).strip("-")


def _commits(reading: Reading, about: Context) -> list[Section]:
    """Give every change with the time at which it landed, the last one first."""
    landed = sorted(changes(reading), key=lambda read: read.item.at, reverse=True)
    if not landed:
        return []
    words = CATALOGUES[about.language].analysis
    zone = reading.window.tz
    rows = tuple(
        (
            (Words(moment(read.item.at, zone, seconds=True)),),
            (Foreign(read.item.author),) if read.item.author else (Words(NOTHING),),
            (entries.title(read.item, about.say),),
            _commit_links(read.item),
        )
        for read in landed
    )
    time, *others = words.commit_columns
    table = Table((time.format(tz=zone), *others), rows)
    heading = f"{words.commits} · {reading.counts.commits}"
    return [Section((Words(heading),), "commits", (table,))]


def _commit_links(item: Item) -> Runs:
    """Give the reference of a change, and that of each of its commits."""
    link = entries.reference(item)
    if item.kind is not Kind.PULL_REQUEST or len(item.commits) != 1:
        return entries.commits(item, link)
    base, pull, _ = item.url.partition("/pull/")
    sha = item.commits[0]
    commit = Link(sha[: entries.SHA_SHOWN], f"{base}/commit/{sha}" if pull else "")
    return (link, entries.SPACE, commit)


def _contents(parts: Sequence[Section], about: Context) -> list[Section]:
    lines: list[Entry] = []
    under: list[Entry] = []
    for part in reversed(parts):
        if part.level == 3:
            under.insert(0, Entry((Link(visible(plain(part.heading)), f"#{part.anchor}"),)))
        elif part.level == 2:
            head = Link(visible(plain(part.heading)), f"#{part.anchor}")
            lines.insert(0, Entry((head,), tuple(under)))
            under = []
    if not lines:
        return []
    words = CATALOGUES[about.language].analysis
    return [Section((Words(words.contents),), "contents", (Bullets(tuple(lines)),))]


def _of(reading: Reading, wanted: Importance) -> list[ReadItem]:
    return [read for read in changes(reading) if read.importance is wanted]


def _heading(name: str, reads: Sequence[ReadItem]) -> Runs:
    return (Words(f"{name} · {len(reads)}"),)


def _named(read: ReadItem, about: Context) -> Runs:
    run = entries.title(read.item, about.say)
    title = Struck((run,)) if read.reverted_by is not None else run
    return (title, entries.SPACE, entries.reference(read.item))


def _high(
    reading: Reading, whole: Mapping[str, Change], failed: Mapping[str, Phrase], about: Context
) -> Iterator[Section]:
    reads = _of(reading, Importance.HIGH)
    if not reads:
        return
    yield Section(_heading(about.say.headings.high, reads), "high", ())
    for read in reads:
        change = whole.get(read.item.key)
        if change is None:
            yield _short(read, about, failed.get(read.item.key))
            continue
        name = anchor(read.item)
        yield Section(_named(read, about), name, lead(change, about.say, about.language), 3)
        for part in change_sections(change, about.language, IN_A_DAY):
            if part.blocks:
                yield Section(part.heading, f"{name}-{part.anchor}", part.blocks, 4)


def _medium(reading: Reading, whole: dict[str, Change], about: Context) -> Iterator[Section]:
    reads = _of(reading, Importance.MEDIUM)
    if reads:
        heading = _heading(CATALOGUES[about.language].analysis.medium, reads)
        yield Section(heading, "medium", ())
        yield from (_short(read, about) for read in reads)


def _short(read: ReadItem, about: Context, failed: Phrase | None = None) -> Section:
    """Give a change in short: what it is for users, its type, reasons, revert and author.

    `failed` says why it is not told whole, where it should be.
    """
    say, language = about.say, about.language
    template = CATALOGUES[language].analysis.not_whole
    text = quotation(read, about)
    lines = [
        fill(template, why=Foreign(say.localized(failed))) if failed else (),
        joined(fact_runs(about.facts_of(read), language, whole=True), say.semicolon),
        entries.facts(read, say),
        _files(read.item, about),
        entries.why(read, say, about.facts_of(read)),
        _taken(read, about),
        own_sentence(read, text, say, language) if text else (),
    ]
    blocks: tuple[Block, ...] = (Bullets(tuple(Entry(runs) for runs in lines if runs)),)
    return Section(_named(read, about), anchor(read.item), blocks, 3)


def _files(item: Item, about: Context) -> Runs:
    """Give the files that change most."""
    files = sorted(item.files or (), key=lambda file: -(file.additions + file.deletions))
    return first_of([(Code(file.path),) for file in files], FILES_TOLD, about.say.comma)


def _taken(read: ReadItem, about: Context) -> Runs:
    by = about.items.get(read.reverted_by or "")
    return fill(about.say.say.taken_back, revert=entries.reference(by)) if by else ()


def _low(reading: Reading, about: Context) -> list[Section]:
    reads = _of(reading, Importance.LOW)
    if not reads:
        return []
    bullets = Bullets(tuple(line_entry(read, about) for read in reads))
    return [Section(_heading(CATALOGUES[about.language].analysis.low, reads), "low", (bullets,))]
