"""Each distinct question is paid for once, whoever asks, and what was said of it can be read."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from digest.codec import dump
from digest.editing.answers import StoredAnswer, question_about
from digest.editing.caching import CachedModel, key_of
from digest.editing.failures import Unusable
from digest.errors import BadAnswer, BudgetSpent, ModelFailed, StoreFailed
from digest.ports import ModelAnswer, Request
from digest.store.database import Database
from digest.store.leases import Leases
from digest.store.model_use import StoredModelAnswers
from tests.conftest import eventually

CLAIMS = '{"claims": []}'


class Told:
    """A model that answers each question with the next of `texts`, or raises it."""

    name = "m"

    def __init__(self, *texts: str | Exception) -> None:
        self.texts = list(texts)
        self.asked: list[Request] = []
        self.held = asyncio.Event()
        self.held.set()

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked.append(request)
        await self.held.wait()
        said = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        if isinstance(said, Exception):
            raise said
        return ModelAnswer(said, 100, 20)


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


def test_the_order_of_a_schema_that_was_stored_does_not_matter(question) -> None:
    one, other = {"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}

    assert key_of(question(schema=one), "e", "m") == key_of(question(schema=other), "e", "m")


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
    await eventually(lambda: asking.counting.answered)

    assert (await asking.ask(question())).text == CLAIMS
    assert len(model.asked) == 1


async def test_one_who_stops_waiting_does_not_take_it_from_another(keeping, question) -> None:
    model = Told(CLAIMS)
    model.held.clear()
    asking = keeping(model)
    one, other = (asyncio.create_task(asking.ask(question())) for _ in range(2))
    await eventually(lambda: model.asked)

    one.cancel()
    await asyncio.wait([one])
    model.held.set()

    assert (await other).text == CLAIMS


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

    counted, (kept,) = asking.counting, await StoredModelAnswers(memory).about(question().about)
    assert len(model.asked) == 1
    assert (counted.failed, counted.kept, counted.answered) == (1, 2, 0)
    assert (counted.input_tokens, counted.output_tokens) == (900, 500)
    assert (kept.text, kept.unusable, kept.output_tokens) == ("", "cut", 500)
    clock.advance(days=1)
    assert (await asking.ask(question())).text == CLAIMS


async def test_a_slow_store_lets_nobody_pay_a_second_time(keeping, question, memory) -> None:
    class Slow(StoredModelAnswers):
        """Answers the first who looks at once, and the second when all else is over."""

        looks = 0

        async def recall(self, key: str) -> StoredAnswer | None:
            self.looks += 1
            found = await super().recall(key)
            if self.looks > 1:
                await asyncio.sleep(0.05)
            return found

    model = Told(CLAIMS)
    asking = keeping(model, answers=Slow(memory))

    await asyncio.gather(*(asking.ask(question()) for _ in range(2)))

    assert len(model.asked) == 1


async def test_what_was_asked_about_an_item_can_be_read(keeping, question, clock, memory) -> None:
    asking = keeping(Told(CLAIMS))
    await asking.ask(question("gloss", about="a/b:pull_request:1"))
    clock.advance(minutes=1)
    await asking.ask(question("theme", about="a/b:pull_request:2 a/b:pull_request:1"))
    await asking.ask(question("other", about="a/b:pull_request:11"))

    kept = await StoredModelAnswers(memory).about("a/b:pull_request:1")

    assert [each.request.user for each in kept] == ["gloss", "theme"]
    assert (kept[0].model, kept[0].text, kept[0].input_tokens) == ("m", CLAIMS, 100)
    assert kept[0].asked_at < kept[1].asked_at


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


async def test_what_is_asked_is_counted(keeping, question) -> None:
    model = Told(CLAIMS, ModelFailed("down"), BudgetSpent("spent"))
    asking = keeping(model)
    await asking.ask(question("#1"))
    await asking.ask(question("#1"))
    for number in (2, 3):
        with pytest.raises(ModelFailed):
            await asking.ask(question(f"#{number}"))

    counted = asking.counting

    assert (counted.answered, counted.kept, counted.failed, counted.over_budget) == (1, 1, 1, 1)
    assert (counted.input_tokens, counted.output_tokens) == (100, 20)
    assert counted.seconds >= 0


async def test_closing_stops_what_is_being_asked(keeping, question) -> None:
    model = Told(CLAIMS)
    model.held.clear()
    asking = keeping(model)
    waiting = asyncio.create_task(asking.ask(question()))
    await eventually(lambda: model.asked)

    await asking.close()

    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_what_was_said_of_several_repositories_is_told_of_none_of_them(
    keeping, question, clock, memory
) -> None:
    said = '{"sentences": [{"ids": ["i1", "i2"], "en": "Both leak.", "zh": ""}]}'
    asking = keeping(Told(said))
    one, other = "a/b:pull_request:1", "a/secret:pull_request:2"
    await asking.ask(question("together", task="answer", about=f"{one} {other}"))
    clock.advance(minutes=1)
    await asking.ask(question("alone", task="answer", about=one))

    together, alone = (
        question_about(one, each) for each in await StoredModelAnswers(memory).about(one)
    )

    assert (together.answer, together.unread, together.items) == ("", "", 2)
    assert "Both leak." in alone.answer
    assert "secret" not in dump(together).decode()  # as JSON tells it, whole
