"""Discord's own objects, as small as its library takes them."""

from typing import Any

from adapters.discord.permissions import (
    CREATE_THREADS,
    SEND_IN_THREADS,
    SEND_MESSAGES,
    VIEW_CHANNEL,
    bits,
)

BOT, ADA, BO = "900", "901", "902"
GUILD, DAILY, VOICE = "100", "200", "201"
THREADLESS = "202"
"""A channel in which the bot may not make threads."""
TRIAGE, INFRA = "301", "302"
"""A role of people who may write, and the bot's own."""


def user(id: str, name: str) -> dict[str, Any]:
    """A user."""
    return {
        "id": id,
        "username": name,
        "discriminator": "0",
        "global_name": name.title(),
        "avatar": None,
        "flags": 0,
        "public_flags": 0,
    }


def member(id: str, name: str, permissions: int) -> dict[str, Any]:
    """A member, as events have one."""
    return {
        "user": user(id, name),
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": str(permissions),
    }


def application() -> dict[str, Any]:
    """The application of the bot."""
    return {
        "id": "800",
        "name": "infra",
        "description": "",
        "icon": None,
        "flags": 0,
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "k",
        "owner": user("1", "owner"),
    }


def ready(url: str) -> dict[str, Any]:
    """What READY says."""
    return {
        "v": 10,
        "user": {**user(BOT, "infra"), "bot": True},
        "guilds": [{"id": GUILD, "unavailable": True}],
        "session_id": "s",
        "resume_gateway_url": url.replace("http", "ws") + "/gateway",
        "application": {"id": "800", "flags": 0},
    }


def guild() -> dict[str, Any]:
    """The one server, as GUILD_CREATE tells of it."""
    role = {"id": GUILD, "name": "@everyone", "permissions": "0", "position": 0, "color": 0}
    writes = VIEW_CHANNEL.bit | SEND_MESSAGES.bit | SEND_IN_THREADS.bit
    triage = {**role, "id": TRIAGE, "name": "triage", "permissions": str(writes), "position": 1}
    infra = {**role, "id": INFRA, "name": "infra", "permissions": str(bits()), "position": 2}
    denied = {"id": INFRA, "type": 0, "allow": "0", "deny": str(CREATE_THREADS.bit)}
    only = {"permission_overwrites": [denied]}
    more = {"hoist": False, "managed": False, "mentionable": False, "flags": 0, "colors": {}}
    return {
        "id": GUILD,
        "name": "guild",
        "owner_id": "1",
        "member_count": 3,
        "large": False,
        "roles": [{**each, **more} for each in (role, triage, infra)],
        "emojis": [],
        "stickers": [],
        "features": [],
        "channels": [
            {"id": DAILY, "type": 0, "name": "daily", "position": 0},
            {"id": VOICE, "type": 2, "name": "voice", "position": 1, "bitrate": 1, "user_limit": 0},
            {"id": THREADLESS, "type": 0, "name": "chat", "position": 2} | only,
        ],
        "threads": [],
        "members": [{**member(BOT, "infra", 0), "roles": [INFRA]}],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "nsfw_level": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "premium_tier": 0,
        "afk_timeout": 0,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
        "unavailable": False,
    }


def thread(id: str) -> dict[str, Any]:
    """A thread of the channel that mornings go to."""
    return {
        "id": id,
        "type": 11,
        "name": "thread",
        "parent_id": DAILY,
        "guild_id": GUILD,
        "owner_id": BOT,
        "message_count": 1,
        "member_count": 1,
        "rate_limit_per_user": 0,
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 10_080,
            "archive_timestamp": "2026-02-12T09:00:00+00:00",
            "locked": False,
        },
    }
