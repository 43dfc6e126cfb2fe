"""A window without a token: REST within 60 requests an hour, and a word on what is missing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from digest.gaps import Gap
from digest.models import Activity, Item, Repo, State, Window
from digest.ports import Progress, Seen
from digest.sources.github.answers import Comparison, Shape
from digest.sources.github.api import Asker, PrivateRepos, is_version, repo_path
from digest.sources.github.facts import (
    CommitFact,
    MergedPull,
    commit_from_rest,
    commit_item,
    cut_off,
    landed_when,
    named_pull,
    open_merges,
)
from digest.sources.github.finding import known_repository
from digest.sources.github.items import pull_from_rest, release
from digest.sources.github.listing import ADVICE, Listing
from digest.sources.github.originals import Originals
from digest.sources.github.patches import FilesOf, affordable, files_of, read_patches
from digest.sources.landing import Landing

KEPT_BACK = 8
"""Requests left over for looking at single changes afterwards."""

MOST_PATCHES = 40
"""Changes read file by file at most, of 60 requests an hour.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

_MOST_MERGES = 6
_MOST_COMPARED = 4


async def collect_sparse(
    asker: Asker,
    repo: Repo,
    window: Window,
    now: Callable[[], datetime],
    private: PrivateRepos,
    progress: Progress,
    seen: Sequence[Seen] = (),
) -> Activity:
    """Gather a window through REST, changes first, patches as far as requests last."""
    progress(f"{repo}: asking GitHub about {window.label} without a token")
    repo, branch = await known_repository(asker, repo, private)
    found = Listing(asker, repo, window, branch, seen)
    await found.read()
    day = _SparseDay(asker, repo, window, found, now, seen)
    await found.attempt("commits", day.land)
    await found.attempt("releases", day.tag)
    changes, places = day.changes()
    left = asker.remaining()
    allowance = MOST_PATCHES if left is None else min(MOST_PATCHES, left - KEPT_BACK)
    chosen = await affordable(asker, repo, places, allowance)
    progress(f"{repo}: reading {len(chosen)} of {len(places)} patches")
    patched = await read_patches(asker, repo, changes, chosen)
    earlier, unseen = await Originals(asker, repo, window, branch).sparse(patched.items)
    return Activity(
        repo=repo,
        window=window,
        items=(*patched.items, *found.issues, *found.releases),
        collected_at=now(),
        source="github",
        later=day.later(),
        earlier=earlier,
        gaps=(*found.gaps, *patched.gaps(), *unseen, *_left_out(len(places), len(chosen))),
        default_branch=branch,
        head=found.head,
    )


def _left_out(changes: int, read: int) -> tuple[Gap, ...]:
    if not changes:
        return ()
    gaps = [
        Gap(
            "pull_requests",
            f"who merged, and which issues are closed, is not told without a token: {ADVICE}",
        )
    ]
    if changes > read:
        why = f"the files of {changes - read} of {changes} changes were not read: {ADVICE}"
        gaps += [Gap("files", why), Gap("patches", why)]
    return tuple(gaps)


class _SparseDay:
    """What landed in a window, from what was listed."""

    def __init__(
        self,
        asker: Asker,
        repo: Repo,
        window: Window,
        found: Listing,
        now: Callable[[], datetime],
        seen: Sequence[Seen],
    ) -> None:
        self._seen = seen
        self._asker = asker
        self._repo = repo
        self._window = window
        self._found = found
        self._now = now
        self._landed: dict[str, Landing] = {}
        self._leads_down = False

    async def land(self) -> None:
        """Decide when each commit landed; ask what the window's merges brought."""
        own = {row.merge_commit_sha: row for row in self._found.pulls.values()}
        for facts in (self._found.commits, self._found.later):
            for sha, fact in facts.items():
                row = own.get(sha)
                if row and row.merged_at:
                    facts[sha] = replace(fact, pull=MergedPull(row.number, row.merged_at, sha))
        self._decide()
        merges = [
            merge
            for merge in open_merges(self._known().values(), self._landed)
            if self._landed[merge.sha].at in self._window
        ]
        shape = Shape(Comparison, "a comparison", self._repo)
        for merge in merges[:_MOST_MERGES]:
            spec = f"{merge.parents[0]}...{merge.sha}"
            url: str | None = repo_path(self._repo, "compare", spec) + "?per_page=250"
            for _ in range(_MOST_COMPARED):
                if url is None:
                    break
                answer = await self._asker.get(url, shape, permanent=True)
                for brought in answer.value.commits:
                    self._found.commits.setdefault(brought.sha, commit_from_rest(brought))
                url = answer.next_url
            if url is not None:
                why = f"the merge {merge.sha[:7]} brought more than could be read: {ADVICE}"
                self._found.gaps.append(Gap("commits", why))
        if len(merges) > _MOST_MERGES:
            why = f"what {len(merges) - _MOST_MERGES} merges brought was not read: {ADVICE}"
            self._found.gaps.append(Gap("commits", why))
        self._decide()

    def _known(self) -> dict[str, CommitFact]:
        found = self._found
        return found.commits | found.later if self._leads_down else found.commits

    def _decide(self) -> None:
        found, now = self._found, self._now()
        above: frozenset[str] = frozenset()
        if found.later_is_whole:
            above = cut_off(found.commits.values(), found.later.values(), found.head, now)
        self._leads_down = found.later_is_whole and not above
        below = [fact for fact in self._known().values() if fact.sha not in above]
        head = found.head if self._leads_down else None
        self._landed = landed_when(below, head, now, self._seen)

    async def tag(self) -> None:
        """Add the version tags on the window's commits that have no release."""
        for row in self._found.tags:
            landing = self._landed.get(row.commit.sha)
            bare = is_version(row.name) and row.name not in self._found.named
            if bare and landing and landing.at in self._window:
                self._found.releases.append(self._tag(row.name, landing.at))

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
            if number is not None and number in self._found.pulls:
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
        row = self._found.pulls[number]
        at = max(self._landed[fact.sha].at for fact in facts)
        issue = self._found.issue_rows.get(number)
        return replace(
            pull_from_rest(self._repo, row, at),
            commits=tuple(fact.sha for fact in facts),
            comments=issue.comments if issue else 0,
            reactions=issue.reaction_count if issue else 0,
        )

    def later(self) -> tuple[Item, ...]:
        """What landed after the window, as far as it was seen."""
        landed = self._landed
        if not self._leads_down:
            landed = landed_when(self._found.later.values(), self._found.head, self._now())
        known = self._found.commits | self._found.later
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
            for number, row in self._found.pulls.items()
            if number in numbers
        ]
        return (*pulls, *commits)
