"""What a model does for a reading, and for one change; each step may be without.

::

    pick     one question: the front page, by ids of a closed list
    items    a form for each item that a page shows, several a question
    lead     one question: the paragraph, of what is known by then
    check    one question: the paragraph read a second time; what is not confirmed is not told
    dive     two questions: its facts, and remarks, each with the words it rests on; then a check

Whatever was answered in time is told. A question that was begun goes on and is kept when time is
over, so that who asks later gets what was paid for.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import structlog

from digest.edited import ModelOutcome, ModelUse, Remark
from digest.editing import picking, remarks
from digest.editing.fence import one_line, tokens
from digest.editing.filling import filled
from digest.editing.line import Desk, Line
from digest.editing.shown import DEEP, FRONT, LINE, Shown, shown
from digest.facts import Fact, Story
from digest.grades import Importance
from digest.models import Change, Digest, Kind, Reading, ReadItem
from digest.ports import Edited
from digest.reading.known_facts import facts_by_item
from digest.writing.composition import compose
from digest.writing.outline import Outline

MOST_ITEMS = 24
"""Items of which a form is filled in: those that have a line of their own."""
ITEMS_A_QUESTION = 6
MOST_LINES = 36
"""Items that the question for the paragraph shows."""
CHECKED_TOKENS = 220
"""Tokens of what was shown of one item that a second reading sees beside its line."""
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


@dataclass
class _State:
    """What is known so far of one reading."""

    reading: Reading
    shown: dict[str, Shown]
    remarks: tuple[Remark, ...] = ()


class Editor(Desk):
    """Implements `digest.ports.Editing` and `digest.ports.Analyst`."""

    def owes(self, digest: Digest, now: datetime) -> bool:
        """Tell whether a stored digest lacks what a model could give it; `now` is UTC."""
        use = digest.model
        if use is None:
            return bool(picking.candidates(digest.reading))
        if use.outcome is ModelOutcome.COMPLETE or now - digest.generated_at < TRIED_AGAIN:
            return False
        return use.outcome is not ModelOutcome.PARTIAL or (
            now - digest.reading.window.end < WORTH_TRYING
        )

    async def edit(self, reading: Reading) -> Edited:
        """Give a reading, whose items have their hunks, what a model adds to it."""
        state = _State(reading, {})
        use = await self.asked(lambda line: self._all(state, line))
        if use is not None:
            log.info(
                "reading edited",
                repo=str(reading.repo),
                window=reading.window.label,
                outcome=use.outcome.value,
                asked=use.asked,
                unanswered=use.unanswered,
                told=use.told,
                dropped=use.dropped,
            )
        return Edited(state.reading, state.remarks, use)

    async def edit_together(
        self, digests: Sequence[Digest], spent: float
    ) -> tuple[tuple[Remark, ...], ModelUse | None]:
        """Give the paragraph about several digests; `spent` seconds of its time are over."""
        lines: list[remarks.Line] = []
        stories = [story for each in digests for story in each.reading.stories[:2]]
        for each in digests:
            known = facts_by_item(each.reading)
            reads = _worth(compose(each.reading))[:ITEMS_OF_A_REPOSITORY]
            lines += [remarks.line_of(r, known.get(r.item.key, ()), repo=True) for r in reads]
        if len({line.key.partition(":")[0] for line in lines}) < 2:
            return (), None
        told: list[Remark] = []

        async def write(line: Line) -> None:
            told.extend(await sentences("lead", lines[:MOST_LINES], line, stories=stories))

        use = await self.asked(write, seconds=max(0.0, self.seconds - spent))
        return tuple(told), use

    async def analyse(self, change: Change) -> Change:
        """Give a change, which has its hunks, the remarks that stand; raises nothing of a model.

        An issue or a release comes back as it was: its own words are told whole.
        """
        if change.read.item.kind not in (Kind.PULL_REQUEST, Kind.COMMIT):
            return change
        told = [change]

        async def review(line: Line) -> None:
            told[0] = await _reviewed(change, line)

        use = await self.asked(review)
        return replace(told[0], model=use)

    async def _all(self, state: _State, line: Line) -> None:
        await self._pick(state, line)
        outline = compose(state.reading)
        await self._fill(state, line, outline)
        known = facts_by_item(state.reading)
        reads = {read.item.key: read for read in state.reading.items}
        worth = [reads[read.item.key] for read in _worth(compose(state.reading))]
        lines = [remarks.line_of(r, known.get(r.item.key, ())) for r in worth[:MOST_LINES]]
        if len(lines) > 1:
            stories = outline.stories[:MOST_STORIES]
            state.remarks = await sentences("lead", lines, line, stories=stories, seen=state.shown)

    async def _pick(self, state: _State, line: Line) -> None:
        reads = picking.candidates(state.reading)
        if len(reads) <= 1:
            return
        data = picking.lines(reads, state.reading)
        answer = await line.ask("pick", [read.item.key for read in reads], data)
        if answer is not None:
            picks = picking.picked(answer, reads)
            line.told += len(picks)
            line.dropped += max(0, len(answer["ids"][: picking.MOST_PICKED]) - len(picks))
            state.reading = picking.with_picks(state.reading, picks)

    async def _fill(self, state: _State, line: Line, outline: Outline) -> None:
        front = {read.item.key for read in outline.front}
        asked: list[ReadItem] = []
        for read in _of_page(outline):
            if len(asked) < MOST_ITEMS and read.reverted_by is None:
                seen = shown(read.item, FRONT if read.item.key in front else LINE)
                state.shown[read.item.key] = seen
                if seen.says_enough:
                    asked.append(read)
        parts = [asked[at : at + ITEMS_A_QUESTION] for at in range(0, len(asked), ITEMS_A_QUESTION)]

        async def fill(reads: Sequence[ReadItem]) -> None:
            known = facts_by_item(state.reading)
            ids = {f"i{number}": read for number, read in enumerate(reads, 1)}
            data = "\n\n".join(
                _form(name, read, known.get(read.item.key, ()), state.shown[read.item.key])
                for name, read in ids.items()
            )
            answer = await line.ask("items", [read.item.key for read in reads], data)
            for entry in answer["items"] if answer else ():
                read = ids.pop(entry["id"], None)
                if read is not None:
                    self._put_in(state, line, read, entry)

        await asyncio.gather(*(fill(part) for part in parts))

    def _put_in(self, state: _State, line: Line, read: ReadItem, entry: Mapping[str, Any]) -> None:
        """Take in what a form says of one item."""
        reading, key = state.reading, read.item.key
        known = [fact for fact in reading.facts if fact.item == key]
        told, facts = _taken_in(entry, read, state.shown[key], known, line)
        others = tuple(fact for fact in reading.facts if fact.item != key)
        items = tuple(told if each.item.key == key else each for each in reading.items)
        state.reading = replace(reading, items=items, facts=(*others, *facts))


def _taken_in(
    entry: Mapping[str, Any], read: ReadItem, seen: Shown, known: Sequence[Fact], line: Line
) -> tuple[ReadItem, tuple[Fact, ...]]:
    """Give an item and its facts with what of a form stands."""
    result = filled(entry, read, seen, known, line.model.name)
    line.told += result.told
    line.dropped += result.dropped
    return result.read, result.facts


async def sentences(
    task: str,
    lines: Sequence[remarks.Line],
    line: Line,
    *,
    question: str = "",
    stories: Sequence[Story] = (),
    seen: Mapping[str, Shown] | None = None,
    least: int = remarks.LEAST_SENTENCES,
) -> tuple[Remark, ...]:
    """Ask for sentences about lines, and for them to be read a second time; none is unsure.

    `question` comes before the lines; `seen` is what else was shown of items by their keys. Of
    fewer than `least` in a language none is told.
    """
    data = f"{question}{remarks.shown_lines(lines, stories)}"
    answer = await line.ask(task, [each.key for each in lines], data)
    if answer is None:
        return ()
    told, fell = remarks.paragraph(answer, lines, stories)
    line.dropped += fell
    if len(told) < least:
        line.dropped += len(told)
        return ()
    by_key = {each.key: each.text for each in lines}
    sources = [
        "\n".join(f"{by_key[key]}{_more((seen or {}).get(key))}" for key in remark.cites)
        for remark in told
    ]
    cited = list(dict.fromkeys(key for remark in told for key in remark.cites))
    kept = await _confirmed(told, sources, cited, line)
    return remarks.with_languages(kept, least)


def _form(name: str, read: ReadItem, known: Sequence[Fact], seen: Shown) -> str:
    said = picking.said_of(known)
    return "\n".join((name, *((f"known: {said}",) if said else ()), seen.prompt()))


def _more(seen: Shown | None) -> str:
    """Give of what was shown of an item as much as a second reading has room for."""
    if seen is None:
        return ""
    told, left = [], CHECKED_TOKENS
    for text in seen.prompt().split("\n")[1:]:
        left -= tokens(text)
        if left < 0:
            break
        told.append(text)
    return "".join(f"\n{text}" for text in told)


def _of_page(outline: Outline) -> Iterator[ReadItem]:
    """Give the items that have a line of their own, the worthiest first."""
    seen: set[str] = set()
    lists = (outline.fixed, outline.added, outline.changed)
    issues = [read for read in outline.issues.told if read.importance is not Importance.LOW]
    for reads in (
        outline.front,
        outline.bitten[:6],
        outline.upgrading[:6],
        outline.releases[:MOST_RELEASES],
        issues[:MOST_ISSUES],
        *(listed.told for listed in lists),
    ):
        for read in reads:
            if read.item.key not in seen:
                seen.add(read.item.key)
                yield read


def _worth(outline: Outline) -> list[ReadItem]:
    """Give the items that a paragraph may be about, the worthiest first."""
    issues = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    told = (
        *(*outline.front, *outline.upgrading, *outline.bitten, *outline.new, *outline.releases),
        *issues[:4],
        *(*outline.fixed.told, *outline.added.told),
    )
    return list({read.item.key: read for read in told}.values())


def _whole(change: Change, seen: Shown) -> str:
    """Give a change with all of its files and what is known of it, so that what lacks is seen."""
    files = [
        f"{one_line(each.path)} +{each.additions} -{each.deletions}"
        for each in change.read.item.files or ()
    ]
    listed = "; ".join((*files[:MOST_FILES], *((f"{len(files)} in all",) if files else ())))
    known = picking.said_of(change.facts)
    return "\n".join((f"files: {listed}", *((f"known: {known}",) if known else ()), seen.prompt()))


async def _reviewed(change: Change, line: Line) -> Change:
    key = change.read.item.key
    seen = shown(change.read.item, DEEP)
    if not seen.says_enough:
        return change
    data, form = _whole(change, seen), _form("i1", change.read, change.facts, seen)
    forms, answer = await asyncio.gather(
        line.ask("items", [key], form), line.ask("dive", [key], data)
    )
    if answer is None and line.is_unread:
        seen = shown(change.read.item, DEEP.halved())
        data = _whole(change, seen)
        answer = await line.ask("dive", [key], data)
    for entry in forms["items"][:1] if forms else ():
        read, facts = _taken_in(entry, change.read, seen, change.facts, line)
        change = replace(change, read=read, facts=facts)
    change = replace(change, reach=seen.reach)
    told, fell = remarks.review(answer, seen) if answer else ((), 0)
    line.dropped += fell
    if not told:
        return change
    # What the model has filled in is no evidence for what it says.
    sources = [data[:SOURCE_CHARACTERS]] * len(told)
    return replace(change, remarks=await _confirmed(told, sources, [key], line))


async def _confirmed(
    told: Sequence[Remark], sources: Sequence[str], about: Sequence[str], line: Line
) -> tuple[Remark, ...]:
    """Have sentences read a second time; give those that it confirms."""
    checked = await line.ask("check", about, remarks.to_check(told, sources))
    kept = remarks.confirmed(checked, told, sources) if checked else ()
    line.told += len(kept)
    line.dropped += len(told) - len(kept)
    return kept
