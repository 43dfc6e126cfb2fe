"""What the bot needs to be allowed on a server, and the link that asks for exactly that.

https://discord.com/developers/docs/topics/permissions and
https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
"""

from dataclasses import dataclass

import discord

from digest.phrase import Phrase
from digest.wording.phrases import SAY

SCOPES = ("applications.commands", "bot")


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission: its bit, and its name as Discord's settings show it."""

    bit: int
    name: Phrase


MANAGE_CHANNELS = Permission(1 << 4, SAY.permissions.manage_channels)
MANAGE_SERVER = Permission(1 << 5, SAY.permissions.manage_server)
ADMINISTRATOR = Permission(1 << 3, SAY.permissions.administrator)
VIEW_CHANNEL = Permission(1 << 10, SAY.permissions.view_channel)
SEND_MESSAGES = Permission(1 << 11, SAY.permissions.send_messages)
EMBED_LINKS = Permission(1 << 14, SAY.permissions.embed_links)
READ_HISTORY = Permission(1 << 16, SAY.permissions.read_history)
CREATE_THREADS = Permission(1 << 35, SAY.permissions.create_threads)
MENTION_EVERYONE = Permission(1 << 17, SAY.permissions.mention_everyone)
MANAGE_THREADS = Permission(1 << 34, SAY.permissions.manage_threads)
SEND_IN_THREADS = Permission(1 << 38, SAY.permissions.send_in_threads)

NEEDED = (
    *(VIEW_CHANNEL, SEND_MESSAGES, EMBED_LINKS),
    *(CREATE_THREADS, SEND_IN_THREADS, READ_HISTORY),
)
"""History, for finding a message whose answer was lost, and reactions that were missed."""

EVERYTHING = discord.Permissions.all().value
"""What an administrator may."""

MAY_MANAGE = (ADMINISTRATOR, MANAGE_CHANNELS, MANAGE_SERVER)
"""Any one of these makes an admin."""


def bits(permissions: tuple[Permission, ...] = NEEDED) -> int:
    """Return permissions as Discord's number."""
    return sum(each.bit for each in permissions)


def missing(allowed: int) -> tuple[Permission, ...]:
    """Return what the bot lacks where it is allowed so much."""
    if allowed & ADMINISTRATOR.bit:
        return ()
    return tuple(each for each in NEEDED if not allowed & each.bit)


def named(*permissions: Permission) -> tuple[Phrase, ...]:
    """Name permissions in a row."""
    return tuple(each.name for each in permissions)


def may_manage(allowed: int) -> bool:
    """Return whether somebody who is allowed so much is an admin of a channel."""
    return any(allowed & each.bit for each in MAY_MANAGE)


def may_write(allowed: int, *, in_thread: bool) -> bool:
    """Return whether these permissions allow posting in a channel, or in a thread of it."""
    needed = SEND_IN_THREADS if in_thread else SEND_MESSAGES
    return bool(allowed & (ADMINISTRATOR.bit | needed.bit))


def invitation(application: str) -> str:
    """Return the link by which an admin adds the bot to a server."""
    permissions = discord.Permissions(bits())
    return discord.utils.oauth_url(application, permissions=permissions, scopes=SCOPES)
