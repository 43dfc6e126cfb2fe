"""Parts drawn as Slack messages: Block Kit and buttons, packed by whole entries under limits."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from adapters.slack import limits
from adapters.slack.markup import Json, address, escape, words_alone
from adapters.slack.pieces import WARNING, Fragment, Piece, pieces, small
from bot.compose.packing import keys_by_message, packed
from bot.model.parts import (
    OF_ONE_ITEM,
    Action,
    ActionKind,
    Part,
    PartKind,
    Thread,
    menus_and_buttons,
)
from digest.languages import Language
from digest.writing.document import Paragraph, Typed
from digest.writing.visible import visible

PREFIX = "infra:"


def actions(wanted: Sequence[Action]) -> list[Json]:
    """Return the blocks of actions: buttons, and a menu for what one item of many is chosen from.

    An `action_id` is `infra:<ActionKind>`, with `:2`, `:3` … behind it where one kind comes again.
    A menu has the kind's own id, its options the actions' values.
    """
    chosen, buttons = menus_and_buttons(wanted, lambda each: len(each.value) <= limits.OPTION_VALUE)
    menus = [
        _block([_menu(choices[start : start + limits.OPTIONS], start)])
        for choices in chosen.values()
        for start in range(0, len(choices), limits.OPTIONS)
    ]
    return menus + _buttons(buttons)


def _buttons(wanted: Sequence[Action]) -> list[Json]:
    seen: Counter[ActionKind] = Counter()
    made = []
    for each in wanted:
        seen[each.kind] += 1
        made.append(_button(each, _id(each.kind, seen[each.kind])))
    step = limits.ACTIONS_ELEMENTS
    return [_block(made[start : start + step]) for start in range(0, len(made), step)]


def _id(kind: ActionKind, number: int) -> str:
    return f"{PREFIX}{kind}" if number == 1 else f"{PREFIX}{kind}:{number}"


def _block(elements: list[Json]) -> Json:
    return {"type": "actions", "elements": elements}


def _button(action: Action, action_id: str) -> Json:
    # A title is no place for emoji by name: `:white_check_mark: Done` would look like ours.
    is_ours = action.kind not in OF_ONE_ITEM
    button: Json = {
        "type": "button",
        "action_id": action_id,
        "text": {"type": "plain_text", "text": fitting(action.label), "emoji": is_ours},
    }
    if action.kind is ActionKind.PAGE:
        return button | {"url": address(action.value)[: limits.BUTTON_URL]}
    if action.kind is ActionKind.FLAG:
        button["style"] = "primary"
    return button | {"value": action.value[: limits.BUTTON_VALUE]}


def _menu(choices: Sequence[Action], start: int) -> Json:
    number = start // limits.OPTIONS + 1
    return {
        "type": "static_select",
        "action_id": _id(choices[0].kind, number),
        "options": [
            {
                "text": {"type": "plain_text", "text": fitting(each.label), "emoji": False},
                "value": each.value,
            }
            for each in choices
        ],
    }


def fitting(label: str) -> str:
    """Return a label that fits on a button and into a menu, after escaping."""
    seen = visible(label) or "…"
    if len(escape(seen)) <= limits.BUTTON_TEXT:
        return seen
    while len(escape(seen)) >= limits.BUTTON_TEXT:
        seen = seen[: -max(1, (len(escape(seen)) - limits.BUTTON_TEXT) // 5)]
    return f"{seen}…"


AGAIN: Json = {"type": "text", "text": " …"}
"""Behind a heading that is said again."""


def pack(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the pieces of every message; only headings can be said twice."""
    return packed(pieces, _takes, _again)


def _takes(filling: Sequence[Piece], piece: Piece) -> bool:
    together = (*filling, piece)
    opened = sum(
        each.block is not None or before is None or before.block is not None
        for before, each in zip((None, *together), together, strict=False)
    )
    return not filling or (
        sum(each.size for each in together) <= limits.MESSAGE
        and sum(each.is_table for each in together) <= limits.TABLES
        and opened <= limits.BLOCKS
    )


def _again(heading: Piece) -> Piece | None:
    if not (heading.leads and heading.fragments):
        return None
    first, *others = heading.fragments
    marked = replace(first, elements=(*first.elements, AGAIN))
    return replace(heading, fragments=(marked, *others))


def blocks(pieces: Sequence[Piece]) -> list[Json]:
    """Return the blocks of one message; neighbouring rich text shares one."""
    found: list[Json] = []
    together: list[Fragment] = []
    for piece in pieces:
        if piece.block is not None:
            if together:
                found.append(_rich_text(together))
                together = []
            found.append(piece.block)
        together += piece.fragments
    if together:
        found.append(_rich_text(together))
    return found


def _rich_text(fragments: Sequence[Fragment]) -> Json:
    elements: list[Json] = []
    for (kind, level), group in groupby(fragments, lambda each: (each.kind, each.level)):
        parts = [[*each.elements] for each in group]
        if kind == "item":
            items = [{"type": "rich_text_section", "elements": each} for each in parts]
            elements.append(
                {"type": "rich_text_list", "style": "bullet", "indent": level, "elements": items}
            )
        elif kind == "section":
            text = _lines(parts, follows=bool(elements))
            elements.append({"type": "rich_text_section", "elements": text})
        else:
            elements += [{"type": f"rich_text_{kind}", "elements": each} for each in parts]
    return {"type": "rich_text", "elements": elements}


def _lines(sections: Sequence[list[Json]], *, follows: bool) -> list[Json]:
    """Join sections line by line, as Slack does not, with an empty line before what opens.

    That is a heading, or a warning below what a heading opened.
    `follows` tells that they stand below a list or a quotation, where a line has begun already.
    """
    text: list[Json] = []
    headed, is_section = False, follows
    for section in sections:
        is_apart = is_section and section[0].get("text", "").startswith(WARNING)
        opens = _is_bold(section[0]) or is_apart
        breaks = (1 if text else 0) + (1 if opens and not headed and (text or follows) else 0)
        if breaks:
            text.append({"type": "text", "text": "\n" * breaks})
        text += section
        headed, is_section = all(map(_is_bold, section)), _is_bold(section[0])
    return text


def _is_bold(element: Json) -> bool:
    return bool(element.get("style", {}).get("bold"))


LONGEST_NOTIFICATION = 600
"""Characters of a notification; escaped, they stay below the 4,000 bytes that a `text` may have
when it is edited, too: https://docs.slack.dev/reference/methods/chat.update"""


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
    """Return the messages of a thread in the order of posting; the first alone is the parent."""
    first, *more = _messages(thread.parent, is_parent=True)
    replies = [message for part in thread.replies for message in _messages(part)]
    return (first, *more, *replies)


def render_parts(parts: Sequence[Part], language: Language) -> tuple[SlackMessage, ...]:
    """Return messages that are no thread: answers, questions, notices, edits of posted messages."""
    return tuple(message for part in parts for message in _messages(part))


def _messages(part: Part, *, is_parent: bool = False) -> list[SlackMessage]:
    below = [*small(part.state)] if part.state else []
    below += [Piece(block=block, joins=True) for block in actions(part.actions)]
    packed = pack([*pieces(part.blocks), *below])
    about = keys_by_message(part.about, packed)
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
    """Return what a notification says; a sentence with commands in it has them as typed here."""
    lines = [block.runs for block in part.blocks if isinstance(block, Paragraph)]
    has_commands = any(isinstance(run, Typed) for runs in lines for run in runs)
    if part.kind is PartKind.NOTICE and has_commands:
        return " ".join(words_alone(runs) for runs in lines)
    return part.summary


def notification(summary: str) -> str:
    """Return the text of a notification, escaped."""
    seen = visible(summary)
    short = seen if len(seen) <= LONGEST_NOTIFICATION else f"{seen[:LONGEST_NOTIFICATION]}…"
    return escape(short) or "…"
