"""Requests and bytes of GitHub: a day never seen, again, the next day, and hours of follow-ups."""

import asyncio
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from benchmarks.fan_out import NINE, REPOS, subscription
from benchmarks.rows import Row
from benchmarks.small_github import CHANGES_A_DAY, DAYS, NAME, START, SmallGitHub, serving
from bot.deliver.posting import Sharing
from bot.followups.followup_messages import FollowUpMessages
from bot.followups.upstream_checks import UpstreamChecks
from bot.model.channels import Channel, Person, Platform
from bot.model.following import Following
from bot.model.followups import FollowUp, Reaction, ReactionKind, react
from bot.model.parts import PartKind
from bot.model.ports import Message
from bot.model.posts import Post, PostState
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.concern.surface import Surface
from digest.languages import Language
from digest.models import Kind, Repo, State, Window
from digest.pipeline import Pipeline
from digest.sources.github.source import GitHub
from digest.store.database import upgrade
from digest.store.store import open_store
from digest.upstream import Standing

LIMIT = 5
"""Counted requests of a day of 40 changes, besides one for each patch that is read.

One of them asks for all whole files that are compared.
"""

FIRST = Window(START, START + timedelta(days=1), "UTC", f"{START:%Y-%m-%d}")
SECOND = Window(FIRST.end, FIRST.end + timedelta(days=1), "UTC", f"{FIRST.end:%Y-%m-%d}")


def measure() -> list[Row]:
    """Give the rows of the three ways to ask, and of follow-ups."""
    return [*asyncio.run(_measure()), *_followed()]


async def _measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'infra.sqlite3'}"
        async with serving() as server, open_store(url) as store:
            server.now = START + timedelta(days=DAYS)
            clock = lambda: server.now  # noqa: E731 - one line says it all
            async with GitHub(
                token="invented",
                api_url=server.url,
                memory=store.memory,
                clock=clock,
                progress=lambda line: None,
                seen_since=store.activity("github").seen_since,
            ) as github:
                pipeline = Pipeline(
                    github,
                    source_name="github",
                    store=store,
                    clock=clock,
                    progress=lambda line: None,
                )
                return [
                    await _ask("a day never seen", LIMIT, server, pipeline, FIRST),
                    await _ask("the same day again", 0, server, pipeline, FIRST),
                    await _ask("the next day", LIMIT, server, pipeline, SECOND),
                ]


async def _ask(
    name: str, limit: int, server: SmallGitHub, pipeline: Pipeline, window: Window
) -> Row:
    server.requests = server.patches = server.unchanged = server.sent = 0
    told = await pipeline.digest(Repo.parse(NAME), window)
    if told.reading.counts.commits != CHANGES_A_DAY or told.reading.gaps:
        raise SystemExit(f"{name}: the day was not collected whole: {told.reading.gaps}")
    counted = server.requests - server.patches - server.unchanged
    return Row(
        f"GitHub, {name} of {CHANGES_A_DAY} changes",
        f"{counted} requests + {server.patches} patches, {server.sent / 1024:.0f} KiB",
        f"{limit} requests",
        counted <= limit,
    )


FOLLOW_UPS = 500
CHANNELS = 20
TOLD = (*REPOS, *(Repo("example-org", name) for name in ("nacelle", "tower", "grid")))
"""Repositories of the mornings."""

TOLD_DAYS = 2
MOST_REQUESTS = 20
TICK = timedelta(seconds=15)
HOUR = 240
"""Ticks of an hour."""


def _followed() -> list[Row]:
    """Return the requests of the first hour, of one after it, and the CPU of that one.

    Each channel was told a morning, too, which names changes of some repositories.
    """
    first, later, seconds = asyncio.run(_hours())
    named = len(TOLD) * TOLD_DAYS * CHANGES_A_DAY
    name = f"{FOLLOW_UPS} open follow-ups, {named} changes named"
    limit = f"{MOST_REQUESTS}"
    return [
        Row(f"{name}, the first hour", f"{first} requests", limit, first <= MOST_REQUESTS),
        Row(f"{name}, an hour after it", f"{later} requests", limit, later <= MOST_REQUESTS),
        Row("the same, CPU", f"{seconds:.1f} s"),
    ]


async def _hours() -> tuple[int, int, float]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'followed.sqlite3'}"
        await upgrade(url)
        async with open_store(url) as digests, serving() as server:
            store = ChannelStore(digests.database)
            for number in range(FOLLOW_UPS):
                await _flag(store, number)
            now = server.now = NINE
            async with GitHub(
                token="t",
                api_url=server.url,
                memory=digests.memory,
                clock=lambda: now,
                progress=lambda line: None,
            ) as github:
                pipeline = Pipeline(
                    github,
                    source_name="github",
                    store=digests,
                    clock=lambda: now,
                    progress=lambda line: None,
                )
                await _tell_mornings(pipeline, store)
                looks = _looks(github, pipeline, store)
                hours = []
                for hour in range(2):
                    before, begun = server.requests, time.process_time()
                    for tick in range(HOUR):
                        now = NINE + hour * timedelta(hours=1) + tick * TICK
                        await looks.look(now)
                    hours.append(server.requests - before)
            _check(server)
            return hours[0], hours[1], time.process_time() - begun


def _check(server: SmallGitHub) -> None:
    """Each was looked at twice an hour, and what mornings named once."""
    named = len(TOLD) * TOLD_DAYS * CHANGES_A_DAY
    assert server.followed >= 4 * FOLLOW_UPS + 2 * named, server.followed


async def _tell_mornings(pipeline: Pipeline, store: ChannelStore) -> None:
    """Tell every channel all changes of some days, as one message."""
    end = START + timedelta(days=TOLD_DAYS)
    window = Window(START, end, "UTC", f"{START:%Y-%m-%d}..{end - timedelta(days=1):%Y-%m-%d}")
    readings = [(await pipeline.digest(repo, window)).reading for repo in TOLD]
    items = [each.item for reading in readings for each in reading.items]
    about = tuple(item.key for item in items if item.kind is Kind.PULL_REQUEST)
    message = Message(" ".join(item.url for item in items), about, True, PartKind.PARENT)
    for number in range(CHANNELS):
        wanted = subscription(number, Platform.SLACK)
        told = await store.subscriptions.change(wanted.channel, partial(_wanted, wanted))
        assert told
        assert told.id
        slot = Slot(told.id, NINE.date(), NINE, window)
        delivery = await store.deliveries.claim(slot, told.channel, "it", NINE, NINE + TICK)
        assert delivery
        post = Post(None, delivery.id, told.channel, 0, 0, message, Language.EN, f"n{number}")
        (post,) = await store.deliveries.plan(delivery, [post], (), complete=True)
        sent = replace(post, state=PostState.SENT, ref=f"{number}.0")
        await store.deliveries.advance(delivery, sent)
        await store.deliveries.finish(delivery, lambda current: current)


def _wanted(wanted: Subscription, _: Subscription | None) -> Subscription:
    return wanted


def _looks(github: GitHub, pipeline: Pipeline, store: ChannelStore) -> UpstreamChecks:
    async def may_show(repo: Repo, channel: Channel) -> bool:
        return True

    async def may_tell_alone(repo: Repo, channel: Channel, person: str) -> bool:
        return True

    async def no_surfaces(channel: Channel) -> tuple[Surface, ...]:
        return ()

    async def blank(channel: Channel, item_key: str) -> FollowUp:
        raise AssertionError("nobody flags anything")

    clock, sharing = lambda: NINE, Sharing(store.posts, {})
    return UpstreamChecks(
        *(github, store, sharing, FollowUpMessages(store, sharing, clock, blank, may_show)),
        *(may_tell_alone, pipeline, no_surfaces),
        clock=clock,
        owner="benchmark",
        platforms=(Platform.SLACK,),
    )


async def _flag(store: ChannelStore, number: int) -> None:
    channel = Channel(Platform.SLACK, "T1", f"C{number % CHANNELS}")
    repo = REPOS[number % len(REPOS)]
    change = number // len(REPOS) + 1
    key, merged = f"{repo}:pull_request:{change}", Standing(State.MERGED)
    flag = Reaction(
        ReactionKind.FLAG, Person(Platform.SLACK, "T1", "U1", "ada"), True, (key,), NINE
    )
    following = Following(merged)
    blank = FollowUp(None, channel, key, "Add", f"#{change}", "", following=following)

    def react_to_it(ledger: OpenFollowUps) -> None:
        followup = react(ledger.followup(key), flag, blank=blank).followup
        assert followup
        ledger.save(followup)

    await store.followups.change(channel, react_to_it)
