"""A thread goes out in time and is completed by edit: nothing is posted, nobody is pinged."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.deliver.completing import LOOKED_BACK
from bot.model.ports import ChannelGone, Limited, MessageGone, PlatformDown, Refused
from digest.errors import ModelFailed
from digest.languages import Language
from digest.models import Repo, Roundup, Window
from digest.pipeline import Pipeline
from digest.store.database import upgrade
from tests.bot.bot_fixture import morning
from tests.bot.late_bot import Late, about_jobs, chinese, payloads, process, words
from tests.bot.platform_fake import ADA, CHANNEL, KILN, LOOM, OTHER, Transcript
from tests.conftest import SetClock
from tests.digest.asking.scripted import Scripted


async def test_a_thread_is_in_time_and_completed_by_edit(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    before = payloads(late)
    assert " was late" in before[0][1]
    assert late.says(1100) == []
    await late.completing.complete(morning())
    assert payloads(late) == before, "nothing has come yet"
    await late.answers()
    await late.completing.complete(morning())
    after = payloads(late)
    assert [ref for ref, _ in after] == [ref for ref, _ in before], "no message is new"
    assert late.says(1100)
    assert late.says(1102)
    assert " + checked" in after[0][1]
    assert "was late" not in after[0][1]


async def test_it_is_completed_once(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    await late.completing.complete(morning())
    edits, asked = late.platform.edits, len(late.model.asked)
    assert edits > 0
    await late.completing.complete(morning())
    late.completing._over.clear()
    await late.completing.complete(morning())
    assert late.platform.edits == edits
    assert len(late.model.asked) == asked


async def test_the_next_process_goes_on_and_repeats_nothing(
    database_url: str, clock: SetClock
) -> None:
    await upgrade(database_url)
    model, platform = Scripted(about_jobs), Transcript()
    model.open.clear()
    async with process(database_url, clock, platform, model) as first:
        await first.bot.subscribe()
        await first.bot.chat.deliver_due(morning())
    posted = len(platform.said[CHANNEL])
    model.open.set()
    async with process(database_url, clock, platform, model) as second:
        await second.completing.complete(morning())
        await second.lateness.settle()
        await second.completing.complete(morning())
        assert second.says(1100)
        edits = platform.edits
    async with process(database_url, clock, platform, model) as third:
        await third.completing.complete(morning())
    assert platform.edits == edits
    assert len(platform.said[CHANNEL]) == posted


async def test_a_thread_that_had_its_words_is_left_alone(late: Late) -> None:
    late.model.open.set()
    late.lateness._seconds = 5.0

    async def never(seconds: float) -> None:
        await asyncio.Event().wait()

    late.lateness._pause = never
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    assert late.says(1100)
    await late.completing.complete(morning())
    assert late.platform.edits == 0


async def test_flags_stay_on_a_message_that_is_completed(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    item = next(each for each in late.platform.said[CHANNEL] if "CVE-2026-1100" in each.text)
    await late.bot.chat.flag(CHANNEL, item.ref, ADA, morning())
    assert "flagged by ada" in late.platform.at(CHANNEL, item.ref).state
    await late.answers()
    await late.completing.complete(morning())
    after = late.platform.at(CHANNEL, item.ref)
    assert "flagged by ada" in after.state
    assert words(1100)[:-1] in after.payload
    other = next(each for each in late.platform.said[CHANNEL] if "CVE-2026-1101" in each.text)
    await late.bot.chat.flag(CHANNEL, other.ref, ADA, morning())
    flagged = late.platform.at(CHANNEL, other.ref)
    assert "flagged by ada" in flagged.state
    assert words(1101)[:-1] in flagged.payload, "the words stay when its state is drawn later"


async def test_each_channel_is_completed_in_its_own_language(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.subscribe(OTHER, language=Language.ZH, at=morning().time())
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    await late.completing.complete(morning())
    assert late.says(1100)
    said = [json.loads(each.payload)["all"] for each in late.platform.said[OTHER]]
    assert any(chinese(1000) in blocks for blocks in said)
    assert not any(words(1000) in blocks for blocks in said)
    asked = [request.about for request in late.model.asked if request.task == "gloss"]
    assert len(asked) == len(set(asked)), "a second channel and language cost no call"


class Counted:
    """Stored roundups, counted."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.count = 0

    async def stored(self, repos: Sequence[Repo], window: Window) -> Roundup:
        self.count += 1
        return await self.pipeline.stored(repos, window)


async def test_a_look_reads_what_is_stored_once_for_all_channels(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.subscribe(OTHER)
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    counted = Counted(late.bot.pipeline)
    late.completing._roundups = counted
    await late.completing.complete(morning())
    assert counted.count == 1
    assert late.says(1100)
    assert any(words(1100)[:-1] in each.payload for each in late.platform.said[OTHER])


async def test_the_links_of_a_roundup_stay(late: Late) -> None:
    await late.bot.subscribe(repos=(KILN, LOOM))
    await late.bot.chat.deliver_due(morning())
    roundup = late.platform.said[CHANNEL][0]
    assert "https://chat.example/C1/" in roundup.payload
    await late.answers()
    await late.completing.complete(morning())
    assert "https://chat.example/C1/" in late.platform.said[CHANNEL][0].payload
    assert " + checked" in late.platform.said[CHANNEL][0].payload
    assert late.says(1100)


async def test_a_channel_that_changed_meanwhile_keeps_what_was_said(late: Late) -> None:
    subscription = await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    before = payloads(late)
    await late.answers()
    changed = replace(subscription, language=Language.ZH)
    await late.bot.store.subscriptions.change(CHANNEL, lambda current: changed)
    await late.completing.complete(morning())
    assert payloads(late) == before


async def test_a_channel_that_unsubscribed_is_left_alone(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    before = payloads(late)
    await late.bot.store.subscriptions.change(CHANNEL, lambda current: None)
    await late.answers()
    await late.completing.complete(morning())
    assert payloads(late) == before


async def test_nobody_completes_what_is_older_than_a_day(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    await late.completing.complete(morning() + LOOKED_BACK + timedelta(minutes=1))
    assert late.platform.edits == 0


async def test_a_message_that_is_gone_or_refused_stops_no_other(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    late.platform.faults = [
        ("edit", MessageGone("deleted by an admin"), False),
        ("edit", Refused("too long"), False),
    ]
    await late.answers()
    await late.completing.complete(morning())
    assert late.says(1101) or late.says(1102)
    edits = late.platform.edits
    await late.completing.complete(morning())
    assert late.platform.edits == edits


async def test_a_platform_that_is_down_is_tried_again_later(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    late.platform.faults = [("edit", PlatformDown("HTTP 503"), False)]
    await late.completing.complete(morning())
    assert late.says(1100) == []
    await late.completing.complete(morning())
    assert late.says(1100)


async def test_a_limit_is_waited_for(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    late.platform.faults = [("edit", Limited("slow down", 3.0), False)]
    await late.completing.complete(morning())
    assert late.says(1100)


async def test_a_long_limit_is_left_to_a_later_look(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    late.platform.faults = [("edit", Limited("slow down", 300.0), False)]
    await late.completing.complete(morning())
    assert late.platform.edits == 0
    await late.completing.complete(morning())
    assert late.says(1100)


async def test_a_channel_that_is_gone_is_not_tried_for_ever(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    late.platform.faults = [("edit", ChannelGone("the channel is archived"), False)]
    await late.completing.complete(morning())
    await late.completing.complete(morning())
    assert late.platform.edits == 0


async def test_a_server_that_comes_back_completes_the_thread(late: Late, clock: SetClock) -> None:
    late.model.script = ModelFailed("HTTP 500")
    late.model.open.set()
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.lateness.settle()
    await late.completing.complete(morning())
    assert late.says(1100) == []
    late.model.script = about_jobs
    clock.advance(minutes=11)
    await late.completing.complete(clock())
    await late.lateness.settle()
    await late.completing.complete(clock())
    assert late.says(1100)


async def test_looking_is_started_by_the_clock_and_stopped_with_the_process(late: Late) -> None:
    await late.bot.subscribe()
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    late.completing.tick(morning())
    late.completing.tick(morning())
    await late.completing.settle()
    assert late.says(1100)
    late.completing.tick(morning())
    await late.completing.stop()
