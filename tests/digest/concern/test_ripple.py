"""What one repository released, hop by hop, up to what is pinned."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from digest.concern.ripple import Ripple, RippleHistory, lean, may_ripple, ripples
from digest.concern.surface import CodePlace, Surface, SurfaceWords, Use, UseKind
from digest.languages import Language
from digest.models import FileChange, Item, Kind, Reading, Repo, State, UpgradeNote
from digest.writing.concerned_parts import ripple_entry
from digest.writing.rules import plain
from tests.digest.writing import invented

CUTLASS, FLASHINFER, VLLM = map(
    Repo.parse, ("NVIDIA/cutlass", "flashinfer-ai/flashinfer", "vllm-project/vllm")
)
PIN = Use(UseKind.PIN, "vllm", CodePlace("requirements.txt", 3), value="==0.18.0")
MINE = Surface("vllm-project/vllm", uses=(PIN,))


def item(repo: Repo, day: int, ref: str, title: str = "", body: str = "") -> Item:
    number = int(ref[1:]) if ref.startswith("#") else None
    kind = Kind.RELEASE if number is None else Kind.PULL_REQUEST
    at = datetime(2026, 3, day, 12, tzinfo=UTC)
    url = f"https://github.com/{repo}/{ref}"
    return Item(
        f"{repo}:{kind.value}:{ref}", repo, kind, ref, title, url, "ada", at,
        State.PUBLISHED if kind is Kind.RELEASE else State.MERGED, body=body, number=number,
    )  # fmt: skip


def day(one: Item, requires: tuple[str, str, str] | None = None, *paths: str) -> Reading:
    files = tuple(FileChange(path, "modified", 1, 1) for path in paths)
    one = replace(one, files=files)
    read = replace(invented.busy().items[0], item=one)
    notes = ()
    if requires:
        name, before, after = requires
        notes = (UpgradeNote("dependency", "changed", name, before, after, "r.txt", 1, (one.key,)),)
    window = replace(
        invented.busy().window, start=one.at - timedelta(hours=12), end=one.at + timedelta(hours=12)
    )
    return replace(
        invented.busy(), repo=one.repo, window=window, items=(read,), upgrade_notes=notes
    )


BEFORE = [
    day(item(FLASHINFER, 2, "v0.6.6")),
    day(item(CUTLASS, 17, "v4.4.2")),
    day(item(FLASHINFER, 19, "#2798", "Upgrade cutlass 4.2.1 -> 4.4.2"), None, "3rdparty/cutlass"),
    day(item(FLASHINFER, 25, "v0.6.7")),
]
TAKES = day(item(VLLM, 30, "#38423"), ("flashinfer-python", "==0.6.6", "==0.6.7"))


def told(readings: list[Reading], earlier: list[Reading], *surfaces: Surface) -> list[str]:
    found = ripples(readings, earlier, surfaces or (MINE,))
    return [" ".join(hop.item.ref for hop in one.hops) for one in found]


def test_a_release_is_followed_to_what_is_pinned_with_every_hop_linked() -> None:
    (found,) = ripples([TAKES], BEFORE, [MINE])
    assert [hop.item.ref for hop in found.hops] == ["v4.4.2", "#2798", "v0.6.7", "#38423"]
    assert [(pin.name, pin.value, pin.use) for pin in found.pins] == [("vllm", "==0.18.0", PIN)]
    for language in Language:
        line = ripple_entry(found, language)
        assert {run.url for run in line.runs if hasattr(run, "url")} == {
            hop.item.url for hop in found.hops
        }
        assert "2026-03-19" in plain(line.runs)
        assert "requirements.txt:3" in plain(line.runs)


def test_of_a_long_way_the_last_six_steps_are_told() -> None:
    earlier = [
        day(item(CUTLASS, 1, "v4.3.0")),
        day(item(FLASHINFER, 3, "#1", "Upgrade cutlass 4.2.1 -> 4.3.0"), None, "3rdparty/cutlass"),
        day(item(FLASHINFER, 5, "v0.6.6")),
        day(item(CUTLASS, 7, "#100"), ("flashinfer-python", "==0.6.5", "==0.6.6")),
        *BEFORE[1:],
    ]
    assert told([TAKES], earlier) == ["v0.6.6 #100 v4.4.2 #2798 v0.6.7 #38423"]


def test_a_release_that_names_the_change_has_it_and_a_tag_only_comes_next() -> None:
    (found,) = ripples([day(item(VLLM, 31, "v0.19.0", body="* Take it (#38423)"))], [TAKES], [MINE])
    assert found.hops[-1].sure
    assert told([day(item(VLLM, 31, "v0.19.0", body="* Other (#384231)"))], [TAKES]) == []
    (tagged,) = ripples([day(item(VLLM, 31, "v0.19.0"))], [TAKES], [MINE])
    assert not tagged.hops[-1].sure
    branch = [TAKES, day(item(VLLM, 29, "v0.19.0"))]
    assert told([day(item(VLLM, 31, "v0.18.1"))], branch) == []


@pytest.mark.parametrize(
    "surface",
    [
        Surface("vllm-project/vllm"),
        Surface("vllm-project/vllm", uses=(replace(PIN, value="main"),)),
        Surface(words=SurfaceWords(pins=("flashinfer==0.6.8", "torch==2.0"))),
    ],
)
def test_nothing_is_told_of_what_is_not_pinned_before_it(surface: Surface) -> None:
    assert told([TAKES], BEFORE, surface) == []


def test_a_word_is_a_pin_and_a_quiet_day_says_nothing_again() -> None:
    word = Surface(words=SurfaceWords(pins=("nvidia-cutlass-dsl==4.4.1",)))
    assert len(told([TAKES], BEFORE, word)) == 1
    assert told([day(item(VLLM, 31, "#1"))], [*BEFORE, TAKES]) == []
    assert not may_ripple([day(item(VLLM, 31, "#1"))], [MINE])


def test_what_is_kept_of_a_day_tells_the_same() -> None:
    assert told([TAKES], [lean(one) for one in BEFORE]) == told([TAKES], BEFORE)


async def test_days_before_are_read_once_and_of_who_may_be_heard_of_alone() -> None:
    asked: list[Repo] = []

    async def stored(repo: Repo, _window: object) -> tuple[object, ...]:
        asked.append(repo)
        return tuple(invented.written(one) for one in BEFORE if one.repo == repo)

    async def may_hear(repo: Repo) -> bool:
        return repo != CUTLASS

    ripple_history = RippleHistory(stored)  # type: ignore[arg-type]  # gives digests
    for _ in range(2):
        found: tuple[Ripple, ...] = await ripple_history.of([TAKES], [MINE], may_hear)
    assert [hop.item.ref for hop in found[0].hops] == ["#2798", "v0.6.7", "#38423"]
    assert plain(ripple_entry(found[0], Language.EN).runs).startswith("cutlass 4.4.2 taken by")
    assert len(asked) == len(set(asked))
    assert CUTLASS not in asked
