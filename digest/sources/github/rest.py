"""GitHub's REST answers as items (pure).

Shapes: https://docs.github.com/en/rest (version 2022-11-28).
"""

from dataclasses import replace
from datetime import datetime

from digest.models import Event, FileChange, Item, Kind, Repo, State, Window
from digest.sources.github.api import (
    Json,
    issue_url,
    maybe_moment,
    moment,
    pull_url,
)
from digest.sources.github.facts import account
from digest.sources.github.nodes import issue_state, release

NO_LIST_DETAIL = ("files", "patches", "comments", "merged_by", "closes")
"""What REST's list of pull requests does not give."""


def file_change(row: Json) -> FileChange:
    """Read one file of a commit or a pull request."""
    return FileChange(
        path=row["filename"],
        status=row["status"],
        additions=row["additions"],
        deletions=row["deletions"],
        patch=row.get("patch"),
        previous_path=row.get("previous_filename"),
    )


def with_files(item: Item, files: tuple[FileChange, ...]) -> Item:
    """Give an item its files with their patches, and the sums of their lines."""
    return replace(
        item,
        files=files,
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
        detail_missing=tuple(
            word for word in item.detail_missing if word not in ("files", "patches")
        ),
    )


def pull_from_rest(repo: Repo, row: Json, at: datetime | None = None) -> Item:
    """Read a pull request of REST's list or alone; `at` is when it landed."""
    number = row["number"]
    author, is_bot = account(row["user"])
    whole = "merged_by" in row
    return Item(
        key=f"{repo}:{Kind.PULL_REQUEST}:{number}",
        repo=repo,
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        title=row["title"],
        url=pull_url(repo, number),
        author=author,
        author_is_bot=is_bot,
        at=at or maybe_moment(row["merged_at"]) or moment(row["created_at"]),
        state=_pull_state(row),
        body=row["body"] or "",
        labels=_labels(row),
        comments=row.get("comments") or 0,
        milestone=(row["milestone"] or {}).get("title") or "",
        merged_by=account(row["merged_by"], "")[0] if row.get("merged_by") else "",
        number=number,
        pull_request=number,
        additions=row.get("additions") or 0,
        deletions=row.get("deletions") or 0,
        detail_missing=() if whole else NO_LIST_DETAIL,
    )


def _pull_state(row: Json) -> State:
    if row["merged_at"]:
        return State.MERGED
    if row["state"] == "open":
        return State.DRAFT if row.get("draft") else State.OPEN
    return State.CLOSED


def _labels(row: Json) -> tuple[str, ...]:
    names = (one if isinstance(one, str) else one["name"] for one in row["labels"])
    return tuple(name for name in names if name)


def is_pull(row: Json) -> bool:
    """Tell whether a row of REST's issues is a pull request."""
    return bool(row.get("pull_request"))


def reaction_count(row: Json) -> int:
    """Give the number of reactions of an issue or pull request of REST's issues."""
    return (row.get("reactions") or {}).get("total_count") or 0


def issue_from_rest(repo: Repo, row: Json, events: tuple[Event, ...] = ()) -> Item:
    """Read an issue of REST's issues."""
    number = row["number"]
    author, is_bot = account(row["user"])
    return Item(
        key=f"{repo}:{Kind.ISSUE}:{number}",
        repo=repo,
        kind=Kind.ISSUE,
        ref=f"#{number}",
        title=row["title"],
        url=issue_url(repo, number),
        author=author,
        author_is_bot=is_bot,
        at=moment(row["created_at"]),
        state=issue_state(row["state"], row.get("state_reason")),
        body=row["body"] or "",
        labels=_labels(row),
        comments=row["comments"],
        reactions=reaction_count(row),
        milestone=(row["milestone"] or {}).get("title") or "",
        number=number,
        events=events,
    )


def plain_events(row: Json, window: Window) -> tuple[Event, ...]:
    """Give the events that an issue's own row tells: opened, and closed if it still is."""
    events = [Event("opened", moment(row["created_at"]))]
    if row["closed_at"]:
        events.append(Event("closed", moment(row["closed_at"])))
    return tuple(event for event in events if event.at in window)


def told_events(row: Json, rows: Json, window: Window | None) -> tuple[Event, ...]:
    """Give an issue's events, of the window if there is one, from its row and their list."""
    events = [Event("opened", moment(row["created_at"]))]
    events += [
        Event(one["event"], moment(one["created_at"]))
        for one in rows
        if one["event"] in ("closed", "reopened")
    ]
    told = (one for one in events if window is None or one.at in window)
    return tuple(sorted(told, key=lambda one: one.at))


def release_from_rest(repo: Repo, row: Json) -> Item | None:
    """Read a release of REST; None for a draft."""
    published_at = maybe_moment(row["published_at"])
    if row["draft"] or published_at is None:
        return None
    return release(
        repo,
        tag=row["tag_name"],
        name=row["name"] or "",
        body=row["body"] or "",
        at=published_at,
        author=account(row["author"]),
        state=State.PRERELEASE if row["prerelease"] else State.PUBLISHED,
    )
