"""One call to an OpenAI-compatible server, and whatever it does told in plain words.

The only module that knows the SDK, which is slow to import: it is imported at the first question.
Retries and time limits are ours (`endpoint`): the SDK's wait up to ten minutes.
"""

import asyncio
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import httpx2
import openai
from openai.types.chat import ChatCompletion

CONNECT_SECONDS = 5.0

NO_KEY = "none"
"""Sent where no key is set: local servers want none, but the SDK wants one."""


MOST_TOKENS = 10_000_000
"""More than any model reads or writes at once: a server that counts more does not count."""


class Fault(StrEnum):
    """What kind of thing went wrong with a call."""

    TIMEOUT = "timeout"
    NOT_CONNECTED = "not_connected"
    UNREACHABLE = "unreachable"
    UNTRUSTED = "untrusted"
    NOT_TLS = "not_tls"
    STATUS = "status"
    GARBAGE = "garbage"


class CallFailed(Exception):
    """A call without an answer. `said` is the server's own text: for deciding, never for showing.

    `status` is 0 where there was none; `retry_after` is in seconds, None where none was named.
    """

    def __init__(
        self, fault: Fault, status: int = 0, said: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(fault)
        self.fault = fault
        self.status = status
        self.said = said
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Said:
    """What a server answered; the tokens are None where it does not count them."""

    text: str
    finish: str
    refused: bool
    input_tokens: int | None
    output_tokens: int | None


class Client:
    """Calls one server; closed with `await close()`."""

    def __init__(self, base_url: str, key: str) -> None:
        """Take the address up to `/v1`, and a key or nothing.

        Raises `CallFailed` for an address that cannot be.
        """
        try:
            self._client = openai.AsyncOpenAI(
                api_key=key or NO_KEY,
                base_url=base_url,
                max_retries=0,
            )
        except (httpx2.InvalidURL, ValueError) as error:
            raise CallFailed(Fault.UNREACHABLE) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._client.close()

    async def complete(self, body: Mapping[str, Any], *, seconds: float) -> Said:
        """Call `POST /chat/completions`, for so many seconds in all; raises `CallFailed`."""
        create = self._client.chat.completions.create
        limits = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        try:
            # The timeouts of the transport are for each read: a server that drips has no end.
            async with asyncio.timeout(seconds):
                answer: object = await create(**body, timeout=limits)
        except TimeoutError as error:
            raise CallFailed(Fault.TIMEOUT) from error
        except openai.APITimeoutError as error:
            raise CallFailed(_timeout_fault(error)) from error
        except openai.APIConnectionError as error:
            raise CallFailed(_connection_fault(error)) from error
        except openai.APIStatusError as error:
            raise _refused(error) from error
        except ExceptionGroup as error:  # of the tries to reach one host by several addresses
            raise CallFailed(Fault.UNREACHABLE) from error
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise CallFailed(Fault.GARBAGE) from error
        try:
            return _said(answer)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            # The SDK does not check what it read: any field may be of another kind, or missing.
            raise CallFailed(Fault.GARBAGE) from error


def _said(answer: object) -> Said:
    if not isinstance(answer, ChatCompletion):
        raise TypeError("not a completion")
    choice, usage = answer.choices[0], answer.usage
    text, finish = choice.message.content, choice.finish_reason
    if not isinstance(text, str | None) or not isinstance(finish, str | None):
        raise TypeError("not a message")
    return Said(
        text=text or "",
        finish=finish or "",
        refused=bool(choice.message.refusal),
        input_tokens=_count(usage.prompt_tokens) if usage else None,
        output_tokens=_count(usage.completion_tokens) if usage else None,
    )


def _count(number: object) -> int | None:
    return number if isinstance(number, int) and 0 <= number <= MOST_TOKENS else None


def _timeout_fault(error: openai.APITimeoutError) -> Fault:
    """Tell whether the server had the question: only then may it have worked for it."""
    never = isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
    return Fault.NOT_CONNECTED if never else Fault.TIMEOUT


def _connection_fault(error: openai.APIConnectionError) -> Fault:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Fault.UNTRUSTED
        if isinstance(cause, ssl.SSLError) or "SSL" in str(cause):
            return Fault.UNTRUSTED if "CERTIFICATE_VERIFY" in str(cause) else Fault.NOT_TLS
        cause = cause.__cause__ or cause.__context__
    return Fault.UNREACHABLE


def _refused(error: openai.APIStatusError) -> CallFailed:
    body = error.body
    said = json.dumps(body, default=str) if isinstance(body, dict | list) else str(body or "")
    return CallFailed(
        Fault.STATUS, error.status_code, said, _seconds_to_wait(error.response.headers)
    )


def _seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Read `Retry-After` in seconds; a date is not waited for by the letter."""
    try:
        return max(0.0, float(headers["retry-after"]))
    except (KeyError, ValueError):
        return None
