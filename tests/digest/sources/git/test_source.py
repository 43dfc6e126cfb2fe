"""Real repositories, built here with git, read as a source."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.errors import (
    NotFound,
)
from digest.models import FileAt, Kind, Notice, NoticeKind, Repo, State
from digest.ports import Seen
from digest.sources.git.history import History
from tests.digest.sources.git.workshop import (
    REPO,
    Workshop,
    collected,
    dated,
    february,
    item_of,
    shas,
    source,
)
from tests.phrases import english


async def test_a_day_holds_its_commits_with_files_and_patches(shop: Workshop) -> None:
    shop.write("src/a.py", "one\ntwo\n")
    root = shop.commit(2, "Begin")
    shop.write("src/a.py", "one\nthree\nfour\n")
    second = shop.commit(3, "Count on\n\nWhy: we must.\n\nSigned-off-by: Ann <a@b>")
    activity = await collected(shop, 3)
    assert shas(activity.items) == [second]
    item = activity.items[0]
    assert (item.title, item.body, item.author) == ("Count on", "Why: we must.", "Ann")
    assert item.key == f"example-org/turbine:commit:{second}"
    assert (item.ref, item.kind, item.state) == (second[:7], Kind.COMMIT, State.MERGED)
    assert item.at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert (item.parents, item.additions, item.deletions) == ((root,), 2, 1)
    assert item.files is not None
    assert item.files[0].patch == "@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four"
    assert (activity.default_branch, activity.head) == ("main", second)


async def test_a_content_that_is_lost_costs_the_patches_of_its_commit_alone(
    shop: Workshop,
) -> None:
    made = []
    for day, name in enumerate("abcde", start=2):
        shop.write(f"{name}.py", f"{name}\n")
        made.append(shop.commit(day, f"Add {name}"))
    blob = shop("rev-parse", f"{made[2]}:c.py")
    (shop.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    activity = await collected(shop, 2, 6)
    patches = [[file.patch for file in item.files or ()] for item in activity.items]
    assert patches == [[f"@@ -0,0 +1 @@\n+{name}"] if name != "c" else [None] for name in "abcde"]
    lost = item_of(activity, made[2])
    assert [file.path for file in lost.files or ()] == ["c.py"]
    assert lost.detail_missing == ("patches",)
    (gap,) = (gap for gap in activity.gaps if gap.what == "patches")
    assert (
        english(gap.why) == f"patches of files whose content the repository lacks: in {made[2][:7]}"
    )
    # A file of which nothing can be read is none that was not there.
    seen = await source(shop.folder).contents(REPO, [FileAt(made[2], n) for n in ("c.py", "d.py")])
    assert seen == {FileAt(made[2], "d.py"): None}


async def test_every_commit_is_told_on_exactly_one_day(shop: Workshop) -> None:
    shop.change(1)
    for day in (8, 2, 9, 5, 12):
        shop("checkout", "-q", "-b", f"t{day}")
        shop.write(f"t{day}", "x")
        shop.commit(day, f"Topic {day}")
        shop("checkout", "-q", "main")
        shop.change(day)
        shop.merge(day + 3, "Merge", f"t{day}")
    told = [sha for day in range(1, 29) for sha in shas((await collected(shop, day)).items)]
    assert sorted(told) == sorted(shop("rev-list", "HEAD").split())


async def test_a_commit_dated_beyond_every_calendar_is_read(shop: Workshop) -> None:
    shop.change(2)
    tree, parent = shop("rev-parse", "HEAD^{tree}"), shop("rev-parse", "HEAD")
    raw = (
        f"tree {tree}\nparent {parent}\nauthor A <a> 99999999999999999 +0000\n"
        "committer A <a> 99999999999999999 +0000\n\nFar\n"
    )
    sha = shop.raw(raw.encode())
    after = shop.change(3)
    assert shas((await collected(shop, 3)).items) == [sha, after]


async def test_a_branch_that_ends_before_a_window_is_not_called_quiet(shop: Workshop) -> None:
    shop.change(2)
    for day in (1, 2):
        assert (await collected(shop, day)).notices == ()
    stale = Notice(NoticeKind.ENDS_EARLIER, "main", "2026-02-02")
    assert (await collected(shop, 3)).notices == (stale,)


async def test_later_commits_are_told_without_patches_up_to_now(shop: Workshop) -> None:
    first = shop.change(2)
    revert = shop.change(20, f'Revert "Change"\n\nThis reverts commit {first}.')
    shop.change("2026-03-01T13:00:00Z", "After now")
    activity = await collected(shop, 2)
    assert shas(activity.later) == [revert]
    assert activity.later[0].files is None
    assert activity.later[0].detail_missing == ("files", "patches")
    assert first in activity.later[0].body


async def test_what_a_revert_takes_back_is_found_however_old(shop: Workshop) -> None:
    shop("remote", "add", "origin", "https://github.com/example-org/turbine.git")
    first = shop.change(2)
    second = shop.change(3, "Numbered (#31)")
    shop.change(20, f"Revert both\n\nThis reverts commit {first[:10]}.")
    shop.change(20, "Revert #31 (#40)")
    shop.change(20, "Revert #99 (#41)\n\nThis reverts commit 0123456789.")
    activity = await collected(shop, 20)
    assert shas(activity.earlier) == [first, second]
    assert activity.earlier[0].at.day == 2
    assert (await collected(shop, 2, 20)).earlier == ()


async def test_version_tags_are_releases_of_their_own_date(shop: Workshop) -> None:
    shop.change(2)
    shop("tag", "v1.0.0")
    shop("tag", "-a", "v1.1.0rc1", "-m", "First candidate\n\nWith notes.", env=dated(5))
    shop("tag", "-a", "v1.2", "-m", "v1.2", env=dated(5))
    shop("tag", "a-mark")
    shop("tag", "v9.9", "HEAD^{tree}")
    bare = [item for item in (await collected(shop, 2)).items if item.kind is Kind.RELEASE]
    assert [(item.ref, item.state, item.body) for item in bare] == [("v1.0.0", State.TAGGED, "")]
    first, second = (await collected(shop, 5)).items
    assert (first.key, first.title) == ("example-org/turbine:release:v1.1.0rc1", "v1.1.0rc1")
    assert (first.body, first.author) == ("First candidate\n\nWith notes.", "Ann")
    assert second.body == ""
    assert {one.tagged for one in (*bare, first, second)} == {shop("rev-parse", "HEAD")}


async def test_what_is_built_of_a_day_is_for_trial_and_no_other_mark_is_told(
    shop: Workshop,
) -> None:
    sha = shop.change(2)
    builds = ["2026-02-02-nightly", "dev_20260202", "nightly-20260202", "nightly-v0.6-20260202"]
    marks = [sha, f"dev-{sha[:8]}", f"nightly-{sha[:8]}", "backup/main", "old-x", "ciflow/dev/1"]
    for name in (*builds, *marks, "nightly", "dev-20261302", "pre-20260202"):
        shop("tag", name)
    tags = [item for item in (await collected(shop, 2)).items if item.kind is Kind.RELEASE]
    assert [item.ref for item in tags] == builds
    assert {item.state for item in tags} == {State.PRERELEASE}


async def test_links_are_those_of_the_remote_else_of_the_name_asked_for(shop: Workshop) -> None:
    sha = shop.change(2, "Mend it (#12)\n\nFixes #7")
    shop("tag", "v1.0")
    nameless = await source(shop.folder).collect(Repo("local", "turbine"), february(2))
    assert (nameless.items[0].url, nameless.items[0].title) == ("", "Mend it (#12)")
    assert nameless.gaps == ()
    guessed = await source(shop.folder).collect(Repo("a", "b"), february(2))
    assert (nameless.source, guessed.source) == ("git", "git-without-remote")
    shop("remote", "add", "origin", "/srv/turbine")
    assert (await source(shop.folder).collect(Repo("a", "b"), february(2))).source != "git"
    shop("remote", "remove", "origin")
    named = item_of(guessed, sha)
    assert (named.url, named.pull_request) == (f"https://github.com/a/b/commit/{sha}", 12)
    shop("remote", "add", "origin", "https://token:secret@github.com/example-org/turbine.git")
    activity = await source(shop.folder).collect(Repo("a", "b"), february(2))
    assert activity.source == "git"
    item = item_of(activity, sha)
    assert item.url == f"https://github.com/example-org/turbine/commit/{sha}"
    assert (item.pull_request, item.title, item.closes) == (12, "Mend it", (7,))
    assert activity.items[1].url == "https://github.com/example-org/turbine/releases/tag/v1.0"
    assert {gap.what for gap in activity.gaps} == {"pull_requests", "issues"}


async def test_on_gitlab_the_number_of_an_issue_is_not_a_merge_request(shop: Workshop) -> None:
    shop("remote", "add", "origin", "git@gitlab.com:group/sub/turbine.git")
    sha = shop.change(2, "Mend it (#12)")
    merged = shop.change(2, "Merge branch 'x' into 'main'\n\nAdd\n\nSee merge request group/t!9")
    activity = await collected(shop, 2)
    item = item_of(activity, sha)
    assert (item.title, item.pull_request) == ("Mend it (#12)", None)
    assert item.url == f"https://gitlab.com/group/sub/turbine/-/commit/{sha}"
    assert item_of(activity, merged).pull_request == 9
    assert (await source(shop.folder).find(REPO, "#9")).commits == (merged,)


async def test_the_name_is_that_of_the_remote_or_of_the_folder(shop: Workshop) -> None:
    assert await source(shop.folder).name() == Repo("local", "turbine")
    (shop.folder / "below").mkdir()
    assert await source(shop.folder / "below").name() == Repo("local", "turbine")
    shop("remote", "add", "origin", "https://gitlab.com/group/sub/engine")
    assert await source(shop.folder).name() == Repo("sub", "engine")
    assert await source("https://github.com/a/b.git").name() == Repo("a", "b")
    assert await source("file:///srv/git/c.git").name() == Repo("local", "c")
    assert await source("file:///").name() == Repo("local", "repository")


async def test_a_repository_without_commits_is_empty_not_broken(shop: Workshop) -> None:
    activity = await collected(shop, 2)
    assert (activity.items, activity.head) == ((), "")
    assert activity.notices == (Notice(NoticeKind.EMPTY, "main", ""),)
    with pytest.raises(NotFound):
        await source(shop.folder).find(REPO, "#1")


async def test_a_clone_on_another_branch_tells_the_default_branch(
    shop: Workshop, tmp_path: Path
) -> None:
    main = shop.change(2)
    shop("clone", "-q", str(shop.folder), str(tmp_path / "clone"))
    clone = Workshop.__new__(Workshop)
    clone.folder = tmp_path / "clone"
    clone("checkout", "-q", "-b", "topic")
    clone.change(2, "Not landed")
    assert shas((await collected(clone, 2)).items) == [main]
    clone("checkout", "-q", "main")
    own = clone.change(2, "Mine")
    assert shas((await collected(clone, 2)).items) == [main, own]
    clone("reset", "-q", "--hard", main)
    newer = shop.change(3)
    clone("fetch", "-q")
    assert (await collected(clone, 2)).head == newer


async def test_a_shallow_clone_says_that_it_is_shallow(shop: Workshop, tmp_path: Path) -> None:
    shop.change(2)
    last = shop.change(2, "Last")
    shop("clone", "-q", "--depth", "1", f"file://{shop.folder}", str(tmp_path / "shallow"))
    activity = await source(tmp_path / "shallow").collect(REPO, february(2))
    assert shas(activity.items) == [last]
    assert activity.items[0].files is None
    assert activity.gaps[0].what == "commits"
    assert "shallow" in english(activity.gaps[0].why)


async def test_find_gives_a_change_by_number_sha_or_tag(shop: Workshop) -> None:
    shop("remote", "add", "origin", "https://github.com/example-org/turbine")
    first = shop.change(2, "Add it (#12)")
    shop.change(3, 'Revert "Add it (#12)" (#13)')
    shop("tag", "-a", "v1.0", "-m", "Notes", env=dated(4))
    git = source(shop.folder)
    for ref in ("12", "#12", first, first[:6].upper()):
        item = await git.find(REPO, ref)
        assert (item.commits, item.pull_request) == ((first,), 12)
        assert item.files is not None
        assert item.files[0].patch is not None
    assert (await git.find(REPO, "v1.0")).body == "Notes"
    assert (await git.find(REPO, "1.0")).ref == "v1.0"
    for ref in ("#99", "ffffffff", "v2", "", "-x", "a b", "refs/heads/main", "*"):
        with pytest.raises(NotFound):
            await git.find(REPO, ref)


async def test_a_commit_pushed_after_its_day_was_told_is_told_on_the_next(shop: Workshop) -> None:
    told = shop.change("2026-02-01T10:00:00Z")
    late = shop.change("2026-02-02T23:30:00Z", "Made on the second, pushed on the third")
    seen_at = datetime(2026, 2, 3, 9, tzinfo=UTC)

    git = source(shop.folder, seen=Seen("main", told, seen_at))
    (item,) = (await git.collect(REPO, february(3))).items
    assert (item.commits, item.at) == ((late,), seen_at)
    assert (await git.collect(REPO, february(2))).items == ()


async def test_a_commit_that_a_clone_fetched_late_counts_on_its_own_day(shop: Workshop) -> None:
    shop("remote", "add", "origin", "https://github.com/example-org/turbine")
    before = shop.change("2026-02-01T10:00:00Z")
    fetched = shop.change("2026-02-02T23:30:00Z", "Fetched a week later")

    git = source(shop.folder, seen=Seen("main", before, datetime(2026, 2, 9, 9, tzinfo=UTC)))
    (item,) = (await git.collect(REPO, february(2))).items
    assert item.commits == (fetched,)
    assert (await git.collect(REPO, february(9))).items == ()


async def test_binary_files_have_no_patch_and_leave_others_theirs(shop: Workshop) -> None:
    shop.write("a.bin", b"\0\1\2")
    shop.write("b.txt", "text\n")
    shop.commit(2, "Begin")
    binary, text = (await collected(shop, 2)).items[0].files or ()
    assert (binary.path, binary.patch, binary.additions) == ("a.bin", None, 0)
    assert text.patch == "@@ -0,0 +1 @@\n+text"


async def test_a_file_that_became_a_link_is_one_change(shop: Workshop) -> None:
    shop.write("a", "text\n")
    shop.write("z", "z\n")
    shop.commit(1, "Begin")
    (shop.folder / "a").unlink()
    (shop.folder / "a").symlink_to("z")
    shop.write("z", "y\n")
    shop.commit(2, "Link")
    link, other = (await collected(shop, 2)).items[0].files or ()
    assert (link.path, link.status) == ("a", "changed")
    assert link.patch is not None
    assert "-text" in link.patch
    assert "+z" in link.patch
    assert other.patch == "@@ -1 +1 @@\n-z\n+y"


async def test_text_that_is_not_utf8_is_kept_readable(shop: Workshop) -> None:
    shop.write("ok.txt", b"caf\xe9\n")
    (shop.folder / os.fsdecode(b"na\xefve.txt")).write_text("x\n")
    shop.commit(2, "Begin")
    who = "Ann <a@b> 1770026400 +0000"
    head = f"tree {shop('rev-parse', 'HEAD^{tree}')}\nauthor {who}\ncommitter {who}\n\n"
    shop.raw(head.encode() + b"Broken \xff title\n\n\xe4\xb8\xad\xe6\x96\x87 and \xfe")
    item = (await collected(shop, 2)).items[0]
    assert item.title == "Broken \ufffd title"
    assert item.body == "中文 and \ufffd"
    assert {change.path for change in item.files or ()} == {"ok.txt", "na\ufffdve.txt"}


async def test_hunks_that_look_like_headers_stay_text(shop: Workshop) -> None:
    trap = "diff --git a/x b/x\n@@ -1 +1 @@\n" + "0" * 40 + "\n\n--- a\n"
    shop.write("a.txt", trap)
    shop.write("b.txt", "b\n")
    shop.commit(2, "Trap")
    first, second = (await collected(shop, 2)).items[0].files or ()
    assert (first.patch or "").split("\n", 1)[1] == "\n".join(
        "+" + line for line in trap.splitlines()
    )
    assert second.patch == "@@ -0,0 +1 @@\n+b"


async def test_the_limit_of_a_window_leaves_out_only_further_patches(
    shop: Workshop,
) -> None:
    shop.write("x", "1\n")
    shop.write("y", "2" * 40 + "\n")
    sha = shop.commit(2, "Two files")
    history = History(source(shop.folder)._git, shop.folder / ".git")
    changes = await history.changes(await history.commits([sha]), room=40)
    assert [one.patch for one in changes.files[sha]] == ["@@ -0,0 +1 @@\n+1", None]
    assert changes.left_out == {sha}


async def test_a_huge_patch_is_left_out_with_its_numbers_right(shop: Workshop) -> None:
    shop.write("big.txt", "0123456789\n" * 200_000)
    shop.write("line.txt", "x" * 3_000_000)
    shop.write("small.txt", "s\n")
    shop.commit(2, "Big")
    activity = await collected(shop, 2)
    item = activity.items[0]
    assert [item.ref in english(gap.why) for gap in activity.gaps if gap.what == "patches"] == [
        True
    ]
    big, line, small = item.files or ()
    assert (big.patch, big.additions) == (None, 200_000)
    assert (line.patch, line.additions) == (None, 1)
    assert small.patch == "@@ -0,0 +1 @@\n+s"
    assert item.detail_missing == ("patches",)


async def test_files_are_given_as_they_stood(shop: Workshop) -> None:
    shop.write("src/a.py", "one\n")
    shop.write("none.bin", "a\0b")
    shop.write("large.txt", "x" * 1_000_001)
    first = shop.commit(2, "Begin")
    shop.write("src/a.py", "two\nthrée\n")
    second = shop.commit(3, "Go on")
    files = [
        FileAt(first, "src/a.py"),
        FileAt(second, "src/a.py"),
        FileAt(second, "src/b.py"),
        FileAt(second, "src"),
        FileAt(second, "none.bin"),
        FileAt("0" * 40, "src/a.py"),
        FileAt(second, "large.txt"),
        FileAt("main", "src/a.py"),
        FileAt(second, "src/a.py\nmain:src/a.py"),
    ]
    assert await source(shop.folder).contents(REPO, files) == {
        files[0]: "one\n",
        files[1]: "two\nthrée\n",
        files[2]: None,
        files[3]: None,
        files[4]: None,
    }
