"""Everything that GraphQL tells about a window, asked for in few documents.

Each document moves all unfinished streams on by a page. One that is too heavy is asked again at
half the size, then each thing by itself; what fails even so becomes a gap. What came with a hole
is asked for once more.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from digest.errors import BadAnswer, CouldNotLook, Forbidden, NotFound
from digest.models import Item, Repo, Window
from digest.ports import Seen
from digest.sources.forge import is_version
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
    TagNode,
    read,
)
from digest.sources.github.client import GraphQLAnswer, HeavyAnswer, Session
from digest.sources.github.commits import commit_fact, is_certain
from digest.sources.github.graphql import (
    PULLS_PER_DOCUMENT,
    STREAMS,
    PullWish,
    Wishes,
    document,
    repository_of,
)
from digest.sources.github.items import tag_item
from digest.sources.github.window import (
    DRAFTED_BEFORE,
    FoundWindow,
    is_passed,
    leads_below,
    reached,
)
from digest.sources.landing import Landing
from digest.wording.phrases import SAY

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


class GraphQLWindow(FoundWindow):
    """The answers so far, and what is still to be asked. One object for one window."""

    def __init__(self, asker: Session, repo: Repo, window: Window, seen: Sequence[Seen]) -> None:
        super().__init__(asker, repo, window, seen)
        self.tags: dict[str, TagNode] = {}
        self._requested = repo
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
            await self.asker.private.check(self._requested, node.name_with_owner, node.is_private)
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
                return history.target.history, holes
            page, holes = read(_PAGES[name], value, name, self.repo)
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

    def tagged(self, landed: Mapping[str, Landing]) -> list[Item]:
        """Return version tags with the dates that they have."""
        del landed
        items = [tag_item(self.repo, row) for row in self.tags.values()]
        return [item for item in items if item]


def _first_of(wishes: Wishes) -> Wishes:
    for name, after in wishes.streams.items():
        return Wishes({name: after}, size=wishes.size)
    return Wishes({}, wishes.pulls[:1], reverts=not wishes.pulls, size=wishes.size)
