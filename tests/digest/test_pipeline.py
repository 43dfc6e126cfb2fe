"""From a repository's name to its sentences, asking only for what is not stored."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from digest.errors import (
    BadToken,
    CouldNotLook,
    Forbidden,
    NotFound,
    RateLimited,
    StoreFailed,
    Unreachable,
    UsageError,
)
from digest.languages import Language
from digest.models import Activity, Event, FileChange, Gap, Item, Kind, Repo, State, Window
from digest.pipeline import Pipeline
from digest.store.database import upgrade
from digest.store.store import open_store
from digest.writing.rules import RulesWriter

TURBINE = Repo("example-org", "turbine")
SIDE = Repo("example-org", "side")
PATCH = '@@ -1,2 +1,3 @@\n import os\n+parser.add_argument("--blade-count", type=int, default=3)\n'


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 2, day, hour, minute, tzinfo=UTC)


def day(number: int) -> Window:
    return Window(at(number), at(number + 1), "UTC", f"2026-02-{number:02d}")


def until(moment: datetime) -> Window:
    start = moment.replace(hour=0, minute=0)
    return Window(start, moment, "UTC", f"{start:%Y-%m-%d} until {moment:%H:%M}", partial=True)


def pull(number: int, moment: datetime, title: str = "", repo: Repo = TURBINE, **more) -> Item:
    return replace(
        Item(
            key=f"{repo}:pull_request:{number}",
            repo=repo,
            kind=Kind.PULL_REQUEST,
            ref=f"#{number}",
            title=title or f"Add blade number {number}",
            url=f"https://github.com/{repo}/pull/{number}",
            author="ada",
            at=moment,
            state=State.MERGED,
            number=number,
            commits=(f"{number:040x}",),
            files=(FileChange("turbine/args.py", "modified", 1, 0, PATCH),),
        ),
        **more,
    )


def issue(number: int, moment: datetime, title: str, **more) -> Item:
    return pull(
        number,
        moment,
        title,
        key=f"{TURBINE}:issue:{number}",
        kind=Kind.ISSUE,
        state=State.OPEN,
        commits=(),
        files=None,
        events=(Event("opened", moment),),
        **more,
    )


class Turbine:
    """A source that knows some items, keeps a transcript and can be told to fail."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.items: list[Item] = []
        self.asked: list[str] = []
        self.gaps: tuple[Gap, ...] = ()
        self.failure: Exception | None = None
        self.failing: Repo | None = None
        self.renamed: Repo | None = None

    async def collect(self, repo: Repo, window: Window) -> Activity:
        self.asked.append(f"{repo.name} {window.start:%d %H:%M} {window.end:%d %H:%M}")
        await asyncio.sleep(0)
        if self.failure and self.failing in (None, repo):
            raise self.failure
        own = [item for item in self.items if item.repo == repo]
        inside = [
            item
            for item in own
            if any(event.at in window for event in item.events)
            or (not item.events and item.at in window)
        ]
        return Activity(
            repo=self.renamed or repo,
            window=window,
            items=tuple(self._as_named_now(item) for item in inside),
            collected_at=self.clock(),
            source="recorded",
            later=tuple(
                item for item in own if window.end <= item.at < self.clock() and item.files
            ),
            gaps=self.gaps,
            default_branch="main",
            head="f" * 40,
        )

    def _as_named_now(self, item: Item) -> Item:
        if self.renamed is None:
            return item
        kind_and_name = item.key.partition(":")[2]
        return replace(item, repo=self.renamed, key=f"{self.renamed}:{kind_and_name}")

    async def find(self, repo: Repo, ref: str) -> Item:
        self.asked.append(f"find {ref}")
        for item in self.items:
            if item.repo == repo and ref in (item.ref, item.ref.removeprefix("#")):
                return item
        raise NotFound(f"{repo} has no {ref}: check the number")


@pytest.fixture
def turbine(clock) -> Turbine:
    source = Turbine(clock)
    source.items = [pull(1, at(11, 3)), pull(2, at(11, 5)), pull(3, at(12, 2))]
    return source


@pytest.fixture
async def store(database_url):
    await upgrade(database_url)
    async with open_store(database_url) as opened:
        yield opened


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def make(turbine, clock, said):
    def build(store, **more) -> Pipeline:
        return Pipeline(
            turbine,
            source_name="recorded",
            store=store,
            writer=RulesWriter(),
            clock=clock,
            progress=said.append,
            **more,
        )

    return build


@pytest.fixture
def pipeline(make, store) -> Pipeline:
    return make(store)


def refs(digest) -> list[str]:
    return sorted(read.item.ref for read in digest.reading.items)


async def test_a_day_is_told_in_every_language_and_never_asked_again(
    pipeline, make, store, turbine
) -> None:
    told = await pipeline.digest(TURBINE, day(11))

    assert refs(told) == ["#1", "#2"]
    assert set(told.headline) == set(Language)
    assert [note.name for note in told.reading.upgrade_notes] == ["--blade-count"] * 2
    assert await pipeline.digest(TURBINE, day(11)) == told
    assert await make(store).digest(TURBINE, day(11)) == told
    assert turbine.asked == ["turbine 11 00:00 12 00:00"]


async def test_it_works_without_keeping_anything(make, turbine, said) -> None:
    pipeline = make(None)

    first = await pipeline.digest(TURBINE, day(11))
    second = await pipeline.digest(TURBINE, day(11))

    assert first == second
    assert len(turbine.asked) == 2
    assert said[0] == "example-org/turbine: collecting 2026-02-11"
    assert (await pipeline.read_item(TURBINE, "1")).item.ref == "#1"
    assert (await pipeline.change(TURBINE, "1")).read.item.ref == "#1"
    with pytest.raises(UsageError, match="--no-store"):
        await pipeline.search("blade")


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


async def test_refresh_collects_everything_again(pipeline, turbine) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.items.append(pull(9, at(11, 20)))

    assert refs(await pipeline.digest(TURBINE, day(11))) == ["#1", "#2"]
    assert refs(await pipeline.digest(TURBINE, day(11), refresh=True)) == ["#1", "#2", "#9"]
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


async def test_a_gap_is_told_and_asked_again(pipeline, turbine) -> None:
    turbine.gaps = (Gap("issues", "the server did not answer"),)
    told = await pipeline.digest(TURBINE, day(11))
    turbine.gaps = ()
    again = await pipeline.digest(TURBINE, day(11))

    assert told.reading.gaps == (Gap("issues", "the server did not answer"),)
    assert again.reading.gaps == ()
    assert len(turbine.asked) == 2


async def test_a_gap_that_cannot_heal_is_told_and_not_asked_again(pipeline, turbine, clock) -> None:
    turbine.gaps = (Gap("issues", "git holds no issues", lasting=True),)
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
    lasting = Gap("patches", "GitHub has no such patch", lasting=True)
    turbine.gaps = (lasting, Gap("issues", "the server did not answer"))
    assert len((await pipeline.digest(TURBINE, day(11))).reading.gaps) == 2
    turbine.gaps = (lasting,)
    assert (await pipeline.digest(TURBINE, day(11))).reading.gaps == (lasting,)
    assert (await pipeline.digest(TURBINE, day(11))).reading.gaps == (lasting,)
    assert len(turbine.asked) == 2


async def test_a_running_day_with_a_gap_is_asked_again_at_once(pipeline, turbine) -> None:
    turbine.gaps = (Gap("issues", "the server did not answer"),)
    await pipeline.digest(TURBINE, until(at(12, 9)))
    turbine.gaps = ()
    assert (await pipeline.digest(TURBINE, until(at(12, 9)))).reading.gaps == ()
    assert len(turbine.asked) == 2


async def test_what_is_stored_is_told_with_a_gap_where_the_rest_cannot_be_collected(
    pipeline, turbine
) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = Unreachable("GitHub does not answer: try again later")
    both = Window(at(11), at(12, 9), "UTC", "2026-02-11..2026-02-12")

    told = await pipeline.digest(TURBINE, both)

    assert "#1" in refs(told)
    assert told.reading.gaps == (Gap("everything", "GitHub does not answer: try again later"),)
    with pytest.raises(Unreachable):
        await pipeline.digest(TURBINE, day(10))


async def test_a_day_with_a_gap_is_told_from_the_store_where_it_cannot_be_asked_again(
    pipeline, turbine
) -> None:
    turbine.gaps = (Gap("issues", "not told without a token"),)
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = RateLimited("no requests are left: try again later")

    for _ in range(2):
        told = await pipeline.digest(TURBINE, day(11))
        assert refs(told) == ["#1", "#2"]
        assert [gap.what for gap in told.reading.gaps] == ["issues", "everything"]


async def test_a_repository_that_became_private_is_not_told_from_the_store(
    pipeline, turbine
) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = Forbidden("example-org/turbine is private")

    with pytest.raises(Forbidden):
        await pipeline.digest(TURBINE, Window(at(11), at(13), "UTC", "2026-02-11..2026-02-12"))


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


async def test_without_a_store_a_refusal_is_only_told(make, turbine) -> None:
    turbine.failure = Forbidden("example-org/turbine is private")
    with pytest.raises(Forbidden):
        await make(None).digest(TURBINE, day(11))


async def test_the_error_of_the_source_is_kept_where_nothing_can_be_said(pipeline, turbine) -> None:
    turbine.failure = RateLimited("no requests are left", at(12, 10))

    with pytest.raises(RateLimited) as raised:
        await pipeline.digest(TURBINE, day(11))
    assert raised.value.retry_at == at(12, 10)


async def test_a_failing_store_is_no_gap(pipeline, turbine) -> None:
    turbine.failure = StoreFailed("the disk is full: free some space")

    with pytest.raises(StoreFailed, match="free some space"):
        await pipeline.digest(TURBINE, day(11))


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
    assert told.failed == ((broken, "no requests are left until 10:00: set GITHUB_TOKEN"),)


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


async def test_an_unknown_change_is_refused_by_the_source(pipeline) -> None:
    with pytest.raises(NotFound, match="check the number"):
        await pipeline.change(TURBINE, "999")


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


async def test_stored_days_are_listed_newest_first(pipeline, store, clock) -> None:
    clock.now = at(13, 9)
    await pipeline.digest(TURBINE, day(11))
    await pipeline.digest(TURBINE, day(12))
    await pipeline.digest(TURBINE, until(at(13, 9)))

    assert await store.digests("recorded").windows(TURBINE) == (day(12), day(11))


async def test_digests_with_signatures_are_kept_apart(make, store, turbine) -> None:
    turbine.items = [
        pull(
            1,
            at(11, 3),
            files=(
                FileChange(
                    "turbine/api.py",
                    "modified",
                    1,
                    1,
                    "@@ -1,3 +1,3 @@\n-def spin(blade):\n+def spin(blade, speed):\n     pass\n",
                ),
            ),
        )
    ]
    plain = await make(store).digest(TURBINE, day(11))
    full = await make(store, signatures=True).digest(TURBINE, day(11))

    assert len(full.reading.upgrade_notes) > len(plain.reading.upgrade_notes)
    assert await make(store).digest(TURBINE, day(11)) == plain
    assert len(turbine.asked) == 1


async def test_a_fault_of_the_program_in_a_roundup_is_not_hidden(pipeline, turbine) -> None:
    turbine.failure = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        await pipeline.roundup([TURBINE], day(11))


async def test_where_nothing_can_be_said_the_reasons_are_given(pipeline, turbine, clock) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.failure = CouldNotLook("GitHub answered with a page for people")
    clock.advance(days=1)

    with pytest.raises(CouldNotLook, match="a page for people"):
        await pipeline.digest(TURBINE, day(12))


async def test_a_window_shorter_than_five_minutes_is_asked_when_nothing_is_kept(
    pipeline, turbine, clock
) -> None:
    clock.now = at(12) + timedelta(minutes=2)

    assert refs(await pipeline.digest(TURBINE, until(at(12, 0, 2)))) == []
    assert turbine.asked == ["turbine 12 00:00 12 00:02"]
