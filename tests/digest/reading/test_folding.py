from collections.abc import Callable
from typing import Any

from digest.models import FileChange, Kind
from digest.reading.folding import fold

Make = Callable[..., Any]


def test_a_squash_commit_goes_into_its_pull_request(commit: Make, pull: Make) -> None:
    one = commit("a1", "Add a queue (#7)", pull_request=7, files=["engine/queue.py"])
    (told,) = fold([one, pull(7, "Add a queue", files=None)])
    assert told.kind is Kind.PULL_REQUEST
    assert told.commits == one.commits
    assert told.files == one.files
    assert told.additions == 5


def test_a_squash_commit_without_its_pull_request_becomes_it(commit: Make) -> None:
    (told,) = fold([commit("a1", "Add a queue (#7)", body="Why: it was slow.")])
    assert told.key == "example/engine:pull_request:7"
    assert (told.kind, told.ref, told.number) == (Kind.PULL_REQUEST, "#7", 7)
    assert told.title == "Add a queue"
    assert told.url == "https://github.com/example/engine/pull/7"
    assert told.body == "Why: it was slow."


def test_all_commits_of_a_merge_are_one_change(commit: Make, pull: Make) -> None:
    before = commit("a0", "Earlier", hour=1)
    first = commit("a1", "Watch", hour=2, parents=before.commits)
    second = commit("a2", "Swap", hour=2.5, parents=first.commits)
    merge = commit(
        "a3",
        "Merge pull request #9 from ada/reload",
        hour=3,
        parents=(*before.commits, *second.commits),
    )
    told = fold([second, merge, pull(9, "Reload", hour=3), first, before])
    assert [item.ref for item in told] == ["a000000", "#9"]
    assert told[1].commits == (*first.commits, *second.commits, *merge.commits)


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


def test_a_number_that_is_an_issue_makes_no_pull_request(commit: Make, issue: Make) -> None:
    told = fold([commit("a1", "Mend the queue (#4)"), issue(4)])
    assert sorted(item.kind for item in told) == [Kind.COMMIT, Kind.ISSUE]


def test_a_revert_that_names_its_original_is_not_folded_into_it(commit: Make) -> None:
    told = fold([commit("a1", "Log more (#7)"), commit("a2", 'Revert "Log more" (#7)', hour=2)])
    assert [item.ref for item in told] == ["#7", "a200000"]


def test_a_forge_that_counts_issues_that_way_keeps_its_commits(commit: Make) -> None:
    url = "https://gitlab.example/a/b/-/commit/a1"
    (told,) = fold([commit("a1", "Mend (#4)", url=url)])
    assert told.kind is Kind.COMMIT


def test_patches_come_from_the_commit_where_the_pull_request_has_none(
    commit: Make, pull: Make
) -> None:
    patched = FileChange("a.py", "modified", 1, 1, "@@ -1 +1 @@")
    one = commit("a1", "Mend (#7)", files=[patched])
    (told,) = fold([one, pull(7, files=[FileChange("a.py", "modified", 1, 1)])])
    assert told.files == (patched,)


def test_a_fact_given_twice_is_told_once(commit: Make, pull: Make) -> None:
    one = commit("a1")
    both = fold([one, one, pull(3), pull(3)])
    assert len(both) == 2


def test_shas_that_two_pull_requests_claim_stand_once(pull: Make) -> None:
    told = fold([pull(1, commits=("a", "b")), pull(2, hour=2, commits=("b", "c"))])
    assert [item.commits for item in told] == [("a", "b"), ("c",)]


def test_a_merge_of_the_main_branch_adds_no_files_to_a_change(commit: Make) -> None:
    own = commit("aa", "Add a pump (#7)", files=["engine/pump.py"], pull_request=7)
    merge = commit(
        "bb",
        "Merge branch 'main' into pump",
        hour=2,
        files=["engine/other.py"],
        parents=("a" * 40, "c" * 40),
        pull_request=7,
    )
    (told,) = fold([own, merge])
    assert [file.path for file in told.files] == ["engine/pump.py"]
    assert len(told.commits) == 2
