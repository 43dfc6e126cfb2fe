"""What a channel chose to be told, and what stays told whatever it chose."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.channel_commands import LEFT_OUT
from bot.model.subscriptions import filtered, is_included, matches
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.models import Counts, FileChange, Item, Kind, Reading, ReadItem, Repo, State, Window
from tests.bot.channels_invented import subscription

AT = datetime(2026, 2, 11, 9, tzinfo=UTC)
REPO = Repo("o", "r")


def item(kind: Kind = Kind.PULL_REQUEST, files: tuple[str, ...] | None = (), **facts: Any) -> Item:
    read = None if files is None else tuple(FileChange(path, "modified", 1, 1) for path in files)
    number = facts.pop("number", 1)
    return Item(
        key=f"o/r:{kind.value}:{number}",
        repo=REPO,
        kind=kind,
        ref=f"#{number}",
        title=facts.pop("title", "Drop Volta"),
        url="https://github.com/o/r/pull/1",
        author="ann",
        at=AT,
        state=State.MERGED,
        files=read,
        **facts,
    )


def read(of: Item, **judged: Any) -> ReadItem:
    plain = ReadItem(
        item=of,
        purpose=Purpose.FIX,
        object=ChangeObject.SOURCE,
        importance=Importance.LOW,
        score=1,
        reasons=(),
    )
    return replace(plain, **judged)


def reading(*items: ReadItem) -> Reading:
    window = Window(AT, AT, "UTC", "2026-02-11")
    return Reading(REPO, window, items, (), (), Counts(), (), (), AT, "test")


BOT = read(item(author_is_bot=True))
CI = read(item(), object=ChangeObject.CI)
DOCS = read(item(), noise=Noise.DOCS)


@pytest.mark.parametrize(("word", "left"), [("bots", BOT), ("ci", CI), ("docs", DOCS)])
def test_what_is_left_out_is_left_out_alone(word: str, left: ReadItem) -> None:
    parted = filtered(reading(BOT, CI, DOCS), subscription(without=frozenset({word})))

    assert parted.excluded == (left,)
    assert len(parted.included) == 2


@pytest.mark.parametrize(
    "judged",
    [
        {"importance": Importance.HIGH},
        {"reverts": "o/r:pull_request:9"},
        {"reverted_by": "o/r:pull_request:9"},
    ],
)
def test_what_is_high_or_reverted_is_never_left_out_as_noise(judged: dict[str, Any]) -> None:
    assert is_included(replace(BOT, **judged), subscription(without=frozenset(LEFT_OUT)))


def test_who_follows_paths_is_told_the_changes_that_touch_them() -> None:
    follows = subscription(paths=("csrc/**", "*.cuh"))

    assert is_included(read(item(files=("README.md", "csrc/a.cu"))), follows)
    assert is_included(read(item(files=("include/a.cuh",))), follows)
    assert not is_included(read(item(files=("README.md",)), importance=Importance.HIGH), follows)
    assert not is_included(read(item(files=())), follows)


def test_a_change_whose_files_could_not_be_read_is_not_hidden() -> None:
    assert is_included(read(item(files=None)), subscription(paths=("csrc/**",)))


@pytest.mark.parametrize(
    ("said", "known", "topic"),
    [
        ({"title": "Fuse MoE kernels"}, (), "moe"),
        ({"title": "[moe] fuse"}, (), "moe"),
        ({"title": "Fuse", "labels": ("MoE",)}, (), "moe"),
        ({"title": "Fuse"}, ("MLA attention",), "attention"),
        ({"title": "修复注意力内核"}, (), "注意力"),
        ({"title": "修复fp8内核"}, (), "fp8"),
    ],
)
def test_who_follows_a_topic_is_told_what_speaks_of_it(
    said: dict[str, Any], known: tuple[str, ...], topic: str
) -> None:
    follows = subscription(topics=(topic,))

    assert is_included(read(item(**said)), follows, known)
    assert is_included(read(item(Kind.ISSUE, None, **said)), follows, known)


def test_paths_and_topics_together_are_told_what_fits_either() -> None:
    follows = subscription(paths=("csrc/**",), topics=("moe",))

    assert is_included(read(item(files=("csrc/a.cu",))), follows)
    assert is_included(read(item(files=("README.md",), title="MoE")), follows)
    assert not is_included(read(item(files=("README.md",))), follows)
    assert not is_included(read(item(Kind.ISSUE, None)), follows)


READ_ITEMS = st.lists(
    st.builds(
        lambda number, kind, files, bot, object_, noise, importance: read(
            item(kind, files, number=number, author_is_bot=bot),
            object=object_,
            noise=noise,
            importance=importance,
        ),
        st.integers(1, 500),
        st.sampled_from(Kind),
        st.sampled_from([None, (), ("csrc/a.cu",), ("README.md",)]),
        st.booleans(),
        st.sampled_from(ChangeObject),
        st.none() | st.sampled_from(Noise),
        st.sampled_from(Importance),
    ),
    max_size=12,
)


@given(
    READ_ITEMS,
    st.frozensets(st.sampled_from(LEFT_OUT)),
    st.sampled_from([(), ("csrc/**",)]),
    st.sampled_from([(), ("volta",), ("moe",)]),
)
def test_every_item_is_told_or_counted_as_excluded_in_the_order_of_the_day(
    items: list[ReadItem],
    without: frozenset[str],
    paths: tuple[str, ...],
    topics: tuple[str, ...],
) -> None:
    parted = filtered(reading(*items), subscription(without=without, paths=paths, topics=topics))

    assert len(parted.included) + len(parted.excluded) == len(items)
    told, excluded = iter(parted.included), iter(parted.excluded)
    next_told, next_excluded = next(told, None), next(excluded, None)
    for each in items:
        if each is next_told:
            next_told = next(told, None)
        else:
            assert each is next_excluded
            next_excluded = next(excluded, None)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("csrc/**", "csrc/attention.cu"),
        ("csrc", "csrc/attention/decode.cu"),
        ("attention/", "csrc/attention/decode.cu"),
        ("csrc/attention", "csrc/attention/decode.cu"),
        ("*.cu", "csrc/attention/decode.cu"),
        ("**/*.cu", "decode.cu"),
        ("csrc/**/decode.cu", "csrc/decode.cu"),
        ("csrc/*/decode.cu", "csrc/a/decode.cu"),
        ("csrc/sm[89]?/*", "csrc/sm90/decode.cu"),
        ("setup.py", "python/setup.py"),
        ("**", "any/thing"),
    ],
)
def test_a_glob_means_these_paths(glob: str, path: str) -> None:
    assert matches(glob, path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("csrc/**", "python/csrc/x.cu"),
        ("csrc/*", "csrc/attention/decode.cu"),
        ("*.cu", "decode.cuh"),
        ("/setup.py", "python/setup.py"),
        ("/", "csrc/x.cu"),
    ],
)
def test_a_glob_does_not_mean_those(glob: str, path: str) -> None:
    assert not matches(glob, path)


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_text_can_be_glob_and_path(glob: str, path: str) -> None:
    assert matches(glob, path) in (True, False)


@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=6))
def test_every_path_is_meant_by_itself_and_by_its_folders(folders: list[str]) -> None:
    path = "/".join(folders)

    assert matches(path, path)
    assert matches(f"{folders[0]}/**", f"{path}/x")
    assert matches(f"/{folders[0]}", f"{path}/x")


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 100, "a" * 10_000 + "b"),
        ("**/" * 60 + "x", "a/" * 5_000 + "b"),
        ("**/a/" * 40 + "x", "a/" * 5_000 + "b"),
    ],
)
def test_a_hostile_glob_does_not_run_away(glob: str, path: str) -> None:
    assert not matches(glob, path)
