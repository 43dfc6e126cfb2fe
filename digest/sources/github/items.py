"""Pull requests, issues, releases and tags of either interface as items (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from digest.models import Event, FileChange, Item, Kind, LinkedIssue, Repo, State, Window
from digest.sources.github import answers as rows
from digest.sources.github.api import is_version, issue_url, pull_url, release_url
from digest.sources.github.commit_facts import GHOST, account

NO_LIST_DETAIL = ("files", "patches", "comments", "merged_by", "closes")
"""What REST's list of pull requests does not give."""

_STATUS_WORDS = frozenset({"added", "modified", "removed", "renamed", "copied", "changed"})
_FILE_STATUS = {"deleted": "removed"}
"""GraphQL's words that are not git's; the others are git's in capitals."""

_EVENTS = {"ClosedEvent": "closed", "ReopenedEvent": "reopened"}


# ---- files


def with_files(item: Item, files: tuple[FileChange, ...]) -> Item:
    """Return an item its files with their patches, and the sums of their lines."""
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
    """Return git's word for what happened to a file; `changed` for an unknown one."""
    lower = word.lower()
    lower = _FILE_STATUS.get(lower, lower)
    return lower if lower in _STATUS_WORDS else "changed"


def _files(node: rows.PullNode) -> tuple[FileChange, ...] | None:
    if node.files is None or len(node.files.nodes) != node.changed_files:
        return None
    return tuple(
        FileChange(row.path, _status(row.change_type), row.additions, row.deletions)
        for row in node.files.nodes
    )


# ---- pull requests


def pull_item(repo: Repo, node: rows.PullNode, at: datetime, commits: Sequence[str] = ()) -> Item:
    """Make a pull request of a `PullFacts` fragment, with `PullFiles` where it was asked for.

    `files` is None where GraphQL's one page does not hold them all.
    """
    closed = [
        issue
        for issue in node.closing_issues_references.nodes
        if rows.is_same(issue.repository.name_with_owner, repo)
    ]
    return replace(
        _numbered(repo, Kind.PULL_REQUEST, node, at, _pull_state(node), node.labels.nodes),
        comments=node.comments.total_count,
        reactions=node.reactions.total_count,
        merged_by=account(node.merged_by, "")[0] if node.merged_by else "",
        commits=tuple(commits),
        closes=tuple(issue.number for issue in closed),
        linked_issues=tuple(LinkedIssue(issue.number, issue.title) for issue in closed),
        files=_files(node),
        additions=node.additions,
        deletions=node.deletions,
    )


def pull_from_rest(repo: Repo, row: rows.Pull, at: datetime | None = None) -> Item:
    """Make a pull request of REST's list or alone; `at` is when it landed."""
    at = at or row.merged_at or row.created_at
    return replace(
        _numbered(repo, Kind.PULL_REQUEST, row, at, _pull_state(row), row.labels),
        comments=row.comments or 0,
        merged_by=account(row.merged_by, "")[0] if row.merged_by else "",
        additions=row.additions or 0,
        deletions=row.deletions or 0,
        detail_missing=() if row.is_whole else NO_LIST_DETAIL,
    )


def _pull_state(row: rows.PullNode | rows.Pull) -> State:
    if row.merged_at:
        return State.MERGED
    if row.state.lower() == "open":
        return State.DRAFT if row.is_draft else State.OPEN
    return State.CLOSED


def _numbered(
    repo: Repo,
    kind: Kind,
    row: rows.PullNode | rows.Pull | rows.IssueNode | rows.Issue,
    at: datetime,
    state: State,
    labels: Iterable[rows.Label],
) -> Item:
    """Make what pull requests and issues of either interface have alike."""
    author, is_bot = account(row.author)
    is_pull = kind is Kind.PULL_REQUEST
    return Item(
        key=f"{repo}:{kind}:{row.number}",
        repo=repo,
        kind=kind,
        ref=f"#{row.number}",
        title=row.title,
        url=(pull_url if is_pull else issue_url)(repo, row.number),
        author=author,
        author_is_bot=is_bot,
        at=at,
        state=state,
        body=row.body,
        labels=tuple(label.name for label in labels if label.name),
        milestone=row.milestone.title if row.milestone else "",
        number=row.number,
        pull_request=row.number if is_pull else None,
    )


def with_author(item: Item, author: str, is_bot: bool) -> Item:
    """Name the commit's author where the pull request's account is unknown."""
    return replace(item, author=author, author_is_bot=is_bot) if item.author == GHOST else item


# ---- issues


def issue_item(repo: Repo, node: rows.IssueNode, window: Window) -> Item | None:
    """Make an issue of an `IssueFacts` fragment; None where nothing happened in the window."""
    events = [Event("opened", node.created_at)]
    events += [Event(_EVENTS[row.typename], row.created_at) for row in node.timeline_items.nodes]
    shown = tuple(sorted((one for one in events if one.at in window), key=lambda one: one.at))
    if not shown:
        return None
    original = node.duplicate_of
    state = issue_state(node.state, node.state_reason)
    return replace(
        _numbered(repo, Kind.ISSUE, node, node.created_at, state, node.labels.nodes),
        comments=node.comments.total_count,
        reactions=node.reactions.total_count,
        events=shown,
        duplicate_of=(
            original.number
            if original and rows.is_same(original.repository.name_with_owner, repo)
            else None
        ),
    )


def issue_state(state: str, reason: str | None) -> State:
    """Return the state of an issue from either interface's two words."""
    reason = (reason or "").lower()
    if state.lower() == "open":
        return State.REOPENED if reason == "reopened" else State.OPEN
    if reason in (State.NOT_PLANNED, State.DUPLICATE):
        return State(reason)
    return State.CLOSED


def issue_from_rest(repo: Repo, row: rows.Issue, events: tuple[Event, ...] = ()) -> Item:
    """Make an issue of REST's issues."""
    state = issue_state(row.state, row.state_reason)
    return replace(
        _numbered(repo, Kind.ISSUE, row, row.created_at, state, row.labels),
        comments=row.comments,
        reactions=row.reaction_count,
        events=events,
    )


def plain_events(row: rows.Issue, window: Window) -> tuple[Event, ...]:
    """Return the events that an issue's own row tells: opened, and closed if it still is."""
    events = [Event("opened", row.created_at)]
    if row.closed_at:
        events.append(Event("closed", row.closed_at))
    return tuple(event for event in events if event.at in window)


def shown_events(
    row: rows.Issue, listed: Iterable[rows.Event], window: Window | None
) -> tuple[Event, ...]:
    """Return an issue's events, of the window if there is one, from its row and their list."""
    events = [Event("opened", row.created_at)]
    events += [
        Event(one.event, one.created_at) for one in listed if one.event in ("closed", "reopened")
    ]
    shown = (one for one in events if window is None or one.at in window)
    return tuple(sorted(shown, key=lambda one: one.at))


# ---- releases and tags


def release_item(repo: Repo, node: rows.ReleaseNode) -> Item | None:
    """Make a release of either interface; None for a draft, which nobody has seen."""
    if node.is_draft or node.published_at is None:
        return None
    return release(
        repo,
        tag=node.tag_name,
        name=node.name,
        body=node.description,
        at=node.published_at,
        author=account(node.author),
        state=State.PRERELEASE if node.is_prerelease else State.PUBLISHED,
    )


def release(
    repo: Repo,
    *,
    tag: str,
    name: str,
    body: str,
    at: datetime,
    author: tuple[str, bool],
    state: State,
) -> Item:
    """Make the item of a release or of a bare tag (`TAGGED`)."""
    return Item(
        key=f"{repo}:{Kind.RELEASE}:{tag}",
        repo=repo,
        kind=Kind.RELEASE,
        ref=tag,
        title=name.strip() or tag,
        url=release_url(repo, tag),
        author=author[0],
        author_is_bot=author[1],
        at=at,
        state=state,
        body=body,
    )


def tag_item(repo: Repo, node: rows.TagNode) -> Item | None:
    """Make a version tag; None for other marks and for tags on what is not a commit.

    An annotated tag has its own date, a bare one only the date of its commit.
    """
    target = node.target
    if target is None:
        return None
    is_annotated = target.typename == "Tag"
    person = (target.tagger if is_annotated else target.author) or rows.GitActor()
    at = (person.date if is_annotated else None) or target.commit_date
    if not is_version(node.name) or target.typename not in ("Commit", "Tag") or at is None:
        return None
    return release(
        repo,
        tag=node.name,
        name="",
        body=target.message if is_annotated else "",
        at=at,
        author=account(person.user, person.name or ""),
        state=State.TAGGED,
    )
