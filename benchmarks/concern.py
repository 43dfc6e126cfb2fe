"""How well what concerns a codebase is told, by what its own maintainers named.

    python benchmarks/concern.py DOWNSTREAM UPSTREAM [--of REPO] [--write docs/quality.md] [--learn]
                                 [--kept FOLDER] [--told FILE]

Both are clones. An upgrade is a commit of the downstream that turns one commit of the upstream,
written in full, into a later one; named are the upstream pull requests of that span that its
message names by address or as `#NNNN`. What the downstream uses is read at the parent of the
upgrade, so that nothing of the answer is in it. Weights are learned from all other upgrades.
`--learn` writes those learned from all of them into the program. `--kept` keeps what was read and
compared in a folder, for as long as the code that made it is the same; `--told` writes one line of
JSON for each change that was named, breaks or is told.
"""

import argparse
import asyncio
import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from adapters.terminal.files import write_section
from adapters.terminal.markdown import code
from digest.concern.definitions import Altered
from digest.concern.matching import (
    Moves,
    WeighedChange,
    altered_by,
    files_of,
    matches,
    packages_of,
    weigh,
    weight_of,
)
from digest.concern.reader import surface_of
from digest.concern.surface import Surface, upstream
from digest.concern.upstream_names import UpstreamNames
from digest.evaluation.fitting import logistic
from digest.evaluation.scoring import Share
from digest.models import Item, Repo
from digest.sources.git.codebase import codebase
from digest.sources.git.source import Git
from digest.upgrading import AT_ONCE, holding_at

SHARE_TOLD, FIRST, RIDGE = 0.245, 30, 2.0
"""A little below a quarter, so that of changes that nothing was learned from a quarter is told."""
_SHA = re.compile(r"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_NAMED = r"{repo}/pull/(\d+)|(?i:{name})\s*#(\d+)|(?<![\w/#-])#(\d{{4,6}})\b"
_TABLE = Path(__file__).parent.parent / "digest" / "concern" / "learned.py"


T = TypeVar("T")


@dataclass(frozen=True)
class Upgrade:
    """A commit of the downstream, the ends of its span, and the commits that it names."""

    commit: str
    base: str
    head: str
    named: frozenset[str]


@dataclass(frozen=True, eq=False)
class Held:
    """The changes of an upgrade: what each does, its features, and whether it was named."""

    upgrade: Upgrade
    concerns: tuple[WeighedChange, ...]
    named: tuple[bool, ...]
    reading: float
    seconds: float
    matching: float


def main() -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("downstream", type=Path)
    parser.add_argument("upstream", type=Path)
    parser.add_argument("--of", default="vllm")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--told", type=Path)
    asked = parser.parse_args()
    held = asyncio.run(_all_held(asked.downstream, asked.upstream, asked.of, _Kept(asked.kept)))
    told = page(held, asked.of)
    print(told)
    if asked.told:
        asked.told.write_text("".join(_lines(held)), encoding="utf-8")
    if asked.write:
        write_section(asked.write, told)
    if asked.learn:
        _learn(held)


class _Kept:
    """What was made before, by what it was made of and the text of the code that made it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    async def once(self, name: str, code_of: Sequence[str], make: Callable[[], Awaitable[T]]) -> T:
        """Return what `make` made when it was asked for first with this name and this code."""
        if self._folder is None:
            return await make()
        made_by = hashlib.sha256()
        for path in code_of:
            made_by.update((_CODE / path).read_bytes())
        file = self._folder / f"{name}-{made_by.hexdigest()[:16]}"
        if file.exists():
            kept: T = pickle.loads(file.read_bytes())
            return kept
        made = await make()
        self._folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(made))
        return made


async def _all_held(downstream: Path, upstream_clone: Path, of: str, kept: _Kept) -> list[Held]:
    async def find() -> list[Upgrade]:
        return list(_upgrades(downstream, upstream_clone, upstream(of).repo))

    upgrades = await kept.once("upgrades", ("../benchmarks/concern.py",), find)
    print(f"upgrades that name changes: {len(upgrades)}", file=sys.stderr)
    return [await _held(one, downstream, upstream_clone, of, kept) for one in upgrades]


def _lines(held: Sequence[Held]) -> Iterator[str]:
    for one, (bound, weights) in zip(held, _ranked(tuple(held)), strict=True):
        for each, is_named, weight in zip(one.concerns, one.named, weights, strict=True):
            if not (is_named or each.breaks or weight >= bound):
                continue
            why = [
                f"{match.strength.value}: {match.ground.value}: {match.use.kind.value} "
                f"{match.use.name} ({match.use.place}, {match.tie.value}): "
                f"{match.altered.path} {match.altered.name} {match.altered.way.value} "
                f"{' '.join(match.names)}"
                for match in each.matches
            ]
            row = {
                "upgrade": one.upgrade.commit, "item": each.item.ref, "title": each.item.title,
                "named": is_named, "breaks": each.breaks, "over": round(weight - bound, 2),
                "why": why,
            }  # fmt: skip
            yield json.dumps(row, ensure_ascii=False) + "\n"


def _git(clone: Path, *arguments: str) -> str:
    run = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=False)
    return run.stdout.decode("utf-8", "replace")


def _upgrades(downstream: Path, upstream_clone: Path, repo: str) -> Iterator[Upgrade]:
    known = set(_git(upstream_clone, "rev-list", "--all").split())
    pattern = re.compile(_NAMED.format(repo=re.escape(repo), name=repo.partition("/")[2]))
    log = _git(
        downstream, "log", "--reverse", "--no-merges", "-p", "-G[0-9a-f]{40}", "--no-renames",
        "--format=\x1e%H", "--", ".", ":!csrc", ":!tests",
    )  # fmt: skip
    for record in log.split("\x1e")[1:]:
        commit = record[:40]
        sides: dict[str, set[str]] = {"-": set(), "+": set()}
        for line in record.splitlines():
            if line[:1] in sides:
                sides[line[0]] |= set(_SHA.findall(line)) & known
        old, new = sides["-"] - sides["+"], sides["+"] - sides["-"]
        if not old or not new:
            continue
        base, head = (max(side, key=lambda sha: _depth(upstream_clone, sha)) for side in (old, new))
        message = _git(downstream, "log", "-1", "--format=%B", commit)
        numbers = {next(filter(None, found)) for found in pattern.findall(message)}
        titles = _git(upstream_clone, "log", "--no-merges", "--format=%H %s", f"{base}..{head}")
        named = set()
        for line in titles.splitlines():
            of = re.findall(r"\(#(\d+)\)", line)
            if of and of[-1] in numbers:
                named.add(line[:40])
        if named:
            yield Upgrade(commit, base, head, frozenset(named))


def _depth(clone: Path, sha: str) -> int:
    return int(_git(clone, "rev-list", "--count", sha) or 0)


_CODE = Path(__file__).parent.parent / "digest"
_READING = tuple(f"concern/{name}.py" for name in ("python_file", "reader", "surface"))
_COMPARING = (
    "concern/definitions.py", "concern/upstream_names.py", "reading/interfaces/grammar.py",
    "reading/interfaces/definition.py", "reading/interfaces/place.py",
)  # fmt: skip
_HOLDING = (*_READING, "concern/upstream_names.py", "reading/interfaces/place.py")


async def _held(
    upgrade: Upgrade, downstream: Path, upstream_clone: Path, of: str, kept: _Kept
) -> Held:
    environment = {"PATH": os.environ["PATH"]}
    repo = Repo.parse(upstream(of).repo)
    source = Git(
        str(upstream_clone), cache_dir=Path("/nowhere"), clock=lambda: datetime.now(UTC),
        progress=_nothing, environment=environment,
    )  # fmt: skip

    async def read() -> tuple[Surface, float]:
        begun = time.process_time()
        files = await codebase(
            str(downstream), revision=f"{upgrade.commit}^", cache_dir=Path("/nowhere"),
            environment=environment, progress=_nothing,
        )  # fmt: skip
        return surface_of(files, upstream(of)), time.process_time() - begun

    async def hold() -> tuple[UpstreamNames, float]:
        begun = time.process_time()
        found = await holding_at(source, repo, upgrade.base, surface, _nothing)
        return found, time.process_time() - begun

    async def compare() -> tuple[list[tuple[Item, tuple[Altered, ...]]], float]:
        begun = time.process_time()
        items = await source.brought(repo, await source.span(repo, upgrade.base, upgrade.head))
        found = []
        for start in range(0, len(items), AT_ONCE):
            some = items[start : start + AT_ONCE]
            wanted = {at for item in some for pair in files_of(item, packages) for at in pair if at}
            contents = await source.contents(repo, sorted(wanted)) if wanted else {}
            found += [(item, altered_by(item, contents, packages)) for item in some]
        return found, time.process_time() - begun

    name = upgrade.commit[:12]
    surface, reading = await kept.once(f"{name}-surface", _READING, read)
    holding, following = await kept.once(f"{name}-holding", _HOLDING, hold)
    packages = packages_of(holding)
    told = "+".join(sorted(packages))
    changes, comparing = await kept.once(f"{name}-changes-{told}", _COMPARING, compare)
    begun = time.process_time()
    moves = Moves()
    concerns = tuple(weigh(item, change, holding, packages, moves) for item, change in changes)
    spent = reading + following + comparing + time.process_time() - begun
    begun = time.process_time()
    for _, change in changes[:BUSY]:
        matches(change, holding)
    matching = time.process_time() - begun
    print(f"{upgrade.commit[:10]} {len(concerns)} {spent:.0f} s", file=sys.stderr)
    named = tuple(one.item.commits[0] in upgrade.named for one in concerns)
    return Held(upgrade, concerns, named, reading, spent, matching)


def _nothing(_step: object) -> None:
    """Tell nobody."""


def page(held: Sequence[Held], of: str) -> str:
    """Return the section as Markdown."""
    changes = Share(sum(sum(one.named) for one in held), sum(len(one.named) for one in held))
    touched = _shares(held, lambda one, _: bool(one.matches))
    breaks = _shares(held, lambda one, _: one.breaks)
    told, first, best = _left_out(held)
    slowest = max(one.matching for one in held)
    rows = [
        ("anything used is altered", *touched, "", ""),
        ("told as concerning, learned from the other upgrades", *told, "≥ 95 %", "≤ 25 %"),
        ("best quarter of all changes, ranked so", *best, "", ""),
        ("breaks, by what is written on both sides", *breaks, "≥ 70 %", "≤ 8 %"),
        ("among the first 30 of its upgrade, ranked so", first[0], first[1], "≥ 80 %", ""),
    ]
    lines = [
        HEADING,
        "",
        f"Upgrades of a downstream project of {of} whose commits name the upstream changes that",
        f"they follow: upgrades {len(held)}, upstream changes {changes.of}, of them named",
        f"{changes.part}. What the downstream uses is read at the parent of each upgrade. Names",
        "are of its maintainers; what they followed without naming counts against us. Made by:",
        "",
        "    python benchmarks/concern.py DOWNSTREAM UPSTREAM --write docs/quality.md",
        "",
        "| | of named changes | of all changes | aims | |",
        "|---|---:|---:|---:|---:|",
    ]
    for words, named, every, aim, limit in rows:
        lines.append(f"| {words} | {named.told()} | {every.told()} | {aim} | {limit} |")
    lines += [
        "",
        f"Slowest upgrade: surface {max(one.reading for one in held):.1f} s, all of it "
        f"{max(one.seconds for one in held):.0f} s of processor time. Holding the definitions "
        f"that a busy day of {BUSY} changes alters against the surface: {1000 * slowest:.0f} ms "
        "at most.",
        "",
        "Named and not told, with the weights learned from the other upgrades:",
        "",
        *_missed(held),
    ]
    return "\n".join(lines) + "\n"


HEADING = "# How well it is told what concerns a codebase"
BUSY = 60
"""Changes of a busy day."""


def _shares(
    held: Sequence[Held], tells: Callable[[WeighedChange, int], bool]
) -> tuple[Share, Share]:
    named, every = Share(), Share()
    for one in held:
        for at, (each, is_named) in enumerate(zip(one.concerns, one.named, strict=True)):
            is_told = tells(each, at)
            every += Share(int(is_told), 1)
            if is_named:
                named += Share(int(is_told), 1)
    return named, every


@lru_cache(maxsize=4)
def _ranked(held: tuple[Held, ...]) -> tuple[tuple[float, tuple[float, ...]], ...]:
    """Return for each upgrade the bound and the weights that all others taught."""
    found = []
    for one in held:
        others = [other for other in held if other is not one]
        weights, bound = _taught(others)
        found.append((bound, tuple(weight_of(each.features, weights) for each in one.concerns)))
    return tuple(found)


def _taught(held: Sequence[Held]) -> tuple[dict[str, float], float]:
    rows = [each.features for one in held for each in one.concerns]
    named = [is_named for one in held for is_named in one.named]
    names = sorted({name for row in rows for name in row})
    cases = ((row, is_named, 1.0) for row, is_named in zip(rows, named, strict=True))
    weights = logistic(cases, dict.fromkeys(names, RIDGE))
    told = sorted((weight_of(row, weights) for row in rows), reverse=True)
    return weights, told[int(SHARE_TOLD * len(told))]


def _left_out(
    held: Sequence[Held],
) -> tuple[tuple[Share, Share], tuple[Share, Share], tuple[Share, Share]]:
    told_named, told_all, first_named, first_all = Share(), Share(), Share(), Share()
    pooled: list[tuple[float, bool]] = []
    for one, (bound, weights) in zip(held, _ranked(tuple(held)), strict=True):
        order = sorted(range(len(weights)), key=lambda at: -weights[at])
        first = set(order[:FIRST])
        for at, is_named in enumerate(one.named):
            is_told = weights[at] >= bound
            told_all += Share(int(is_told), 1)
            first_all += Share(int(at in first), 1)
            pooled.append((weights[at], is_named))
            if is_named:
                told_named += Share(int(is_told), 1)
                first_named += Share(int(at in first), 1)
    pooled.sort(key=lambda each: -each[0])
    most = int(SHARE_TOLD * len(pooled))
    best = Share(sum(each[1] for each in pooled[:most]), sum(each[1] for each in pooled))
    return (told_named, told_all), (first_named, first_all), (best, Share(most, len(pooled)))


def _missed(held: Sequence[Held]) -> Iterator[str]:
    for one, (bound, weights) in zip(held, _ranked(tuple(held)), strict=True):
        for each, is_named, weight in zip(one.concerns, one.named, weights, strict=True):
            if is_named and weight < bound:
                seen = "nothing of it is used" if not each.matches else "below the bound"
                title = code(each.item.title)
                yield f"- {each.item.ref} {title}, upgrade {one.upgrade.commit[:10]}: {seen}"


def _learn(held: Sequence[Held]) -> None:
    weights, bound = _taught(held)
    rows = "\n".join(
        f'    "{name}": {value:.2f},'
        for name, value in sorted(weights.items(), key=lambda one: (one[0] != "", -one[1]))
    )
    _TABLE.write_text(
        '"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""\n\n'
        "from collections.abc import Mapping\n\n"
        f"CONCERNS_FROM = {bound:.2f}\n\n"
        f"WEIGHTS: Mapping[str, float] = {{\n{rows}\n}}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
