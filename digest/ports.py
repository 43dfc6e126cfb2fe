"""What the digest core asks of the world: few methods, plain types."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

from digest.models import Activity, FileAt, Item, Repo, Span, Window
from digest.phrase import Phrase

Clock: TypeAlias = Callable[[], datetime]
"""Gives the present as an aware datetime in UTC."""


Steps: TypeAlias = Callable[[Phrase], None]
"""Told a phrase of `SAY.upgrades` before each slow step."""


class Source(Protocol):
    """A place where activity comes from."""

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Gather everything of a window.

        A part that cannot be looked at becomes a gap. Raises `CouldNotLook` or
        `ConfigurationError` only when nothing at all can be said.
        """
        ...

    async def find(self, repo: Repo, ref: str) -> Item:
        """Give one change, issue or release whole, with patches.

        `ref` is `35621`, `#35621`, a SHA of 4 or more digits, or a tag. Raises `NotFound`.
        """
        ...


@runtime_checkable
class Historian(Protocol):
    """A source that also knows what was changed before a window, whether or not it was told."""

    async def changes_before(
        self, repo: Repo, moment: datetime
    ) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the titles of earlier changes with their paths, newest first, a thousand at most.

        Where they cannot be read, there are none.
        """
        ...


@runtime_checkable
class Lasting(Protocol):
    """A source that may be replaced at any time, and can tell whether it was."""

    async def is_as_collected(self, repo: Repo, window: Window, collected_at: datetime) -> bool:
        """Return whether collecting a window anew would surely give what it gave at that moment."""
        ...


@runtime_checkable
class Spans(Protocol):
    """A source that knows what lies between two commits."""

    async def span(self, repo: Repo, base: str, head: str) -> Span:
        """Return what `head` has and `base` has not, each a tag or a SHA of 4 or more digits.

        Raises `NotFound` for an end that is not there, `BadWindow` where `head` has nothing that
        `base` has not, and what `collect` raises where the source cannot be asked.
        """
        ...


@runtime_checkable
class Bounded(Protocol):
    """A source that knows one window alone, and is asked for each day without waiting: a file."""

    def window(self) -> Window:
        """Return the window that it holds."""
        ...


@runtime_checkable
class Contents(Protocol):
    """A source that can also give whole files, as they stood at a commit."""

    async def contents(self, repo: Repo, files: Sequence[FileAt]) -> Mapping[FileAt, str | None]:
        """Return the text of each file, None where it was not there (or is no text).

        A file that could not be asked for, or is larger than is read, is absent from the answer,
        so that "was not there" and "could not be read" never look alike. Raises nothing else than
        `CouldNotLook`.
        """
        ...


@runtime_checkable
class Searchable(Protocol):
    """A source that can look into every file of a commit: a clone."""

    async def lines_with(
        self, repo: Repo, sha: str, words: Collection[str], endings: Collection[str]
    ) -> Sequence[tuple[str, str]]:
        """Return the lines that have one of some words, each with the path of its file.

        Of the files whose names end so. Raises `CouldNotLook` where not all of them can be read.
        """
        ...


@runtime_checkable
class Clone(Contents, Spans, Protocol):
    """A source of which every commit of months can be read: a clone, or an API with patience.

    What was made of its answers can be kept, so that who is interrupted goes on.
    """

    async def tree(self, repo: Repo, sha: str) -> Mapping[str, str]:
        """Return the files of a commit by path, each with a name of its content alone."""
        ...

    async def brought(
        self, repo: Repo, span: Span, tell: Steps = lambda step: None
    ) -> Sequence[Item]:
        """Return the commits of a span, oldest first, without merges.

        Their files are listed, without patches and counts of lines. One whose files could not be
        read has None.
        """
        ...

    async def releases(self, repo: Repo) -> Sequence[str]:
        """Return the tags of versions, newest first."""
        ...

    async def contents(
        self, repo: Repo, files: Sequence[FileAt], *, once: bool = False
    ) -> Mapping[FileAt, str | None]:
        """Return what `Contents` does; with `once`, of files that are not worth keeping.

        Of these it raises `RateLimited` where the requests of the hour are better left for other
        things.
        """
        ...

    async def recall(self, name: str) -> bytes | None:
        """Return what was kept under a name, None where nothing was."""
        ...

    async def keep(self, name: str, body: bytes) -> None:
        """Keep what can never change."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    `task` and `version` name the prompt file (`pick`, `1`); `about` is what it is about, an item's
    key or several. `system` is the same for every question of a task, `user` holds the evidence,
    `schema` is the JSON schema of the answer.
    """

    task: str
    version: str
    about: str
    system: str
    user: str
    schema: Mapping[str, object]
    most_output_tokens: int


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered: the text as it came, and what it cost; `kept` cost nothing now."""

    text: str
    input_tokens: int
    output_tokens: int
    kept: bool = False


class Model(Protocol):
    """A model that can be asked; each distinct request is paid for once."""

    @property
    def name(self) -> str:
        """Give the name that the server knows it by."""
        ...

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask, or give what was answered before. Raises `ModelFailed` or `BudgetSpent`."""
        ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """An HTTP answer worth keeping; `permanent` ones can never change (a commit's patch)."""

    body: bytes
    etag: str
    link: str
    permanent: bool
    checked_at: datetime


class Memory(Protocol):
    """Remembered HTTP answers by key (who asks and what is asked)."""

    async def recall(self, key: str) -> Remembered | None:
        """Give what was remembered, or None."""
        ...

    async def remember(self, key: str, answer: Remembered) -> None:
        """Keep an answer, replacing an older one."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """The default branch and the SHA of its head, as stored when it was looked at (UTC)."""

    branch: str
    head: str
    at: datetime


SeenSince: TypeAlias = Callable[[Repo, datetime], Awaitable[tuple[Seen, ...]]]
"""Gives what was seen of a repository, newest first: the last of all, and all since a moment."""


NoteVisibility: TypeAlias = Callable[[frozenset[Repo], bool], Awaitable[None]]
"""Told the names of a repository (asked for, and as it is now) and whether it is private."""


Withheld: TypeAlias = Callable[[], Awaitable[frozenset[str]]]
"""Gives the names, in lower case, of which nothing stored may be told."""


Progress: TypeAlias = Callable[[str], None]
"""Told one short line before each slow step; does nothing where nobody watches."""
