"""The words of a digest, as plain frozen data.

Facts come first (`Repo`, `Window`, `FileChange`, `Item`, `Activity`): a source fills them and
nobody changes them. Judgements follow (`ReadItem`, `UpgradeNote`, `Reading`): pure code
derives them from facts. What is told comes last (`Point`, `Digest`, `Roundup`).

Every moment is an aware `datetime` in UTC. Text written by strangers (titles, bodies, names,
labels, paths) is kept as it came; only the code that draws for one medium may escape it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from digest.edited import ModelUse, Remark
from digest.facts import Fact, Story
from digest.grades import ChangeObject, Importance, Noise, Purpose, Reason
from digest.languages import Text
from digest.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Gap:
    """What could not be looked at, and why: two short facts, never a quiet day.

    `what` is one of the words of `GAP_WORDS`; `why` is one clear sentence.
    A `lasting` one cannot heal (git holds no issues): asking again would not help.
    """

    what: str
    why: Phrase
    lasting: bool = False


GAP_WORDS = (
    "commits",
    "pull_requests",
    "issues",
    "releases",
    "files",
    "patches",
    "contents",
    "partly",
    "everything",
)


@dataclass(frozen=True, slots=True, order=True)
class Repo:
    """A repository, by owner and name as GitHub spells them."""

    owner: str
    name: str

    def __str__(self) -> str:
        return f"{self.owner}/{self.name}"

    @classmethod
    def parse(cls, full_name: str) -> Self:
        """Read `owner/name`; a `ValueError` names what is wrong."""
        owner, slash, name = full_name.partition("/")
        if not slash or not owner or not name or "/" in name:
            raise ValueError(f"{full_name!r} is not of the form owner/name")
        return cls(owner, name)


@dataclass(frozen=True, slots=True)
class Window:
    """The half-open time `[start, end)` in UTC, with the IANA zone and label it was asked in.

    `label` is language-free: `2026-02-11`, `2026-02-09..2026-02-11`, or a day with a time such
    as `2026-02-11 until 14:20` for a day that is not over (`partial`), or `v0.15.0..v0.16.0` of
    what lies between two versions (`is_span`).
    """

    start: datetime
    end: datetime
    tz: str
    label: str
    partial: bool = False
    is_span: bool = False

    def __contains__(self, moment: object) -> bool:
        return isinstance(moment, datetime) and self.start <= moment < self.end


class Kind(StrEnum):
    """What an item is, in GitHub's words."""

    COMMIT = "commit"
    PULL_REQUEST = "pull_request"
    ISSUE = "issue"
    RELEASE = "release"

    @property
    def is_change(self) -> bool:
        """Tell whether it changes the repository."""
        return self in (Kind.COMMIT, Kind.PULL_REQUEST)


class State(StrEnum):
    """The state of an item when it was collected.

    A commit and a merged pull request are `MERGED`; a release is `PUBLISHED` or `PRERELEASE`, a
    bare version tag `TAGGED`; issues and unmerged pull requests have the others.
    """

    MERGED = "merged"
    OPEN = "open"
    DRAFT = "draft"
    CLOSED = "closed"
    NOT_PLANNED = "not_planned"
    DUPLICATE = "duplicate"
    REOPENED = "reopened"
    PUBLISHED = "published"
    PRERELEASE = "prerelease"
    TAGGED = "tagged"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a change.

    `status` is git's word: added, modified, removed, renamed, copied, changed. `patch` holds the
    hunks from the first `@@` on, or None where they were not read or there are none (binary,
    too large, submodule without text). `previous_path` is set on a rename or copy.
    """

    path: str
    status: str
    additions: int
    deletions: int
    patch: str | None = None
    previous_path: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class FileAt:
    """A file as it stood at a commit: the whole SHA, and the path from the top."""

    sha: str
    path: str


@dataclass(frozen=True, slots=True)
class Span:
    """What lies between two commits: those that `head` has and `base` has not.

    `base` and `head` are as they were asked for (a tag, a SHA), `base_sha` and `head_sha` whole.
    `since` is when the commit was made from which both come (UTC), `based_at` when `base` was,
    `until` when `head` was.
    `commits` are SHAs in no order. `is_whole` is False where not all of them could be listed.
    `lacks` tells that `base` stands on another branch, with commits that `head` has in no form.
    `tags` are those of the head's history that are not of the base's, None where not known.
    """

    base: str
    head: str
    base_sha: str
    head_sha: str
    since: datetime
    until: datetime
    commits: frozenset[str]
    is_whole: bool = True
    based_at: datetime | None = None
    lacks: bool = False
    tags: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to an issue: `opened`, `closed` or `reopened`, at a moment."""

    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class LinkedIssue:
    """An issue of the same repository that merging a change closes: its number and title."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Item:
    """One fact of a repository: a commit, a pull request, an issue or a release.

    `key` is stable, `OWNER/REPO:pull_request:N`, `…:issue:N`, `…:commit:SHA`, `…:release:TAG`;
    `ref` is how people write it: `#35621`, `0d30896`, `v0.6.4`.
    `at` is when a change reached the default branch, an issue was opened, a release published.
    `files` is None where the list was not read, which is not the same as an empty change.
    `commits` are the SHAs that the item accounts for (a commit: its own).
    `pull_request` on a commit is the number of the pull request that brought it, if known.
    `parents` of a commit are SHAs; `closes` are issue numbers that merging the item closes, and
    `linked_issues` those of them whose titles the source could give.
    `tagged` of a release is the SHA of the commit that its tag stands at, if known.
    `detail_missing` names what a poorer source could not give (`files`, `patches`, `body` …).
    """

    key: str
    repo: Repo
    kind: Kind
    ref: str
    title: str
    url: str
    author: str
    at: datetime
    state: State
    author_is_bot: bool = False
    body: str = ""
    labels: tuple[str, ...] = ()
    comments: int = 0
    reactions: int = 0
    milestone: str = ""
    merged_by: str = ""
    number: int | None = None
    pull_request: int | None = None
    commits: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    closes: tuple[int, ...] = ()
    linked_issues: tuple[LinkedIssue, ...] = ()
    files: tuple[FileChange, ...] | None = None
    additions: int = 0
    deletions: int = 0
    events: tuple[Event, ...] = ()
    duplicate_of: int | None = None
    tagged: str = ""
    detail_missing: tuple[str, ...] = ()


class NoticeKind(StrEnum):
    """Something about the repository itself that a reader has to know."""

    FORCED_PUSH = "forced_push"
    DEFAULT_BRANCH_CHANGED = "default_branch_changed"
    RENAMED = "renamed"
    ENDS_EARLIER = "ends_earlier"
    EMPTY = "empty"
    DIVERGED = "diverged"
    BACKWARD = "backward"


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice with its facts: old and new SHA, branch or name; a branch and its newest day.

    Of a clone without commits (`EMPTY`) there is no day. Of a span (`DIVERGED`, `BACKWARD`) they
    are its ends.
    """

    kind: NoticeKind
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Activity:
    """All that a source found for a repository in a window; gathered, not yet judged.

    `items` holds commits and the pull requests that brought them side by side, issues with any
    event in the window, and releases. `later` holds commits and pull requests that landed after
    the window up to `collected_at` (reverts are looked up there). `earlier` holds changes from
    before the window that something in it takes back; neither is told itself. `head` is the SHA
    of the default branch at `collected_at`, empty if the source has none.
    """

    repo: Repo
    window: Window
    items: tuple[Item, ...]
    collected_at: datetime
    source: str
    later: tuple[Item, ...] = ()
    earlier: tuple[Item, ...] = ()
    gaps: tuple[Gap, ...] = ()
    notices: tuple[Notice, ...] = ()
    default_branch: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Revert:
    """That one item takes back another, and how long the other was in.

    `original` is None where the reverted change is not among the known items; `original_ref` is
    then what the revert itself names. `seconds` is None where either time is unknown.
    """

    revert: Item
    original: Item | None
    original_ref: str
    seconds: int | None


@dataclass(frozen=True, slots=True)
class ReadItem:
    """An item with what was read from it; `item.commits` covers every commit folded into it.

    `inferred` tells that the purpose was guessed, not declared by its author. `related` are keys
    of items of this reading; `fixes` are issue numbers that it says it closes. `quote` is one or
    two sentences copied exactly from its body, empty if the author wrote none that stands alone.
    `series` is (name, index, total) of `[2/N]`, total 0 where the author wrote a letter.
    `sentence` is the author's best sentence for a reader, None where none stands alone.
    """

    item: Item
    purpose: Purpose
    object: ChangeObject
    importance: Importance
    score: int
    reasons: tuple[Reason, ...]
    inferred: bool = False
    noise: Noise | None = None
    related: tuple[str, ...] = ()
    fixes: tuple[int, ...] = ()
    reverted_by: str | None = None
    reverts: str | None = None
    series: tuple[str, int, int] | None = None
    quote: str = ""
    sentence: "Sentence | None" = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the author's, copied exactly, and where it stands.

    `source` is `title`, `body`, `notes`, `changelog`, `docs` or `docstring`; `path` is set where it
    is a file's. `by` is who picked it, `rules` or a model. `chinese` is a model's translation of
    this sentence, by `translator`; empty where there is none. A title stands for a sentence where
    a model finds none that says more, and has its Chinese.
    """

    text: str
    source: str
    path: str = ""
    by: str = "rules"
    chinese: str = ""
    translator: str = ""

    @property
    def is_title(self) -> bool:
        """Whether it is the item's title, which every page tells anyway."""
        return self.source == "title"


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of one item a model saw: changed lines and sentences, of how many there are."""

    lines: int
    lines_total: int
    sentences: int
    sentences_total: int


@dataclass(frozen=True, slots=True)
class UpgradeNote:
    """A change that a downstream user may have to act on, read from a diff.

    `kind`: flag, env, config, default, dependency, python, module, signature. `change`: added,
    removed, renamed, changed, deprecated. `path` and `line` say where in the new file (in the old
    one for a removal). `inferred` marks what the diff suggests but does not state.
    """

    kind: str
    change: str
    name: str
    before: str | None
    after: str | None
    path: str
    line: int | None
    cites: tuple[str, ...]
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """Computed numbers of a reading. `commits` counts SHAs, `pull_requests` merged ones.

    `issues` counts issues with an event in the window; `issues_opened`, `issues_closed` and
    `issues_reopened` count the events. `high`, `medium`, `low` and `noise` count changes (pull
    requests and commits without one) and releases, never issues.
    """

    commits: int = 0
    pull_requests: int = 0
    issues: int = 0
    issues_opened: int = 0
    issues_closed: int = 0
    issues_reopened: int = 0
    releases: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    noise: int = 0


@dataclass(frozen=True, slots=True)
class ToldStory(Story):
    """A story as a window told it, with what tells whether a later one goes on with it.

    `parts` are all parts of a series so far, `tags` what its parts bear beside their mark, `most`
    is how many changes it had in the window that had most. What was stored before these were kept
    has none of them.
    """

    parts: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    most: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything decided about an activity.

    `items` are ordered: changes and releases by falling score, then issues by falling score;
    where a model picked, what it picked comes first.
    `reverts` pairs every revert of the window, and every later revert of an item of the window.
    `facts` are what is known of the items, `stories` which of them belong together. `front` are
    the keys of the front page, best first, never two of one story.
    """

    repo: Repo
    window: Window
    items: tuple[ReadItem, ...]
    upgrade_notes: tuple[UpgradeNote, ...]
    reverts: tuple[Revert, ...]
    counts: Counts
    gaps: tuple[Gap, ...]
    notices: tuple[Notice, ...]
    collected_at: datetime
    source: str
    facts: tuple[Fact, ...] = ()
    stories: tuple[Story, ...] = ()
    front: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One statement, in every language, and the keys of the items that it stands on."""

    text: Text
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One item looked at whole: with its hunks in `read.item.files`, its notes and relations.

    `remarks` are a model's reading of it; `reach` is how much of it the model saw. `facts` are
    what is known of it.
    """

    read: ReadItem
    upgrade_notes: tuple[UpgradeNote, ...]
    related: tuple[Item, ...] = ()
    reverts: tuple[Revert, ...] = ()
    remarks: tuple[Remark, ...] = ()
    model: ModelUse | None = None
    reach: Reach | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """A reading with its sentences, in all languages; complete enough to be drawn for ever.

    `remarks` are the paragraph that a model wrote about it, shown as the model's; `model` is None
    where none was asked.
    """

    reading: Reading
    headline: Text
    points: tuple[Point, ...]
    generated_at: datetime
    remarks: tuple[Remark, ...] = ()
    model: ModelUse | None = None

    @property
    def is_blind(self) -> bool:
        """Return whether nothing could be looked at, which is not the same as a quiet day."""
        return not self.reading.items and any(gap.what == "everything" for gap in self.reading.gaps)


@dataclass(frozen=True, slots=True)
class Roundup:
    """Digests of several repositories for one window, busiest first.

    `failed` holds repositories that could not be looked at, and why. `outlook` is
    what to watch, each point with the items that are its evidence. `remarks` are the paragraph
    that a model wrote about all of them; `model` is None where none was asked.
    """

    window: Window
    digests: tuple[Digest, ...]
    failed: tuple[tuple[Repo, Phrase], ...] = field(default=())
    outlook: tuple[Point, ...] = ()
    remarks: tuple[Remark, ...] = ()
    model: ModelUse | None = None

    @property
    def is_blind(self) -> bool:
        """Return whether none of its repositories could be looked at."""
        return bool(self.failed or self.digests) and all(one.is_blind for one in self.digests)


@dataclass(frozen=True, slots=True)
class AnalysedDay:
    """The digest of a window and its high changes, each with hunks; told as an analysis.

    A high change that could not be looked at whole is not among `changes`: `failed` has its key,
    and why.
    """

    digest: Digest
    changes: tuple[Change, ...] = ()
    failed: tuple[tuple[str, Phrase], ...] = ()


KNOWN: Mapping[str, Repo] = MappingProxyType(
    {
        "vllm": Repo("vllm-project", "vllm"),
        "sglang": Repo("sgl-project", "sglang"),
        "flashinfer": Repo("flashinfer-ai", "flashinfer"),
        "cutlass": Repo("NVIDIA", "cutlass"),
        "flash-attention": Repo("Dao-AILab", "flash-attention"),
        "deepgemm": Repo("deepseek-ai", "DeepGEMM"),
        "flashmla": Repo("deepseek-ai", "FlashMLA"),
        "cutile-python": Repo("NVIDIA", "cutile-python"),
    }
)
"""Alias in lower case to repository; iteration gives the stated order."""
