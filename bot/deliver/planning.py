"""What one channel is told in a morning: digests gathered, then decided by `bot.compose.thread`."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial, reduce
from typing import TypeAlias, TypeVar

from cachetools import LRUCache

from bot.compose.followup_parts import thread_with_followups
from bot.compose.pages import PageAddress
from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import WEEKLY, is_weekly_line_due, plan, weekly_quiet
from bot.compose.thread_gaps import EVERYTHING
from bot.deliver.posting import PAUSES
from bot.deliver.shared_roundups import SharedRoundups, of_slot
from bot.model.channels import Channel, Platform
from bot.model.concerns import LISTS, Concern
from bot.model.following import Correction
from bot.model.followups import FollowUp, FollowUpState, nudges
from bot.model.parts import Thread
from bot.model.policy import Visibility, tellable
from bot.model.ports import Message, Publisher
from bot.model.references import read_key
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.concern.ripple import Ripple, RippleHistory
from digest.concern.surface import Surface
from digest.errors import ConfigurationError, CouldNotLook
from digest.models import Repo, Roundup
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY

CACHED = 64
"""Plans in memory, and threads as they were drawn."""

Plan: TypeAlias = tuple[Thread, ...]

OfItem = TypeVar("OfItem", FollowUp, Correction)


class Drawing:
    """Caches the last plans, and how their threads were drawn for each platform."""

    def __init__(self) -> None:
        self._plans: LRUCache[Hashable, Plan] = LRUCache(CACHED)
        self._drawn: LRUCache[tuple[Platform, int], tuple[Thread, tuple[Message, ...]]]
        self._drawn = LRUCache(CACHED)

    def planned(self, key: Hashable | None, make: Callable[[], Plan]) -> Plan:
        """Return the plan of some inputs; without a key it is made anew."""
        if key is None:
            return make()
        if key not in self._plans:
            self._plans[key] = make()
        return self._plans[key]

    def render(
        self, platform: Platform, publisher: Publisher, thread: Thread
    ) -> tuple[Message, ...]:
        """Return the messages of a thread; the same object is drawn once for a platform."""
        key = (platform, id(thread))
        # The thread is cached beside its messages: while it is, no other has its identity.
        cached = self._drawn.get(key)
        if cached is None or cached[0] is not thread:
            cached = self._drawn[key] = (thread, publisher.render(thread))
        return cached[1]


@dataclass(frozen=True, slots=True)
class MorningInputs:
    """What a channel's morning is planned from, as far as the channel may be told of it."""

    roundup: Roundup
    followups: tuple[FollowUp, ...]
    corrections: tuple[Correction, ...]
    concerns: tuple[Concern, ...]
    ripples: tuple[Ripple, ...]

    @property
    def named(self) -> tuple[Repo, ...]:
        """The repositories that messages may name, whether they tell an item of theirs or not."""
        about: tuple[FollowUp | Correction, ...] = (*self.followups, *self.corrections)
        hops = (hop for ripple in self.ripples for hop in ripple.hops)
        found = (
            *(digest.reading.repo for digest in self.roundup.digests),
            *(repo for repo, why in self.roundup.failed if why != NOT_ALLOWED),
            *(read_key(each.item_key).repo for each in about),
            *(each.repo for each in self.concerns if each.repo),
            *(hop.item.repo for hop in hops),
        )
        return tuple(dict.fromkeys(found))


def _shared(
    roundup: Roundup,
    subscription: Subscription,
    extras: ParentExtras,
    thread_urls: Mapping[str, str] | None,
) -> Hashable:
    """Return all that a plan is made of which many channels may share; None for one of its own."""
    if extras.nudged or extras.corrections or extras.became or extras.surfaces:
        return None
    digests = tuple(
        (
            *(digest.reading.repo, digest.reading.window, digest.reading.collected_at),
            *(digest.generated_at, digest.model),
        )
        for digest in roundup.digests
    )
    return (
        *(roundup.window, digests, roundup.failed),
        repr((roundup.outlook, roundup.remarks, roundup.model)),
        *(subscription.language, subscription.without, subscription.paths, subscription.topics),
        *(subscription.quiet, subscription.one_thread, subscription.mention),
        *(extras.untold_since, tuple(sorted((thread_urls or {}).items()))),
        tuple(
            (
                each.item_key,
                each.title,
                bool(each.following and each.following.reported.is_repo_gone),
            )
            for each in extras.flagged
        ),
    )


PATIENT_TRIES = 2
"""Failures after which a thread goes out although some repositories could not be looked at."""

BLIND_TRIES = len(PAUSES)
"""Failures after which a channel is told that nothing at all could be looked at."""

NOT_ALLOWED = SAY.chat.not_allowed


@dataclass(frozen=True, slots=True)
class Morning:
    """What one channel would be told; `is_blind` where none of it could be looked at."""

    subscription: Subscription
    slot: Slot
    threads: tuple[Thread, ...]
    is_blind: bool


@dataclass(eq=False, repr=False)
class Planning:
    """Plans mornings.

    `visibility` says which repositories a channel may be told of. `pages` are the public addresses,
    None if there are none.
    """

    roundups: SharedRoundups
    store: ChannelStore
    _: KW_ONLY
    clock: Clock
    visibility: Visibility
    pages: PageAddress | None = None
    ripple_history: RippleHistory | None = None

    def __post_init__(self) -> None:
        self.drawing = Drawing()

    async def morning(self, subscription: Subscription, slot: Slot) -> Morning:
        """Return what a channel would be told of a slot."""
        inputs = await self.inputs(subscription, slot, await self.gathered(subscription, slot))
        threads = self.threads(subscription, slot, inputs)
        return Morning(subscription, slot, threads, inputs.roundup.is_blind)

    async def gathered(self, subscription: Subscription, slot: Slot) -> Roundup:
        """Return the digests that a slot is told from; what may not be told is among the failed.

        A setting that keeps every repository from being looked at fails them all: who waits for
        their morning hears of it too.
        """
        channel = subscription.channel
        may_tell = self.visibility.may_tell
        allowed = [repo for repo in subscription.repos if await may_tell(repo, channel)]
        try:
            roundup = await of_slot(slot, allowed, self.roundups.roundup)
        except ConfigurationError as error:
            roundup = Roundup(slot.window, (), tuple((repo, error.why) for repo in allowed))
        hidden = tuple((repo, NOT_ALLOWED) for repo in subscription.repos if repo not in allowed)
        return replace(roundup, failed=roundup.failed + hidden)

    async def inputs(
        self, subscription: Subscription, slot: Slot, roundup: Roundup
    ) -> MorningInputs:
        """Return what a slot is planned from, given its digests."""
        channel = subscription.channel
        concerns = await self._concerns(channel)
        surfaces = [each.surface for each in concerns]
        corrections = await self.store.corrections.for_morning(channel, slot.due_at)
        return MorningInputs(
            roundup,
            await self._tellable(channel, await self.store.followups.of(channel)),
            await self._tellable(channel, corrections),
            concerns,
            await self._ripples(channel, roundup, surfaces),
        )

    def threads(
        self,
        subscription: Subscription,
        slot: Slot,
        inputs: MorningInputs,
        thread_urls: Mapping[str, str] | None = None,
    ) -> tuple[Thread, ...]:
        """Return the threads of a slot, the same ones when they are planned again."""
        roundup, followups = inputs.roundup, inputs.followups
        flagged = tuple(each for each in followups if each.is_open)
        is_first = slot.local_date.weekday() == min(subscription.days)
        extras = ParentExtras(
            open_followups=len(flagged),
            nudged=self.reminded(followups, slot),
            pages=self.pages,
            untold_since=slot.untold_since,
            flagged=flagged,
            outlook=roundup.outlook,
            corrections=inputs.corrections,
            became=_became(followups, slot) if is_first or subscription.weekly else (),
            remarks=roundup.remarks,
            model=roundup.model,
            surfaces=tuple(each.surface for each in inputs.concerns),
            ripples=inputs.ripples,
        )
        make = partial(
            plan,
            roundup.digests,
            [(repo, why) for repo, why in roundup.failed if why != NOT_ALLOWED],
            subscription,
            extras,
            thread_urls=thread_urls,
            withheld=len(withheld(roundup)),
        )
        key = _shared(roundup, subscription, extras, thread_urls)
        threads = self.drawing.planned(key, make)
        threads = tuple(thread_with_followups(each, followups) for each in threads)
        if threads or not (roundup.digests and is_weekly_line_due(subscription, slot)):
            return threads
        return weekly_quiet(roundup, subscription, slot)

    def reminded(self, followups: Sequence[FollowUp], slot: Slot) -> tuple[FollowUp, ...]:
        """Return the follow-ups that a slot reminds of, also once they are stored as reminded."""
        already = tuple(each for each in followups if each.nudged_at == slot.due_at)
        return already or nudges(followups, self.clock())

    async def surfaces(self, channel: Channel) -> tuple[Surface, ...]:
        """Return what concerns a channel, as it was read last, as far as it may hear of it."""
        return tuple(each.surface for each in await self._concerns(channel))

    async def _concerns(self, channel: Channel) -> tuple[Concern, ...]:
        may_tell = self.visibility.may_tell_concern
        concerns = await self.store.concerns.of(channel)
        return tuple([each for each in concerns if await may_tell(each)])

    async def hidden_words(self, channel: Channel) -> frozenset[str]:
        """Return what a message would hold of a file that may not be shown any more."""
        found: set[str] = set()
        for each in await self.store.concerns.of(channel):
            if each.is_file and not await self.visibility.may_tell_concern(each):
                words = each.surface.words
                found |= {use.place.path for use in each.surface.uses}
                found |= {word for name in LISTS for word in getattr(words, name)}
        return frozenset(found - {""})

    async def _ripples(
        self, channel: Channel, roundup: Roundup, surfaces: Sequence[Surface]
    ) -> tuple[Ripple, ...]:
        """Return what reaches a channel's codebases through other repositories that they pin."""
        if self.ripple_history is None or not surfaces:
            return ()
        readings = [digest.reading for digest in roundup.digests]
        may_hear = partial(self.visibility.may_tell, channel=channel)
        return await self.ripple_history.of(readings, surfaces, may_hear)

    async def _tellable(self, channel: Channel, about: Sequence[OfItem]) -> tuple[OfItem, ...]:
        """Return what is about items of which a channel may still be told."""
        may_tell = partial(self.visibility.may_tell, channel=channel)
        keys = await tellable((each.item_key for each in about), may_tell)
        return tuple(each for each in about if each.item_key in keys)


def _became(followups: Sequence[FollowUp], slot: Slot) -> tuple[FollowUp, ...]:
    """Return those with news in the week of a slot, or in its window if that is longer."""
    since = min(slot.window.start, slot.due_at - WEEKLY)
    return tuple(
        each
        for each in followups
        if each.state is not FollowUpState.GONE
        and each.following
        and each.following.reported_at
        and since <= each.following.reported_at < slot.due_at
    )


def withheld(roundup: Roundup) -> tuple[Repo, ...]:
    """Return the repositories that may not be told where a roundup goes: nobody there may know."""
    return tuple(repo for repo, why in roundup.failed if why == NOT_ALLOWED)


def refuse_blindness(roundup: Roundup, tries: int, *, promised: bool = False) -> None:
    """Raise `CouldNotLook` while it is worth trying again to look at what failed.

    What could be looked at for a part of the time alone counts as failed. A channel gets its thread
    with what failed said in it after some tries, and after more of them
    where nothing could be looked at. One that somebody was `promised` at once waits for no part.
    """
    patience = BLIND_TRIES
    if roundup.digests:
        patience = 0 if promised else PATIENT_TRIES
    by_reason: dict[Phrase, list[str]] = {}
    in_part = [
        (digest.reading.repo, gap.why)
        for digest in roundup.digests
        for gap in digest.reading.gaps
        if gap.what == EVERYTHING and not gap.lasting
    ]
    for repo, why in (*roundup.failed, *in_part):
        if why != NOT_ALLOWED:
            by_reason.setdefault(why, []).append(str(repo))
    if by_reason and tries < patience:
        reasons = [SAY.chat.failed_repos(tuple(repos), why) for why, repos in by_reason.items()]
        raise CouldNotLook(reduce(SAY.chat.both, reasons))
