"""Each distinct question is paid for once, whoever asks, and no cap is passed, whatever fails."""

import asyncio
import contextlib
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from digest.codec import dump
from digest.edited import Trouble
from digest.editing.answers import question_about
from digest.editing.questions import SCHEMAS, Unusable
from digest.editing.server import CallFailed
from digest.editing.spending import CachedModel, Spending, key_of, nothing_allowed
from digest.errors import BadAnswer, BudgetSpent, ModelFailed, StoreFailed
from digest.model_answers import Caps
from digest.phrase import Phrase
from digest.ports import ModelAnswer, Request
from digest.store.database import Database
from digest.store.model_use import StoredModelAnswers, StoredSpending
from digest.store.store import Leases
from digest.store.tables import MODEL_SPENDING
from tests.conftest import eventually

CLAIMS = '{"claims": []}'


class Told:
    """A model that answers each question with the next of `texts`, or raises it."""

    name = "m"

    def __init__(self, *texts: str | Exception, cost: tuple[int, int] = (100, 20)) -> None:
        self.texts, self.cost = list(texts) or ["{}"], cost
        self.asked: list[Request] = []
        self.held = asyncio.Event()
        self.held.set()

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked.append(request)
        await asyncio.sleep(0)
        await self.held.wait()
        said = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        if isinstance(said, Exception):
            raise said
        return ModelAnswer(said, *self.cost)


@pytest.fixture
def keeping(clock: Any, memory: Database) -> Any:
    answers = StoredModelAnswers(memory)

    def make(model: Told, **more: Any) -> CachedModel:
        given = {
            "answers": answers,
            "endpoint": "http://a/v1",
            "clock": clock,
            "leases": Leases(memory),
        }
        return CachedModel(model, **(given | more))

    return make


async def test_the_second_time_costs_nothing_also_after_a_restart(keeping, question) -> None:
    model = Told(CLAIMS)

    first = await keeping(model).ask(question())
    second = await keeping(model).ask(question())

    assert (first.text, first.input_tokens, first.kept) == (CLAIMS, 100, False)
    assert (second.text, second.input_tokens, second.output_tokens) == (CLAIMS, 0, 0)
    assert second.kept
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"user": "#2"},
        {"system": "You tell more."},
        {"schema": {"type": "array"}},
        {"version": "2"},
        {"task": "analysis"},
        {"most_output_tokens": 501},
    ],
)
def test_all_that_the_model_sees_is_part_of_the_key(question, other) -> None:
    assert key_of(question(**other), "e", "m") != key_of(question(), "e", "m")


def test_server_and_model_are_part_of_the_key_and_what_it_is_about_is_not(question) -> None:
    key = key_of(question(), "e", "m")

    assert len({key, key_of(question(), "f", "m"), key_of(question(), "e", "n")}) == 3
    assert key_of(replace(question(), about="another"), "e", "m") == key


async def test_the_same_question_at_once_is_asked_once(keeping, question) -> None:
    model = Told(CLAIMS)
    asking = keeping(model)

    told = await asyncio.gather(*(asking.ask(question()) for _ in range(20)))

    assert {each.text for each in told} == {CLAIMS}
    assert len(model.asked) == 1


async def test_a_question_nobody_waits_for_any_more_is_still_kept(keeping, question) -> None:
    model = Told(CLAIMS)
    model.held.clear()
    asking = keeping(model)
    waiting = asyncio.create_task(asking.ask(question()))
    await eventually(lambda: model.asked)

    waiting.cancel()
    await asyncio.wait([waiting])
    model.held.set()
    await eventually(lambda: not asking._running)

    assert (await asking.ask(question())).text == CLAIMS
    assert len(model.asked) == 1


async def test_a_failure_reaches_all_who_asked_and_is_not_kept(keeping, question) -> None:
    model = Told(ModelFailed("down"), CLAIMS)
    asking = keeping(model)

    told = await asyncio.gather(
        asking.ask(question()), asking.ask(question()), return_exceptions=True
    )

    assert [str(each) for each in told] == ["down", "down"]
    assert (await asking.ask(question())).text == CLAIMS


async def test_an_answer_that_cannot_be_read_is_asked_for_again_after_a_day(
    keeping, question, clock
) -> None:
    model = Told("I will not.", CLAIMS)
    asking = keeping(model)
    await asking.ask(question())

    clock.advance(hours=23)
    assert (await asking.ask(question())).kept
    clock.advance(hours=2)

    assert (await asking.ask(question())).text == CLAIMS
    clock.advance(days=900)
    assert (await asking.ask(question())).kept


async def test_an_answer_that_cannot_be_used_is_not_paid_for_again_the_same_day(
    keeping, question, clock, memory
) -> None:
    model = Told(Unusable("cut", 900, 500), CLAIMS)
    asking = keeping(model)

    for _ in range(3):
        with pytest.raises(Unusable, match="cut"):
            await asking.ask(question())
        clock.advance(minutes=10)

    (kept,) = await StoredModelAnswers(memory).about(question().about)
    assert len(model.asked) == 1
    assert (kept.text, kept.unusable, kept.output_tokens) == ("", "cut", 500)
    clock.advance(days=1)
    assert (await asking.ask(question())).text == CLAIMS


@pytest.mark.parametrize("error", [StoreFailed("the disk is full"), BadAnswer("not a kept")])
async def test_a_store_that_fails_costs_the_keeping_not_the_answer(
    keeping, question, error, memory
) -> None:
    class Broken(StoredModelAnswers):
        async def recall(self, key: str) -> None:
            raise error

        async def keep(self, key: str, kept: object) -> None:
            raise StoreFailed("the disk is full")

    assert (await keeping(Told(CLAIMS), answers=Broken(memory)).ask(question())).text == CLAIMS


@pytest.mark.parametrize("answer", [CLAIMS, Unusable("cut", 900, 500)])
async def test_a_turn_that_cannot_be_given_up_makes_nobody_pay_twice(
    keeping, question, memory, answer
) -> None:
    class Stuck(Leases):
        async def release(self, *_: object) -> None:
            raise StoreFailed("the database is gone")

    model = Told(answer)
    with contextlib.suppress(Unusable):
        assert (await keeping(model, leases=Stuck(memory)).ask(question())).text == CLAIMS

    assert len(model.asked) == 1


async def test_what_was_said_of_several_repositories_is_told_of_none_of_them(
    keeping, question, clock, memory
) -> None:
    said = '{"sentences": [{"ids": ["i1", "i2"], "en": "Both leak.", "zh": ""}]}'
    asking = keeping(Told(said))
    one, other = "a/b:pull_request:1", "a/secret:pull_request:2"
    of_answers: dict[str, Any] = {"task": "answer", "schema": SCHEMAS["answer"]}
    await asking.ask(question("together", about=f"{one} {other}", **of_answers))
    clock.advance(minutes=1)
    await asking.ask(question("alone", about=one, **of_answers))

    together, alone = (
        question_about(one, each) for each in await StoredModelAnswers(memory).about(one)
    )

    assert (together.answer, together.unread, together.items) == ("", "", 2)
    assert "Both leak." in alone.answer
    assert "secret" not in dump(together).decode()  # as JSON tells it, whole


@pytest.fixture
def spending(clock: Any, memory: Database) -> Any:
    def make(model: Told, ledger: Any = None, **caps: int) -> Spending:
        return Spending(model, ledger or StoredSpending(memory), caps=Caps(**caps), clock=clock)

    return make


async def test_what_another_process_got_no_answer_to_is_not_asked_again_for_nobody(
    keeping, question
) -> None:
    there = Told(ModelFailed("slow", Trouble.TIMEOUT))
    there.held.clear()
    asking = asyncio.create_task(keeping(there).ask(question()))
    await eventually(lambda: there.asked)
    before = asyncio.all_tasks()
    here = Told(CLAIMS)
    other = keeping(here)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await other.ask(question())

    there.held.set()
    with pytest.raises(ModelFailed, match="slow"):
        await asking
    await eventually(lambda: asyncio.all_tasks() <= before)

    assert here.asked == []
    assert (await other.ask(question())).text == CLAIMS


async def test_a_question_that_a_paused_server_was_not_asked_costs_nothing(
    spending, question, endpoint, server, memory
) -> None:
    server.mode = "hang"
    asking = spending(endpoint(call_seconds=0.3))
    with pytest.raises(ModelFailed):
        await asking.ask(question())
    after_one = (await asking.spent()).today

    with pytest.raises(ModelFailed) as failed:
        await asking.ask(question("#2"))

    assert failed.value.trouble is Trouble.TIMEOUT
    assert len(server.asked) == 1
    assert (await asking.spent()).today == after_one > 500
    calls = await memory.read(lambda c: c.execute(select(MODEL_SPENDING.c.calls)).scalar_one())
    assert calls == 1


async def test_an_answer_that_was_cut_on_its_way_may_have_cost(
    spending, question, endpoint, server
) -> None:
    server.mode = "cut_stream"
    asking = spending(endpoint())

    with pytest.raises(ModelFailed):
        await asking.ask(question())

    assert len(server.asked) == 1
    assert (await asking.spent()).today > 500


async def test_a_failed_question_costs_nothing_and_an_unusable_answer_what_it_cost(
    spending, question, memory
) -> None:
    ledger = StoredSpending(memory)
    for error in (ModelFailed("down"), Unusable("cut", 300, 50)):
        with pytest.raises(ModelFailed):
            await spending(Told(error), ledger).ask(question())

    assert (await ledger.spent("2026-02-12")).today == 350


async def test_what_a_question_cost_that_nobody_waited_for_is_not_taken_for_nothing(
    spending, question
) -> None:
    model = Told()
    model.held.clear()
    task = asyncio.create_task(spending(model).ask(question()))
    await eventually(lambda: model.asked)
    task.cancel()
    await asyncio.wait([task])
    late = spending(Told(CallFailed(Phrase.as_written("slow"), Trouble.TIMEOUT, may_cost=True)))
    with pytest.raises(ModelFailed):
        await late.ask(question())

    assert 1_000 < (await late.spent()).today <= 1_200


async def test_a_new_day_and_a_new_month_have_their_own_tokens(spending, question, clock) -> None:
    model = Told(cost=(300, 300))
    asking = spending(model, a_day=1_000, a_month=1_500)
    await asking.ask(question())
    with pytest.raises(BudgetSpent, match=r"of the 1000 tokens of the day .*A_DAY.* 600 are spent"):
        await asking.ask(question())
    clock.advance(days=1)
    await asking.ask(question())
    with pytest.raises(BudgetSpent):
        await asking.ask(question())
    clock.advance(days=1)
    with pytest.raises(BudgetSpent, match=r"of the 1500 tokens of the month .*TOKENS_A_MONTH"):
        await asking.ask(question())
    clock.advance(days=20)

    await asking.ask(question())

    assert len(model.asked) == 3


@pytest.mark.parametrize(("cap", "name"), [("a_day", "A_DAY"), ("a_month", "A_MONTH")])
async def test_a_cap_of_nothing_asks_nothing(spending, question, cap, name) -> None:
    model = Told()

    with pytest.raises(BudgetSpent, match=f"INFRA_MODEL_TOKENS_{name} is 0"):
        await spending(model, **{cap: 0}).ask(question())

    assert len(model.asked) == 0
    assert not nothing_allowed(Caps())


async def test_a_ledger_that_cannot_be_written_lets_nothing_be_asked(
    spending, question, memory
) -> None:
    class Broken(StoredSpending):
        async def reserve(self, *_: object) -> str:
            raise StoreFailed("the disk is full")

    model = Told()

    with pytest.raises(ModelFailed, match="cannot be noted"):
        await spending(model, Broken(memory)).ask(question())

    assert len(model.asked) == 0
