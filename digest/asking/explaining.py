"""What a model was asked and answered about an item, judged as it would be judged now."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from digest.asking.cutting import judged
from digest.asking.kept import Kept
from digest.asking.opening import for_analysis, for_gloss, opening_of
from digest.asking.prompt import ANALYSIS_OUTPUT
from digest.asking.question import Question
from digest.asking.reply import BadReply, drafts, readings
from digest.grounding.verdict import Verdict
from digest.models import ReadItem

OF_ONE_ITEM = ("gloss", "repair", "analysis")
"""Tasks whose answers are judged against one item alone."""

AnswersAbout: TypeAlias = Callable[[str], Awaitable[tuple[Kept, ...]]]
"""Gives what was asked and answered about an item by its key, oldest first."""


async def questions(read: ReadItem, answers: AnswersAbout) -> tuple[Question, ...]:
    """Give every question about an item that has its hunks; nobody is asked anything."""
    return tuple(_question(read, kept) for kept in await answers(read.item.key))


def _question(read: ReadItem, kept: Kept) -> Question:
    request = kept.request
    items = len(request.about.split())
    verdicts: tuple[Verdict, ...] = ()
    unread = kept.unusable
    changed = False
    stated: tuple[str, ...] = ()
    if not unread and request.task == "reading":
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
            verdicts = judged(drafts(kept.text, read.item.key), asked.evidence)
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
