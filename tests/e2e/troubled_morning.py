"""The morning of `morning` with a model, and troubles before each of the four servers."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg
from aiohttp import web

from benchmarks.small_github import application
from benchmarks.small_model import SmallModel
from tests.e2e.falls import (
    DiscordSockets,
    Drop,
    Fall,
    FallingDiscord,
    FallingSlack,
    SlackSockets,
)
from tests.e2e.morning import World, plain, served
from tests.e2e.troubles import Troubled

FLAGGED = """
SELECT channel, ref FROM post WHERE platform = %s AND thread > 0 AND state = 'sent'
  AND (item_key <> '' OR position = 0) ORDER BY item_key DESC LIMIT 1
"""
"""A message that is about one item, or the first of a thread."""

HEARD = "SELECT platform FROM follow_up UNION SELECT platform FROM question"
"""Which platforms' flags are kept; one on several items leaves the question which of them."""

SPEED = 60
"""Seconds of the process's clock in one: its pauses of minutes are seconds then."""

MODEL_SECONDS = 5
"""How long a digest waits for its model."""


class TroubledWorld(World):
    """Servers with troubles, by the name of the server, and a process whose clock runs fast.

    `drops` are when the sockets of Discord and of Slack fall.
    """

    slack: FallingSlack
    discord: FallingDiscord

    def __init__(
        self,
        folder: Path,
        database_url: str,
        troubles: Mapping[str, Troubled],
        drops: Sequence[tuple[Drop, ...]] = ((), ()),
    ) -> None:
        super().__init__(folder, database_url)
        of_discord, of_slack = drops
        self.slack = FallingSlack(self._step, SlackSockets(of_slack))
        self.discord = FallingDiscord(self._step, DiscordSockets(of_discord))
        self.troubles = troubles
        self.model_url = ""

    async def serve(self, stack: AsyncExitStack) -> None:
        """Start the servers, each behind its troubles."""
        slack, discord = self.slack.application(), self.discord.application()
        slack.middlewares.append(self.slack.held.middleware())
        discord.middlewares.append(self.discord.held.middleware())
        self.slack.url = await self._served("slack", slack, stack)
        self.discord.url = await self._served("discord", discord, stack)
        self.github.url = await self._served("github", application(self.github), stack)
        self.model_url = await self._served("model", _model(), stack)

    async def until_heard(self, falls: Sequence[Fall], longest: float) -> None:
        """Let Discord's and Slack's sockets fall, set a flag on each, and wait until both are kept.

        `TimeoutError` after `longest` seconds: somebody was not heard.
        """
        flagged: set[str] = set()
        for server, fall in zip((self.discord, self.slack), falls, strict=False):
            server.held.let_fall(fall)
        async with (
            asyncio.timeout(longest),
            await psycopg.AsyncConnection.connect(
                plain(self._database_url), autocommit=True
            ) as connection,
        ):
            for name, server in (("discord", self.discord), ("slack", self.slack)):
                found = await connection.execute(FLAGGED, (name,))
                if row := await found.fetchone():  # nothing where GitHub failed altogether
                    flagged.add(name)
                    await server.flag(*row)
            heard: set[str] = set()
            while heard != flagged:
                found = await connection.execute(HEARD)
                heard = {name for (name,) in await found.fetchall()}
                await asyncio.sleep(0.1)

    def environment(self) -> dict[str, str]:
        """Give what the process is set up with."""
        return {
            **super().environment(),
            "INFRA_NOW": f"{self.now.isoformat()}*{SPEED}",
            "INFRA_MODEL": "small",
            "INFRA_MODEL_SECONDS": str(MODEL_SECONDS),
            "OPENAI_BASE_URL": f"{self.model_url}/v1",
        }

    async def _served(self, name: str, server: web.Application, stack: AsyncExitStack) -> str:
        if name in self.troubles:
            server.middlewares.append(self.troubles[name].middleware())
        return await served(server, stack)


def _model() -> web.Application:
    server = web.Application(client_max_size=2**24)
    server.router.add_post("/v1/chat/completions", SmallModel().answer)
    return server
