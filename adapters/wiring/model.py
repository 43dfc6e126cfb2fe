"""The wiring of a model, and its one question to see whether it works."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from importlib import import_module

import structlog

from bot.answer.answers import AskedOf
from bot.settings import Settings, model_fault
from digest.edited import ModelFailure, ModelUse, Trouble
from digest.editing.answers import question_about
from digest.editing.editor import Editor
from digest.editing.plain_words import ModelAsking
from digest.editing.questions import SCHEMAS, holds_json
from digest.editing.server import Endpoint, host
from digest.editing.spending import CachedModel, Spending, nothing_allowed
from digest.errors import ConfigurationError, InfraError, ModelFailed
from digest.model_answers import Caps, OfModel, Spent
from digest.models import ReadItem, Repo
from digest.phrase import Phrase
from digest.pipeline import Pipeline
from digest.ports import Clock, ModelAnswer, Request
from digest.store.model_use import StoredModelAnswers, StoredModelFailures, StoredSpending
from digest.store.store import Leases, Store, open_store
from digest.wording.phrases import SAY

log = structlog.get_logger()

TRIAL = Request(
    task="check",
    version="1",
    about="",
    system="You answer with one JSON object and nothing else.",
    user='Nothing is to be picked. Answer with {"ids": []}.',
    schema=SCHEMAS["pick"],
    most_output_tokens=1_000,
)
"""The question of `infra check`: about 50 tokens, and room for a model that thinks aloud."""


class ModelAccess:
    """A model as it is set: asked within its caps, each question once; closed with `close`.

    `fault` is why it cannot be asked at all, or nothing; what was answered before is still given.
    """

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self.fault = model_fault(settings)
        self._settings, self._store, self._clock = settings, store, clock
        self._kept = StoredModelAnswers(store.database)
        both = dict.fromkeys((settings.model, settings.model_check or settings.model))
        self._endpoints = [self._endpoint(name) for name in both]
        self.spending = self._spending(self._endpoints[0])
        self.model = self.checker = self._keeping(self.spending)
        """`checker` reads a model's sentences a second time: itself, if no other is set."""
        for other in self._endpoints[1:]:
            self.checker = self._keeping(self._spending(other))

    async def close(self) -> None:
        """Stop asking, and close every connection."""
        for each in {self.model, self.checker}:
            await each.close()
        for endpoint in self._endpoints:
            await endpoint.close()

    def _endpoint(self, model: str) -> Endpoint:
        return Endpoint(
            self._settings.openai_base_url.rstrip("/"),
            self._settings.openai_api_key.get_secret_value().strip(),
            model,
            moment=lambda: asyncio.get_running_loop().time(),
        )

    def _spending(self, endpoint: Endpoint) -> Spending:
        model = _Faulty(endpoint.name, self.fault) if self.fault else endpoint
        caps = Caps(self._settings.tokens_a_day, self._settings.tokens_a_month)
        return Spending(model, StoredSpending(self._store.database), caps=caps, clock=self._clock)

    def _keeping(self, model: Spending) -> CachedModel:
        return CachedModel(
            model,
            self._kept,
            endpoint=self._endpoints[0].base_url,
            clock=self._clock,
            leases=Leases(self._store.database),
        )

    def editor(self) -> Editor:
        """Return what asks the model to edit digests."""
        seconds = self._settings.model_seconds
        return Editor(self.model, seconds=seconds, checker=self.checker, failed=self._failed)

    def asking(self) -> ModelAsking:
        """Return what has the model read questions in plain words."""
        return ModelAsking(
            self.model,
            seconds=self._settings.model_seconds,
            clock=self._clock,
            checker=self.checker,
            failed=self._failed,
        )

    async def _failed(self, use: ModelUse) -> None:
        """Store what was not answered, for `infra status`."""
        now = self._clock()
        pause = max(each.paused_for() for each in self._endpoints if each.name == use.model)
        until = now + timedelta(seconds=pause) if pause else None
        try:
            failures = StoredModelFailures(self._store.database)
            await failures.note(ModelFailure(use, now, until))
        except InfraError as error:
            log.warning("a model's failure not noted", reason=str(error))

    def filled_in(self, pipeline: Pipeline) -> AskedOf:
        """Return what tells what the model was asked about an item, and what it filled in."""

        async def filled_in(repo: Repo, read: ReadItem) -> OfModel:
            key = read.item.key
            asked = [question_about(key, each) for each in await self._kept.about(key)]
            return OfModel(tuple(asked), *await pipeline.filled_in(repo, read))

        return filled_in

    async def tried(self) -> Phrase:
        """Ask one small question, and say how it went; raises `InfraError` for what is wrong."""
        if self.fault:
            raise ConfigurationError(self.fault)
        if refused := nothing_allowed(self.spending.caps):
            raise ConfigurationError(SAY.checks.no_model_asked(refused))
        # Its library takes a while to import: that is not the server's time, nor the loop's.
        await asyncio.to_thread(import_module, "openai")
        result = await self._answers(self._endpoints[0])
        for other in self._endpoints[1:]:
            result = SAY.chat.both(result, await self._read_too(other))
        spent = await self.spending.spent()
        return SAY.chat.both(result, figures(spent, self.spending.caps))

    async def _read_too(self, endpoint: Endpoint) -> Phrase:
        try:
            return await self._answers(endpoint)
        except InfraError as error:
            raise ModelFailed(SAY.chat.of_check_model(error)) from error

    async def _answers(self, endpoint: Endpoint) -> Phrase:
        """Ask the small question, and say how it was answered; raises `InfraError`.

        What takes longer than a digest waits is of no use to any.
        """
        where = host(endpoint.base_url)
        named = f"{endpoint.name} at {where}"
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self._settings.model_seconds or None):
                answer = await self._spending(endpoint).ask(TRIAL)
        except TimeoutError as error:
            late = SAY.model_server.timeout(where, endpoint.name, 0)
            raise ModelFailed(late, trouble=Trouble.TIMEOUT) from error
        seconds = asyncio.get_running_loop().time() - began
        if not holds_json(answer.text):
            raise ModelFailed(SAY.chat.model_not_json(named))
        by = endpoint.form.shape.replace("_", " ")
        return SAY.checks.model_answers(named, f"{seconds:.1f}", by)


async def trying(settings: Settings, store: Store | None, clock: Clock) -> Phrase:
    """Try the model that is set, and let go of it; raises `InfraError` for what is wrong."""
    async with opened_model(settings, store, clock) as access:
        return await access.tried()


@asynccontextmanager
async def opened_model(
    settings: Settings, store: Store | None, clock: Clock
) -> AsyncIterator[ModelAccess]:
    """Open the model that is set; without a store, what it answers is kept while this lasts."""
    async with AsyncExitStack() as stack:
        if store is None:
            store = await stack.enter_async_context(open_store("sqlite://"))
        access = ModelAccess(settings, store, clock)
        stack.push_async_callback(access.close)
        yield access


class _Faulty:
    """Implements `digest.ports.Model` where none can be asked: always says why."""

    def __init__(self, name: str, fault: str) -> None:
        self.name = name
        self._fault = fault

    async def ask(self, request: Request) -> ModelAnswer:
        raise ModelFailed(self._fault, trouble=Trouble.SETTINGS)


def figures(spent: Spent, caps: Caps) -> Phrase:
    """Say what was spent of what may be: `1,200 of 200,000 tokens today, 9,000 this month`."""
    return SAY.checks.tokens_spent(
        _of_allowed(spent.today, caps.a_day), _of_allowed(spent.month, caps.a_month)
    )


def _of_allowed(spent: int, most: int | None) -> Phrase | str:
    return f"{spent:,}" if most is None else SAY.checks.of_allowed(f"{spent:,}", f"{most:,}")
