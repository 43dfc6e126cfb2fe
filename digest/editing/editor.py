"""What a model does for a reading, and for one change; each step may be without.

::

    pick     one question: the front page and the stories, by ids of a closed list
    items    a form for each item that a page shows, several a question
    lead     one question: the paragraph, of what is known by then
    check    one question: the paragraph read a second time; what is not confirmed is not told
    dive     two questions: its facts, and remarks, each with the words it rests on; then a check

Whatever was answered in time is told. A question that was begun goes on and is kept when time is
over, so that who asks later gets what was paid for.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import structlog

from digest.edited import ModelOutcome, ModelUse, Remark
from digest.editing import picking, remarks
from digest.editing.calls import ModelCalls, ModelUser
from digest.editing.checks import names_of
from digest.editing.filling import filled, is_open
from digest.editing.questions import one_line, tokens
from digest.editing.shown import DEEP, FRONT, LINE, Shown, shown
from digest.facts import Fact, Story
from digest.grades import Importance
from digest.languages import Language
from digest.models import Change, Digest, Kind, Reading, ReadItem
from digest.ports import Edited
from digest.reading.known_facts import facts_by_item
from digest.writing.composition import compose
from digest.writing.outline import Outline

MOST_ITEMS = 24
"""Items of which a form is filled in: those that have a line of their own."""
ITEMS_A_QUESTION = 8
MOST_LINES = 36
"""Items that the question for the paragraph shows."""
CHECKED_TOKENS = 220
"""Tokens of what was shown of one item that a second reading sees beside its line."""
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


@dataclass
class _State:
    """What is known so far of one reading, and what was shown of its items."""

    reading: Reading
    shown: dict[str, Shown] = field(default_factory=dict)


class Editor(ModelUser):
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
        """Return a reading, whose items have their hunks, what a model adds to it."""
        state = _State(reading)
        written, use = await self.run(lambda calls: self._all(state, calls))
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
        return Edited(state.reading, written or (), use)

    async def edit_together(
        self, digests: Sequence[Digest], spent: float
    ) -> tuple[tuple[Remark, ...], ModelUse | None]:
        """Return the paragraph about several digests; `spent` seconds of its time are over."""
        lines: list[remarks.ItemLine] = []
        stories = [story for each in digests for story in each.reading.stories[:2]]
        for each in digests:
            known = facts_by_item(each.reading)
            reads = _worth(compose(each.reading))[:ITEMS_OF_A_REPOSITORY]
            lines += [remarks.line_of(r, known.get(r.item.key, ()), repo=True) for r in reads]
        if len({line.key.partition(":")[0] for line in lines}) < 2:
            return (), None
        written, use = await self.run(
            lambda calls: sentences("lead", lines[:MOST_LINES], calls, stories=stories),
            seconds=max(0.0, self.seconds - spent),
        )
        return written or (), use

    async def analyse(self, change: Change) -> Change:
        """Return a change, which has its hunks, the remarks that stand; raises nothing of a model.

        An issue or a release comes back as it was: its own words are told whole.
        """
        if change.read.item.kind not in (Kind.PULL_REQUEST, Kind.COMMIT):
            return change
        reviewed, use = await self.run(lambda calls: _reviewed(change, calls))
        return replace(reviewed or change, model=use)

    async def _all(self, state: _State, calls: ModelCalls) -> tuple[Remark, ...]:
        await self._pick(state, calls)
        outline = compose(state.reading)
        await self._fill(state, calls, outline)
        known = facts_by_item(state.reading)
        worth = _worth(compose(state.reading))[:MOST_LINES]
        lines = [remarks.line_of(read, known.get(read.item.key, ())) for read in worth]
        lines[:MOST_NARROWED] = [
            remarks.narrowed(line, state.shown.get(line.key)) for line in lines[:MOST_NARROWED]
        ]
        if len(lines) < 2:
            return ()
        stories = outline.stories[:MOST_STORIES]
        return await sentences("lead", lines, calls, stories=stories, seen=state.shown)

    async def _pick(self, state: _State, calls: ModelCalls) -> None:
        reads = picking.candidates(state.reading)
        if len(reads) <= 1:
            return
        data = picking.lines(reads, state.reading)
        answer = await calls.ask("pick", [read.item.key for read in reads], data)
        if answer is not None:
            pick = picking.picked(answer, reads)
            calls.count(len(pick.keys) + len(pick.groups), pick.dropped)
            reading = picking.with_picks(state.reading, pick.keys)
            state.reading = picking.with_stories(reading, pick.groups, calls.model.name)

    async def _fill(self, state: _State, calls: ModelCalls, outline: Outline) -> None:
        front = {read.item.key for read in outline.front}
        known = facts_by_item(state.reading)
        chosen: list[ReadItem] = []
        unknown = [r for r in state.reading.items if is_open(known.get(r.item.key, ()))]
        for read in _of_page(outline, unknown):
            if len(chosen) < MOST_ITEMS and read.reverted_by is None:
                seen = shown(read.item, FRONT if read.item.key in front else LINE)
                state.shown[read.item.key] = seen
                if seen.is_enough or is_open(known.get(read.item.key, ())):
                    chosen.append(read)
        parts = (
            chosen[at : at + ITEMS_A_QUESTION] for at in range(0, len(chosen), ITEMS_A_QUESTION)
        )
        await asyncio.gather(*(self._fill_in(state, calls, part) for part in parts))

    async def _fill_in(self, state: _State, calls: ModelCalls, reads: Sequence[ReadItem]) -> None:
        """Ask about some items in one question, and take in what of the answer stands."""
        known = facts_by_item(state.reading)
        forms = [
            _form(n, known.get(read.item.key, ()), state.shown[read.item.key])
            for n, read in enumerate(reads, 1)
        ]
        answer = await calls.ask("items", [read.item.key for read in reads], "\n\n".join(forms))
        left = {f"i{n}": read for n, read in enumerate(reads, 1)}
        for entry in answer["items"] if answer else ():
            if (read := left.pop(entry["id"], None)) is None:
                continue
            reading, key = state.reading, read.item.key
            form = filled(entry, read, state.shown[key], known.get(key, ()), calls.model.name)
            calls.count(form.accepted, form.dropped)
            state.reading = replace(
                reading,
                items=tuple(form.read if each.item.key == key else each for each in reading.items),
                facts=(*(fact for fact in reading.facts if fact.item != key), *form.facts),
            )


async def sentences(
    task: str,
    lines: Sequence[remarks.ItemLine],
    calls: ModelCalls,
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
    answer = await calls.ask(task, [each.key for each in lines], data)
    if answer is None:
        return ()
    given, dropped = remarks.paragraph(answer, lines, stories)
    calls.dropped += dropped
    if len(given) < least:
        calls.dropped += len(given)
        return ()
    line_of = {each.key: each.text for each in lines}
    sources = [
        tuple(f"{line_of[key]}{_more((seen or {}).get(key), remark)}" for key in remark.cites)
        for remark in given
    ]
    cited = list(dict.fromkeys(key for remark in given for key in remark.cites))
    return remarks.with_languages(await _confirmed(given, sources, cited, calls), least)


def _form(number: int, known: Sequence[Fact], seen: Shown) -> str:
    return "\n".join((f"i{number}", *_known(known), seen.prompt()))


def _known(facts: Sequence[Fact]) -> tuple[str, ...]:
    text = picking.facts_text(facts)
    return (f"known: {text}",) if text else ()


def _more(seen: Shown | None, remark: Remark) -> str:
    """Return of what was shown of an item as much as a second reading has room for.

    What holds names of the sentence comes first: it shows what became of them.
    """
    text, left = "", CHECKED_TOKENS
    names = [name.lower() for name in names_of(remark.text.get(Language.EN, ""))]
    parts = seen.parts() if seen else ()
    for part in sorted(parts, key=lambda part: not any(name in part.lower() for name in names)):
        for row in part.split("\n"):
            left -= tokens(row)
            if left < 0:
                return text
            text += f"\n{row}"
    return text


def _of_page(outline: Outline, unknown: Sequence[ReadItem]) -> list[ReadItem]:
    """Return the items that have a line of their own, the worthiest first.

    Before lines of lists come the fixes of which it is `unknown` what was seen, wherever they are.
    """
    reads = (
        *(*outline.front, *outline.bitten[:6], *outline.upgrading[:6]),
        *(*outline.releases[:MOST_RELEASES], *_issues(outline.issues.shown)[:MOST_ISSUES]),
        *(*unknown, *outline.fixed.shown, *outline.added.shown, *outline.changed.shown),
    )
    return _distinct(reads)


def _worth(outline: Outline) -> list[ReadItem]:
    """Return the items that a paragraph may be about, the worthiest first."""
    reads = (
        *(*outline.front, *outline.upgrading, *outline.bitten, *outline.new, *outline.releases),
        *(*_issues(outline.issues.items)[:4], *outline.fixed.shown, *outline.added.shown),
    )
    return _distinct(reads)


def _issues(reads: Sequence[ReadItem]) -> list[ReadItem]:
    return [read for read in reads if read.importance is not Importance.LOW]


def _distinct(reads: Sequence[ReadItem]) -> list[ReadItem]:
    return list({read.item.key: read for read in reads}.values())


async def _reviewed(change: Change, calls: ModelCalls) -> Change:
    item, key = change.read.item, change.read.item.key
    seen = shown(item, DEEP)
    if not seen.is_enough:
        return change
    # A change that is shown in part: its files tell what else it has.
    files = [
        f"{one_line(each.path)} +{each.additions} -{each.deletions}" for each in item.files or ()
    ]
    listed = "; ".join((*files[:MOST_FILES], *((f"{len(files)} in all",) if files else ())))
    data = "\n".join((f"files: {listed}", *_known(change.facts), seen.prompt()))
    forms, answer = await asyncio.gather(
        calls.ask("items", [key], _form(1, change.facts, seen)), calls.ask("dive", [key], data)
    )
    for entry in forms["items"][:1] if forms else ():
        form = filled(entry, change.read, seen, change.facts, calls.model.name)
        calls.count(form.accepted, form.dropped)
        change = replace(change, read=form.read, facts=form.facts)
    change = replace(change, reach=seen.reach)
    given, dropped = remarks.review(answer, seen) if answer else ((), 0)
    calls.dropped += dropped
    if not given:
        return change
    # What the model has filled in is no evidence for what it says.
    sources = [(data[:SOURCE_CHARACTERS],)] * len(given)
    return replace(change, remarks=await _confirmed(given, sources, [key], calls))


async def _confirmed(
    given: Sequence[Remark],
    sources: Sequence[remarks.Source],
    about: Sequence[str],
    calls: ModelCalls,
) -> tuple[Remark, ...]:
    """Have sentences read a second time; give those that it confirms."""
    checked = await calls.ask("check", about, remarks.to_check(given, sources))
    confirmed = remarks.confirmed(checked, given, sources) if checked else ()
    calls.count(len(confirmed), len(given) - len(confirmed))
    return confirmed
