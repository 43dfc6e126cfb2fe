"""Gives a digest a model's words: one question for each item, and only what was proven stays.

::

    items    = choice.items(reading)                     which are worth a question
    answer   = model.ask(for_gloss(item).request)        one item a question, some at once
    verdicts = judged(drafts(answer), evidence)          against its own item alone
    again    : what failed or could not be read          once, as far as `MOST_CALLS` reaches
    read     : what was proven, a second time            where a reader is set: it may only drop
    themes   = choice.themes(reading, …)                 from what was proven
    digest   = outcome.glossed(digest, …)                each thing said once, the rest counted

An item that fails leaves the others alone. What is asked, kept and dropped is logged by key.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import structlog

from digest.asking import choice, second_reading
from digest.asking.cutting import judged, judged_theme
from digest.asking.kept import NotKept
from digest.asking.opening import for_gloss
from digest.asking.outcome import Asked, AskedTheme, Line, glossed, merged
from digest.asking.prompt import repair_request, theme_request
from digest.asking.reply import BadReply, drafts, theme_drafts
from digest.asking.seeing import GLOSS
from digest.claims import Claim
from digest.errors import BudgetSpent, CouldNotLook, ModelFailed
from digest.evidence import Evidence
from digest.grounding.repair import complaint
from digest.grounding.verdict import Verdict
from digest.models import Digest, Theme
from digest.ports import Model, ModelAnswer, Request

AT_ONCE = 4
"""Questions of one digest in work at a time."""

MOST_FAILURES = 4
"""Questions in a row without an answer, after which a digest asks no more of them."""

Told = TypeVar("Told")

log = structlog.get_logger()


class Glosses:
    """Asks a model for the words of digests, and believes what is proven."""

    def __init__(
        self, model: Model, *, at_once: int = AT_ONCE, reader: Model | None = None
    ) -> None:
        self._model = model
        self._at_once = at_once
        self._reader = reader

    @property
    def model(self) -> str:
        """Give the name of the model."""
        return self._model.name

    @property
    def most_items(self) -> int:
        """Give how many items a digest asks about at most."""
        return choice.MOST_READ if self._reader else choice.MOST_ITEMS

    @property
    def verifier(self) -> str:
        """Give by what its sentences are proven."""
        return second_reading.verifier(self._reader)

    async def gloss(self, digest: Digest) -> Digest:
        """Give a digest its glosses and the sentences of its themes; raises nothing.

        Its items are to have their hunks. A digest of which nothing is proven is as it was, and
        says why.
        """
        asking = _Asking(self._model, self._at_once, self._reader)
        worth = [asked for read in choice.items(digest.reading) if _shows(asked := for_gloss(read))]
        items = await _all(asking.first(asked) for asked in worth[: self.most_items])
        items = await asking.again(items)
        items = await _all(asking.read(each) for each in items)
        proven = {each.key: each for each in items if each.claims}
        themes = choice.themes(digest.reading, proven)
        told = await _all(asking.theme(theme, proven) for theme in themes)
        result = glossed(digest, self._model.name, items, told, asking.line, verifier=self.verifier)
        if (use := result.model) is not None:
            log.info(
                "digest glossed",
                repo=str(digest.reading.repo),
                window=digest.reading.window.label,
                outcome=use.outcome.value,
                asked=use.asked,
                unanswered=use.unanswered,
                claims=use.claims,
                dropped=use.dropped,
            )
        return result


class _Asking:
    """The questions of one digest."""

    def __init__(self, model: Model, at_once: int, reader: Model | None) -> None:
        self._model = model
        self._turns = asyncio.Semaphore(at_once)
        self._reader = reader
        self.line = Line()

    async def first(self, asked: Asked) -> Asked:
        """Ask about an item."""
        return await self._ask(asked)

    async def again(self, items: Sequence[Asked]) -> list[Asked]:
        """Ask a second time, the worthiest items first, as far as questions are left."""
        times = 2 if self._reader else 1
        left = choice.MOST_CALLS - times * (choice.MOST_THEMES + len(items))
        wanting = [each for each in items if each.unread or complaint(each.verdicts)]
        chosen = {each.key for each in wanting[:left]}

        async def second(each: Asked) -> Asked:
            if each.key not in chosen:
                return each
            return await (self._smaller(each) if each.unread else self._mended(each))

        return await _all(second(each) for each in items)

    async def theme(self, theme: Theme, items: Mapping[str, Asked]) -> AskedTheme:
        """Ask for the sentence of a theme, from its items and what was proven of them."""
        members = [items[key] for key in theme.keys]
        evidences = [each.evidence for each in members]
        claims = [claim for each in members for claim in each.claims]
        request = theme_request(theme, evidences, claims)
        request = replace(request, only_kept=any(each.outdated for each in members))
        try:
            answer = await self._answer(theme.name, request)
            if answer is None:
                return AskedTheme(theme.name)
            found = theme_drafts(answer.text, request.about.split())
        except NotKept:
            return AskedTheme(theme.name, answered=True)
        except BadReply as error:
            self._unread(theme.name, error)
            return AskedTheme(theme.name)
        verdicts = tuple(judged_theme(draft, theme.name, evidences) for draft in found[:1])
        _log(theme.name, request, verdicts)
        stated = await self._stated(theme.name, verdicts, evidences, claims)
        if stated is None:
            return AskedTheme(theme.name)
        return AskedTheme(theme.name, stated, answered=True)

    async def read(self, asked: Asked) -> Asked:
        """Have what was proven of an item read a second time; unread, it is as if not answered."""
        stated = await self._stated(asked.key, asked.verdicts, [asked.evidence])
        if stated is None:
            return replace(asked, verdicts=(), answered=False)
        return replace(asked, verdicts=stated)

    async def _stated(
        self,
        about: str,
        verdicts: tuple[Verdict, ...],
        shown: Sequence[Evidence],
        beside: Sequence[Claim] = (),
    ) -> tuple[Verdict, ...] | None:
        """Give what a second reading leaves of verdicts, all of it without one, or None unread."""
        request = second_reading.question(verdicts, shown, beside)
        if self._reader is None or request is None:
            return verdicts
        try:
            answer = await self._answer(about, request, self._reader)
            left = second_reading.after(verdicts, shown, answer.text) if answer else None
        except BadReply as error:
            self._unread(about, error)
            return None
        if left is not None:
            _log(about, request, left)
        return left

    async def _ask(self, asked: Asked) -> Asked:
        try:
            answer = await self._answer(asked.key, asked.request)
            if answer is None:
                return asked
            found = drafts(answer.text, asked.key)
        except BadReply as error:
            self._unread(asked.key, error)
            return replace(asked, unread=True)
        verdicts = judged(found, asked.evidence)
        _log(asked.key, asked.request, verdicts)
        return replace(
            asked,
            text=answer.text,
            verdicts=verdicts,
            answered=True,
            outdated=answer.outdated,
        )

    async def _smaller(self, asked: Asked) -> Asked:
        """Ask anew with half of what was shown: an answer may be cut for its question's length."""
        smaller = for_gloss(asked.read, GLOSS.halved())
        if smaller.request == asked.request:
            return asked
        return await self._ask(smaller)

    async def _mended(self, asked: Asked) -> Asked:
        """Ask for what failed to be said otherwise; what stood stays whatever comes of it."""
        words = complaint(asked.verdicts)
        request = repair_request(asked.request, asked.text, words)
        request = replace(request, only_kept=asked.outdated)
        try:
            answer = await self._answer(asked.key, request)
            if answer is None:
                return asked
            mended = drafts(answer.text, asked.key)
        except NotKept:
            return asked
        except BadReply as error:
            self._unread(asked.key, error)
            return asked
        verdicts = merged(asked, mended)
        _log(asked.key, request, verdicts)
        return replace(asked, verdicts=verdicts)

    async def _answer(
        self, about: str, request: Request, model: Model | None = None
    ) -> ModelAnswer | None:
        """Give the answer, or None where there is none; the reason is logged.

        Raises `BadReply` where the server works, and less of a question may do; `NotKept`.
        """
        clock = asyncio.get_running_loop().time
        async with self._turns:
            if self.line.failures >= MOST_FAILURES:
                return None
            began = clock()
            try:
                answer = await (model or self._model).ask(request)
            except BadReply:
                self.line.failures = 0
                raise
            except NotKept:
                raise
            except CouldNotLook as error:
                if isinstance(error, BudgetSpent):
                    self.line.spent = True
                else:
                    self.line.failures += 1
                self._note(error)
                log.warning("no answer", about=about, task=request.task, reason=str(error))
                return None
        self.line.failures = 0
        log.info(
            "model answered",
            about=about,
            task=request.task,
            kept=answer.kept,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            seconds=round(clock() - began, 3),
        )
        return answer

    def _unread(self, about: str, error: BadReply) -> None:
        self._note(error)
        log.warning("answer not read", about=about, reason=str(error))

    def _note(self, error: CouldNotLook) -> None:
        self.line.why = self.line.why or str(error)
        if isinstance(error, ModelFailed):
            self.line.trouble = self.line.trouble or error.trouble


def _shows(asked: Asked) -> bool:
    """Tell whether a question shows more of its item than title and paths."""
    return bool(asked.evidence.body or asked.evidence.hunks)


async def _all(work: Iterable[Coroutine[None, None, Told]]) -> list[Told]:
    """Await all at once, in order; with the one who waits, all are cancelled."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in work]
    return [task.result() for task in tasks]


def _log(about: str, request: Request, verdicts: Sequence[Verdict]) -> None:
    failed = Counter(failure.check for each in verdicts for failure in each.failures)
    log.info(
        "answer judged",
        about=about,
        task=request.task,
        proven=sum(each.claim is not None for each in verdicts),
        dropped=sum(each.claim is None for each in verdicts),
        repairable=sum(each.repairable for each in verdicts),
        failed=dict(failed),
    )
