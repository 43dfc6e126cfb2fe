"""Commits and tags of git made into items."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.releases import PRERELEASE
from digest.sources.forge import Forge
from digest.sources.git.history import Changes, Commit, Tag
from digest.sources.landing import Landing
from digest.sources.message import Message, parse

_BOTS = frozenset(
    {
        "copybara-service",
        "dependabot",
        "dependabot-preview",
        "github-actions",
        "greenkeeper",
        "mergify",
        "pre-commit-ci",
        "renovate",
        "renovate bot",
        "snyk-bot",
        "weblate",
    }
)


def commit_items(
    repo: Repo,
    forge: Forge | None,
    commits: Sequence[Commit],
    landed: Mapping[str, Landing],
    changes: Changes | None,
) -> list[Item]:
    """Make items of commits, each at the moment (UTC) at which it landed, by its commit date else.

    A merge gives its pull request to the commits that it brought. Without `changes` the items
    have no files. A forge of no known kind has no numbers that lead to its pull requests.
    """
    on_forge = forge is not None and forge.kind != ""
    squash_numbers = forge is not None and forge.kind not in ("", "gitlab")
    messages = {
        commit.sha: parse(commit.message, squash_numbers=squash_numbers) for commit in commits
    }
    items = []
    for commit in commits:
        own, landing = messages[commit.sha], landed.get(commit.sha)
        item = _item(repo, forge, commit, own, changes)
        bringer = messages.get(landing.by, own) if landing else own
        number = own.pull_request if own.pull_request is not None else bringer.pull_request
        items.append(
            replace(
                item,
                at=landing.at if landing else commit.committed_at,
                pull_request=number if on_forge else None,
                closes=own.closes if on_forge else (),
            )
        )
    return items


def _item(
    repo: Repo, forge: Forge | None, commit: Commit, message: Message, changes: Changes | None
) -> Item:
    files = changes.files.get(commit.sha) if changes else None
    missing: tuple[str, ...] = ()
    if files is None:
        missing = ("files", "patches")
    elif changes and commit.sha in changes.left_out | changes.unreadable:
        missing = ("patches",)
    counted: tuple[FileChange, ...] = files or ()
    return Item(
        key=f"{repo}:commit:{commit.sha}",
        repo=repo,
        kind=Kind.COMMIT,
        ref=commit.sha[:7],
        title=message.title or commit.sha[:7],
        url=forge.commit_url(commit.sha) if forge else "",
        author=commit.author,
        author_is_bot=_is_bot(commit.author),
        at=commit.committed_at,
        state=State.MERGED,
        body=message.body,
        commits=(commit.sha,),
        parents=commit.parents,
        files=files,
        additions=sum(change.additions for change in counted),
        deletions=sum(change.deletions for change in counted),
        authored_at=commit.authored_at,
        committed_at=commit.committed_at,
        detail_missing=missing,
    )


def tag_item(repo: Repo, forge: Forge | None, tag: Tag) -> Item:
    """Make the item of a version tag, which has no release notes but its own message."""
    return Item(
        key=f"{repo}:release:{tag.name}",
        repo=repo,
        kind=Kind.RELEASE,
        ref=tag.name,
        title=tag.name,
        url=forge.tag_url(tag.name) if forge else "",
        author=tag.author,
        author_is_bot=_is_bot(tag.author),
        at=tag.at,
        state=State.PRERELEASE if PRERELEASE.search(tag.name) else State.TAGGED,
        body="" if _only_names(tag.message.strip(), repo.name, tag.name) else tag.message,
    )


def _only_names(message: str, name: str, tag: str) -> bool:
    """Return whether a tag's message only repeats its name: `v1.2`, `Engine v1.2`."""
    left = message.lower().replace(tag.lower().lstrip("v"), "", 1)
    return {*re.findall(r"[\w-]+", left)} <= {"v", "release", "version", "tag", name.lower()}


def _is_bot(author: str) -> bool:
    name = author.strip().lower()
    return name.endswith("[bot]") or name in _BOTS
