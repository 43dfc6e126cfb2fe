"""What concerns a channel: words by hand, surfaces that were given, and public codebases.

::

    concern                                           what is said, and how it was read last
    concern models Qwen3, DeepSeek-V4 flags --tp …    words by hand; `models nothing` clears
            hardware … paths … symbols … pins …
    concern add OWNER/NAME of vllm                    a public codebase, read every day
    concern add https://…/own.toml                    a public file of a surface, read every day
    concern remove NAME|words|all
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from bot.model.channels import Channel
from bot.model.commands import InLanguage, nearest, shown
from bot.model.references import read_repo
from digest.concern.surface import Surface, SurfaceWords, upstream
from digest.errors import UsageError
from digest.models import Repo
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY

MOST = 10
"""Concerns of one channel; each is read once a day."""

MOST_WORDS = 50
LONGEST_WORD = 100
MOST_MEGABYTES = 8
"""Of a file that is given: vllm-ascend's, with 7,500 uses, has one."""

BY_HAND = "words"
"""The name of the concern that people write."""

EVERY = timedelta(days=1)
LISTS = tuple(each.name for each in fields(SurfaceWords))
NOTHING = ("nothing", "none", "无")
EXAMPLE = "concern models Qwen3, DeepSeek-V4"

_ADDRESS = re.compile(r"https://[!-~]{3,500}")
_COMMAS = re.compile(r"\s*[,，、]\s*")


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that concerns a channel; `name` is its only one of that name there.

    `repo` is a public codebase that is read every day, and `of` the upstream repository as it was
    asked for; `url` is the public address of a file of a surface that is. None and empty for words
    and for a file that was given. `read_at` is when the surface was read, None before the first
    time; `trouble` says why the last reading failed: the surface is then the one before.
    `was_private` tells that a file was given where not everybody of the workspace could read.
    """

    channel: Channel
    name: str
    surface: Surface
    repo: Repo | None = None
    of: str = ""
    read_at: datetime | None = None
    trouble: Phrase | None = None
    url: str = ""
    was_private: bool = False

    @property
    def is_file(self) -> bool:
        """Return whether it is a file that was given, which may be of private code."""
        return self.repo is None and not self.url and self.name != BY_HAND

    @property
    def is_fetched(self) -> bool:
        """Return whether it is read again every day."""
        return self.repo is not None or bool(self.url)


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that somebody uploaded: its name, and where its platform has it."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class ShowConcern(InLanguage):
    """What concerns this channel."""


@dataclass(frozen=True, slots=True)
class ChangeWords(InLanguage):
    """Set lists of words by hand; an empty list clears it, one that is not named stays."""

    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AddCodebase(InLanguage):
    """Read a public codebase every day: what it uses of `of`, empty for the one it uses."""

    repo: Repo
    of: str = ""


@dataclass(frozen=True, slots=True)
class AddFile(InLanguage):
    """Read the file of a surface at a public address every day."""

    url: str


@dataclass(frozen=True, slots=True)
class RemoveConcern(InLanguage):
    """Take a concern away by its name, or all for none."""

    name: str = ""


ConcernCommand: TypeAlias = ShowConcern | ChangeWords | AddCodebase | AddFile | RemoveConcern


def read_concern(words: Sequence[str]) -> ConcernCommand:
    """Read what follows `concern`; raises `UsageError` of one line with an example."""
    first = words[0].casefold() if words else ""
    if not first:
        return ShowConcern()
    if first == "add":
        return _add(words[1:])
    if first == "remove":
        name = " ".join(words[1:])
        if not name:
            one, every = Example("concern remove words"), Example("concern remove all")
            raise UsageError(SAY.subscribing.from_which(one, every))
        return RemoveConcern("" if name.casefold() == "all" else name)
    if first not in LISTS:
        meant = nearest(first, (*LISTS, "add", "remove")) or "models"
        given = "vllm-project/vllm-ascend of vllm" if meant == "add" else "Qwen3, DeepSeek-V4"
        example = Example(f"concern {meant} {given}")
        raise UsageError(SAY.concerns.not_a_list(shown(words[0]), example))
    return ChangeWords(read_lists(" ".join(words)))


def read_addition(text: str) -> AddCodebase | AddFile:
    """Read what follows `concern add`; raises `UsageError`."""
    return _add(text.split())


def read_lists(text: str) -> dict[str, tuple[str, ...]]:
    """Read `models Qwen3, DeepSeek-V4 flags --tp`; words are parted by commas, else by spaces.

    Raises `UsageError`.
    """
    lists: dict[str, list[str]] = {}
    current: list[str] | None = None
    for word in text.split():
        name = word.casefold()
        if name in LISTS:
            current = lists.setdefault(name, [])
        elif current is None:
            example = Example(f"concern models {shown(word)}")
            raise UsageError(SAY.concerns.say_what(shown(word), example))
        else:
            current.append(word)
    return {name: _words(name, " ".join(values)) for name, values in lists.items()}


def read_all_lists(text: str) -> ChangeWords:
    """Read lists as `read_lists` does; one that is not named is cleared. Raises `UsageError`."""
    return ChangeWords(dict.fromkeys(LISTS, ()) | read_lists(text))


def _words(name: str, text: str) -> tuple[str, ...]:
    if text.casefold() in NOTHING:
        return ()
    has_comma = _COMMAS.search(text) is not None
    words = tuple(dict.fromkeys(filter(None, _COMMAS.split(text) if has_comma else text.split())))
    if not words:
        raise UsageError(SAY.subscribing.nothing_follows(name, Example(EXAMPLE)))
    if len(words) > MOST_WORDS:
        raise UsageError(SAY.concerns.too_many_words(len(words), name, MOST_WORDS))
    for word in words:
        if len(word) > LONGEST_WORD or not word.isprintable():
            raise UsageError(SAY.concerns.not_a_word(shown(word), Example(EXAMPLE)))
    return words


def _add(words: Sequence[str]) -> AddCodebase | AddFile:
    of = ""
    if len(words) > 2 and words[-2].casefold() == "of":
        of, words = words[-1], words[:-2]
        upstream(of)
    repo = read_repo(words[0]) if len(words) == 1 else None
    if repo is None and len(words) == 1 and not of and _ADDRESS.fullmatch(words[0]):
        return AddFile(words[0])
    if repo is None:
        example = Example("concern add vllm-project/vllm-ascend of vllm")
        raise UsageError(SAY.concerns.add_what(example))
    return AddCodebase(repo, of)


def with_words(
    concerns: Sequence[Concern], lists: Mapping[str, tuple[str, ...]], channel: Channel
) -> Concern:
    """Return the words by hand of a channel after lists of them were set."""
    for each in concerns:
        if each.name == BY_HAND:
            words = replace(each.surface.words, **lists)
            return replace(each, surface=replace(each.surface, words=words))
    return Concern(channel, BY_HAND, Surface(words=SurfaceWords(**lists)))


def written(words: SurfaceWords) -> str:
    """Write words as `read_lists` reads them."""
    lists = [(name, getattr(words, name)) for name in LISTS]
    # One word that holds a space would be read as several.
    return " ".join(
        f"{name} {', '.join(values)}{',' if len(values) == 1 and ' ' in values[0] else ''}"
        for name, values in lists
        if values
    )


def nothing_said() -> Phrase:
    """Say of a channel that nothing is said to concern it, and how to say so."""
    return SAY.concerns.nothing_said(Example(EXAMPLE), Example("concern add OWNER/NAME of vllm"))


def named(concerns: Sequence[Concern], name: str) -> tuple[Concern, ...]:
    """Return the concerns that a name means, all for none; raises `UsageError` where none is."""
    wanted = name.casefold()
    found = tuple(
        each
        for each in concerns
        if not wanted or wanted in (each.name.casefold(), str(each.repo or "").casefold())
    )
    if not found:
        has = tuple(each.name for each in concerns)
        if not has:
            raise UsageError(nothing_said())
        raise UsageError(SAY.concerns.none_called(shown(name), has))
    return found


def refuse_more(concerns: Sequence[Concern], name: str) -> None:
    """Raise `UsageError` where a channel has as many concerns as it may."""
    if len(concerns) >= MOST and name not in {each.name for each in concerns}:
        example = Example(f"concern remove {concerns[-1].name}")
        raise UsageError(SAY.concerns.too_many(MOST, example))


def file_name(written: str) -> str:
    """Return the name that a file, or the file at an address, has as a concern."""
    path, host = written, ""
    with suppress(ValueError):  # a file may be called like an address that is none
        if "://" in written:
            address = urlsplit(written)
            path, host = address.path, address.hostname or ""
    last = unquote(path).rpartition("/")[2]
    name = "".join(char for char in last if char.isprintable())[-LONGEST_WORD:].strip()
    name = name or host or "file"
    return f"{name}.toml" if name.casefold() in (BY_HAND, "all") else name


def codebase_name(repo: Repo, of: str) -> str:
    """Name the concern of a codebase: another upstream repository makes another concern."""
    return f"{repo} of {upstream(of).repo}" if of else str(repo)
