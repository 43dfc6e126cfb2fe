"""What runs the bot and stands in for a person of a channel, on the command line alone.

::

    run [--only slack|discord|worker|web] · deliver --at TIME [--send]
    subscribe … · unsubscribe … · subscriptions · settings     with --channel CHANNEL
    followups [open|done|all|everywhere]                       of all channels without it
    slack manifest · slack preview REPO [WHEN] · discord invite
"""

from dataclasses import dataclass
from typing import TypeAlias

from bot.model.channel_commands import ShowFollowUps, parse_chat
from bot.model.channels import Channel
from bot.model.commands import CHANNEL_WORDS, DEFAULT_WHEN, is_time, nearest, shown
from bot.model.followups import Which
from bot.model.help import HelpRow
from digest.errors import UsageError
from digest.languages import Language
from digest.wording.phrases import SAY

ONLY = ("slack", "discord", "worker", "web")
"""What a process can do alone: one platform, all but HTTP, or HTTP."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run the bot until it is asked to end; `only` is empty for everything."""

    only: str = ""


@dataclass(frozen=True, slots=True)
class Deliver:
    """Show what would be told at a time, or send it."""

    at: str
    send: bool = False


@dataclass(frozen=True, slots=True)
class InChannel:
    """A command of a channel, in the name of who runs the bot."""

    text: str
    channel: Channel


@dataclass(frozen=True, slots=True)
class ListFollowUps:
    """Show the follow-ups of a channel, or of all."""

    which: Which
    channel: Channel | None
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class SlackManifest:
    """Print the manifest of the Slack app."""


@dataclass(frozen=True, slots=True)
class SlackPreview:
    """Print a day's messages as Slack gets them."""

    repo: str
    when: str = DEFAULT_WHEN


@dataclass(frozen=True, slots=True)
class DiscordInvite:
    """Print the link that adds the bot to a Discord server."""


BotCommand: TypeAlias = (
    Run | Deliver | InChannel | ListFollowUps | SlackManifest | SlackPreview | DiscordInvite
)

BOT_WORDS = ("run", "deliver", "slack", "discord", *CHANNEL_WORDS)
"""First words of these commands."""

GIVES = SAY.gives

BOT_ROWS: tuple[HelpRow, ...] = (
    HelpRow(
        "run",
        "run [--only slack|discord|worker|web]",
        "run --only slack",
        GIVES.run,
    ),
    HelpRow(
        "deliver",
        "deliver --at TIME [--send]",
        "deliver --at 2026-02-12T09:00",
        GIVES.deliver,
    ),
    HelpRow(
        "subscribe",
        "subscribe … | unsubscribe … | pause | resume | subscriptions | settings | "
        "concern … | why … --channel CHANNEL",
        "subscribe vllm --channel slack:T0123/C0456",
        GIVES.cli_subscribe,
    ),
    HelpRow(
        "followups",
        "followups [open|done|all] [--channel CHANNEL]",
        "followups done",
        GIVES.cli_followups,
    ),
    HelpRow(
        "slack",
        "slack manifest",
        "slack manifest",
        GIVES.slack,
    ),
    HelpRow(
        "slack",
        "slack preview REPO [WHEN]",
        "slack preview sglang 2026-02-11",
        GIVES.cli_slack,
    ),
    HelpRow(
        "discord",
        "discord invite",
        "discord invite",
        GIVES.discord,
    ),
)


def parse_bot_words(
    words: list[str], *, only: str, at: str, send: bool, channel: str
) -> BotCommand:
    """Read words that begin with one of `BOT_WORDS`; `UsageError` shows the right form."""
    first, rest = words[0].casefold(), words[1:]
    match first:
        case "run":
            _refuse(rest, "run")
            return Run(_only(only))
        case "deliver":
            _refuse(rest, "deliver --at 2026-02-12T09:00")
            if not at:
                raise UsageError("say for when: infra deliver --at 2026-02-12T09:00")
            return Deliver(at, send)
        case "slack":
            return _slack(rest)
        case "discord":
            if [word.casefold() for word in rest] != ["invite"]:
                raise UsageError("discord takes: infra discord invite")
            return DiscordInvite()
    asked = parse_chat(" ".join(words)) if first == "followups" else None
    if isinstance(asked, ShowFollowUps):
        if asked.which is Which.MINE:
            raise UsageError("nobody is asked for here: infra followups open|done|all")
        return ListFollowUps(
            asked.which, Channel.parse(channel) if channel else None, asked.language
        )
    if not channel:
        raise UsageError(f"say in which channel: infra {first} … --channel slack:TEAM/CHANNEL")
    return InChannel(" ".join(words), Channel.parse(channel))


def _slack(rest: list[str]) -> BotCommand:
    match [word.casefold() for word in rest[:1]]:
        case ["manifest"]:
            _refuse(rest[1:], "slack manifest")
            return SlackManifest()
        case ["preview"] if len(rest) > 1:
            when = " ".join(rest[2:])
            if when and not is_time(when):
                raise UsageError(
                    f"{shown(when)} is not a time: infra slack preview {shown(rest[1])} yesterday"
                )
            return SlackPreview(rest[1], when.casefold() or DEFAULT_WHEN)
    raise UsageError("slack takes: infra slack manifest, or infra slack preview sglang yesterday")


def _only(value: str) -> str:
    if not value or value.casefold() in ONLY:
        return value.casefold()
    meant = nearest(value, ONLY)
    hint = f"did you mean {meant}?" if meant else f"write --only {'|'.join(ONLY)}"
    raise UsageError(f"--only cannot be {shown(value)}: {hint}")


def _refuse(rest: list[str], form: str) -> None:
    if rest:
        raise UsageError(f"{form.split()[0]} takes no more words: infra {form}")
