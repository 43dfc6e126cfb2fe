"""How well questions in plain words become the program's own query.

    python benchmarks/questions.py [--write docs/quality.md]

`questions.json` holds questions as a team asks them, half of them Chinese, each with the query that
it should become, written before any was answered, and a model's answer to the program's real prompt
(`answered`). Where `INFRA_MODEL` is set, that model is asked instead. The rules were extended with
these and `seen` in sight; `fresh` were written after that, and are for counting alone.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.terminal.files import write_section
from adapters.wiring.assembly import read_settings
from adapters.wiring.model import opened_model
from digest.editing.calls import ModelCalls
from digest.editing.plain_words import read_by_model
from digest.models import KNOWN
from digest.ports import Model, ModelAnswer, Request
from digest.query.query import Query
from digest.query.reading import looked_for, read_question

QUESTIONS = Path(__file__).parent / "questions.json"

PAGE = """# How questions in plain words are read

{count} questions as a team asks them, {chinese} of them Chinese, each with the query that it should
become, written down before any was answered; three got the kind *models* when that was added, one
of them a fresh one. Today is {day}. Made by this command, which asks the model that is set, if one
is:

    python benchmarks/questions.py --write docs/quality.md

| read as it should be | rules alone | {who} | rules, {seen} more | rules, {fresh} fresh ones |
|---|---:|---:|---:|---:|
{rows}

The rules' lists of words were extended with the first {count} and the {seen} more in sight, so that
their figures say little; the fresh ones were written after that, and of these `for february`
and `new models` taught rules since. Rules of before read {before} of them wholly right.

{remark}
"""
BY_HAND = """No model was at hand: the answers are given by hand to the program's real prompt,
quickly and by who wrote the questions, so they say how the program takes such answers, not how
good a model is."""


BEFORE = 7
"""Of the fresh questions, those that were read right before the rules were extended."""


class Recorded:
    """Implements `digest.ports.Model` with the answers that are kept beside the questions."""

    name = "recorded"

    def __init__(self, asked: Sequence[Mapping[str, Any]]) -> None:
        self._answers = {each["asked"]: each["answered"] for each in asked}

    async def ask(self, request: Request) -> ModelAnswer:
        """Answer the question that stands in the prompt."""
        asked = request.user.partition("question: ")[2].partition("\n")[0]
        return ModelAnswer(json.dumps(self._answers[asked]), 0, 0)


async def _read(
    asked: Sequence[Mapping[str, Any]], model: Model, now: datetime
) -> list[tuple[Mapping[str, Any], Query, Query]]:
    """Read each question by rules and by the model."""
    pairs = []
    for each in asked:
        ruled = _ruled(each, now)
        pairs.append((each, ruled, await read_by_model(ruled, KNOWN, ModelCalls(model), now)))
    return pairs


def _ruled(asked: Mapping[str, Any], now: datetime) -> Query:
    known = tuple(KNOWN.values())
    text = asked["asked"]
    return read_question(text, named=KNOWN, otherwise=known, now=now, tz="UTC", any_time=True)


async def measure() -> str:
    """Give the section of the page."""
    kept = json.loads(await asyncio.to_thread(QUESTIONS.read_text, "utf-8"))
    asked, now = kept["questions"], datetime.fromisoformat(kept["now"])
    settings = read_settings()
    async with AsyncExitStack() as stack:
        model: Model = Recorded(asked)
        if settings.model:
            opened = opened_model(settings, None, lambda: now)
            model = (await stack.enter_async_context(opened)).model
        pairs = await _read(asked, model, now)
    rows = []
    for name, fits in {**FIELDS, "all four": _all}.items():
        right = [(sum(fits(each, read[at]) for each, *read in pairs), len(pairs)) for at in (0, 1)]
        for others in (kept["seen"], kept["fresh"]):
            right.append((sum(fits(each, _ruled(each, now)) for each in others), len(others)))
        rows.append(f"| {name} | {' | '.join(f'{part} of {of}' for part, of in right)} |")
    return PAGE.format(
        count=len(pairs),
        chinese=sum(not each["asked"].isascii() for each in asked),
        day=f"{now:%Y-%m-%d}",
        who=settings.model or "with a model, answered by hand",
        rows="\n".join(rows),
        seen=len(kept["seen"]),
        fresh=len(kept["fresh"]),
        before=BEFORE,
        remark="" if settings.model else BY_HAND,
    )


def _repos(wanted: Mapping[str, Any], read: Query) -> bool:
    named = {KNOWN[each] for each in wanted["repos"]} or set(KNOWN.values())
    return set(read.repos) == named


def _days(wanted: Mapping[str, Any], read: Query) -> bool:
    first, last = wanted["first"], wanted["last"]
    if not first:
        return not read.names_time
    label = first if first == last else f"{first}..{last}"
    return read.window.label.partition(" ")[0] == label


def _kinds(wanted: Mapping[str, Any], read: Query) -> bool:
    return {each.value for each in read.kinds} == set(wanted["kinds"])


def _names(wanted: Mapping[str, Any], read: Query) -> bool:
    """Tell whether each name is looked for in one of its spellings, and no other one."""
    groups = [{looked_for(each) for each in some} for some in wanted["names"]]
    spelled = [{word, *read.also.get(word, ())} for word in read.words]
    return all(any(group & each for each in spelled) for group in groups) and all(
        any(group & each for group in groups) for each in spelled
    )


FIELDS: Mapping[str, Callable[[Mapping[str, Any], Query], bool]] = {
    "repositories": _repos,
    "days": _days,
    "kinds of facts": _kinds,
    "names": _names,
}


def _all(wanted: Mapping[str, Any], read: Query) -> bool:
    return all(fits(wanted, read) for fits in FIELDS.values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    text = asyncio.run(measure())
    if chosen.write:
        write_section(chosen.write, text)
    print(text)
