"""Changes from before a window that reverts of it take back, looked up by number and SHA."""

from collections.abc import Callable, Iterable

from digest.errors import CouldNotLook, NotFound
from digest.models import Gap, Item, Repo
from digest.phrase import Phrase
from digest.reading.reverts import Unknown, unknown_originals
from digest.sources.github import answers as rows
from digest.sources.github.answers import Shape, read
from digest.sources.github.api import Json, T, repo_path
from digest.sources.github.commit_facts import (
    commit_from_graphql,
    commit_from_rest,
    commit_item,
    named_pull,
)
from digest.sources.github.graphql import commit_alias, originals_document, pull_alias
from digest.sources.github.graphql_window import repository_of
from digest.sources.github.items import pull_from_rest, pull_item
from digest.sources.github.window_data import WindowData
from digest.wording.phrases import SAY

COMFORTABLE = 20
"""Requests that must be left of an hour without a token before any is spent on this."""

MOST_SPARSE = 5
"""Older changes looked up without a token, one request each."""


class Originals:
    """Finds those of a window, in whichever way it was read."""

    def __init__(self, found: WindowData) -> None:
        self._asker = found.asker
        self._repo = found.repo
        self._start = found.window.start
        self._branch = found.branch

    async def detailed(self, items: Iterable[Item]) -> tuple[tuple[Item, ...], tuple[Gap, ...]]:
        """Ask one GraphQL document for all of them, if there are any."""
        unknown = unknown_originals(items)
        if not (unknown.numbers or unknown.shas):
            return (), ()
        found: list[Item | None] = []
        try:
            query, variables = originals_document(self._repo, unknown.numbers, unknown.shas)
            answer = await self._asker.graphql(query, variables)
            _, row = repository_of(answer, self._repo, self._repo)
            for number in unknown.numbers:
                name = pull_alias(number)
                absent = bool(answer.errors_at("repository", name))
                found.append(self._numbered(number, row.get(name), absent))
            for index, sha in enumerate(unknown.shas):
                if commit_alias(index) not in row:
                    raise rows.bad_answer(SAY.objects.a_commit)
                found += self._commit(sha, row[commit_alias(index)])
        except CouldNotLook as error:
            return self._before(found), (_unseen(error),)
        return self._before(found), ()

    async def sparse(self, items: Iterable[Item]) -> tuple[tuple[Item, ...], tuple[Gap, ...]]:
        """Ask REST for each of a few, as long as enough requests are left for other things."""
        unknown = unknown_originals(items, MOST_SPARSE)
        left = self._asker.remaining()
        if not (unknown.numbers or unknown.shas) or (left is not None and left < COMFORTABLE):
            return (), ()
        try:
            return self._before(await self._one_by_one(unknown)), ()
        except CouldNotLook as error:
            return (), (_unseen(error),)

    async def _one_by_one(self, unknown: Unknown) -> list[Item | None]:
        found: list[Item | None] = []
        for number in unknown.numbers:
            pull = await self._maybe(
                repo_path(self._repo, "pulls", str(number)),
                Shape(rows.Pull, SAY.objects.a_pull_request, self._repo, _is_numbered(number)),
            )
            if pull and pull.merged_at and pull.base.ref == self._branch:
                found.append(pull_from_rest(self._repo, pull, pull.merged_at))
        for sha in unknown.shas:
            commit = await self._maybe(
                repo_path(self._repo, "commits", sha),
                Shape(rows.Commit, SAY.objects.a_commit, self._repo, _begins_with(sha)),
                permanent=True,
            )
            if commit:
                fact = commit_from_rest(commit)
                number_named = named_pull(fact)
                found.append(commit_item(self._repo, fact, fact.committed_at, number_named))
        return found

    async def _maybe(self, path: str, shape: Shape[T], *, permanent: bool = False) -> T | None:
        try:
            return (await self._asker.get(path, shape, permanent=permanent)).value
        except NotFound:
            return None

    def _numbered(self, number: int, value: Json, absent: bool) -> Item | None:
        """The pull request of a number; None where an error says that there is none."""
        if value is None and absent:
            return None
        node = _sound(rows.PullNode, value, f"#{number}", self._repo)
        return self._pull(node) if node.number == number else None

    def _pull(self, node: rows.PullNode) -> Item | None:
        if not node.merged_at or node.base_ref_name != self._branch:
            return None
        own = [node.merge_sha] if node.merge_sha else []
        return pull_item(self._repo, node, node.merged_at, own)

    def _commit(self, sha: str, value: Json) -> list[Item | None]:
        """A commit, and the pull request that landed as it."""
        if not value:  # nothing there, or a tree or tag of that SHA
            return []
        node = _sound(rows.OriginalCommit, value, SAY.objects.a_commit, self._repo)
        if not node.oid.startswith(sha):
            return []
        fact = commit_from_graphql(node, self._repo, self._branch)
        merged = [self._pull(one) for one in node.brought_by.nodes]
        own = [one for one in merged if one and fact.sha in one.commits]
        number = fact.pull.number if fact.pull else None
        return [commit_item(self._repo, fact, fact.reached_at, number), *own]

    def _before(self, found: Iterable[Item | None]) -> tuple[Item, ...]:
        return tuple({one.key: one for one in found if one and one.at < self._start}.values())


def _unseen(error: CouldNotLook) -> Gap:
    why = SAY.unread.originals(error.why)
    return Gap("pull_requests", why)


def _is_numbered(number: int) -> Callable[[rows.Pull], bool]:
    return lambda row: row.number == number


def _begins_with(sha: str) -> Callable[[rows.Commit], bool]:
    return lambda row: row.sha.startswith(sha)


def _sound(kind: type[T], value: Json, what: Phrase | str, repo: Repo) -> T:
    """Read a node, or raise `BadAnswer` where a part of it could not be read."""
    found, holes = read(kind, value, what, repo)
    if holes:
        raise rows.bad_answer(what)
    return found
