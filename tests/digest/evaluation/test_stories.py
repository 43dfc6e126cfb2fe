"""Pairs of changes that stand in one story, by us and by editors."""

from digest.evaluation.stories import PairCount, count_pairs


def test_pairs_are_counted_against_what_two_of_three_editors_made() -> None:
    ours = [["a", "b", "c"]]
    editors = [[["a", "b"]], [["a", "b"], ["b", "c"]], [["d", "e"]]]
    assert count_pairs(ours, editors) == PairCount(both=1, ours=3, theirs=1, seen=2)


def test_one_editor_is_enough_where_there_is_one() -> None:
    found = count_pairs([["a", "b"]], [[["a", "b", "c"]]])
    assert (found.precision, found.recall) == (1.0, 1 / 3)


def test_pairs_of_noise_alone_count_on_neither_side() -> None:
    found = count_pairs([["a", "b", "c"]], [[["a", "b"]]], noise=("a", "b"))
    assert found == PairCount(both=0, ours=2, theirs=0)


def test_windows_add_up_and_nothing_is_divided_by_nothing() -> None:
    assert PairCount(1, 2, 3, 4) + PairCount(1, 1, 1, 1) == PairCount(2, 3, 4, 5)
    assert PairCount().precision is None
    assert PairCount().recall is None
