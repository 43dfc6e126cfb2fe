"""What was made last is kept, not too much of it."""

from bot.compose.lru_cache import LruCache


def test_what_is_used_stays_and_the_longest_unused_goes() -> None:
    cache: LruCache[str] = LruCache(2)
    assert cache.put("a", "A") == "A"
    cache.put("b", "B")
    assert cache.get("a") == "A"
    cache.put("c", "C")
    assert [cache.get(key) for key in "abc"] == ["A", None, "C"]


def test_what_is_made_anew_takes_the_place_of_what_was() -> None:
    cache: LruCache[str] = LruCache(1)
    cache.put("a", "old")
    cache.put("a", "new")
    assert cache.get("a") == "new"
