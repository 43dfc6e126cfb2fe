"""A source that fails, or is silent for unusually long, is said once to who subscribed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.model.channel_commands import Quiet
from bot.model.ports import PlatformDown
from bot.model.slots import due
from digest.errors import Unreachable
from digest.models import Activity, Item, Notice, NoticeKind, Repo, Roundup, Window
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import ADA_HERE, CHANNEL, KILN, LOOM, SECRET, Transcript, at
from tests.conftest import SetClock, on_both_databases


async def mornings(bot: Bot, clock: SetClock, *days: int) -> None:
    for day in days:
        clock.now = morning(day)
        await bot.chat.deliver_due(clock())


async def test_who_subscribed_hears_once_of_a_repository_that_fell_silent(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(created_at=at(1))
    await mornings(bot, clock, *range(2, 15))
    bot.forge.changes = 0
    await mornings(bot, clock, *range(15, 24))

    ((person, said),) = bot.platform.told
    assert person == "U1"
    assert "example-org/kiln has been silent" in said


async def test_who_subscribed_hears_once_of_a_repository_that_fails_for_days(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.down[LOOM] = Unreachable("GitHub hangs")
    await bot.subscribe(repos=(KILN, LOOM))
    for day in (12, 13, 14):
        for hours in range(4):
            clock.now = morning(day) + timedelta(hours=hours)
            await bot.chat.deliver_due(clock())

    ((_, said),) = bot.platform.told
    assert "example-org/loom could not be looked at" in said
    assert "GitHub hangs" in said


@on_both_databases
async def test_a_failure_that_another_process_saw_end_does_not_go_on(
    chosen_url: str, clock: SetClock
) -> None:
    platform = Transcript()
    async with (
        open_bot(chosen_url, clock, platform, owner="first") as first,
        open_bot(chosen_url, clock, platform, owner="second") as second,
    ):
        stored = await first.subscribe()
        slots = {day: due(stored, morning(day)) for day in (12, 13, 15)}
        for day, bot in ((12, first), (13, second), (15, first)):
            clock.now = morning(day)
            slot = slots[day]
            assert slot
            found = await bot.planning.gathered(stored, slot)
            blind = Roundup(slot.window, (), ((KILN, "GitHub hangs"),))
            await bot.delivering._news.take(stored, slot, found if bot is second else blind)

        assert (await first.store.sources.of(KILN)).failing_since == at(15)
    assert platform.told == []


def noticing(bot: Bot, *notices: Notice) -> None:
    collect = bot.forge.collect

    async def noticed(repo: Repo, window: Window) -> Activity:
        found = await collect(repo, window)
        return replace(found, notices=notices if repo == KILN else ())

    bot.forge.collect = noticed  # type: ignore[method-assign]  # this forge tells more


async def test_a_renamed_repository_is_still_known_by_what_was_told_under_its_old_name(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    await mornings(bot, clock, 12)
    noticing(bot, Notice(NoticeKind.RENAMED, str(KILN), "new-org/oven"))
    await mornings(bot, clock, 13, 14)

    async def find(repo: Repo, ref: str) -> Item:
        return bot.forge._change(repo, at(11), 0)

    bot.forge.find = find  # type: ignore[method-assign]  # this forge knows what is not stored
    reply = await bot.chat.answer_text("why new-org/oven #1100", ADA_HERE)

    assert "In this channel: told on 2026-02-12 in a message of its own." in [
        part.summary for part in reply.parts
    ]
    oven = await bot.store.sources.of(Repo("new-org", "oven"))
    assert oven.formerly == (str(KILN),)
    assert oven.looks[0].start == at(10)


@pytest.mark.parametrize("strangers", [set(), {"U1"}])
async def test_who_subscribed_and_became_a_stranger_hears_no_news_of_what_is_private(
    bot: Bot, clock: SetClock, strangers: set[str]
) -> None:
    noticing(bot, Notice(NoticeKind.RENAMED, str(KILN), str(SECRET)))
    bot.platform.strangers = strangers
    await bot.subscribe()

    await mornings(bot, clock, 12)

    assert (await bot.subscription()).repos == (SECRET,)
    assert len(bot.platform.told) == (0 if strangers else 1)


async def test_a_repository_that_became_one_that_may_not_be_told_here_keeps_its_old_name(
    bot: Bot, clock: SetClock
) -> None:
    noticing(bot, Notice(NoticeKind.RENAMED, str(KILN), str(SECRET)))
    elsewhere = replace(CHANNEL, workspace="T9")
    await bot.subscribe(channel=elsewhere)

    await mornings(bot, clock, 12)

    assert (await bot.subscription(elsewhere)).repos == (KILN,)
    assert bot.platform.told == []


async def test_a_new_default_branch_is_said_once(bot: Bot, clock: SetClock) -> None:
    noticing(bot, Notice(NoticeKind.DEFAULT_BRANCH_CHANGED, "master", "main"))
    await bot.subscribe()

    await mornings(bot, clock, 12, 13)

    ((_, said),) = bot.platform.told
    assert said == "The default branch of example-org/kiln is main now; before it was master."


async def test_what_is_not_said_while_nobody_knows_who_subscribed_is_said_later(
    bot: Bot, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    noticing(bot, Notice(NoticeKind.DEFAULT_BRANCH_CHANGED, "master", "main"))
    private = {KILN: frozenset({"slack:T1"})}
    monkeypatch.setitem(vars(bot.planning.visibility), "private", private)
    await bot.subscribe()

    bot.platform.faults = [("is_stranger", PlatformDown("away"), False)]
    await mornings(bot, clock, 12)
    assert bot.platform.told == []

    await mornings(bot, clock, 13, 14)
    assert len(bot.platform.told) == 1


async def test_a_channel_that_hears_nothing_of_quiet_days_hears_once_a_week_that_it_is_quiet(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.changes = 0
    await bot.subscribe(quiet=Quiet.NOTHING, created_at=at(1))

    await mornings(bot, clock, *range(2, 25))

    said = bot.platform.texts()
    assert said == [
        "kiln: quiet since Sat 31 Jan; last looked at 2026-02-08 09:00.",
        "kiln: quiet since Sat 31 Jan; last looked at 2026-02-15 09:00.",
        "kiln: quiet since Sat 31 Jan; last looked at 2026-02-22 09:00.",
    ]


async def test_silence_that_nobody_could_look_at_is_never_called_quiet(
    bot: Bot, clock: SetClock
) -> None:
    bot.forge.down[KILN] = Unreachable("GitHub hangs")
    await bot.subscribe(quiet=Quiet.NOTHING, created_at=at(1))
    for hours in range(24 * 9):
        clock.now = morning(2) + timedelta(hours=hours)
        await bot.chat.deliver_due(clock())

    assert bot.platform.texts()
    assert all("quiet since" not in text for text in bot.platform.texts())
