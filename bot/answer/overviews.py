"""What a person is shown of a channel or a workspace: follow-ups, and channels they are in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.answer.channel_answers import ChannelAnswers
from bot.answer.channel_settings import ChannelSettings
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import followups_part, with_followups
from bot.deliver.posting import Sharing
from bot.model.channels import Channel, Platform, Visit
from bot.model.followups import FollowUp, Which, is_of, listing
from bot.model.parts import Part
from bot.model.ports import PublishError
from bot.store.store import ChannelStore
from bot.wording.channel_words import described, state
from digest.languages import Language
from digest.ports import Clock
from digest.wording.saying import CATALOGUES
from digest.writing.rules import plain

MOST_LINKED = 20
"""Follow-ups of a list that lead to their messages: Slack is asked for each."""

MOST_CHANNELS = 20
"""Channels that one overview looks at; each may cost the platform a request."""


@dataclass(frozen=True)
class FollowUpLists:
    """Lists follow-ups. Methods raise `StoreFailed`."""

    reading: ChannelAnswers
    store: ChannelStore
    sharing: Sharing
    clock: Clock

    async def reply(self, which: Which, visit: Visit, language: Language) -> ChatReply:
        """List what a person asks for, with buttons for what is of this channel."""
        listed = await self.listed(which, visit)
        where = await self.links(listed[:MOST_LINKED])
        now = self.clock()
        part = followups_part(listed, language, which, now=now, here=visit.channel, where=where)
        return ChatReply((part,), language, is_personal=which is Which.EVERYWHERE)

    async def shown_on(
        self, parts: Sequence[Part], channel: Channel, language: Language
    ) -> tuple[Part, ...]:
        """Return the parts of an answer with how what they tell is followed up in a channel."""
        followups = await self.store.followups.of(channel)
        return tuple(with_followups(part, followups, language) for part in parts)

    async def listed(self, which: Which, visit: Visit) -> tuple[FollowUp, ...]:
        """Return the follow-ups that a person asks for, as far as they may be told of them.

        With `everywhere` these are of all channels that they are in, else of this one. What may
        not be told where it is asked is left out there too: others may read the answer.
        """
        if which is not Which.EVERYWHERE:
            stored = await self.store.followups.of(visit.channel)
            return listing(await self.reading.visible(stored, visit), which, visit.person)
        found = await self.seen(visit)
        here = await self.reading.visible(found, visit)
        return listing(here, which, visit.person)

    async def seen(self, visit: Visit) -> tuple[FollowUp, ...]:
        """Return the open follow-ups of a channel, and of all others of its workspace.

        That is of those that a person is in now, and of repositories that they may hear of there.
        """
        stored = await self.store.followups.of_workspace(visit.channel)
        opened = [each for each in stored if each.is_open]
        others: dict[Visit, bool] = {}
        for each in opened:
            if each.channel != visit.channel:
                other = replace(visit, channel=each.channel)
                others[other] = others.get(other, False) or is_of(each, visit.person.id)
        checked = sorted(others, key=lambda other: not others[other])[:MOST_CHANNELS]
        there = [each for each in checked if await self.is_in(each, was_there=others[each])]
        found: list[FollowUp] = []
        for place in (visit, *there):
            of_place = [each for each in opened if each.channel == place.channel]
            found += await self.reading.visible(of_place, place)
        return tuple(found)

    async def is_in(self, visit: Visit, *, was_there: bool) -> bool:
        """Return whether a person is in a channel now; not where the platform does not say.

        `was_there` says that they did something there, as `Publisher.is_member` takes it.
        """
        publisher = self.sharing.publisher
        try:
            return await publisher(visit.channel).is_member(
                visit.channel, visit.person.id, was_there=was_there
            )
        except PublishError:
            return False

    async def links(self, followups: Sequence[FollowUp]) -> Mapping[int | None, str]:
        """Return the addresses of where follow-ups were flagged, by their numbers.

        Else of the newest message about them; there is none where the platform does not answer.
        """
        found: dict[int | None, str] = {}
        silent: set[Platform] = set()
        for each in followups:
            channel = each.channel
            refs = [mark.message for mark in each.marks if mark.message]
            if not refs:
                posts = await self.store.posts.about(channel, each.item_key, 1)
                refs = [post.ref for post in posts]
            if not refs or channel.platform in silent:
                continue
            try:
                found[each.id] = await self.sharing.publisher(channel).link(channel, refs[0])
            except PublishError:
                silent.add(channel.platform)
        return found


MOST_FOLLOWUPS = 30


@dataclass(frozen=True, slots=True)
class HomePage:
    """Follow-ups as a part, channels each with a sentence, and how many channels were left out."""

    language: Language
    followups: Part
    channels: tuple[tuple[Channel, str], ...]
    left_out: int


@dataclass(frozen=True)
class Home:
    """Makes the page of one person."""

    reading: ChannelAnswers
    settings: ChannelSettings
    lists: FollowUpLists
    store: ChannelStore
    clock: Clock

    async def page(self, own: Visit) -> HomePage:
        """Return what a person may see now; `own` is of their conversation with the bot.

        Of a channel that they are not in nothing is told, of a private repository only what they
        may hear there. Channels that they subscribed themselves are looked at first.
        """
        language = (await self.reading.asker(own)).language
        seen_now = await self.lists.seen(own)
        shown = listing(seen_now, Which.MINE, own.person)[:MOST_FOLLOWUPS]
        where = await self.lists.links(shown[:MOST_LINKED])
        now = self.clock()
        subscriptions = sorted(
            await self.store.subscriptions.of_workspace(
                own.channel.platform, own.channel.workspace
            ),
            key=lambda each: (each.created_by != own.person.id, each.channel),
        )
        channels = []
        for subscription in subscriptions[:MOST_CHANNELS]:
            visit = replace(own, channel=subscription.channel)
            was_there = subscription.created_by == own.person.id
            if not await self.lists.is_in(visit, was_there=was_there):
                continue
            if seen := await self.settings.seen(visit):
                how = plain(state(seen, now, language, errors=False))
                say = CATALOGUES[language]
                channels.append(
                    (visit.channel, f"{described(seen, language)}{say.stop}{say.gap}{how}")
                )
        return HomePage(
            language,
            followups_part(shown, language, Which.MINE, now=now, where=where),
            tuple(channels),
            max(0, len(subscriptions) - MOST_CHANNELS),
        )
