"""What a channel gets and what concerns it, shown and changed by people: by commands and a form."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import islice
from typing import assert_never

from bot.answer.answers import Asker
from bot.answer.channel_answers import ChannelAnswers
from bot.compose.chat_reply import ChatReply, sentence
from bot.compose.welcome import hour_and_end
from bot.deliver.background import FetchFile
from bot.deliver.posting import Sharing
from bot.deliver.subscriber_notices import Absence, absent, kind_of
from bot.model import slots
from bot.model.channel_commands import Pause, Quiet, Resume, Subscribe, Unsubscribe
from bot.model.channels import OPERATOR, Channel, Person, Platform, Visit
from bot.model.commands import ShowDigest
from bot.model.concerns import (
    BY_HAND,
    EVERY,
    AddCodebase,
    AddFile,
    ChangeWords,
    Concern,
    ConcernCommand,
    RemoveConcern,
    ShowConcern,
    codebase_name,
    file_name,
    named,
    nothing_said,
    refuse_more,
    with_words,
    written,
)
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.policy import Policy, may_change
from bot.model.ports import ChannelGone, NoPermission, PublishError
from bot.model.settings_form import FilledForm, SettingsForm
from bot.model.subscriptions import Subscription, begun, changed, paused, resumed, without_repos
from bot.store.store import ChannelStore
from bot.wording.channel_words import as_command, described, log_line, next_morning, state
from digest.concern.surface import Surface, SurfaceWords
from digest.errors import BadAnswer, RateLimited, StoreFailed, Unreachable, UsageError
from digest.executor import DRAWING, in_executor
from digest.languages import Language
from digest.models import KNOWN, Repo
from digest.phrase import NOTHING, Example, Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Foreign, Paragraph, Runs, Tone, Typed, Words
from digest.writing.rules import plain

MOST_TO_BEGIN_WITH = 10
"""Repositories that a new channel is offered by buttons: two rows of them on Discord."""

MOST_LOGGED = 8
"""Lines of a channel's log beside its settings."""

SUBSCRIBES = "subscribe"
"""How a command begins that a button holds."""

SEVERAL = 3
"""Repositories from which on one thread for all of them is offered."""

ALL = "all"
"""What a channel gives up at once, on a button."""

TO_BEGIN_WITH = Example("subscribe vllm sglang")
NONE = SAY.subscribing.nothing_yet(TO_BEGIN_WITH)


@dataclass(frozen=True)
class ChannelSettings:
    """Changes channels in the name of people. Methods raise `InfraError` with a sentence."""

    reading: ChannelAnswers
    store: ChannelStore
    sharing: Sharing
    policy: Policy
    clock: Clock
    fetch: FetchFile

    async def subscribe(self, command: Subscribe, visit: Visit) -> ChatReply:
        """Add repositories and change what is named; a new channel is told at once or later."""
        self.refuse_others(visit.person)
        repos = [await self.reading.repo(name, visit) for name in command.repos]
        return await self._save(command, visit, repos)

    async def unsubscribe(self, command: Unsubscribe, visit: Visit) -> ChatReply:
        """Take repositories away, all for none named."""
        self.refuse_others(visit.person)
        language = command.language or await self.language(visit)
        repos = [await self.reading.repo(name, visit) for name in command.repos]
        shown = await self.seen(visit)
        left = await self.store.subscriptions.change(
            visit.channel,
            lambda current: without_repos(current, repos, shown.repos if shown else ()),
        )
        if left is None:
            return ChatReply.line(SAY.subscribing.ended, language)
        return _gets(await self._told(left, visit), left, language)

    async def really_all(self, command: Unsubscribe, visit: Visit) -> ChatReply | None:
        """Ask once before a channel gives up everything; None where there is nothing to give up."""
        self.refuse_others(visit.person)
        subscription = await self.seen(visit)
        if subscription is None:
            return None
        language = command.language or await self.language(visit)
        reply = ChatReply.line(SAY.subscribing.really_all(subscription.repos), language)
        label = CATALOGUES[language].subscribing.end_all
        return reply.offering(Action(ActionKind.UNSUBSCRIBE_ALL, ALL, label))

    async def pause(self, command: Pause, visit: Visit) -> ChatReply:
        """Send nothing to a channel until somebody resumes it."""
        self.refuse_others(visit.person)
        language = command.language or await self.language(visit)
        now, before = self.clock(), await self.store.subscriptions.of(visit.channel)
        await self.store.subscriptions.change(visit.channel, lambda current: paused(current, now))
        reply = ChatReply.line(SAY.subscribing.paused_until(Example("resume")), language)
        return replace(reply, is_personal=bool(before and before.paused and not before.absence))

    async def resume(self, command: Resume, visit: Visit) -> ChatReply:
        """Go on with a channel, whoever paused it; what was due meanwhile is told in one thread."""
        self.refuse_others(visit.person)
        language = command.language or await self.language(visit)
        now, before = self.clock(), await self.store.subscriptions.of(visit.channel)
        after = await self.store.subscriptions.change(
            visit.channel, lambda current: resumed(current, now)
        )
        assert after is not None  # `resumed` gives one
        gets = _gets(await self._told(after, visit), after, language)
        caught_up = CATALOGUES[language].subscribing.caught_up
        follows = caught_up if slots.due(after, now) else self._next(after, language)
        reply = _going_on(gets, follows)
        return replace(reply, is_personal=bool(before and not before.paused))

    async def listed(self, visit: Visit, language: Language) -> ChatReply:
        """Say what a channel gets, when the next thread is due, and what is wrong."""
        subscription = await self.seen(visit)
        if subscription is None:
            return ChatReply.line(NONE, language)
        say = CATALOGUES[language]
        text = say.subscribing.changed(described(subscription, language))
        how = state(subscription, self.clock(), language, errors=False)
        reply = ChatReply.line((Words(text + say.gap), *how), language)
        if not subscription.paused:
            return reply
        # What is away is looked at once a day, and heard of by most platforms.
        by_itself, by_command = SAY.subscribing.back_by_itself, SAY.subscribing.goes_on
        goes_on = (by_itself if subscription.absence else by_command)(Example("resume"))
        return reply.below(Paragraph(sentence(goes_on, language)))

    async def seen(self, visit: Visit) -> Subscription | None:
        """Return what a channel gets as far as a person may hear of it."""
        return await self._seen(await self.store.subscriptions.of(visit.channel), visit)

    async def seen_or_begun(self, visit: Visit) -> Subscription:
        """Return what `seen` does, or what a channel begins with: no repositories, its zone."""
        if subscription := await self.seen(visit):
            return subscription
        asker = await self.reading.asker(visit)
        return begun(visit.channel, visit.person, self.clock(), asker.tz, asker.language)

    async def settings(self, visit: Visit, language: Language) -> ChatReply:
        """Return the settings as a form, and as the command that gives the same.

        Who may change them, and hear of all that the channel gets, sees what happened lately.
        """
        subscription = await self.seen_or_begun(visit)
        concerns = await self.reading.seen_concerns(visit)
        now, how_it_is = self.clock(), []
        if subscription.repos:
            command, how = as_command(subscription), state(subscription, now, language)
            how_it_is.append(plain(state(subscription, now, subscription.language)))
            blocks = (Paragraph((Typed(command),)), Paragraph(how))
            part = Part(PartKind.NOTICE, blocks, summary=command)
            reply = ChatReply((part,), language)
        elif (
            visit.person.name != OPERATOR
            and may_press(visit.person)
            and not self._refusal(visit.person)
        ):
            aliases = await self.reading.names(visit)
            which = SAY.subscribing.which_first(TO_BEGIN_WITH)
            reply = ChatReply.line(which, language).offering(*_to_begin_with(aliases))
        else:
            reply = ChatReply.line(NONE, language)
        lately = await self._lately(visit, concerns, language)
        reply = reply.below(*(Paragraph((Foreign(each),), Tone.SMALL) for each in lately))
        form = SettingsForm(
            subscription,
            written(await self._words(visit.channel)),
            tuple(each.name for each in concerns if each.name != BY_HAND),
            "\n".join((*how_it_is, *lately)),
        )
        return replace(reply, form=form)

    async def _lately(
        self, visit: Visit, seen: Sequence[Concern], language: Language
    ) -> tuple[str, ...]:
        subscription = await self.store.subscriptions.of(visit.channel)
        repos = subscription.repos if subscription else ()
        hidden = await self.reading.hidden(repos, visit)
        if (
            hidden
            or len(seen) < len(await self.store.concerns.of(visit.channel))
            or self._refusal(visit.person)
        ):
            return ()
        tz = (await self.reading.asker(visit)).tz
        entries = await self.store.log.of(visit.channel, MOST_LOGGED)
        lines = tuple(log_line(each, tz, language) for each in entries)
        return (CATALOGUES[language].state.lately, *lines) if lines else ()

    async def faults(self, filled: FilledForm, visit: Visit) -> Mapping[str, Phrase]:
        """Return one sentence for each field that cannot be; nothing slow is asked."""
        if refused := self._refusal(visit.person):
            return {"repos": refused.why}
        faults = dict(filled.faults)
        for name in filled.command.repos:
            try:
                await self.reading.repo(name, visit)
            except UsageError as error:
                faults.setdefault("repos", error.why)
        if not filled.command.repos:
            faults["repos"] = SAY.subscribing.no_repositories(Example("vllm sglang"))
        return faults

    async def save_form(self, filled: FilledForm, visit: Visit) -> ChatReply:
        """Set a channel as a form says: the repositories of the form and no others."""
        self.refuse_others(visit.person)
        if filled.faults:
            raise UsageError(next(iter(filled.faults.values())))
        current = await self.store.subscriptions.of(visit.channel)
        repos = [await self.reading.repo(name, visit) for name in filled.command.repos]
        # What the form may not show stays as it is.
        repos += await self.reading.hidden(current.repos if current else (), visit)
        return await self._save(filled.command, visit, repos, only=True)

    async def _save(
        self, command: Subscribe, visit: Visit, repos: Sequence[Repo], *, only: bool = False
    ) -> ChatReply:
        asker = await self.reading.asker(visit)
        asker = Asker(command.tz or asker.tz, command.language or asker.language)
        language = asker.language
        current = await self.store.subscriptions.of(visit.channel)
        await self._refuse_missing(repos, current, asker)
        if visit.channel.platform is not Platform.DISCORD and (command.publish or command.mention):
            raise UsageError(SAY.subscribing.discord_only)
        now = self.clock()
        if wrong := slots.doubt(now):
            raise wrong
        unreached = await self._unreached(visit.channel)

        def decide(stored: Subscription | None) -> Subscription:
            after = changed(
                stored,
                command,
                repos=repos,
                channel=visit.channel,
                person=visit.person,
                now=now,
                tz=asker.tz,
                language=language,
                only=only,
            )
            after = after if stored or command.show else slots.unshown(after, now)
            if unreached is None:
                return after
            return absent(after, kind_of(unreached) or Absence.REFUSED, unreached.why)

        shown_at_once = (lambda stored: slots.first(stored, now)) if command.show else None
        after = await self.store.subscriptions.change(
            visit.channel, decide, shown_at_once=shown_at_once, now=now
        )
        assert after is not None  # `decide` gives one
        shown = await self._told(after, visit)
        words = CATALOGUES[language].subscribing
        if unreached:
            text: str | Phrase = unreached.why
            if shown:
                what = described(replace(shown, paused=NOTHING, last_error=NOTHING), language)
                text = words.unreached(what, unreached.line(language))
            return _offering(ChatReply.line(text, language, failed=True), after, current)
        is_begun = current is None and command.show
        follows: str | Runs = self._next(after, language)
        if is_begun:
            follows = words.unless_quiet if after.quiet is Quiet.NOTHING else words.first_follows
        unmet = await self.sharing.unmet(after)
        missing = [
            CATALOGUES[language].localized(SAY.subscribing.not_had(each.why)) for each in unmet
        ]
        reply = _going_on(_gets(shown, after, language), follows, *missing)
        if is_begun:
            reply = reply.below(hour_and_end(language))
        # Of what changes nothing nobody else has to hear.
        if current and (as_command(current), current.paused) == (as_command(after), after.paused):
            return replace(reply, is_personal=True)
        return _offering(reply, after, current)

    async def _refuse_missing(
        self, repos: Sequence[Repo], current: Subscription | None, asker: Asker
    ) -> None:
        """Look at repositories that nobody has vouched for.

        Raises `NotFound` or `Forbidden` for one that is not there.
        """
        vouched = {*KNOWN.values(), *(current.repos if current else ())}
        for repo in repos:
            if repo in vouched:
                continue
            try:
                await self.reading.answers.answer(ShowDigest(str(repo)), asker)
            except (RateLimited, BadAnswer, Unreachable, StoreFailed):
                continue  # its first thread will say so

    async def _seen(self, subscription: Subscription | None, visit: Visit) -> Subscription | None:
        """Return a subscription with what a person may hear of; None where that is nothing."""
        if subscription is None:
            return None
        hidden = await self.reading.hidden(subscription.repos, visit)
        return _without(subscription, hidden)

    async def _told(self, subscription: Subscription, visit: Visit) -> Subscription | None:
        """Return what a person may hear of and everybody who reads the channel, too.

        That a channel was changed is posted there, also where its mornings go on to others.
        """
        seen = await self._seen(subscription, visit)
        may_show = self.reading.visibility.may_show
        repos = seen.repos if seen else ()
        hidden = [repo for repo in repos if not await may_show(repo, visit.channel)]
        return _without(seen, hidden) if seen else None

    async def _unreached(self, channel: Channel) -> PublishError | None:
        """Return why nothing can be posted to a channel, if its platform tells that by now."""
        try:
            await self.sharing.reach(channel)
        except (ChannelGone, NoPermission) as error:
            return error
        except PublishError:
            return None  # its first thread will say so
        return None

    async def concern(self, command: ConcernCommand, visit: Visit) -> ChatReply:
        """Show or change what concerns a channel; what it is afterwards is told."""
        language = command.language or await self.language(visit)
        if not isinstance(command, ShowConcern):
            self.refuse_others(visit.person)
        concerns = await self.store.concerns.of(visit.channel)
        taken: tuple[str, ...] = ()
        match command:
            case ShowConcern():
                pass
            case ChangeWords(lists):
                concern = with_words(concerns, lists, visit.channel)
                if concern.surface == Surface():
                    await self.store.concerns.remove(visit.channel, concern.name)
                else:
                    await self._keep(concern)
            case AddCodebase(repo, of):
                await self.reading.refuse_hidden(repo, visit)
                name = codebase_name(repo, of)
                known = (each for each in concerns if each.name == name and each.repo)
                concern = next(known, Concern(visit.channel, name, Surface(), repo, of))
                await self._keep(concern, self.clock())
            case AddFile(url):
                name, now = file_name(url), self.clock()
                surface = await _read_surface(await self.fetch(url, ""), name)
                concern = Concern(visit.channel, name, surface, url=url, read_at=now)
                await self._keep(concern, now + EVERY)
            case RemoveConcern(name):
                seen = await self.reading.seen_concerns(visit)
                for each in named(seen if name else concerns, name):
                    await self.store.concerns.remove(visit.channel, each.name)
                    taken += (each.name,) if each in seen else ()
            case _:
                assert_never(command)
        return await self._concerns_shown(visit, language, taken)

    async def give(self, name: str, text: str, visit: Visit) -> ChatReply:
        """Keep the text of a surface's file under a name, in place of one of that name."""
        self.refuse_others(visit.person)
        surface = await _read_surface(text, name)
        name = BY_HAND if not surface.of and not surface.uses else file_name(name)
        is_private = await self.reading.visibility.is_private(visit.channel)
        await self._keep(
            Concern(visit.channel, name, surface, read_at=self.clock(), was_private=is_private)
        )
        return await self._concerns_shown(visit, await self.language(visit))

    async def not_so_yet(
        self, commands: Sequence[ConcernCommand], channel: Channel
    ) -> list[ConcernCommand]:
        """Return commands without the one that sets words to what they are."""
        as_it_is = ChangeWords(asdict(await self._words(channel)))
        return [each for each in commands if each != as_it_is]

    async def _words(self, channel: Channel) -> SurfaceWords:
        """Return the words by hand."""
        concerns = await self.store.concerns.of(channel)
        by_hand = (each.surface.words for each in concerns if each.name == BY_HAND)
        return next(by_hand, SurfaceWords())

    async def _keep(self, concern: Concern, due_at: datetime | None = None) -> None:
        refuse_more(await self.store.concerns.of(concern.channel), concern.name)
        await self.store.concerns.save(concern, due_at)

    async def _concerns_shown(
        self, visit: Visit, language: Language, taken: Sequence[str] = ()
    ) -> ChatReply:
        """Say what concerns a channel; `taken` are names of what was just taken away."""
        stored = await self.store.concerns.of(visit.channel)
        concerns = await self.reading.seen_concerns(visit)
        say = CATALOGUES[language].concerns
        lines = [say.taken(CATALOGUES[language].comma.join(taken))] if taken else []
        lines += [_described(each, language) for each in concerns]
        silent = sum(each.is_file for each in stored) - sum(each.is_file for each in concerns)
        if silent:
            lines.append(say.files_not_told(silent))
        if not lines:
            return ChatReply.line(nothing_said(), language)
        blocks = tuple(Paragraph((Words(line),)) for line in lines)
        return ChatReply((Part(PartKind.NOTICE, blocks, summary=lines[0]),), language)

    def refuse_others(self, person: Person) -> None:
        """Raise `UsageError` for a person who may change nothing here."""
        if refused := self._refusal(person):
            raise refused

    def _refusal(self, person: Person) -> UsageError | None:
        if may_change(person, self.policy):
            return None
        say = SAY.subscribing
        return UsageError(say.stranger if person.is_stranger else say.may_not)

    def _next(self, subscription: Subscription, language: Language) -> Runs:
        if subscription.paused:
            return state(subscription, self.clock(), language, errors=False)
        return next_morning(subscription, self.clock(), language)

    async def language(self, visit: Visit) -> Language:
        """Return the channel's language, else the person's, else the one that is set."""
        return (await self.reading.asker(visit)).language


async def _read_surface(text: str, name: str) -> Surface:
    """Read the file of a surface; raises `UsageError` also where it says nothing."""
    surface = await in_executor(lambda: Surface.read(text), DRAWING)
    if not surface.uses and surface.words == SurfaceWords():
        raise UsageError(SAY.concerns.uses_nothing(name))
    return surface


def _described(concern: Concern, language: Language) -> str:
    """Say one concern in a sentence without its full stop."""
    surface, words = concern.surface, CATALOGUES[language]
    say = words.concerns
    if concern.name == BY_HAND or (concern.read_at and not surface.uses):
        description = say.by_hand(concern.name, written(surface.words))
    elif concern.read_at:
        names = len({(use.kind, use.name) for use in surface.uses})
        places = len(surface.uses)
        date = concern.read_at.date()
        description = say.used(concern.name, surface.of, f"{names:,}", f"{places:,}", date)
    else:
        description = concern.name if concern.trouble else say.unread(concern.name)
    if concern.trouble:
        return say.and_failed(description, words.localized(concern.trouble).partition("\n")[0])
    return description


def may_press(person: Person) -> bool:
    """Return whether somebody may change a channel by a button that everybody can press.

    Discord gives the commands that change one to those with Manage Channels, and asks nobody who
    presses a button. https://discord.com/developers/docs/interactions/application-commands
    """
    return person.platform is not Platform.DISCORD or person.may_manage


def _without(subscription: Subscription, hidden: Collection[Repo]) -> Subscription | None:
    """Return a subscription without repositories; None where nothing is left.

    An error may name them, and is left out with them.
    """
    seen = tuple(repo for repo in subscription.repos if repo not in hidden)
    error = NOTHING if hidden else subscription.last_error
    return replace(subscription, repos=seen, last_error=error) if seen else None


def _gets(shown: Subscription | None, whole: Subscription, language: Language) -> ChatReply:
    """Say what a channel gets as far as it is `shown`; where nothing may be, how many there are."""
    words = CATALOGUES[language]
    if shown is None:
        return ChatReply.line(words.thread.withheld(len(whole.repos)), language)
    return ChatReply.line(words.subscribing.changed(described(shown, language)), language)


def _offering(reply: ChatReply, after: Subscription, before: Subscription | None) -> ChatReply:
    """Offer one thread for all to who comes to have several repositories."""
    had = len(before.repos) if before else 0
    if after.one_thread or not had < SEVERAL <= len(after.repos):
        return reply
    label = CATALOGUES[reply.language].form.one_thread
    return reply.offering(Action(ActionKind.SET_UP, f"{SUBSCRIBES} one thread", label))


def _to_begin_with(names: Iterable[str]) -> tuple[Action, ...]:
    """Return buttons that subscribe a channel to a repository each."""
    some = islice(names, MOST_TO_BEGIN_WITH)
    return tuple(Action(ActionKind.SET_UP, f"{SUBSCRIBES} {name}", name) for name in some)


def _going_on(reply: ChatReply, *lines: str | Runs) -> ChatReply:
    """Say what follows a change below it: the channel's log keeps what the channel gets alone."""
    paragraphs = ((Words(line),) if isinstance(line, str) else line for line in lines if line)
    return reply.below(*map(Paragraph, paragraphs))
