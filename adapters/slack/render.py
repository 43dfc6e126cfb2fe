"""Parts drawn as Slack messages: Block Kit, packed by whole entries under Slack's limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.parts import Part, PartKind, Thread
from digest.models import Language


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: `payload` is `{"text": …, "blocks": […]}`, to be posted as it is.

    `about` are keys of the items in this very message. Buttons have the `action_id`
    `infra:<ActionKind>` and the action's value.
    """

    payload: Mapping[str, Any]
    about: tuple[str, ...]
    is_parent: bool
    kind: PartKind


def render(thread: Thread) -> tuple[SlackMessage, ...]:
    """Give the messages of a thread in the order of posting; the first alone is the parent."""
    raise NotImplementedError


def render_parts(parts: Sequence[Part], language: Language) -> tuple[SlackMessage, ...]:
    """Give messages that are no thread: answers, questions, notices, edits of posted messages."""
    raise NotImplementedError
