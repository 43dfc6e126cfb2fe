"""The question in which zone a channel's mornings are, where its platform knows none."""

from dataclasses import replace

from bot.compose.chat_reply import ChatReply
from bot.model.parts import Action, ActionKind
from bot.model.subscriptions import NINE
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import said

ZONES = {
    "America/Los_Angeles": SAY.cities.san_francisco,
    "America/New_York": SAY.cities.new_york,
    "Europe/London": SAY.cities.london,
    "Europe/Berlin": SAY.cities.berlin,
    "Asia/Kolkata": SAY.cities.india,
    "Asia/Shanghai": SAY.cities.beijing,
    "Asia/Tokyo": SAY.cities.tokyo,
    "UTC": Phrase.as_written("UTC"),
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
        Action(ActionKind.SUBSCRIBE, f"{asked} tz {zone}", said(city, language))
        for zone, city in ZONES.items()
    )
    return replace(reply, parts=(replace(reply.parts[0], actions=buttons),))
