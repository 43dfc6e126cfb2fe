"""Real repositories, built here with git, read as a source."""

import asyncio
import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from digest.errors import (
    ConfigurationError,
    CouldNotLook,
    Forbidden,
    InfraError,
    NotFound,
    StoreFailed,
    Unreachable,
    UsageError,
)
from digest.models import Activity, Item, Kind, NoticeKind, Repo, State, Window
from digest.sources.git import Git
from digest.sources.git_diff import PatchReader, read_files
from digest.sources.git_mirror import mirror_folder
from digest.sources.git_process import GitProcess

REPO = Repo("example-org", "turbine")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ISOLATED = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}


class Workshop:
    """Builds a repository; dates are days of February 2026 or whole git dates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **ISOLATED, **(env or {})},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode(errors="replace").strip()

    def write(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, day: int | str, message: str, *options: str, author: str = "") -> str:
        self("add", "-A")
        message_file = self.folder.parent / "message"
        message_file.write_text(message)
        env = dated(day) | ({"GIT_AUTHOR_NAME": author} if author else {})
        self("commit", "-q", "--allow-empty", "-F", str(message_file), *options, env=env)
        return self("rev-parse", "HEAD")

    def change(self, day: int | str, message: str = "Change", author: str = "") -> str:
        self.write("log.txt", self("rev-list", "--all", "--count") + f"\n{message!r}\n")
        return self.commit(day, message, author=author)

    def raw(self, content: bytes) -> str:
        file = self.folder.parent / "raw"
        file.write_bytes(content)
        sha = self("hash-object", "-t", "commit", "-w", "--literally", str(file))
        self("update-ref", "HEAD", sha)
        return sha

    def merge(self, day: int, message: str, *branches: str) -> str:
        self("merge", "-q", "--no-ff", "-m", message, *branches, env=dated(day))
        return self("rev-parse", "HEAD")


def dated(day: int | str) -> dict[str, str]:
    at = f"2026-02-{day:02d}T10:00:00Z" if isinstance(day, int) else day
    return {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}


def february(first: int, last: int | None = None) -> Window:
    start = datetime(2026, 2, first, tzinfo=UTC)
    end = datetime(2026, 2, last or first, tzinfo=UTC) + timedelta(days=1)
    return Window(start, end, "UTC", f"2026-02-{first:02d}")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path / "turbine")


def source(location: Path | str, cache: Path | None = None, now: datetime = NOW) -> Git:
    return Git(
        str(location),
        cache_dir=cache or Path("/nonexistent"),
        clock=lambda: now,
        progress=lambda line: None,
        environment={"PATH": os.environ["PATH"], **ISOLATED},
    )


async def collected(shop: Workshop, first: int, last: int | None = None) -> Activity:
    return await source(shop.folder).collect(REPO, february(first, last))


def shas(items: tuple[Item, ...]) -> list[str]:
    return [sha for item in items for sha in item.commits]


def item_of(activity: Activity, sha: str) -> Item:
    return next(item for item in activity.items if item.commits == (sha,))


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
    assert item.at == item.committed_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert (item.parents, item.url, item.additions, item.deletions) == ((root,), "", 2, 1)
    assert item.files is not None
    assert item.files[0].patch == "@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four"
    assert (activity.default_branch, activity.head, activity.gaps) == ("main", second, ())


async def test_a_root_commit_adds_all_its_files(shop: Workshop) -> None:
    shop.write("a.txt", "one\n")
    shop.commit(2, "Begin")
    (change,) = (await collected(shop, 2)).items[0].files or ()
    assert (change.path, change.status, change.additions) == ("a.txt", "added", 1)
    assert change.patch == "@@ -0,0 +1 @@\n+one"


async def test_what_a_merge_brought_late_is_told_on_the_day_of_the_merge(shop: Workshop) -> None:
    shop("remote", "add", "origin", "git@github.com:example-org/turbine.git")
    shop.change(1)
    shop("checkout", "-q", "-b", "topic")
    shop.write("late.py", "x\n")
    late = shop.commit(3, "Late work")
    shop("checkout", "-q", "main")
    shop.change(4)
    merge = shop.merge(14, "Merge pull request #71 from ann/topic\n\nBring late work", "topic")
    assert shas((await collected(shop, 3)).items) == []
    activity = await collected(shop, 14)
    assert shas(activity.items) == [late, merge]
    assert [item.pull_request for item in activity.items] == [71, 71]
    assert item_of(activity, late).at == datetime(2026, 2, 14, 10, tzinfo=UTC)
    assert item_of(activity, late).committed_at == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert item_of(activity, merge).title == "Bring late work"
    assert [change.path for change in item_of(activity, merge).files or ()] == ["late.py"]


async def test_a_rebase_merge_lands_each_commit_with_its_predecessor(shop: Workshop) -> None:
    shop.change(5)
    early = shop.change(3, "Written and committed before, pushed after")
    assert shas((await collected(shop, 3)).items) == []
    assert early in shas((await collected(shop, 5)).items)


async def test_an_octopus_merge_lands_all_branches(shop: Workshop) -> None:
    shop.write("base", "x")
    shop.commit(1, "Begin")
    for name in ("a", "b", "c"):
        shop("checkout", "-q", "-b", name, "main")
        shop.write(name, "x\n")
        shop.commit(2, f"Add {name}")
    shop("checkout", "-q", "main")
    merge = shop.merge(9, "Merge all", "a", "b", "c")
    activity = await collected(shop, 9)
    assert len(activity.items) == 4
    assert len(item_of(activity, merge).parents) == 4
    assert {change.path for change in item_of(activity, merge).files or ()} == {"a", "b", "c"}


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


async def test_odd_dates_neither_lose_nor_move_other_commits(shop: Workshop) -> None:
    shop.change(2)
    old = shop.change("@1 +0000", "From 1970")
    future = shop.change("@4102444800 +0000", "From 2100")
    after = shop.change(4)
    assert old in shas((await collected(shop, 2)).items)
    assert shas((await collected(shop, 4)).items) == [future, after]


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


async def test_a_rename_names_both_paths(shop: Workshop) -> None:
    shop.write("old name.py", "".join(f"line {number}\n" for number in range(20)))
    shop.commit(1, "Begin")
    shop("mv", "old name.py", "new\tname.py")
    shop.commit(2, "Rename")
    (change,) = (await collected(shop, 2)).items[0].files or ()
    assert (change.path, change.previous_path) == ("new\tname.py", "old name.py")
    assert (change.status, change.additions, change.patch) == ("renamed", 0, None)


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


async def test_a_submodule_is_told_by_its_commits(shop: Workshop, tmp_path: Path) -> None:
    inner = Workshop(tmp_path / "inner")
    inner.change(1)
    shop("submodule", "--quiet", "add", str(inner.folder), "third/inner")
    shop.commit(2, "Add a submodule")
    files = {change.path: change for change in (await collected(shop, 2)).items[0].files or ()}
    assert set(files) == {".gitmodules", "third/inner"}
    assert "+Subproject commit " in (files["third/inner"].patch or "")


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


async def test_a_huge_patch_is_left_out_with_its_numbers_right(shop: Workshop) -> None:
    shop.write("big.txt", "0123456789\n" * 200_000)
    shop.write("line.txt", "x" * 3_000_000)
    shop.write("small.txt", "s\n")
    shop.commit(2, "Big")
    activity = await collected(shop, 2)
    item = activity.items[0]
    assert [(gap.what, item.ref in gap.why) for gap in activity.gaps] == [("patches", True)]
    big, line, small = item.files or ()
    assert (big.patch, big.additions) == (None, 200_000)
    assert (line.patch, line.additions) == (None, 1)
    assert small.patch == "@@ -0,0 +1 @@\n+s"
    assert item.detail_missing == ("patches",)


async def test_thousands_of_files_are_all_told(shop: Workshop) -> None:
    for number in range(2788):
        shop.write(f"d{number % 50}/f{number}.txt", f"{number}\n")
    shop.commit(2, "Many")
    files = (await collected(shop, 2)).items[0].files or ()
    assert len(files) == 2788
    assert all(change.patch is not None for change in files)


async def test_an_empty_commit_has_no_files_and_an_empty_message_a_title(shop: Workshop) -> None:
    shop.change(1)
    sha = shop.commit(2, "", "--allow-empty-message")
    item = (await collected(shop, 2)).items[0]
    assert (item.files, item.title, item.detail_missing) == ((), sha[:7], ())


async def test_bots_are_known_by_name(shop: Workshop) -> None:
    for author in ("dependabot[bot]", "github-actions", "Robot Smith"):
        shop.change(2, f"By {author}", author=author)
    items = (await collected(shop, 2)).items
    assert [item.author_is_bot for item in items] == [True, True, False]


async def test_later_commits_are_told_without_patches_up_to_now(shop: Workshop) -> None:
    first = shop.change(2)
    revert = shop.change(20, f'Revert "Change"\n\nThis reverts commit {first}.')
    shop.change("2026-03-01T13:00:00Z", "After now")
    activity = await collected(shop, 2)
    assert shas(activity.later) == [revert]
    assert activity.later[0].files is None
    assert activity.later[0].detail_missing == ("files", "patches")
    assert first in activity.later[0].body


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


async def test_links_and_numbers_come_from_a_remote_alone(shop: Workshop) -> None:
    sha = shop.change(2, "Mend it (#12)\n\nFixes #7")
    shop("tag", "v1.0")
    item = item_of(await collected(shop, 2), sha)
    assert (item.url, item.pull_request, item.title) == ("", None, "Mend it (#12)")
    shop("remote", "add", "origin", "https://token:secret@github.com/example-org/turbine.git")
    activity = await collected(shop, 2)
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
    assert (activity.items, activity.head, activity.gaps) == ((), "", ())
    with pytest.raises(NotFound):
        await source(shop.folder).find(REPO, "#1")


async def test_a_head_that_names_no_branch_says_so(shop: Workshop) -> None:
    shop.change(2)
    shop("symbolic-ref", "HEAD", "refs/heads/gone")
    with pytest.raises(CouldNotLook, match="'gone' does not exist"):
        await collected(shop, 2)


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


async def test_a_detached_head_without_remote_is_read(shop: Workshop) -> None:
    sha = shop.change(2)
    shop("checkout", "-q", "--detach")
    assert (await collected(shop, 2)).head == sha


async def test_a_bare_repository_is_read(shop: Workshop, tmp_path: Path) -> None:
    sha = shop.change(2)
    shop("clone", "-q", "--bare", str(shop.folder), str(tmp_path / "bare.git"))
    activity = await source(tmp_path / "bare.git").collect(REPO, february(2))
    assert shas(activity.items) == [sha]


async def test_a_shallow_clone_says_that_it_is_shallow(shop: Workshop, tmp_path: Path) -> None:
    shop.change(2)
    last = shop.change(2, "Last")
    shop("clone", "-q", "--depth", "1", f"file://{shop.folder}", str(tmp_path / "shallow"))
    activity = await source(tmp_path / "shallow").collect(REPO, february(2))
    assert shas(activity.items) == [last]
    assert activity.items[0].files is None
    assert activity.gaps[0].what == "commits"
    assert "shallow" in activity.gaps[0].why


async def test_a_url_is_mirrored_and_fetched_again(shop: Workshop, tmp_path: Path) -> None:
    first = shop.change(2)
    cache = tmp_path / "cache" / "git"
    remote = source(f"file://{shop.folder}", cache)
    assert shas((await remote.collect(REPO, february(2))).items) == [first]
    second = shop.change(2, "Second")
    activity = await remote.collect(REPO, february(2))
    assert (shas(activity.items), activity.notices) == ([first, second], ())
    (mirror,) = cache.iterdir()
    assert "file://" not in (mirror / "config").read_text()
    assert (await remote.find(REPO, second[:8])).commits == (second,)


async def test_a_forced_push_and_another_default_branch_are_noticed(
    shop: Workshop, tmp_path: Path
) -> None:
    first = shop.change(2)
    gone = shop.change(3)
    remote = source(f"file://{shop.folder}", tmp_path / "cache")
    await remote.collect(REPO, february(2))
    shop("reset", "-q", "--hard", first)
    new = shop.change(4)
    (notice,) = (await remote.collect(REPO, february(2))).notices
    assert (notice.kind, notice.before, notice.after) == (NoticeKind.FORCED_PUSH, gone, new)
    shop("branch", "-q", "-m", "main", "trunk")
    activity = await remote.collect(REPO, february(2))
    (notice,) = activity.notices
    assert notice.kind is NoticeKind.DEFAULT_BRANCH_CHANGED
    assert (notice.before, notice.after, activity.default_branch) == ("main", "trunk", "trunk")


async def test_a_server_of_plain_files_is_mirrored(shop: Workshop, tmp_path: Path) -> None:
    sha = shop.change(2)
    shop("branch", "-q", "-m", "main", "trunk")
    shop("update-server-info")
    site = web.Application()
    site.router.add_static("/o/n.git", shop.folder / ".git")
    async with TestServer(site, host="127.0.0.1") as server:
        remote = source(str(server.make_url("/o/n.git")), tmp_path / "c")
        assert await remote.name() == Repo("o", "n")
        activity = await remote.collect(REPO, february(2))
    assert (shas(activity.items), activity.default_branch) == ([sha], "trunk")
    assert activity.items[0].url == ""


async def test_an_address_that_does_not_exist_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="there is no repository at"):
        await source(f"file://{tmp_path}/none", tmp_path / "c").collect(REPO, february(2))
    assert list((tmp_path / "c").iterdir()) == []


async def test_a_server_that_refuses_is_unreachable_and_no_password_is_shown(
    tmp_path: Path,
) -> None:
    remote = source("http://me:secret@127.0.0.1:1/a/b.git", tmp_path / "c")
    with pytest.raises(Unreachable, match=r"http://127\.0\.0\.1:1/a/b\.git does not") as caught:
        await remote.collect(REPO, february(2))
    assert "secret" not in str(caught.value)


async def test_a_mirror_tells_what_it_has_when_the_server_is_gone(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "turbine")
    sha = shop.change(2)
    url = "http://127.0.0.1:1/a/b.git"
    git = GitProcess({"PATH": os.environ["PATH"], **ISOLATED})
    folder = mirror_folder(url, tmp_path / "c")
    folder.parent.mkdir()
    await git.run(["clone", "-q", "--bare", str(shop.folder), str(folder)], at=tmp_path)
    activity = await source(url, tmp_path / "c").collect(REPO, february(2))
    assert shas(activity.items) == [sha]
    assert activity.gaps[0].what == "commits"
    assert "fetched before" in activity.gaps[0].why


async def test_a_cache_folder_that_cannot_be_made_says_so(shop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed, match="cannot write to"):
        await source(f"file://{shop.folder}", tmp_path / "file" / "c").collect(REPO, february(2))


@pytest.mark.parametrize("name", ["none", "file", "empty", "a" * 5000])
async def test_a_path_that_is_no_repository_is_not_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound):
        await source(tmp_path / name).collect(REPO, february(2))


@pytest.mark.parametrize(
    "location", ["", " ", "--upload-pack=x", "ext::sh -c x", "fd::17", "ftp://x/y", "a\0b", "a\nb"]
)
def test_a_dangerous_or_senseless_location_is_refused(location: str) -> None:
    with pytest.raises(UsageError):
        source(location)


async def test_without_git_it_says_how_to_get_it(shop: Workshop, tmp_path: Path) -> None:
    without = Git(
        str(shop.folder),
        cache_dir=tmp_path,
        clock=lambda: NOW,
        progress=lambda line: None,
        environment={"PATH": str(tmp_path)},
    )
    with pytest.raises(ConfigurationError, match="git is not installed"):
        await without.collect(REPO, february(2))


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
    for ref in ("#99", "ffffffff", "v2", "", "-x", "a b", "refs/heads/main", "*"):
        with pytest.raises(NotFound):
            await git.find(REPO, ref)


async def test_hooks_and_configured_programs_never_run(shop: Workshop, tmp_path: Path) -> None:
    shop.write("a.txt", "a\n")
    shop.commit(2, "Begin")
    trace = tmp_path / "trace"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {trace}\n")
    program.chmod(0o755)
    for name in ("diff.external", "core.pager", "core.fsmonitor", "diff.x.textconv"):
        shop("config", name, str(program))
    (shop.folder / ".git/info/attributes").write_text("* diff=x\n")
    (shop.folder / ".git/hooks").mkdir(exist_ok=True)
    (change,) = (await collected(shop, 2)).items[0].files or ()
    assert change.patch == "@@ -0,0 +1 @@\n+a"
    assert not trace.exists()


def speaking(folder: Path, written: str) -> dict[str, str]:
    """Give an environment in which git asks a server, or opens a folder, in vain."""
    (folder / "bin").mkdir()
    program = folder / "bin" / "git"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *ls-remote*|*absolute-git-dir*) ;; *) exit 0;; esac\n'
        f"cat >&2 <<'END'\n{written}\nEND\nexit 128\n"
    )
    program.chmod(0o755)
    return {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("written", "error", "sentence"),
    [
        (
            "fatal: could not read Username for 'https://x.org': terminal prompts disabled",
            Forbidden,
            "needs a login",
        ),
        (
            "git@x.org: Permission denied (publickey).\n"
            "fatal: Could not read from remote repository.\n\nPlease make sure",
            Forbidden,
            "needs a login",
        ),
        (
            "ERROR: Repository not found.\nfatal: Could not read from remote repository.",
            NotFound,
            "there is no repository at",
        ),
        (
            "fatal: unable to access 'https://me:pw@x.org/a/b/': Could not resolve host: x.org",
            Unreachable,
            "does not answer",
        ),
        (
            "error: cannot run ssh: No such file or directory\nfatal: unable to fork",
            ConfigurationError,
            "git needs a further program for https://x.org/a/b: cannot run ssh",
        ),
        ("fatal: \x1b[31msomething\x1b[0m else", CouldNotLook, "could not be fetched"),
        ("", CouldNotLook, "no reason given"),
    ],
)
async def test_a_server_that_refuses_is_told_in_one_sentence(
    tmp_path: Path, written: str, error: type[InfraError], sentence: str
) -> None:
    git = Git(
        "https://me:pw@x.org/a/b",
        cache_dir=tmp_path / "c",
        clock=lambda: NOW,
        progress=lambda line: None,
        environment=speaking(tmp_path, written),
    )
    with pytest.raises(error, match=sentence) as caught:
        await git.collect(REPO, february(2))
    assert type(caught.value) is error
    assert str(caught.value).isprintable()
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "error", "sentence"),
    [
        (
            "fatal: detected dubious ownership in repository at '/x'\nTo add an exception",
            Forbidden,
            "belongs to another user",
        ),
        ("fatal: bad config line 1 in file config", CouldNotLook, "bad config line 1"),
    ],
)
async def test_a_folder_that_git_will_not_open_is_told_in_one_sentence(
    tmp_path: Path, written: str, error: type[CouldNotLook], sentence: str
) -> None:
    git = Git(
        str(tmp_path),
        cache_dir=tmp_path / "c",
        clock=lambda: NOW,
        progress=lambda line: None,
        environment=speaking(tmp_path, written),
    )
    with pytest.raises(error, match=sentence):
        await git.name()


async def test_a_path_of_nobodys_home_is_not_found() -> None:
    with pytest.raises(NotFound):
        await source("~nobody-of-this-name/x").collect(REPO, february(2))


def _written(file: Path) -> bool:
    return file.exists() and bool(file.read_text().strip())


async def test_a_stopped_collection_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nsleep 60\n")
    (tmp_path / "git").chmod(0o755)
    git = GitProcess({"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    task = asyncio.create_task(git.run(["log"], at=tmp_path))
    while not _written(tmp_path / "pid"):  # noqa: ASYNC110 - a script cannot set an event
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


async def test_git_that_hangs_is_ended_and_said(tmp_path: Path) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nsleep 60\n")
    slow.chmod(0o755)
    git = GitProcess({"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    async with asyncio.timeout(10):
        with pytest.raises(Unreachable, match="git fetch did not end within"):
            await git.run(["fetch"], at=tmp_path, seconds=0.2)


def test_the_limit_of_a_window_leaves_out_only_further_patches() -> None:
    sha = "a" * 40
    listing = f"{sha}\0:1 1 1 1 M\0x\0:1 1 1 1 M\0y\x001\t0\tx\x001\t0\ty\0\0".encode()
    files = read_files(listing)[sha]
    reader = PatchReader(window_limit=40)
    first = "diff --git a/x b/x\n@@ -1 +1 @@\n+1\n"
    text = f"{sha}\n{first}diff --git a/y b/y\n@@ -1 +1 @@\n+{'2' * 40}\n"
    for letter in text:
        reader.take(letter.encode())
    attached = reader.attach(sha, files)
    assert attached is not None
    assert [change.patch for change in attached] == ["@@ -1 +1 @@\n+1", None]
    assert reader.left_out(sha)


def test_patches_that_do_not_match_the_files_are_not_attached() -> None:
    sha = "a" * 40
    reader = PatchReader()
    reader.take(f"{sha}\ndiff --git a/x b/x\n".encode())
    assert reader.attach(sha, ()) is None


@pytest.mark.parametrize("listing", [b":1 1 1 1 M\0", b"%s\x001\t1\tx\0" % (b"a" * 40), b"x\0"])
def test_a_cut_list_of_files_is_a_bad_answer(listing: bytes) -> None:
    with pytest.raises(CouldNotLook, match="cut or foreign"):
        read_files(listing)
