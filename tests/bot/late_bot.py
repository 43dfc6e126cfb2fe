"""A bot whose model is slow, and what completes its threads."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from bot.deliver.completing import Completing
from bot.model.channels import Platform
from digest.asking.glosses import Glosses
from digest.asking.lateness import Lateness
from digest.models import Item, Repo
from digest.ports import Request
from tests.bot.bot_fixture import Bot, open_bot
from tests.bot.platform_fake import CHANNEL, Forge, Transcript
from tests.conftest import SetClock
from tests.digest.asking.scripted import NOTHING, Said, Scripted, answer, claim


def words(own: int) -> str:
    return f"The server retries job_{own} after a crash."


def chinese(own: int) -> str:
    return f"服务器在崩溃后会重试 job_{own}。"


class Telling(Forge):
    """A forge whose changes have descriptions of which something can be said."""

    def _change(self, repo: Repo, day: datetime, number: int) -> Item:
        item = super()._change(repo, day, number)
        return replace(item, body=f"The server now retries `job_{item.number}` after a crash.")


def about_jobs(request: Request) -> Said:
    if request.task != "gloss":
        return NOTHING
    own = int(request.about.rsplit(":", 1)[-1])
    return answer(
        claim(f"The server now retries `job_{own}` after a crash.", words(own), chinese(own))
    )


@dataclass
class Late:
    """A bot whose model is slow, and what completes its threads."""

    bot: Bot
    model: Scripted
    lateness: Lateness
    completing: Completing

    @property
    def platform(self) -> Transcript:
        return self.bot.platform

    async def answers(self) -> None:
        """Let the model answer all that it was asked."""
        self.model.open.set()
        await self.lateness.settle()

    def says(self, own: int) -> list[str]:
        """Give the references of the messages in which something is said of a change."""
        told = self.platform.said[CHANNEL]
        return [each.ref for each in told if words(own)[:-1] in each.payload]


@asynccontextmanager
async def process(
    url: str, clock: SetClock, platform: Transcript, model: Scripted, owner: str = "me"
) -> AsyncIterator[Late]:
    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    lateness = Lateness(Glosses(model), seconds=0.0, pause=at_once)
    forge = Telling(clock)
    async with open_bot(url, clock, platform, forge=forge, glossing=lateness) as bot:
        completing = Completing(
            bot.planning,
            bot.pipeline,
            bot.store,
            {Platform.SLACK: platform},
            clock=clock,
            owner=owner,
            pause=at_once,
        )
        try:
            yield Late(bot, model, lateness, completing)
        finally:
            await completing.stop()
            await lateness.stop()


def payloads(late: Late) -> list[tuple[str, str]]:
    return [(each.ref, each.payload) for each in late.platform.said[CHANNEL]]
