"""What keeps a model from being paid too much: each question is asked once, within caps."""

import asyncio
import json
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog

from digest.edited import Trouble
from digest.editing.questions import Unusable, holds_json, tokens
from digest.editing.server import TEMPERATURE, CallFailed
from digest.errors import BadAnswer, BudgetSpent, ModelFailed, StoreFailed
from digest.leases import NamedLeases, held
from digest.model_answers import Caps, Spent, StoredAnswer
from digest.phrase import NOTHING, Phrase
from digest.ports import Clock, Model, ModelAnswer, Request
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    from digest.store.model_use import StoredModelAnswers, StoredSpending

KEY_VERSION = 1
"""Changes when something that a model sees is no longer part of the key as it was."""

LOOKED_EVERY = 0.5
"""Seconds between two looks for an answer of another process; a question takes some seconds."""

UNREADABLE_LASTS = timedelta(days=1)
"""How long an answer without JSON in it stands for its question: servers get mended."""

log = structlog.get_logger()


def key_of(request: Request, endpoint: str, model: str) -> str:
    """Return the key of a question: a hash of all that decides its answer.

    The endpoint is part of it, because a model's name (`default`) means another model elsewhere.
    """
    seen = (
        KEY_VERSION,
        *(endpoint, model, TEMPERATURE),
        *(request.task, request.version, request.system, request.user),
        *(request.schema, request.most_output_tokens),
    )
    return sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


@dataclass(eq=False)
class CachedModel:
    """Implements `digest.ports.Model` around another one; closed with `await close()`.

    The same question at once by several is asked once, also by several processes that share a
    database: who holds it asks, and the others wait for its answer. A question goes on, and
    is kept, when the one who asked stops waiting: it is paid for.
    """

    model: Model
    answers: "StoredModelAnswers"
    _: KW_ONLY
    endpoint: str
    clock: Clock
    leases: NamedLeases

    def __post_init__(self) -> None:
        self.name = self.model.name
        self._owner = uuid4().hex
        self._running: dict[str, asyncio.Task[ModelAnswer]] = {}
        self._waiting: Counter[str] = Counter()

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask, or give what was answered before. Raises `ModelFailed` or `BudgetSpent`.

        An answer that could not be used was paid for as well: for a day it is raised anew.
        """
        key = key_of(request, self.endpoint, self.name)
        task = self._running.get(key)
        if task is None or task.done():
            task = self._running[key] = asyncio.create_task(self._recall_or_call(key, request))
            task.add_done_callback(lambda done: self._forget(key, done))
        self._waiting[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting -= Counter([key])

    async def close(self) -> None:
        """Stop asking."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _recall(self, key: str) -> ModelAnswer | None:
        try:
            stored = await self.answers.recall(key)
        except (StoreFailed, BadAnswer) as error:
            log.warning("kept answer not read", reason=str(error))
            return None
        if stored is None:
            return None
        is_old = self.clock() - stored.asked_at >= UNREADABLE_LASTS
        if is_old and not holds_json(stored.text):
            return None
        if stored.unusable:
            raise Unusable(stored.unusable)
        return ModelAnswer(stored.text, 0, 0, kept=True)

    async def _recall_or_call(self, key: str, request: Request) -> ModelAnswer:
        """Return what was answered, here or by another process that holds the question, else ask.

        Who is gone holds it no longer than a lease lasts without heartbeats. Where leases cannot be
        kept, it is one's turn at once. A question that another one got no answer to is not asked
        again where nobody waits for it any more.
        """
        while True:
            if answer := await self._recall(key):
                return answer
            try:
                async with held(self.leases, f"model {key}", self._owner, self.clock) as mine:
                    if mine:  # it may have been answered between the last look and the lease
                        answer = await self._recall(key)
                        answer = answer or await self._call_and_store(key, request)
            except StoreFailed as error:
                log.warning("question not held", reason=str(error))
                if isinstance(error.__context__, Unusable):
                    raise error.__context__ from error  # it was paid for
                answer = answer or await self._call_and_store(key, request)
            if answer is not None:
                return answer
            await asyncio.sleep(LOOKED_EVERY)
            if not self._waiting[key]:
                raise ModelFailed("nobody waits for it any more")

    def _forget(self, key: str, task: asyncio.Task[ModelAnswer]) -> None:
        if self._running.get(key) is task:
            del self._running[key]
        if not task.cancelled():
            task.exception()  # nobody may be waiting for it any more

    async def _call_and_store(self, key: str, request: Request) -> ModelAnswer:
        unusable: Unusable | None = None
        try:
            answer = await self.model.ask(request)
        except Unusable as error:
            unusable, answer = error, ModelAnswer("", error.input_tokens, error.output_tokens)
        cost = answer.input_tokens, answer.output_tokens
        why = str(unusable or "")
        stored = StoredAnswer(request, self.name, answer.text, *cost, self.clock(), why)
        try:
            await self.answers.keep(key, stored)
        except StoreFailed as error:
            log.warning("answer not kept", about=request.about, reason=str(error))
        if unusable:
            raise unusable
        return answer


@dataclass(eq=False)
class Spending:
    """Implements `digest.ports.Model` around another one, as far as the caps allow.

    What a question may cost at most is noted before it is asked, so that no number of processes
    passes a cap; what it did cost replaces that after. Where that is not known, it stays: a server
    may have worked, and be paid, for one who died, was stopped or waited no longer. So too much is
    spent on paper, never too little.
    """

    model: Model
    ledger: "StoredSpending"
    _: KW_ONLY
    caps: Caps
    clock: Clock

    def __post_init__(self) -> None:
        self.name = self.model.name

    async def spent(self) -> Spent:
        """Return what was spent today and this month; raises `StoreFailed`."""
        return await self.ledger.spent(self._today())

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask if it may cost what it costs. Raises `ModelFailed` or `BudgetSpent`."""
        if sentence := nothing_allowed(self.caps):
            raise BudgetSpent(sentence)
        day, most = self._today(), request.most_output_tokens
        expected = sum(map(tokens, (request.system, request.user, str(request.schema))))
        await self._reserve(day, expected, most)
        try:
            answer = await self.model.ask(request)
        except Unusable as error:
            await self._settle(day, error.input_tokens - expected, error.output_tokens - most)
            raise
        except CallFailed as error:
            if not error.may_cost:
                await self._settle(day, -expected, -most)
            raise
        except ModelFailed:  # nothing was sent
            await self._settle(day, -expected, -most, calls=-1)
            raise
        await self._settle(day, answer.input_tokens - expected, answer.output_tokens - most)
        return answer

    async def _reserve(self, day: str, expected: int, most: int) -> None:
        try:
            refusal = await self.ledger.reserve(day, self.name, expected, most, self.caps)
        except StoreFailed as error:
            raise ModelFailed(SAY.chat.cost_not_noted, trouble=Trouble.UNCOUNTED) from error
        if refusal:
            raise BudgetSpent(refusal)

    async def _settle(
        self, day: str, input_tokens: int, output_tokens: int, *, calls: int = 0
    ) -> None:
        try:
            await self.ledger.settle(day, self.name, input_tokens, output_tokens, calls)
        except StoreFailed as error:
            log.warning("cost of a model's answer not noted", reason=str(error))

    def _today(self) -> str:
        return self.clock().date().isoformat()


def nothing_allowed(caps: Caps) -> Phrase:
    """Return one sentence where no token may be spent at all, else `NOTHING`."""
    if caps.a_day == 0:
        return SAY.chat.no_tokens("INFRA_MODEL_TOKENS_A_DAY")
    if caps.a_month == 0:
        return SAY.chat.no_tokens("INFRA_MODEL_TOKENS_A_MONTH")
    return NOTHING
