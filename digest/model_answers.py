"""What a model was asked and answered, as it is kept and told, and what that may cost."""

from dataclasses import dataclass
from datetime import datetime

from digest.facts import Fact, Story
from digest.ports import Request


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One question with its answer, cost and time (UTC).

    `unusable` says why nothing could be made of an answer that was cut, empty or declined; its
    text is then empty.
    """

    request: Request
    model: str
    text: str
    input_tokens: int
    output_tokens: int
    asked_at: datetime
    unusable: str = ""


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """One question to a model about an item, alone or with others, with its cost.

    `task` and `version` name the prompt. `answer` is what was answered about this item as it came;
    what of it stands is told where it belongs, with its origin. `unread` says why the answer could
    not be read. What was answered about several repositories together is not told: who hears of
    one may not hear of the others.
    """

    task: str
    version: str
    model: str
    asked_at: datetime
    input_tokens: int
    output_tokens: int
    answer: str = ""
    unread: str = ""
    items: int = 1


@dataclass(frozen=True, slots=True)
class OfModel:
    """What is a model's about one item.

    Its questions, oldest first, the facts that it filled in, and the stories that it joined the
    item to or let others join.
    """

    questions: tuple[ModelQuestion, ...] = ()
    facts: tuple[Fact, ...] = ()
    stories: tuple[Story, ...] = ()


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens spent today and this month (UTC)."""

    today: int = 0
    month: int = 0


@dataclass(frozen=True, slots=True)
class Caps:
    """Tokens that may be spent, input and output together; None is no limit, 0 is none."""

    a_day: int | None = None
    a_month: int | None = None

    def refusal(self, spent: Spent, needed: int) -> str:
        """Say which cap a question that may cost so much passes; empty where none does."""
        for limit, used, name in (
            (self.a_day, spent.today, "day (INFRA_MODEL_TOKENS_A_DAY)"),
            (self.a_month, spent.month, "month (INFRA_MODEL_TOKENS_A_MONTH)"),
        ):
            if limit is not None and used + needed > limit:
                of = f"of the {limit} tokens of the {name} {used} are spent"
                return f"{of}, and a question may cost {needed}"
        return ""
