"""What the digest core asks of the world: few methods, plain types."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

from digest.models import Activity, Change, Digest, FileAt, Item, Reading, Repo, Span, Window

Clock: TypeAlias = Callable[[], datetime]
"""Gives the present as an aware datetime in UTC."""


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


class Writer(Protocol):
    """Turns a reading into a digest."""

    async def write(self, reading: Reading, generated_at: datetime) -> Digest:
        """Write the digest in every language."""
        ...


class Analyst(Protocol):
    """Adds to a change what a model says of it and what was proven."""

    async def analyse(self, change: Change) -> Change:
        """Give the change with its claims; raises nothing of a model."""
        ...


class Spans(Protocol):
    """A source that knows what lies between two commits."""

    async def span(self, repo: Repo, base: str, head: str) -> Span:
        """Return what `head` has and `base` has not, each a tag or a SHA of 4 or more digits.

        Raises `NotFound` for an end that is not there, `BadWindow` where `head` has nothing that
        `base` has not, and what `collect` raises where the source cannot be asked.
        """
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


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    `task` and `version` name the prompt file (`gloss`, `1`); `about` is what it is about, an item's
    key or several. `system` is the same for every question of a task, `user` holds the evidence,
    `schema` is the JSON schema of the answer. With `only_kept` nobody is asked: an answer that is
    kept is given, or none.
    """

    task: str
    version: str
    about: str
    system: str
    user: str
    schema: Mapping[str, object]
    most_output_tokens: int
    only_kept: bool = False


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered: the text as it came, and what it cost; `kept` cost nothing now.

    `outdated` tells of a kept one that other rules of proof judged when it was given.
    """

    text: str
    input_tokens: int
    output_tokens: int
    kept: bool = False
    outdated: bool = False


class Model(Protocol):
    """A model that can be asked; each distinct request is paid for once."""

    @property
    def name(self) -> str:
        """Give the name that the server knows it by."""
        ...

    async def ask(self, request: Request) -> ModelAnswer:
        """Ask, or give what was answered before. Raises `ModelFailed` or `BudgetSpent`."""
        ...


class Glossing(Protocol):
    """Gives digests a model's proven words, in time or later."""

    def owes(self, digest: Digest, now: datetime) -> bool:
        """Tell whether a stored digest lacks words that it could have by now (UTC)."""
        ...

    async def glossed(
        self, digest: Digest, completed: Callable[[Digest], Awaitable[None]]
    ) -> Digest:
        """Give a digest, whose items have their hunks, its words.

        Where they are late it says so, and `completed` is called with the whole one later.
        """
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
