"""Where the bot speaks and who speaks to it, in words that every platform shares."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from digest.errors import UsageError
from digest.wording.phrases import SAY


class Platform(StrEnum):
    """A chat platform."""

    SLACK = "slack"
    DISCORD = "discord"


@dataclass(frozen=True, slots=True, order=True)
class Channel:
    """A channel of a workspace (Slack: team, Discord: guild), by the platform's own ids."""

    platform: Platform
    workspace: str
    id: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.workspace}/{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `slack:T0123/C0456` or `discord:1234/5678`; `UsageError` gives the right form."""
        platform, _, rest = text.partition(":")
        workspace, slash, channel = rest.partition("/")
        try:
            known = Platform(platform)
        except ValueError:
            slash = ""
        if not slash or not workspace or not channel or "/" in channel:
            raise UsageError(SAY.commands.no_channel(f"{text[:40]!r}"))
        return cls(known, workspace, channel)


OPERATOR = "on the command line"
"""The name of who runs the bot, as it is stored; `person_name` shows it in each language."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who types or reacts; `tz` and `language` where the platform tells them.

    `may_manage` tells that they are an admin of the channel, `may_write` that they may post where
    they are now. A stranger belongs to another organisation, is a guest, or cannot be looked up.
    `groups` are the roles (Discord) and user groups (Slack) they are in, as far as a setting names
    some, by the platform's own ids.
    """

    platform: Platform
    workspace: str
    id: str
    name: str
    tz: str | None = None
    language: str | None = None
    is_bot: bool = False
    may_manage: bool = False
    may_write: bool = True
    is_stranger: bool = False
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody where they ask or act: a person in a channel."""

    channel: Channel
    person: Person
