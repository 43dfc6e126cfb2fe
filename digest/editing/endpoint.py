"""One OpenAI-compatible server, asked as it can be asked, and no longer than is worth it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import structlog

from digest.editing import failures
from digest.editing.fence import tokens
from digest.editing.forms import Form, Refusal, after, parameters, refusal
from digest.errors import ModelFailed, StoreFailed
from digest.ports import ModelAnswer, Request

if TYPE_CHECKING:
    from digest.editing.client import CallFailed, Client, Said
    from digest.store.model_answers import StoredForms

AT_ONCE = 4
"""Questions in flight; a local server queues what is more, a hosted one counts it against us."""

CALL_SECONDS = 60.0
"""How long one call may take in all; a digest has its own, shorter patience."""

TOKENS_IN_THAT = 3_000
"""Tokens of an answer for which that is enough; where more are allowed, so is more time."""

ATTEMPTS = 3
LONGEST_WAIT = 20.0
"""Seconds waited before asking again; a server that names more is left to the next digest."""

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass: time-outs, locks, limits, overload (529 is Anthropic's and others')."""

FORM_REFUSED = frozenset({400, 415, 422, 501})
"""Statuses by which servers refuse a parameter that they do not know."""

WHOLE = frozenset({"stop", "eos", "eos_token", "stop_sequence", "end_turn"})
"""Words by which servers say that an answer came to its end; OpenAI's is the first, others are of
https://huggingface.co/docs/text-generation-inference/reference/api_reference and its like."""

SHORTER = 4
"""The part of an answer's length that is asked for where question and answer are too long."""

COOLING = 300.0
"""Seconds for which a server is left alone; then one question tries it again."""

FAILURES = 3
"""Failures in a row after which a server that did answer before is left alone."""

Sleep: TypeAlias = Callable[[float], Awaitable[None]]

log = structlog.get_logger()


class Endpoint:
    """Implements `digest.ports.Model`; closed with `await close()`.

    `moment` gives seconds of a steady clock.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        model: str,
        *,
        forms: "StoredForms",
        moment: Callable[[], float],
        sleep: Sleep = asyncio.sleep,
        call_seconds: float = CALL_SECONDS,
    ) -> None:
        self.base_url = base_url
        self.form: Form | None = None
        self._key = key
        self._model = model
        self._forms = forms
        self._sleep = sleep
        self._call_seconds = call_seconds
        self._client: Client | None = None
        self._too_much = sys.maxsize
        self._breaker = Breaker(moment)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._finding = asyncio.Lock()

    @property
    def name(self) -> str:
        """Give the name that the server knows the model by."""
        return self._model

    async def close(self) -> None:
        """Close every connection."""
        if self._client is not None:
            await self._client.close()

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask the server; raises `ModelFailed`, of which `Unusable` was paid for."""
        async with self._places:
            if self.form is None:
                # The first question finds out how to ask; the others need not be refused too.
                async with self._finding:
                    if self.form is None:
                        return await self._ask(request, await self._known_form())
            return await self._ask(request, self.form)

    async def try_out(self, request: Request) -> ModelAnswer:
        """Ask from the best form on, whatever is remembered: a newer server may take more."""
        return await self._ask(request, Form())

    async def _known_form(self) -> Form:
        try:
            known = await self._forms.recall(self.base_url, self._model)
        except StoreFailed as error:
            log.warning("form of the model server not read", reason=str(error))
            return Form()
        return Form.parse(known) or Form()

    async def _ask(self, request: Request, form: Form) -> ModelAnswer:
        if failure := self._breaker.failure():
            raise failure
        said, form = await self._said(request, form)
        self._breaker.answered()
        if form != self.form:
            self.form = form
            await self._remember(form)
        return self._answer(request, said)

    async def _said(self, request: Request, form: Form) -> tuple["Said", Form]:
        """Ask until there is an answer, and give the form that it was given to."""
        from digest.editing.client import CallFailed

        seconds = self._call_seconds * max(1.0, request.most_output_tokens / TOKENS_IN_THAT)
        attempt, asked = 1, self._shortened(request)
        while True:
            try:
                body = parameters(asked, form, self._model)
                return await self._opened().complete(body, seconds=seconds), form
            except CallFailed as failed:
                if refusal(failed.said) is Refusal.TOO_LONG and asked is request:
                    self._too_much = min(self._too_much, _at_most(request))
                    asked = self._shortened(request)
                    continue
                if lower := _lower(form, failed):
                    log.info("model server asked otherwise", form=str(lower), model=self._model)
                    form = lower
                    continue
                wait = _wait(failed, attempt)
                if wait is None or attempt == ATTEMPTS:
                    raise self._given_up(failed) from failed
                attempt += 1
            await self._sleep(wait)

    def _shortened(self, request: Request) -> Request:
        """Ask for a shorter answer where a question that took no more was too long.

        Servers count the longest answer that may come; most are a tenth of it.
        """
        if _at_most(request) < self._too_much:
            return request
        return replace(request, most_output_tokens=request.most_output_tokens // SHORTER)

    def _opened(self) -> "Client":
        from digest.editing.client import Client  # a second to import, and not always needed

        if self._client is None:
            self._client = Client(self.base_url, self._key)
        return self._client

    async def _remember(self, form: Form) -> None:
        try:
            await self._forms.remember(self.base_url, self._model, str(form))
        except StoreFailed as error:
            log.warning("form of the model server not kept", reason=str(error))

    def _answer(self, request: Request, said: "Said") -> ModelAnswer:
        """Give what was said, if it was said to its end."""
        paid = said.input_tokens
        if paid is None:
            paid = tokens(request.system) + tokens(request.user)
        got = said.output_tokens
        if got is None:
            got = tokens(said.text)
        if said.refused or said.finish == "content_filter":
            raise failures.Unusable(failures.DECLINED, paid, got)
        if said.finish not in WHOLE:
            raise failures.Unusable(failures.CUT, paid, got)
        if not said.text.strip():
            raise failures.Unusable(failures.EMPTY, paid, got)
        return ModelAnswer(said.text, paid, got)

    def _given_up(self, failed: "CallFailed") -> ModelFailed:
        """Give the error for a call that failed, and leave the server alone if that is why."""
        sentence, about_server, for_good = _verdict(failed)
        message = sentence.format(
            host=failures.host(self.base_url), model=self._model, status=failed.status
        )
        if sentence is failures.TOO_LONG:
            self._breaker.answered()
            return failures.TooLong(message)
        kind = failures.TimedOut if sentence is failures.TIMEOUT else ModelFailed
        failure = kind(message, trouble=failures.TROUBLES[sentence])
        if about_server:
            self._breaker.failed(failure, for_good=for_good)
        else:
            self._breaker.answered()
        return failure


def _at_most(request: Request) -> int:
    """The tokens that question and answer may take together."""
    return tokens(request.system) + tokens(request.user) + request.most_output_tokens


def _lower(form: Form, failed: "CallFailed") -> Form | None:
    """The form to try where the server refused a parameter, not the question."""
    if failed.status in FORM_REFUSED and refusal(failed.said) is Refusal.OTHER:
        return after(form, failed.said)
    return None


def _wait(failed: "CallFailed", attempt: int) -> float | None:
    """Seconds to wait before asking again, or None where that is no use.

    A call that took all its time is not made again: it would take the digest's.
    """
    if failed.fault == "unreachable":
        return 0.5 * attempt
    if failed.status not in PASSING or _has_no_quota(failed):
        return None
    wait = 2.0 ** (attempt - 1) if failed.retry_after is None else failed.retry_after
    return wait if wait <= LONGEST_WAIT else None


def _has_no_quota(failed: "CallFailed") -> bool:
    return failed.status == 402 or (failed.status == 429 and "insufficient_quota" in failed.said)


_BY_FAULT = {
    "timeout": (failures.TIMEOUT, True, False),
    "not_connected": (failures.UNREACHABLE, True, False),
    "unreachable": (failures.UNREACHABLE, True, False),
    "untrusted": (failures.UNTRUSTED, True, True),
    "not_tls": (failures.NOT_TLS, True, True),
    "garbage": (failures.GARBAGE, True, False),
}
_BY_STATUS = {
    401: (failures.BAD_KEY, True, True),
    403: (failures.NO_ACCESS, True, True),
    429: (failures.BUSY, True, False),
}


def _verdict(failed: "CallFailed") -> tuple[str, bool, bool]:
    """The sentence, whether the server is at fault and not the question, and whether for good."""
    if failed.status == 0:
        return _BY_FAULT[failed.fault]
    if _has_no_quota(failed):
        return failures.NO_QUOTA, True, True
    why = refusal(failed.said)
    if failed.status in (400, 404, 422) and why is Refusal.UNKNOWN_MODEL:
        return failures.UNKNOWN_MODEL, True, True
    if failed.status in (404, 405):
        return failures.UNKNOWN_PATH, True, True
    if failed.status == 413 or why is Refusal.TOO_LONG:
        return failures.TOO_LONG, False, False
    if failed.status >= 500:
        return failures.BROKEN, True, False
    return _BY_STATUS.get(failed.status, (failures.REFUSED, False, False))


class Breaker:
    """Counts failures of a server; one that never answered is given up at the first.

    `moment` gives seconds of any steady clock. Ours, as no breaker is among the dependencies
    (`stamina` asks again, and leaves nobody alone): what an unknown server gets, and why one is
    left alone, would have to be told to another as well, and is most of these lines.
    """

    def __init__(self, moment: Callable[[], float]) -> None:
        self._moment = moment
        self._ever_answered = False
        self._failures = 0
        self._failure: ModelFailed | None = None
        self._until = 0.0

    def failure(self) -> ModelFailed | None:
        """Give why the server may not be asked now, or None where it may.

        Once it has been left alone for long enough, the one who asks first may try it.
        """
        if self._failure is None:
            return None
        if self._moment() < self._until:
            return ModelFailed(self._failure.why, trouble=self._failure.trouble)
        self._until = self._moment() + COOLING
        return None

    def answered(self) -> None:
        """Note that the server works."""
        self._ever_answered = True
        self._failures = 0
        self._failure = None

    def failed(self, failure: ModelFailed, *, for_good: bool = False) -> None:
        """Note that it does not, and why; `for_good` where asking again cannot help."""
        self._failures += 1
        if for_good or not self._ever_answered or self._failures >= FAILURES:
            self._failure = failure
            self._until = self._moment() + COOLING
