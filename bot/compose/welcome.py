"""What is asked of who asks nothing yet: three buttons, and in which zone the mornings are."""

from collections.abc import Sequence

from bot.compose.chat_reply import ChatReply, sentence
from bot.model.commands import AN_ITEM
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.subscriptions import NINE, Subscription
from bot.wording.channel_words import described
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.times import zones_like
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import Paragraph, Words

ALL_COMMANDS = "help"
"""What the button for all commands asks."""

CHOICE = "choose"
"""What the button for a digest asks where there are several to choose from."""

CHANNEL = "channel"
"""What is set up: the channel that the button is pressed in. No platform keeps empty values."""

MOST_CHOICES = 20
"""Repositories to choose from: four of the five rows of buttons that Discord takes."""


def welcome(
    subscription: Subscription | None, names: Sequence[str], example: str, language: Language
) -> ChatReply:
    """Return three lines and three buttons: of a channel that has a subscription how it is changed.

    `names` are the channel's own repositories as they can be asked for, `example` is one to show.
    """
    words = CATALOGUES[language].welcome
    gets = (
        CATALOGUES[language].subscribing.changed(described(subscription, language))
        if subscription
        else words.gets_nothing
    )
    asking = SAY.welcome.ask(Example(f"{example} yesterday"), Example(AN_ITEM))
    blocks = (
        *(() if subscription else (Paragraph((Words(words.does),)),)),
        Paragraph((Words(gets),)),
        *((hour_and_end(language),) if subscription else ()),
        Paragraph(sentence(asking, language)),
    )
    actions = (
        Action(ActionKind.ASK, names[0] if len(names) == 1 else CHOICE, words.digest),
        Action(ActionKind.SET_UP, CHANNEL, words.change if subscription else words.set_up),
        Action(ActionKind.ASK, ALL_COMMANDS, words.commands),
    )
    return ChatReply((Part(PartKind.NOTICE, blocks, (), actions, words.does),), language)


def hour_and_end(language: Language) -> Paragraph:
    """Say how the hour of a channel's mornings is changed, and how they are ended."""
    line = SAY.subscribing.hour_and_end(Example("subscribe at 08:00"), Example("unsubscribe all"))
    return Paragraph(sentence(line, language))


def which_digest(names: Sequence[str], language: Language) -> ChatReply:
    """Ask of which repository a digest is wanted."""
    text = CATALOGUES[language].welcome.which
    actions = tuple(Action(ActionKind.ASK, name, name) for name in names[:MOST_CHOICES])
    part = Part(PartKind.NOTICE, (Paragraph((Words(text),)),), (), actions, text)
    return ChatReply((part,), language)


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
    """Return zones that somebody may be typing, the likeliest first; who typed nothing, those."""
    return zones_like(typed) if typed.strip() else tuple(ZONES)


def zone_question(request: str, at: str, language: Language) -> ChatReply:
    """Ask for a zone; every button holds the command that was typed, with its zone.

    `request` is a `subscribe` command without `tz`; `at` is the time of day that it names, empty
    for the usual one.
    """
    question = SAY.subscribing.which_zone(
        at or f"{NINE:%H:%M}", Example(f"{request} tz Asia/Dubai")
    )
    buttons = (
        Action(ActionKind.SUBSCRIBE, f"{request} tz {zone}", localized(city, language))
        for zone, city in ZONES.items()
    )
    return ChatReply.line(question, language).offering(*buttons)
