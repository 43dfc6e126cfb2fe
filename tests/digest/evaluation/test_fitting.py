"""Weights are learned from picks, and labels are counted as editors mean them."""

from digest.evaluation.fitting import Ranked, fit
from digest.evaluation.labels import window_of
from digest.evaluation.scoring import Share


def window(picked_at: int) -> Ranked:
    rows = tuple({"grave": float(at == picked_at), "size": float(at)} for at in range(5))
    return Ranked(rows, tuple(float(at == picked_at) for at in range(5)))


def test_what_editors_pick_gets_weight_and_what_they_do_not_gets_none() -> None:
    weights = fit([window(at) for at in (0, 1, 2, 3, 4) * 4], ("grave", "size", "never"))
    assert weights["grave"] > 0.5
    assert abs(weights["size"]) < 0.1
    assert weights["never"] == 0.0


def test_a_fit_from_near_ends_where_one_from_zero_does() -> None:
    windows = [window(at) for at in (0, 3, 2) * 3]
    cold = fit(windows, ("grave", "size"))
    warm = fit(windows, ("grave", "size"), start=fit(windows[1:], ("grave", "size")))
    assert all(abs(cold[name] - warm[name]) < 1e-6 for name in cold)


def test_two_of_three_editors_are_the_truth() -> None:
    def editor(top: list[str], symptom: str) -> dict[str, object]:
        return {
            "top": [{"key": key} for key in top],
            "also": ["#3"],
            "noise": ["#4"],
            "stories": [],
            "bites": [{"key": "#1", "symptom": symptom}],
        }

    written = {
        "window": "a-2026-01-01",
        "repo": "o/a",
        "snapshot": "o/a",
        "days": "2026-01-01",
        "items": [{"sha": str(n) * 40, "key": f"#{n}"} for n in range(1, 5)],
    }
    editors = [editor(["#1"], "crash"), editor(["#1", "#2"], "crash"), editor(["#2"], "hang")]
    told = window_of(written, editors)
    assert told.leads("#1")
    assert told.leads("#2")
    assert not told.leads("#3")
    assert told.shown("#3")
    assert not told.shown("#4")
    assert told.symptoms("#1") == (frozenset({"crash"}), frozenset({"crash", "hang"}))
    assert told.worth("#1") > told.worth("#3") > told.worth("#4") == 0.0


def test_shares_add_up() -> None:
    whole = Share(1, 4) + Share(2, 4)
    assert (whole.part, whole.of) == (3, 8)
    assert whole.told() == "38 % (3 of 8)"
    assert Share().told() == "–"
