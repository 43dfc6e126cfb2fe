"""How many items stand, of any repositories, by few GraphQL documents.

The first kind of document asks for items by number, SHA or tag, and of each repository for its
newest releases, its newest commits and the pull requests that say they revert. The second asks of
releases whether they hold a commit: what of their history was committed up to its second. No
earliest moment is named, for which `digest.sources.github.window` says the reason.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from digest.errors import CouldNotLook, PrivateRepo
from digest.models import Item, Kind, Repo, State
from digest.reading.folding import fold
from digest.reading.reverts import is_revert, pair, unknown_originals
from digest.sources.forge import is_version
from digest.sources.github.answers import (
    Json,
    Moment,
    Nodes,
    Number,
    Oid,
    RepositoryName,
    Row,
    Sha,
    Text,
    is_same,
    read,
)
from digest.sources.github.client import GraphQLAnswer, HeavyAnswer, Session, stamp
from digest.sources.github.graphql import GraphQLQuery, revert_search
from digest.sources.message import parse
from digest.upstream import Followed, Standing, marks_of

PER_DOCUMENT = 100
"""Items of one document: some 200 connections, which cost 2 points of 5,000.

https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""

REVERTED_WITHIN = timedelta(days=30)
"""How far back the search for reverts goes; the newest commits are read beside it."""

MOST_TAGS = 3
"""Releases that are asked at a time whether they hold an item; the others have their turn later."""

MOST_OF_A_SECOND = 100
"""Commits among which the one that is asked for is: a rebase makes dozens in a second."""

GONE = Standing(None, is_repo_gone=True)

_NUMBER = re.compile(r"#(\d{1,9})\b")

HEAD = ""
"""Stands for the default branch among the tags of releases."""

T = TypeVar("T")

_REPO = (
    "releases(first: 20, orderBy: { field: CREATED_AT, direction: DESC }) "
    "{ nodes { tagName isPrerelease isDraft publishedAt tagCommit { oid } } } "
    "defaultBranchRef { target { ... on Commit { history(first: 100) "
    "{ nodes { oid message committedDate } } } } }"
)

_REVERTS = (
    "nodes { ... on PullRequest { number title body mergedAt repository { nameWithOwner } "
    "mergeCommit { oid committedDate } } }"
)


class _Repository(RepositoryName):
    is_private: bool


class _Commit(Row):
    oid: Sha
    committed_date: Moment
    message: Text = ""


class _Numbered(Row):
    number: Number
    state: str = "MERGED"
    title: str
    repository: RepositoryName


class _Pull(_Numbered):
    body: Text = ""
    merged_at: Moment | None
    merge_commit: _Commit | None


class _Closer(Row):
    number: Number | None = None
    oid: Sha | None = None
    committed_date: Moment | None = None
    merged_at: Moment | None = None
    repository: RepositoryName | None = None
    merge_commit: _Commit | None = None


class _Closed(Row):
    closer: _Closer | None = None


class _Issue(_Numbered):
    state_reason: str | None
    timeline_items: Nodes[_Closed]
    closed_by_pull_requests_references: Nodes[_Pull] | None


class _Release(Row):
    tag_name: str
    is_prerelease: bool
    is_draft: bool
    published_at: Moment | None
    tag_commit: Oid | None


class _OneRelease(Row):
    is_draft: bool
    description: Text


@dataclass
class _Found:
    """What was learnt of an item: its standing, and the commit that a release may hold."""

    wanted: Followed
    standing: Standing
    item: Item | None = None
    commit: _Commit | None = None
    landed: datetime | None = None
    tags: list[tuple[str, str]] = field(default_factory=list)
    """Releases to be asked: tag and SHA, the oldest first."""
    head: str = ""
    """The newest commit of the default branch, where that is to be asked too."""


@dataclass
class Standings:
    """Asks GitHub how items stand."""

    asker: Session

    async def of(self, wanted: Sequence[Followed]) -> dict[str, Standing]:
        """Return how items stand, as `digest.upstream.Upstream` does."""
        found: list[_Found] = []
        by_repo = sorted(wanted, key=lambda each: (str(each.repo).lower(), each.key))
        waiting = _parted(by_repo)
        while waiting:
            some = waiting.pop(0)
            try:
                found += await self._query(some)
            except HeavyAnswer:
                if len(some) == 1:
                    raise
                half = len(some) // 2
                waiting[:0] = [some[:half], some[half:]]
        await self._released(found)
        return {each.wanted.key: each.standing for each in found}

    async def _query(self, some: Sequence[Followed]) -> list[_Found]:
        repos = list(dict.fromkeys(each.repo for each in some))
        since = self.asker.clock() - REVERTED_WITHIN
        query, variables = _document(repos, some, since)
        answer = await self.asker.graphql(query, variables)
        found: list[_Found] = []
        for at, repo in enumerate(repos):
            mine = [(number, each) for number, each in enumerate(some) if each.repo == repo]
            found += await self._of_repo(answer, at, repo, mine)
        return found

    async def _of_repo(
        self, answer: GraphQLAnswer, at: int, repo: Repo, mine: Sequence[tuple[int, Followed]]
    ) -> list[_Found]:
        row = answer.data.get(f"r{at}")
        if row is None:
            gone = answer.is_absent(f"r{at}")
            return [_Found(each, GONE) for _, each in mine] if gone else []
        try:
            named, _ = read(_Repository, row, "the repository", None)
            await self.asker.check_private(repo, named.name_with_owner, named.is_private)
        except PrivateRepo:
            return [_Found(each, GONE) for _, each in mine]
        except CouldNotLook:
            return []
        asked = [_asked(answer, at, number, each, named.name_with_owner) for number, each in mine]
        found = [each for each in asked if each]
        return _judged(found, row, answer.data.get(f"s{at}"), repo)

    async def _released(self, found: Sequence[_Found]) -> None:
        """Ask of releases whether they hold items, and note the first one that does."""
        pairs = [(each, tag, sha) for each in found for tag, sha in each.tags]
        pairs += [(each, HEAD, each.head) for each in found if each.head]
        holding: dict[str, dict[str, bool]] = {}
        for some in _parted(pairs):
            query, variables = _holding_document(some)
            answer = await self.asker.graphql(query, variables)
            for number, (each, tag, _) in enumerate(some):
                if (holds := _holds(answer, number, each)) is not None:
                    holding.setdefault(each.wanted.key, {})[tag] = holds
        for each in found:
            _note(each, holding.get(each.wanted.key, {}))


def _parted(many: Sequence[T]) -> list[Sequence[T]]:
    return [many[at : at + PER_DOCUMENT] for at in range(0, len(many), PER_DOCUMENT)]


def _note(found: _Found, held: Mapping[str, bool]) -> None:
    if held.get(HEAD) is False:
        found.standing = replace(found.standing, amended=True)
    without = list(found.wanted.not_in)
    for tag, _ in found.tags:
        if tag not in held:
            break  # an earlier one may hold it: it is asked for again
        if held[tag]:
            found.standing = replace(found.standing, release=tag)
            break
        without.append(tag)
    found.standing = replace(found.standing, not_in=tuple(without))


def _document(
    repos: Sequence[Repo], some: Sequence[Followed], since: datetime
) -> tuple[str, dict[str, Json]]:
    query = GraphQLQuery()
    roots = []
    for at, repo in enumerate(repos):
        owner = query.declare(f"o{at}", "String!", repo.owner)
        name = query.declare(f"n{at}", "String!", repo.name)
        body = ["nameWithOwner isPrivate"]
        kinds = {each.kind for each in some if each.repo == repo}
        if kinds - {Kind.RELEASE}:
            body.append(_REPO)
        for number, each in enumerate(some):
            if each.repo == repo:
                body.append(f"i{number}: {_asking(each, number, query)}")
        roots.append(f"r{at}: repository(owner: {owner}, name: {name}) {{ {' '.join(body)} }}")
        if kinds & {Kind.PULL_REQUEST, Kind.COMMIT}:
            variable = query.declare(f"q{at}", "String!", revert_search(repo, since))
            roots.append(
                f"s{at}: search(type: ISSUE, query: {variable}, first: 50) {{ {_REVERTS} }}"
            )
    return query.of(*roots)


def _asking(each: Followed, number: int, query: GraphQLQuery) -> str:
    match each.kind:
        case Kind.COMMIT:
            name = query.declare(f"c{number}", "String!", each.written)
            return f"object(expression: {name}) {{ ... on Commit {{ oid message committedDate }} }}"
        case Kind.RELEASE:
            name = query.declare(f"t{number}", "String!", each.written)
            ref = query.declare(f"g{number}", "String!", f"refs/tags/{each.written}")
            tag = f"i{number}t: ref(qualifiedName: {ref}) {{ name }}"
            return f"release(tagName: {name}) {{ isDraft description }} {tag}"
        case _:
            facts = "__typename ...Pull_ ...Issue_"
            return f"issueOrPullRequest(number: {int(each.written)}) {{ {facts} }}"


def _asked(
    answer: GraphQLAnswer, at: int, number: int, wanted: Followed, now_named: Repo
) -> _Found | None:
    """Return what is told of one item, None where it could not be looked at."""
    row, alias = answer.data[f"r{at}"], f"i{number}"
    value = row.get(alias)
    if value is None and row.get(f"{alias}t"):
        return _Found(wanted, Standing(State.TAGGED))
    if value is None:
        # GitHub gives null without an error for a SHA or a tag that is not there.
        quiet = alias in row and not answer.errors_at(f"r{at}", alias)
        is_gone = quiet or answer.is_absent(f"r{at}", alias)
        return _Found(wanted, Standing(None)) if is_gone else None
    try:
        return _found(wanted, value, now_named)
    except CouldNotLook:
        return None


def _found(wanted: Followed, value: Json, now_named: Repo) -> _Found:
    """Read one item; `now_named` is its repository's name now, which may be another."""
    if wanted.kind is Kind.COMMIT:
        if not value:
            return _Found(wanted, Standing(None))  # a tree or tag of that SHA
        commit, _ = read(_Commit, value, "a commit", None)
        item = _item(wanted, commit.message, commit.committed_date, [commit.oid])
        return _Found(wanted, Standing(State.MERGED), item, commit, commit.committed_date)
    if wanted.kind is Kind.RELEASE:
        one, _ = read(_OneRelease, value, "a release", None)
        # A draft is seen by those who write there alone.
        state = None if one.is_draft else State.PUBLISHED
        return _Found(wanted, Standing(state, notes=marks_of(one.description)))
    is_pull = isinstance(value, dict) and value.get("__typename") == "PullRequest"
    numbered: _Pull | _Issue
    numbered, _ = read(_Pull if is_pull else _Issue, value, wanted.written, None)
    if not is_same(numbered.repository.name_with_owner, now_named):
        return _Found(wanted, Standing(None))  # moved to another repository
    if isinstance(numbered, _Issue):
        return _issue(wanted, numbered, now_named)
    state = {"MERGED": State.MERGED, "CLOSED": State.CLOSED}.get(numbered.state, State.OPEN)
    merge, at = numbered.merge_commit, numbered.merged_at
    pull = _item(wanted, numbered.title, at, [merge.oid] if merge else []) if at else None
    merge = merge if state is State.MERGED else None
    return _Found(wanted, Standing(state, title=numbered.title), pull, merge, at)


def _issue(wanted: Followed, issue: _Issue, now_named: Repo) -> _Found:
    reasons = {"NOT_PLANNED": State.NOT_PLANNED, "DUPLICATE": State.DUPLICATE}
    is_closed = issue.state == "CLOSED"
    state = reasons.get(issue.state_reason or "", State.CLOSED) if is_closed else State.OPEN
    known = Standing(state, title=issue.title)
    if state is State.CLOSED:
        for one in (each.closer for each in issue.timeline_items.nodes if each.closer):
            here = one.repository and is_same(one.repository.name_with_owner, now_named)
            if one.number and one.merged_at and here:
                fixed = replace(known, fix=f"#{one.number}", is_fixed=True)
                return _Found(wanted, fixed, commit=one.merge_commit, landed=one.merged_at)
            if one.oid and one.committed_date:
                fixed = replace(known, fix=one.oid[:7], is_fixed=True)
                commit = _Commit.model_construct(oid=one.oid, committed_date=one.committed_date)
                return _Found(wanted, fixed, commit=commit, landed=one.committed_date)
    linked = issue.closed_by_pull_requests_references
    mine = [
        each
        for each in (linked.nodes if linked else ())
        if each.state != "CLOSED" and is_same(each.repository.name_with_owner, now_named)
    ]
    fix = f"#{mine[0].number}" if mine and state is State.OPEN else ""
    return _Found(wanted, replace(known, fix=fix))


def _item(wanted: Followed, title: str, at: datetime, commits: Sequence[str]) -> Item:
    """Make of an item what reverts are paired with."""
    head, _, body = title.partition("\n")
    return Item(
        key=wanted.key,
        repo=wanted.repo,
        kind=wanted.kind,
        ref=wanted.written,
        title=head,
        url="",
        author="",
        at=at,
        state=State.MERGED,
        body=body.strip(),
        number=int(wanted.written) if wanted.kind is Kind.PULL_REQUEST else None,
        commits=tuple(commits),
    )


def _judged(found: list[_Found], row: Json, reverts: Json, repo: Repo) -> list[_Found]:
    """Note what was taken back, and which releases may hold an item."""
    items = [each.item for each in found if each.item]
    taking = list(_reverts(row, reverts, repo)) if items else []
    taken = {
        one.original.key: one.revert.ref
        for one in pair(fold(items), fold(taking))
        if one.original is not None and _means(one.revert, one.original)
    }
    newest = _newest_commits(row)
    on_branch = {each.oid for each in newest}
    releases = sorted(_releases(row), key=lambda each: each[0])
    for each in found:
        if by := taken.get(each.wanted.key):
            each.standing = replace(each.standing, reverted_by=by)
        if each.wanted.release and each.commit:
            each.standing = replace(
                each.standing, release=each.wanted.release, not_in=each.wanted.not_in
            )
        # What is newer than the oldest that was read, and is not among them, was forced out.
        is_own = each.item is not None and each.commit is not None
        if newest and is_own and each.commit and each.commit.oid not in on_branch:
            is_read = each.commit.committed_date >= newest[-1].committed_date
            each.head = newest[0].oid if is_read else ""
        is_known = each.standing.reverted_by or each.standing.release
        wants_release = each.wanted.releases and not is_known
        if each.commit and each.landed and wants_release:
            each.tags = [
                (tag, sha)
                for at, tag, sha in releases
                if at >= each.landed and tag not in each.wanted.not_in
            ][:MOST_TAGS]
    return found


def _means(revert: Item, original: Item) -> bool:
    """Return whether a revert does not name another change, which may be called the same.

    That one need not be among those that are asked for. A number in a title that both bear is of
    an issue.
    """
    named = {*unknown_originals((revert,)).numbers} - {*map(int, _NUMBER.findall(original.title))}
    own = original.number or parse(original.title).pull_request
    return not named or own is None or own in named


def _nodes(kind: type[T], value: Json) -> Sequence[T]:
    """Return the nodes of a connection that can be read."""
    try:
        return read(Nodes[kind], value, "nodes", None)[0].nodes if value else ()  # type: ignore[valid-type]  # made while running
    except CouldNotLook:
        return ()


def _reverts(row: Json, found: Json, repo: Repo) -> Iterator[Item]:
    by_pull = set()
    for pull in _nodes(_Pull, found):
        if pull.merged_at is None:
            continue
        key = f"{repo}:{Kind.PULL_REQUEST}:{pull.number}"
        commits = [pull.merge_commit.oid] if pull.merge_commit else []
        by_pull.update(commits)
        wanted = Followed(key, repo, Kind.PULL_REQUEST, str(pull.number))
        text = f"{pull.title}\n{pull.body}"
        item = replace(_item(wanted, text, pull.merged_at, commits), ref=f"#{pull.number}")
        if is_revert(item):
            yield item
    for commit in _newest_commits(row):
        key = f"{repo}:{Kind.COMMIT}:{commit.oid}"
        wanted = Followed(key, repo, Kind.COMMIT, commit.oid)
        item = _item(wanted, commit.message, commit.committed_date, [commit.oid])
        if commit.oid not in by_pull and is_revert(item):
            yield replace(item, ref=commit.oid[:7])


def _newest_commits(row: Json) -> Sequence[_Commit]:
    branch = row.get("defaultBranchRef") or {}
    return _nodes(_Commit, (branch.get("target") or {}).get("history"))


def _releases(row: Json) -> Iterator[tuple[datetime, str, str]]:
    for each in _nodes(_Release, row.get("releases")):
        is_final = not (each.is_draft or each.is_prerelease) and is_version(each.tag_name)
        if is_final and each.published_at and each.tag_commit:
            yield each.published_at, each.tag_name, each.tag_commit.oid


def _holding_document(pairs: Sequence[tuple[_Found, str, str]]) -> tuple[str, dict[str, Json]]:
    query = GraphQLQuery()
    roots = []
    for number, (each, _, sha) in enumerate(pairs):
        assert each.commit is not None  # only such ones are asked about
        repo, at = each.wanted.repo, each.commit.committed_date
        values = {
            f"o{number}": ("String!", repo.owner),
            f"n{number}": ("String!", repo.name),
            f"s{number}": ("GitObjectID!", sha),
            f"z{number}": ("GitTimestamp!", stamp(at + timedelta(seconds=1))),
        }
        for name, (kind, value) in values.items():
            query.declare(name, kind, value)
        roots.append(
            f"h{number}: repository(owner: $o{number}, name: $n{number}) {{ object(oid: $s{number})"
            f" {{ ... on Commit {{ history(first: {MOST_OF_A_SECOND}, until: $z{number})"
            " { nodes { oid } } } } }"
        )
    return query.of(*roots)


def _holds(answer: GraphQLAnswer, number: int, found: _Found) -> bool | None:
    """Return whether a release holds an item, None where GitHub did not say."""
    row = answer.data.get(f"h{number}") or {}
    history = (row.get("object") or {}).get("history")
    try:
        nodes = read(Nodes[Oid], history, "commits", None)[0].nodes
    except CouldNotLook:
        return None
    return any(each.oid == found.commit.oid for each in nodes) if found.commit else None
