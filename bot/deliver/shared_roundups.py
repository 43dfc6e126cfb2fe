"""Digests for channels, each computed once for all who ask: in this process and beside others.

The same days in several zones are computed in the zone that is asked for first, and told in each
channel's own.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from cachetools import LRUCache

from bot.model.slots import Slot, window_from
from digest.editing.calls import Patience, waiting_anew, waiting_once
from digest.leases import NamedLeases, held
from digest.models import Repo, Roundup, Window
from digest.pipeline import Pipeline
from digest.ports import Clock

AT_ONCE = 8
"""Roundups in work at a time; more only wait for GitHub's limits."""

KEPT = 64
"""Roundups kept in memory: those of one morning in most zones."""

KEPT_FOR = timedelta(minutes=5)
"""How long a roundup is told as it was; a revert may land any time."""

FAILED_FOR = timedelta(seconds=20)
"""How long what could not be looked at is not asked for again: shorter than any pause."""

LOOKED_AGAIN_AFTER = 1.0
MOST_LOOKS = 300
"""Seconds between looks whether another process is done, and how often; then we go on ourselves."""

Key: TypeAlias = tuple[tuple[Repo, ...], datetime, datetime, str]
"""Repositories, start, end and label: zones in which they are the same have the same dates."""


@dataclass(eq=False, repr=False)
class SharedRoundups:
    """Gives roundups, each computed once however many channels ask; `owner` names this process."""

    pipeline: Pipeline
    leases: NamedLeases
    _: KW_ONLY
    clock: Clock
    owner: str
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep

    def __post_init__(self) -> None:
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._in_work: dict[tuple[Key, bool], asyncio.Task[tuple[Roundup, Patience]]] = {}
        self._kept: LRUCache[Key, tuple[datetime, Roundup]] = LRUCache(KEPT)

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Return the digests of several repositories; raises what the pipeline raises."""
        key = (tuple(repos), window.start, window.end, window.label)
        found = self._remembered(key)
        if found is None:
            found = await self._computed(key, window)
        return in_zone(found, window)

    async def stop(self) -> None:
        """Let go of what is in work, so that other processes need not wait for it."""
        while self._in_work:
            for task in self._in_work.values():
                task.cancel()
            await asyncio.wait(self._in_work.values())
            await asyncio.sleep(0)

    def _remembered(self, key: Key) -> Roundup | None:
        cached = self._kept.get(key)
        if cached is None:
            return None
        at, roundup = cached
        in_part = roundup.failed or any(digest.reading.gaps for digest in roundup.digests)
        kept_for = FAILED_FOR if in_part else KEPT_FOR
        if not timedelta(0) <= self.clock() - at < kept_for:
            del self._kept[key]
            return None
        return roundup

    async def _computed(self, key: Key, window: Window) -> Roundup:
        """Return what is in work already, or begin with it; who is called off stops nobody else.

        Who has waited for a model before has less time left for it: what they begin is joined by
        their like alone.
        """
        with waiting_once() as patience:
            began = asyncio.get_running_loop().time()
            has_waited = patience.waited(began) > 0
            task = self._in_work.get((key, False)) or self._in_work.get((key, has_waited))
            if task is None:
                task = asyncio.create_task(self._compute(key, window, has_waited=has_waited))
                self._in_work[key, has_waited] = task
                task.add_done_callback(lambda done: self._done((key, has_waited), done))
            roundup, waited = await asyncio.shield(task)
            patience.share(waited, since=began)
            return roundup

    def _done(self, key: tuple[Key, bool], task: asyncio.Task[tuple[Roundup, Patience]]) -> None:
        del self._in_work[key]
        if not task.cancelled():
            task.exception()  # who waits for it is told; without anybody it is no news

    async def _compute(
        self, key: Key, window: Window, *, has_waited: bool
    ) -> tuple[Roundup, Patience]:
        """Compute for all who ask, and tell how long the model was waited for.

        Where nobody `has_waited` before, there is all the time for it.
        """
        with waiting_once() if has_waited else waiting_anew() as patience:
            async with self._at_once, self._held(key[0]):
                roundup = await self.pipeline.roundup(key[0], window)
        uses = (roundup.model, *(digest.model for digest in roundup.digests))
        if not any(use and use.found_no_time for use in uses):
            self._kept[key] = (self.clock(), roundup)
        return roundup, patience

    @asynccontextmanager
    async def _held(self, repos: Sequence[Repo]) -> AsyncIterator[None]:
        """Wait until no other process looks at one of the repositories, but not for ever."""
        async with AsyncExitStack() as stack:
            for name in sorted({f"digest {repo}".lower() for repo in repos}):
                for _ in range(MOST_LOOKS):
                    lease = held(self.leases, name, self.owner, self.clock)
                    if await stack.enter_async_context(lease):
                        break
                    await self.pause(LOOKED_AGAIN_AFTER)
            yield


async def of_slot(
    slot: Slot,
    repos: Sequence[Repo],
    ask: Callable[[Sequence[Repo], Window], Awaitable[Roundup]],
) -> Roundup:
    """Return what a slot tells of repositories, each from where it was told last."""
    with waiting_once():
        return await _of_slot(slot, repos, ask)


async def _of_slot(
    slot: Slot,
    repos: Sequence[Repo],
    ask: Callable[[Sequence[Repo], Window], Awaitable[Roundup]],
) -> Roundup:
    since = {each.repo: each.since for each in slot.behind}
    by_window: dict[Window, list[Repo]] = {}
    for repo in repos:
        window = window_from(slot, since[repo]) if repo in since else slot.window
        by_window.setdefault(window, []).append(repo)
    if set(by_window) <= {slot.window}:
        return await ask(repos, slot.window)
    found = []
    for window, its in by_window.items():
        if window != slot.window:
            # What is stored is told: an earlier day that fails for ever keeps no later one back.
            await ask(its, slot.window)
        found.append(await ask(its, window))
    return Roundup(
        window=slot.window,
        digests=tuple(digest for each in found for digest in each.digests),
        failed=tuple(failed for each in found for failed in each.failed),
        outlook=tuple(point for each in found for point in each.outlook),
    )


def in_zone(roundup: Roundup, window: Window) -> Roundup:
    """Return a roundup that was asked for in its shared zone in a channel's own."""
    if roundup.window == window:
        return roundup
    digests = tuple(
        replace(digest, reading=replace(digest.reading, window=window))
        for digest in roundup.digests
    )
    return replace(roundup, window=window, digests=digests)
