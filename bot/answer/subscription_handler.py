"""Subscriptions changed by commands and by the settings form."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from bot.answer.answers import Answers, Asker
from bot.answer.channel_answers import ChannelAnswers
from bot.compose.chat_reply import ChatReply, sentence
from bot.compose.welcome import hour_and_end
from bot.deliver.unreachable_channels import Absence, absent, kind_of
from bot.model import slots
from bot.model.channel_commands import Pause, Quiet, Resume, Subscribe, Unsubscribe
from bot.model.channels import Channel, Person, Platform
from bot.model.commands import ShowDigest
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.policy import Policy, may_change
from bot.model.ports import ChannelGone, NoPermission, PublishError, Unmet
from bot.model.slots import Slot, due, first, unshown
from bot.model.subscriptions import (
    Subscription,
    changed,
    paused,
    resumed,
    without_repos,
)
from bot.store.subscriptions import Subscriptions
from bot.wording.channel_words import as_command, described, next_morning, state
from bot.wording.settings_form import FormFaults, SettingsForm, as_form, blank_form, read_form
from digest.errors import BadAnswer, RateLimited, StoreFailed, Unreachable, UsageError
from digest.languages import Language
from digest.models import KNOWN, Repo
from digest.phrase import NOTHING, Example
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Paragraph, Runs, Typed, Words
from digest.writing.rules import plain

MOST_TO_BEGIN_WITH = 10
"""Repositories that a new channel is offered by buttons: two rows of them on Discord."""

SUBSCRIBES = "subscribe"
"""How a command begins that a button holds."""

SEVERAL = 3
"""Repositories from which on one thread for all of them is offered."""

ALL = "all"
"""What a channel gives up at once, on a button."""

TO_BEGIN_WITH = Example("subscribe vllm sglang")
NONE = SAY.subscribing.nothing_yet(TO_BEGIN_WITH)


class SubscriptionHandler:
    """Changes subscriptions in the name of people. Methods raise `InfraError` with a sentence."""

    def __init__(
        self,
        answers: Answers,
        channel_answers: ChannelAnswers,
        subscriptions: Subscriptions,
        policy: Policy,
        *,
        clock: Clock,
        reach: Callable[[Channel], Awaitable[None]],
        unmet: Callable[[Subscription], Awaitable[Sequence[Unmet]]],
    ) -> None:
        """`reach` sees whether a channel can be told, `unmet` what it asks for in vain."""
        self._unmet = unmet
        self._answers = answers
        self._channel_answers = channel_answers
        self._subscriptions = subscriptions
        self._policy = policy
        self._clock = clock
        self._reach = reach

    async def subscribe(self, command: Subscribe, channel: Channel, person: Person) -> ChatReply:
        """Add repositories and change what is named; a new channel is told at once or later."""
        self.refuse_others(person)
        current = await self._subscriptions.of(channel)
        repos = [await self._channel_answers.repo(name, channel, person) for name in command.repos]
        return await self._save(command, channel, person, current, repos)

    async def unsubscribe(
        self, command: Unsubscribe, channel: Channel, person: Person
    ) -> ChatReply:
        """Take repositories away, all for none named."""
        self.refuse_others(person)
        language = command.language or await self.language(channel, person)
        repos = [await self._channel_answers.repo(name, channel, person) for name in command.repos]
        current = await self._subscriptions.of(channel)
        shown = await self._seen(current, person)
        left = await self._subscriptions.change(
            channel, lambda current: without_repos(current, repos, shown.repos if shown else ())
        )
        left = await self._seen(left, person)
        if left is None:
            return ChatReply.line(CATALOGUES[language].subscribing.ended, language)
        return ChatReply.line(
            CATALOGUES[language].subscribing.changed(described(left, language)), language
        )

    async def really_all(
        self, command: Unsubscribe, channel: Channel, person: Person
    ) -> ChatReply | None:
        """Ask once before a channel gives up everything; None where there is nothing to give up."""
        self.refuse_others(person)
        subscription = await self._seen(await self._subscriptions.of(channel), person)
        if subscription is None:
            return None
        language = command.language or await self.language(channel, person)
        reply = ChatReply.line(SAY.subscribing.really_all(subscription.repos), language)
        label = CATALOGUES[language].subscribing.end_all
        return reply.offering(Action(ActionKind.UNSUBSCRIBE_ALL, ALL, label))

    async def pause(self, command: Pause, channel: Channel, person: Person) -> ChatReply:
        """Send nothing to a channel until somebody resumes it."""
        self.refuse_others(person)
        language = command.language or await self.language(channel, person)
        now, before = self._clock(), await self._subscriptions.of(channel)
        await self._subscriptions.change(channel, lambda current: paused(current, now))
        reply = ChatReply.line(SAY.subscribing.paused_until(Example("resume")), language)
        return replace(reply, is_personal=bool(before and before.paused and not before.absence))

    async def resume(self, command: Resume, channel: Channel, person: Person) -> ChatReply:
        """Go on with a channel, whoever paused it; what was due meanwhile is told in one thread."""
        self.refuse_others(person)
        language = command.language or await self.language(channel, person)
        now, before = self._clock(), await self._subscriptions.of(channel)
        after = await self._subscriptions.change(channel, lambda current: resumed(current, now))
        assert after is not None  # `resumed` gives one
        shown = await self._seen(after, person) or after
        text = CATALOGUES[language].subscribing.changed(described(shown, language))
        words = CATALOGUES[language].subscribing
        follows = words.caught_up if due(after, now) else self._next(after, language)
        reply = _going_on(ChatReply.line(text, language), follows)
        return replace(reply, is_personal=bool(before and not before.paused))

    async def listed(self, channel: Channel, person: Person, language: Language) -> ChatReply:
        """Say what a channel gets, when the next thread is due, and what is wrong."""
        subscription = await self._seen(await self._subscriptions.of(channel), person)
        if subscription is None:
            return ChatReply.line(NONE, language)
        text = CATALOGUES[language].subscribing.changed(described(subscription, language))
        how = state(subscription, self._clock(), language, errors=False)
        reply = ChatReply.line((Words(text + CATALOGUES[language].gap), *how), language)
        if not subscription.paused:
            return reply
        say, resume = SAY.subscribing, Example("resume")
        # What is away is looked at once a day, and heard of by most platforms.
        goes_on = say.back_by_itself(resume) if subscription.absence else say.goes_on(resume)
        return reply.below(Paragraph(sentence(goes_on, language)))

    async def seen(self, channel: Channel, person: Person) -> tuple[Subscription, ...]:
        """Return what a channel gets as far as a person may hear of it: none or one."""
        found = await self._seen(await self._subscriptions.of(channel), person)
        return (found,) if found else ()

    async def settings(self, channel: Channel, person: Person, language: Language) -> ChatReply:
        """Return the settings as a form, and as the command that gives the same."""
        form = await self.form(channel, person)
        subscription = await self._seen(await self._subscriptions.of(channel), person)
        if subscription is None:
            names = await self._channel_answers.names(channel, person)
            reply = ChatReply.line(NONE, language)
            if may_press(person) and not self._refusal(person):
                which = SAY.subscribing.which_first(TO_BEGIN_WITH)
                reply = ChatReply.line(which, language).offering(*_to_begin_with(names))
            return replace(reply, form=form)
        command, how = as_command(subscription), state(subscription, self._clock(), language)
        part = Part(
            PartKind.NOTICE, (Paragraph((Typed(command),)), Paragraph(how)), summary=command
        )
        return ChatReply((part,), language, form=form)

    async def form(self, channel: Channel, person: Person) -> SettingsForm:
        """Return the settings of a channel as a form; a new one starts with the person's zone."""
        subscription = await self._seen(await self._subscriptions.of(channel), person)
        if subscription:
            state_text = plain(state(subscription, self._clock(), subscription.language))
            return replace(as_form(subscription, subscription.language), state=state_text)
        asker = await self._channel_answers.asker(channel, person)
        return blank_form(asker.tz, asker.language)

    async def faults(self, form: SettingsForm, channel: Channel, person: Person) -> FormFaults:
        """Return one sentence for each field that cannot be; nothing slow is asked."""
        if refused := self._refusal(person):
            return {"repos": refused.why}
        _, faults = read_form(form)
        for name in form.repos:
            try:
                await self._channel_answers.repo(name, channel, person)
            except UsageError as error:
                faults.setdefault("repos", error.why)
        if not form.repos:
            faults["repos"] = SAY.subscribing.no_repositories(Example("vllm sglang"))
        return faults

    async def save_form(self, form: SettingsForm, channel: Channel, person: Person) -> ChatReply:
        """Set a channel as a form says: the repositories of the form and no others."""
        self.refuse_others(person)
        command, faults = read_form(form)
        if faults:
            raise UsageError(next(iter(faults.values())))
        current = await self._subscriptions.of(channel)
        repos = [await self._channel_answers.repo(name, channel, person) for name in form.repos]
        # What the form may not show stays as it is.
        repos += await self._channel_answers.hidden(
            current.repos if current else (), channel, person
        )
        return await self._save(command, channel, person, current, repos, only=True)

    async def _save(
        self,
        command: Subscribe,
        channel: Channel,
        person: Person,
        current: Subscription | None,
        repos: Sequence[Repo],
        *,
        only: bool = False,
    ) -> ChatReply:
        asker = await self._channel_answers.asker(channel, person)
        asker = Asker(command.tz or asker.tz, command.language or asker.language)
        await self._refuse_missing(repos, current, asker)
        if channel.platform is not Platform.DISCORD and (command.publish or command.mention):
            raise UsageError(SAY.subscribing.discord_only)
        now = self._clock()
        if wrong := slots.doubt(now):
            raise wrong
        unreached = await self._unreached(channel)

        def decide(stored: Subscription | None) -> Subscription:
            after = changed(
                stored,
                command,
                repos=repos,
                channel=channel,
                person=person,
                now=now,
                tz=asker.tz,
                language=asker.language,
                only=only,
            )
            after = after if stored or command.show else unshown(after, now)
            return _without_channel(after, unreached) if unreached else after

        def shown_at_once(stored: Subscription) -> Slot:
            return first(stored, now)

        after = await self._subscriptions.change(
            channel, decide, shown_at_once=shown_at_once if command.show else None, now=now
        )
        assert after is not None  # `decide` gives one
        language = asker.language
        shown = await self._seen(after, person) or after
        if unreached:
            what = described(replace(shown, paused=NOTHING, last_error=NOTHING), language)
            why = unreached.line(language)
            text = CATALOGUES[language].subscribing.unreached(what, why)
            return _offering(ChatReply.line(text, language, failed=True), shown, current)
        words = CATALOGUES[language].subscribing
        reply = ChatReply.line(words.changed(described(shown, language)), language)
        is_begun = current is None and command.show
        follows: str | Runs = self._next(after, language)
        if is_begun:
            follows = words.unless_quiet if after.quiet is Quiet.NOTHING else words.first_follows
        unmet = await self._unmet(after)
        missing = [CATALOGUES[language].said(SAY.subscribing.not_had(each.why)) for each in unmet]
        reply = _going_on(reply, follows, *missing)
        if is_begun:
            reply = reply.below(hour_and_end(language))
        if current and _asks_for_nothing_new(current, after):
            return replace(reply, is_personal=True)
        return _offering(reply, shown, current)

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
                await self._answers.answer(ShowDigest(str(repo)), asker)
            except (RateLimited, BadAnswer, Unreachable, StoreFailed):
                continue  # its first thread will say so

    async def _seen(self, subscription: Subscription | None, person: Person) -> Subscription | None:
        """Return a subscription with what a person may hear of; None where that is nothing.

        An error may name what they may not hear of, and is left out with it.
        """
        if subscription is None:
            return None
        channel, repos = subscription.channel, subscription.repos
        hidden = await self._channel_answers.hidden(repos, channel, person)
        seen = tuple(repo for repo in repos if repo not in hidden)
        error = NOTHING if hidden else subscription.last_error
        return replace(subscription, repos=seen, last_error=error) if seen else None

    async def _unreached(self, channel: Channel) -> PublishError | None:
        """Return why nothing can be posted to a channel, if its platform tells that by now."""
        try:
            await self._reach(channel)
        except (ChannelGone, NoPermission) as error:
            return error
        except PublishError:
            return None  # its first thread will say so
        return None

    def refuse_others(self, person: Person) -> None:
        """Raise `UsageError` for a person who may change nothing here."""
        if refused := self._refusal(person):
            raise refused

    def may_change(self, person: Person) -> bool:
        """Return whether a person may change anything here."""
        return self._refusal(person) is None

    def _refusal(self, person: Person) -> UsageError | None:
        """Return why a person may change nothing here, or None where they may."""
        if may_change(person, self._policy):
            return None
        return UsageError(
            SAY.subscribing.stranger if person.is_stranger else SAY.subscribing.may_not
        )

    def _next(self, subscription: Subscription, language: Language) -> Runs:
        if subscription.paused:
            return state(subscription, self._clock(), language, errors=False)
        return next_morning(subscription, self._clock(), language)

    async def language(self, channel: Channel, person: Person) -> Language:
        """Return the language that a person reads in a channel."""
        return (await self._channel_answers.asker(channel, person)).language


def may_press(person: Person) -> bool:
    """Return whether somebody may change a channel by a button that everybody can press.

    Discord gives the commands that change one to those with Manage Channels, and asks nobody who
    presses a button. https://discord.com/developers/docs/interactions/application-commands
    """
    return person.platform is not Platform.DISCORD or person.may_manage


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


def _asks_for_nothing_new(before: Subscription, after: Subscription) -> bool:
    """Return whether a channel gets what it got: nobody else has to hear of that."""
    return (as_command(before), before.paused) == (as_command(after), after.paused)


def _going_on(reply: ChatReply, *lines: str | Runs) -> ChatReply:
    """Say what follows a change below it: the channel's log keeps what the channel gets alone."""
    paragraphs = ((Words(line),) if isinstance(line, str) else line for line in lines if line)
    return reply.below(*map(Paragraph, paragraphs))


def _without_channel(subscription: Subscription, error: PublishError) -> Subscription:
    """Return a subscription that waits for its channel; who subscribed is told at once."""
    waiting = absent(subscription, kind_of(error) or Absence.REFUSED, error.why)
    return replace(waiting, complaint=error.why)
