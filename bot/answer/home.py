"""What one person is shown of a whole workspace: their follow-ups, and channels they are in."""

from dataclasses import dataclass

from bot.answer.channel_answers import ChannelAnswers
from bot.answer.followup_lists import MOST_LINKED, FollowUpLists
from bot.answer.subscribing import Subscribing
from bot.compose.followup_parts import followups_part
from bot.model.channels import Channel, Person
from bot.model.followups import Which, listing
from bot.model.parts import Part
from bot.store.store import ChannelStore
from bot.wording.channel_words import described, state
from digest.languages import Language
from digest.ports import Clock
from digest.wording.saying import CATALOGUES
from digest.writing.rules import plain

MOST_CHANNELS = 20
"""Channels that are looked at and told; each may cost the platform a request."""

MOST_FOLLOWUPS = 30


@dataclass(frozen=True, slots=True)
class HomePage:
    """Follow-ups as a part, channels each with a sentence, and how many channels were left out."""

    language: Language
    followups: Part
    channels: tuple[tuple[Channel, str], ...]
    left_out: int


class Home:
    """Makes the page of one person."""

    def __init__(
        self,
        reading: ChannelAnswers,
        subscribing: Subscribing,
        lists: FollowUpLists,
        store: ChannelStore,
        clock: Clock,
    ) -> None:
        self._reading = reading
        self._lists = lists
        self._subscribing = subscribing
        self._store = store
        self._clock = clock

    async def page(self, own: Channel, person: Person) -> HomePage:
        """Give what a person may see now; `own` is their conversation with the bot.

        Of a channel that they are not in nothing is told, of a private repository only what they
        may hear there. Channels that they subscribed themselves are looked at first.
        """
        language = (await self._reading.asker(own, person)).language
        seen_now = await self._lists.seen(own, person)
        shown = listing(seen_now, Which.MINE, person)[:MOST_FOLLOWUPS]
        where = await self._lists.links(shown[:MOST_LINKED])
        now = self._clock()
        subscriptions = sorted(
            await self._store.subscriptions.of_workspace(own.platform, own.workspace),
            key=lambda each: (each.created_by != person.id, each.channel),
        )
        told = []
        for subscription in subscriptions[:MOST_CHANNELS]:
            channel = subscription.channel
            was_there = subscription.created_by == person.id
            if not await self._lists.is_in(channel, person, was_there=was_there):
                continue
            for seen in await self._subscribing.seen(channel, person):
                how = plain(state(seen, now, language, errors=False))
                say = CATALOGUES[language]
                told.append((seen.channel, f"{described(seen, language)}{say.stop}{say.gap}{how}"))
        return HomePage(
            language,
            followups_part(shown, language, Which.MINE, now=now, where=where),
            tuple(told),
            max(0, len(subscriptions) - MOST_CHANNELS),
        )
