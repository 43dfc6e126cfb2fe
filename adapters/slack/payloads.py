"""What Slack sends, read into plain data: commands, presses, reactions, mentions, shortcuts.

Payloads: https://docs.slack.dev/interactivity/implementing-slash-commands,
https://docs.slack.dev/reference/interaction-payloads, https://docs.slack.dev/reference/events.
A reader gives None for what is of no concern: another app's button, a reaction on a file.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from bot.answer.button_handler import MenuMessage
from bot.model.followups import ReactionKind
from bot.model.parts import ActionKind

Json: TypeAlias = Mapping[str, Any]

ACTION = re.compile(r"infra:([a-z_]+)(?::\d+)?")
"""An `action_id` of `adapters.slack.render`; a number parts buttons of one kind."""

REACTIONS = {
    "triangular_flag_on_post": ReactionKind.FLAG,
    "eyes": ReactionKind.TAKE,
    "white_check_mark": ReactionKind.DONE,
}
"""🚩 👀 ✅ by Slack's names."""

# https://docs.slack.dev/messaging/formatting-message-text: what Slack puts in angle brackets.
_MARKED = re.compile(r"<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>")


@dataclass(frozen=True, slots=True)
class ChatPlace:
    """Where a person is and how they are answered there.

    `response_url` answers without the bot being in the channel, `trigger` opens a form within
    three seconds; both are empty where Slack gives none. `thread` is the thread's parent, empty
    outside of threads.
    """

    channel: str
    person: str
    name: str = ""
    response_url: str = ""
    trigger: str = ""
    thread: str = ""


@dataclass(frozen=True, slots=True)
class TypedText:
    """What stands after `/infra`, after a mention of the bot, or was written to it alone.

    `event_id` names the event of the latter two; a mention's place is a thread, or becomes one.
    """

    place: ChatPlace
    text: str
    event_id: str = ""


@dataclass(frozen=True, slots=True)
class Reacted:
    """A reaction came or went."""

    kind: ReactionKind
    place: ChatPlace
    message: str
    added: bool
    at: datetime
    event_id: str


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button or a choice of a menu; `is_own` on a message that one person alone sees.

    `is_home` where it stands on the Home tab, which is of no channel.
    """

    kind: ActionKind
    value: str
    place: ChatPlace
    message: str
    at: datetime
    is_own: bool = False
    is_home: bool = False


def typed(body: Json) -> TypedText:
    """Read a slash command."""
    place = ChatPlace(
        channel=_text(body, "channel_id"),
        person=_text(body, "user_id"),
        name=_text(body, "user_name"),
        response_url=_text(body, "response_url"),
        trigger=_text(body, "trigger_id"),
    )
    return TypedText(place, unmarked(_text(body, "text")))


def mention(body: Json, bot: str) -> TypedText | None:
    """Read an `app_mention`; what stands before the mention of the bot is left out."""
    event = _map(body.get("event"))
    if event.get("bot_id") or not event.get("user"):
        return None
    before, _, after = _text(event, "text").partition(f"<@{bot}>")
    text = after if after.strip() else before
    place = ChatPlace(
        channel=_text(event, "channel"),
        person=_text(event, "user"),
        thread=_text(event, "thread_ts") or _text(event, "ts"),
    )
    return TypedText(place, unmarked(text), _text(body, "event_id"))


def direct(body: Json) -> TypedText | None:
    """Read what a person wrote on the *Messages* tab; what is edited or attached is no question."""
    # https://docs.slack.dev/reference/events/message.im
    event = _map(body.get("event"))
    is_theirs = event.get("user") and not (event.get("bot_id") or event.get("subtype"))
    text = unmarked(_text(event, "text"))
    if event.get("channel_type") != "im" or not is_theirs or not text:
        return None
    place = ChatPlace(channel=_text(event, "channel"), person=_text(event, "user"))
    return TypedText(place, text, _text(body, "event_id"))


def reacted(body: Json, bot: str) -> Reacted | None:
    """Read `reaction_added` or `reaction_removed`, if it is one that means something here.

    `item_user`, who wrote the message, is missing for messages of webhooks:
    https://docs.slack.dev/reference/events/reaction_added
    """
    event = _map(body.get("event"))
    item = _map(event.get("item"))
    kind = REACTIONS.get(_text(event, "reaction").partition("::")[0])
    author = event.get("item_user", bot)
    if kind is None or item.get("type") != "message" or author != bot or not event.get("user"):
        return None
    return Reacted(
        kind,
        ChatPlace(_text(item, "channel"), _text(event, "user")),
        _text(item, "ts"),
        added=event.get("type") == "reaction_added",
        at=moment(_text(event, "event_ts")),
        event_id=_text(body, "event_id"),
    )


def pressed(body: Json) -> ButtonPress | None:
    """Read a button or a menu of a message, if it is one of the bot's."""
    action = _map(next(iter(body.get("actions") or ()), None))
    found = ACTION.fullmatch(_text(action, "action_id"))
    if not found or found[1] not in list(ActionKind):
        return None
    container = _map(body.get("container"))
    return ButtonPress(
        ActionKind(found[1]),
        _text(action, "value") or _text(_map(action.get("selected_option")), "value"),
        pressing(body),
        _message(body),
        moment(_text(action, "action_ts")),
        is_own=container.get("is_ephemeral") is True,
        is_home=container.get("type") == "view",
    )


def flagged(body: Json) -> MenuMessage:
    """Read what "Flag for follow-up" was used on: what the message says, and what it unfurls."""
    message = _map(body.get("message"))
    attached = [_map(each) for each in message.get("attachments") or ()]
    texts = [_text(message, "text")]
    texts += [_text(each, name) for each in attached for name in ("title_link", "text")]
    ref = _message(body)
    return MenuMessage(ref, unmarked(" ".join(texts)), pressing(body).thread or ref)


def pressing(body: Json) -> ChatPlace:
    """Return who pressed anything, and where; a parent of a thread is read in the channel."""
    user, container = _map(body.get("user")), _map(body.get("container"))
    parent = _text(container, "thread_ts") or _text(_map(body.get("message")), "thread_ts")
    return ChatPlace(
        channel=_text(_map(body.get("channel")), "id") or _text(container, "channel_id"),
        person=_text(user, "id"),
        name=_text(user, "name") or _text(user, "username"),
        response_url=_text(body, "response_url"),
        trigger=_text(body, "trigger_id"),
        thread="" if parent == _message(body) else parent,
    )


def _message(body: Json) -> str:
    """Return the message that something was done on."""
    own = _text(_map(body.get("container")), "message_ts") or _text(body, "message_ts")
    return own or _text(_map(body.get("message")), "ts")


def moment(ts: str) -> datetime:
    """Read Slack's seconds since 1970, `1360782804.083113`, to the microsecond."""
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def unmarked(text: str) -> str:
    """Return text as it was typed: without Slack's escapes, links as their addresses."""
    return html.unescape(_MARKED.sub(_as_typed, text)).replace("\xa0", " ").strip()


def _as_typed(found: re.Match[str]) -> str:
    target, label = found[1], found[2] or ""
    if target[0] in "#@":
        return target[0] + (label or target[1:])
    if target[0] == "!":
        return label or target[1:]
    # Slack makes links of names that look like domains, `vllm.ai`: what was typed is the label.
    return label if label and target in (f"http://{label}", f"https://{label}") else target


def _map(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _text(values: Json, key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
