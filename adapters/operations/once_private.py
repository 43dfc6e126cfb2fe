"""Once a day: whether repositories that were private are public again, so that they may be told.

Nothing is told of what was private once until GitHub says that it is public, and nobody who asks in
a channel makes the bot look. What looks notes the answer (`adapters.wiring.run.note_visibility`).
"""

import asyncio
from datetime import timedelta

import structlog

from adapters.operations.purge import LOOKED_EVERY, is_turn
from bot.store.timestamps import HiddenRepos, Timestamps
from digest.errors import InfraError
from digest.models import Repo, Window
from digest.ports import Clock, Source
from digest.store.database import Database

LOOKED = "last look at what was private"

log = structlog.get_logger()


class OncePrivate:
    """Looks at hidden repositories that are not among `listed`, names in lower case."""

    def __init__(
        self,
        source: Source,
        listed: frozenset[str],
        database: Database,
        clock: Clock,
        looked_every: float = LOOKED_EVERY,
    ) -> None:
        self._source = source
        self._listed = listed
        self._hidden = HiddenRepos(database)
        self._moments = Timestamps(database)
        self._clock = clock
        self._looked_every = looked_every

    async def live(self) -> None:
        """Look once a day until cancelled."""
        while True:
            try:
                await self.look()
            except InfraError as error:
                log.warning("what was private not looked at", reason=str(error))
            await asyncio.sleep(self._looked_every)

    async def look(self) -> None:
        """Look if nobody did within a day; raises `StoreFailed`.

        A repository that cannot be looked at stays hidden, and the next day comes.
        """
        now = self._clock()
        if not await self._moments.decide((LOOKED,), lambda known: is_turn(LOOKED, known, now)):
            return
        window = Window(now - timedelta(minutes=1), now, "UTC", "")
        for name in sorted(await self._hidden.all() - self._listed):
            try:
                await self._source.collect(Repo.parse(name), window)
            except InfraError as error:
                # Its name is nobody's to read: who may, sees it in INFRA_PRIVATE_REPOS.
                log.info("what was private stays hidden", reason=type(error).__name__)
