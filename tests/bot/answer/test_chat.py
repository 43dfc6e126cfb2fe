"""What people type, press and react with in a channel, through the one door for platforms."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.answer.button_handler import MenuMessage, Press
from bot.model.channel_commands import WEEKDAYS, Subscribe, parse_chat
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.concerns import read_all_lists
from bot.model.followups import Reaction, ReactionKind
from bot.model.parts import ActionKind
from bot.model.policy import Policy
from bot.model.ports import ChannelGone, Limited, NoPermission, OutcomeUnknown, PublishError
from bot.model.settings_form import FilledForm, SettingsForm
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from digest.errors import NotFound, PrivateRepo, Unreachable
from digest.leases import LEASE
from digest.models import Repo, Roundup
from digest.wording.phrases import SAY
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import (
    ADA,
    ADA_HERE,
    BO,
    BO_HERE,
    CHANNEL,
    KILN,
    LOOM,
    OTHER,
    SECRET,
    Transcript,
    at,
)
from tests.bot.talking import everything, line, listed, react, typed
from tests.conftest import SetClock, on_both_databases

STRANGER = Person(Platform.SLACK, "T2", "U9", "cy")


@on_both_databases
async def test_who_subscribes_sees_yesterday_at_once_and_the_next_morning_in_time(
    bot: Bot, clock: SetClock
) -> None:
    reply = await typed(bot, "subscribe example-org/kiln")

    assert "example-org/kiln every day at 09:00 Europe/Rome" in line(reply)
    assert "ada: This channel gets" in bot.platform.texts()[0]
    assert reply.is_posted
    assert "Wed 11 Feb" in bot.platform.texts()[1]
    before = len(bot.platform.texts())
    clock.now = at(13, 7)
    bot.chat.tick(clock())
    await bot.chat.settle()
    assert len(bot.platform.texts()) == before
    clock.now = at(13, 8, 1)
    bot.chat.tick(clock())
    await bot.chat.settle()
    assert len(bot.platform.texts()) > before


async def test_who_subscribes_for_later_sees_nothing_before_the_next_morning(
    bot: Bot, clock: SetClock
) -> None:
    clock.now = at(12, 12)
    reply = await typed(bot, "subscribe example-org/kiln show later")

    assert "2026-02-13 09:00 Europe/Rome" in everything(reply)
    assert len(bot.platform.texts()) == 1
    clock.now = at(13, 8, 1)
    bot.chat.tick(clock())
    await bot.chat.settle()
    assert "Thu 12 Feb" in bot.platform.texts()[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("subscribe", "subscribe vllm sglang"),
        ("subscibe vllm", "did you mean subscribe vllm?"),
        ("subscribe vllm at 25:00", "at 23:00"),
        ("unsubscribe vllm", "subscribe vllm sglang"),
        ("at 07:30", "subscribe at 07:30"),
        ("07:30", "subscribe at 07:30"),
        ("vlm today", "vllm"),
        ("watch pytorch/pytorch", "subscribe pytorch/pytorch"),
        ("followups his", "followups mine"),
        ("example-org/kiln 99999", "99999"),
    ],
)
async def test_what_is_wrong_is_one_line_for_the_person_alone(
    bot: Bot, text: str, said: str
) -> None:
    reply = await typed(bot, text)

    assert reply.failed
    assert said in line(reply)
    assert "\n" not in line(reply)
    assert bot.platform.said == {}


async def test_an_hour_where_people_can_only_ask_is_no_question(bot: Bot) -> None:
    assert "subscribe vllm at 23:00" in line(await bot.chat.ask("vllm at 25:00", ADA_HERE))


async def test_a_repository_that_is_not_there_is_not_subscribed(bot: Bot) -> None:
    bot.forge.down[KILN] = NotFound("there is no repository example-org/kiln: check the name")

    reply = await typed(bot, "subscribe example-org/kiln")

    assert reply.failed
    assert "no repository example-org/kiln" in line(reply)
    assert await bot.store.subscriptions.of(CHANNEL) is None


async def test_a_repository_that_cannot_be_asked_now_is_subscribed_nevertheless(bot: Bot) -> None:
    bot.forge.down[KILN] = Unreachable("GitHub hangs")

    assert not (await typed(bot, "subscribe example-org/kiln")).failed

    assert (await bot.subscription()).repos == (KILN,)


async def test_subscribing_again_adds_and_unsubscribing_takes_away(told: Bot) -> None:
    again = await typed(told, "subscribe example-org/loom at 10:00")
    assert "2026-02-13 10:00 UTC" in everything(again)
    assert (await told.subscription()).repos == (KILN, LOOM)
    assert "10:00" in line(await typed(told, "subscriptions"))

    fewer = await typed(told, "unsubscribe kiln")
    assert "example-org/loom every day" in line(fewer)
    asked = await typed(told, "unsubscribe all")
    assert (await told.subscription()).repos == (LOOM,)
    (really,) = asked.parts[0].actions
    ended = await told.chat.press(Press(really.kind, really.value, ADA_HERE, "", at(12, 11)))

    assert line(ended) == "This channel gets no threads any more."
    assert "no subscription yet" in line(await typed(told, "subscriptions"))


async def test_only_those_who_may_change_what_a_channel_gets(
    sqlite_url: str, clock: SetClock
) -> None:
    policy = Policy(members=False, named=frozenset({"slack:T1/U2"}))
    async with open_bot(sqlite_url, clock, Transcript(), policy=policy) as bot:
        refused = await typed(bot, "subscribe vllm")
        faults = await bot.chat.settings.faults(FilledForm(Subscribe((str(KILN),))), ADA_HERE)
        allowed = await typed(bot, "subscribe example-org/kiln", person=BO)

        assert (await typed(bot, "unsubscribe all")).failed

    assert refused.failed
    assert "INFRA_MAY_SUBSCRIBE" in line(refused)
    assert set(faults) == {"repos"}
    assert not allowed.failed


async def test_the_form_shows_the_settings_and_saves_what_it_says(told: Bot) -> None:
    reply = await typed(told, "settings")
    assert reply.form == SettingsForm(await told.subscription(), state=reply.form.state)
    assert "subscribe example-org/kiln at 09:00 tz UTC" in line(reply)

    command = parse_chat(
        "subscribe example-org/loom tz Asia/Tokyo on weekdays in zh without ci paths a/**"
    )
    wanted = FilledForm(command)
    assert await told.chat.settings.faults(wanted, ADA_HERE) == {}
    saved = await told.chat.save_settings(wanted, ADA_HERE)

    assert not saved.failed
    stored = await told.subscription()
    assert stored.repos == (LOOM,)
    assert (stored.tz, stored.paths, stored.without) == ("Asia/Tokyo", ("a/**",), {"ci"})
    assert stored.days == WEEKDAYS
    words = "models Qwen3, DeepSeek-V4"
    for _ in range(2):
        await told.chat.save_settings(FilledForm(command, (read_all_lists(words),)), ADA_HERE)
        assert (await typed(told, "settings")).form.concern == words
    logged = [each.what for each in await told.store.log.of(CHANNEL)]
    assert sum("Qwen3" in what for what in logged) == 1, "what is so already is no change"
    await told.chat.save_settings(wanted, ADA_HERE)
    assert len(await told.store.concerns.of(CHANNEL)) == 1, "a form without the field"
    await told.chat.save_settings(FilledForm(command, (read_all_lists(""),)), ADA_HERE)
    assert await told.store.concerns.of(CHANNEL) == ()


async def test_a_form_is_new_in_a_channel_without_subscription_and_in_the_persons_zone(
    bot: Bot,
) -> None:
    form = (await typed(bot, "settings")).form

    assert (form.subscription.repos, form.subscription.tz) == ((), "Europe/Rome")
    wrong = FilledForm(Subscribe(), faults={"days": SAY.settings.choose_days})
    assert set(await bot.chat.settings.faults(wrong, ADA_HERE)) == {"repos", "days"}
    wrong = FilledForm(Subscribe((str(KILN),)), faults=wrong.faults)
    assert (await bot.chat.save_settings(wrong, ADA_HERE)).failed
    assert await bot.store.subscriptions.of(CHANNEL) is None


async def test_an_answer_is_for_one_person_until_it_is_shared(told: Bot) -> None:
    before = len(told.platform.texts())
    reply = await typed(told, "kiln yesterday")
    (share,) = (a for part in reply.parts for a in part.actions if a.kind is ActionKind.SHARE)
    assert len(told.platform.texts()) == before

    pressed = await told.chat.press(Press(ActionKind.SHARE, share.value, BO_HERE, "", at(12, 10)))

    assert line(pressed) == "Shared."
    assert len(told.platform.texts()) == before + 1
    assert ActionKind.SHARE not in {kind for kind, _ in told.platform.said[CHANNEL][-1].buttons}


@pytest.mark.parametrize("done", [True, False])
async def test_a_shared_answer_comes_once_though_its_outcome_was_lost(
    told: Bot, done: bool
) -> None:
    before = len(told.platform.texts())
    told.platform.faults = [("send", OutcomeUnknown("lost"), done)]

    await told.chat.press(Press(ActionKind.SHARE, "kiln yesterday", BO_HERE, "", at(12, 10)))

    assert len(told.platform.texts()) == before + 1


async def test_no_channel_sees_what_another_has(told: Bot) -> None:
    item = told.platform.reply("CVE-2026-1100")
    await react(told, ReactionKind.FLAG, item)

    assert "No follow-ups" in await listed(told, "all", OTHER)
    assert "no subscription yet" in line(await typed(told, "subscriptions", OTHER, STRANGER))
    assert (await typed(told, "kiln yesterday", OTHER, STRANGER)).failed
    found = await typed(told, "search CVE-2026-1100", OTHER, STRANGER)
    assert "#1100" not in everything(found)
    assert "#1100" in everything(await typed(told, "search CVE-2026-1100"))
    assert (await told.chat.flag(Visit(OTHER, STRANGER), MenuMessage(item.ref), at(12, 10))).failed
    assert (await told.chat.repo_names("kil", Visit(OTHER, ADA))) == ()
    assert (await told.chat.repo_names("kil", ADA_HERE)) == ("kiln",)


async def test_a_private_repository_looks_elsewhere_like_one_that_is_not_there(
    bot: Bot,
) -> None:
    assert not (await typed(bot, "subscribe example-org/vault")).failed
    told_elsewhere = [
        await typed(bot, text, OTHER, STRANGER)
        for text in (
            "example-org/vault yesterday",
            "EXAMPLE-ORG/Vault #1100",
            "why example-org/vault 1100",
            "subscribe example-org/vault",
        )
    ]

    assert all(reply.failed and "check the name" in line(reply) for reply in told_elsewhere)
    assert "vault" not in everything(await typed(bot, "repos", OTHER, STRANGER))
    assert "Mend vault" not in everything(await typed(bot, "search Mend", OTHER, STRANGER))
    assert "Mend vault" in everything(await typed(bot, "search Mend"))
    hidden = await bot.chat.press(
        Press(
            ActionKind.DEEP_DIVE,
            f"{SECRET}:pull_request:1100",
            Visit(OTHER, STRANGER),
            "",
            at(12, 10),
        )
    )
    assert hidden
    assert hidden.failed


async def test_nobody_learns_that_a_private_repository_is_there(bot: Bot) -> None:
    absent, private = Repo("example-org", "absent"), Repo("example-org", "locked")
    bot.forge.down[absent] = NotFound(SAY.github.no_repo(absent))
    bot.forge.down[private] = PrivateRepo(private)
    for text in ("{} yesterday", "subscribe {}"):
        said = {
            line(await typed(bot, text.format(repo))).replace(repo.name, "NAME")
            for repo in (absent, private)
        }
        assert len(said) == 1
    assert await bot.store.subscriptions.of(CHANNEL) is None


async def test_who_asks_nothing_yet_gets_three_lines_and_buttons_that_work(told: Bot) -> None:
    (part,) = (await typed(told, "")).parts
    assert len(part.blocks) == 3
    digest, _, commands = part.actions
    for button in (digest, commands):
        pressed = await told.chat.press(Press(button.kind, button.value, ADA_HERE, "1", at(12, 10)))
        assert pressed
        assert not pressed.failed
    elsewhere = replace(CHANNEL, id="C0ELSE")
    (part,) = (await typed(told, "", elsewhere)).parts
    choice = await told.chat.press(
        Press(part.actions[0].kind, part.actions[0].value, Visit(elsewhere, ADA), "1", at(12, 10))
    )
    assert choice
    assert len(choice.parts[0].actions) > 1
    form = await told.chat.press(
        Press(part.actions[1].kind, "", Visit(elsewhere, ADA), "1", at(12, 10))
    )
    assert form
    assert form.form
    assert form.form.subscription.repos == ()
    assert "Which repository" in line(form)


async def test_a_new_channel_of_who_has_no_zone_is_asked_for_it_once(bot: Bot) -> None:
    zoneless = replace(ADA, tz="")
    asked = await typed(bot, "subscribe example-org/kiln at 10:00", person=zoneless)

    assert await bot.store.subscriptions.of(CHANNEL) is None
    beijing = next(each for each in asked.parts[0].actions if "Asia/Shanghai" in each.value)
    await bot.chat.press(
        Press(beijing.kind, beijing.value, Visit(CHANNEL, zoneless), "", at(12, 12))
    )
    kept = await bot.subscription()
    assert (kept.tz, f"{kept.at:%H:%M}") == ("Asia/Shanghai", "10:00")
    assert (await typed(bot, "subscribe at 11:00", person=zoneless)).is_posted
    odd = await bot.chat.press(
        Press(beijing.kind, "unsubscribe all", Visit(CHANNEL, zoneless), "", at(12, 12))
    )
    assert odd is None
    assert (await bot.subscription()).repos == (KILN,)


EVENT = "Ev0123456789"


async def test_a_mention_that_two_processes_hear_twice_each_is_answered_once(
    database_url: str, clock: Any
) -> None:
    said = Transcript()
    async with (
        open_bot(database_url, clock, said, owner="first") as first,
        open_bot(database_url, clock, said, owner="second") as second,
    ):
        await asyncio.gather(
            *(
                bot.chat.answer_mention("repos", ADA_HERE, thread="1.0", event_id=EVENT)
                for bot in (first, second, first, second)
            )
        )

    assert [each.parent for each in said.said[CHANNEL]] == ["1.0"]


async def test_a_reaction_that_two_processes_hear_is_marked_once(
    database_url: str, clock: Any
) -> None:
    said = Transcript()
    async with (
        open_bot(database_url, clock, said, owner="first") as first,
        open_bot(database_url, clock, said, owner="second") as second,
    ):
        await first.subscribe()
        await first.chat.deliver_due(morning())
        told = next(
            post
            for post in await first.store.posts.numbered(range(1, 50))
            if len(post.message.about) == 1
        )
        before = said.edits
        await asyncio.gather(
            *(
                bot.chat.followups.react(
                    Reaction(ReactionKind.FLAG, ADA, True, (), clock(), told.ref), CHANNEL, EVENT
                )
                for bot in (first, second)
            )
        )
        (followup,) = await first.store.followups.of(CHANNEL)

    assert len(followup.marks) == 1
    assert said.edits - before == 1


NOT_IN = NoPermission("the bot is not in this channel: type /invite @Infra there")


@pytest.mark.parametrize(
    "error", [NOT_IN, ChannelGone("the channel is archived: unarchive it")], ids=["out", "archived"]
)
async def test_who_subscribes_where_the_bot_cannot_post_is_told_what_to_do(
    bot: Bot, error: PublishError
) -> None:
    bot.platform.faults.append(("check", error, False))
    reply = await typed(bot, "subscribe example-org/kiln tz UTC")
    assert reply.failed
    assert line(reply) == (
        "This channel gets example-org/kiln every day at 09:00 UTC, in English. "
        f"Nothing is posted yet, because {error}."
    )
    assert bot.platform.said == {}
    paused = await typed(bot, "subscriptions")
    assert str(error) in line(paused)
    assert "by itself once that is mended" in str(paused.parts)
    assert bot.platform.told == []  # nothing is said twice


async def test_the_first_thread_comes_once_the_bot_is_in_the_channel(bot: Bot) -> None:
    bot.platform.faults.append(("check", NOT_IN, False))
    await typed(bot, "subscribe example-org/kiln tz UTC")
    await typed(bot, "subscribe example-org/kiln")
    assert len(bot.platform.texts()) > 3
    assert "paused" not in line(await typed(bot, "subscriptions"))


async def test_a_platform_that_cannot_say_now_keeps_nobody_from_subscribing(bot: Bot) -> None:
    bot.platform.faults.append(("check", Limited("slow down", 30.0), False))
    reply = await typed(bot, "subscribe example-org/kiln tz UTC")
    assert not reply.failed
    assert len(bot.platform.texts()) > 3


async def test_a_channel_hears_of_neither_that_changes_nothing(bot: Bot) -> None:
    await bot.subscribe()
    counts = []
    for words in ("pause", "pause", "resume", "resume"):
        everything(await typed(bot, words))
        counts.append(bot.platform.count)
    first, again, resumed, once_more = counts
    assert 0 < first == again < resumed == once_more


async def test_it_goes_on_with_one_thread_over_all_days_since(bot: Bot, clock: Any) -> None:
    await bot.subscribe()
    await bot.chat.deliver_due(morning())
    told = bot.platform.count
    assert "Nothing more is posted here" in everything(await typed(bot, "pause"))
    clock.advance(days=3)
    await bot.chat.deliver_due(clock())
    assert bot.platform.count == told + 1
    assert "paused: since 2026-02-12" in everything(await typed(bot, "subscriptions"))

    assert "What was due meanwhile follows at once." in everything(await typed(bot, "resume"))

    parents = [each for each in bot.platform.said[CHANNEL] if each.parent is None]
    assert len(parents) == 4
    assert "Thu 12 Feb – Sat 14 Feb" in parents[-1].text
    assert not (await bot.subscription()).paused


@pytest.mark.parametrize("command", ["pause", "resume"])
async def test_a_channel_without_a_subscription_is_told_how_to_get_one(
    bot: Bot, command: str
) -> None:
    refused = await bot.chat.answer_text(command, ADA_HERE)
    assert "subscribe vllm" in refused.parts[0].summary
    refused = await bot.chat.answer_text(f"{command} vllm", ADA_HERE)
    assert "takes no more words" in refused.parts[0].summary


async def test_a_pause_stops_a_thread_before_its_next_message_and_a_resume_goes_on_with_it(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    sent, goes_on = asyncio.Event(), asyncio.Event()
    send = bot.platform.send

    async def slowly(channel: Channel, payload: str, *, parent: str | None, nonce: str) -> str:
        ref = await send(channel, payload, parent=parent, nonce=nonce)
        if len(bot.platform.texts()) == 2:
            sent.set()
            await goes_on.wait()
        return ref

    bot.platform.send = slowly  # type: ignore[method-assign]  # the second one takes long
    await bot.delivering.start_due(clock())
    await sent.wait()
    bot.platform.send = send  # type: ignore[method-assign]  # as before
    await bot.chat.answer_text("pause", ADA_HERE)
    goes_on.set()
    await bot.delivering.settle()
    assert len(bot.platform.texts()) == 3  # two of the thread, and who paused

    await bot.chat.answer_text("resume", ADA_HERE)
    await bot.chat.deliver_due(clock())
    assert len(bot.platform.texts()) == 4
    clock.advance(seconds=LEASE.total_seconds() + 1)
    await bot.chat.deliver_due(clock())

    texts = bot.platform.texts()
    assert len(texts) == len(set(texts)) > 4
    assert (await bot.subscription()).last_delivered_date == clock().date()


async def test_a_pause_while_it_is_looked_leaves_the_channel_without_a_message(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    gathered = bot.planning.gathered

    async def slowly(subscription: Subscription, slot: Slot) -> Roundup:
        found = await gathered(subscription, slot)
        if await bot.store.deliveries.unfinished():
            await bot.chat.answer_text("pause", ADA_HERE)
        return found

    bot.planning.gathered = slowly  # type: ignore[method-assign]  # it takes long
    await bot.chat.deliver_due(clock())

    (paused,) = bot.platform.texts()
    assert paused.startswith("ada: ")
