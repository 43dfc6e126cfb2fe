"""The parts of a page or a thread, from its outline: what is read first, and what follows."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from digest.facts import Fact, Symptom
from digest.grades import Importance, Noise, Purpose
from digest.models import ReadItem
from digest.reading.known_facts import demands
from digest.reading.releases import apart, is_prerelease
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Paragraph,
    Runs,
    Section,
    Strong,
    Words,
)
from digest.writing.entries import DOT, SPACE
from digest.writing.fact_phrases import mark, names
from digest.writing.lines import (
    NOTHING_MENTIONED,
    Mentioned,
    demand,
    demand_statements,
    demanded,
    first_bite,
    front_entry,
    hit,
    issue_entries,
    issue_entry,
    issue_name,
    line_entry,
    novel,
    novelties_of,
    only_named,
    referenced,
    release,
    revert_entry,
    story_entry,
    strand_in_lead,
    symptom,
    titles_entry,
    trial_references,
    trials_line,
)
from digest.writing.outline import (
    MINUTES_FIRST,
    Context,
    Group,
    Lead,
    Listed,
    Outline,
    Strand,
    block_minutes,
    minutes,
    runs_minutes,
)
from digest.writing.phrasing import fill, joined
from digest.writing.rules import plain
from digest.writing.visible import bare, visible

ARROW_BACK = "↩ "
BITTEN, UPGRADE, NEW = "bitten", "before-you-upgrade", "new"
UPGRADE_CODE = "before-you-upgrade-code"
FIXED = "fixed"
"""The anchors of what is read first and has its home there."""
MOST_IN_LEAD = 220
"""Characters of the line that says what a day mostly was."""
MOST_BITTEN = 3
"""Lines about what could have hit somebody before the others are named by number."""
MOST_BITTEN_LONG = 6
MOST_REFERENCES = 12
"""References that one line has of what else could have hit somebody; of more it has the number."""
MOST_UPGRADING = 5
MOST_IN_A_HEAD = 120
"""Characters of what asks to act before a title; what is longer stands under it, line by line."""
MOST_NEW = 4
MOST_OTHERS = 3
A_LITTLE = 24
"""Characters that are no reason to count one last thing in the place of telling it."""
HIGHLIGHTS = 2
"""Lines of each sort about one repository of several."""
MOST_BRIEF = 5
"""Lines of the shortest form of a day."""
MOST_OF_A_LINE = 3
"""Items of one group of the rest that stand in one line."""
ISSUES = "issues"
"""The group of the rest that holds issues."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part of a page: its heading, what stands below it, and the items that it tells.

    `mentioned` is what its lines say; `homes` are the items that it tells in full, so that no part
    after it does.
    """

    anchor: str
    heading: Runs
    blocks: tuple[Block, ...]
    keys: tuple[str, ...] = ()
    folded: bool = False
    homes: frozenset[str] = frozenset()
    mentioned: Mentioned = NOTHING_MENTIONED

    def section(self) -> Section:
        """Return it as a section of a document."""
        return Section(self.heading, self.anchor, self.blocks, folded=self.folded, about=self.keys)

    @property
    def minutes(self) -> float:
        """How long it takes to read with its heading."""
        return minutes(plain(self.heading)) + sum(map(block_minutes, self.blocks))


def heading(text: str, count: int) -> Runs:
    """Return a heading with the number of what stands below it."""
    return (Words(f"{text} · {count}"),)


def _bullets(
    anchor: str, title: Runs, lines: Sequence[Entry], mentioned: Mentioned = NOTHING_MENTIONED
) -> PagePart | None:
    """Return a part of lines; None where there are none."""
    if not lines:
        return None
    keys = tuple(dict.fromkeys(key for entry in lines for key in entry.keys))
    return PagePart(anchor, title, (Bullets(tuple(lines)),), keys, mentioned=mentioned)


def mentioned_by(parts: Sequence[PagePart]) -> Mentioned:
    """Return what parts tell together."""
    mentioned = NOTHING_MENTIONED
    for part in parts:
        mentioned |= part.mentioned
    return mentioned


def _titles(reads: Sequence[ReadItem]) -> frozenset[str]:
    return frozenset(read.item.key for read in reads)


@dataclass(frozen=True, slots=True)
class Room:
    """How many lines of each sort are read first. Of what asks to act None is all of it."""

    bitten: int = 1
    upgrading: int | None = 1
    reverts: int = 0
    new: int = 0
    others: int = 0
    issues: int = 0


_MORE: tuple[tuple[str, int | None], ...] = (
    *(("bitten", 2), ("bitten", 3), ("reverts", 1), ("upgrading", 2), ("new", 1), ("issues", 1)),
    *(("others", 1), ("reverts", 2), ("upgrading", 3), ("new", 2), ("bitten", 4), ("upgrading", 5)),
    *(("others", 2), ("bitten", 6), ("new", 3)),
    *(("upgrading", None), ("bitten", 8), ("issues", 2), ("others", MOST_OTHERS)),
    *(("reverts", 3), ("new", MOST_NEW), ("bitten", 12), ("bitten", 30)),
)
"""What is told in more lines while there is time, in this order."""


def room(takes: Callable[[Room], float], bitten: int, upgrading: int | None) -> Room:
    """Return the most lines that are read in time, with no more of two sorts than so many.

    `takes` says by how much, in minutes, some lines take longer than there is time for.
    """
    found = Room()
    for name, count in _MORE:
        most = {"bitten": bitten, "upgrading": upgrading}.get(name)
        if most is not None:
            count = most if count is None else min(count, most)
        more = _with(found, name, count)
        if more != found and takes(more) <= 0:
            found = more
    return found


def _with(room: Room, name: str, count: int | None) -> Room:
    changed: dict[str, int] = {name: count}  # type: ignore[dict-item] # None is all, of one field
    return replace(room, **changed)


def first(outline: Outline, about: Context, *, in_full: bool = False) -> list[PagePart]:
    """Return what is read first: in half a minute, before anything is opened.

    With `in_full`, what is told there has its home there, with its title, as far as that is read
    in a minute.
    """
    before = runs_minutes(mostly(outline, about))
    time = MINUTES_FIRST * 2 if in_full else MINUTES_FIRST

    # Room is looked for in many steps, each of which changes the lines of one part.
    bites, asked = cache(partial(bitten, outline, about)), cache(partial(upgrading, outline, about))
    fresh, rest = cache(partial(new, outline, about)), cache(partial(others, outline, about))
    back = reverted(outline, about)

    def within(lines: Room) -> list[PagePart]:
        parts = (
            bites(lines.bitten),
            *asked(lines.upgrading),
            back,
            fresh(lines.new),
            None if in_full else rest(lines.others),
        )
        return [part for part in parts if part is not None]

    def takes(lines: Room) -> float:
        return before + sum(part.minutes for part in within(lines)) - time

    if outline.full:
        found = Room(len(outline.bitten), None, 0, MOST_NEW, MOST_OTHERS)
    else:
        most = len(outline.bitten) if in_full else most_bitten(outline)
        found = room(takes, most, None)
        if about.upgrades:
            found = replace(found, upgrading=None)
    return _at_home(outline, about, within(found), found) if in_full else within(found)


def most_bitten(outline: Outline) -> int:
    """Return how many lines tell what could have hit somebody before the others are counted."""
    return MOST_BITTEN_LONG if outline.is_long else MOST_BITTEN


def _at_home(
    outline: Outline, about: Context, parts: Sequence[PagePart], lines: Room
) -> list[PagePart]:
    """Return parts that are read first with each item in full where it stands first in them.

    Where it stands again, its title does. What asks to act stands where who upgrades looks for it,
    and not before it.
    """
    asked = mentioned_by([part for part in parts if part.anchor in (UPGRADE, UPGRADE_CODE)])
    heads: Mapping[str, Callable[[ReadItem], Runs]] = {
        BITTEN: lambda read: symptom(read, about),
        UPGRADE: lambda read: demand(read, about, of_code=False, beside_title=True),
        UPGRADE_CODE: lambda read: demand(read, about, of_code=True, beside_title=True),
        NEW: lambda read: (),
    }
    homes: set[str] = set()
    whole: list[PagePart] = []
    for part in parts:
        if part.anchor not in heads:
            whole.append(part)
            continue
        mentioned = mentioned_by(whole) | (NOTHING_MENTIONED if part.anchor == NEW else asked)
        own: set[str] = set()
        entries_here: list[Entry] = []
        for entry in _lines_of(part, outline, about, lines):
            (key, *more) = entry.about
            if more:
                entries_here.append(entry)
                continue
            read = about.reads[key]
            head, apart = heads[part.anchor](read), _apart(read, part.anchor, about)
            head = () if apart else head
            if key in homes:
                named = joined((head, entries.named(read.item, about.say)), DOT)
                entries_here.append(Entry(named, apart, entry.about) if head or apart else entry)
                continue
            own = own | {key}
            facts = _said_in_head(read, part.anchor, about)
            known = Mentioned(
                mentioned.titles, (mentioned.facts | facts) - _said_below(read, part.anchor, about)
            )
            if read in outline.front:
                whole_entry = front_entry(read, outline, about, known, head)
            else:
                quote = key in outline.quoted
                whole_entry = line_entry(read, about, known, quote=quote, head=head)
            entries_here.append(replace(whole_entry, under=(*apart, *whole_entry.under)))
        homes |= own
        facts = frozenset(fact for key in own for fact in about.facts_of(about.reads[key]))
        mentioned = Mentioned(part.mentioned.titles | own, part.mentioned.facts | facts)
        blocks = (Bullets(tuple(entries_here)),)
        whole.append(replace(part, blocks=blocks, homes=frozenset(own), mentioned=mentioned))
    return whole


def _apart(read: ReadItem, anchor: str, about: Context) -> tuple[Entry, ...]:
    """Return what of a change asks to act line by line, where one upgrades and it is much."""
    if not about.upgrades or anchor not in (UPGRADE, UPGRADE_CODE):
        return ()
    of_code = anchor == UPGRADE_CODE
    statements = demand_statements(read, about, of_code=of_code, beside_title=True)
    if len(statements) < 2 or sum(len(plain(runs)) for runs in statements) <= MOST_IN_A_HEAD:
        return ()
    return tuple(Entry(runs) for runs in statements)


def _said_in_head(read: ReadItem, anchor: str, about: Context) -> frozenset[Fact]:
    """Return the facts that an item begins with in a part."""
    if anchor in (UPGRADE, UPGRADE_CODE):
        return frozenset(demanded(read, about, of_code=anchor == UPGRADE_CODE))
    seen = first_bite(about.facts_of(read)) if anchor == BITTEN else None
    return frozenset((seen,) if seen else ())


def _said_below(read: ReadItem, anchor: str, about: Context) -> frozenset[Fact]:
    """Return the facts of which the line that an item begins with has no more than the names."""
    if anchor not in (UPGRADE, UPGRADE_CODE):
        return frozenset()
    return only_named(read, about, of_code=anchor == UPGRADE_CODE)


def _lines_of(part: PagePart, outline: Outline, about: Context, lines: Room) -> Sequence[Entry]:
    """Return the lines of a part that is read first, of what is new a line for each."""
    if part.anchor == NEW:
        return [referenced(novel(read, about), read) for read in outline.new[: lines.new]]
    return [each for block in part.blocks if isinstance(block, Bullets) for each in block.entries]


def following(outline: Outline, about: Context, before: Sequence[PagePart] = ()) -> list[PagePart]:
    """Return everything that has its home on the page, in the order of reading.

    What stands in full `before` is left out, and what is said there is not said again.
    """
    page, mentioned = about.say.page, mentioned_by(before)
    outline = _without(outline, {key for part in before for key in part.homes})
    parts = (
        stories(outline, about, mentioned),
        listed(FIXED, page.fixed, outline.fixed, outline, about, mentioned),
        listed("new-too", page.added, outline.added, outline, about, mentioned),
        listed("changed", page.changed, outline.changed, outline, about, mentioned),
        issues(outline.issues, about),
        releases(outline, about),
        rest(outline, about),
    )
    return [part for part in parts if part is not None]


def _without(outline: Outline, homes: set[str]) -> Outline:
    """Return an outline without the homes of what is told in full already."""
    if not homes:
        return outline

    def left(reads: Sequence[ReadItem]) -> tuple[ReadItem, ...]:
        return tuple(read for read in reads if read.item.key not in homes)

    def shown(reads: Listed) -> Listed:
        return Listed(left(reads.shown), left(reads.more))

    groups = (Group(group.name, left(group.reads)) for group in outline.rest)
    return replace(
        outline,
        fixed=shown(outline.fixed),
        added=shown(outline.added),
        changed=shown(outline.changed),
        rest=tuple(group for group in groups if group.reads),
    )


def mostly(outline: Outline, about: Context) -> Runs:
    """Return what the day was in one line: its largest stories, and the parts that work was in.

    Nothing where neither is large.
    """
    led = _led(outline.lead.strands, about)
    return (
        (Strong((Words(_leads(outline.lead, len(led), about)),)), Words(DOT), *joined(led, DOT))
        if led
        else ()
    )


def _leads(lead: Lead, shown: int, about: Context) -> str:
    """Say what the strands that are shown are to a day: most of it, or its largest."""
    is_most = lead.is_most and shown == len(lead.strands)
    return about.say.stories.mostly if is_most else about.say.stories.largest


def _led(strands: Sequence[Strand], about: Context) -> list[Runs]:
    """Return strands by their names, as many as fit into the lead."""
    found: list[Runs] = []
    length = 0
    for strand in strands:
        if name := visible(strand.name):
            runs = strand_in_lead(strand, name, about)
            length += len(plain(runs)) + len(DOT)
            if length > MOST_IN_LEAD:
                break
            found.append(runs)
    return found


def bitten(outline: Outline, about: Context, most: int | None = None) -> PagePart | None:
    """Return what could have hit a user: the gravest in words, the others by symptom and number."""
    reads = outline.bitten
    most = len(reads) if most is None else most
    if len(reads) == most + 1:
        most += 1
    shown, left = reads[:most], reads[most:]
    lines = [referenced(hit(read, about), read) for read in shown]
    if left:
        lines.append(_more_bitten(left, about))
    seen = (first_bite(about.facts_of(read)) for read in shown)
    mentioned = Mentioned(_titles(shown), frozenset(fact for fact in seen if fact))
    return _bullets(BITTEN, (Words(about.say.page.bitten),), lines, mentioned)


def _more_bitten(left: Sequence[ReadItem], about: Context) -> Entry:
    """Name what else could have hit somebody, by symptom; what is inferred by itself, marked.

    Of more than a line can name how many there are: their titles stand below.
    """
    by_symptom: defaultdict[str, list[ReadItem]] = defaultdict(list)
    for read in left:
        if found := first_bite(about.facts_of(read)):
            seen = about.say.symptoms[found.symptom or Symptom.BROKEN]
            by_symptom[seen + mark(found, about.language)].append(read)
    groups: list[Runs] = []
    is_long = len(left) > MOST_REFERENCES
    for marked, reads in by_symptom.items():
        refs = entries.references(read.item for read in reads)
        count = (Words(f"{len(reads)}"),)
        groups.append((Words(marked), SPACE, *(count if is_long else refs)))
    items = joined(groups, about.say.comma)
    template = about.say.page.more_below if is_long else about.say.page.more
    more = fill(template, count=str(len(left)), items=items)
    return Entry(more, about=tuple(read.item.key for read in left))


def upgrading(
    outline: Outline,
    about: Context,
    most: int | None = None,
    mentioned: Mentioned = NOTHING_MENTIONED,
) -> list[PagePart]:
    """Return what hits who upgrades and does nothing: who runs it, then whose code imports it.

    With `most`, the changes after the first ones of each stand by the names that they are about.
    Changes of which all is `mentioned` above are left out.
    """
    parts = [_upgrading(outline, about, most, mentioned, of_code=each) for each in (False, True)]
    return [part for part in parts if part is not None]


def _upgrading(
    outline: Outline, about: Context, most: int | None, mentioned: Mentioned, *, of_code: bool
) -> PagePart | None:
    """Return one part of what hits who upgrades; what several changes do alike in one line."""
    alike: dict[Runs, list[ReadItem]] = {}
    for read in outline.upgrading:
        if not mentioned.facts.issuperset(demanded(read, about, of_code=of_code)):
            alike.setdefault(demand(read, about, of_code=of_code), []).append(read)
    groups = list(alike.items())
    if most is not None and len(groups) == most + 1 and _is_brief(*groups[most], about):
        most += 1
    shown, left = groups[:most], groups[most:] if most is not None else []
    lines = [
        Entry(
            (*runs, SPACE, *entries.references(read.item for read in reads)),
            about=tuple(read.item.key for read in reads),
        )
        for runs, reads in shown
    ]
    others = [read for _, reads in left for read in reads]
    if others:
        each = (
            (
                *names(demanded(read, about, of_code=of_code), about.language),
                SPACE,
                entries.reference(read.item),
            )
            for read in others
        )
        items = joined(each, about.say.comma)
        more = fill(about.say.page.more, count=str(len(others)), items=items)
        lines.append(Entry(more, about=tuple(read.item.key for read in others)))
    whole = (read for _, reads in shown for read in reads)
    facts = frozenset(fact for read in whole for fact in demanded(read, about, of_code=of_code))
    title = about.say.page.upgrading_code if of_code else about.say.headings.before_upgrade
    anchor = UPGRADE_CODE if of_code else UPGRADE
    return _bullets(anchor, (Words(title),), lines, Mentioned(facts=facts))


def _is_brief(runs: Runs, reads: Sequence[ReadItem], about: Context) -> bool:
    """Tell whether one last statement is hardly longer than its names with a count before them."""
    facts = [fact for read in reads for fact in demands(about.facts_of(read))]
    counted = fill(about.say.page.more, count="1", items=names(facts, about.language))
    return len(plain(runs)) <= len(plain(counted)) + A_LITTLE


def reverted(
    outline: Outline, about: Context, most: int | None = None, *, told: Collection[str] = ()
) -> PagePart | None:
    """Return every revert beside what it reverts, or the first ones.

    Under it stands what it asks to act for, where *Before you upgrade* does not tell it, nor what
    is `told`, by its key.
    """
    elsewhere = {read.item.key for read in outline.upgrading} | {*told}
    lines = [
        revert_entry(pair, about, asks=pair.revert.key not in elsewhere)
        for pair in outline.reverts[:most]
    ]
    mentioned = Mentioned(frozenset(key for entry in lines for key in entry.about))
    return _bullets(
        "reverted", (Words(ARROW_BACK + about.say.headings.reverted),), lines, mentioned
    )


def new(outline: Outline, about: Context, most: int = MOST_NEW) -> PagePart | None:
    """Return what can be used now, in one line."""
    reads = outline.new[:most]
    if not reads:
        return None
    lines = [referenced(novel(read, about), read) for read in reads]
    titled = [read for read in reads if plain(novel(read, about)).startswith(bare(read.item.title))]
    facts = frozenset(fact for read in reads for fact in novelties_of(read, about))
    mentioned = Mentioned(_titles(titled), facts)
    keys = tuple(read.item.key for read in reads)
    block = Paragraph(joined((each.runs for each in lines), DOT))
    return PagePart(NEW, (Words(about.say.page.new),), (block,), keys, mentioned=mentioned)


def others(outline: Outline, about: Context, most: int = MOST_OTHERS) -> PagePart | None:
    """Return what else is on the front page, by its titles."""
    reads = outline.others[:most]
    lines = [Entry(entries.named(read.item, about.say), about=(read.item.key,)) for read in reads]
    only = not (outline.bitten or outline.upgrading or outline.new)
    title = about.say.page.changed if only else about.say.page.also
    return _bullets("also", (Words(title),), lines, Mentioned(_titles(reads)))


def stories(
    outline: Outline, about: Context, mentioned: Mentioned = NOTHING_MENTIONED
) -> PagePart | None:
    """Return every story: its name, how much by whom, its members."""
    found = (story_entry(story, outline, about, mentioned) for story in outline.stories)
    lines = [entry for entry in found if entry is not None]
    return _bullets("stories", heading(about.say.stories.stories, len(lines)), lines)


def listed(
    anchor: str,
    name: str,
    reads: Listed,
    outline: Outline,
    about: Context,
    mentioned: Mentioned = NOTHING_MENTIONED,
) -> PagePart | None:
    """Return a list of changes, a line for each that there is time for.

    What is on the front page has all its facts and its author's sentence.
    """
    among_fixes = anchor == FIXED
    lines = [
        front_entry(read, outline, about, mentioned, among_fixes=among_fixes)
        if read in outline.front
        else line_entry(
            read,
            about,
            mentioned,
            quote=read.item.key in outline.quoted,
            among_fixes=among_fixes,
        )
        for read in reads.shown
    ]
    return _bullets(anchor, heading(name, len(lines)), lines)


def issues(reads: Listed, about: Context) -> PagePart | None:
    """Return issues with what was seen, duplicates under the one that they repeat."""
    title = heading(about.say.headings.issues, len(reads.shown))
    return _bullets("issues", title, issue_entries(reads.shown, about))


def releases(outline: Outline, about: Context) -> PagePart | None:
    """Return releases with how their notes begin, those for trial in one line together."""
    if not outline.releases:
        return None
    each, trials = apart(outline.releases)
    blocks = [
        block
        for read in each
        for block in release(read, about, opened=read.item.key in outline.opened)
    ]
    title = heading(about.say.headings.releases, len(outline.releases))
    if trials and each:
        blocks.append(Paragraph(trials_line(trials, about, full=outline.full)))
    elif trials:
        # Their heading says what they are and how many.
        title = heading(about.say.page.prereleases, len(trials))
        blocks = [Paragraph(trial_references(trials, about, full=outline.full))]
    keys = tuple(read.item.key for read in outline.releases)
    return PagePart("releases", title, tuple(blocks), keys)


def rest(outline: Outline, about: Context) -> PagePart | None:
    """Return what is low or had no time, by whom it is for and by kind, with its titles.

    On a full page each has its line, and in a group that is too long for one. A medium that can
    folds it.
    """
    lines: list[Entry] = []
    for group in outline.rest:
        label: Runs = (Words(f"{group_name(group.name, about)} · {len(group.reads)}"),)
        if outline.full:
            under = (
                issue_entry(read, about) if group.name == ISSUES else line_entry(read, about)
                for read in group.reads
            )
            lines.append(Entry(label, tuple(under)))
        elif len(group.reads) > MOST_OF_A_LINE:
            each = tuple(titles_entry((read,), about) for read in group.reads)
            lines.append(Entry(label, each))
        else:
            few = titles_entry(group.reads, about)
            lines.append(replace(few, runs=joined((label, few.runs), about.say.colon)))
    reads = [read for group in outline.rest for read in group.reads]
    part = _bullets("rest", heading(about.say.headings.rest, len(reads)), lines)
    keys = tuple(read.item.key for read in reads)
    return replace(part, keys=keys, folded=not outline.full) if part else None


def group_name(name: str, about: Context) -> str:
    """Name a group of the rest: issues, a story, whom it is for, fixes, upkeep, or others."""
    if name == ISSUES:
        return about.say.headings.issues
    if name in set(Noise):
        return about.say.names.noise[Noise(name)]
    if name == Purpose.FIX:
        return about.say.page.fixed
    return about.say.page.features.get(name, name) or about.say.names.low


def counts_of(groups: Sequence[Group], about: Context) -> list[str]:
    """Say of each group of the rest how many there are."""
    counts = Counter({group.name: len(group.reads) for group in groups})
    return [f"{group_name(name, about)} {count}" for name, count in counts.items()]


def highlights(outline: Outline, about: Context) -> list[Entry]:
    """Return what one repository of several has to say, in a few lines.

    First what could have hit a user and what hits who upgrades, then the largest stories; where
    nothing of these is known, the titles that come first.
    """
    lines = [referenced(hit(read, about), read) for read in outline.bitten[:HIGHLIGHTS]]
    lines += _urgent(outline, about, outline.bitten[:HIGHLIGHTS])
    if led := _led(outline.lead.strands[:HIGHLIGHTS], about):
        keys = tuple(key for each in outline.lead.strands[: len(led)] for key in each.keys)
        label = Words(_leads(outline.lead, len(led), about) + about.say.colon)
        lines.append(Entry((label, *joined(led, DOT)), about=keys))
    return lines or _first_titles(outline, about)


def brief(outline: Outline, about: Context) -> list[Entry]:
    """Return a day in a few lines: what bit whom, what asks to act, what went back, what is new.

    Where nothing of these is known, the titles that come first.
    """
    lines = [referenced(hit(read, about), read) for read in outline.bitten[:MOST_BITTEN]]
    lines += _urgent(outline, about, outline.bitten[:MOST_BITTEN])
    lines += [revert_entry(pair, about) for pair in outline.reverts[:1]]
    label = Words(about.say.page.new + about.say.colon)
    lines += [referenced((label, *novel(read, about)), read) for read in outline.new[:HIGHLIGHTS]]
    return lines[:MOST_BRIEF] or _first_titles(outline, about, MOST_OTHERS)


def _urgent(outline: Outline, about: Context, aside: Sequence[ReadItem]) -> list[Entry]:
    """Return what hits who upgrades, each under its label."""
    label = Words(about.say.headings.before_upgrade + about.say.colon)
    reads = [read for read in outline.upgrading if read not in aside]
    return [referenced((label, *demand(read, about)), read) for read in reads[:HIGHLIGHTS]]


def headlines(outline: Outline, about: Context) -> list[Runs]:
    """Return the facts of a day, the first ones of each sort in turn, then titles.

    For a line of plain words: what could have hit somebody, what asks to act, what is new.
    """
    aside = outline.bitten[:HIGHLIGHTS]
    urgent = [read for read in outline.upgrading[:HIGHLIGHTS] if read not in aside]
    lines = [referenced(hit(read, about), read) for read in aside]
    lines += [referenced(demand(read, about), read) for read in urgent]
    lines += [revert_entry(pair, about) for pair in outline.reverts[:1]]
    lines += [referenced(novel(read, about), read) for read in outline.new[:HIGHLIGHTS]]
    final, trials = _by_state(outline.releases)
    titled = (*outline.others, *final[:HIGHLIGHTS])
    lines += [Entry(entries.named(read.item, about.say)) for read in titled]
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    named = [*(each.runs for each in lines), *(issue_name(read, about) for read in worth[:1])]
    return named if named or not trials else [trials_line(trials, about)]


def _by_state(releases: Sequence[ReadItem]) -> tuple[list[ReadItem], list[ReadItem]]:
    """Part releases into final ones and those for trial."""
    trials = [read for read in releases if is_prerelease(read.item)]
    return [read for read in releases if read not in trials], trials


def _first_titles(outline: Outline, about: Context, most: int = 1) -> list[Entry]:
    final, trials = _by_state(outline.releases)
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    standing = (read for read in outline.front if read.reverted_by is None)
    named = [
        Entry(entries.named(read.item, about.say), about=(read.item.key,))
        for read in (*standing, *final, *worth)
    ]
    if trials and not named:
        keys = tuple(read.item.key for read in trials)
        named = [Entry(trials_line(trials, about), about=keys)]
    return named[:most]
