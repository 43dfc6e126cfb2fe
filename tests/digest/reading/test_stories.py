"""Which changes are told as one story, what it is called, and how it goes on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.facts import Story
from digest.models import FileChange, Item
from digest.reading.stories import find_stories, listed_stories, regrouped
from digest.reading.story_names import Member, clean_title, shortened, story_name
from digest.reading.story_signs import history

Make = Callable[..., Any]
OTHERS = (
    "Speed up sampling",
    "Return token ids in streams",
    "Support the Orchid architecture",
    "Cache prompts of images",
)


def _others(pull: Make) -> list[Item]:
    return [
        pull(
            500 + place * 90, title, author=f"p{place}", hour=place * 5, files=[f"eng/p{place}.py"]
        )
        for place, title in enumerate(OTHERS)
    ]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("[Oven_Plates][1/2]: Hold them", "[Oven_Plates][2/2]: Split rack.py", "Oven_Plates"),
        ("[1/2] Use plate racks (A-D)", "[2/2] Use plate racks (E-H)", "plate racks"),
        (
            "[1/2] Put racks in large ovens",
            "[2/2] Put racks in large pots",
            "Put racks in large ovens",
        ),
    ],
)
def test_a_series_of_which_each_part_has_a_title_is_called_by_what_they_share(
    pull: Make, first: str, second: str, name: str
) -> None:
    parts = [pull(at, title, files=["rack/plate.py"]) for at, title in ((11, first), (12, second))]
    (story,) = listed_stories(find_stories([*parts, *_others(pull)]))
    assert (story.name, story.part) == (name, (1, 2))


def test_a_story_is_called_by_its_trackers_own_title_where_that_is_known(
    pull: Make, issue: Make
) -> None:
    parts = [pull(11, "Move fla for #900"), pull(70, "Port the ssm tree for #900")]
    tracker = issue(900, "[RFC] One home for kernels")
    (story,) = listed_stories(find_stories([*parts, *_others(pull)], known={900: tracker}))
    assert story.name == "One home for kernels"
    assert story.key.endswith(":story:tracker:900")


def _kernels(pull: Make) -> tuple[list[Item], list[Item]]:
    """Two parts of a series, which rules join, and three that share little with anything."""
    parts = [
        pull(11, "[Kernel] Move the fla tree (RFC #900, 2/3)", author="ada", files=["a/x.py"]),
        pull(70, "[Kernel] Move the ssm tree (RFC #900, 3/3)", author="ada", files=["b/y.py"]),
    ]
    return parts, _others(pull)[:3]


def _regrouped(
    groups: Sequence[Sequence[Item]], before: Sequence[Story], items: Sequence[Item], name: str = ""
) -> tuple[Story, ...]:
    """What somebody makes of groups who was shown all items."""
    keys = {tuple(one.key for one in group): name for group in groups}
    return regrouped("m", keys, before, items, [one.key for one in items])


def test_a_series_leaves_what_several_people_did_for_a_platform(pull: Make) -> None:
    many = [
        pull(11 + 40 * at, f"[XPU] Run kernels of pots by {word} on XPU", author=f"x{at}", hour=at)
        for at, word in enumerate(("rows", "tiles", "waves"))
    ]
    parts = [
        pull(31 + at, f"[XPU] Port kilns {at}/N: kernels of pots on XPU", author="fay")
        for at in (1, 2)
    ]
    stories = listed_stories(find_stories([*many, *parts]))
    (serial,) = [one for one in stories if parts[0].key in one.items]
    assert (serial.items, serial.part) == (tuple(one.key for one in parts), (1, 2))


def test_parts_of_an_author_that_only_share_their_tag_are_one_series(pull: Make) -> None:
    first = pull(11, "[Firing][1/N] Hold plates", author="fay", files=["rack/plate.py"])
    second = pull(90, "[Firing][2/N] Stack saucers", author="fay", files=["pot/rim.py"], hour=9)
    (story,) = listed_stories(find_stories([first, second, *_others(pull)]))
    assert story.part == (1, 2)
    stranger = pull(90, "[Firing][2/N] Stack saucers", author="max", files=["pot/rim.py"], hour=9)
    assert listed_stories(find_stories([first, stranger, *_others(pull)])) == ()


def test_what_somebody_adds_to_a_story_goes_on_with_it_and_is_marked(pull: Make) -> None:
    parts, others = _kernels(pull)
    items = [*parts, *others]
    ruled = listed_stories(find_stories(items))
    before = tuple(replace(one, earlier=("x",), since="2026-01-01") for one in ruled)
    (story,) = _regrouped([[*parts, others[0]]], before, items)

    titled = tuple(replace(one, name="Move the fla tree") for one in before)
    (named,) = _regrouped([[*parts, others[0]]], titled, items, "Kernel tree")
    assert (named.name, named.key) == ("Kernel tree", story.key)
    assert set(story.items) == {parts[0].key, parts[1].key, others[0].key}
    assert (story.by, story.key, story.name) == ("m", ruled[0].key, ruled[0].name)
    assert (story.earlier, story.since) == (("x",), "2026-01-01")
    assert set(story.authors) == {"ada", "p0"}


def test_a_story_of_rules_stays_where_its_changes_are_grouped_so_or_none_of_them_is(
    pull: Make,
) -> None:
    parts, others = _kernels(pull)
    items = [*parts, *others]
    ruled = listed_stories(find_stories(items))
    assert _regrouped([parts], ruled, items) == ruled
    made = _regrouped([others[:2]], ruled, items)
    assert [(one.by, len(one.items)) for one in made] == [("m", 2), ("rules", 2)] or made[
        0
    ] in ruled
    assert ruled[0] in made


def test_who_divides_a_story_ends_it_and_what_they_did_not_see_stays_with_its_greater_part(
    pull: Make,
) -> None:
    items = [pull(number, f"Change gate {number}") for number in range(1, 8)]
    keys = [one.key for one in items]
    before = (Story("whole", "whole", tuple(keys[:5])), Story("seen", "seen", tuple(keys[5:])))
    groups = {tuple(keys[:2]): "gate", tuple(keys[2:4]): "gate"}
    shown = [*keys[:4], keys[5]]

    made = {frozenset(one.items): one for one in regrouped("m", groups, before, items, shown)}

    # Of the four that were seen each group has half: the first goes on, with what was not seen.
    assert {*made} == {
        frozenset((*keys[:2], keys[4])),
        frozenset(keys[2:4]),
        frozenset(keys[5:]),
    }
    assert made[frozenset((*keys[:2], keys[4]))].key == "whole"
    assert made[frozenset(keys[5:])] == before[1]
    assert len({one.key for one in made.values()}) == 3


def test_a_group_goes_on_with_a_story_that_it_holds_most_of_and_not_with_a_larger_one(
    pull: Make,
) -> None:
    items = [pull(number, f"Change {number}", author=f"p{number}") for number in range(1, 9)]
    keys = [one.key for one in items]
    large = Story("large", "ROCm", tuple(keys[:6]), authors=("p1", "gone"), since="2026-01-01")
    small = Story("small", "small", tuple(keys[6:]), earlier=("x",), since="2026-01-01")
    groups = {(*keys[:2], *keys[6:]): "", (*keys[2:5],): "ROCm"}

    made = {one.key: one for one in regrouped("m", groups, (large, small), items, keys)}

    assert set(made["small"].items) == {*keys[:2], *keys[6:]}
    assert made["small"].earlier == ("x",)
    assert set(made["large"].items) == {*keys[2:5]}
    assert set(made["large"].authors) == {"p3", "p4", "p5"}
    assert len({one.name for one in made.values()}) == 2


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Orchid on XPU", "Orchid on XPU"),
        ("xpu", "xpu"),
        ("Orchid crashes", "Orchid architecture"),
        ("fixes", "Orchid architecture"),
        ("Remove the Orchid architecture", "Orchid architecture"),
        ("No Orchid", "Orchid architecture"),
        ("a/x.py @everyone", "Orchid architecture"),
        ("", "Orchid architecture"),
    ],
)
def test_a_given_name_stands_where_its_members_hold_each_word_of_it(
    pull: Make, name: str, called: str
) -> None:
    items = [
        pull(11, "Serve the Orchid architecture on XPU", files=["a/x.py"]),
        pull(70, "Cache images of the Orchid architecture", files=["b/xpu.py"]),
    ]
    (story,) = _regrouped([items], (), items, name)
    assert story.name == called


def test_a_story_that_somebody_made_is_called_by_words_of_its_members_and_no_name_comes_twice(
    pull: Make,
) -> None:
    first = [
        pull(11, "Serve the Orchid architecture on XPU", files=["a/x.py"]),
        pull(70, "Cache images of the Orchid architecture", files=["b/y.py"]),
    ]
    others = _others(pull)[:2]
    items = [*first, *others]
    stories = _regrouped([first], (), items)
    assert [(story.name, story.by) for story in stories] == [("Orchid architecture", "m")]

    named = Story("ruled", "orchid Architecture", tuple(one.key for one in others))
    names = [story.name for story in _regrouped([first], (named,), items)]
    assert sorted(names) == ["Serve the Orchid architecture on XPU", "orchid Architecture"]


def test_a_group_that_shares_no_word_is_no_story_unless_it_goes_on_with_one(pull: Make) -> None:
    items = _others(pull)[:3]
    keys = tuple(one.key for one in items)
    assert _regrouped([items[:2]], (), items, "fast and sound") == ()

    before = (Story("ruled", "", keys[:2]),)
    (story,) = _regrouped([items], before, items)
    assert (story.key, set(story.items)) == ("ruled", {*keys})


def test_a_group_that_is_no_story_takes_nothing_from_a_story_of_the_rules(pull: Make) -> None:
    parts = [pull(number, f"Change gate {number}") for number in range(1, 6)]
    stranger = pull(9, "Sweep floors")
    for few in (parts, parts[:2]):
        ruled = (Story("ruled", "gate", tuple(one.key for one in few)),)
        found = _regrouped([[parts[0], stranger]], ruled, [*parts, stranger], "fast and sound")
        assert found == ruled


def test_what_one_author_opened_as_one_stack_is_one_story_and_two_stacks_are_two(
    pull: Make,
) -> None:
    def part(number: int, title: str, hour: float) -> Item:
        path = f"{title.split()[1]}/{title.split()[2]}.py"
        return pull(number, title, author="fay", files=[path], hour=hour)

    heat = [part(n, f"Extract heat gate {n}", 2) for n in range(20, 32, 2)]
    doors = [part(n, f"Rename door hinge {n}", 20) for n in range(21, 33, 2)]
    later = [part(90 + n, f"Rename door hinge {n}", 20) for n in range(6)]

    def sizes(items: list[Item]) -> list[int]:
        found = listed_stories(find_stories([*items, *_others(pull)]))
        return sorted(len(story.items) for story in found)

    assert sizes([*heat, *doors]) == [12]
    assert sizes([*heat, *later]) == [6, 6]
    assert sizes([*heat, *(replace(each, author="gil") for each in doors)]) == [6, 6]


@pytest.mark.parametrize("tag", ["AMD", "NPU", "diffusion"])
def test_two_changes_that_share_only_a_tag_are_no_story(pull: Make, tag: str) -> None:
    loose = [
        pull(11, f"[{tag}] Cap the splits of attention", author="a", files=["engine/mla.py"]),
        pull(12, f"[{tag}] Pin the wheel of the runtime", author="b", files=["setup/wheel.py"]),
    ]
    assert listed_stories(find_stories([*loose, *_others(pull)])) == ()


@pytest.mark.parametrize(
    ("titles", "files", "is_told"),
    [
        (("Fix the warmup of orchid", "Fix orchid without a seed"), ("a/x.py", "b/y.py"), False),
        (("Fix the warmup of orchid", "Fix orchid without a seed"), ("a/x.py", "a/x.py"), True),
        (("Fix the orchid warmup", "Time an orchid warmup"), ("a/x.py", "b/y.py"), True),
        (("[Orchid] Fix a warmup", "[Orchid] Draw a seed"), ("a/x.py", "b/y.py"), True),
        (("Port orchid 1/2: warmup", "Fix orchid without a seed"), ("a/x.py", "b/y.py"), True),
    ],
)
def test_two_changes_of_one_author_that_share_a_mere_word_are_no_story(
    pull: Make, titles: tuple[str, str], files: tuple[str, str], *, is_told: bool
) -> None:
    mine = [
        pull(20 + 9 * place, title, author="mia", files=[file], hour=4 + 2 * place)
        for place, (title, file) in enumerate(zip(titles, files, strict=True))
    ]
    found = listed_stories(find_stories([*mine, *_others(pull)]))
    assert [len(story.items) for story in found] == ([2] if is_told else [])


@pytest.mark.parametrize(("author", "is_told"), [("mia", True), ("gil", False)])
def test_two_people_who_changed_one_place_without_a_word_in_common_made_no_story(
    pull: Make, author: str, *, is_told: bool
) -> None:
    patch = "@@ -1 +1 @@ def open(belt):\n-    wait_for_gate(belt)\n+    gate_of(belt).open_gate()"
    files = [FileChange("engine/gate.py", "modified", 1, 1, patch)]
    theirs = [
        pull(20, "Tune the threshold of heating", author="mia", files=files, hour=4),
        pull(21, "Run lists twice", author=author, files=files, hour=5),
    ]
    found = listed_stories(find_stories([*theirs, *_others(pull)]))
    assert [len(story.items) for story in found] == ([2] if is_told else [])


@pytest.mark.parametrize(
    ("author", "title", "is_told"),
    [
        ("mia", "Open gates twice", True),
        ("gil", "Open gates twice", False),
        ("gil", "Tune the threshold of gates", True),
    ],
)
def test_two_people_need_more_than_a_word_and_a_place_for_a_story_called_by_one_title(
    pull: Make, author: str, title: str, *, is_told: bool
) -> None:
    patch = "@@ -1 +1 @@ def open(belt):\n-    wait_for_gate(belt)\n+    gate_of(belt).open_gate()"
    files = [FileChange("engine/gate.py", "modified", 1, 1, patch)]
    theirs = [
        pull(20, "Tune the threshold of gates", author="mia", files=files, hour=4),
        pull(30, title, author=author, files=files, hour=8),
    ]
    found = listed_stories(find_stories([*theirs, *_others(pull)]))
    assert [len(story.items) for story in found] == ([2] if is_told else [])


@pytest.mark.parametrize(
    ("authors", "tag", "is_told"),
    [(("mia", "mia"), "", True), (("mia", "gil"), "", False), (("mia", "gil"), "[Orchid] ", True)],
)
def test_two_changes_of_two_people_have_to_share_more_to_be_a_story(
    pull: Make, authors: tuple[str, str], tag: str, *, is_told: bool
) -> None:
    titles = ("Fix the orchid warmup", "Time an orchid warmup")
    theirs = [
        pull(20 + 9 * place, f"{tag}{title}", author=author, files=["a/x.py"], hour=4 + 2 * place)
        for place, (title, author) in enumerate(zip(titles, authors, strict=True))
    ]
    found = listed_stories(find_stories([*theirs, *_others(pull)]))
    assert [len(story.items) for story in found] == ([2] if is_told else [])


def test_a_tag_is_called_with_what_its_members_are_about(pull: Make) -> None:
    titles = (
        "optimize: preserve dtype in WanVAE nearest upsample",
        "improve: use conv2d width padding in WanVAE",
        "improve: clamp WanVAE decode output in place",
    )
    mine = [
        pull(20 + place, f"[diffusion] {title}", author="mia", files=["engine/wan/vae.py"])
        for place, title in enumerate(titles)
    ]
    (story,) = listed_stories(find_stories([*mine, *_others(pull)]))
    assert story.name == "diffusion: WanVAE"


def test_a_tag_that_many_changes_bear_is_no_name_of_a_few() -> None:
    members = [Member(title, ("kiln",)) for title in ("Warm plates", "Cool it", "Clean doors")]
    rare = history((f"[shelf] Mend part {n}", ()) for n in range(400))
    common = history((f"[kiln] Mend part {n}", ()) for n in range(400))
    assert story_name(members, rare, sure=False) == "kiln"
    assert story_name(members, common, sure=False) == ""
    # So it is of a window: eight of its changes bear the tag, but not where these are most of them.
    assert story_name(members, rare, sure=False, common={"kiln": 8}) == ""
    assert story_name(members, rare, sure=False, common={"kiln": 4}) == "kiln"


def test_a_name_ends_in_no_word_that_goes_on() -> None:
    titles = ("reuse warm plate racks across shelves", "sort cold plate racks across days")
    members = [Member(title) for title in titles]
    assert story_name(members, history([]), sure=True) == "plate racks"


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        (("Put warm plates into a rack", "Put cold plates into a rack"), "Put plates into a rack"),
        (("Put warm plates into a rack", "Keep cold plates into a rack"), "plates into a rack"),
        (("Warm plates into a rack", "Plates into a rack"), "Plates into a rack"),
        (("Put warm plates near a rack", "Put cold plates near a rack"), "plates near a rack"),
        (("The warm plates into a rack", "The cold plates into a rack"), "plates into a rack"),
        (("Fix: warm plates into a rack", "Fix: cold plates into a rack"), "plates into a rack"),
        (
            ("`Oven` warms plates into a rack", "`Oven` cools plates into a rack"),
            "plates into a rack",
        ),
    ],
)
def test_what_is_moved_is_told_with_the_verb_that_moves_it(
    titles: tuple[str, ...], name: str
) -> None:
    assert story_name([Member(title) for title in titles], history([]), sure=True) == name


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        # What two of four share says more of all than the title of one.
        (
            ("Warm the rye crust longer", "Slice the rye crust", "Warm shelves", "Oil long hinges"),
            "rye crust",
        ),
        # What begins both titles is what was done, and no more than a part of it.
        (
            (
                "Warm shelves slowly at dawn",
                "Warm shelves slowly at dusk",
                "Oil hinges",
                "Fill jars",
            ),
            None,
        ),
        # Where a prefix is all that titles share, it is what they are of.
        (("ovens: add a lid", "Show how hot ovens are", "ovens: oil hinges"), "ovens"),
        (("ovens: add a lid", "Show how hot a lid is", "ovens: oil hinges"), "ovens: add a lid"),
    ],
)
def test_a_story_is_called_by_what_more_than_one_member_says(
    titles: tuple[str, ...], name: str | None
) -> None:
    members = [Member(title, lines=9 - at) for at, title in enumerate(titles)]
    told = story_name(members, history([]), sure=True, linked=True)
    assert told == name if name else told in titles


def test_many_changes_are_called_by_the_title_of_none() -> None:
    titles = ["Route kiln_door", "Warm kiln_door", "Drop lids", "Turn shelves", "Sweep floors"]
    more = ("Count ovens", "Light lamps", "Fill jars", "Oil hinges")
    plain = [Member(title) for title in (*titles[2:], *more)]
    assert story_name(plain[:6], history([]), sure=True, linked=True) == "Drop lids"
    assert story_name(plain, history([]), sure=True, linked=True) == ""
    shared = [Member(title) for title in (*titles, "Paint kiln_door", "Count ovens")]
    assert story_name(shared, history([]), sure=True, linked=True) == "kiln_door"


def test_a_phrase_of_a_third_of_the_members_is_a_name_where_no_title_and_no_tag_is() -> None:
    some = ["Move plate trays", "Warm plate trays", "Stack plate trays"]
    rest = ["Count ovens", "Drop lids", "Turn shelves", "Light lamps", "Sweep floors", "Fill jars"]
    members = [Member(title) for title in (*some, *rest)]
    assert story_name(members, history([]), sure=False) == "plate trays"
    assert story_name([*members, Member("Oil hinges")], history([]), sure=True) == ""
    common = history((f"[kiln] Mend part {n}", ()) for n in range(400))
    tagged = [Member(title, ("kiln",)) for title in (*some[:2], *rest[:3])]
    assert story_name(tagged, common, sure=False) == "kiln: plate trays"
    assert story_name(tagged, history([]), sure=False) == "kiln"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short as it is", "Short as it is"),
        (
            "Let the presence of a container indicate the existence of resources for requests",
            "Let the presence of a container indicate the existence of",
        ),
        (
            "Rewrite the all-reduce with a decoupled design (and a second kernel for big sizes)",
            "Rewrite the all-reduce with a decoupled design",
        ),
        (
            "Split the gathered state of attention between flags.dp_size and ctx.forward_batch",
            "Split the gathered state of attention",
        ),
        (
            "Let the large oven take what the small one has of Oven{,Extended}Plates too",
            "Let the large oven take what the small one has of Oven",
        ),
    ],
)
def test_a_name_is_cut_between_words_where_a_phrase_ends(text: str, expected: str) -> None:
    name = shortened(text)
    assert text.startswith(name)
    assert len(name) <= 60
    assert name == expected.removesuffix(" of")


def test_a_quotation_at_the_end_of_a_title_keeps_both_its_marks() -> None:
    assert clean_title('[CI] Fix failures of "Heat Tests"') == 'Fix failures of "Heat Tests"'
    assert clean_title('"Heat Tests"') == "Heat Tests"
    assert clean_title("Feat([FA4][Kiln DSL]) Add wide heads") == "Add wide heads"
    assert clean_title('Fix the "heat') == 'Fix the "heat'


@given(
    titles=st.lists(st.text('ab_`[]()#1/. Fix卡"', max_size=40), min_size=2, max_size=4),
    sure=st.booleans(),
)
def test_any_titles_give_a_name_within_the_limit_or_none(titles: list[str], sure: bool) -> None:
    members = [Member(clean_title(title), ("AMD",)) for title in titles]
    assert len(story_name(members, history([]), sure=sure)) <= 60


def test_a_story_of_a_week_is_told_once_with_the_members_of_all_its_days(pull: Make) -> None:
    rest = [
        pull(
            n,
            f"Change thing{n} of part{n}",
            author=f"a{n}",
            files=[f"eng/p{n}/x{n}.py"],
            hour=n % 160,
        )
        for n in range(1000, 1200)
    ]
    parts = [
        pull(
            11 + 300 * day, f"[Kernel] Port orchid_cache {day}/N: step", author="fay", hour=24 * day
        )
        for day in range(1, 6)
    ]
    mine = [
        pull(3000 + 90 * day, title, author="max", files=["eng/relay/lilac_pool.py"], hour=24 * day)
        for day, title in enumerate(
            ("Shrink the lilac_pool", "Free lilac_pool pages", "Share lilac_pool between ranks")
        )
    ]
    stories = listed_stories(find_stories([*rest, *parts, *mine]))
    serial = next(story for story in stories if parts[0].key in story.items)
    assert serial.items == tuple(one.key for one in parts)
    assert serial.part == (1, 2, 3, 4, 5)
    assert serial.since == parts[0].at.date().isoformat()
    pool = next(story for story in stories if mine[0].key in story.items)
    assert (pool.items, pool.name) == (tuple(one.key for one in mine), "lilac_pool")
