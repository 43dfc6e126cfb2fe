"""GraphQL's pull requests, issues, releases and tags as items (pure)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from digest.models import Event, FileChange, Item, Kind, Repo, State, Window
from digest.sources.github.api import (
    Json,
    is_version,
    issue_url,
    maybe_moment,
    moment,
    pull_url,
    release_url,
)
from digest.sources.github.facts import GHOST, account

_FILE_STATUS = {"DELETED": "removed"}
"""GraphQL's words that are not git's; the others are git's in capitals."""

_EVENTS = {"ClosedEvent": "closed", "ReopenedEvent": "reopened"}


def pull_item(repo: Repo, node: Json, at: datetime, commits: Sequence[str] = ()) -> Item:
    """Read a `PullFacts` fragment, with `PullFiles` where it was asked for.

    `files` is None where GraphQL's one page does not hold them all.
    """
    number = node["number"]
    author, is_bot = account(node["author"])
    return Item(
        key=f"{repo}:{Kind.PULL_REQUEST}:{number}",
        repo=repo,
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        title=node["title"],
        url=pull_url(repo, number),
        author=author,
        author_is_bot=is_bot,
        at=at,
        state=_pull_state(node),
        body=node["body"] or "",
        labels=_labels(node),
        comments=node["comments"]["totalCount"],
        reactions=node["reactions"]["totalCount"],
        milestone=(node["milestone"] or {}).get("title") or "",
        merged_by=account(node["mergedBy"], "")[0] if node["mergedBy"] else "",
        number=number,
        pull_request=number,
        commits=tuple(commits),
        closes=_closes(repo, node),
        files=_files(node),
        additions=node["additions"],
        deletions=node["deletions"],
    )


def with_author(item: Item, author: str, is_bot: bool) -> Item:
    """Name the commit's author where the pull request's account is unknown."""
    return replace(item, author=author, author_is_bot=is_bot) if item.author == GHOST else item


def _pull_state(node: Json) -> State:
    if node["state"] == "OPEN":
        return State.DRAFT if node["isDraft"] else State.OPEN
    return State.MERGED if node["state"] == "MERGED" else State.CLOSED


def _labels(node: Json) -> tuple[str, ...]:
    return tuple(label["name"] for label in (node["labels"] or {}).get("nodes") or [] if label)


def _closes(repo: Repo, node: Json) -> tuple[int, ...]:
    rows = (node["closingIssuesReferences"] or {}).get("nodes") or []
    own = str(repo).lower()
    return tuple(
        row["number"] for row in rows if row and row["repository"]["nameWithOwner"].lower() == own
    )


def _files(node: Json) -> tuple[FileChange, ...] | None:
    rows = (node.get("files") or {}).get("nodes")
    if rows is None or len(rows) != node["changedFiles"] or None in rows:
        return None
    return tuple(
        FileChange(
            path=row["path"],
            status=_FILE_STATUS.get(row["changeType"], row["changeType"].lower()),
            additions=row["additions"],
            deletions=row["deletions"],
        )
        for row in rows
    )


def issue_item(repo: Repo, node: Json, window: Window) -> Item | None:
    """Read an `IssueFacts` fragment; None where nothing happened to the issue in the window."""
    opened_at = moment(node["createdAt"])
    events = [Event("opened", opened_at)] if opened_at in window else []
    for row in (node["timelineItems"] or {}).get("nodes") or []:
        if row and row["__typename"] in _EVENTS:
            events.append(Event(_EVENTS[row["__typename"]], moment(row["createdAt"])))
    told = tuple(sorted((one for one in events if one.at in window), key=lambda one: one.at))
    if not told:
        return None
    author, is_bot = account(node["author"])
    number = node["number"]
    return Item(
        key=f"{repo}:{Kind.ISSUE}:{number}",
        repo=repo,
        kind=Kind.ISSUE,
        ref=f"#{number}",
        title=node["title"],
        url=issue_url(repo, number),
        author=author,
        author_is_bot=is_bot,
        at=opened_at,
        state=issue_state(node["state"], node["stateReason"]),
        body=node["body"] or "",
        labels=_labels(node),
        comments=node["comments"]["totalCount"],
        reactions=node["reactions"]["totalCount"],
        milestone=(node["milestone"] or {}).get("title") or "",
        number=number,
        events=told,
        duplicate_of=(node["duplicateOf"] or {}).get("number"),
    )


def issue_state(state: str, reason: str | None) -> State:
    """Give the state of an issue from either interface's two words."""
    reason = (reason or "").lower()
    if state.lower() == "open":
        return State.REOPENED if reason == "reopened" else State.OPEN
    if reason in (State.NOT_PLANNED, State.DUPLICATE):
        return State(reason)
    return State.CLOSED


def release_item(repo: Repo, node: Json) -> Item | None:
    """Read a release of GraphQL; None for a draft, which nobody has seen."""
    published_at = maybe_moment(node["publishedAt"])
    if node["isDraft"] or published_at is None:
        return None
    author, is_bot = account(node["author"])
    return release(
        repo,
        tag=node["tagName"],
        name=node["name"] or "",
        body=node["description"] or "",
        at=published_at,
        author=(author, is_bot),
        state=State.PRERELEASE if node["isPrerelease"] else State.PUBLISHED,
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


def tag_item(repo: Repo, node: Json) -> Item | None:
    """Read a version tag; None for other marks and for tags on what is not a commit.

    An annotated tag has its own date, a bare one only the date of its commit.
    """
    target = node["target"]
    if not is_version(node["name"]) or not target:
        return None
    if target["__typename"] == "Commit":
        at = maybe_moment(target["committedDate"])
        person = target["author"] or {}
        message = ""
    elif target["__typename"] == "Tag" and target["target"]:
        inner = target["target"]
        person = target["tagger"] or {}
        at = maybe_moment(person.get("date") or inner.get("committedDate"))
        message = target["message"] or ""
    else:
        return None
    if at is None:
        return None
    return release(
        repo,
        tag=node["name"],
        name="",
        body=message,
        at=at,
        author=account(person.get("user"), person.get("name") or ""),
        state=State.TAGGED,
    )
