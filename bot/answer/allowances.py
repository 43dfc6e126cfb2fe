"""What people and workspaces may still ask for, kept where every process finds it."""

from datetime import datetime, timedelta

from bot.model.channel_commands import AskUpgrade
from bot.model.channels import Channel, Person
from bot.model.commands import Command
from bot.model.fairness import A_PERSON, A_WORKSPACE, cost, names, refusal, spend
from bot.store.timestamps import Timestamps
from digest.ports import Clock


class Allowances:
    """Spends the allowances of those who ask."""

    def __init__(self, timestamps: Timestamps, clock: Clock) -> None:
        self._timestamps = timestamps
        self._clock = clock

    async def spend(
        self, command: Command | AskUpgrade, days: int, channel: Channel, person: Person
    ) -> None:
        """Spend what a command costs; raises `UsageError` where nothing is left, `StoreFailed`.

        Who runs the bot, and has no id on the platform, is not limited.
        """
        units = cost(command, days)
        if not units or not person.id:
            return
        workspace, own = names(channel, person)
        now = self._clock()

        def decide(
            known: dict[str, datetime],
        ) -> tuple[dict[str, datetime], tuple[timedelta, timedelta]]:
            shared, shared_wait = spend(known.get(workspace), units, A_WORKSPACE, now)
            mine, wait = spend(known.get(own), units, A_PERSON, now)
            if wait or shared_wait:
                return {}, (wait, shared_wait)
            return {workspace: shared, own: mine}, (wait, shared_wait)

        wait, shared_wait = await self._timestamps.decide((workspace, own), decide)
        if wait or shared_wait:
            raise refusal(max(wait, shared_wait), own=wait >= shared_wait)
