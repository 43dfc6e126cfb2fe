"""A public codebase is read in a process that has nobody's keys and may end."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from adapters.wiring import surface_process
from adapters.wiring.surface_process import public_surface
from digest.concern.surface import Surface
from digest.errors import CouldNotLook, Unreachable
from digest.models import Repo
from tests.conftest import PATIENCE
from tests.digest.sources.git.workshop import Workshop

REPO = Repo("owner", "turbine")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    (tmp_path / "owner").mkdir()
    made = Workshop(tmp_path / "owner" / "turbine")
    made.write("plug/a.py", "import vllm.config\n")
    made.commit(1, "One")
    return made


async def read(tmp_path: Path, repo: Repo = REPO, seconds: float = 60, **limits: int) -> Surface:
    environment = {"PATH": os.environ["PATH"], "SECRET": "x", "PYTHONPATH": os.getcwd()}
    return await public_surface(
        environment,
        str(tmp_path / "cache"),
        repo,
        "vllm",
        base=f"file://{tmp_path}",
        seconds=seconds,
        **limits,
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


async def test_the_last_line_says_why_however_much_is_said_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = 'import sys\nprint("x" * 400_000, "infra: why", sep="\\n", file=sys.stderr)\nsys.exit(2)'
    monkeypatch.setattr(surface_process, "_LIMITED", said)
    with pytest.raises(CouldNotLook, match=r": why$"):
        await asyncio.wait_for(read(tmp_path), PATIENCE)


async def test_what_takes_too_much_memory_or_disk_is_ended_and_leaves_nothing(
    shop: Workshop, tmp_path: Path
) -> None:
    (shop.folder / "noise.bin").write_bytes(os.urandom(3 << 20))
    shop("add", ".")
    shop.commit(2, "Two")
    for limits in ({"disk": 1 << 20}, {"memory": 64 << 20}, {"memory": 96 << 20}):
        with pytest.raises(CouldNotLook, match="too large to be read here") as caught:
            await read(tmp_path, **limits)
        assert "\n" not in str(caught.value)
    assert list((tmp_path / "cache").iterdir()) == []


async def test_links_out_of_a_codebase_and_its_hooks_do_nothing(
    shop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "secret.py").write_text("import vllm.secret\n")
    for name, target in {
        "out.py": tmp_path / "secret.py",
        "up.py": Path("../../secret.py"),
        "round": Path("."),
        "all": Path("/"),
    }.items():
        (shop.folder / name).symlink_to(target)
    hook = shop.folder / ".githooks" / "post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    shop.write(".gitattributes", "*.py filter=evil\n")
    shop.write(
        ".gitmodules",
        f'[submodule "x"]\npath = x\nurl = {tmp_path}\nupdate = !touch {tmp_path}/ran\n',
    )
    shop("add", "-A")
    shop.commit(2, "Two")

    found = await read(tmp_path)

    assert [use.name for use in found.uses] == ["vllm.config"]
    assert [one.why for one in found.problems] == ["symbolic links are not followed (4)"]
    assert not (tmp_path / "ran").exists()
