"""Flags, questions and buttons, through the one door for platforms."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.answer.button_handler import MenuMessage, Press
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person, Visit
from bot.model.followups import ReactionKind
from bot.model.parts import ActionKind, PartKind
from bot.model.ports import PlatformDown
from digest.writing.rules import plain
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import ADA, ADA_HERE, BO, BO_HERE, CHANNEL, KILN, Killed, Said, at
from tests.bot.talking import everything, line, listed, react, typed
from tests.conftest import SetClock, eventually, on_both_databases


@on_both_databases
async def test_a_flag_opens_one_follow_up_that_its_message_shows(told: Bot) -> None:
    item = told.platform.reply("CVE-2026-1100")
    await react(told, ReactionKind.FLAG, item)
    await react(told, ReactionKind.FLAG, item, BO, second=1)

    assert "ada, bo" in item.state
    followups = await told.store.followups.of(CHANNEL)
    assert [each.flagged_by for each in followups] == [{"U1", "U2"}]

    await react(told, ReactionKind.TAKE, item, BO, second=2)
    await react(told, ReactionKind.DONE, item, second=3)
    assert "bo" in item.state.split("👀")[1]
    assert "✅" in item.state
    assert "CVE-2026-1100" in await listed(told, "done")

    await react(told, ReactionKind.DONE, item, added=False, second=4)
    await react(told, ReactionKind.TAKE, item, BO, added=False, second=5)
    await react(told, ReactionKind.FLAG, item, BO, added=False, second=6)
    assert item.state == "🚩 flagged by ada"
    await react(told, ReactionKind.FLAG, item, added=False, second=7)
    assert item.state == ""
    assert "No follow-ups" in await listed(told)


@on_both_databases
async def test_events_come_three_times_and_out_of_order_with_one_effect(told: Bot) -> None:
    item = told.platform.reply("CVE-2026-1100")
    for _ in range(3):
        await react(told, ReactionKind.FLAG, item, added=False, second=9, event="gone")
        await react(told, ReactionKind.FLAG, item, second=5, event="came")

    assert item.state == ""
    for _ in range(3):
        await react(told, ReactionKind.FLAG, item, second=11, event="again")
    assert told.platform.edits == 1
    assert item.state == "🚩 flagged by ada"


@on_both_databases
def value_of(asked: Said, number: int) -> str:
    """Give the choice of a pull request by its number."""
    return next(value for _, value in asked.buttons if value.endswith(f":{number}"))


async def test_a_flag_on_several_items_asks_each_who_flags_alone(told: Bot) -> None:
    themes = told.platform.one("Stories ·")
    before = told.platform.texts()

    await react(told, ReactionKind.FLAG, themes)
    await react(told, ReactionKind.FLAG, themes, BO, second=1)

    assert [each.nonce for each in told.platform.asked] == ["U1", "U2"]
    question = told.platform.asked[1]
    assert question.parent == themes.parent
    chosen = await told.chat.press(
        Press(ActionKind.CHOOSE, value_of(question, 1102), BO_HERE, "", at(12, 11))
    )
    assert line(chosen) == "🚩 #1102 is flagged."
    (followup,) = await told.store.followups.of(CHANNEL)
    assert followup.item_key == f"{KILN}:pull_request:1102"
    assert followup.flagged_by == {"U2"}
    assert themes.state == "#1102 🚩 flagged by bo"
    assert told.platform.texts() == before


async def test_which_one_is_asked_by_the_next_process_where_this_one_ended(
    told: Bot, clock: SetClock
) -> None:
    themes = told.platform.one("Stories ·")
    for each in (ADA, BO):
        told.platform.faults = [("ask", Killed(), False)]  # type: ignore[list-item]  # no answer
        with pytest.raises(Killed):
            await react(told, ReactionKind.FLAG, themes, each, event=each.id)
    await react(told, ReactionKind.FLAG, themes, BO, added=False, second=1)

    async def looked() -> list[str]:
        told.chat.tick(clock())
        await told.chat.settle()
        return [each.nonce for each in told.platform.asked]

    assert await looked() == []  # whoever was about to ask may still do it
    clock.advance(minutes=2)
    assert await looked() == ["U1"]
    await react(told, ReactionKind.FLAG, themes, event=ADA.id)
    clock.advance(minutes=2)
    assert await looked() == ["U1"]


async def test_a_message_is_flagged_by_command_too(told: Bot) -> None:
    item, themes = told.platform.reply("CVE-2026-1100"), told.platform.one("Stories ·")

    assert "#1100" in line(await told.chat.flag(ADA_HERE, MenuMessage(item.ref), at(12, 10)))
    assert item.state == "🚩 flagged by ada"
    assert (await told.chat.flag(ADA_HERE, MenuMessage("9.9"), at(12, 10))).failed
    asked = await told.chat.flag(ADA_HERE, MenuMessage(themes.ref), at(12, 10))
    below = dict(themes.buttons)[ActionKind.FLAG_ONE]
    pressed = ActionKind.FLAG_ONE, below, ADA_HERE, themes.ref, at(12, 10)
    assert await told.chat.press(Press(*pressed)) == asked
    (part,) = asked.parts
    assert part.kind is PartKind.CHOICE
    chosen = await told.chat.press(
        Press(ActionKind.CHOOSE, part.actions[-1].value, ADA_HERE, "ephemeral", at(12, 11))
    )

    assert "is flagged" in line(chosen)
    assert len(await told.store.followups.of(CHANNEL)) == 2
    assert themes.state
    assert "Which one?" not in "".join(told.platform.texts())


async def test_what_an_answer_for_one_person_tells_is_flagged_by_its_button(told: Bot) -> None:
    said = len(told.platform.texts())

    async def press(reply: ChatReply | None, kind: ActionKind, number: int = 0) -> ChatReply | None:
        assert reply
        values = [each.value for each in reply.parts[0].actions if each.kind is kind]
        return await told.chat.press(Press(kind, values[number], ADA_HERE, "unkept", at(12, 11)))

    one = await typed(told, "why kiln 1104")
    for _ in range(2):
        flagged = await press(one, ActionKind.FLAG)
        assert line(flagged) == "🚩 #1104 is flagged."
    assert "until it is released" in line(await press(flagged, ActionKind.WATCH))
    assert len(told.platform.texts()) == said + 1  # nothing in the channel shows it: a notice does
    assert "flagged by ada" in told.platform.said[CHANNEL][-1].state
    again = await typed(told, "why kiln 1104")
    assert plain(again.parts[0].state) == "🚩 flagged by ada"
    taken = await press(again, ActionKind.TAKE)
    assert taken
    assert plain(taken.parts[0].state) == "🚩 flagged by ada · 👀 taken by ada"
    found = await typed(told, "search crash")
    assert "#1104 🚩 flagged by ada · 👀 taken by ada" in plain(found.parts[0].state)
    for asked in ("kiln 2026-02-11", "search crash", "which fix broke kiln?", "all 2026-02-11"):
        which = await press(await typed(told, asked), ActionKind.FLAG_ONE)
        assert which
        assert len(which.parts[0].actions) > 1
        assert "is flagged" in line(await press(which, ActionKind.CHOOSE, 1))


async def test_a_link_in_anybodys_message_is_flagged_by_command(told: Bot) -> None:
    kiln = f"https://github.com/{KILN}"

    async def flag(text: str) -> ChatReply:
        message = MenuMessage("7.7", text, "7.7")
        return await told.chat.flag(ADA_HERE, message, at(12, 11))

    assert (await flag("look at https://github.com/other/kiln/pull/1105")).failed
    assert (await flag(f"{kiln}/pull/99999")).failed
    assert line(await flag(f"is it {kiln}/pull/1105?")) == "🚩 #1105 is flagged."
    notice = told.platform.said[CHANNEL][-1]
    assert (notice.parent, "flagged by ada" in notice.state) == ("7.7", True)
    several = await flag(f"{kiln}/pull/1100#discussion, ({kiln}/issues/1105/files)")
    (part,) = several.parts
    assert part.kind is PartKind.CHOICE
    chosen = await told.chat.press(
        Press(ActionKind.CHOOSE, part.actions[0].value, ADA_HERE, "unkept", at(12, 12))
    )
    assert "#1100" in line(chosen)
    assert told.platform.reply("CVE-2026-1100").state == "🚩 flagged by ada"
    several = await flag(f"{kiln}/pull/1104 {kiln}/pull/1103")
    value = several.parts[0].actions[0].value
    await told.chat.press(Press(ActionKind.CHOOSE, value, ADA_HERE, "unkept", at(12, 13)))
    assert told.platform.said[CHANNEL][-1].parent == "7.7"


async def test_what_is_written_to_the_bot_alone_is_answered_once_and_stays(told: Bot) -> None:
    own = replace(CHANNEL, id="D1")
    for _ in range(2):
        assert (
            await told.chat.answer_direct(
                "example-org/kiln 2026-02-11", Visit(own, ADA), event_id="Ev1"
            )
            is None
        )
    form = await told.chat.answer_direct("settings", Visit(own, ADA), event_id="Ev2")

    (said,) = told.platform.said[own]
    assert "example-org/kiln 2026-02-11" in str(said.buttons)
    assert form
    assert form.form


async def test_buttons_say_and_take_back(told: Bot) -> None:
    item = told.platform.reply("CVE-2026-1100")
    key = f"{KILN}:pull_request:1100"

    async def press(kind: ActionKind, second: int, person: Person = ADA) -> ChatReply | None:
        moment = at(12, 10) + timedelta(seconds=second)
        return await told.chat.press(Press(kind, key, Visit(CHANNEL, person), item.ref, moment))

    nothing = await press(ActionKind.DONE, 0)
    assert nothing
    assert "Nobody has flagged #1100" in line(nothing)
    assert await press(ActionKind.FLAG, 1) is None
    assert await press(ActionKind.TAKE, 2, BO) is None
    assert item.state == "🚩 flagged by ada · 👀 taken by bo"
    assert "taken by " in everything(await press(ActionKind.TAKE, 3))
    assert await press(ActionKind.DONE, 4) is None
    assert "✅" in item.state
    assert "✅" in everything(await press(ActionKind.DONE, 5, BO))
    assert "✅" in item.state
    assert ["reopen", key] in item.buttons
    assert ["done", key] not in item.buttons
    assert await press(ActionKind.REOPEN, 5, BO) is None
    assert ["done", key] in item.buttons
    assert "#1100" in everything(await press(ActionKind.REOPEN, 5, BO))
    assert await press(ActionKind.TAKE, 6, BO) is None
    assert await press(ActionKind.FLAG, 7) is None
    assert item.state == ""
    assert await press(ActionKind.TAKE, 8, BO) is None


async def test_every_told_item_can_be_flagged(told: Bot) -> None:
    digest_keys = {
        f"{KILN}:pull_request:{day * 100 + number}" for day in (11,) for number in range(6)
    }
    able = set()
    for said in told.platform.said[CHANNEL]:
        post = await told.store.posts.at(CHANNEL, said.ref)
        assert post
        able |= set(post.message.about)

    assert digest_keys <= able


async def test_buttons_of_a_thread_open_what_they_name(told: Bot) -> None:
    values = {kind: value for said in told.platform.said[CHANNEL] for kind, value in said.buttons}

    for kind in (ActionKind.SHOW_ALL, ActionKind.SHOW_BITES):  # the latter below old messages
        shown = await told.chat.press(Press(kind, values["show_all"], ADA_HERE, "1.0", at(12, 10)))
        assert "Mend kiln crash 1105" in everything(shown)
    dive = await told.chat.press(
        Press(
            ActionKind.DEEP_DIVE,
            f"{KILN}:pull_request:1100",
            ADA_HERE,
            "1.0",
            at(12, 10),
        )
    )
    assert dive
    mine = await told.chat.press(Press(ActionKind.FOLLOWUPS, "open", ADA_HERE, "1.0", at(12, 10)))
    assert "No follow-ups" in everything(mine)
    old = await told.chat.press(Press(ActionKind.SHOW_REST, "what?", ADA_HERE, "1.0", at(12, 10)))
    assert old
    assert "out of date" in line(old)
    assert await told.chat.press(Press(ActionKind.PAGE, "", ADA_HERE, "1.0", at(12, 10))) is None


@pytest.mark.parametrize("by_button", [False, True])
async def test_what_the_platform_did_not_show_is_shown_minutes_later(
    told: Bot, clock: SetClock, by_button: bool
) -> None:
    item = told.platform.reply("CVE-2026-1100")
    await react(told, ReactionKind.FLAG, item)
    told.platform.faults = [("edit", PlatformDown("away"), False)] * 2
    if by_button:
        value = item.buttons[0][1]
        await told.chat.press(Press(ActionKind.DONE, value, BO_HERE, item.ref, at(12, 11)))
    else:
        await react(told, ReactionKind.DONE, item, BO, second=9)
    assert "done by" not in item.state

    for _ in range(3):
        clock.advance(minutes=2)
        told.chat.tick(clock())
        await told.chat.settle()

    assert "done by bo" in item.state
    assert await told.store.timestamps.before("showing ", clock()) == ()


async def test_a_platform_that_hangs_where_a_follow_up_is_shown_keeps_no_morning_waiting(
    told: Bot, clock: SetClock
) -> None:
    item = told.platform.reply("CVE-2026-1100")
    told.platform.faults = [("edit", PlatformDown("away"), False)]
    await react(told, ReactionKind.FLAG, item)
    edit, hangs = told.platform.edit, asyncio.Event()

    async def hang(channel: Channel, ref: str, payload: str) -> None:
        hangs.set()
        await asyncio.Event().wait()

    told.platform.edit = hang  # type: ignore[method-assign]  # until it is called off
    clock.advance(minutes=2)
    told.chat.tick(clock())
    await hangs.wait()
    clock.advance(hours=24)
    before = len(told.platform.texts())
    told.chat.tick(clock())

    await eventually(lambda: len(told.platform.texts()) > before)
    told.platform.edit = edit  # type: ignore[method-assign]
    await told.chat.stop()
