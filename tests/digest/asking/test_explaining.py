"""What became of an answer is told by what its question showed, or said to be told otherwise."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from digest.asking.explaining import questions
from digest.asking.kept import Kept
from digest.asking.opening import for_analysis, for_gloss
from digest.asking.prompt import repair_request
from digest.asking.question import Question
from digest.asking.seeing import DEEP, GLOSS
from digest.models import ReadItem
from digest.ports import Request
from tests.digest.asking.scripted import WAITS, answer, claim, weighty

AT = datetime(2026, 2, 12, tzinfo=UTC)
PAGES = "\n\n".join(f"And {number} more words of the rotor stand here." for number in range(900))


def long() -> ReadItem:
    """Give an item whose last paragraph is shown by an analysis alone, and not by half of one."""
    read = weighty(1)
    body = "\n\n".join((read.item.body, PAGES))
    return replace(read, item=replace(read.item, body=body))


async def explained(
    read: ReadItem, request: Request, text: str, now: ReadItem | None = None, unusable: str = ""
) -> Question:
    kept = Kept(request, "m", text, 100, 20, AT, unusable)

    async def about(key: str) -> tuple[Kept, ...]:
        return (kept,)

    (question,) = await questions(now or read, about)
    return question


@pytest.mark.parametrize("opened", [for_gloss, for_analysis])
@pytest.mark.parametrize("mends", [False, True])
@pytest.mark.parametrize("halved", [False, True])
async def test_an_answer_is_judged_by_what_its_question_showed(opened, mends, halved) -> None:
    read = long()
    budget = GLOSS if opened is for_gloss else DEEP
    asked = opened(read, budget.halved() if halved else budget)
    request = repair_request(asked.request, "{}", "1. wrong") if mends else asked.request
    last = asked.evidence.body[-1]
    beyond = f"And {int(last.split()[1]) + 1} more words of the rotor stand here."

    question = await explained(read, request, answer(claim(last), claim(beyond)))

    seen, unseen = question.verdicts
    assert not question.changed
    assert "quote" not in {failure.check for failure in seen.failures}
    assert [failure.check for failure in unseen.failures] == ["quote"]


async def test_an_item_that_reads_otherwise_now_is_said_to() -> None:
    read = weighty(1)
    now = replace(read, item=replace(read.item, body=WAITS, title="Change all"))

    question = await explained(read, for_gloss(read).request, answer(claim()), now)

    assert question.changed
    assert question.verdicts[0].claim is not None


async def test_an_answer_that_could_not_be_used_says_why() -> None:
    read = weighty(1)

    question = await explained(read, for_gloss(read).request, "", unusable="it was cut")

    assert (question.unread, question.verdicts) == ("it was cut", ())
