"""One OpenAI-compatible server, asked as it can be asked, and no longer than is worth it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import structlog
from cachetools import TTLCache

from digest.edited import Trouble
from digest.editing.failures import OF_THE_QUESTION, CallFailed, Unusable
from digest.editing.forms import Form, after, parameters
from digest.errors import BadAnswer, ModelFailed, StoreFailed
from digest.ports import ModelAnswer, Request

if TYPE_CHECKING:
    from digest.editing.client import Client
    from digest.store.model_use import StoredForms

AT_ONCE = 4
"""Questions in flight; a local server queues what is more, a hosted one counts it against us."""

CALL_SECONDS = 60.0
"""How long one call may take in all; a digest has its own, shorter patience."""

TOKENS_IN_THAT = 3_000
"""Tokens of an answer for which that is enough; where more are allowed, so is more time."""

ATTEMPTS = 3
LONGEST_WAIT = 20.0
"""Seconds waited before asking again; a server that names more is left to the next digest."""

FORM_REFUSED = frozenset({400, 415, 422, 501})
"""Statuses by which servers refuse a parameter that they do not know."""

SHORTER = 4
"""The part of an answer's length that is asked for where question and answer are too long:
servers count the longest answer that may come, and most are a tenth of it."""

COOLING = 300.0
"""Seconds for which a server is left alone; then it is tried again."""

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
        self.name = model
        self.form: Form | None = None
        self._key = key
        self._forms = forms
        self._sleep = sleep
        self._call_seconds = call_seconds
        self._client: Client | None = None
        self._breaker = Breaker(moment)
        self._places = asyncio.Semaphore(AT_ONCE)
        self._finding = asyncio.Lock()

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

    async def start_over(self) -> None:
        """Forget how the server was asked: a newer one may take a better form."""
        await self._remember(Form())

    async def _known_form(self) -> Form:
        try:
            return await self._forms.recall(self.base_url, self.name) or Form()
        except (StoreFailed, BadAnswer) as error:
            log.warning("form of the model server not read", reason=str(error))
            return Form()

    async def _ask(self, request: Request, form: Form) -> ModelAnswer:
        """Ask until there is an answer, and remember the form that it was given to."""
        if failure := self._breaker.failure():
            raise failure
        seconds = self._call_seconds * max(1.0, request.most_output_tokens / TOKENS_IN_THAT)
        attempt, attempted = 1, request
        while True:
            try:
                body = parameters(attempted, form, self.name)
                answer = await self._opened().complete(body, seconds=seconds)
            except Unusable:
                await self._worked(form)
                raise
            except CallFailed as failed:
                if failed.trouble is Trouble.TOO_LONG and attempted is request:
                    shorter = request.most_output_tokens // SHORTER
                    attempted = replace(request, most_output_tokens=shorter)
                    continue
                if lower := _lower(form, failed):
                    log.info("model server asked otherwise", form=lower, model=self.name)
                    form = lower
                    continue
                wait = _wait(failed, attempt)
                if wait is None or attempt == ATTEMPTS:
                    self._note(failed)
                    raise
                attempt += 1
                await self._sleep(wait)
            else:
                await self._worked(form)
                return answer

    def _opened(self) -> "Client":
        from digest.editing.client import Client  # a second to import, and not always needed

        if self._client is None:
            self._client = Client(self.base_url, self._key, self.name)
        return self._client

    async def _worked(self, form: Form) -> None:
        self._breaker.answered()
        if form != self.form:
            await self._remember(form)

    async def _remember(self, form: Form) -> None:
        self.form = form
        try:
            await self._forms.remember(self.base_url, self.name, form)
        except StoreFailed as error:
            log.warning("form of the model server not kept", reason=str(error))

    def _note(self, failed: CallFailed) -> None:
        """Leave the server alone if it is why a call failed."""
        if failed.trouble in OF_THE_QUESTION:
            self._breaker.answered()
        else:
            self._breaker.failed(failed)


def _lower(form: Form, failed: CallFailed) -> Form | None:
    """The form to try where the server refused a parameter, not the question."""
    is_form = failed.trouble in (Trouble.REFUSED, Trouble.BROKEN)
    return after(form, failed.refusal) if is_form and failed.status in FORM_REFUSED else None


def _wait(failed: CallFailed, attempt: int) -> float | None:
    """Seconds to wait before asking again, or None where that is no use.

    A call that took all its time is not made again: it would take the digest's.
    """
    wait = 2.0 ** (attempt - 1) if failed.retry_after is None else failed.retry_after
    return wait if failed.may_pass and wait <= LONGEST_WAIT else None


class Breaker:
    """Counts failures of a server in a row; one that never answered is given up at the first.

    `moment` gives seconds of any steady clock. After `COOLING` whoever asks tries it again, and
    its next failure is again enough.
    """

    def __init__(self, moment: Callable[[], float]) -> None:
        self._failures = FAILURES - 1
        self._given_up: TTLCache[str, ModelFailed] = TTLCache(1, COOLING, timer=moment)

    def failure(self) -> ModelFailed | None:
        """Give why the server may not be asked now, or None where it may."""
        why = self._given_up.get("why")
        return ModelFailed(why.why, trouble=why.trouble) if why else None

    def answered(self) -> None:
        """Note that the server works."""
        self._failures = 0
        self._given_up.clear()

    def failed(self, failure: ModelFailed) -> None:
        """Note that it does not, and why."""
        self._failures += 1
        if self._failures >= FAILURES:
            self._given_up["why"] = failure
