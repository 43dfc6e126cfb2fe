"""Who made the sentences of a page: rules alone, or also a model, and what did not come of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from digest.claims import ModelOutcome, ModelUse
from digest.languages import Language
from digest.models import Change, Digest
from digest.writing.document import Foreign, Run, Runs, Words
from digest.writing.phrasing import fill, joined
from digest.writing.visible import visible
from digest.writing.wording.catalogue import Catalogue
from digest.writing.wording.languages import CATALOGUES
from digest.writing.wording.troubles import TROUBLES

DOT = " · "

LONGEST_MODEL = 60
"""Characters of a model's name; servers know some by a path of the machine's disk."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many proven sentences a page leaves out for its length, and how to see them."""

    sentences: int
    how: Run


def made_by(
    told: Sequence[Digest | Change],
    say: Catalogue,
    language: Language,
    left_out: LeftOut | None = None,
) -> Runs:
    """Say in one sentence who made what digests, or a change, say; for the foot of a page."""
    uses = _uses(told)
    if not uses:
        return (Words(say.small.no_ai),)
    parts = _made(told, uses, language, say.small.with_ai, left_out)
    return (*_capitalised(joined(parts, say.semicolon)), Words(say.stop))


def made_briefly(
    told: Sequence[Digest | Change],
    say: Catalogue,
    language: Language,
    left_out: LeftOut | None = None,
) -> Runs:
    """Say the same in few words, for the small print of a message."""
    uses = _uses(told)
    if not uses:
        return (Words(say.small.no_ai_briefly),)
    return joined(_made(told, uses, language, say.small.checked, left_out), DOT)


def _uses(told: Sequence[Digest | Change]) -> list[ModelUse]:
    own = [each.model for each in told]
    glossed = [each.gloss_by for each in told if isinstance(each, Change)]
    return [use for use in (*own, *glossed) if use and use.asked]


def _made(
    told: Sequence[Digest | Change],
    uses: Sequence[ModelUse],
    language: Language,
    template: str,
    left_out: LeftOut | None,
) -> list[Runs]:
    small = CATALOGUES[language].small
    claims = [claim for each in told for claim in each.claims]
    if not claims:
        return [_without_words(uses, language)]
    authors = [use for use in uses if use.claims] or uses
    parts = [fill(template, model=_name(authors)), *_trouble(uses, language)]
    if any(not claim.text.get(language) for claim in claims):
        parts.append((Words(small.untranslated),))
    if left_out is not None and left_out.sentences:
        parts.append(fill(small.hidden(left_out.sentences), how=left_out.how))
    return parts


def _without_words(uses: Sequence[ModelUse], language: Language) -> Runs:
    """Say that a model was not heard, or that nothing of what it said is told, and why."""
    say = CATALOGUES[language]
    why = joined(_trouble(uses, language), say.comma)
    if not why:
        return (Words(say.small.no_ai_briefly),)
    if all(use.unanswered >= use.asked for use in uses):
        return fill(say.small.no_ai_because, why=why)
    return fill(say.small.nothing_why, model=_name(uses), why=why)


def _capitalised(runs: Runs) -> Runs:
    first, *others = runs
    if isinstance(first, Words):
        first = Words(first.text[:1].upper() + first.text[1:])
    return (first, *others)


def _trouble(uses: Sequence[ModelUse], language: Language) -> list[Runs]:
    """Say what did not come, each once."""
    small = CATALOGUES[language].small
    told: dict[str, list[ModelUse]] = {}
    for use in uses:
        if use.outcome is ModelOutcome.LATE:
            told.setdefault(small.late, []).append(use)
        elif use.outcome is ModelOutcome.OVER_BUDGET:
            told.setdefault(small.over_budget, []).append(use)
        elif use.outcome is ModelOutcome.FAILED:
            template = TROUBLES[language][use.trouble] if use.trouble else small.failed
            told.setdefault(template, []).append(use)
    parts = [fill(template, model=_name(those)) for template, those in told.items()]
    if dropped := sum(use.dropped for use in uses):
        parts.append((Words(small.dropped(dropped)),))
    unanswered = sum(use.unanswered for use in uses if use.outcome is ModelOutcome.PARTIAL)
    if unanswered:
        parts.append((Words(small.unanswered(unanswered)),))
    return parts


def _name(uses: Sequence[ModelUse]) -> Foreign:
    """Name the models, each once; of a path its last part, which says which model it is."""
    names = dict.fromkeys(visible(use.model) for use in uses)
    return Foreign(", ".join(_short(name) for name in names))


def _short(name: str) -> str:
    if len(name) <= LONGEST_MODEL:
        return name
    last = name.rstrip("/").rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_MODEL else f"{last[: LONGEST_MODEL - 1]}…"
