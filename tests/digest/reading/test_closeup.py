"""One item is looked at with those that speak of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.closeup import answers_to, as_change, close_up, speaks_of
from digest.reading.reader import read

TURBINE = Repo("example-org", "turbine")
NOON = datetime(2026, 2, 11, 12, tzinfo=UTC)


def pull(number: int, title: str = "", **more) -> Item:
    item = Item(
        key=f"{TURBINE}:pull_request:{number}",
        repo=TURBINE,
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        title=title or f"Change the blade of part {number}",
        url=f"https://github.com/{TURBINE}/pull/{number}",
        author="ada",
        at=NOON + timedelta(minutes=number),
        state=State.MERGED,
        number=number,
        commits=(f"{number:x}".rjust(40, "abcdef"[number % 6]),),
        files=(FileChange("a.py", "modified", 1, 1, "@@ -1 +1 @@\n-a\n+b"),),
    )
    return replace(item, **more)


@pytest.mark.parametrize(
    ("ref", "means_it"),
    [
        ("7", True),
        ("#7", True),
        (" #7 ", True),
        ("70", False),
        ("bbbb", True),
        ("BBBBBBB", True),
        ("bbb", False),
        ("cccc", False),
        ("", False),
    ],
)
def test_an_item_answers_to_its_number_and_its_commits(ref: str, means_it: bool) -> None:
    assert answers_to(pull(7), ref) is means_it


def test_items_speak_of_each_other_by_number_sha_title_and_change() -> None:
    one = pull(1)

    assert speaks_of(pull(2, body="Follow-up of #1"), one)
    assert speaks_of(pull(2, closes=(1,)), one)
    assert speaks_of(pull(2, body=f"This reverts commit {one.commits[0][:12]}."), one)
    assert speaks_of(pull(2, f'Revert "{one.title}"'), one)
    assert speaks_of(pull(2, pull_request=1), one)
    assert speaks_of(pull(2, commits=one.commits), one)
    assert not speaks_of(pull(2), one)
    assert not speaks_of(pull(2, "Fix the tests"), pull(3, "Fix"))
    assert not speaks_of(pull(2), replace(pull(3), number=None, kind=Kind.RELEASE))


def test_only_the_same_change_keeps_its_hunks() -> None:
    one = pull(1)
    own_commit = replace(one, key="c", kind=Kind.COMMIT, number=None, pull_request=1)
    other = pull(2, body="See #1")
    stranger = pull(3)

    near = close_up(one, [one, own_commit, other, stranger], NOON, "github")

    assert [item.key for item in near.items] == [one.key, own_commit.key, other.key]
    assert [item.files[0].patch is None for item in near.items if item.files] == [
        False,
        False,
        True,
    ]
    assert all(item.at in near.window for item in near.items)


def test_a_commit_is_told_by_the_pull_request_that_it_was_folded_into() -> None:
    one = pull(1)
    commit = replace(one, key="c", kind=Kind.COMMIT, ref="abc", number=None, pull_request=1)

    change = as_change(read(close_up(commit, [one], NOON, "github")), commit)

    assert change is not None
    assert change.read.item.ref == "#1"
