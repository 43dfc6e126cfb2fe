"""A repository that was private and is not listed any more is told from no store."""

import pytest

from adapters.wiring.assembly import note_visibility
from bot.settings import Settings
from bot.store.records import HiddenRepos
from digest.errors import NotFound, PrivateRepo, Unreachable
from digest.pipeline import Pipeline
from tests.digest.turbine_source import SIDE, TURBINE, at, day

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
