"""Follow-ups and the question "which one?", as parts."""

from collections.abc import Sequence

from bot.chat_words import CHAT_WORDS
from bot.followups import FollowUp
from bot.item_part import state
from bot.parts import Action, ActionKind, Part, PartKind
from digest.models import Language
from digest.writing.document import Bullets, Entry, Foreign, Link, Paragraph, Strong, Words
from digest.writing.visible import visible

LONGEST_LABEL = 60
"""Characters of a title on a button."""


def followups_part(followups: Sequence[FollowUp], language: Language) -> Part:
    """Give a list of follow-ups in the order given, each with who flagged, took and closed it."""
    words = CHAT_WORDS[language]
    title = words.buttons[ActionKind.FOLLOWUPS]
    if not followups:
        nothing = Paragraph((Words(words.no_followups),))
        return Part(PartKind.ANSWER, (nothing,), summary=words.no_followups)
    told = tuple(
        Entry(
            (Foreign(each.title), Words(" "), Link(each.ref, each.url)),
            (Entry(state(each, language) or (Words(words.state[each.state]),)),),
            about=(each.item_key,),
        )
        for each in followups
    )
    heading = Paragraph((Strong((Words(title),)), Words(f" · {len(told)}")))
    return Part(
        PartKind.ANSWER,
        (heading, Bullets(told)),
        about=tuple(each.item_key for each in followups),
        summary=f"{title} · {len(told)}",
    )


def choice_part(items: Sequence[tuple[str, str, str]], language: Language) -> Part:
    """Ask which item is meant: `(key, ref, title)` of each; a choice has the item's key."""
    words = CHAT_WORDS[language]
    return Part(
        PartKind.CHOICE,
        (Paragraph((Words(words.which_one),)),),
        actions=tuple(
            Action(ActionKind.CHOOSE, key, _label(ref, title)) for key, ref, title in items
        ),
        summary=words.which_one,
    )


def _label(ref: str, title: str) -> str:
    seen = visible(title)
    short = seen if len(seen) <= LONGEST_LABEL else f"{seen[: LONGEST_LABEL - 1]}…"
    return short if short == ref else f"{ref} {short}".strip()
