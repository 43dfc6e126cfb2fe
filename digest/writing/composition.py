"""Where each item is told: decided once, from facts and stories, for every medium.

Every change has exactly one home on a page, and its facts may stand before it among what is read
first, in half a minute. What has a line of its own is what can be read in two minutes, taken in the
order of its weight; the others join the rest, which a button or a click opens. The last few that a
reader can notice come before quotations. `full` gives everything a line. Languages differ in how
many lines there is time for, and in nothing else.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from digest.facts import Fact, FactChange, FactKind, Story, Subject
from digest.grades import Importance, Noise, Purpose
from digest.languages import Language
from digest.models import Item, Kind, Reading, ReadItem, Revert, State
from digest.reading.known_facts import additions, demands
from digest.reading.releases import apart, is_prerelease
from digest.wording.saying import CATALOGUES
from digest.wording.saying import localized as in_words
from digest.writing import lines, sections
from digest.writing.audience import Audiences, by_audience, side_by_side
from digest.writing.leading import lead
from digest.writing.outline import (
    MINUTES_A_PAGE,
    MINUTES_FIRST,
    Context,
    Group,
    Listed,
    Outline,
    block_minutes,
    changes,
    context,
    entry_minutes,
    minutes,
    of_kind,
)
from digest.writing.remarks import is_translated
from digest.writing.rules import reverts_told, summary
from digest.writing.shown_stories import shown_stories
from digest.writing.upkeep import is_upkeep, upkeep

LEAST_FRONT = 3
"""Items with a message of their own, also on a day without a high one."""
MOST_FRONT = 6
PRESSING_ISSUES = 2
"""Issues before other lines: a bug that users meet must not stand behind thirty titles."""
MOST_NOTICED = 4
"""Changes that a reader can notice and that have their lines before somebody is quoted."""
FRAME_MINUTES = 0.1
"""What title and small print take."""
REST_MINUTES = 0.1
"""What the counts of a thread's rest take."""
LEAST_FOR_WHOM = 2
"""Changes of the rest for the same people before they stand under their name."""
LONG = timedelta(hours=49)
RELEASED = timedelta(days=14)
"""How long a change is in before it is in a release: most projects here make one in two weeks."""

_AWAITED = (Subject.MODEL, Subject.HARDWARE)


def compose(
    reading: Reading, language: Language, *, full: bool = False, in_thread: bool = False
) -> Outline:
    """Decide what a page of a reading tells those who read a language.

    A thread has its two minutes for itself: what is read first stands above it, within half a
    minute of its own, and the rest is opened by a button.

    A quotation takes no title's place: it is told where there is time beside them.
    """
    upgrades = reading.window.is_span and not in_thread
    about = context(reading, CATALOGUES[language], language, upgrades=upgrades)
    everything = _everything(reading, about)
    if full:
        every = frozenset(read.item.key for read in reading.items)
        return replace(everything, quoted=every, opened=every, titled=every, full=True)

    bare = _with_lines(everything, frozenset(), in_thread=in_thread)
    time = _time(reading, about, in_thread=in_thread)
    left = time - _of_page(bare, about, in_thread=in_thread)
    first = frozenset() if in_thread else _at_home_first(bare, about)
    granted = _granted(everything, about, left, first)
    return _with_lines(everything, granted, in_thread=in_thread)


def _lists(outline: Outline) -> tuple[Listed, ...]:
    return outline.fixed, outline.added, outline.changed, outline.issues


def _everything(reading: Reading, about: Context) -> Outline:
    """Return all that there is to tell."""
    landed = changes(reading)
    stories = shown_stories(reading, landed)
    released = of_kind(reading, Kind.RELEASE)  # of two versions it bears what no change made
    doubled = _told_by_releases(landed, released, about)
    others = [read for read in landed if read.item.key not in doubled]
    front = _front(reading, others, has_stories=bool(stories))
    reverts = reverts_told(reading)
    paired = _keys_of(reverts)
    in_stories = {key for story in stories for key in story.items}
    homes: dict[str, list[ReadItem]] = {"fixed": [], "added": [], "changed": [], "rest": []}
    foremost = {read.item.key for read in front}
    for read in (*front, *(read for read in landed if read.item.key not in foremost)):
        is_foremost = read.item.key in foremost
        if read.item.key not in paired and (is_foremost or read.item.key not in in_stories):
            home = "rest" if read.item.key in doubled else _home(read, about.facts_of(read))
            homes["changed" if home == "rest" and is_foremost else home].append(read)
    aside = paired | {read.item.key for read in landed if read.reverted_by is not None}
    standing = [read for read in landed if read.item.key not in aside]
    bitten = _bitten(standing, about)
    back = _taken_late(reading)
    hitting = [read for read in landed if read.item.key in back or read.item.key not in aside]
    upgrading = _upgrading([*hitting, *released], about)
    above = {read.item.key for read in (*bitten, *upgrading)}
    new = _new([*standing, *released], about, above)
    runs = [read for read in standing if read.noise is None]
    audiences = by_audience((read, about.facts_of(read)) for read in runs)

    def in_order(reads: Sequence[ReadItem]) -> tuple[ReadItem, ...]:
        """Put the front page first, the others by whom they are for."""
        first = [read for read in reads if read.item.key in foremost]
        return (*first, *side_by_side(reads[len(first) :], audiences))

    listed = {name: Listed(in_order(reads)) for name, reads in homes.items()}
    is_long = reading.window.end - reading.window.start > LONG
    above |= {read.item.key for read in new} | aside
    releases = sorted(
        released, key=lambda read: (is_prerelease(read.item), read.item.state is State.TAGGED)
    )
    return Outline(
        lead=lead(stories, landed, audiences),
        bitten=bitten,
        upgrading=upgrading,
        new=new,
        others=tuple(read for read in front if read.item.key not in above),
        front=front,
        reverts=tuple(sorted(reverts, key=_lived, reverse=True)),
        taken=_under_front(reverts, front),
        stories=stories,
        fixed=listed["fixed"],
        added=listed["added"],
        changed=listed["changed"],
        issues=Listed(of_kind(reading, Kind.ISSUE)),
        releases=tuple(releases),
        rest=_grouped(homes["rest"], audiences),
        audiences=audiences,
        reads=about.reads,
        is_long=is_long,
    )


def _told_by_releases(
    landed: Sequence[ReadItem], released: Sequence[ReadItem], about: Context
) -> set[str]:
    """Return the keys of changes that give the version of a release a number, and no more."""
    names = {read.item.ref.strip().lstrip("vV") for read in released}

    def is_told(fact: Fact) -> bool:
        return fact.kind is FactKind.RELEASE and fact.name in names and not fact.quote

    return {
        read.item.key
        for read in landed
        if read.purpose is Purpose.RELEASE
        if (facts := about.facts_of(read)) and all(map(is_told, facts))
    }


def _front(
    reading: Reading, landed: Sequence[ReadItem], *, has_stories: bool
) -> tuple[ReadItem, ...]:
    """Return what has a message of its own: what the reading chose, else what is high.

    Where that is fewer than three, the heaviest others follow; of what is mere upkeep none does.
    Changes of low importance follow only where nothing else landed, nor a story or a revert: then
    they are the day's news.
    """
    by_key = {read.item.key: read for read in landed}
    chosen = [by_key[key] for key in reading.front if key in by_key]
    if not reading.front:
        chosen = [read for read in landed if read.importance is Importance.HIGH]
    front = chosen[: max(MOST_FRONT, len(reading.front) or len(chosen))]
    pairs = {pair.revert.key for pair in reading.reverts}
    others = [
        read
        for read in landed
        if read.noise is None and read not in front
        if read.item.key not in pairs and not read.reverted_by
    ]
    weighty = [read for read in others if read.importance is not Importance.LOW]
    is_small = not (front or weighty or has_stories or reading.reverts)
    front += (others if is_small else weighty)[: max(0, LEAST_FRONT - len(front))]
    return tuple(front)


def _home(read: ReadItem, facts: Sequence[Fact]) -> str:
    """Name the list of a change that is neither on the front page nor in a story."""
    low = read.importance is Importance.LOW
    known = lines.first_bite(facts)
    if read.noise is not None and not demands(facts):
        return "rest"
    if upkeep(read) is not None and not (known or demands(facts) or additions(facts)):
        return "rest"
    if known or _is_fix(read):
        return "fixed"
    if read.purpose is Purpose.RELEASE and not any(fact.quote for fact in facts):
        low = True
    # A feature of low importance comes last, where there is time for it.
    is_of_program = read.object not in lines.OF_NO_PROGRAM and not is_upkeep(read)
    if additions(facts) or (read.purpose is Purpose.FEATURE and is_of_program):
        return "added"
    is_told = demands(facts) or any(map(_is_default, facts))
    return "rest" if low and not is_told else "changed"


def _is_fix(read: ReadItem) -> bool:
    """Tell whether a change mends what runs: who fixes a test or an example mends nothing of it."""
    return read.purpose is Purpose.FIX and read.object not in lines.OF_NO_PROGRAM


def _bitten(standing: Sequence[ReadItem], about: Context) -> tuple[ReadItem, ...]:
    """Return what could have hit a user, by weight: nobody is hit by what builds and tests it.

    A fix of which no text says what was seen is none of it: nobody can tell whether it was theirs.
    What is inferred comes after what a text states, and after all that what a change of the same
    day brought: who runs a release never had that.
    """
    seen = {
        read.item.key: found
        for read in standing
        if read.noise is None and (found := lines.first_bite(about.facts_of(read)))
    }

    hit = (read for read in standing if read.item.key in seen)
    return tuple(
        sorted(hit, key=lambda read: (bool(seen[read.item.key].name), seen[read.item.key].inferred))
    )


def _upgrading(standing: Sequence[ReadItem], about: Context) -> tuple[ReadItem, ...]:
    """Return what hits who upgrades, the silent first: an installer tells of requirements itself.

    Last stand what is merely deprecated, and what only imports lose.
    """
    asking = [read for read in standing if demands(about.facts_of(read))]

    def how_far_off(read: ReadItem) -> tuple[bool, bool, bool]:
        facts = demands(about.facts_of(read))
        return (
            all(fact.kind is FactKind.MOVE for fact in facts),
            all(fact.change is FactChange.DEPRECATED for fact in facts),
            all(fact.kind is FactKind.REQUIREMENT for fact in facts),
        )

    return tuple(sorted(asking, key=how_far_off))


def _new(
    standing: Sequence[ReadItem], about: Context, before: Iterable[str]
) -> tuple[ReadItem, ...]:
    """Return what can be used now: weighty changes that add support or a setting."""
    aside = set(before)
    adding = [
        read
        for read in standing
        if read.noise is None and read.importance is not Importance.LOW
        if read.item.key not in aside and additions(about.facts_of(read))
        # A setting or name that a fix or a refactor adds stands beside it in its list.
        if read.purpose not in (Purpose.FIX, Purpose.REFACTOR)
        or any(fact.kind is FactKind.SUPPORT for fact in additions(about.facts_of(read)))
    ]
    return tuple(
        sorted(adding, key=lambda read: -read.score - _awaited(additions(about.facts_of(read))))
    )


def _awaited(facts: Sequence[Fact]) -> int:
    """Return how many points what is new counts above its weight, or below it.

    Models and hardware people wait for, then other support, settings, last mere names: what is
    much weightier stands before them all the same.
    """
    support = [fact for fact in facts if fact.kind is FactKind.SUPPORT]
    if any(fact.subject in _AWAITED and not fact.inferred for fact in support):
        return 10
    if any(fact.subject in _AWAITED for fact in support):
        return 8
    if support:
        return 4
    return -10 if all(fact.subject in lines.CALLED for fact in facts) else 0


def _keys_of(reverts: Iterable[Revert]) -> set[str]:
    items: list[Item] = []
    for revert in reverts:
        items.append(revert.revert)
        if revert.original is not None:
            items.append(revert.original)
    return {item.key for item in items}


def _lived(pair: Revert) -> float:
    """Return for how long a change was in: what was in long is in what people run."""
    return math.inf if pair.seconds is None else pair.seconds


def _taken_late(reading: Reading) -> frozenset[str]:
    """Return the reverts of what was in before the window for so long that people use it.

    What was taken back sooner came with no release: nobody has to act.
    """
    return frozenset(
        pair.revert.key
        for pair in reading.reverts
        if pair.original is None
        or (
            pair.original.at < reading.window.start
            and timedelta(seconds=pair.seconds or 0) >= RELEASED
        )
    )


def _under_front(reverts: Iterable[Revert], front: Iterable[ReadItem]) -> dict[str, Revert]:
    """Return the reverts that an item of the front page tells."""
    by_key = {read.item.key: read for read in front}
    taken: dict[str, Revert] = {}
    for pair in reverts:
        original = by_key.get(pair.original.key) if pair.original is not None else None
        if original is not None and original.reverted_by == pair.revert.key:
            taken[original.item.key] = pair
        elif pair.revert.key in by_key:
            taken[pair.revert.key] = pair
    return taken


def _grouped(
    rest: Iterable[ReadItem], audiences: Audiences, stories: Audiences = ()
) -> tuple[Group, ...]:
    """Return the rest by whom it is for, then other fixes and changes, then kinds of upkeep.

    What is left of `stories` comes first, under their names.
    """
    reads = tuple(rest)
    groups = [Group(name, theirs) for name, theirs in stories]
    left = [read for read in reads if upkeep(read) is None]
    for name, theirs in audiences:
        those = tuple(read for read in left if read in theirs)
        if len(those) >= LEAST_FOR_WHOM:
            groups.append(Group(name, those))
            left = [read for read in left if read not in those]
    for name, is_fix in ((Purpose.FIX.value, True), ("", False)):
        those = tuple(read for read in left if _is_fix(read) is is_fix)
        groups.append(Group(name, those))
    for noise in Noise:
        groups.append(Group(noise.value, tuple(read for read in reads if upkeep(read) is noise)))
    return tuple(group for group in groups if group.reads)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something that is told where there is time for it, and how long that takes."""

    minutes: Callable[[Context], float]
    tells: str
    needs: str = ""


def _time(reading: Reading, about: Context, *, in_thread: bool) -> float:
    """Return the minutes for what follows, and on a page for what is read first."""
    before = minutes(summary(reading, about.say)) + FRAME_MINUTES * (1 + len(reading.notices))
    before += sum(minutes(in_words(gap.why, about.language)) for gap in reading.gaps)
    return MINUTES_A_PAGE + (-REST_MINUTES if in_thread else MINUTES_FIRST) - before


def _at_home_first(bare: Outline, about: Context) -> frozenset[str]:
    """Return what has its home among what is read first, of an outline without lines."""
    return frozenset().union(*(part.homes for part in sections.first(bare, about, in_full=True)))


def _granted(
    everything: Outline, about: Context, left: float, first: frozenset[str]
) -> frozenset[str]:
    """Return what there is time for in the minutes left; what stands `first` has its line."""
    pieces = list(_pieces(everything, about))
    granted = _affordable(pieces, everything, about, left, first)
    if noticed := _noticed(everything, about, granted):
        pieces.sort(key=lambda piece: (piece.tells not in noticed, bool(piece.needs)))
        granted = _affordable(pieces, everything, about, left, first)
    return granted


def _affordable(
    pieces: Iterable[_Piece],
    everything: Outline,
    about: Context,
    left: float,
    first: frozenset[str],
) -> frozenset[str]:
    granted = {read.item.key for read in everything.front} | first
    for piece in pieces:
        if piece.tells in first or (piece.needs and piece.needs not in granted):
            continue
        cost = piece.minutes(about)
        if cost <= left:
            left -= cost
            granted.add(piece.tells)
    return frozenset(granted)


def _noticed(everything: Outline, about: Context, granted: Collection[str]) -> set[str]:
    """Return the changes without a line that a reader would miss: what is new or by default.

    And all others that are not of low importance, where these are few.
    """
    listed = (everything.fixed, everything.added, everything.changed)
    left = [read for each in listed for read in each.shown if read.item.key not in granted]
    left = [read for read in left if read.importance is not Importance.LOW]
    if len(left) > MOST_NOTICED:
        left = [read for read in left if _gives(about.facts_of(read))][:MOST_NOTICED]
    return {read.item.key for read in left}


def _gives(facts: Sequence[Fact]) -> bool:
    """Tell whether there is something new to use, or something else by default."""
    return bool(additions(facts)) or any(map(_is_default, facts))


def _is_default(fact: Fact) -> bool:
    return fact.change is FactChange.DEFAULT


def _pieces(everything: Outline, about: Context) -> Iterator[_Piece]:
    """Return what may be told, the worthiest first."""
    issues = everything.issues.shown
    lists = (everything.fixed, everything.added, everything.changed)
    yield from (_issue(read) for read in issues[:PRESSING_ISSUES])
    yield from (_quotation(read) for read in everything.front[:LEAST_FRONT])
    yield from (_opening(read) for read in apart(everything.releases)[0])
    listed_keys = {read.item.key for listed in lists for read in listed.shown}
    listed_keys |= {key for story in everything.stories for key in story.items}
    reads = [read for read in about.reads.values() if read.item.key in listed_keys]
    reads.sort(key=lambda read: read not in everything.bitten)
    yield from (_line(read) for read in reads)
    yield from (_issue(read) for read in issues[PRESSING_ISSUES:])
    yield from (_quotation(read) for read in everything.front[LEAST_FRONT:])
    yield from (_quotation(read) for read in reads)


def _line(read: ReadItem) -> _Piece:
    def cost(about: Context) -> float:
        return entry_minutes(lines.line_entry(read, about))

    return _Piece(cost, read.item.key)


def _issue(read: ReadItem) -> _Piece:
    return _Piece(lambda about: entry_minutes(lines.issue_entry(read, about)), read.item.key)


def _opening(read: ReadItem) -> _Piece:
    def cost(about: Context) -> float:
        return sum(block_minutes(block) for block in lines.opening(read, about))

    return _Piece(cost, f"open {read.item.key}")


def _quotation(read: ReadItem) -> _Piece:
    key = read.item.key

    def cost(about: Context) -> float:
        if read.sentence and is_translated(read, about.language):
            return minutes(read.sentence.chinese)
        return minutes(lines.quotation(read, about))

    return _Piece(cost, f"quote {key}", key)


def _with_lines(everything: Outline, granted: frozenset[str], *, in_thread: bool) -> Outline:
    """Return an outline with lines for what is granted; what has none joins the rest.

    In a thread issues without a line have a message of their own, with the button that opens them.
    """
    always = {read.item.key for read in (*everything.front, *everything.releases)}
    keys = {read.item.key for listed in _lists(everything) for read in listed.shown} | always
    fixed, added = _split(everything.fixed, granted), _split(everything.added, granted)
    changed, issues = _split(everything.changed, granted), _split(everything.issues, granted)
    later = [read for listed in (fixed, added, changed) for read in listed.more]
    later += [read for group in everything.rest for read in group.reads]
    unseen = (Group(sections.ISSUES, issues.more),) if issues.more and not in_thread else ()
    titled = granted.union(*(_always_titled(each, everything) for each in everything.stories))
    titled -= {key for story in everything.stories for key in _hollow(story, everything, titled)}
    untitled = tuple(
        (story.name, tuple(reads))
        for story in everything.stories
        if (reads := [everything.reads[key] for key in story.items if key not in titled])
    )
    return replace(
        everything,
        fixed=fixed,
        added=added,
        changed=changed,
        issues=issues,
        rest=(*unseen, *_grouped(later, everything.audiences, untitled)),
        titled=titled,
        opened=frozenset(key for key in always if f"open {key}" in granted),
        quoted=frozenset(key for key in keys if f"quote {key}" in granted),
    )


def _always_titled(story: Story, everything: Outline) -> set[str]:
    """Return the weightiest member that no part before tells, and whose title is the name.

    Of two members both: what one has to do with the other is seen in their titles alone.
    """
    before = (*everything.front, *everything.bitten, *everything.upgrading, *everything.new)
    own = [read for read in everything.reads.values() if read.item.key in story.items]
    namesakes = {read.item.key for read in own if lines.is_named_after(story, read.item)}
    left = (read.item.key for read in own if read not in before and not is_upkeep(read))
    others = [key for key in left if key not in namesakes]
    return namesakes | set(others if len(own) == 2 else others[:1])


def _hollow(story: Story, everything: Outline, titled: frozenset[str]) -> list[str]:
    """Return the members with a line where these are upkeep alone: the story is told elsewhere."""
    reads = [everything.reads[key] for key in story.items if key in titled]
    left = [read for read in reads if read not in everything.front]
    return [read.item.key for read in left] if all(map(is_upkeep, left)) else []


def _split(listed: Listed, granted: frozenset[str]) -> Listed:
    return Listed(
        tuple(read for read in listed.shown if read.item.key in granted),
        tuple(read for read in listed.shown if read.item.key not in granted),
    )


def _of_page(outline: Outline, about: Context, *, in_thread: bool) -> float:
    # A line of builds for trial takes nothing else its place.
    outline = replace(outline, releases=tuple(apart(outline.releases)[0]))
    before = [] if in_thread else sections.first(outline, about, in_full=True)
    after = [part for part in sections.following(outline, about, before) if not part.folded]
    return sum(part.minutes for part in (*before, *after))
