"""Parts drawn for Slack, and what people see of them."""

import json
from collections.abc import Sequence

from adapters.slack.render import SlackMessage, render_parts
from bot.compose.thread import plan
from bot.model.parts import Part, PartKind, Thread
from digest.languages import Language
from digest.models import Reading
from digest.writing.document import Block
from tests.adapters.slack.allowed import faults, texts
from tests.bot.channels_invented import subscription, told

EN = Language.EN


def thread(read: Reading, **more: object) -> Thread:
    (only,) = plan([told(read)], [], subscription(**more))  # type: ignore[arg-type]  # as given
    return only


def messages(*blocks: Block, **more: object) -> tuple[SlackMessage, ...]:
    part = Part(PartKind.ANSWER, blocks, summary="x", **more)  # type: ignore[arg-type]  # as given
    return render_parts((part,), EN)


def said(drawn: Sequence[SlackMessage]) -> str:
    return "\n".join(text for message in drawn for text in texts(message.payload))


def accepted(drawn: Sequence[SlackMessage]) -> None:
    for message in drawn:
        assert faults(message.payload) == []
        json.dumps(message.payload).encode()
