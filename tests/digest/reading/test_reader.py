import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.grades import Importance, Purpose
from digest.models import Activity, Event, FileAt, FileChange, Item, Kind, Reading, ReadItem, State
from digest.reading.known_facts import demands
from digest.reading.reader import files_wanted, read
from tests.digest.reading.interfaces.changed import item_of

Make = Callable[..., Any]


def by_ref(items: tuple[ReadItem, ...]) -> dict[str, ReadItem]:
    return {one.item.ref: one for one in items}


def read_with_files(day: Activity, before: Mapping[str, str], after: Mapping[str, str]) -> Reading:
    """Read a day of one change with the whole files of its two sides."""
    (item,) = day.items
    sides = {item.parents[0]: before, item.commits[0]: after}
    return read(day, {at: sides[at.sha].get(at.path) for at in files_wanted(day)})


def test_a_day_is_read_whole(
    commit: Make, pull: Make, issue: Make, release: Make, activity: Make
) -> None:
    window = activity([]).window
    closed = (Event("opened", window.start), Event("closed", window.start))
    items = [
        commit("a1", "Fix deadlock in the queue (#1)"),
        pull(1, "Fix deadlock in the queue", body="The lock was held too long.\n\nFixes #9"),
        commit("a2", 'Revert "Fix deadlock in the queue" (#2)', hour=3),
        commit("a3", "docs: words", hour=4, files=["docs/a.md"]),
        issue(9, "Server hangs", events=closed, state=State.CLOSED),
        release("v1.0.0"),
    ]
    reading = read(activity(items))
    told = by_ref(reading.items)
    assert [one.item.kind for one in reading.items][-1] is Kind.ISSUE
    assert told["#1"].reverted_by == "example/engine:pull_request:2"
    assert told["#2"].reverts == "example/engine:pull_request:1"
    assert told["#2"].purpose is Purpose.REVERT
    assert told["#1"].fixes == (9,)
    assert told["#1"].related == ("example/engine:issue:9", "example/engine:pull_request:2")
    assert told["#1"].quote == "The lock was held too long."
    assert told["#9"].related == ("example/engine:pull_request:1",)
    assert reading.reverts[0].seconds == 2 * 3600
    counts = reading.counts
    assert (counts.commits, counts.pull_requests, counts.issues) == (3, 2, 1)
    assert (counts.issues_opened, counts.issues_closed, counts.releases) == (1, 1, 1)
    assert (counts.high, counts.medium + counts.low, counts.noise) == (1, 3, 1)


def test_upgrade_notes_come_with_the_items_that_they_cite(pull: Make, activity: Make) -> None:
    patch = (
        "@@ -1,1 +1,1 @@\n"
        '-    parser.add_argument("--max-batch", type=int, default=64)\n'
        '+    parser.add_argument("--batch-limit", type=int, default=64)'
    )
    files = [FileChange("engine/cli.py", "modified", 1, 1, patch)]
    reading = read(activity([pull(1, "Rename --max-batch to --batch-limit", files=files)]))
    assert reading.items[0].importance is Importance.HIGH
    assert [note.cites for note in reading.upgrade_notes] == [(reading.items[0].item.key,)]


def test_what_is_gone_is_not_told_as_deprecated_too(activity: Make, pull: Make) -> None:
    patch = '@@ -1 +0,0 @@\n-parser.add_argument("--old-way", action="store_true")'
    files = (FileChange("engine/cli.py", "modified", 0, 1, patch),)

    reading = read(activity([pull(1, "Deprecate --old-way", files=files)]))

    told = [(fact.change, fact.name) for fact in reading.facts if fact.name == "--old-way"]
    assert told == [(FactChange.REMOVED, "--old-way")]


def test_an_old_name_that_works_again_asks_nobody_to_act(activity: Make, pull: Make) -> None:
    lines = (
        "def fill(tank):",
        '    warnings.warn("fill is deprecated, use fill_all", DeprecationWarning)',
        "    return fill_all(tank)",
    )
    patch = "\n".join(("@@ -1,0 +1,3 @@", *(f"+{line}" for line in lines)))
    item = pull(
        1,
        "Let rocket.fill work again",
        files=[FileChange("rocket/pump.py", "modified", 3, 0, patch)],
    )
    front = FileAt("a" * 40, "rocket/__init__.py")

    reading = read(activity([item]), {front: "from .pump import fill\n"})

    assert [(fact.change, fact.name, fact.after) for fact in reading.facts] == [
        (FactChange.ADDED, "fill", "fill_all")
    ]
    assert demands(reading.facts) == ()


@pytest.mark.parametrize(
    ("change", "name", "conditions", "asks"),
    [
        (FactChange.ADDED, "numba", (), True),
        (FactChange.REMOVED, "numba", (), True),
        (FactChange.ADDED, "numba", ("extra fast",), False),
        (FactChange.REMOVED, "numba", ("rocm",), False),
        (FactChange.ADDED, "extra fast", (), False),
        (FactChange.LOWERED, "numba", (), False),
    ],
)
def test_packages_that_everybody_has_to_install_or_no_more_are_told_to_who_upgrades(
    change: FactChange, name: str, conditions: tuple[str, ...], *, asks: bool
) -> None:
    fact = Fact(FactKind.REQUIREMENT, "a", change, Subject.DEPENDENCY, name, conditions=conditions)

    assert bool(demands((fact,))) is asks


def test_a_revert_after_the_window_is_told_beside_its_original(
    pull: Make, commit: Make, activity: Make
) -> None:
    later = [commit("c1", 'Revert "Add a queue"', hour=30)]
    reading = read(activity([pull(1, "Add a queue")], later=later))
    assert reading.items[0].reverted_by == later[0].key
    assert reading.counts.commits == 0
    assert len(reading.items) == 1


def test_the_end_of_a_series_is_known(pull: Make, activity: Make) -> None:
    items = [pull(1, "[1/2] Cache: a"), pull(2, "[2/2] Cache: b", hour=2)]
    told = by_ref(read(activity(items)).items)
    assert told["#2"].series == ("Cache", 2, 2)
    assert told["#1"].related == (told["#2"].item.key,)


_TITLES = st.sampled_from(
    [
        "Add a queue (#1)",
        "Mend (#2)",
        'Revert "Add a queue" (#1)',
        "Merge pull request #3 from a/b",
        "Merge branch 'main'",
        "Plain",
        "Reland: plain",
        "(#4)",
        "",
    ]
)


@st.composite
def _histories(draw: st.DrawFn) -> list[dict[str, Any]]:
    count = draw(st.integers(0, 9))
    made: list[dict[str, Any]] = []
    for place in range(count):
        shas = [str(one["sha"]).ljust(40, "0") for one in made]
        parents = draw(st.lists(st.sampled_from(shas), max_size=3)) if shas else []
        made.append(
            {
                "sha": f"{place + 1:x}a",
                "title": draw(_TITLES),
                "hour": float(draw(st.integers(0, 5))),
                "parents": tuple(parents),
                "pull_request": draw(st.sampled_from([None, None, 1, 3])),
                "body": draw(
                    st.sampled_from(["", "This reverts commit 1a00000.", "x\n\nFixes #5"])
                ),
            }
        )
    return made


@given(_histories(), st.booleans(), st.randoms(use_true_random=False))
def test_every_sha_stands_exactly_once_in_whatever_order_facts_come(
    commit: Make,
    pull: Make,
    issue: Make,
    activity: Make,
    history: list[dict[str, Any]],
    with_pulls: bool,
    shuffle: random.Random,
) -> None:
    items: list[Item] = [commit(**one) for one in history]
    shas = sorted(sha for item in items for sha in item.commits)
    if with_pulls:
        items += [pull(1, "Add a queue"), pull(3, "Three", commits=tuple(shas[:2])), issue(5)]
    reading = read(activity(items))
    told = [sha for one in reading.items for sha in one.item.commits]
    assert sorted(told) == shas
    assert reading.counts.commits == len(shas)
    keys = [one.item.key for one in reading.items]
    assert len(keys) == len(set(keys))
    shuffle.shuffle(items)
    assert read(activity(items)) == reading


@given(st.text(max_size=200), st.text(max_size=400), st.text(max_size=60), st.text(max_size=200))
def test_no_text_makes_reading_fail(
    commit: Make,
    pull: Make,
    issue: Make,
    activity: Make,
    title: str,
    body: str,
    path: str,
    patch: str,
) -> None:
    files = [FileChange(path, "modified", 1, 1, patch)]
    items = [
        commit("a1", title, body=body, files=files),
        pull(1, title, body=body, labels=(title,), files=files),
        issue(2, title, body=body),
    ]
    assert len(read(activity(items)).items) >= 2


def test_hostile_lengths_are_read(pull: Make, issue: Make, activity: Make) -> None:
    pieces = ["[", "( ", "a:", "fixes #1, ", "revert ", "#1 ", "bump ", " ", "1/2 ", "old x ", "|-"]
    for piece in pieces:
        title = piece * (10_000 // len(piece))
        body = piece * (100_000 // len(piece))
        told = read(activity([pull(1, title, body=body), issue(2, title, body=body)]))
        assert len(told.items) == 2, piece


def _pin(before: str, after: str) -> FileChange:
    patch = f"@@ -1,3 +1,3 @@\n numpy\n-clay=={before}\n+clay=={after}\n pandas\n"
    return FileChange("requirements/common.txt", "modified", 1, 1, patch=patch)


def test_a_pin_that_went_came_back_and_went_asks_to_act_by_its_two_ends(
    pull: Make, activity: Make
) -> None:
    raised = pull(1, "[Deps] Use the newer clay", hour=1, files=[_pin("4.5.0", "4.5.1")])
    back = pull(2, "[Revert] clay 4.5.1 -> 4.5.0", hour=2, files=[_pin("4.5.1", "4.5.0")])
    again = pull(3, "[CI] Reinstall clay last", hour=3, files=[_pin("4.5.0", "4.5.1")])

    def pins(*items: Item) -> list[tuple[str, str | None, str | None, bool]]:
        facts = read(activity(items)).facts
        return [(one.item, one.before, one.after, one.must_act) for one in facts if one.after]

    assert pins(raised, back, again) == [(again.key, "==4.5.0", "==4.5.1", True)]
    assert pins(raised, back) == []
    assert pins(again) == [(again.key, "==4.5.0", "==4.5.1", False)]
    first = replace(raised, title="[CI] Use the newer clay")
    then = replace(back, title="[CI] Use the older clay")
    assert pins(first, then, again) == [(again.key, "==4.5.0", "==4.5.1", False)]


def test_a_message_that_names_what_has_a_successor_is_not_told_beside_it(activity: Make) -> None:
    envs, args = "rocket/envs.py", "rocket/args.py"
    stays = "class Envs:\n    ROCKET_X = EnvBool(True)\n"
    before = {envs: f"{stays}    ROCKET_V2 = EnvBool(True)\n", args: "import os\n"}
    said = "ROCKET_V2 has been removed: use --sync"

    def told(said: str) -> list[tuple[str, str | None, str]]:
        after = {
            envs: stays,
            args: "import os\n\nif os.getenv('ROCKET_V2') is not None:\n"
            f'    warnings.warn("{said}")\n',
        }
        day = activity([item_of(before, after)])
        facts = read_with_files(day, before, after).facts
        return [(fact.name, fact.after, fact.quote) for fact in facts]

    assert told(said) == [("ROCKET_V2", "--sync", "")]
    other = "The pump has been removed"
    assert [quote for *_, quote in told(other) if quote] == [other]


def test_a_default_on_hardware_that_its_change_begins_to_support_hits_nobody(
    activity: Make,
) -> None:
    path = "rocket/srt/serve_args.py"
    text = (
        "@dataclass\nclass ServeArgs:\n    page: int | None = None\n\n"
        "    def __post_init__(self):\n        if self.page is None:\n"
        "            self.page = {}\n"
    )
    before, after = ({path: text.format(each)} for each in ("256", "128 if is_npu() else 256"))

    def acts(title: str) -> list[bool]:
        item = item_of(before, after, title=title)
        facts = read_with_files(activity([item]), before, after).facts
        return [fact.must_act for fact in facts if fact.change is FactChange.DEFAULT]

    assert acts("Take smaller pages on NPU") == [True]
    assert acts("[NPU] Add NPU support for Orchid") == [False]


def test_a_default_that_counts_with_a_variable_of_a_vendor_is_no_hardware(activity: Make) -> None:
    path = "rocket/envs.py"
    line = '    "{}": lambda: bool(int(os.getenv("{}", "{}"))),\n'
    names = {"ROCM_STEAM": "0", "ROCM_STEAM_A": "1", "ROCM_STEAM_B": "1", "ROCM_STEAM_C": ""}

    def table(last: str) -> str:
        rows = (line.format(name, name, value or last) for name, value in names.items())
        return f"import os\n\nenvironment_variables = {{\n{''.join(rows)}}}\n"

    before, after = {path: table("0")}, {path: table("1")}
    item = item_of(before, after, title="[ROCm] Add ROCm support for STEAM")
    sides = {item.parents[0]: before, item.commits[0]: after}
    day = activity([item])
    contents = {at: sides[at.sha].get(at.path) for at in files_wanted(day)}
    facts = read(day, contents).facts

    [fact] = [fact for fact in facts if fact.change is FactChange.DEFAULT]
    assert fact.conditions == ("ROCM_STEAM=1",)
    assert fact.must_act
