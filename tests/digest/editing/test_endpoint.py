"""Any server is asked as it can be asked, and what goes wrong is one clear sentence."""

import asyncio

import pytest

from digest.edited import Trouble
from digest.editing.endpoint import AT_ONCE, ATTEMPTS
from digest.editing.failures import Unusable
from digest.editing.forms import Form
from digest.errors import ModelFailed, StoreFailed
from digest.store.model_use import StoredForms
from tests.digest.editing.model_server import CLAIMS


async def test_an_answer_comes_with_its_cost(server, endpoint, question) -> None:
    answer = await endpoint().ask(question())

    assert (answer.text, answer.input_tokens, answer.output_tokens) == (CLAIMS, 100, 20)
    assert not answer.kept
    assert server.keys == ["Bearer k"]


async def test_a_question_names_model_prompt_shape_limit_and_temperature(
    server, endpoint, question
) -> None:
    await endpoint().ask(question("what of #1?"))

    (body,) = server.asked
    assert body["model"] == "m"
    assert [message["content"] for message in body["messages"]] == ["You tell.", "what of #1?"]
    assert (body["max_tokens"], body["temperature"]) == (500, 0)
    shape = body["response_format"]["json_schema"]
    assert (shape["name"], shape["strict"]) == ("gloss", True)
    assert shape["schema"] == dict(question().schema)


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


async def test_the_form_that_worked_is_remembered_over_a_restart(
    server, endpoint, question, memory
) -> None:
    server.mode = "no_schema"
    forms = StoredForms(memory)
    await endpoint(forms=forms).ask(question())
    server.asked.clear()

    await endpoint(forms=forms).ask(question())

    assert [body["response_format"]["type"] for body in server.asked] == ["json_object"]


async def test_trying_out_begins_again_with_the_best_form(
    server, endpoint, question, memory
) -> None:
    server.mode = "no_schema"
    forms = StoredForms(memory)
    await endpoint(forms=forms).ask(question())
    server.mode = "ok"

    anew = endpoint(forms=forms)
    await anew.start_over()
    await anew.ask(question())

    assert await forms.recall(server.url, "m") == Form()


async def test_forms_that_cannot_be_read_or_kept_stop_nothing(server, endpoint, question) -> None:
    class Broken:
        async def recall(self, endpoint: str, model: str) -> str:
            raise StoreFailed("the disk is full")

        async def remember(self, endpoint: str, model: str, form: str) -> None:
            raise StoreFailed("the disk is full")

    assert (await endpoint(forms=Broken()).ask(question())).text == CLAIMS


async def test_questions_at_once_find_out_the_form_once_and_are_few(
    server, endpoint, question
) -> None:
    server.mode, server.delay = "no_schema", 0.02
    model = endpoint()

    await asyncio.gather(*(model.ask(question(f"#{number}")) for number in range(12)))

    kinds = [body["response_format"]["type"] for body in server.asked]
    assert kinds.count("json_schema") == 1
    assert 1 < server.most_in_flight <= AT_ONCE


@pytest.mark.parametrize("status", ["408", "409", "429", "500", "502", "503", "529"])
async def test_what_may_pass_is_asked_again(server, endpoint, question, time, status) -> None:
    server.queued = [status, status]

    answer = await endpoint().ask(question())

    assert answer.text == CLAIMS
    assert time.waits == [1.0, 2.0]


@pytest.mark.parametrize(("when", "waits"), [("7", 7.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 1.0)])
async def test_a_server_that_says_when_in_seconds_is_asked_then(
    server, endpoint, question, time, when, waits
) -> None:
    server.queued, server.headers = ["429"], {"Retry-After": when}

    await endpoint().ask(question())

    assert time.waits == [waits]


@pytest.mark.parametrize("when", ["600", "1e400"])
async def test_a_wait_that_is_too_long_is_not_waited(
    server, endpoint, question, time, when
) -> None:
    server.mode, server.headers = "429", {"Retry-After": when}

    with pytest.raises(ModelFailed, match="takes no more questions now"):
        await endpoint().ask(question())

    assert time.waits == []


@pytest.mark.parametrize(
    ("mode", "sentence", "trouble"),
    [
        ("429", "takes no more questions now (429): ask again later", "busy"),
        ("500", "fails (500): ask again later", "broken"),
        ("disconnect", "cannot be reached: check that it runs and OPENAI_BASE_URL", "unreachable"),
        ("cut_stream", "cannot be reached: check that it runs and OPENAI_BASE_URL", "unreachable"),
    ],
)
async def test_what_does_not_pass_is_asked_three_times_and_told(
    server, endpoint, question, mode, sentence, trouble
) -> None:
    server.mode = mode

    with pytest.raises(ModelFailed) as failed:
        await endpoint().ask(question())

    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert str(failed.value) == f"the model server {host} {sentence}"
    assert failed.value.trouble == trouble
    assert len(server.asked) == ATTEMPTS


@pytest.mark.parametrize(
    ("mode", "said", "trouble"),
    [
        ("401", "refuses the key: check OPENAI_API_KEY", Trouble.KEY),
        ("403", "lets this key not use m", Trouble.ACCESS),
        ("unknown_model", "knows no model m: check INFRA_MODEL", Trouble.UNKNOWN_MODEL),
        ("404", "has no /chat/completions there: check OPENAI_BASE_URL", Trouble.ADDRESS),
        ("no_quota", "has nothing left to spend", Trouble.QUOTA),
        ("402", "has nothing left to spend", Trouble.QUOTA),
        ("garbage", "answers something else than a model server does", Trouble.ADDRESS),
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


@pytest.mark.parametrize(("finish", "is_whole"), [("eos_token", True), ("abort", False)])
async def test_an_answer_is_whole_by_more_words_than_one(
    server, endpoint, question, finish, is_whole
) -> None:
    server.finish = finish

    if is_whole:
        assert (await endpoint().ask(question())).text == CLAIMS
    else:
        with pytest.raises(Unusable, match="was cut"):
            await endpoint().ask(question())


@pytest.mark.parametrize(
    "usage",
    [None, *({"prompt_tokens": many, "completion_tokens": -1} for many in ("many", 10**30))],
)
async def test_a_server_that_does_not_count_is_counted_for(
    server, endpoint, question, usage
) -> None:
    server.usage = usage

    answer = await endpoint().ask(question("x" * 350))

    assert answer.input_tokens == 3 + 100
    assert answer.output_tokens > 20
