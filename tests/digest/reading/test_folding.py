from collections.abc import Callable
from typing import Any

from digest.models import FileChange
from digest.reading.folding import fold

Make = Callable[..., Any]


def test_a_merge_whose_pull_request_is_unknown_tells_its_title(commit: Make) -> None:
    base = commit("a0", "Earlier")
    inner = commit("a1", "Step", hour=2, author="eve", parents=base.commits)
    merge = commit(
        "a2",
        "Merge pull request #9 from eve/reload",
        hour=3,
        body="Reload adapters\n\nMore words.",
        parents=(*base.commits, *inner.commits),
        files=["engine/a.py"],
    )
    told = fold([base, inner, merge])[-1]
    assert (told.title, told.author, told.merged_by) == ("Reload adapters", "eve", "ada")
    assert told.body == "More words."
    assert told.files == merge.files


def test_rebased_commits_share_their_pull_request_and_their_files(commit: Make) -> None:
    one = commit("a1", "Count", pull_request=5, files=[FileChange("a.py", "added", 1, 0, "@@ 1")])
    two = commit(
        "a2",
        "Measure",
        hour=2,
        pull_request=5,
        files=[FileChange("a.py", "modified", 2, 1, "@@ 2"), FileChange("b.py", "added", 4, 0)],
    )
    (told,) = fold([two, one])
    assert told.title == "Count"
    assert told.files is not None
    assert [(f.path, f.status, f.additions, f.patch) for f in told.files] == [
        ("a.py", "added", 3, "@@ 1\n@@ 2"),
        ("b.py", "added", 4, None),
    ]


def test_a_revert_that_names_its_original_is_not_folded_into_it(commit: Make) -> None:
    told = fold([commit("a1", "Log more (#7)"), commit("a2", 'Revert "Log more" (#7)', hour=2)])
    assert [item.ref for item in told] == ["#7", "a200000"]


def test_patches_come_from_the_commit_where_the_pull_request_has_none(
    commit: Make, pull: Make
) -> None:
    patched = FileChange("a.py", "modified", 1, 1, "@@ -1 +1 @@")
    one = commit("a1", "Mend (#7)", files=[patched])
    (told,) = fold([one, pull(7, files=[FileChange("a.py", "modified", 1, 1)])])
    assert told.files == (patched,)


def test_shas_that_two_pull_requests_claim_stand_once(pull: Make) -> None:
    told = fold([pull(1, commits=("a", "b")), pull(2, hour=2, commits=("b", "c"))])
    assert [item.commits for item in told] == [("a", "b"), ("c",)]
