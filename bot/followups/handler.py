"""Reactions and buttons taken in: kept as follow-ups, then shown on the messages themselves."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from bot.compose.item_part import awaits
from bot.deliver.background import BackgroundLook
from bot.deliver.posting import Sharing
from bot.followups.followup_messages import (
    POSTED_WITHIN,
    TRIED_FOR,
    FollowUpMessages,
    MayShow,
)
from bot.model.channel_commands import Eyes
from bot.model.channels import Channel, Person, Platform, Visit
from bot.model.following import Following
from bot.model.followups import (
    FollowUp,
    FollowUpState,
    Outcome,
    Present,
    Question,
    QuestionOutcome,
    Reaction,
    ReactionKind,
    ReactionRecord,
    Rights,
    Spot,
    ask,
    choose,
    missed,
    react,
)
from bot.model.parts import Part
from bot.model.policy import Policy, may_follow_up
from bot.model.posts import Post
from bot.model.references import read_key
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.errors import ConfigurationError, CouldNotLook, UsageError
from digest.languages import Language
from digest.models import Kind, ReadItem, Repo, State
from digest.pipeline import Pipeline
from digest.ports import Clock
from digest.upstream import Standing, marks_of
from digest.wording.phrases import SAY

INVITED_FOR = timedelta(minutes=10)

SHOWN_STATES = {
    State.DRAFT: State.OPEN,
    State.REOPENED: State.OPEN,
    State.PRERELEASE: State.PUBLISHED,
}
"""States that are told apart in a digest, and stand alike upstream."""


@dataclass(eq=False, repr=False)
class FollowUpHandler(BackgroundLook):
    """Takes in what people say about items of a channel; a look shows what could not be shown.

    `policy` says whose flags count: everybody's who may write, unless it is given.
    """

    failure = "follow-ups not tidied"

    pipeline: Pipeline
    store: ChannelStore
    sharing: Sharing
    clock: Clock
    may_show: MayShow
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        self.messages = FollowUpMessages(
            self.store, self.sharing, self.clock, self.blank, self.may_show
        )

    async def react(self, reaction: Reaction, channel: Channel, event_id: str = "") -> None:
        """Handle a reaction on a message; `about` is what the stored message says.

        Where a platform has no id for the event, it is known by what happened and when.
        A reaction on a message that is not the bot's own, or that was taken in before, changes
        nothing, nor does what somebody adds who may not follow up here, or to what the channel may
        not be told any more. Raises `StoreFailed`.
        """
        if reaction.added and not may_follow_up(reaction.person, self.policy):
            return
        post = await self.store.posts.at(channel, reaction.message)
        if post is None or not post.message.about:
            return
        opens = await self._opens(channel)
        about = post.message.about
        if reaction.added:
            about = await self.messages.shown(channel, about)
        if not about:
            return
        reaction = replace(reaction, about=about, opens=opens)
        event_id = event_id or _name(reaction)
        if len(post.message.about) == 1:
            await self._about_one(reaction, post, event_id)
        elif reaction.kind is ReactionKind.FLAG:
            await self._about_several(reaction, post, event_id)

    def refuse_others(self, person: Person) -> None:
        """Raise `UsageError` for a person who may not follow up where they are."""
        if not may_follow_up(person, self.policy):
            raise UsageError(
                SAY.followups.may_not if person.may_write else SAY.followups.may_not_write
            )

    async def reconcile(
        self, channel: Channel, message: str, present: Present, at: datetime, who: Rights
    ) -> None:
        """Note what came and went on a message unheard; raises `StoreFailed`.

        A reaction that did not count when it came is still there: `who` looks up what whoever it is
        of may do, so that it does not count now either.
        """
        post = await self.store.posts.at(channel, message)
        if post is None or not post.message.about:
            return
        marks = await self._marks(post)
        for reaction in missed(marks, present, channel, message, at):
            if reaction.added:
                reaction = replace(reaction, person=await who(reaction.person))
            await self.react(reaction, channel)

    async def press(
        self,
        kind: ReactionKind,
        item_key: str,
        visit: Visit,
        at: datetime,
        *,
        reopens: bool = False,
    ) -> tuple[bool, bool, FollowUp]:
        """Handle a button, which says a thing or, where the person said it already, takes it back.

        What another has taken stays theirs while they are in the channel. What is done stays done,
        unless the button `reopens` it, whoever had done it. Gives whether anything changed, whether
        that is shown, and the follow-up after it. Raises `StoreFailed`.
        """
        blank = await self.blank(visit.channel, item_key)

        def press(ledger: OpenFollowUps) -> Outcome:
            current = ledger.followup(item_key)
            added = _adds(kind, current, visit.person, reopens=reopens)
            outcome = Outcome(current)
            if added is not None:
                reaction = Reaction(kind, visit.person, added, (item_key,), at)
                outcome = react(current, reaction, blank=blank)
            # A message that was drawn before somebody else changed it shows how it stands.
            self._keep(ledger, outcome, shows=added is None)
            return outcome

        outcome = await self.store.followups.change(visit.channel, press)
        is_shown = await self.messages.followup(visit.channel, item_key)
        return outcome.notice is not None, is_shown, outcome.followup or blank

    async def watch(self, item_key: str, visit: Visit, at: datetime) -> tuple[bool, FollowUp]:
        """Have a person hear what becomes of an item until it is released, or no more.

        Gives whether they hear of it, and the follow-up. Nobody waits for what is over already
        (`awaits`). What nobody follows up is flagged by it. Raises `StoreFailed`.
        """
        blank = await self.blank(visit.channel, item_key)

        def watch(ledger: OpenFollowUps) -> tuple[bool, FollowUp]:
            current = ledger.followup(item_key) or blank
            if current.state is FollowUpState.GONE:
                reaction = Reaction(ReactionKind.FLAG, visit.person, True, (item_key,), at)
                outcome = react(current, reaction, blank=blank)
                self._keep(ledger, outcome)
                current = outcome.followup or current
            hears = visit.person.id not in current.watchers and awaits(current)
            watchers = (
                current.watchers | {visit.person.id}
                if hears
                else current.watchers - {visit.person.id}
            )
            current = replace(current, watchers=watchers, unshown_since=self.clock())
            ledger.save(current, _taken_up(current, self.clock()))
            return hears, current

        watched = await self.store.followups.change(visit.channel, watch)
        await self.messages.followup(visit.channel, item_key)
        return watched

    async def flag(
        self, item_key: str, visit: Visit, at: datetime, message: str, spot: Spot | None = None
    ) -> FollowUp:
        """Flag an item for a person; once more changes nothing. Raises `StoreFailed`.

        What no message of the channel shows is told there, beside `message` or at a spot.
        """
        blank = await self.blank(visit.channel, item_key)
        post = await self.store.posts.at(visit.channel, message)
        notice_at = await self.messages.spot(post) if post else spot

        def flag(ledger: OpenFollowUps) -> FollowUp:
            reaction = Reaction(ReactionKind.FLAG, visit.person, True, (item_key,), at)
            outcome = react(ledger.followup(item_key), reaction, blank=blank)
            self._keep(ledger, outcome, notice_at, shows=True)
            return outcome.followup or blank

        flagged = await self.store.followups.change(visit.channel, flag)
        await self.messages.followup(visit.channel, item_key)
        return flagged

    async def choose(self, message: str, item_key: str, visit: Visit, at: datetime) -> FollowUp:
        """Flag the item that a person chose of a message. Raises `StoreFailed`."""
        blank = await self.blank(visit.channel, item_key)
        post = await self.store.posts.at(visit.channel, message)
        about = post.message.about if post else (item_key,)
        notice_at = await self.messages.spot(post) if post else None

        def take_choice(ledger: OpenFollowUps) -> FollowUp:
            question = ledger.question(message) or Question(visit.channel, message, about)
            current = ledger.followup(item_key) or blank
            after, outcome = choose(question, current, visit.person, at)
            if after.marks:
                ledger.save_question(after, self.clock())
            self._keep(ledger, outcome, notice_at, shows=True)
            return outcome.followup or blank

        followup = await self.store.followups.change(visit.channel, take_choice)
        await self.messages.followup(visit.channel, item_key)
        await self.messages.withdraw(visit.channel)
        return followup

    async def next_question(
        self, visit: Visit, first_line: str = ""
    ) -> tuple[Part, Language] | None:
        """Return the oldest question that waits for a person in a channel, None where none does.

        `first_line` is told before it. Raises `StoreFailed`.
        """
        questions = await self.store.followups.questions(visit.channel)
        own = [each for each in questions if visit.person.id in each.waiting]
        flagged = [
            (at, each.message, each) for each in own if (at := each.flagged_at(visit.person.id))
        ]
        ordered = sorted(flagged, key=lambda each: each[:2])
        for number, (_, message, question) in enumerate(ordered):
            post = await self.store.posts.at(visit.channel, message)
            if post and await self.messages.shown(visit.channel, question.about):
                more = len(ordered) - number - 1
                part = await self.messages.choice(post, question, first_line=first_line, more=more)
                return part, post.language
        return None

    async def look(self, now: datetime) -> None:
        """Show and ask what nobody came to, and take invitations away that stood long enough.

        Raises `StoreFailed`.
        """
        kept, platforms = self.store.followups, tuple(self.sharing.publishers)
        failed: set[Channel] = set()  # what else is to be shown there may take as long to fail
        while left := await kept.take_left(FollowUp, now, platforms):
            is_away = left.channel in failed
            if not is_away and not await self.messages.followup(left.channel, left.item_key):
                failed.add(left.channel)
        while question := await kept.take_left(Question, now, platforms):
            for person in sorted(question.asking):
                await self._ask_again(question, person, now)
            if not question.asking:
                await self.messages.withdraw(question.channel, question.message)
                await self.messages.keep(question, partial(replace, invited_until=None))

    async def _ask_again(self, question: Question, person: str, now: datetime) -> None:
        """Ask a person whose flag was kept where nobody could ask them then."""
        post = await self.store.posts.at(question.channel, question.message)
        flagged_at = question.flagged_at(person)
        if post and flagged_at and now - flagged_at <= TRIED_FOR:
            await self._ask(post, question, person)
        else:
            await self.messages.keep(question, partial(_asked, person=person))

    async def _opens(self, channel: Channel) -> bool:
        """Return whether 👀 opens a follow-up on what nobody flagged: as the channel chose.

        On Discord it does not unless that was chosen, since 👀 is everybody's there.
        """
        subscription = await self.store.subscriptions.of(channel)
        chosen = subscription.eyes if subscription else None
        return chosen is Eyes.OPEN or (chosen is None and channel.platform is Platform.SLACK)

    async def blank(self, channel: Channel, item_key: str) -> FollowUp:
        """Return the follow-up that an item would have; without its title if that is not known."""
        key = read_key(item_key)
        try:
            return await self.found(channel, key.repo, key.ref)
        except (CouldNotLook, ConfigurationError):
            return FollowUp(None, channel, item_key, "", f"{key.repo} {key.ref}", key.url)

    async def found(self, channel: Channel, repo: Repo, ref: str) -> FollowUp:
        """Return the follow-up that an item would have; raises `CouldNotLook`."""
        read = await self.pipeline.read_item(repo, ref)
        item, following = read.item, Following(as_shown(read))
        return FollowUp(
            None, channel, item.key, item.title, item.ref, item.url, following=following
        )

    def _keep(
        self,
        ledger: OpenFollowUps,
        outcome: Outcome,
        notice_at: Spot | None = None,
        *,
        shows: bool = False,
    ) -> None:
        """Keep what follows from what somebody said, and that it is to be shown: what is new is."""
        followup, at = outcome.followup, self.clock()
        if followup is None or not followup.marks:
            return
        if outcome.notice or shows:
            notice_at = notice_at or followup.notice_at
            followup = replace(followup, unshown_since=at, notice_at=notice_at)
        ledger.save(followup, _taken_up(followup, at))
        if outcome.notice:
            ledger.announce(followup, outcome.notice.kind.value, outcome.notice.person, at)

    async def _marks(self, post: Post) -> tuple[ReactionRecord, ...]:
        """Return the marks on one message; flags on one about several stand with its question."""
        if len(post.message.about) > 1:
            question = await self.store.followups.question(post.channel, post.ref)
            return question.marks if question else ()
        followups = await self.store.followups.of(post.channel)
        marks = (mark for each in followups for mark in each.marks)
        return tuple(mark for mark in marks if mark.message == post.ref)

    async def _about_one(self, reaction: Reaction, post: Post, event_id: str) -> None:
        (item_key,) = reaction.about
        blank = await self.blank(post.channel, item_key)
        notice_at = await self.messages.spot(post)

        def take_in(ledger: OpenFollowUps) -> bool:
            if not ledger.is_new_event(event_id, self.clock()):
                return False
            outcome = react(ledger.followup(item_key), reaction, blank=blank)
            self._keep(ledger, outcome, notice_at)
            return outcome.notice is not None

        # What another one is showing, or could not show, is theirs.
        if await self.store.followups.change(post.channel, take_in):
            await self.messages.followup(post.channel, item_key)

    async def _about_several(self, reaction: Reaction, post: Post, event_id: str) -> None:
        if not reaction.added:
            await self._store_flag(reaction, post, event_id)
            await self.messages.withdraw(post.channel)
            return
        outcome = await self._store_flag(reaction, post, event_id)
        if outcome and outcome.ask:
            await self._ask(post, outcome.question, reaction.person.id)

    async def _store_flag(
        self, reaction: Reaction, post: Post, event_id: str
    ) -> QuestionOutcome | None:
        """Keep a flag that came or went, and show what that changes; None for a known event."""
        channel, notice_at = post.channel, await self.messages.spot(post)

        def keep(ledger: OpenFollowUps) -> QuestionOutcome | None:
            if not ledger.is_new_event(event_id, self.clock()):
                return None
            stored = ledger.question(reaction.message)
            question = stored or Question(channel, reaction.message, reaction.about)
            chosen = [
                each
                for each in ledger.all()
                if any(mark.message == reaction.message for mark in each.marks)
            ]
            flagged = ask(question, reaction, chosen)
            if flagged.question != stored:
                ledger.save_question(flagged.question, self.clock())
            for outcome in flagged.followups:
                self._keep(ledger, outcome, notice_at)
            return flagged

        flagged = await self.store.followups.change(channel, keep)
        for outcome in flagged.followups if flagged else ():
            if outcome.notice and outcome.followup:
                await self.messages.followup(channel, outcome.followup.item_key)
        return flagged

    async def _ask(self, post: Post, question: Question, person: str) -> None:
        """Ask a person alone, or invite them to be asked where the platform needs a press.

        Where it takes nothing now, a look tries it again.
        """
        if not await self.messages.ask(post, question, person):
            waits = await self.messages.keep(question, partial(_waited_for, person=person))
            if person in waits.waiting:
                keeper = await self.messages.invite(post, person)
                if keeper is None:
                    return
                until = self.clock() + INVITED_FOR
                await self.messages.keep(keeper, partial(replace, invited_until=until))
        await self.messages.keep(question, partial(_asked, person=person))


def _name(reaction: Reaction) -> str:
    sign = "+" if reaction.added else "-"
    said = f"{sign}{reaction.kind} {reaction.person.id}"
    return f"{reaction.message} {said} {reaction.at.isoformat()}"


def _asked(question: Question, person: str) -> Question:
    """Return a question that nobody has to ask a person any more."""
    return replace(question, asking=question.asking - {person})


def _waited_for(question: Question, person: str) -> Question:
    """Return a question that waits for a person, unless they took their flag back."""
    return replace(question, waiting=question.waiting | ({person} & question.asked))


def _taken_up(followup: FollowUp, at: datetime) -> datetime | None:
    """Return when a look may take up what is to be said of a follow-up: not while it is posted."""
    following = followup.following
    return at + POSTED_WITHIN if following and following.saying else None


def as_shown(read: ReadItem) -> Standing:
    """Return how an item stands as it was told."""
    by = read_key(read.reverted_by) if read.reverted_by else None
    state = SHOWN_STATES.get(read.item.state, read.item.state)
    item, is_release = read.item, read.item.kind is Kind.RELEASE
    return Standing(
        state,
        reverted_by=by.ref if by else "",
        title=item.title if item.kind in (Kind.PULL_REQUEST, Kind.ISSUE) else "",
        notes=marks_of(item.body) if is_release and "body" not in item.detail_missing else None,
    )


def _adds(
    kind: ReactionKind, current: FollowUp | None, person: Person, *, reopens: bool
) -> bool | None:
    """Return whether a button adds what it says or takes it back; None where it does neither."""
    if kind is ReactionKind.DONE:
        is_done = current is not None and current.done_by is not None
        return (not is_done) if is_done == reopens else None
    if current is None:
        return True
    if kind is ReactionKind.TAKE:
        return {None: True, person.id: False}.get(current.taken_by)
    return person.id not in current.flagged_by
