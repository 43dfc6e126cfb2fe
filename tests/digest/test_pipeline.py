"""From a repository's name to its sentences, asking only for what is not stored."""

import asyncio
import threading

import pytest

from digest.errors import (
    BadToken,
    NotFound,
    RateLimited,
    UsageError,
)
from digest.languages import Language
from digest.models import Reading, Repo, Window
from digest.ports import Edited
from digest.reading.reader import read
from tests.digest.turbine_source import (
    PATCH,
    SIDE,
    TURBINE,
    at,
    day,
    issue,
    pull,
    refs,
    until,
)


class Waiting:
    """Implements `Editing`: adds nothing, after so many seconds, and notes what was spent."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.spent = seconds, 0.0

    def owes(self, *_: object) -> bool:
        return False

    async def edit(self, reading: Reading) -> Edited:
        await asyncio.sleep(self.seconds)
        return Edited(reading, (), None)

    async def edit_together(self, digests: object, spent: float):
        self.spent = spent
        return (), None


async def test_a_day_is_told_in_every_language_and_never_asked_again(
    pipeline, make, store, turbine
) -> None:
    told = await pipeline.digest(TURBINE, day(11))

    assert refs(told) == ["#1", "#2"]
    assert set(told.headline) == set(Language)
    assert [note.name for note in told.reading.upgrade_notes] == ["--blade-count"]
    assert await pipeline.digest(TURBINE, day(11)) == told
    assert await make(store).digest(TURBINE, day(11)) == told
    assert turbine.asked == ["turbine 11 00:00 12 00:00"]


async def test_the_next_day_and_a_longer_window_ask_only_for_what_is_missing(
    pipeline, turbine, clock
) -> None:
    clock.now = at(14, 9)
    await pipeline.digest(TURBINE, day(11))
    await pipeline.digest(TURBINE, day(12))
    both = await pipeline.digest(TURBINE, Window(at(10), at(14), "UTC", "2026-02-10..2026-02-13"))

    assert refs(both) == ["#1", "#2", "#3"]
    assert turbine.asked == [
        "turbine 11 00:00 12 00:00",
        "turbine 12 00:00 13 00:00",
        "turbine 10 00:00 11 00:00",
        "turbine 13 00:00 14 00:00",
    ]


async def test_another_zone_is_told_from_stored_items(pipeline, turbine) -> None:
    await pipeline.digest(TURBINE, Window(at(10), at(12), "UTC", "2026-02-10..2026-02-11"))
    told = await pipeline.digest(
        TURBINE, Window(at(10, 16), at(11, 4), "Asia/Shanghai", "2026-02-11")
    )

    assert refs(told) == ["#1"]
    assert len(turbine.asked) == 1


async def test_what_can_be_replaced_at_any_time_is_collected_for_each_question(
    pipeline, make, store, turbine
) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.items.append(pull(9, at(11, 20)))

    assert refs(await pipeline.digest(TURBINE, day(11))) == ["#1", "#2"]
    assert refs(await make(store, rereads=True).digest(TURBINE, day(11))) == ["#1", "#2", "#9"]
    assert refs(await pipeline.digest(TURBINE, day(11))) == ["#1", "#2", "#9"]


async def test_a_running_day_stands_five_minutes_then_only_its_tail_is_asked(
    pipeline, turbine, clock
) -> None:
    clock.now = at(12, 9)
    first = await pipeline.digest(TURBINE, until(at(12, 9)))
    turbine.items.append(pull(8, at(12, 9, 2)))
    clock.now = at(12, 9, 4)
    again = await pipeline.digest(TURBINE, until(at(12, 9, 4)))
    clock.now = at(12, 9, 6)
    later = await pipeline.digest(TURBINE, until(at(12, 9, 6)))

    assert again == first
    assert refs(first) == ["#3"]
    assert refs(later) == ["#3", "#8"]
    assert later.reading.window.label == "2026-02-12 until 09:06"
    assert turbine.asked == ["turbine 12 00:00 12 09:00", "turbine 12 09:00 12 09:06"]


async def test_the_day_is_finished_from_its_tail_and_then_final(pipeline, turbine, clock) -> None:
    await pipeline.digest(TURBINE, until(at(12, 9)))
    clock.now = at(13, 9)
    turbine.items.append(pull(8, at(12, 22)))

    assert refs(await pipeline.digest(TURBINE, day(12))) == ["#3", "#8"]
    assert turbine.asked[-1] == "turbine 12 09:00 13 00:00"


async def test_a_revert_that_lands_later_is_told_without_asking_again(
    pipeline, turbine, clock
) -> None:
    first = await pipeline.digest(TURBINE, day(11))
    turbine.items.append(
        pull(7, at(12, 12), 'Revert "Add blade number 1"', body="Reverts example-org/turbine#1")
    )
    clock.now = at(13, 9)
    await pipeline.digest(TURBINE, day(12))
    asked = list(turbine.asked)

    again = await pipeline.digest(TURBINE, day(11))

    assert first.reading.reverts == ()
    assert [(pair.revert.ref, pair.original.ref) for pair in again.reading.reverts] == [
        ("#7", "#1")
    ]
    assert turbine.asked == asked
    clock.advance(hours=1)
    assert await pipeline.digest(TURBINE, day(11)) == again, "it is not written again"


async def test_two_who_ask_at_once_share_one_collection(pipeline, turbine) -> None:
    first, second = await asyncio.gather(
        pipeline.digest(TURBINE, day(11)), pipeline.digest(TURBINE, day(11))
    )

    assert first == second
    assert len(turbine.asked) == 1


async def test_a_renamed_repository_is_found_under_the_name_it_is_asked_by(
    pipeline, turbine
) -> None:
    turbine.renamed = Repo("example-org", "windmill")

    told = await pipeline.digest(TURBINE, day(11))

    assert told.reading.repo == TURBINE
    assert told.reading.items[0].item.key.startswith("example-org/windmill:")
    asked = list(turbine.asked)
    why = await pipeline.read_item(TURBINE, "#1")
    assert (why.item.ref, turbine.asked) == ("#1", asked)
    assert await pipeline.digest(TURBINE, day(11)) == told
    assert len(turbine.asked) == 1


async def test_a_roundup_is_busiest_first_and_lists_who_failed(pipeline, turbine) -> None:
    turbine.items.append(pull(1, at(11, 3), repo=SIDE))
    broken, quiet = Repo("example-org", "broken"), Repo("example-org", "quiet")
    turbine.failure = RateLimited("no requests are left until 10:00: set GITHUB_TOKEN")
    turbine.failing = broken

    told = await pipeline.roundup([quiet, broken, SIDE, TURBINE], day(11))

    assert [digest.reading.repo for digest in told.digests] == [TURBINE, SIDE, quiet]
    assert told.failed == ((broken, turbine.failure.why),)


async def test_a_roundup_waits_for_the_model_alone_not_for_what_was_collected(
    make, turbine, monkeypatch
) -> None:
    editing = Waiting(0.02)
    turbine.items.append(pull(1, at(11, 3), repo=SIDE))
    collect = turbine.collect

    async def slowly(repo: Repo, window: Window):
        await asyncio.sleep(1.0)
        return await collect(repo, window)

    monkeypatch.setattr(turbine, "collect", slowly)
    await make(None, editing=editing).roundup([SIDE, TURBINE], day(11))

    assert 0.02 <= editing.spent < 0.9


async def test_a_wrong_token_fails_a_roundup_by_one_sentence(pipeline, turbine) -> None:
    turbine.failure = BadToken("GitHub refuses the token: make a new one")

    with pytest.raises(BadToken, match="make a new one"):
        await pipeline.roundup([TURBINE, SIDE], day(11))


async def test_a_change_is_looked_at_with_its_hunks_notes_and_relations(pipeline, turbine) -> None:
    turbine.items += [
        issue(5, at(11, 1), "Blade spins backwards"),
        pull(6, at(11, 6), "Spin blades forwards", body="Fixes #5."),
        pull(7, at(12, 1), 'Revert "Spin blades forwards"', body="Reverts #6"),
    ]
    day_told = await pipeline.digest(TURBINE, Window(at(11), at(12, 9), "UTC", "both days"))
    own = next(read for read in day_told.reading.items if read.item.ref == "#6")

    change = await pipeline.change(TURBINE, "6")

    assert change.read.item.files is not None
    assert change.read.item.files[0].patch == PATCH
    assert [note.name for note in change.upgrade_notes] == ["--blade-count"]
    assert "#5" in [item.ref for item in change.related]
    assert [pair.revert.ref for pair in change.reverts] == ["#7"]
    assert (change.read.score, change.read.reasons) == (own.score, own.reasons)


async def test_why_gives_the_item_as_it_was_told(pipeline, turbine) -> None:
    told = await pipeline.digest(TURBINE, day(11))
    one = next(read for read in told.reading.items if read.item.ref == "#1")

    assert await pipeline.read_item(TURBINE, "#1") == one
    assert await pipeline.read_item(TURBINE, "1", day(11)) == one
    assert await pipeline.read_item(TURBINE, f"{1:040x}") == one
    assert len(turbine.asked) == 1
    with pytest.raises(NotFound, match="another day"):
        await pipeline.read_item(TURBINE, "3", day(11))


async def test_told_items_are_found_by_words_in_both_languages(pipeline, turbine, clock) -> None:
    turbine.items += [
        pull(21, at(11, 7), "修复数据库连接"),
        pull(22, at(11, 8), "Fix `flash_attn` import", body="数据 is lost"),
    ]
    await pipeline.digest(TURBINE, day(11))

    async def found(words: str, **more) -> list[str]:
        return [read.item.ref for read in await pipeline.search(words, **more)]

    assert await found("数据库") == ["#21"]
    assert await found("数据") == ["#21", "#22"]
    assert await found("据库") == ["#21"]
    assert await found("库") == ["#21"]
    assert await found("FLASH import") == ["#22"]
    assert await found("blade") == ["#2", "#1"]
    assert await found("ada", limit=1) == ["#22"]
    assert await found("ada #21") == ["#21"]
    assert await found("turbines") == []
    assert await found("blade", repo=SIDE) == []
    with pytest.raises(UsageError, match="infra search WORDS"):
        await pipeline.search(" %_' ")


async def test_a_story_goes_on_the_next_day_and_says_since_when(
    pipeline, make, store, turbine
) -> None:
    turbine.items = [
        pull(11, at(11, 3), "Port gears 6/7: teeth", author="fay"),
        pull(12, at(12, 3), "Port gears 7/7: oil", author="fay"),
    ]
    first = await pipeline.digest(TURBINE, day(11))
    second = await pipeline.digest(TURBINE, day(12))

    assert first.reading.stories == ()
    (story,) = second.reading.stories
    assert (story.items, story.earlier) == (
        (f"{TURBINE}:pull_request:12",),
        (f"{TURBINE}:pull_request:11",),
    )
    assert (story.part, story.of, story.since) == ((7,), 7, "2026-02-11")
    # Told anew, the first day does not go on with what came after it.
    assert (await make(store, rereads=True).digest(TURBINE, day(11))).reading.stories == ()


async def test_nobody_waits_for_an_answer_while_a_long_window_is_read(
    pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()

    def slowly(*given: object, **more: object) -> Reading:
        assert answered.wait(timeout=5), "the loop was held up"
        return read(*given, **more)

    monkeypatch.setattr("digest.pipeline.read", slowly)
    telling = asyncio.create_task(pipeline.digest(TURBINE, day(11)))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.01, answered.set)

    assert refs(await telling) == ["#1", "#2"]
