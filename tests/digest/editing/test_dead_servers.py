"""A server that hangs, lies about its name or is not there costs one wait, not fifty."""

import asyncio
import socket
import ssl
from pathlib import Path

import pytest
from aiohttp import web

from digest.edited import Trouble
from digest.editing.endpoint import COOLING, FAILURES, Breaker
from digest.editing.failures import TimedOut
from digest.errors import ModelFailed
from tests.digest.editing.model_server import CLAIMS

CERTIFICATE = Path(__file__).parent / "self_signed.pem"
"""A certificate for 127.0.0.1 with its key, of nobody, made for these tests."""


@pytest.mark.parametrize("mode", ["hang", "drip"])
async def test_a_server_that_hangs_costs_one_wait(server, endpoint, question, mode) -> None:
    server.mode = mode
    model = endpoint(call_seconds=0.4)
    began = asyncio.get_running_loop().time()

    told = await asyncio.gather(
        *(model.ask(question(f"#{number}")) for number in range(50)), return_exceptions=True
    )

    assert asyncio.get_running_loop().time() - began < 8  # fifty waits would be twenty seconds
    assert {str(each)[:22] for each in told} == {"the model server 127.0"}
    assert all("does not answer in time" in str(each) for each in told)
    assert len(server.asked) == 1


async def test_a_server_that_had_the_question_may_have_worked_for_it(
    server, endpoint, question
) -> None:
    server.mode = "hang"

    with pytest.raises(TimedOut) as failed:
        await endpoint(call_seconds=0.4).ask(question())
    assert failed.value.trouble is Trouble.TIMEOUT


async def test_a_server_that_takes_no_connection_has_worked_for_nothing(endpoint, question) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:  # more than it takes: who comes next waits for a connection
            each.setblocking(False)
            each.connect_ex(address)

        with pytest.raises(ModelFailed, match="cannot be reached") as failed:
            await endpoint(base_url=f"http://127.0.0.1:{address[1]}/v1", call_seconds=20.0).ask(
                question()
            )

        assert not isinstance(failed.value, TimedOut)
        for each in waiting:
            each.close()


async def test_a_server_that_worked_may_be_slow_now_and_then(server, endpoint, question) -> None:
    server.queued = ["ok", "hang", "hang", "ok"]
    model = endpoint(call_seconds=1.0)
    await model.ask(question("#0"))

    for number in (1, 2):
        with pytest.raises(ModelFailed, match="in time"):
            await model.ask(question(f"#{number}"))

    assert (await model.ask(question("#3"))).text == CLAIMS


async def test_a_longer_answer_may_take_longer(server, endpoint, question) -> None:
    server.delay = 0.9
    model = endpoint(call_seconds=0.8)

    assert (await model.ask(question(most_output_tokens=9_000))).text == CLAIMS
    with pytest.raises(ModelFailed, match="in time"):
        await model.ask(question(most_output_tokens=3_000))


async def test_nobody_there_is_told_with_the_setting_to_check(endpoint, question) -> None:
    model = endpoint(base_url="http://127.0.0.1:9/v1")

    with pytest.raises(ModelFailed, match=r"127\.0\.0\.1:9 cannot be reached: .*OPENAI_BASE_URL"):
        await model.ask(question())


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/v1", "http://[::1/v1", "ftp://h/v1"])
async def test_an_address_that_cannot_be_is_told_too(endpoint, question, url) -> None:
    with pytest.raises(ModelFailed, match="OPENAI_BASE_URL"):
        await endpoint(base_url=url).ask(question())


async def test_a_self_signed_server_names_the_setting_that_trusts_it(
    server, endpoint, question, time
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    runner = web.AppRunner(server.application(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    port = runner.addresses[0][1]

    with pytest.raises(ModelFailed, match=r"not trusted here: .* SSL_CERT_FILE") as failed:
        await endpoint(base_url=f"https://127.0.0.1:{port}/v1").ask(question())
    assert failed.value.trouble is Trouble.CERTIFICATE

    assert time.waits == []
    assert server.asked == []
    await runner.cleanup()


async def test_https_to_a_server_without_it_says_to_write_http(server, endpoint, question) -> None:
    with pytest.raises(ModelFailed, match="does not speak https: write http://") as failed:
        await endpoint(base_url=server.url.replace("http:", "https:")).ask(question())
    assert failed.value.trouble is Trouble.ADDRESS


async def test_a_server_left_alone_is_tried_again_after_a_while(
    server, endpoint, question, time
) -> None:
    server.mode = "401"
    model = endpoint()
    with pytest.raises(ModelFailed):
        await model.ask(question())
    server.mode = "ok"

    time.now += COOLING - 1
    with pytest.raises(ModelFailed, match="refuses the key"):
        await model.ask(question())
    time.now += 2

    assert (await model.ask(question())).text == CLAIMS
    assert (await model.ask(question("#2"))).text == CLAIMS


async def test_a_server_that_refuses_one_question_works_again(
    server, endpoint, question, time
) -> None:
    model = endpoint()
    server.queued = ["401", "context_length", "context_length"]
    for _ in range(2):
        with pytest.raises(ModelFailed):
            await model.ask(question())
        time.now += COOLING + 1
    time.now -= COOLING

    assert (await model.ask(question())).text == CLAIMS


def test_a_server_that_answered_is_given_up_after_failures_in_a_row(time) -> None:
    breaker = Breaker(time)
    breaker.answered()

    for _ in range(FAILURES - 1):
        breaker.failed(ModelFailed("down"))
    assert breaker.failure() is None
    breaker.answered()
    for _ in range(FAILURES - 1):
        breaker.failed(ModelFailed("down"))
    assert breaker.failure() is None
    breaker.failed(ModelFailed("down"))

    assert str(breaker.failure()) == "down"


def test_a_server_that_is_tried_again_and_fails_is_left_alone_again(time) -> None:
    breaker = Breaker(time)
    breaker.failed(ModelFailed("down"))
    time.now += COOLING - 1
    assert str(breaker.failure()) == "down"
    time.now += 1
    assert breaker.failure() is None

    breaker.failed(ModelFailed("down again"))
    assert str(breaker.failure()) == "down again"
