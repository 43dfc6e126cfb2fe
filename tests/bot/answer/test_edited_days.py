"""A day that a model wrote about, in a channel: delivered, asked for, asked for again."""

from collections.abc import Sequence

from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.languages import Language
from digest.models import Digest, Reading
from digest.ports import Edited
from digest.store.database import upgrade
from tests.bot.bot_fixture import morning, open_bot
from tests.bot.platform_fake import CHANNEL, KILN, LOOM, Transcript
from tests.bot.talking import everything, typed
from tests.conftest import SetClock

USE = ModelUse("glaze-7b", ModelOutcome.COMPLETE, asked=1, told=1, checker="glaze-7b")


class Paragraph:
    """Writes the same two sentences about every day."""

    def owes(self, digest: Digest, now: object) -> bool:
        return False

    async def edit(self, reading: Reading) -> Edited:
        return Edited(reading, self._about(reading.items[0].item.key), USE)

    async def edit_together(
        self, digests: Sequence[Digest], spent: float
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
