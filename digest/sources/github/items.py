"""Commits, pull requests, issues, releases and tags of GitHub as items (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import quote

from digest.github_web import web
from digest.models import Event, FileChange, Item, Kind, LinkedIssue, Repo, State, Window
from digest.ports import Seen
from digest.reading.releases import PRERELEASE, is_build
from digest.sources.forge import is_told
from digest.sources.github import answers as rows
from digest.sources.github.answers import Actor, CommitNode, GitActor, is_same
from digest.sources.landing import Landing, Node, first_parents, landings
from digest.sources.message import parse, tag_notes, title_of

GHOST = "ghost"
"""GitHub's own name for an account that is gone."""


@dataclass(frozen=True, slots=True)
class MergedPull:
    """A pull request that brought a commit: when it was merged, and by which commit."""

    number: int
    merged_at: datetime
    merge_sha: str


@dataclass(frozen=True, slots=True)
class CommitFact(Node):
    """A commit of the default branch's history.

    `parent_count` may be more than the parents that were told. `pull` is the merged pull request
    that GitHub associates with it; without one, the number that the message names may be one.
    """

    message: str
    parent_count: int
    author: str
    is_bot: bool
    pull: MergedPull | None = None

    @property
    def is_merge(self) -> bool:
        """Return whether it may have brought commits of another line."""
        return self.parent_count > 1

    @property
    def reached_at(self) -> datetime:
        """Return the earliest moment at which it can have stood on the default branch.

        A merge queue commits before it merges, so the pull request's time may be later.
        """
        if self.pull and self.pull.merge_sha == self.sha:
            return max(self.committed_at, self.pull.merged_at)
        return self.committed_at


def account(who: Actor | None, otherwise: str = GHOST) -> tuple[str, bool]:
    """Return a login and whether it is a bot's, whose login always ends with `[bot]` here."""
    if who is None or not who.login:
        name = otherwise or GHOST
        return name, name.endswith("[bot]")
    login = who.login
    if who.typename == "Bot" and not login.endswith("[bot]"):
        login += "[bot]"
    return login, login.endswith("[bot]")


def commit_fact(node: CommitNode, repo: Repo, branch: str = "") -> CommitFact:
    """Make a commit of either interface's row; `pull` is one that was merged into `branch`."""
    author = node.author or GitActor()
    login, is_bot = account(author.user, author.name or GHOST)
    merged = [
        MergedPull(pull.number, pull.merged_at, pull.merge_commit.oid if pull.merge_commit else "")
        for pull in node.associated_pull_requests.nodes
        if pull.merged_at
        and pull.base_ref_name == branch
        and is_same(pull.repository.name_with_owner, repo)
    ]
    own = [pull for pull in merged if pull.merge_sha == node.oid]
    return CommitFact(
        sha=node.oid,
        message=node.message,
        committed_at=node.committed_date,
        parents=tuple(parent.oid for parent in node.parents.nodes),
        parent_count=node.parents.total_count,
        author=login,
        is_bot=is_bot,
        pull=next(iter(own or merged), None),
    )


def landed_when(
    commits: Iterable[CommitFact], head: str | None, now: datetime, seen: Sequence[Seen] = ()
) -> dict[str, Landing]:
    """Say when each commit landed; those that no chain from `head` reaches are left out.

    Without a head that is among the commits the likeliest tip is taken: of the commits without
    a child here the one whose first-parent chain is longest, one that closed its own pull
    request being surest. Where the chain from `head` breaks at a commit that was not listed
    (its date is older than what was asked for), it goes on at the likeliest older one.
    """
    known = {commit.sha: commit for commit in commits}
    tip = head if head in known else likely_tip(known)
    landed: dict[str, Landing] = {}
    while tip is not None:
        landed = landings(known.values(), tip, now, seen) | landed
        bottom = first_parents(known, tip)[-1]
        known = {sha: one for sha, one in known.items() if sha not in landed}
        is_broken = bottom.parent_count > 0
        below = likely_tip(known) if head and is_broken else None
        if below is None or known[below].committed_at >= bottom.committed_at:
            return landed
        tip = below
    return landed


def likely_tip(known: Mapping[str, CommitFact]) -> str | None:
    """Return the commit that the default branch most likely stood at, None where there is none."""
    children = {parent for one in known.values() for parent in one.parents}
    tips = [one for one in known.values() if one.sha not in children]

    def rank(tip: CommitFact) -> tuple[int, int, datetime]:
        chain = first_parents(known, tip.sha)
        sure = sum(1 for one in chain if one.pull and one.pull.merge_sha == one.sha)
        return sure, len(chain), tip.committed_at

    return max(tips, key=rank).sha if tips else None


def is_certain(commits: Iterable[CommitFact]) -> bool:
    """Return whether these commits alone show the default branch's line.

    So it is where one chain of first parents holds them all and its tip closed its own pull
    request: nothing else can be the branch.
    """
    known = {commit.sha: commit for commit in commits}
    tip = likely_tip(known)
    if tip is None:
        return True
    own = known[tip].pull
    return bool(own and own.merge_sha == tip) and len(first_parents(known, tip)) == len(known)


def open_merges(
    commits: Iterable[CommitFact], landed: Mapping[str, Landing]
) -> tuple[CommitFact, ...]:
    """Return the landed merges, oldest first, whose brought commits are not all known here."""
    known = {commit.sha: commit for commit in commits}
    found = [
        known[sha]
        for sha, landing in landed.items()
        if landing.by == sha and known[sha].is_merge and not _is_closed(known, known[sha], landed)
    ]
    return tuple(sorted(found, key=lambda one: landed[one.sha].at))


def _is_closed(
    known: Mapping[str, CommitFact], merge: CommitFact, landed: Mapping[str, Landing]
) -> bool:
    waiting, seen = list(merge.parents[1:]), set[str]()
    while waiting:
        sha = waiting.pop()
        if sha in seen or (sha in landed and landed[sha].by != merge.sha):
            continue
        seen.add(sha)
        if sha not in known:
            return False
        waiting.extend(known[sha].parents)
    return len(merge.parents) == merge.parent_count


def commit_item(
    repo: Repo, fact: CommitFact, at: datetime, pull_request: int | None = None
) -> Item:
    """Make the item of a commit that landed `at`; its files are not read yet."""
    title, _, body = fact.message.strip().partition("\n")
    return Item(
        key=f"{repo}:{Kind.COMMIT}:{fact.sha}",
        repo=repo,
        kind=Kind.COMMIT,
        ref=fact.sha[:7],
        title=title_of(title),
        url=f"{web()}/{repo}/commit/{fact.sha}",
        author=fact.author,
        author_is_bot=fact.is_bot,
        at=at,
        state=State.MERGED,
        body=body.strip(),
        pull_request=pull_request,
        commits=(fact.sha,),
        parents=fact.parents,
        closes=parse(fact.message).closes,
    )


def named_pull(fact: CommitFact) -> int | None:
    """Return the pull request that a commit belongs to, by GitHub's word or by its message."""
    return fact.pull.number if fact.pull else parse(fact.message).pull_request


NO_LIST_DETAIL = ("files", "patches", "comments", "merged_by", "closes")
"""What REST's list of pull requests does not give."""

_STATUS_WORDS = frozenset({"added", "modified", "removed", "renamed", "copied", "changed"})

_EVENTS = {"ClosedEvent": "closed", "ReopenedEvent": "reopened"}


# ---- files


def with_files(item: Item, files: tuple[FileChange, ...]) -> Item:
    """Return an item with its files and their patches, and the sums of their lines."""
    return replace(
        item,
        files=files,
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
        detail_missing=tuple(
            word for word in item.detail_missing if word not in ("files", "patches")
        ),
    )


def file_change(row: rows.File) -> FileChange:
    """Make one file of a commit or a pull request."""
    return FileChange(
        path=row.filename,
        status=_status(row.status),
        additions=row.additions,
        deletions=row.deletions,
        patch=row.patch,
        previous_path=row.previous_filename,
    )


def _status(word: str) -> str:
    """Return git's word for what happened to a file; GraphQL's are in capitals."""
    lower = word.lower().replace("deleted", "removed")
    return lower if lower in _STATUS_WORDS else "changed"


def _files(node: rows.PullNode) -> tuple[FileChange, ...] | None:
    """Return the files of a pull request; None where one page does not hold them all."""
    if node.files is None or len(node.files.nodes) != node.changed_files:
        return None
    return tuple(
        FileChange(row.path, _status(row.change_type), row.additions, row.deletions)
        for row in node.files.nodes
    )


# ---- pull requests and issues


def pull_item(repo: Repo, node: rows.PullNode, commits: Sequence[str] = ()) -> Item:
    """Make a pull request at the time at which it was merged, or else made."""
    closed = [
        issue
        for issue in node.closing_issues_references.nodes
        if rows.is_same(issue.repository.name_with_owner, repo)
    ]
    if node.merged_at:
        state = State.MERGED
    elif node.state == "OPEN":
        state = State.DRAFT if node.is_draft else State.OPEN
    else:
        state = State.CLOSED
    return replace(
        _numbered(repo, Kind.PULL_REQUEST, node, node.merged_at or node.created_at, state),
        merged_by=account(node.merged_by, "")[0] if node.merged_by else "",
        pull_request=node.number,
        commits=tuple(commits),
        closes=tuple(issue.number for issue in closed),
        linked_issues=tuple(LinkedIssue(issue.number, issue.title) for issue in closed),
        files=_files(node),
        additions=node.additions,
        deletions=node.deletions,
        detail_missing=NO_LIST_DETAIL if node.is_listed else (),
    )


def issue_item(
    repo: Repo,
    node: rows.IssueNode,
    window: Window | None,
    events: Iterable[Event] | None = None,
) -> Item | None:
    """Make an issue with its events of a window, or all; None where nothing happened in it.

    `events` are all that happened to it, where the row itself does not tell.
    """
    listed = (Event(_EVENTS[row.typename], row.created_at) for row in node.timeline_items.nodes)
    every = [Event("opened", node.created_at), *(listed if events is None else events)]
    shown = [event for event in every if window is None or event.at in window]
    if not shown:
        return None
    original = node.duplicate_of
    is_here = original and rows.is_same(original.repository.name_with_owner, repo)
    return replace(
        _numbered(repo, Kind.ISSUE, node, node.created_at, _issue_state(node)),
        events=tuple(sorted(shown, key=lambda event: event.at)),
        duplicate_of=original.number if original and is_here else None,
    )


def _issue_state(node: rows.IssueNode) -> State:
    reason = (node.state_reason or "").lower()
    if node.state == "OPEN":
        return State.REOPENED if reason == "reopened" else State.OPEN
    return State(reason) if reason in (State.NOT_PLANNED, State.DUPLICATE) else State.CLOSED


def _numbered(repo: Repo, kind: Kind, row: rows.NumberedRow, at: datetime, state: State) -> Item:
    """Make what pull requests and issues have alike."""
    author, is_bot = account(row.author)
    word = "pull" if kind is Kind.PULL_REQUEST else "issues"
    return Item(
        key=f"{repo}:{kind}:{row.number}",
        repo=repo,
        kind=kind,
        ref=f"#{row.number}",
        title=row.title,
        url=f"{web()}/{repo}/{word}/{row.number}",
        author=author,
        author_is_bot=is_bot,
        at=at,
        state=state,
        body=row.body,
        labels=tuple(label.name for label in row.labels.nodes if label.name),
        comments=row.comments.total_count,
        reactions=row.reactions.total_count,
        milestone=row.milestone.title if row.milestone else "",
        number=row.number,
    )


def with_author(item: Item, author: str, is_bot: bool) -> Item:
    """Name the commit's author where the pull request's account is unknown."""
    return replace(item, author=author, author_is_bot=is_bot) if item.author == GHOST else item


# ---- releases and tags


def release_item(repo: Repo, node: rows.ReleaseNode) -> Item | None:
    """Make a release; None for a draft, which nobody has seen."""
    if node.is_draft or node.published_at is None:
        return None
    commit = node.tag_commit.oid if node.tag_commit else ""
    author = account(node.author)
    item = bare_tag(repo, node.tag_name, node.published_at, author, node.description, commit)
    is_trial = node.is_prerelease or is_build(node.tag_name)
    state = State.PRERELEASE if is_trial else State.PUBLISHED
    return replace(item, title=node.name.strip() or node.tag_name, state=state)


def bare_tag(
    repo: Repo, tag: str, at: datetime, author: tuple[str, bool], body: str = "", commit: str = ""
) -> Item:
    """Make the item of a tag without a release; `commit` is where it stands, if known."""
    return Item(
        key=f"{repo}:{Kind.RELEASE}:{tag}",
        repo=repo,
        kind=Kind.RELEASE,
        ref=tag,
        title=tag,
        url=f"{web()}/{repo}/releases/tag/{quote(tag, safe='')}",
        author=author[0],
        author_is_bot=author[1],
        at=at,
        state=State.PRERELEASE if PRERELEASE.search(tag) else State.TAGGED,
        body=body,
        tagged=commit,
    )


def tag_item(repo: Repo, node: rows.TagNode) -> Item | None:
    """Make the tag of a version or build; None for other marks, and on what is no commit.

    An annotated tag has its own date, a bare one only the date of its commit.
    """
    target = node.target
    if target is None or not is_told(node.name):
        return None
    is_annotated = target.typename == "Tag"
    person = (target.tagger if is_annotated else target.author) or rows.GitActor()
    at = (person.date if is_annotated else None) or node.commit_date
    if target.typename not in ("Commit", "Tag") or at is None:
        return None
    body = tag_notes(target.message, repo.name, node.name) if is_annotated else ""
    author = account(person.user, person.name or "")
    return bare_tag(repo, node.name, at, author, body, node.commit)
