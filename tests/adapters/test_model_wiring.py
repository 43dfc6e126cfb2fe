"""A model is tried with one question and one line; without it everything runs on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from adapters.wiring.model import TRIAL, ModelAccess, opened_model, trying
from bot.settings import Settings
from digest.edited import Trouble
from digest.editing.server import COOLING
from digest.errors import BudgetSpent, InfraError, ModelFailed
from digest.languages import Language
from digest.models import Change
from digest.store.database import execute
from digest.store.model_use import StoredModelFailures
from digest.store.store import Store, open_store
from tests.adapters.web_served import served
from tests.conftest import PATIENCE
from tests.digest.editing.model_server import ModelServer
from tests.digest.editing.test_editor import reading
from tests.phrases import english


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    made = ModelServer()
    made.text = '{"claims": []}'
    async with served(made.application()) as url:
        made.url = f"{url}/v1"
        yield made


@pytest.fixture
async def store(sqlite_url: str) -> AsyncIterator[Store]:
    async with open_store(sqlite_url) as opened:
        yield opened


@pytest.fixture
def settings(server: ModelServer) -> Callable[..., Settings]:
    """Settings with that server and more: `settings(tokens_a_day=0)`."""

    def make(**more: Any) -> Settings:
        given = {"model": "m", "openai_base_url": server.url + "/"}
        return Settings.model_construct(**(given | more))

    return make


async def tried(*given: Any) -> tuple[int, str]:
    """Try a model; give the exit status and the sentence of `infra check`."""
    try:
        return 0, english(await trying(*given))
    except InfraError as error:
        return error.exit_status, english(error.why)


async def test_a_model_that_works_is_told_with_form_time_and_cost(
    server, store, settings, clock
) -> None:
    server.mode = "no_schema"

    exit_status, sentence = await tried(settings(tokens_a_day=50_000), store, clock)

    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert exit_status == 0
    assert sentence.startswith(f"m at {host} answers in ")
    assert sentence.endswith(
        " s by json object; 120 of 50,000 tokens spent today, 120 this month (UTC)"
    )
    assert len(server.asked) == 2


async def test_trying_asks_anew_each_time_and_counts_it(server, store, settings, clock) -> None:
    await trying(settings(), store, clock)
    _, sentence = await tried(settings(tokens_a_month=9_000), store, clock)

    assert "; 240 tokens spent today, 240 of 9,000 this month" in sentence
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("mode", "status", "said"),
    [
        ("401", 1, "check OPENAI_API_KEY"),
        ("unknown_model", 1, "check INFRA_MODEL"),
        ("404", 1, "check OPENAI_BASE_URL"),
        ("length", 1, "was cut"),
        ("prose", 1, "but not with JSON: set another model"),
    ],
)
async def test_a_model_that_does_not_work_is_told_in_one_line(
    server, store, settings, clock, mode, status, said
) -> None:
    if mode == "prose":
        server.text = "There is nothing to say."
    else:
        server.mode = mode

    exit_status, sentence = await tried(settings(), store, clock)

    assert exit_status == status
    assert said in sentence
    assert "\n" not in sentence


async def test_a_model_is_tried_for_no_longer_than_a_digest_waits(
    server, store, settings, clock
) -> None:
    server.mode = "hang"

    async with asyncio.timeout(PATIENCE):
        exit_status, sentence = await tried(settings(model_seconds=1), store, clock)

    assert exit_status == 1
    assert "does not answer in time" in sentence


async def test_what_is_wrong_with_a_server_is_told_in_chinese_too(
    server, store, settings, clock
) -> None:
    server.mode = "401"

    with pytest.raises(ModelFailed) as failed:
        await trying(settings(), store, clock)

    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert failed.value.line(Language.ZH) == (
        f"模型服务器 {host} 拒绝了密钥：请检查 OPENAI_API_KEY"
    )


async def test_a_reader_that_does_not_exist_is_told_by_its_setting(
    server, store, settings, clock
) -> None:
    server.queued = ["ok", "unknown_model"]

    exit_status, sentence = await tried(settings(model_check="reader"), store, clock)

    assert exit_status == 1
    assert sentence.startswith("INFRA_MODEL_CHECK: ")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"tokens_a_day": 0}, "INFRA_MODEL_TOKENS_A_DAY is 0, so no model is asked"),
        ({"openai_base_url": "https://api.openai.com/v1"}, "OPENAI_API_KEY is not set"),
    ],
)
async def test_what_is_set_wrong_is_told_without_asking(
    server, store, settings, clock, more, said
) -> None:
    exit_status, sentence = await tried(settings(**more), store, clock)

    assert (exit_status, said in sentence) == (78, True)
    assert server.asked == []


async def test_a_model_set_wrong_says_so_to_whoever_asks(settings, clock) -> None:
    async with opened_model(settings(openai_base_url="nowhere"), None, clock) as door:
        with pytest.raises(ModelFailed, match="OPENAI_BASE_URL is not the address"):
            await door.model.ask(TRIAL)


async def test_why_the_model_failed_last_and_until_when_it_is_left_alone_is_stored(
    server, store, settings, clock
) -> None:
    server.mode = "401"
    failures = StoredModelFailures(store.database)
    async with opened_model(settings(), store, clock) as access:
        await access.editor().analyse(Change(reading(1).items[0], ()))

    failure = await failures.last()
    assert failure is not None
    assert (failure.use.model, failure.use.trouble) == ("m", Trouble.KEY)
    assert failure.at == clock()
    assert failure.paused_until is not None
    assert timedelta() < failure.paused_until - clock() <= timedelta(seconds=COOLING)


async def test_a_model_whose_reader_is_left_alone_is_not_told_to_be(
    server, store, settings, clock
) -> None:
    async with opened_model(settings(model_check="reader"), store, clock) as access:
        server.queued = ["401"]
        with pytest.raises(ModelFailed):
            await access.checker.ask(TRIAL)
        server.text = "There is nothing to say."
        await access.editor().analyse(Change(reading(1).items[0], ()))

    failure = await StoredModelFailures(store.database).last()
    assert failure is not None
    assert (failure.use.model, failure.use.trouble) == ("m", Trouble.UNREADABLE)
    assert failure.paused_until is None


async def test_a_failure_that_cannot_be_stored_costs_nobody_an_answer(
    server, store, settings, clock
) -> None:
    server.mode = "401"
    await store.database.write(execute(text("DROP TABLE model_failure")), "")
    async with opened_model(settings(), store, clock) as access:
        told = await access.editor().analyse(Change(reading(1).items[0], ()))

    assert told.model is not None
    assert told.model.trouble is Trouble.KEY


async def test_what_was_answered_is_kept_over_a_restart_also_when_the_budget_is_spent(
    server, store, settings, clock
) -> None:
    first = ModelAccess(settings(), store, clock)
    answer = await first.model.ask(TRIAL)
    await first.close()

    second = ModelAccess(settings(tokens_a_day=0), store, clock)

    again = await second.model.ask(TRIAL)
    assert (answer.kept, again.kept, again.text) == (False, True, answer.text)
    with pytest.raises(BudgetSpent):
        await second.model.ask(replace(TRIAL, user="Another question."))
    assert len(server.asked) == 1
    await second.close()
