"""What leads a day: true of a good part of it, each change once, and nothing where nothing is."""

from dataclasses import replace

import pytest

from digest.facts import Story
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.languages import Language
from digest.models import FileChange, Reading, ReadItem, Repo
from digest.wording.saying import CATALOGUES
from digest.writing.composition import compose
from digest.writing.outline import context
from digest.writing.rules import plain
from digest.writing.sections import mostly
from tests.digest.writing.invented import judged, pull, reading


def change(number: int, path: str, title: str = "", **more: object) -> ReadItem:
    files = (FileChange(path, "modified", 50, 5), FileChange("kiln/door.py", "modified", 9, 3))
    item = pull(number, title or f"Bake loaf {number}", files=files)
    return judged(item, Importance.MEDIUM, **{"purpose": Purpose.REFACTOR, **more})


def led(day: Reading, language: Language = Language.EN) -> str:
    outline = compose(day, language)
    return plain(mostly(outline, context(day, CATALOGUES[language], language)))


def changes_in(**counts: int) -> list[ReadItem]:
    paths = [path for path, count in counts.items() for _ in range(count)]
    return [change(number, f"src/{path}/a.py") for number, path in enumerate(paths, 1)]


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"attention": 8, "moe": 3, "wall": 9}, "Mostly · attention (8) · mixture of experts (3)"),
        ({"attention": 7, "wall": 13}, "Largest · attention (7)"),
        (
            {"attention": 4, "moe": 4, "scheduler": 4, "wall": 8},
            "Largest · attention (4) · mixture of experts (4) · scheduler and engine (4)",
        ),
        ({"attention": 6, "wall": 14}, ""),  # less than a third
        ({"attention": 13, "moe": 2, "wall": 5}, "Mostly · attention (13)"),  # two are no part
        ({"attention": 14}, ""),  # so few are read one by one
        ({"wall": 20}, ""),
    ],
)
def test_a_busy_day_is_led_by_the_parts_that_a_good_share_of_it_is_in(
    counts: dict[str, int], said: str
) -> None:
    assert led(reading(changes_in(**counts))) == said


def test_stories_lead_before_parts_and_a_change_counts_once() -> None:
    reads = changes_in(attention=12, wall=8)
    story = Story(
        "s", "Lay the oven's floor", tuple(r.item.key for r in reads[:5]), part=(1,), of=5
    )

    assert (
        led(reading(reads, stories=(story,))) == "Mostly · attention (7) · Lay the oven's floor (5)"
    )


def test_a_story_leads_with_as_many_changes_as_are_told_of_it() -> None:
    reads = changes_in(attention=12, wall=8)
    paint = [change(n, "src/wall/b.py", noise=Noise.STYLE) for n in (21, 22)]
    keys = tuple(read.item.key for read in (*reads[15:], *paint))
    story = Story("s", "Lay the oven's floor", keys, part=(1,), of=7)

    day = reading([*reads, *paint], stories=(story,))
    assert led(day) == "Mostly · attention (12) · Lay the oven's floor (7)"

    reads = changes_in(attention=6, wall=15)
    keys = tuple(read.item.key for read in (*reads[16:], *paint))
    day = reading([*reads, *paint], stories=(replace(story, items=keys),))
    told = led(day)
    assert told.index("floor (7)") < told.index("attention (6)")


def test_a_part_is_where_most_lines_are_and_not_the_folder_named_like_the_repository() -> None:
    def day(*paths: tuple[str, int]) -> Reading:
        files = tuple(FileChange(path, "modified", lines, 0) for path, lines in paths)
        flash = Repo("example-org", "flashkiln")
        return reading([judged(pull(n, f"Loaf {n}", files=files, repo=flash)) for n in range(15)])

    assert led(day(("src/attention.py", 9), ("src/moe.py", 3))) == "Mostly · attention (15)"
    assert led(day(("src/attention.py", 9), ("wall.py", 9))) == ""
    assert led(day(("flashkiln/wall.py", 9))) == ""
    assert led(day(("src/dp_attention.py", 9))) == ""  # where data is in parallel


def test_upkeep_leads_no_day_and_is_not_what_a_share_is_of() -> None:
    work = changes_in(attention=5, wall=5)
    upkeep = [change(n, "src/moe/a.py", noise=Noise.STYLE) for n in range(20, 40)]

    assert led(reading([*work, *upkeep])) == "Mostly · attention (5)"


def test_who_is_meant_by_titles_leads_in_both_languages() -> None:
    reads = [change(n, "src/wall.py", f"[ROCm] Warm plate {n}") for n in range(1, 16)]

    assert led(reading(reads)) == "Mostly · AMD (15)"
    assert "AMD（15）" in led(reading(reads), Language.ZH)


def test_what_was_taken_back_is_nothing_that_a_day_was_about() -> None:
    stands = changes_in(attention=15)
    back = stands[0].item.key
    gone = [change(number, "src/moe/a.py", reverted_by=back) for number in range(50, 60)]

    assert led(reading([*stands, *gone])) == "Mostly · attention (15)"


def test_benchmarks_are_nothing_that_a_release_was_about() -> None:
    reads = changes_in(attention=15)
    measured = [change(n, "benchmarks/a.py", object=ChangeObject.BENCHMARK) for n in range(50, 60)]
    names = tuple(read.item.key for read in measured)

    day = reading([*reads, *measured], stories=(Story("s", "Measure the oven", names),))

    assert led(day) == "Mostly · attention (15)"
