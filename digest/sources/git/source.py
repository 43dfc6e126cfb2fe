"""A git repository as a source: any local clone or bare repository, or a clone URL.

Git tells commits, files, patches and tags. It knows no issues, labels or descriptions of pull
requests; where the repository has a remote that may hold them, the activity says so by gaps.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from digest.errors import CouldNotLook, Forbidden, NotFound, Unreachable
from digest.models import Activity, FileAt, Gap, Item, Notice, NoticeKind, Repo, Span, Window
from digest.ports import Clock, Memory, Progress, Remembered, Seen, SeenSince, Steps
from digest.reading.reverts import unknown_originals
from digest.sources.forge import (
    Forge,
    empty_span,
    forge_of,
    is_told,
    is_version,
    spellings,
    without_credentials,
)
from digest.sources.git.history import Changes, History, Tip, commit_items, tag_item
from digest.sources.git.mirror import (
    checked,
    folder_of,
    is_file,
    is_folder,
    is_url,
    mirror_folder,
    update,
)
from digest.sources.git.process import NO_REPOSITORY, GitFailed, GitProcess
from digest.sources.landing import Landing, landings
from digest.sources.message import held_already, not_held, parse
from digest.wording.phrases import SAY

LOCAL = "local"
"""The owner of a repository that has no remote to be named by."""
MOST_NAMED = 5
"""Commits that a gap names; more are counted."""
MOST_BEFORE = 1_000
"""Earlier commits that tell what is rare in a history."""
_NUMBER = re.compile(r"#?([0-9]{1,9})")
_SHORT_SHA = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A repository that is there: how to ask it, where it is on the web, what to say of it.

    `is_copy` where a person fetches it now and then: what it lacked may long have landed upstream.
    `is_named` where its remote says which repository it is, and not who asks alone.
    """

    history: History
    forge: Forge | None
    shallow: frozenset[str]
    gaps: tuple[Gap, ...] = ()
    is_copy: bool = False
    is_named: bool = False


@dataclass(eq=False, repr=False)
class Git:
    """Reads one repository with the `git` program; implements `digest.ports.Source`.

    `location` is a path or a clone URL (http, https, ssh, git, file, `git@host:path`); a URL is
    mirrored under `cache_dir` and fetched at each collection. `environment` is what git may see
    of the person's (keys, proxies, credentials); without it git runs with none. `seen_since` lets
    a rewritten history be noticed. `memory` keeps what is made of commits.
    """

    location: str
    _: KW_ONLY
    cache_dir: Path
    clock: Clock
    progress: Progress
    environment: Mapping[str, str] = field(default_factory=dict)
    seen_since: SeenSince | None = None
    memory: Memory | None = None

    def __post_init__(self) -> None:
        checked(self.location)
        self._is_url = is_url(self.location)
        self._git = GitProcess(self.environment)

    async def name(self) -> Repo:
        """Derive the repository's name: of its remote, else `local` and the folder's name."""
        remote, folder = self.location, self.location.partition("://")[2]
        if not self._is_url:
            history = await self._local()
            remote, folder = await history.remote(), str(history.folder)
        forge = forge_of(remote)
        if forge is not None:
            return forge.repo
        folder = folder.encode(errors="surrogateescape").decode(errors="replace")
        folder = folder.rstrip("/").removesuffix("/.git").removesuffix(".git")
        return Repo(LOCAL, folder.rpartition("/")[2] or "repository")

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Gather commits and version tags of a window by the time at which they landed.

        Raises `NotFound`, `Forbidden`, `Unreachable` or another `CouldNotLook` where the
        repository can't be read at all, `ConfigurationError` where git is not installed.
        """
        opened = await self._open(repo)
        is_named = opened.is_named or repo.owner == LOCAL
        now = self.clock()
        is_last = self.memory and not self._is_url and not window.partial
        state = await opened.history.state() if is_last else ""
        self.progress(f"Reading the history of {repo}")
        tip = await opened.history.tip()
        seen = await self.seen_since(repo, window.start) if self.seen_since else ()
        landed = await _landed(opened.history, tip, now, () if opened.is_copy else seen)
        inside = [sha for sha, landing in landed.items() if landing.at in window]
        inside = [sha for sha in inside if landed[sha].at <= now]
        after = [sha for sha, landing in landed.items() if window.end <= landing.at <= now]
        commits = await opened.history.commits(inside)
        self.progress(f"Reading patches of {repo} (commits: {len(commits)})")
        changes = await opened.history.changes(
            [commit for commit in commits if commit.sha not in opened.shallow]
        )
        items = commit_items(repo, opened.forge, commits, landed, changes)
        later = commit_items(repo, opened.forge, await opened.history.commits(after), landed, None)
        earlier = await self._earlier(repo, opened, tip, landed, items)
        tags = [
            tag_item(repo, opened.forge, tag)
            for tag in await opened.history.tags()
            if tag.at in window and tag.at <= now and is_told(tag.name)
        ]
        if state:
            look = f"{now.isoformat()} {state}"
            await self.keep(_look(self.location, repo, window), look.encode())
        return Activity(
            repo=repo,
            window=window,
            items=(*items, *tags),
            collected_at=now,
            source="git" if is_named else "git-without-remote",
            later=tuple(later),
            earlier=tuple(item for item in earlier if item.at < window.start),
            gaps=(*opened.gaps, *_left_out(changes)),
            notices=(
                *await _changed(opened, tip, seen),
                *_ends_earlier(tip, landed, window),
            ),
            default_branch=tip.branch,
            head=tip.sha,
        )

    async def is_as_collected(self, repo: Repo, window: Window, collected_at: datetime) -> bool:
        """Return whether the clone is the one of that look; implements `digest.ports.Lasting`.

        Of a URL nobody can say without fetching it.
        """
        look = None if self._is_url else await self.recall(_look(self.location, repo, window))
        if look is None:
            return False
        state = await (await self._local()).state()
        return look == f"{collected_at.isoformat()} {state}".encode()

    async def find(self, repo: Repo, ref: str) -> Item:
        """Return one commit by number, SHA or the tag of a release; `NotFound` if there is none.

        A number is looked up in commit messages; the newest commit that carries it is given.
        """
        opened = await self._open(repo)
        history, ref = opened.history, ref.strip()
        tip = await history.tip()
        sha = ""
        if numbered := _NUMBER.fullmatch(ref):
            sha = await self._numbered(opened, tip, int(numbered[1]))
        for name in spellings(ref) if ref and not sha else ():
            tags = await history.tags(f"refs/tags/{name}")
            if found := next((tag for tag in tags if tag.name == name), None):
                return tag_item(repo, opened.forge, found)
        if not sha and _SHORT_SHA.fullmatch(ref):
            sha = await history.resolve(ref.lower())
        if not sha:
            raise NotFound(SAY.git.no_item(repo, repr(ref[:80])))
        commits = await history.commits([sha])
        landed = await _landed(history, tip, self.clock())
        complete = [commit for commit in commits if commit.sha not in opened.shallow]
        changes = await history.changes(complete)
        return commit_items(repo, opened.forge, commits, landed, changes)[0]

    async def span(self, repo: Repo, base: str, head: str) -> Span:
        """Return what one commit has and another has not; see `digest.ports.Spans`."""
        opened = await self._open(repo)
        history = opened.history
        base, base_sha = await _end(history, repo, base)
        head, head_sha = await _end(history, repo, head)
        listed = await history.commits(await history.between(base_sha, head_sha))
        # A branch for a release has picked from the other one: what it holds is no news after it.
        own = await history.commits(await history.between(head_sha, base_sha))
        ours = {commit.sha: commit.message for commit in listed}
        numbered = opened.forge is None or opened.forge.kind != "gitlab"
        theirs = {commit.sha: commit.message for commit in reversed(own)}
        alike, contrary = await history.alike(base_sha, head_sha) if own else ({}, {})
        held = held_already(ours, theirs, alike, contrary, squash_numbers=numbered)
        commits = frozenset(ours) - held
        if not commits:
            raise empty_span(base, head)
        fork = await history.fork(base_sha, head_sha)
        ends = (fork or base_sha, base_sha, head_sha)
        dated = {one.sha: one.committed_at for one in await history.commits(ends)}
        since, based_at, until = (dated[sha] for sha in ends)
        # A merge brings nothing that its commits do not.
        brought = {one.sha: one.message for one in reversed(own) if len(one.parents) == 1}
        back = {our: their for their, our in alike.items()}
        in_order = dict(reversed(ours.items()))
        lacks = bool(not_held(brought, in_order, back, squash_numbers=numbered))
        tags = frozenset(await history.tags_between(base_sha, head_sha))
        return Span(
            base, head, base_sha, head_sha, since, until, commits,
            based_at=based_at, lacks=lacks, tags=tags,
        )  # fmt: skip

    async def tree(self, repo: Repo, sha: str) -> Mapping[str, str]:
        """Return the files of a commit; implements `digest.ports.Clone`."""
        return await (await self._read_again(repo)).tree(sha)

    async def brought(
        self, repo: Repo, span: Span, tell: Steps = lambda step: None
    ) -> Sequence[Item]:
        """Return the commits of a span, oldest first; implements `digest.ports.Clone`."""
        del tell  # it takes a second
        history = await self._read_again(repo)
        order = reversed(await history.between(span.base_sha, span.head_sha))
        shas = [sha for sha in order if sha in span.commits]
        commits = [one for one in await history.commits(shas) if len(one.parents) == 1]
        changes = await history.listed(commits)
        remote = self.location if self._is_url else await history.remote()
        return commit_items(repo, _forge(remote, repo), commits, {}, changes)

    async def releases(self, repo: Repo) -> Sequence[str]:
        """Return the tags of versions, newest first; implements `digest.ports.Clone`."""
        tags = await (await self._read_again(repo)).tags()
        versions = [tag for tag in tags if is_version(tag.name)]
        return [tag.name for tag in sorted(versions, key=lambda tag: tag.at, reverse=True)]

    async def contents(
        self, repo: Repo, files: Sequence[FileAt], *, once: bool = False
    ) -> Mapping[FileAt, str | None]:
        """Return whole files as they stood at commits; implements `digest.ports.Clone`.

        A mirror is read as it is: what is asked for was collected from it.
        """
        del once  # reading them again costs nothing
        return await (await self._read_again(repo)).contents(files)

    async def lines_with(
        self, repo: Repo, sha: str, words: Collection[str], endings: Collection[str]
    ) -> Sequence[tuple[str, str]]:
        """Return the lines of a commit that have a word; implements `digest.ports.Searchable`."""
        return await (await self._read_again(repo)).lines_with(sha, words, endings)

    async def recall(self, name: str) -> bytes | None:
        """Return what was kept under a name; implements `digest.ports.Clone`."""
        known = await self.memory.recall(f"git {name}") if self.memory else None
        return known.body if known else None

    async def keep(self, name: str, body: bytes) -> None:
        """Keep what can never change; implements `digest.ports.Clone`."""
        if self.memory:
            remembered = Remembered(body, "", "", permanent=True, checked_at=self.clock())
            await self.memory.remember(f"git {name}", remembered)

    async def _read_again(self, repo: Repo) -> History:
        """Open what was fetched before, without fetching it again."""
        folder = mirror_folder(self.location, self.cache_dir) if self._is_url else None
        if folder is not None and is_folder(folder):
            return History(self._git, folder)
        return (await self._open(repo)).history

    async def _earlier(
        self,
        repo: Repo,
        opened: _Opened,
        tip: Tip,
        landed: Mapping[str, Landing],
        items: Sequence[Item],
    ) -> list[Item]:
        """Find what reverts take back that is not among the items, without its files."""
        unknown = unknown_originals(items)
        shas = [await opened.history.resolve(sha) for sha in unknown.shas]
        shas += [await self._numbered(opened, tip, number) for number in unknown.numbers]
        for title in unknown.titles:
            shas += await opened.history.titled(tip.sha, title) if tip.sha else []
        known = [sha for sha in dict.fromkeys(shas) if sha in landed]
        return commit_items(repo, opened.forge, await opened.history.commits(known), landed, None)

    async def _numbered(self, opened: _Opened, tip: Tip, number: int) -> str:
        if not tip.sha:
            return ""
        squash_numbers = opened.forge is None or opened.forge.kind != "gitlab"
        shas = await opened.history.numbered(tip.sha, number)
        for commit in await opened.history.commits(shas):
            if parse(commit.message, squash_numbers=squash_numbers).pull_request == number:
                return commit.sha
        return ""

    async def changes_before(
        self, repo: Repo, moment: datetime
    ) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the titles and paths of the last commits before a moment."""
        try:
            path = mirror_folder(self.location, self.cache_dir) if self._is_url else None
            history = History(self._git, path) if path else await self._local()
            tip = await history.tip()
            return await history.before(tip.sha, moment, MOST_BEFORE) if tip.sha else ()
        except CouldNotLook:
            return ()

    async def _open(self, repo: Repo) -> _Opened:
        if self._is_url:
            return await self._mirrored(repo)
        history = await self._local()
        remote = await history.remote()
        described = await _described(history, _forge(remote, repo))
        return replace(described, is_copy=bool(remote), is_named=forge_of(remote) is not None)

    async def _local(self) -> History:
        path = folder_of(self.location)
        if is_file(path):
            raise NotFound(SAY.git.is_a_file(self.location))
        if not is_folder(path):
            raise NotFound(SAY.git.no_folder(self.location))
        try:
            found = await self._git.run(["rev-parse", "--absolute-git-dir"], at=path)
        except GitFailed as error:
            if "dubious ownership" in error.reason:
                raise Forbidden(SAY.git.other_owner(path)) from error
            if NO_REPOSITORY in error.reason:
                message = SAY.git.not_git(path)
                raise NotFound(message) from error
            raise
        return History(self._git, Path(found.decode("utf-8", "surrogateescape").rstrip("\n")))

    async def _mirrored(self, repo: Repo) -> _Opened:
        forge = _forge(self.location, repo)
        self.progress(f"Fetching {without_credentials(self.location)}")
        stale: tuple[Gap, ...] = ()
        try:
            folder = await update(self._git, self.location, self.cache_dir)
        except Unreachable as error:
            folder = mirror_folder(self.location, self.cache_dir)
            if not is_folder(folder):
                raise
            stale = (Gap("commits", SAY.git.from_before(error.why)),)
        opened = await _described(History(self._git, folder), forge)
        is_named = forge_of(self.location) is not None
        return replace(opened, gaps=(*stale, *opened.gaps), is_named=is_named)


def _look(location: str, repo: Repo, window: Window) -> str:
    """Name the last look at a window; what it found is bound to the moment of that look."""
    ends = f"{window.start.isoformat()} {window.end.isoformat()}"
    return f"look {location} {str(repo).lower()} {ends}"


async def _end(history: History, repo: Repo, name: str) -> tuple[str, str]:
    """Return a tag, or else a SHA, by its own name, and its commit's SHA; raises `NotFound`."""
    for tag in spellings(name):
        if sha := await history.resolve(f"refs/tags/{tag}"):
            return tag, sha
    sha = await history.resolve(name.lower()) if _SHORT_SHA.fullmatch(name) else ""
    if not sha:
        raise NotFound(SAY.git.no_end(repo, repr(name[:80])))
    return name, sha


def _forge(remote: str, repo: Repo) -> Forge | None:
    """Tell where a repository is: what no remote names is GitHub's, by the name asked for."""
    named = "" if repo.owner == LOCAL else f"https://github.com/{repo}"
    return forge_of(remote) or forge_of(named)


async def _described(history: History, forge: Forge | None) -> _Opened:
    shallow = await history.shallow()
    gaps = []
    if shallow:
        gaps.append(Gap("commits", SAY.git.shallow))
    if forge is not None:
        why = SAY.git.no_talk
        gaps += [Gap(what, why, lasting=True) for what in ("pull_requests", "issues")]
    return _Opened(history, forge, shallow, tuple(gaps))


def _left_out(changes: Changes) -> list[Gap]:
    gaps = []
    for why, left_out in (
        (SAY.git.patches_too_large, changes.left_out),
        (SAY.git.patches_lost, changes.unreadable),
    ):
        shas = sorted(sha[:7] for sha in left_out)
        more = f" +{len(shas) - MOST_NAMED}" if len(shas) > MOST_NAMED else ""
        if shas:
            gaps.append(Gap("patches", why(", ".join(shas[:MOST_NAMED]) + more), lasting=True))
    return gaps


def _ends_earlier(tip: Tip, landed: Mapping[str, Landing], window: Window) -> tuple[Notice, ...]:
    """Say that all is older than the window, or nothing there: such a clone is not quiet."""
    if not tip.sha:
        return (Notice(NoticeKind.EMPTY, tip.branch, ""),)
    if landed[tip.sha].at >= window.start:
        return ()
    newest = landed[tip.sha].at.astimezone(ZoneInfo(window.tz)).date()
    return (Notice(NoticeKind.ENDS_EARLIER, tip.branch or "HEAD", newest.isoformat()),)


async def _changed(opened: _Opened, tip: Tip, seen: Sequence[Seen]) -> tuple[Notice, ...]:
    """Say what became of the branch and the head that were last stored."""
    if not seen or not tip.sha or opened.shallow:
        return ()
    last = seen[0]
    if last.branch != tip.branch:
        return (Notice(NoticeKind.DEFAULT_BRANCH_CHANGED, last.branch, tip.branch),)
    if await opened.history.is_ancestor(last.head, tip.sha):
        return ()
    return (Notice(NoticeKind.FORCED_PUSH, last.head, tip.sha),)


async def _landed(
    history: History, tip: Tip, now: datetime, seen: Sequence[Seen] = ()
) -> dict[str, Landing]:
    if not tip.sha:
        return {}
    return landings(await history.graph(tip.sha), tip.sha, now, seen)
