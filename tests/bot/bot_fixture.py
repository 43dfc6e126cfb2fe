"""A whole bot on a real database, with a platform that keeps a transcript."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from adapters.pages.html import render
from bot.answer.answers import Answers
from bot.answer.chat import Chat
from bot.deliver.delivery import Delivering
from bot.deliver.planning import Planning
from bot.deliver.posting import Sharing
from bot.deliver.shared_roundups import SharedRoundups
from bot.followups.handler import FollowUpHandler
from bot.followups.upstream_checks import UpstreamChecks
from bot.model.channels import Channel, Platform
from bot.model.policy import Policy, Visibility
from bot.model.subscriptions import Subscription
from bot.store.store import ChannelStore
from digest.concern.ripple import RippleHistory
from digest.editing.editor import Editor
from digest.editing.plain_words import ModelAsking
from digest.languages import Language
from digest.models import Repo
from digest.pipeline import Pipeline
from digest.ports import Clock, Source
from digest.store.store import Store, open_store
from tests.bot import channels_invented
from tests.bot.platform_fake import CHANNEL, KILN, SECRET, Forge, Transcript, at


@dataclass
class Bot:
    """The parts of a running bot."""

    chat: Chat
    store: ChannelStore
    delivering: Delivering
    platform: Transcript
    forge: Forge
    digests: Store
    pauses: list[float]
    planning: Planning
    pipeline: Pipeline
    upstream: UpstreamChecks

    async def subscribe(self, channel: Channel = CHANNEL, **chosen: object) -> Subscription:
        """Store a subscription as it would be since yesterday."""
        wanted = subscription(channel=channel, **chosen)
        stored = await self.store.subscriptions.change(channel, lambda current: wanted)
        assert stored
        return stored

    async def subscription(self, channel: Channel = CHANNEL) -> Subscription:
        stored = await self.store.subscriptions.of(channel)
        assert stored
        return stored


def subscription(**chosen: object) -> Subscription:
    """Give what channel and repository of the fake platform get, as if it were just said."""
    given: dict[str, object] = {
        "id": None,
        "channel": CHANNEL,
        "repos": (KILN,),
        "created_by": "U1",
        "created_at": at(11, 12),
    }
    return channels_invented.subscription(**(given | chosen))  # type: ignore[arg-type]  # by name


@asynccontextmanager
async def open_bot(
    url: str,
    clock: Clock,
    platform: Transcript,
    *,
    forge: Forge | None = None,
    owner: str = "first",
    policy: Policy | None = None,
    followers: Policy | None = None,
    private: Mapping[Repo, frozenset[str]] | None = None,
    store: type[ChannelStore] = ChannelStore,
    editing: Editor | None = None,
    asking: ModelAsking | None = None,
    platforms: tuple[Platform, ...] = (Platform.SLACK,),
    source: Source | None = None,
) -> AsyncIterator[Bot]:
    forge = forge or Forge(clock)
    private = {SECRET: frozenset({"slack:T1"})} if private is None else private
    async with open_store(url) as digests:
        pipeline = Pipeline(
            forge,
            source_name="forge",
            store=digests,
            clock=clock,
            progress=lambda line: None,
            editing=editing,
        )
        kept = store(digests.database)
        pauses: list[float] = []

        async def pause(seconds: float) -> None:
            pauses.append(seconds)

        publishers = dict.fromkeys(platforms, platform)
        visibility = Visibility(
            private,
            platform.is_shared,
            platform.is_stranger,
            kept.subscriptions.of,
            kept.hidden.all,
            platform.is_public,
        )
        answers = Answers(pipeline, digests.watched, clock=clock, asking=asking)
        sharing = Sharing(kept.posts, publishers, pause=pause)
        gathering = SharedRoundups(pipeline, kept.leases, clock=clock, owner=owner, pause=pause)
        planning = Planning(gathering, kept, clock=clock, visibility=visibility)
        delivering = Delivering(planning, kept, publishers, clock=clock, owner=owner, pause=pause)
        followups = FollowUpHandler(
            pipeline, kept, sharing, clock, visibility.may_show, followers or Policy()
        )
        upstream = UpstreamChecks(
            *(forge, kept, sharing, followups.messages),
            *(visibility.may_tell_alone, pipeline, planning.surfaces),
            clock=clock,
            owner=owner,
            platforms=platforms,
        )
        chat = Chat(
            *(answers, visibility, followups, sharing, delivering),
            store=kept,
            clock=clock,
            policy=policy or Policy(),
            tz="UTC",
            language=Language.EN,
            source=source or forge,
            draw=render,
            fetch=platform.fetched,
            ripple_history=RippleHistory(pipeline.stored),
            beside=(upstream,),
        )
        bot = Bot(
            *(chat, kept, delivering, platform, forge, digests, pauses, planning, pipeline),
            upstream,
        )
        try:
            yield bot
        finally:
            await chat.stop()


def morning(day: int = 12) -> datetime:
    """Nine o'clock, when threads are due."""
    return at(day, 9)
