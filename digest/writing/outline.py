"""What a page or a thread tells, in which order: the same in every medium."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from digest.facts import Fact, FactChange, Story, Symptom
from digest.languages import Language
from digest.models import Item, Kind, Reading, ReadItem, Revert
from digest.reading.known_facts import bites, facts_by_item
from digest.wording.catalogue import Catalogue
from digest.writing.audience import Audiences
from digest.writing.document import Block, Bullets, Entry, Paragraph, Quote, Runs, Tone
from digest.writing.phrasing import prose
from digest.writing.shown_stories import shown_stories


@dataclass(frozen=True, slots=True)
class Listed:
    """Items under one heading; `told` on a line of their own, for `more` there is no time."""

    shown: tuple[ReadItem, ...] = ()
    more: tuple[ReadItem, ...] = ()

    @property
    def items(self) -> tuple[ReadItem, ...]:
        """All of them, in their order."""
        return (*self.shown, *self.more)


@dataclass(frozen=True, slots=True)
class Group:
    """Items of the rest under one name.

    A `Noise`, whom they are for, `issues`, or nothing for further changes.
    """

    name: str
    reads: tuple[ReadItem, ...]


@dataclass(frozen=True, slots=True)
class Strand:
    """Changes that belong together: of a `story`, else in one part of the software or for one sort.

    `name` is that of the story, of a reason (`area_moe`), or of who is meant (`AMD`).
    """

    name: str
    keys: tuple[str, ...]
    story: Story | None = None

    @property
    def count(self) -> int:
        """How many changes it is said to be: of a story as many as are told of it below."""
        return len(self.story.items if self.story else self.keys)


@dataclass(frozen=True, slots=True)
class Lead:
    """What a day was, largest first; `is_most` where that is half of its work."""

    strands: tuple[Strand, ...] = ()
    is_most: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a page in their order.

    What is read first: `lead` says what the day was, `bitten`, `upgrading` and `new` the
    items whose facts stand there, best first, `others` what else is on the front page. A parent of
    a thread says again, shorter, what follows;
    on a page they have their homes there.

    What follows tells every change in exactly one place, its home: `reverts` in pairs, `stories` by
    their members, `fixed`, `added` and `changed` by lines, where what is on the `front` page comes
    first and with all its facts, and `rest`, which is opened by who wants it: what is low, and what
    there was no time for. A story names its members that are at home elsewhere too. `taken` are
    those of the `reverts` that an item of the front page tells, by its key.

    `quoted` are the keys of items whose author is quoted, `titled` those of members of stories
    that stand by their titles, `opened` those of releases whose notes are begun. `audiences` are
    who is meant by changes, with theirs. `is_long` is a window of several days: its stories come
    before the messages of its front page.
    """

    lead: Lead
    bitten: tuple[ReadItem, ...]
    upgrading: tuple[ReadItem, ...]
    new: tuple[ReadItem, ...]
    others: tuple[ReadItem, ...]
    front: tuple[ReadItem, ...]
    reverts: tuple[Revert, ...]
    taken: Mapping[str, Revert]
    stories: tuple[Story, ...]
    fixed: Listed
    added: Listed
    changed: Listed
    issues: Listed
    releases: tuple[ReadItem, ...]
    rest: tuple[Group, ...]
    audiences: Audiences = ()
    reads: Mapping[str, ReadItem] = field(default_factory=dict)
    quoted: frozenset[str] = field(default=frozenset())
    titled: frozenset[str] = field(default=frozenset())
    opened: frozenset[str] = field(default=frozenset())
    full: bool = False
    is_long: bool = False


def changes(reading: Reading) -> tuple[ReadItem, ...]:
    """Return the pull requests and commits of a reading, in its order."""
    return tuple(read for read in reading.items if read.item.kind.is_change)


def of_kind(reading: Reading, kind: Kind) -> tuple[ReadItem, ...]:
    """Return the items of one kind, in the order of the reading."""
    return tuple(read for read in reading.items if read.item.kind is kind)


@dataclass(frozen=True, slots=True)
class Context:
    """What every section needs: the language, and who is who in the reading.

    `closers` maps the number of an issue to the changes that say they close it. `facts` are what
    is known of each item, by its key, `first_day` is where the window began, in its zone, and
    `until` the moment at which it ended.
    A `whole` page names every one of many names, any other the first ones; what asks to act is
    named all where one `upgrades`. `going_on` are stories of earlier days that are told in the
    lines of their changes alone, by the keys of these.
    """

    say: Catalogue
    language: Language
    items: Mapping[str, Item]
    closers: Mapping[int, Sequence[Item]]
    facts: Mapping[str, Sequence[Fact]] = field(default_factory=dict)
    reads: Mapping[str, ReadItem] = field(default_factory=dict)
    first_day: date | None = None
    until: datetime | None = None
    whole: bool = False
    upgrades: bool = False
    going_on: Mapping[str, Story] = field(default_factory=dict)

    def is_since(self, pair: Revert | None) -> bool:
        """Tell whether a change was taken back after the window alone."""
        return pair is not None and self.until is not None and pair.revert.at >= self.until

    def facts_of(self, read: ReadItem) -> Sequence[Fact]:
        """Return what is known of an item, the most telling first."""
        return self.facts.get(read.item.key, ())

    def cited(self, keys: Iterable[str]) -> list[Item]:
        """Give the known items among keys, in their order."""
        return [self.items[key] for key in keys if key in self.items]


def context(
    reading: Reading,
    say: Catalogue,
    language: Language,
    *,
    whole: bool = False,
    upgrades: bool = False,
) -> Context:
    """Look up who is who in a reading."""
    items = {read.item.key: read.item for read in reading.items}
    for pair in reading.reverts:
        items.setdefault(pair.revert.key, pair.revert)
    closers: dict[int, list[Item]] = defaultdict(list)
    for read in reading.items:
        for number in read.fixes:
            closers[number].append(read.item)
    told = {one.key for one in shown_stories(reading, changes(reading))}
    lone = (one for one in reading.stories if one.earlier and one.key not in told)
    return Context(
        say,
        language,
        items,
        closers,
        {key: _stated_first(facts) for key, facts in facts_by_item(reading).items()},
        {read.item.key: read for read in reading.items},
        reading.window.start.astimezone(ZoneInfo(reading.window.tz)).date(),
        reading.window.end,
        whole,
        upgrades,
        {key: one for one in lone for key in one.items},
    )


def _stated_first(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return facts of one item with what a text says somebody saw before what is inferred.

    What takes the place of something else is told with that, and not once more as new.
    """
    seen = bites(facts)
    # Of what is said in the program's own words these name what to use, or not.
    old = [fact for fact in facts if fact.change is FactChange.DEPRECATED and not fact.quote]
    successors = {fact.after for fact in old}
    others = (
        fact
        for fact in facts
        if fact not in seen
        if not (fact.change is FactChange.ADDED and fact.name in successors)
    )

    def is_less(fact: Fact) -> tuple[bool, bool]:
        return fact.symptom is Symptom.BROKEN, fact.inferred

    return (*sorted(seen, key=is_less), *others)


# Silent reading, adults: English 238 words a minute, https://doi.org/10.1016/j.jml.2019.104047;
# Chinese about 260 characters a minute, https://iovs.arvojournals.org/article.aspx?articleid=2166061
WORDS_A_MINUTE = 238
CHARACTERS_A_MINUTE = 260
MINUTES_FIRST = 0.5
"""What is read first: the parent of a thread, but for its small print, the top of a page."""
MINUTES_A_PAGE = 2.0
"""What follows it, without what is opened by who wants it."""

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][\w'-]*")


def minutes(text: str) -> float:
    """Return how long a text takes to read, in minutes."""
    words = len(_WORD.findall(text)) / WORDS_A_MINUTE
    return words + len(_HAN.findall(text)) / CHARACTERS_A_MINUTE


def is_small(block: Block) -> bool:
    """Tell whether a block is small print."""
    return isinstance(block, Paragraph) and block.tone is Tone.SMALL


def block_minutes(block: Block) -> float:
    """Return how long a block takes to read, in minutes; names in code are looked at, not read."""
    match block:
        case Paragraph():
            return runs_minutes(block.runs)
        case Bullets():
            return sum(entry_minutes(entry) for entry in block.entries)
        case Quote():
            return runs_minutes(block.speaker) + minutes(block.text)
    return 0.0


def entry_minutes(entry: Entry) -> float:
    """Return how long an entry and what stands under it take to read, in minutes."""
    return runs_minutes(entry.runs) + sum(entry_minutes(under) for under in entry.under)


def runs_minutes(runs: Runs) -> float:
    """Return how long runs take to read, in minutes."""
    return minutes(prose(runs))
