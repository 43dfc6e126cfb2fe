"""The question in which zone a channel's mornings are, where its platform knows none."""

from bot.compose.chat_reply import ChatReply
from bot.model.parts import Action, ActionKind
from bot.model.subscriptions import NINE
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import said
from digest.zone_names import zones_like

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


def zones_offered(typed: str) -> tuple[str, ...]:
    """Give zones that somebody may be typing, the likeliest first; who typed nothing, those."""
    return zones_like(typed) if typed.strip() else tuple(ZONES)


def zone_question(asked: str, at: str, language: Language) -> ChatReply:
    """Ask for a zone; every button holds the command that was typed, with its zone.

    `asked` is a `subscribe` command without `tz`; `at` is the time of day that it names, empty for
    the usual one.
    """
    question = SAY.subscribing.which_zone(at or f"{NINE:%H:%M}", Example(f"{asked} tz Asia/Dubai"))
    buttons = (
        Action(ActionKind.SUBSCRIBE, f"{asked} tz {zone}", said(city, language))
        for zone, city in ZONES.items()
    )
    return ChatReply.line(question, language).offering(*buttons)
