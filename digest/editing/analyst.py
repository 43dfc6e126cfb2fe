"""The deep dive into one change: a model's remarks, each with the words that it rests on."""

import asyncio
from dataclasses import replace

from digest.editing import remarks
from digest.editing.line import Line, Pause, in_time
from digest.editing.shown import DEEP, shown
from digest.models import Change, Kind
from digest.ports import Model

SOURCE_CHARACTERS = 24_000
"""Characters of the change that a second reading sees, from its beginning."""


class ModelAnalyst:
    """Implements `digest.ports.Analyst`: waited for `seconds` at most.

    `checker` reads the remarks a second time, by default the model itself.
    """

    def __init__(
        self,
        model: Model,
        *,
        seconds: float,
        checker: Model | None = None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._model = model
        self._checker = checker
        self._seconds = seconds
        self._pause = pause

    async def analyse(self, change: Change) -> Change:
        """Give a change, which has its hunks, the remarks that stand; raises nothing of a model.

        An issue or a release comes back as it was: its own words are told whole.
        """
        if change.read.item.kind not in (Kind.PULL_REQUEST, Kind.COMMIT):
            return change
        told = [change]
        line = Line(self._model, self._checker)

        async def work() -> None:
            told[0] = await _reviewed(change, line)

        late = await in_time(work(), self._seconds, self._pause)
        return replace(told[0], model=line.use(late=late))


async def _reviewed(change: Change, line: Line) -> Change:
    key = change.read.item.key
    seen = shown(change.read.item, DEEP)
    if not seen.says_enough:
        return change
    answer = await line.ask("dive", [key], seen.prompt())
    if answer is None and line.is_unread:
        seen = shown(change.read.item, DEEP.halved())
        answer = await line.ask("dive", [key], seen.prompt())
    if answer is None:
        return change
    told, fell = remarks.review(answer, seen)
    line.dropped += fell
    change = replace(change, reach=seen.reach)
    if not told:
        return change
    sources = [seen.prompt()[:SOURCE_CHARACTERS]] * len(told)
    checked = await line.ask("check", [key], remarks.to_check(told, sources))
    kept = remarks.confirmed(checked, told, sources) if checked else ()
    line.told += len(kept)
    line.dropped += len(told) - len(kept)
    return replace(change, remarks=kept)
