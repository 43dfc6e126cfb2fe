"""A model as one digest or change meets it: its questions counted, its failures told once."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeVar

import structlog

from digest.edited import ModelOutcome, ModelUse
from digest.editing.questions import read, request
from digest.errors import BudgetSpent, CouldNotLook, ModelFailed
from digest.ports import Model

LONGEST_WHY = 200
"""Characters of the reason that is kept; a server may answer with a page."""

Result = TypeVar("Result")

log = structlog.get_logger()


class ModelCalls:
    """Asks one model; nothing is raised, and what came of it is in `use`."""

    def __init__(self, model: Model, checker: Model | None = None) -> None:
        self.model = model
        self._told = self._dropped = 0
        self._checker = checker or model
        self._questions = 0
        self._failures: list[CouldNotLook] = []

    async def ask(self, task: str, about: Sequence[str], data: str) -> Mapping[str, Any] | None:
        """Return the answer to a question in the shape of its task, or None where there is none."""
        self._questions += 1
        question = request(task, about, data)
        model = self._checker if task == "check" else self.model
        try:
            answer = await model.ask(question)
            found = read(answer.text, question.schema)
        except CouldNotLook as error:
            self._failures.append(error)
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

    def count(self, told: int, *, of: int) -> None:
        """Note how much of an answer stands."""
        self._told += told
        self._dropped += max(0, of - told)

    def use(self, *, late: bool = False) -> ModelUse | None:
        """Tell how far it came; None where nothing was asked, though there was time for it."""
        if not (self._questions or late):
            return None
        failures = self._failures
        outcome = ModelOutcome.COMPLETE
        if late:
            outcome = ModelOutcome.LATE
        elif any(isinstance(each, BudgetSpent) for each in failures):
            outcome = ModelOutcome.OVER_BUDGET
        elif failures:
            is_all = len(failures) == self._questions
            outcome = ModelOutcome.FAILED if is_all else ModelOutcome.PARTIAL
        troubles = (each.trouble for each in failures if isinstance(each, ModelFailed))
        return ModelUse(
            model=self.model.name,
            outcome=outcome,
            asked=self._questions,
            told=self._told,
            dropped=self._dropped,
            why=str(failures[0])[:LONGEST_WHY] if failures else "",
            unanswered=len(failures),
            trouble=next(filter(None, troubles), None),
            checker=self._checker.name,
        )


class Patience:
    """How long one who asks has waited for models so far: times that overlap count once."""

    def __init__(self) -> None:
        self._waits: list[Wait] = []

    def add(self, wait: "Wait") -> None:
        """Count a time, which may not be over yet."""
        self._waits.append(wait)

    def share(self, other: "Patience", since: float) -> None:
        """Count what another has waited since a moment, as who waited for the other."""
        self._waits += [Wait(max(since, wait.begins), wait.ends) for wait in other._waits]

    def waited(self, now: float) -> float:
        """Return the seconds so far; `now` is of the loop's clock."""
        waited = until = 0.0
        for wait in sorted(self._waits, key=lambda wait: wait.begins):
            ends = min(wait.ends, now)
            waited += max(0.0, ends - max(wait.begins, until))
            until = max(until, ends)
        return waited


@dataclass
class Wait:
    """A time in which a model is waited for, in seconds of the loop's clock."""

    begins: float
    ends: float = math.inf


_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


@contextmanager
def waiting_once() -> Iterator[Patience]:
    """Have all that is asked of models within wait as long together as one of it may.

    It is put around what one who asks is given; within another such block it adds nothing.
    """
    if known := _patience.get():
        yield known
        return
    with waiting_anew() as made:
        yield made


@contextmanager
def waiting_anew() -> Iterator[Patience]:
    """Have what is asked of models within wait as if nobody had waited before.

    It is put around what is made for several who ask, of whom each may have waited otherwise.
    """
    token = _patience.set(made := Patience())
    try:
        yield made
    finally:
        _patience.reset(token)


@dataclass(frozen=True)
class ModelUser:
    """Asks a model for as long as somebody may be let wait, whatever they ask for.

    `checker` reads a second time what it wrote, by default the model itself. `failed` is told what
    was not answered.
    """

    model: Model
    _: KW_ONLY
    seconds: float
    checker: Model | None = None
    failed: Callable[[ModelUse], Awaitable[None]] | None = None

    async def run(
        self, work: Callable[[ModelCalls], Awaitable[Result]], *, seconds: float | None = None
    ) -> tuple[Result | None, ModelUse | None]:
        """Do work for so many seconds of the real clock at most, by default all that are left.

        Give its result, None where it was not done in time, and what came of its questions.
        """
        calls = ModelCalls(self.model, self.checker)
        result: Result | None = None
        with waiting_once() as patience:
            now = asyncio.get_running_loop().time()
            left = (self.seconds if seconds is None else seconds) - patience.waited(now)
            is_late = left <= 0  # what would be begun now is paid for, and nobody waits for it
            if not is_late:
                patience.add(wait := Wait(now))
                limit = asyncio.timeout(left)
                try:
                    async with limit:
                        result = await work(calls)
                except TimeoutError:
                    if not limit.expired():
                        raise
                    is_late = True
                finally:
                    wait.ends = asyncio.get_running_loop().time()
        use = calls.use(late=is_late)
        if use and use.is_failure and self.failed:
            await self.failed(use)
        return result, use
