"""The demo's recorded day is whole, consistent and invented."""

import re
from pathlib import Path

import pytest

from digest import codec
from digest.models import KNOWN, Activity, Item, Kind

RECORDED = Path(__file__).parents[1] / "adapters" / "terminal" / "demo" / "activity.json"
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@pytest.fixture(scope="module")
def text() -> str:
    return RECORDED.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def activity(text: str) -> Activity:
    return codec.load(Activity, text)


def told(activity: Activity) -> tuple[Item, ...]:
    return activity.items + activity.later


def changes(items: tuple[Item, ...]) -> list[Item]:
    """Pull requests, and commits without one."""
    return [
        item
        for item in items
        if item.kind is Kind.PULL_REQUEST
        or (item.kind is Kind.COMMIT and item.pull_request is None)
    ]


def test_a_hostile_text_of_each_kind_is_there(activity: Activity) -> None:
    titles = [item.title for item in activity.items]
    whole = "\n".join(item.title + item.body for item in activity.items)

    for weapon in (
        "<!channel>",
        "@everyone",
        "<script>",
        "](javascript:",
        "```",
        "\u202e",
        "\u200b",
    ):
        assert weapon in whole, weapon
    assert "ignore all previous instructions" in whole
    assert max(map(len, titles)) >= 3000
    assert "everyone" in {item.author for item in activity.items}
    assert any("\u4e00" <= letter <= "\u9fff" for title in titles for letter in title)


def test_no_real_repository_is_named(text: str) -> None:
    sites = set(re.findall(r"github\.com/([\w.-]+/[\w.-]+)", text))
    crossed = {name for name in re.findall(r"([\w-]+/[\w.-]+)#\d", text)}
    actions = {name for name in re.findall(r"uses: ([\w-]+)/", text)}

    assert sites == {"lumen-org/lumen"}
    assert crossed == {"lumen-org/lumen"}
    assert actions == {"lumen-org"}
    for alias, repo in KNOWN.items():
        assert alias not in text.lower()
        assert str(repo).lower() not in text.lower()


def test_no_character_that_hides_or_turns_text_stands_raw_in_the_file(text: str) -> None:
    assert not re.search("[\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", text)
