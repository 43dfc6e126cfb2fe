"""What a model answered and cost is kept on both databases, and counted over all processes."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from digest.editing.kept import Kept
from digest.editing.spending import Caps, Spent
from digest.editing.turns import ABANDONED
from digest.ports import Request
from digest.store.model_answers import StoredForms, StoredModelAnswers
from digest.store.model_locks import StoredLocks
from digest.store.model_spending import StoredSpending
from digest.store.store import Store

ONE = "example-org/turbine:pull_request:1"
TWO = "example-org/turbine:pull_request:12"
DAY = "2026-02-11"


@pytest.fixture
def kept(moment: Callable[..., datetime]) -> Callable[..., Kept]:
    def make(about: str = ONE, **more: Any) -> Kept:
        schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
        request = Request("gloss", "1", about, "You tell.", "修复 ▁ x\x00", schema, 900)
        return replace(Kept(request, "m", '{"claims": []}', 100, 20, moment(11)), **more)

    return make


async def test_an_answer_comes_back_with_its_question_and_cost(store: Store, kept) -> None:
    answers = StoredModelAnswers(store.database)

    await answers.keep("k", kept())

    assert await answers.recall("k") == kept()
    assert await answers.recall("another") is None


async def test_a_newer_answer_replaces_an_older_one(store: Store, kept, moment) -> None:
    answers = StoredModelAnswers(store.database)
    newer = kept(text="new", asked_at=moment(12))

    await answers.keep("k", kept())
    await answers.keep("k", newer)

    assert await answers.about(ONE) == (newer,)


async def test_answers_about_an_item_are_found_alone_and_among_others(
    store: Store, kept, moment
) -> None:
    answers = StoredModelAnswers(store.database)
    about = [f"{ONE} {TWO}", f"{TWO} {ONE}", f"{TWO} {ONE} x", ONE, TWO, f"{TWO} {ONE}3"]
    for number, each in enumerate(about):
        at = moment(11) + timedelta(minutes=len(about) - number)
        await answers.keep(str(number), kept(each, asked_at=at))

    found = [each.request.about for each in await answers.about(ONE)]

    assert found == [ONE, f"{TWO} {ONE} x", f"{TWO} {ONE}", f"{ONE} {TWO}"]
    assert await answers.about("example-org/other:pull_request:1") == ()


async def test_what_stands_for_any_text_in_a_search_stands_for_itself(store: Store, kept) -> None:
    answers = StoredModelAnswers(store.database)
    await answers.keep("k", kept("a/b:release:vX1 a/b:release:v2"))

    assert await answers.about("a/b:release:v_1") == ()
    assert await answers.about("a/b:release:%") == ()


async def test_processes_may_keep_the_same_answer_at_once(store: Store, kept) -> None:
    answers = StoredModelAnswers(store.database)

    await asyncio.gather(*(answers.keep("k", kept(text=str(number))) for number in range(5)))

    assert len(await answers.about(ONE)) == 1


async def test_a_form_is_remembered_by_server_and_model(store: Store) -> None:
    forms = StoredForms(store.database)

    await forms.remember("http://a/v1", "m", "json_schema max_tokens cold")
    await forms.remember("http://a/v1", "m", "json_object max_tokens")

    assert await forms.recall("http://a/v1", "m") == "json_object max_tokens"
    assert await forms.recall("http://b/v1", "m") == ""


async def test_spending_is_counted_over_models_days_and_a_month(store: Store) -> None:
    ledger = StoredSpending(store.database)
    for day, model in (("2026-01-31", "m"), ("2026-02-10", "m"), (DAY, "m"), (DAY, "n")):
        assert await ledger.reserve(day, model, 100, 50, Caps())
    await ledger.settle(DAY, "m", -20, -50)

    assert await ledger.spent(DAY) == Spent(230, 380, 2, 3)
    assert await ledger.spent("2026-03-01") == Spent()


@pytest.mark.parametrize("cap", [Caps(a_day=1_000), Caps(a_month=1_000)])
async def test_no_cap_is_passed_by_processes_at_once(store: Store, cap: Caps) -> None:
    ledgers = [StoredSpending(store.database) for _ in range(3)]

    allowed = await asyncio.gather(
        *(ledgers[number % 3].reserve(DAY, "m", 100, 200, cap) for number in range(12))
    )

    assert allowed.count(True) == 3
    assert (await ledgers[0].spent(DAY)).today == 900


async def test_one_process_at_a_time_asks_until_it_lets_go_or_is_gone(
    store: Store, moment: Callable[..., datetime]
) -> None:
    now = [moment(11)]
    locks = StoredLocks(store.database, lambda: now[0])

    assert await locks.take("k", ABANDONED)
    assert not await locks.take("k", ABANDONED)
    assert await locks.take("another", ABANDONED)
    now[0] += ABANDONED + timedelta(seconds=1)
    assert await locks.take("k", ABANDONED)
    assert not await locks.take("k", ABANDONED)
    await locks.release("k")
    assert await locks.take("k", ABANDONED)
