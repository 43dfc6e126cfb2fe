"""Gives one change its analysis: one question, one repair, and only what was proven stays.

::

    asked    = for_analysis(item)                whole hunks and paragraphs, by value
    answer   = model.ask(asked.request)          once more with half, where it cannot be read
    verdicts = judged(drafts(answer), shown)     against this item alone
    verdicts = what was said otherwise, judged beside what stood
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import structlog

from digest.asking import second_reading
from digest.asking.cutting import judged
from digest.asking.kept import NotKept
from digest.asking.opening import for_analysis
from digest.asking.outcome import LONGEST_WHY, Asked, dropped, in_all_languages, merged
from digest.asking.prompt import repair_request
from digest.asking.reply import BadReply, drafts
from digest.asking.seeing import DEEP
from digest.claims import ModelOutcome, ModelUse
from digest.errors import BudgetSpent, CouldNotLook, ModelFailed
from digest.evidence import Reach
from digest.grounding.distinct import distinct
from digest.grounding.repair import complaint
from digest.grounding.verdict import Verdict
from digest.models import Change, Kind
from digest.ports import Model

log = structlog.get_logger()


class ModelAnalyst:
    """Implements `digest.ports.Analyst`: asks a model, and believes what is proven."""

    def __init__(self, model: Model, *, reader: Model | None = None) -> None:
        self._model = model
        self._reader = reader

    async def analyse(self, change: Change) -> Change:
        """Give a change its claims; raises nothing of a model.

        The change is to have its hunks. An issue or a release comes back as it was: its own words
        are told whole. Where nothing is proven, `model` says why.
        """
        if change.read.item.kind not in (Kind.PULL_REQUEST, Kind.COMMIT):
            return change
        asked = for_analysis(change.read)
        try:
            asked = await self._read(await self._asked(asked))
        except CouldNotLook as error:
            log.warning("no analysis", about=asked.key, reason=str(error))
            return _without(change, self._model.name, error)
        return self._told(change, asked)

    async def _asked(self, asked: Asked) -> Asked:
        """Ask, read and judge; raises `ModelFailed` (`BadReply` among them) or `BudgetSpent`."""
        try:
            answer = await self._model.ask(asked.request)
            found = drafts(answer.text, asked.key)
        except BadReply as error:
            log.warning("analysis not read", about=asked.key, reason=str(error))
            asked = for_analysis(asked.read, DEEP.halved())
            answer = await self._model.ask(asked.request)
            found = drafts(answer.text, asked.key)
        verdicts = judged(found, asked.evidence)
        answered = replace(
            asked,
            text=answer.text,
            verdicts=verdicts,
            answered=True,
            outdated=answer.outdated,
        )
        _log(answered, verdicts)
        return await self._mended(answered)

    async def _mended(self, asked: Asked) -> Asked:
        """Ask once for what failed to be said otherwise; what stood stays whatever comes of it."""
        words = complaint(asked.verdicts)
        if not words:
            return asked
        request = repair_request(asked.request, asked.text, words)
        try:
            answer = await self._model.ask(replace(request, only_kept=asked.outdated))
            verdicts = merged(asked, drafts(answer.text, asked.key))
        except NotKept:
            return asked
        except CouldNotLook as error:
            log.warning("analysis not mended", about=asked.key, reason=str(error))
            return asked
        _log(asked, verdicts)
        return replace(asked, verdicts=verdicts)

    async def _read(self, asked: Asked) -> Asked:
        """Have all that was proven read a second time; raises `ModelFailed` or `BudgetSpent`."""
        shown = [asked.evidence]
        request = second_reading.question(asked.verdicts, shown)
        if self._reader is None or request is None:
            return asked
        answer = await self._reader.ask(request)
        verdicts = second_reading.after(asked.verdicts, shown, answer.text)
        _log(asked, verdicts)
        return replace(asked, verdicts=verdicts)

    def _told(self, change: Change, asked: Asked) -> Change:
        kept = distinct(asked.verdicts)
        claims = tuple(verdict.claim for verdict in kept if verdict.claim)
        lost = dropped(kept)
        whole = not lost and in_all_languages(claims)
        use = ModelUse(
            model=self._model.name,
            outcome=ModelOutcome.COMPLETE if whole else ModelOutcome.PARTIAL,
            asked=1,
            claims=len(claims),
            dropped=lost,
            verifier=second_reading.verifier(self._reader),
        )
        shown = asked.evidence
        reach = Reach(len(shown.hunks), shown.hunks_total, len(shown.body), shown.paragraphs)
        return replace(change, claims=claims, model=use, reach=reach)


def _without(change: Change, model: str, error: CouldNotLook) -> Change:
    spent = isinstance(error, BudgetSpent)
    outcome = ModelOutcome.OVER_BUDGET if spent else ModelOutcome.FAILED
    trouble = error.trouble if isinstance(error, ModelFailed) else None
    why = str(error)[:LONGEST_WHY]
    use = ModelUse(model, outcome, asked=1, why=why, unanswered=1, trouble=trouble)
    return replace(change, claims=(), model=use, reach=None)


def _log(asked: Asked, verdicts: Sequence[Verdict]) -> None:
    failed = Counter(failure.check for each in verdicts for failure in each.failures)
    log.info(
        "analysis judged",
        about=asked.key,
        proven=sum(each.claim is not None for each in verdicts),
        dropped=sum(each.claim is None for each in verdicts),
        failed=dict(failed),
    )
