"""The door for adapters: a command in, a reply out.

`Service` is for the command line, `Chat` (in `bot.answer.chat`) for everything in channels.
"""

from collections.abc import Sequence

from bot.answer.answers import Answers, Asker
from bot.answer.chat import Chat
from bot.compose.chat_reply import ChatReply
from bot.model.commands import Command, ShowDigest
from bot.model.replies import AnalysisReply, Reply
from digest.models import Repo, Roundup, Window

__all__ = ["Asker", "Chat", "ChatReply", "Service"]


class Service:
    """What the bot does, for any platform.

    Every method raises `UsageError` for what cannot be, `ConfigurationError` for what has to be
    mended, and `CouldNotLook` where source or store failed: each is one sentence for the person.
    """

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    async def answer(self, command: Command, asker: Asker) -> Reply:
        """Answer one command."""
        return await self._answers.answer(command, asker)

    async def analysed(self, command: ShowDigest, asker: Asker) -> AnalysisReply:
        """Answer a command for a digest with its long form."""
        return await self._answers.analysed(command, asker)

    async def repos(self, names: Sequence[str] = ()) -> tuple[Repo, ...]:
        """Give the repositories that are meant by these names, or all for none."""
        if not names:
            return await self._answers.repos()
        return tuple(dict.fromkeys([await self._answers.repo(name) for name in names]))

    def window(self, when: str, asker: Asker) -> Window:
        """Give the window that is meant."""
        return self._answers.window(when, asker)

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Give the digests of several repositories, busiest first."""
        return await self._answers.roundup(repos, window)
