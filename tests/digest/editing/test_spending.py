"""No cap is passed, whatever fails, and what was spent can be read."""

import asyncio
from typing import Any

import pytest

from digest.edited import Trouble
from digest.editing.failures import Named, TimedOut, Unusable
from digest.editing.spending import Caps, Spending, Spent, nothing_allowed
from digest.errors import BudgetSpent, ModelFailed, StoreFailed
from digest.ports import ModelAnswer, Request
from digest.store.database import Database
from digest.store.model_use import StoredSpending
from tests.conftest import eventually


class Told:
    """A model that costs what it is told to, and may fail."""

    name = "m"

    def __init__(self, cost: tuple[int, int] = (100, 20), error: Exception | None = None) -> None:
        self.cost = cost
        self.error = error
        self.calls = 0

    async def ask(self, request: Request) -> ModelAnswer:
        self.calls += 1
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return ModelAnswer("{}", *self.cost)


@pytest.fixture
def spending(clock: Any, memory: Database) -> Any:
    def make(model: Told, ledger: Any = None, **caps: int) -> Spending:
        return Spending(model, ledger or StoredSpending(memory), caps=Caps(**caps), clock=clock)

    return make


async def test_what_an_answer_cost_is_noted(spending, question) -> None:
    asking = spending(Told((130, 40)))

    await asking.ask(question())
    await asking.ask(question())

    assert await asking.spent() == Spent(340, 340)


async def test_a_failed_question_costs_nothing_and_an_unusable_answer_what_it_cost(
    spending, question, memory
) -> None:
    ledger = StoredSpending(memory)
    for error in (ModelFailed("down"), Unusable("cut", 300, 50)):
        with pytest.raises(ModelFailed):
            await spending(Told(error=error), ledger).ask(question())

    assert (await ledger.spent("2026-02-12")).today == 350


async def test_what_a_question_cost_that_nobody_waited_for_is_not_taken_for_nothing(
    spending, question
) -> None:
    class Hanging(Told):
        async def ask(self, request: Request) -> ModelAnswer:
            self.calls += 1
            await asyncio.Event().wait()
            raise AssertionError

    model = Hanging()
    task = asyncio.create_task(spending(model).ask(question()))
    await eventually(lambda: model.calls)
    task.cancel()
    await asyncio.wait([task])
    late = spending(Told(error=TimedOut(Named("h", "m"), Trouble.TIMEOUT)))
    with pytest.raises(ModelFailed):
        await late.ask(question())

    assert 1_000 < (await late.spent()).today <= 1_200


@pytest.mark.parametrize("cap", ["a_day", "a_month"])
async def test_a_cap_is_never_passed_by_questions_at_once(spending, question, cap) -> None:
    model = Told((10, 500))  # as much as a question may cost
    asking = spending(model, **{cap: 2_000})

    told = await asyncio.gather(
        *(asking.ask(question(f"#{number}")) for number in range(10)), return_exceptions=True
    )

    spent = sum(isinstance(each, BudgetSpent) for each in told)
    assert model.calls == 3
    assert spent == 7
    assert (await asking.spent()).today == 1530


async def test_the_error_names_the_cap_and_its_setting(spending, question) -> None:
    with pytest.raises(BudgetSpent, match=r"the 100 tokens of the day .*TOKENS_A_DAY.* fewer than"):
        await spending(Told(), a_day=100, a_month=10**6).ask(question())
    with pytest.raises(BudgetSpent, match=r"the 100 tokens of the month .*TOKENS_A_MONTH"):
        await spending(Told(), a_month=100).ask(question())


async def test_a_new_day_and_a_new_month_have_their_own_tokens(spending, question, clock) -> None:
    model = Told((300, 300))
    asking = spending(model, a_day=1_000, a_month=1_500)
    await asking.ask(question())
    with pytest.raises(BudgetSpent, match=r"of the 1000 tokens of the day .* 600 are spent"):
        await asking.ask(question())
    clock.advance(days=1)
    await asking.ask(question())
    with pytest.raises(BudgetSpent):
        await asking.ask(question())
    clock.advance(days=1)
    with pytest.raises(BudgetSpent, match="month"):
        await asking.ask(question())
    clock.advance(days=20)

    await asking.ask(question())

    assert model.calls == 3


@pytest.mark.parametrize(("cap", "name"), [("a_day", "A_DAY"), ("a_month", "A_MONTH")])
async def test_a_cap_of_nothing_asks_nothing(spending, question, cap, name) -> None:
    model = Told()

    with pytest.raises(BudgetSpent, match=f"INFRA_MODEL_TOKENS_{name} is 0"):
        await spending(model, **{cap: 0}).ask(question())

    assert model.calls == 0
    assert not nothing_allowed(Caps())


async def test_a_ledger_that_cannot_be_written_lets_nothing_be_asked(
    spending, question, memory
) -> None:
    class Broken(StoredSpending):
        async def reserve(self, *_: object) -> bool:
            raise StoreFailed("the disk is full")

    model = Told()

    with pytest.raises(ModelFailed, match="cannot be noted"):
        await spending(model, Broken(memory)).ask(question())

    assert model.calls == 0


async def test_an_answer_whose_cost_cannot_be_corrected_is_still_given(
    spending, question, memory
) -> None:
    class Broken(StoredSpending):
        async def settle(self, *_: object) -> None:
            raise StoreFailed("the disk is full")

    assert (await spending(Told(), Broken(memory)).ask(question())).text == "{}"
