"""Pull requests, issues, releases and tags of GitHub as items (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import quote

from digest.models import Event, FileChange, Item, Kind, LinkedIssue, Repo, State, Window
from digest.sources.forge import is_version
from digest.sources.github import answers as rows
from digest.sources.github.commits import GHOST, account

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


def pull_item(
    repo: Repo, node: rows.PullNode, at: datetime | None = None, commits: Sequence[str] = ()
) -> Item:
    """Make a pull request; `at` is when it landed, if that is known."""
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
        _numbered(repo, Kind.PULL_REQUEST, node, at or node.merged_at or node.created_at, state),
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
    events: Iterable[rows.TimelineEvent] | None = None,
) -> Item | None:
    """Make an issue with its events of a window, or all; None where nothing happened in it.

    `events` are all that happened to it, where the row itself does not tell.
    """
    listed = node.timeline_items.nodes if events is None else events
    told = [Event("opened", node.created_at)]
    told += [Event(_EVENTS[row.typename], row.created_at) for row in listed]
    shown = [event for event in told if window is None or event.at in window]
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
        url=f"https://github.com/{repo}/{word}/{row.number}",
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
    state = State.PRERELEASE if node.is_prerelease else State.PUBLISHED
    item = bare_tag(repo, node.tag_name, node.published_at, account(node.author), node.description)
    return replace(item, title=node.name.strip() or node.tag_name, state=state)


def bare_tag(repo: Repo, tag: str, at: datetime, author: tuple[str, bool], body: str = "") -> Item:
    """Make the item of a tag without a release."""
    return Item(
        key=f"{repo}:{Kind.RELEASE}:{tag}",
        repo=repo,
        kind=Kind.RELEASE,
        ref=tag,
        title=tag,
        url=f"https://github.com/{repo}/releases/tag/{quote(tag, safe='')}",
        author=author[0],
        author_is_bot=author[1],
        at=at,
        state=State.TAGGED,
        body=body,
    )


def tag_item(repo: Repo, node: rows.TagNode) -> Item | None:
    """Make a version tag; None for other marks and for tags on what is not a commit.

    An annotated tag has its own date, a bare one only the date of its commit.
    """
    target = node.target
    if target is None or not is_version(node.name):
        return None
    is_annotated = target.typename == "Tag"
    person = (target.tagger if is_annotated else target.author) or rows.GitActor()
    at = (person.date if is_annotated else None) or node.commit_date
    if target.typename not in ("Commit", "Tag") or at is None:
        return None
    body = target.message if is_annotated else ""
    return bare_tag(repo, node.name, at, account(person.user, person.name or ""), body)
