"""Whole files at commits, read by one run of git."""

import pytest

from digest.models import FileAt, Repo
from digest.sources.git.blobs import BlobReader, question
from tests.digest.sources.git.workshop import Workshop, source

REPO = Repo("example-org", "turbine")
NOWHERE = "0" * 40


async def test_files_are_given_as_they_stood(shop: Workshop) -> None:
    shop.write("src/a.py", "one\n")
    shop.write("none.bin", "a\0b")
    first = shop.commit(2, "Begin")
    shop.write("src/a.py", "two\nthrée\n")
    second = shop.commit(3, "Go on")
    files = [
        FileAt(first, "src/a.py"),
        FileAt(second, "src/a.py"),
        FileAt(second, "src/b.py"),
        FileAt(second, "src"),
        FileAt(second, "none.bin"),
        FileAt(NOWHERE, "src/a.py"),
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


async def test_nothing_is_asked_for_nothing(shop: Workshop) -> None:
    shop.commit(2, "Begin")
    assert await source(shop.folder).contents(REPO, []) == {}


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_a_file_that_is_too_large_is_absent_however_the_answer_is_cut(size: int) -> None:
    sha = "a" * 40
    files = [FileAt(sha, "small"), FileAt(sha, "large"), FileAt(sha, "gone"), FileAt(sha, "last")]
    output = (
        b"%s commit 3\nabc\n" % sha.encode()
        + b"%s blob 5\none\n\n\n" % (b"b" * 40)
        + b"%s blob 20\n%s\n" % (b"c" * 40, b"x" * 20)
        + b"%s:gone missing\n" % sha.encode()
        + b"%s blob 0\n\n" % (b"d" * 40)
    )
    reader = BlobReader(files, blob_limit=10)
    for start in range(0, len(output), size):
        reader.take(output[start : start + size])
    assert reader.contents() == {files[0]: "one\n\n", files[2]: None, files[3]: ""}
    assert question(files).count(b"\n") == 5
