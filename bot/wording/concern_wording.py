"""What concerns a channel, said in each language."""

from bot.model.concerns import BY_HAND, Concern, written
from digest.languages import Language
from digest.wording.saying import CATALOGUES


def described(concern: Concern, language: Language) -> str:
    """Say one concern in a sentence without its full stop."""
    surface, words = concern.surface, CATALOGUES[language]
    say = words.concerns
    if concern.name == BY_HAND or (concern.read_at and not surface.uses):
        return say.by_hand(concern.name, written(surface.words))
    if concern.read_at:
        names = len({(use.kind, use.name) for use in surface.uses})
        places = len(surface.uses)
        date = concern.read_at.date()
        told = say.used(concern.name, surface.of, f"{names:,}", f"{places:,}", date)
    else:
        told = concern.name if concern.trouble else say.unread(concern.name)
    if concern.trouble:
        return say.and_failed(told, words.said(concern.trouble).partition("\n")[0])
    return told
