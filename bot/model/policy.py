"""Who may change what a channel gets, and who may follow up there: settings, read and applied.

A person is named as `slack:T0123/U0456` or `discord:1234/5678`, a user group of Slack as
`slack:T0123/S0456`, a role of Discord as `discord:1234/role:5678`.
"""

import re
from dataclasses import dataclass

from bot.model.channels import Person, Platform
from bot.model.commands import shown
from digest.errors import UsageError
from digest.wording.phrases import SAY

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
    """Tell whether a person may subscribe and change the settings of the channel they are in.

    No stranger may, whatever is set.
    """
    if person.is_bot or person.is_stranger:
        return False
    return policy.members or _is_named(person, policy)


def may_follow_up(person: Person, policy: Policy) -> bool:
    """Tell whether what a person flags, takes and closes in the channel they are in counts.

    Where everybody may, it is everybody who may write there.
    """
    if person.is_bot:
        return False
    return person.may_write if policy.members else _is_named(person, policy)


def _is_named(person: Person, policy: Policy) -> bool:
    where = f"{person.platform}:{person.workspace}"
    own = {f"{where}/{id}" for id in (person.id, *person.groups)}
    return person.may_manage or not own.isdisjoint(policy.named)
