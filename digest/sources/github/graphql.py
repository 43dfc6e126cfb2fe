"""GitHub's GraphQL interface: documents out, answers in (pure).

Limits: 100 records a page, 500,000 nodes a document
(https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from digest.errors import BadAnswer, Forbidden, NotFound
from digest.models import FileAt, Repo
from digest.sources.github.answers import Json, RepositoryNode, is_same, read
from digest.sources.github.client import GraphQLAnswer, HeavyAnswer, stamp
from digest.wording.phrases import SAY

PAGE = 100
"""Records of one page at most."""

PULLS_PER_DOCUMENT = 25
"""Pull requests with their file lists that one document asks for at most."""

_TEXTS = """
fragment CommitFacts on Commit {
  oid message committedDate
  parents(first: 10) { totalCount nodes { oid } }
  author { name user { login } }
  associatedPullRequests(first: 5) {
    nodes { number mergedAt baseRefName mergeCommit { oid } repository { nameWithOwner } }
  }
}
fragment PullFacts on PullRequest {
  number title body state isDraft createdAt mergedAt baseRefName
  author { __typename login } mergedBy { __typename login } mergeCommit { oid }
  milestone { title } labels(first: 50) { nodes { name } }
  comments(first: 1) { totalCount } reactions(first: 1) { totalCount }
  additions deletions changedFiles
  repository { nameWithOwner }
  closingIssuesReferences(first: 30) { nodes { number title repository { nameWithOwner } } }
}
fragment PullFiles on PullRequest {
  files(first: 100) { nodes { path changeType additions deletions } }
}
fragment PullCommits on PullRequest {
  commits(first: 100) { totalCount nodes { commit { ...CommitFacts } } }
}
fragment IssueFacts on Issue {
  number title body state stateReason(enableDuplicate: true) createdAt
  author { __typename login } milestone { title } labels(first: 50) { nodes { name } }
  comments(first: 1) { totalCount } reactions(first: 1) { totalCount }
  repository { nameWithOwner }
  duplicateOf { number repository { nameWithOwner } }
  timelineItems(first: 50, since: $start, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) {
    nodes { __typename ... on ClosedEvent { createdAt } ... on ReopenedEvent { createdAt } }
  }
}
fragment BlobFacts on GitObject {
  __typename ... on Blob { text isBinary isTruncated }
}
fragment Commit_ on Commit { oid committedDate }
fragment Pull_ on PullRequest {
  number state title mergedAt repository { nameWithOwner } mergeCommit { ...Commit_ }
}
fragment Issue_ on Issue {
  number state title stateReason(enableDuplicate: true) repository { nameWithOwner }
  timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) {
    nodes { ... on ClosedEvent { closer { __typename ...Pull_ ...Commit_ } } }
  }
  closedByPullRequestsReferences(first: 5) { nodes { ...Pull_ } }
}
"""

_FRAGMENTS = {text.split()[0]: f"fragment {text}" for text in _TEXTS.split("fragment ")[1:]}
"""Fragments by name; each document has those that it spreads."""

_PAGE_INFO = "pageInfo { hasNextPage endCursor }"

_PARTS = {
    "commits": (
        "defaultBranchRef { target { ... on Commit { history("
        "first: $commits_first, after: $commits_after, until: $end"
        ") { nodes { ...CommitFacts } %s } } } }"
    ),
    "later": (
        "defaultBranchRef { target { ... on Commit { history("
        "first: $later_first, after: $later_after"
        ") { nodes { ...CommitFacts } %s } } } }"
    ),
    # Oldest first: an issue that somebody touches meanwhile moves to where it is still to be read.
    "issues": (
        "issues(first: $issues_first, after: $issues_after, filterBy: { since: $start }, "
        "orderBy: { field: UPDATED_AT, direction: ASC }) "
        "{ nodes { ...IssueFacts } %s }"
    ),
    "releases": (
        "releases(first: $releases_first, after: $releases_after, "
        "orderBy: { field: CREATED_AT, direction: DESC }) "
        "{ nodes { tagName name description isPrerelease isDraft createdAt publishedAt "
        "author { login } tagCommit { oid } } %s }"
    ),
    "tags": (
        'refs(refPrefix: "refs/tags/", first: $tags_first, after: $tags_after, '
        "orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) "
        "{ nodes { name target { __typename oid ... on Commit { committedDate author { name user "
        "{ login } } } ... on Tag { message tagger { date name user { login } } target { oid "
        "... on Commit { committedDate } } } } } %s }"
    ),
}

STREAMS = ("commits", "later", "issues", "releases", "tags")
"""What a repository is asked for page by page, in the order of the document."""

SMALL_PAGES = {"releases": 30, "tags": 30}
"""Streams whose newest records suffice as a rule."""


@dataclass(frozen=True, slots=True)
class PullWish:
    """A pull request that a document asks for; `own_commits` for a merge that brought several."""

    number: int
    own_commits: bool = False


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one document asks for: streams with the cursor after which to go on, pull requests.

    `reverts` adds the search for later reverts. `size` scales every page.
    """

    streams: Mapping[str, str | None]
    pulls: tuple[PullWish, ...] = ()
    reverts: bool = False
    size: float = 1.0


class GraphQLQuery:
    """A document in the making: variables are declared as they are used."""

    def __init__(self, **texts: str) -> None:
        """Begin with variables that are texts."""
        self._variables: dict[str, Json] = {}
        self._declared: list[str] = []
        for name, value in texts.items():
            self.declare(name, "String!", value)

    def declare(self, name: str, kind: str, value: Json) -> str:
        """Declare a variable, and give how it is written."""
        self._variables[name] = value
        self._declared.append(f"${name}: {kind}")
        return f"${name}"

    def of(self, *roots: str) -> tuple[str, dict[str, Json]]:
        """Return the document, with the fragments that it spreads, and its variables."""
        text = f"query({', '.join(self._declared)}) {{ {' '.join(roots)} }}"
        found: dict[str, str] = {}
        waiting = [text]
        while waiting:
            for name in re.findall(r"\.\.\.(\w+)", waiting.pop()):
                if name not in found:
                    found[name] = _FRAGMENTS[name]
                    waiting.append(found[name])
        return "\n".join([text, *found.values()]), self._variables

    def of_repository(self, parts: Sequence[str]) -> tuple[str, dict[str, Json]]:
        """Return the document that asks for parts of the repository `$owner`/`$name` alone."""
        return self.of(f"repository(owner: $owner, name: $name) {{ {' '.join(parts)} }}")


def document(
    repo: Repo, start: datetime, end: datetime, wishes: Wishes
) -> tuple[str, dict[str, Json]]:
    """Build a query and its variables for a window `[start, end)`.

    Commits are listed from `end` and from the head down, without a lower end: see `window`.
    """
    query = GraphQLQuery(owner=repo.owner, name=repo.name)
    declare = query.declare
    body = ["nameWithOwner isPrivate isEmpty", "head: defaultBranchRef { name target { oid } }"]
    for name, after in wishes.streams.items():
        declare(f"{name}_first", "Int!", max(1, int(SMALL_PAGES.get(name, PAGE) * wishes.size)))
        declare(f"{name}_after", "String", after)
        body.append(f"{name}: {_PARTS[name] % _PAGE_INFO}")
    if "commits" in wishes.streams:
        declare("end", "GitTimestamp!", stamp(end))
    if "issues" in wishes.streams:
        declare("start", "DateTime!", stamp(start))
    for pull in wishes.pulls:
        facts = "...PullFacts ...PullFiles" + (" ...PullCommits" if pull.own_commits else "")
        body.append(f"p{pull.number}: pullRequest(number: {pull.number}) {{ {facts} }}")
    roots = [f"repository(owner: $owner, name: $name) {{ {' '.join(body)} }}"]
    if wishes.reverts:
        declare("reverts", "String!", revert_search(repo, end))
        declare("reverts_first", "Int!", max(1, int(50 * wishes.size)))
        roots.append(
            "reverts: search(type: ISSUE, query: $reverts, first: $reverts_first) "
            "{ nodes { ...PullFacts } }"
        )
    return query.of(*roots)


def originals_document(
    repo: Repo, numbers: Sequence[int], shas: Sequence[str]
) -> tuple[str, dict[str, Json]]:
    """Build a query for pull requests by number (`p12`), and commits by SHA (`c0`, `c1` …)."""
    query = GraphQLQuery(owner=repo.owner, name=repo.name)
    body = ["nameWithOwner isPrivate isEmpty"]
    body += [f"p{one}: pullRequest(number: {one}) {{ ...PullFacts }}" for one in numbers]
    for index, sha in enumerate(shas):
        variable = query.declare(f"c{index}", "String!", sha)
        body.append(
            f"c{index}: object(expression: {variable}) {{ ... on Commit {{ ...CommitFacts "
            "brought_by: associatedPullRequests(first: 5) { nodes { ...PullFacts } } } }"
        )
    return query.of_repository(body)


def blobs_document(
    repo: Repo, files: Sequence[FileAt], shas: Sequence[str]
) -> tuple[str, dict[str, Json]]:
    """Build a query for files (`b0`, `b1` …) and for the commits that they stand at (`s0` …)."""
    query = GraphQLQuery(owner=repo.owner, name=repo.name)
    body = ["nameWithOwner isPrivate isEmpty"]
    expressions = {f"s{at}": sha for at, sha in enumerate(shas)}
    expressions |= {f"b{at}": f"{file.sha}:{file.path}" for at, file in enumerate(files)}
    for name, expression in expressions.items():
        variable = query.declare(name, "String!", expression)
        facts = "oid" if name.startswith("s") else "...BlobFacts"
        body.append(f"{name}: object(expression: {variable}) {{ {facts} }}")
    return query.of_repository(body)


def revert_search(repo: Repo, since: datetime) -> str:
    """Return the words by which pull requests that may take something back are found."""
    return f"repo:{repo} is:pr is:merged merged:>={stamp(since)} revert in:title,body"


def repository_of(
    answer: GraphQLAnswer, known: Repo | None, requested: Repo
) -> tuple[RepositoryNode, Mapping[str, Json]]:
    """Return the repository of an answer, and the row that holds what was asked of it.

    `known` is the name that an earlier answer gave it. Raises the error that says why there is
    none; `BadAnswer` too where the answer is another one's.
    """
    row = answer.data.get("repository")
    if row is None:
        if "NOT_FOUND" in answer.kinds:
            raise NotFound(SAY.github.no_repo(requested))
        if answer.kinds & {"FORBIDDEN", "INSUFFICIENT_SCOPES"}:
            raise Forbidden(SAY.github.refuses_repo(requested))
        raise HeavyAnswer(SAY.github.no_repository_given)
    node, _ = read(RepositoryNode, row, SAY.objects.the_repository, None)
    if known is not None and not is_same(known, node.name_with_owner):
        raise BadAnswer(SAY.github.another_repository)
    return node, row
