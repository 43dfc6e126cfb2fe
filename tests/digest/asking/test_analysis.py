"""One change's analysis: proven claims, one repair, and a reason where nothing came."""

import pytest

from digest.asking.analysis import ModelAnalyst
from digest.claims import ClaimKind, ModelOutcome
from digest.errors import BudgetSpent, ModelFailed
from digest.evidence import Reach
from digest.languages import Language
from digest.models import Change
from tests.digest.asking.scripted import (
    LIE_EN,
    LIE_ZH,
    NOTHING,
    STOOD,
    STOOD_EN,
    STOOD_ZH,
    WAITS,
    WAITS_EN,
    WAITS_ZH,
    Said,
    Script,
    Scripted,
    answer,
    claim,
    weighty,
)
from tests.digest.writing.invented import issue, judged, release

EN, ZH = Language.EN, Language.ZH


async def analysed(script: Script | Said, change: Change | None = None) -> tuple[Change, Scripted]:
    model = Scripted(script)
    return await ModelAnalyst(model).analyse(change or Change(weighty(1), ())), model


async def test_what_is_proven_is_told_under_its_kind_with_what_the_model_saw() -> None:
    change, model = await analysed(answer(claim(kind="compatibility")))
    assert [(each.kind, each.text[EN], each.text[ZH]) for each in change.claims] == [
        (ClaimKind.COMPATIBILITY, WAITS_EN, WAITS_ZH)
    ]
    assert change.model
    assert change.model.outcome is ModelOutcome.COMPLETE
    assert change.reach == Reach(1, 1, 2, 2)
    assert model.tasks() == ["analysis"]
    assert change.claims[0].cites == (change.read.item.key,)


async def test_a_lie_is_asked_to_be_mended_once_and_dropped() -> None:
    lie = claim(WAITS, LIE_EN, LIE_ZH, kind="performance")
    change, model = await analysed(answer(claim(STOOD, STOOD_EN, STOOD_ZH), lie))
    assert [each.text[EN] for each in change.claims] == [STOOD_EN]
    assert model.tasks() == ["analysis", "repair"]
    assert change.model
    assert change.model.outcome is ModelOutcome.PARTIAL
    assert change.model.dropped >= 1


async def test_what_was_mended_is_told() -> None:
    said = iter((answer(claim(WAITS, LIE_EN, LIE_ZH)), answer(claim())))
    change, _ = await analysed(lambda _request: next(said))
    assert [each.text[EN] for each in change.claims] == [WAITS_EN]


async def test_a_repair_that_cannot_be_read_leaves_what_stood() -> None:
    lie = claim(WAITS, LIE_EN, LIE_ZH)
    said = iter((answer(claim(STOOD, STOOD_EN, STOOD_ZH), lie), "no"))
    change, _ = await analysed(lambda _request: next(said))
    assert [each.text[EN] for each in change.claims] == [STOOD_EN]


async def test_an_answer_that_cannot_be_read_is_asked_for_once_more_and_smaller() -> None:
    said = iter(('{"claims": [', answer(claim())))
    change, model = await analysed(lambda _request: next(said))
    assert [each.text[EN] for each in change.claims] == [WAITS_EN]
    assert model.tasks() == ["analysis", "analysis"]


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("I cannot help with that", ModelOutcome.FAILED),
        (ModelFailed("the model is not there"), ModelOutcome.FAILED),
        (BudgetSpent("the tokens of the day are spent"), ModelOutcome.OVER_BUDGET),
    ],
)
async def test_where_nothing_came_the_change_is_as_it_was_and_says_why(
    said: Said, outcome: ModelOutcome
) -> None:
    change, _ = await analysed(said)
    assert (change.claims, change.reach) == ((), None)
    assert change.model
    assert change.model.outcome is outcome
    assert change.model.why


async def test_nothing_to_say_is_a_good_answer() -> None:
    change, model = await analysed(NOTHING)
    assert change.claims == ()
    assert change.model
    assert change.model.outcome is ModelOutcome.COMPLETE
    assert model.tasks() == ["analysis"]


async def test_what_was_said_twice_is_no_sentence_that_was_not_proven() -> None:
    change, _ = await analysed(answer(claim(), claim(kind="impact")))
    assert len(change.claims) == 1
    assert change.model
    assert (change.model.outcome, change.model.dropped) == (ModelOutcome.COMPLETE, 0)


async def test_issues_and_releases_are_not_asked_about() -> None:
    for item in (issue(5, "Hot door"), release("v1", "Notes.")):
        change = Change(judged(item), ())
        told, model = await analysed(answer(claim()), change)
        assert told is change
        assert model.asked == []
