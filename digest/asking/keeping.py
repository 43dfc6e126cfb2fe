"""Asks each distinct question once: what was answered is kept under all that the model saw."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from digest.ports import Model, ModelAnswer, Request


@dataclass(frozen=True, slots=True)
class Kept:
    """One question with its answer, cost and time (UTC), as it is kept for ever."""

    request: Request
    model: str
    text: str
    input_tokens: int
    output_tokens: int
    asked_at: datetime


class KeptAnswers(Protocol):
    """Where answers are kept; every method raises `StoreFailed`."""

    async def recall(self, key: str) -> Kept | None:
        """Give what is kept under a key, or None."""
        ...

    async def keep(self, key: str, kept: Kept) -> None:
        """Keep an answer, replacing an older one."""
        ...

    async def about(self, item: str) -> tuple[Kept, ...]:
        """Give every answer about an item by its key, oldest first."""
        ...


class Keeping:
    """Implements `digest.ports.Model` around another one; closed with `await close()`.

    The same question at once by several is asked once. A question goes on, and is kept, when the
    one who asked stops waiting: it is paid for.
    """

    @property
    def name(self) -> str:
        """Give the name that the server knows it by."""
        raise NotImplementedError

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask, or give what was answered before. Raises `ModelFailed` or `BudgetSpent`."""
        raise NotImplementedError

    def refreshing(self) -> Model:
        """Give the same model, which asks anew whatever is kept, and keeps what it hears."""
        raise NotImplementedError

    async def answers_about(self, key: str) -> tuple[Kept, ...]:
        """Give what was asked and answered about an item, oldest first; raises `StoreFailed`."""
        raise NotImplementedError
