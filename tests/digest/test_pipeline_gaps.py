"""What cannot be looked at is told as such, and asked for again where that may help."""

import pytest

from digest.errors import (
    Defect,
    Forbidden,
    RateLimited,
    Unreachable,
)
from digest.models import Item, Repo, Window
from digest.reading.reader import read
from tests.digest.turbine_source import (
    SIDE,
    TURBINE,
    at,
    day,
    pull,
    refs,
    until,
)
from tests.phrases import gap as gap_of


async def test_a_gap_is_told_and_asked_again(pipeline, turbine) -> None:
    turbine.gaps = (gap_of("issues", "the server did not answer"),)
    told = await pipeline.digest(TURBINE, day(11))
    turbine.gaps = ()
    again = await pipeline.digest(TURBINE, day(11))

    assert told.reading.gaps == (gap_of("issues", "the server did not answer"),)
    assert again.reading.gaps == ()
    assert len(turbine.asked) == 2


async def test_a_gap_that_cannot_heal_is_told_and_not_asked_again(pipeline, turbine, clock) -> None:
    turbine.gaps = (gap_of("issues", "git holds no issues", lasting=True),)
    for window in (day(11), day(11), until(at(12, 9)), until(at(12, 9))):
        assert (await pipeline.digest(TURBINE, window)).reading.gaps == turbine.gaps
    assert turbine.asked == ["turbine 11 00:00 12 00:00", "turbine 12 00:00 12 09:00"]
    clock.now = at(14)
    both = Window(at(11), at(12), "Asia/Tokyo", "2026-02-11")
    assert (await pipeline.digest(TURBINE, both)).reading.gaps == turbine.gaps
    assert len(turbine.asked) == 2


async def test_of_gaps_that_were_closed_only_those_that_cannot_heal_are_told_on(
    pipeline, turbine
) -> None:
    lasting = gap_of("patches", "GitHub has no such patch", lasting=True)
    turbine.gaps = (lasting, gap_of("issues", "the server did not answer"))
    assert len((await pipeline.digest(TURBINE, day(11))).reading.gaps) == 2
    turbine.gaps = (lasting,)
    assert (await pipeline.digest(TURBINE, day(11))).reading.gaps == (lasting,)
    assert (await pipeline.digest(TURBINE, day(11))).reading.gaps == (lasting,)
    assert len(turbine.asked) == 2


async def test_what_is_stored_is_told_with_a_gap_where_the_rest_cannot_be_collected(
    pipeline, turbine
) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = Unreachable("GitHub does not answer: try again later")
    both = Window(at(11), at(12, 9), "UTC", "2026-02-11..2026-02-12")

    told = await pipeline.digest(TURBINE, both)

    assert "#1" in refs(told)
    assert told.reading.gaps == (gap_of("everything", "GitHub does not answer: try again later"),)
    with pytest.raises(Unreachable):
        await pipeline.digest(TURBINE, day(10))


async def test_a_day_with_a_gap_is_told_from_the_store_where_it_cannot_be_asked_again(
    pipeline, turbine
) -> None:
    turbine.gaps = (gap_of("issues", "not told without a token"),)
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = RateLimited("no requests are left: try again later")

    for _ in range(2):
        told = await pipeline.digest(TURBINE, day(11))
        assert refs(told) == ["#1", "#2"]
        assert [gap.what for gap in told.reading.gaps] == ["issues", "everything"]


async def test_nothing_stored_is_told_once_a_repository_may_not_be_looked_at(
    pipeline, turbine, store
) -> None:
    turbine.items.append(pull(9, at(11, 4), "Side blade", SIDE))
    await pipeline.digest(TURBINE, day(11))
    await pipeline.digest(SIDE, day(11))
    turbine.failure, turbine.failing = Forbidden("example-org/turbine is private"), TURBINE
    for window in (day(12), day(11)):
        with pytest.raises(Forbidden):
            await pipeline.digest(TURBINE, window)
    assert [read.item.ref for read in await pipeline.search("blade")] == ["#9"]
    assert await store.digests("recorded").windows(TURBINE) == ()
    asked = len(turbine.asked)
    assert refs(await pipeline.digest(SIDE, day(11))) == ["#9"]
    assert len(turbine.asked) == asked

    turbine.failure = None
    assert refs(await pipeline.digest(TURBINE, day(11))) == ["#1", "#2"]
    assert len(turbine.asked) == asked + 1


async def test_a_change_that_may_not_be_looked_at_takes_what_is_stored_along(
    pipeline, turbine, monkeypatch
) -> None:
    await pipeline.digest(TURBINE, day(11))

    async def refuse(repo: Repo, ref: str) -> Item:
        raise Forbidden("example-org/turbine is private")

    monkeypatch.setattr(turbine, "find", refuse)
    with pytest.raises(Forbidden):
        await pipeline.change(TURBINE, "#1")
    assert await pipeline.search("blade") == ()


async def test_an_error_that_nobody_foresaw_is_one_sentence_and_is_not_kept(
    pipeline, turbine, monkeypatch
) -> None:
    plain = turbine.collect

    async def odd(repo: Repo, window: Window):
        raise KeyError("additions")

    monkeypatch.setattr(turbine, "collect", odd)
    with pytest.raises(Defect, match="an error of its own") as raised:
        await pipeline.digest(TURBINE, day(11))
    assert "additions" not in str(raised.value)
    roundup = await pipeline.roundup([TURBINE], day(11))
    assert [repo for repo, _ in roundup.failed] == [TURBINE]
    monkeypatch.setattr(turbine, "collect", plain)
    assert (await pipeline.digest(TURBINE, day(11))).reading.gaps == ()


async def test_an_error_while_a_day_is_read_keeps_no_other_repository_back(
    pipeline, turbine, monkeypatch
) -> None:
    def odd(activity, *given, **named):
        if activity.repo == TURBINE:
            raise AttributeError("'NoneType' object has no attribute 'path'")
        return read(activity, *given, **named)

    monkeypatch.setattr("digest.pipeline.read", odd)
    roundup = await pipeline.roundup([TURBINE, SIDE], day(11))
    assert [repo for repo, _ in roundup.failed] == [TURBINE]
    assert [digest.reading.repo for digest in roundup.digests] == [SIDE]
