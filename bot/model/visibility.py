"""Which repositories a channel may be told of: all public ones, private ones where they are named.

A private repository that may not be told looks exactly like one that does not exist.
"""

from collections.abc import Mapping

from bot.model.channels import Channel
from digest.models import Repo


class Visibility:
    """Who may be told of private repositories.

    `private` gives each the workspaces it may go to, such as `slack:T0123` or `discord:1234`; what
    is not in it is public, since sources refuse any other private repository.
    """

    def __init__(self, private: Mapping[Repo, frozenset[str]]) -> None:
        self._private = {str(repo).casefold(): holders for repo, holders in private.items()}

    def may_tell(self, repo: Repo, channel: Channel) -> bool:
        """Tell whether a channel may be told of a repository."""
        holders = self._private.get(str(repo).casefold())
        return holders is None or f"{channel.platform}:{channel.workspace}" in holders
