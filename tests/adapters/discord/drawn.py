"""Parts drawn for Discord, and what people see of them."""

import json
from collections.abc import Sequence

from adapters.discord.render import DiscordMessage, render_parts
from bot.compose.thread import plan
from bot.model.parts import Part, PartKind, Thread
from digest.languages import Language
from digest.models import Reading
from digest.writing.document import Block
from tests.adapters.discord.allowed import faults
from tests.adapters.discord.dialect import seen
from tests.bot.channels_invented import subscription, told

EN = Language.EN


def thread(read: Reading, **more: object) -> Thread:
    (only,) = plan([told(read)], [], subscription(**more))  # type: ignore[arg-type]  # as given
    return only


def messages(*blocks: Block, **more: object) -> tuple[DiscordMessage, ...]:
    part = Part(PartKind.ANSWER, blocks, summary="x", **more)  # type: ignore[arg-type]  # as given
    return render_parts((part,), EN)


def markdown(drawn: DiscordMessage) -> str:
    embeds = drawn.payload["embeds"]
    told = [drawn.payload["content"]]
    told += [embed[key] for embed in embeds for key in ("title", "description") if key in embed]
    return "\n".join(each for each in told if each)


def said(drawn: Sequence[DiscordMessage]) -> str:
    return "\n".join(seen(markdown(message)).text for message in drawn)


def links(drawn: Sequence[DiscordMessage]) -> set[str]:
    return {inner for each in drawn for name, inner in seen(markdown(each)).marks if name == "link"}


def accepted(drawn: Sequence[DiscordMessage]) -> None:
    for message in drawn:
        assert faults(message.payload) == []
        json.dumps(message.payload).encode()
