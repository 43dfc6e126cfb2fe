"""Which repositories a channel and a person may be told of: public ones, private ones by name.

A private repository that may not be told looks exactly like one that does not exist.
"""

from collections.abc import Awaitable, Callable, Mapping

from bot.model.channels import Channel, Person
from bot.model.ports import PublishError
from digest.models import Repo


async def _nothing_hidden() -> frozenset[str]:
    return frozenset()


class Visibility:
    """Who may be told of private repositories.

    `private` gives each the workspaces it may go to, such as `slack:T0123` or `discord:1234`; what
    is not in it is public, since sources refuse any other private repository. `is_shared` tells
    whether a channel is shared with another organisation, and may raise `PublishError`. `hidden`
    gives the names, in lower case, of all that were ever private: what is stored of one that is
    not in `private` any more is told to nobody.
    """

    def __init__(
        self,
        private: Mapping[Repo, frozenset[str]],
        is_shared: Callable[[Channel], Awaitable[bool]],
        hidden: Callable[[], Awaitable[frozenset[str]]] = _nothing_hidden,
    ) -> None:
        self._private = {str(repo).casefold(): holders for repo, holders in private.items()}
        self._is_shared = is_shared
        self._hidden = hidden

    async def may_tell(self, repo: Repo, channel: Channel) -> bool:
        """Tell whether everybody of a channel may be told of a repository.

        Raises `PublishError` where it is not known whether strangers are there.
        """
        holders = self._private.get(str(repo).casefold())
        if holders is None:
            return str(repo).lower() not in await self._hidden()
        if f"{channel.platform}:{channel.workspace}" not in holders:
            return False
        return not await self._is_shared(channel)

    async def may_hear(self, repo: Repo, channel: Channel, person: Person) -> bool:
        """Tell whether a person in a channel may be told of a repository: no stranger of a private.

        Where it is not known who is there, strangers are.
        """
        if person.is_stranger and str(repo).casefold() in self._private:
            return False
        return await self.may_show(repo, channel)

    async def may_show(self, repo: Repo, channel: Channel) -> bool:
        """Tell what `may_tell` does; where it is not known who is there, strangers are."""
        try:
            return await self.may_tell(repo, channel)
        except PublishError:
            return False
