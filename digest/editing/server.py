"""One OpenAI-compatible server: how it is asked, and what it does instead told in plain words.

Its SDK makes the calls and tries again what may pass. The SDK is slow to import, so that this waits
for the first question.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog

from digest.edited import Trouble
from digest.editing.questions import Unusable, tokens
from digest.errors import ModelFailed
from digest.phrase import Phrase
from digest.ports import ModelAnswer, Request
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    import openai

AT_ONCE = 4
"""Questions in flight; a local server queues what is more, a hosted one counts it against us."""
CALL_SECONDS = 60.0
"""How long one question may take in all; a digest has its own, shorter patience."""
CONNECT_SECONDS = 5.0
TOKENS_IN_THAT = 3_000
"""Tokens of an answer for which that is enough; where more are allowed, so is more time."""
RETRIES = 2
SHORTER = 4
"""The part of an answer's length that is asked for where question and answer are too long:
servers count the longest answer that may come, and most are a tenth of it."""
COOLING = 300.0
"""Seconds for which a server is left alone; then it is tried again."""
FAILURES = 3
"""Failures in a row after which a server is left alone that did answer before, or that only says
that it is busy or broken; any other one is after its first."""
TEMPERATURE = 0
"""The likeliest words: the same question should have the same answer."""
READ = 2_000
"""Characters of a refusal that are read for its reason."""
MOST_BYTES = 4_000_000
"""Bytes of an answer that are taken in: what has no end would take all memory."""
LONGEST_ANSWER = 200_000
"""Characters of an answer that is read at all; a whole deep dive takes about 10,000."""
MOST_TOKENS = 10_000_000
"""Tokens that a server may count for one question: no model reads or writes more."""

_FORM_REFUSED = frozenset({400, 415, 422, 501})
"""Statuses by which servers refuse a parameter that they do not know."""
_OF_THE_QUESTION = (Trouble.REFUSED, Trouble.TOO_LONG)
"""Failures that other questions to the same server would not share."""
_PASSING = (Trouble.BUSY, Trouble.BROKEN)
"""Failures that a server tells at once, and that may be over by the next question."""
_TOO_LONG = re.compile(
    r"context.length|context.window|maximum.context|max_model_len|prompt is too long|"
    r"input is too long|too many tokens|longer than the (?:model|maximum)|reduce the length",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|(?:\bmodel\b.{0,200}(?:does not exist|not found|no such|unknown|not "
    r"(?:a valid|available|loaded)))|(?:no such|unknown|invalid) model|not a valid model",
    re.IGNORECASE | re.DOTALL,
)

log = structlog.get_logger()


class CallFailed(ModelFailed):
    """A question without an answer.

    `refusal` is the server's own text, for deciding, never shown; `status` is 0 where none came.
    `may_cost` tells that the server may have worked for it, and be paid.
    """

    def __init__(
        self,
        sentence: Phrase,
        trouble: Trouble,
        status: int = 0,
        refusal: str = "",
        *,
        may_cost: bool = False,
    ) -> None:
        super().__init__(sentence, trouble)
        self.status = status
        self.refusal = refusal
        self.may_cost = may_cost


def host(base_url: str) -> str:
    """Name a server for a person, without anything secret."""
    return urlsplit(base_url).netloc.rpartition("@")[2]


def trouble_of(status: int, refusal: str) -> Trouble:
    """Tell from a status and a server's words (message, parameter, code) why it refused."""
    words = refusal[:READ]
    if status == 402 or (status == 429 and "insufficient_quota" in words):
        return Trouble.QUOTA
    is_too_long = _TOO_LONG.search(words)
    if status in (400, 404, 422) and not is_too_long and _UNKNOWN_MODEL.search(words):
        return Trouble.UNKNOWN_MODEL
    if status in (404, 405):
        return Trouble.ADDRESS
    if status == 413 or is_too_long:
        return Trouble.TOO_LONG
    if status >= 500:
        return Trouble.BROKEN
    known = {401: Trouble.KEY, 403: Trouble.ACCESS, 429: Trouble.BUSY}
    return known.get(status, Trouble.REFUSED)


SCHEMA, OBJECT, WORDS = "json_schema", "json_object", "prompt"
SHAPES = (SCHEMA, OBJECT, WORDS)
"""What the answer's form is asked for with, best first."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask for JSON.

    OpenAI and newer vLLM and SGLang take a JSON schema, older ones only "some JSON object", others
    nothing at all. OpenAI's reasoning models take neither `max_tokens` nor a temperature
    (https://platform.openai.com/docs/guides/reasoning).
    """

    shape: str = SCHEMA
    limit: str = "max_tokens"
    cold: bool = True

    def after(self, failed: CallFailed) -> "Form | None":
        """Return the form to try where this one was refused, not the question, if one is left."""
        words = failed.refusal[:READ].lower()
        is_open = failed.trouble in (Trouble.REFUSED, Trouble.BROKEN)
        if not (is_open and failed.status in _FORM_REFUSED):
            return None
        if self.limit == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, limit="max_completion_tokens")
        if self.cold and "temperature" in words:
            return replace(self, cold=False)
        worse = SHAPES[SHAPES.index(self.shape) + 1 :]
        return replace(self, shape=worse[0]) if worse else None

    def body(self, request: Request, model: str) -> Mapping[str, Any]:
        """Return the body of `POST /chat/completions` for a question.

        https://platform.openai.com/docs/api-reference/chat/create
        """
        system = request.system
        if self.shape != SCHEMA:
            shape = json.dumps(request.schema, separators=(",", ":"))
            system = f"{system}\n\nThe answer is one JSON object of this JSON schema:\n{shape}"
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": request.user},
            ],
            self.limit: request.most_output_tokens,
        }
        if self.cold:
            body["temperature"] = TEMPERATURE
        if self.shape == SCHEMA:
            schema = {"name": request.task, "strict": True, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.shape == OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body


@dataclass(eq=False)
class Endpoint:
    """Implements `digest.ports.Model`; closed with `await close()`.

    `name` is the model's, `moment` gives seconds of a steady clock.
    """

    base_url: str
    key: str = field(repr=False)
    name: str
    _: KW_ONLY
    moment: Callable[[], float]
    call_seconds: float = CALL_SECONDS

    def __post_init__(self) -> None:
        self.form = Form()
        self._client: openai.AsyncOpenAI | None = None
        self._failures = 0
        self._has_answered = False
        self._given_up: CallFailed | None = None
        self._paused_until = 0.0
        self._places = asyncio.Semaphore(AT_ONCE)

    async def close(self) -> None:
        """Close every connection."""
        if self._client is not None:
            await self._client.close()

    def paused_for(self) -> float:
        """Return for how many seconds the server is left alone from now."""
        return max(0.0, self._paused_until - self.moment())

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask in the best form that the server takes, and remember it.

        Raises `ModelFailed`, of which `Unusable` was paid for.
        """
        async with self._places:
            if self._given_up and self.paused_for():
                raise ModelFailed(self._given_up.why, trouble=self._given_up.trouble)
            form, asked = self.form, request
            seconds = self.call_seconds * max(1.0, request.most_output_tokens / TOKENS_IN_THAT)
            while True:
                try:
                    answer = await self._complete(form, asked, seconds)
                except Unusable:
                    self._worked(form)
                    raise
                except CallFailed as failed:
                    if failed.trouble is Trouble.TOO_LONG and asked is request:
                        shorter = request.most_output_tokens // SHORTER
                        asked = replace(request, most_output_tokens=shorter)
                    elif lower := form.after(failed):
                        log.info("model server asked otherwise", form=lower, model=self.name)
                        form = lower
                    else:
                        self._note(failed)
                        raise
                else:
                    self._worked(form)
                    return answer

    def _worked(self, form: Form) -> None:
        self.form = form
        self._failures = 0
        self._has_answered = True
        self._paused_until = 0.0

    def _note(self, failed: CallFailed) -> None:
        """Leave the server alone if it is why questions failed, the first or several in a row."""
        if failed.trouble in _OF_THE_QUESTION:
            self._failures = 0
            self._has_answered = True
            return
        self._failures += 1
        is_patient = self._has_answered or failed.trouble in _PASSING
        if self._failures >= (FAILURES if is_patient else 1):
            self._given_up, self._paused_until = failed, self.moment() + COOLING
            self._failures = 0

    async def _complete(self, form: Form, request: Request, seconds: float) -> ModelAnswer:
        """Call for so many seconds in all; raises `CallFailed`, or `Unusable` for what was cut."""
        body = form.body(request, self.name)
        import httpx2  # half a second to import, and mostly not needed
        import openai

        limits = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        try:
            if self._client is None:
                # Local servers want no key, but the SDK wants one.
                self._client = openai.AsyncOpenAI(
                    api_key=self.key or "none", base_url=self.base_url, max_retries=RETRIES
                )
            create = self._client.chat.completions.with_streaming_response.create
            came = bytearray()
            # The timeouts of the transport are for each read: a server that drips has no end.
            async with asyncio.timeout(seconds), create(**body, timeout=limits) as response:
                async for part in response.iter_bytes():
                    came += part
                    if len(came) > MOST_BYTES:
                        raise Unusable(
                            SAY.model_server.far_longer, _asked(body), request.most_output_tokens
                        )
            answer = json.loads(came)
            if (error := answer.get("error")) and not answer.get("choices"):
                # A gateway that has begun its answer can only say so within it.
                code = error.get("code") if isinstance(error, dict) else None
                status = code if isinstance(code, int) and code >= 400 else 500
                raise self._refused(status, error)
            return _read(answer, body)
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, error.body) from error
        except (openai.APITimeoutError, httpx2.TimeoutException, TimeoutError) as error:
            # Only a server that had the question may have worked for it.
            if isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout):
                raise self._failed(Trouble.UNREACHABLE) from error
            raise self._failed(Trouble.TIMEOUT, may_cost=True) from error
        except openai.APIConnectionError as error:
            is_untrusted = "CERTIFICATE_VERIFY" in str(error.__cause__)
            raise self._failed(
                Trouble.CERTIFICATE if is_untrusted else Trouble.UNREACHABLE
            ) from error
        except (httpx2.InvalidURL, httpx2.TransportError, ExceptionGroup) as error:
            # The SDK tells what breaks before an answer; what breaks within one comes as it is.
            is_within = isinstance(error, httpx2.TransportError)
            raise self._failed(Trouble.UNREACHABLE, may_cost=is_within) from error
        except (
            *(openai.OpenAIError, httpx2.HTTPError),
            # Any field may be of another kind, or missing, and lists be nested without end.
            *(AttributeError, LookupError, TypeError, ValueError, RecursionError),
        ) as error:
            raise self._failed(Trouble.ADDRESS) from error

    def _refused(self, status: int, words: object) -> CallFailed:
        refusal = json.dumps(words, default=str)
        return self._failed(trouble_of(status, refusal), status, refusal)

    def _failed(
        self, trouble: Trouble, status: int = 0, refusal: str = "", *, may_cost: bool = False
    ) -> CallFailed:
        say: Callable[[str, str, int], Phrase] = getattr(SAY.model_server, trouble)
        sentence = say(host(self.base_url), self.name, status)
        return CallFailed(sentence, trouble, status, refusal, may_cost=may_cost)


def _read(answer: Any, body: Mapping[str, Any]) -> ModelAnswer:
    """Read an answer; tokens that a server does not count are estimated."""
    choice = answer["choices"][0]
    message, why, usage = choice["message"], choice.get("finish_reason"), answer.get("usage")
    text = message.get("content") or ""
    if isinstance(text, list):  # of parts, of which those of text count
        text = "".join(part["text"] for part in text if part.get("type") == "text")
    if not isinstance(text, str):
        raise TypeError("not a message")
    paid = _counted(usage and usage.get("prompt_tokens"), _asked(body))
    got = _counted(usage and usage.get("completion_tokens"), tokens(text))
    if message.get("refusal") or why == "content_filter":
        raise Unusable(SAY.model_server.declined, paid, got)
    if why == "length":
        raise Unusable(SAY.model_server.cut, paid, got)
    if not text.strip():
        raise Unusable(SAY.model_server.empty, paid, got)
    if len(text) > LONGEST_ANSWER:
        raise Unusable(SAY.model_server.far_longer, paid, got)
    return ModelAnswer(text, paid, got)


def _asked(body: Mapping[str, Any]) -> int:
    return sum(tokens(each["content"]) for each in body["messages"])


def _counted(tokens_said: object, estimated: int) -> int:
    """Return what a server counts, where that can be, else the estimate."""
    if isinstance(tokens_said, int) and 0 < tokens_said <= MOST_TOKENS:
        return int(tokens_said)
    return estimated
