"""How a story goes on over days: by what its authors say, and never by likeness."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from digest.facts import Story
from digest.models import Activity, Item, Reading, Repo, ToldStory, Window
from digest.reading.reader import read
from digest.reading.stories import find_stories, listed_stories
from digest.reading.story_days import follow, told
from digest.reading.story_signs import history

Make = Callable[..., Any]
DAY = datetime(2026, 3, 2, tzinfo=UTC)


class Days:
    """Days of a repository that are told one after the other, each from what was told before."""

    def __init__(self) -> None:
        self.stored: dict[str, ToldStory] = {}
        self.days = 0

    def tell(self, *items: Item, earlier: Sequence[Item] = ()) -> tuple[Story, ...]:
        """Tell the next day with these changes, whose hours are of that day."""
        start = DAY + timedelta(days=self.days)
        self.days += 1
        moved = [replace(one, at=start + (one.at - DAY) % timedelta(days=1)) for one in items]
        return self.reading(start, moved, earlier).stories

    def reading(
        self, start: datetime, items: Sequence[Item], earlier: Sequence[Item] = ()
    ) -> Reading:
        repo: Repo = items[0].repo if items else Repo("example", "engine")
        window = Window(start, start + timedelta(days=1), "UTC", f"{start:%Y-%m-%d}")
        activity = Activity(
            repo, window, tuple(items), window.end, "recorded", earlier=tuple(earlier)
        )
        reading = read(activity, stored=tuple(self.stored.values()))
        for one in told(reading, tuple(self.stored.values())):
            self.stored.pop(one.key, None)
            self.stored[one.key] = one
        return reading


@pytest.fixture
def days() -> Days:
    return Days()


def test_a_part_goes_on_with_the_part_of_a_day_before_also_after_a_quiet_day(
    days: Days, pull: Make
) -> None:
    first = pull(11, "Port kernels 6/7: norms")
    assert days.tell(first) == ()
    assert days.tell() == ()
    (story,) = days.tell(pull(40, "Port kernels 7/7: rope"))
    assert (story.items, story.earlier) == ((pull(40).key,), (first.key,))
    assert (story.part, story.of, story.since) == ((7,), 7, "2026-03-02")


@pytest.mark.parametrize(
    ("second", "author", "goes_on"),
    [
        ("[Kiln][5/N] Glaze pots", "fay", True),
        ("[Kiln][9/N] Glaze pots", "fay", True),
        ("[Kiln][3/N] Glaze pots", "fay", False),
        ("[Kiln][4/N] Glaze pots", "fay", False),
        ("[Kiln][5/N] Glaze pots", "max", False),
        ("[Kiln][5/9] Glaze pots", "fay", False),
        ("[Oven][5/N] Glaze pots", "fay", False),
    ],
)
def test_a_further_part_of_an_author_goes_on_by_the_tag_where_each_has_a_title_of_its_own(
    days: Days, pull: Make, second: str, author: str, goes_on: bool
) -> None:
    days.tell(pull(11, "[Kiln][4/N] Hold plates", author="fay"))
    stories = days.tell(pull(70, second, author=author, files=["pot/rim.py"]))
    assert [len(one.earlier) for one in stories] == ([1] if goes_on else [])


@pytest.mark.parametrize(
    ("title", "author", "goes_on"),
    [
        ("Port kilns 3/N: rims", "fay", True),
        ("Port kilns 3/N: rims", "max", True),
        ("Port kilns 5/N: rims", "fay", True),
        ("Port kilns 5/N: rims", "max", False),
        ("Port kilns 2/N: rims", "fay", False),
    ],
)
def test_a_series_of_one_name_is_another_where_its_part_is_known_or_its_author_is_not(
    days: Days, pull: Make, title: str, author: str, goes_on: bool
) -> None:
    days.tell(*(pull(at, f"Port kilns {at}/N: doors", author="fay") for at in (1, 2)))
    stories = days.tell(pull(40, title, author=author))
    assert [len(one.earlier) for one in stories] == ([2] if goes_on else [])


def test_a_part_among_other_changes_is_known_as_one_of_its_series_the_next_day(
    days: Days, pull: Make
) -> None:
    part = pull(11, "[rack_pool][6/N] Split rack_pool into plates", files=["rack/pool.py"])
    other = pull(13, "[rack_pool] Cache the rack_pool of plates", files=["rack/pool.py"])
    (story,) = days.tell(part, other)
    assert story.part == ()
    (second,) = days.tell(pull(90, "[rack_pool][7/N] Move saucers", files=["pot/rim.py"]))
    assert second.earlier == (part.key,)


def test_a_tracker_keeps_its_name_while_several_changes_were_called_so(
    days: Days, pull: Make
) -> None:
    alone = "Move scattered racks to kiln.home (RFC #900, 1/7)"
    assert days.tell(pull(11, alone)) == ()
    plates = pull(20, "Move plates of racks to kiln.home (RFC #900, 2/7)")
    pots = pull(21, "Move pots of racks to kiln.home (RFC #900, 3/7)")
    (second,) = days.tell(plates, pots)
    assert second.earlier
    assert "scattered" not in second.name
    cups = pull(30, "Carry cups over to kiln.home (RFC #900, 4/7)")
    jugs = pull(31, "Carry jugs over to kiln.home (RFC #900, 5/7)")
    (third,) = days.tell(cups, jugs)
    assert (third.name, third.key, len(third.earlier)) == (second.name, second.key, 3)


RACKS = ("Share the copper rack between ovens", "Clean the copper rack after firing")


@pytest.mark.parametrize(
    ("title", "author", "goes_on"),
    [
        ("Fold the copper rack into ovens", "ada", True),
        ("Fold the copper rack into ovens", "max", False),
        ("Fold the copper plates into ovens", "ada", False),
        ('Revert "Share the copper rack between ovens"', "ada", False),
        ("[CI] Test the copper rack", "ada", True),
    ],
)
def test_a_story_goes_on_where_an_author_of_it_names_it_in_most_titles(
    days: Days, pull: Make, title: str, author: str, goes_on: bool
) -> None:
    first = [pull(11 + at, title, author="ada") for at, title in enumerate(RACKS)]
    (story,) = days.tell(*first)
    assert story.name == "copper rack"
    later = days.tell(pull(90, title, author=author, files=["oven/fold.py"]))
    assert [one.earlier for one in later] == ([tuple(one.key for one in first)] if goes_on else [])


def test_words_that_much_of_a_history_says_name_no_story_of_another_day(pull: Make) -> None:
    past = history([(title, ()) for title in (*RACKS, "Hang a copper rack") * 20])
    (old,) = listed_stories(find_stories([pull(11 + at, one) for at, one in enumerate(RACKS)]))
    stored = [ToldStory(old.key, old.name, old.items, authors=old.authors)]
    later = [pull(90, "Fold the copper rack into ovens", files=["oven/fold.py"])]
    assert [one.key for one in follow((), later, stored)] == [old.key]
    assert follow((), later, stored, past=past) == ()


@pytest.mark.parametrize(
    ("tag", "goes_on"), [("UnifiedRack", True), ("AMD", False), ("HiCache", False)]
)
def test_a_tag_goes_on_where_it_is_of_a_campaign_and_not_of_hardware_or_a_feature(
    days: Days, pull: Make, tag: str, goes_on: bool
) -> None:
    titles = (f"[{tag}] Hold plates in rack_pool", f"[{tag}] Drop plates of rack_pool")
    (story,) = days.tell(*(pull(11 + at, title) for at, title in enumerate(titles)))
    days.stored[story.key] = replace(days.stored[story.key], name=tag)
    later = days.tell(pull(90, f"[{tag}] Glaze pots", files=["pot/rim.py"]))
    assert bool(later) is goes_on


def test_what_says_that_it_follows_up_a_member_goes_on_with_its_story(
    days: Days, pull: Make
) -> None:
    first = [pull(11 + at, title, author="ada") for at, title in enumerate(RACKS)]
    days.tell(*first)
    later = pull(90, "Mend rims", author="max", body="Follow-up to #12.", files=["pot/rim.py"])
    (story,) = days.tell(later)
    assert (story.name, len(story.earlier)) == ("copper rack", 2)


def test_changes_of_a_day_that_go_on_with_one_story_are_one_story(days: Days, pull: Make) -> None:
    days.tell(*(pull(11 + at, title, author="ada") for at, title in enumerate(RACKS)))
    apart = [
        pull(90, "Fold the copper rack into ovens", author="ada", files=["oven/fold.py"]),
        pull(300, "Time how a copper rack burns", author="ada", files=["time/burn.py"], hour=20),
    ]
    (story,) = days.tell(*apart)
    assert ({*story.items}, len(story.earlier)) == ({one.key for one in apart}, 2)


@pytest.mark.parametrize(
    ("titles", "authors", "name"),
    [
        (("Mend rims", "Time how irons burn"), ("max", "eve"), "copper rack"),
        (("Polish iron kettle lids", "Weigh iron kettle lids"), ("eve", "eve"), "iron kettle lids"),
    ],
)
def test_changes_that_go_on_each_by_itself_give_a_story_no_other_name(
    days: Days, pull: Make, titles: tuple[str, str], authors: tuple[str, str], name: str
) -> None:
    days.tell(*(pull(11 + at, title, author="ada") for at, title in enumerate(RACKS)))
    later = [
        pull(90 + at, title, author=author, body="Follow-up to #12.", files=[f"{author}.py"])
        for at, (title, author) in enumerate(zip(titles, authors, strict=True))
    ]
    (story,) = days.tell(*later)
    assert (story.name, {*story.items}) == (name, {one.key for one in later})


def test_what_was_taken_back_is_counted_no_more_also_on_a_day_that_does_not_go_on(
    days: Days, pull: Make
) -> None:
    first = pull(11, "Port kernels 1/7: norms")
    second = pull(12, "Port kernels 2/7: rope")
    (story,) = days.tell(first, second)
    assert story.items == (first.key, second.key)
    days.tell(pull(30, f'Revert "{second.title}" (#12)', author="max"), earlier=[first, second])
    (third,) = days.tell(pull(40, "Port kernels 3/7: heads"))
    assert third.earlier == (first.key,)


def test_a_window_that_is_read_again_goes_on_with_none_of_itself(days: Days, pull: Make) -> None:
    days.tell(pull(11, "Port kernels 6/7: norms"))
    days.tell(pull(40, "Port kernels 7/7: rope"))
    days.days = 1
    (again,) = days.tell(pull(40, "Port kernels 7/7: rope"), pull(41, "Mend port kernels"))
    assert again.earlier == (pull(11).key,)


def test_stories_that_were_stored_without_parts_and_tags_still_go_on(
    days: Days, pull: Make
) -> None:
    part = pull(11, "Port kernels 6/7: norms")
    days.tell(part)
    (key,) = days.stored
    before = days.stored[key]
    days.stored[key] = ToldStory(
        key, before.name, before.items, part=(6,), of=7, authors=before.authors, since="2026-03-02"
    )
    (story,) = days.tell(pull(40, "Port kernels 7/7: rope"))
    assert story.earlier == (part.key,)


@pytest.mark.parametrize("at", [0, 1])
def test_a_change_goes_on_with_any_commit_that_it_says_to_follow_up(
    days: Days, commit: Make, at: int
) -> None:
    shas = ("a1" * 20, "b2" * 20)
    titles = ("[Kiln] Hold rims of the kiln_rack", "[Kiln] Hold lids of the kiln_rack")
    first = [
        commit(sha, title, author="fay", files=["kiln/rack.py"])
        for sha, title in zip(shas, titles, strict=True)
    ]
    assert len(days.tell(*first)) == 1
    (story,) = days.tell(
        commit("c3" * 20, "Mend the rack", body=f"Follow-up to {shas[at]}.", hour=40)
    )
    assert set(story.earlier) == {one.key for one in first}
