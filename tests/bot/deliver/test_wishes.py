"""What a channel asks for beside its messages, and cannot have."""

from bot.model.channel_commands import RoleMention
from bot.model.parts import Mark
from bot.model.ports import Limited, Unmet, Wish
from bot.model.slots import due
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import KILN, LOOM
from tests.conftest import SetClock
from tests.phrases import english

ON_SECURITY = RoleMention("301", frozenset({Mark.SECURITY}))
NO_ROLE = Unmet(Wish.MENTION, SAY.discord.no_role)


async def test_what_cannot_be_had_is_said_once_and_keeps_no_morning(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(mention=ON_SECURITY)
    said = []
    for wanting in ((NO_ROLE,), (NO_ROLE,), (), (NO_ROLE,)):
        bot.platform.wanting = wanting
        before = len(bot.platform.texts())
        await bot.chat.deliver_due(clock())
        assert len(bot.platform.texts()) > before
        said.append(len(bot.platform.told))
        error = english((await bot.subscription()).last_error)
        assert ("role" in error) is bool(wanting)
        clock.advance(days=1)

    assert said == [1, 1, 1, 2]


async def test_a_role_is_mentioned_once_a_morning_and_on_its_days_alone(
    bot: Bot, clock: SetClock
) -> None:
    wanted = {"repos": (KILN, LOOM), "last_delivered_end": None}
    breaks = RoleMention("301", frozenset({Mark.BREAKING}))
    found = []
    for mention in (ON_SECURITY, breaks):
        subscription = await bot.subscribe(mention=mention, **wanted)
        slot = due(subscription, clock())
        assert slot
        morning = await bot.planning.morning(subscription, slot)
        found.append([thread.mention for thread in morning.threads])

    assert found == [["301", "", ""], ["", "", ""]]


async def test_a_morning_is_published_once_it_is_linked(bot: Bot, clock: SetClock) -> None:
    await bot.subscribe(repos=(KILN, LOOM), publish=True)
    edits = []
    bot.platform.step = lambda name: edits.append((name, list(bot.platform.published)))

    await bot.chat.deliver_due(clock())

    assert len(bot.platform.published) == 3  # the roundup, and a thread each
    assert [published for name, published in edits if name == "edited"] == [[]]


async def test_a_limit_on_publishing_is_told_and_keeps_no_morning(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe(publish=True)
    bot.platform.faults = [("publish", Limited(Phrase.as_written("ten an hour"), 3600), False)]

    await bot.chat.deliver_due(clock())

    stored = await bot.subscription()
    assert stored.last_delivered_date
    assert "ten an hour" in english(stored.last_error)
