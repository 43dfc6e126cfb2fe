"""Actions of a part as Slack's buttons, and as a menu where a choice has many."""

from collections import Counter
from collections.abc import Sequence

from adapters.slack import limits
from adapters.slack.markup import Json, address, escape
from bot.model.parts import Action, ActionKind
from digest.writing.visible import visible

PREFIX = "infra:"
OF_ONE_ITEM = (ActionKind.CHOOSE, ActionKind.DEEP_DIVE)
"""What names an item on its button: a title is no place for emoji by name, since
`:white_check_mark: Done` would look like a button of ours."""

MOST_CHOICES = 5
"""More items to choose from make a menu."""


def actions(wanted: Sequence[Action]) -> list[Json]:
    """Give the blocks of actions: buttons, and a menu for what one item of many is chosen from.

    An `action_id` is `infra:<ActionKind>`, with `:2`, `:3` … behind it where one kind comes again.
    A menu has the kind's own id, its options the actions' values.
    """
    menus: list[Json] = []
    for kind in OF_ONE_ITEM:
        choices = [each for each in wanted if each.kind is kind]
        fit = all(len(each.value) <= limits.OPTION_VALUE for each in choices)
        if len(choices) > MOST_CHOICES and fit:
            wanted = [each for each in wanted if each.kind is not kind]
            menus += [
                _block([_menu(choices[start : start + limits.OPTIONS], start)])
                for start in range(0, len(choices), limits.OPTIONS)
            ]
    return menus + _buttons(wanted)


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
    """Give a label that fits on a button and into a menu, after escaping."""
    seen = visible(label) or "…"
    if len(escape(seen)) <= limits.BUTTON_TEXT:
        return seen
    while len(escape(seen)) >= limits.BUTTON_TEXT:
        seen = seen[: -max(1, (len(escape(seen)) - limits.BUTTON_TEXT) // 5)]
    return f"{seen}…"
