"""What whoever runs the bot does with it, on the command line alone.

::

    status [--channel CHANNEL] · backfill REPO SINCE
    backup FILE · restore FILE [--yes] · forget slack:TEAM|discord:GUILD
"""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeAlias

from bot.model.channels import Channel, Platform
from bot.model.commands import shown
from bot.model.help import HelpRow
from digest.errors import UsageError
from digest.wording.phrases import SAY

OPERATING_WORDS = ("status", "backfill", "backup", "restore", "forget")
"""First words of these commands."""

_WORKSPACE = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Status:
    """How everything is, or one channel."""

    channel: Channel | None = None


@dataclass(frozen=True, slots=True)
class Backfill:
    """Collect the days of a repository since a date, the newest first."""

    repo: str
    since: date


@dataclass(frozen=True, slots=True)
class Backup:
    """Write the whole database into a file."""

    file: Path
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Restore:
    """Put a backup in place of what the database holds; `yes` also where it holds something."""

    file: Path
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete everything of a workspace."""

    platform: Platform
    workspace: str


OperatingCommand: TypeAlias = Status | Backfill | Backup | Restore | Forget

GIVES = SAY.gives

OPERATING_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "status",
        "status [--channel CHANNEL]",
        "status",
        GIVES.status,
    ),
    HelpRow(
        "backfill",
        "backfill REPO SINCE",
        "backfill sglang 2026-01-01",
        GIVES.backfill,
    ),
    HelpRow(
        "backup",
        "backup FILE",
        "backup infra.backup",
        GIVES.backup,
    ),
    HelpRow(
        "restore",
        "restore FILE [--yes]",
        "restore infra.backup",
        GIVES.restore,
    ),
    HelpRow(
        "forget",
        "forget slack:TEAM|discord:GUILD",
        "forget slack:T0123",
        GIVES.forget,
    ),
)


def parse_operating(words: list[str], *, channel: str, yes: bool) -> OperatingCommand:
    """Read words that begin with one of `OPERATING_WORDS`; `UsageError` shows the right form."""
    rest = words[1:]
    match words[0].casefold():
        case "status":
            if rest:
                raise UsageError("status takes no more words: infra status --channel slack:T/C")
            return Status(Channel.parse(channel) if channel else None)
        case "backfill":
            return _backfill(rest)
        case "backup":
            return Backup(_file(rest, "backup"), yes)
        case "restore":
            return Restore(_file(rest, "restore"), yes)
        case _:
            return _forget(rest)


def _backfill(rest: list[str]) -> Backfill:
    try:
        repo, since = rest
        return Backfill(repo, date.fromisoformat(since))
    except ValueError:
        message = "say which repository, and since when: infra backfill sglang 2026-01-01"
        raise UsageError(message) from None


def _file(rest: list[str], command: str) -> Path:
    if len(rest) != 1:
        raise UsageError(f"name one file: infra {command} infra.backup")
    return Path(rest[0])


def _forget(rest: list[str]) -> Forget:
    platform, _, workspace = rest[0].partition(":") if len(rest) == 1 else ("", "", "")
    if platform.casefold() not in tuple(Platform) or not _WORKSPACE.fullmatch(workspace):
        given = f"{shown(' '.join(rest))} is no workspace: " if rest else ""
        raise UsageError(f"{given}infra forget slack:T0123, or infra forget discord:1234")
    return Forget(Platform(platform.casefold()), workspace)
