"""Files and patches of all kinds, from real repositories."""

import os

import pytest

from digest.errors import CouldNotLook
from digest.models import FileAt
from digest.sources.git.history import History, read_files
from tests.digest.sources.git.workshop import REPO, Workshop, collected, source
from tests.phrases import english


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


@pytest.mark.parametrize("listing", [b":1 1 1 1 M\0", b"%s\x001\t1\tx\0" % (b"a" * 40), b"x\0"])
def test_a_cut_list_of_files_is_a_bad_answer(listing: bytes) -> None:
    with pytest.raises(CouldNotLook, match="cut or foreign"):
        read_files(listing)


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
