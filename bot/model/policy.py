"""Who may change a channel and follow up there, what it may be told of, and how much is asked.

Settings name people: a person is `slack:T0123/U0456` or `discord:1234/5678`, a user group of Slack
`slack:T0123/S0456`, a role of Discord `discord:1234/role:5678`. Of repositories, public ones are
for every channel, private ones by name. A private repository that may not be told looks exactly
like one that does not exist.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.model.channel_commands import AskUpgrade
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.commands import (
    Ask,
    Command,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    Why,
    shown,
)
from bot.model.concerns import Concern
from bot.model.ports import PublishError
from bot.model.references import read_key
from bot.model.subscriptions import Subscription
from digest.errors import UsageError
from digest.models import Repo
from digest.wording.phrases import SAY


@dataclass(frozen=True)
class Visibility:
    """Who may be told of private repositories.

    `private` gives each the workspaces it may go to, such as `slack:T0123` or `discord:1234`; what
    is not in it is public, since sources refuse any other private repository. `is_shared` tells
    whether strangers read a channel, a conversation of two being with the person named, and
    `is_stranger` whether somebody is one, by the platform's id. `subscription` gives what a channel
    gets: who subscribed it, and whether what is told there goes on to whoever follows it. `hidden`
    gives the names, in lower case, of all that were ever private: what is stored of one that is not
    in `private` any more is told to nobody. `is_public` tells whether everybody of a workspace can
    read a channel. What asks a platform may raise `PublishError`; where a method does not say so,
    who is not known is a stranger.
    """

    private: Mapping[Repo, frozenset[str]]
    is_shared: Callable[[Channel, str], Awaitable[bool]]
    is_stranger: Callable[[Channel, str], Awaitable[bool]]
    subscription: Callable[[Channel], Awaitable[Subscription | None]]
    hidden: Callable[[], Awaitable[frozenset[str]]]
    is_public: Callable[[Channel], Awaitable[bool]]

    async def may_tell(self, repo: Repo, channel: Channel) -> bool:
        """Return whether everybody of a channel may be told of a repository.

        Whoever subscribed a conversation of two is taken to be the one it is with. Raises
        `PublishError` where it is not known whether strangers are there.
        """
        may = await self._may_workspace(repo, channel)
        return not await self._is_read_outside(channel) if may is None else may

    async def may_show(self, repo: Repo, channel: Channel) -> bool:
        """Tell what `may_tell` does."""
        return await _else(self.may_tell(repo, channel), otherwise=False)

    async def may_tell_concern(self, concern: Concern) -> bool:
        """Return whether everybody of its channel may be told of what concerns it.

        A file that was given may be of private code: strangers are not told of it, nor is a channel
        that everybody can read by now and could not when it was given. Raises `PublishError`.
        """
        channel = concern.channel
        if concern.repo is not None:
            return await self.may_tell(concern.repo, channel)
        if not concern.is_file:
            return True
        if await self._is_read_outside(channel):
            return False
        return not (concern.was_private and await self.is_public(channel))

    async def _is_read_outside(self, channel: Channel) -> bool:
        gets = await self.subscription(channel)
        if gets and gets.publish:
            return True
        return await self.is_shared(channel, gets.created_by if gets else "")

    async def may_hear(self, repo: Repo, visit: Visit) -> bool:
        """Return whether a person in a channel may hear of a repository."""
        may = await self._may_workspace(repo, visit.channel)
        return not await self._is_among_strangers(visit) if may is None else may

    async def may_hear_concern(self, concern: Concern, visit: Visit) -> bool:
        """Return whether a person in its channel may hear of what concerns it."""
        if concern.repo is not None:
            return await self.may_hear(concern.repo, visit)
        if not concern.is_file:
            return True
        if await self._is_among_strangers(visit):
            return False
        return not (
            concern.was_private and await _else(self.is_public(visit.channel), otherwise=True)
        )

    async def _is_among_strangers(self, visit: Visit) -> bool:
        return visit.person.is_stranger or await _else(
            self.is_shared(visit.channel, visit.person.id), otherwise=True
        )

    async def is_private(self, channel: Channel) -> bool:
        """Return whether only a part of its workspace reads a channel, or that is not known."""
        return not await _else(self.is_public(channel), otherwise=False)

    async def may_tell_alone(self, repo: Repo, channel: Channel, person: str) -> bool:
        """Return whether a person (by the platform's id) may hear of a repository directly.

        Raises `PublishError` where it is not known whether they are a stranger by now.
        """
        may = await self._may_workspace(repo, channel)
        return not await self.is_stranger(channel, person) if may is None else may

    async def _may_workspace(self, repo: Repo, channel: Channel) -> bool | None:
        """Tell the same of the workspace; None for a private one that goes to its people alone."""
        name = str(repo).casefold()
        private = (
            holders for each, holders in self.private.items() if str(each).casefold() == name
        )
        holders = next(private, None)
        if holders is None:
            return name not in await self.hidden()
        return None if f"{channel.platform}:{channel.workspace}" in holders else False


async def tellable(keys: Iterable[str], may: Callable[[Repo], Awaitable[bool]]) -> frozenset[str]:
    """Return the keys of items whose repositories `may` be told of, which is asked once of each.

    Platforms limit how often they are asked who is in a channel.
    """
    repos = {key: read_key(key).repo for key in keys}
    allowed = {repo for repo in set(repos.values()) if await may(repo)}
    return frozenset(key for key, repo in repos.items() if repo in allowed)


async def _else(asked: Awaitable[bool], *, otherwise: bool) -> bool:
    """Return what a platform says, or what holds where it does not say."""
    try:
        return await asked
    except PublishError:
        return otherwise


_NAMED = re.compile(
    r"slack:[A-Za-z0-9]{1,64}/[A-Za-z0-9]{1,64}|discord:[0-9]{1,64}/(role:)?[0-9]{1,64}",
    re.ASCII,
)

USER_GROUP = "S"
"""How the id of a user group of Slack begins; a person's begins with U or W."""


@dataclass(frozen=True, slots=True)
class Policy:
    """All members, or only admins and those who are named, people and groups alike."""

    members: bool = True
    named: frozenset[str] = frozenset()

    def user_groups(self, workspace: str) -> frozenset[str]:
        """Return the user groups of a Slack workspace that are named, by Slack's own ids."""
        own = f"{Platform.SLACK}:{workspace}/"
        ids = (each.removeprefix(own) for each in self.named if each.startswith(own))
        return frozenset(id for id in ids if id.startswith(USER_GROUP))


def read_policy(text: str) -> Policy:
    """Read `members`, `admins`, or who may beside admins, parted by commas or spaces.

    Raises `UsageError` for anything else.
    """
    words = text.replace(",", " ").split()
    match [word.casefold() for word in words]:
        case [] | ["members"]:
            return Policy()
        case ["admins"]:
            return Policy(members=False)
    for word in words:
        if not _NAMED.fullmatch(word):
            raise UsageError(SAY.commands.nobody(shown(word)))
    return Policy(members=False, named=frozenset(words))


def may_change(person: Person, policy: Policy) -> bool:
    """Return whether a person may subscribe and change the settings of the channel they are in.

    No stranger may, whatever is set.
    """
    if person.is_bot or person.is_stranger:
        return False
    return policy.members or _is_named(person, policy)


def may_follow_up(person: Person, policy: Policy) -> bool:
    """Return whether what a person flags, takes and closes in the channel they are in counts.

    Where everybody may, it is everybody who may write there.
    """
    if person.is_bot:
        return False
    return person.may_write if policy.members else _is_named(person, policy)


def _is_named(person: Person, policy: Policy) -> bool:
    where = f"{person.platform}:{person.workspace}"
    own = {f"{where}/{id}" for id in (person.id, *person.groups)}
    return person.may_manage or not own.isdisjoint(policy.named)


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


def names(visit: Visit) -> tuple[str, str]:
    """Return the names under which the allowances of a workspace and of a person are kept."""
    workspace = f"{visit.channel.platform}:{visit.channel.workspace}"
    return f"asked {workspace}", f"asked {workspace}/{visit.person.id}"


def cost(command: Command | AskUpgrade, days: int = 1, *, is_foreign: bool = False) -> int:
    """Return what a command costs in units; 0 for what is free.

    `days` is how many it reaches, `is_foreign` tells that nobody gets its repository here.
    """
    match command:
        case Search():
            return 1
        case Ask():
            return 2
        case ShowChange():
            return 2
        case ShowSpan() | AskUpgrade():
            return MOST_UNITS
        case ShowDigest() | Why() if is_foreign:
            return min(days, MOST_UNITS)
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
