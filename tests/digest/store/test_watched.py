"""Repositories answer to the aliases that people gave them."""

import pytest

from digest.errors import UsageError
from digest.models import Repo
from tests.conftest import on_both_databases

TURBINE, SIDE = Repo("example-org", "turbine"), Repo("Example-Org", "Side")


@on_both_databases
async def test_watched_repositories_are_told_in_the_order_of_their_naming(store, moment) -> None:
    await store.watched.watch(TURBINE, "Wind", moment(11))
    await store.watched.watch(SIDE, "side", moment(10))

    assert list((await store.watched.all()).items()) == [("side", SIDE), ("wind", TURBINE)]


@on_both_databases
async def test_a_new_alias_replaces_the_old_one(store, moment) -> None:
    await store.watched.watch(TURBINE, "wind", moment(10))
    await store.watched.watch(Repo("Example-Org", "TURBINE"), "turbine", moment(11))
    await store.watched.watch(TURBINE, "turbine", moment(12))

    assert await store.watched.all() == {"turbine": TURBINE}


async def test_an_alias_of_another_repository_is_refused(store, moment) -> None:
    await store.watched.watch(TURBINE, "wind", moment(10))

    with pytest.raises(UsageError, match="wind already means example-org/turbine"):
        await store.watched.watch(SIDE, "WIND", moment(11))

    assert await store.watched.all() == {"wind": TURBINE}


async def test_an_alias_can_be_forgotten(store, moment) -> None:
    await store.watched.watch(TURBINE, "wind", moment(10))

    assert await store.watched.unwatch("Wind")
    assert not await store.watched.unwatch("wind")
    assert await store.watched.all() == {}
