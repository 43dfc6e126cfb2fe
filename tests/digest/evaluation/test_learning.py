"""What is learned from editors' choices."""

from dataclasses import replace

from digest.evaluation.fitting import Ranked, ranking
from digest.evaluation.learning import Pair, as_text, learned_points
from digest.reading.learned import SHIPPED, learned_of


def ranked(picked_at: int) -> Ranked:
    rows = tuple({"grave": float(at == picked_at), "size": float(at)} for at in range(5))
    return Ranked(rows, tuple(float(at == picked_at) for at in range(5)))


def test_what_editors_pick_gets_weight_and_what_they_do_not_gets_none() -> None:
    weights = ranking([ranked(at) for at in (0, 1, 2, 3, 4) * 4], ("grave", "size", "never"))
    assert weights["grave"] > 0.5
    assert abs(weights["size"]) < 0.1
    assert weights["never"] == 0.0


def test_a_fit_from_near_ends_where_one_from_zero_does() -> None:
    windows = [ranked(at) for at in (0, 3, 2) * 3]
    cold = ranking(windows, ("grave", "size"))
    warm = ranking(windows, ("grave", "size"), start=ranking(windows[1:], ("grave", "size")))
    assert all(abs(cold[name] - warm[name]) < 1e-6 for name in cold)


def _pairs(odd: int) -> list[Pair]:
    """Pairs of which one author's are together; that a word is shared says nothing."""
    return [
        Pair(
            {"author": 1.0} if at % 2 else {"title pump": 1.0} if at % 4 else {},
            bool(at % 2) and at != odd,
            1.0,
        )
        for at in range(20)
    ]


def test_points_are_learned_for_what_joins_and_stand_in_a_table_that_is_read_again() -> None:
    windows = [_pairs(odd) for odd in (1, 3, 5, 7, 9, 11)]
    points = learned_points(windows)

    assert points["author"] > 2 > points["title pump"]
    assert points[""] + points["author"] > 5 > points[""] + points["title pump"]
    near = learned_points(windows, points)
    assert all(abs(near[name] - worth) < 0.01 for name, worth in points.items())
    told = learned_of(as_text(replace(SHIPPED, points=points)))
    assert told.points["author"] == round(points["author"], 2)
    assert replace(told, points={}) == replace(SHIPPED, points={})
