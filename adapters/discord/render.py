"""Parts drawn as Discord messages: components, packed by whole entries under Discord's limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.parts import Part, PartKind, Thread
from digest.models import Language


@dataclass(frozen=True, slots=True)
class DiscordMessage:
    """One message: `payload` is the body of a Create Message request, to be sent as it is.

    It has `flags`, `components` and `allowed_mentions`; an edit takes it too. `about` are keys of
    the items in this very message. `thread_name` names the public thread that replies go to, empty
    where none is needed. `values` are values of buttons that are too long for a `custom_id`, by
    the short form that stands there: see `adapters.discord.custom_ids`.
    """

    payload: Mapping[str, Any]
    about: tuple[str, ...]
    is_parent: bool
    kind: PartKind
    thread_name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def render(thread: Thread) -> tuple[DiscordMessage, ...]:
    """Give the messages of a thread in the order of posting; the first alone is the parent."""
    raise NotImplementedError


def render_parts(parts: Sequence[Part], language: Language) -> tuple[DiscordMessage, ...]:
    """Give messages that are no thread: answers, questions, notices, edits of posted messages.

    Each has room for the buttons of `adapters.discord.paging.page`.
    """
    raise NotImplementedError
