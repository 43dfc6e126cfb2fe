"""Who made the sentences of a page: rules alone, or also a model, and what did not come of it."""

from collections.abc import Sequence

from digest.claims import ModelOutcome, ModelUse
from digest.languages import Language
from digest.models import Change, Digest
from digest.writing.document import Foreign, Runs, Words
from digest.writing.phrasing import fill, joined
from digest.writing.visible import visible
from digest.writing.wording.catalogue import Catalogue

DOT = " · "

LONGEST_MODEL = 60
"""Characters of a model's name; servers know some by a path of the machine's disk."""


def made_by(digests: Sequence[Digest | Change], say: Catalogue, language: Language) -> Runs:
    """Say in one sentence who made what digests, or a change, say; for the foot of a page."""
    uses = [digest.model for digest in digests if digest.model and digest.model.asked]
    if not uses:
        return (Words(say.small.no_ai),)
    made = _made(digests, uses, say, language, say.small.with_ai, say.semicolon)
    return (*_capitalised(made), Words(say.stop))


def made_briefly(digests: Sequence[Digest | Change], say: Catalogue, language: Language) -> Runs:
    """Say the same in few words, for the small print of a message."""
    uses = [digest.model for digest in digests if digest.model and digest.model.asked]
    if not uses:
        return (Words(say.small.no_ai_briefly),)
    return _made(digests, uses, say, language, say.small.checked, DOT)


def _made(
    digests: Sequence[Digest | Change],
    uses: Sequence[ModelUse],
    say: Catalogue,
    language: Language,
    template: str,
    joint: str,
) -> Runs:
    model = _name(uses)
    trouble = _trouble(uses, say, model)
    claims = [claim for digest in digests for claim in digest.claims]
    if not claims:
        return (
            fill(say.small.no_ai_because, why=joined(trouble, say.comma)) if trouble else _none(say)
        )
    parts: list[Runs] = [fill(template, model=model), *trouble]
    if any(not claim.text.get(language) for claim in claims):
        parts.append((Words(say.small.untranslated),))
    return joined(parts, joint)


def _none(say: Catalogue) -> Runs:
    return (Words(say.small.no_ai_briefly),)


def _capitalised(runs: Runs) -> Runs:
    first, *others = runs
    if isinstance(first, Words):
        first = Words(first.text[:1].upper() + first.text[1:])
    return (first, *others)


def _trouble(uses: Sequence[ModelUse], say: Catalogue, model: Foreign) -> list[Runs]:
    """Say what did not come, each once."""
    told: list[Runs] = []
    outcomes = {use.outcome for use in uses}
    for outcome, template in (
        (ModelOutcome.LATE, say.small.late),
        (ModelOutcome.OVER_BUDGET, say.small.over_budget),
        (ModelOutcome.FAILED, say.small.failed),
    ):
        if outcome in outcomes:
            told.append(fill(template, model=model))
    if dropped := sum(use.dropped for use in uses):
        told.append((Words(say.small.dropped(dropped)),))
    unanswered = sum(use.unanswered for use in uses if use.outcome is ModelOutcome.PARTIAL)
    if unanswered:
        told.append((Words(say.small.unanswered(unanswered)),))
    return told


def _name(uses: Sequence[ModelUse]) -> Foreign:
    """Name the models, each once; of a path its last part, which says which model it is."""
    names = dict.fromkeys(visible(use.model) for use in uses)
    return Foreign(", ".join(_short(name) for name in names))


def _short(name: str) -> str:
    if len(name) <= LONGEST_MODEL:
        return name
    last = name.rstrip("/").rsplit("/", 1)[-1]
    return last if len(last) <= LONGEST_MODEL else f"{last[: LONGEST_MODEL - 1]}…"
