"""Tokens that may be spent on a model, a day and a month, by all processes together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from digest.edited import Trouble
from digest.editing.failures import TimedOut, Unusable
from digest.editing.fence import tokens
from digest.errors import BudgetSpent, ModelFailed, StoreFailed
from digest.phrase import NOTHING, Phrase
from digest.ports import Clock, Model, ModelAnswer, Request
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    from digest.store.model_use import StoredSpending

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Caps:
    """Tokens that may be spent, input and output together; None is no limit, 0 is none."""

    a_day: int | None = None
    a_month: int | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens spent today and this month (UTC)."""

    today: int = 0
    month: int = 0


class Spending:
    """Implements `digest.ports.Model` around another one, as far as the caps allow.

    What a question may cost at most is noted before it is asked, so that no number of processes
    passes a cap; what it did cost replaces that after. Where that is not known, it stays: a server
    may have worked, and be paid, for one who died, was stopped or waited no longer. So too much is
    spent on paper, never too little.
    """

    def __init__(self, model: Model, ledger: "StoredSpending", *, caps: Caps, clock: Clock) -> None:
        self.caps = caps
        self.name = model.name
        self._model = model
        self._ledger = ledger
        self._clock = clock

    async def spent(self) -> Spent:
        """Give what was spent today and this month; raises `StoreFailed`."""
        return await self._ledger.spent(self._today())

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask if it may cost what it costs. Raises `ModelFailed` or `BudgetSpent`."""
        if sentence := nothing_allowed(self.caps):
            raise BudgetSpent(sentence)
        day, expected = self._today(), _input_tokens(request)
        most = request.most_output_tokens
        await self._reserve(day, expected, most)
        try:
            answer = await self._model.ask(request)
        except TimedOut:
            raise
        except ModelFailed as error:
            paid = (
                (error.input_tokens, error.output_tokens) if isinstance(error, Unusable) else (0, 0)
            )
            await self._settle(day, paid[0] - expected, paid[1] - most)
            raise
        await self._settle(day, answer.input_tokens - expected, answer.output_tokens - most)
        return answer

    async def _reserve(self, day: str, expected: int, most: int) -> None:
        try:
            allowed = await self._ledger.reserve(day, self.name, expected, most, self.caps)
        except StoreFailed as error:
            raise ModelFailed(
                SAY.chat.cost_not_noted,
                trouble=Trouble.UNCOUNTED,
            ) from error
        if not allowed:
            spent = await self._ledger.spent(day)
            raise BudgetSpent(_over(self.caps, spent, expected + most))

    async def _settle(self, day: str, input_tokens: int, output_tokens: int) -> None:
        try:
            await self._ledger.settle(day, self.name, input_tokens, output_tokens)
        except StoreFailed as error:
            log.warning("cost of a model's answer not noted", reason=str(error))

    def _today(self) -> str:
        return self._clock().date().isoformat()


def nothing_allowed(caps: Caps) -> Phrase:
    """Give one sentence where no token may be spent at all, else `NOTHING`."""
    if caps.a_day == 0:
        return SAY.chat.no_tokens("INFRA_MODEL_TOKENS_A_DAY")
    if caps.a_month == 0:
        return SAY.chat.no_tokens("INFRA_MODEL_TOKENS_A_MONTH")
    return NOTHING


def _over(caps: Caps, spent: Spent, needed: int) -> str:
    if caps.a_day is not None and spent.today + needed > caps.a_day:
        limit, used, name = caps.a_day, spent.today, "day (INFRA_MODEL_TOKENS_A_DAY)"
    else:
        limit, used, name = caps.a_month or 0, spent.month, "month (INFRA_MODEL_TOKENS_A_MONTH)"
    if needed > limit:
        return f"the {limit} tokens of the {name} are fewer than one question may cost, {needed}"
    return f"of the {limit} tokens of the {name} {used} are spent: too few are left for a question"


def _input_tokens(request: Request) -> int:
    return tokens(request.system) + tokens(request.user) + tokens(str(request.schema))
