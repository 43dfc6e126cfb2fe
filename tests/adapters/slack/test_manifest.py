"""The manifest asks for exactly what the code uses, and keeps Slack's rules for manifests."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_bolt.async_app import AsyncApp

from adapters.slack import listeners
from adapters.slack.listeners import Listeners

FOLDER = Path(listeners.__file__).parent
MANIFEST = FOLDER / "manifest.yaml"

SCOPES: dict[str, set[str]] = {
    "auth_test": set(),
    "apps_connections_open": set(),
    "views_open": set(),
    "conversations_open": {"im:write"},
    "views_publish": set(),
    "chat_getPermalink": set(),
    "chat_postMessage": {"chat:write"},
    "chat_postEphemeral": {"chat:write"},
    "chat_update": {"chat:write"},
    "chat_delete": {"chat:write"},
    "files_upload_v2": {"files:write"},
    "users_info": {"users:read"},
    "usergroups_users_list": {"usergroups:read"},
    "conversations_info": {"channels:read", "groups:read"},
    "conversations_members": {"channels:read", "groups:read"},
    "conversations_history": {"channels:history", "groups:history"},
    "conversations_replies": {"channels:history", "groups:history"},
}
"""What each method needs: its page under https://docs.slack.dev/reference/methods. For channels
and private channels; direct messages are not read."""

EVENT_SCOPES = {
    "app_home_opened": set(),
    "app_mention": {"app_mentions:read"},
    "channel_unarchive": {"channels:read"},
    "group_unarchive": {"groups:read"},
    "message": {"im:history"},
    "member_joined_channel": {"channels:read", "groups:read"},
    "reaction_added": {"reactions:read"},
    "reaction_removed": {"reactions:read"},
}
"""https://docs.slack.dev/reference/events"""


@pytest.fixture(scope="module")
def manifest() -> Any:
    return yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))


class Recorder:
    """An app that only writes down what it is told to listen to."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    def __getattr__(self, kind: str) -> Any:
        def register(name: Any) -> Any:
            self.heard.append((kind, name if isinstance(name, str) else name.pattern))
            return lambda listener: listener

        return register


@pytest.fixture(scope="module")
def heard() -> list[tuple[str, str]]:
    recorder = Recorder()
    Listeners(*[None] * 5).listen(recorder)  # type: ignore[arg-type] # nothing is called
    assert all(hasattr(AsyncApp, kind) for kind, _ in recorder.heard)
    return recorder.heard


def test_the_scopes_are_those_that_the_code_uses(
    manifest: Any, source: str, heard: list[tuple[str, str]]
) -> None:
    methods = set(
        re.findall(
            r"(?:web|client|_posting)\.((?:chat|files|views|users|usergroups|conversations|auth|apps)_\w+)\b",
            source,
        )
    )
    used = set().union(*(SCOPES[method] for method in methods))
    used |= set().union(*(EVENT_SCOPES[name] for kind, name in heard if kind == "event"))
    used |= {"files:read"}  # of the form's field for files, and their addresses
    used |= {"commands" for kind, _ in heard if kind in ("command", "message_shortcut")}

    scopes = manifest["oauth_config"]["scopes"]["bot"]

    assert methods == set(SCOPES)
    assert sorted(scopes) == sorted(used)
    assert "user" not in manifest["oauth_config"]["scopes"]


def test_what_slack_sends_is_what_is_heard(manifest: Any, heard: list[tuple[str, str]]) -> None:
    features = manifest["features"]

    assert [each["command"] for each in features["slash_commands"]] == named(heard, "command")
    shortcuts = [each["callback_id"] for each in features["shortcuts"]]
    assert shortcuts == named(heard, "message_shortcut")
    events = manifest["settings"]["event_subscriptions"]["bot_events"]
    heard_as = [name.removesuffix(".im") for name in events]
    assert sorted(heard_as) == sorted(named(heard, "event"))
    assert manifest["settings"]["interactivity"]["is_enabled"]
    assert manifest["settings"]["socket_mode_enabled"]


def test_it_keeps_slacks_rules(manifest: Any) -> None:
    """https://docs.slack.dev/reference/app-manifest, as its published schema has them."""
    about = manifest["display_information"]
    assert set(manifest) == {"display_information", "features", "oauth_config", "settings"}
    assert 0 < len(about["name"]) <= 35
    assert len(about["description"]) <= 140
    assert re.fullmatch("#[0-9a-f]{6}", about["background_color"])
    assert len(manifest["features"]["bot_user"]["display_name"]) <= 80
    assert len(manifest["features"]["slash_commands"]) <= 50
    for command in manifest["features"]["slash_commands"]:
        assert re.fullmatch(r"/\S{1,31}", command["command"])
        assert len(command["description"]) <= 2_000
        assert len(command["usage_hint"]) <= 1_000
    assert len(manifest["features"]["shortcuts"]) <= 10
    for shortcut in manifest["features"]["shortcuts"]:
        assert shortcut["type"] == "message"
        assert len(shortcut["name"]) <= 24
        assert len(shortcut["description"]) <= 150
        assert len(shortcut["callback_id"]) <= 255
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    assert len(scopes) == len(set(scopes)) <= 255
    assert len(manifest["settings"]["event_subscriptions"]["bot_events"]) <= 100


def named(heard: list[tuple[str, str]], kind: str) -> list[str]:
    return [name for each, name in heard if each == kind]
