"""What REST's lists tell about a window, page by page, as far as requests without a token last."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from digest.errors import CouldNotLook, NotFound
from digest.models import Gap, Item, Repo, Window
from digest.phrase import Phrase
from digest.ports import Seen
from digest.sources.forge import is_version
from digest.sources.github import answers as rows
from digest.sources.github.answers import T, a_list
from digest.sources.github.client import Session, escaped, repo_path, stamp
from digest.sources.github.commits import CommitFact, MergedPull, commit_fact
from digest.sources.github.graphql import PullWish
from digest.sources.github.items import bare_tag
from digest.sources.github.window import (
    ADVICE,
    DRAFTED_BEFORE,
    FoundWindow,
    is_passed,
    leads_below,
    reached,
)
from digest.sources.landing import Landing
from digest.wording.phrases import SAY


class RestWindow(FoundWindow):
    """The lists of a repository for one window, as far as requests without a token last."""

    most_merges = 6
    most_compared = 4
    unread = ("files", "patches")
    knows_every_pull = False

    def __init__(
        self, asker: Session, repo: Repo, window: Window, branch: str, seen: Sequence[Seen]
    ) -> None:
        super().__init__(asker, repo, window, seen)
        self.branch = branch
        self._tags: list[rows.Tag] = []

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
        """Read releases, and tags on the window's commits that have none."""
        drafted_since = self.window.start - DRAFTED_BEFORE
        listed, _ = await self._pages(
            repo_path(self.repo, "releases") + "?per_page=30",
            rows.ReleaseNode,
            "releases",
            3,
            SAY.github.too_many_since_then(ADVICE),
            lambda found: bool(found) and found[-1].created_at < drafted_since,
        )
        self.releases = {row.tag_name: row for row in listed if not row.is_draft}
        if self.commits:
            path, why = "?per_page=100", SAY.github.tags_not_read(ADVICE)
            path = repo_path(self.repo, "tags") + path
            self._tags, _ = await self._pages(path, rows.Tag, "releases", 3, why)

    def tagged(self, landed: Mapping[str, Landing]) -> list[Item]:
        """Return version tags on commits that landed, with the time at which they did."""
        return [
            bare_tag(self.repo, row.name, landed[row.commit.sha].at, ("", False))
            for row in self._tags
            if is_version(row.name) and row.commit.sha in landed
        ]
