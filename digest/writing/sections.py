"""The sections of a digest page, from its plan."""

from collections import defaultdict
from collections.abc import Sequence

from digest.grades import Noise, Purpose
from digest.models import Item, Kind, ReadItem, Revert, UpgradeNote
from digest.writing import entries, note_phrases
from digest.writing.context import Context as Context
from digest.writing.context import context as context
from digest.writing.document import (
    NOTHING,
    Block,
    Bullets,
    Code,
    Entry,
    Paragraph,
    Quote,
    Runs,
    Section,
    Strong,
    Table,
    Words,
)
from digest.writing.glosses import runs
from digest.writing.outline import Group, Plan
from digest.writing.phrasing import fill, joined

FIRST_LINES = 4
"""How many lines of a release's notes are told; the others are counted."""


def sections(plan: Plan, about: Context) -> tuple[Section, ...]:
    """Give every section that has something to tell, in the order of reading."""
    about = about.telling(plan.glossed, full=plan.full)
    parts = (
        _before_upgrade(plan, about),
        _reverted(plan, about),
        _high(plan, about),
        *_medium(plan, about),
        _notes(plan, about),
        _issues(plan.issues, about),
        _releases(plan, about),
        _rest(plan, about),
    )
    return tuple(part for part in parts if part is not None)


def heading(text: str, count: int) -> Runs:
    """Give a heading with the number of what stands below it."""
    return (Words(f"{text} · {count}"),)


def _before_upgrade(plan: Plan, about: Context) -> Section | None:
    if not plan.pressing:
        return None
    say = about.say
    bullets = Bullets(
        tuple(
            Entry(note_phrases.notes(group, say, about.cited(group[0].cites)), about=group[0].cites)
            for group in plan.pressing
        )
    )
    return Section((Words(say.headings.before_upgrade),), "before-you-upgrade", (bullets,))


def _reverted(plan: Plan, about: Context) -> Section | None:
    under_high = tuple(plan.taken.values())
    pairs = [pair for pair in plan.reverts if pair not in under_high]
    if not pairs:
        return None
    bullets = Bullets(tuple(revert_entry(pair, about) for pair in pairs))
    title = heading(about.say.headings.reverted, len(pairs))
    return Section(title, "reverted", (bullets,))


def revert_entry(pair: Revert, about: Context) -> Entry:
    """Give a revert beside what it reverts."""
    keys = (pair.revert.key,) if pair.original is None else (pair.original.key, pair.revert.key)
    return Entry(entries.revert(pair, about.say), about=keys)


def _high(plan: Plan, about: Context) -> Section | None:
    if not plan.high:
        return None
    pressing = [note for group in plan.pressing for note in group]
    bullets = Bullets(
        tuple(
            entries.high(
                read,
                about.say,
                about.language,
                plan.taken.get(read.item.key),
                whole=read.item.key in plan.whole,
                noted=[note for note in pressing if read.item.key in note.cites],
                claims=about.claims(read),
            )
            for read in plan.high
        )
    )
    return Section(heading(about.say.headings.high, len(plan.high)), "high", (bullets,))


def _medium(plan: Plan, about: Context) -> list[Section]:
    if not plan.themes and not plan.medium_reverted:
        return []
    total = sum(group.size for group in plan.themes) + len(plan.medium_reverted)
    blocks: list[Block] = []
    groups = together([group for group in plan.themes if group.told])
    for group in groups:
        told = _theme(group, about)
        # A heading over every title there is would divide nothing.
        blocks += told if group.name or len(groups) > 1 else told[1:]
    left: list[Entry] = []
    if more := [read for group in plan.themes for read in group.more]:
        template = about.say.say.more if blocks else about.say.say.so_many
        left.append(_counted(more, template, about))
    if plan.medium_reverted:
        left.append(_counted(plan.medium_reverted, about.say.say.told_above, about))
    if left:
        blocks += [Paragraph(entry.runs) for entry in left]
    return [Section(heading(about.say.headings.medium, total), "medium", tuple(blocks))]


def _counted(reads: Sequence[ReadItem], template: str, about: Context) -> Entry:
    """Give items by count and reference alone."""
    refs = entries.counted(read.item for read in reads)
    keys = tuple(read.item.key for read in reads)
    return Entry(fill(template, count=str(len(reads)), refs=refs), about=keys)


def together(themes: Sequence[Group]) -> list[Group]:
    """Put the themes that tell one item into one group, which has no name of its own."""
    single = [group for group in themes if len(group.told) == 1]
    if len(single) < 2:
        return list(themes)
    told = tuple(read for group in single for read in group.told)
    return [*(group for group in themes if len(group.told) > 1), Group("", told, ())]


def _theme(group: Group, about: Context) -> list[Block]:
    """Give the items of a theme that are told by title, under its name."""
    name = about.say.theme(group.name) if group.name else about.say.names.one_each
    label: Runs = (Strong((Words(name),)), Words(f" · {len(group.told)}"))
    if group.name:
        told = [Entry(line(read, about, spare=True), about=(read.item.key,)) for read in group.told]
    else:
        told = [_themed(read, about) for read in group.told]
    return [Paragraph(label), *theme_sentence(group, about), Bullets(tuple(told))]


def theme_sentence(group: Group, about: Context) -> list[Block]:
    """Give what a model says of a theme as a whole, if that was proven."""
    sentence = about.theme_sentence(group.name)
    return [Paragraph(runs(sentence, about.language))] if sentence else []


def _themed(read: ReadItem, about: Context) -> Entry:
    theme = Words(about.say.theme(read.theme) + about.say.colon)
    return Entry((theme, *line(read, about, spare=True)), about=(read.item.key,))


def _grouped(group: Group, about: Context) -> tuple[Entry, ...]:
    told = [Entry(line(read, about, spare=True), about=(read.item.key,)) for read in group.told]
    if group.more:
        template = about.say.say.more if told else about.say.say.so_many
        told.append(_counted(group.more, template, about))
    return tuple(told)


def line(read: ReadItem, about: Context, *, spare: bool = False) -> Runs:
    """Give a change in one line: title, purpose, reference, gloss, or what took it back.

    With `spare`, a purpose that the title states is not said again.
    """
    taken = read.reverted_by
    if taken is None:
        purpose = about.say.names.purposes[read.purpose]
        known = read.purpose is not Purpose.OTHER and not (spare and entries.declares(read))
        name = entries.named(read.item, about.say, facts=purpose if known else "")
        return entries.beside(name, about.gloss(read))
    by = about.items.get(taken)
    ref: Runs = (entries.reference(by),) if by else (Words(taken.rsplit(":", 1)[-1]),)
    gone = fill(about.say.say.taken_back, revert=ref)
    return (*entries.named(read.item, about.say, struck=True), Words(about.say.pause), *gone)


def notes_table(notes: Sequence[UpgradeNote], about: Context) -> Table:
    """Give upgrade notes as a table with file, line and reference.

    The first cell is empty where a row says the same of the same change as the row above it.
    """
    rows: list[tuple[Runs, ...]] = []
    above: tuple[object, ...] = ()
    for note in notes:
        what = note_phrases.note_name(note, about.say)
        same = above == (what, note.cites)
        rows.append(_row(note, "" if same else what, about))
        above = (what, note.cites)
    return Table(about.say.headings.note_columns, tuple(rows), turns=2)


def _row(note: UpgradeNote, what: str, about: Context) -> tuple[Runs, ...]:
    none: Runs = (Words(NOTHING),)
    return (
        (Words(what),),
        (Code(note.name),) if note.name else none,
        (Code(entries.abbreviated(note.before)),) if note.before else none,
        (Code(entries.abbreviated(note.after)),) if note.after else none,
        note_phrases.note_place(note) if note.path else none,
        entries.references(about.cited(note.cites)) or none,
    )


def _notes(plan: Plan, about: Context) -> Section | None:
    further = plan.further
    if not further.size:
        return None
    say = about.say
    title = say.headings.more_notes if plan.pressing else say.headings.notes
    blocks: list[Block] = []
    if further.rows:
        blocks.append(notes_table(further.rows, about))
    lines: list[Entry] = []
    if further.more:
        template = say.say.more if further.rows else say.say.so_many
        lines.append(_counted_notes(further.more, template, about))
    if further.added:
        lines.append(_added(further.added, about))
    if further.upkeep:
        lines.append(_counted_notes(further.upkeep, say.say.upkeep_notes, about))
    if lines:
        blocks.append(Bullets(tuple(lines)))
    return Section(heading(title, further.size), "upgrade-notes", tuple(blocks))


def _counted_notes(notes: Sequence[UpgradeNote], template: str, about: Context) -> Entry:
    keys = tuple(dict.fromkeys(key for note in notes for key in note.cites))
    refs = entries.references(about.cited(keys))
    return Entry(fill(template, count=str(len(notes)), refs=refs), about=keys)


def _added(notes: Sequence[UpgradeNote], about: Context) -> Entry:
    names: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for note in notes:
        names[note.cites].append(note.name)
    told = joined(
        (
            (
                *joined(((Code(name),) for name in dict.fromkeys(group)), " "),
                *((Words(" "), *entries.references(cited)) if (cited := about.cited(c)) else ()),
            )
            for c, group in names.items()
        ),
        about.say.comma,
    )
    keys = tuple(dict.fromkeys(key for cites in names for key in cites))
    return Entry(fill(about.say.say.also_added, notes=told), about=keys)


def issue_entries(issues: Sequence[ReadItem], about: Context) -> list[Entry]:
    """Give issues with their states, the duplicates of one that is told under it."""
    told: list[Entry] = []
    paired: set[str] = set()
    for read in issues:
        if read.item.key in paired:
            continue
        twins = _twins(read, issues, paired)
        paired.update(twin.item.key for twin in twins)
        under = tuple(Entry(issue(twin, about), about=(twin.item.key,)) for twin in twins)
        told.append(Entry(issue(read, about), under, about=(read.item.key,)))
    return told


def _issues(issues: Group, about: Context) -> Section | None:
    if not issues.size:
        return None
    told = issue_entries(issues.told, about)
    if issues.more:
        refs = entries.counted(read.item for read in issues.more)
        template = about.say.say.more if told else about.say.say.so_many
        more = fill(template, count=str(len(issues.more)), refs=refs)
        told.append(Entry(more, about=tuple(read.item.key for read in issues.more)))
    title = heading(about.say.headings.issues, issues.size)
    return Section(title, "issues", (Bullets(tuple(told)),))


def _twins(read: ReadItem, told: Sequence[ReadItem], paired: set[str]) -> list[ReadItem]:
    number = read.item.number
    return [
        other
        for other in told
        if other is not read and other.item.key not in paired
        if number is not None and other.item.duplicate_of == number
    ]


def issue(read: ReadItem, about: Context) -> Runs:
    """Give an issue in one line, with the changes and the issues that belong to it."""
    linked = list(about.closers.get(read.item.number or 0, ()))
    same: list[Item] = []
    for item in about.cited(read.related):
        if item.kind is Kind.ISSUE:
            same.append(item)
        elif item not in linked and item.kind is not Kind.RELEASE:
            linked.append(item)
    if read.item.duplicate_of is not None and not any(
        other.number == read.item.duplicate_of for other in same
    ):
        same += [
            other
            for other in about.items.values()
            if other.kind is Kind.ISSUE and other.number == read.item.duplicate_of
        ]
    return entries.issue(read, about.say, linked, same, about.gloss(read))


def _releases(plan: Plan, about: Context) -> Section | None:
    if not plan.releases:
        return None
    blocks: list[Block] = []
    for read in plan.releases:
        blocks += release(read, about, opened=read.item.key in plan.opened)
    title = heading(about.say.headings.releases, len(plan.releases))
    return Section(title, "releases", tuple(blocks))


def release(read: ReadItem, about: Context, *, opened: bool = True) -> list[Block]:
    """Give a release: its name, its state, and how its notes begin or how long they are."""
    item, say = read.item, about.say
    state = Words(entries.DOT + say.names.states[item.state])
    name = entries.named(item, say, strong=True)
    if item.title == item.ref:
        name = (Strong((entries.reference(item),)),)
    gloss = runs(about.gloss(read, whole=opened), about.language)
    glossed: list[Block] = [Paragraph(gloss)] if gloss else []
    if opened:
        return [Paragraph((*name, state)), *glossed, *opening(read, about)]
    length: Runs = ()
    if lines := _lines(item):
        length = (Words(entries.DOT + say.count.lines(len(lines))),)
    return [Paragraph((*name, state, *length)), *glossed]


def opening(read: ReadItem, about: Context) -> list[Block]:
    """Give how the notes of a release begin, and how many lines follow."""
    say, lines = about.say, _lines(read.item)
    if not lines:
        return []
    blocks: list[Block] = [Quote((Words(say.say.own_words),), "\n".join(lines[:FIRST_LINES]))]
    if len(lines) > FIRST_LINES:
        left = say.count.further_lines(len(lines) - FIRST_LINES)
        blocks.append(Paragraph((Words(left + say.colon), entries.reference(read.item))))
    return blocks


def _lines(item: Item) -> list[str]:
    return [text.rstrip() for text in item.body.splitlines() if text.strip()]


def _rest(plan: Plan, about: Context) -> Section | None:
    rest, retold = plan.rest, plan.low_reverted
    if not rest and not retold:
        return None
    say = about.say
    told: list[Entry] = []
    for group in rest:
        name = say.names.noise[Noise(group.name)] if group.name else say.names.low
        label: Runs = (Words(f"{name} · {group.size}"),)
        if group.told:
            told.append(Entry(label, _grouped(group, about)))
        else:
            refs = entries.counted(read.item for read in group.more)
            keys = tuple(read.item.key for read in group.more)
            told.append(Entry(joined((label, refs), say.colon), about=keys))
    if retold:
        told.append(_counted(retold, say.say.told_above, about))
    total = sum(group.size for group in rest) + len(retold)
    return Section(heading(say.headings.rest, total), "rest", (Bullets(tuple(told)),))
