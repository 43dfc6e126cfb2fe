"""Everything that GraphQL tells about a window, asked for in few documents.

Each document moves all unfinished streams on by a page. One that is too heavy is asked again at
half the size, then stream by stream; a stream that still fails becomes a gap.
"""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Any, Final

from digest.errors import BadAnswer, CouldNotLook, Forbidden, NotFound
from digest.models import Gap, Item, Repo, Window
from digest.phrase import Phrase
from digest.ports import Seen
from digest.sources.github.answers import (
    OBJECTS,
    BranchHistory,
    Head,
    IssueNode,
    Nodes,
    Page,
    PullNode,
    ReleaseNode,
    RepositoryNode,
    TagNode,
    is_same,
    read,
)
from digest.sources.github.api import (
    GraphQLAnswer,
    HeavyAnswer,
    Json,
    is_version,
)
from digest.sources.github.client import Session
from digest.sources.github.commit_facts import CommitFact, commit_from_graphql, is_certain
from digest.sources.github.graphql import (
    PULLS_PER_DOCUMENT,
    STREAMS,
    PullWish,
    Wishes,
    document,
)
from digest.sources.github.items import issue_item, pull_item, release_item, tag_item
from digest.sources.github.window_data import FoundPull, WindowData, is_passed, reached
from digest.wording.phrases import SAY

SMALLEST: Final = 1 / 8
"""The smallest share of a full page that is asked for."""

DRAFTED_BEFORE: Final = timedelta(days=30)
"""How long before it was published a release may have been drafted: lists go by the draft."""

MOST_PAGES: Final = {"later": 10, "issues": 30, "releases": 10, "tags": 10}
"""Pages after which a stream is given up, with a gap where that loses something."""

_ON_BRANCH = frozenset({"commits", "later"})
"""Streams that go down the default branch, which an empty repository does not have."""

_PAGES: Final[Mapping[str, type[Page[Any]]]] = {
    "issues": Page[IssueNode],
    "releases": Page[ReleaseNode],
    "tags": Page[TagNode],
}

_GAP_OF = {"commits": "commits", "later": "commits", "issues": "issues", "tags": "releases"}


class GraphQLWindow(WindowData):
    """The answers so far, and what is still to be asked. One object for one window."""

    def __init__(self, asker: Session, repo: Repo, window: Window, seen: Sequence[Seen]) -> None:
        super().__init__(asker, repo, window, seen)
        self.is_private = False
        self.issues: dict[int, IssueNode] = {}
        self.releases: dict[str, ReleaseNode] = {}
        self.tags: dict[str, TagNode] = {}
        self._is_named = False
        self._pending: dict[str, str | None] = dict.fromkeys(STREAMS)
        self._queue: list[PullWish] = []
        self._want_reverts = True
        self._pages: dict[str, int] = {}
        self._retried: set[str] = set()
        self._size = 1.0
        self._later_cursor: str | None = None
        self._last_error: CouldNotLook | None = None

    @property
    def commits_are_known(self) -> bool:
        """Return whether both streams of commits are read as far as needed."""
        return not self._pending.keys() & {"commits", "later"}

    @property
    def is_done(self) -> bool:
        """Return whether nothing is left to ask."""
        return not self._pending and not self._queue and not self._want_reverts

    def wish(self, pulls: list[PullWish]) -> None:
        """Ask for these pull requests too, each once."""
        queued = {wish.number for wish in self._queue}
        self._queue += [
            wish for wish in pulls if wish.number not in self.pulls and wish.number not in queued
        ]

    async def step(self) -> None:
        """Ask for one document and take in what it gave.

        Raises where nothing was ever answered, or what forbids every further question.
        """
        wishes = Wishes(
            streams=dict(self._pending),
            pulls=tuple(self._queue[: max(1, int(PULLS_PER_DOCUMENT * self._size))]),
            reverts=self._want_reverts,
            size=self._size,
        )
        try:
            await self._ask(wishes)
        except (HeavyAnswer, BadAnswer) as error:
            if isinstance(error, HeavyAnswer) and self._size > SMALLEST:
                self._size /= 2
                return
            await self._ask_apart(wishes, error)
        except (NotFound, Forbidden):
            raise
        except CouldNotLook as error:
            if not self.branch and not self._pages:
                raise
            self._give_up(wishes, error)

    async def _ask(self, wishes: Wishes) -> None:
        query, variables = document(self.repo, self.window.start, self.window.end, wishes)
        answer = await self.asker.graphql(query, variables)
        self._take(answer, wishes)

    async def _ask_apart(self, wishes: Wishes, error: CouldNotLook) -> None:
        """Ask for each stream by itself, so that one that fails does not take the others along."""
        alone = [Wishes({name: at}, size=self._size) for name, at in wishes.streams.items()]
        alone += [Wishes({}, pulls=(pull,), size=self._size) for pull in wishes.pulls]
        if wishes.reverts:
            alone.append(Wishes({}, reverts=True, size=self._size))
        for one in alone if len(alone) > 1 else []:
            try:
                await self._ask(one)
            except (NotFound, Forbidden):
                raise
            except CouldNotLook as again:
                self._give_up(one, again)
        if len(alone) == 1:
            self._give_up(alone[0], error)
        if not self._pages and not self.pulls:
            raise self._last_error or error

    def _give_up(self, wishes: Wishes, error: CouldNotLook) -> None:
        self._last_error = error
        why = error.why
        for name in wishes.streams:
            self._pending.pop(name, None)
            self._add_gap(_GAP_OF.get(name, name), why)
        if wishes.pulls and self._queue:  # others of the same queue may have given up before
            count = len(self._queue)
            self._queue.clear()
            self._add_gap("pull_requests", SAY.unread.some(count, why))
        if wishes.reverts:
            self._want_reverts = False
            self._add_gap("pull_requests", SAY.unread.later_reverts(why))

    def _add_gap(self, what: str, why: Phrase) -> None:
        gap = Gap(what, why)
        if gap not in self.gaps:
            self.gaps.append(gap)

    # ---- taking in an answer

    def _take(self, answer: GraphQLAnswer, wishes: Wishes) -> None:
        node, row = repository_of(answer, self.repo if self._is_named else None, self.repo)
        self.repo, self.is_private, self._is_named = node.name_with_owner, node.is_private, True
        self._take_head(node, row)
        for name in wishes.streams:
            self._take_stream(name, row.get(name), answer, node)
        for pull in wishes.pulls:
            self._take_pull(pull, row.get(f"p{pull.number}"), answer)
        if wishes.reverts:
            self._take_reverts(answer)

    def _take_head(self, node: RepositoryNode, row: Mapping[str, Json]) -> None:
        if self.branch or node.is_empty:
            return
        try:
            head, _ = read(Head, row.get("head"), SAY.objects.the_default_branch, self.repo)
        except BadAnswer:
            if "head" not in self._retried:
                self._retried.add("head")
                raise HeavyAnswer(SAY.github.no_branch) from None
            self._add_gap("pull_requests", SAY.github.no_branch)
        else:
            self.branch, self.head = head.name, head.target.oid

    def _take_stream(
        self, name: str, value: Json, answer: GraphQLAnswer, node: RepositoryNode
    ) -> None:
        if value is None and name in _ON_BRANCH and node.is_empty:
            self._pending.pop(name, None)
            self._pages.setdefault(name, 0)
            self.later_is_whole |= name == "later"
            return
        page, holes = self._page(name, value)
        failed = page is None or holes > 0 or bool(answer.errors_at("repository", name))
        if page is not None and page.page_info.has_next_page:
            # A page that leads to none, or to itself, does not give what comes after it.
            failed |= page.page_info.end_cursor in (None, self._pending.get(name))
        if failed and name not in self._retried:
            self._retried.add(name)
            return
        after = self._pending.pop(name, None)
        if failed:
            self._add_gap(_GAP_OF.get(name, name), SAY.github.in_part)
        if page is None:
            self._pages.setdefault(name, 0)
            return
        self._pages[name] = self._pages.get(name, 0) + 1
        self._keep(name, page.nodes)
        info = page.page_info
        leads_on = info.has_next_page and info.end_cursor not in (None, after)
        if leads_on and self._goes_on(name, page.nodes):
            self._pending[name] = info.end_cursor
        if name == "later":
            self._later_cursor = info.end_cursor if leads_on else None
            self.later_is_whole = not info.has_next_page and not failed
        if name == "commits" and name not in self._pending:
            listed = tuple(self.commits.values())
            reached_rows = reached(listed, self.window.start, self.seen)
            self.commits = {fact.sha: fact for fact in reached_rows}
        if "commits" not in self._pending:
            self._read_on_later()

    def _page(self, name: str, value: Json) -> tuple[Page[Any] | None, int]:
        """Read a page of a stream, and count its holes; None where it did not come."""
        try:
            if name in _ON_BRANCH:
                history, holes = read(BranchHistory, value, OBJECTS[name], self.repo)
                return history.target.history, holes
            page, holes = read(_PAGES[name], value, OBJECTS[name], self.repo)
            return page, holes + (self._undated(page.nodes) if name == "tags" else 0)
        except CouldNotLook:
            return None, 0

    def _undated(self, tags: Sequence[TagNode]) -> int:
        """Count version tags on nothing that could be of the window: none behind an older one."""
        start = self.window.start
        near = takewhile(lambda tag: tag.commit_date is None or tag.commit_date >= start, tags)
        return sum(tag.target is None and is_version(tag.name) for tag in near)

    def _keep(self, name: str, nodes: Sequence[Any]) -> None:
        if name in _ON_BRANCH:
            into = self.commits if name == "commits" else self.later
            for node in nodes:
                fact = commit_from_graphql(node, self.repo, self.branch)
                into[fact.sha] = fact
        elif name == "issues":
            self.issues.update((node.number, node) for node in nodes)
        elif name == "releases":
            self.releases.update((node.tag_name, node) for node in nodes)
        else:
            self.tags.update((node.name, node) for node in nodes)

    def _goes_on(self, name: str, nodes: Sequence[Any]) -> bool:
        """Return whether the next page of a stream can hold something of the window."""
        if name == "commits":
            return not is_passed(tuple(self.commits.values()), self.window, self.seen)
        if name == "later" or not nodes:
            return False
        if self._pages[name] >= MOST_PAGES.get(name, 10_000):
            self._add_gap(_GAP_OF.get(name, name), SAY.github.too_many_since)
            return False
        if name == "releases":
            return bool(nodes[-1].created_at >= self.window.start - DRAFTED_BEFORE)
        if name == "tags":
            at = nodes[-1].commit_date
            return at is not None and at >= self.window.start
        return True

    def _read_on_later(self) -> None:
        """Follow the branch down from its head, but only where the window alone is not clear."""
        if self._later_cursor is None or "later" in self._pending:
            return
        if self._pages.get("later", 0) < MOST_PAGES["later"] and not is_certain(
            self.commits.values()
        ):
            self._pending["later"] = self._later_cursor

    def _take_pull(self, pull: PullWish, value: Json, answer: GraphQLAnswer) -> None:
        name = f"p{pull.number}"
        errors = answer.errors_at("repository", name)
        absent = value is None and any(error.get("type") == "NOT_FOUND" for error in errors)
        node, holes = None, 0
        if value is not None:
            with contextlib.suppress(CouldNotLook):  # it is asked for again, and is missing then
                node, holes = read(PullNode, value, f"#{pull.number}", self.repo)
        if node is not None and node.number != pull.number:
            node = None
        failed = not absent and (node is None or holes > 0)
        if failed and name not in self._retried:
            self._retried.add(name)
            return
        self._queue = [wish for wish in self._queue if wish.number != pull.number]
        if node is not None:
            self.pulls[pull.number] = self._found_pull(node)
        if failed and node is None:
            self._add_gap("pull_requests", SAY.github.not_given(pull.number))
        elif failed:
            self._add_gap("pull_requests", SAY.github.not_all_given(pull.number))

    def _take_reverts(self, answer: GraphQLAnswer) -> None:
        try:
            found, holes = read(
                Nodes[PullNode], answer.data.get("reverts"), SAY.objects.later_reverts, self.repo
            )
        except CouldNotLook:
            found, holes = None, 1
        if holes and "reverts" not in self._retried:
            self._retried.add("reverts")
            return
        self._want_reverts = False
        if holes:
            self._add_gap("pull_requests", SAY.github.later_reverts)
        if found is not None:
            self.later_pulls = [self._found_pull(node) for node in found.nodes]

    def _found_pull(self, node: PullNode) -> FoundPull:
        own: tuple[CommitFact, ...] = ()
        if node.commits and len(node.commits.nodes) == node.commits.total_count:
            rows = node.commits.nodes
            own = tuple(commit_from_graphql(row.commit, self.repo, self.branch) for row in rows)
        is_landed = node.state == "MERGED" and node.base_ref_name == self.branch
        item = pull_item(self.repo, node, node.merged_at or node.created_at)
        return FoundPull(item, node.merged_at, node.merge_sha or "", is_landed, own)

    # ---- items

    def issue_items(self) -> list[Item]:
        """Return the issues to which something happened in the window."""
        items = [issue_item(self.repo, row, self.window) for row in self.issues.values()]
        return [item for item in items if item]

    def release_items(self) -> list[Item]:
        """Return the releases published in the window, and version tags that have none."""
        released = [release_item(self.repo, row) for row in self.releases.values()]
        tagged = [tag_item(self.repo, row) for row in self.tags.values()]
        names = {item.ref for item in released if item}
        items = [item for item in released if item]
        items += [item for item in tagged if item and item.ref not in names]
        return [item for item in items if item.at in self.window]


def repository_of(
    answer: GraphQLAnswer, known: Repo | None, requested: Repo
) -> tuple[RepositoryNode, Mapping[str, Json]]:
    """Return the repository of an answer, and the row that holds what was asked of it.

    `known` is the name that an earlier answer gave it. Raises the error that says why there is
    none; `NotFound` too where the answer is another one's.
    """
    row = answer.data.get("repository")
    if row is None:
        kinds = {str(error.get("type")) for error in answer.errors if isinstance(error, dict)}
        if "NOT_FOUND" in kinds:
            raise NotFound(SAY.github.no_repo(requested))
        if {"FORBIDDEN", "INSUFFICIENT_SCOPES"} & kinds:
            raise Forbidden(SAY.github.refuses_repo(requested))
        raise HeavyAnswer(SAY.github.no_repository_given)
    node, _ = read(RepositoryNode, row, SAY.objects.the_repository, None)
    if known is not None and not is_same(known, node.name_with_owner):
        raise BadAnswer(SAY.github.another_repository)
    return node, row
