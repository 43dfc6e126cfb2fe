"""The promises: lies that are told, true sentences that are kept."""

import hypothesis
import pytest

from benchmarks.grounding import LEAST_KEPT, Score, score
from digest.languages import Language
from tests.digest.grounding.lies import EXACT, LIES, SWAPPED

ONE_OF = 4
"""In `make test` one of so many lies of a kind is told; `make test-all` tells all of them."""


@pytest.fixture(scope="module")
def one_of() -> int:
    return 1 if hypothesis.settings.get_current_profile_name() == "thorough" else ONE_OF


@pytest.fixture(scope="module")
def found(one_of: int) -> Score:
    return score(("",), one_of=one_of)


def test_true_sentences_are_kept(found: Score) -> None:
    for kept in (found.seen, found.unseen):
        assert kept.kept >= LEAST_KEPT * kept.count
        assert kept.in_language[Language.ZH] >= 0.8 * kept.count


def test_enough_identifiers_are_swapped(found: Score, one_of: int) -> None:
    assert found.caught(SWAPPED)[1] >= 50 / one_of


@pytest.mark.parametrize("name", LIES)
def test_no_lie_is_told(found: Score, name: str) -> None:
    caught, count = found.caught([name])

    assert count > 0
    assert caught == count


def test_what_texts_can_show_is_caught_without_exception(found: Score, one_of: int) -> None:
    caught, count = found.caught(EXACT)

    assert count >= 400 / one_of
    assert caught == count
