"""What is found of a window, in one form whichever of GitHub's two interfaces told it.

A branch is read down until there are only older commits. GitHub lists commits as git does: asked
for those `since` a moment, git stops at the first older one, also where younger ones lie behind it
(https://git-scm.com/docs/git-log, `--since-as-filter`), so one commit that was made days before it
was pushed would hide itself and all that landed before it. No such moment is named here.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, ClassVar, Final

from digest.errors import BadAnswer, CouldNotLook, Forbidden, NotFound
from digest.models import Gap, Item, Repo, Window
from digest.phrase import Phrase
from digest.ports import Seen
from digest.sources.github import answers as rows
from digest.sources.github.answers import (
    BranchHistory,
    Head,
    IssueNode,
    Json,
    Nodes,
    Page,
    PullNode,
    ReleaseNode,
    RepositoryNode,
    T,
    TagNode,
    a_list,
    read,
)
from digest.sources.github.client import (
    GraphQLAnswer,
    HeavyAnswer,
    Session,
    escaped,
    repo_path,
    stamp,
)
from digest.sources.github.files import with_commit
from digest.sources.github.graphql import (
    PULLS_PER_DOCUMENT,
    STREAMS,
    PullWish,
    Wishes,
    document,
    repository_of,
)
from digest.sources.github.items import (
    CommitFact,
    MergedPull,
    commit_fact,
    is_certain,
    issue_item,
    pull_item,
    release_item,
    tag_item,
)
from digest.wording.phrases import SAY

ADVICE = SAY.github.set_token

LOOK_BACK: Final = timedelta(hours=6)
"""How much earlier than its landing a merge queue may have made a commit."""

RUN: Final = 25
"""So many older commits in a row are taken for what stood on the branch before the window."""

MOST: Final = 500
"""Commits read at most for a head that was seen: a forced push may have taken it away."""

DRAFTED_BEFORE: Final = timedelta(days=30)
"""How long before it was published a release may have been drafted: lists go by the draft."""


@dataclass(frozen=True, slots=True)
class FoundPull:
    """A pull request of either interface.

    `merge_sha` is the commit that it was merged as, empty where that is not known; `is_landed`
    tells whether it was merged into the default branch; `own` are its commits where they are known
    to the last one.
    """

    item: Item
    merged_at: datetime | None
    merge_sha: str
    is_landed: bool
    own: tuple[CommitFact, ...] = ()


@dataclass(eq=False)
class FoundWindow(ABC):
    """What was read of a window: by GraphQL (`GraphQLWindow`) or by REST's lists (`RestWindow`).

    `commits` are those of the window and before, `later` those from the head of the branch down,
    by SHA; `later_is_whole` tells whether these lead to the window. `pulls` are by number,
    `later_pulls` those that may have landed after the window.
    """

    most_merges = 1_000
    """Merges that are asked what they brought."""

    most_compared = 1_000
    """Pages that are read of one of them."""

    unread: ClassVar[tuple[str, ...]] = ()
    """What a commit lacks (`Item.detail_missing`) until its files are read."""

    knows_every_pull = True
    """Whether a pull request that is not among `pulls` does not exist."""

    asker: Session
    repo: Repo
    window: Window
    seen: Sequence[Seen]
    branch: str = ""
    head: str = ""
    commits: dict[str, CommitFact] = field(default_factory=dict)
    later: dict[str, CommitFact] = field(default_factory=dict)
    later_is_whole: bool = False
    pulls: dict[int, FoundPull] = field(default_factory=dict)
    later_pulls: list[FoundPull] = field(default_factory=list)
    issues: dict[int, IssueNode] = field(default_factory=dict)
    releases: dict[str, ReleaseNode] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)

    @abstractmethod
    async def read(self, wishes: Callable[[], Sequence[PullWish]]) -> None:
        """Read everything; `wishes` are the pull requests of the commits once these are known.

        Raises where nothing at all can be said.
        """

    def tagged(self) -> list[Item]:
        """Return version tags, as far as they were read."""
        return []

    def add_gap(self, what: str, why: Phrase) -> None:
        """Say once what could not be looked at."""
        gap = Gap(what, why)
        if gap not in self.gaps:
            self.gaps.append(gap)

    def found_pull(self, node: PullNode) -> FoundPull:
        """Return a pull request as it was read."""
        own: tuple[CommitFact, ...] = ()
        if node.commits and len(node.commits.nodes) == node.commits.total_count:
            rows = node.commits.nodes
            own = tuple(commit_fact(row.commit, self.repo, self.branch) for row in rows)
        is_landed = node.state == "MERGED" and node.base_ref_name == self.branch
        item = pull_item(self.repo, node)
        return FoundPull(item, node.merged_at, node.merge_sha, is_landed, own)

    def others(self) -> list[Item]:
        """Return the window's issues and releases, and version tags without a release."""
        issues = [issue_item(self.repo, row, self.window) for row in self.issues.values()]
        listed = [release_item(self.repo, row) for row in self.releases.values()]
        released = [item for item in listed if item]
        names = {item.ref for item in released}
        released += [item for item in self.tagged() if item.ref not in names]
        return [
            *(item for item in issues if item),
            *(item for item in released if item.at in self.window),
        ]


def leads_below(listed: Sequence[CommitFact], moment: datetime) -> bool:
    """Return whether the end of a list of commits, newest first, lies below a moment."""
    return len(listed) >= RUN and not any(_is_young(one, moment) for one in listed[-RUN:])


def is_passed(listed: Sequence[CommitFact], window: Window, seen: Sequence[Seen]) -> bool:
    """Return whether the end of a list lies below a window.

    So it does where only older commits follow, and the first head that was `seen` in the window is
    listed: what was pushed since stands above it, however old and however much.
    """
    if not leads_below(listed, window.start):
        return False
    here = [each for each in seen if each.at in window]
    first = min(here, key=lambda each: each.at, default=None)
    is_listed = first is None or any(one.sha == first.head for one in listed)
    return is_listed or len(listed) >= MOST


def reached(
    listed: Sequence[CommitFact], start: datetime, seen: Sequence[Seen]
) -> dict[str, CommitFact]:
    """Return the commits down to the last that may have landed since `start` (UTC), by SHA.

    That is the last one made since then, or the last above a head that was `seen` since, however
    old: it was not there then.
    """
    older = len(list(takewhile(lambda one: not _is_young(one, start), reversed(listed))))
    heads = {each.head for each in seen if each.at >= start}
    above = (place for place, one in enumerate(listed) if one.sha in heads)
    last = max(len(listed) - older, *above, 0)
    return {one.sha: one for one in listed[:last]}


def _is_young(commit: CommitFact, start: datetime) -> bool:
    return commit.committed_at >= start - LOOK_BACK


SMALLEST: Final = 1 / 8
"""The smallest share of a full page that is asked for."""

MOST_PAGES: Final = {"later": 10, "issues": 30, "releases": 10, "tags": 10}
"""Pages after which a stream is given up, with a gap where that loses something."""

_ON_BRANCH = frozenset({"commits", "later"})
"""Streams that go down the default branch, which an empty repository does not have."""

_PAGES: Final[Mapping[str, type[Page[Any]]]] = {
    "issues": Page[IssueNode],
    "releases": Page[ReleaseNode],
    "tags": Page[TagNode],
}

_GAP_OF = {"later": "commits", "tags": "releases"}


@dataclass(eq=False)
class GraphQLWindow(FoundWindow):
    """Everything that GraphQL tells about a window, asked for in few documents.

    Each document moves all unfinished streams on by a page. One that is too heavy is asked again at
    half the size, then each thing by itself; what fails even so becomes a gap. What came with a
    hole is asked for once more.
    """

    tags: dict[str, TagNode] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._requested = self.repo
        self._is_named = False
        self._pending: dict[str, str | None] = dict.fromkeys(STREAMS)
        self._queue: list[PullWish] = []
        self._want_reverts = True
        self._pages: dict[str, int] = {}
        self._retried: set[str] = set()
        self._size = 1.0
        self._alone = False
        self._later_cursor: str | None = None

    async def read(self, wishes: Callable[[], Sequence[PullWish]]) -> None:
        """Ask until nothing is left to ask; see `FoundWindow`."""
        is_asked = False
        error: CouldNotLook | None = None
        while self._pending or self._queue or self._want_reverts:
            error = await self._step() or error
            if not is_asked and not self._pending.keys() & _ON_BRANCH:
                is_asked = True
                self._queue += wishes()
        if error and not self.branch and not self._pages:
            raise error

    async def _step(self) -> CouldNotLook | None:
        """Ask for one document and take in what it gave; return what was given up for.

        Raises what forbids every further question.
        """
        wishes = Wishes(
            streams=dict(self._pending),
            pulls=tuple(self._queue[: max(1, int(PULLS_PER_DOCUMENT * self._size))]),
            reverts=self._want_reverts,
            size=self._size,
        )
        wishes = _first_of(wishes) if self._alone else wishes
        query, variables = document(self.repo, self.window.start, self.window.end, wishes)
        try:
            answer = await self.asker.graphql(query, variables)
            known = self.repo if self._is_named else None
            node, row = repository_of(answer, known, self.repo)
            await self.asker.check_private(self._requested, node.name_with_owner, node.is_private)
            self._take(answer, node, row, wishes)
        except (NotFound, Forbidden):
            raise
        except CouldNotLook as error:
            is_heavy = isinstance(error, HeavyAnswer)
            if is_heavy and self._size > SMALLEST:
                self._size /= 2
            elif isinstance(error, HeavyAnswer | BadAnswer) and not self._alone:
                self._alone = True
            else:
                self._give_up(wishes, error)
                return error
        return None

    def _give_up(self, wishes: Wishes, error: CouldNotLook) -> None:
        for name in wishes.streams:
            self._pending.pop(name, None)
            self.add_gap(_GAP_OF.get(name, name), error.why)
        if wishes.pulls:
            given_up = self._queue[: len(wishes.pulls)] if self._alone else list(self._queue)
            self._queue = self._queue[len(given_up) :]
            self.add_gap("pull_requests", SAY.unread.some(len(given_up), error.why))
        if wishes.reverts:
            self._want_reverts = False
            self.add_gap("pull_requests", SAY.unread.later_reverts(error.why))

    def _fails_first(self, name: str) -> bool:
        """Return whether something came with a hole for the first time: it is asked for again."""
        is_first = name not in self._retried
        self._retried.add(name)
        return is_first

    # ---- taking in an answer

    def _take(
        self, answer: GraphQLAnswer, node: RepositoryNode, row: Mapping[str, Json], wishes: Wishes
    ) -> None:
        self.repo, self._is_named = node.name_with_owner, True
        if not self.branch and not node.is_empty:
            self._take_head(row.get("head"))
        for name in wishes.streams:
            if name in _ON_BRANCH and node.is_empty and row.get(name) is None:
                self._pending.pop(name, None)
                self._pages.setdefault(name, 0)
                self.later_is_whole |= name == "later"
            else:
                self._take_stream(name, row.get(name), answer)
        for pull in wishes.pulls:
            self._take_pull(pull, row.get(f"p{pull.number}"), answer)
        if wishes.reverts:
            self._take_reverts(answer.data.get("reverts"))

    def _take_head(self, value: Json) -> None:
        try:
            head, _ = read(Head, value, SAY.objects.the_default_branch, self.repo)
        except BadAnswer:
            if self._fails_first("head"):
                raise HeavyAnswer(SAY.github.no_branch) from None
            self.add_gap("pull_requests", SAY.github.no_branch)
        else:
            self.branch, self.head = head.name, head.target.oid

    def _take_stream(self, name: str, value: Json, answer: GraphQLAnswer) -> None:
        after = self._pending.get(name)
        page, holes = self._page(name, value)
        failed = page is None or holes > 0 or bool(answer.errors_at("repository", name))
        # A page that leads to none, or to itself, does not give what comes after it.
        goes_on = page is not None and page.page_info.has_next_page
        leads_on = page is not None and page.page_info.end_cursor not in (None, after)
        failed |= goes_on and not leads_on
        if failed and self._fails_first(name):
            return
        self._pending.pop(name, None)
        if failed:
            self.add_gap(_GAP_OF.get(name, name), SAY.github.in_part)
        self._pages[name] = self._pages.get(name, 0) + (page is not None)
        if page is None:
            return
        self._keep(name, page.nodes)
        cursor = page.page_info.end_cursor if goes_on and leads_on else None
        if cursor and self._is_needed_after(name, page.nodes):
            self._pending[name] = cursor
        if name == "later":
            is_below = leads_below(list(self.later.values()), self.window.end)
            self.later_is_whole = not failed and (not goes_on or is_below)
            self._later_cursor = None if self.later_is_whole else cursor
        if name == "commits" and name not in self._pending:
            listed = tuple(self.commits.values())
            self.commits = reached(listed, self.window.start, self.seen)
        if "commits" not in self._pending:
            self._read_on_later()

    def _page(self, name: str, value: Json) -> tuple[Page[Any] | None, int]:
        """Read a page of a stream, and count its holes; None where it did not come."""
        try:
            if name in _ON_BRANCH:
                history, holes = read(BranchHistory, value, name, self.repo)
                return history.page, holes
            return read(_PAGES[name], value, name, self.repo)
        except CouldNotLook:
            return None, 0

    def _keep(self, name: str, nodes: Sequence[Any]) -> None:
        if name in _ON_BRANCH:
            into = self.commits if name == "commits" else self.later
            into.update((node.oid, commit_fact(node, self.repo, self.branch)) for node in nodes)
        elif name == "issues":
            self.issues.update((node.number, node) for node in nodes)
        elif name == "releases":
            self.releases.update((node.tag_name, node) for node in nodes)
        else:
            self.tags.update((node.name, node) for node in nodes)

    def _is_needed_after(self, name: str, nodes: Sequence[Any]) -> bool:
        """Return whether the next page of a stream can hold something of the window."""
        if name == "commits":
            return not is_passed(tuple(self.commits.values()), self.window, self.seen)
        if name == "later" or not nodes:
            return False
        if self._pages[name] >= MOST_PAGES[name]:
            self.add_gap(_GAP_OF.get(name, name), SAY.github.too_many_since)
            return False
        if name == "releases":
            return bool(nodes[-1].created_at >= self.window.start - DRAFTED_BEFORE)
        if name == "tags":
            at = nodes[-1].commit_date
            return at is not None and at >= self.window.start
        return True

    def _read_on_later(self) -> None:
        """Follow the branch down from its head, but only where the window alone is not clear."""
        is_enough = self._pages.get("later", 0) >= MOST_PAGES["later"]
        if self._later_cursor and not is_enough and not is_certain(self.commits.values()):
            self._pending["later"] = self._later_cursor

    def _take_pull(self, pull: PullWish, value: Json, answer: GraphQLAnswer) -> None:
        name = f"p{pull.number}"
        absent = value is None and answer.is_absent("repository", name)
        node, holes = None, 0
        if value is not None:
            with contextlib.suppress(CouldNotLook):  # it is asked for again, and is missing then
                node, holes = read(PullNode, value, f"#{pull.number}", self.repo)
        if node is not None and node.number != pull.number:
            node = None
        failed = not absent and (node is None or holes > 0)
        if failed and self._fails_first(name):
            return
        self._queue = [wish for wish in self._queue if wish.number != pull.number]
        if node is not None:
            self.pulls[pull.number] = self.found_pull(node)
        if failed:
            why = SAY.github.not_given if node is None else SAY.github.not_all_given
            self.add_gap("pull_requests", why(pull.number))

    def _take_reverts(self, value: Json) -> None:
        try:
            found, holes = read(Nodes[PullNode], value, SAY.objects.later_reverts, self.repo)
        except CouldNotLook:
            found, holes = None, 1
        if holes and self._fails_first("reverts"):
            return
        self._want_reverts = False
        if holes:
            self.add_gap("pull_requests", SAY.github.later_reverts)
        if found is not None:
            self.later_pulls = [self.found_pull(node) for node in found.nodes]

    def tagged(self) -> list[Item]:
        """Return version tags with the dates that they have."""
        items = [tag_item(self.repo, row) for row in self.tags.values()]
        return [item for item in items if item]


def _first_of(wishes: Wishes) -> Wishes:
    for name, after in wishes.streams.items():
        return Wishes({name: after}, size=wishes.size)
    return Wishes({}, wishes.pulls[:1], reverts=not wishes.pulls, size=wishes.size)


class RestWindow(FoundWindow):
    """The lists of a repository for one window, as far as requests without a token last."""

    most_merges = 6
    most_compared = 4
    unread = ("files", "patches")
    knows_every_pull = False

    async def read(self, wishes: Callable[[], Sequence[PullWish]]) -> None:
        """Read every list; see `FoundWindow`."""
        parts: dict[str, Callable[[], Awaitable[None]]] = {
            "commits": self._read_commits,
            "pull_requests": self._read_pulls,
            "issues": self._read_issues,
            "releases": self._read_releases,
        }
        errors = []
        for what, part in parts.items():
            try:
                await part()
            except CouldNotLook as error:
                errors.append(error)
                self.gaps.append(Gap(what, error.why))
        if len(errors) == len(parts):
            raise errors[0]
        merged_as = {pull.merge_sha: pull for pull in self.pulls.values()}
        for facts in (self.commits, self.later):
            for sha, fact in facts.items():
                pull = merged_as.get(sha)
                if pull and pull.merged_at and pull.item.number:
                    own = MergedPull(pull.item.number, pull.merged_at, sha)
                    facts[sha] = replace(fact, pull=own)
        self.later_pulls = list(self.pulls.values())
        wishes()

    async def _pages(
        self,
        path: str,
        kind: type[T],
        what: str,
        most: int,
        why: Phrase | None,
        suffices: Callable[[list[T]], bool] = lambda found: False,
    ) -> tuple[list[T], bool]:
        """Read a list until it suffices, and whether that is all that is needed.

        Rows that cannot be read are a gap of `what`, and so is the rest of a list, told by `why`.
        """
        shape = a_list(kind, what.replace("_", " "), self.repo)
        found: list[T] = []
        holes = 0
        url: str | None = path
        for _ in range(most):
            if url is None:
                break
            answer = await self.asker.get(url, shape)
            found += answer.value
            holes += answer.holes
            url = None if suffices(found) else answer.next_url
        if holes:
            self.add_gap(what, SAY.github.in_part)
        if url and why:
            self.add_gap(what, why)
        return found, url is None

    def _facts(self, found: Sequence[rows.CommitNode]) -> list[CommitFact]:
        return [commit_fact(row, self.repo) for row in found]

    async def _read_commits(self) -> None:
        """Read the commits of the window and those after it."""
        base = repo_path(self.repo, "commits") + f"?sha={escaped(self.branch)}&per_page=100"
        window = self.window
        try:
            listed, _ = await self._pages(
                f"{base}&until={stamp(window.end)}",
                rows.CommitNode,
                "commits",
                8,
                SAY.github.too_many(ADVICE),
                lambda found: is_passed(self._facts(found), window, self.seen),
            )
        except NotFound:
            return  # the repository is there, but holds no commit yet
        later, self.later_is_whole = await self._pages(
            base,
            rows.CommitNode,
            "commits",
            3,
            None,
            lambda found: leads_below(self._facts(found), window.end),
        )
        self.head = next((one.oid for one in (*later, *listed)), "")
        self.later = {one.sha: one for one in self._facts(later)}
        self.commits = reached(self._facts(listed), window.start, self.seen)

    async def _read_pulls(self) -> None:
        """Read closed pull requests from the newest change down to the window's start."""
        start = self.window.start
        pulls, _ = await self._pages(
            f"{repo_path(self.repo, 'pulls')}?state=closed&base={escaped(self.branch)}"
            "&sort=updated&direction=desc&per_page=100",
            rows.PullNode,
            "pull_requests",
            4,
            SAY.github.older_without_details(ADVICE),
            lambda found: bool(found and found[-1].updated_at and found[-1].updated_at < start),
        )
        self.pulls = {row.number: self.found_pull(row) for row in pulls if row.merged_at}

    async def _read_issues(self) -> None:
        """Read issues changed since the window began; their pull requests add numbers."""
        listed, _ = await self._pages(
            f"{repo_path(self.repo, 'issues')}?state=all&since={stamp(self.window.start)}"
            "&sort=updated&per_page=100",
            rows.IssueNode,
            "issues",
            4,
            SAY.github.too_many(ADVICE),
        )
        self.issues = {row.number: row for row in listed if not row.is_pull}
        reopened = [row for row in self.issues.values() if row.state_reason == "reopened"]
        if reopened:
            self.add_gap("issues", SAY.github.reopened_not_read(len(reopened), ADVICE))
        for row in listed:
            if row.is_pull and (pull := self.pulls.get(row.number)):
                comments, reactions = row.comments.total_count, row.reactions.total_count
                item = replace(pull.item, comments=comments, reactions=reactions)
                self.pulls[row.number] = replace(pull, item=item)

    async def _read_releases(self) -> None:
        drafted_since = self.window.start - DRAFTED_BEFORE
        listed, _ = await self._pages(
            repo_path(self.repo, "releases") + "?per_page=30",
            rows.ReleaseNode,
            "releases",
            3,
            SAY.github.too_many_since_then(ADVICE),
            lambda found: bool(found) and found[-1].created_at < drafted_since,
        )
        for row in listed:
            is_new = row.published_at is not None and row.published_at in self.window
            told = await with_commit(self.asker, self.repo, row) if is_new else row
            if not row.is_draft:
                self.releases[row.tag_name] = told
