"""Follow-ups as a person is shown them: of a channel, or of all channels that they are in."""

from collections.abc import Mapping, Sequence

from bot.answer.channel_answers import ChannelAnswers
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import followups_part
from bot.deliver.sharing import Sharing
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import FollowUp, Which, is_of, listing
from bot.model.ports import PublishError
from bot.store.store import ChannelStore
from digest.languages import Language
from digest.ports import Clock

MOST_LINKED = 20
"""Follow-ups of a list that lead to their messages: Slack is asked for each."""

MOST_CHANNELS = 20
"""Other channels of which it is asked whether a person is in them, for one list."""


class FollowUpLists:
    """Lists follow-ups. Methods raise `StoreFailed`."""

    def __init__(
        self, reading: ChannelAnswers, store: ChannelStore, sharing: Sharing, clock: Clock
    ) -> None:
        self._reading = reading
        self._store = store
        self._sharing = sharing
        self._clock = clock

    async def reply(
        self, which: Which, channel: Channel, person: Person, language: Language
    ) -> ChatReply:
        """List what a person asks for, with buttons for what is of this channel."""
        listed = await self.listed(which, channel, person)
        where = await self.links(listed[:MOST_LINKED])
        now = self._clock()
        part = followups_part(listed, language, which, now=now, here=channel, where=where)
        return ChatReply((part,), language, is_personal=which is Which.EVERYWHERE)

    async def listed(self, which: Which, channel: Channel, person: Person) -> tuple[FollowUp, ...]:
        """Give the follow-ups that a person asks for, as far as they may be told of them.

        With `everywhere` these are of all channels that they are in, else of this one. What may
        not be told where it is asked is left out there too: others may read the answer.
        """
        if which is not Which.EVERYWHERE:
            stored = await self._store.followups.of(channel)
            return listing(await self._reading.visible(stored, channel, person), which, person)
        found = await self.seen(channel, person)
        here = await self._reading.visible(found, channel, person)
        return listing(here, which, person)

    async def seen(self, channel: Channel, person: Person) -> tuple[FollowUp, ...]:
        """Give the open follow-ups of a channel, and of all others of its workspace.

        That is of those that a person is in now, and of repositories that they may hear of there.
        """
        stored = await self._store.followups.of_workspace(channel)
        opened = [each for each in stored if each.is_open]
        others: dict[Channel, bool] = {}
        for each in opened:
            if each.channel != channel:
                was_there = others.get(each.channel, False) or is_of(each, person.id)
                others[each.channel] = was_there
        asked = sorted(others, key=lambda other: not others[other])[:MOST_CHANNELS]
        there = [each for each in asked if await self.is_in(each, person, was_there=others[each])]
        found: list[FollowUp] = []
        for each in opened:
            if each.channel in (channel, *there):
                found += await self._reading.visible((each,), each.channel, person)
        return tuple(found)

    async def is_in(self, channel: Channel, person: Person, *, was_there: bool) -> bool:
        """Tell whether a person is in a channel now; not where the platform does not say.

        `was_there` says that they did something there, as `Publisher.is_member` takes it.
        """
        publisher = self._sharing.publisher
        try:
            return await publisher(channel).is_member(channel, person.id, was_there=was_there)
        except PublishError:
            return False

    async def links(self, followups: Sequence[FollowUp]) -> Mapping[int | None, str]:
        """Give the addresses of where follow-ups were flagged, by their numbers.

        Else of the newest message about them; there is none where the platform does not answer.
        """
        found: dict[int | None, str] = {}
        silent: set[Platform] = set()
        for each in followups:
            channel = each.channel
            posts = await self._store.posts.about(channel, each.item_key, 1)
            refs = [mark.message for mark in each.marks if mark.message]
            ref = refs[0] if refs else posts[0].ref if posts else ""
            if not ref or channel.platform in silent:
                continue
            try:
                found[each.id] = await self._sharing.publisher(channel).link(channel, ref)
            except PublishError:
                silent.add(channel.platform)
        return found
