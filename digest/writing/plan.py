"""What a digest page tells, in which order: decided once, the same in every language.

Everything is told: an item has its title on the page, or stands by its linked reference inside a
stated count. What stands by its title is what can be read in two minutes in either language (in
more, where more than `CHANGES_A_PAGE` changes matter), taken in the order of its worth; `full`
gives everything.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from digest.claims import Claim
from digest.grades import Importance, Noise
from digest.languages import Language
from digest.models import Item, Kind, Reading, ReadItem, Revert, State, UpgradeNote
from digest.writing import entries, note_phrases, sections
from digest.writing.document import Block, Bullets, Entry, Paragraph, Quote, Runs, Table
from digest.writing.glosses import Glosses, glosses
from digest.writing.outline import Further, Group, Plan, changes, of_kind
from digest.writing.phrasing import prose
from digest.writing.rules import summary
from digest.writing.sections import Context, context
from digest.writing.upgrading import breaks, foremost, pressing, upkept
from digest.writing.wording.languages import CATALOGUES

__all__ = ["Group", "Plan", "changes", "minutes", "of_kind", "plan", "pressing"]

# Brysbaert 2019 (https://doi.org/10.1016/j.jml.2019.104047): 238 English words a minute. For
# Chinese about 260 characters a minute, https://iovs.arvojournals.org/article.aspx?articleid=2166061
WORDS_A_MINUTE = 238
CHARACTERS_A_MINUTE = 260
MINUTES_A_PAGE = 2.0
CHANGES_A_PAGE = 30
"""High and medium changes that two minutes are meant for; a longer window or a busier day gets
more in proportion, as a list of bare numbers tells nothing."""
MOST_MINUTES = 6.0
FRAME_MINUTES = 0.1
"""What title and small print take in the slower language."""
PRESSING_ISSUES = 2
"""Issues before medium changes: a bug that users meet must not stand behind thirty titles."""
FIRST_ISSUES = 3

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_IN_ORDER = {State.PUBLISHED: 0, State.PRERELEASE: 1}


def minutes(text: str) -> float:
    """Say how long a text takes to read."""
    words = len(_WORD.findall(text)) / WORDS_A_MINUTE
    return words + len(_HAN.findall(text)) / CHARACTERS_A_MINUTE


def minutes_for(reading: Reading) -> float:
    """Say how long the page of a reading may take to read."""
    weighty = reading.counts.high + reading.counts.medium
    return min(MOST_MINUTES, MINUTES_A_PAGE * max(1.0, weighty / CHANGES_A_PAGE))


def plan(reading: Reading, claims: Iterable[Claim] = (), *, full: bool = False) -> Plan:
    """Decide what the page of a reading tells; `claims` are a model's proven sentences about it.

    A gloss takes no title's place: it is told where there is time for it beside the titles.
    """
    known_glosses = glosses(claims)
    everything = _everything(reading, known_glosses)
    if full:
        return replace(everything, full=True)
    about = {
        language: replace(context(reading, CATALOGUES[language], language), glosses=known_glosses)
        for language in Language
    }
    bare = _bare(reading, everything)
    gaps = sum(minutes(gap.why) for gap in reading.gaps) + FRAME_MINUTES * len(reading.notices)
    left = {
        language: minutes_for(reading)
        - FRAME_MINUTES
        - gaps
        - minutes(summary(reading, known.say))
        - _of_page(bare, known)
        for language, known in about.items()
    }
    told: set[str] = set()
    rows: set[UpgradeNote] = set()
    for piece in _pieces(reading, everything, known_glosses):
        if not told.issuperset(piece.needs):
            continue
        cost = {language: piece.minutes(known) for language, known in about.items()}
        if all(cost[language] <= left[language] for language in Language):
            left = {language: left[language] - cost[language] for language in Language}
            told.update(piece.tells)
            rows.update(piece.rows)
    return _granted(reading, everything, told, rows)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Something that is told where there is time for it: what for, and how long it takes."""

    minutes: Callable[[Context], float]
    tells: tuple[str, ...] = ()
    rows: tuple[UpgradeNote, ...] = ()
    needs: tuple[str, ...] = ()


def _pieces(reading: Reading, everything: Plan, known: Glosses) -> Iterator[_Piece]:
    """Give what may be told, the worthiest first."""
    medium = {read.item.key for group in everything.themes for read in group.told}
    low = [read for group in everything.rest for read in group.told if not group.name]
    noisy = [read for group in everything.rest for read in group.told if group.name]
    issues = everything.issues.told
    themes: set[str] = set()
    yield from (_issue(read) for read in issues[:PRESSING_ISSUES])
    for read in changes(reading):
        if read.item.key in medium:
            yield _titled(read, heads=read.theme not in themes)
            themes.add(read.theme)
    yield from (_issue(read) for read in issues[PRESSING_ISSUES:FIRST_ISSUES])
    yield from (_sentence(group) for group in everything.themes if group.name in everything.glossed)
    rows = _sorted_out(reading, everything).more
    yield from (_row(note, first=note is rows[0]) for note in rows)
    yield from (_second(read) for read in everything.high if _goes_on(read, known))
    told = (*issues[:PRESSING_ISSUES], *changes(reading), *issues[PRESSING_ISSUES:FIRST_ISSUES])
    beside = (read for read in told if read not in everything.high)
    yield from (_gloss(read) for read in beside if read.item.key in everything.glossed)
    yield from (_opening(read) for read in everything.releases)
    yield from (_issue(read) for read in issues[FIRST_ISSUES:])
    yield from (_titled(read) for read in (*low, *noisy))


def _goes_on(read: ReadItem, known: Glosses) -> bool:
    """Tell whether there is more to tell of a high item than a first sentence."""
    claims = known.items.get(read.item.key, ())
    return len(claims) > 1 if claims else bool(entries.further(read))


def _titled(read: ReadItem, *, heads: bool = False) -> _Piece:
    def cost(about: Context) -> float:
        theme = minutes(about.say.theme(read.theme)) if heads else 0
        return theme + _of_runs(sections.line(read, about.telling(()), spare=True))

    return _Piece(cost, (read.item.key,))


def _issue(read: ReadItem) -> _Piece:
    return _Piece(lambda about: _of_runs(sections.issue(read, about.telling(()))), (read.item.key,))


def _gloss(read: ReadItem) -> _Piece:
    return _Piece(
        lambda about: minutes(" ".join(about.gloss(read))),
        (_glossed(read.item.key),),
        needs=(read.item.key,),
    )


def _sentence(group: Group) -> _Piece:
    def cost(about: Context) -> float:
        return minutes(" ".join(about.theme_sentence(group.name)))

    keys = tuple(read.item.key for read in group.told)
    return _Piece(cost, (_glossed(group.name),), needs=keys)


def _row(note: UpgradeNote, *, first: bool) -> _Piece:
    def cost(about: Context) -> float:
        said = note_phrases.note_name(note, about.say)
        return minutes(" ".join((said, *about.say.headings.note_columns * first)))

    return _Piece(cost, rows=(note,))


def _second(read: ReadItem) -> _Piece:
    def cost(about: Context) -> float:
        if gloss := about.gloss(read, whole=True):
            return minutes(" ".join(gloss[1:]))
        return minutes(entries.further(read))

    return _Piece(cost, (_whole(read),))


def _opening(read: ReadItem) -> _Piece:
    return _Piece(
        lambda about: sum(block_minutes(block) for block in sections.opening(read, about)),
        (_opened(read),),
    )


def _whole(read: ReadItem) -> str:
    return f"whole {read.item.key}"


def _glossed(name: str) -> str:
    return f"glossed {name}"


def _opened(read: ReadItem) -> str:
    return f"opened {read.item.key}"


def _everything(reading: Reading, known: Glosses) -> Plan:
    landed = changes(reading)
    high = tuple(read for read in landed if read.importance is Importance.HIGH)
    paired = _keys_of(reading.reverts) - {read.item.key for read in high}
    medium = [read for read in landed if read.importance is Importance.MEDIUM]
    low = [read for read in landed if read.importance is Importance.LOW]
    taken = _under_high(reading.reverts, high)
    first = foremost(reading)
    said = {note for group in first for note in group}
    releases = of_kind(reading, Kind.RELEASE)
    return Plan(
        pressing=first,
        further=Further(rows=tuple(note for note in reading.upgrade_notes if note not in said)),
        reverts=reading.reverts,
        taken=taken,
        high=high,
        themes=_by_theme([read for read in medium if read.item.key not in paired]),
        issues=Group("", of_kind(reading, Kind.ISSUE), ()),
        releases=tuple(sorted(releases, key=lambda read: _IN_ORDER.get(read.item.state, 2))),
        rest=_by_noise([read for read in low if read.item.key not in paired]),
        medium_reverted=tuple(read for read in medium if read.item.key in paired),
        low_reverted=tuple(read for read in low if read.item.key in paired),
        whole=frozenset(read.item.key for read in high),
        opened=frozenset(read.item.key for read in releases),
        glossed=frozenset((*known.items, *known.themes)),
    )


def _bare(reading: Reading, everything: Plan) -> Plan:
    return _granted(reading, everything, set(), set())


def _granted(reading: Reading, everything: Plan, told: set[str], rows: set[UpgradeNote]) -> Plan:
    """Give the plan in which only `told` and `rows` stand for themselves."""
    further = _sorted_out(reading, everything)
    always = {read.item.key for read in (*everything.high, *everything.releases)}
    return replace(
        everything,
        further=replace(
            further,
            rows=tuple(note for note in further.more if note in rows),
            more=tuple(note for note in further.more if note not in rows),
        ),
        themes=tuple(_split(group, told) for group in everything.themes),
        issues=_split(everything.issues, told),
        rest=tuple(_split(group, told) for group in everything.rest),
        whole=frozenset(r.item.key for r in everything.high if _whole(r) in told),
        opened=frozenset(r.item.key for r in everything.releases if _opened(r) in told),
        glossed=frozenset(
            name for name in everything.glossed if name in always or _glossed(name) in told
        ),
    )


def _sorted_out(reading: Reading, everything: Plan) -> Further:
    """Sort the notes beside the pressing ones; those that ask for a row are given as `more`."""
    notes = everything.further.rows
    upkeep = upkept(reading, notes)
    kept = set(upkeep)
    others = [note for note in notes if note not in kept]
    return Further(
        more=tuple(note for note in others if breaks(note) or note.change != "added"),
        added=tuple(note for note in others if note.change == "added"),
        upkeep=upkeep,
    )


def _keys_of(reverts: Iterable[Revert]) -> set[str]:
    items: list[Item] = []
    for revert in reverts:
        items.append(revert.revert)
        if revert.original is not None:
            items.append(revert.original)
    return {item.key for item in items}


def _under_high(reverts: Iterable[Revert], high: Iterable[ReadItem]) -> dict[str, Revert]:
    """Give the reverts that a high item tells, of what was taken back rather than of itself."""
    by_key = {read.item.key: read for read in high}
    taken: dict[str, Revert] = {}
    for pair in reverts:
        original = by_key.get(pair.original.key) if pair.original is not None else None
        if original is not None and original.reverted_by == pair.revert.key:
            taken[original.item.key] = pair
        elif pair.revert.key in by_key:
            taken[pair.revert.key] = pair
    return taken


def _split(group: Group, told: set[str]) -> Group:
    return Group(
        group.name,
        tuple(read for read in group.told if read.item.key in told),
        tuple(read for read in group.told if read.item.key not in told),
    )


def _by_theme(medium: list[ReadItem]) -> tuple[Group, ...]:
    themes: dict[str, list[ReadItem]] = {}
    for read in medium:
        themes.setdefault(read.theme, []).append(read)
    return tuple(Group(name, tuple(members), ()) for name, members in themes.items())


def _by_noise(low: list[ReadItem]) -> tuple[Group, ...]:
    groups: dict[str, list[ReadItem]] = {"": []}
    for noise in Noise:
        groups[noise.value] = []
    for read in low:
        groups[read.noise.value if read.noise else ""].append(read)
    return tuple(Group(name, tuple(members), ()) for name, members in groups.items() if members)


def _of_page(told: Plan, about: Context) -> float:
    parts = sections.sections(told, about)
    return sum(
        _of_runs(part.heading) + sum(block_minutes(block) for block in part.blocks)
        for part in parts
    )


def block_minutes(block: Block) -> float:
    """Say how long a block takes to read."""
    match block:
        case Paragraph():
            return _of_runs(block.runs)
        case Bullets():
            return sum(_of_entry(entry) for entry in block.entries)
        case Table():
            cells = (cell for row in block.rows for cell in row)
            return minutes(" ".join(block.header)) + sum(_of_runs(cell) for cell in cells)
        case Quote():
            return _of_runs(block.speaker) + minutes(block.text)
    return 0.0


def _of_entry(entry: Entry) -> float:
    return _of_runs(entry.runs) + sum(_of_entry(under) for under in entry.under)


def _of_runs(runs: Runs) -> float:
    return minutes(prose(runs))
