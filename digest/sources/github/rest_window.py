"""What REST's lists tell about a window, page by page, as far as requests without a token last."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from digest.errors import CouldNotLook, NotFound
from digest.models import Event, Gap, Item, Repo, State, Window
from digest.ports import Seen
from digest.sources.github import answers as rows
from digest.sources.github.answers import a_list
from digest.sources.github.api import (
    T,
    escaped,
    is_version,
    repo_path,
    stamp,
)
from digest.sources.github.client import Session
from digest.sources.github.commit_facts import MergedPull, commit_from_rest
from digest.sources.github.graphql_window import DRAFTED_BEFORE
from digest.sources.github.items import (
    issue_from_rest,
    plain_events,
    pull_from_rest,
    release,
    release_item,
)
from digest.sources.github.single_item import read_events
from digest.sources.github.window_data import ADVICE, FoundPull, WindowData, is_passed, reached
from digest.sources.landing import Landing
from digest.wording.phrases import SAY

_MOST_PAGES = {"commits": 8, "later": 3, "pulls": 4, "issues": 4, "releases": 3, "tags": 3}
_MOST_REOPENED = 4


class RestWindow(WindowData):
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
        self.issues: list[Item] = []
        self._discussed: dict[int, rows.Issue] = {}
        self._releases: list[Item] = []
        self._tags: list[rows.Tag] = []
        self.errors: list[CouldNotLook] = []
        self.answered = 0

    async def read(self) -> None:
        """Read every list; raises where none could be read."""
        for what, part in (
            ("commits", self.read_commits),
            ("pull_requests", self.read_pulls),
            ("issues", self.read_issues),
            ("releases", self.read_releases),
        ):
            await self._attempt(what, part)
        if self.errors and not self.answered:
            raise self.errors[0]
        self._join()

    def _join(self) -> None:
        """Say in commits which pull request was merged as them, and in those how they were met."""
        merged_as = {pull.merge_sha: pull for pull in self.pulls.values()}
        for facts in (self.commits, self.later):
            for sha, fact in facts.items():
                pull = merged_as.get(sha)
                if pull and pull.merged_at and pull.item.number:
                    own = MergedPull(pull.item.number, pull.merged_at, sha)
                    facts[sha] = replace(fact, pull=own)
        for number, pull in self.pulls.items():
            if row := self._discussed.get(number):
                item = replace(pull.item, comments=row.comments, reactions=row.reaction_count)
                self.pulls[number] = replace(pull, item=item)
        self.later_pulls = list(self.pulls.values())

    async def _attempt(self, what: str, part: Callable[[], Awaitable[None]]) -> None:
        """Read a part; a failure becomes its gap."""
        try:
            await part()
            self.answered += 1
        except CouldNotLook as error:
            self.errors.append(error)
            self.gaps.append(Gap(what, error.why))

    async def _pages(
        self,
        path: str,
        kind: type[T],
        what: str,
        most: int,
        suffices: Callable[[list[T]], bool] = lambda found: False,
    ) -> tuple[list[T], bool]:
        """Rows of a list, until they suffice, and whether these are all that is needed.

        Rows that cannot be read are a gap of `what`.
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
            self.gaps.append(Gap(what, SAY.github.in_part))
        return found, url is None

    async def read_commits(self) -> None:
        """Read the commits of the window and those after it."""
        base = repo_path(self.repo, "commits") + f"?sha={escaped(self.branch)}&per_page=100"
        start, end = self.window.start, stamp(self.window.end)
        try:
            listed, whole = await self._pages(
                f"{base}&until={end}",
                rows.Commit,
                "commits",
                _MOST_PAGES["commits"],
                lambda found: is_passed(list(map(commit_from_rest, found)), self.window, self.seen),
            )
        except NotFound:
            return  # the repository is there, but holds no commit yet
        if not whole:
            self.gaps.append(Gap("commits", SAY.github.too_many(ADVICE)))
        later, self.later_is_whole = await self._pages(
            f"{base}&since={end}", rows.Commit, "commits", _MOST_PAGES["later"]
        )
        self.head = next((one.sha for one in (*later, *listed)), "")
        self.later = {row.sha: commit_from_rest(row) for row in later}
        facts = [commit_from_rest(row) for row in listed]
        self.commits = {one.sha: one for one in reached(facts, start, self.seen)}

    async def read_pulls(self) -> None:
        """Read closed pull requests from the newest change down to the window's start."""
        start = self.window.start
        pulls, whole = await self._pages(
            f"{repo_path(self.repo, 'pulls')}?state=closed&base={escaped(self.branch)}"
            "&sort=updated&direction=desc&per_page=100",
            rows.Pull,
            "pull_requests",
            _MOST_PAGES["pulls"],
            lambda found: bool(found) and found[-1].updated_at < start,
        )
        self.pulls = {
            row.number: FoundPull(
                pull_from_rest(self.repo, row),
                row.merged_at,
                row.merge_commit_sha or "",
                is_landed=True,
            )
            for row in pulls
            if row.merged_at
        }
        if not whole:
            why = SAY.github.older_without_details(ADVICE)
            self.gaps.append(Gap("pull_requests", why))

    async def read_issues(self) -> None:
        """Read issues changed since the window began; their pull requests add numbers."""
        path = repo_path(self.repo, "issues")
        listed, whole = await self._pages(
            f"{path}?state=all&since={stamp(self.window.start)}&sort=updated&per_page=100",
            rows.Issue,
            "issues",
            _MOST_PAGES["issues"],
        )
        if not whole:
            self.gaps.append(Gap("issues", SAY.github.too_many(ADVICE)))
        reopenings = 0
        for row in listed:
            if row.is_pull:
                self._discussed[row.number] = row
                continue
            events = plain_events(row, self.window)
            if row.state_reason == "reopened":
                reopenings += 1
                if reopenings <= _MOST_REOPENED:
                    events = await self._events(row, events)
            if events:
                self.issues.append(issue_from_rest(self.repo, row, events))
        if reopenings > _MOST_REOPENED:
            why = SAY.github.reopened_not_read(reopenings - _MOST_REOPENED, ADVICE)
            self.gaps.append(Gap("issues", why))

    async def _events(self, row: rows.Issue, plain: tuple[Event, ...]) -> tuple[Event, ...]:
        """Read a reopened issue's events; where they do not come, those that its row tells."""
        try:
            return await read_events(self.asker, self.repo, row, self.window)
        except CouldNotLook as error:
            self.errors.append(error)
            why = SAY.unread.reopening(row.number, error.why)
            self.gaps.append(Gap("issues", why))
            return plain

    async def read_releases(self) -> None:
        """Read releases, and tags on the window's commits that have none."""
        drafted_since = self.window.start - DRAFTED_BEFORE
        listed, whole = await self._pages(
            repo_path(self.repo, "releases") + "?per_page=30",
            rows.Release,
            "releases",
            _MOST_PAGES["releases"],
            lambda found: bool(found) and found[-1].created_at < drafted_since,
        )
        found = [release_item(self.repo, row) for row in listed]
        if not whole:
            why = SAY.github.too_many_since_then(ADVICE)
            self.gaps.append(Gap("releases", why))
        self._releases = [item for item in found if item]
        if self.commits:
            await self._read_tags()

    async def _read_tags(self) -> None:
        path = repo_path(self.repo, "tags") + "?per_page=100"
        self._tags, whole = await self._pages(path, rows.Tag, "releases", _MOST_PAGES["tags"])
        if not whole:
            why = SAY.github.tags_not_read(ADVICE)
            self.gaps.append(Gap("releases", why))

    def release_items(self, landed: Mapping[str, Landing]) -> list[Item]:
        """Return the window's releases, and version tags on its commits that have none."""
        named = {item.ref for item in self._releases}
        tagged = [
            release(
                self.repo,
                tag=row.name,
                name="",
                body="",
                at=landed[row.commit.sha].at,
                author=("", False),
                state=State.TAGGED,
            )
            for row in self._tags
            if is_version(row.name) and row.name not in named and row.commit.sha in landed
        ]
        return [item for item in (*self._releases, *tagged) if item.at in self.window]
