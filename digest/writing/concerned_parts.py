"""What of a page concerns a codebase, with both sides: its first lines, and the others later."""

import re
from collections.abc import Sequence
from dataclasses import replace

from digest.concern.concerned import Concerned
from digest.concern.definitions import Parameter, Way
from digest.concern.matching import Ground, Match
from digest.concern.ripple import Hop, Ripple
from digest.concern.surface import CodePlace, Use, UseKind
from digest.languages import Language
from digest.models import Item
from digest.wording.pages import ConcernedWords
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Run,
    Runs,
    Section,
    Strong,
    Words,
)
from digest.writing.phrasing import fill
from digest.writing.sections import heading

_BY_NAMES = frozenset({Ground.LOST_ARGUMENT, Ground.NEW_ARGUMENT})
_TOLD_WHOLE = _BY_NAMES | {
    Ground.GONE, Ground.MOVED, Ground.BODY, Ground.NEW, Ground.GIVEN, Ground.REACHED, Ground.MODULE,
}  # fmt: skip


def match_runs(match: Match, item: Item, language: Language) -> Runs:
    """Return one match as a line: what was done, how it was and is, and where you use it."""
    match = _nearer(match)
    one = match.altered
    name, names = one.name or one.path, match.names
    if match.ground in _BY_NAMES and names == (one.name.rpartition(".")[2],):
        name = one.owner  # a field is an argument of its class
    if match.ground is Ground.NEW_ARGUMENT and one.new is not None:
        taken = one.new.named()
        names = tuple(_given(taken[each]) if each in taken else each for each in names)
    runs: list[Run] = [
        *fill(
            CATALOGUES[language].grounds[match.ground],
            name=Code(name),
            path=Code(one.path),
            after=Code(one.after),
            names=Code(", ".join(names)),
            call=Code(one.call.name if one.call else ""),
        )
    ]
    before, after = differing(*_sides(match))
    if before and after:
        runs += [Words(": "), Code(before), Words(" → "), Code(after)]
    place = place_of(one.path, one.line, item, gone=match.ground is Ground.GONE)
    runs += [Words(" ("), place, Words(") · "), *you_runs(match.use, language)]
    if match.use.place.path:
        runs += [Words(" ("), Code(str(match.use.place)), Words(")")]
    return tuple(runs)


_BY_WAY = {
    Way.GONE: Ground.GONE, Way.RETURNS: Ground.RETURNS, Way.BASES: Ground.BASES,
    Way.VALUE: Ground.DEFAULT, Way.SORT: Ground.SORT, Way.BODY: Ground.BODY,
}  # fmt: skip


def _nearer(match: Match) -> Match:
    """Return a match of a member with what was done to that member."""
    one = match.altered
    if match.ground is not Ground.MEMBER:
        return match
    if one.old is None or one.new is None or one.way not in (Way.SIGNATURE, Way.ABSTRACT):
        return replace(match, ground=_BY_WAY.get(one.way, Ground.MEMBER))
    before, after = one.old.named(), one.new.named()
    if gained := tuple(name for name in after if name not in before):
        return replace(match, ground=Ground.NEW_ARGUMENT, names=gained)
    if lost := tuple(name for name in before if name not in after):
        return replace(match, ground=Ground.LOST_ARGUMENT, names=lost)
    return replace(match, ground=Ground.KIND)


_TOKEN = re.compile(r"\d[\w.]*|\w+|\s+|.", re.DOTALL)


def differing(before: str, after: str) -> tuple[str, str]:
    """Return of two texts what differs, to whole words, with `…` for what is the same around it.

    Where a side has nothing of its own, the word before it stands for its place; two empty texts
    are given for what does not differ, or is known of one side alone.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if old == new or not old or not new:
        return "", ""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    most -= start
    end = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    if start + end == min(len(old), len(new)):
        start = next((at for at in reversed(range(start)) if old[at].isidentifier()), 0)
    sides = ("".join(side[start : len(side) - end]).strip() for side in (old, new))
    before, after = (f"{'…' if start else ''}{side}{'…' if end else ''}" for side in sides)
    return before, after


def _sides(match: Match) -> tuple[str, str]:
    """Return what of both sides is to be seen beside the words: no more than differs."""
    one = match.altered
    if match.ground in _TOLD_WHOLE:
        return "", ""
    if one.old is not None and one.new is not None:
        if match.ground is Ground.RETURNS:
            return one.old.returns, one.new.returns
        if match.ground is Ground.ORDER:
            return ", ".join(one.old.positional()), ", ".join(one.new.positional())
        if match.ground is Ground.DEFAULT and match.names:
            sides = (one.old.named(), one.new.named())
            before, after = (
                ", ".join(_given(side[name]) for name in match.names if name in side)
                for side in sides
            )
            return before, after
    return one.before, one.after


def _given(parameter: Parameter) -> str:
    if parameter.default is None:
        return parameter.name
    return f"{parameter.name}={parameter.default}"


def you_runs(use: Use, language: Language) -> Runs:
    """Return how the codebase uses a thing, with its name."""
    is_written = use.kind in (UseKind.FLAG, UseKind.VARIABLE, UseKind.PIN)
    parts = use.name.split(".")
    # `__init__` alone says nothing.
    short = use.name if is_written else ".".join(parts[-2 if parts[-1].startswith("__") else -1 :])
    return fill(CATALOGUES[language].uses[use.kind], name=Code(short))


def place_of(path: str, line: int, item: Item, *, gone: bool = False) -> Link:
    """Return the line of a file, which leads to it as the change left it, or as it found it."""
    base, found, _ = item.url.rpartition("/commit/")
    sha = item.parents[0] if gone and item.parents else (item.commits or ("",))[-1]
    place = CodePlace(path, line)
    if not found or not sha:
        return Link(str(place), "")
    return Link(str(place), f"{base}/blob/{sha}/{path}" + (f"#L{line}" if line else ""))


def change_link(item: Item) -> Link:
    """Return the pull request of a commit where it is known, else the commit."""
    base, found, _ = item.url.rpartition("/commit/")
    if item.pull_request is None:
        return Link(item.ref, item.url)
    url = item.url if not found or base.endswith("/-") else f"{base}/pull/{item.pull_request}"
    return Link(f"#{item.pull_request}", url)


MOST_CONCERNED = 5
"""Lines before everything else."""
MOST_RIPPLES = 3
ANCHOR = "concerns-you"
LATER = "concerns-you-too"


def concerned_first(
    found: Sequence[Concerned],
    language: Language,
    most: int | None,
    ripples: Sequence[Ripple] = (),
) -> Section:
    """Return what is read first, at most so many lines; where there is none, that is said.

    Ripples come after the lines, at most `MOST_RIPPLES`.
    """
    words = CATALOGUES[language].concerned
    rippling = tuple(ripple_entry(one, language) for one in ripples[:MOST_RIPPLES])
    if not found:
        nothing = Bullets(rippling) if rippling else Paragraph((Words(words.nothing),))
        return Section((Words(words.heading),), ANCHOR, (nothing,))
    lines = [concerned_entry(one, language) for one in found[:most]]
    if left := len(found) - len(lines):
        lines.append(Entry((Link(words.below.format(count=left), f"#{LATER}"),)))
    return Section(heading(words.heading, len(found)), ANCHOR, (Bullets((*lines, *rippling)),))


def concerned_later(
    found: Sequence[Concerned], language: Language, most: int | None
) -> list[Section]:
    """Return the lines after the first; nothing where all are told there."""
    rest = found[len(found[:most]) :]
    if not rest:
        return []
    title = heading(CATALOGUES[language].concerned.too, len(rest))
    lines = Bullets(tuple(concerned_entry(one, language) for one in rest))
    return [Section(title, LATER, (lines,))]


def concerned_marks(found: Sequence[Concerned]) -> frozenset[str]:
    """Return by what a page knows what tells of it: keys and addresses."""
    return frozenset({mark for one in found for mark in (one.item.key, one.item.url)} - {""})


def concerned_entry(one: Concerned, language: Language) -> Entry:
    """Return a line: the change, whether it breaks, what of it is meant, and how you use that."""
    words = CATALOGUES[language].concerned
    item = one.item
    named = () if item.title == item.ref else (Foreign(item.title), Words(" "))
    runs: list[Run] = [*named, Link(item.ref, item.url), Words(entries.DOT)]
    if one.breaks:
        runs += [Strong((Words(words.breaks),)), Words(entries.DOT)]
    name = one.name or one.path
    if name and name != one.word and not (one.use and one.use.name == name):
        runs += [Code(name), Words(entries.DOT)]
    if one.use is None:
        runs += fill(words.said, word=Code(one.word))
    elif one.use.kind is UseKind.PIN:
        runs += fill(words.pinned, name=Code(one.use.name), value=Code(one.use.value))
    else:
        runs += you_runs(one.use, language)
    if one.use is not None and one.use.place.path:
        runs += [Words(" ("), Code(str(one.use.place)), Words(")")]
    return Entry(tuple(runs), about=(one.item.key,))


def ripple_entry(one: Ripple, language: Language) -> Entry:
    """Return a line: what was released, who took it when, since which release, what you pin."""
    words = CATALOGUES[language].concerned
    steps = [_hop(hop, at == 0, words) for at, hop in enumerate(one.hops)]
    for pin in one.pins[:MOST_RIPPLES]:
        place = pin.use.place if pin.use else None
        where = (Words(" ("), Code(str(place)), Words(")")) if place and place.path else ()
        steps.append((*fill(words.before, name=Code(pin.name), value=Code(pin.value)), *where))
    runs = [run for step in steps for run in (Words(" → "), *step)][1:]
    return Entry(tuple(runs), about=tuple(hop.item.key for hop in one.hops))


def _hop(hop: Hop, is_first: bool, words: ConcernedWords) -> Runs:
    released = words.released if is_first else words.since if hop.sure else words.then
    what: Runs = (Foreign(f"{hop.of.name} {hop.version}"), Words(" ")) if hop.of else ()
    done = fill(
        words.taken if hop.of else released,
        repo=Foreign(hop.item.repo.name),
        ref=Link(hop.item.ref, hop.item.url),
        day=Words(f"{hop.item.at:%Y-%m-%d}"),
    )
    return (*what, *done) if is_first else done
