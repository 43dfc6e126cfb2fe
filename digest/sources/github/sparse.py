"""A window without a token: REST within 60 requests an hour, and a word on what is missing."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from digest.errors import CouldNotLook, NotFound
from digest.models import Activity, Gap, Item, Repo, State, Window
from digest.ports import Progress, Seen
from digest.sources.github.api import (
    Asker,
    Json,
    escaped,
    expecting,
    gap_sentence,
    is_version,
    moment,
    repo_path,
    stamp,
)
from digest.sources.github.facts import (
    CommitFact,
    MergedPull,
    commit_from_rest,
    commit_item,
    landed_when,
    named_pull,
    open_merges,
)
from digest.sources.github.finding import known_repository, read_events
from digest.sources.github.gathering import DRAFTED_BEFORE, LOOK_BACK
from digest.sources.github.nodes import release
from digest.sources.github.patches import FilesOf, affordable, files_of, read_patches
from digest.sources.github.rest import (
    is_pull,
    issue_from_rest,
    plain_events,
    pull_from_rest,
    reaction_count,
    release_from_rest,
)
from digest.sources.landing import Landing

KEPT_BACK = 8
"""Requests left over for looking at single changes afterwards."""

MOST_PATCHES = 40
"""Changes read file by file at most, of 60 requests an hour.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

_MOST_PAGES = {
    "commits": 8,
    "later": 3,
    "pulls": 4,
    "issues": 4,
    "compare": 4,
    "releases": 3,
    "tags": 3,
}
_MOST_MERGES = 6
_MOST_REOPENED = 4

_ADVICE = "set GITHUB_TOKEN to see them"


async def collect_sparse(
    asker: Asker,
    repo: Repo,
    window: Window,
    now: Callable[[], datetime],
    allowed: frozenset[Repo],
    progress: Progress,
    seen: Seen | None = None,
) -> Activity:
    """Gather a window through REST, changes first, patches as far as requests last."""
    progress(f"{repo}: asking GitHub about {window.label} without a token")
    repo, branch = await known_repository(asker, repo, allowed)
    day = _SparseDay(asker, repo, window, branch, now, seen)
    for what, part in (
        ("commits", day.read_commits),
        ("pull_requests", day.read_pulls),
        ("issues", day.read_issues),
        ("releases", day.read_releases),
    ):
        await day.attempt(what, part)
    if day.errors and not day.answered:
        raise day.errors[0]
    await day.attempt("commits", day.land)
    changes, places = day.changes()
    left = asker.remaining()
    allowance = MOST_PATCHES if left is None else min(MOST_PATCHES, left - KEPT_BACK)
    chosen = await affordable(asker, repo, places, allowance)
    progress(f"{repo}: reading {len(chosen)} of {len(places)} patches")
    patched = await read_patches(asker, repo, changes, chosen)
    return Activity(
        repo=repo,
        window=window,
        items=(*patched.items, *day.issues, *day.releases),
        collected_at=now(),
        source="github",
        later=day.later(),
        gaps=(*day.gaps, *patched.gaps(), *_left_out(len(places), len(chosen))),
        default_branch=branch,
        head=day.head,
    )


def _left_out(changes: int, read: int) -> tuple[Gap, ...]:
    if not changes:
        return ()
    gaps = [
        Gap(
            "pull_requests",
            f"who merged, and which issues are closed, is not told without a token: {_ADVICE}",
        )
    ]
    if changes > read:
        why = f"the files of {changes - read} of {changes} changes were not read: {_ADVICE}"
        gaps += [Gap("files", why), Gap("patches", why)]
    return tuple(gaps)


class _SparseDay:
    """What REST told about a window so far."""

    def __init__(
        self,
        asker: Asker,
        repo: Repo,
        window: Window,
        branch: str,
        now: Callable[[], datetime],
        seen: Seen | None,
    ) -> None:
        self._seen = seen
        self._asker = asker
        self._repo = repo
        self._window = window
        self._branch = branch
        self._now = now
        self._commits: dict[str, CommitFact] = {}
        self._later: dict[str, CommitFact] = {}
        self._later_is_whole = False
        self._pulls: dict[int, Json] = {}
        self._issue_rows: dict[int, Json] = {}
        self._landed: dict[str, Landing] = {}
        self.head = ""
        self.issues: list[Item] = []
        self.releases: list[Item] = []
        self.gaps: list[Gap] = []
        self.errors: list[CouldNotLook] = []
        self.answered = 0

    async def attempt(self, what: str, part: Callable[[], Awaitable[None]]) -> None:
        """Read a part; a failure becomes its gap."""
        try:
            await part()
            self.answered += 1
        except CouldNotLook as error:
            self.errors.append(error)
            self.gaps.append(Gap(what, gap_sentence(error)))

    async def _pages(self, path: str, most: int) -> tuple[list[Json], bool]:
        """Rows of a list and whether these are all."""
        rows: list[Json] = []
        url: str | None = path
        for _ in range(most):
            if url is None:
                break
            answer = await self._asker.get(url)
            with expecting("a list"):
                rows += answer.json
            url = answer.next_url
        return rows, url is None

    async def read_commits(self) -> None:
        """Read the commits of the window and those after it."""
        base = repo_path(self._repo, "commits") + f"?sha={escaped(self._branch)}&per_page=100"
        start, end = stamp(self._window.start - LOOK_BACK), stamp(self._window.end)
        try:
            rows, whole = await self._pages(
                f"{base}&since={start}&until={end}", _MOST_PAGES["commits"]
            )
        except NotFound:
            return  # the repository is there, but holds no commit yet
        if not whole:
            self.gaps.append(Gap("commits", f"there are too many for one hour: {_ADVICE}"))
        later, self._later_is_whole = await self._pages(f"{base}&since={end}", _MOST_PAGES["later"])
        with expecting("commits"):
            self._commits = {row["sha"]: commit_from_rest(row) for row in rows}
            self._later = {row["sha"]: commit_from_rest(row) for row in later}
        self.head = next(iter(self._later or self._commits), "")
        if not self.head:
            newest = await self._asker.get(
                repo_path(self._repo, "commits") + f"?sha={escaped(self._branch)}&per_page=1"
            )
            with expecting("the newest commit"):
                self.head = newest.json[0]["sha"] if newest.json else ""

    async def read_pulls(self) -> None:
        """Read closed pull requests from the newest change down to the window's start."""
        base = repo_path(self._repo, "pulls")
        url: str | None = (
            f"{base}?state=closed&base={escaped(self._branch)}"
            "&sort=updated&direction=desc&per_page=100"
        )
        for _ in range(_MOST_PAGES["pulls"]):
            if url is None:
                return
            answer = await self._asker.get(url)
            with expecting("pull requests"):
                for row in answer.json:
                    if row["merged_at"]:
                        self._pulls[row["number"]] = row
                last = answer.json[-1]["updated_at"] if answer.json else None
                url = answer.next_url
                if last and moment(last) < self._window.start:
                    return
        if url is not None:
            why = f"older ones have no description, labels or state here: {_ADVICE}"
            self.gaps.append(Gap("pull_requests", why))

    async def land(self) -> None:
        """Decide when each commit landed; ask what the window's merges brought."""
        own = {row["merge_commit_sha"]: row for row in self._pulls.values()}
        for facts in (self._commits, self._later):
            for sha, fact in facts.items():
                if row := own.get(sha):
                    merged_at = moment(row["merged_at"])
                    facts[sha] = replace(fact, pull=MergedPull(row["number"], merged_at, sha))
        self._decide()
        merges = [
            merge
            for merge in open_merges(self._known().values(), self._landed)
            if self._landed[merge.sha].at in self._window
        ]
        for merge in merges[:_MOST_MERGES]:
            spec = f"{merge.parents[0]}...{merge.sha}"
            url: str | None = repo_path(self._repo, "compare", spec) + "?per_page=250"
            for _ in range(_MOST_PAGES["compare"]):
                if url is None:
                    break
                answer = await self._asker.get(url, permanent=True)
                with expecting("a comparison"):
                    for row in answer.json["commits"]:
                        self._commits.setdefault(row["sha"], commit_from_rest(row))
                url = answer.next_url
            if url is not None:
                why = f"the merge {merge.sha[:7]} brought more than could be read: {_ADVICE}"
                self.gaps.append(Gap("commits", why))
        if len(merges) > _MOST_MERGES:
            why = f"what {len(merges) - _MOST_MERGES} merges brought was not read: {_ADVICE}"
            self.gaps.append(Gap("commits", why))
        self._decide()

    def _known(self) -> dict[str, CommitFact]:
        return self._commits | self._later if self._later_is_whole else self._commits

    def _decide(self) -> None:
        head = self.head if self._later_is_whole else None
        self._landed = landed_when(self._known().values(), head, self._now(), self._seen)

    async def read_issues(self) -> None:
        """Read issues changed since the window began; their pull requests add numbers."""
        path = repo_path(self._repo, "issues")
        rows, whole = await self._pages(
            f"{path}?state=all&since={stamp(self._window.start)}&sort=updated&per_page=100",
            _MOST_PAGES["issues"],
        )
        if not whole:
            self.gaps.append(Gap("issues", f"there are too many for one hour: {_ADVICE}"))
        reopenings = 0
        for row in rows:
            with expecting("issues"):
                if is_pull(row):
                    self._issue_rows[row["number"]] = row
                    continue
                events = plain_events(row, self._window)
                reopened = row.get("state_reason") == "reopened"
            reopenings += reopened
            if reopened and reopenings <= _MOST_REOPENED:
                with expecting("an issue's events"):
                    events = await read_events(self._asker, self._repo, row, self._window)
            if events:
                with expecting("issues"):
                    self.issues.append(issue_from_rest(self._repo, row, events))

        if reopenings > _MOST_REOPENED:
            why = f"of {reopenings - _MOST_REOPENED} reopened ones it was not read when: {_ADVICE}"
            self.gaps.append(Gap("issues", why))

    async def read_releases(self) -> None:
        """Read releases, and tags on the window's commits that have none."""
        url: str | None = repo_path(self._repo, "releases") + "?per_page=30"
        found: list[Item | None] = []
        for _ in range(_MOST_PAGES["releases"]):
            if url is None:
                break
            answer = await self._asker.get(url)
            with expecting("releases"):
                found += [release_from_rest(self._repo, row) for row in answer.json]
                oldest = answer.json[-1]["created_at"] if answer.json else None
                is_enough = oldest and moment(oldest) < self._window.start - DRAFTED_BEFORE
            url = None if is_enough else answer.next_url
        if url is not None:
            why = f"there are too many since then for one hour: {_ADVICE}"
            self.gaps.append(Gap("releases", why))
        self.releases = [item for item in found if item and item.at in self._window]
        if self._commits:
            await self._read_tags({item.ref for item in found if item})

    async def _read_tags(self, names: set[str]) -> None:
        """Read the tags on the window's commits whose release is not among `names`."""
        self._decide()
        path = repo_path(self._repo, "tags") + "?per_page=100"
        tags, whole = await self._pages(path, _MOST_PAGES["tags"])
        if not whole:
            why = f"of the tags without a release not all were looked at: {_ADVICE}"
            self.gaps.append(Gap("releases", why))
        with expecting("tags"):
            for row in tags:
                landing = self._landed.get(row["commit"]["sha"])
                bare = is_version(row["name"]) and row["name"] not in names
                if bare and landing and landing.at in self._window:
                    self.releases.append(self._tag(row["name"], landing.at))

    def _tag(self, name: str, at: datetime) -> Item:
        return release(
            self._repo,
            tag=name,
            name="",
            body="",
            at=at,
            author=("", False),
            state=State.TAGGED,
        )

    # ---- items

    def changes(self) -> tuple[list[Item], list[FilesOf]]:
        """The commits and pull requests of the window, and where their files are read."""
        commits: list[Item] = []
        places: list[FilesOf] = []
        by_number: dict[int, list[CommitFact]] = {}
        known = self._known()
        for sha, landing in reversed(self._landed.items()):
            if landing.at not in self._window:
                continue
            number = self._number(known, sha)
            item = commit_item(self._repo, known[sha], landing.at, number)
            commits.append(replace(item, detail_missing=("files", "patches")))
            if number is not None and number in self._pulls:
                by_number.setdefault(number, []).append(known[sha])
            elif not known[sha].is_merge:
                places.append(files_of(item, ()))
        pulls = [self._pull(number, facts) for number, facts in by_number.items()]
        for item in pulls:
            own = [sha for sha in item.commits if self._landed[sha].by == sha]
            places.append(files_of(item, own))
        return [*pulls, *commits], places

    def _number(self, known: dict[str, CommitFact], sha: str) -> int | None:
        return named_pull(known[sha]) or named_pull(known[self._landed[sha].by])

    def _pull(self, number: int, facts: list[CommitFact]) -> Item:
        row = self._pulls[number]
        at = max(self._landed[fact.sha].at for fact in facts)
        with expecting("a pull request"):
            item = pull_from_rest(self._repo, row, at)
            issue = self._issue_rows.get(number) or {}
            return replace(
                item,
                commits=tuple(fact.sha for fact in facts),
                comments=issue.get("comments") or 0,
                reactions=reaction_count(issue),
            )

    def later(self) -> tuple[Item, ...]:
        """What landed after the window, as far as it was seen."""
        landed = self._landed
        if not self._later_is_whole:
            landed = landed_when(self._later.values(), self.head, self._now())
        known = self._commits | self._later
        commits = [
            commit_item(self._repo, known[sha], one.at, named_pull(known[sha]))
            for sha, one in landed.items()
            if one.at >= self._window.end
        ]
        numbers = {item.pull_request: item for item in commits}
        pulls = [
            replace(
                pull_from_rest(self._repo, row, numbers[number].at),
                commits=numbers[number].commits,
            )
            for number, row in self._pulls.items()
            if number in numbers
        ]
        return (*pulls, *commits)
