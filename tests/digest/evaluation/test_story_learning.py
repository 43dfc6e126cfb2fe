"""Points of signs, learned from pairs that editors put together."""

from digest.evaluation.story_learning import Pair, learned_points, points_as_python, without_fold


def _window(odd: int) -> list[Pair]:
    """Pairs of which one author's are together; that a word is shared says nothing."""
    return [
        Pair(
            {"author": 1.0} if at % 2 else {"title pump": 1.0} if at % 4 else {},
            bool(at % 2) and at != odd,
            1.0,
        )
        for at in range(20)
    ]


def test_points_are_learned_for_what_joins_and_are_the_same_in_every_run() -> None:
    windows = [_window(odd) for odd in (1, 3, 5, 7, 9, 11)]
    points = learned_points(windows)

    assert points["author"] > 2 > points["title pump"]
    assert points[""] + points["author"] > 5 > points[""] + points["title pump"]
    assert points == learned_points(windows)
    near = learned_points(windows, points)
    assert all(abs(near[name] - worth) < 0.01 for name, worth in points.items())
    assert {at for at, _ in without_fold(windows, points)} == set(range(len(windows)))
    table: dict[str, dict[str, float]] = {}
    exec(points_as_python(points), table)
    assert table["POINTS"]["author"] == round(points["author"], 2)
