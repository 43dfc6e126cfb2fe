"""What is kept beside digests: aliases, HTTP answers, stories, leases and the time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from digest import leases
from digest.errors import StoreFailed, UsageError
from digest.facts import Story
from digest.leases import RENEWED_FOR, held
from digest.models import Repo, ToldStory, Window
from digest.ports import Remembered
from digest.store.database import Database, DatabaseClock
from digest.store.store import Leases, Store
from tests.conftest import SetClock, eventually, on_both_databases
from tests.digest.store.conftest import TURBINE
from tests.e2e.database_time import set_time
from tests.e2e.morning import plain

SIDE = Repo("Example-Org", "Side")


@on_both_databases
async def test_watched_repositories_are_told_in_the_order_of_their_naming(store, moment) -> None:
    await store.watched.watch(TURBINE, "Wind", moment(11))
    await store.watched.watch(SIDE, "side", moment(10))

    assert list((await store.watched.all()).items()) == [("side", SIDE), ("wind", TURBINE)]


async def test_an_alias_of_another_repository_is_refused(store, moment) -> None:
    await store.watched.watch(TURBINE, "wind", moment(10))

    with pytest.raises(UsageError, match="wind already means example-org/turbine"):
        await store.watched.watch(SIDE, "WIND", moment(11))

    assert await store.watched.all() == {"wind": TURBINE}


@pytest.mark.parametrize("body", [b"", b"{}", b"x" * 1_000_000, bytes(range(256)) * 9, b"=z"])
@on_both_databases
async def test_an_answer_comes_back_as_it_was(store, moment, body) -> None:
    answer = Remembered(body, 'W/"1"', '<…>; rel="next"', True, moment(11))

    await store.memory.remember("anonymous https://api.example.org/" + "a" * 9000, answer)

    assert await store.memory.recall("anonymous https://api.example.org/" + "a" * 9000) == answer
    assert await store.memory.recall("another") is None


async def test_a_window_goes_on_with_what_was_told_before_it_and_never_with_itself(
    store: Store, day: Callable[[int], Window], moment: Callable[..., datetime]
) -> None:
    stories = store.stories("github")
    first = ToldStory("k", "Blades", ("a", "b"), since="2026-02-11", parts=(1, 2), tags=("blade",))
    second = ToldStory("k", "Blades", ("c",), earlier=("a", "b"), since="2026-02-11", most=2)
    other = ToldStory("x", "Wind", ("d", "e"))
    await stories.save(TURBINE, day(11), [first, other])
    await stories.save(TURBINE, day(12), [second])

    assert await stories.before(TURBINE, moment(11)) == ()
    assert await stories.before(TURBINE, moment(12)) == (first, other)
    # What was told last stands last.
    assert await stories.before(TURBINE, moment(13)) == (other, second)
    assert await store.stories("git:x").before(TURBINE, moment(13)) == ()


@on_both_databases
async def test_a_story_that_an_earlier_version_stored_still_opens(
    store: Store, day: Callable[[int], Window], moment: Callable[..., datetime]
) -> None:
    stories = store.stories("github")
    written = Story("k", "Blades", ("a", "b"), part=(2,), of=3, authors=("ada",))
    await stories.save(TURBINE, day(11), [written])  # as it was written: without what is told

    (read,) = await stories.before(TURBINE, moment(12))
    assert (read.name, read.items, read.part, read.of) == ("Blades", ("a", "b"), (2,), 3)
    assert (read.parts, read.tags) == ((), ())


@on_both_databases
async def test_a_day_that_is_told_again_replaces_its_stories(
    store: Store, day: Callable[[int], Window], moment: Callable[..., datetime]
) -> None:
    stories = store.stories("github")
    await stories.save(TURBINE, day(11), [ToldStory("k", "Blades", ("a", "b"))])
    await stories.save(TURBINE, day(11), [])
    assert await stories.before(TURBINE, moment(12)) == ()
    await stories.save(TURBINE, day(11), [ToldStory("k", "Blades", ("a", "b"))])
    await stories.withdraw(TURBINE)
    assert await stories.before(TURBINE, moment(12)) == ()


async def test_a_lost_lease_is_left_to_who_has_it_and_logged(
    sqlite_url: str,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(leases, "HEARTBEAT", 0.01)
    async with Database(sqlite_url) as database:
        stored = Leases(database)
        async with held(stored, "webhook", "slow", clock) as is_mine:
            assert is_mine
            later = clock() + RENEWED_FOR + timedelta(seconds=1)
            assert await stored.take("webhook", "other", later, later + RENEWED_FOR)
            said: list[str] = []
            await eventually(lambda: said.append(capsys.readouterr().out) or "taken" in str(said))
            await stored.release("webhook", "other")

            assert await stored.take("webhook", "third", later, later + RENEWED_FOR)
        assert not await stored.take("webhook", "slow", later, later + RENEWED_FOR)


NOON = datetime(2026, 2, 12, 12, tzinfo=UTC)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


async def test_postgresql_says_what_time_it_is_and_the_steady_clock_goes_on_from_there(
    postgres_url: str,
) -> None:
    seconds = 100.0
    set_time(plain(postgres_url), NOON)
    async with Database(postgres_url) as database:
        clock = DatabaseClock(database, lambda: LONG_AGO, steady=lambda: seconds)
        await clock.synchronize()

        asked = clock()
        seconds += 90
        later = clock()

    assert NOON < asked < NOON + timedelta(seconds=30)
    assert later == asked + timedelta(seconds=90)
    assert later.tzinfo is UTC
    with pytest.raises(StoreFailed):
        await DatabaseClock(Database("postgresql:///x?host=/nowhere"), lambda: NOON).synchronize()
    assert clock() == later
