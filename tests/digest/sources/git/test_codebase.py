"""A codebase is read from git as it is stored, or from a plain folder: nothing of it acts."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from digest.concern.reader import Codebase
from digest.errors import InfraError, NotFound, UsageError
from digest.sources.git import codebase as git_codebase
from digest.sources.git.codebase import codebase
from tests.digest.sources.git.workshop import ISOLATED, Workshop

SHA = "a" * 40


async def read(where: object, tmp_path: Path, revision: str = "") -> Codebase:
    return await codebase(
        str(where),
        revision=revision,
        cache_dir=tmp_path / "cache",
        environment={"PATH": os.environ["PATH"], **ISOLATED},
        progress=lambda _: None,
    )


def trap(shop: Workshop, tmp_path: Path) -> Path:
    """Make everything in a clone that could act leave a mark, and give the place of the mark."""
    mark = tmp_path / "mark"
    script = shop.folder / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)
    for hook in ("post-checkout", "fsmonitor-watchman", "pre-auto-gc"):
        place = shop.folder / ".git" / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(script.read_bytes())
        place.chmod(0o755)
    for name in ("filter.x.smudge", "filter.x.clean", "core.fsmonitor", "core.sshCommand"):
        shop("config", name, str(script))
    return mark


async def test_a_clone_is_read_at_a_revision_without_links_hooks_and_submodules(
    shop: Workshop, tmp_path: Path
) -> None:
    (tmp_path / "secret.py").write_text("import vllm.secret\n")
    shop.write("plug/a.py", "import vllm\n")
    shop.write(".gitattributes", "*.py filter=x\n")
    shop.write("plug/image.png", "no")
    shop.write("plug/large.py", "#" * 1_000_001)
    shop.write("plug/nul.py", b"import vllm\0")
    first = shop.commit(1, "One")
    shop("tag", "v1")
    shop.write("plug/b.py", "import vllm\n")
    (shop.folder / "plug" / "outside.py").symlink_to(tmp_path / "secret.py")
    shop("update-index", "--add", "--cacheinfo", f"160000,{SHA},third/vllm")
    shop("add", "plug")
    shop("commit", "-q", "-m", "Two")
    mark = trap(shop, tmp_path)
    shop.write("plug/uncommitted.py", "import vllm\n")

    now = await read(shop.folder / "plug", tmp_path)
    then = await read(shop.folder, tmp_path, "v1")
    bare = await read(shop.folder / ".git", tmp_path)
    fetched = await read(f"file://{shop.folder}", tmp_path, "v1")

    assert set(now.files) == {"a.py", "b.py"}
    assert {".gitattributes"}.isdisjoint(then.files)
    assert set(then.files) == {"plug/a.py"} == set(fetched.files)
    assert then.source.commit == first == fetched.source.commit
    assert list(bare.links) == [("third/vllm", SHA)]
    assert [str(one.place) for one in then.left_out] == ["plug/large.py"]
    assert any("symbolic links are not followed (1)" in one.why for one in now.left_out)
    assert not mark.exists()
    assert list((tmp_path / "cache").iterdir()) == []


async def test_a_partial_clone_that_names_a_program_starts_none(
    shop: Workshop, tmp_path: Path
) -> None:
    shop.write("a.py", "import vllm\n")
    shop.write("b.py", "import vllm.b\n")
    shop.commit(1, "One")
    gone = shop("rev-parse", "HEAD:b.py")
    mark = trap(shop, tmp_path)
    for name, value in (
        ("remote.x.url", str(tmp_path)),
        ("remote.x.promisor", "true"),
        ("remote.x.uploadpack", str(shop.folder / "evil.sh")),
        ("extensions.partialClone", "x"),
        ("core.repositoryFormatVersion", "1"),
        ("protocol.file.allow", "always"),
    ):
        shop("config", name, value)
    (shop.folder / ".git" / "objects" / gone[:2] / gone[2:]).unlink()

    with suppress(InfraError):
        found = await read(shop.folder, tmp_path)
        assert "b.py" not in found.files
    assert not mark.exists()


async def test_a_folder_that_no_git_keeps_is_read_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    (root / "plug").mkdir(parents=True)
    (root / "plug" / "a.py").write_text("import vllm\n")
    (root / "env").mkdir()
    (root / "env" / "pyvenv.cfg").touch()
    (root / "env" / "vllm.py").write_text("import vllm\n")
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "round").symlink_to(root)
    os.mkfifo(root / "pipe.py")

    found = await read(root, tmp_path)

    assert found.files == {"plug/a.py": "import vllm\n"}
    assert found.source.commit == ""
    assert [one.why for one in found.left_out] == ["symbolic links are not followed (2)"]


async def test_what_is_too_much_is_a_line_for_each_reason(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_codebase, "TOTAL_LIMIT", 1_000_000)
    for number in range(6):
        shop.write(f"a{number}.py", "#" * 400_000)
        shop.write(f"b{number}.py", "#" * 2_000_000)
    shop.commit(1, "One")
    for where in (shop.folder, Path(shutil.copytree(shop.folder, tmp_path / "plain"))):
        found = await read(where, tmp_path)
        assert set(found.files) == {"a0.py", "a1.py"}
        assert [(str(one.place), one.why) for one in found.left_out] == [
            ("a2.py", "is not read, as 1 MB of text came before it, like 3 more"),
            ("b0.py", "is larger than 1,000 kB and not read, like 5 more"),
        ]
        shutil.rmtree(tmp_path / "plain" / ".git", ignore_errors=True)


@pytest.mark.parametrize(
    ("where", "revision", "error"),
    [
        ("--upload-pack=touch x", "", UsageError),
        ("ext::sh -c x", "", UsageError),
        ("ftp://x.org/a", "", UsageError),
        ("nowhere", "", NotFound),
        ("{shop}", "--output=x", UsageError),
        ("{shop}", "v9", NotFound),
        ("file://{shop}", "v9", NotFound),
        ("file://{shop}/no", "", NotFound),
        ("https://localhost:1/a/b", "", InfraError),
    ],
)
async def test_what_cannot_be_read_is_told_in_one_line(
    shop: Workshop, tmp_path: Path, where: str, revision: str, error: type[InfraError]
) -> None:
    shop.change(1)

    with pytest.raises(error) as caught:
        await read(where.format(shop=shop.folder), tmp_path, revision)

    assert "\n" not in str(caught.value)
