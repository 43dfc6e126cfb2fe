"""How git is run, and what happens where it cannot be."""

import asyncio
import os
from pathlib import Path

import pytest

from digest.errors import (
    ConfigurationError,
    CouldNotLook,
    Forbidden,
    NotFound,
    Unreachable,
    UsageError,
)
from digest.sources.git.process import GitProcess
from digest.sources.git.source import Git
from tests.conftest import PATIENCE
from tests.digest.sources.git.workshop import (
    NOW,
    REPO,
    Workshop,
    collected,
    february,
    source,
    speaking,
)


@pytest.mark.parametrize("name", ["none", "file", "empty", "a" * 5000])
async def test_a_path_that_is_no_repository_is_not_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound):
        await source(tmp_path / name).collect(REPO, february(2))


@pytest.mark.parametrize(
    "location",
    [
        "",
        " ",
        "--upload-pack=x",
        "ext::sh -c x",
        "fd::17",
        "ftp://me:s3cret@s3cret@x/y",
        "a\0b",
        "a\nb",
    ],
)
def test_a_dangerous_or_senseless_location_is_refused(location: str) -> None:
    with pytest.raises(UsageError) as caught:
        source(location)
    assert "s3cret" not in str(caught.value)


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


def _written(file: Path) -> bool:
    return file.exists() and bool(file.read_text().strip())


async def test_a_stopped_collection_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nsleep 60\n")
    (tmp_path / "git").chmod(0o755)
    git = GitProcess({"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    task = asyncio.create_task(git.run(["log"], at=tmp_path))
    while not _written(tmp_path / "pid"):
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
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Unreachable, match="git fetch did not end within"):
            await git.run(["fetch"], at=tmp_path, seconds=0.2)
