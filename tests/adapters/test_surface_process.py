"""A public codebase is read in a process that has nobody's keys and may end."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from adapters.wiring.surface_process import public_surface
from digest.concern.surface import Surface
from digest.errors import CouldNotLook, Unreachable
from digest.models import Repo
from tests.digest.sources.git.workshop import Workshop

REPO = Repo("owner", "turbine")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    (tmp_path / "owner").mkdir()
    made = Workshop(tmp_path / "owner" / "turbine")
    made.write("plug/a.py", "import vllm.config\n")
    made.commit(1, "One")
    return made


async def read(tmp_path: Path, repo: Repo = REPO, seconds: float = 60) -> Surface:
    environment = {"PATH": os.environ["PATH"], "SECRET": "x", "PYTHONPATH": os.getcwd()}
    return await public_surface(
        environment,
        str(tmp_path / "cache"),
        repo,
        "vllm",
        base=f"file://{tmp_path}",
        seconds=seconds,
    )


async def test_it_gives_the_surface(shop: Workshop, tmp_path: Path) -> None:
    found = await read(tmp_path)

    assert found.of == "vllm-project/vllm"
    assert found.source.commit == shop("rev-parse", "HEAD")
    assert [use.name for use in found.uses] == ["vllm.config"]


async def test_a_reader_that_is_stopped_leaves_nothing_behind(
    shop: Workshop, tmp_path: Path
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    git = shutil.which("git")
    slow.write_text(f'#!/bin/sh\ncase "$*" in *fetch*) exec sleep 60;; esac\nexec {git} "$@"\n')
    slow.chmod(0o755)
    environment = {"PATH": f"{slow.parent}:{os.environ['PATH']}", "PYTHONPATH": os.getcwd()}
    cache = tmp_path / "cache"

    reading = asyncio.create_task(
        public_surface(environment, str(cache), REPO, "vllm", base=f"file://{tmp_path}")
    )
    while not list(cache.glob("**/codebase-*/HEAD")):
        await asyncio.sleep(0.05)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    assert list(cache.iterdir()) == []


async def test_what_cannot_be_read_is_told_in_one_line(shop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(CouldNotLook, match="there is no repository at") as caught:
        await read(tmp_path, Repo("owner", "gone"))
    assert "\n" not in str(caught.value)
    with pytest.raises(Unreachable, match="within"):
        await read(tmp_path, seconds=0.01)
    shop.write("plug/a.py", "import torch\n")
    shop.commit(2, "Two")
    with pytest.raises(CouldNotLook, match="nothing of vllm-project/vllm is used here"):
        await read(tmp_path)
