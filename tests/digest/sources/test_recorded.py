"""A recorded activity, given back as a source."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.codec import dump
from digest.errors import BadAnswer, NotFound, StoreFailed
from digest.models import Activity, Event, Item, Kind, Repo, State, Window
from digest.sources.recorded import Recorded, save
from tests.phrases import english
from tests.phrases import gap as gap_of

REPO = Repo("example-org", "turbine")
SHA = "abcdef0123456789abcdef0123456789abcdef01"


def at(day: int) -> datetime:
    return datetime(2026, 2, day, 10, tzinfo=UTC)


def days(first: int, last: int) -> Window:
    start = datetime(2026, 2, first, tzinfo=UTC)
    end = datetime(2026, 2, last, tzinfo=UTC) + timedelta(days=1)
    return Window(start, end, "UTC", f"2026-02-{first:02d}..2026-02-{last:02d}")


def item(kind: Kind, ref: str, day: int, **more: object) -> Item:
    facts: dict[str, object] = {
        "key": f"{REPO}:{kind}:{more.get('number', ref)}",
        "repo": REPO,
        "kind": kind,
        "ref": ref,
        "title": f"Title of {ref}",
        "url": "",
        "author": "ann",
        "at": at(day),
        "state": State.MERGED,
    }
    return Item(**(facts | more))  # type: ignore[arg-type]  # a test names only what it is about


COMMIT = item(Kind.COMMIT, SHA[:7], 3, key=f"{REPO}:commit:{SHA}", pull_request=12, commits=(SHA,))
PULL = item(Kind.PULL_REQUEST, "#12", 3, number=12, commits=(SHA,))
ISSUE = item(Kind.ISSUE, "#7", 1, number=7, events=(Event("closed", at(4)),))
RELEASE = item(Kind.RELEASE, "v1.0", 5)
LATER = item(Kind.PULL_REQUEST, "#40", 9, number=40)
ACTIVITY = Activity(
    REPO,
    days(2, 5),
    (COMMIT, PULL, ISSUE, RELEASE),
    at(10),
    "git",
    later=(LATER,),
    gaps=(gap_of("issues", "git holds no issues"),),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save(ACTIVITY, tmp_path / "day.json")
    return tmp_path / "day.json"


async def test_the_recorded_window_comes_back_as_it_was(file: Path) -> None:
    assert await Recorded(file).collect(REPO, ACTIVITY.window) == ACTIVITY
    assert Recorded(file).name() == REPO
    assert Recorded(file).window() == ACTIVITY.window


async def test_one_day_holds_what_happened_on_it(file: Path) -> None:
    third = await Recorded(file).collect(REPO, days(3, 3))
    assert (third.items, third.later) == ((COMMIT, PULL), (LATER,))
    assert third.gaps == ACTIVITY.gaps
    assert third.window == days(3, 3)
    fourth = await Recorded(file).collect(REPO, days(4, 4))
    assert fourth.items == (ISSUE,)
    second = await Recorded(file).collect(REPO, days(2, 2))
    assert (second.items, second.later) == ((), (COMMIT, PULL, LATER))


async def test_a_window_that_is_not_wholly_recorded_is_a_gap_not_a_quiet_day(file: Path) -> None:
    for window, what in (
        (days(1, 3), "partly"),
        (days(5, 6), "partly"),
        (days(6, 6), "everything"),
        (days(20, 20), "everything"),
    ):
        gap = (await Recorded(file).collect(REPO, window)).gaps[0]
        assert gap.what == what
        assert "2026-02-02 00:00 UTC to 2026-02-06 00:00 UTC" in english(gap.why)


async def test_a_recorded_change_that_a_shorter_window_takes_back_is_given_as_an_earlier_one(
    tmp_path: Path,
) -> None:
    old = item(Kind.PULL_REQUEST, "#2", 1, number=2)
    first = item(Kind.PULL_REQUEST, "#41", 5, number=41, title="Revert #2")
    second = item(Kind.PULL_REQUEST, "#42", 5, number=42, title="Revert #12")
    save(replace(ACTIVITY, items=(PULL, first, second), earlier=(old,)), tmp_path / "all.json")
    whole = await Recorded(tmp_path / "all.json").collect(REPO, days(2, 5))
    assert (whole.items, whole.earlier) == ((PULL, first, second), (old,))
    last = await Recorded(tmp_path / "all.json").collect(REPO, days(5, 5))
    assert (last.items, set(last.earlier)) == ((first, second), {old, PULL})


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("12", PULL),
        ("#12", PULL),
        ("#7", ISSUE),
        ("v1.0", RELEASE),
        (SHA[:5].upper(), COMMIT),
        (SHA, COMMIT),
        (" #40 ", LATER),
    ],
)
async def test_one_item_is_found_by_number_sha_or_tag(file: Path, ref: str, expected: Item) -> None:
    assert await Recorded(file).find(REPO, ref) == expected


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1]", b"not json", b"\xff\xfe", dump(ACTIVITY)[:-40], dump(ISSUE)]
)
async def test_a_file_of_another_shape_is_a_bad_answer_in_one_sentence(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(BadAnswer, match="record it anew") as caught:
        await Recorded(tmp_path / "x.json").collect(REPO, days(3, 3))
    assert "\n" not in str(caught.value)


async def test_a_missing_file_or_a_folder_is_not_found(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, Path("a\0b")):
        with pytest.raises(NotFound):
            await Recorded(path).collect(REPO, days(3, 3))


def test_saving_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "day.json"
    path.write_text("old")
    save(ACTIVITY, path)
    assert os.listdir(tmp_path) == ["day.json"]
    assert Recorded(path).window() == ACTIVITY.window


def test_what_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="make room or name another file"):
        save(ACTIVITY, tmp_path / "none" / "day.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreFailed, match="cannot write"):
        save(ACTIVITY, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]


def test_times_without_a_zone_are_refused_in_one_sentence(file: Path) -> None:
    for name in ("at", "start", "collected_at"):
        raw = json.loads(file.read_text())
        holder = {"at": raw["items"][0], "start": raw["window"], "collected_at": raw}[name]
        holder[name] = "2026-02-03T10:00:00"
        (file.parent / "naive.json").write_text(json.dumps(raw))
        with pytest.raises(BadAnswer, match="times without a zone"):
            Recorded(file.parent / "naive.json").name()
