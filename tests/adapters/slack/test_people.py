"""People and members are asked for once in a while, and a Slack that fails loses nobody."""

from collections.abc import Callable
from typing import Any

import pytest

from adapters.slack.api import Identity, People, web_client

IDENTITY = Identity("T0AAAAAAA", "U0BOTBOT0", "B0BOT", "E1")


@pytest.fixture
def people(slack: Any, clock: Any) -> People:
    return People(web_client("xoxb-fake", slack.api), IDENTITY, clock, frozenset({"S1"}))


async def test_a_person_is_asked_for_once_an_hour(slack: Any, people: People, clock: Any) -> None:
    slack.users["U1"] = {
        "tz": "Europe/Berlin",
        "locale": "de-DE",
        "is_admin": True,
        "profile": {"display_name": "Ann"},
    }

    first = await people.person("U1")
    again = await people.person("U1")
    clock.advance(minutes=61)
    await people.person("U1")

    assert (first.name, first.tz, first.language) == ("Ann", "Europe/Berlin", "de")
    assert first.may_manage
    assert not first.is_bot
    assert again == first
    assert len(slack.called("users.info")) == 2
    assert slack.called("users.info")[0]["include_locale"] == "1"


async def test_members_are_remembered_and_looked_for_again_when_somebody_is_new(
    slack: Any, people: People
) -> None:
    slack.page = 2
    slack.members["C1"] = ["U1", "U2", "U3"]

    assert await people.is_member("U3", "C1")
    assert await people.is_member("U1", "C1")
    assert len(slack.called("conversations.members")) == 2

    assert not await people.is_member("U4", "C1")
    slack.members["C1"].append("U4")
    assert await people.is_member("U4", "C1")


async def test_somebody_of_a_channel_too_large_or_not_readable_is_taken_to_be_in_it(
    slack: Any, people: People, faults: Callable[..., Any]
) -> None:
    slack.page = 1
    slack.members["C1"] = [f"U{number}" for number in range(30)]

    assert await people.is_member("U29", "C1")
    assert await people.is_member("U28", "C1")
    assert len(slack.called("conversations.members")) == 20, "looked through once, not for each"
    slack.members["C3"] = [f"U{number}" for number in range(20)]
    assert await people.is_member("U19", "C3")
    assert not await people.is_member("U29", "C3")

    slack.fail("conversations.members", faults(body={"ok": False, "error": "missing_scope"}))
    assert await people.is_member("U1", "C2")


@pytest.mark.parametrize(
    ("user", "is_stranger"),
    [
        ({}, False),
        ({"team_id": "T0OTHER"}, True),
        ({"team_id": None}, True),
        ({"is_restricted": True}, True),
        ({"is_ultra_restricted": True, "is_restricted": True}, True),
        ({"is_stranger": True}, True),
        ({"team_id": "T0SISTER", "enterprise_user": {"enterprise_id": "E1"}}, False),
        ({"team_id": "T0OTHER", "enterprise_user": {"enterprise_id": "E2"}}, True),
        ({"team_id": "T0OTHER", "is_admin": True}, True),
    ],
)
async def test_guests_and_people_of_other_organisations_are_strangers(
    slack: Any, people: People, user: dict[str, Any], is_stranger: bool
) -> None:
    slack.users["U1"] = user

    person = await people.person("U1")

    assert person.is_stranger == is_stranger
    assert not (person.is_stranger and person.may_manage)


async def test_who_cannot_be_looked_up_is_a_stranger_until_they_can(
    slack: Any, people: People, faults: Callable[..., Any]
) -> None:
    slack.fail("users.info", faults(body={"ok": False, "error": "internal_error"}))

    assert (await people.person("U1")).is_stranger
    assert not (await people.person("U1")).is_stranger


async def test_named_user_groups_are_known_of_a_person(
    slack: Any, people: People, clock: Any, faults: Callable[..., Any]
) -> None:
    slack.groups["S1"] = ["U1"]

    assert (await people.person("U1")).groups == {"S1"}
    assert (await people.person("U2")).groups == frozenset()
    assert len(slack.called("usergroups.users.list")) == 1

    clock.advance(minutes=11)
    slack.fail("usergroups.users.list", faults(body={"ok": False, "error": "missing_scope"}))
    assert (await people.person("U1")).groups == frozenset()
