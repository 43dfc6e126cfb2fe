"""What a model does for a reading, and for one change; each step may be without.

::

    pick     one question: the front page, by ids of a closed list
    stories  one question, at the same time: what belongs together, by such ids
    items    a form for each item that a page shows, several a question
    lead     one question: the paragraph, of what is known by then
    check    one question: the paragraph read a second time; what is not confirmed is not told
    dive     two questions: its facts, and remarks, each with the words it rests on; then a check

Whatever was answered in time is told. A question that was begun goes on and is kept when time is
over, so that who asks later gets what was paid for.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice, zip_longest

import structlog

from digest.edited import ModelOutcome, ModelUse, Remark
from digest.editing import picking, remarks
from digest.editing.calls import ModelCalls, ModelUser
from digest.editing.checks import names_of
from digest.editing.filling import Filled, filled, is_open
from digest.editing.questions import one_line
from digest.editing.shown import DEEP, FRONT, LINE, TITLED, Shown, evidence, shown
from digest.executor import in_executor
from digest.facts import Fact, Story
from digest.grades import Importance
from digest.languages import Language
from digest.models import Change, Digest, Item, Reading, ReadItem
from digest.reading.known_facts import facts_by_item
from digest.writing.composition import compose
from digest.writing.outline import Outline
from digest.writing.remarks import LEAST_SENTENCES

MOST_TITLES = 24
"""Further items with a line of their own, of which the title alone is translated."""
MOST_ITEMS = 32
"""Items of which a form is filled in: those that have a line of their own."""
ITEMS_A_QUESTION = 8
MOST_LINES = 36
"""Items that the question for the paragraph shows."""
CHECKED_TOKENS = 3_000
MOST_CHECKED, MOST_PROSE_CHECKED = 700, 150
"""Tokens of what was changed that a second reading sees beside all lines, and beside one of them;
of one, so many are its author's sentences."""
MOST_NARROWED = 10
"""Of these the first ones, of which it is to tell, are shown with what narrows them."""
ITEMS_OF_A_REPOSITORY = 6
MOST_RELEASES, MOST_ISSUES = 2, 6
MOST_STORIES = 5

MOST_FILES = 40
"""Files that a deep dive lists: of a change that it shows in part, these tell what else it has."""
SOURCE_CHARACTERS = 24_000
"""Characters of the change that a second reading sees, from its beginning."""

TRIED_AGAIN = timedelta(minutes=10)
"""After so long a server that failed, or a budget that was spent, is asked again."""
WORTH_TRYING = timedelta(days=1)
"""How long after a day what got no answer is asked again: nobody reads it later."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Edited:
    """A reading with what a model filled in and picked, and what it wrote about it."""

    reading: Reading
    remarks: tuple[Remark, ...]
    use: ModelUse | None


class Editor(ModelUser):
    """Edits readings, alone and together, and looks at one change whole; a model never fails it."""

    def owes(self, digest: Digest, now: datetime) -> bool:
        """Tell whether a stored digest lacks what a model could give it; `now` is UTC."""
        use = digest.model
        if use is None:
            return bool(picking.candidates(digest.reading))
        if use.found_no_time:
            return self.seconds > 0
        if use.outcome is ModelOutcome.COMPLETE or now - digest.generated_at < TRIED_AGAIN:
            return False
        return use.outcome is not ModelOutcome.PARTIAL or (
            now - digest.reading.window.end < WORTH_TRYING
        )

    async def edit(self, reading: Reading) -> Edited:
        """Return a reading, whose items have their hunks, with what a model adds to it."""
        if not (picking.candidates(reading) or _of_page(compose(reading, Language.EN))):
            return Edited(reading, (), None)  # nothing to ask about, so no answer is late
        day = _Day(reading)
        written, use = await self.run(day.edit)
        if use is not None:
            window = reading.window.label
            log.info("reading edited", repo=str(reading.repo), window=window, **asdict(use))
        return Edited(day.reading, written or (), use)

    async def edit_together(
        self, digests: Sequence[Digest]
    ) -> tuple[tuple[Remark, ...], ModelUse | None]:
        """Return the paragraph about several digests."""
        lines: dict[str, str] = {}
        for each in digests:
            lines |= _lines(each.reading, ITEMS_OF_A_REPOSITORY, repo=True)
        if len({key.partition(":")[0] for key in lines}) < 2:
            return (), None
        lines = dict(islice(lines.items(), MOST_LINES))
        stories = [story for each in digests for story in each.reading.stories[:2]]
        items = {read.item.key: read.item for each in digests for read in each.reading.items}
        written, use = await self.run(
            lambda calls: sentences("lead", lines, calls, stories=stories, items=items)
        )
        return written or (), use

    async def analyse(self, change: Change) -> Change:
        """Return a change, which has its hunks, the remarks that stand; raises nothing of a model.

        An issue or a release comes back as it was: its own words are told whole.
        """
        if not change.read.item.kind.is_change:
            return change
        seen = shown(change.read.item, DEEP)
        if not seen.is_enough:
            return change
        dive = _Dive(change, seen)
        _, use = await self.run(dive.review)
        return replace(dive.change, model=use)


@dataclass
class _Day:
    """What is known so far of one reading, and what was shown of its items."""

    reading: Reading
    shown: dict[str, Shown] = field(default_factory=dict)
    mended: tuple[str, ...] = ()

    async def edit(self, calls: ModelCalls) -> tuple[Remark, ...]:
        """Have it picked and filled in, taken in as it is answered; return the paragraph."""
        await self._pick(calls)
        outline = compose(self.reading, Language.EN)
        await self._fill(calls, outline)
        lines = _lines(self.reading, MOST_LINES)
        for key in list(lines)[:MOST_NARROWED]:
            lines[key] = remarks.narrowed(lines[key], self.shown.get(key))
        if len(lines) < 2:
            return ()
        stories = outline.stories[:MOST_STORIES]
        items = {read.item.key: read.item for read in self.reading.items}
        return await sentences("lead", lines, calls, stories=stories, items=items)

    async def _pick(self, calls: ModelCalls) -> None:
        reads = picking.candidates(self.reading)
        if len(reads) <= 1:
            return
        keys, before = [read.item.key for read in reads], self.reading

        async def front() -> None:
            answer = await calls.ask("pick", keys, picking.lines(reads, before))
            if answer is not None:
                found = picking.picked(answer, reads)
                count = sum(map(len, answer.values()))
                calls.count(len(found.keys) + len(found.mended), of=count)
                self.mended = found.mended
                picked = picking.with_picks(before, found.keys)
                self.reading = replace(picked, stories=self.reading.stories)

        async def stories() -> None:
            answer = await calls.ask("stories", keys, picking.story_lines(reads, before))
            if answer is not None:
                groups = picking.grouped(answer, reads, before)
                calls.count(len(groups), of=picking.meant(answer))
                grouped = picking.with_stories(before, groups, reads, calls.model.name)
                self.reading = replace(self.reading, stories=grouped.stories)

        await asyncio.gather(front(), stories())

    async def _fill(self, calls: ModelCalls, outline: Outline) -> None:
        front = {read.item.key for read in outline.front}
        known = facts_by_item(self.reading)
        reads = {read.item.key: read for read in self.reading.items}
        broken = (read for key, read in reads.items() if is_open(known.get(key, ())))
        unknown = [*(reads[key] for key in self.mended), *broken]
        chosen = _of_page(outline, unknown)[:MOST_ITEMS]
        for read in chosen:
            seen = shown(read.item, FRONT if read.item.key in front else LINE)
            if not (seen.is_enough or is_open(known.get(read.item.key, ()))):
                seen = replace(seen, pieces=())  # a scrap misleads: it is asked by its title
            self.shown[read.item.key] = seen
        others = (*outline.bitten, *outline.upgrading, *outline.issues.shown)
        left = _standing((*_of_page(outline), *others))
        titled = [read for read in left if read.item.key not in self.shown][:MOST_TITLES]
        self.shown |= {read.item.key: shown(read.item, TITLED) for read in titled}
        # A single one that is left would pay for the whole prompt: it joins those before it.
        starts = range(0, len(chosen) - (len(chosen) > 1), ITEMS_A_QUESTION)
        parts = [chosen[at:end] for at, end in zip_longest(starts, starts[1:])]
        parts += [titled] if titled else []
        await asyncio.gather(*(self._fill_in(calls, part, known) for part in parts))

    async def _fill_in(
        self, calls: ModelCalls, reads: Sequence[ReadItem], known: Mapping[str, Sequence[Fact]]
    ) -> None:
        for form in await _filled(calls, reads, known, self.shown):
            key = form.read.item.key
            self.reading = replace(
                self.reading,
                items=tuple(form.read if r.item.key == key else r for r in self.reading.items),
                facts=(*(fact for fact in self.reading.facts if fact.item != key), *form.facts),
            )


@dataclass
class _Dive:
    """One change looked at whole, with what is known of it so far."""

    change: Change
    seen: Shown

    async def review(self, calls: ModelCalls) -> None:
        """Have its form filled in, and remarks written, each taken in as it is answered."""
        item, key, seen = self.change.read.item, self.change.read.item.key, self.seen
        # A change that is shown in part: its files tell what else it has.
        files = [
            f"{one_line(each.path)} +{each.additions} -{each.deletions}"
            for each in item.files or ()
        ]
        listed = "; ".join((*files[:MOST_FILES], *((f"{len(files)} in all",) if files else ())))
        data = "\n".join((f"files: {listed}", *_known(self.change.facts), seen.prompt()))
        self.change = replace(self.change, reach=seen.reach)
        _, answer = await asyncio.gather(self._fill_in(calls, seen), calls.ask("dive", [key], data))
        given = remarks.review(answer, seen) if answer else ()
        # What the model has filled in is no evidence for what it says.
        sources = [(data[:SOURCE_CHARACTERS],)] * len(given)
        confirmed = await _confirmed(given, sources, [key], calls)
        calls.count(len(confirmed), of=len(answer["remarks"]) if answer else 0)
        self.change = replace(self.change, remarks=confirmed)

    async def _fill_in(self, calls: ModelCalls, seen: Shown) -> None:
        key, known = seen.item.key, self.change.facts
        for form in await _filled(calls, [self.change.read], {key: known}, {key: seen}):
            self.change = replace(self.change, read=form.read, facts=form.facts)


async def _filled(
    calls: ModelCalls,
    reads: Sequence[ReadItem],
    known: Mapping[str, Sequence[Fact]],
    seen: Mapping[str, Shown],
) -> list[Filled]:
    """Ask about some items in one question; return those of the answer with what of it stands."""
    keys = [read.item.key for read in reads]
    data = "\n\n".join(
        "\n".join((f"i{number}", *_known(known.get(key, ())), seen[key].prompt()))
        for number, key in enumerate(keys, 1)
    )
    answer = await calls.ask("items", keys, data)
    left = {f"i{number}": read for number, read in enumerate(reads, 1)}
    forms: list[Filled] = []
    for entry in answer["items"] if answer else ():
        if read := left.pop(entry["id"], None):
            key = read.item.key
            form = filled(entry, read, seen[key], known.get(key, ()), calls.model.name)
            calls.count(form.told, of=form.given)
            forms.append(form)
    return forms


async def sentences(
    task: str,
    lines: remarks.Lines,
    calls: ModelCalls,
    *,
    question: str = "",
    stories: Sequence[Story] = (),
    items: Mapping[str, Item] | None = None,
    least: int = LEAST_SENTENCES,
) -> tuple[Remark, ...]:
    """Ask for sentences about lines, and for them to be read a second time; none is unsure.

    `question` comes before the lines; `items` are theirs, by their keys, with what was changed.
    Fewer than `least` are not read again: no page tells them.
    """
    data = f"{question}{remarks.shown_lines(lines, stories)}"
    answer = await calls.ask(task, list(lines), data)
    if answer is None:
        return ()
    given = remarks.paragraph(answer, lines, stories)
    if len(given) < least:
        given = ()
    cites = [key for remark in given for key in remark.cites]
    room = min(MOST_CHECKED, CHECKED_TOKENS // max(1, len(cites)))
    sources = await in_executor(lambda: _sources(given, lines, items or {}, room))
    cited = list(dict.fromkeys(cites))
    confirmed = await _confirmed(given, sources, cited, calls)
    calls.count(len(confirmed), of=len(answer["sentences"]))
    return confirmed


def _known(facts: Sequence[Fact]) -> tuple[str, ...]:
    text = picking.facts_text(facts)
    return (f"known: {text}",) if text else ()


def _sources(
    given: Sequence[Remark], lines: remarks.Lines, items: Mapping[str, Item], room: int
) -> list[remarks.Source]:
    """Return what each sentence is read against, in at most so many tokens beside each line."""
    return [
        tuple(
            "\n".join((lines[key], *_evidence(items.get(key), remark, room)))
            for key in remark.cites
        )
        for remark in given
    ]


def _evidence(item: Item | None, remark: Remark, most: int) -> Iterable[str]:
    """Return what an item holds of what a sentence says, in at most so many tokens; or nothing."""
    if item is None:
        return ()
    language = next(iter(remark.text))
    names = tuple(names_of(remark.text[language], language))
    prose = min(MOST_PROSE_CHECKED, most // 3)
    found = evidence(item, names, prose, most - prose)
    return (found,) if found else ()


def _of_page(outline: Outline, unknown: Sequence[ReadItem] = ()) -> list[ReadItem]:
    """Return the items that a page tells most of and that still hold, the worthiest first.

    Before lines of lists come the fixes of which it is `unknown` what was seen, wherever they are.
    """
    issues = [read for read in outline.issues.shown if read.importance is not Importance.LOW]
    reads = (
        *(*outline.front, *outline.bitten[:6], *outline.upgrading[:6], *outline.new),
        *(*outline.releases[:MOST_RELEASES], *issues[:MOST_ISSUES], *unknown),
        *(*outline.fixed.shown, *outline.added.shown, *outline.changed.shown),
    )
    return _standing(reads)


def _standing(reads: Iterable[ReadItem]) -> list[ReadItem]:
    """Return items once each that nothing has taken back."""
    return list({read.item.key: read for read in reads if read.reverted_by is None}.values())


def _lines(reading: Reading, most: int, *, repo: bool = False) -> dict[str, str]:
    """Return the lines of the items that a paragraph may be about, by their keys."""
    known = facts_by_item(reading)
    return {
        read.item.key: remarks.line_of(read, known.get(read.item.key, ()), repo=repo)
        for read in _of_page(compose(reading, Language.EN))[:most]
    }


async def _confirmed(
    given: Sequence[Remark],
    sources: Sequence[remarks.Source],
    about: Sequence[str],
    calls: ModelCalls,
) -> tuple[Remark, ...]:
    """Have sentences read a second time, if there are any; give those that it confirms."""
    if not given:
        return ()
    checked = await calls.ask("check", about, remarks.to_check(given, sources))
    return remarks.confirmed(checked, given, sources) if checked else ()
