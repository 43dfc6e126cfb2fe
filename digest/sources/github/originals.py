"""Changes from before a window that reverts of it take back, looked up by number and SHA."""

from collections.abc import Iterable

from digest.errors import CouldNotLook, NotFound
from digest.gaps import Gap
from digest.models import Item, Repo, Window
from digest.reading.reverts import Unknown, unknown_originals
from digest.sources.github.api import Asker, Json, expecting, gap_sentence, moment, repo_path
from digest.sources.github.facts import (
    commit_from_graphql,
    commit_from_rest,
    commit_item,
    named_pull,
)
from digest.sources.github.gathering import repository_of
from digest.sources.github.graphql import commit_alias, originals_document, pull_alias
from digest.sources.github.nodes import pull_item
from digest.sources.github.rest import pull_from_rest

COMFORTABLE = 20
"""Requests that must be left of an hour without a token before any is spent on this."""

MOST_SPARSE = 5
"""Older changes looked up without a token, one request each."""


class Originals:
    """Finds them; `window` is what they came before, `branch` where they landed."""

    def __init__(self, asker: Asker, repo: Repo, window: Window, branch: str) -> None:
        self._asker = asker
        self._repo = repo
        self._window = window
        self._branch = branch

    async def detailed(self, items: Iterable[Item]) -> tuple[tuple[Item, ...], tuple[Gap, ...]]:
        """Ask one GraphQL document for all of them, if there are any."""
        unknown = unknown_originals(items)
        if not unknown:
            return (), ()
        try:
            query, variables = originals_document(self._repo, unknown.numbers, unknown.shas)
            answer = await self._asker.graphql(query, variables)
            with expecting("reverted changes"):
                row = repository_of(answer, self._repo)
                found = [
                    self._pull(row.get(pull_alias(number)) or {}) for number in unknown.numbers
                ]
                for index, _ in enumerate(unknown.shas):
                    found += self._commit(row.get(commit_alias(index)) or {})
        except CouldNotLook as error:
            why = f"what reverts take back could not be looked up: {gap_sentence(error)}"
            return (), (Gap("pull_requests", why),)
        return self._before(found), ()

    async def sparse(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Ask REST for each of a few, as long as enough requests are left for other things."""
        unknown = unknown_originals(items, MOST_SPARSE)
        left = self._asker.remaining()
        if not unknown or (left is not None and left < COMFORTABLE):
            return ()
        try:
            return self._before(await self._one_by_one(unknown))
        except CouldNotLook:
            return ()  # it is told without the time between, as where too few are left

    async def _one_by_one(self, unknown: Unknown) -> list[Item | None]:
        found: list[Item | None] = []
        for number in unknown.numbers:
            row = await self._maybe(repo_path(self._repo, "pulls", str(number)))
            with expecting("a pull request"):
                if row and row["merged_at"] and row["base"]["ref"] == self._branch:
                    found.append(pull_from_rest(self._repo, row, moment(row["merged_at"])))
        for sha in unknown.shas:
            row = await self._maybe(repo_path(self._repo, "commits", sha), permanent=True)
            with expecting("a commit"):
                if row:
                    fact = commit_from_rest(row)
                    pull = named_pull(fact)
                    found.append(commit_item(self._repo, fact, fact.committed_at, pull))
        return found

    async def _maybe(self, path: str, *, permanent: bool = False) -> Json:
        try:
            return (await self._asker.get(path, permanent=permanent)).json
        except NotFound:
            return None

    def _pull(self, node: Json) -> Item | None:
        if not node.get("mergedAt") or node["baseRefName"] != self._branch:
            return None
        own = (node["mergeCommit"] or {}).get("oid")
        return pull_item(self._repo, node, moment(node["mergedAt"]), [own] if own else [])

    def _commit(self, node: Json) -> list[Item | None]:
        """A commit, and the pull request that landed as it."""
        if "oid" not in node:  # nothing there, or a tree or tag of that SHA
            return []
        fact = commit_from_graphql(node, self._repo, self._branch)
        pulls = (node.get("brought_by") or {}).get("nodes") or []
        merged = [self._pull(one) for one in pulls if one]
        own = [one for one in merged if one and fact.sha in one.commits]
        number = fact.pull.number if fact.pull else None
        return [commit_item(self._repo, fact, fact.reached_at, number), *own]

    def _before(self, found: Iterable[Item | None]) -> tuple[Item, ...]:
        start = self._window.start
        return tuple({one.key: one for one in found if one and one.at < start}.values())
