"""From a repository's name to its sentences, asking only for what is not stored."""

import asyncio
from datetime import timedelta

import pytest

from adapters.wiring.assembly import note_visibility
from bot.settings import Settings
from bot.store.records import HiddenRepos
from digest.edited import ModelOutcome, Trouble
from digest.editing.calls import Wait, waiting_once
from digest.editing.editor import Editor
from digest.errors import (
    Defect,
    Forbidden,
    ModelFailed,
    NotFound,
    PrivateRepo,
    RateLimited,
    Unreachable,
    UsageError,
)
from digest.languages import Language
from digest.models import Item, Repo, Window
from digest.pipeline import AT_ONCE, Pipeline
from digest.ports import ModelAnswer, Request
from digest.reading.reader import read
from tests.conftest import eventually
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
from tests.phrases import gap as gap_of


class Silent:
    """A model that never answers, or fails as soon as it is let go; `asked` are the questions."""

    name = "m"

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.let_go = asyncio.Event()

    async def ask(self, request: Request) -> ModelAnswer:
        self.asked.append(request)
        await self.let_go.wait()
        raise ModelFailed("down", trouble=Trouble.BROKEN)

    @property
    def tasks(self) -> list[str]:
        return [each.task for each in self.asked]


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


FIRST = {"pick", "stories"}
"""What a model is asked of a day before anything else."""


async def test_a_roundup_waits_for_the_model_alone_not_for_what_was_collected(
    make, turbine, monkeypatch
) -> None:
    model = Silent()
    turbine.items += [pull(number, at(11, 3), repo=SIDE) for number in (1, 2)]
    collect = turbine.collect

    async def slowly(repo: Repo, window: Window):
        await asyncio.sleep(0.4)
        return await collect(repo, window)

    monkeypatch.setattr(turbine, "collect", slowly)
    await make(None, editing=Editor(model, seconds=0.3)).roundup([SIDE, TURBINE], day(11))

    assert set(model.tasks) == FIRST  # and nothing of the paragraph about both


async def test_a_roundup_of_many_repositories_waits_for_the_model_as_long_as_one(
    make, turbine
) -> None:
    model = Silent()
    repos = [Repo("example-org", f"side-{number}") for number in range(AT_ONCE + 2)]
    turbine.items = [pull(number, at(11, 3), repo=repo) for repo in repos for number in (1, 2)]

    told = await make(None, editing=Editor(model, seconds=0.3)).roundup(repos, day(11))

    assert set(model.tasks) == FIRST
    assert len(model.tasks) <= 2 * AT_ONCE  # the others found no time left, nor did the paragraph
    uses = [*(digest.model for digest in told.digests), told.model]
    assert [use and use.outcome for use in uses] == [ModelOutcome.LATE] * (len(repos) + 1)


async def test_a_day_with_its_changes_whole_waits_for_the_model_as_long_as_one(
    make, turbine
) -> None:
    model = Silent()
    turbine.items = [pull(number, at(11, 3), "feat!: drop the old blade") for number in (1, 2, 3)]
    editor = Editor(model, seconds=0.3)

    told = await make(None, editing=editor).analysed(TURBINE, day(11))

    assert set(model.tasks) == FIRST
    assert [change.model and change.model.outcome for change in told.changes] == [
        ModelOutcome.LATE
    ] * 3


async def test_who_waited_for_the_same_digest_has_waited_for_its_model(
    make, turbine, store
) -> None:
    model = Silent()
    turbine.items += [pull(number, at(11, 3), repo=SIDE) for number in (1, 2)]
    pipeline = make(store, editing=Editor(model, seconds=0.3))

    await asyncio.gather(
        pipeline.digest(SIDE, day(11)),
        pipeline.digest(TURBINE, day(11)),
        pipeline.roundup([SIDE, TURBINE], day(11)),
    )

    assert sorted(model.tasks) == sorted((*FIRST, *FIRST))


async def test_nobody_waits_for_the_model_of_another_window(make, turbine, store) -> None:
    model = Silent()
    turbine.items.append(pull(4, at(12, 3)))
    pipeline = make(store, editing=Editor(model, seconds=60.0))
    both = asyncio.gather(pipeline.digest(TURBINE, day(11)), pipeline.digest(TURBINE, day(12)))

    await eventually(lambda: len(model.asked) == 4)

    model.let_go.set()
    assert [use.outcome for use in [each.model for each in await both] if use] == [
        ModelOutcome.FAILED
    ] * 2


async def test_what_no_time_was_left_for_is_asked_by_who_comes_next(make, turbine, store) -> None:
    model = Silent()
    pipeline = make(store, editing=Editor(model, seconds=60.0))
    with waiting_once() as patience:
        now = asyncio.get_running_loop().time()
        patience.add(Wait(now - 60.0, now))
        late = await pipeline.digest(TURBINE, day(11))
    assert (late.model and late.model.outcome, model.asked) == (ModelOutcome.LATE, [])

    model.let_go.set()
    told = await pipeline.digest(TURBINE, day(11))

    assert told.model
    assert told.model.outcome is ModelOutcome.FAILED
    assert model.asked


async def test_a_model_is_not_late_for_a_quiet_day(make, turbine) -> None:
    turbine.items = []
    with waiting_once() as patience:
        now = asyncio.get_running_loop().time()
        patience.add(Wait(now - 60.0, now))
        told = await make(None, editing=Editor(Silent(), seconds=60.0)).digest(SIDE, day(11))

    assert told.model is None


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
    assert await pipeline.read_item(TURBINE, f"{1:040x}") == one
    assert len(turbine.asked) == 1


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


@pytest.mark.parametrize(
    ("zone", "starts", "first", "second"),
    [
        ("Asia/Shanghai", at(10, 16), at(10, 18), at(12, 17)),
        ("America/Los_Angeles", at(11, 8), at(12, 3), at(13, 9)),
    ],
)
async def test_a_story_began_on_the_day_of_its_zone_also_where_a_quiet_day_is_between(
    pipeline, turbine, clock, zone, starts, first, second
) -> None:
    clock.now = at(20)
    turbine.items = [
        pull(11, first, "Port gears 6/7: teeth"),
        pull(12, second, "Port gears 7/7: oil"),
    ]
    windows = [
        Window(
            starts + timedelta(days=n), starts + timedelta(days=n + 1), zone, f"2026-02-{11 + n}"
        )
        for n in range(3)
    ]
    stories = [(await pipeline.digest(TURBINE, window)).reading.stories for window in windows]
    assert stories[:2] == [(), ()]
    ((story,),) = stories[2:]
    assert (story.since, len(story.earlier)) == ("2026-02-11", 1)


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


@pytest.mark.parametrize("is_found_by_a_day", [True, False])
async def test_a_digest_that_a_model_is_waited_for_is_not_stored_once_its_repository_is_withdrawn(
    make, turbine, store, is_found_by_a_day
) -> None:
    model = Silent()
    pipeline = make(store, editing=Editor(model, seconds=60.0))
    telling = asyncio.create_task(pipeline.digest(TURBINE, day(11)))
    await eventually(lambda: bool(model.asked))
    turbine.failure = turbine.failing_to_find = Forbidden("example-org/turbine is private")
    with pytest.raises(Forbidden):
        await (
            pipeline.digest(TURBINE, day(12))
            if is_found_by_a_day
            else pipeline.change(TURBINE, "#1")
        )
    model.let_go.set()
    await telling

    assert await pipeline.search("blade") == ()
    with pytest.raises(Forbidden):
        await make(store).digest(TURBINE, day(11))
    assert await store.digests("recorded").windows(TURBINE) == ()
    assert await store.stories("recorded").before(TURBINE, at(13)) == ()


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


HIDDEN = frozenset({str(TURBINE).lower()})


@pytest.fixture
async def once(store, turbine, clock):
    """A pipeline that told a private repository and another one, with what it withholds now."""
    withheld: list[frozenset[str]] = [frozenset()]

    async def names() -> frozenset[str]:
        return withheld[0]

    pipeline = Pipeline(
        turbine,
        source_name="recorded",
        store=store,
        clock=clock,
        progress=lambda line: None,
        withheld=names,
    )
    for repo in (TURBINE, SIDE):
        await pipeline.digest(repo, day(11))
    assert await pipeline.search("add", TURBINE)
    withheld[0] = HIDDEN
    return pipeline


async def test_nothing_stored_of_it_is_told(once, turbine, clock) -> None:
    turbine.failure = PrivateRepo(TURBINE)
    with pytest.raises(PrivateRepo):
        await once.digest(TURBINE, day(11))
    with pytest.raises(PrivateRepo):
        await once.digest(TURBINE, day(11))
    roundup = await once.roundup([TURBINE], day(11))
    assert (roundup.digests, [repo for repo, _ in roundup.failed]) == ((), [TURBINE])


async def test_it_is_not_told_where_the_source_does_not_answer_either(once, turbine) -> None:
    turbine.failure = Unreachable("GitHub hangs")
    with pytest.raises(Unreachable):
        await once.digest(TURBINE, day(11))


async def test_neither_search_nor_a_look_at_one_item_finds_it(once, turbine) -> None:
    found = await once.search("add")
    assert all(read.item.repo != TURBINE for read in found)
    assert await once.search("add", TURBINE) == ()
    turbine.items = ()
    with pytest.raises(NotFound):
        await once.read_item(TURBINE, "#1")


async def test_one_that_has_become_public_is_collected_anew(once, turbine, store) -> None:
    turbine.asked.clear()
    told = await once.digest(TURBINE, day(11))
    assert told.reading.items
    assert len(turbine.asked) == 1
    assert await store.activity("recorded").between(TURBINE, at(9), at(11)) == ()


@pytest.mark.parametrize("is_listed", [False, True])
async def test_what_is_called_public_again_brings_nothing_stored_back_unless_it_is_listed(
    once, store, clock, is_listed
) -> None:
    pipeline = Pipeline(
        once.source,  # the same source, as GitHub's
        source_name="github",
        store=store,
        clock=clock,
        progress=lambda line: None,
    )
    await pipeline.digest(TURBINE, day(11))
    settings = Settings(INFRA_PRIVATE_REPOS=str(TURBINE) if is_listed else "")
    note = note_visibility(settings, store, clock)

    await note(frozenset({TURBINE}), True)
    assert await HiddenRepos(store.database).all() == HIDDEN
    await note(frozenset({TURBINE}), False)

    assert await HiddenRepos(store.database).all() == frozenset()
    assert bool(await pipeline.search("add", TURBINE)) == is_listed
    assert bool(await store.activity("github").between(TURBINE, at(9), at(13))) == is_listed
