"""People of other organisations change nothing, and are told of no private repository."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import time
from functools import partial
from itertools import product

import pytest

from bot.answer.button_handler import MenuMessage, Press
from bot.model.channel_commands import Subscribe
from bot.model.channels import Channel, Person, Visit
from bot.model.followups import FollowUp, Reaction, ReactionKind, Which
from bot.model.followups import react as react_to
from bot.model.parts import ActionKind
from bot.model.policy import Policy, Visibility
from bot.model.ports import PlatformDown
from bot.model.settings_form import FilledForm
from bot.model.slots import due
from digest.models import Repo, Roundup, State
from digest.store.database import upgrade
from digest.upstream import Standing
from digest.wording.phrases import SAY
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import (
    ADA,
    ADA_HERE,
    CHANNEL,
    KILN,
    LOOM,
    SECRET,
    Forge,
    Transcript,
    at,
)
from tests.bot.talking import everything, line, react, typed
from tests.conftest import SetClock
from tests.phrases import english

EVE = Person(ADA.platform, "T1", "U9", "eve", is_stranger=True)
HIDDEN = str(SECRET)


@pytest.fixture
async def both(sqlite_url: str, clock: SetClock) -> AsyncIterator[Bot]:
    """A bot whose channel gets a public repository and a private one that may go to it."""
    await upgrade(sqlite_url)
    async with open_bot(sqlite_url, clock, Transcript()) as bot:
        await bot.subscribe(repos=(KILN, SECRET))
        yield bot


@pytest.mark.parametrize("policy", [Policy(), Policy(False, frozenset({"slack:T1/U9"}))])
@pytest.mark.parametrize(
    "order",
    ["subscribe vllm", "subscribe at 03:00", "unsubscribe all", "pause", "resume"],
)
async def test_a_stranger_changes_nothing_whoever_may_subscribe(
    sqlite_url: str, clock: SetClock, order: str, policy: Policy
) -> None:
    await upgrade(sqlite_url)
    async with open_bot(sqlite_url, clock, Transcript(), policy=policy) as bot:
        before = await bot.subscribe()

        refused = await typed(bot, order, person=replace(EVE, may_manage=True))

        assert refused.failed
        assert "Guests" in line(refused)
        form = FilledForm(Subscribe((str(KILN),), at=time(8)))
        faults = await bot.chat.settings.faults(form, Visit(CHANNEL, EVE))
        assert "guests" in english(faults["repos"])
        assert (await bot.chat.save_settings(form, Visit(CHANNEL, EVE))).failed
        assert await bot.subscription() == before


ASKED = [
    "help",
    f"{HIDDEN} 2026-02-11",
    "all 2026-02-11",
    "repos",
    "subscriptions",
    "settings",
    "search vault",
    f"why {HIDDEN} 1100",
]


async def _everything_seen(bot: Bot, person: Person, channel: Channel = CHANNEL) -> str:
    """Give all that a person gets to see, and is offered, in the channel."""
    seen = [everything(await typed(bot, text, person=person, channel=channel)) for text in ASKED]
    current = await bot.chat.settings.seen_or_begun(Visit(channel, person))
    offered = await bot.chat.repo_names("", Visit(channel, person))
    found = await bot.chat.reading.changes("vault", "", Visit(channel, person), 20)
    seen += [str(current.repos), str(offered), str(found)]
    value = f"{HIDDEN}@2026-02-11@UTC"
    for kind in (ActionKind.SHOW_ALL, ActionKind.DEEP_DIVE, ActionKind.FOLLOWUPS):
        about = f"{HIDDEN}:pull_request:1100" if kind is ActionKind.DEEP_DIVE else value
        seen.append(
            str(await bot.chat.press(Press(kind, about, Visit(channel, person), "", at(12, 10))))
        )
    return "\n".join(seen)


async def test_a_stranger_is_told_of_no_private_repository(both: Bot) -> None:
    await typed(both, f"{HIDDEN} 2026-02-11")
    key = f"{HIDDEN}:pull_request:1100"
    await both.chat.press(Press(ActionKind.FLAG, key, ADA_HERE, "", at(12, 10)))

    assert "Fix CVE-2026-1100 in vault" in await _everything_seen(both, ADA)
    assert f"{HIDDEN} v0.15.0" in await _everything_seen(both, ADA)
    told = await _everything_seen(both, EVE)
    assert "in vault" not in told
    assert "Mend vault" not in told
    help = everything(await typed(both, "help", person=EVE))
    assert "vault" not in help + everything(await typed(both, "settings", person=EVE))


async def test_a_private_repository_is_not_told_into_a_channel_that_is_shared(both: Bot) -> None:
    both.platform.shared = {CHANNEL}

    await both.chat.deliver_due(morning())

    told = "\n".join(each.payload for each in both.platform.said[CHANNEL])
    assert "Fix CVE-2026-1100 in kiln" in told
    assert "1 repository may not be told here" in told
    assert "vault" not in told
    assert HIDDEN in english((await both.subscription()).last_error)
    assert "Mend vault" not in await _everything_seen(both, ADA)


async def test_nothing_private_is_published_to_who_follows_a_channel(both: Bot) -> None:
    await both.subscribe(repos=(KILN, SECRET), publish=True)
    text = 'of = "o/kiln"\nuses = [{ kind = "name", name = "vault.key", at = "vault/a.py:3" }]'
    await both.chat.give_file("vault.toml", partial(_given, text), ADA_HERE)

    await both.chat.deliver_due(morning())

    assert both.platform.published
    assert await both.planning.surfaces(CHANNEL) == ()
    told = "\n".join(each.payload for each in both.platform.said[CHANNEL])
    assert "Fix CVE-2026-1100 in kiln" in told
    assert "in vault" not in told
    assert HIDDEN in english((await both.subscription()).last_error)
    assert "Fix CVE-2026-1100 in vault" in await _everything_seen(both, ADA)


@pytest.mark.parametrize("order", ["resume", "subscribe at 10:00", "unsubscribe loom"])
async def test_a_change_names_no_private_repository_where_mornings_go_on_to_others(
    both: Bot, order: str
) -> None:
    await both.subscribe(repos=(KILN, LOOM, SECRET), publish=True)
    await typed(both, "pause")

    await typed(both, order)

    assert any(each.startswith("ada: ") and "kiln" in each for each in both.platform.texts())
    assert "vault" not in str(both.platform.said)
    assert "vault" in everything(await typed(both, "subscriptions"))


async def test_what_stands_there_for_the_channel_alone_is_not_published_later(
    both: Bot, clock: SetClock
) -> None:
    def step(name: str) -> None:
        told = "\n".join(each.payload for each in both.platform.said.get(CHANNEL, ()))
        if name == "send" and "in vault" in told:
            raise PlatformDown(SAY.discord.not_reached)

    both.platform.step = step
    await both.chat.deliver_due(clock())
    begun = len(both.platform.texts())
    both.platform.step = lambda name: None
    await both.subscribe(repos=(KILN, SECRET), publish=True, last_delivered_end=None)

    clock.advance(hours=1)
    await both.chat.deliver_due(clock())

    assert begun
    assert (await both.subscription()).last_delivered_date
    assert both.platform.published == []


@pytest.mark.parametrize(
    "words", ["subscriptions", "settings", "help", "subscribe vllm", "unsubscribe vllm", "resume"]
)
async def test_nothing_names_a_private_repository_in_a_channel_that_is_shared(
    both: Bot, words: str
) -> None:
    await both.chat.deliver_due(morning())
    both.platform.shared = {CHANNEL}
    await both.chat.deliver_due(morning(13))

    said = await typed(both, words)

    assert "vault" not in everything(said)
    if not said.failed:
        posted = len(both.platform.said[CHANNEL])
        await both.chat.answer_mention(words, ADA_HERE, thread="", event_id="1")
        after = both.platform.said[CHANNEL][posted:]
        assert "vault" not in "".join(each.payload for each in after)


async def test_a_channel_that_may_be_told_nothing_hears_that_and_no_name(both: Bot) -> None:
    await typed(both, "unsubscribe kiln")
    both.platform.shared = {CHANNEL}

    await both.chat.deliver_due(morning())

    said = both.platform.said[CHANNEL][-1]
    assert "1 repository may not be told here" in said.payload
    assert "vault" not in said.payload


async def test_a_form_saved_in_a_shared_channel_keeps_what_it_may_not_show(both: Bot) -> None:
    both.platform.shared = {CHANNEL}
    shown = await both.chat.settings.seen_or_begun(ADA_HERE)

    await both.chat.save_settings(FilledForm(Subscribe((str(KILN),), at=time(8))), ADA_HERE)

    assert shown.repos == (KILN,)
    assert (await both.subscription()).repos == (KILN, SECRET)


async def test_a_morning_waits_where_it_is_not_known_who_is_in_the_channel(both: Bot) -> None:
    both.platform.faults = [("is_shared", PlatformDown("down"), False) for _ in range(9)]

    await both.chat.deliver_due(morning())
    assert both.platform.texts() == []
    assert "vault" not in everything(await typed(both, "repos"))
    both.platform.faults = []
    assert isinstance(both.forge, Forge)
    both.forge.clock.advance(minutes=5)  # type: ignore[attr-defined]  # the tests' own clock

    await both.chat.deliver_due(both.forge.clock())
    assert "in vault" in "\n".join(each.payload for each in both.platform.said[CHANNEL])
    assert due(await both.subscription(), morning()) is None


async def test_what_was_flagged_of_a_private_repository_is_shown_nowhere_once_the_channel_is_shared(
    both: Bot,
) -> None:
    await both.chat.deliver_due(morning())
    item = both.platform.one("CVE-2026-1100 in vault")
    await react(both, ReactionKind.FLAG, item)
    assert "flagged by ada" in item.state
    both.platform.shared = {CHANNEL}
    edits, before = both.platform.edits, len(both.platform.said[CHANNEL])
    key = f"{HIDDEN}:pull_request:1100"

    await react(both, ReactionKind.TAKE, item, second=1)
    pressed = await both.chat.press(Press(ActionKind.DONE, key, ADA_HERE, item.ref, at(12, 11)))
    flagged = await both.chat.flag(ADA_HERE, MenuMessage(item.ref), at(12, 11))
    dived = await both.chat.deep_dive(ADA_HERE, MenuMessage(item.ref), at(12, 11))
    await react(both, ReactionKind.FLAG, item, added=False, second=2)

    assert both.platform.edits == edits
    assert len(both.platform.said[CHANNEL]) == before
    for answer in (pressed, flagged, dived):
        assert answer
        assert answer.failed
        assert "CVE" not in everything(answer)


async def test_of_a_message_about_both_only_what_is_public_can_be_chosen(both: Bot) -> None:
    await both.chat.deliver_due(morning())
    roundup = both.platform.said[CHANNEL][0]
    both.platform.shared = {CHANNEL}

    asked = await both.chat.flag(ADA_HERE, MenuMessage(roundup.ref), at(12, 11))
    dived = await both.chat.deep_dive(ADA_HERE, MenuMessage(roundup.ref), at(12, 11))
    await react(both, ReactionKind.FLAG, roundup)

    for answer in (asked, dived):
        assert not answer.failed
        assert "kiln" in everything(answer)
        assert "vault" not in everything(answer)
    assert both.platform.asked
    assert not [each for each in both.platform.asked if "vault" in str(each)]


async def test_a_morning_that_waits_is_not_posted_once_the_channel_is_shared(both: Bot) -> None:
    both.platform.faults = [("send", PlatformDown("down"), False)]
    await both.chat.deliver_due(morning())
    assert both.platform.texts() == []
    both.platform.shared = {CHANNEL}
    both.forge.clock.advance(minutes=5)  # type: ignore[attr-defined]  # the tests' own clock

    await both.chat.deliver_due(both.forge.clock())

    told = "".join(each.payload for each in both.platform.said[CHANNEL])
    assert "Fix CVE-2026-1100 in kiln" in told, "nothing public is lost"
    assert "1 repository may not be told here" in told
    assert "vault" not in told
    assert await both.store.deliveries.unfinished() == {}


async def test_of_a_morning_that_began_nothing_more_is_posted_once_the_channel_is_shared(
    both: Bot,
) -> None:
    def step(name: str) -> None:
        if name == "send" and both.platform.said.get(CHANNEL):
            raise PlatformDown(SAY.discord.not_reached)

    both.platform.step = step
    await both.chat.deliver_due(morning())
    begun = both.platform.texts()
    both.platform.step = lambda name: None
    both.platform.shared = {CHANNEL}
    both.forge.clock.advance(minutes=5)  # type: ignore[attr-defined]  # the tests' own clock

    await both.chat.deliver_due(both.forge.clock())

    assert both.platform.texts() == begun
    assert "missing in the thread" in english((await both.subscription()).last_error)
    assert await both.store.deliveries.unfinished() == {}


@pytest.mark.parametrize("what", ["quiet", "a reminder"])
async def test_what_a_waiting_morning_names_without_telling_it_is_not_posted_either(
    sqlite_url: str, clock: SetClock, what: str
) -> None:
    forge = Forge(clock, 0 if what == "quiet" else 6)
    async with open_bot(sqlite_url, clock, Transcript(), forge=forge) as bot:
        await bot.subscribe(repos=(KILN, SECRET) if what == "quiet" else (KILN,))
        key = f"{SECRET}:pull_request:7"
        flag = Reaction(ReactionKind.FLAG, ADA, True, (key,), at(2))
        blank = FollowUp(None, CHANNEL, key, "of the vault", "#7", "https://x.example/7")
        flagged = react_to(None, flag, blank=blank).followup
        assert flagged
        if what == "a reminder":
            await bot.store.followups.change(CHANNEL, lambda ledger: ledger.save(flagged))
        bot.platform.faults = [("send", PlatformDown("down"), False)]
        await bot.chat.deliver_due(clock())
        (waiting,) = (await bot.store.deliveries.unfinished()).values()
        posts = await bot.store.posts.of_delivery(waiting.id)
        assert "vault" in "".join(each.message.payload for each in posts)
        bot.platform.shared = {CHANNEL}
        clock.advance(minutes=5)

        await bot.chat.deliver_due(clock())

        told = "".join(each.payload for each in bot.platform.said[CHANNEL])
        assert "kiln" in told
        assert "vault" not in told


@pytest.mark.parametrize("waits", [False, True])
async def test_a_direct_message_ends_for_what_is_private_once_its_subscriber_is_a_stranger(
    both: Bot, waits: bool
) -> None:
    """Also of a morning that was planned before."""
    direct = replace(CHANNEL, id="D1")
    await both.subscribe(direct, repos=(KILN, SECRET))
    assert "Fix CVE-2026-1100 in vault" in await _everything_seen(both, ADA, direct)
    if waits:
        both.platform.faults = [("send", PlatformDown("down"), False) for _ in range(2)]
        await both.chat.deliver_due(morning())
        both.forge.clock.advance(minutes=5)  # type: ignore[attr-defined]  # the tests' own clock
    both.platform.strangers = {ADA.id}

    await both.chat.deliver_due(max(morning(), both.forge.clock()))  # type: ignore[attr-defined]

    assert "vault" in "".join(each.payload for each in both.platform.said[CHANNEL])
    told = "".join(each.payload for each in both.platform.said.get(direct, ()))
    assert "vault" not in told
    assert waits or "Fix CVE-2026-1100 in kiln" in told
    assert english((await both.subscription(direct)).last_error)
    seen = await _everything_seen(both, ADA, direct)
    assert "in vault" not in seen
    assert "Mend vault" not in seen


async def test_a_direct_message_is_told_nothing_private_where_its_subscriber_is_not_known(
    both: Bot,
) -> None:
    direct = replace(CHANNEL, id="D1")
    await both.subscribe(direct, repos=(KILN, SECRET), created_by="")

    await both.chat.deliver_due(morning())

    told = "".join(each.payload for each in both.platform.said[direct])
    assert "in kiln" in told
    assert "vault" not in told
    assert HIDDEN in english((await both.subscription(direct)).last_error)


async def test_what_was_private_once_is_told_and_shown_to_nobody_who_asks() -> None:
    async def no_one(channel: Channel, person: str) -> bool:
        return False

    async def nothing(channel: Channel) -> None:
        return None

    async def hidden() -> frozenset[str]:
        return frozenset({"acme/rocket"})

    async def no(channel: Channel) -> bool:
        return False

    repo, other = Repo("Acme", "Rocket"), Repo("acme", "turbine")
    visibility = Visibility({}, no_one, no_one, nothing, hidden, no)

    assert [await visibility.may_tell(each, CHANNEL) for each in (repo, other)] == [False, True]
    assert [await visibility.may_show(each, CHANNEL) for each in (repo, other)] == [False, True]
    holders = frozenset({f"{CHANNEL.platform}:{CHANNEL.workspace}"})
    listed = Visibility({repo: holders}, no_one, no_one, nothing, hidden, no)
    assert await listed.may_tell(repo, CHANNEL)


@pytest.mark.parametrize("lost", ["channel", "person"])
async def test_what_waits_to_be_told_of_a_follow_up_ends_with_the_right_to_hear_it(
    both: Bot, clock: SetClock, lost: str
) -> None:
    await both.chat.deliver_due(morning())
    key = f"{HIDDEN}:pull_request:1100"
    await both.chat.press(Press(ActionKind.FLAG, key, ADA_HERE, "", at(12, 10)))
    await both.chat.press(Press(ActionKind.WATCH, key, ADA_HERE, "", at(12, 10)))
    await _look(both, clock)
    both.forge.standing[key] = Standing(State.MERGED, release="v1.2")
    both.platform.faults = [("send", PlatformDown("down"), False)] * 3
    await _look(both, clock)
    posted = len(both.platform.said[CHANNEL])

    both.platform.faults = []
    if lost == "channel":
        both.platform.shared = {CHANNEL}
    else:
        both.platform.strangers = {ADA.id}
    for _ in range(2):
        await _look(both, clock)

    assert both.platform.told == []

    assert len(both.platform.said[CHANNEL]) - posted == (1 if lost == "person" else 0)


async def test_followups_everywhere_name_nothing_private_in_a_channel_that_is_shared(
    both: Bot,
) -> None:
    await both.chat.deliver_due(morning())
    key = f"{HIDDEN}:pull_request:1100"
    await both.chat.press(Press(ActionKind.FLAG, key, ADA_HERE, "", at(12, 10)))
    elsewhere, shared = replace(CHANNEL, id="C8"), replace(CHANNEL, id="C9")
    both.platform.shared = {shared}
    both.platform.members = {CHANNEL: {ADA.id}}

    told = {}
    for place in (elsewhere, shared):
        told[place] = await both.chat.answer_mention(
            "followups everywhere", Visit(place, ADA), thread="", event_id=place.id
        )
        assert not both.platform.said.get(place), "what other channels have is not for everybody"

    assert "vault" in str(told[elsewhere])
    assert "vault" not in str(told[shared])
    assert "vault" not in everything(await typed(both, "followups everywhere", shared))


async def test_a_private_codebase_that_concerns_a_channel_is_not_named_to_strangers(
    both: Bot,
) -> None:
    await typed(both, f"concern add {HIDDEN} of vllm")
    assert HIDDEN in everything(await typed(both, "concern"))
    assert len(await both.planning.surfaces(CHANNEL)) == 1

    assert "vault" not in everything(await typed(both, "concern", person=EVE))
    both.platform.shared = {CHANNEL}
    assert await both.planning.surfaces(CHANNEL) == ()
    for words in ("concern", "concern models Qwen3", "concern remove what", "concern remove all"):
        assert "vault" not in everything(await typed(both, words))
    assert await both.store.concerns.of(CHANNEL) == ()


@pytest.mark.parametrize("seen_by", ["shared", "public"])
async def test_a_file_that_was_given_is_not_told_once_others_read_the_channel(
    both: Bot, seen_by: str
) -> None:
    text = 'of = "o/kiln"\nuses = [{ kind = "name", name = "vault.key", at = "vault/a.py:3" }]'
    await both.chat.give_file("vault.toml", partial(_given, text), ADA_HERE)
    assert len(await both.planning.surfaces(CHANNEL)) == 1
    assert "vault.toml" in str(await typed(both, "settings"))
    assert "vault.toml" in everything(await typed(both, "concern"))

    setattr(both.platform, seen_by, {CHANNEL})
    assert await both.planning.surfaces(CHANNEL) == ()
    told = everything(await typed(both, "concern"))
    assert "not told here" in told
    assert "vault" not in told
    assert "vault.toml" not in str(await typed(both, "settings"))

    await both.chat.settings.give("vault.toml", text, ADA_HERE)  # who gives it there means it
    assert len(await both.planning.surfaces(CHANNEL)) == (seen_by == "public")
    setattr(both.platform, seen_by, set())
    assert len(await both.planning.surfaces(CHANNEL)) == 1


async def test_a_morning_that_waits_is_not_posted_with_a_file_that_is_not_told_any_more(
    bot: Bot, clock: SetClock
) -> None:
    await bot.subscribe()
    text = f'of = "{KILN}"\nsymbols = ["kiln"]\nuses = [{{ kind = "flag", name = "--x" }}]'
    await bot.chat.settings.give("own.toml", text, ADA_HERE)
    bot.platform.faults = [("send", PlatformDown("down"), False)]
    await bot.chat.deliver_due(morning())
    bot.platform.shared = {CHANNEL}
    clock.advance(minutes=5)

    await bot.chat.deliver_due(clock())

    assert "you said so" not in "".join(x.payload for x in bot.platform.said.get(CHANNEL, ()))
    assert await bot.store.deliveries.unfinished() == {}


async def _given(text: str) -> str:
    return text


async def _look(bot: Bot, clock: SetClock) -> None:
    clock.advance(minutes=31)
    await bot.upstream.look(clock())


async def test_a_platform_is_asked_once_for_each_private_repository_that_is_followed_up(
    sqlite_url: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty follow-ups of two repositories are two questions: platforms limit them."""
    private = {repo: frozenset({"slack:T1"}) for repo in (SECRET, LOOM)}
    await upgrade(sqlite_url)
    async with open_bot(sqlite_url, clock, Transcript(), private=private) as bot:
        subscription = await bot.subscribe(repos=(SECRET, LOOM))
        for number, repo in product(range(25), private):
            key = f"{repo}:pull_request:{number}"
            blank = FollowUp(None, CHANNEL, key, "Add", f"#{number}", "")
            flag = Reaction(ReactionKind.FLAG, ADA, True, (key,), clock())
            flagged = react_to(None, flag, blank=blank).followup
            assert flagged
            await bot.store.followups.change(
                CHANNEL, lambda ledger, flagged=flagged: ledger.save(flagged)
            )
        asked: list[Channel] = []

        async def is_shared(channel: Channel, person: str) -> bool:
            asked.append(channel)
            return False

        monkeypatch.setitem(vars(bot.planning.visibility), "is_shared", is_shared)
        slot = due(subscription, clock())
        assert slot

        inputs = await bot.planning.inputs(subscription, slot, Roundup(slot.window, ()))
        assert (len(inputs.followups), len(asked)) == (50, 2)

        asked.clear()
        listed = await bot.chat.lists.listed(Which.EVERYWHERE, ADA_HERE)
        assert (len(listed), len(asked)) == (50, 4), "as this channel's, and as told in it"

        asked.clear()
        await bot.upstream.look(clock())
        assert (sum(bot.forge.looks), len(asked)) == (50, 2)


async def test_a_button_asks_a_platform_once_however_many_messages_show_its_item(
    both: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    await both.chat.deliver_due(morning())
    item = both.platform.reply("CVE-2026-1100 in vault")
    post = await both.store.posts.at(CHANNEL, item.ref)
    assert post
    for number in range(3):
        said = replace(item, ref=f"7.{number}")
        both.platform.said[CHANNEL].append(said)
        copy = replace(post, id=None, nonce=f"n{number}", ref=said.ref)
        (kept,) = await both.store.posts.add([copy])
        await both.store.posts.advance(kept)
    asked: list[Channel] = []

    async def is_shared(channel: Channel, person: str) -> bool:
        asked.append(channel)
        return False

    monkeypatch.setitem(vars(both.planning.visibility), "is_shared", is_shared)
    (key,), edits = post.message.about, both.platform.edits
    await both.chat.followups.press(ReactionKind.FLAG, key, ADA_HERE, at(12, 10))

    assert both.platform.edits - edits == 4
    assert len(asked) == 1


async def test_a_change_where_all_is_hidden_names_nothing(both: Bot) -> None:
    await both.subscribe(repos=(SECRET,))
    both.platform.shared = {CHANNEL}

    for order in ("pause", "resume", "subscribe at 10:00", "unsubscribe kiln"):
        assert "vault" not in everything(await typed(both, order)), order
    assert "vault" not in str(both.platform.said)
