"""Commits as GitHub tells them, before it is known when they landed (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.models import Item, Kind, Repo, State
from digest.ports import Seen
from digest.sources.github.answers import Actor, CommitNode, GitActor, is_same
from digest.sources.landing import Landing, Node, landings
from digest.sources.message import parse, title_of

GHOST = "ghost"
"""GitHub's own name for an account that is gone."""


@dataclass(frozen=True, slots=True)
class MergedPull:
    """A pull request that brought a commit: when it was merged, and by which commit."""

    number: int
    merged_at: datetime
    merge_sha: str


@dataclass(frozen=True, slots=True)
class CommitFact:
    """A commit of the default branch's history.

    `parent_count` may be more than the parents that were told. `pull` is the merged pull request
    that GitHub associates with it; without one, the number that the message names may be one.
    """

    sha: str
    message: str
    authored_at: datetime
    committed_at: datetime
    parents: tuple[str, ...]
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
        authored_at=node.authored_date,
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
        nodes = [Node(one.sha, one.parents, one.reached_at) for one in known.values()]
        landed = landings(nodes, tip, now, seen) | landed
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


def first_parents(known: Mapping[str, CommitFact], tip: str) -> list[CommitFact]:
    """Walk first parents from `tip` as far as commits are known."""
    chain: list[CommitFact] = []
    commit = known.get(tip)
    while commit is not None:
        chain.append(commit)
        commit = known.get(commit.parents[0]) if commit.parents else None
    return chain


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
        url=f"https://github.com/{repo}/commit/{fact.sha}",
        author=fact.author,
        author_is_bot=fact.is_bot,
        at=at,
        state=State.MERGED,
        body=body.strip(),
        pull_request=pull_request,
        commits=(fact.sha,),
        parents=fact.parents,
        closes=parse(fact.message).closes,
        authored_at=fact.authored_at,
        committed_at=fact.committed_at,
    )


def named_pull(fact: CommitFact) -> int | None:
    """Return the pull request that a commit belongs to, by GitHub's word or by its message."""
    return fact.pull.number if fact.pull else parse(fact.message).pull_request
