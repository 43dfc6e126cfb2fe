"""A window of several days is told by the stories of its days."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from digest.facts import Story
from digest.models import Activity, Item
from digest.reading.reader import read
from digest.reading.stories import find_stories

Make = Callable[..., Any]
RACKS = (
    (11, "Share the copper rack between ovens", 1),
    (12, "Clean the copper rack after firing", 2),
    (300, "Fold the copper rack into the wall", 40),
)
PARTS = ("[Kiln][1/N] Hold plates", "[Kiln][2/N] Glaze pots", "[Kiln][3/N] Stack saucers")


def _busy(pull: Make, days: int, each: int = 70) -> list[Item]:
    return [
        pull(
            1000 + n,
            f"Change thing{n} of part{n}",
            author=f"a{n}",
            files=[f"eng/p{n}/x{n}.py"],
            hour=(n * 7) % (24 * days),
        )
        for n in range(each * days)
    ]


def _told(window: Activity) -> tuple[Story, ...]:
    return read(window).stories


def _of(stories: Iterable[Story], item: Item) -> Story:
    (story,) = (one for one in stories if item.key in one.items)
    return story


def _day(window: Activity, number: int) -> Activity:
    start = window.window.start + timedelta(days=number)
    end = start + timedelta(days=1)
    items = tuple(one for one in window.items if start <= one.at < end)
    return replace(window, items=items, window=replace(window.window, start=start, end=end))


def test_each_story_of_a_day_is_one_of_the_week_with_what_goes_on_with_it(
    pull: Make, activity: Make
) -> None:
    racks = [
        pull(number, title, hour=hour, files=[f"oven/{number}.py"]) for number, title, hour in RACKS
    ]
    parts = [
        pull(
            400 + 50 * at,
            f"[Kiln][{at}/N] {title}",
            author="fay",
            hour=24 * at,
            files=[f"k{at}.py"],
        )
        for at, title in enumerate(("Hold plates", "Glaze pots", "Stack saucers"), 1)
    ]
    week = activity([*_busy(pull, 4), *racks, *parts], days=4)
    stories = _told(week)
    of_days = [one for number in range(4) for one in _told(_day(week, number))]
    assert of_days
    for day in of_days:
        assert any({*day.items} <= {*story.items} for story in stories)

    copper, kiln = _of(stories, racks[0]), _of(stories, parts[0])
    assert (copper.items, copper.name) == (tuple(one.key for one in racks), "copper rack")
    assert (kiln.items, kiln.part) == (tuple(one.key for one in parts), (1, 2, 3))
    told_keys = [key for one in stories for key in one.items]
    assert len(told_keys) == len({*told_keys})
    assert len(stories) == len({one.key for one in stories})


def test_what_is_a_story_of_a_day_is_one_of_a_week_in_which_it_would_be_none(
    pull: Make, activity: Make
) -> None:
    lids = [
        pull(12, "Hold zinc lids", files=["oven/lid.py"]),
        pull(60, "Drop zinc lids of old ovens", author="max", files=["oven/old.py"], hour=2),
    ]
    week = activity([*_busy(pull, 3, each=20), *lids], days=3)
    keys = tuple(one.key for one in lids)
    assert not any({*keys} <= {*one.items} for one in find_stories(week.items))
    assert _of(_told(_day(week, 0)), lids[0]).items == keys
    story = _of(_told(week), lids[0])
    assert (story.items, story.authors) == (keys, ("ada", "max"))


@pytest.mark.parametrize(("zone", "is_story"), [("America/Los_Angeles", True), ("UTC", False)])
def test_days_of_a_week_are_those_of_its_zone(
    pull: Make, activity: Make, zone: str, is_story: bool
) -> None:
    lids = [
        pull(12, "Hold zinc lids", files=["oven/lid.py"], hour=20),
        pull(60, "Drop zinc lids of old ovens", author="max", files=["oven/old.py"], hour=27),
    ]
    week = activity([*_busy(pull, 3, each=20), *lids], days=3)
    stories = _told(replace(week, window=replace(week.window, tz=zone)))
    assert any(lids[0].key in one.items for one in stories) is is_story


def test_a_week_reads_the_same_in_any_order(pull: Make, activity: Make) -> None:
    items = [
        *_busy(pull, 3),
        *(pull(number, title, hour=hour) for number, title, hour in RACKS),
    ]
    assert _told(activity(items, days=3)) == _told(activity(items[::-1], days=3))


def test_no_change_stands_in_two_stories_of_a_week(pull: Make, activity: Make) -> None:
    part = pull(11, "[rack_pool][6/N] Split rack_pool into plates", files=["rack/pool.py"], hour=1)
    other = pull(13, "[rack_pool] Cache the rack_pool of plates", files=["rack/pool.py"], hour=2)
    later = pull(90, "[rack_pool][7/N] Move saucers", files=["pot/rim.py"], hour=30)
    stories = _told(activity([*_busy(pull, 2, each=10), part, other, later], days=2))
    assert any({part.key, other.key} <= {*one.items} for one in stories)
    keys = [key for one in stories for key in one.items]
    assert len(keys) == len({*keys})


@pytest.mark.parametrize(
    ("tag", "later", "name"),
    [
        ("Firebox", ("Share bricks", "Weigh ash"), "Firebox"),
        ("ROCm", ("Share bricks", "Weigh ash"), "ROCm: optimized copper vents"),
        (
            "Firebox",
            ("Fold optimized copper vents", "Paint optimized copper vents"),
            "Firebox: optimized copper vents",
        ),
    ],
)
def test_a_story_is_called_by_what_is_of_all_its_changes_and_not_of_those_of_its_first_day(
    pull: Make, activity: Make, tag: str, later: tuple[str, ...], name: str
) -> None:
    titles = ("Hang optimized copper vents", "Clean optimized copper vents", *later)
    vents = [
        pull(
            11 + at,
            f"[{tag}] {title}",
            author="ada",
            files=["fire/box.py"],
            hour=2 + 12 * at,
        )
        for at, title in enumerate(titles)
    ]
    story = _of(_told(activity([*_busy(pull, 3), *vents], days=3)), vents[0])
    assert (story.items, story.name) == (tuple(one.key for one in vents), name)
