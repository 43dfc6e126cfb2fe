"""GitHub as a source: who is asked for what, with a token or without.

A window is read with a token by GraphQL, without one by REST's lists::

    found    few GraphQL documents (`GraphQLWindow`), or lists within 60 requests an hour
             (`RestWindow`)
    changes  when each commit landed, and of which pull request it is; merges are compared
    patches  a request a change, kept for ever
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Self

from digest.errors import BadToken, CouldNotLook, NotFound
from digest.models import Activity, FileAt, Gap, Item, Notice, NoticeKind, Repo, Span, Window
from digest.ports import Progress, Seen, SeenSince, Steps
from digest.sources.github.answers import CommitStanding, RateLimitRow, Shape, is_same
from digest.sources.github.changes import find_item, find_originals, known_repository
from digest.sources.github.client import (
    Session,
    repo_path,
)
from digest.sources.github.files import (
    FilesOf,
    affordable,
    files_of,
    is_wanted,
    read_blobs,
    read_patches,
)
from digest.sources.github.graphql import PullWish
from digest.sources.github.history import (
    compared,
    find_span,
    read_brought,
    read_releases,
    read_tree,
    spare,
)
from digest.sources.github.items import (
    CommitFact,
    commit_fact,
    commit_item,
    landed_when,
    named_pull,
    open_merges,
    with_author,
)
from digest.sources.github.standings import Standings
from digest.sources.github.window import ADVICE, FoundPull, FoundWindow, GraphQLWindow, RestWindow
from digest.sources.landing import Landing
from digest.upstream import Followed, Standing
from digest.wording.phrases import SAY


async def _collected(
    asker: Session, repo: Repo, window: Window, seen: Sequence[Seen], progress: Progress
) -> Activity:
    """Gather a window; raises as `digest.ports.Source.collect`.

    `seen` are the repository's heads at earlier looks. A name that GraphQL does not know is looked
    up by REST, which tells the new name of one that was moved.
    """
    what = "" if asker.has_token else " without a token"
    progress(f"{repo}: asking GitHub about {window.label}{what}")
    found: FoundWindow
    if asker.has_token:
        found = GraphQLWindow(asker, repo, window, seen)
    else:
        moved, branch = await known_repository(asker, repo)
        found = RestWindow(asker, moved, window, seen, branch)
    changes = _Changes(found)
    try:
        await found.read(changes.land)
    except NotFound:
        if not asker.has_token:
            raise
        moved, _ = await known_repository(asker, repo)
        if moved == repo:
            raise
        return await _collected(asker, moved, window, seen, progress)
    await changes.complete_merges()
    items, places = changes.items()
    async with asker.counting():
        chosen = await affordable(asker, found.repo, places)
        if places:
            progress(f"{found.repo}: reading {len(chosen)} patches")
        patched, unread = await read_patches(asker, found.repo, items, chosen)
    earlier: tuple[Item, ...] = ()
    gaps = [*found.gaps, *unread]
    if asker.has_token:
        earlier, unseen = await find_originals(asker, found, patched)
        gaps += unseen
    elif places:
        gaps += _left_out(len(places), len(chosen))
    return Activity(
        repo=found.repo,
        window=window,
        items=(*patched, *found.others()),
        collected_at=asker.clock(),
        source="github",
        later=changes.later(),
        earlier=earlier,
        gaps=tuple(gaps),
        default_branch=found.branch,
        head=found.head,
    )


def _left_out(changes: int, read: int) -> list[Gap]:
    gaps = [Gap("pull_requests", SAY.github.without_token(ADVICE))]
    if changes > read:
        why = SAY.github.files_not_read(changes - read, changes, ADVICE)
        gaps += [Gap("files", why), Gap("patches", why)]
    return gaps


class _Changes:
    """Decides what of the found landed in the window, asking what its merges brought."""

    def __init__(self, found: FoundWindow) -> None:
        self._found = found
        self._now = found.asker.clock
        self.landed: dict[str, Landing] = {}

    @property
    def _known(self) -> Mapping[str, CommitFact]:
        found = self._found
        return found.commits | found.later if found.later_is_whole else found.commits

    def land(self) -> list[PullWish]:
        """Decide when each known commit landed, and return the pull requests of the window.

        Those whose commits are not all known are wished for with their own.
        """
        found = self._found
        head = found.head if found.later_is_whole else None
        self.landed = landed_when(self._known.values(), head, self._now(), found.seen)
        open_shas = {merge.sha for merge in open_merges(self._known.values(), self.landed)}
        wishes: dict[int, bool] = {}
        for fact in self._in_window():
            number = self._number(fact)
            if number is not None:
                wishes[number] = wishes.get(number, False) or fact.sha in open_shas
        return [PullWish(number, own) for number, own in wishes.items()]

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

    async def complete_merges(self) -> None:
        """Learn which commits the window's merges brought, however old they are."""
        found = self._found
        merges = [
            merge
            for merge in open_merges(self._known.values(), self.landed)
            if self.landed[merge.sha].at in found.window
        ]
        for merge in merges[: found.most_merges]:
            for fact in self._own_commits(merge) or await self._compared(merge):
                found.commits.setdefault(fact.sha, fact)
        if left := merges[found.most_merges :]:
            found.add_gap("commits", SAY.github.merges_not_read(len(left), ADVICE))
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
        found = self._found
        try:
            lies = await compared(
                found.asker, found.repo, merge.parents[0], merge.sha, found.most_compared
            )
        except CouldNotLook as error:
            found.add_gap("commits", SAY.unread.merge(merge.sha[:7], error.why))
            return []
        if not lies.is_whole:
            found.add_gap("commits", SAY.github.merge_too_large(merge.sha[:7], ADVICE))
        facts = [commit_fact(row, found.repo) for row in lies.commits]
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
        if not self._found.later_is_whole:
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


LINEAR = frozenset({"ahead", "identical"})
"""How a head stands to an earlier one that is its ancestor.

https://docs.github.com/en/rest/commits/commits#compare-two-commits
"""


async def with_notices(
    asker: Session, activity: Activity, requested: Repo, seen: Sequence[Seen]
) -> Activity:
    """Add notices: renamed since it was `requested`, branch changed or rewritten since `seen`."""
    notices = list(activity.notices)
    if not is_same(activity.repo, requested):
        notices.append(Notice(NoticeKind.RENAMED, str(requested), str(activity.repo)))
    if seen and activity.default_branch:
        branch, head = seen[0].branch, seen[0].head
        if branch and branch != activity.default_branch:
            kind = NoticeKind.DEFAULT_BRANCH_CHANGED
            notices.append(Notice(kind, branch, activity.default_branch))
        elif head and activity.head:
            try:
                if await _is_rewritten(asker, activity, head):
                    notices.append(Notice(NoticeKind.FORCED_PUSH, head, activity.head))
            except CouldNotLook as error:
                why = SAY.unread.rewritten(error.why)
                activity = replace(activity, gaps=(*activity.gaps, Gap("commits", why)))
    return replace(activity, notices=tuple(notices))


async def _is_rewritten(asker: Session, activity: Activity, head: str) -> bool:
    """Return whether an earlier head is no longer part of the branch."""
    reached = {sha for item in (*activity.items, *activity.later) for sha in item.commits}
    if head == activity.head or head in reached:
        return False
    path = repo_path(activity.repo, "compare", f"{head}...{activity.head}") + "?per_page=1"
    shape = Shape(CommitStanding, SAY.objects.a_comparison, activity.repo)
    try:
        answer = await asker.get(path, shape, permanent=True)
    except NotFound:
        return True
    return answer.value.status not in LINEAR


@dataclass(eq=False, repr=False)
class GitHub(Session):
    """A `digest.ports.Source` over GitHub or GitHub Enterprise; an async context manager."""

    _: KW_ONLY
    progress: Progress
    seen_since: SeenSince | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._standings = Standings(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Gather everything of a window; see `digest.ports.Source`.

        The activity's repository has the name by which GitHub knows it now. Raises `BadToken`,
        `NotFound`, `Forbidden`, `RateLimited`, `BadAnswer` or `Unreachable` when nothing can be
        said.
        """
        # What is stored stands under the name that was asked for, also of a renamed repository.
        seen = await self.seen_since(repo, window.start) if self.seen_since else ()
        activity = await _collected(self, repo, window, seen, self.progress)
        return await with_notices(self, activity, repo, seen)

    async def find(self, repo: Repo, ref: str) -> Item:
        """Return one change, issue or release whole, with patches; see `digest.ports.Source`."""
        return await find_item(self, repo, ref)

    async def span(self, repo: Repo, base: str, head: str) -> Span:
        """Return what one commit has and another has not; see `digest.ports.Spans`."""
        return await find_span(self, repo, base, head)

    async def contents(
        self, repo: Repo, files: Sequence[FileAt], *, once: bool = False
    ) -> Mapping[FileAt, str | None]:
        """Return whole files as they stood at commits; see `digest.ports.Clone`."""
        if once:
            spare(self)
        return await read_blobs(self, repo, files, cached=not once)

    async def tree(self, repo: Repo, sha: str) -> Mapping[str, str]:
        """Return the files of a commit; see `digest.ports.Clone`."""
        return await read_tree(self, repo, sha)

    async def brought(
        self, repo: Repo, span: Span, tell: Steps = lambda step: None
    ) -> Sequence[Item]:
        """Return the commits of a span, oldest first; see `digest.ports.Clone`."""
        return await read_brought(self, repo, span, tell)

    async def releases(self, repo: Repo) -> Sequence[str]:
        """Return the tags of releases, newest first, without prereleases."""
        return await read_releases(self, repo)

    async def standings(self, wanted: Sequence[Followed]) -> Mapping[str, Standing]:
        """Return how items stand now; see `digest.upstream.Upstream`.

        Without a token GitHub answers no GraphQL: raises `BadToken`.
        """
        if not self.has_token:
            raise BadToken(SAY.github.following_needs_token)
        return await self._standings.of(wanted)

    async def quota(self) -> int:
        """Return the REST requests left this hour, which costs none; raises as `collect` does."""
        answer = await self.get("/rate_limit", Shape(RateLimitRow, SAY.objects.the_limits, None))
        return answer.value.remaining
