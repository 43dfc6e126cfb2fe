"""GitHub's answers as typed rows: the border at which its JSON is read (pure).

A value of another type, a missing key or a null where GitHub promises none makes its row unusable.
A list leaves such a row out and counts it as a hole, so that whoever asked can say what is
missing; a single answer raises `BadAnswer`. A row that names another repository than the one that
was asked for (a moved issue is answered by the repository it was moved to) is no answer: a list
counts a hole, a single answer raises `Elsewhere`.

Rows have the form of GraphQL (https://docs.github.com/en/graphql); what both interfaces tell is
read from REST (https://docs.github.com/en/rest) into the same row. What a row does not name is
ignored, so that new fields do no harm.
"""

from base64 import b64decode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import unquote, urlsplit

from pydantic import (
    AliasChoices,
    AliasGenerator,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    WrapValidator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from digest.errors import BadAnswer, NotFound
from digest.models import Repo
from digest.phrase import Phrase
from digest.wording.phrases import SAY

T = TypeVar("T")

Json: TypeAlias = Any
"""A decoded JSON value; rows read it, as anything may have answered."""

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
LATEST = datetime(2999, 1, 1, tzinfo=UTC)

_STRANGER = "another_repository"
_HOLE = object()


class Elsewhere(NotFound):
    """An answer about another repository or number than what was asked for is none."""


@dataclass(slots=True)
class RowContext:
    """The repository that rows have to be of (None: not known yet), and the holes so far."""

    repo: Repo | None
    holes: int = 0


def _reading(info: ValidationInfo) -> RowContext:
    assert isinstance(info.context, RowContext), "`read` hands it to every validator"
    return info.context


def _row_or_hole(value: Any, handler: Callable[[Any], Any], info: ValidationInfo) -> Any:
    try:
        return handler(value)
    except ValidationError:
        _reading(info).holes += 1
        return _HOLE


def _sound_rows(value: Any, handler: Callable[[Any], list[Any]], info: ValidationInfo) -> list[Any]:
    if value is None:
        _reading(info).holes += 1
        return []
    return [row for row in handler(value) if row is not _HOLE]


Parts: TypeAlias = Annotated[
    list[Annotated[T, WrapValidator(_row_or_hole)]], WrapValidator(_sound_rows)
]
"""A list of rows without those that could not be read, each of which is a hole.

A null in place of the list is one hole too.
"""


def moment(value: object) -> datetime:
    """Read GitHub's ISO 8601 time as UTC; a `ValueError` for anything else.

    Git takes any number for a date: what lies outside `EARLIEST` and `LATEST` is moved to them, so
    that days can be added to every time.
    """
    if not isinstance(value, str):
        raise ValueError("a time is a text")
    at = datetime.fromisoformat(value)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max(at, EARLIEST), LATEST).astimezone(UTC)


Moment: TypeAlias = Annotated[datetime, BeforeValidator(moment)]
Count: TypeAlias = Annotated[int, Field(ge=0, le=2**31 - 1)]
Number: TypeAlias = Annotated[int, Field(ge=1, le=2**31 - 1)]
Sha: TypeAlias = Annotated[str, Field(pattern=r"^[0-9A-Za-z]{4,64}$")]
Name: TypeAlias = Annotated[str, Field(min_length=1)]
Text: TypeAlias = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
"""A text that GitHub gives as null where it is empty."""

FullName: TypeAlias = Annotated[
    Repo, BeforeValidator(lambda value: Repo.parse(value) if isinstance(value, str) else value)
]


class Row(BaseModel):
    """A row of either interface; types are taken as they stand, `"3"` is no number.

    GraphQL writes the names of fields `inThisWay`, REST `in_this_way`.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="ignore",
        alias_generator=AliasGenerator(
            validation_alias=lambda name: AliasChoices(name, to_camel(name))
        ),
    )


def _called(*names: str | AliasPath, default: Any = ...) -> Any:
    """Declare a field that either interface calls otherwise."""
    return Field(default, validation_alias=AliasChoices(*names))


def _check_own(named: Repo | None, info: ValidationInfo) -> None:
    own = _reading(info).repo
    if own is not None and (named is None or not is_same(named, own)):
        raise PydanticCustomError(_STRANGER, "of another repository")


def is_same(one: Repo, other: Repo) -> bool:
    """Return whether two names are one repository's: GitHub tells no upper case from lower."""
    return str(one).casefold() == str(other).casefold()


def named_in(url: object) -> Repo | None:
    """Return the repository that an API address names: `…/repos/OWNER/NAME/…`."""
    try:
        _, found, rest = urlsplit(str(url)).path.partition("/repos/")
    except ValueError:
        return None
    parts = rest.split("/")
    if not found or len(parts) < 2 or not parts[0] or not parts[1]:
        return None
    return Repo(unquote(parts[0]), unquote(parts[1]))


class RestRow(Row):
    """A row that REST alone gives, which names its repository by its address."""

    url: str

    @model_validator(mode="after")
    def _is_own(self, info: ValidationInfo) -> "RestRow":
        _check_own(named_in(self.url), info)
        return self


class EitherRow(Row):
    """A row of both interfaces; REST's has an address, and is read into GraphQL's form."""

    @classmethod
    def of_rest(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Return REST's row in GraphQL's form; a `ValueError` where it lacks something."""
        return row

    @model_validator(mode="before")
    @classmethod
    def _read_either(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict) or "url" not in value:
            return value
        _check_own(named_in(value["url"]), info)
        return cls.of_rest(value)


def _at(value: Any, *path: str) -> Any:
    for step in path:
        if not isinstance(value, dict) or step not in value:
            raise ValueError(f"{step} is missing")
        value = value[step]
    return value


# ---- what both interfaces tell


class Actor(Row):
    """Who did something: a user, bot, organization …; empty for an account that is gone."""

    login: str | None = None
    typename: str | None = _called("__typename", "type", default=None)


class GitActor(Row):
    """An author or committer as git knows them, with the account that GitHub found."""

    name: str | None = None
    date: Moment | None = None
    user: Actor | None = None


class RepositoryName(Row):
    """The name of a repository."""

    name_with_owner: FullName


class _Total(Row):
    total_count: Count


class Nodes(Row, Generic[T]):
    """A connection of which one page is enough."""

    nodes: Parts[T]


class _PageInfo(Row):
    has_next_page: bool
    end_cursor: str | None = None


class Page(Row, Generic[T]):
    """A page of a connection that is read to its end."""

    nodes: Parts[T]
    page_info: _PageInfo


class Oid(Row):
    """A git object."""

    oid: Sha = _called("oid", "sha")


class _Label(Row):
    name: Text


class _Milestone(Row):
    title: Text


class _AssociatedPull(Row):
    number: Number
    merged_at: Moment | None
    base_ref_name: str
    merge_commit: Oid | None
    repository: RepositoryName


class _Parents(Row):
    total_count: Count
    nodes: Parts[Oid]


class CommitNode(EitherRow):
    """A `CommitFacts` fragment, or https://docs.github.com/en/rest/commits/commits."""

    oid: Sha
    message: str
    committed_date: Moment
    parents: _Parents
    author: GitActor | None
    associated_pull_requests: Nodes[_AssociatedPull]

    @classmethod
    def of_rest(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Return REST's row in GraphQL's form."""
        committed, parents = _at(row, "commit", "committer", "date"), _at(row, "parents")
        author = row["commit"].get("author")
        author = author if isinstance(author, dict) else {}
        return {
            "oid": _at(row, "sha"),
            "message": _at(row, "commit", "message"),
            "committed_date": committed,
            "parents": {
                "total_count": len(parents) if isinstance(parents, list) else None,
                "nodes": parents,
            },
            "author": {"name": author.get("name"), "user": row.get("author")},
            "associated_pull_requests": {"nodes": []},
        }


class _LinkedIssueNode(Row):
    number: Number
    title: str
    repository: RepositoryName


class _PullFile(Row):
    path: Name
    change_type: str
    additions: Count
    deletions: Count


class _PullCommit(Row):
    commit: CommitNode


class _PullCommits(Row):
    total_count: Count
    nodes: Parts[_PullCommit]


class NumberedRow(EitherRow):
    """What a pull request and an issue have alike."""

    number: Number
    title: str
    body: Text
    author: Actor | None
    milestone: _Milestone | None
    labels: Nodes[_Label]
    comments: _Total
    reactions: _Total
    created_at: Moment
    repository: RepositoryName

    @classmethod
    def of_rest(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Return REST's row in GraphQL's form."""
        state = _at(row, "state")
        if state not in ("open", "closed"):
            raise ValueError("that state is not known")
        labels = _at(row, "labels")
        if isinstance(labels, list):  # REST may give their names alone
            labels = [{"name": one} if isinstance(one, str) else one for one in labels]
        return {
            "reactions": {"total_count": 0},
            **row,
            "state": state.upper(),
            "author": _at(row, "user"),
            "labels": {"nodes": labels},
            "comments": {"total_count": row.get("comments", 0)},
            "repository": {"name_with_owner": named_in(row["url"])},
        }

    @model_validator(mode="after")
    def _is_own(self, info: ValidationInfo) -> "NumberedRow":
        _check_own(self.repository.name_with_owner, info)
        return self


class PullNode(NumberedRow):
    """A `PullFacts` fragment, with `PullFiles` and `PullCommits` where they were asked for.

    https://docs.github.com/en/rest/pulls/pulls: a list (`is_listed`) leaves out what one that is
    asked for alone has.
    """

    state: Literal["OPEN", "CLOSED", "MERGED"]
    is_draft: bool
    merged_at: Moment | None
    base_ref_name: str
    merged_by: Actor | None
    merge_commit: Oid | None
    additions: Count
    deletions: Count
    changed_files: Count
    closing_issues_references: Nodes[_LinkedIssueNode]
    files: Nodes[_PullFile] | None = None
    commits: _PullCommits | None = None
    updated_at: Moment | None = None
    is_listed: bool = False

    @classmethod
    def of_rest(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Return REST's row in GraphQL's form."""
        merge_sha, numbers = _at(row, "merge_commit_sha"), ("additions", "deletions")
        return {
            **dict.fromkeys((*numbers, "changed_files"), 0),
            "merged_by": None,
            **super().of_rest(row),
            **({"state": "MERGED"} if _at(row, "merged_at") else {}),
            "is_draft": row.get("draft") or False,
            "base_ref_name": _at(row, "base", "ref"),
            "merge_commit": None if merge_sha is None else {"oid": merge_sha},
            "closing_issues_references": {"nodes": []},
            "files": None,
            "commits": None,
            "is_listed": "merged_by" not in row,
        }

    @model_validator(mode="after")
    def _is_whole(self) -> "PullNode":
        if self.state == "MERGED" and self.merged_at is None:
            raise ValueError("what is merged was merged at a time")
        return self

    @property
    def merge_sha(self) -> str:
        """Return the commit that it was merged as, empty where there is none."""
        return self.merge_commit.oid if self.merge_commit else ""


class TimelineEvent(Row):
    """An issue that was closed or opened again."""

    typename: Literal["ClosedEvent", "ReopenedEvent"] = Field(alias="__typename")
    created_at: Moment


class _DuplicateOf(Row):
    number: Number
    repository: RepositoryName


class IssueNode(NumberedRow):
    """An `IssueFacts` fragment, or https://docs.github.com/en/rest/issues/issues.

    Pull requests are issues too there. Its row tells when an issue was closed last alone.
    """

    state: Literal["OPEN", "CLOSED"]
    state_reason: str | None
    duplicate_of: _DuplicateOf | None
    timeline_items: Nodes[TimelineEvent]
    pull_request: dict[str, Any] | None = None

    @classmethod
    def of_rest(cls, row: dict[str, Any]) -> dict[str, Any]:
        """Return REST's row in GraphQL's form."""
        closed = _at(row, "closed_at")
        events = [{"__typename": "ClosedEvent", "created_at": closed}] if closed else []
        _at(row, "comments")
        return {
            **super().of_rest(row),
            "duplicate_of": None,
            "timeline_items": {"nodes": events},
        }

    @property
    def is_pull(self) -> bool:
        """Return whether it is a pull request."""
        return self.pull_request is not None


class ReleaseNode(EitherRow):
    """A release; https://docs.github.com/en/rest/releases/releases in REST's words."""

    tag_name: Name
    name: Text
    description: Text = _called("description", "body")
    is_draft: bool = _called("isDraft", "draft")
    is_prerelease: bool = _called("isPrerelease", "prerelease")
    created_at: Moment
    published_at: Moment | None
    author: Actor | None
    tag_commit: Oid | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> "ReleaseNode":
        if not self.is_draft and self.published_at is None:
            raise ValueError("what is no draft was published")
        return self


# ---- REST alone


class Repository(Row):
    """https://docs.github.com/en/rest/repos/repos#get-a-repository."""

    full_name: FullName
    default_branch: str
    private: bool


class File(Row):
    """A file of a commit or of a pull request."""

    filename: Name
    status: str
    additions: Count
    deletions: Count
    patch: str | None = None
    previous_filename: str | None = None


class CommitFiles(RestRow):
    """A commit with its files."""

    sha: Sha
    files: Parts[File]


class FileContent(RestRow):
    """https://docs.github.com/en/rest/repos/contents: above 1 MB a file comes without its text."""

    type: str
    encoding: str = ""
    content: Annotated[bytes, BeforeValidator(lambda value: b64decode(str(value)))] = b""

    @property
    def is_whole(self) -> bool:
        """Return whether all is here that there is to read."""
        return self.type != "file" or self.encoding == "base64"

    @property
    def text(self) -> str | None:
        """Return what it holds, None where that is no text."""
        is_text = self.type == "file" and b"\0" not in self.content
        return self.content.decode("utf-8", "replace") if is_text else None


class _TreeEntry(Row):
    path: Name
    type: str
    sha: Sha


class TreeRow(RestRow):
    """https://docs.github.com/en/rest/git/trees#get-a-tree."""

    sha: Sha
    truncated: bool
    tree: Parts[_TreeEntry]


class Comparison(RestRow):
    """https://docs.github.com/en/rest/commits/commits#compare-two-commits."""

    commits: Parts[CommitNode]
    merge_base_commit: CommitNode | None = None
    base_commit: CommitNode | None = None
    total_commits: Count = 0


class CommitStanding(RestRow):
    """How one commit stands to another, of a comparison."""

    status: Literal["ahead", "behind", "diverged", "identical"]


class IssueEventRow(RestRow):
    """https://docs.github.com/en/rest/issues/events."""

    event: str
    created_at: Moment


class Ref(RestRow):
    """https://docs.github.com/en/rest/git/refs."""

    ref: str


class RateLimitRow(Row):
    """https://docs.github.com/en/rest/rate-limit/rate-limit."""

    remaining: Count = _called(AliasPath("resources", "core", "remaining"))


# ---- GraphQL alone


class _TaggedObject(Row):
    oid: Sha
    committed_date: Moment | None = None


class _TagTarget(Row):
    typename: Literal["Commit", "Tag", "TreeRow", "Blob"] = Field(alias="__typename")
    oid: Sha
    committed_date: Moment | None = None
    author: GitActor | None = None
    message: Text = ""
    tagger: GitActor | None = None
    target: _TaggedObject | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> "_TagTarget":
        if self.typename == "Commit" and self.committed_date is None:
            raise ValueError("a commit has a date")
        if self.typename == "Tag" and self.target is None:
            raise ValueError("an annotated tag stands on something")
        return self


class TagNode(Row):
    """A ref below `refs/tags/`; its target is null where that object does not exist."""

    name: Name
    target: _TagTarget | None

    @property
    def commit_date(self) -> datetime | None:
        """Return the date that GitHub lists tags by, None where there is none."""
        if self.target is None:
            return None
        return (self.target.target or self.target).committed_date

    @property
    def commit(self) -> str:
        """Return the SHA of the commit that it stands at, empty where it stands on no commit."""
        stands_on = self.target and (self.target.target or self.target)
        return stands_on.oid if stands_on and stands_on.committed_date else ""


class BranchHistory(Row):
    """A page of the default branch's history."""

    page: Page[CommitNode] = _called(AliasPath("target", "history"))


class Head(Row):
    """The default branch and the commit that it stands at."""

    name: Name
    target: Oid


class RepositoryNode(Row):
    """What every document asks of a repository."""

    name_with_owner: FullName
    is_private: bool
    is_empty: bool


class OriginalCommit(CommitNode):
    """A commit with the pull requests that hold it, whole."""

    brought_by: Nodes[PullNode] = Field(alias="brought_by")


class Blob(Row):
    """A file's text at a commit; another object has none."""

    typename: str = Field(alias="__typename")
    text: str | None = None
    is_binary: bool | None = None
    is_truncated: bool = False


# ---- reading

_ADAPTERS: dict[object, TypeAdapter[Any]] = {}


def read(kind: type[T], value: Json, what: Phrase | str, repo: Repo | None) -> tuple[T, int]:
    """Read one answer of a repository and count its holes.

    Raises `Elsewhere` where it is another repository's, else `BadAnswer` where it cannot be read.
    """
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    reading = RowContext(repo)
    try:
        return _ADAPTERS[kind].validate_python(value, context=reading), reading.holes
    except ValidationError as error:
        if any(each["type"] == _STRANGER for each in error.errors(include_url=False)):
            raise Elsewhere(SAY.github.moved) from error
        raise bad_answer(what) from error


def bad_answer(what: Phrase | str) -> BadAnswer:
    """Say that an answer about something cannot be read."""
    return BadAnswer(SAY.github.bad_answer(what))


@dataclass(frozen=True, slots=True)
class Shape(Generic[T]):
    """How a REST answer is read: rows of `kind` of a repository, a list of them or one.

    `what` names it in the error. `fits` tells whether one that was read is what was asked for.
    """

    kind: type[T]
    what: Phrase | str
    repo: Repo | None
    fits: Callable[[T], bool] = field(default=lambda row: True)

    def read(self, value: Json) -> tuple[T, int]:
        """Read an answer and count the holes of a list; raises `Elsewhere` or `BadAnswer`."""
        found, holes = read(self.kind, value, self.what, self.repo)
        if not self.fits(found):
            raise Elsewhere(SAY.github.something_else)
        if holes and not isinstance(found, list):
            raise bad_answer(self.what)
        return found, holes


def a_list(kind: type[T], what: Phrase | str, repo: Repo) -> "Shape[list[T]]":
    """Return the shape of a list of rows."""
    return Shape(Parts[kind], what, repo)  # type: ignore[valid-type]  # made while running


def whole(rows: Iterable[T], holes: int, what: Phrase | str) -> tuple[T, ...]:
    """Return rows, or raise `BadAnswer` where some could not be read."""
    if holes:
        raise bad_answer(what)
    return tuple(rows)
