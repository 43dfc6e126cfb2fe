"""Clone URLs: mirrored, fetched again, refused."""

import os
from pathlib import Path

import pytest

from digest.errors import (
    ConfigurationError,
    CouldNotLook,
    Forbidden,
    InfraError,
    NotFound,
    StoreFailed,
    Unreachable,
)
from digest.models import Notice, NoticeKind
from digest.ports import Seen
from digest.sources.git.mirror import mirror_folder
from digest.sources.git.process import GitProcess
from digest.sources.git.source import Git
from tests.digest.sources.git.workshop import (
    ISOLATED,
    NOW,
    REPO,
    Workshop,
    february,
    shas,
    source,
    speaking,
)
from tests.phrases import english


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
    shop("checkout", "-q", "--orphan", "trunk")
    shop("branch", "-q", "-D", "main")
    shop.change(4)
    later = source(f"file://{shop.folder}", cache, seen=Seen("main", second, NOW))
    activity = await later.collect(REPO, february(2, 4))
    (notice,) = activity.notices
    assert (notice.before, notice.after, activity.default_branch) == ("main", "trunk", "trunk")


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
    assert "fetched before" in english(activity.gaps[0].why)


async def test_a_cache_folder_that_cannot_be_made_says_so(shop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed, match="cannot write to"):
        await source(f"file://{shop.folder}", tmp_path / "file" / "c").collect(REPO, february(2))


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
        (
            "fatal: write error: No space left on device\nfatal: fetch-pack: invalid output",
            StoreFailed,
            "disk is full",
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


async def test_a_damaged_mirror_is_made_anew_and_nothing_above_it_is_touched(
    shop: Workshop, tmp_path: Path
) -> None:
    sha = shop.change(2)
    home = Workshop(tmp_path / "home")
    own = home.change(2)
    url, cache = f"file://{shop.folder}", home.folder / "cache"
    await source(url, cache).collect(REPO, february(2))
    (mirror_folder(url, cache) / "HEAD").write_text("")

    activity = await source(url, cache).collect(REPO, february(2))

    assert shas(activity.items) == [sha]
    assert all(gap.lasting for gap in activity.gaps)
    assert home("rev-parse", "main") == own


async def test_a_rewritten_local_history_is_noticed_by_what_was_stored(shop: Workshop) -> None:
    first = shop.change(2)
    gone = shop.change(3)
    shop("reset", "-q", "--hard", first)
    new = shop.change(4)

    async def notices(branch: str, head: str) -> tuple[Notice, ...]:
        git = source(shop.folder, seen=Seen(branch, head, NOW))
        return (await git.collect(REPO, february(2, 5))).notices

    assert await notices("main", first) == ()
    assert await notices("main", gone) == (Notice(NoticeKind.FORCED_PUSH, gone, new),)
    assert await notices("main", "a" * 40) == (Notice(NoticeKind.FORCED_PUSH, "a" * 40, new),)
    changed = Notice(NoticeKind.DEFAULT_BRANCH_CHANGED, "master", "main")
    assert await notices("master", gone) == (changed,)
