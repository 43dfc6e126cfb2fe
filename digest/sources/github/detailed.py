"""A window with a token: few GraphQL documents, comparisons of merges, patches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from digest.errors import CouldNotLook, NotFound
from digest.gaps import Gap
from digest.models import Activity, Item, Repo, Window
from digest.ports import Progress, Seen
from digest.sources.github.answers import Comparison, PullNode, Shape
from digest.sources.github.api import (
    Asker,
    PrivateRepos,
    gap_sentence,
    repo_path,
)
from digest.sources.github.facts import (
    CommitFact,
    commit_from_graphql,
    commit_from_rest,
    commit_item,
    cut_off,
    landed_when,
    named_pull,
    open_merges,
)
from digest.sources.github.finding import known_repository
from digest.sources.github.gathering import Gathering
from digest.sources.github.graphql import PullWish
from digest.sources.github.items import (
    issue_item,
    pull_item,
    release_item,
    tag_item,
    with_author,
)
from digest.sources.github.originals import Originals
from digest.sources.github.patches import FilesOf, files_of, is_wanted, read_patches
from digest.sources.landing import Landing


async def collect_detailed(
    asker: Asker,
    repo: Repo,
    window: Window,
    now: Callable[[], datetime],
    private: PrivateRepos,
    progress: Progress,
    seen: Sequence[Seen] = (),
) -> Activity:
    """Gather a window through GraphQL; `private` are those that may be told.

    A name that GraphQL does not know is looked up by REST, which tells the new name of one that
    was moved.
    """
    progress(f"{repo}: asking GitHub about {window.label}")
    try:
        return await _collect(asker, repo, window, now, private, progress, seen)
    except NotFound:
        moved, _ = await known_repository(asker, repo, private)
        if moved == repo:
            raise
        return await _collect(asker, moved, window, now, private, progress, seen)


async def _collect(
    asker: Asker,
    repo: Repo,
    window: Window,
    now: Callable[[], datetime],
    private: PrivateRepos,
    progress: Progress,
    seen: Sequence[Seen],
) -> Activity:
    found = Gathering(asker, repo, window, seen)
    day = _Day(asker, found, window, now, seen)
    wished = False
    while not found.is_done:
        await found.step()
        await private.check(repo, found.repo, found.is_private)
        if found.commits_are_known and not wished:
            wished = True
            day.land()
            found.wish(day.pull_wishes())
    await day.complete_merges()
    items, places = day.changes()
    if places:
        progress(f"{repo}: reading {len(places)} patches")
    patched = await read_patches(asker, found.repo, items, places)
    originals = Originals(asker, found.repo, window, found.branch)
    earlier, unseen = await originals.detailed(patched.items)
    return Activity(
        repo=found.repo,
        window=window,
        items=(*patched.items, *day.issues(), *day.releases()),
        collected_at=now(),
        source="github",
        later=day.later(),
        earlier=earlier,
        gaps=(*found.gaps, *day.gaps, *patched.gaps(), *unseen),
        default_branch=found.branch,
        head=found.head,
    )


class _Day:
    """What landed in a window, from what was gathered."""

    def __init__(
        self,
        asker: Asker,
        found: Gathering,
        window: Window,
        now: Callable[[], datetime],
        seen: Sequence[Seen],
    ) -> None:
        self._seen = seen
        self._asker = asker
        self._found = found
        self._window = window
        self._now = now
        self._known: dict[str, CommitFact] = {}
        self._landed: dict[str, Landing] = {}
        self._leads_down = False
        self.gaps: list[Gap] = []

    def land(self) -> None:
        """Decide when each known commit landed."""
        found, now = self._found, self._now()
        self._known |= found.commits
        head = None
        above: frozenset[str] = frozenset()
        if found.later_is_whole:
            above = cut_off(found.commits.values(), found.later.values(), found.head, now)
        self._leads_down = found.later_is_whole and not above
        if self._leads_down:
            self._known |= found.later
            head = found.head
        below = [fact for fact in self._known.values() if fact.sha not in above]
        self._landed = landed_when(below, head, now, self._seen)

    def _in_window(self) -> list[CommitFact]:
        """The commits that landed in the window, newest first."""
        return [
            self._known[sha]
            for sha, landing in reversed(self._landed.items())
            if landing.at in self._window
        ]

    def _number(self, fact: CommitFact) -> int | None:
        """The pull request of a landed commit, told by its message only where it landed itself."""
        by = self._landed[fact.sha].by
        if by == fact.sha or fact.pull:
            return named_pull(fact)
        return named_pull(self._known[by])

    def pull_wishes(self) -> list[PullWish]:
        """The pull requests of the window, those whose commits are unknown with their own."""
        here = self._in_window()
        open_shas = {merge.sha for merge in open_merges(self._known.values(), self._landed)}
        wishes: dict[int, bool] = {}
        for fact in here:
            number = self._number(fact)
            if number is not None:
                wishes[number] = wishes.get(number, False) or fact.sha in open_shas
        return [PullWish(number, own) for number, own in wishes.items()]

    async def complete_merges(self) -> None:
        """Learn which commits the window's merges brought, however old they are."""
        merges = open_merges(self._known.values(), self._landed)
        for merge in merges:
            if self._landed[merge.sha].at not in self._window:
                continue
            brought = self._own_commits(merge)
            if brought is None:
                brought = await self._compared(merge)
            for fact in brought:
                self._known.setdefault(fact.sha, fact)
        if merges:
            self.land()

    def _own_commits(self, merge: CommitFact) -> list[CommitFact] | None:
        """The pull request's own commits, where they are surely all that its merge brought."""
        number = named_pull(merge)
        node = self._found.pulls.get(number) if number is not None else None
        if node is None or node.commits is None or len(merge.parents) != 2:
            return None
        repo, branch = self._found.repo, self._found.branch
        facts = [commit_from_graphql(row.commit, repo, branch) for row in node.commits.nodes]
        is_whole = len(facts) == node.commits.total_count
        return facts if is_whole and merge.parents[1] in {fact.sha for fact in facts} else None

    async def _compared(self, merge: CommitFact) -> list[CommitFact]:
        if not merge.parents:
            return []
        spec = f"{merge.parents[0]}...{merge.sha}"
        url: str | None = repo_path(self._found.repo, "compare", spec) + "?per_page=250"
        shape = Shape(Comparison, "a comparison", self._found.repo)
        facts: list[CommitFact] = []
        try:
            while url is not None:
                answer = await self._asker.get(url, shape, permanent=True)
                facts += [commit_from_rest(row) for row in answer.value.commits]
                url = answer.next_url
        except CouldNotLook as error:
            why = f"what the merge {merge.sha[:7]} brought could not be read: {gap_sentence(error)}"
            self.gaps.append(Gap("commits", why))
        return [fact for fact in facts if fact.sha != merge.sha]

    # ---- items

    def changes(self) -> tuple[list[Item], list[FilesOf]]:
        """The commits and pull requests of the window, and where their patches are read."""
        commits, pulls, places = [], [], []
        by_number: dict[int, list[CommitFact]] = {}
        for fact in self._in_window():
            number = self._verified(fact)
            item = commit_item(self._found.repo, fact, self._landed[fact.sha].at, number)
            commits.append(item)
            if number is not None and number in self._found.pulls:
                by_number.setdefault(number, []).append(fact)
            elif not fact.is_merge:
                places.append(files_of(item, ()))
        for number, facts in by_number.items():
            item = self._pull(self._found.pulls[number], facts)
            pulls.append(item)
            if is_wanted(item):
                own = [fact.sha for fact in facts if self._landed[fact.sha].by == fact.sha]
                places.append(files_of(item, own))
        return [*pulls, *commits], places

    def _verified(self, fact: CommitFact) -> int | None:
        """The pull request of a commit, if it is known and really brought the commit."""
        number = self._number(fact)
        if fact.pull or number is None:
            return number
        node = self._found.pulls.get(number)
        if node is None or node.state != "MERGED" or node.base_ref_name != self._found.branch:
            return None
        return number if node.merge_sha in (None, fact.sha, self._landed[fact.sha].by) else None

    def _pull(self, node: PullNode, facts: list[CommitFact]) -> Item:
        at = max(self._landed[fact.sha].at for fact in facts)
        item = pull_item(self._found.repo, node, at, [fact.sha for fact in facts])
        author = next((one for one in facts if one.sha == node.merge_sha), facts[0])
        return with_author(item, author.author, author.is_bot)

    def issues(self) -> list[Item]:
        """The issues to which something happened in the window."""
        rows = self._found.issues.values()
        items = [issue_item(self._found.repo, row, self._window) for row in rows]
        return [item for item in items if item]

    def releases(self) -> list[Item]:
        """The releases published in the window, and version tags that have none."""
        repo = self._found.repo
        released = [release_item(repo, row) for row in self._found.releases.values()]
        tagged = [tag_item(repo, row) for row in self._found.tags.values()]
        names = {item.ref for item in released if item}
        items = [item for item in released if item]
        items += [item for item in tagged if item and item.ref not in names]
        return [item for item in items if item.at in self._window]

    def later(self) -> tuple[Item, ...]:
        """What landed after the window, as far as it was seen, and every later revert."""
        repo, end = self._found.repo, self._window.end
        landed: Mapping[str, Landing] = self._landed
        if not self._leads_down:
            landed = landed_when(self._found.later.values(), self._found.head, self._now())
        known = self._known | self._found.later
        commits = [
            commit_item(repo, known[sha], one.at, named_pull(known[sha]))
            for sha, one in landed.items()
            if one.at >= end
        ]
        by_number: dict[int | None, list[str]] = {}
        for item in commits:
            by_number.setdefault(item.pull_request, []).extend(item.commits)
        pulls = [self._later_pull(row, by_number) for row in self._found.reverts]
        return (*(pull for pull in pulls if pull), *commits)

    def _later_pull(self, row: PullNode, by_number: Mapping[int | None, list[str]]) -> Item | None:
        if row.merged_at is None or row.base_ref_name != self._found.branch:
            return None
        if row.merged_at < self._window.end:
            return None
        commits = by_number.get(row.number) or ([row.merge_sha] if row.merge_sha else [])
        return replace(pull_item(self._found.repo, row, row.merged_at, commits), files=None)
