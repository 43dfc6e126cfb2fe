"""The demo's recorded day is whole, consistent and invented."""

import re
from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import pytest

from digest import codec
from digest.models import Activity, Event, FileChange, Item, Kind, Repo, State
from digest.repos import KNOWN

RECORDED = Path(__file__).parents[1] / "adapters" / "terminal" / "demo" / "activity.json"
SITE = "https://github.com/lumen-org/lumen"
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


def every_file(activity: Activity) -> list[FileChange]:
    return list(chain.from_iterable(item.files or () for item in told(activity)))


def test_it_is_one_whole_utc_day_that_was_collected_the_next_morning(activity: Activity) -> None:
    assert activity.repo == Repo("lumen-org", "lumen")
    assert activity.window.start == datetime(2026, 3, 4, tzinfo=UTC)
    assert activity.window.end == datetime(2026, 3, 5, tzinfo=UTC)
    assert (activity.window.tz, activity.window.label) == ("UTC", "2026-03-04")
    assert activity.collected_at > activity.window.end
    assert activity.gaps == ()


def test_it_is_busy_with_changes_of_every_way_to_land(activity: Activity) -> None:
    kinds = Counter(item.kind for item in activity.items)

    assert len(changes(activity.items)) == 58
    assert kinds[Kind.PULL_REQUEST] == 54
    assert kinds[Kind.COMMIT] == 62
    assert kinds[Kind.ISSUE] == 14
    assert kinds[Kind.RELEASE] == 2
    assert len(changes(activity.later)) == 2


def test_a_merge_a_rebase_and_many_squashes_are_among_them(activity: Activity) -> None:
    commits = Counter(len(item.commits) for item in changes(activity.items))
    merges = [item for item in activity.items if len(item.parents) == 2]

    assert commits == {1: 56, 2: 1, 4: 1}
    assert [item.title for item in merges] == [
        "Merge pull request #4088 from lumen-org/feature/host-cache"
    ]


def test_commits_that_lay_on_a_branch_for_days_landed_on_the_day(activity: Activity) -> None:
    late = [
        item
        for item in activity.items
        if item.committed_at is not None and (item.at - item.committed_at).days >= 1
    ]

    assert [item.title for item in late] == [
        "Keep pages in the host's memory",
        "Do not divide by zero when the benchmark has no prompts",
    ]
    assert all(item.at in activity.window for item in late)


def test_issues_have_every_state_and_an_event_on_the_day(activity: Activity) -> None:
    issues = [item for item in activity.items if item.kind is Kind.ISSUE]

    assert {item.state for item in issues} == {
        State.OPEN,
        State.CLOSED,
        State.NOT_PLANNED,
        State.DUPLICATE,
        State.REOPENED,
    }
    for issue in issues:
        moments = [event.at for event in issue.events]
        assert moments, issue.ref
        assert moments == sorted(moments), issue.ref
        assert all(moment in activity.window for moment in moments), issue.ref


def test_an_issue_that_a_change_closes_was_closed_when_it_landed(activity: Activity) -> None:
    issues = {item.number: item for item in activity.items if item.kind is Kind.ISSUE}
    pulls = [item for item in activity.items if item.kind is Kind.PULL_REQUEST and item.closes]

    assert len(pulls) == 6
    for pull in pulls:
        for number in pull.closes:
            assert Event("closed", pull.at) in issues[number].events, pull.ref


def test_everything_but_an_old_issue_happened_inside_the_window(activity: Activity) -> None:
    for item in activity.items:
        assert item.kind is Kind.ISSUE or item.at in activity.window, item.key
    for item in activity.later:
        assert activity.window.end <= item.at <= activity.collected_at, item.key


def test_additions_and_deletions_are_those_of_the_patches(activity: Activity) -> None:
    for change in every_file(activity):
        lines = (change.patch or "").split("\n")
        added = sum(line.startswith("+") for line in lines)
        deleted = sum(line.startswith("-") for line in lines)
        assert (added, deleted) == (change.additions, change.deletions), change.path


def test_every_hunk_has_as_many_lines_as_its_header_says(activity: Activity) -> None:
    for change in every_file(activity):
        grown = 0
        for hunk in re.split(r"^(?=@@ )", change.patch or "", flags=re.M)[1:]:
            head, *body = hunk.removesuffix("\n").split("\n")
            match = HUNK.match(head)
            assert match, head
            old_start, old_count, new_start, new_count = (
                1 if number is None else int(number) for number in match.groups()
            )
            assert old_count == sum(line[0] in " -" for line in body), (change.path, head)
            assert new_count == sum(line[0] in " +" for line in body), (change.path, head)
            if change.status in {"modified", "renamed"}:
                assert new_start == old_start + grown, (change.path, head)
            grown += new_count - old_count


def test_numbers_of_an_item_are_the_sums_of_its_files(activity: Activity) -> None:
    for item in told(activity):
        files = item.files or ()
        assert item.additions == sum(change.additions for change in files), item.key
        assert item.deletions == sum(change.deletions for change in files), item.key


def test_every_sha_stands_for_one_commit_and_belongs_to_one_change(activity: Activity) -> None:
    commits = [item for item in told(activity) if item.kind is Kind.COMMIT]
    shas = Counter(sha for item in commits for sha in item.commits)
    accounted = Counter(sha for item in changes(told(activity)) for sha in item.commits)

    assert set(shas.values()) == {1}
    assert accounted == shas
    assert all(re.fullmatch(r"[0-9a-f]{40}", sha) for sha in shas)
    before_the_day = {parent for item in commits for parent in item.parents} - set(shas)
    assert len(before_the_day) == 2  # the tip at midnight, and where the branch began
    assert activity.head in shas


def test_a_pull_request_and_its_commits_name_each_other(activity: Activity) -> None:
    bringers = {
        sha: item.number
        for item in told(activity)
        if item.kind is Kind.PULL_REQUEST
        for sha in item.commits
    }

    for item in told(activity):
        if item.kind is Kind.COMMIT:
            assert item.pull_request == bringers.get(item.commits[0]), item.key


def test_keys_references_and_links_agree(activity: Activity) -> None:
    items = told(activity)
    assert len({item.key for item in items}) == len(items)
    numbers = [item.number for item in items if item.number is not None]
    assert len(set(numbers)) == len(numbers)

    for item in items:
        match item.kind:
            case Kind.COMMIT:
                name, ref, page = item.commits[0], item.commits[0][:7], "commit"
            case Kind.PULL_REQUEST:
                name, ref, page = str(item.number), f"#{item.number}", "pull"
            case Kind.ISSUE:
                name, ref, page = str(item.number), f"#{item.number}", "issues"
            case Kind.RELEASE:
                name, ref, page = item.ref, item.ref, "releases/tag"
        assert item.key == f"lumen-org/lumen:{item.kind}:{name}"
        assert item.ref == ref
        assert item.url == f"{SITE}/{page}/{name}"
        assert item.author_is_bot == item.author.endswith("[bot]")


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
