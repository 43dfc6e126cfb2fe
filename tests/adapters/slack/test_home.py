"""The Home tab shows a person what they may see of the workspace, and opens a channel's form."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.wiring.chat import assembled_bot
from bot.model.channel_commands import Subscribe
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import FollowUp, Reaction, ReactionKind, apply
from bot.model.subscriptions import changed
from bot.store.followups import OpenFollowUps
from digest.languages import Language
from digest.models import Repo
from digest.phrase import Phrase
from tests.adapters.slack.conftest import BOT, BOT_TOKEN, SECRET, TEAM, Heard, facing

VLLM, SECRET_REPO = Repo("vllm-project", "vllm"), Repo("acme", "engine")


def channel(id: str) -> Channel:
    return Channel(Platform.SLACK, TEAM, id)


def person(id: str) -> Person:
    return Person(Platform.SLACK, TEAM, id, id)


@pytest.fixture
async def home(
    slack: Any, clock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Heard]:
    """A bot with three channels: U1 and U2 are in C1, U2 alone in C2, D2 is U2's."""
    monkeypatch.chdir(tmp_path)
    given = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/infra.sqlite3",
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_SIGNING_SECRET": SECRET,
        "SLACK_API_URL": slack.api,
        "GITHUB_API_URL": f"{slack.url}/no-github",
        "INFRA_PRIVATE_REPOS": f"{SECRET_REPO}=slack:{TEAM}",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    slack.members |= {"C1": ["U1", "U2", BOT], "C2": ["U2", BOT], "C3": ["U1"]}
    async with assembled_bot(lambda line: None) as bot:
        for id in ("C1", "C2", "D2"):

            def decide(current: Any, id: str = id) -> Any:
                return changed(
                    None,
                    Subscribe(),
                    repos=(VLLM, SECRET_REPO),
                    channel=channel(id),
                    person=person("U2"),
                    now=clock(),
                    tz="UTC",
                    language=Language.EN,
                )

            await bot.store.subscriptions.change(
                channel(id),
                lambda current, decide=decide: replace(
                    decide(current), last_error=Phrase.as_written("acme/engine!")
                ),
                now=clock(),
            )
            key = f"{VLLM}:pull_request:{len(id)}{id[1]}"
            new = FollowUp(
                None, channel(id), key, f"Title in {id} <!here>", "#7", "https://github.com/a"
            )
            flagged = Reaction(ReactionKind.FLAG, person("U1"), True, (key,), clock())
            followup = apply(new, flagged).followup
            assert followup
            save = partial(OpenFollowUps.save, followup=followup)
            await bot.store.followups.change(channel(id), save)
        async with facing(slack, bot.chat, clock) as heard:
            yield heard


async def opened(home: Heard, slack: Any, user: str) -> str:
    event = {"type": "app_home_opened", "user": user, "channel": "D9", "tab": "home"}
    assert (await home.sender.event(event))[0] == 200
    await home.face.settle()
    view = slack.views[-1]
    assert view["type"] == "home"
    assert slack.called("views.publish")[-1]["user_id"] == user
    return json.dumps(view, ensure_ascii=False)


async def test_a_person_sees_what_is_theirs_and_no_channel_they_are_not_in(
    home: Heard, slack: Any
) -> None:
    told = await opened(home, slack, "U1")

    assert '"channel_id": "C1"' in told
    assert "Title in C1" in told
    assert "acme/engine" in told, "a private repository, told to a member"
    for hidden in ('"C2"', "direct messages", "Title in C2"):
        assert hidden not in told

    told = await opened(home, slack, "U2")

    assert all(f'"channel_id": "{id}"' in told for id in ("C1", "C2"))
    assert "Your direct messages" in told
    assert '"D2"' not in told, "which Slack shows as an unknown channel"
    assert "Title in" not in told, "U1 flagged them"


async def test_a_follow_up_is_pressed_and_led_to_from_the_home_tab(home: Heard, slack: Any) -> None:
    view = slack.views[-1] if await opened(home, slack, "U1") else {}
    rows = [block for block in view["blocks"] if block["type"] == "actions"]
    take, done, *_ = (each for row in rows for each in row["elements"])
    assert (take["text"]["text"], done["text"]["text"]) == ("👀 Take #7", "✅ Done #7")

    async def pressed(by: str, button: Any) -> str:
        await home.sender.interactive(
            {
                "type": "block_actions",
                "user": {"id": by, "name": by},
                "container": {"type": "view", "view_id": "V1"},
                "view": {"type": "home"},
                "actions": [{**button, "action_ts": "1900000000.5"}],
            }
        )
        await home.face.settle()
        return json.dumps(slack.views[-1], ensure_ascii=False)

    assert "👀 taken by" in await pressed("U1", take)
    await pressed("U2", take)
    notice = slack.views[-1]["blocks"][0]["text"]
    assert notice == {
        "type": "plain_text",
        "text": "⚠️ 🚩 #7 Title in C1 <!here>",
        "emoji": False,
    }, "it is U1's; in mrkdwn a title could ping, or hide where a link leads"
    assert "Title in C1" not in await pressed("U1", done)
    assert "out of date" in await pressed("U7", take), "not in the channel"


async def test_a_guest_is_told_no_private_repository(home: Heard, slack: Any) -> None:
    slack.users["U1"] = {"is_restricted": True}

    told = await opened(home, slack, "U1")

    assert '"channel_id": "C1"' in told
    assert "vllm-project/vllm" in told
    assert "acme" not in told, "neither its name nor the error that names it"


async def test_a_chosen_channel_opens_its_form_to_members_alone(home: Heard, slack: Any) -> None:
    for id, opens in (("C1", 1), ("C2", 0), ("C3", 0)):
        before = len(slack.called("views.open"))
        status, _ = await home.sender.interactive(
            {
                "type": "block_actions",
                "trigger_id": "fresh",
                "container": {"type": "view"},
                "actions": [
                    {
                        "type": "conversations_select",
                        "action_id": "infra_home_channel",
                        "selected_conversation": id,
                    }
                ],
            }
        )
        await home.face.settle()

        assert status == 200
        assert len(slack.called("views.open")) - before == opens
        assert ("/invite @Infra there first" in json.dumps(slack.views[-1])) is not bool(opens)
