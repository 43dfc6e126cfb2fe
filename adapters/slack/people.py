"""Who somebody on Slack is, and who is in a channel: asked for once in a while, then remembered."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import structlog
from cachetools import TTLCache
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.client import DIRECT
from adapters.slack.web import Identity, answered, is_stranger, members_of
from bot.model.channels import Person, Platform
from bot.model.ports import PublishError
from digest.languages import Language
from digest.ports import Clock

PERSON_CACHED = timedelta(hours=1)
MEMBERS_CACHED = timedelta(minutes=10)
MOST_CACHED = 5_000

log = structlog.get_logger()


class People:
    """The people of one workspace; `groups` are the user groups that a setting names."""

    def __init__(
        self,
        web: AsyncWebClient,
        identity: Identity,
        clock: Clock,
        groups: frozenset[str] = frozenset(),
    ) -> None:
        self._web = web
        self._identity = identity
        self._named_groups = sorted(groups)
        self._groups: TTLCache[str, frozenset[str], datetime]
        self._groups = TTLCache(MOST_CACHED, MEMBERS_CACHED, timer=clock)
        self._people: TTLCache[str, Person, datetime]
        self._people = TTLCache(MOST_CACHED, PERSON_CACHED, timer=clock)
        # None for a channel too large to be looked through, which costs as many requests.
        self._members: TTLCache[str, frozenset[str] | None, datetime]
        self._members = TTLCache(MOST_CACHED, MEMBERS_CACHED, timer=clock)

    async def person(self, user: str, name: str = "") -> Person:
        """Return a person with zone, language and rights; only the `name` if Slack fails.

        https://docs.slack.dev/reference/methods/users.info
        """
        known = self._people.get(user)
        if known:
            return replace(known, groups=await self._groups_of(user))
        team = self._identity.team
        try:
            answer = await answered(self._web.users_info(user=user, include_locale=True))
        except PublishError as error:
            log.warning("person not known", person=user, reason=str(error))
            return Person(Platform.SLACK, team, user, name or user, is_stranger=True)
        person = person_from(answer.get("user") or {}, user, self._identity, name)
        self._people[user] = person
        return replace(person, groups=await self._groups_of(user))

    async def _groups_of(self, user: str) -> frozenset[str]:
        """Return those of the named user groups that a person is in; one not known has nobody.

        https://docs.slack.dev/reference/methods/usergroups.users.list
        """
        found = set()
        for group in self._named_groups:
            members = self._groups.get(group)
            if members is None:
                try:
                    answer = await answered(self._web.usergroups_users_list(usergroup=group))
                except PublishError as error:
                    log.warning("user group not known", group=group, reason=str(error))
                    continue
                members = frozenset(map(str, answer.get("users") or ()))
                self._groups[group] = members
            if user in members:
                found.add(group)
        return frozenset(found)

    def language(self, user: str) -> Language:
        """Return the language of a person as far as it is known."""
        known = self._people.get(user)
        spoken = known.language if known else None
        return next((each for each in Language if each.value == spoken), Language.EN)

    async def is_member(self, user: str, channel: str, *, unless_known: bool = True) -> bool:
        """Return whether a person is in a channel; whoever is in a direct message is.

        `unless_known` is what is told where Slack does not answer. In a channel too large to be
        looked through, everybody is taken to be a member. Somebody who is not among those
        remembered may just have joined, and is looked for again.
        """
        if channel.startswith(DIRECT):
            return True
        known = self._members.get(channel, frozenset())
        if known is None or user in known:
            return True
        try:
            members = await members_of(self._web, channel)
        except PublishError as error:
            log.warning("members not known", channel=channel, reason=str(error))
            return unless_known
        self._members[channel] = members
        return members is None or user in members


def person_from(user: Mapping[str, Any], id: str, own: Identity, name: str = "") -> Person:
    """Read a user object: https://docs.slack.dev/reference/objects/user-object.

    Workflows and Slackbot count as bots. Guests, and people of other workspaces that are not of the
    same organisation, count as strangers, as does who does not say where they belong.
    """
    profile = user.get("profile") or {}
    shown = profile.get("display_name") or profile.get("real_name") or user.get("name")
    locale = str(user.get("locale") or "")
    stranger = is_stranger(user, own)
    return Person(
        Platform.SLACK,
        own.team,
        id,
        str(shown or name or id),
        tz=str(user["tz"]) if user.get("tz") else None,
        language=locale.partition("-")[0].casefold() or None,
        is_bot=bool(user.get("is_bot") or user.get("is_workflow_bot") or id == "USLACKBOT"),
        may_manage=not stranger
        and any(user.get(key) for key in ("is_admin", "is_owner", "is_primary_owner")),
        is_stranger=stranger,
    )
