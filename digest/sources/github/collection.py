"""A window of a repository: read with a token by GraphQL, without one by REST's lists.

::

    found    few GraphQL documents (`GraphQLWindow`), or lists within 60 requests an hour
    (`RestWindow`) changes  when each commit landed, and of which pull request it is; merges are
    compared patches  a request a change, kept for ever
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from digest.errors import CouldNotLook, NotFound
from digest.models import Activity, Gap, Item, Repo, Window
from digest.ports import Clock, Progress, Seen
from digest.sources.github.answers import Comparison, Shape
from digest.sources.github.api import repo_path
from digest.sources.github.client import Session
from digest.sources.github.commit_facts import (
    CommitFact,
    commit_from_rest,
    commit_item,
    cut_off,
    landed_when,
    named_pull,
    open_merges,
)
from digest.sources.github.graphql import PullWish
from digest.sources.github.graphql_window import GraphQLWindow
from digest.sources.github.items import with_author
from digest.sources.github.patches import (
    FilesOf,
    affordable,
    files_of,
    is_wanted,
    read_patches,
)
from digest.sources.github.rest_window import RestWindow
from digest.sources.github.reverted_originals import Originals
from digest.sources.github.single_item import known_repository
from digest.sources.github.window_data import ADVICE, FoundPull, WindowData
from digest.sources.landing import Landing
from digest.wording.phrases import SAY

RESERVED_REQUESTS = 8
"""Requests of an hour without a token that are left over for looking at single changes."""

MOST_PATCHES = 40
"""Changes read file by file at most, of 60 requests an hour.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""


@dataclass(frozen=True, slots=True)
class Collecting:
    """Gathers windows of one repository; `seen` are its heads at earlier looks."""

    asker: Session
    now: Clock
    progress: Progress
    seen: Sequence[Seen] = ()

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Gather a window; raises as `digest.ports.Source.collect`.

        A name that GraphQL does not know is looked up by REST, which tells the new name of one that
        was moved.
        """
        what = "" if self.asker.has_token else " without a token"
        self.progress(f"{repo}: asking GitHub about {window.label}{what}")
        if not self.asker.has_token:
            moved, branch = await known_repository(self.asker, repo)
            return await self._listed(moved, branch, window)
        try:
            return await self._gathered(repo, window)
        except NotFound:
            moved, _ = await known_repository(self.asker, repo)
            if moved == repo:
                raise
            return await self._gathered(moved, window)

    async def _gathered(self, repo: Repo, window: Window) -> Activity:
        """Read by GraphQL: pull requests are asked for once it is known which landed."""
        found = GraphQLWindow(self.asker, repo, window, self.seen)
        changes = _Changes(found, self.now)
        wished = False
        while not found.is_done:
            await found.step()
            await self.asker.private.check(repo, found.repo, found.is_private)
            if found.commits_are_known and not wished:
                wished = True
                changes.land()
                found.wish(changes.pull_wishes())
        await changes.complete_merges()
        items, places = changes.items()
        others = (*found.issue_items(), *found.release_items())
        return await self._activity(found, changes, items, places, others)

    async def _listed(self, repo: Repo, branch: str, window: Window) -> Activity:
        """Read REST's lists, then patches as far as requests last."""
        found = RestWindow(self.asker, repo, window, branch, self.seen)
        await found.read()
        changes = _Changes(found, self.now)
        changes.land()
        await changes.complete_merges()
        items, places = changes.items()
        left = self.asker.remaining()
        allowance = MOST_PATCHES if left is None else min(MOST_PATCHES, left - RESERVED_REQUESTS)
        chosen = await affordable(self.asker, repo, places, allowance)
        found.gaps += _left_out(len(places), len(chosen))
        others = (*found.issues, *found.release_items(changes.landed))
        return await self._activity(found, changes, items, chosen, others)

    async def _activity(
        self,
        found: WindowData,
        changes: "_Changes",
        items: Sequence[Item],
        places: Sequence[FilesOf],
        others: Sequence[Item],
    ) -> Activity:
        """Read patches, and what reverts take back."""
        if places:
            self.progress(f"{found.repo}: reading {len(places)} patches")
        patched = await read_patches(self.asker, found.repo, items, places)
        originals = Originals(found)
        look_up = originals.sparse if isinstance(found, RestWindow) else originals.detailed
        earlier, unseen = await look_up(patched.items)
        return Activity(
            repo=found.repo,
            window=found.window,
            items=(*patched.items, *others),
            collected_at=self.now(),
            source="github",
            later=changes.later(),
            earlier=earlier,
            gaps=(*found.gaps, *patched.gaps(), *unseen),
            default_branch=found.branch,
            head=found.head,
        )


def _left_out(changes: int, read: int) -> tuple[Gap, ...]:
    if not changes:
        return ()
    gaps = [
        Gap(
            "pull_requests",
            SAY.github.without_token(ADVICE),
        )
    ]
    if changes > read:
        why = SAY.github.files_not_read(changes - read, changes, ADVICE)
        gaps += [Gap("files", why), Gap("patches", why)]
    return tuple(gaps)


class _Changes:
    """Decides what of the found landed in the window, asking what its merges brought."""

    def __init__(self, found: WindowData, now: Clock) -> None:
        self._found = found
        self._now = now
        self._leads_down = False
        self.landed: dict[str, Landing] = {}

    @property
    def _known(self) -> Mapping[str, CommitFact]:
        found = self._found
        return found.commits | found.later if self._leads_down else found.commits

    def land(self) -> None:
        """Decide when each known commit landed."""
        found = self._found
        above: frozenset[str] = frozenset()
        if found.later_is_whole:
            above = cut_off(found.commits.values(), found.later.values(), found.head, self._now())
        self._leads_down = found.later_is_whole and not above
        below = [fact for fact in self._known.values() if fact.sha not in above]
        head = found.head if self._leads_down else None
        self.landed = landed_when(below, head, self._now(), self._found.seen)

    def _in_window(self) -> list[CommitFact]:
        """The commits that landed in the window, newest first."""
        known = self._known
        return [
            known[sha]
            for sha, landing in reversed(self.landed.items())
            if landing.at in self._found.window
        ]

    def _number(self, fact: CommitFact) -> int | None:
        """The pull request of a landed commit, told by its message only where it landed itself."""
        by = self.landed[fact.sha].by
        return named_pull(fact if by == fact.sha or fact.pull else self._known[by])

    def pull_wishes(self) -> list[PullWish]:
        """The pull requests of the window, those whose commits are unknown with their own."""
        open_shas = {merge.sha for merge in open_merges(self._known.values(), self.landed)}
        wishes: dict[int, bool] = {}
        for fact in self._in_window():
            number = self._number(fact)
            if number is not None:
                wishes[number] = wishes.get(number, False) or fact.sha in open_shas
        return [PullWish(number, own) for number, own in wishes.items()]

    async def complete_merges(self) -> None:
        """Learn which commits the window's merges brought, however old they are."""
        found = self._found
        merges = [
            merge
            for merge in open_merges(self._known.values(), self.landed)
            if self.landed[merge.sha].at in self._found.window
        ]
        for merge in merges[: found.most_merges]:
            for fact in self._own_commits(merge) or await self._compared(merge):
                found.commits.setdefault(fact.sha, fact)
        if left := merges[found.most_merges :]:
            why = SAY.github.merges_not_read(len(left), ADVICE)
            found.gaps.append(Gap("commits", why))
        if merges:
            self.land()

    def _own_commits(self, merge: CommitFact) -> Sequence[CommitFact]:
        """The pull request's own commits, where they are surely all that its merge brought."""
        pull = self._pull_of(named_pull(merge))
        if pull is None or len(merge.parents) != 2:
            return ()
        return pull.own if merge.parents[1] in {fact.sha for fact in pull.own} else ()

    def _pull_of(self, number: int | None) -> FoundPull | None:
        return self._found.pulls.get(number) if number is not None else None

    async def _compared(self, merge: CommitFact) -> list[CommitFact]:
        if not merge.parents:
            return []
        gaps = self._found.gaps
        spec = f"{merge.parents[0]}...{merge.sha}"
        url: str | None = repo_path(self._found.repo, "compare", spec) + "?per_page=250"
        shape = Shape(Comparison, "a comparison", self._found.repo)
        facts: list[CommitFact] = []
        try:
            for _ in range(self._found.most_compared):
                if url is None:
                    break
                answer = await self._found.asker.get(url, shape, permanent=True)
                facts += [commit_from_rest(row) for row in answer.value.commits]
                url = answer.next_url
            else:
                if url is not None:
                    why = SAY.github.merge_too_large(merge.sha[:7], ADVICE)
                    gaps.append(Gap("commits", why))
        except CouldNotLook as error:
            why = SAY.unread.merge(merge.sha[:7], error.why)
            gaps.append(Gap("commits", why))
        return [fact for fact in facts if fact.sha != merge.sha]

    # ---- items

    def items(self) -> tuple[list[Item], list[FilesOf]]:
        """The pull requests and commits of the window, and where their patches are read."""
        found = self._found
        commits, pulls, places = [], [], []
        by_number: dict[int, list[CommitFact]] = {}
        for fact in self._in_window():
            number = self._verified(fact)
            item = commit_item(found.repo, fact, self.landed[fact.sha].at, number)
            commits.append(replace(item, detail_missing=found.unread))
            if number is not None and number in found.pulls:
                by_number.setdefault(number, []).append(fact)
            elif not fact.is_merge:
                places.append(files_of(item, ()))
        for number, facts in by_number.items():
            item = self._pull(found.pulls[number], facts)
            pulls.append(item)
            if is_wanted(item):
                own = [fact.sha for fact in facts if self.landed[fact.sha].by == fact.sha]
                places.append(files_of(item, own))
        return [*pulls, *commits], places

    def _verified(self, fact: CommitFact) -> int | None:
        """The pull request of a commit, if it is known and really brought the commit."""
        number = self._number(fact)
        pull = self._pull_of(number)
        if fact.pull or (pull is None and not self._found.knows_every_pull):
            return number
        if pull is None or not pull.is_landed:
            return None
        return number if pull.merge_sha in ("", fact.sha, self.landed[fact.sha].by) else None

    def _pull(self, pull: FoundPull, facts: Sequence[CommitFact]) -> Item:
        at = max(self.landed[fact.sha].at for fact in facts)
        item = replace(pull.item, at=at, commits=tuple(fact.sha for fact in facts))
        author = next((one for one in facts if one.sha == pull.merge_sha), facts[0])
        return with_author(item, author.author, author.is_bot)

    def later(self) -> tuple[Item, ...]:
        """What landed after the window, as far as it was seen, and every later revert."""
        repo, end = self._found.repo, self._found.window.end
        landed = self.landed
        if not self._leads_down:
            landed = landed_when(self._found.later.values(), self._found.head, self._now())
        known = self._found.commits | self._found.later
        commits = [
            commit_item(repo, known[sha], one.at, named_pull(known[sha]))
            for sha, one in landed.items()
            if one.at >= end
        ]
        by_number: dict[int | None, list[str]] = {}
        for item in commits:
            by_number.setdefault(item.pull_request, []).extend(item.commits)
        pulls = [
            replace(
                pull.item,
                at=pull.merged_at,
                files=None,
                commits=tuple(by_number.get(pull.item.number) or filter(None, [pull.merge_sha])),
            )
            for pull in self._found.later_pulls
            if pull.is_landed and pull.merged_at and pull.merged_at >= end
        ]
        return (*pulls, *commits)
