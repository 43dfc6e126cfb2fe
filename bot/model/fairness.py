"""What a person and a workspace may ask for that is costly: long ranges, deep dives, searches.

An allowance is one moment: until when it is used up (the generic cell rate algorithm, as in
https://www.itu.int/rec/T-REC-I.371, annex A). Every unit moves it on by what the unit costs in
time, and it may lie ahead of the clock by what may be asked for at once. So a store holds one
moment for each name, whichever process asks.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.model.channel_commands import AskUpgrade
from bot.model.channels import Channel, Person
from bot.model.commands import Ask, Command, Search, ShowChange, ShowDigest, ShowRoundup, ShowSpan
from digest.errors import UsageError
from digest.wording.phrases import SAY

LONG_RANGE = 2
"""Days that are asked for freely; one more day of a busy repository is hundreds of requests."""

MOST_UNITS = 12
"""What one command costs at most, so that a quarter of a year can be asked for at all."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """`at_once` units may be asked for without a pause; one more comes back `every` so often."""

    at_once: int
    every: timedelta


A_PERSON = Allowance(at_once=20, every=timedelta(minutes=1))
A_WORKSPACE = Allowance(at_once=120, every=timedelta(seconds=10))
"""Ours: GitHub gives a token 5,000 requests an hour, https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api,
and the mornings of every channel come first."""


def names(channel: Channel, person: Person) -> tuple[str, str]:
    """Return the names under which the allowances of a workspace and of a person are kept."""
    workspace = f"{channel.platform}:{channel.workspace}"
    return f"asked {workspace}", f"asked {workspace}/{person.id}"


def cost(command: Command | AskUpgrade, days: int = 1) -> int:
    """Return what a command costs in units; 0 for what is free. `days` is how many it reaches."""
    match command:
        case Search():
            return 1
        case Ask():
            return 2
        case ShowChange():
            return 2
        case ShowSpan() | AskUpgrade():
            return MOST_UNITS
        case ShowDigest() | ShowRoundup() if days > LONG_RANGE:
            return min(days - LONG_RANGE, MOST_UNITS)
    return 0


def spend(
    used_until: datetime | None, units: int, allowance: Allowance, now: datetime
) -> tuple[datetime, timedelta]:
    """Return until when an allowance is used up after some units, and how long to wait first.

    What has to wait is not spent. A clock that went back costs nobody more than a whole allowance.
    """
    whole = allowance.at_once * allowance.every
    begun = min(max(used_until or now, now), now + whole)
    after = begun + units * allowance.every
    if after > now + whole:
        return begun, after - now - whole
    return after, timedelta(0)


def refusal(wait: timedelta, *, own: bool) -> UsageError:
    """Say that an allowance is used up: a person's own, or the workspace's."""
    seconds = max(1, round(wait.total_seconds()))
    short = seconds < 100
    pause = SAY.chat.seconds(seconds) if short else SAY.chat.minutes(-(-seconds // 60))
    return UsageError(SAY.chat.asked_much(pause) if own else SAY.chat.workspace_asked_much(pause))
