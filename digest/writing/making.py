"""Who made the sentences of a page: rules alone, or also a model, and what did not come of it."""

from collections.abc import Sequence
from typing import Protocol

from digest.edited import ModelOutcome, ModelUse
from digest.languages import Language
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing.document import Foreign, Runs, Words
from digest.writing.phrasing import fill, joined
from digest.writing.visible import visible

DOT = " · "

LONGEST_MODEL = 60
"""Characters of a model's name; servers know some by a path of the machine's disk."""


class Made(Protocol):
    """What a model may have had to do with: a digest, a change, a roundup, what was found."""

    @property
    def model(self) -> ModelUse | None:
        """What it had to do."""
        ...


def made_by(sources: Sequence[Made], say: Catalogue, language: Language) -> Runs:
    """Say in one sentence who made what digests, or a change, say; for the foot of a page."""
    uses = _uses(sources)
    if not uses:
        return (Words(say.small.no_ai),)
    parts = _made(uses, language, say.small.with_ai)
    return (*_capitalised(joined(parts, say.semicolon)), Words(say.stop))


def made_briefly(sources: Sequence[Made], say: Catalogue, language: Language) -> Runs:
    """Say the same in few words, for the small print of a message.

    What a model's answers did not pass is for the operator, not for readers.
    """
    uses = _uses(sources)
    if not uses:
        return (Words(say.small.no_ai_briefly),)
    return joined(_made(uses, language, say.small.with_ai_briefly), DOT)


def _uses(sources: Sequence[Made]) -> list[ModelUse]:
    """Give what a model had to do with it; what was stored of an older one's words is gone."""
    return [use for each in sources if (use := each.model) and use.checker]


def _made(uses: Sequence[ModelUse], language: Language, template: str) -> list[Runs]:
    small = CATALOGUES[language].small
    authors = [use for use in uses if use.told]
    if authors:
        return [fill(template, model=_name(authors)), *_trouble(uses, language)]
    why = joined(_trouble(uses, language), CATALOGUES[language].comma)
    if not why:
        return [(Words(small.no_ai_briefly),)]
    # What was asked when time was over has no answer either.
    if all(use.unanswered >= use.asked or use.outcome is ModelOutcome.LATE for use in uses):
        return [fill(small.no_ai_because, why=why)]
    return [fill(small.nothing_why, model=_name(uses), why=why)]


def _capitalised(runs: Runs) -> Runs:
    first, *others = runs
    if isinstance(first, Words):
        first = Words(first.text[:1].upper() + first.text[1:])
    return (first, *others)


def _trouble(uses: Sequence[ModelUse], language: Language) -> list[Runs]:
    """Say what did not come, each once."""
    small = CATALOGUES[language].small
    by_trouble: dict[str, list[ModelUse]] = {}
    for use in uses:
        if use.outcome is ModelOutcome.LATE:
            by_trouble.setdefault(small.late, []).append(use)
        elif use.outcome is ModelOutcome.OVER_BUDGET:
            by_trouble.setdefault(small.over_budget, []).append(use)
        elif use.outcome is ModelOutcome.FAILED:
            template = CATALOGUES[language].troubles[use.trouble] if use.trouble else small.failed
            by_trouble.setdefault(template, []).append(use)
    parts = [fill(template, model=_name(those)) for template, those in by_trouble.items()]
    if not any(use.told for use in uses) and (dropped := sum(use.dropped for use in uses)):
        parts.append((Words(small.dropped(dropped)),))
    unanswered = sum(use.unanswered for use in uses if use.outcome is ModelOutcome.PARTIAL)
    if unanswered:
        parts.append((Words(small.unanswered(unanswered)),))
    return parts


def why_failed(use: ModelUse, language: Language) -> Runs:
    """Say in plain words why a model did not give all that it was asked for."""
    parts = _trouble([use], language)
    if use.outcome is ModelOutcome.PARTIAL and use.trouble:
        parts.append(fill(CATALOGUES[language].troubles[use.trouble], model=_name([use])))
    return joined(parts, CATALOGUES[language].comma)


def _name(uses: Sequence[ModelUse]) -> Foreign:
    """Name the models, each once."""
    return Foreign(", ".join(dict.fromkeys(short_name(use.model) for use in uses)))


def short_name(model: str) -> str:
    """Name a model for a reader; of a path its last part, which says which model it is."""
    name = visible(model)
    if len(name) <= LONGEST_MODEL:
        return name
    last = name.rstrip("/").rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_MODEL else f"{last[: LONGEST_MODEL - 1]}…"
