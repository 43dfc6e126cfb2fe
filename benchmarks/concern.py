"""How well what concerns a codebase is told, by what its own maintainers named.

    python benchmarks/concern.py DOWNSTREAM UPSTREAM [--of REPO] [--write docs/quality.md] [--learn]

Both are clones. An upgrade is a commit of the downstream that turns one commit of the upstream,
written in full, into a later one; named are the upstream pull requests of that span that its
message names by address or as `#NNNN`. What the downstream uses is read at the parent of the
upgrade, so that nothing of the answer is in it. Weights are learned from all other upgrades.
`--learn` writes those learned from all of them into the program.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from adapters.terminal.markdown import code
from benchmarks.quality_page import write_section
from digest.concern.concerning import Concern, altered_by, files_of, packages_of
from digest.concern.holding import Holding
from digest.concern.matching import matches
from digest.concern.reader import surface_of
from digest.concern.upstreams import upstream
from digest.concern.weight import weighed
from digest.evaluation.logit import logit
from digest.evaluation.scoring import Share
from digest.models import Repo, Span
from digest.sources.git.codebase import codebase
from digest.sources.git.source import Git
from digest.upgrading import concerns_of, holding_at

SHARE_TOLD, FIRST = 0.25, 30
_SHA = re.compile(r"(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])")
_NAMED = r"{repo}/pull/(\d+)|(?i:{name})\s*#(\d+)|(?<![\w/#-])#(\d{{4,6}})\b"
_TABLE = Path(__file__).parent.parent / "digest" / "concern" / "learned.py"


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
    concerns: tuple[Concern, ...]
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
    asked = parser.parse_args()
    upgrades = list(_upgrades(asked.downstream, asked.upstream, upstream(asked.of).repo))
    print(f"upgrades that name changes: {len(upgrades)}", file=sys.stderr)
    held = [asyncio.run(_held(one, asked.downstream, asked.upstream, asked.of)) for one in upgrades]
    told = page(held, asked.of)
    print(told)
    if asked.write:
        write_section(asked.write, told)
    if asked.learn:
        _learn(held)


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


async def _held(upgrade: Upgrade, downstream: Path, upstream_clone: Path, of: str) -> Held:
    begun = time.process_time()
    environment = {"PATH": os.environ["PATH"]}
    read = await codebase(
        str(downstream), revision=f"{upgrade.commit}^", cache_dir=Path("/nowhere"),
        environment=environment, progress=_nothing,
    )  # fmt: skip
    surface = surface_of(read, upstream(of))
    reading = time.process_time() - begun
    repo = Repo.parse(upstream(of).repo)
    source = Git(
        str(upstream_clone), cache_dir=Path("/nowhere"), clock=lambda: datetime.now(UTC),
        progress=_nothing, environment=environment,
    )  # fmt: skip
    span: Span = await source.span(repo, upgrade.base, upgrade.head)
    holding = await holding_at(source, repo, span.base_sha, surface, _nothing)
    concerns = await concerns_of(source, repo, await source.brought(repo, span), holding, _nothing)
    spent = time.process_time() - begun
    matching = await _matching(source, repo, concerns, holding)
    print(f"{upgrade.commit[:10]} {len(concerns)} {spent:.0f} s", file=sys.stderr)
    named = tuple(one.item.commits[0] in upgrade.named for one in concerns)
    return Held(upgrade, concerns, named, reading, spent, matching)


async def _matching(
    source: Git, repo: Repo, concerns: Sequence[Concern], holding: Holding
) -> float:
    """Return the seconds in which the altered definitions of a busy day are held."""
    packages = packages_of(holding)
    items = [one.item for one in concerns[:BUSY]]
    wanted = {at for item in items for pair in files_of(item, packages) for at in pair if at}
    contents = await source.contents(repo, sorted(wanted))
    day = [altered_by(item, contents, packages) for item in items]
    begun = time.process_time()
    for change in day:
        matches(change, holding)
    return time.process_time() - begun


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


def _shares(held: Sequence[Held], tells: Callable[[Concern, int], bool]) -> tuple[Share, Share]:
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
        found.append((bound, tuple(weighed(each.features, weights) for each in one.concerns)))
    return tuple(found)


def _taught(held: Sequence[Held]) -> tuple[dict[str, float], float]:
    rows = [each.features for one in held for each in one.concerns]
    named = [is_named for one in held for is_named in one.named]
    names = sorted({name for row in rows for name in row})
    weights = logit(rows, named, names)
    told = sorted((weighed(row, weights) for row in rows), reverse=True)
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
