"""Follow-ups with their marks, questions, events that were seen, and changes for a webhook."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from bot.model.channels import Channel, Platform
from bot.model.followups import FollowUp, Question, change_row
from bot.model.posts import Post
from bot.store.posts import plan
from bot.store.tables import (
    FOLLOW_UPS,
    OUTGOING,
    QUESTIONS,
    SEEN_EVENTS,
    columns,
    its,
    loaded,
    of_channel,
    of_each,
    readable,
    turn,
    within,
)
from digest import codec
from digest.store.batches import Joined
from digest.store.database import Database, Stored
from digest.store.tables import put

EVENTS_KEPT = timedelta(days=2)
"""Slack sends an event again for five minutes at most, https://docs.slack.dev/apis/events-api."""

Result = TypeVar("Result")

_OF_CHANNEL = select(FOLLOW_UPS).where(*of_channel(FOLLOW_UPS))
_OF_CHANNELS = of_each(FOLLOW_UPS, "item_key")
_PUT_OFF = (
    update(FOLLOW_UPS)
    .where(FOLLOW_UPS.c.id == bindparam("its_id"))
    .values(look_at=bindparam("its_moment"))
)


@dataclass(eq=False, repr=False)
class OpenFollowUps:
    """What a channel's reactions came to, open for one change; all of it is kept or nothing."""

    connection: Connection
    channel: Channel
    _: KW_ONLY
    announces: bool

    def is_new_event(self, event_id: str, now: datetime) -> bool:
        """Return whether an event was not seen before, and remember it."""
        key = {"platform": self.channel.platform.value, "event_id": event_id}
        known = [SEEN_EVENTS.c[name] == value for name, value in key.items()]
        old = SEEN_EVENTS.c.at < now - EVENTS_KEPT

        if self.connection.execute(select(SEEN_EVENTS.c.at).where(*known)).first():
            return False
        self.connection.execute(insert(SEEN_EVENTS).values(**key, at=now))
        self.connection.execute(delete(SEEN_EVENTS).where(old))
        return True

    def followup(self, item_key: str) -> FollowUp | None:
        """Return the follow-up of an item, also one that is gone."""
        one = _OF_CHANNEL.where(FOLLOW_UPS.c.item_key == item_key)
        row = self.connection.execute(one, its(self.channel)).first()
        return loaded(row, FollowUp) if row else None

    def all(self) -> tuple[FollowUp, ...]:
        """Return every follow-up of the channel, also those that are gone."""
        rows = self.connection.execute(_OF_CHANNEL, its(self.channel)).all()
        return readable(rows, FollowUp)

    def questions(self) -> tuple[Question, ...]:
        """Return what is known of the flags on every message of the channel about several items."""
        bodies = select(QUESTIONS.c.body).where(*within(QUESTIONS, self.channel))
        return tuple(codec.load(Question, body) for body in self.connection.scalars(bodies))

    def save(self, followup: FollowUp, look_at: datetime | None = None) -> None:
        """Store a follow-up as it is now; its item is looked at upstream at the next chance.

        With `look_at` it is then.
        """
        own = (*within(FOLLOW_UPS, followup.channel), FOLLOW_UPS.c.item_key == followup.item_key)
        row = {"body": codec.dump(followup), "look_at": look_at}
        if not self.connection.execute(update(FOLLOW_UPS).where(*own).values(row)).rowcount:
            key = columns(followup.channel) | {"item_key": followup.item_key}
            self.connection.execute(insert(FOLLOW_UPS).values(key | row))

    def announce(self, followup: FollowUp, change: str, person: str | None, at: datetime) -> None:
        """Store a change for the webhook, where there is one; `person` is whose it is."""
        if not self.announces:
            return
        event = {"id": secrets.token_hex(12)} | change_row(followup, change, person, at)
        body = json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")
        row = {
            "platform": self.channel.platform.value,
            "workspace": self.channel.workspace,
            "due_at": at,
            "tries": 0,
            "body": body,
        }
        self.connection.execute(insert(OUTGOING).values(**row))

    def plan(self, posts: Sequence[Post]) -> tuple[Post, ...]:
        """Store messages that tell of a change together with it."""
        return plan(self.connection, posts)

    def question(self, message: str) -> Question | None:
        """Return what is known of the flags on a message about several items."""
        own = (*within(QUESTIONS, self.channel), QUESTIONS.c.message == message)
        body = self.connection.scalar(select(QUESTIONS.c.body).where(*own))
        return codec.load(Question, body) if body else None

    def save_question(self, question: Question) -> None:
        """Store a question as it is now."""
        row = columns(self.channel) | {
            "message": question.message,
            "body": codec.dump(question),
        }
        put(self.connection, QUESTIONS, row)


class FollowUps(Stored):
    """The stored follow-ups. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, *, announces: bool = False) -> None:
        """Take an open database; `announces` tells that a webhook gets every change."""
        super().__init__(database)
        self._announces = announces

    async def of(self, channel: Channel) -> tuple[FollowUp, ...]:
        """Return every follow-up of a channel, also those that are gone, by their items.

        In one order: a morning that is planned again has to be the same.
        """
        return readable(await self._database.read(Joined(_OF_CHANNELS, channel)), FollowUp)

    async def one(self, channel: Channel, item_key: str) -> FollowUp | None:
        """Return the follow-up of an item."""
        return await self._read(channel, lambda found: found.followup(item_key))

    async def question(self, channel: Channel, message: str) -> Question | None:
        """Return what is known of the flags on a message about several items."""
        return await self._read(channel, lambda found: found.question(message))

    async def questions(self, channel: Channel) -> tuple[Question, ...]:
        """Return what is known of the flags on every message of a channel about several items."""
        return await self._read(channel, OpenFollowUps.questions)

    async def all(self) -> tuple[FollowUp, ...]:
        """Return every follow-up of every channel."""
        return readable(await self._all_rows(select(FOLLOW_UPS)), FollowUp)

    async def of_workspace(self, channel: Channel) -> tuple[FollowUp, ...]:
        """Return every follow-up of the workspace that a channel is in."""
        place = FOLLOW_UPS.c.platform == channel.platform.value
        query = select(FOLLOW_UPS).where(place, FOLLOW_UPS.c.workspace == channel.workspace)
        return readable(await self._all_rows(query), FollowUp)

    async def due(
        self, now: datetime, platforms: Sequence[Platform], most: int
    ) -> tuple[FollowUp, ...]:
        """Return some of those whose items are to be looked at upstream by a moment."""
        moment = FOLLOW_UPS.c.look_at
        query = select(FOLLOW_UPS).where(
            or_(moment.is_(None), moment <= now), FOLLOW_UPS.c.platform.in_(platforms)
        )
        query = query.order_by(moment).limit(most)
        return readable(await self._all_rows(query), FollowUp)

    async def put_off(self, followup: FollowUp, until: datetime) -> None:
        """Have the item of a follow-up looked at upstream at another moment."""
        one = update(FOLLOW_UPS).where(FOLLOW_UPS.c.id == followup.id)
        await self._execute(one.values(look_at=until), "follow-ups")

    async def put_off_unchanged(self, until: Mapping[FollowUp, datetime]) -> None:
        """Have the items of follow-ups looked at upstream at other moments.

        What was said of one since it was read may ask for a look at once: it is left as it is.
        """
        seen = {each.id: (each, at) for each, at in until.items()}

        def work(connection: Connection) -> None:
            # Of a row that is changed meanwhile PostgreSQL waits for what it becomes.
            query = select(FOLLOW_UPS).where(FOLLOW_UPS.c.id.in_(seen)).order_by(FOLLOW_UPS.c.id)
            rows = connection.execute(query.with_for_update()).all()
            moments = [
                {"its_id": each.id, "its_moment": seen[each.id][1]}
                for each in readable(rows, FollowUp)
                if each == seen[each.id][0]
            ]
            if moments:
                connection.execute(_PUT_OFF, moments)

        if seen:
            await self._database.write(work, "follow-ups")

    async def change(self, channel: Channel, decide: Callable[[OpenFollowUps], Result]) -> Result:
        """Store all that `decide` changes of what a channel has, one at a time; give what it gives.

        What it raises changes nothing. It may be called again after what it did was taken back, and
        in another thread.
        """
        return await self._database.write(self._opening(channel, decide), turn(channel))

    async def _read(self, channel: Channel, look: Callable[[OpenFollowUps], Result]) -> Result:
        return await self._database.read(self._opening(channel, look))

    def _opening(
        self, channel: Channel, work: Callable[[OpenFollowUps], Result]
    ) -> Callable[[Connection], Result]:
        return lambda c: work(OpenFollowUps(c, channel, announces=self._announces))


def save_reminder(connection: Connection, reminded: FollowUp) -> None:
    """Store when a follow-up was reminded of, and whatever was said of it meanwhile."""
    of_item = FOLLOW_UPS.c.item_key == reminded.item_key
    rows = connection.execute(_OF_CHANNEL.where(of_item), its(reminded.channel)).all()
    for stored in readable(rows, FollowUp):
        _nudge(connection, stored, reminded.nudged_at)


def forget_reminders(connection: Connection, channel: Channel, at: datetime) -> None:
    """Take back the reminders of a moment, which nobody got to see."""
    rows = connection.execute(_OF_CHANNEL, its(channel)).all()
    for stored in readable(rows, FollowUp):
        if stored.nudged_at == at:
            _nudge(connection, stored, None)


def _nudge(connection: Connection, stored: FollowUp, at: datetime | None) -> None:
    one = update(FOLLOW_UPS).where(FOLLOW_UPS.c.id == stored.id)
    connection.execute(one.values(body=codec.dump(replace(stored, nudged_at=at))))


@dataclass(frozen=True, slots=True)
class OutgoingChange:
    """One change as it is posted: JSON, how often that failed, and when it is tried next."""

    number: int
    body: bytes
    tries: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many changes wait; `failing_since` is when the oldest was made, if it failed."""

    number: int
    failing_since: datetime | None = None


class Outgoing(Stored):
    """The changes that wait. Every method raises `StoreFailed`."""

    async def first(self) -> OutgoingChange | None:
        """Return the oldest one."""
        query = select(OUTGOING).order_by(OUTGOING.c.id).limit(1)
        row = await self._first_row(query)
        return OutgoingChange(row.id, row.body, row.tries, row.due_at) if row else None

    async def waiting(self) -> Waiting:
        """Count them, and tell since when the webhook takes none."""
        count = select(func.count()).select_from(OUTGOING)
        number = await self._database.read(lambda c: c.scalar(count)) or 0
        first = await self.first()
        at = json.loads(first.body)["at"] if first and first.tries else None
        return Waiting(number, datetime.fromisoformat(at) if at else None)

    async def remove(self, change: OutgoingChange) -> None:
        """Delete one that was taken, or is given up."""
        this = delete(OUTGOING).where(OUTGOING.c.id == change.number)
        await self._execute(this, "outgoing changes")

    async def retry_at(self, change: OutgoingChange, due_at: datetime) -> None:
        """Store that one failed once more."""
        this = update(OUTGOING).where(OUTGOING.c.id == change.number)
        later = this.values(tries=change.tries + 1, due_at=due_at)
        await self._execute(later, "outgoing changes")
