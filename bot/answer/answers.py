"""From a command to a reply: names become repositories, words become windows, then it is asked."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias, assert_never

from bot.model.commands import (
    CHANNEL_WORDS,
    DEFAULT_WHEN,
    READING_ROWS,
    READING_WORDS,
    Ask,
    Command,
    Help,
    ListRepos,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    Unwatch,
    Watch,
    Why,
    example_of,
    nearest,
    rows_about,
    shown,
)
from bot.model.references import read_repo
from bot.model.replies import (
    AnalysisReply,
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    QueryReply,
    Reply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from digest.concern.ripple import RippleHistory
from digest.concern.surface import Surface
from digest.editing.plain_words import ModelAsking
from digest.errors import UnknownRepo, UsageError
from digest.languages import Language
from digest.model_answers import OfModel
from digest.models import KNOWN, Digest, ReadItem, Repo, Roundup, Window
from digest.phrase import Example, Phrase
from digest.ports import Bounded, Clock
from digest.query.query import Found, Query
from digest.query.reading import read_question, written_in, written_names
from digest.windows import days
from digest.windows import parse as parse_window
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    from digest.pipeline import Pipeline  # slow to import, and help needs none

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
NAMELESS_OWNER = "local"
"""The owner that `digest.sources.git` gives to a clone without remote."""


def resolve(name: str, names: Mapping[str, Repo]) -> Repo:
    """Give the repository of an alias in any case, of `OWNER/NAME`, or of its address.

    `names` are the known aliases in lower case. A full name that is known in another spelling
    takes the known one. Raises `UnknownRepo` with the nearest name.
    """
    known = names.get(name.casefold())
    if known:
        return known
    named = read_repo(name)
    if named is None:
        raise UnknownRepo(SAY.repositories.unknown(shown(name), _hint(name, names)))
    folded = str(named).casefold()
    return next((repo for repo in names.values() if str(repo).casefold() == folded), named)


def resolve_only(name: str, only: Repo, names: Mapping[str, Repo]) -> Repo:
    """Give `only`, the one repository that a local source holds, if `name` means it.

    A clone without remote has no name of its own (`local/FOLDER`) and takes any that is asked for.
    """
    named = names.get(name.casefold()) or read_repo(name)
    asked = str(named).casefold() if named else name.casefold()
    if asked in {str(only).casefold(), only.name.casefold(), "."}:
        return only
    if only.owner == NAMELESS_OWNER and named:
        return named
    if only.owner == NAMELESS_OWNER and (meant := nearest(name, tuple(names))):
        hint = SAY.commands.did_you_mean(Example(meant))
        raise UnknownRepo(SAY.repositories.unknown(shown(name), hint))
    instead = only if only.name.casefold() in names else only.name
    raise UnknownRepo(SAY.repositories.only_this_not(only, shown(name), instead))


def _hint(name: str, names: Mapping[str, Repo]) -> Phrase:
    known = (*READING_WORDS, *CHANNEL_WORDS, "status")
    words = tuple(word for word in known if "watch" not in word)
    is_word = name.casefold() in words
    if not is_word and (meant := nearest(name, words)):
        return SAY.commands.did_you_mean(example_of(meant))
    if not is_word and (meant := nearest(name, tuple(names))):
        return SAY.commands.did_you_mean(Example(meant))
    return SAY.repositories.write(tuple(names))


MayHear: TypeAlias = Callable[[Repo], Awaitable[bool]]
"""Tells whether a repository may be told of."""


async def everybody(repo: Repo) -> bool:
    """Tell that a repository may be told of: who asks runs the program."""
    return True


FOUND = 20
"""Items that a search gives."""

IN_REPO = "repo:"
"""Ends a search with the one repository that is searched."""

SEARCHED = 200
"""Found items among which those of a channel's repositories are looked for."""


AskedOf: TypeAlias = Callable[[Repo, ReadItem], Awaitable[OfModel]]
"""Gives what a model was asked about an item of a repository, and what it made of it."""


class WatchedRepos(Protocol):
    """Where further repositories are kept, by alias in lower case."""

    async def all(self) -> Mapping[str, Repo]:
        """Give all of them, in the order in which they were named."""
        ...

    async def watch(self, repo: Repo, alias: str, added_at: datetime) -> None:
        """Keep one more."""
        ...

    async def unwatch(self, alias: str) -> bool:
        """Forget an alias; False where there was none."""
        ...


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the zone that days are meant in, and the language of the answer."""

    tz: str
    language: Language


@dataclass(frozen=True, slots=True)
class Scope:
    """What somebody may ask of.

    `names` are the repositories that may be asked for, by alias, `own` those that are asked for
    where none is named. A search finds what is of `names`, where it `is_narrow`, and `may_hear`
    tells whether a repository may be told of at all.
    """

    names: Mapping[str, Repo]
    own: tuple[Repo, ...]
    is_narrow: bool = False
    may_hear: MayHear = everybody

    @property
    def all(self) -> tuple[Repo, ...]:
        """Every repository that may be asked for, each once."""
        return tuple(dict.fromkeys(self.names.values()))


@dataclass(frozen=True)
class Answers:
    """Answers commands from digests of a pipeline and watched repositories.

    `watched` are further repositories, None where nothing may be kept. `only` is the one repository
    of a source that holds no other (a clone, a recording). `asked` gives what a model was asked
    about an item, `asking` reads questions with it: None without one.
    """

    pipeline: "Pipeline"
    watched: WatchedRepos | None
    clock: Clock
    only: Repo | None = None
    asked: AskedOf | None = None
    asking: ModelAsking | None = None

    async def answer(self, command: Command, asker: Asker, scope: Scope | None = None) -> Reply:
        """Answer one command, of everything without a `scope`.

        The language that it names wins over the asker's, and so does that of a question.
        """
        language = command.language or asker.language
        scope = scope or Scope(await self.names(), await self.repos())
        known = {**scope.names, **await self._aliases()} if self.only else scope.names
        match _meant(command, known):
            case ShowDigest(name, when):
                repo, window = await self._named(name, scope), self.window(when, asker)
                return DigestReply(await self.pipeline.digest(repo, window), language)
            case ShowSpan(name, base, head):
                repo = await self._named(name, scope)
                digest = await self.pipeline.span(repo, base, head, asker.tz)
                return DigestReply(digest, language)
            case ShowRoundup(when, own=own):
                repos = scope.own if own else scope.all
                roundup = await self.roundup(repos, self.window(when, asker))
                return RoundupReply(roundup, language)
            case ShowChange(name, ref):
                repo = await self._named(name, scope)
                return ChangeReply(await self.pipeline.change(repo, ref), language)
            case Why(name, ref):
                repo = await self._named(name, scope)
                read = await self.pipeline.read_item(repo, ref)
                of_model = await self.asked(repo, read) if self.asked else OfModel()
                return WhyReply(read, language, of_model)
            case Search(words):
                return FoundReply(words, await self._found(words, scope), language)
            case Ask(text):
                language = command.language or written_in(text) or asker.language
                return await self._question(text, replace(asker, language=language), scope)
            case ListRepos():
                return ReposReply(scope.names, language)
            case Watch(repo, alias):
                return MessageReply(await self._watch(repo, alias), language)
            case Unwatch(alias):
                return MessageReply(await self._unwatch(alias), language)
            case Help(topic):
                return HelpReply(rows_about(topic, READING_ROWS), language)
            case _ as other:
                assert_never(other)

    async def _named(self, name: str, scope: Scope) -> Repo:
        """Return the repository that a name means; raises `UnknownRepo` also for a hidden one."""
        if self.only:
            return resolve_only(name, self.only, await self._aliases())
        repo = resolve(name, scope.names)
        if not await scope.may_hear(repo):
            raise UnknownRepo(SAY.github.no_repo(repo))
        return repo

    async def analysed(self, command: ShowDigest, asker: Asker) -> AnalysisReply:
        """Answer a command for a digest with its long form."""
        repo = await self.repo(command.repo)
        window = self.window(command.when, asker)
        day = await self.pipeline.analysed(repo, window)
        return AnalysisReply(day, command.language or asker.language)

    async def names(self) -> Mapping[str, Repo]:
        """Give every repository by alias: the known ones in their order, then watched ones."""
        if self.only:
            return {self.only.name.casefold(): self.only}
        return await self._aliases()

    async def _aliases(self) -> dict[str, Repo]:
        return {**KNOWN, **(await self.watched.all() if self.watched else {})}

    async def repos(self, names: Sequence[str] = ()) -> tuple[Repo, ...]:
        """Return the repositories of some names, each once; without names, every one in order."""
        if names:
            return tuple(dict.fromkeys([await self.repo(name) for name in names]))
        return tuple(dict.fromkeys((await self.names()).values()))

    async def repo(self, name: str) -> Repo:
        """Give the repository that a person means; raises `UnknownRepo`."""
        if self.only:
            return resolve_only(name, self.only, await self._aliases())
        if name.casefold() in KNOWN:
            return KNOWN[name.casefold()]
        return resolve(name, await self.names())

    async def roundup(self, repos: Sequence[Repo], window: Window) -> Roundup:
        """Give the digests of several repositories for one window."""
        if self.only:
            repo = repos[0] if repos else self.only  # by the name that a clone was asked for
            return Roundup(window, (await self.pipeline.digest(repo, window),))
        return await self.pipeline.roundup(repos, window)

    async def _found(self, words: str, scope: Scope) -> tuple[ReadItem, ...]:
        wanted, name = _narrowed(words)
        repos = (await self._named(name, scope),) if name else scope.all
        return await self.search(wanted, repos if name or scope.is_narrow else None, FOUND)

    async def search(
        self, words: str, repos: Iterable[Repo] | None, limit: int
    ) -> tuple[ReadItem, ...]:
        """Return the told items that hold words, of some repositories or of all, best first."""
        found = await self.pipeline.search(words, limit=SEARCHED)
        if repos is not None:
            within = {str(repo).casefold() for repo in repos}
            found = tuple(each for each in found if str(each.item.repo).casefold() in within)
        return found[:limit]

    async def _question(self, text: str, asker: Asker, scope: Scope) -> QueryReply | RoundupReply:
        """Answer a question in plain words from what is stored.

        Several repositories and a day alone ask for what happened in these: `vllm sglang
        yesterday`. Raises `BadWindow` for a time that there is not.
        """
        names, otherwise, may_hear = scope.names, scope.own, scope.may_hear
        if self.only and self.only.owner == NAMELESS_OWNER:
            names = {**KNOWN, **names}  # a nameless clone is told as any of them
        named = {**{str(repo).casefold(): repo for repo in names.values()}, **names}
        for each in written_names(text):
            repo = read_repo(each)
            unknown = repo is not None and each not in named
            if repo and unknown and await may_hear(repo) and await self.pipeline.is_stored(repo):
                named[each] = repo
        read = partial(read_question, text, named=named, now=self.clock(), tz=asker.tz)
        listed = read(otherwise=(), any_time=True)
        is_day = listed.names_time and len(days(listed.window)) == 1
        is_all = is_day and not (listed.kinds or listed.words or self.only)
        if is_all and len(listed.repos) > 1:
            heard = [await may_hear(repo) for repo in listed.repos]
            if all(heard):
                roundup = await self.roundup(listed.repos, listed.window)
                return RoundupReply(roundup, asker.language)
        read = partial(read, otherwise=otherwise)
        query = read(any_time=self.asking is not None)

        async def find(query: Query) -> Found:
            found = await self.pipeline.found(query)
            if self.only and found.unstored:
                # Who asks does not wait until a model has edited the whole of it.
                plain = replace(self.pipeline, editing=None)
                # Of a recording, day by day: one that it lacks is no part of those that it holds.
                by_day = isinstance(plain.source, Bounded)
                for window in days(query.window) if by_day else (query.window,):
                    await plain.digest(query.repos[0], window)
                found = await self.pipeline.found(query)
            # A renamed repository is stored as it is asked for; its items have its own name.
            of = {hit.read.item.repo for hit in found.hits}
            heard = {repo: await may_hear(repo) for repo in of}
            hits = tuple(hit for hit in found.hits if heard[hit.read.item.repo])
            return replace(found, hits=hits, total=found.total - len(found.hits) + len(hits))

        found = await (self.asking.found(query, named, find) if self.asking else find(query))
        if not found.query.names_time:
            read()  # a time that the model could not read either is refused
        return QueryReply(found, asker.language)

    def window(self, when: str, asker: Asker) -> Window:
        """Give the window that a person means; raises `BadWindow`."""
        return parse_window(when, now=self.clock(), tz=asker.tz)

    def _kept(self) -> WatchedRepos:
        if self.watched is None:
            raise UsageError(SAY.database.needs_store)
        return self.watched

    async def _watch(self, repo: Repo, alias: str) -> Phrase:
        if self.only:
            raise UsageError(SAY.repositories.only_this(self.only))
        taken = (await self.names()).get(alias)
        if taken and str(taken).casefold() != str(repo).casefold():
            other = f"{repo.owner.casefold()}-{alias}"
            raise UsageError(SAY.repositories.alias_taken(alias, taken, repo, other))
        known = resolve(str(repo), await self.names())
        if alias not in KNOWN:
            await self._kept().watch(known, alias, self.clock())
        return SAY.repositories.watched(known, alias)

    async def _unwatch(self, alias: str) -> Phrase:
        if not await self._kept().unwatch(alias):
            watched = ", ".join(await self._kept().all())
            hint = f"watched are {watched}" if watched else "nothing is watched"
            raise UsageError(SAY.repositories.no_alias(shown(alias), hint))
        return SAY.repositories.not_watched(alias)


def _meant(command: Command, names: Mapping[str, Repo]) -> Command:
    """Give `attention this week` as a question: a time, and a word that is near no repository.

    A day that is written out belongs to a repository, also one that is not known.
    """
    if not isinstance(command, ShowDigest) or command.when == DEFAULT_WHEN:
        return command
    known = {".", *KNOWN, *names}
    if command.repo.casefold() in known or _DAY.match(command.when):
        return command
    near = nearest(command.repo, (*names, *READING_WORDS))
    if read_repo(command.repo) or (near and command.repo.casefold() not in near):
        return command
    return Ask(f"{command.repo} {command.when}", language=command.language)


def _narrowed(words: str) -> tuple[str, str]:
    """Part `words repo:NAME` into what is looked for and the repository's name, if it is there."""
    head, mark, name = words.rpartition(IN_REPO)
    is_one = bool(mark) and name and " " not in name and (not head or head.endswith(" "))
    return (head.strip(), name) if is_one else (words, "")


async def with_concerns(
    reply: Reply,
    surfaces: Sequence[Surface],
    ripple_history: RippleHistory,
    may_hear: Callable[[Repo], Awaitable[bool]],
) -> Reply:
    """Give a reply with surfaces and ripples, where it is of digests and there are surfaces.

    `may_hear` tells which repositories may be told of.
    """
    digests: tuple[Digest, ...]
    match reply:
        case RoundupReply(roundup):
            digests = roundup.digests
        case DigestReply(digest):
            digests = (digest,)
        case AnalysisReply(day):
            digests = (day.digest,)
        case _:
            return reply
    if not surfaces:
        return reply
    readings = [digest.reading for digest in digests]
    ripples = await ripple_history.of(readings, surfaces, may_hear) if readings else ()
    return replace(reply, surfaces=tuple(surfaces), ripples=ripples)
