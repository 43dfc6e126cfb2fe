from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.models import Repo, UpgradeNote
from digest.reading.reader import read
from digest.reading.relations import closed_issues, cross_repo, package_repo, relate, series

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("Fixes #4", (4,)),
        ("closes: #4, #5 and #6", (4, 5, 6)),
        ("Resolved example/engine#4 and fixes other/place#5", (4,)),
        ("Fix https://github.com/example/engine/issues/12.", (12,)),
        ("See #4", ()),
        ("<!-- Fixes #4 -->\n```\nfixes #5\n```", ()),
        ("Fixes #", ()),
    ],
)
def test_closed_issues_are_those_that_merging_closes(
    pull: Make, body: str, numbers: tuple[int, ...]
) -> None:
    assert closed_issues(pull(1, body=body)) == numbers


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[1/3] Paged cache: split the table", ("Paged cache", 1, 3)),
        ("Paged cache: share pages (2/3)", ("Paged cache", 2, 3)),
        ("[MoE Refactor 2/N] Move experts", ("MoE Refactor", 2, 0)),
        ("[Kernel][4/n] Add silu", ("Add silu", 4, 0)),
        ("[4/3] Too many", None),
        ("[0/3] None", None),
        ("Add 2/3 of it", None),
        ("Add a queue", None),
    ],
)
def test_a_series_is_read_from_the_title(
    pull: Make, title: str, expected: tuple[str, int, int] | None
) -> None:
    assert series(pull(1, title)) == expected


def test_items_that_name_each_other_are_related_both_ways(pull: Make, issue: Make) -> None:
    one = pull(1, body="On top of #2.", commits=("abcdef1234567",))
    two = pull(2)
    three = issue(3, body="Broken since abcdef12345")
    four = issue(4, body="https://github.com/example/engine/pull/2 and other/place#1")
    links = relate([one, two, three, four], {}, {})
    assert links[one.key] == (three.key, two.key)
    assert links[two.key] == (four.key, one.key)
    assert links[three.key] == (one.key,)


def test_a_long_series_relates_neighbours_only(pull: Make) -> None:
    items = [pull(n, f"[{n}/N] Cache: step") for n in range(1, 40)]
    serial = {item.key: found for item in items if (found := series(item))}
    links = relate(items, serial, {})
    assert len(links[items[20].key]) == 2


def test_duplicate_issues_are_related_by_state_and_by_title(issue: Make) -> None:
    one = issue(1, "Server hangs on start")
    two = issue(2, "On start: server hangs")
    three = issue(3, "Same", duplicate_of=1)
    links = relate([one, two, three], {}, {})
    assert links[one.key] == (two.key, three.key)


@pytest.mark.parametrize(
    ("name", "repo"),
    [
        ("flashinfer-python", Repo("flashinfer-ai", "flashinfer")),
        ("deep_gemm", Repo("deepseek-ai", "DeepGEMM")),
        ("3rdparty/cutlass", Repo("NVIDIA", "cutlass")),
        ("flash_attn", Repo("Dao-AILab", "flash-attention")),
        ("vllm[all]", Repo("vllm-project", "vllm")),
        ("numpy", None),
    ],
)
def test_a_package_leads_to_its_repository(name: str, repo: Repo | None) -> None:
    assert package_repo(name) == repo


def test_a_raised_pin_leads_to_the_release_of_the_other_repository(
    pull: Make, release: Make, activity: Make
) -> None:

    theirs = Repo("flashinfer-ai", "flashinfer")
    tag = replace(release("v0.6.4"), repo=theirs)
    note = UpgradeNote(
        "dependency", "changed", "flashinfer_python", "==0.6.3", "==0.6.4", "a.txt", 1, ("k",)
    )
    other = replace(note, name="numpy")
    missing = replace(note, after="==0.7.0")
    ours = replace(read(activity([pull(1)])), upgrade_notes=(note, other, missing))
    their_reading = replace(read(activity([tag])), repo=theirs, upgrade_notes=(note,))
    found = cross_repo([ours, their_reading])
    assert found == ((note, theirs, tag), (missing, theirs, None))
