"""Reactions and buttons taken in: kept as follow-ups, then shown on the messages themselves."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from bot.compose.item_part import awaits
from bot.deliver.background import BackgroundLook
from bot.deliver.posting import Sharing
from bot.followups.followup_messages import (
    POSTED_WITHIN,
    SHOWING,
    FollowUpMessages,
    MayShow,
    Spot,
    showing,
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
    ask,
    choose,
    missed,
    moments,
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

INVITED = "which "
"""Begins the names of the moments at which people were invited: channel and message follow."""

INVITED_FOR = timedelta(minutes=10)

ASKING = "asking "
"""Begins the names of the moments at which a person is about to be asked which item they mean:
channel, message and person follow. Each is there from before the flag is kept until they were
asked, so that another process asks where this one ends in between."""

ASKING_TIMEOUT = timedelta(minutes=1)
"""After so long whoever was about to ask has ended."""

TRIED_FOR = timedelta(days=1)
"""How long somebody is to be asked or told, or a follow-up to be shown, where a platform takes
nothing; whatever is said of it next shows it, too."""

SHOWN_STATES = {
    State.DRAFT: State.OPEN,
    State.REOPENED: State.OPEN,
    State.PRERELEASE: State.PUBLISHED,
}
"""States that are told apart in a digest, and stand alike upstream."""


Result = TypeVar("Result")


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

        def press(ledger: OpenFollowUps) -> tuple[Outcome, bool]:
            current = ledger.followup(item_key)
            added = _adds(kind, current, visit.person, reopens=reopens)
            if added is None:
                # A message that was drawn before somebody else changed it shows how it stands.
                return Outcome(current), True
            outcome = react(
                current, Reaction(kind, visit.person, added, (item_key,), at), blank=blank
            )
            self._keep(ledger, outcome)
            return outcome, outcome.notice is not None

        outcome, is_shown = await self._changed(visit.channel, item_key, None, press)
        return outcome.notice is not None, is_shown, outcome.followup or blank

    async def watch(self, item_key: str, visit: Visit, at: datetime) -> tuple[bool, FollowUp]:
        """Have a person hear what becomes of an item until it is released, or no more.

        Gives whether they hear of it, and the follow-up. Nobody waits for what is over already
        (`awaits`). What nobody follows up is flagged by it. Raises `StoreFailed`.
        """
        blank = await self.blank(visit.channel, item_key)

        def watch(ledger: OpenFollowUps) -> tuple[tuple[bool, FollowUp], bool]:
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
            current = replace(current, watchers=watchers)
            ledger.save(current, _taken_up(current, self.clock()))
            return (hears, current), True

        watched, _ = await self._changed(visit.channel, item_key, None, watch)
        return watched

    async def flag(
        self, item_key: str, visit: Visit, at: datetime, message: str, spot: Spot | None = None
    ) -> FollowUp:
        """Flag an item for a person; once more changes nothing. Raises `StoreFailed`.

        What no message of the channel shows is told there, beside `message` or at a spot.
        """
        blank = await self.blank(visit.channel, item_key)
        post = await self.store.posts.at(visit.channel, message)

        def flag(ledger: OpenFollowUps) -> tuple[FollowUp, bool]:
            reaction = Reaction(ReactionKind.FLAG, visit.person, True, (item_key,), at)
            outcome = react(ledger.followup(item_key), reaction, blank=blank)
            self._keep(ledger, outcome)
            return outcome.followup or blank, True

        flagged, _ = await self._changed(visit.channel, item_key, post, flag, spot)
        return flagged

    async def choose(self, message: str, item_key: str, visit: Visit, at: datetime) -> FollowUp:
        """Flag the item that a person chose of a message. Raises `StoreFailed`."""
        blank = await self.blank(visit.channel, item_key)
        post = await self.store.posts.at(visit.channel, message)
        about = post.message.about if post else (item_key,)

        def take_choice(ledger: OpenFollowUps) -> tuple[FollowUp, bool]:
            question = ledger.question(message) or Question(visit.channel, message, about)
            current = ledger.followup(item_key) or blank
            after, outcome = choose(question, current, visit.person, at)
            if after.marks:
                ledger.save_question(after)
            self._keep(ledger, outcome)
            return outcome.followup or blank, True

        followup, _ = await self._changed(visit.channel, item_key, post, take_choice)
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
        """Take invitations away that stood long enough, and ask what nobody came to ask.

        Raises `StoreFailed`.
        """
        for name in await self.store.timestamps.before(ASKING, now - ASKING_TIMEOUT):
            await self._ask_again(name, now)
        failed: set[Channel] = set()  # what else is to be shown there may take as long to fail
        for name in await self.store.timestamps.before(SHOWING, now - ASKING_TIMEOUT):
            channel = Channel.parse(name.removeprefix(SHOWING).partition(" ")[0])
            if channel not in failed and not await self._show_again(name, now):
                failed.add(channel)
        for name in await self.store.timestamps.before(INVITED, now - INVITED_FOR):
            place, _, message = name.removeprefix(INVITED).partition(" ")
            channel = Channel.parse(place)
            if self.sharing.serves(channel):
                await self.messages.withdraw(channel, message)
                await self.store.timestamps.forget(name)

    async def _ask_again(self, name: str, now: datetime) -> None:
        """Ask a person whose flag was kept where nobody could ask them then."""
        place, message, person = name.removeprefix(ASKING).split(" ")
        channel = Channel.parse(place)
        if not await self._is_left(name, channel, now):
            return
        post = await self.store.posts.at(channel, message)
        question = await self.store.followups.question(channel, message)
        flagged_at = question.flagged_at(person) if question else None
        is_over = flagged_at is None or now - flagged_at > TRIED_FOR
        if not (post and question) or is_over or await self._ask(post, question, person):
            await self.store.timestamps.forget(name)

    async def _show_again(self, name: str, now: datetime) -> bool:
        """Show a follow-up whose process ended before it could be shown; False where it fails."""
        place, item_key, message, *spot = name.removeprefix(SHOWING).split(" ")
        channel = Channel.parse(place)
        is_shown = True
        if await self._is_left(name, channel, now):
            post = await self.store.posts.at(channel, message)
            at = Spot(spot[1] or None, Language(spot[0])) if spot else None
            is_shown = await self.messages.followup(channel, item_key, post, at)
            if is_shown or await self._is_over(channel, item_key, now):
                await self.store.timestamps.forget(name)
        return is_shown

    async def _is_over(self, channel: Channel, item_key: str, now: datetime) -> bool:
        """Return whether it is long ago that anybody, or a look, said something of a follow-up."""
        current = await self.store.followups.one(channel, item_key)
        said = [at for mark in (current.marks if current else ()) for at in moments(mark)]
        if current and current.following and current.following.reported_at:
            said.append(current.following.reported_at)
        return not said or now - max(said) > TRIED_FOR

    async def _is_left(self, name: str, channel: Channel, now: datetime) -> bool:
        """Return whether this process continues what another one left, and note that it does."""

        def take(known: dict[str, datetime]) -> tuple[dict[str, datetime], bool]:
            is_left = name in known and known[name] <= now - ASKING_TIMEOUT
            return ({name: now} if is_left else {}), is_left

        return self.sharing.serves(channel) and await self.store.timestamps.decide((name,), take)

    async def _changed(
        self,
        channel: Channel,
        item_key: str,
        post: Post | None,
        decide: Callable[[OpenFollowUps], tuple[Result, bool]],
        spot: Spot | None = None,
    ) -> tuple[Result, bool]:
        """Change a follow-up and show it, later where this process ends or the platform fails.

        `decide` gives what this gives, and whether that is to be shown: on the messages that tell
        the item, else beside `post`, or at `spot`. The second value tells that nothing is left to
        show.
        """
        name, now = showing(channel, item_key, post, spot), self.clock()

        def begin(known: dict[str, datetime]) -> tuple[dict[str, datetime], bool]:
            return {name: now}, name in known

        waits = await self.store.timestamps.decide((name,), begin)
        result, is_changed = await self.store.followups.change(channel, decide)
        if is_changed:
            return result, await self.messages.followup(channel, item_key, post, spot)
        # What another one is showing, or could not show, is theirs: this has nothing to add.
        if not waits:
            await self.store.timestamps.forget(name)
        return result, True

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

    def _keep(self, ledger: OpenFollowUps, outcome: Outcome) -> None:
        """Keep what follows from what somebody said."""
        followup, at = outcome.followup, self.clock()
        if followup is None or not followup.marks:
            return
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

        def take_in(ledger: OpenFollowUps) -> tuple[None, bool]:
            if not ledger.is_new_event(event_id, self.clock()):
                return None, False
            outcome = react(ledger.followup(item_key), reaction, blank=blank)
            self._keep(ledger, outcome)
            return None, outcome.notice is not None

        await self._changed(post.channel, item_key, post, take_in)

    async def _about_several(self, reaction: Reaction, post: Post, event_id: str) -> None:
        if not reaction.added:
            await self._store_flag(reaction, post, event_id)
            await self.messages.withdraw(post.channel)
            return
        person = reaction.person.id
        name = f"{ASKING}{post.channel} {post.ref} {person}"
        await self.store.timestamps.note(name, self.clock())
        outcome = await self._store_flag(reaction, post, event_id)
        if not (outcome and outcome.ask) or await self._ask(post, outcome.question, person):
            await self.store.timestamps.forget(name)

    async def _store_flag(
        self, reaction: Reaction, post: Post, event_id: str
    ) -> QuestionOutcome | None:
        """Keep a flag that came or went, and show what that changes; None for a known event."""
        channel = post.channel

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
                ledger.save_question(flagged.question)
            for outcome in flagged.followups:
                self._keep(ledger, outcome)
            return flagged

        flagged = await self.store.followups.change(channel, keep)
        for outcome in flagged.followups if flagged else ():
            if outcome.notice and outcome.followup:
                await self.messages.show(channel, outcome.followup.item_key, post)
        return flagged

    async def _ask(self, post: Post, question: Question, person: str) -> bool:
        """Ask a person alone, or invite them to be asked where the platform needs a press.

        False where the platform takes nothing now.
        """
        if await self.messages.ask(post, question, person):
            return True
        channel, message = post.channel, post.ref

        def wait(ledger: OpenFollowUps) -> bool:
            stored = ledger.question(message)
            if stored is None or person not in stored.asked:
                return False
            ledger.save_question(replace(stored, waiting=stored.waiting | {person}))
            return True

        if not await self.store.followups.change(channel, wait):
            return True
        keeper = await self.messages.invite(post, person)
        if keeper is None:
            return False
        name = f"{INVITED}{channel} {keeper or message}"
        await self.store.timestamps.note(name, self.clock())
        return True


def _name(reaction: Reaction) -> str:
    sign = "+" if reaction.added else "-"
    said = f"{sign}{reaction.kind} {reaction.person.id}"
    return f"{reaction.message} {said} {reaction.at.isoformat()}"


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
