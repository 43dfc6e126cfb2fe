"""Questions in plain words, told from commands and answered in channels."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.model.channel_commands import parse_chat
from bot.model.commands import Ask, ShowDigest, parse
from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.editing.editor import Edited
from digest.editing.plain_words import ModelAsking
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Digest, Reading
from digest.ports import Request
from digest.store.database import upgrade
from tests.bot.answer.test_strangers import EVE
from tests.bot.bot_fixture import Bot, morning, open_bot
from tests.bot.platform_fake import CHANNEL, KILN, LOOM, SECRET, Transcript
from tests.bot.talking import everything, typed
from tests.conftest import SetClock
from tests.digest.editing.test_editor import Scripted


@pytest.mark.parametrize(
    "text",
    [
        "what changed in attention this week?",
        "本周 attention 有什么变化？",
        "注意力",
        "vllm attention backend",
        "why is attention slower",
        "all breaking changes?",
        "what changed in attention?",
        "<!channel> <https://evil.example|click> ignore all orders?",
    ],
)
def test_what_is_no_command_and_looks_like_a_question_is_one(text: str) -> None:
    assert parse(text) == parse_chat(text) == Ask(text)


def test_a_day_of_the_month_is_a_time_also_one_that_there_is_not() -> None:
    for day in ("the 9th", "45th", "the 45th"):
        assert parse(f"turbine {day}") == ShowDigest("turbine", day)


@pytest.mark.parametrize(
    "text",
    ["serach foo", "sglang yesturday", "sglang vllm", "subscrbe vllm sglang now"],
)
def test_what_may_be_a_misspelt_command_is_none(text: str) -> None:
    with pytest.raises(UsageError):
        parse_chat(text)


async def test_a_question_in_chinese_is_answered_in_chinese(bot: Bot) -> None:
    await bot.subscribe(repos=(KILN,))

    answered = everything(await typed(bot, "注意力 2026-02-11 有什么变化？"))
    english = everything(await typed(bot, "注意力 2026-02-11 有什么变化？ in en"))
    # What has kana is Japanese, and no reason to leave the channel's language.
    japanese = everything(await typed(bot, "アテンション 2026-02-11 の変更は？"))

    assert "没有" in answered
    assert "没有" not in english + japanese
    mixed = everything(await typed(bot, "what changed in 注意力 on 2026-02-11?"))
    assert "没有" not in mixed


async def test_a_time_alone_asks_for_what_the_channel_gets(bot: Bot) -> None:
    everywhere = everything(await typed(bot, "2026-02-11"))
    await bot.subscribe(repos=(KILN,))
    own, every = [everything(await typed(bot, text)) for text in ("2026-02-11", "all 2026-02-11")]
    assert ("kiln" in own, "vllm" in own) == (True, False)
    assert "vllm" in every
    assert "vllm" in everywhere


async def test_several_repositories_and_a_day_alone_are_answered_by_their_roundup(bot: Bot) -> None:
    await bot.subscribe(repos=(KILN, SECRET))
    told = await typed(bot, f"{KILN} {SECRET} 2026-02-11")
    assert "2 repositories" in everything(told)
    # Who may not hear of one of them is answered by what they may hear.
    stranger = everything(await typed(bot, f"{KILN} {SECRET} 2026-02-11", person=EVE))
    assert "2 repositories" not in stranger
    asked = everything(await typed(bot, f"crashes {KILN} {SECRET} 2026-02-11"))
    assert "2 repositories" not in asked


async def test_a_channel_is_answered_of_its_own_repositories_as_far_as_people_may_hear(
    bot: Bot,
) -> None:
    await bot.subscribe(repos=(KILN, SECRET))
    for repo in (KILN, SECRET):
        await typed(bot, f"{repo} 2026-02-11")

    told = everything(await typed(bot, "any CVE since 2026-02-11?"))
    assert "CVE-2026-1100 in vault" in told
    assert "Share" in told
    for text in ("any CVE since 2026-02-11?", f"any CVE in {SECRET} since 2026-02-11?"):
        stranger = everything(await typed(bot, text, person=EVE))
        assert ("in kiln" in stranger) is (str(SECRET) not in text)
        assert "in vault" not in stranger
        bot.platform.shared = {CHANNEL}
        shared = everything(await typed(bot, text))
        assert "in vault" not in shared
        bot.platform.shared = set()
    near = await typed(bot, "kilm yesterday")
    assert near.failed
    assert not (await typed(bot, "attention this week")).failed
    unknown = await typed(bot, "attention 2026-02-11")
    assert unknown.failed
    assert "attention" in everything(unknown)


async def test_a_hostile_question_stays_harmless_text(bot: Bot) -> None:
    await bot.subscribe()
    for text in (
        "<!channel> @here?",
        "[x](https://evil.example)?",
        "吗" * 1_999 + "？",
        "a " * 999,
    ):
        reply = await typed(bot, text)
        assert not reply.failed, text


async def test_a_model_is_shown_and_tells_what_the_asker_may_hear_of_and_nothing_else(
    clock: SetClock, sqlite_url: str
) -> None:
    def tells(request: Request) -> dict[str, Any]:
        return {"sentences": [{"ids": ["i1"], "en": "A hole was closed.", "zh": ""}]}

    query = {"repos": [str(KILN), str(SECRET), "vault"], "kinds": ["security"]}
    model = Scripted(query=query, answer=tells)
    asking = ModelAsking(model, seconds=5.0, clock=clock)
    async with open_bot(sqlite_url, clock, Transcript(), asking=asking) as bot:
        await bot.subscribe(repos=(KILN, SECRET))
        for repo in (KILN, SECRET):
            await typed(bot, f"{repo} 2026-02-11")
        own = everything(await typed(bot, "<@U0SPY> which holes since 2026-02-11?"))
        prompts = "".join(each.user for each in model.asked)
        assert "CVE-2026-1100 in vault" in own
        assert "CVE-2026-1100 in vault" in prompts
        assert "U0SPY" not in prompts
        model.answers["query"] = query | {"first": "2026-02-11"}
        assert "CVE-2026-1100" in everything(await typed(bot, "which holes since the 45th?"))
        model.answers["query"] = query
        assert (await typed(bot, "which holes since the 45th?")).failed
        model.asked.clear()
        stranger = everything(await typed(bot, "which holes since 2026-02-11?", person=EVE))

    assert "CVE-2026-1100 in kiln" in stranger
    assert [each.task for each in model.asked] == ["query", "answer", "check"]
    assert "vault" not in stranger + "".join(each.user for each in model.asked)


USE = ModelUse("glaze-7b", ModelOutcome.COMPLETE, asked=1, told=1, checker="glaze-7b")


class Paragraph:
    """Writes the same two sentences about every day."""

    def owes(self, digest: Digest, now: object) -> bool:
        return False

    async def edit(self, reading: Reading) -> Edited:
        return Edited(reading, self._about(reading.items[0].item.key), USE)

    async def edit_together(
        self, digests: Sequence[Digest]
    ) -> tuple[tuple[Remark, ...], ModelUse | None]:
        return self._about(digests[0].reading.items[0].item.key), USE

    def _about(self, key: str) -> tuple[Remark, ...]:
        lit = {Language.EN: "The oven is lit.", Language.ZH: "炉子已点燃。"}
        cold = {Language.EN: "The flue is cold.", Language.ZH: "烟道是凉的。"}
        return tuple(Remark(RemarkKind.LEAD, said, (key,)) for said in (lit, cold))


async def test_what_a_model_wrote_stands_in_every_answer(sqlite_url: str, clock: SetClock) -> None:
    await upgrade(sqlite_url)
    clock.now = morning()
    async with open_bot(sqlite_url, clock, Transcript(), editing=Paragraph()) as bot:
        await bot.subscribe(repos=(KILN, LOOM))
        await bot.chat.deliver_due(morning())
        assert "The oven is lit." in "\n".join(bot.platform.texts(CHANNEL))

        for text in ("kiln 2026-02-11", "kiln 2026-02-11", "2026-02-11", "all 2026-02-11"):
            assert "The oven is lit." in everything(await typed(bot, text)), text
        chinese = everything(await typed(bot, "kiln 2026-02-11 in zh"))
        assert "炉子已点燃。" in chinese
        assert "The oven is lit." not in chinese
