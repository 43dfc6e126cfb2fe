"""The door for adapters: a command in, a reply out."""

from bot.answers import Answers, Asker
from bot.commands import Command
from bot.replies import Reply

__all__ = ["Asker", "Service"]


class Service:
    """What the bot does, for any platform."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    async def answer(self, command: Command, asker: Asker) -> Reply:
        """Answer one command.

        Raises `UsageError` for what cannot be, `ConfigurationError` for what has to be mended and
        `CouldNotLook` where source or store failed: each is one sentence for the person.
        """
        return await self._answers.answer(command, asker)
