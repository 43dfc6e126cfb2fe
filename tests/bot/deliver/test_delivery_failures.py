"""What fails is tried again as often as it should be, and keeps nobody else from their morning."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import structlog
from sqlalchemy import select

from bot.deliver.delivery import Delivering
from bot.deliver.planning import PATIENT_TRIES, PAUSES
from bot.model.parts import Thread
from bot.model.ports import MessageGone, OutcomeUnknown, PlatformDown, Refused
from bot.model.subscriptions import Subscription
from bot.store.tables import DELIVERIES, SUBSCRIPTIONS
from digest.errors import BadToken, Unreachable
from digest.languages import Language
from digest.models import Activity, Repo, Window
from digest.store.database import execute, first_row
from digest.wording.saying import CATALOGUES
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import CHANNEL, KILN, LOOM, OTHER, Forge, at
from tests.conftest import SetClock
from tests.phrases import english


async def test_a_subscription_that_cannot_be_read_keeps_no_other_from_its_morning(
    bot: Bot, clock: SetClock
) -> None:
    broken = await bot.subscribe()
    await bot.subscribe(OTHER)
    own, body = SUBSCRIPTIONS.c.id == broken.id, SUBSCRIPTIONS.c.body
    stored = (await bot.digests.database.read(first_row(select(body).where(own)))).body
    wrong = SUBSCRIPTIONS.update().where(own).values(body=stored.replace(b'"line"', b'"sung"'))
    await bot.digests.database.write(execute(wrong), "")

    with structlog.testing.capture_logs() as logs:
        await bot.chat.deliver_due(clock())

    assert bot.platform.texts(OTHER)
    (line,) = (line for line in logs if line["event"] == "subscription not readable")
    assert line["channel"] == str(broken.channel)


async def test_a_day_of_which_a_part_is_known_waits_for_the_rest_as_an_unknown_one_does(
    bot: Bot, clock: SetClock
) -> None:
    """The mornings of the east leave the first hours of a western day in the store."""
    await bot.subscribe(OTHER, tz="Asia/Tokyo")
    clock.now = at(12, 1)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts(OTHER)
    await bot.subscribe(last_delivered_end=at(11), last_delivered_date=at(11).date())
    bot.forge.down[KILN] = Unreachable("GitHub hangs")
    clock.now = at(12, 9)
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts(CHANNEL) == []

    bot.forge.down.clear()
    clock.advance(minutes=2)
    await bot.chat.deliver_due(clock())

    parent = bot.platform.said[CHANNEL][0]
    assert "kiln" in parent.text
    assert "GitHub hangs" not in parent.payload


class Sick(Forge):
    """A source in which one repository meets an error that nobody foresaw."""

    sick: Repo | None = None

    async def collect(self, repo: Repo, window: Window) -> Activity:
        if repo == self.sick:
            raise TypeError("'<' not supported between instances of 'str' and 'int'")
        return await super().collect(repo, window)


async def test_an_error_that_nobody_foresaw_costs_its_own_repository_alone(
    bot: Bot, clock: SetClock
) -> None:
    bot.pipeline.source = sick = Sick(clock)
    sick.sick = LOOM
    await bot.subscribe(repos=(KILN, LOOM))
    with structlog.testing.capture_logs() as logs:
        for pause in (timedelta(0), *PAUSES[:PATIENT_TRIES]):
            clock.advance(seconds=pause.total_seconds())
            await bot.chat.deliver_due(clock())

    said = "\n".join(bot.platform.texts())
    assert "kiln" in said
    assert "not looked at: loom" in said
    assert "not supported" not in said
    (line, *_) = (line for line in logs if line["event"] == "repository failed")
    assert (line["repo"], line["doing"]) == ("example-org/loom", "collecting")
    sick.sick = None
    clock.advance(hours=24)
    await bot.chat.deliver_due(clock())
    assert "in loom #" in "\n".join(bot.platform.texts())


async def test_a_delivery_that_meets_an_error_waits_longer_each_time_and_its_subscriber_hears(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bot.subscribe()
    await bot.subscribe(OTHER, created_by="")
    plain = bot.planning.threads

    def odd(subscription: Subscription, *given: Any, **named: Any) -> tuple[Thread, ...]:
        if subscription.channel == CHANNEL:
            raise ValueError("an odd value")
        return plain(subscription, *given, **named)

    monkeypatch.setattr(bot.planning, "threads", odd)
    waits = []
    with structlog.testing.capture_logs() as logs:
        for pause in (timedelta(0), *PAUSES[:3]):
            clock.advance(seconds=pause.total_seconds())
            await bot.chat.deliver_due(clock())
            await bot.chat.deliver_due(clock())
            (waiting,) = (await bot.store.deliveries.unfinished()).values()
            assert waiting.retry_at
            waits.append(waiting.retry_at - clock())

    assert waits == list(PAUSES[:4])
    assert bot.platform.texts(OTHER)
    assert "error of its own" in english((await bot.subscription()).last_error)
    clock.advance(seconds=PAUSES[3].total_seconds())
    publishers = {CHANNEL.platform: bot.platform}
    other = Delivering(bot.planning, bot.store, publishers, clock=clock, owner="second")
    await other.start_due(clock())
    await other.settle()
    ((person, said),) = bot.platform.told
    assert person == "U1"
    assert "error of its own" in said
    assert "odd value" not in said
    assert sum(line["event"] == "delivery failed" for line in logs) == 4

    monkeypatch.setattr(bot.planning, "threads", plain)
    clock.advance(seconds=PAUSES[4].total_seconds())
    await bot.chat.deliver_due(clock())
    assert bot.platform.texts(CHANNEL)


def refuse(bot: Bot, number: int, error: Refused | MessageGone) -> None:
    """Have the platform refuse the message of a number, counted from 0."""
    sent = iter(range(number))

    def step(name: str) -> None:
        if name == "send" and next(sent, None) is None:
            bot.platform.step = lambda _: None
            raise error

    bot.platform.step = step


@pytest.mark.parametrize("number", [0, 1])
async def test_a_message_that_is_refused_is_said_to_be_missing_in_its_place(
    bot: Bot, clock: SetClock, number: int
) -> None:
    await bot.subscribe()
    refuse(bot, number, Refused("too long"))

    await bot.chat.deliver_due(clock())
    await bot.chat.deliver_due(clock())

    said = bot.platform.said[CHANNEL]
    assert [
        place
        for place, each in enumerate(said)
        if CATALOGUES[Language.EN].delivering.missing in each.payload
    ] == [number]
    assert {each.parent for each in said[1:]} == {said[0].ref}
    subscription = await bot.store.subscriptions.of(CHANNEL)
    assert subscription
    assert english(subscription.last_error).startswith("1 of the messages of 2026-02-1")


async def test_a_line_in_the_place_of_a_message_is_not_taken_for_it_where_its_answer_is_lost(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    sent = iter(range(9))

    def step(name: str) -> None:
        if name == "send" and next(sent) == 1:
            raise Refused("too long")
        if name == "sent" and number_of_line():
            raise OutcomeUnknown("no answer")

    def number_of_line() -> bool:
        said = bot.platform.said[CHANNEL]
        return bool(said) and CATALOGUES[Language.EN].delivering.missing in said[-1].payload

    bot.platform.step = step

    await bot.chat.deliver_due(clock())
    bot.platform.step = lambda _: None
    await bot.chat.deliver_due(clock())

    said = [
        CATALOGUES[Language.EN].delivering.missing in each.payload
        for each in bot.platform.said[CHANNEL]
    ]
    assert said.count(True) == 1
    subscription = await bot.store.subscriptions.of(CHANNEL)
    assert subscription
    assert english(subscription.last_error).startswith("1 of the messages of 2026-02-1")


async def test_a_message_whose_thread_is_gone_is_told_where_errors_are_told(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    refuse(bot, 1, MessageGone("it is gone"))

    await bot.chat.deliver_due(clock())

    subscription = await bot.store.subscriptions.of(CHANNEL)
    assert subscription
    assert "missing in the thread" in english(subscription.last_error)
    assert subscription.last_delivered_date


async def test_a_token_that_github_refuses_is_said_in_the_thread_and_its_days_come_later(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    bot.forge.down[KILN] = BadToken("GitHub refused the token")
    for _ in range(30):
        await bot.chat.deliver_due(clock())
        clock.advance(minutes=5)
    (said,) = bot.platform.texts()
    assert "GitHub refused the token" in said

    bot.forge.down.clear()
    clock.now = at(13, 9)
    await bot.chat.deliver_due(clock())

    parents = [each.text for each in bot.platform.said[CHANNEL] if each.parent is None]
    assert len(parents) == 2
    assert "Tue 10 Feb – Thu 12 Feb" in parents[-1]


async def test_a_delivery_that_cannot_be_read_is_told_no_further_and_keeps_no_other_waiting(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    sent = iter(range(1))

    def fail_after_one(name: str) -> None:
        if name == "send" and next(sent, None) is None:
            raise PlatformDown("down")

    bot.platform.step = fail_after_one
    await bot.chat.deliver_due(clock())
    bot.platform.step = lambda name: None
    begun = bot.platform.texts()
    assert len(begun) == 1
    body = DELIVERIES.c.body
    stored = (await bot.digests.database.read(first_row(select(body)))).body
    wrong = DELIVERIES.update().values(body=stored.replace(b'"window"', b'"door"'))
    await bot.digests.database.write(execute(wrong), "")
    await bot.subscribe(OTHER)

    looked: list[datetime] = []
    for day in (12, 13):
        clock.now = at(day, 10)
        with structlog.testing.capture_logs() as logs:
            bot.chat.tick(clock(), looked=looked.append)
            await bot.chat.settle()
        assert "delivery not readable" in {line["event"] for line in logs}

    assert bot.platform.texts() == begun
    assert (await bot.subscription(OTHER)).last_delivered_date == at(13).date()
    assert "not a recorded slot" in english((await bot.subscription()).last_error)
    assert looked == [at(12, 10), at(13, 10)]
