"""The promises: lies that are told, true sentences that are kept."""

import pytest

from benchmarks.grounding import LEAST_KEPT, Score, score
from digest.languages import Language
from tests.digest.grounding.lies import EXACT, LIES, SWAPPED


@pytest.fixture(scope="module")
def found() -> Score:
    return score(("",))


def test_true_sentences_are_kept(found: Score) -> None:
    for kept in (found.seen, found.unseen):
        assert kept.kept >= LEAST_KEPT * kept.count
        assert kept.in_language[Language.ZH] >= 0.8 * kept.count


def test_enough_identifiers_are_swapped(found: Score) -> None:
    assert found.caught(SWAPPED)[1] >= 50


@pytest.mark.parametrize("name", LIES)
def test_no_lie_is_told(found: Score, name: str) -> None:
    caught, count = found.caught([name])

    assert count > 0
    assert caught == count


def test_what_texts_can_show_is_caught_without_exception(found: Score) -> None:
    caught, count = found.caught(EXACT)

    assert count >= 400
    assert caught == count
