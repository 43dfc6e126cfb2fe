"""What follow-ups follow upstream: looked at together, told once each in the thread of its item.

::

    due       = followups.due(now)                             by one process at a time
    standings = upstream.standings(items)                      few requests for all of them
    news      = looked(followup.following, standing, now)      decide (bot.model.following)
    with its messages planned, the change is kept              all of it or nothing
    go on                                                      post, redraw, tell whoever watches

A change and the messages that tell it are kept together before one is sent, so whoever goes on
after a crash sends what was not sent, once.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias
from zlib import crc32

import structlog

from bot.compose.followup_parts import news_part, owner_left_part
from bot.deliver.background import BackgroundLook, is_since
from bot.deliver.posting import Sharing
from bot.deliver.subscriber_notices import kind_of
from bot.followups.followup_messages import FollowUpMessages, showing
from bot.followups.handler import TRIED_FOR, as_shown
from bot.model.channels import Channel, Platform
from bot.model.following import (
    CORRECTED_WITHIN,
    EVERY,
    NEVER,
    UNKNOWN,
    Correction,
    Following,
    News,
    corrected,
    looked,
)
from bot.model.followups import (
    FollowUp,
    FollowUpNoticeKind,
    FollowUpState,
    Which,
    listing,
    look_at,
    without_owner,
)
from bot.model.parts import PartKind
from bot.model.ports import MessageGone, PublishError, Refused
from bot.model.posts import Post, PostState
from bot.model.references import followed, read_key
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.concern.concerned import lowest_pin
from digest.concern.surface import Surface
from digest.errors import ConfigurationError, CouldNotLook, InfraError, StoreFailed
from digest.languages import Language
from digest.leases import held
from digest.models import Repo, State
from digest.pipeline import Pipeline
from digest.ports import Clock
from digest.reading.interfaces.requirements import is_higher
from digest.upstream import Followed, Standing, Upstream

LEASE_NAME = "follow-ups upstream"

MOST_AT_ONCE = 2_000
"""Follow-ups that one look takes; the others come with the next one, seconds later."""

AGAIN_AFTER = timedelta(minutes=5)
"""When it is tried again after GitHub or a platform could not be asked."""

NOT_SET_UP = timedelta(hours=1)

CORRECTED = "corrections looked for"
"""The moment at which any process last looked whether what a platform was told is still so."""

CORRECTIONS_EVERY = timedelta(hours=1)

MOST_COMPARED = 600
"""Items that mornings named of which an hour asks, for six requests: of more, each has its turn in
one of several hours."""

OWNERS_CHECKED = "owners asked about"
"""The moment at which any process last asked a platform about who owns follow-ups."""

WEEK = timedelta(days=7)

SUSPECT = (None, State.TAGGED, State.NOT_PLANNED, State.DUPLICATE)
"""States of what may be wrong as it was told."""

UNSENT = (PostState.PLANNED, PostState.SENDING)

MayTellAlone: TypeAlias = Callable[[Repo, Channel, str], Awaitable[bool]]

log = structlog.get_logger()


@dataclass(eq=False, repr=False)
class UpstreamChecks(BackgroundLook):
    """Looks at what is followed and tells what became of it; `owner` names this process.

    `surfaces` gives what concerns a channel, as far as it may hear of it, `may_tell_alone`
    whether a person, by the platform's id, may still hear of a channel's repository: who
    watches may have become a guest or left since. `language` is that of a channel which gets
    nothing else.
    """

    failure = "nothing followed upstream"

    upstream: Upstream
    store: ChannelStore
    sharing: Sharing
    messages: FollowUpMessages
    may_tell_alone: MayTellAlone
    pipeline: Pipeline
    surfaces: Callable[[Channel], Awaitable[Sequence[Surface]]]
    _: KW_ONLY
    clock: Clock
    owner: str
    platforms: tuple[Platform, ...]
    language: Language = Language.EN

    def __post_init__(self) -> None:
        self._corrected_at: datetime | None = None
        self._seen: Mapping[str, Standing] = {}
        # By their channels, too: a backup that is put back may bring an id for another one.
        self._named: Mapping[tuple[int, Channel], frozenset[str]] = {}
        self._concerned: dict[Channel, Sequence[Surface]] = {}
        self._last_failure = ""

    async def look(self, now: datetime) -> None:
        """Look at what is due, where no other process does. Raises `StoreFailed`."""
        is_time = not is_since(self._corrected_at, now, EVERY)
        if not (is_time or await self._due(now)):
            return
        async with held(self.store.leases, LEASE_NAME, self.owner, self.clock) as is_held:
            if not is_held:
                return
            if is_time:
                self._corrected_at = now
                await self._correct(await self._due_for(CORRECTED, CORRECTIONS_EVERY, now), now)
                await self._show_corrections(now)  # also those of a process that ended meanwhile
                for platform in await self._due_for(OWNERS_CHECKED, WEEK, now):
                    await self._free_of_departed(platform, now)
            await self._look(await self._due(now), now)

    async def _due(self, now: datetime) -> tuple[FollowUp, ...]:
        return await self.store.followups.due(now, self.platforms, MOST_AT_ONCE)

    async def _look(self, due: Sequence[FollowUp], now: datetime) -> None:
        self._concerned.clear()
        quiet = await self._quiet(due)
        waits: dict[FollowUp, datetime] = {}
        to_look_up: list[FollowUp] = []
        for each in due:
            following = each.following
            if each.state is FollowUpState.GONE:
                waits[each] = NEVER
            elif each in quiet:
                waits[each] = now + EVERY
            elif following and (following.saying or following.hears):
                if not await self._apart(each, self._go_on(each)):
                    current = await self.store.followups.one(each.channel, each.item_key)
                    to_look_up += [current] if current else []
            else:
                to_look_up.append(each)
        wanted = {each.item_key: _followed(each) for each in to_look_up}
        found, again_at = await self._standings(tuple(wanted.values()), now)
        for each in to_look_up:
            standing = found.get(each.item_key)
            if standing is None:  # it could not be looked at, which says nothing of it
                waits[each] = again_at
            elif not await self._apart(each, self._took(each, standing, now)):
                following = each.following
                somebody_waits = following and (following.saying or following.hears)
                waits[each] = now + AGAIN_AFTER if somebody_waits else look_at(each, now)
        await self.store.followups.put_off_unchanged(waits)

    async def _apart(self, followup: FollowUp, work: Awaitable[bool]) -> bool:
        """Return what is done for one follow-up: one that fails waits, and keeps no other waiting.

        Raises `StoreFailed`.
        """
        try:
            return await work
        except StoreFailed:
            raise
        except Exception as error:  # the border of one follow-up
            trace = None if isinstance(error, InfraError) else error
            place = {"channel": str(followup.channel), "item": followup.item_key}
            log.error("not followed upstream", reason=str(error), exc_info=trace, **place)
            await self._put_off(followup)
            return True

    async def _due_for(self, what: str, every: timedelta, now: datetime) -> Sequence[Platform]:
        """Return the platforms for which no process did something for a while, and note it."""
        names = {f"{what} {each}": each for each in self.platforms}

        def take(known: dict[str, datetime]) -> tuple[dict[str, datetime], list[Platform]]:
            due = {
                name: each
                for name, each in names.items()
                if not is_since(known.get(name), now, every)
            }
            return dict.fromkeys(due, now), list(due.values())

        return await self.store.timestamps.decide(tuple(names), take)

    async def _correct(self, platforms: Sequence[Platform], now: datetime) -> None:
        """Look whether what was told lately is still so, and keep what is not."""
        if not platforms:
            return
        delivered = await self.store.deliveries.delivered_since(
            now - CORRECTED_WITHIN, self.platforms
        )
        known = self._named
        new = [each[0] for each in delivered.items() if each not in known]
        read = await self.store.posts.named_in(new)
        self._named = {
            each: known.get(each) or read.get(each[0], frozenset()) for each in delivered.items()
        }
        channels: dict[str, set[Channel]] = {}
        for (_, channel), keys in self._named.items():
            for key in keys if channel.platform in platforms else ():
                channels.setdefault(key, set()).add(channel)
        wanted = [followed(key, releases=False) for key in _in_turn(channels, now)]
        found, _ = await self._standings(wanted, now)
        for key, standing in found.items():
            is_suspect = standing.reverted_by or standing.amended or standing.state in SUSPECT
            if is_suspect or self._seen.get(key) != standing:
                await self._compare(sorted(channels[key]), key, standing, now)
        seen = {key: self._seen[key] for key in channels if key in self._seen}
        self._seen = {**seen, **found}

    async def _show_corrections(self, now: datetime) -> None:
        """Have the messages that are wrong say so."""
        since = now - CORRECTED_WITHIN
        wrong: dict[Channel, list[Correction]] = {}
        for correction in await self.store.corrections.unshown(self.platforms):
            wrong.setdefault(correction.channel, []).append(correction)
        for channel, its in wrong.items():
            keys = [each.item_key for each in its]
            if await self.messages.corrections(channel, keys, since - CORRECTED_WITHIN):
                for correction in its:
                    await self.store.corrections.shown(correction)

    async def _compare(
        self, channels: Sequence[Channel], key: str, standing: Standing, now: datetime
    ) -> None:
        """Keep what makes wrong what channels were told."""
        repo = read_key(key).repo
        try:
            read = await self.pipeline.read_item(repo, read_key(key).ref)
        except (CouldNotLook, ConfigurationError):
            return
        turn, item = corrected(as_shown(read), standing), read.item
        for channel in channels if turn else ():
            if turn and await self.messages.shown(channel, (key,)):
                wrong = Correction(channel, key, item.ref, item.title, item.url, turn, standing)
                if await self.store.corrections.save(wrong, now):
                    log.info("corrected", item=key, why=turn.value, channel=str(channel))

    async def _quiet(self, due: Sequence[FollowUp]) -> list[FollowUp]:
        """Return those of which a channel is to hear nothing: paused, or may not be told of it."""
        by_channel: dict[Channel, list[FollowUp]] = {}
        for each in due:
            by_channel.setdefault(each.channel, []).append(each)
        quiet: list[FollowUp] = []
        for channel, its in by_channel.items():
            shown: Sequence[str] = ()
            if not await self._is_paused(channel):
                shown = await self.messages.shown(channel, [each.item_key for each in its])
            quiet += [each for each in its if each.item_key not in shown]
        return quiet

    async def _is_paused(self, channel: Channel) -> bool:
        subscription = await self.store.subscriptions.of(channel)
        return subscription is not None and bool(subscription.paused)

    async def _standings(
        self, wanted: Sequence[Followed], now: datetime
    ) -> tuple[Mapping[str, Standing], datetime]:
        """Ask for all of them; also gives when to ask again for those that are not given.

        That nobody could be asked is logged once in a row.
        """
        if not wanted:
            return {}, now
        try:
            found = await self.upstream.standings(wanted)
        except (CouldNotLook, ConfigurationError) as error:
            if str(error) != self._last_failure:
                log.warning("follow-ups not followed upstream", reason=str(error))
            self._last_failure = str(error)
            lasts = isinstance(error, ConfigurationError)
            return {}, now + (NOT_SET_UP if lasts else AGAIN_AFTER)
        self._last_failure = ""
        return found, now + EVERY

    async def _took(self, seen: FollowUp, standing: Standing, now: datetime) -> bool:
        """Note how an item stands; False where there is nothing to keep of it."""
        before = seen.following
        standing, awaits_pin = await self._pinned(seen, standing)
        after, news = looked(before, standing, now, awaited=bool(seen.watchers))
        after = replace(after, awaits_pin=awaits_pin)
        if before and replace(after, looked_at=before.looked_at) == before:
            return False
        planned: tuple[Post, ...] = ()
        if news and not await self._is_repo_known_gone(seen, standing):
            planned = await self._planned(replace(seen, following=after), news)

        def take(ledger: OpenFollowUps) -> FollowUp | None:
            current = ledger.followup(seen.item_key)
            if current is None or current.following != before:
                return None
            current = replace(current, following=after)
            if news and current.state is not FollowUpState.GONE:
                posts = ledger.plan(planned)
                saying = tuple(each.id for each in posts if each.id)
                # Who still waits for what was told before hears both.
                told = replace(
                    after,
                    saying=(*after.saying, *saying),
                    hears=tuple(sorted({*current.watchers, *after.hears})),
                )
                current = replace(current, following=told)
                if set(news) & {News.RELEASED, News.REVERTED, News.MISSING}:
                    current = replace(current, watchers=frozenset())
                if News.RETITLED in news:
                    current = replace(current, title=standing.title)
                for turn in news:
                    ledger.announce(current, turn.value, None, now)
            ledger.save(current, look_at(current, now))
            return current

        current = await self.store.followups.change(seen.channel, take)
        if current is None:
            return True  # whoever changed it meanwhile has it looked at again
        if news:
            log.info("upstream", item=seen.item_key, news=[each.value for each in news])
            await self._go_on(current)
        return True

    async def _is_repo_known_gone(self, followup: FollowUp, standing: Standing) -> bool:
        """Return whether a channel heard by another follow-up that their repository is gone.

        Whoever watches hears it of each.
        """
        if not standing.is_repo_gone or followup.watchers:
            return False
        repo = read_key(followup.item_key).repo
        return any(
            read_key(each.item_key).repo == repo
            for each in await self.store.followups.of(followup.channel)
            if each.item_key != followup.item_key
            and each.following
            and each.following.reported.is_repo_gone
            and each.following.reported_at
        )

    async def _pinned(self, seen: FollowUp, standing: Standing) -> tuple[Standing, bool]:
        """Return a standing with what the channel pins, if that holds the item.

        Also tells whether a codebase of the channel pins a version that does not hold it yet.
        """
        if seen.following and seen.following.reported.pin:
            return replace(standing, pin=seen.following.reported.pin), False
        if not standing.release:
            return standing, False
        repo = read_key(seen.item_key).repo
        # Once in a look: what may be told of files is asked of the platform.
        surfaces = self._concerned.get(seen.channel)
        if surfaces is None:
            try:
                surfaces = await self.surfaces(seen.channel)
            except PublishError as error:
                if kind_of(error) is None:
                    raise  # who is there will be known later
                surfaces = ()  # nobody hears of a channel that is gone what it pins
            self._concerned[seen.channel] = surfaces
        pins = [pin for each in surfaces if (pin := lowest_pin(repo, each))]
        held = next((pin for pin in pins if not is_higher(standing.release, pin)), "")
        return replace(standing, pin=held), bool(pins) and not held

    async def _planned(self, followup: FollowUp, news: Sequence[News]) -> tuple[Post, ...]:
        """Draw what tells of news, where people talk of the item."""
        spot = await self.messages.beside(followup, self.language)
        part = news_part(followup, news, spot.language)
        return self.sharing.drawn((part,), spot.language, followup.channel, spot.parent)

    async def _go_on(self, followup: FollowUp) -> bool:
        """Post what tells of a change, show it on the item's messages, tell whoever watches.

        What tells watchers is kept before the first is told, as everything else: whoever goes on
        after a crash looks for it, so that it comes once. Who cannot be told now waits for a day,
        and keeps no other waiting; who takes nothing watches no more. False where nobody but such
        a person waits: what becomes of the item meanwhile is to be told to all others.
        """
        following = followup.following
        assert following is not None  # there is something to say
        posts = await self.store.posts.numbered(following.saying)
        own = [each for each in posts if each.channel == followup.channel]
        alone = [each for each in posts if each.channel != followup.channel]
        if not await self._is_posted(followup, own):
            return True
        if not alone or any(each.state in UNSENT for each in own):
            await self.messages.show(followup.channel, followup.item_key)
        # A version before kept nothing of whose messages are still to be sent.
        kept: Mapping[str, Sequence[Post] | None] | None = {"": alone}
        if following.hears:
            drawn = await self._drawn_alone(followup, own, alone)
            keep = partial(_keep_alone, followup, drawn)
            kept = await self.store.followups.change(followup.channel, keep)
        if kept is None:
            return True  # whoever changed it meanwhile has it looked at again
        waiting: set[str] = set()
        deaf: set[str] = set()
        for person, theirs in kept.items():
            if not theirs:
                (waiting if theirs is None else deaf).add(person)
                continue
            try:
                await self.sharing.go_on(theirs)
            except PublishError as error:
                log.warning("watcher not told", channel=str(followup.channel), reason=str(error))
                (deaf if _is_for_good(error) else waiting).add(person)
        if self._is_over(following):
            waiting.clear()
        posts = (*own, *alone, *(each for theirs in kept.values() for each in theirs or ()))
        posted = {each.id for each in posts}
        close = partial(_close, followup.item_key, posted, waiting, deaf, self.clock())
        await self.store.followups.change(followup.channel, close)
        if waiting:
            await self._put_off(followup)
        return not waiting

    async def _is_posted(self, followup: FollowUp, own: Sequence[Post]) -> bool:
        """Post what a channel is told; False where that is to be tried again later."""
        try:
            sent = await self.sharing.go_on(own)
        except PublishError as error:
            log.warning("news not told", channel=str(followup.channel), reason=str(error))
            if kind_of(error) is None:
                await self._put_off(followup)
            return kind_of(error) is not None
        lost = [each for each in sent if each.state is PostState.GONE and not each.ref]
        if lost:
            await self._again(followup, lost)  # its thread is gone: the channel hears of it
        return not lost

    async def _drawn_alone(
        self, followup: FollowUp, own: Sequence[Post], alone: Sequence[Post]
    ) -> Mapping[str, Sequence[Post] | None]:
        """Return news for each person to be told, nothing where they may not hear or take it.

        None where a platform does not say now who they are or where they would get it. What is kept
        `alone` for a person is given as it is, and is not drawn once more. Without a message that
        news can be drawn from there is nothing to tell anybody, and nobody is given. What tells of
        other items, too, or of who owns it, is not for whoever watches this one; who talks with the
        bot alone in this very channel has heard it there, and is not given.
        """
        following, channel = followup.following, followup.channel
        repo = read_key(followup.item_key).repo
        parts = [
            replace(each.part, about=(), actions=())
            for each in own
            if each.part
            and each.part.kind is PartKind.NEWS
            and each.part.about == (followup.item_key,)
        ]
        drawn: dict[str, Sequence[Post] | None] = {}
        for person in following.hears if following and parts else ():
            is_known = False
            try:
                if not await self.may_tell_alone(repo, channel, person):
                    drawn[person] = ()
                    continue
                is_known = True
                place = await self.sharing.publisher(channel).direct(channel, person)
            except PublishError as error:
                log.warning("watcher not told", channel=str(channel), reason=str(error))
                # That nobody may say who they are makes no stranger of them.
                drawn[person] = () if is_known and _is_for_good(error) else None
                continue
            if place != channel:
                begun = [each for each in alone if each.channel == place]
                new = self.sharing.drawn(parts, own[0].language, place, None)
                drawn[person] = (*begun, *new[len(begun) :])
        return drawn

    async def _again(self, followup: FollowUp, lost: Sequence[Post]) -> None:
        parts = tuple(each.part for each in lost if each.part)
        anew = self.sharing.drawn(parts, lost[0].language, followup.channel, None)

        def plan(ledger: OpenFollowUps) -> None:
            current = ledger.followup(followup.item_key)
            if current and current.following:
                gone = {each.id for each in lost}
                left = [each for each in current.following.saying if each not in gone]
                saying = (*left, *(each.id for each in ledger.plan(anew) if each.id))
                ledger.save(replace(current, following=replace(current.following, saying=saying)))

        await self.store.followups.change(followup.channel, plan)

    def _is_over(self, following: Following) -> bool:
        """Return whether somebody was tried for long enough."""
        at = following.reported_at
        return at is not None and self.clock() - at > TRIED_FOR

    async def _put_off(self, followup: FollowUp) -> None:
        await self.store.followups.put_off(followup, self.clock() + AGAIN_AFTER)

    async def _free_of_departed(self, platform: Platform, now: datetime) -> None:
        """Free what is owned by who left, and say so once; it is due to be looked at then."""
        owned: dict[tuple[Channel, str], list[FollowUp]] = {}
        for each in listing(await self.store.followups.all(), Which.OPEN):
            if each.taken_by and each.channel.platform is platform:
                owned.setdefault((each.channel, each.taken_by), []).append(each)
        for (channel, owner), theirs in owned.items():
            if await self._has_left(channel, owner):
                log.info("owner left", channel=str(channel), person=owner)
                await self._let_go(channel, owner, theirs, now)

    async def _has_left(self, channel: Channel, owner: str) -> bool:
        """Return whether an owner left; not of a paused channel, nor where nobody can be asked."""
        if await self._is_paused(channel):
            return False
        try:
            return await self.sharing.publisher(channel).has_left(channel, owner)
        except PublishError as error:
            log.info("owner not known", channel=str(channel), reason=str(error))
            return False

    async def _let_go(
        self, channel: Channel, owner: str, owned: Sequence[FollowUp], now: datetime
    ) -> None:
        """Free what somebody took; the line that says so is kept with it, and posted by a look.

        It stands where people talk of what waits longest.
        """
        keys = await self.messages.shown(channel, [each.item_key for each in owned])
        oldest = next((each for each in owned if each.item_key in keys), None)
        if oldest is None:
            return
        spot = await self.messages.beside(oldest, self.language)
        for key in keys:
            await self.store.timestamps.note(showing(channel, key, None), now)

        def free(ledger: OpenFollowUps) -> None:
            theirs = [each for each in ledger.all() if each.is_open and each.taken_by == owner]
            current = [each for each in theirs if each.item_key in keys]
            freed = listing((without_owner(each, now) for each in current), Which.OPEN)
            for each in freed:
                ledger.save(each, look_at(each, now))
                ledger.announce(each, FollowUpNoticeKind.RELEASED.value, owner, now)
            for first in freed[:1]:
                part = owner_left_part(freed, owner, spot.language)
                drawn = self.sharing.drawn((part,), spot.language, channel, spot.parent)
                line = [each.id for each in ledger.plan(drawn) if each.id]
                following = first.following or UNKNOWN
                following = replace(following, saying=(*following.saying, *line))
                ledger.save(replace(first, following=following), now)

        await self.store.followups.change(channel, free)
        for key in keys:
            await self.messages.followup(channel, key, None)


def _is_for_good(error: PublishError) -> bool:
    """Return whether no waiting has a person told."""
    return kind_of(error) is not None or isinstance(error, Refused | MessageGone)


def _keep_alone(
    followup: FollowUp, drawn: Mapping[str, Sequence[Post] | None], ledger: OpenFollowUps
) -> Mapping[str, Sequence[Post] | None] | None:
    """Keep what people are told alone before it is sent, and give it as it is kept.

    None where the follow-up was changed meanwhile: nothing is kept then.
    """
    current, before = ledger.followup(followup.item_key), followup.following
    if not current or not before or current.following != before:
        return None
    kept: dict[str, Sequence[Post] | None] = {}
    for person, posts in drawn.items():
        begun = [each for each in posts or () if each.id]
        new = ledger.plan([each for each in posts or () if not each.id])
        kept[person] = None if posts is None else (*begun, *new)
        before = replace(before, saying=(*before.saying, *(each.id for each in new if each.id)))
    ledger.save(replace(current, following=before))
    return kept


def _close(
    item_key: str,
    posted: Collection[int | None],
    waiting: Collection[str],
    deaf: Collection[str],
    now: datetime,
    ledger: OpenFollowUps,
) -> None:
    """Keep who is still `waiting` to be told, and that the `deaf` watch it no more.

    What was `posted` stays while somebody waits: their message is drawn from it.
    """
    current = ledger.followup(item_key)
    if current and current.following:
        following = replace(current.following, hears=tuple(sorted({*waiting} - {""})))
        if not waiting:
            left = tuple(each for each in following.saying if each not in posted)
            following = replace(following, saying=left)
        watchers = current.watchers - frozenset(deaf)
        current = replace(current, following=following, watchers=watchers)
        ledger.save(current, look_at(current, now))


def _in_turn(keys: Collection[str], now: datetime) -> list[str]:
    """Return the items that are looked at in this hour."""
    shares = max(1, -(-len(keys) // MOST_COMPARED))
    hour = int(now.timestamp() // CORRECTIONS_EVERY.total_seconds())
    return [key for key in keys if crc32(key.encode()) % shares == hour % shares]


def _followed(followup: FollowUp) -> Followed:
    following = followup.following
    seen = following.seen if following else None
    wanted = followed(followup.item_key)
    return replace(wanted, not_in=seen.not_in, release=seen.release) if seen else wanted
