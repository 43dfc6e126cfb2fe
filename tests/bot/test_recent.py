"""What was made last is kept, not too much of it."""

from bot.recent import Recent


def test_what_is_used_stays_and_the_longest_unused_goes() -> None:
    recent: Recent[str] = Recent(2)
    assert recent.put("a", "A") == "A"
    recent.put("b", "B")
    assert recent.get("a") == "A"
    recent.put("c", "C")
    assert [recent.get(key) for key in "abc"] == ["A", None, "C"]


def test_what_is_made_anew_takes_the_place_of_what_was() -> None:
    recent: Recent[str] = Recent(1)
    recent.put("a", "old")
    recent.put("a", "new")
    assert recent.get("a") == "new"
