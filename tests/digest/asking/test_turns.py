"""Processes that share a database pay for a question once; one that is gone holds nobody up."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

import pytest

from digest.asking.keeping import Keeping, key_of
from digest.asking.turns import ABANDONED, Turns
from digest.errors import ModelFailed, StoreFailed
from digest.ports import ModelAnswer, Request
from digest.store.model_answers import StoredModelAnswers
from digest.store.model_claims import StoredClaims
from digest.store.store import Store, open_store

CLAIMS = '{"claims": []}'


class Slow:
    """A model that answers when it is let, or fails."""

    name = "m"

    def __init__(self) -> None:
        self.asked = 0
        self.let = asyncio.Event()
        self.failing: Exception | None = None

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked += 1
        await self.let.wait()
        if self.failing is not None:
            failing, self.failing = self.failing, None
            raise failing
        return ModelAnswer(CLAIMS, 100, 20)


class Seconds:
    """Seconds that pass when somebody waits; the event loop goes on meanwhile."""

    def __init__(self) -> None:
        self.now = 0.0
        self.step = 0.5

    def __call__(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.now += self.step
        await asyncio.sleep(0.005)


@pytest.fixture
async def stores(database_url: str) -> AsyncIterator[tuple[Store, Store]]:
    """The same database opened twice, as two processes do."""
    async with open_store(database_url) as one, open_store(database_url) as other:
        yield one, other


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def process(seconds: Seconds, clock: Callable[[], datetime]) -> Callable[..., Keeping]:
    """Make what a process has: `process(store, model)`."""

    def make(store: Store, model: Slow) -> Keeping:
        claims = StoredClaims(store.database, clock)
        turns = Turns(claims, moment=seconds, pause=seconds.pause)
        answers = StoredModelAnswers(store.database)
        return Keeping(model, answers, endpoint="here", clock=clock, turns=turns)

    return make


async def both_asked(first: Keeping, second: Keeping, question: Request) -> tuple[Any, Any]:
    """Let one ask, and the other while the first is not answered."""
    one = asyncio.create_task(first.ask(question))
    await asyncio.sleep(0.1)
    other = asyncio.create_task(second.ask(question))
    await asyncio.sleep(0.1)
    return one, other


async def test_two_processes_at_once_pay_once(stores, process, question, seconds) -> None:
    model = Slow()
    seconds.step = 0.0
    first, second = (process(store, model) for store in stores)
    one, other = await both_asked(first, second, question())
    assert model.asked == 1
    model.let.set()

    assert [(await one).kept, (await other).kept] == [False, True]
    assert (await other).text == CLAIMS
    assert model.asked == 1


async def test_many_questions_at_once_are_each_paid_once(
    stores, process, question, seconds
) -> None:
    model = Slow()
    seconds.step = 0.0
    model.let.set()
    asking = [process(store, model) for store in stores]

    told = await asyncio.gather(
        *(each.ask(question(f"#{number}")) for number in range(20) for each in asking)
    )

    assert len(told) == 40
    assert model.asked == 20


async def test_where_one_fails_the_other_asks(stores, process, question, seconds) -> None:
    model = Slow()
    seconds.step = 0.0
    model.failing = ModelFailed("down")
    first, second = (process(store, model) for store in stores)
    one, other = await both_asked(first, second, question())
    model.let.set()

    with pytest.raises(ModelFailed):
        await one
    assert not (await other).kept
    assert model.asked == 2


async def test_a_process_that_is_gone_is_waited_for_so_long_and_no_longer(
    stores, process, question, seconds, clock
) -> None:
    model = Slow()
    model.let.set()
    key = key_of(question(), "here", "m")
    assert await StoredClaims(stores[0].database, clock).take(key, "gone")

    assert not (await process(stores[1], model).ask(question())).kept

    assert ABANDONED <= seconds.now <= ABANDONED + 1
    assert await StoredClaims(stores[0].database, clock).sign(key) is None


async def test_a_process_that_lives_is_waited_for_however_slow_it_is(
    stores, process, question, seconds, clock
) -> None:
    model = Slow()
    claims = StoredClaims(stores[0].database, clock)
    key = key_of(question(), "here", "m")
    await claims.take(key, "slow")
    waiting = asyncio.create_task(process(stores[1], model).ask(question()))
    while seconds.now < 5 * ABANDONED:
        await asyncio.sleep(0.01)
        await claims.live("slow")

    assert model.asked == 0
    model.let.set()
    await claims.release(key, "slow")
    assert not (await waiting).kept


async def test_of_two_that_wait_for_one_that_is_gone_one_takes_over(stores, clock) -> None:
    one, other = (StoredClaims(store.database, clock) for store in stores)
    await one.take("k", "gone")
    last = await one.sign("k")
    assert last

    taken = await asyncio.gather(one.take_over("k", "a", last), other.take_over("k", "b", last))

    assert sorted(taken) == [False, True]


async def test_what_is_anothers_is_not_let_go_of(stores, clock) -> None:
    claims = StoredClaims(stores[0].database, clock)
    await claims.take("k", "one")
    await claims.release("k", "other")
    assert not await claims.take("k", "other")
    await claims.release("k", "one")
    assert await claims.take("k", "other")


class Counted(StoredClaims):
    """Claims that count how often somebody tried to take one."""

    takes = 0

    async def take(self, key: str, owner: str) -> bool:
        self.takes += 1
        return await super().take(key, owner)


async def test_who_waits_writes_nothing_until_the_claim_is_free(
    stores, seconds, question, clock
) -> None:
    claims = Counted(stores[0].database, clock)
    turns = Turns(claims, moment=seconds, pause=seconds.pause)
    answers = StoredModelAnswers(stores[0].database)
    await StoredClaims(stores[1].database, clock).take("k", "other")
    waiting = asyncio.create_task(turns.wait("k", answers.recall))
    while seconds.now < ABANDONED / 2:
        await asyncio.sleep(0.01)
        await claims.sign("k")

    assert claims.takes == 1
    await claims.release("k", "other")
    assert await waiting is None
    assert claims.takes == 2
    await turns.release("k")


class Broken:
    """Claims that cannot be kept."""

    async def take(self, key: str, owner: str) -> bool:
        raise StoreFailed("the disk is full")


async def test_where_no_claim_can_be_kept_the_question_is_asked(stores, question, clock) -> None:
    model = Slow()
    model.let.set()
    turns = Turns(Broken(), moment=lambda: 0.0)  # type: ignore[arg-type] # the first call is enough
    answers = StoredModelAnswers(stores[0].database)
    keeping = Keeping(model, answers, endpoint="here", clock=clock, turns=turns)

    assert (await keeping.ask(question())).text == CLAIMS


async def test_who_stops_lets_go_of_its_questions(stores, process, question, clock) -> None:
    model = Slow()
    keeping = process(stores[0], model)
    asked = asyncio.create_task(keeping.ask(question()))
    await asyncio.sleep(0.1)
    key = key_of(question(), "here", "m")
    assert await StoredClaims(stores[1].database, clock).sign(key)

    await keeping.close()

    assert await StoredClaims(stores[1].database, clock).sign(key) is None
    await asyncio.gather(asked, return_exceptions=True)


async def test_a_sign_of_life_is_given_while_a_question_is_out(
    stores, process, question, clock, monkeypatch
) -> None:
    monkeypatch.setattr("digest.asking.turns.SIGN_EVERY", 0.01)
    model = Slow()
    keeping = process(stores[0], model)
    asked = asyncio.create_task(keeping.ask(question()))
    await asyncio.sleep(0.3)
    sign = await StoredClaims(stores[1].database, clock).sign(key_of(question(), "here", "m"))
    model.let.set()
    await asked

    assert sign
    assert sign.number > 1
