"""The question in which zone a channel's mornings are, where its platform knows none."""

from dataclasses import replace

from bot.compose.chat_reply import ChatReply
from bot.model.parts import Action, ActionKind
from bot.model.subscriptions import NINE
from digest.languages import Language
from digest.phrase import Example
from digest.wording.phrases import SAY

ZONES = {
    "America/Los_Angeles": {Language.EN: "San Francisco", Language.ZH: "旧金山"},
    "America/New_York": {Language.EN: "New York", Language.ZH: "纽约"},
    "Europe/London": {Language.EN: "London", Language.ZH: "伦敦"},
    "Europe/Berlin": {Language.EN: "Berlin", Language.ZH: "柏林"},
    "Asia/Kolkata": {Language.EN: "India", Language.ZH: "印度"},
    "Asia/Shanghai": {Language.EN: "Beijing", Language.ZH: "北京"},
    "Asia/Tokyo": {Language.EN: "Tokyo", Language.ZH: "东京"},
    "UTC": {Language.EN: "UTC", Language.ZH: "UTC"},
}
"""Zones that most people find theirs among; any other is typed."""


def zone_question(asked: str, at: str, language: Language) -> ChatReply:
    """Ask for a zone; every button holds the command that was typed, with its zone.

    `asked` is a `subscribe` command without `tz`; `at` is the time of day that it names, empty for
    the usual one.
    """
    question = SAY.subscribing.which_zone(at or f"{NINE:%H:%M}", Example(f"{asked} tz Asia/Dubai"))
    reply = ChatReply.line(question, language)
    buttons = tuple(
        Action(ActionKind.SUBSCRIBE, f"{asked} tz {zone}", names[language])
        for zone, names in ZONES.items()
    )
    return replace(reply, parts=(replace(reply.parts[0], actions=buttons),))
