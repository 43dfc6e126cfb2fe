"""Between two versions: what one has and the other has not, from git and from GitHub."""

from pathlib import Path

import pytest

from digest.errors import BadWindow, CouldNotLook, NotFound, Unreachable
from digest.facts import FactChange, FactKind, Subject
from digest.languages import Language
from digest.models import Activity, Digest, FileChange, Item, Notice, NoticeKind, Repo, Window
from digest.pipeline import Pipeline
from digest.sources.git.source import Git
from digest.sources.github.source import GitHub
from digest.spans import activity_of, files_of, span_of
from digest.store.store import Store
from digest.wording.phrases import SAY
from digest.writing.composition import compose
from tests.digest.sources.git.workshop import NOW, REPO, Workshop, february
from tests.digest.sources.git.workshop import source as git_source
from tests.digest.turbine_source import at, pull

ROCKET = Repo("acme", "rocket")


def pipeline(
    source: Git | GitHub, store: Store | None = None, *, rereads: bool = False
) -> Pipeline:
    return Pipeline(
        source,
        source_name="here",
        store=store,
        clock=lambda: NOW,
        progress=lambda line: None,
        rereads=rereads,
    )


def titles(digest: Digest) -> list[str]:
    return sorted(each.item.title for each in digest.reading.items)


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A branch for 1.0 with a fix of its own, cut before main went on."""
    shop = Workshop(tmp_path / "shop")
    shop.change(2, "Before the branch")
    shop("checkout", "-q", "-b", "release")
    shop.change(5, "Only in 1.0")
    shop("tag", "v1.0")
    shop("checkout", "-q", "main")
    shop.change(3, "On main before 1.0 was tagged")
    shop.change(6, "Later")
    shop("checkout", "-q", "-b", "next")
    shop.change(8, "Picked for 1.1")
    shop("tag", "v1.1")
    shop("checkout", "-q", "main")
    shop.change(7, "Not in 1.1")
    return shop


async def test_a_span_holds_what_one_version_has_and_the_other_has_not(shop: Workshop) -> None:
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")

    assert titles(digest) == [
        "Later",
        "On main before 1.0 was tagged",
        "Picked for 1.1",
        "v1.1",
    ]
    assert digest.reading.window.label == "v1.0..v1.1"
    assert digest.reading.window.is_span
    listed = shop("rev-list", "v1.0..v1.1").split()
    assert sorted(sha for each in digest.reading.items for sha in each.item.commits) == sorted(
        listed
    )
    assert digest.reading.notices == (Notice(NoticeKind.DIVERGED, "v1.0", "v1.1"),)


async def test_a_release_of_another_branch_is_none_of_a_span(shop: Workshop) -> None:
    shop("checkout", "-q", "release")
    shop.change(7, "Only in 1.0.1")
    shop("tag", "v1.0.1")
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    assert [one for one in titles(digest) if one.startswith("v")] == ["v1.1"]


async def test_a_release_made_later_on_another_branch_is_not_the_newer_end(shop: Workshop) -> None:
    head = shop("rev-parse", "v1.1").strip()
    shop("checkout", "-q", "release")
    shop.change(7, "Only in 1.0.1")
    shop("tag", "v1.0.1")
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0.1", head, "UTC")
    assert [each.kind for each in digest.reading.notices] == [NoticeKind.DIVERGED]


@pytest.mark.parametrize(("kind", "is_said"), [(NotFound, False), (Unreachable, True)])
async def test_a_release_that_could_not_be_asked_for_is_a_gap_and_not_none(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, kind: type[CouldNotLook], is_said: bool
) -> None:
    source = git_source(shop.folder)

    async def find(repo: Repo, ref: str) -> Item:
        raise kind(SAY.git.no_answer("here", ref))

    monkeypatch.setattr(source, "find", find)

    async def gather(repo: Repo, window: Window) -> Activity:
        return Activity(repo, window, (), NOW, "here")

    span = await span_of(source, REPO, "v1.0", "v1.1")
    activity = await activity_of(source, gather, span, REPO, "UTC")
    assert ("releases" in [gap.what for gap in activity.gaps]) is is_said


async def test_ends_that_were_exchanged_are_said(shop: Workshop) -> None:
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.1", "v1.0", "UTC")

    assert titles(digest) == ["Only in 1.0", "v1.0"]
    assert digest.reading.notices == (Notice(NoticeKind.BACKWARD, "v1.1", "v1.0"),)


async def test_what_the_first_version_has_picked_onto_its_branch_is_no_news_of_the_second(
    tmp_path: Path,
) -> None:
    shop = Workshop(tmp_path / "shop")
    shop.change(2, "Before the branch")
    shop("branch", "release")
    shop.change(3, "Mend the pump (#31)")
    shop.change(4, "Mend the valve (#32)")
    shop.change(5, "Mend the nozzle of the second stage")
    shop.change(6, "Mend the tank (#34)")
    shop.change(7, "Later (#35)")
    shop("tag", "v1.1")
    picked = shop("rev-parse", "v1.1~3")
    shop("checkout", "-q", "release")
    shop.change(3, "Mend the pump (#31) (#40)")
    shop("tag", "v1.0rc1")
    shop.change(4, f"Pick one more\n\n(cherry picked from commit {picked})")
    shop.change(5, "Mend the nozzle of the second stage")
    shop.change(6, "Mend the tank (#34)")
    shop.change(7, 'Revert "Mend the tank (#34)"')
    shop("tag", "v1.0")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    assert titles(digest) == ["Later", "Mend the tank", "v1.1"]
    assert [one.kind for one in digest.reading.notices] == [NoticeKind.DIVERGED], "by its revert"
    shop("tag", "v1.0.b", "release~2")
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0.b", "v1.1", "UTC")
    assert digest.reading.notices == (), "all that its branch has is picked"
    shop("checkout", "-q", "-b", "side", "v1.0.b")
    shop.write("tank.txt", "whole")
    shop.commit(6, "Mend the tank (#34)")
    shop("checkout", "-q", "-b", "merged", "v1.0.b")
    shop.merge(7, "Merge branch 'side'", "side")
    shop("tag", "v1.0.c")
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0.c", "v1.1", "UTC")
    assert digest.reading.notices == (), "nor has it more by a merge"


@pytest.mark.parametrize("undone", ['Revert "Valve"', "Go without a valve"])
async def test_a_pick_of_another_title_is_known_by_what_it_does(
    tmp_path: Path, undone: str
) -> None:
    shop = Workshop(tmp_path / "shop")
    shop.change(2, "Before the branch")
    shop("branch", "release")

    def mend(part: str, day: int, message: str) -> None:
        shop.write(f"{part}.txt", "whole")
        shop.commit(day, message)

    mend("pump", 3, "Mend the pump (#31)")
    mend("valve", 4, "Mend the valve (#32)")
    shop("tag", "v1.1")
    shop("checkout", "-q", "release")
    mend("pump", 5, "Backport")
    mend("valve", 5, "Valve")
    shop("tag", "v1.0")
    shop("rm", "-q", "valve.txt")
    shop.commit(6, undone)
    shop("tag", "v1.0.1")

    with pytest.raises(BadWindow):
        await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0.1", "v1.1", "UTC")
    assert titles(digest) == ["Mend the valve", "v1.1"]


async def test_a_tag_without_notes_begins_as_its_section_of_the_changelog_does(
    tmp_path: Path,
) -> None:
    def log(*entries: str) -> str:
        return "\n".join(("# Changes", *entries, "## [1.0.0] - 2026-02-02", "- Old", ""))

    shop = Workshop(tmp_path / "shop")
    shop.write("CHANGELOG.md", log())
    shop.commit(2, "Begin")
    shop("tag", "v1.0.0")
    shop.write("A/CHANGELOG.md", log("## [1.1.0]", "- A lamp of one part of it is lit"))
    shop.write("CHANGELOG.md", log("## [1.1.0](https://x.org) (2026-02-05)", "- The valv opens"))
    shop.commit(3, "Open the valve")
    shop.write("CHANGELOG.md", log("## [1.1.0]", "### New", "- The valve opens", "  by itself"))
    shop.commit(4, "Mend a word")
    shop("tag", "v1.1.0")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0.0", "v1.1.0", "UTC")
    quotes = {
        fact.name: fact.quote for fact in digest.reading.facts if fact.kind.value == "release"
    }
    assert quotes == {"v1.1.0": "The valve opens by itself"}


async def test_a_tag_without_notes_is_told_with_what_was_written_before_its_day(
    tmp_path: Path,
) -> None:
    shop = Workshop(tmp_path / "shop")
    shop.write("CHANGES.rst", "1.1.0\n=====\n\n- The valve opens\n")
    shop.commit(3, "Write down what is new")
    shop.change(9, "Oil the valve")
    shop("tag", "v1.1.0")
    shop.write("CHANGES.rst", "1.1.0\n=====\n\n- The valve was called off\n")
    shop.commit(10, "Think again")

    asked = pipeline(git_source(shop.folder))
    digest = await asked.digest(REPO, february(9))
    (fact,) = (one for one in digest.reading.facts if one.kind is FactKind.RELEASE)
    assert (fact.name, fact.quote) == ("v1.1.0", "The valve opens")
    assert fact.evidence[0].path == "CHANGES.rst"
    change = await asked.change(REPO, "v1.1.0")
    assert [one.quote for one in change.facts if one.kind is FactKind.RELEASE] == [fact.quote]


@pytest.mark.parametrize("name", ["v9", "deadbeef", "--all", "", "HEAD"])
async def test_an_end_that_is_not_there_is_named(shop: Workshop, name: str) -> None:
    with pytest.raises(NotFound, match="tag or commit"):
        await pipeline(git_source(shop.folder)).span(REPO, "v1.0", name, "UTC")


async def test_the_wrong_way_round_is_refused_with_the_right_one(shop: Workshop) -> None:
    shop("tag", "old", "main~3")

    with pytest.raises(BadWindow, match=r"old\.\.v1\.1"):
        await pipeline(git_source(shop.folder)).span(REPO, "v1.1", "old", "UTC")


SERVER = """import argparse


def build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--depth", type=int, default={depth}, help="how deep")
{more}"""


def server(depth: int, *more: str) -> str:
    lines = "".join(f'    parser.add_argument("{flag}", default=None)\n' for flag in more)
    return SERVER.format(depth=depth, more=lines)


async def test_what_users_meet_is_what_both_ends_differ_in(shop: Workshop) -> None:
    path = "turbine/server/args.py"
    shop.write(path, server(1, "--old"))
    shop.commit(9, "Begin to serve")
    shop("tag", "v2.0")
    shop.write(path, server(2, "--old", "--tried"))
    shop.commit(10, "Go deeper, and try")
    shop.write(path, server(4, "--old"))
    shop.commit(11, "Deeper still, and tried enough")
    shop.write(path, server(4))
    last = shop.commit(12, "Take the old one out")
    shop("tag", "v2.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v2.0", "v2.1", "UTC")

    told = {
        (fact.change, fact.name, fact.after and fact.before, fact.after)
        for fact in digest.reading.facts
        if fact.kind is FactKind.INTERFACE
    }
    assert told == {
        (FactChange.DEFAULT, "--depth", "1", "4"),
        (FactChange.REMOVED, "--old", None, None),
    }
    (gone,) = [fact for fact in digest.reading.facts if fact.name == "--old"]
    assert gone.item.endswith(last)


async def test_what_the_first_versions_branch_took_back_came_with_the_second_by_no_change(
    tmp_path: Path,
) -> None:
    shop, path = Workshop(tmp_path / "shop"), "turbine/server/args.py"
    shop.write(path, server(1, "--thrust"))
    shop.commit(2, "Begin to serve")
    shop("checkout", "-q", "-b", "release")
    shop.write(path, server(1))
    shop.commit(3, "Not in 1.0")
    shop("tag", "v1.0")
    shop("checkout", "-q", "main")
    shop.write(path, server(2, "--thrust"))
    shop.commit(4, "Go deeper")
    shop.write(path, "# What --thrust does\n" + server(2, "--thrust"))
    shop.commit(5, "docs: say what --thrust does")
    shop.write(path, "# --thrust is tried\n# What --thrust does\n" + server(2, "--thrust"))
    shop.commit(6, "[Test] Try --thrust")
    shop.write(path, "# --thrust was tried\n# What --thrust does\n" + server(2, "--thrust"))
    shop.commit(7, "Name it otherwise")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")

    (new,) = [fact for fact in digest.reading.facts if fact.name == "--thrust"]
    assert (new.item, new.inferred) == (f"{REPO}:release:v1.1", False)
    assert [read.item.ref for read in compose(digest.reading, Language.EN).new] == ["v1.1"]


async def test_a_fix_of_what_the_first_version_never_had_bit_nobody_who_ran_it(
    tmp_path: Path,
) -> None:
    def pump(flow: str) -> str:
        return f"def pump(flow):\n    flow = {flow}\n    return flow\n"

    def gate(width: str) -> str:
        return f"def gate(width):\n    width = {width}\n    return width\n" + "\n# Wide.\n" * 9

    shop = Workshop(tmp_path / "shop")
    shop.write("turbine/pump.py", pump("float(flow) * 2"))
    shop.write("turbine/valve.py", pump("flow + 1"))
    shop.commit(2, "Begin")
    shop("tag", "v1.0")
    shop.write("turbine/valve.py", pump("flow + some()"))
    shop.write("turbine/gate.py", gate("wide(width)"))
    shop.commit(3, "Widen the valve, and add a gate")
    shop.write("turbine/valve.py", pump("flow + 3"))
    shop.commit(4, "Fix crash of the valve")
    shop.write("turbine/gate.py", gate("width"))
    shop.commit(5, "Fix crash of the gate")
    shop.write("turbine/pump.py", pump("int(flow) * 2"))
    old = shop.commit(6, "Fix crash of the pump")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")

    bitten = [fact.item for fact in digest.reading.facts if fact.kind is FactKind.BITE]
    assert [key.rpartition(":")[2] for key in bitten] == [old]
    assert "Fix crash of the gate" in titles(digest)


async def test_each_module_that_went_stands_by_the_change_that_took_it(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop")
    for name in ("pump", "valve", "tank", "gate"):
        shop.write(f"turbine/{name}.py", f"def {name}():\n    return '{name}'\n" * 9)
    shop.commit(2, "Begin")
    shop("tag", "v1.0")
    shop("mv", "turbine/valve.py", "turbine/tap.py")
    shop.commit(3, "Call the valve a tap")
    shop("rm", "-q", "turbine/pump.py")
    pump = shop.commit(4, "Take the pump out")
    shop("rm", "-q", "turbine/tap.py", "turbine/tank.py")
    both = shop.commit(5, "Take tap and tank out")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    told = {
        (fact.item.rpartition(":")[2], fact.names or (fact.name,))
        for fact in digest.reading.facts
        if fact.kind is FactKind.MOVE
    }
    assert told == {
        (pump, ("turbine.pump",)),
        (both, ("turbine.tank", "turbine.valve")),
    }


def test_files_of_a_span_are_what_became_of_them() -> None:
    steps = [
        [FileChange("new.py", "added", 1, 0, "@@ a"), FileChange("short.py", "added", 1, 0)],
        [FileChange("new.py", "modified", 1, 0, "@@ b"), FileChange("short.py", "removed", 0, 1)],
        [
            FileChange("there.py", "renamed", 0, 0, None, "here.py"),
            FileChange("x", "removed", 0, 1),
        ],
        [FileChange("back.py", "renamed", 0, 0, None, "there.py"), FileChange("x", "added", 2, 0)],
    ]
    items = [
        pull(number, at(number, 1), files=tuple(files)) for number, files in enumerate(steps, 1)
    ]

    found = {file.path: (file.status, file.previous_path) for file in files_of(items)}

    assert found == {
        "new.py": ("added", None),
        "back.py": ("renamed", "here.py"),
        "x": ("modified", None),
    }
    (new,) = [file for file in files_of(items) if file.path == "new.py"]
    assert (new.patch, new.additions) == ("@@ a\n@@ b", 2)


async def test_a_name_that_went_is_told_beside_a_method_of_its_name(tmp_path: Path) -> None:
    """A front that hands on all of another module may have it still: the changes show not."""
    shop = Workshop(tmp_path / "shop")
    front, pump = "turbine/__init__.py", "def fill(tank):\n    return tank\n"
    shop.write(front, "from .sizes import *\nfrom .pump import fill, drain\n")
    shop.write("turbine/sizes.py", "SIZE = 1\n")
    lid = "class Lid:\n    size = 1\n"
    shop.write("turbine/lids.py", lid)
    shop.write("turbine/pump.py", f"{pump}\n\ndef drain(tank):\n    return tank\n")
    shop.commit(2, "Begin")
    shop("tag", "v1.0")
    shop.write(front, "from .sizes import *\nfrom .pump import fill\n")
    shop.write("turbine/pump.py", pump)
    shop.write("turbine/lids.py", f"{lid}\n    def drain(self):\n        pass\n")
    shop.commit(3, "Drain by the lid")
    shop.change(4, "Later")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")

    told = [(fact.change, fact.name) for fact in digest.reading.facts]
    assert (FactChange.REMOVED, "turbine.drain") in told


async def test_what_the_program_itself_says_is_told_where_it_still_says_so(tmp_path: Path) -> None:
    def warns(*names: str) -> str:
        lines = "".join(
            f'    warnings.warn("{name} is deprecated, give a list")\n' for name in names
        )
        return f"import warnings\n\ndef flow(sides):\n{lines}    return sides\n"

    shop = Workshop(tmp_path / "shop")
    shop.write("turbine/pump.py", warns())
    shop.write("turbine/valve.py", warns())
    shop.commit(2, "Begin")
    shop("tag", "v1.0")
    shop.write("turbine/pump.py", warns("A single side", "A bare number"))
    first = shop.commit(3, "Flow on many sides")
    shop.write("turbine/valve.py", warns("A single side"))
    shop.commit(4, "Flow on many sides in the valve, too")
    shop.write("turbine/pump.py", warns("A single side"))
    shop.commit(5, "Take numbers again")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    told = [
        (fact.item.rpartition(":")[2], fact.name)
        for fact in digest.reading.facts
        if fact.change is FactChange.DEPRECATED
    ]
    assert told == [(first, "A single side")]


async def test_what_the_program_no_longer_refuses_at_the_head_is_not_told(tmp_path: Path) -> None:
    def checks(*names: str) -> str:
        lines = "".join(
            f"    if {name} > 9:\n        raise ValueError(\n"
            f'            "--{name} is not supported"\n        )\n'
            for name in names
        )
        return f"def check_{'_'.join(names)}(heat, rise, shelf):\n{lines}    return 1\n"

    shop = Workshop(tmp_path / "shop")
    shop.write("turbine/args.py", checks("shelf"))
    shop.write("turbine/lid_args.py", checks("heat"))
    shop.commit(2, "Begin")
    shop("tag", "v1.0")
    shop.write("turbine/args.py", checks("shelf", "heat"))
    shop.write("turbine/lid_args.py", checks("heat", "rise"))
    kept = shop.commit(3, "Fix the checks of arguments")
    shop.write("turbine/args.py", checks("shelf", "heat"))
    (shop.folder / "turbine/lid_args.py").unlink()
    shop.commit(4, "Take the lid away")
    shop.write("turbine/args.py", checks("shelf", "heat", "rise"))
    shop.commit(5, "Fix the check of the rise")
    shop.write("turbine/args.py", checks("shelf", "heat"))
    shop.commit(6, "Take any rise again")
    shop("tag", "v1.1")

    digest = await pipeline(git_source(shop.folder)).span(REPO, "v1.0", "v1.1", "UTC")
    told = [
        (fact.item.rpartition(":")[2], fact.name)
        for fact in digest.reading.facts
        if fact.subject is Subject.FEATURE
    ]
    assert told == [(kept, "--heat is not supported")]
