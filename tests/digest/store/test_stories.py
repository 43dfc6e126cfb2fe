"""Stories that are kept by window, so that a later one goes on with them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from digest.facts import Story
from digest.models import Window
from digest.store.store import Store
from tests.conftest import on_both_databases
from tests.digest.store.conftest import TURBINE

Make = Callable[..., Any]


async def test_a_window_goes_on_with_what_was_told_before_it_and_never_with_itself(
    store: Store, day: Callable[[int], Window], moment: Callable[..., datetime]
) -> None:
    stories = store.stories("github")
    first = Story("k", "Blades", ("a", "b"), since="2026-02-11")
    second = Story("k", "Blades", ("c",), earlier=("a", "b"), since="2026-02-11")
    await stories.save(TURBINE, day(11), [first])
    await stories.save(TURBINE, day(12), [second, Story("x", "Wind", ("d", "e"))])

    assert await stories.before(TURBINE, moment(11)) == ()
    assert await stories.before(TURBINE, moment(12)) == (first,)
    assert (await stories.before(TURBINE, moment(13)))[0] == second
    assert await store.stories("git:x").before(TURBINE, moment(13)) == ()


@on_both_databases
async def test_a_day_that_is_told_again_replaces_its_stories(
    store: Store, day: Callable[[int], Window], moment: Callable[..., datetime]
) -> None:
    stories = store.stories("github")
    await stories.save(TURBINE, day(11), [Story("k", "Blades", ("a", "b"))])
    await stories.save(TURBINE, day(11), [])
    assert await stories.before(TURBINE, moment(12)) == ()
    await stories.save(TURBINE, day(11), [Story("k", "Blades", ("a", "b"))])
    await stories.withdraw(TURBINE)
    assert await stories.before(TURBINE, moment(12)) == ()
