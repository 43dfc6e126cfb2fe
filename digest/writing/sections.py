"""The parts of a page, from its outline: what is read first, and what follows."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum
from functools import partial
from typing import Any

from digest.facts import Fact, FactChange, FactKind, Story, Subject, Symptom
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.languages import Language
from digest.models import Item, Kind, ReadItem, Revert
from digest.reading.interfaces.moves import is_inner_state
from digest.reading.known_facts import additions, bites, demands
from digest.reading.paths import role
from digest.reading.quote import split_sentences
from digest.reading.releases import is_prerelease
from digest.reading.reverts import relands
from digest.reading.sentence import is_hollow
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Paragraph,
    Quote,
    Run,
    Runs,
    Section,
    Strong,
    Struck,
    Words,
)
from digest.writing.fact_phrases import (
    RULES,
    bite,
    fact_runs,
    in_statements,
    is_sure,
    names,
    novelties,
    novelty,
)
from digest.writing.making import short_name as short_model
from digest.writing.outline import (
    MINUTES_FIRST,
    Group,
    Listed,
    Outline,
    block_minutes,
    minutes,
    runs_minutes,
)
from digest.writing.outline import Context as Context
from digest.writing.outline import context as context
from digest.writing.phrasing import fill, is_for_others, joined
from digest.writing.phrasing import plain as unmarked
from digest.writing.remarks import is_translated, own_sentence
from digest.writing.rules import plain
from digest.writing.visible import bare, short_name, visible, without_kind

DOT = entries.DOT
SPACE = entries.SPACE
ARROW_BACK = "↩ "

_CALLED = (Subject.API_NAME, Subject.API_ARGUMENT)
_OF_NO_PROGRAM = (ChangeObject.TEST, ChangeObject.DOCS, ChangeObject.CI)
_NO_KIND = (Purpose.CHORE, Purpose.OTHER)
"""Purposes whose names tell nobody what a change is."""
BITTEN, UPGRADE, NEW = "bitten", "before-you-upgrade", "new"
"""The anchors of what is read first and has its home there."""
FIRST_LINES = 4
"""How many lines of a release's notes are told; the others are counted."""
MOST_IN_LEAD = 160
"""Characters of the line that says what a day mostly was."""
MOST_BITTEN = 3
"""Lines about what could have hit somebody before the others are named by number."""
MOST_BITTEN_LONG = 6
MOST_UPGRADING = 5
MOST_NEW = 4
MOST_OTHERS = 3
MOST_ISSUES = 2
MOST_REVERTS = 3
MOST_PEOPLE = 2
HIGHLIGHTS = 2
"""Lines of each sort about one repository of several."""
MOST_BRIEF = 5
"""Lines of the shortest form of a day."""
MOST_OF_A_LINE = 3
"""Items of one group of the rest that stand in one line."""
ISSUES = "issues"
"""The group of the rest that holds issues."""
MOST_STATEMENTS = 4
"""Statements of facts of one change in a line; its own message or page has all."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part of a page: its heading, what stands below it, and the items that it tells.

    `homes` are those of them that it tells in full, so that no part after it does.
    """

    anchor: str
    heading: Runs
    blocks: tuple[Block, ...]
    keys: tuple[str, ...] = ()
    folded: bool = False
    homes: frozenset[str] = frozenset()

    def section(self) -> Section:
        """Return it as a section of a document."""
        return Section(self.heading, self.anchor, self.blocks, folded=self.folded)


def heading(text: str, count: int) -> Runs:
    """Return a heading with the number of what stands below it."""
    return (Words(f"{text} · {count}"),)


def plain_heading(part: PagePart) -> str:
    """Return the words of a heading."""
    return "".join(run.text for run in part.heading if isinstance(run, Words))


class Further(IntEnum):
    """How much is said of what could have hit somebody and has no line of its own."""

    COUNTED = 0
    BY_SYMPTOM = 1
    BY_WHOM = 2


@dataclass(frozen=True, slots=True)
class Room:
    """How many lines of each sort there is time for before everything else.

    Of what has to be done before an upgrade, None is all of it. `further` is how much is said of
    the others that could have hit somebody.
    """

    bitten: int
    upgrading: int | None
    new: int
    others: int
    issues: int
    further: Further = Further.BY_WHOM
    reverts: int = MOST_REVERTS


_LESS: tuple[tuple[str, int], ...] = (
    *(("bitten", 12), ("bitten", 8)),
    *(("others", 2), ("new", 3), ("issues", 1), ("upgrading", 5), ("bitten", 4), ("others", 1)),
    *(("new", 2), ("bitten", 3), ("upgrading", 3), ("others", 0), ("further", Further.BY_SYMPTOM)),
    *(("issues", 0), ("new", 1), ("upgrading", 2), ("reverts", 2), ("reverts", 1)),
    *(("further", Further.COUNTED), ("new", 0), ("bitten", 2), ("upgrading", 1), ("bitten", 1)),
)
"""What is told in fewer lines where there is no time for all, in this order.

What could have hit somebody keeps its lines the longest: the others are cut to their number
before one that is told goes.
"""


def room(
    outline: Outline,
    upgrading: int | None,
    takes: Callable[[Room], float],
    most: int | None = None,
) -> Room:
    """Return the most lines that are read in time.

    `takes` says by how much, in minutes, some lines take longer than there is time for; `most` is
    how many lines may tell what could have hit somebody.
    """
    if most is None:
        most = MOST_BITTEN_LONG if outline.is_long else MOST_BITTEN
    found = Room(most, upgrading, MOST_NEW, MOST_OTHERS, MOST_ISSUES)
    gone: list[dict[str, Any]] = []
    for name, count in _LESS:
        if takes(found) <= 0:
            break
        known = getattr(found, name)
        if known is None or count < known:
            gone.append({name: known})
            less: dict[str, Any] = {name: count}
            found = replace(found, **less)
    # A step may free more than was wanted: what went last comes back first, as far as it fits.
    for more in reversed(gone):
        again = replace(found, **more)
        if takes(again) <= 0:
            found = again
    return found


def first(outline: Outline, about: Context, *, in_full: bool = False) -> list[PagePart]:
    """Return what is read first: in half a minute, before anything is opened.

    With `in_full`, what is told there has its home there, with its title, author and size: all
    that could have hit somebody, as far as that is read in a minute.
    """
    before = runs_minutes(mostly(outline, about))
    time = MINUTES_FIRST * 2 if in_full else MINUTES_FIRST

    def parts_within(lines: Room) -> list[PagePart]:
        parts = (
            bitten(outline, about, most=lines.bitten, further=lines.further),
            upgrading(outline, about, lines.upgrading),
            reverted(outline, about, once=True),
            new(outline, about, lines.new),
            for_whom(outline, about),
            None if in_full else others(outline, about, lines.others),
        )
        return [part for part in parts if part is not None]

    def takes(lines: Room) -> float:
        return before + sum(map(part_minutes, parts_within(lines))) - time

    most = len(outline.bitten) if in_full else None
    lines = room(outline, None, (lambda _: 0.0) if outline.full else takes, most)
    return _at_home(parts_within(lines), outline, about, lines) if in_full else parts_within(lines)


def _at_home(
    parts: Sequence[PagePart], outline: Outline, about: Context, lines: Room
) -> list[PagePart]:
    """Return parts that are read first with each item in full where it stands first in them.

    What is named by number alone has its home further down.
    """
    whole: list[PagePart] = []
    asked = text_of([part for part in parts if part.anchor == UPGRADE])
    for part in parts:
        if part.anchor not in _HEADS:
            whole.append(part)
            continue
        # What asks to act stands where who upgrades looks for it, and not before it.
        above = asked if part.anchor == BITTEN else text_of(whole)
        homes = {key for each in whole for key in each.homes}
        lines_in_full: list[Entry] = []
        for entry in _entries_of(part, outline, about, lines):
            key = entry.about[0]
            if len(entry.about) > 1 or key in homes:
                lines_in_full.append(entry)
                continue
            homes.add(key)
            home = _home_entry(about.reads[key], part.anchor, outline, about, above)
            lines_in_full.append(home)
        whole.append(replace(part, blocks=(Bullets(tuple(lines_in_full)),), homes=frozenset(homes)))
    return whole


def _entries_of(part: PagePart, outline: Outline, about: Context, lines: Room) -> tuple[Entry, ...]:
    """Return the lines of a part that is read first, of what is new a line for each."""
    if part.anchor == NEW:
        return tuple(_entry(_novel(read, about), read) for read in outline.new[: lines.new])
    return tuple(
        entry for block in part.blocks if isinstance(block, Bullets) for entry in block.entries
    )


def _home_entry(read: ReadItem, anchor: str, outline: Outline, about: Context, above: str) -> Entry:
    """Return an item in full, beginning with what the part is about."""
    head = _HEADS[anchor](read, about)
    told = _demanded(read, about)[:MOST_STATEMENTS] if anchor == UPGRADE else []
    aside = frozenset(fact for group in told for fact in group)
    if read in outline.front:
        return front_entry(read, outline, about, above=above, head=head, aside=aside)
    quote = read.item.key in outline.quoted
    return line_entry(read, about, quote=quote, above=above, head=head, aside=aside)


def text_of(parts: Sequence[PagePart]) -> str:
    """Return what parts tell as plain words, a line for each paragraph and entry."""
    return "\n".join(line for part in parts for block in part.blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield plain(block.runs)
    elif isinstance(block, Bullets):
        for entry in block.entries:
            yield " ".join(map(plain, (entry.runs, *(under.runs for under in entry.under))))


def is_above(runs: Runs, item: Item, above: str) -> bool:
    """Tell whether a line above says the same of an item."""
    text = plain(runs)
    ref = re.compile(rf"(?<!\w){re.escape(item.ref)}(?!\w)")
    return any(text in line and ref.search(line) for line in above.splitlines())


def is_told(runs: Runs, read: ReadItem, about: Context, above: str) -> bool:
    """Tell whether a line above says the same of an item, if only by name what is new."""
    if is_above(runs, read.item, above):
        return True
    new = novelties(additions(about.facts_of(read)), about.language)
    text = plain(runs)
    return any(text.endswith(plain(each)) and is_above(each, read.item, above) for each in new)


def part_minutes(part: PagePart) -> float:
    """Return how long a part takes to read with its heading, in minutes."""
    return minutes(plain_heading(part)) + sum(map(block_minutes, part.blocks))


def following(outline: Outline, about: Context, before: Sequence[PagePart] = ()) -> list[PagePart]:
    """Return everything that has its home on the page, in the order of reading.

    What stands in full `before` is left out, and what is said there is not said again.
    """
    page = CATALOGUES[about.language].page
    above = text_of(before)
    outline = _without(outline, {key for part in before for key in part.homes})
    front, story_part = foremost(outline, about, above), stories(outline, about, above)
    parts = (
        *((story_part, front) if outline.is_long else (front, story_part)),
        listed("fixed", page.fixed, outline.fixed, outline, about, above),
        listed("new-too", page.added, outline.added, outline, about, above),
        listed("changed", page.changed, outline.changed, outline, about, above),
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

    groups = (Group(group.name, left(group.reads)) for group in outline.rest)
    return replace(
        outline,
        front=left(outline.front),
        fixed=Listed(left(outline.fixed.shown), left(outline.fixed.more)),
        added=Listed(left(outline.added.shown), left(outline.added.more)),
        changed=Listed(left(outline.changed.shown), left(outline.changed.more)),
        rest=tuple(group for group in groups if group.reads),
        is_begun=any(read.item.key in homes for read in outline.front),
    )


def mostly(outline: Outline, about: Context) -> Runs:
    """Return what the day was in one line: its largest stories; nothing where there are none."""
    words = CATALOGUES[about.language].stories
    led = _led(outline.mostly, about)
    return (Strong((Words(words.mostly),)), Words(DOT), *joined(led, DOT)) if led else ()


def _led(stories: Sequence[Story], about: Context) -> list[Runs]:
    """Return stories by short names, as many as fit into the lead."""
    names: list[Runs] = []
    length = 0
    for story in stories:
        if not short_name(story.name):
            continue
        runs = _in_lead(story, about)
        length += len(plain(runs)) + len(DOT)
        if length > MOST_IN_LEAD:
            break
        names.append(runs)
    return names


def _in_lead(story: Story, about: Context) -> Runs:
    words, comma = CATALOGUES[about.language].stories, about.say.pause
    size = Words(f"{comma}{words.size(len(story.items))}")
    runs: Runs = (Foreign(short_name(story.name) or story.name), size)
    if len(story.authors) == 1:
        by = fill(words.by, people=Foreign(story.authors[0]))
        runs = (*runs, *_by(by, about))
    if story.of and story.part and max(story.part) >= story.of:
        runs = (*runs, Words(comma + words.complete))
    if story.by != RULES:
        runs = (*runs, Words(comma), *_joined_by(story, about))
    return runs


def _joined_by(story: Story, about: Context) -> Runs:
    words = CATALOGUES[about.language].stories
    return fill(words.joined_by, model=Foreign(short_model(story.by)))


def _by(by: Runs, about: Context) -> Runs:
    return (Words(" " if about.language.value == "en" else about.say.pause), *by)


def bitten(
    outline: Outline,
    about: Context,
    named: int | None = None,
    most: int | None = None,
    further: Further = Further.BY_WHOM,
) -> PagePart | None:
    """Return what could have hit a user: the gravest in words, the others by symptom and number.

    With `named`, the others stand without numbers where there are more of them than that; `most`
    is how many are told in words, `further` how much is said of the others.
    """
    reads = outline.bitten
    if not reads:
        return None
    if most is None:
        most = MOST_BITTEN_LONG if outline.is_long else MOST_BITTEN
    if len(reads) == most + 1:
        most += 1
    lines = [_entry(_hit(read, about), read) for read in reads[:most]]
    left = reads[most:]
    if left:
        linked = named is None or len(left) <= named
        lines.append(_more_bitten(left, about, further, linked=linked))
    keys = tuple(read.item.key for read in reads)
    title = (Words(CATALOGUES[about.language].page.bitten),)
    return PagePart(BITTEN, title, (Bullets(tuple(lines)),), keys)


def _entry(runs: Runs, read: ReadItem) -> Entry:
    """Return what is said of an item, with its reference behind it."""
    return Entry((*runs, SPACE, entries.reference(read.item)), about=(read.item.key,))


def _hit(read: ReadItem, about: Context) -> Runs:
    """Say what was seen, and whom it hit: in the words of the title, and what these leave out.

    Where no text says what was seen, the title stands alone: a symptom is a claim.
    """
    found, title = bites(about.facts_of(read))[0], _title(read.item, about)
    seen = () if found.symptom is Symptom.BROKEN else _beside(found, read.item, about)
    return joined((seen, _broken_since(read, about), (title,)), DOT)


def _broken_since(read: ReadItem, about: Context) -> Runs:
    """Say which change of the window broke what this one mends; nothing where none is known."""
    return entries.broken_since(about.regressions.get(read.item.key), about.say)


def _beside(found: Fact, item: Item, about: Context) -> Runs:
    """Say what was seen beside a title: whom it hit only where the title does not name them."""
    title = item.title.casefold()
    if all(each.casefold() in title for each in (*found.who, *found.conditions)):
        found = replace(found, who=(), conditions=())
    return bite(found, about.language)


def _title(item: Item, about: Context) -> Run:
    """Return a title without the mark of its kind, which its heading says already."""
    if not visible(item.title):
        return entries.title(item, about.say)
    return Foreign(without_kind(item.title))


def _named_below(item: Item, about: Context, *, struck: bool = False) -> Runs:
    """Return title and reference below a heading that says the kind, which the title leaves out."""
    title = _title(item, about)
    run: Run = Struck((title,)) if struck else title
    return (run, *entries.behind(item.title, item, about.say))


def _more_bitten(
    left: Sequence[ReadItem], about: Context, further: Further, *, linked: bool
) -> Entry:
    words = CATALOGUES[about.language]
    keys = tuple(read.item.key for read in left)
    if further is Further.COUNTED:
        return Entry((Words(words.thread.more(len(left))),), about=keys)
    # What is inferred is counted by itself, with its mark.
    by_symptom: defaultdict[tuple[Symptom, bool], list[ReadItem]] = defaultdict(list)
    for read in left:
        found = bites(about.facts_of(read))[0]
        symptom_stated = found.symptom if is_sure(found) else None
        by_symptom[
            (symptom_stated, found.inferred) if symptom_stated else (Symptom.BROKEN, False)
        ].append(read)
    unsaid = by_symptom.pop((Symptom.BROKEN, False), []) if linked else []
    groups: list[Runs] = []
    for (symptom, inferred), reads in by_symptom.items():
        # One case is told with whom it hit, where that is known; several are counted.
        alone = bites(about.facts_of(reads[0]))[0]
        named = linked and further is Further.BY_WHOM and len(reads) == 1
        mark = about.say.say.inferred if inferred else ""
        count: Runs = (Words(words.cases[symptom](len(reads)) + mark),)
        refs = (SPACE, *entries.references(read.item for read in reads)) if linked else ()
        groups.append((*(bite(alone, about.language) if named else count), *refs))
    groups += [_member(read, about) for read in unsaid]
    listed_groups = joined(groups, about.say.comma)
    more = fill(words.page.more, count=str(len(left)), items=listed_groups)
    return Entry(more, about=keys)


def upgrading(outline: Outline, about: Context, most: int | None = None) -> PagePart | None:
    """Return what hits who upgrades and does nothing, a line for each change.

    With `most`, the changes after the first ones stand by the names that they are about.
    """
    reads = outline.upgrading
    if not reads:
        return None
    lines = [_entry(_demand(read, about), read) for read in reads[:most]]
    left = reads[most:] if most is not None else ()
    if left:
        each = joined(
            (
                (
                    *names(demands(about.facts_of(read)), about.language),
                    SPACE,
                    entries.reference(read.item),
                )
                for read in left
            ),
            about.say.comma,
        )
        template = CATALOGUES[about.language].page.more
        more = fill(template, count=str(len(left)), items=each)
        lines.append(Entry(more, about=tuple(read.item.key for read in left)))
    keys = tuple(read.item.key for read in reads)
    title = (Words(about.say.headings.before_upgrade),)
    return PagePart(UPGRADE, title, (Bullets(tuple(lines)),), keys)


def _demand(read: ReadItem, about: Context, *, beside_title: bool = False) -> Runs:
    """Say what of a change asks to act: the first statements whole, of further ones the names.

    With `beside_title`, without what its title says in the same words.
    """
    groups = _demanded(read, about, beside_title=beside_title)
    statements = fact_runs([fact for group in groups for fact in group], about.language)
    left = [fact for group in groups[MOST_STATEMENTS:] for fact in group]
    if left:
        more = CATALOGUES[about.language].page.more
        count = len({name for fact in left for name in fact.names or (fact.name,)})
        items = names(left, about.language, count=False)
        statements[MOST_STATEMENTS:] = [fill(more, count=str(count), items=items)]
    return joined(statements, about.say.semicolon)


def _demanded(read: ReadItem, about: Context, *, beside_title: bool = True) -> list[list[Fact]]:
    """Return the facts of a change that ask to act, by the statements that tell them."""
    facts = demands(about.facts_of(read))
    if beside_title:
        facts = tuple(fact for fact in facts if not _is_of_title(fact))
    return in_statements(facts)


def reverted(
    outline: Outline, about: Context, most: int | None = None, *, once: bool = False
) -> PagePart | None:
    """Return every revert beside what it reverts, or the first ones.

    With `once`, without those that an item of the front page tells.
    """
    aside = tuple(outline.taken.values()) if once else ()
    pairs = [pair for pair in outline.reverts if pair not in aside]
    if not pairs:
        return None
    lines = [revert_entry(pair, about) for pair in pairs[:most]]
    title: Runs = (Words(ARROW_BACK + about.say.headings.reverted),)
    keys = tuple(key for entry in lines for key in entry.about)
    return PagePart("reverted", title, (Bullets(tuple(lines)),), keys)


def revert_entry(pair: Revert, about: Context) -> Entry:
    """Return a revert beside what it reverts, and what brought that again since."""
    if pair.original is None:
        return Entry(entries.revert(pair, about.say), about=(pair.revert.key,))
    keys = (pair.original.key, pair.revert.key)
    runs = entries.revert(pair, about.say)
    known = (*about.items.values(), pair.original, pair.revert)
    landed = relands(tuple({item.key: item for item in known}.values()))
    again = [
        about.items[key]
        for key, back in landed.items()
        if pair.original.key in back and key in about.items
    ]
    if again:
        runs = (*runs, *fill(about.say.say.back_as, again=entries.reference(again[0])))
    return Entry(runs, about=keys)


def new(outline: Outline, about: Context, most: int | None = None) -> PagePart | None:
    """Return what can be used now, in one line."""
    reads = outline.new[: MOST_NEW if most is None else most]
    if not reads:
        return None
    runs = joined(
        ((*_novel(read, about), SPACE, entries.reference(read.item)) for read in reads),
        DOT,
    )
    keys = tuple(read.item.key for read in reads)
    title = (Words(CATALOGUES[about.language].page.new),)
    return PagePart(NEW, title, (Paragraph(runs),), keys)


def for_whom(outline: Outline, about: Context) -> PagePart | None:
    """Return who is meant by changes, a line for each: what they run, and which are theirs.

    Each change is named by its kind and number; its title stands where the change does.
    """
    if not outline.audiences:
        return None
    page = CATALOGUES[about.language].page
    seen = {read.item.key for read in outline.bitten}
    lines = tuple(
        Entry(
            (
                Strong((Foreign(page.features.get(name, name)),)),
                Words(about.say.colon),
                *_by_kind(sorted(theirs, key=lambda read: read.item.key not in seen), about),
            )
        )
        for name, theirs in outline.audiences
    )
    return PagePart("for-whom", (Words(page.for_whom),), (Bullets(lines),))


def _by_kind(reads: Sequence[ReadItem], about: Context) -> Runs:
    """Return references under what kind of change each is: `crash #1 #2, fix #3`."""
    kinds: defaultdict[str, list[Item]] = defaultdict(list)
    for read in reads:
        kinds[_kind(read, about)].append(read.item)
    groups = ((Words(kind), SPACE, *entries.references(items)) for kind, items in kinds.items())
    return joined(groups, about.say.comma)


def _kind(read: ReadItem, about: Context) -> str:
    """Name what a change is for who is meant by it.

    What they saw, or that it hits who upgrades, else what it is made for.
    """
    facts = about.facts_of(read)
    seen = next((fact for fact in bites(facts) if fact.symptom is not Symptom.BROKEN), None)
    if seen is not None:
        return plain(
            bite(replace(seen, who=(), conditions=(), before="", after=""), about.language)
        )
    page = CATALOGUES[about.language].page
    if demands(facts):
        return page.on_upgrade
    purpose = Purpose.FEATURE if additions(facts) else read.purpose
    return page.change if purpose in _NO_KIND else about.say.names.purposes[purpose]


def others(outline: Outline, about: Context, most: int = MOST_OTHERS) -> PagePart | None:
    """Return what else is on the front page, by its titles."""
    reads = outline.others[:most]
    if not reads:
        return None
    lines = [Entry(entries.named(read.item, about.say), about=(read.item.key,)) for read in reads]
    keys = tuple(read.item.key for read in reads)
    only = not (outline.bitten or outline.upgrading or outline.new)
    also: Runs = (Words(CATALOGUES[about.language].page.also),)
    title = front_heading(outline, len(reads), about) if only else also
    return PagePart("also", title, (Bullets(tuple(lines)),), keys)


def highlights(outline: Outline, about: Context) -> list[Entry]:
    """Return what one repository of several has to say, in a few lines.

    First what could have hit a user and what hits who upgrades, then the largest stories; where
    nothing of these is known, the titles that come first.
    """
    lines: list[Entry] = []
    lines += [_entry(_hit(read, about), read) for read in outline.bitten[:HIGHLIGHTS]]
    urgent = [read for read in outline.upgrading if read not in outline.bitten[:HIGHLIGHTS]]
    label = Words(about.say.headings.before_upgrade + about.say.colon)
    lines += [_entry((label, *_demand(read, about)), read) for read in urgent[:HIGHLIGHTS]]
    if _led(outline.mostly[:HIGHLIGHTS], about):
        lead = joined(_led(outline.mostly[:HIGHLIGHTS], about), DOT)
        keys = tuple(key for story in outline.mostly[:HIGHLIGHTS] for key in story.items)
        label = Words(CATALOGUES[about.language].stories.mostly + about.say.colon)
        lines.append(Entry((label, *lead), about=keys))
    return lines or _first_titles(outline, about)


def brief(outline: Outline, about: Context) -> list[Entry]:
    """Return a day in a few lines: what bit whom, what asks to act, what went back, what is new.

    Where nothing of these is known, the titles that come first.
    """
    page = CATALOGUES[about.language].page
    bites = outline.bitten[:MOST_BITTEN]
    lines = [_entry(_hit(read, about), read) for read in bites]
    label = Words(about.say.headings.before_upgrade + about.say.colon)
    urgent = [read for read in outline.upgrading if read not in bites]
    lines += [_entry((label, *_first_demand(read, about)), read) for read in urgent[:HIGHLIGHTS]]
    lines += [revert_entry(pair, about) for pair in outline.reverts[:1]]
    label = Words(page.new + about.say.colon)
    lines += [_entry((label, *_novel(read, about)), read) for read in outline.new[:HIGHLIGHTS]]
    return lines[:MOST_BRIEF] or _first_titles(outline, about, MOST_OTHERS)


def _first_demand(read: ReadItem, about: Context) -> Runs:
    """Say the first of what a change asks for, and how many statements more there are."""
    facts = [fact for group in _demanded(read, about, beside_title=False) for fact in group]
    first_told, *others = fact_runs(facts, about.language)
    if not others:
        return first_told
    more = CATALOGUES[about.language].thread.more(len(others))
    return (*first_told, Words(about.say.semicolon + more))


def headlines(outline: Outline, about: Context) -> list[Entry]:
    """Return the facts of a day, the first ones of each sort in turn, then titles.

    For a line of plain words: two of what could have hit somebody, what asks to act, what is new.
    """
    lines = [_entry(_hit(read, about), read) for read in outline.bitten[:HIGHLIGHTS]]
    lines += [
        _entry(_demand(read, about), read)
        for read in outline.upgrading[:HIGHLIGHTS]
        if read not in outline.bitten[:HIGHLIGHTS]
    ]
    lines += [revert_entry(pair, about) for pair in outline.reverts[:1]]
    lines += [_entry(_novel(read, about), read) for read in outline.new[:HIGHLIGHTS]]
    titled = (*outline.others, *outline.releases[:HIGHLIGHTS])
    lines += [Entry(entries.named(read.item, about.say)) for read in titled]
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    return [*lines, *(Entry(issue_name(read, about)) for read in worth[:1])]


def _symptom(read: ReadItem, about: Context) -> Runs:
    """Say what was seen of what could have hit somebody, beside its title."""
    return _beside(bites(about.facts_of(read))[0], read.item, about)


_HEADS: Mapping[str, Callable[[ReadItem, Context], Runs]] = {
    BITTEN: _symptom,
    UPGRADE: partial(_demand, beside_title=True),
    NEW: lambda read, about: (),
}
"""What an item begins with that is told in full among what is read first, by the part."""


def _novel(read: ReadItem, about: Context) -> Runs:
    """Say what a change adds: by kind and name, else in the words of its title.

    Names that are called say less than the title of what they are for.
    """
    added = [fact for fact in additions(about.facts_of(read)) if fact.subject not in _CALLED]
    return novelty(added, about.language) or (Foreign(bare(read.item.title)),)


def _first_titles(outline: Outline, about: Context, most: int = 1) -> list[Entry]:
    reads = (*(read for read in outline.front if read.reverted_by is None), *outline.releases)
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    return [
        Entry(entries.named(read.item, about.say), about=(read.item.key,))
        for read in (*reads, *worth)[:most]
    ]


@dataclass(frozen=True, slots=True)
class FrontItem:
    """An item of the front page in its parts, as every medium lays them out.

    `head` is its first fact, nothing where none is known, and `is_seen` tells that it is what
    somebody saw; `quote` is the author's own sentence, `own` the same as it stands in a line,
    translated where it is.
    """

    head: Runs
    is_seen: bool
    facts: tuple[Runs, ...]
    taken: Runs
    quote: str
    own: Runs
    small: Runs


def front_item(
    read: ReadItem,
    about: Context,
    pair: Revert | None = None,
    aside: Collection[Fact] = (),
) -> FrontItem:
    """Return what is told of an item of the front page; `pair` is the revert that it is part of.

    Facts `aside` are told elsewhere.
    """
    say, language = about.say, about.language
    text = sentence(read, language)
    facts = [
        fact
        for fact in about.facts_of(read)
        if _adds_to_title(fact, read.item) and not (text and unmarked(fact.quote) == text)
        if fact not in aside
    ]
    statements = fact_runs(facts, language)
    leads = bool(facts) and _leads(facts[0])
    if leads and facts[0].kind is FactKind.BITE:
        statements[0] = _beside(facts[0], read.item, about)
    if since := _broken_since(read, about):
        statements.insert(1 if leads else 0, since)
    author: Runs = (Foreign(read.item.author),) if read.item.author else ()
    return FrontItem(
        head=statements[0] if leads else (),
        is_seen=leads and facts[0].kind is FactKind.BITE,
        facts=tuple(statements[1:] if leads else statements),
        taken=entries.taken(read, pair, say),
        quote=text,
        own=own_sentence(read, text, say, language) if text else (),
        small=joined((author, entries.size(read.item, say)), DOT),
    )


def _adds_to_title(fact: Fact, item: Item) -> bool:
    """Tell whether a fact says what the title does not: none that is read from its words alone.

    Nor what a class kept for itself: who uses that all the same is told by what concerns them.
    """
    if fact.kind is FactKind.SUPPORT and fact.inferred:
        return fact.name.casefold() not in visible(item.title).casefold()
    if _is_of_title(fact):
        return False
    if fact.kind is FactKind.SPEED:
        return (unmarked(fact.quote) or fact.name) not in unmarked(item.title)
    return fact.symptom is not Symptom.BROKEN and not is_inner_state(fact)


def _is_of_title(fact: Fact) -> bool:
    """Tell whether a fact is a default in the words of a title: `Use the ring by default`."""
    told = fact.change is FactChange.DEFAULT and fact.subject is Subject.FEATURE
    return told and all(each.source == "title" for each in fact.evidence)


def _leads(fact: Fact) -> bool:
    """Tell whether a fact says more than the title: what was hit, what asks to act, new support."""
    if fact.inferred and fact.kind is FactKind.SUPPORT:
        return False
    return fact.kind in (FactKind.BITE, FactKind.SUPPORT) or bool(demands((fact,)))


def foremost(outline: Outline, about: Context, above: str = "") -> PagePart | None:
    """Return the front page: each item with its facts and its author's sentence."""
    if not outline.front:
        return None
    lines = tuple(front_entry(read, outline, about, above=above) for read in outline.front)
    keys = tuple(read.item.key for read in outline.front)
    title = front_heading(outline, len(lines), about)
    return PagePart("front", title, (Bullets(lines),), keys)


def front_heading(outline: Outline, count: int, about: Context) -> Runs:
    """Return the heading above so many items of the front page.

    Where these are all changes that there are, none of them matters most.
    """
    page = CATALOGUES[about.language].page
    if outline.front_has_all and outline.is_begun:
        return heading(page.changed, count)
    if outline.front_has_all and count == len(outline.front):
        return (Words(page.all_changes(count)),)
    return (Words(page.foremost_too(count) if outline.is_begun else page.foremost(count)),)


def front_entry(
    read: ReadItem,
    outline: Outline,
    about: Context,
    *,
    above: str = "",
    head: Runs | None = None,
    aside: Collection[Fact] = (),
) -> Entry:
    """Return an item of the front page; what a line above tells of it is not said again.

    With `head`, it begins with that, which tells the facts `aside`.
    """
    key = read.item.key
    item = front_item(read, about, outline.taken.get(key), aside)
    facts = item.facts
    if head is None:
        head = () if is_above(item.head, read.item, above) else item.head
    else:
        begun = plain(head)
        facts = tuple(runs for runs in (item.head, *facts) if plain(runs) not in begun)
    facts = tuple(runs for runs in facts if not is_told(runs, read, about, above))
    quote = item.own if key in outline.quoted else ()
    under = [*facts, item.taken, quote, item.small]
    gone = read.reverted_by is not None
    top: Runs = entries.named(read.item, about.say, strong=not head, struck=gone)
    if head:
        top = (Strong(head), Words(DOT), *_named_below(read.item, about, struck=gone))
    return Entry(top, tuple(Entry(runs) for runs in under if runs), about=(read.item.key,))


def stories(outline: Outline, about: Context, above: str = "") -> PagePart | None:
    """Return every story: its name, how much by whom, its members by their titles."""
    if not outline.stories:
        return None
    words = CATALOGUES[about.language].stories
    lines = tuple(story_entry(story, outline, about, above) for story in outline.stories)
    keys = tuple(key for story in outline.stories for key in story.items)
    title = heading(words.stories, len(outline.stories))
    return PagePart("stories", title, (Bullets(lines),), keys)


def story_entry(story: Story, outline: Outline, about: Context, above: str = "") -> Entry:
    """Return a story: its name, how much by whom, its members and what a user has to know.

    What a line above says of a member is not said again: it stands by its number. Where that
    leaves one line of a story of this window, the line stands alone: a name above it adds nothing.
    """
    words, say = CATALOGUES[about.language].stories, about.say
    reads = [about.reads[key] for key in story.items if key in about.reads]
    parts: list[Runs] = [(Words(words.size(len(reads))),)]
    if people := _people(story.authors, about):
        parts[0] = (*parts[0], *_by(people, about))
    if story.part:
        numbers = say.comma.join(map(str, story.part))
        if story.of:
            part = fill(words.parts, parts=numbers, of=str(story.of))
            done = max(story.part) >= story.of
            parts.append((*part, Words(say.colon + words.complete)) if done else part)
    if began := _began(story, about):
        parts.append(began)
    if story.earlier:
        parts.append((Words(words.earlier(len(story.earlier))),))
    if story.by != RULES:
        parts.append(_joined_by(story, about))
    added = sum(read.item.additions for read in reads)
    deleted = sum(read.item.deletions for read in reads)
    if added or deleted:
        parts.append(
            (Words(say.say.size_lines.format(added=f"{added:,}", deleted=f"{deleted:,}")),)
        )
    top = (Strong((Foreign(story.name),)), Words(DOT), *joined(parts, DOT))
    lines: list[Entry] = []
    elsewhere: list[Item] = []
    for read in reads:
        if told := _member_line(read, story, outline, about, above):
            lines.append(Entry(told, about=(read.item.key,)))
        else:
            elsewhere.append(read.item)
    if elsewhere:
        keys = tuple(item.key for item in elsewhere)
        also = fill(words.elsewhere, refs=entries.references(elsewhere))
        whole = [read for read in reads if read.item not in elsewhere]
        is_plain = not (story.of or story.earlier or began) and story.by == RULES
        if len(whole) == 1 and is_plain and not _is_named_above(whole[0].item, above):
            return Entry(
                (*line(whole[0], about, above=above), Words(DOT), *also), about=story.items
            )
        lines.append(Entry(also, about=keys))
    return Entry(top, tuple(lines), about=story.items)


def _member_line(
    read: ReadItem, story: Story, outline: Outline, about: Context, above: str
) -> Runs:
    """Return a member of a story with its whole title; nothing where it stands whole elsewhere."""
    if read in outline.front:
        return ()
    named: Runs = ()
    if _is_named_above(read.item, above):
        statements = _statements(read, about, above)[:MOST_STATEMENTS]
        return joined(((entries.reference(read.item),), *statements), DOT) if statements else ()
    if bare(read.item.title) == visible(story.name):
        named = (entries.reference(read.item),)
    # A fix of tests alone mends nothing that runs, whatever its title says.
    mark: Runs = ()
    is_whole = all(role(file.path) in _OF_NO_PROGRAM for file in read.item.files or ())
    if read.noise is not None and is_whole and "test" not in read.item.title.casefold():
        noise = about.say.names.noise[read.noise]
        mark = fill(CATALOGUES[about.language].facts.only, conditions=noise)
    signed = len(story.authors) != 1
    return (*line(read, about, above=above, named=named, signed=signed), *mark)


def _is_named_above(item: Item, above: str) -> bool:
    """Tell whether a line above has the whole title of an item, and what somebody saw with it."""
    return is_above((Foreign(without_kind(item.title)),), item, above)


def is_told_whole(read: ReadItem, outline: Outline, about: Context, above: str) -> bool:
    """Tell whether lines above have the title of an item, and a list has no more to say of it.

    Author and size alone are no reason to say it again.
    """
    if read.reverted_by is not None or not is_titled(read.item, above):
        return False
    is_quoted = read.item.key in outline.quoted and sentence(read, about.language)
    return not is_quoted and not _statements(read, about, above)


def is_titled(item: Item, above: str) -> bool:
    """Tell whether a line above has the title of an item, if without the marks before it."""
    title = bare(item.title)
    return bool(title) and is_above((Foreign(title),), item, above)


def _member(read: ReadItem, about: Context, *, tagged: bool = False) -> Runs:
    """Return an item of a list by its title and reference.

    `tagged` where no name above it says for whom it is, and of what kind: it is said whole then.
    """
    if not visible(read.item.title) or read.item.title == read.item.ref:
        return (entries.reference(read.item),)
    if tagged:
        return entries.named(read.item, about.say)
    title = bare(read.item.title)
    return (Foreign(title), *entries.behind(title, read.item, about.say))


def _people(authors: Sequence[str], about: Context) -> Runs:
    words = CATALOGUES[about.language].stories
    if not authors:
        return ()
    named = joined(((Foreign(name),) for name in authors[:MOST_PEOPLE]), about.say.comma)
    left = len(authors) - MOST_PEOPLE
    if left > 0:
        total = left if about.language.value == "en" else len(authors)
        named = (*named, Words(f" {words.others(total)}"))
    return fill(words.by, people=named)


def _began(story: Story, about: Context) -> Runs:
    """Say when a story began, where that was before the window."""
    words = CATALOGUES[about.language].stories
    try:
        since = date.fromisoformat(story.since)
    except ValueError:
        return ()
    if about.start is None or since >= about.start.date():
        return ()
    return fill(words.began, day=since.isoformat())


def listed(
    anchor: str, name: str, reads: Listed, outline: Outline, about: Context, above: str = ""
) -> PagePart | None:
    """Return a list of changes, a line for each that there is time for."""
    if not reads.shown:
        return None
    bullets = [
        line_entry(read, about, quote=read.item.key in outline.quoted, above=above)
        for read in reads.shown
    ]
    keys = tuple(read.item.key for read in reads.shown)
    return PagePart(anchor, heading(name, len(reads.shown)), (Bullets(tuple(bullets)),), keys)


def titles_entry(reads: Sequence[ReadItem], about: Context) -> Entry:
    """Return items by their titles, in one entry."""
    runs = joined((_member(read, about, tagged=True) for read in reads), DOT)
    return Entry(runs, about=tuple(read.item.key for read in reads))


def line_entry(
    read: ReadItem,
    about: Context,
    *,
    quote: bool = False,
    above: str = "",
    head: Runs = (),
    aside: Collection[Fact] = (),
) -> Entry:
    """Return a change on a line of its own: what it is for whom, its title, its author and size."""
    text = sentence(read, about.language) if quote else ""
    under: Runs = own_sentence(read, text, about.say, about.language) if text else ()
    runs = line(read, about, above=above, head=head, aside=aside)
    return Entry(runs, (Entry(under),) if under else (), about=(read.item.key,))


def line(
    read: ReadItem,
    about: Context,
    *,
    above: str = "",
    head: Runs = (),
    aside: Collection[Fact] = (),
    named: Runs = (),
    signed: bool = True,
) -> Runs:
    """Return a change in one line: its fact, its title, and where it is `signed` author and size.

    What somebody saw comes before the title, everything else after it. With `head`, it begins
    with that, which tells the facts `aside`; what a line above tells is not said again. `named`
    stands in the place of the title.
    """
    say = about.say
    if read.reverted_by is not None:
        by = about.items.get(read.reverted_by)
        ref: Runs = (entries.reference(by),) if by else (Words(_key_end(read.reverted_by)),)
        gone = fill(say.say.taken_back, revert=ref)
        return (*entries.named(read.item, say, struck=True), Words(say.pause), *gone)
    facts = about.facts_of(read)
    if not named:
        named = _named_below(read.item, about) if head else entries.named(read.item, say)
    hits = [fact for fact in bites(facts) if fact.symptom is not Symptom.BROKEN]
    if not head and hits:
        head = _beside(hits[0], read.item, about)
    if head:
        named = (*head, Words(DOT), *named)
    begun = plain(head)
    statements = [
        runs for runs in _statements(read, about, above, aside) if plain(runs) not in begun
    ]
    ends = by_whom(read.item, about) if signed else ()
    return joined((named, *statements[:MOST_STATEMENTS], ends), DOT)


def _statements(
    read: ReadItem, about: Context, above: str, aside: Collection[Fact] = ()
) -> list[Runs]:
    """Return what is known of a change beside what somebody saw, its title and lines above."""
    facts = [
        fact
        for fact in about.facts_of(read)
        if fact.kind is not FactKind.BITE and _adds_to_title(fact, read.item) and fact not in aside
    ]
    found = fact_runs(_weighty(facts), about.language, whom=True)
    if since := _broken_since(read, about):
        found.insert(0, since)
    return [runs for runs in found if not is_told(runs, read, about, above)]


def _weighty(facts: Sequence[Fact]) -> list[Fact]:
    """Return facts for one line: of moves and arguments only what must be acted on."""
    return [fact for fact in facts if fact.must_act or fact.kind is not FactKind.MOVE]


def _key_end(key: str) -> str:
    return key.rsplit(":", 1)[-1]


def by_whom(item: Item, about: Context) -> Runs:
    """Return author and size, as they end a line."""
    author: Runs = (Foreign(item.author),) if item.author else ()
    size: Runs = ()
    if item.additions or item.deletions:
        lines = about.say.say.size_lines.format(added=item.additions, deleted=item.deletions)
        size = (Words(lines),)
    return joined((author, size), DOT)


def sentence(read: ReadItem, language: Language) -> str:
    """Return the author's best sentence for a reader of a language; empty where none stands alone.

    What begins in the middle of a sentence is none, nor is one that this reader cannot read.
    """
    if read.sentence:
        text = unmarked(read.sentence.text)
    else:
        text = next(iter(split_sentences(unmarked(read.quote))), "")
        if read.item.kind is not Kind.ISSUE and is_hollow(text):
            return ""
    return "" if text[:1].islower() or is_for_others(text, language) else text


def issues(issues_listed: Listed, about: Context) -> PagePart | None:
    """Return issues with what was seen, duplicates under the one that they repeat."""
    if not issues_listed.shown:
        return None
    bullets = issue_entries(issues_listed.shown, about)
    keys = tuple(read.item.key for read in issues_listed.shown)
    title = heading(about.say.headings.issues, len(issues_listed.shown))
    return PagePart("issues", title, (Bullets(tuple(bullets)),), keys)


def issue_entries(reads: Sequence[ReadItem], about: Context) -> list[Entry]:
    """Return issues with their states, the duplicates of one that is told under it."""
    lines: list[Entry] = []
    paired: set[str] = set()
    for read in reads:
        if read.item.key in paired:
            continue
        twins = _twins(read, reads, paired)
        paired.update(twin.item.key for twin in twins)
        under = tuple(issue_entry(twin, about) for twin in twins)
        translated = _in_chinese(read, about)
        lines.append(Entry(_issue(read, about), (*translated, *under), about=(read.item.key,)))
    return lines


def _twins(read: ReadItem, reads: Sequence[ReadItem], paired: set[str]) -> list[ReadItem]:
    number = read.item.number
    return [
        other
        for other in reads
        if other is not read and other.item.key not in paired
        if number is not None and other.item.duplicate_of == number
    ]


def issue_entry(read: ReadItem, about: Context) -> Entry:
    """Return one issue as an entry."""
    return Entry(_issue(read, about), _in_chinese(read, about), about=(read.item.key,))


def _in_chinese(read: ReadItem, about: Context) -> tuple[Entry, ...]:
    """Return a model's Chinese of the author's sentence, where there is one and it is wanted."""
    if read.sentence is None or not is_translated(read, about.language):
        return ()
    return (Entry(own_sentence(read, read.sentence.text, about.say, about.language)),)


def issue_name(read: ReadItem, about: Context) -> Runs:
    """Return an issue by what was seen, its title and its reference."""
    return (*_seen(read, about), *entries.named(read.item, about.say))


def _seen(read: ReadItem, about: Context) -> Runs:
    """Say what the reporter of an issue saw, where its text says so."""
    found = [fact for fact in bites(about.facts_of(read)) if fact.symptom is not Symptom.BROKEN]
    return (*_beside(found[0], read.item, about), Words(DOT)) if found else ()


def _issue(read: ReadItem, about: Context) -> Runs:
    """Return an issue in one line, with the changes and the issues that belong to it."""
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
    return (*_seen(read, about), *entries.issue(read, about.say, linked, same))


def releases(outline: Outline, about: Context) -> PagePart | None:
    """Return releases with how their notes begin, those for trial in one line together."""
    if not outline.releases:
        return None
    blocks: list[Block] = []
    full, trials = parted(outline.releases)
    for read in full:
        blocks += release(read, about, opened=read.item.key in outline.opened)
    if trials:
        blocks.append(Paragraph(trial_runs(trials, about)))
    keys = tuple(read.item.key for read in outline.releases)
    title = heading(about.say.headings.releases, len(outline.releases))
    if not full:
        # Its heading says what they are and how many.
        title = heading(CATALOGUES[about.language].page.prereleases, len(trials))
        blocks = [Paragraph(entries.references(read.item for read in trials))]
    return PagePart("releases", title, tuple(blocks), keys)


def parted(reads: Sequence[ReadItem]) -> tuple[list[ReadItem], list[ReadItem]]:
    """Part releases into those that are told each, and pre-releases where there are several."""
    trials = [read for read in reads if is_prerelease(read.item)]
    if len(trials) < 2:
        return list(reads), []
    return [read for read in reads if read not in trials], trials


def trial_runs(reads: Sequence[ReadItem], about: Context) -> Runs:
    """Return pre-releases in one line."""
    refs = entries.references(read.item for read in reads)
    name = CATALOGUES[about.language].page.prereleases
    return (Strong((Words(name),)), Words(f"{DOT}{len(reads)}{about.say.colon}"), *refs)


def release(read: ReadItem, about: Context, *, opened: bool = True) -> list[Block]:
    """Return a release: its name, its state, and how its notes begin or how long they are."""
    item, say = read.item, about.say
    state = Words(DOT + say.names.states[item.state])
    name = entries.named(read.item, about.say, strong=True)
    if opened:
        return [Paragraph((*name, state)), *opening(read, about)]
    length: Runs = ()
    if lines := notes_of(read, about):
        length = (Words(DOT + say.count.lines(len(lines))),)
    return [Paragraph((*name, state, *length))]


def opening(read: ReadItem, about: Context) -> list[Block]:
    """Return how the notes of a release begin, and how many lines follow.

    One without notes is told by what was added to the changelog, where that is known.
    """
    say, lines = about.say, notes_of(read, about)
    if not lines:
        return []
    blocks: list[Block] = [Paragraph(each.runs) for each in _in_chinese(read, about)]
    blocks.append(Quote((Words(say.say.own_words),), "\n".join(lines[:FIRST_LINES])))
    if len(lines) > FIRST_LINES:
        left = say.count.further_lines(len(lines) - FIRST_LINES)
        blocks.append(Paragraph((Words(left + say.colon), entries.reference(read.item))))
    return blocks


def notes_of(read: ReadItem, about: Context) -> list[str]:
    """Return the lines of a release's notes that say anything."""
    notes = read.item.body
    if not notes.strip():
        quotes = (fact.quote for fact in about.facts_of(read) if fact.kind is FactKind.RELEASE)
        notes = next((quote for quote in quotes if quote.strip()), "")
    return [text.rstrip() for text in notes.splitlines() if text.strip()]


def rest(outline: Outline, about: Context) -> PagePart | None:
    """Return what is low or had no time, by kind, with its titles.

    On a full page each has its line, and in a group that is too long for one. A medium that can
    folds it.
    """
    if not outline.rest:
        return None
    lines: list[Entry] = []
    for group in outline.rest:
        label: Runs = (Words(f"{group_name(group.name, about)} · {len(group.reads)}"),)
        keys = tuple(read.item.key for read in group.reads)
        if outline.full:
            draw = issue_entry if group.name == ISSUES else line_entry
            lines.append(Entry(label, tuple(draw(read, about) for read in group.reads)))
        elif len(group.reads) > MOST_OF_A_LINE:
            each = (titles_entry((read,), about) for read in group.reads)
            lines.append(Entry(label, tuple(each)))
        else:
            few = titles_entry(group.reads, about).runs
            lines.append(Entry(joined((label, few), about.say.colon), about=keys))
    total = sum(len(group.reads) for group in outline.rest)
    keys = tuple(read.item.key for group in outline.rest for read in group.reads)
    title = heading(about.say.headings.rest, total)
    return PagePart("rest", title, (Bullets(tuple(lines)),), keys, folded=not outline.full)


def group_name(name: str, about: Context) -> str:
    """Name a group of the rest: issues, a kind of upkeep, or any other changes."""
    if name == ISSUES:
        return about.say.headings.issues
    return about.say.names.noise[Noise(name)] if name else about.say.names.low


def counts_of(outline: Outline, about: Context) -> list[str]:
    """Say of each group of the rest how many there are."""
    counts = Counter({group.name: len(group.reads) for group in outline.rest})
    return [f"{group_name(name, about)} {count}" for name, count in counts.items()]
