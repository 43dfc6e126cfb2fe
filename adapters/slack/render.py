"""Parts drawn as Slack messages: Block Kit, packed by whole entries under Slack's limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.slack.buttons import actions
from adapters.slack.markup import escape, words_alone
from adapters.slack.packing import blocks, pack
from adapters.slack.pieces import Piece, pieces, small
from bot.model.parts import Part, PartKind, Thread
from digest.languages import Language
from digest.writing.document import Paragraph, Typed
from digest.writing.visible import visible

LONGEST_NOTIFICATION = 600
"""Characters of a notification; escaped, they stay below `limits.FALLBACK_TEXT` in bytes too."""


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
    first, *more = _messages(thread.parent, is_parent=True)
    replies = [message for part in thread.replies for message in _messages(part)]
    return (first, *more, *replies)


def render_parts(parts: Sequence[Part], language: Language) -> tuple[SlackMessage, ...]:
    """Give messages that are no thread: answers, questions, notices, edits of posted messages."""
    return tuple(message for part in parts for message in _messages(part))


def _messages(part: Part, *, is_parent: bool = False) -> list[SlackMessage]:
    below = [*small(part.state)] if part.state else []
    below += [Piece(block=block, joins=True) for block in actions(part.actions)]
    packed = pack([*pieces(part.blocks), *below])
    about = _about(part, packed)
    return [
        SlackMessage(
            payload={"text": notification(_summary(part)), "blocks": blocks(message)},
            about=about[number],
            is_parent=is_parent and number == 0,
            kind=part.kind,
        )
        for number, message in enumerate(packed)
    ]


def _summary(part: Part) -> str:
    """Give what a notification says; a sentence with commands in it has them as typed here."""
    lines = [block.runs for block in part.blocks if isinstance(block, Paragraph)]
    has_commands = any(isinstance(run, Typed) for runs in lines for run in runs)
    if part.kind is PartKind.NOTICE and has_commands:
        return " ".join(words_alone(runs) for runs in lines)
    return part.summary


def _about(part: Part, packed: Sequence[Sequence[Piece]]) -> list[tuple[str, ...]]:
    """Give the keys of each message: of the lines in it; of a part without such, all of them.

    What a part counts and does not name belongs to its last message.
    """
    named = [
        tuple(dict.fromkeys(key for piece in message for key in piece.about)) for message in packed
    ]
    if len(packed) == 1 or not any(named):
        return [part.about or keys for keys in named]
    left = [key for key in part.about if not any(key in keys for keys in named)]
    return [*named[:-1], (*named[-1], *left)]


def notification(summary: str) -> str:
    """Give the text of a notification, escaped."""
    seen = visible(summary)
    short = seen if len(seen) <= LONGEST_NOTIFICATION else f"{seen[:LONGEST_NOTIFICATION]}…"
    return escape(short) or "…"
