"""What people do on Discord, as interactions tell it."""

from typing import Any

from bot.compose.chat_reply import ChatReply
from bot.model.parts import Part, PartKind
from digest.languages import Language
from digest.writing.document import Paragraph, Words
from tests.adapters.discord.conftest import DAILY, FakeDiscord, eventually

COMMAND, PRESS, TYPING = 2, 3, 4
EPHEMERAL = 64


def option(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"type": 5 if isinstance(value, bool) else 3, "name": name, "value": value, **more}


def typed(name: str, *options: Any, sub: str = "") -> dict[str, Any]:
    given = [{"type": 1, "name": sub, "options": list(options)}] if sub else list(options)
    return {"id": "1", "name": name, "type": 1, "options": given}


VLLM = (option("repo", "vllm"),)


def on_message(name: str, target: str = "5") -> dict[str, Any]:
    return {"id": "1", "name": name, "type": 3, "target_id": target}


def button(custom_id: str, *chosen: str) -> dict[str, Any]:
    data = {"custom_id": custom_id, "component_type": 3 if chosen else 2}
    return data | ({"values": list(chosen)} if chosen else {})


def message(id: str = "5", *, flags: int = 0) -> dict[str, Any]:
    return {
        "id": id,
        "channel_id": DAILY,
        "content": "",
        "timestamp": "2026-02-12T09:00:00+00:00",
        "author": {"id": "900", "username": "infra", "discriminator": "0", "avatar": None},
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": flags,
        "components": [],
    }


async def shown(discord: FakeDiscord, id: str) -> Any:
    await eventually(lambda: discord.shown[f"token-{id}"])
    return discord.shown[f"token-{id}"][-1]


def long_reply(pages: int) -> ChatReply:
    parts = tuple(
        Part(PartKind.ANSWER, (Paragraph((Words(f"page {number}"),)),), summary="page")
        for number in range(pages)
    )
    return ChatReply(parts, Language.EN)
