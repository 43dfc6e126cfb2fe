"""Labelled windows as editors write them: which changes lead, which are told, which are noise.

A folder of labels holds `windows/NAME.json` (repository, days in UTC, the snapshot of the
repository, all changes by key and SHA), `editors/EDITOR/NAME.json` (`top`, `also`, `noise`,
`stories`, `bites` …, by key), and may hold `notes.json` (interface changes by commit).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

TOP, ALSO, PLAIN, NOISE = "top", "also", "plain", "noise"


@dataclass(frozen=True, slots=True)
class EditorChoice:
    """What one editor chose for a window, by the keys of the labels."""

    top: tuple[str, ...]
    also: frozenset[str]
    noise: frozenset[str]
    stories: tuple[frozenset[str], ...]
    bites: Mapping[str, str]

    def place(self, key: str) -> str:
        """Return where an editor put a change."""
        if key in self.top:
            return TOP
        if key in self.also:
            return ALSO
        return NOISE if key in self.noise else PLAIN


@dataclass(frozen=True, slots=True)
class LabelledWindow:
    """A window with its editors; `keys` are the labels' keys by SHA.

    `days` is `2026-03-17` or `FROM..TO`, both included, in UTC. `snapshot` is `OWNER/NAME` of
    the git repository that holds the commits, which may be a fork's.
    """

    name: str
    repo: str
    snapshot: str
    days: str
    keys: Mapping[str, str]
    editors: tuple[EditorChoice, ...]

    def leads(self, key: str) -> bool:
        """Return whether a change belongs on the front page: two editors say so, or the only."""
        needed = 2 if len(self.editors) > 1 else 1
        return sum(key in editor.top for editor in self.editors) >= needed

    def shown(self, key: str) -> bool:
        """Return whether any editor would show a change at all."""
        return any(editor.place(key) in (TOP, ALSO) for editor in self.editors)

    @property
    def noise(self) -> frozenset[str]:
        """The changes that every editor calls noise."""
        return frozenset.intersection(*(editor.noise for editor in self.editors))

    @property
    def together(self) -> frozenset[frozenset[str]]:
        """The pairs of changes of one story: two of three editors say so, else one is enough."""
        votes = Counter(
            pair
            for editor in self.editors
            for pair in {
                frozenset(pair) for story in editor.stories for pair in combinations(story, 2)
            }
        )
        needed = 2 if len(self.editors) > 2 else 1
        return frozenset(pair for pair, count in votes.items() if count >= needed)

    def symptoms(self, key: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the symptoms of a change: those that two editors name (or the only), and all."""
        named = Counter(editor.bites[key] for editor in self.editors if key in editor.bites)
        needed = 2 if len(self.editors) > 1 else 1
        return frozenset(s for s, times in named.items() if times >= needed), frozenset(named)


def window_of(written: Mapping[str, Any], editors: Sequence[Mapping[str, Any]]) -> LabelledWindow:
    """Return a labelled window from the JSON of its file and those of its editors."""
    return LabelledWindow(
        name=written["window"],
        repo=written["repo"],
        snapshot=written["snapshot"],
        days=written["days"],
        keys={item["sha"]: item["key"] for item in written["items"]},
        editors=tuple(_edited(each) for each in editors),
    )


def _edited(written: Mapping[str, Any]) -> EditorChoice:
    return EditorChoice(
        top=tuple(each["key"] for each in written["top"]),
        also=frozenset(written["also"]),
        noise=frozenset(written["noise"]),
        stories=tuple(frozenset(story["keys"]) for story in written["stories"]),
        bites={bite["key"]: bite["symptom"] for bite in written["bites"]},
    )


@dataclass(frozen=True, slots=True)
class LabelledChange:
    """One change of an interface as somebody labelled it."""

    kind: str
    change: str
    name: str
    before: str | None
    after: str | None
    matters: int


@dataclass(frozen=True, slots=True)
class LabelledCommit:
    """What a commit changed for users; `traps` look like a change and are none."""

    repo: str
    sha: str
    changes: tuple[LabelledChange, ...]
    traps: tuple[str, ...]


def commits_of(written: Iterable[Mapping[str, Any]]) -> tuple[LabelledCommit, ...]:
    """Return the labelled commits of the JSON of `notes.json`."""
    return tuple(
        LabelledCommit(
            one["repo"],
            one["sha"],
            tuple(
                LabelledChange(*(change[each.name] for each in fields(LabelledChange)))
                for change in one["changes"]
            ),
            tuple(trap["name"] for trap in one["traps"]),
        )
        for one in written
    )
