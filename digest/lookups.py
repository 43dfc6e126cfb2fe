"""One item at a time: looked at whole, with its analysis, or given as a digest told it.

::

    item     = await source.find(repo, ref)             whole, with its patches
    activity = close_up(item, stored, …)                with the stored items that speak of it
    contents = await whole_files(source, repo, …)       before and after, if the source has them
    change   = as_change(read(activity, contents), item)   pure
    change   = await editing.analyse(change)            where there is a model
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from datetime import timedelta
from functools import partial
from weakref import WeakValueDictionary

import structlog

from digest.editing.editor import Editor
from digest.errors import CouldNotLook, Defect, Forbidden, InfraError, NotFound, UsageError
from digest.executor import in_executor
from digest.facts import Fact, Story
from digest.models import Change, Digest, FileAt, Gap, Item, ReadItem, Repo, Window
from digest.ports import Clock, Contents, Progress, Searchable, Source, Withheld
from digest.query.query import Found, Query
from digest.query.ranking import found
from digest.reading.interfaces.variables import SEARCHED, asked_for, used_in
from digest.reading.reader import files_wanted, read
from digest.reading.relations import as_change, close_up
from digest.reading.releases import changelogs_wanted
from digest.store.store import Store
from digest.wording.phrases import SAY

log = structlog.get_logger()

AROUND = timedelta(days=7)
"""How far before and after an item stored ones may speak of it; most reverts come in a day."""


async def nothing_withheld() -> frozenset[str]:
    """Withhold nothing: where no repository was ever private."""
    return frozenset()


@dataclass(eq=False)
class Lookups:
    """Looks up single items of one source.

    `source_name` is what the source's activity is stored under (`github`, `git:PATH`). `store` is
    None where nothing may be kept, `editing` without a model. `withheld` are names of which nothing
    stored may be told: they were private and are not listed any more. `clock` gives UTC.
    """

    source: Source
    _: KW_ONLY
    source_name: str
    store: Store | None
    clock: Clock
    progress: Progress
    editing: Editor | None = None
    withheld: Withheld = nothing_withheld

    def __post_init__(self) -> None:
        name, store = self.source_name, self.store
        self._activity = store.activity(name) if store else None
        self._digests = store.digests(name) if store else None
        self._stories = store.stories(name) if store else None
        self._turns: WeakValueDictionary[object, asyncio.Lock] = WeakValueDictionary()
        self._withdrawals: Counter[str] = Counter()

    def _turn(self, of: object) -> asyncio.Lock:
        return self._turns.setdefault(of, asyncio.Lock())

    async def change(self, repo: Repo, ref: str) -> Change:
        """Look at one change, issue or release whole, with stored items that speak of it.

        Where there is a model, the change has its remarks. `ref` is `35621`, `#35621`, a SHA of 4
        or more digits, or a tag. Raises `NotFound`.
        """
        with border_of(repo, f"looking up {ref}"):
            change = await self._look(repo, ref)
            if self.editing is not None:
                self.progress(f"{repo}: asking a model about {ref}")
                change = await self.editing.analyse(change)
            return change

    async def search(
        self, words: str, repo: Repo | None = None, limit: int = 20
    ) -> tuple[ReadItem, ...]:
        """Give told items that hold all words, in title first, then newest, without hunks.

        Raises `UsageError` without words or without a store.
        """
        if self._digests is None:
            raise UsageError(SAY.database.needs_store)
        if not any(letter.isalnum() for letter in words):
            raise UsageError(SAY.commands.nothing_to_search)
        return await self._digests.search(words, repo, limit, without=await self.withheld())

    async def found(self, query: Query) -> Found:
        """Give what stored digests hold for a query; nobody is asked, nothing is collected.

        Raises `UsageError` without a store.
        """
        if self._digests is None:
            raise UsageError(SAY.database.needs_store)
        withheld = await self.withheld()
        repos = tuple(repo for repo in query.repos if str(repo).lower() not in withheld)
        stored = {repo: await self._digests.within(repo, query.window) for repo in repos}
        allowed = {
            repo: [digest for digest in digests if str(digest.reading.repo).lower() not in withheld]
            for repo, digests in stored.items()
        }
        return await asyncio.to_thread(found, replace(query, repos=repos), allowed)

    async def stored(self, repo: Repo, window: Window) -> tuple[Digest, ...]:
        """Give what is stored of a window of a repository and may be told; nobody is asked."""
        if self._digests is None or str(repo).lower() in await self.withheld():
            return ()
        return await self._digests.within(repo, window)

    async def is_stored(self, repo: Repo) -> bool:
        """Tell whether a day of a repository is stored that may be told."""
        if self._digests is None or str(repo).lower() in await self.withheld():
            return False
        return bool(await self._digests.windows(repo))

    async def read_item(self, repo: Repo, ref: str) -> ReadItem:
        """Give one item with its reasons: as last told, or read by itself; raises `NotFound`."""
        with border_of(repo, f"looking up {ref}"):
            is_withheld = str(repo).lower() in await self.withheld()
            stored = await self._digests.item(repo, ref) if self._digests else None
            return (None if is_withheld else stored) or (await self._look(repo, ref)).read

    async def filled_in(
        self, repo: Repo, told: ReadItem
    ) -> tuple[tuple[Fact, ...], tuple[Story, ...]]:
        """Give what a model filled in of a told item, and joined it with; nobody is asked."""
        if self._digests is None:
            return (), ()
        key = told.item.key
        for digest in await self._digests.around(repo, told.item):
            facts = [fact for fact in digest.reading.facts if fact.item == key]
            stories = [story for story in digest.reading.stories if key in story.items]
            if facts or stories:
                return (
                    tuple(fact for fact in facts if fact.by != "rules"),
                    tuple(story for story in stories if story.by != "rules"),
                )
        return (), ()

    async def _withdraw(self, repo: Repo) -> None:
        """Tell nothing more of a repository that may not be looked at, also of what is stored."""
        name = str(repo).lower()
        async with self._turn(("storing", name)):
            self._withdrawals[name] += 1
            if self._activity and self._digests and self._stories:
                await self._activity.distrust(repo)
                await self._digests.withdraw(repo)
                await self._stories.withdraw(repo)

    async def _look(self, repo: Repo, ref: str) -> Change:
        self.progress(f"{repo}: looking up {ref}")
        try:
            item = await self.source.find(repo, ref)
        except Forbidden:
            await self._withdraw(repo)
            raise
        stored: tuple[Item, ...] = ()
        if self._activity:
            stored = await self._activity.between(repo, item.at - AROUND, item.at + AROUND)
        activity = close_up(item, stored, self.clock(), self.source_name)
        # What only speaks of the item is here without hunks, and is not compared.
        own = tuple(each for each in activity.items if any(file.patch for file in each.files or ()))
        wanted, logs = files_wanted(replace(activity, items=own)), changelogs_wanted([item])
        contents, _ = await whole_files(self.source, repo, wanted, self.progress, logs)
        had = await used_before(self.source, repo, own)
        reading = await in_executor(partial(read, activity, contents, had=had))
        change = as_change(reading, item)
        if change is None:
            raise NotFound(SAY.github.nothing_at(repo, ref))
        of_day = await self._digests.item(repo, item.ref) if self._digests else None
        if of_day is None:
            return change
        # Importance is relative to a day, so the day's own judgement stands.
        grade = replace(
            change.read, importance=of_day.importance, score=of_day.score, reasons=of_day.reasons
        )
        return replace(change, read=grade)


@contextmanager
def border_of(repo: Repo, doing: str) -> Iterator[None]:
    """Turn whatever goes wrong with one repository into `Defect`; `doing` names the work.

    Nobody foresaw an error that reaches it, and it keeps nobody else from theirs: it is logged with
    its traceback, and told as one sentence like anything else that could not be looked at.
    """
    try:
        yield
    except InfraError:
        raise
    except Exception as error:
        log.error("repository failed", repo=str(repo), doing=doing, exc_info=error)
        raise Defect(SAY.chat.own_error_with(repo)) from error


async def together(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Await all at once; the first error ends them all, as one who stops waiting does."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors


async def used_before(
    source: Source, repo: Repo, items: Sequence[Item], sha: str = ""
) -> Mapping[str, bool]:
    """Tell of variables that changes may begin to read whether the program had them before.

    At a commit, else at the one before the first of the changes. Empty where the source cannot
    look into every file of one.
    """
    before, names = asked_for(items)
    if not isinstance(source, Searchable) or not names or not (sha or before):
        return {}
    try:
        return used_in(await source.lines_with(repo, sha or before, names, SEARCHED), names)
    except CouldNotLook:
        return {}


MOST_NAMED = 5
"""Files that a gap names; of more it has the number."""


def not_parsed(paths: Sequence[str]) -> Gap:
    """Say of files that changed that they do not parse or are too large: nothing was compared."""
    left = f" +{len(paths) - MOST_NAMED}" if len(paths) > MOST_NAMED else ""
    named = f"{', '.join(paths[:MOST_NAMED])}{left}"
    return Gap("contents", SAY.git.files_not_parsed(named), lasting=True)


async def whole_files(
    source: Source,
    repo: Repo,
    wanted: Sequence[FileAt],
    progress: Progress,
    beside: Sequence[FileAt] = (),
) -> tuple[Mapping[FileAt, str | None] | None, Gap | None]:
    """Ask for the whole files that show what changed for users, where the source has them.

    What cannot be had becomes a gap; without a file, interfaces are read from its hunks. What
    stands `beside` is asked for with them, and is no gap.
    """
    if not isinstance(source, Contents):
        return None, None
    if not wanted and not beside:
        return {}, None
    progress(f"{repo}: comparing files (files: {len(wanted)})")
    try:
        contents = await source.contents(repo, (*wanted, *beside))
    except CouldNotLook as error:
        return None, Gap("contents", error.why)
    missing = len([file for file in wanted if file not in contents])
    if not missing:
        return contents, None
    why = SAY.git.files_not_compared(missing, len(wanted))
    return contents, Gap("contents", why, lasting=True)
