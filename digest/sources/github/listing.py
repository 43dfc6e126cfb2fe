"""What REST's lists tell about a window, page by page, as far as requests without a token last."""

from collections.abc import Awaitable, Callable, Sequence

from digest.errors import CouldNotLook, NotFound
from digest.gaps import Gap
from digest.models import Event, Item, Repo, Window
from digest.ports import Seen
from digest.sources.github import answers as rows
from digest.sources.github.answers import a_list
from digest.sources.github.api import Asker, T, escaped, gap_sentence, repo_path, stamp
from digest.sources.github.facts import CommitFact, commit_from_rest
from digest.sources.github.finding import read_events
from digest.sources.github.gathering import DRAFTED_BEFORE
from digest.sources.github.items import issue_from_rest, plain_events, release_from_rest
from digest.sources.github.reach import is_passed, reached

_MOST_PAGES = {"commits": 8, "later": 3, "pulls": 4, "issues": 4, "releases": 3, "tags": 3}
_MOST_REOPENED = 4

ADVICE = "set GITHUB_TOKEN to see them"


class Listing:
    """The lists of a repository for one window. `tags` are rows, `named` tags with a release."""

    def __init__(
        self, asker: Asker, repo: Repo, window: Window, branch: str, seen: Sequence[Seen]
    ) -> None:
        self._asker = asker
        self._seen = seen
        self._repo = repo
        self._window = window
        self._branch = branch
        self.commits: dict[str, CommitFact] = {}
        self.later: dict[str, CommitFact] = {}
        self.later_is_whole = False
        self.pulls: dict[int, rows.Pull] = {}
        self.issue_rows: dict[int, rows.Issue] = {}
        self.head = ""
        self.issues: list[Item] = []
        self.releases: list[Item] = []
        self.tags: list[rows.Tag] = []
        self.named: frozenset[str] = frozenset()
        self.gaps: list[Gap] = []
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
            await self.attempt(what, part)
        if self.errors and not self.answered:
            raise self.errors[0]

    async def attempt(self, what: str, part: Callable[[], Awaitable[None]]) -> None:
        """Read a part; a failure becomes its gap."""
        try:
            await part()
            self.answered += 1
        except CouldNotLook as error:
            self.errors.append(error)
            self.gaps.append(Gap(what, gap_sentence(error)))

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
        shape = a_list(kind, what.replace("_", " "), self._repo)
        found: list[T] = []
        holes = 0
        url: str | None = path
        for _ in range(most):
            if url is None:
                break
            answer = await self._asker.get(url, shape)
            found += answer.value
            holes += answer.holes
            url = None if suffices(found) else answer.next_url
        if holes:
            self.gaps.append(Gap(what, "GitHub gave a part of the answer only"))
        return found, url is None

    async def read_commits(self) -> None:
        """Read the commits of the window and those after it."""
        base = repo_path(self._repo, "commits") + f"?sha={escaped(self._branch)}&per_page=100"
        start, end = self._window.start, stamp(self._window.end)
        try:
            listed, whole = await self._pages(
                f"{base}&until={end}",
                rows.Commit,
                "commits",
                _MOST_PAGES["commits"],
                lambda found: is_passed(
                    list(map(commit_from_rest, found)), self._window, self._seen
                ),
            )
        except NotFound:
            return  # the repository is there, but holds no commit yet
        if not whole:
            self.gaps.append(Gap("commits", f"there are too many for one hour: {ADVICE}"))
        later, self.later_is_whole = await self._pages(
            f"{base}&since={end}", rows.Commit, "commits", _MOST_PAGES["later"]
        )
        self.head = next((one.sha for one in (*later, *listed)), "")
        self.later = {row.sha: commit_from_rest(row) for row in later}
        facts = [commit_from_rest(row) for row in listed]
        self.commits = {one.sha: one for one in reached(facts, start, self._seen)}

    async def read_pulls(self) -> None:
        """Read closed pull requests from the newest change down to the window's start."""
        start = self._window.start
        pulls, whole = await self._pages(
            f"{repo_path(self._repo, 'pulls')}?state=closed&base={escaped(self._branch)}"
            "&sort=updated&direction=desc&per_page=100",
            rows.Pull,
            "pull_requests",
            _MOST_PAGES["pulls"],
            lambda found: bool(found) and found[-1].updated_at < start,
        )
        self.pulls = {row.number: row for row in pulls if row.merged_at}
        if not whole:
            why = f"older ones have no description, labels or state here: {ADVICE}"
            self.gaps.append(Gap("pull_requests", why))

    async def read_issues(self) -> None:
        """Read issues changed since the window began; their pull requests add numbers."""
        path = repo_path(self._repo, "issues")
        listed, whole = await self._pages(
            f"{path}?state=all&since={stamp(self._window.start)}&sort=updated&per_page=100",
            rows.Issue,
            "issues",
            _MOST_PAGES["issues"],
        )
        if not whole:
            self.gaps.append(Gap("issues", f"there are too many for one hour: {ADVICE}"))
        reopenings = 0
        for row in listed:
            if row.is_pull:
                self.issue_rows[row.number] = row
                continue
            events = plain_events(row, self._window)
            if row.state_reason == "reopened":
                reopenings += 1
                if reopenings <= _MOST_REOPENED:
                    events = await self._events(row, events)
            if events:
                self.issues.append(issue_from_rest(self._repo, row, events))
        if reopenings > _MOST_REOPENED:
            why = f"of {reopenings - _MOST_REOPENED} reopened ones it was not read when: {ADVICE}"
            self.gaps.append(Gap("issues", why))

    async def _events(self, row: rows.Issue, plain: tuple[Event, ...]) -> tuple[Event, ...]:
        """Read a reopened issue's events; where they do not come, those that its row tells."""
        try:
            return await read_events(self._asker, self._repo, row, self._window)
        except CouldNotLook as error:
            self.errors.append(error)
            why = f"when #{row.number} was reopened could not be read: {gap_sentence(error)}"
            self.gaps.append(Gap("issues", why))
            return plain

    async def read_releases(self) -> None:
        """Read releases, and tags on the window's commits that have none."""
        drafted_since = self._window.start - DRAFTED_BEFORE
        listed, whole = await self._pages(
            repo_path(self._repo, "releases") + "?per_page=30",
            rows.Release,
            "releases",
            _MOST_PAGES["releases"],
            lambda found: bool(found) and found[-1].created_at < drafted_since,
        )
        found = [release_from_rest(self._repo, row) for row in listed]
        if not whole:
            why = f"there are too many since then for one hour: {ADVICE}"
            self.gaps.append(Gap("releases", why))
        self.releases = [item for item in found if item and item.at in self._window]
        if self.commits:
            self.named = frozenset(item.ref for item in found if item)
            await self._read_tags()

    async def _read_tags(self) -> None:
        path = repo_path(self._repo, "tags") + "?per_page=100"
        self.tags, whole = await self._pages(path, rows.Tag, "releases", _MOST_PAGES["tags"])
        if not whole:
            why = f"of the tags without a release not all were looked at: {ADVICE}"
            self.gaps.append(Gap("releases", why))
