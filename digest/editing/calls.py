"""A model as one digest or change meets it: its questions counted, its failures told once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeAlias, TypeVar

import structlog

from digest.edited import ModelOutcome, ModelUse, Trouble
from digest.editing.questions import read, request
from digest.errors import BudgetSpent, CouldNotLook, ModelFailed
from digest.ports import Model

LONGEST_WHY = 200
"""Characters of the reason that is kept; a server may answer with a page."""

Result = TypeVar("Result")
Pause: TypeAlias = Callable[[float], Awaitable[object]]
"""Waits for seconds of the real clock."""

log = structlog.get_logger()


class ModelCalls:
    """Asks one model; nothing is raised, and what came of it is in `use`."""

    def __init__(self, model: Model, checker: Model | None = None) -> None:
        self.model = model
        self.accepted = self.dropped = 0
        self._checker = checker or model
        self._questions = self._unanswered = 0
        self._why, self._spent = "", False
        self._trouble: Trouble | None = None

    async def ask(self, task: str, about: Sequence[str], data: str) -> Mapping[str, Any] | None:
        """Return the answer to a question in the shape of its task, or None where there is none."""
        self._questions += 1
        question = request(task, about, data)
        model = self._checker if task == "check" else self.model
        try:
            answer = await model.ask(question)
            found = read(answer.text, question.schema)
        except CouldNotLook as error:
            self._note(error)
            log.warning("no answer", task=task, about=question.about[:200], reason=str(error))
            return None
        log.info(
            "model answered",
            task=task,
            about=question.about[:200],
            kept=answer.kept,
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
        )
        return found

    def _note(self, error: CouldNotLook) -> None:
        self._unanswered += 1
        self._spent = self._spent or isinstance(error, BudgetSpent)
        self._why = self._why or str(error)[:LONGEST_WHY]
        if isinstance(error, ModelFailed):
            self._trouble = self._trouble or error.trouble

    def count(self, accepted: int, dropped: int) -> None:
        """Note how much of an answer stands and how much does not."""
        self.accepted += accepted
        self.dropped += dropped

    def use(self, *, late: bool = False) -> ModelUse | None:
        """Tell how far it came; None where nothing was asked."""
        if not self._questions:
            return None
        outcome = ModelOutcome.COMPLETE
        if late:
            outcome = ModelOutcome.LATE
        elif self._spent:
            outcome = ModelOutcome.OVER_BUDGET
        elif self._unanswered == self._questions:
            outcome = ModelOutcome.FAILED
        elif self._unanswered:
            outcome = ModelOutcome.PARTIAL
        return ModelUse(
            model=self.model.name,
            outcome=outcome,
            asked=self._questions,
            told=self.accepted,
            dropped=self.dropped,
            why=self._why,
            unanswered=self._unanswered,
            trouble=self._trouble,
            checker=self._checker.name,
        )


@dataclass(frozen=True)
class ModelUser:
    """Asks a model for as long as somebody may be let wait; `pause` waits for seconds.

    `checker` reads a second time what it wrote, by default the model itself.
    """

    model: Model
    _: KW_ONLY
    seconds: float
    checker: Model | None = None
    pause: Pause = asyncio.sleep

    async def run(
        self, work: Callable[[ModelCalls], Awaitable[Result]], *, seconds: float | None = None
    ) -> tuple[Result | None, ModelUse | None]:
        """Do work for so many seconds at most, by default all.

        Give its result, None where it was not done in time, and what came of its questions.
        """
        calls = ModelCalls(self.model, self.checker)
        task = asyncio.ensure_future(work(calls))
        waited = asyncio.ensure_future(self.pause(self.seconds if seconds is None else seconds))
        try:
            await asyncio.wait({task, waited}, return_when=asyncio.FIRST_COMPLETED)
            is_done = task.done()
            return task.result() if is_done else None, calls.use(late=not is_done)
        finally:
            task.cancel()
            waited.cancel()
            await asyncio.gather(task, waited, return_exceptions=True)
