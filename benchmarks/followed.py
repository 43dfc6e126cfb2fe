"""What open follow-ups cost of GitHub's limit in an hour, and of this process."""

import asyncio
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from benchmarks.fan_out import NINE, REPOS
from benchmarks.rows import Row
from benchmarks.small_github import SmallGitHub, serving
from bot.deliver.posting import Sharing
from bot.followups.followup_messages import FollowUpMessages
from bot.followups.upstream_checks import UpstreamChecks
from bot.model.channels import Channel, Person, Platform
from bot.model.following import Following
from bot.model.followups import FollowUp, Reaction, ReactionKind, react
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.concern.surface import Surface
from digest.models import Repo, State
from digest.pipeline import Pipeline
from digest.sources.github.source import GitHub
from digest.store.database import upgrade
from digest.store.store import open_store
from digest.upstream import Standing

FOLLOW_UPS = 500
CHANNELS = 20
MOST_REQUESTS = 20
TICK = timedelta(seconds=15)
HOUR = 240
"""Ticks of an hour."""


def measure() -> list[Row]:
    """Return the requests of the first hour, of one after it, and the CPU of that one."""
    first, later, seconds = asyncio.run(_hours())
    name = f"{FOLLOW_UPS} open follow-ups"
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
            now = NINE
            async with GitHub(
                token="t",
                api_url=server.url,
                memory=digests.memory,
                clock=lambda: now,
                progress=lambda line: None,
            ) as github:
                looks = _looks(github, store)
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
    assert server.followed >= 4 * FOLLOW_UPS, "each was looked at twice an hour"


def _looks(github: GitHub, store: ChannelStore) -> UpstreamChecks:
    async def may_show(repo: Repo, channel: Channel) -> bool:
        return True

    async def may_tell_alone(repo: Repo, channel: Channel, person: str) -> bool:
        return True

    async def no_surfaces(channel: Channel) -> tuple[Surface, ...]:
        return ()

    async def blank(channel: Channel, item_key: str) -> FollowUp:
        raise AssertionError("nobody flags anything")

    def silent(line: str) -> None:
        pass

    clock, sharing = lambda: NINE, Sharing(store.posts, {})
    pipeline = Pipeline(github, source_name="github", store=None, clock=clock, progress=silent)
    return UpstreamChecks(
        *(github, store, sharing, FollowUpMessages(store, sharing, clock, blank, may_show)),
        *(may_show, may_tell_alone, pipeline, no_surfaces),
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
