"""A morning of ten channels with three repositories each, told by the real process.

Both platforms and GitHub are small servers on loopback in this process; the store is PostgreSQL.
Every step that can be seen from outside has a name, and whoever watches may kill the process there.
"""

import asyncio
import json
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import psycopg
from aiohttp import web
from sqlalchemy import make_url

from adapters.discord.client import DiscordPublisher
from adapters.discord.rest import Rest
from adapters.slack.client import SlackPublisher
from benchmarks.small_github import SmallGitHub, application
from bot.compose.followup_parts import notice_part
from bot.deliver.posting import Sharing, thread_posts
from bot.model.channel_commands import Quiet
from bot.model.channels import Channel, Person, Platform
from bot.model.following import Correction, Following, News
from bot.model.followups import FollowUp, Reaction, ReactionKind, react
from bot.model.parts import Part, PartKind, Thread
from bot.model.ports import Publisher
from bot.model.posts import PostState
from bot.model.references import read_key
from bot.model.slots import delivered, due
from bot.model.subscriptions import Subscription
from bot.store.followups import OpenFollowUps
from bot.store.store import ChannelStore
from digest.languages import Language
from digest.models import Repo, State
from digest.store.database import Database, upgrade
from digest.upstream import Standing
from digest.writing.document import Bullets, Entry, Link
from tests.adapters.discord.conftest import DAILY, GUILD, FakeDiscord
from tests.adapters.discord.local_discord import EPOCH_MS
from tests.adapters.discord.objects import user
from tests.adapters.slack.conftest import BOT, TEAM, FakeSlack
from tests.adapters.slack.local_slack import Post
from tests.e2e.database_time import set_time

NINE = datetime(2026, 2, 12, 9, tzinfo=UTC)
CHANNELS_OF_EACH = 5
REPOS = tuple(Repo("example-org", name) for name in ("turbine", "rotor", "stator"))
OUT_OF_LEASE = timedelta(minutes=2)
"""How much later a process is started again: by then nobody holds anything."""

LONGEST = 180.0
"""Seconds in which a morning is told, or is lost."""

LONGEST_END = 30.0
"""Seconds in which a process ends on a machine with many of them; alone it takes a few."""

_OWN_LINK = re.compile(r"https://(?:fake\.slack\.com|discord\.com/channels)/[^\s\"|>)]+")
_OWN_ID = re.compile(r'"id": \d+')
_STATES = """
CREATE OR REPLACE FUNCTION step() RETURNS trigger AS $$
BEGIN
  PERFORM pg_notify('step', concat_ws(' ', TG_ARGV[0], to_jsonb(NEW) ->> 'state'));
  RETURN NEW;
END
$$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER step AFTER INSERT OR UPDATE OF state ON delivery
  FOR EACH ROW EXECUTE FUNCTION step('delivery');
CREATE OR REPLACE TRIGGER step AFTER INSERT OR UPDATE OF state ON post
  FOR EACH ROW WHEN (NEW.delivery_id IS NOT NULL) EXECUTE FUNCTION step('post');
CREATE OR REPLACE TRIGGER news AFTER INSERT OR UPDATE OF state ON post
  FOR EACH ROW WHEN (NEW.delivery_id IS NULL) EXECUTE FUNCTION step('news');
CREATE OR REPLACE TRIGGER step AFTER UPDATE ON follow_up
  FOR EACH ROW EXECUTE FUNCTION step('followup');
CREATE OR REPLACE TRIGGER step AFTER UPDATE ON correction
  FOR EACH ROW EXECUTE FUNCTION step('correction');
"""

Watch: TypeAlias = Callable[[str], None]
"""Told the name of each step, in the moment in which it happens."""

Told: TypeAlias = Counter[tuple[str, str, str]]
"""How often each message stands: (channel, what its thread begins with, what it says)."""


class WatchedSlack(FakeSlack):
    """Slack, telling of each post and edit."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.second = int(NINE.timestamp())
        self._watch = watch

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        name = f"slack {request.match_info['method']}"
        self._watch(f"{name} asked")
        answer = await super().on_call(request)
        self._watch(f"{name} done")
        await answer.prepare(request)
        await answer.write_eof()
        self._watch(f"{name} answered")
        return answer

    def told(self) -> Told:
        """Give every message that stands."""
        begins = {post.ts: _said(post.text, post.blocks) for post in self.posts}
        return Counter(
            (post.channel, begins.get(post.thread_ts or "", ""), _said(post.text, post.blocks))
            for post in self.posts
        )


class WatchedDiscord(FakeDiscord):
    """Discord, telling of each post, thread and edit."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(int(NINE.timestamp() * 1000))
        self._watch = watch
        for number in range(1, CHANNELS_OF_EACH):
            self.messages[_discord(number)] = []

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        last = request.match_info["path"].rpartition("/")[2]
        name = f"discord {request.method} {'message' if last.isdigit() else last}"
        self._watch(f"{name} asked")
        answer = await super().on_call(request)
        self._watch(f"{name} done")
        await answer.prepare(request)
        await answer.write_eof()
        self._watch(f"{name} answered")
        return answer

    def told(self) -> Told:
        """Give every message that stands; a thread has the id of the message it began with."""
        begins = {
            each["id"]: (place, _drawn(each))
            for place, said in self.messages.items()
            for each in said
        }
        return Counter(
            (*begins.get(place, (place, "")), _drawn(each))
            for place, said in self.messages.items()
            for each in said
        )


class WatchedGitHub(SmallGitHub):
    """GitHub, telling of each question."""

    def __init__(self, watch: Watch) -> None:
        super().__init__(every=4)
        self.now = NINE
        self._watch = watch

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self._watch("github asked")
        return await super().handle(request)


AnyWorld = TypeVar("AnyWorld", bound="World")


class World:
    """The servers, a database and the process that tells the morning."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.seen: Counter[str] = Counter()
        self.slack = WatchedSlack(self._step)
        self.discord = WatchedDiscord(self._step)
        self.github = WatchedGitHub(self._step)
        self.starts = 0
        self.now = NINE
        self._kill_at: tuple[str, int] | None = None
        self._folder = folder
        self._database_url = database_url
        self._process: asyncio.subprocess.Process | None = None

    @property
    def told(self) -> Told:
        """Give every message that stands on both platforms."""
        return self.slack.told() + self.discord.told()

    def show_yesterday(self) -> None:
        """Have each channel of `FLAGGED` show a message of the morning before."""
        slack, discord = OF_YESTERDAY[Platform.SLACK], OF_YESTERDAY[Platform.DISCORD]
        self.slack.posts.append(Post("C0", slack, BOT, "as it was", None, None))
        shown = {"id": discord, "content": "as it was", "nonce": "", "author": user(BOT, "infra")}
        self.discord.messages[DAILY].append(shown)

    async def start(self, *, kill_at: tuple[str, int] | None = None) -> None:
        """Start the process; it is killed at the n-th time of a step, counted from now.

        The database says what time it is; the clock of this machine shows something else.
        """
        self.seen.clear()
        self._kill_at = kill_at
        self.now = NINE + self.starts * OUT_OF_LEASE
        self.starts += 1
        set_time(plain(self._database_url), self.now)
        log = self._folder / f"run-{self.starts}.log"
        with log.open("wb") as out:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "adapters.terminal.main", "run"),
                cwd=self._folder,
                env=self.environment(),
                stdout=out,
                stderr=out,
            )

    async def killed(self, within: float) -> None:
        """Wait until the step came at which the process is killed, or kill it after some time."""
        assert self._process
        try:
            async with asyncio.timeout(within):
                await self._process.wait()
        except TimeoutError:
            self._kill()
            await self._process.wait()

    async def until_told(self, longest: float = LONGEST) -> None:
        """Wait until every channel is told; `TimeoutError` after `longest` seconds."""
        query = (
            "SELECT (SELECT count(*) FROM subscription) = count(*) FROM delivery "
            f"WHERE state = 'told' AND local_date = '{NINE.date()}'"
        )
        async with (
            asyncio.timeout(longest),
            await psycopg.AsyncConnection.connect(plain(self._database_url)) as connection,
        ):
            while True:
                row = await (await connection.execute(query)).fetchone()
                await connection.commit()
                if row and row[0]:
                    return
                assert self._process
                if self._process.returncode is not None:
                    raise AssertionError(f"the process ended: see {self._folder}")
                await asyncio.sleep(0.1)

    async def until_followed(self, longest: float = LONGEST) -> None:
        """Wait until every channel of `FLAGGED`, and who watches, has notice, news, correction."""
        query = (
            "SELECT count(*) FROM post WHERE delivery_id IS NULL AND state = 'sent' "
            "UNION ALL SELECT 3 * count(*) FROM correction WHERE shown"
        )
        async with (
            asyncio.timeout(longest),
            await psycopg.AsyncConnection.connect(plain(self._database_url)) as connection,
        ):
            while True:
                rows = await (await connection.execute(query)).fetchall()
                await connection.commit()
                if all(count >= 3 * len(FLAGGED) for (count,) in rows):
                    return
                await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """End the process as a host does; if it takes too long, its log says where it stands."""
        if self._process and self._process.returncode is None:
            self._process.terminate()
            try:
                async with asyncio.timeout(LONGEST_END):
                    await self._process.wait()
            except TimeoutError:
                self._process.send_signal(signal.SIGABRT)
                await self._process.wait()
                raise

    def _step(self, name: str) -> None:
        self.seen[name] += 1
        if self._kill_at and self._kill_at == (name, self.seen[name]):
            self._kill()

    def _kill(self) -> None:
        if self._process and self._process.returncode is None:
            os.kill(self._process.pid, signal.SIGKILL)

    def environment(self) -> dict[str, str]:
        """Give what the process is set up with."""
        gateway = self.discord.url.replace("http", "ws") + "/gateway"
        return {
            "PATH": os.environ["PATH"],
            "PYTHONFAULTHANDLER": "1",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "DATABASE_URL": self._database_url,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_TOKEN": "t",
            "SLACK_BOT_TOKEN": "xoxb-fake",
            "SLACK_APP_TOKEN": "xapp-fake",
            "SLACK_API_URL": self.slack.api,
            "DISCORD_TOKEN": "fake-token",
            "DISCORD_API_URL": f"{self.discord.url}/api",
            "DISCORD_GATEWAY_URL": gateway,
            "PORT": "0",
        }

    async def listen_to_the_store(self) -> None:
        """Tell of each state that is written, as soon as it is committed."""
        connection = await psycopg.AsyncConnection.connect(
            plain(self._database_url), autocommit=True
        )
        async with connection:
            await connection.execute("LISTEN step")
            async for notice in connection.notifies():
                self._step(f"stored {notice.payload}")

    async def serve(self, stack: AsyncExitStack) -> None:
        """Start the servers."""
        self.slack.url = await served(self.slack.application(), stack)
        self.discord.url = await served(self.discord.application(), stack)
        self.github.url = await served(application(self.github), stack)


@asynccontextmanager
async def world(folder: Path, database_url: str) -> AsyncIterator[World]:
    """Give a morning that is about to begin, in a database that `prepare` made."""
    async with served_by(World(folder, database_url)) as made:
        yield made


@asynccontextmanager
async def served_by(made: AnyWorld) -> AsyncIterator[AnyWorld]:
    """Start the servers of a world, and end them and its process."""
    async with AsyncExitStack() as stack:
        await made.serve(stack)
        listening = asyncio.create_task(made.listen_to_the_store())
        try:
            yield made
        finally:
            await made.stop()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


def plain(database_url: str) -> str:
    """Give a database URL without the driver's name."""
    url = make_url(database_url).set(drivername="postgresql")
    return url.render_as_string(hide_password=False)


async def prepare(database_url: str, of_each: int = CHANNELS_OF_EACH) -> None:
    """Set up an empty database: its tables, so many channels of each platform, notices of steps."""
    await upgrade(database_url)
    async with Database(database_url) as database:
        subscriptions = ChannelStore(database).subscriptions
        for channel in _channels(of_each):
            await subscriptions.change(channel, partial(_wanted, _subscription(channel)))
    async with await psycopg.AsyncConnection.connect(plain(database_url)) as connection:
        await connection.execute(_STATES)


async def flag(database_url: str) -> None:
    """Have some channels follow up a change of the day before, which is released meanwhile.

    One person of each waits for the release. Another change was flagged where no message shows it,
    in an answer or in a roundup, and the process ended before it posted the notice. One that a list
    of the morning before names was reverted, and the process ended before the list said so.
    """
    key = f"{REPOS[0]}:pull_request:{EARLIER}"
    url = f"https://github.com/{REPOS[0]}/pull/{EARLIER}"
    merged = Standing(State.MERGED)
    at = NINE - timedelta(hours=3)
    async with Database(database_url) as database:
        followups = ChannelStore(database).followups
        for channel in FLAGGED:
            person = Person(channel.platform, channel.workspace, "U1", "ada")
            flag = Reaction(ReactionKind.FLAG, person, True, (key,), at)
            following = Following(merged, merged, looked_at=at, changed_at=at)
            blank = FollowUp(
                None, channel, key, "Add a blade", f"#{EARLIER}", url, following=following
            )
            followup = react(None, flag, blank=blank).followup
            assert followup
            followup = replace(followup, watchers=frozenset({person.id}))
            await followups.change(channel, partial(OpenFollowUps.save, followup=followup))
            store = ChannelStore(database)
            publishers: dict[Platform, Publisher] = {
                Platform.SLACK: SlackPublisher("xoxb-fake"),
                Platform.DISCORD: DiscordPublisher(Rest("fake-token"), store.values),
            }
            await _flag_unposted(store, publishers, channel, flag)
            await _tell_what_is_reverted(store, publishers[channel.platform], channel)


async def _tell_what_is_reverted(
    store: ChannelStore, publisher: Publisher, channel: Channel
) -> None:
    """Keep a list of the morning before as it was posted, and what is wrong with it by now."""
    subscription = await store.subscriptions.of(channel)
    assert subscription
    slot = due(subscription, NINE - DAY)
    assert slot
    until = slot.due_at + OUT_OF_LEASE
    delivery = await store.deliveries.claim(slot, channel, "earlier", slot.due_at, until)
    assert delivery
    keys = [f"{REPOS[0]}:pull_request:{number}" for number in (REVERTED, REVERTED + 1)]
    entries = tuple(Entry((Link(key, read_key(key).url),), about=(key,)) for key in keys)
    thread = Thread(Language.EN, Part(PartKind.CHANGES, (Bullets(entries),), tuple(keys)))
    drawn = thread_posts([thread], publisher.render, delivery=delivery.id, channel=channel)
    for post in await store.deliveries.plan(delivery, drawn, (), complete=True):
        sent = replace(post, state=PostState.SENT, ref=OF_YESTERDAY[channel.platform])
        await store.deliveries.advance(delivery, sent)
    await store.deliveries.finish(delivery, lambda current: current and delivered(current, slot))
    item, standing = read_key(keys[0]), Standing(State.MERGED, reverted_by="#9")
    wrong = Correction(
        *(channel, keys[0], item.ref, "Turn it", item.url, News.REVERTED, standing),
    )
    await store.corrections.save(wrong, NINE - DAY)


async def _flag_unposted(
    store: ChannelStore,
    publishers: dict[Platform, Publisher],
    channel: Channel,
    flag: Reaction,
) -> None:
    key, released = f"{REPOS[0]}:pull_request:{UNPOSTED}", Standing(State.MERGED, release="v1")
    following = Following(released, released, looked_at=flag.at, changed_at=flag.at)
    title, url = "Turn a blade", "https://x.example"
    blank = FollowUp(None, channel, key, title, f"#{UNPOSTED}", url, following=following)
    followup = react(None, replace(flag, about=(key,)), blank=blank).followup
    assert followup

    part = notice_part(followup, Language.EN)
    drawn = Sharing(store.posts, publishers).drawn((part,), Language.EN, channel, None)

    def keep(ledger: OpenFollowUps) -> None:
        saying = tuple(each.id for each in ledger.plan(drawn) if each.id)
        ledger.save(replace(followup, following=replace(following, saying=saying)))

    await store.followups.change(channel, keep)


def _wanted(subscription: Subscription, _: Subscription | None) -> Subscription:
    return subscription


def _channels(of_each: int = CHANNELS_OF_EACH) -> list[Channel]:
    numbers = range(of_each)
    slack = [Channel(Platform.SLACK, TEAM, f"C{number}") for number in numbers]
    return slack + [Channel(Platform.DISCORD, GUILD, _discord(number)) for number in numbers]


def _discord(number: int) -> str:
    return str(int(DAILY) + 10 * number)


EARLIER = 4
"""A change of the first day, which the morning does not tell."""

UNPOSTED = EARLIER + 1

REVERTED = EARLIER + 2

DAY = timedelta(days=1)

OF_YESTERDAY = {
    Platform.SLACK: f"{(NINE - DAY).timestamp():.0f}.000001",
    Platform.DISCORD: str((int((NINE - DAY).timestamp() * 1000) - EPOCH_MS) << 22),
}
"""The message of the morning before in each channel of `FLAGGED`, by its reference."""

FLAGGED = tuple(each for each in _channels() if each.id in ("C0", DAILY))
"""Channels that follow it up: one of each platform."""


def _subscription(channel: Channel) -> Subscription:
    return Subscription(
        id=None,
        channel=channel,
        repos=REPOS,
        at=time(9),
        tz="UTC",
        days=frozenset(range(7)),
        weekly=False,
        language=Language.EN,
        without=frozenset(),
        paths=(),
        topics=(),
        quiet=Quiet.LINE,
        one_thread=False,
        created_by="",
        created_at=NINE - timedelta(days=2),
    )


def _said(text: str, blocks: Any) -> str:
    return _OWN_LINK.sub("LINK", json.dumps([text, blocks], sort_keys=True))


def _drawn(message: dict[str, Any]) -> str:
    shown = {key: message.get(key) for key in ("content", "embeds", "components")}
    return _OWN_ID.sub("", _OWN_LINK.sub("LINK", json.dumps(shown, sort_keys=True)))


async def served(application: web.Application, stack: AsyncExitStack) -> str:
    """Start a server on a free port of loopback and give its address."""
    runner = web.AppRunner(application, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"
