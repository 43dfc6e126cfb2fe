"""One call to an OpenAI-compatible server, and whatever it does told in plain words.

The only module that knows the SDK, which is slow to import: it is imported at the first question.
Retries and time limits are ours (`endpoint`): the SDK's wait up to two minutes between two tries.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx2
import openai
from openai.types.chat import ChatCompletion

from digest.edited import Trouble
from digest.editing.failures import (
    GARBAGE,
    NOT_TLS,
    CallFailed,
    Named,
    TimedOut,
    Unusable,
    host,
    of_status,
)
from digest.editing.fence import tokens
from digest.ports import ModelAnswer

CONNECT_SECONDS = 5.0

NO_KEY = "none"
"""Sent where no key is set: local servers want none, but the SDK wants one."""

MOST_TOKENS = 10_000_000
"""More than any model reads or writes at once: a server that counts more does not count."""

WHOLE = frozenset({"stop", "eos", "eos_token", "stop_sequence", "end_turn"})
"""Words by which servers say that an answer came to its end; OpenAI's is the first, others are of
https://huggingface.co/docs/text-generation-inference/reference/api_reference and its like."""

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass: time-outs, locks, limits, overload (529 is Anthropic's and others')."""

WITHOUT_ANSWER = (
    *(TimeoutError, openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError),
    ExceptionGroup,  # of the tries to reach one host by several addresses
)
"""What the SDK raises where there is no answer, or one that it cannot read."""


class Client:
    """Calls one server; closed with `await close()`."""

    def __init__(self, base_url: str, key: str, model: str) -> None:
        """Take the address up to `/v1`, a key or nothing, and the model that is asked for.

        Raises `CallFailed` for an address that cannot be.
        """
        self._named = Named(host(base_url), model)
        try:
            self._client = openai.AsyncOpenAI(
                api_key=key or NO_KEY, base_url=base_url, max_retries=0
            )
        except (httpx2.InvalidURL, ValueError) as error:
            raise CallFailed(self._named, Trouble.UNREACHABLE) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def complete(self, body: Mapping[str, Any], *, seconds: float) -> ModelAnswer:
        """Call `POST /chat/completions`, for so many seconds in all.

        Raises `CallFailed`, or `Unusable` where the answer was not said to its end.
        """
        create = self._client.chat.completions.create
        limits = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        try:
            # The timeouts of the transport are for each read: a server that drips has no end.
            async with asyncio.timeout(seconds):
                answer: object = await create(**body, timeout=limits)
        except WITHOUT_ANSWER as error:
            raise _failed(error, self._named) from error
        try:
            return _answer(answer, body)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            # The SDK does not check what it read: any field may be of another kind, or missing.
            raise CallFailed(self._named, Trouble.ADDRESS, GARBAGE) from error


def _answer(answer: object, body: Mapping[str, Any]) -> ModelAnswer:
    """Read an answer; tokens that a server does not count are estimated."""
    if not isinstance(answer, ChatCompletion):
        raise TypeError("not a completion")
    choice, usage = answer.choices[0], answer.usage
    text, finish = choice.message.content or "", choice.finish_reason
    if not isinstance(text, str) or not isinstance(finish, str | None):
        raise TypeError("not a message")
    paid = _count(usage.prompt_tokens) if usage else None
    got = _count(usage.completion_tokens) if usage else None
    if paid is None:
        paid = sum(tokens(message["content"]) for message in body["messages"])
    if got is None:
        got = tokens(text)
    if choice.message.refusal or finish == "content_filter":
        raise Unusable("the model declined to answer", paid, got)
    if finish not in WHOLE:
        raise Unusable("the model's answer was cut at its limit", paid, got)
    if not text.strip():
        raise Unusable("the model's answer is empty", paid, got)
    return ModelAnswer(text, paid, got)


def _count(number: object) -> int | None:
    return number if isinstance(number, int) and 0 <= number <= MOST_TOKENS else None


def _failed(error: Exception, named: Named) -> CallFailed:
    """Tell why there was no answer; only a server that had the question may have worked for it."""
    match error:
        case openai.APITimeoutError(__cause__=httpx2.ConnectTimeout() | httpx2.PoolTimeout()):
            # It took all its time to say nothing: it is not tried again at once.
            return CallFailed(named, Trouble.UNREACHABLE)
        case TimeoutError() | openai.APITimeoutError():
            return TimedOut(named, Trouble.TIMEOUT)
        case openai.APIStatusError():
            return _refused(error, named)
        case openai.APIConnectionError() | ExceptionGroup():
            causes = " ".join(_causes(error))
            if "CERTIFICATE_VERIFY" in causes:
                return CallFailed(named, Trouble.CERTIFICATE)
            if "SSL" in causes:
                return CallFailed(named, Trouble.ADDRESS, NOT_TLS)
            return CallFailed(named, Trouble.UNREACHABLE, may_pass=True)
    return CallFailed(named, Trouble.ADDRESS, GARBAGE)


def _causes(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield str(error)
        error = error.__cause__ or error.__context__


def _refused(error: openai.APIStatusError, named: Named) -> CallFailed:
    body, status = error.body, error.status_code
    refusal = json.dumps(body, default=str) if isinstance(body, dict | list) else str(body or "")
    trouble = of_status(status, refusal)
    try:
        # A date is not waited for by the letter.
        wait = max(0.0, float(error.response.headers["retry-after"]))
    except (KeyError, ValueError):
        wait = None
    may_pass = status in PASSING and trouble is not Trouble.QUOTA
    return CallFailed(
        named, trouble, may_pass=may_pass, status=status, refusal=refusal, retry_after=wait
    )
