"""What a model's proven sentences add to items and themes: which of them, and how they are said."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from digest.claims import Claim, ClaimKind
from digest.languages import Language
from digest.models import ReadItem
from digest.writing.document import Foreign, Runs
from digest.writing.visible import visible

GLOSS_KINDS = (ClaimKind.WHAT, ClaimKind.WHY, ClaimKind.IMPACT, ClaimKind.ACTION)
"""What a gloss may tell, in the order of telling; the others belong to a change's analysis."""

MOST_BRIEF_WORDS = 12
MOST_BRIEF_CHARACTERS = 24
"""A gloss beside a parent's title; 24 characters of Chinese say what 12 words of English do."""

_ENDS = tuple(".!?…。！？；;:：")


@dataclass(frozen=True, slots=True)
class Glosses:
    """Proven sentences by item key and by theme name."""

    items: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    themes: Mapping[str, Claim] = field(default_factory=dict)

    def only(self, told: Collection[str]) -> "Glosses":
        """Give those of items by key and themes by name that are to be told."""
        return Glosses(
            {key: claims for key, claims in self.items.items() if key in told},
            {name: claim for name, claim in self.themes.items() if name in told},
        )


def glosses(claims: Iterable[Claim]) -> Glosses:
    """Sort proven sentences by what they are about, those of an item in the order of telling."""
    items: dict[str, list[Claim]] = {}
    themes: dict[str, Claim] = {}
    for claim in claims:
        if claim.theme:
            themes.setdefault(claim.theme, claim)
        elif claim.kind in GLOSS_KINDS and len(claim.cites) == 1:
            items.setdefault(claim.cites[0], []).append(claim)
    ordered = {
        key: tuple(sorted(told, key=lambda claim: GLOSS_KINDS.index(claim.kind)))
        for key, told in items.items()
    }
    return Glosses(ordered, themes)


def said(claims: Sequence[Claim], language: Language) -> tuple[str, ...]:
    """Give the sentences of claims in one language, without those that it lacks."""
    texts = (visible(claim.text.get(language, "")) for claim in claims)
    return tuple(_ended(text, language) for text in texts if text)


def runs(sentences: Sequence[str], language: Language) -> Runs:
    """Give sentences as one run of text that is not ours."""
    text = in_one(sentences, language)
    return (Foreign(text),) if text else ()


def in_one(sentences: Sequence[str], language: Language) -> str:
    """Give sentences as one text."""
    return ("" if language is Language.ZH else " ").join(sentences)


def bare(sentence: str) -> str:
    """Give a sentence without its full stop, to stand in a line with others."""
    return sentence.rstrip(".。") or sentence


def is_brief(sentence: str) -> bool:
    """Tell whether a sentence is short enough to stand in a parent."""
    wide = sum(1 for letter in sentence if "\u3400" <= letter <= "\u9fff")
    return wide <= MOST_BRIEF_CHARACTERS and len(sentence.split()) <= MOST_BRIEF_WORDS


def says_the_same(claims: Iterable[Claim], read: ReadItem) -> bool:
    """Tell whether a gloss stands on the sentences that are quoted from the author.

    The reader then gets the gloss alone: it says the same, in the language of the page.
    """
    quoted = _plain(read.quote)
    return any(
        proof in quoted or quoted in proof
        for claim in claims
        if claim.quote_from == "body" and (proof := _plain(claim.quote))
    )


def _plain(text: str) -> str:
    return " ".join(visible(text).replace("*", "").replace("`", "").casefold().split())


def _ended(text: str, language: Language) -> str:
    if text.endswith(_ENDS):
        return text
    return text + ("。" if language is Language.ZH else ".")
