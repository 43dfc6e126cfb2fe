"""Reading commands asked in a channel: answered from what it may see, as far as allowances go."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial, reduce

from bot.answer.answers import Answers, Asker, Scope, resolve
from bot.model.channels import Person, Visit
from bot.model.commands import (
    CHAT_ROWS,
    Command,
    Help,
    HelpRow,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    Unwatch,
    Watch,
    Why,
    rows_about,
    span_ends,
)
from bot.model.concerns import Concern
from bot.model.followups import FollowUp
from bot.model.policy import A_PERSON, A_WORKSPACE, Visibility, cost, refusal, spend, tellable
from bot.model.policy import names as allowance_names
from bot.model.references import linked, read_repo
from bot.model.replies import HelpReply, Reply
from bot.store.store import ChannelStore
from digest.errors import BadWindow, NotFound, UnknownRepo, UsageError
from digest.languages import Language
from digest.models import KNOWN, Digest, ReadItem, Repo, Window
from digest.phrase import Example
from digest.ports import Clock
from digest.times import zone_named
from digest.wording.phrases import SAY

DAY = timedelta(days=1)

MOST_LINKS = 5
"""Changes of a message that are looked at, where it links several."""

EXAMPLE_REPOS = ("sglang", "vllm")
"""Names in the table of commands, in whose place a channel's own repositories stand."""


@dataclass(frozen=True)
class ChannelAnswers:
    """Answers reading commands for a channel; `tz` and `language` are for those who have none."""

    answers: Answers
    store: ChannelStore
    visibility: Visibility
    clock: Clock
    tz: str
    language: Language

    async def asker(self, visit: Visit) -> Asker:
        """Return zone and language: the channel's, else the person's, else those that are set."""
        subscription = await self.store.subscriptions.of(visit.channel)
        if subscription:
            return Asker(subscription.tz, subscription.language)
        try:
            tz = zone_named(visit.person.tz or self.tz).key
        except BadWindow:  # none that this machine knows
            tz = self.tz
        return Asker(tz, language_of(visit.person) or self.language)

    async def reply(self, command: Command, visit: Visit) -> Reply:
        """Answer one reading command.

        Raises `UsageError`, `ConfigurationError` and `CouldNotLook` with a sentence each.
        """
        if isinstance(command, Watch | Unwatch):
            raise UsageError(SAY.commands.all_for_command_line(Example("subscribe vllm")))
        asker = await self.asker(visit)
        if isinstance(command, Help):
            rows = rows_about(command.topic, await self._rows(visit))
            return HelpReply(rows, command.language or asker.language)
        names = await self.names(visit)
        subscription = await self.store.subscriptions.of(visit.channel)
        known = {str(repo).casefold() for repo in names.values()}
        named = read_repo(command.repo) if isinstance(command, ShowDigest | Why) else None
        units = cost(
            command,
            self._days(command, asker),
            is_foreign=named is not None and str(named).casefold() not in known,
        )
        await self.spend(units, visit)
        own = [
            r for r in (subscription.repos if subscription else ()) if str(r).casefold() in known
        ]
        scope = Scope(
            names,
            tuple(own or dict.fromkeys(names.values())),
            is_narrow=True,
            may_hear=partial(self.may_hear, visit=visit),
        )
        return await self.answers.answer(command, asker, scope)

    def _days(self, command: Command, asker: Asker) -> int:
        """Return how many days a command reaches."""
        if not isinstance(command, ShowDigest | ShowRoundup):
            return 1
        window = self.answers.window(command.when, asker)
        return -(-(window.end - window.start) // DAY)

    async def changes(
        self, typed: str, repo: str, visit: Visit, limit: int
    ) -> tuple[ReadItem, ...]:
        """Return changes already told that hold what was typed, of one repository or of all.

        Nothing typed, and a repository that is none, give nothing. Raises `StoreFailed`.
        """
        if not any(letter.isalnum() for letter in typed):
            return ()
        try:
            named = [await self.repo(repo, visit)] if repo else None
            repos = named or (await self.names(visit)).values()
            return await self.answers.search(typed, repos, limit)
        except UsageError:
            return ()

    async def linked(self, text: str, visit: Visit) -> tuple[tuple[Repo, str], ...]:
        """Return the changes that a text links, of repositories that can be asked for by a name.

        Raises `UsageError` for who has asked too much.
        """
        names = (await self.names(visit)).values()
        known = {str(repo).casefold(): repo for repo in names}
        found = [(known.get(each.repo.casefold()), each.ref) for each in linked(text)]
        meant = tuple((repo, ref) for repo, ref in found if repo)[:MOST_LINKS]
        for repo, ref in meant:
            await self.spend(cost(ShowChange(str(repo), ref)), visit)
        return meant

    async def names(self, visit: Visit) -> Mapping[str, Repo]:
        """Return every repository that a person of a channel can ask for by a short name."""
        subscription = await self.store.subscriptions.of(visit.channel)
        own = subscription.repos if subscription else ()
        names = dict(await self.answers.names())
        for repo in own:
            if repo not in names.values():
                names.setdefault(repo.name.casefold(), repo)
        hidden = await self.hidden(names.values(), visit)
        return {alias: repo for alias, repo in names.items() if repo not in hidden}

    async def may_hear(self, repo: Repo, visit: Visit) -> bool:
        """Return whether a person of a channel may hear of a repository."""
        return await self.visibility.may_hear(repo, visit)

    async def hidden(self, repos: Iterable[Repo], visit: Visit) -> tuple[Repo, ...]:
        """Return those of repositories that a person of a channel may not hear of."""
        return tuple([repo for repo in repos if not await self.may_hear(repo, visit)])

    async def seen_concerns(self, visit: Visit) -> tuple[Concern, ...]:
        """Return what concerns a channel, as far as a person in it may hear of it."""
        may_hear = self.visibility.may_hear_concern
        concerns = await self.store.concerns.of(visit.channel)
        return tuple([each for each in concerns if await may_hear(each, visit)])

    async def spend(self, units: int, visit: Visit) -> None:
        """Spend what something costs; raises `UsageError` where nothing is left, `StoreFailed`.

        Who runs the bot, and has no id on the platform, is not limited.
        """
        if not units or not visit.person.id:
            return
        workspace, own = allowance_names(visit)
        now = self.clock()

        def decide(
            known: dict[str, datetime],
        ) -> tuple[dict[str, datetime], tuple[timedelta, timedelta]]:
            shared, shared_wait = spend(known.get(workspace), units, A_WORKSPACE, now)
            mine, wait = spend(known.get(own), units, A_PERSON, now)
            spent = {} if wait or shared_wait else {workspace: shared, own: mine}
            return spent, (wait, shared_wait)

        wait, shared_wait = await self.store.timestamps.decide((workspace, own), decide)
        if wait or shared_wait:
            raise refusal(max(wait, shared_wait), own=wait >= shared_wait)

    async def visible(self, followups: Sequence[FollowUp], visit: Visit) -> list[FollowUp]:
        """Return those whose repositories a person of a channel may still be told of."""
        may_hear = partial(self.may_hear, visit=visit)
        keys = await tellable((each.item_key for each in followups), may_hear)
        return [each for each in followups if each.item_key in keys]

    async def repo(self, name: str, visit: Visit) -> Repo:
        """Return the repository that is meant; raises `UnknownRepo` also where it is hidden."""
        repo = resolve(name, await self.names(visit))
        await self.refuse_hidden(repo, visit)
        return repo

    async def refuse_hidden(self, repo: Repo, visit: Visit) -> None:
        """Raise `UnknownRepo` for a repository that a person of a channel may not hear of."""
        if not await self.may_hear(repo, visit):
            raise UnknownRepo(SAY.github.no_repo(repo))

    async def digest(self, repo: Repo, window: Window, visit: Visit) -> Digest:
        """Return the digest that a button means.

        Raises `UnknownRepo` where the repository is hidden, `NotFound`, and `UsageError` where the
        names of a span mean other commits by now (a tag that moved, a branch).
        """
        await self.refuse_hidden(repo, visit)
        if ends := span_ends(window.label):
            digest = await self.answers.pipeline.span(repo, *ends, window.tz)
            now = digest.reading.window
            if max(abs(now.start - window.start), abs(now.end - window.end)) > _A_SECOND:
                raise UsageError(SAY.followups.old_button)
            return digest
        roundup = await self.answers.roundup((repo,), window)
        if not roundup.digests:
            raise NotFound(reduce(SAY.chat.both, (why for _, why in roundup.failed)))
        return roundup.digests[0]

    async def _rows(self, visit: Visit) -> tuple[HelpRow, ...]:
        """Return table of commands with examples of what a person hears of the channel's own."""
        subscription = await self.store.subscriptions.of(visit.channel)
        repos = subscription.repos if subscription else ()
        hidden = await self.hidden(repos, visit)
        aliases = {repo: alias for alias, repo in reversed(list(KNOWN.items()))}
        own = [aliases.get(repo, str(repo)) for repo in repos if repo not in hidden]
        return tuple(replace(row, example=_with(row.example, own)) for row in CHAT_ROWS)


_A_SECOND = timedelta(seconds=1)
"""Buttons keep moments in whole seconds."""


def language_of(person: Person) -> Language | None:
    """Return the language of a person, if digests are written in it."""
    spoken = (person.language or "").casefold()[:2]
    return Language(spoken) if spoken in tuple(Language) else None


def _with(example: str, repos: Sequence[str]) -> str:
    """Put a channel's repositories into an example; numbers of theirs are not known here."""
    words = example.split()
    if any(word.isdigit() for word in words):
        return example
    instead = dict(zip(EXAMPLE_REPOS, [*repos, *repos], strict=False))
    return " ".join(dict.fromkeys(instead.get(word, word) for word in words))
