"""The parts of a thread before any platform draws them.

Every part becomes one message, or several where a platform's limits ask for it. `about` gives a
reaction its meaning: one key means that item, several mean a choice, none means nothing to flag.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import Block, Runs


class PartKind(StrEnum):
    """What a part tells; its stored name, so never take one out. No new part has `THEMES`."""

    ROUNDUP = "roundup"
    PARENT = "parent"
    ITEM = "item"
    STORIES = "stories"
    CHANGES = "changes"
    THEMES = "themes"
    UPGRADE_NOTES = "upgrade_notes"
    ISSUES = "issues"
    RELEASES = "releases"
    REST = "rest"
    ANSWER = "answer"
    CHOICE = "choice"
    NOTICE = "notice"
    NEWS = "news"


class Mark(StrEnum):
    """What a day is marked by, best known first; its stored name, so never rename one."""

    BREAKING = "breaking"
    SECURITY = "security"
    IMPORTANT = "important"
    RELEASE = "release"


class ActionKind(StrEnum):
    """What a button does; its stored name, so never rename one. No new button has `SHOW_BITES`."""

    SHOW_ALL = "show_all"
    SHOW_REST = "show_rest"
    SHOW_BITES = "show_bites"
    FOLLOWUPS = "followups"
    FLAG = "flag"
    FLAG_ONE = "flag_one"
    TAKE = "take"
    DONE = "done"
    REOPEN = "reopen"
    WATCH = "watch"
    DEEP_DIVE = "deep_dive"
    CHOOSE = "choose"
    WHICH = "which"
    SHARE = "share"
    PAGE = "page"
    ASK = "ask"
    SET_UP = "set_up"
    UNSUBSCRIBE_ALL = "unsubscribe_all"
    SUBSCRIBE = "subscribe"


@dataclass(frozen=True, slots=True)
class Action:
    """A button: what it does, on what (an item's key, a digest's reference), and its label."""

    kind: ActionKind
    value: str
    label: str

    @classmethod
    def usual(cls, kind: ActionKind, value: str, language: Language) -> Self:
        """Return a button with the label that its kind has everywhere."""
        return cls(kind, value, CATALOGUES[language].buttons[kind])


OF_ONE_ITEM = (ActionKind.CHOOSE, ActionKind.DEEP_DIVE)
"""What names an item on its button: one of several is chosen by it."""

MOST_BUTTONS = 5
"""More items to choose from make a menu."""


def menus_and_buttons(
    actions: Sequence[Action], fits: Callable[[Action], bool] = lambda _: True
) -> tuple[Mapping[ActionKind, Sequence[Action]], Sequence[Action]]:
    """Part actions into menus by their kind, and buttons; `fits` tells what a menu can hold."""
    menus: dict[ActionKind, Sequence[Action]] = {}
    for kind in OF_ONE_ITEM:
        choices = [each for each in actions if each.kind is kind]
        if len(choices) > MOST_BUTTONS and all(map(fits, choices)):
            menus[kind] = choices
    return menus, [each for each in actions if each.kind not in menus]


@dataclass(frozen=True, slots=True)
class Part:
    """One part: blocks of runs, what they are about, the buttons below, and the plain summary.

    `summary` is the notification text: one meaningful line of plain words. `state` is the line
    that says how the follow-up of the one item stands, empty while nobody flagged or took it.
    """

    kind: PartKind
    blocks: tuple[Block, ...]
    about: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    summary: str = ""
    state: Runs = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """A parent and its replies, in the order in which they are posted.

    `repo` is `OWNER/NAME` of the one repository that it tells, empty for a roundup. `marks` are of
    what it tells; `mention` is the role that hears of it, by the platform's id, or nothing.
    """

    language: Language
    parent: Part
    replies: tuple[Part, ...] = ()
    repo: str = ""
    marks: frozenset[Mark] = frozenset()
    mention: str = ""
