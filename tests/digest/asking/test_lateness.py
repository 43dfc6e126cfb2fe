"""A digest is never late because of a model; time is injected."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from digest.asking.glosses import Glosses
from digest.asking.lateness import TRIED_AGAIN, WHILE_BEHIND, WORTH_TRYING, Lateness
from digest.claims import ModelOutcome, ModelUse
from digest.errors import StoreFailed
from digest.grounding.verification import VERIFIER_VERSION
from digest.models import Digest, Origin
from tests.digest.asking.scripted import Scripted, own_words, weighty
from tests.digest.writing import invented

LATER = invented.COLLECTED + timedelta(minutes=1)


class Waiting:
    """Seconds of the real clock that pass when the test says so."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self.over.wait()


def day(number: int = 1) -> Digest:
    return invented.written(invented.reading((weighty(number),)))


def late(model: Scripted, waiting: Waiting) -> Lateness:
    return Lateness(Glosses(model), seconds=60.0, pause=waiting)


async def test_words_that_come_in_time_are_in_the_digest() -> None:
    model, waiting, handed = Scripted(own_words), Waiting(), []

    async def completed(digest: Digest) -> None:
        handed.append(digest)

    digest = await late(model, waiting).glossed(day(), completed)
    assert len(digest.claims) == 1
    assert handed == []


async def test_past_its_time_a_digest_goes_out_as_rules_wrote_it_and_is_completed_later() -> None:
    model, waiting, handed = Scripted(own_words), Waiting(), []
    model.open.clear()
    lateness = late(model, waiting)

    async def completed(digest: Digest) -> None:
        handed.append(digest)

    task = asyncio.create_task(lateness.glossed(day(), completed))
    await model.reached(1)
    waiting.over.set()
    digest = await task
    assert waiting.asked == [60.0]
    assert digest.claims == ()
    assert digest.origin is Origin.RULES
    assert digest.model == ModelUse("scripted", ModelOutcome.LATE, asked=1, unanswered=1)
    assert digest.points == day().points
    assert not lateness.owes(digest, LATER), "it is on its way"
    model.open.set()
    await lateness.settle()
    (whole,) = handed
    assert len(whole.claims) == 1
    assert len(model.asked) == 1


async def test_while_words_are_late_other_digests_do_not_wait_as_long() -> None:
    model, waiting = Scripted(own_words), Waiting()
    model.open.clear()
    waiting.over.set()
    lateness = late(model, waiting)
    for number in (1, 2):
        other = replace(day(number).reading, repo=replace(invented.REPO, name=f"kiln{number}"))
        digest = await lateness.glossed(replace(day(number), reading=other), _ignored)
        assert digest.model
        assert digest.model.outcome is ModelOutcome.LATE
    assert waiting.asked == [60.0, WHILE_BEHIND]
    await lateness.stop()


async def test_who_is_stopped_asks_no_more_and_hands_nothing_over() -> None:
    model, waiting, handed = Scripted(own_words), Waiting(), []
    model.open.clear()
    waiting.over.set()
    lateness = late(model, waiting)

    async def completed(digest: Digest) -> None:
        handed.append(digest)

    digest = await lateness.glossed(day(), completed)
    await lateness.stop()
    assert model.running == 0
    assert handed == []
    assert lateness.owes(digest, LATER), "the next process goes on with it"


async def test_who_stops_waiting_asks_no_more() -> None:
    model, waiting = Scripted(own_words), Waiting()
    model.open.clear()
    task = asyncio.create_task(late(model, waiting).glossed(day(), _ignored))
    await model.reached(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert model.running == 0


async def test_late_words_that_cannot_be_stored_are_logged_and_owed() -> None:
    model, waiting = Scripted(own_words), Waiting()
    model.open.clear()
    waiting.over.set()
    lateness = late(model, waiting)

    async def completed(digest: Digest) -> None:
        raise StoreFailed("the disk is full")

    digest = await lateness.glossed(day(), completed)
    with capture_logs() as lines:
        model.open.set()
        await lateness.settle()
    assert {"late words not stored"} <= {line["event"] for line in lines}
    assert lateness.owes(digest, LATER)


@pytest.mark.parametrize(
    ("outcome", "verifier", "minutes", "owed"),
    [
        (None, "", 0, True),
        (ModelOutcome.LATE, "", 0, True),
        (ModelOutcome.COMPLETE, VERIFIER_VERSION, 1_000, False),
        (ModelOutcome.PARTIAL, VERIFIER_VERSION, 1_000, False),
        (ModelOutcome.COMPLETE, "other rules", 0, True),
        (ModelOutcome.FAILED, VERIFIER_VERSION, 1, False),
        (ModelOutcome.FAILED, VERIFIER_VERSION, 11, True),
        (ModelOutcome.OVER_BUDGET, VERIFIER_VERSION, 1, False),
        (ModelOutcome.OVER_BUDGET, VERIFIER_VERSION, 11, True),
    ],
)
async def test_what_a_stored_digest_is_owed(
    outcome: ModelOutcome | None, verifier: str, minutes: int, owed: bool
) -> None:
    assert timedelta(minutes=1) < TRIED_AGAIN < timedelta(minutes=11)
    use = ModelUse("scripted", outcome, asked=3, verifier=verifier) if outcome else None
    digest = replace(day(), model=use)
    now = digest.generated_at + timedelta(minutes=minutes)
    assert late(Scripted(), Waiting()).owes(digest, now) is owed


@pytest.mark.parametrize(
    ("unanswered", "passed", "owed"),
    [
        (2, TRIED_AGAIN, True),
        (2, TRIED_AGAIN / 2, False),
        (0, TRIED_AGAIN, False),
        (2, WORTH_TRYING + TRIED_AGAIN, False),
    ],
)
async def test_items_that_got_no_answer_are_asked_about_again_while_they_are_read(
    unanswered: int, passed: timedelta, owed: bool
) -> None:
    use = ModelUse(
        "scripted",
        ModelOutcome.PARTIAL,
        asked=9,
        claims=7,
        unanswered=unanswered,
        verifier=VERIFIER_VERSION,
    )
    told = day()
    digest = replace(told, model=use, generated_at=told.reading.window.end)
    now = told.reading.window.end + passed
    assert late(Scripted(), Waiting()).owes(digest, now) is owed


async def _ignored(digest: Digest) -> None:
    return None
