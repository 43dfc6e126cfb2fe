"""Any server is asked as it can be asked; what goes wrong is one clear sentence and one wait."""

import asyncio
import socket
import ssl
from pathlib import Path

import pytest
from aiohttp import web

from digest.edited import Trouble
from digest.editing.questions import Unusable
from digest.editing.server import AT_ONCE, COOLING, FAILURES, RETRIES, trouble_of
from digest.errors import ModelFailed
from tests.digest.editing.model_server import CLAIMS

CERTIFICATE = Path(__file__).parent / "self_signed.pem"
"""A certificate for 127.0.0.1 with its key, of nobody, made for these tests."""


async def test_an_answer_comes_with_its_cost(server, endpoint, question) -> None:
    answer = await endpoint().ask(question())

    assert (answer.text, answer.input_tokens, answer.output_tokens) == (CLAIMS, 100, 20)
    assert not answer.kept
    assert server.keys == ["Bearer k"]


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("no_schema", ["json_schema", "json_object"]),
        ("no_object", ["json_schema", "json_object", None]),
    ],
)
async def test_a_server_that_knows_no_schema_is_asked_otherwise_from_then_on(
    server, endpoint, question, mode, kinds
) -> None:
    server.mode = mode
    model = endpoint()

    await model.ask(question("#1"))
    await model.ask(question("#2"))

    asked = [body.get("response_format", {}).get("type") for body in server.asked]
    assert asked == [*kinds, kinds[-1]]
    assert '"type":"object"' in server.asked[-1]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("mode", "gone", "there"),
    [("no_max_tokens", "max_tokens", "max_completion_tokens"), ("only_warm", "temperature", None)],
)
async def test_a_parameter_that_a_model_refuses_is_left_out(
    server, endpoint, question, mode, gone, there
) -> None:
    server.mode = mode

    await endpoint().ask(question())

    assert len(server.asked) == 2
    assert gone not in server.asked[1]
    assert there is None or there in server.asked[1]
    assert server.asked[1]["response_format"]["type"] == "json_schema"


async def test_an_answer_in_parts_is_its_text(server, endpoint, question) -> None:
    server.mode = "parts"

    assert (await endpoint().ask(question())).text == CLAIMS


@pytest.mark.parametrize("status", ["429", "503", "529"])
async def test_what_may_pass_is_asked_again(server, endpoint, question, status) -> None:
    server.queued, server.headers = [status] * RETRIES, {"Retry-After": "0.01"}

    assert (await endpoint().ask(question())).text == CLAIMS


@pytest.mark.parametrize(
    ("mode", "sentence", "trouble"),
    [
        ("429", "takes no more questions now (429): ask again later", "busy"),
        ("500", "fails (500): ask again later", "broken"),
        ("disconnect", "cannot be reached: check that it runs and OPENAI_BASE_URL", "unreachable"),
    ],
)
async def test_what_does_not_pass_is_told(
    server, endpoint, question, mode, sentence, trouble
) -> None:
    server.mode, server.headers = mode, {"Retry-After": "0.01"}

    with pytest.raises(ModelFailed) as failed:
        await endpoint().ask(question())

    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert str(failed.value) == f"the model server {host} {sentence}"
    assert failed.value.trouble == trouble
    assert len(server.asked) == 1 + RETRIES


@pytest.mark.parametrize(
    ("mode", "said", "trouble"),
    [
        ("401", "refuses the key: check OPENAI_API_KEY", Trouble.KEY),
        ("403", "lets this key not use m", Trouble.ACCESS),
        ("unknown_model", "knows no model m: check INFRA_MODEL", Trouble.UNKNOWN_MODEL),
        ("404", "answers something else than a model server does", Trouble.ADDRESS),
        ("402", "has nothing left to spend", Trouble.QUOTA),
        ("garbage", "answers something else than a model server does", Trouble.ADDRESS),
        ("nested", "answers something else than a model server does", Trouble.ADDRESS),
        ("null", "answers something else than a model server does", Trouble.ADDRESS),
        ("cut_stream", "cannot be reached: check that it runs", Trouble.UNREACHABLE),
        ("page", "answers something else than a model server does", Trouble.ADDRESS),
        ("other_json", "answers something else than a model server does", Trouble.ADDRESS),
        ("no_choices", "answers something else than a model server does", Trouble.ADDRESS),
        ("number_for_text", "answers something else than a model server does", Trouble.ADDRESS),
    ],
)
async def test_what_asking_again_cannot_mend_is_told_at_once(
    server, endpoint, question, mode, said, trouble
) -> None:
    server.mode = mode
    model = endpoint()

    with pytest.raises(ModelFailed, match=said.replace("(", r"\(")) as failed:
        await model.ask(question())
    with pytest.raises(ModelFailed) as again:
        await model.ask(question("#2"))

    assert len(server.asked) == 1
    assert str(again.value) == str(failed.value)
    assert (failed.value.trouble, again.value.trouble) == (trouble, trouble)
    assert "sk-secret" not in str(failed.value)


@pytest.mark.parametrize(
    ("status", "said", "trouble"),
    [
        (400, "This model's maximum context length is 8192 tokens, you asked", Trouble.TOO_LONG),
        (400, "The input (5000 tokens) is longer than the model's context", Trouble.TOO_LONG),
        (400, "the prompt is too long", Trouble.TOO_LONG),
        (404, "The model `gpt-9` does not exist or you have no access", Trouble.UNKNOWN_MODEL),
        (404, 'model "llama9" not found, try pulling it first', Trouble.UNKNOWN_MODEL),
        (400, "gpt-9 is not a valid model ID", Trouble.UNKNOWN_MODEL),
        (400, "response_format json_schema is not supported with this model", Trouble.REFUSED),
        (429, '{"code": "insufficient_quota"}', Trouble.QUOTA),
    ],
)
def test_why_a_question_was_refused_is_known_by_many_words(status, said, trouble) -> None:
    assert trouble_of(status, said) is trouble


async def test_a_question_that_is_too_long_says_so_and_leaves_the_server_in_use(
    server, endpoint, question
) -> None:
    server.queued = ["context_length", "context_length"]
    model = endpoint()

    with pytest.raises(ModelFailed, match="longer than m can read") as failed:
        await model.ask(question())
    assert failed.value.trouble is Trouble.TOO_LONG

    assert (await model.ask(question("#2"))).text == CLAIMS


async def test_a_small_model_is_asked_for_a_shorter_answer(server, endpoint, question) -> None:
    server.queued = ["context_length"]

    await endpoint().ask(question(most_output_tokens=3_000))

    assert [body["max_tokens"] for body in server.asked] == [3_000, 750]
    assert server.asked[0]["messages"] == server.asked[1]["messages"]


async def test_a_question_that_is_refused_in_every_form_costs_only_itself(
    server, endpoint, question
) -> None:
    server.queued = ["400", "400", "400"]
    model = endpoint()

    with pytest.raises(ModelFailed, match=r"refused the question \(400\)"):
        await model.ask(question())

    assert (await model.ask(question("#2"))).text == CLAIMS
    assert server.asked[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("length", "was cut"),
        ("refusal", "declined"),
        ("filtered", "declined"),
        ("empty", "is empty"),
        ("long", "far longer than was asked for"),
        ("thought_only", "is empty"),
    ],
)
async def test_an_answer_that_cannot_be_used_tells_what_it_cost(
    server, endpoint, question, mode, said
) -> None:
    server.mode = mode

    with pytest.raises(Unusable, match=said) as failed:
        await endpoint().ask(question())

    assert (failed.value.input_tokens, failed.value.output_tokens) == (100, 20)


async def test_an_answer_without_an_end_is_left_and_counted_at_its_most(
    server, endpoint, question
) -> None:
    server.mode = "endless"

    with pytest.raises(Unusable, match="far longer") as failed:
        await endpoint().ask(question("x" * 350))

    assert (failed.value.input_tokens, failed.value.output_tokens) == (3 + 100, 500)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {"prompt_tokens": "many", "completion_tokens": -1},
        {"prompt_tokens": 10**30, "completion_tokens": 10**12},
    ],
)
async def test_a_server_that_does_not_count_is_counted_for(
    server, endpoint, question, usage
) -> None:
    server.usage = usage

    answer = await endpoint().ask(question("x" * 350))

    assert answer.input_tokens == 3 + 100
    assert 20 < answer.output_tokens < 200


@pytest.mark.parametrize("mode", ["hang", "drip"])
async def test_a_server_that_hangs_costs_one_wait(server, endpoint, question, mode) -> None:
    server.mode = mode
    model = endpoint(call_seconds=0.4)
    began = asyncio.get_running_loop().time()

    told = await asyncio.gather(
        *(model.ask(question(f"#{number}")) for number in range(50)), return_exceptions=True
    )

    assert asyncio.get_running_loop().time() - began < 8  # fifty waits would be twenty seconds
    assert all("does not answer in time" in str(each) for each in told)
    assert {each.trouble for each in told} == {Trouble.TIMEOUT}  # it may have worked for it
    assert len(server.asked) <= AT_ONCE


async def test_a_server_that_takes_no_connection_has_worked_for_nothing(
    endpoint, question, monkeypatch
) -> None:
    monkeypatch.setattr("digest.editing.server.CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:  # more than it takes: who comes next waits for a connection
            each.setblocking(False)
            each.connect_ex(address)

        with pytest.raises(ModelFailed, match="cannot be reached") as failed:
            await endpoint(base_url=f"http://127.0.0.1:{address[1]}/v1", call_seconds=30.0).ask(
                question()
            )

        assert failed.value.trouble is Trouble.UNREACHABLE
        for each in waiting:
            each.close()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/v1", "http://127.0.0.1:99999/v1", "ftp://h/v1"]
)
async def test_an_address_where_nobody_is_is_told_with_the_setting_to_check(
    endpoint, question, url
) -> None:
    with pytest.raises(ModelFailed, match="OPENAI_BASE_URL"):
        await endpoint(base_url=url).ask(question())


async def test_a_self_signed_server_names_the_setting_that_trusts_it(
    server, endpoint, question
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
    assert server.asked == []
    await runner.cleanup()


@pytest.mark.parametrize(
    ("mode", "trouble"), [("busy_within", Trouble.BUSY), ("broken_within", Trouble.BROKEN)]
)
async def test_a_server_that_says_it_is_busy_or_broken_is_asked_the_next_question(
    server, endpoint, question, mode, trouble
) -> None:
    model = endpoint()
    server.queued = [mode] * (FAILURES - 1)
    for _ in range(FAILURES - 1):
        with pytest.raises(ModelFailed) as failed:
            await model.ask(question())
        assert failed.value.trouble is trouble
    await model.ask(question())  # it recovered

    server.mode = mode
    for _ in range(FAILURES + 1):
        with pytest.raises(ModelFailed):
            await model.ask(question())

    assert len(server.asked) == FAILURES + FAILURES
    assert 0 < model.paused_for() <= COOLING


async def test_a_server_that_answered_is_given_up_after_failures_in_a_row(
    server, endpoint, question, time
) -> None:
    model = endpoint()
    for _ in range(2):
        await model.ask(question())
        server.queued = ["401"] * (FAILURES - 1)
        for _ in range(FAILURES - 1):
            with pytest.raises(ModelFailed):
                await model.ask(question())
    server.queued = ["401"]
    for passed in (0, COOLING - 1):
        time.now += passed
        with pytest.raises(ModelFailed, match="refuses the key"):
            await model.ask(question())
    asked = len(server.asked)

    time.now += 1

    await model.ask(question())
    assert len(server.asked) == asked + 1


async def test_after_a_pause_a_server_is_given_up_after_as_many_failures_as_before(
    server, endpoint, question, time
) -> None:
    model = endpoint()
    server.mode = "busy_within"
    for _ in range(FAILURES):
        with pytest.raises(ModelFailed):
            await model.ask(question())
    assert model.paused_for()
    time.now += COOLING

    for _ in range(FAILURES - 1):
        with pytest.raises(ModelFailed):
            await model.ask(question())

    assert not model.paused_for()
    server.mode = "ok"
    await model.ask(question())
