"""Defaults of commands of a package that are no server."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.facts import FactKind
from digest.models import Item, Repo
from digest.reading.interfaces.commands import command_facts
from digest.reading.reader import read
from tests.digest.reading.interfaces.changed import item_of

PATH = "rocket/benchmarks/long_launch.py"
ADDS = (
    "def add_cli_args(parser):\n    parser.add_argument('--quiet')\n    parser.add_argument(\n"
    "        '--runs',\n        type=int,\n        default={},\n"
    "        help='How many (see docs)',\n    )\n"
    "    parser.add_argument(\n        '--out',\n    )\n    return parser\n"
)


def change(path: str, before: str, after: str, repo: str = "rocket") -> Item:
    """Make a change whose patch names the function of each hunk, as git does."""
    item = item_of({path: before}, {path: after}, repo=Repo("example", repo))
    (file,) = item.files or ()
    section = before.partition("\n")[0]
    return replace(
        item, files=(replace(file, patch=f"{file.patch}".replace(" @@\n", f" @@ {section}\n")),)
    )


def told(path: str, before: str, after: str, repo: str = "rocket") -> list[tuple[Any, ...]]:
    found = list(command_facts(change(path, before, after, repo)))
    assert not any(fact.must_act for fact in found)
    assert all(
        fact.evidence[0].quote in before and fact.evidence[1].quote in after for fact in found
    )
    return [(fact.name, fact.before, fact.after) for fact in found]


def test_a_default_of_a_command_is_told_with_the_command() -> None:
    expected = [("rocket bench long-launch --runs", "5", "3")]
    assert told(PATH, ADDS.format(5), ADDS.format(3)) == expected


@pytest.mark.parametrize(
    ("path", "before", "after", "repo"),
    [
        ("benchmarks/long_launch.py", ADDS.format(5), ADDS.format(3), "rocket"),
        ("rocket/benchmarks/more/launch.py", ADDS.format(5), ADDS.format(3), "rocket"),
        ("tools/benchmarks/launch.py", ADDS.format(5), ADDS.format(3), "rocket"),
        (PATH, ADDS.format(5), ADDS.format(3), "other"),
        (PATH, ADDS.format(5), ADDS.format("RUNS"), "rocket"),
        (PATH, ADDS.format('"a"'), ADDS.format("'a'"), "rocket"),
        (PATH, ADDS.format(5).replace("add_cli_args", "main"), ADDS.format(3), "rocket"),
    ],
)
def test_nothing_is_told_of_scripts_of_others_and_of_what_is_the_same(
    path: str, before: str, after: str, repo: str
) -> None:
    if "def main" in before:
        after = after.replace("add_cli_args", "main")
    assert told(path, before, after, repo) == []


def test_a_default_of_a_command_makes_no_change_weightier(activity: Callable[..., Any]) -> None:
    item = change(PATH, ADDS.format(5), ADDS.format(3))
    reading = read(activity([item]))
    assert [fact.name for fact in reading.facts if fact.kind is FactKind.INTERFACE] == [
        "rocket bench long-launch --runs"
    ]
    same = replace(item, files=tuple(replace(file, patch="") for file in item.files or ()))
    (plain,) = read(activity([same])).items
    (shown,) = reading.items
    assert shown.importance is plain.importance
    assert shown.reasons == plain.reasons
