"""What a model was asked and answered about an item, judged as it would be judged now."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from digest.asking.cutting import judged
from digest.asking.kept import Kept
from digest.asking.opening import for_analysis, for_gloss, opening_of
from digest.asking.prompt import ANALYSIS_OUTPUT
from digest.asking.question import Question
from digest.asking.reply import BadReply, drafts, readings
from digest.asking.second_reading import asked_about, reread
from digest.evidence import Evidence
from digest.grounding.verdict import Verdict
from digest.models import ReadItem

READING = "reading"
"""The task of a second reading."""

OF_ONE_ITEM = ("gloss", "repair", "analysis")
"""Tasks whose answers are judged against one item alone."""

AnswersAbout: TypeAlias = Callable[[str], Awaitable[tuple[Kept, ...]]]
"""Gives what was asked and answered about an item by its key, oldest first."""


async def questions(read: ReadItem, answers: AnswersAbout) -> tuple[Question, ...]:
    """Give every question about an item that has its hunks; nobody is asked anything.

    A sentence that its newest second reading dropped is not given as proven.
    """
    asked = await answers(read.item.key)
    second = [kept for kept in asked if kept.request.task == READING]
    return tuple(_question(read, kept, second) for kept in asked)


def _question(read: ReadItem, kept: Kept, second: Sequence[Kept]) -> Question:
    request = kept.request
    items = len(request.about.split())
    verdicts: tuple[Verdict, ...] = ()
    unread = kept.unusable
    changed = False
    stated: tuple[str, ...] = ()
    if not unread and request.task == READING:
        try:
            said = readings(kept.text)
        except BadReply as error:
            unread = str(error)
        else:
            stated = tuple(f"{each}: {said[each].stated}: {said[each].words}" for each in said)
    elif not unread and items == 1 and request.task in OF_ONE_ITEM:
        asked = opening_of(read, request)
        if asked is None:
            changed = True
            long = request.most_output_tokens == ANALYSIS_OUTPUT
            asked = for_analysis(read) if long else for_gloss(read)
        try:
            proven = judged(drafts(kept.text, read.item.key), asked.evidence)
            verdicts = tuple(_reread(each, asked.evidence, second) for each in proven)
        except BadReply as error:
            unread = str(error)
    return Question(
        task=request.task,
        version=request.version,
        model=kept.model,
        asked_at=kept.asked_at,
        input_tokens=kept.input_tokens,
        output_tokens=kept.output_tokens,
        verdicts=verdicts,
        unread=unread,
        items=items,
        changed=changed,
        stated=stated,
    )


def _reread(verdict: Verdict, shown: Evidence, second: Sequence[Kept]) -> Verdict:
    """Give a verdict as the newest second reading of its sentence leaves it."""
    for kept in reversed(second):
        if verdict.claim and asked_about(verdict.claim, kept.request) is not None:
            (left,) = reread([verdict], [shown], kept.request, kept.text)
            return left
    return verdict
