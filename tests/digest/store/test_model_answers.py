"""What a model answered and cost is kept on both databases, and counted over all processes."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import bindparam, text

from digest import leases
from digest.editing import spending
from digest.editing.spending import CachedModel
from digest.leases import RENEWED_FOR
from digest.model_answers import Caps, Spent, StoredAnswer
from digest.ports import ModelAnswer, Request
from digest.store.database import all_rows
from digest.store.model_use import StoredModelAnswers, StoredSpending
from digest.store.store import Leases, Store
from digest.store.tables import UtcMoment
from tests.conftest import eventually, on_both_databases

ONE = "example-org/turbine:pull_request:1"
TWO = "example-org/turbine:pull_request:12"
DAY = "2026-02-11"


@pytest.fixture
def kept(moment: Callable[..., datetime]) -> Callable[..., StoredAnswer]:
    def make(about: str = ONE, **more: Any) -> StoredAnswer:
        schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
        request = Request("gloss", "1", about, "You tell.", "修复 ▁ x\x00", schema, 900)
        return replace(StoredAnswer(request, "m", '{"claims": []}', 100, 20, moment(11)), **more)

    return make


async def test_an_answer_comes_back_with_its_question_and_cost(store: Store, kept) -> None:
    answers = StoredModelAnswers(store.database)

    await answers.keep("k", kept())

    assert await answers.recall("k") == kept()
    assert await answers.recall("another") is None


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


@on_both_databases
async def test_spending_is_counted_over_models_days_and_a_month(store: Store) -> None:
    ledger = StoredSpending(store.database)
    for day, model in (("2026-01-31", "m"), ("2026-02-10", "m"), (DAY, "m"), (DAY, "n")):
        assert not await ledger.reserve(day, model, 100, 50, Caps())
    await ledger.settle(DAY, "m", -20, -50)

    assert await ledger.spent(DAY) == Spent(230, 380)
    assert await ledger.spent("2026-03-01") == Spent()


@pytest.mark.parametrize("cap", [Caps(a_day=1_000), Caps(a_month=1_000)])
@on_both_databases
async def test_no_cap_is_passed_by_processes_at_once(store: Store, cap: Caps) -> None:
    ledgers = [StoredSpending(store.database) for _ in range(3)]

    refused = await asyncio.gather(
        *(ledgers[number % 3].reserve(DAY, "m", 100, 200, cap) for number in range(12))
    )

    assert refused.count("") == 3
    assert (await ledgers[0].spent(DAY)).today == 900


WHO_ASKS_AND_IS_KILLED = """
import asyncio, sys
from datetime import UTC, datetime
from tests.digest.store.test_model_answers import asking, request
from digest.store.store import open_store

class Silent:
    name = "m"
    async def ask(self, request):
        print("asked", flush=True)
        await asyncio.Event().wait()

async def main():
    async with open_store(sys.argv[1]) as store:
        await asking(store, Silent(), lambda: datetime.fromisoformat(sys.argv[2])).ask(request())

asyncio.run(main())
"""


class Answering:
    """A model that answers once it is let."""

    name = "m"

    def __init__(self) -> None:
        self.asked = 0
        self.let = asyncio.Event()

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked += 1
        await self.let.wait()
        return ModelAnswer('{"ids": []}', 1, 1)


def request() -> Request:
    return Request("pick", "1", "", "You pick.", "i1", {"type": "object"}, 10)


def asking(store: Store, model: Any, clock: Callable[[], datetime]) -> CachedModel:
    database = store.database
    return CachedModel(
        *(model, StoredModelAnswers(database)),
        endpoint="e",
        clock=clock,
        leases=Leases(database),
    )


@on_both_databases
async def test_an_answer_longer_than_a_lease_is_waited_for_and_paid_once(
    store: Store, moment: Callable[..., datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT", 0.01)
    monkeypatch.setattr(spending, "LOOKED_EVERY", 0.01)
    now = [moment(11)]
    first, second = Answering(), Answering()
    holding = asyncio.create_task(asking(store, first, lambda: now[0]).ask(request()))
    await eventually(lambda: first.asked)
    waiting = asyncio.create_task(asking(store, second, lambda: now[0]).ask(request()))

    async def is_renewed() -> bool:
        held = "SELECT COUNT(*) FROM hold WHERE until > :now"
        given = {"now": now[0] + RENEWED_FOR * 0.9}
        statement = text(held).bindparams(bindparam("now", type_=UtcMoment))
        return bool(await store.database.read(lambda c: c.execute(statement, given).scalar()))

    for _ in range(10):
        now[0] += RENEWED_FOR * 0.9
        await eventually(is_renewed)
    first.let.set()

    assert (await holding).text == (await waiting).text
    assert (first.asked, second.asked) == (1, 0)
    held = await store.database.read(all_rows(text("SELECT name FROM hold")))
    assert held == []


@on_both_databases
async def test_a_process_that_was_killed_is_followed_and_one_that_lost_its_turn_takes_none(
    store: Store,
    chosen_url: str,
    moment: Callable[..., datetime],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spending, "LOOKED_EVERY", 0.01)
    now = [moment(11)]
    given = ("-c", WHO_ASKS_AND_IS_KILLED, chosen_url, now[0].isoformat())
    process = await asyncio.create_subprocess_exec(
        sys.executable, *given, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).strip() == b"asked"
    process.kill()
    await process.wait()
    second, third = Answering(), Answering()
    looks: list[str] = []
    follower = asking(store, second, lambda: now[0])
    recall = follower._recall

    async def looked(key: str) -> Any:
        looks.append(key)
        return await recall(key)

    monkeypatch.setattr(follower, "_recall", looked)
    following = asyncio.create_task(follower.ask(request()))
    await eventually(lambda: len(looks) > 2)
    assert second.asked == 0

    now[0] += RENEWED_FOR
    await eventually(lambda: second.asked)
    now[0] += RENEWED_FOR * 2  # it stood still for so long: another one goes on
    last = asking(store, third, lambda: now[0])
    going_on = asyncio.create_task(last.ask(request()))
    await eventually(lambda: third.asked)
    second.let.set()
    await following
    names = text("SELECT owner FROM hold")
    assert await store.database.read(lambda c: c.execute(names).scalar()) == last._owner
    third.let.set()
    assert (await going_on).text == (await following).text
