"""The way of a digest, from a repository's name to its sentences: the page to read first.

Gather, decide, act: a source collects, the reading judges, the writer says it, the store keeps it::

    activity = await self._gather(repo, window)         only what is not stored is asked for
    contents = await self.source.contents(…)           whole files before and after, if it has them
    reading  = read(activity, contents)                 pure
    edited   = await self.editing.edit(reading)        where there is a model: what it adds
    digest   = write(reading, now)                      pure, in every language at once
    await self._digests.save(digest)                    for ever

A final digest, made without a gap after its window was over, is told from the store for ever. One
thing can still change it: a revert that lands later. Where the store has learnt of one since, the
digest is read again from stored activity, without asking anybody.

A day that is not over is told as stored for five minutes, then the time since is collected. An
issue comes again with its new state when something happened to it; its comments and reactions are
otherwise those of the last time it was collected.

With a model, a digest has what it adds before it is stored, so that every channel, language and
format reads the same. One that lacks what it could have by now is told anew from stored activity,
for whoever asks (`Editor.owes`).

Single items are looked up by `digest/lookups.py`, on which this page stands.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import timedelta
from functools import partial

from cachetools import LRUCache

from digest.edited import ModelUse, Remark
from digest.editing.calls import Wait, waiting_once
from digest.editing.editor import Edited
from digest.errors import CouldNotLook, Defect, Forbidden, StoreFailed
from digest.executor import in_executor
from digest.grades import Importance
from digest.lookups import Lookups, border_of, not_parsed, together, used_before, whole_files
from digest.models import (
    Activity,
    AnalysedDay,
    Change,
    Digest,
    Gap,
    Point,
    Reading,
    ReadItem,
    Repo,
    Roundup,
    ToldStory,
    Window,
)
from digest.phrase import Phrase
from digest.ports import Historian, Lasting
from digest.reading.outlook import Surroundings, outlook
from digest.reading.reader import files_wanted, read
from digest.reading.relations import speaks_of
from digest.reading.releases import changelogs_wanted
from digest.reading.story_days import told
from digest.reading.story_signs import Rarity, history
from digest.spans import activity_of, by_ends, span_of, wanted_of
from digest.store.activity import known_of
from digest.store.digests import without_hunks
from digest.windows import can_heal
from digest.writing.outline import changes
from digest.writing.outlook import outlook_points
from digest.writing.rules import write

FRESH = timedelta(minutes=5)
"""How long a day that is not over is told as it was; a channel asks again within minutes."""

EDITS = 64
"""Digests of which it is remembered when a model edited them, for who waited for the same one."""

NEVER_THERE = frozenset({"pull_requests", "issues"})
"""Gaps of what no clone ever holds."""

AT_ONCE = 4
"""Repositories of a roundup, or changes of a day looked at whole, in work at a time; more only wait
for the source's limits."""


@dataclass(eq=False)
class Pipeline(Lookups):
    """Makes digests from one source, and looks up its items.

    With `rereads` everything is collected again for each question, as a clone or a recording can be
    replaced at any time; but for what is over of a source that is surely as it was.
    """

    _: KW_ONLY
    rereads: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._edits: LRUCache[tuple[Repo, Window], Wait] = LRUCache(EDITS)

    async def digest(self, repo: Repo, window: Window) -> Digest:
        """Tell what happened in a repository in a window that has begun.

        Files come without hunks; `change` gives them. Raises `CouldNotLook` or
        `ConfigurationError` where nothing can be said.
        """
        began = asyncio.get_running_loop().time()
        with waiting_once() as patience, border_of(repo, "telling"):
            # Two who ask for the same at once are served by one digest.
            async with self._turn((repo, window)):
                if edit := self._edits.get((repo, window)):
                    patience.add(Wait(max(began, edit.begins), edit.ends))
                return await self._digest(repo, window)

    async def _digest(self, repo: Repo, window: Window) -> Digest:
        if str(repo).lower() in await self.withheld():
            return await self._tell(await self._gather_anew(repo, window))
        kept = await (self._kept_as_is if self.rereads else self._kept)(repo, window)
        if kept and not (self.editing and self.editing.owes(kept, self.clock())):
            return kept
        activity = await self._gather(repo, window)
        return await self._tell(activity)

    async def span(self, repo: Repo, base: str, head: str, tz: str) -> Digest:
        """Tell what `head` has and `base` has not, each a tag or a SHA; nothing of it is stored.

        Raises `NotFound` or `BadWindow` for ends that are not there or the wrong way round.
        """
        self.progress(f"{repo}: comparing {base} and {head}")
        found = await span_of(self.source, repo, base, head)

        with border_of(repo, "telling"):
            activity = await activity_of(self.source, self._gather, found, repo, tz)
            reading, _ = await self._read(activity)
            wanted = wanted_of(reading, found)
            contents, gap = await whole_files(self.source, repo, wanted, self.progress)
            if contents is not None:
                items = [one.item for one in reading.items]
                had = await used_before(self.source, repo, items, found.base_sha)
                reading = await in_executor(partial(by_ends, reading, found, contents, had))
            if gap is not None:
                reading = replace(reading, gaps=(*reading.gaps, gap))
            return without_hunks(await self._edited(reading))

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Tell of several repositories, busiest first; who could not be looked at is listed.

        Raises `ConfigurationError`, which would fail them all alike.
        """
        with waiting_once():
            return await self._roundup(repos, window)

    async def _roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        at_once = asyncio.Semaphore(AT_ONCE)
        digests: dict[Repo, Digest] = {}
        failed: dict[Repo, Phrase] = {}

        async def look(repo: Repo) -> None:
            async with at_once:
                try:
                    digests[repo] = await self.digest(repo, window)
                except CouldNotLook as error:
                    failed[repo] = error.why

        await together(look(repo) for repo in repos)
        in_order = [digests[repo] for repo in repos if repo in digests]
        busiest = tuple(sorted(in_order, key=_business, reverse=True))
        remarks: tuple[Remark, ...] = ()
        use: ModelUse | None = None
        if self.editing is not None and len(busiest) > 1:
            remarks, use = await self.editing.edit_together(busiest)
        return Roundup(
            window=window,
            digests=busiest,
            failed=tuple((repo, failed[repo]) for repo in repos if repo in failed),
            outlook=await self._outlook(busiest),
            remarks=remarks,
            model=use,
        )

    async def _outlook(self, digests: Sequence[Digest]) -> tuple[Point, ...]:
        """Say what to watch, from the digests and from what is stored beside them."""
        readings = [digest.reading for digest in digests]
        known: dict[Repo, Surroundings] = {}
        activity = self._activity
        for reading in readings:
            with contextlib.suppress(Defect), border_of(reading.repo, "looking ahead"):
                known |= await known_of(activity, [reading], self.clock()) if activity else {}
        return outlook_points(outlook(readings, known))

    async def analysed(self, repo: Repo, window: Window) -> AnalysedDay:
        """Give a digest with its high changes whole, and why others could not be looked at so.

        Raises as `digest` does.
        """
        with waiting_once():
            return await self._analysed(repo, window)

    async def _analysed(self, repo: Repo, window: Window) -> AnalysedDay:
        digest = await self.digest(repo, window)
        at_once = asyncio.Semaphore(AT_ONCE)
        whole: dict[str, Change] = {}
        failed: dict[str, Phrase] = {}

        async def look(read: ReadItem) -> None:
            async with at_once:
                try:
                    change = await self.change(digest.reading.repo, read.item.ref)
                except CouldNotLook as error:
                    failed[read.item.key] = error.why
                    return
            # A day's own judgement stands, also of a day that was told before another one.
            whole[read.item.key] = replace(change, read=replace(read, item=change.read.item))

        high = [read for read in changes(digest.reading) if read.importance is Importance.HIGH]
        keys = [read.item.key for read in high]
        await together(look(read) for read in high)
        looked_at = tuple(whole[key] for key in keys if key in whole)
        return AnalysedDay(digest, looked_at, tuple((k, failed[k]) for k in keys if k in failed))

    async def _kept(self, repo: Repo, window: Window) -> Digest | None:
        """Give the stored digest if it still tells the truth."""
        if self._digests is None:
            return None
        if window.partial:
            kept = await self._digests.load_unfinished(repo, window)
            if kept is None or can_heal(kept.reading.gaps):
                return None
            is_fresh = self.clock() - kept.reading.collected_at < FRESH
            return kept if is_fresh else None
        kept = await self._digests.load(repo, window)
        if kept and await self._was_reverted_since(kept):
            return None
        return kept

    async def _kept_as_is(self, repo: Repo, window: Window) -> Digest | None:
        """Give the stored digest of what is over, if its source has not changed since.

        One that lacks some contents is read anew: they may be there now.
        """
        if not isinstance(self.source, Lasting):
            return None
        kept = await self._kept(repo, window)
        if kept is None or not NEVER_THERE.issuperset(gap.what for gap in kept.reading.gaps):
            return None
        collected_at = kept.reading.collected_at
        is_same = await self.source.is_as_collected(repo, window, collected_at)
        return kept if is_same else None

    async def _was_reverted_since(self, kept: Digest) -> bool:
        """Tell whether the store has learnt of a revert of something that the digest tells."""
        if self._activity is None:
            return False
        reading = kept.reading
        reverting = await self._activity.reverting_since(
            reading.repo, reading.window.end, reading.collected_at
        )
        known = {key for pair in reading.reverts for key in (pair.revert.key, *pair.revert.commits)}
        news = [each for each in reverting if not known & {each.key, *each.commits}]
        return any(speaks_of(each, read.item) for each in news for read in reading.items)

    async def _gather(self, repo: Repo, window: Window) -> Activity:
        """Collect what is missing of a window and give the whole of it.

        What is stored already is told with a gap where the rest cannot be collected, unless the
        repository may not be looked at any more. Who asks for the same repository meanwhile waits,
        and is served by what was collected.
        """
        async with self._turn(repo):
            return await self._gathered(repo, window)

    async def _gathered(self, repo: Repo, window: Window) -> Activity:
        if self._activity is None:
            self.progress(f"{repo}: collecting {window.label}")
            return await self.source.collect(repo, window)
        missing = (window,) if self.rereads else await self._activity.missing(repo, window)
        failures: list[CouldNotLook] = []
        for part in missing:
            self.progress(f"{repo}: collecting {part.label}")
            try:
                with border_of(repo, "collecting"):
                    collected = await self.source.collect(repo, part)
            except Forbidden:
                await self._withdraw(repo)
                raise
            except StoreFailed:
                raise
            except CouldNotLook as error:
                failures.append(error)
            else:
                # A renamed repository is kept under the name that it is asked by.
                await self._activity.save(replace(collected, repo=repo))
        activity = await self._activity.read(repo, window)
        if activity is None:
            raise failures[0]
        gaps = (*activity.gaps, *(Gap("everything", error.why) for error in failures))
        return replace(activity, gaps=tuple(dict.fromkeys(gaps)))

    async def _gather_anew(self, repo: Repo, window: Window) -> Activity:
        """Collect a window of what was private and is not listed any more.

        Nothing stored is told, and the source refuses it unless it has become public: then all
        that is stored from before is thrown away, as another one may have got its name.
        """
        async with self._turn(repo):
            return await self._gathered_anew(repo, window)

    async def _gathered_anew(self, repo: Repo, window: Window) -> Activity:
        self.progress(f"{repo}: collecting {window.label}")
        try:
            collected = await self.source.collect(repo, window)
        except Forbidden:
            await self._withdraw(repo)
            raise
        if self._activity is None:
            return collected
        await self._withdraw(repo)
        await self._activity.forget(repo)
        await self._activity.save(replace(collected, repo=repo))
        return await self._activity.read(repo, window) or collected

    async def _edited(self, reading: Reading) -> Digest:
        """Write a digest of a reading, with what a model adds to it."""
        edited = Edited(reading, (), None)
        if self.editing is not None:
            self.progress(f"{reading.repo}: asking a model about {reading.window.label}")
            edit = Wait(asyncio.get_running_loop().time())
            edited = await self.editing.edit(reading)
            edit.ends = asyncio.get_running_loop().time()
            self._edits[reading.repo, reading.window] = edit
        written = await in_executor(partial(write, edited.reading, self.clock()))
        return replace(written, remarks=edited.remarks, model=edited.use)

    async def _read(self, activity: Activity) -> tuple[Reading, tuple[ToldStory, ...]]:
        """Read an activity; what its stories were told as is what a later one goes on with."""
        wanted = await in_executor(partial(files_wanted, activity))
        logs = changelogs_wanted(activity.items)
        contents, gap = await whole_files(self.source, activity.repo, wanted, self.progress, logs)
        if gap is not None:
            activity = replace(activity, gaps=(*activity.gaps, gap))
        had = await used_before(self.source, activity.repo, activity.items)
        stored, past = await self._before(activity.repo, activity.window)
        reading = await in_executor(
            partial(read, activity, contents, had=had, stored=stored, past=past, unread=not_parsed)
        )
        return reading, await in_executor(partial(told, reading, stored))

    async def _before(self, repo: Repo, window: Window) -> tuple[tuple[ToldStory, ...], Rarity]:
        """Give what is known from before a window: stories, and which words and files are rare."""
        stories: tuple[ToldStory, ...] = ()
        changes: Sequence[tuple[str, Sequence[str]]] = ()
        if isinstance(self.source, Historian):
            changes = await self.source.changes_before(repo, window.start)
        if self._stories is not None:
            stories = await self._stories.before(repo, window.start)
            titles = () if changes else await self._stories.titles_before(repo, window.start)
            changes = changes or [(title, ()) for title in titles]
        return stories, history(changes)

    async def _tell(self, activity: Activity) -> Digest:
        """Read what was gathered just now, and store its digest.

        It is not stored if the repository was withdrawn meanwhile: nothing of it may be told again.
        """
        name = str(activity.repo).lower()
        withdrawals = self._withdrawals[name]
        self.progress(f"{activity.repo}: reading {activity.window.label}")
        reading, stories = await self._read(activity)
        digest = without_hunks(await self._edited(reading))
        async with self._turn(("storing", name)):
            if self._withdrawals[name] == withdrawals:
                await self._store(digest, stories)
        return digest

    async def _store(self, digest: Digest, stories: Sequence[ToldStory]) -> None:
        if self._digests is not None:
            await self._digests.save(digest)
        if self._stories is not None:
            await self._stories.save(digest.reading.repo, digest.reading.window, stories)


def _business(digest: Digest) -> tuple[int, int]:
    counts = digest.reading.counts
    return counts.commits + counts.releases, counts.issues
