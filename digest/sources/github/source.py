"""GitHub as a source: who is asked for what, with a token or without."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from digest.errors import BadToken, CouldNotLook, NotFound
from digest.models import Activity, FileAt, Gap, Item, Notice, NoticeKind, Repo, Span, Window
from digest.ports import Clock, Memory, NoteVisibility, Progress, Seen, SeenSince, Steps
from digest.sources.github.answers import CommitStanding, Limits, Shape, is_same
from digest.sources.github.client import (
    TIMEOUT,
    WHOLE_SECONDS,
    PrivateRepos,
    Session,
    Sleep,
    Timeout,
    Transport,
    repo_path,
)
from digest.sources.github.collection import collect
from digest.sources.github.files import read_blobs
from digest.sources.github.history import find_span, read_brought, read_releases, read_tree, spare
from digest.sources.github.single_item import find_item
from digest.sources.github.standings import Standings
from digest.upstream import Followed, Standing
from digest.wording.phrases import SAY

LINEAR = frozenset({"ahead", "identical"})
"""How a head stands to an earlier one that is its ancestor.

https://docs.github.com/en/rest/commits/commits#compare-two-commits
"""


async def with_notices(
    asker: Session, activity: Activity, requested: Repo, seen: Sequence[Seen]
) -> Activity:
    """Add notices: renamed since it was `requested`, branch changed or rewritten since `seen`."""
    notices = list(activity.notices)
    if not is_same(activity.repo, requested):
        notices.append(Notice(NoticeKind.RENAMED, str(requested), str(activity.repo)))
    if seen and activity.default_branch:
        branch, head = seen[0].branch, seen[0].head
        if branch and branch != activity.default_branch:
            kind = NoticeKind.DEFAULT_BRANCH_CHANGED
            notices.append(Notice(kind, branch, activity.default_branch))
        elif head and activity.head:
            try:
                if await _is_rewritten(asker, activity, head):
                    notices.append(Notice(NoticeKind.FORCED_PUSH, head, activity.head))
            except CouldNotLook as error:
                why = SAY.unread.rewritten(error.why)
                activity = replace(activity, gaps=(*activity.gaps, Gap("commits", why)))
    return replace(activity, notices=tuple(notices))


async def _is_rewritten(asker: Session, activity: Activity, head: str) -> bool:
    """Return whether an earlier head is no longer part of the branch."""
    reached = {sha for item in (*activity.items, *activity.later) for sha in item.commits}
    if head == activity.head or head in reached:
        return False
    path = repo_path(activity.repo, "compare", f"{head}...{activity.head}") + "?per_page=1"
    shape = Shape(CommitStanding, SAY.objects.a_comparison, activity.repo)
    try:
        answer = await asker.get(path, shape, permanent=True)
    except NotFound:
        return True
    return answer.value.status not in LINEAR


class GitHub:
    """A `digest.ports.Source` over GitHub or GitHub Enterprise; an async context manager."""

    def __init__(
        self,
        *,
        token: str | None,
        api_url: str = "https://api.github.com",
        private_repos: frozenset[Repo] = frozenset(),
        memory: Memory | None,
        clock: Clock,
        progress: Progress,
        seen_since: SeenSince | None = None,
        note: NoteVisibility | None = None,
        sleep: Sleep = asyncio.sleep,
        timeout: Timeout = TIMEOUT,
        whole_seconds: float = WHOLE_SECONDS,
        transport: Transport | None = None,
    ) -> None:
        private = PrivateRepos(private_repos, note)
        self._clock = clock
        self._progress = progress
        self._seen_since = seen_since
        self._asker = Session(
            token, api_url, private, memory, clock, sleep, timeout, whole_seconds, transport
        )
        self._standings = Standings(self._asker, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._asker.aclose()

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Gather everything of a window; see `digest.ports.Source`.

        The activity's repository has the name by which GitHub knows it now. Raises `BadToken`,
        `NotFound`, `Forbidden`, `RateLimited`, `BadAnswer` or `Unreachable` when nothing can be
        said.
        """
        # What is stored stands under the name that was asked for, also of a renamed repository.
        seen = await self._seen_since(repo, window.start) if self._seen_since else ()
        activity = await collect(self._asker, repo, window, seen, self._clock, self._progress)
        return await with_notices(self._asker, activity, repo, seen)

    async def find(self, repo: Repo, ref: str) -> Item:
        """Return one change, issue or release whole, with patches; see `digest.ports.Source`."""
        return await find_item(self._asker, repo, ref)

    async def span(self, repo: Repo, base: str, head: str) -> Span:
        """Return what one commit has and another has not; see `digest.ports.Spans`."""
        return await find_span(self._asker, repo, base, head)

    async def contents(self, repo: Repo, files: Sequence[FileAt]) -> Mapping[FileAt, str | None]:
        """Return whole files as they stood at commits; see `digest.ports.Contents`."""
        return await read_blobs(self._asker, repo, files)

    async def contents_once(
        self, repo: Repo, files: Sequence[FileAt]
    ) -> Mapping[FileAt, str | None]:
        """Return whole files that are not needed again; see `digest.ports.Clone`."""
        spare(self._asker)
        return await read_blobs(self._asker, repo, files, cached=False)

    async def tree(self, repo: Repo, sha: str) -> Mapping[str, str]:
        """Return the files of a commit; see `digest.ports.Clone`."""
        return await read_tree(self._asker, repo, sha)

    async def brought(
        self, repo: Repo, span: Span, tell: Steps = lambda step: None
    ) -> Sequence[Item]:
        """Return the commits of a span, oldest first; see `digest.ports.Clone`."""
        return await read_brought(self._asker, repo, span, tell)

    async def releases(self, repo: Repo) -> Sequence[str]:
        """Return the tags of releases, newest first, without prereleases."""
        return await read_releases(self._asker, repo)

    async def recall(self, name: str) -> bytes | None:
        """Return what was kept under a name; see `digest.ports.Clone`."""
        return await self._asker.recall(name)

    async def keep(self, name: str, body: bytes) -> None:
        """Keep what can never change; see `digest.ports.Clone`."""
        await self._asker.keep(name, body)

    async def standings(self, wanted: Sequence[Followed]) -> Mapping[str, Standing]:
        """Return how items stand now; see `digest.upstream.Upstream`.

        Without a token GitHub answers no GraphQL: raises `BadToken`.
        """
        if not self._asker.has_token:
            raise BadToken(SAY.github.following_needs_token)
        return await self._standings.of(wanted)

    @property
    def left(self) -> Mapping[str, int]:
        """Requests left by the kind of limit (`core`, `graphql`), as far as GitHub told."""
        return dict(self._asker.left)

    @property
    def requests_sent(self) -> int:
        """Requests sent so far."""
        return self._asker.requests_sent

    async def quota(self) -> int:
        """Return the REST requests left this hour, which costs none; raises as `collect` does."""
        answer = await self._asker.get("/rate_limit", Shape(Limits, SAY.objects.the_limits, None))
        return answer.value.resources.core.remaining
