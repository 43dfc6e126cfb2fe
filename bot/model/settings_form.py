"""The form of a channel's settings: what it shows, and what a person filled in. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.model.channel_commands import Subscribe
from bot.model.concerns import ConcernCommand
from bot.model.subscriptions import Subscription
from digest.phrase import Phrase


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """What a form shows.

    `subscription` has no repositories where the channel gets nothing yet. `concern` are words as
    `bot.model.concerns.read_lists` reads them, `surfaces` the names of the channel's codebases and
    files. `state` says what the channel was told last, what comes next, and what went wrong.
    """

    subscription: Subscription
    concern: str = ""
    surfaces: tuple[str, ...] = ()
    state: str = ""


@dataclass(frozen=True, slots=True)
class FilledForm:
    """What a person filled in, read as commands.

    The repositories of `command` are all that the channel is to get. `faults` has one sentence for
    each field that could not be read, by the field's name.
    """

    command: Subscribe
    concerns: tuple[ConcernCommand, ...] = ()
    faults: Mapping[str, Phrase] = field(default_factory=dict)
