"""A model's words on the way of a digest: stored once, told to everybody, completed when late."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

import pytest

from digest.asking.explaining import questions
from digest.asking.glosses import Glosses
from digest.asking.keeping import Keeping
from digest.asking.lateness import Lateness
from digest.claims import ModelOutcome
from digest.languages import Language
from digest.models import Digest, Item, Origin
from digest.pipeline import Pipeline
from digest.store.model_answers import StoredModelAnswers
from digest.store.store import Store, open_store
from digest.writing.rules import RulesWriter
from tests.digest.asking.scripted import (
    LIE_EN,
    LIE_ZH,
    WAITS,
    WAITS_EN,
    WAITS_ZH,
    Scripted,
    answer,
    claim,
)
from tests.digest.turbine_source import TURBINE, Turbine, at, day, pull

BODY = f"{WAITS}\n\nThe flag `--blade-timeout` says how long."
SAID = answer(claim())


def timed_out() -> Item:
    return pull(1, at(11, 3), "[Feature] Drop requests that wait too long", body=BODY)


class Turned:
    """Seconds that pass at once, or never."""

    def __init__(self) -> None:
        self.over = False

    async def __call__(self, seconds: float) -> None:
        if not self.over:
            await asyncio.Event().wait()


class Plant:
    """A pipeline with a scripted model, as one process has it."""

    def __init__(self, store: Store | None, source: Turbine, model: Scripted, clock) -> None:
        self.waiting = Turned()
        self.model = model
        answers = StoredModelAnswers(store.database) if store else None
        asked = Keeping(model, answers, endpoint="here", clock=clock) if answers else model
        self.keeping = asked
        self.lateness = Lateness(Glosses(asked), seconds=60.0, pause=self.waiting)
        self.pipeline = Pipeline(
            source,
            source_name="recorded",
            store=store,
            writer=RulesWriter(),
            clock=clock,
            progress=lambda line: None,
            glossing=self.lateness,
        )


@pytest.fixture
def source(clock) -> Turbine:
    made = Turbine(clock)
    made.items = [timed_out()]
    return made


@pytest.fixture
async def store(sqlite_url) -> AsyncIterator[Store]:
    async with open_store(sqlite_url) as opened:
        yield opened


@asynccontextmanager
async def process(store, source, model, clock) -> AsyncIterator[Plant]:
    plant = Plant(store, source, model, clock)
    try:
        yield plant
    finally:
        await plant.lateness.stop()


async def test_words_are_stored_and_no_call_is_made_twice(store, source, clock) -> None:
    model = Scripted(SAID)
    async with process(store, source, model, clock) as plant:
        told = await plant.pipeline.digest(TURBINE, day(11))
        again = await plant.pipeline.digest(TURBINE, day(11))
    async with process(store, source, model, clock) as restarted:
        after = await restarted.pipeline.digest(TURBINE, day(11))
        fresh = await restarted.pipeline.digest(TURBINE, day(11), refresh=True)
    assert told.origin is Origin.MODEL
    (words,) = told.claims
    assert words.text == {Language.EN: WAITS_EN, Language.ZH: WAITS_ZH}
    assert again == told
    assert after == told
    assert fresh.claims == told.claims
    assert len(model.asked) == 1
    assert all(file.patch is None for file in told.reading.items[0].item.files or ())


class Withheld:
    """Gives no words in time, and all that it was asked for when it is told to."""

    def __init__(self) -> None:
        self.held: list[tuple[Digest, Callable[[Digest], Awaitable[None]]]] = []

    def owes(self, digest: Digest, now: datetime) -> bool:
        return False

    async def glossed(
        self, digest: Digest, completed: Callable[[Digest], Awaitable[None]]
    ) -> Digest:
        self.held.append((digest, completed))
        return digest

    def begin(self, digest: Digest, completed: Callable[[Digest], Awaitable[None]]) -> None:
        self.held.append((digest, completed))


async def test_late_words_replace_no_digest_that_was_told_anew(store, source, clock) -> None:
    withheld = Withheld()
    pipeline = Pipeline(
        source,
        source_name="recorded",
        store=store,
        writer=RulesWriter(),
        clock=clock,
        progress=lambda line: None,
        glossing=withheld,
    )
    await pipeline.digest(TURBINE, day(11))
    source.items.append(pull(2, at(12, 4), f'Revert "{timed_out().title}"'))
    clock.now = at(13, 1)
    await pipeline.digest(TURBINE, day(12))
    anew = await pipeline.digest(TURBINE, day(11))

    for digest, completed in reversed(withheld.held):
        await completed(replace(digest, origin=Origin.MODEL))
    told = await pipeline.digest(TURBINE, day(11))

    assert anew.reading.reverts
    assert told.reading.reverts
    assert told.origin is Origin.MODEL


async def test_without_a_model_nothing_changes(store, source, clock) -> None:
    plain = Pipeline(
        source,
        source_name="recorded",
        store=store,
        writer=RulesWriter(),
        clock=clock,
        progress=lambda line: None,
    )
    told = await plain.digest(TURBINE, day(11))
    assert told.model is None
    assert told.claims == ()
    assert told.origin is Origin.RULES


async def test_it_works_without_keeping_anything(source, clock) -> None:
    async with process(None, source, Scripted(SAID), clock) as plant:
        told = await plant.pipeline.digest(TURBINE, day(11))
        assert len(told.claims) == 1


async def test_what_was_stored_before_there_was_a_model_gets_its_words(
    store, source, clock
) -> None:
    async with process(store, source, Scripted(SAID), clock) as plant:
        plain = Pipeline(
            source,
            source_name="recorded",
            store=store,
            writer=RulesWriter(),
            clock=clock,
            progress=lambda line: None,
        )
        before = await plain.digest(TURBINE, day(11))
        told = await plant.pipeline.digest(TURBINE, day(11))
    assert len(told.claims) == 1
    assert replace(told, claims=(), model=None, origin=Origin.RULES) == before
    assert source.asked == ["turbine 11 00:00 12 00:00"], "nothing is collected again"


async def test_late_words_replace_the_stored_digest(store, source, clock) -> None:
    model = Scripted(SAID)
    model.open.clear()
    async with process(store, source, model, clock) as plant:
        plant.waiting.over = True
        told = await plant.pipeline.digest(TURBINE, day(11))
        meanwhile = await plant.pipeline.digest(TURBINE, day(11))
        assert told.model
        assert told.model.outcome is ModelOutcome.LATE
        assert meanwhile == told
        model.open.set()
        await plant.lateness.settle()
        whole = await plant.pipeline.digest(TURBINE, day(11))
    assert len(whole.claims) == 1
    assert len(model.asked) == 1
    assert len(source.asked) == 1


async def test_a_process_that_ends_loses_nothing_that_was_paid_for(store, source, clock) -> None:
    source.items.append(pull(2, at(11, 4), "[Feature] Turn the other way", body=BODY))
    model = Scripted(SAID)
    model.open.clear()
    async with process(store, source, model, clock) as plant:
        plant.waiting.over = True
        await plant.pipeline.digest(TURBINE, day(11))
        await model.reached(2)
        await plant.lateness.stop()
        # The questions are paid for: they go on, and are kept, until their server is let go of.
        model.open.set()
        await asyncio.gather(*plant.keeping._asked.values())
    assert len(model.asked) == 2
    async with process(store, source, model, clock) as restarted:
        whole = await restarted.pipeline.digest(TURBINE, day(11))
    assert len(whole.claims) == 1
    assert len(model.asked) == 2


async def test_late_words_of_a_day_that_was_collected_anew_are_let_go(store, source, clock) -> None:
    model = Scripted(SAID)
    model.open.clear()
    async with process(store, source, model, clock) as plant:
        plant.waiting.over = True
        await plant.pipeline.digest(TURBINE, day(11))
        clock.advance(minutes=1)
        source.items.append(pull(3, at(11, 9)))
        newer = await plant.pipeline.digest(TURBINE, day(11), refresh=True)
        model.open.set()
        await plant.lateness.settle()
        whole = await plant.pipeline.digest(TURBINE, day(11))
    assert len(newer.reading.items) == 2
    assert len(whole.reading.items) == 2
    assert len(whole.claims) == 1


async def test_new_rules_of_proof_apply_to_kept_answers_without_a_call(
    store, source, clock
) -> None:
    model = Scripted(SAID)
    async with process(store, source, model, clock) as plant:
        told = await plant.pipeline.digest(TURBINE, day(11))
    assert told.model
    older = replace(told, claims=(), model=replace(told.model, verifier="older"))
    await store.digests("recorded").save(older)
    async with process(store, source, model, clock) as restarted:
        judged = await restarted.pipeline.digest(TURBINE, day(11))
    assert judged.claims == told.claims
    assert judged.model == told.model
    assert len(model.asked) == 1


async def test_sentences_that_other_rules_proved_are_not_told_also_without_a_model(
    store, source, clock
) -> None:
    async with process(store, source, Scripted(SAID), clock) as plant:
        told = await plant.pipeline.digest(TURBINE, day(11))
    plain = Pipeline(
        source,
        source_name="recorded",
        store=store,
        writer=RulesWriter(),
        clock=clock,
        progress=lambda line: None,
    )
    assert (await plain.digest(TURBINE, day(11))).claims == told.claims
    assert told.model
    older = replace(told, model=replace(told.model, verifier="older"))
    await store.digests("recorded").save(older)

    kept = await plain.digest(TURBINE, day(11))
    assert (kept.claims, kept.model, kept.origin) == ((), None, Origin.RULES)
    assert kept.headline == told.headline


async def test_what_was_asked_answered_and_dropped_can_be_read(store, source, clock) -> None:
    model = Scripted(answer(claim(), claim(WAITS, LIE_EN, LIE_ZH)))
    async with process(store, source, model, clock) as plant:
        await plant.pipeline.digest(TURBINE, day(11))
        read = await plant.pipeline.read_item(TURBINE, "1")
        whole = await plant.pipeline.with_hunks(TURBINE, read)
        asked = await questions(whole, plant.keeping.answers_about)
        unknown = replace(read, item=replace(read.item, key="elsewhere"))
        assert await plant.pipeline.with_hunks(TURBINE, unknown) == unknown
    assert whole.item.files is not None
    assert whole.item.files[0].patch
    by_task = {question.task: question for question in asked}
    assert by_task.keys() == {"gloss", "repair"}
    first = by_task["gloss"]
    assert (first.model, first.version, first.input_tokens) == ("scripted", "1", 100)
    assert [verdict.claim is not None for verdict in first.verdicts] == [True, False]
    assert first.verdicts[1].failures


async def test_an_answer_that_could_not_be_read_says_so(store, source, clock) -> None:
    async with process(store, source, Scripted("no JSON"), clock) as plant:
        told = await plant.pipeline.digest(TURBINE, day(11))
        read = await plant.pipeline.read_item(TURBINE, "1")
        (question,) = await questions(read, plant.keeping.answers_about)
    assert question.verdicts == ()
    assert "no JSON" in question.unread
    assert told.model
    assert told.model.outcome is ModelOutcome.FAILED
