"""What came of a digest's questions: proven sentences, and what to tell of the rest (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from digest.asking.cutting import judged
from digest.claims import Claim, Draft, ModelOutcome, ModelUse, Trouble
from digest.evidence import Evidence
from digest.grounding.distinct import distinct
from digest.grounding.verdict import Verdict
from digest.languages import Language
from digest.models import Digest, Origin, ReadItem
from digest.ports import Request

LONGEST_WHY = 200
"""Characters of the reason that is kept; a server may answer with a page."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One item that was asked about, and its answer as it came; empty where there was none.

    `unread` tells that the answer could not be read as drafts, `outdated` that other rules of
    proof judged it first: what they find else costs no question.
    """

    read: ReadItem
    evidence: Evidence
    request: Request
    text: str = ""
    verdicts: tuple[Verdict, ...] = ()
    answered: bool = False
    unread: bool = False
    outdated: bool = False

    @property
    def key(self) -> str:
        """The key of the item."""
        return self.evidence.key

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What was proven of it."""
        return tuple(verdict.claim for verdict in self.verdicts if verdict.claim)


@dataclass(frozen=True, slots=True)
class AskedTheme:
    """One theme that was asked about."""

    name: str
    verdicts: tuple[Verdict, ...] = ()
    answered: bool = False


@dataclass(slots=True)
class Line:
    """The server as one digest meets it: failures in a row, the first reason, and its tokens."""

    failures: int = 0
    why: str = ""
    spent: bool = False
    trouble: Trouble | None = None


def merged(asked: Asked, mended: Sequence[Draft]) -> tuple[Verdict, ...]:
    """Judge what was said otherwise beside what stood.

    What was proven in one language alone stays unless it now comes in both.
    """
    stood = [each.draft for each in asked.verdicts if each.claim and not each.repairable]
    partly = [each.draft for each in asked.verdicts if each.claim and each.repairable]
    verdicts = judged((*stood, *mended, *partly), asked.evidence)
    anew = len(stood) + len(mended)
    still = (each for each in verdicts[anew:] if each.claim)
    lost = [each for each in asked.verdicts if not each.claim and not each.repairable]
    given_up = [each for each in asked.verdicts if not each.claim and each.repairable]
    return (*verdicts[:anew], *still, *lost, *given_up[len(mended) :])


def glossed(
    digest: Digest,
    model: str,
    items: Sequence[Asked],
    themes: Sequence[AskedTheme],
    line: Line,
    *,
    verifier: str,
) -> Digest:
    """Give a digest with what was proven, each thing said once; the rest is counted."""
    told: list[Asked | AskedTheme] = [*items, *themes]
    verdicts = [verdict for each in told for verdict in each.verdicts]
    kept = distinct(verdicts)
    claims = tuple(verdict.claim for verdict in kept if verdict.claim)
    unanswered = sum(not each.answered for each in told)
    use = ModelUse(
        model=model,
        outcome=ModelOutcome.COMPLETE,
        asked=len(items) + len(themes),
        claims=len(claims),
        dropped=dropped(kept),
        why=line.why[:LONGEST_WHY],
        unanswered=unanswered,
        verifier=verifier,
        trouble=line.trouble,
    )
    outcome = _outcome(use, claims, line)
    return replace(
        digest,
        claims=claims,
        model=replace(use, outcome=outcome),
        origin=Origin.MODEL if claims else Origin.RULES,
    )


def dropped(judged: Sequence[Verdict]) -> int:
    """Count what was not proven; what is left out for being said elsewhere is no fault of it."""
    return sum(
        each.claim is None and {failure.check for failure in each.failures} != {"repeated"}
        for each in judged
    )


def in_all_languages(claims: Sequence[Claim]) -> bool:
    """Tell whether every sentence was proven in every language."""
    return all(claim.text.get(language) for claim in claims for language in Language)


def late(digest: Digest, model: str, asked: int) -> Digest:
    """Give a digest as rules wrote it, since the model's words are not there yet."""
    use = ModelUse(model, ModelOutcome.LATE, asked=asked, unanswered=asked)
    return replace(digest, claims=(), model=use, origin=Origin.RULES)


def _outcome(use: ModelUse, claims: Sequence[Claim], line: Line) -> ModelOutcome:
    if line.spent:
        return ModelOutcome.OVER_BUDGET
    if use.unanswered and not claims and use.unanswered == use.asked:
        return ModelOutcome.FAILED
    if use.dropped or use.unanswered or not in_all_languages(claims):
        return ModelOutcome.PARTIAL
    return ModelOutcome.COMPLETE
