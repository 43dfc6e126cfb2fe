"""Where each item is told: decided once, from facts and stories, for every medium and language.

Every change has exactly one home on a page, and its facts may stand before it among what is read
first, in half a minute. What has a line of its own is what can be read in two minutes in either
language (in more, where more than `CHANGES_A_PAGE` changes matter), taken in the order of its
weight; the others stand with a few words each. `full` gives everything a line.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from digest.claims import Claim
from digest.facts import Fact, FactKind, Story, Symptom
from digest.grades import Importance, Noise, Purpose
from digest.languages import Language
from digest.models import Item, Kind, Reading, ReadItem, Revert, State
from digest.reading.known_facts import additions, bites, demands
from digest.writing import sections
from digest.writing.context import Context, context
from digest.writing.glosses import glosses, said
from digest.writing.outline import Group, Listed, Outline, changes, of_kind
from digest.writing.reading_time import (
    MINUTES_FIRST,
    block_minutes,
    entry_minutes,
    minutes,
    minutes_for,
)
from digest.writing.rules import summary
from digest.writing.wording.languages import CATALOGUES

LEAST_FRONT = 3
"""Items with a message of their own, also on a day without a high one."""
MOST_FRONT = 6
MOST_STORIES_IN_LEAD = 4
LEAST_IN_LEAD = 3
"""Members of a story that says what a day mostly was."""
PRESSING_ISSUES = 2
"""Issues before other lines: a bug that users meet must not stand behind thirty titles."""
FRAME_MINUTES = 0.1
"""What title and small print take in the slower language."""
LONG = timedelta(hours=49)

_IN_ORDER = {State.PUBLISHED: 0, State.PRERELEASE: 1}


def compose(
    reading: Reading,
    claims: Iterable[Claim] = (),
    *,
    full: bool = False,
    in_thread: bool = False,
) -> Outline:
    """Decide what a page of a reading tells; `claims` are a model's proven sentences about it.

    A thread has its two minutes for itself: what is read first stands above it, within half a
    minute of its own, and the rest is opened by a button.

    A gloss or a quotation takes no title's place: it is told where there is time beside them.
    """
    known = tuple(claims)
    about = {
        language: context(reading, CATALOGUES[language], language, known) for language in Language
    }
    everything = _everything(reading, about[Language.EN])
    glossed = frozenset(glosses(known).items)
    if full:
        every = frozenset(read.item.key for read in reading.items)
        return replace(
            everything, glossed=glossed, quoted=every, named=every, opened=every, full=True
        )
    granted = _granted(reading, everything, about, glossed, in_thread=in_thread)
    return _with_told(everything, granted, glossed)


def left_out(
    told: Outline, claims: Iterable[Claim], language: Language, *, in_thread: bool = False
) -> int:
    """Count a model's proven sentences about items that the outline does not tell.

    A thread tells all those about an item of the front page, a page the first.
    """
    known = glosses(claims).items
    whole = {read.item.key for read in (*told.releases, *(told.front if in_thread else ()))}
    whole |= told.whole
    if told.full:
        return 0
    count = 0
    for key, each in known.items():
        sentences = len(said(each, language))
        if key in told.glossed:
            sentences -= sentences if key in whole else min(1, sentences)
        count += sentences
    return count


def _lists(outline: Outline) -> tuple[Listed, ...]:
    return outline.fixed, outline.added, outline.changed, outline.issues


def _everything(reading: Reading, about: Context) -> Outline:
    landed = changes(reading)
    front = _front(reading, landed)
    at_home = {read.item.key for read in front}
    paired = _keys_of(reading.reverts)
    at_home |= paired
    stories = _stories(reading, landed)
    at_home |= {key for story in stories for key in story.items}
    homes: dict[str, list[ReadItem]] = {"fixed": [], "added": [], "changed": [], "rest": []}
    for read in landed:
        if read.item.key not in at_home:
            homes[_home(read, about.facts_of(read))].append(read)
    aside = paired | {read.item.key for read in landed if read.reverted_by is not None}
    standing = [read for read in landed if read.item.key not in aside]
    bitten = _bitten(standing, about)
    upgrading = tuple(read for read in standing if demands(about.facts_of(read)))
    new = _new(standing, about, {read.item.key for read in (*bitten, *upgrading)})
    said_first = {read.item.key for read in (*bitten, *upgrading, *new)} | aside
    releases = sorted(
        of_kind(reading, Kind.RELEASE), key=lambda read: _IN_ORDER.get(read.item.state, 2)
    )
    return Outline(
        mostly=tuple(story for story in stories if len(story.items) >= LEAST_IN_LEAD)[
            :MOST_STORIES_IN_LEAD
        ],
        bitten=bitten,
        upgrading=upgrading,
        new=new,
        others=tuple(read for read in front if read.item.key not in said_first),
        front=front,
        reverts=reading.reverts,
        taken=_under_front(reading.reverts, front),
        stories=stories,
        fixed=Listed(tuple(homes["fixed"])),
        added=Listed(tuple(homes["added"])),
        changed=Listed(tuple(homes["changed"])),
        issues=Listed(of_kind(reading, Kind.ISSUE)),
        releases=tuple(releases),
        rest=_by_noise(homes["rest"]),
        is_long=reading.window.end - reading.window.start > LONG,
    )


def _front(reading: Reading, landed: Sequence[ReadItem]) -> tuple[ReadItem, ...]:
    """Return what has a message of its own: what the reading chose, else what is high.

    Where that is fewer than three, the heaviest others follow; of what is mere upkeep none does.
    """
    by_key = {read.item.key: read for read in landed}
    chosen = [by_key[key] for key in reading.front if key in by_key]
    if not reading.front:
        chosen = [read for read in landed if read.importance is Importance.HIGH]
    told = chosen[: max(MOST_FRONT, len(reading.front) or len(chosen))]
    pairs = {pair.revert.key for pair in reading.reverts}
    for read in landed:
        if len(told) >= LEAST_FRONT:
            break
        weighty = read.importance is not Importance.LOW and read.noise is None
        if weighty and read not in told and read.item.key not in pairs and not read.reverted_by:
            told.append(read)
    return tuple(told)


def _stories(reading: Reading, landed: Sequence[ReadItem]) -> tuple[Story, ...]:
    """Return the stories of two members and more, the largest first; upkeep alone is none."""
    by_key = {read.item.key: read for read in landed}
    told: list[Story] = []
    for story in reading.stories:
        items = tuple(key for key in story.items if key in by_key)
        if len(items) > 1 and any(by_key[key].noise is None for key in items):
            told.append(replace(story, items=items))
    return tuple(sorted(told, key=lambda story: -len(story.items)))


def _home(read: ReadItem, facts: Sequence[Fact]) -> str:
    """Name the list of a change that is neither on the front page nor in a story."""
    low = read.importance is Importance.LOW
    known = [fact for fact in bites(facts) if fact.symptom is not Symptom.BROKEN]
    if read.noise is not None and not demands(facts):
        return "rest"
    if (known and not low) or (read.purpose is Purpose.FIX and not low) or (known and facts[0].who):
        return "fixed"
    speed = any(fact.kind is FactKind.SPEED for fact in facts)
    if additions(facts) or (speed and not low):
        return "added"
    if read.purpose in (Purpose.FEATURE, Purpose.PERFORMANCE) and not low:
        return "added"
    return "rest" if low and not demands(facts) else "changed"


def _bitten(standing: Sequence[ReadItem], about: Context) -> tuple[ReadItem, ...]:
    """Return what could have hit a user, by weight: nobody is hit by what builds and tests it.

    Where no text says what was seen, it has to be weighty.
    """
    told = []
    for read in standing:
        found = bites(about.facts_of(read))
        if not found or read.noise is not None:
            continue
        if found[0].symptom is not Symptom.BROKEN or read.importance is Importance.HIGH:
            told.append(read)
    return tuple(told)


def _new(
    standing: Sequence[ReadItem], about: Context, before: Iterable[str]
) -> tuple[ReadItem, ...]:
    """Return what can be used now: weighty changes that add support or a setting."""
    aside = set(before)
    told = [
        read
        for read in standing
        if read.noise is None and read.importance is not Importance.LOW
        if read.item.key not in aside and additions(about.facts_of(read))
    ]
    return tuple(sorted(told, key=lambda read: not _supports(about.facts_of(read))))


def _supports(facts: Sequence[Fact]) -> bool:
    return any(fact.kind is FactKind.SUPPORT for fact in additions(facts))


def _keys_of(reverts: Iterable[Revert]) -> set[str]:
    items: list[Item] = []
    for revert in reverts:
        items.append(revert.revert)
        if revert.original is not None:
            items.append(revert.original)
    return {item.key for item in items}


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


def _by_noise(rest: Iterable[ReadItem]) -> tuple[Group, ...]:
    groups: dict[str, list[ReadItem]] = {"": []}
    for noise in Noise:
        groups[noise.value] = []
    for read in rest:
        groups[read.noise.value if read.noise else ""].append(read)
    return tuple(Group(name, tuple(members)) for name, members in groups.items() if members)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something that is told where there is time for it, and how long that takes."""

    minutes: Callable[[Context], float]
    tells: str
    needs: str = ""


def _granted(
    reading: Reading,
    everything: Outline,
    about: Mapping[Language, Context],
    glossed: frozenset[str],
    *,
    in_thread: bool,
) -> frozenset[str]:
    """Return what there is time for, in the slower language."""
    bare = _with_told(everything, frozenset(), glossed)
    gaps = sum(minutes(gap.why) for gap in reading.gaps) + FRAME_MINUTES * len(reading.notices)
    left = {
        language: minutes_for(reading)
        + (0 if in_thread else MINUTES_FIRST)
        - FRAME_MINUTES
        - gaps
        - minutes(summary(reading, known.say))
        - _of_page(bare, known, in_thread=in_thread)
        for language, known in about.items()
    }
    told = {read.item.key for read in everything.front}
    for piece in _pieces(everything, about[Language.EN]):
        if piece.needs and piece.needs not in told:
            continue
        cost = {language: piece.minutes(known) for language, known in about.items()}
        if all(cost[language] <= left[language] for language in Language):
            left = {language: left[language] - cost[language] for language in Language}
            told.add(piece.tells)
    return frozenset(told)


def _pieces(everything: Outline, about: Context) -> Iterator[_Piece]:
    """Return what may be told, the worthiest first."""
    issues = everything.issues.told
    lists = (everything.fixed, everything.added, everything.changed)
    yield from (_issue(read) for read in issues[:PRESSING_ISSUES])
    yield from (_quotation(read) for read in everything.front[:LEAST_FRONT])
    yield from (_opening(read) for read in everything.releases)
    kept = {read.item.key for listed in lists for read in listed.told}
    reads = [read for read in about.reads.values() if read.item.key in kept]
    yield from (_line(read) for read in reads)
    yield from (_issue(read) for read in issues[PRESSING_ISSUES:])
    yield from (_gloss(read) for read in (*reads, *issues) if about.gloss(read))
    yield from (_quotation(read) for read in everything.front[LEAST_FRONT:])
    yield from (_few(group.reads) for group in everything.rest)
    if issues:
        yield _few(issues)
    yield from (_whole(read) for read in everything.front if about.gloss(read, whole=True)[1:])
    yield from (_quotation(read) for read in reads)


def _line(read: ReadItem) -> _Piece:
    def cost(about: Context) -> float:
        plain = entry_minutes(sections.line_entry(read, about.telling(())))
        return plain - entry_minutes(sections.gist_entry((read,), about))

    return _Piece(cost, read.item.key)


def _issue(read: ReadItem) -> _Piece:
    return _Piece(
        lambda about: entry_minutes(sections.issue_entry(read, about.telling(()))), read.item.key
    )


def _gloss(read: ReadItem) -> _Piece:
    key = read.item.key
    return _Piece(lambda about: minutes(" ".join(about.gloss(read))), f"gloss {key}", key)


def _whole(read: ReadItem) -> _Piece:
    """Return all further sentences that a model says of an item of the front page."""

    def cost(about: Context) -> float:
        return minutes(" ".join(about.gloss(read, whole=True)[1:]))

    return _Piece(cost, f"whole {read.item.key}")


def _opening(read: ReadItem) -> _Piece:
    def cost(about: Context) -> float:
        return sum(block_minutes(block) for block in sections.opening(read, about))

    return _Piece(cost, f"open {read.item.key}")


def _few(reads: Sequence[ReadItem]) -> _Piece:
    return _Piece(
        lambda about: entry_minutes(sections.gist_entry(reads, about, most=sections.REST_WORDS)),
        f"few {reads[0].item.key}",
    )


def _quotation(read: ReadItem) -> _Piece:
    key = read.item.key
    return _Piece(lambda about: minutes(sections.sentence(read)), f"quote {key}", key)


def _with_told(everything: Outline, granted: frozenset[str], glossed: frozenset[str]) -> Outline:
    always = {read.item.key for read in (*everything.front, *everything.releases)}
    keys = {read.item.key for listed in _lists(everything) for read in listed.told} | always
    few = (*(group.reads for group in everything.rest), everything.issues.told)
    return replace(
        everything,
        fixed=_split(everything.fixed, granted),
        added=_split(everything.added, granted),
        changed=_split(everything.changed, granted),
        issues=_split(everything.issues, granted),
        glossed=frozenset(key for key in glossed if key in always or f"gloss {key}" in granted),
        opened=frozenset(key for key in always if f"open {key}" in granted),
        whole=frozenset(key for key in always if f"whole {key}" in granted),
        named=frozenset(
            read.item.key
            for reads in few
            if reads and f"few {reads[0].item.key}" in granted
            for read in reads
        ),
        quoted=frozenset(key for key in keys if f"quote {key}" in granted),
    )


def _split(listed: Listed, told: frozenset[str]) -> Listed:
    return Listed(
        tuple(read for read in listed.told if read.item.key in told),
        tuple(read for read in listed.told if read.item.key not in told),
    )


def _of_page(told: Outline, about: Context, *, in_thread: bool) -> float:
    parts = sections.following(told, about)
    if in_thread:
        parts = [part for part in parts if part.anchor != "rest"]
    else:
        parts = [*sections.first(told, about), *parts]
    return sum(
        minutes(sections.plain_heading(part)) + sum(block_minutes(block) for block in part.blocks)
        for part in parts
    )
