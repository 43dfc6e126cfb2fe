"""What a person on Discord can do through the bot, with the whole bot behind the gateway."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.discord.permissions import (
    ADMINISTRATOR,
    MANAGE_CHANNELS,
    SEND_IN_THREADS,
    SEND_MESSAGES,
    VIEW_CHANNEL,
)
from bot.model.channels import Channel, Platform
from bot.model.subscriptions import Subscription
from digest.store.database import upgrade
from tests.adapters.discord.asked import (
    COMMAND,
    EPHEMERAL,
    PRESS,
    button,
    message,
    option,
    shown,
    typed,
)
from tests.adapters.discord.conftest import (
    ADA,
    BO,
    BOT,
    CHANNEL,
    GUILD,
    VOICE,
    FakeDiscord,
    KeptHolds,
    eventually,
    make_face,
    up,
)
from tests.adapters.discord.objects import THREADLESS, TRIAGE, member, thread, user
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import KILN, SECRET, Said, Transcript
from tests.conftest import SetClock

READER = VIEW_CHANNEL.bit
SHARE = option("share", True)


@pytest.fixture
async def bot(sqlite_url: str, clock: SetClock) -> AsyncIterator[Bot]:
    """A bot whose channel on Discord gets a repository."""
    await upgrade(sqlite_url)
    async with open_bot(sqlite_url, clock, Transcript(), platforms=(Platform.DISCORD,)) as bot:
        await bot.subscribe(CHANNEL)
        yield bot


@pytest.fixture
async def whole(
    discord: FakeDiscord, publisher: Any, bot: Bot, leases: KeptHolds, clock: SetClock
) -> AsyncIterator[Bot]:
    """The same, heard through the gateway."""
    face = make_face(discord, publisher, bot.chat, leases, clock)  # type: ignore[arg-type]  # whole
    async with up(face):
        while await face.unheard():
            await asyncio.sleep(0.01)
        yield bot


def by(permissions: int, **more: Any) -> dict[str, Any]:
    return {"member": member(ADA, "ada", permissions), **more}


async def kept(bot: Bot) -> Subscription | None:
    return await bot.store.subscriptions.of(CHANNEL)


BLANKS = [" ", "\u3000", "\u2003", "\x1f", "\n"]
ORDERS = ["unsubscribe all", "pause", "subscribe example-org/loom at 03:00", "settings"]


@pytest.mark.parametrize("place", ["when", "change"])
@pytest.mark.parametrize("order", ORDERS)
async def test_a_blank_option_makes_no_command_of_the_next(
    discord: FakeDiscord, whole: Bot, order: str, place: str
) -> None:
    before = await kept(whole)

    for blank in BLANKS:
        said = typed("infra", option("repo", blank), option(place, order))
        assert await shown(discord, await discord.interact(COMMAND, said, **by(SEND_MESSAGES.bit)))

    assert await kept(whole) == before


@pytest.mark.parametrize("order", [*ORDERS, "followups all", "watch example-org/loom"])
async def test_no_words_of_a_question_are_an_order(
    discord: FakeDiscord, whole: Bot, order: str
) -> None:
    before = await kept(whole)
    first, _, rest = order.partition(" ")
    for said in (
        typed("infra", option("repo", order)),
        typed("infra", option("repo", order), SHARE),
        typed("infra", option("repo", first), option("when", rest or " ")),
        typed("infra-search", option("words", " "), option("repo", order)),
        typed("infra-search", option("words", order)),
        button(f"infra:share:{order}"),
    ):
        kind = PRESS if "custom_id" in said else COMMAND
        more = {"message": message(flags=EPHEMERAL)} if kind == PRESS else {}
        id = await discord.interact(kind, said, **by(ADMINISTRATOR.bit), **more)
        assert await shown(discord, id)
    turned = button(f"infra:turn:0:={order}")
    own = message(flags=EPHEMERAL)
    id = await discord.interact(PRESS, turned, **by(ADMINISTRATOR.bit), message=own)
    await eventually(lambda: discord.added[f"token-{id}"])

    assert await kept(whole) == before
    assert whole.platform.texts(CHANNEL) == []


KILN_ASKED = (option("repo", str(KILN)), option("when", "2026-02-11"))


async def test_who_may_not_write_in_a_channel_shares_nothing_there(
    discord: FakeDiscord, whole: Bot
) -> None:
    for said, more in (
        (typed("infra", *KILN_ASKED, SHARE), {}),
        (button(f"infra:share:{KILN} 2026-02-11"), {"message": message(flags=EPHEMERAL)}),
        (button("infra:share:search kiln"), {"message": message(flags=EPHEMERAL)}),
    ):
        kind = PRESS if "custom_id" in said else COMMAND
        id = await discord.interact(kind, said, **by(READER | SEND_IN_THREADS.bit), **more)
        assert "Only who may write here" in str(await shown(discord, id))

    assert whole.platform.texts(CHANNEL) == []


@pytest.mark.parametrize("may", [SEND_MESSAGES, ADMINISTRATOR])
async def test_a_shared_answer_says_who_shares_it_and_what_was_asked(
    discord: FakeDiscord, whole: Bot, may: Any
) -> None:
    said = typed("infra", *KILN_ASKED, SHARE)

    id = await discord.interact(COMMAND, said, **by(READER | may.bit))

    assert "Shared." in str(await shown(discord, id))
    (posted,) = whole.platform.said[CHANNEL]
    assert posted.parent is None
    assert "Ada" in posted.payload
    assert f"{KILN} 2026-02-11" in posted.payload


async def test_in_a_thread_what_counts_is_who_may_write_in_threads(
    discord: FakeDiscord, whole: Bot
) -> None:
    said = typed("infra", *KILN_ASKED, SHARE)
    there = {"channel": thread("555"), "channel_id": "555"}

    refused = await discord.interact(COMMAND, said, **by(READER | SEND_MESSAGES.bit), **there)
    assert "Only who may write here" in str(await shown(discord, refused))
    shared = await discord.interact(COMMAND, said, **by(READER | SEND_IN_THREADS.bit), **there)
    assert "Shared." in str(await shown(discord, shared))

    assert [each.parent for each in whole.platform.said[CHANNEL]] == ["555"]


async def test_a_search_in_vain_has_no_share_button_and_is_not_shared(
    discord: FakeDiscord, whole: Bot
) -> None:
    words = option("words", "free nitro at evil.example")

    found = await discord.interact(
        COMMAND, typed("infra-search", words), **by(MANAGE_CHANNELS.bit | SEND_MESSAGES.bit)
    )
    assert "infra:share" not in str(await shown(discord, found))
    pressed = await discord.interact(
        PRESS,
        button("infra:share:search free nitro at evil.example"),
        message=message(flags=EPHEMERAL),
        **by(SEND_MESSAGES.bit),
    )
    assert "nothing in this answer to share" in str(await shown(discord, pressed))

    assert whole.platform.texts(CHANNEL) == []


async def test_a_flag_on_several_changes_asks_whoever_presses_alone(
    discord: FakeDiscord, whole: Bot
) -> None:
    await whole.chat.deliver_due(morning())
    shared = whole.platform.one("Stories · ", CHANNEL)
    triage = {**member(ADA, "ada", 0), "roles": [TRIAGE]}
    await discord.react(shared.ref, "🚩", member=triage)
    await eventually(lambda: any('"which"' in each.payload for each in said(whole)))
    (invitation,) = (each for each in said(whole) if '"which"' in each.payload)

    press = button("infra:which:me")
    stranger = {**by(SEND_MESSAGES.bit), "message": message(invitation.ref)}
    stranger["member"] = member(BO, "bo", SEND_MESSAGES.bit)
    id = await discord.interact(PRESS, press, **stranger)
    assert "Nothing here waits for you" in str(await shown(discord, id))

    id = await discord.interact(PRESS, press, message=message(invitation.ref), **by(2048))
    question = await shown(discord, id)
    assert discord.callbacks[id] == [{"type": 5, "data": {"flags": EPHEMERAL}}]
    (choice, *_) = (each for row in question["components"] for each in row["components"])
    options = [each["value"] for each in choice.get("options") or ()]
    own = message("77", flags=EPHEMERAL)
    id = await discord.interact(
        PRESS, button(choice["custom_id"], *options[:1]), message=own, **by(2048)
    )
    assert "is flagged" in str(await shown(discord, id))
    assert invitation.deleted
    assert "flagged by Ada" in shared.state


def said(bot: Bot) -> list[Said]:
    return bot.platform.said[CHANNEL]


async def say(discord: FakeDiscord, text: str, id: str = "70", **more: Any) -> None:
    ada = member(ADA, "ada", 0)
    own = {key: value for key, value in ada.items() if key != "user"} | {"roles": [TRIAGE]}
    said = message(id) | {"content": text, "author": ada["user"], "member": own, "guild_id": GUILD}
    whole = {key: value for key, value in (said | more).items() if value is not None}
    await discord.dispatch("MESSAGE_CREATE", whole)


def answers(bot: Bot) -> list[Said]:
    return bot.platform.said.get(CHANNEL, [])


async def test_a_question_by_name_is_answered_below_it_once(
    discord: FakeDiscord, whole: Bot
) -> None:
    for _ in range(2):
        await say(discord, f"<@{BOT}> kiln 2026-02-11")
    await say(discord, f"<@{BOT}> serach foo", id="71")
    await eventually(lambda: len(answers(whole)) == 2)

    first, second = sorted(answers(whole), key=lambda said: str(said.parent))
    assert (first.parent, second.parent) == ("70", "71")
    assert "kiln" in first.text
    assert "search" in second.text


async def test_who_says_hello_is_told_what_the_bot_is_for(discord: FakeDiscord, whole: Bot) -> None:
    for number, text in enumerate((f"hey <@{BOT}>!", f"<@{BOT}> 你好")):
        await say(discord, text, id=str(75 + number))
    await eventually(lambda: len(answers(whole)) == 2)

    for answer in answers(whole):
        assert "every morning" in answer.text


async def test_an_order_by_name_is_not_taken(discord: FakeDiscord, whole: Bot) -> None:
    before = await whole.subscription(CHANNEL)
    orders = ("unsubscribe all", "pause", "subscribe example-org/loom", "watch example-org/loom")
    for number, order in enumerate(orders):
        await say(discord, f"<@{BOT}> {order}", id=str(80 + number))
    await eventually(lambda: len(answers(whole)) == len(orders))

    assert await whole.subscription(CHANNEL) == before
    told = {answer.parent: answer.text for answer in answers(whole)}
    assert "only asks questions; for this there is unsubscribe" in told["80"]
    assert "only asks questions; for this there is pause" in told["81"]


async def test_what_is_no_question_of_a_person_is_let_be(discord: FakeDiscord, whole: Bot) -> None:
    await say(discord, "", id="90")
    await say(discord, f"<@{ADA}> kiln 2026-02-11", id="91")
    await say(discord, f"<@{BOT}> kiln", id="92", author={**user("77", "other"), "bot": True})
    await say(discord, f"<@{BOT}> kiln", id="93", guild_id=None, member=None)
    await say(discord, f"<@{BOT}> {SECRET} 2026-02-11", id="94")
    await eventually(lambda: answers(whole))

    (only,) = answers(whole)
    assert only.parent == "94"
    assert "or it is private" in only.text


@pytest.mark.parametrize("place", [VOICE, THREADLESS])
async def test_where_no_thread_can_be_made_the_channel_is_answered(
    discord: FakeDiscord, whole: Bot, place: str
) -> None:
    await say(discord, f"<@{BOT}> kiln 2026-02-11", channel_id=place)
    channel = Channel(Platform.DISCORD, GUILD, place)
    await eventually(lambda: whole.platform.said.get(channel))

    (answer,) = whole.platform.said[channel]
    assert answer.parent is None
    assert "kiln" in answer.text
