"""Follow-ups with their marks, questions, and events that were seen."""

import json
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, delete, or_, update
from sqlalchemy import select as select_rows
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.channels import Channel, Platform
from bot.model.followup_rows import change_row
from bot.model.followups import FollowUp
from bot.model.posts import Post
from bot.model.questions import Question
from bot.store.channel_columns import columns, its, of_channel, turn, within
from bot.store.posts import plan
from bot.store.tables import FollowUpRow, OutgoingRow, QuestionRow, SeenEventRow, table_of
from digest import codec
from digest.store.database import Database

EVENTS_KEPT = timedelta(days=2)
"""Slack sends an event again for five minutes at most, https://docs.slack.dev/apis/events-api."""

_FOLLOW_UPS = table_of(FollowUpRow)
_OF_CHANNEL = select_rows(_FOLLOW_UPS).where(*of_channel(_FOLLOW_UPS))


class OpenFollowUps:
    """What a channel's reactions came to, open for one change; all of it is kept or nothing."""

    def __init__(self, session: AsyncSession, channel: Channel, *, announces: bool) -> None:
        self._session = session
        self._channel = channel
        self._announces = announces

    async def is_new_event(self, event_id: str, now: datetime) -> bool:
        """Tell whether an event was not seen before, and remember it."""
        platform = self._channel.platform.value
        if await self._session.get(SeenEventRow, (platform, event_id)):
            return False
        self._session.add(SeenEventRow(platform=platform, event_id=event_id, at=now))
        old = col(SeenEventRow.at) < now - EVENTS_KEPT
        await self._session.exec(delete(SeenEventRow).where(old))
        return True

    async def followup(self, item_key: str) -> FollowUp | None:
        """Give the follow-up of an item, also one that is gone."""
        row = await _row(self._session, self._channel, item_key)
        return _followup(row) if row else None

    async def marked_from(self, message: str) -> tuple[FollowUp, ...]:
        """Give the follow-ups that hold a mark of a message."""
        query = select(FollowUpRow).where(*within(FollowUpRow, self._channel))
        followups = [_followup(row) for row in (await self._session.exec(query)).all()]
        return tuple(
            each for each in followups if any(mark.message == message for mark in each.marks)
        )

    async def shown_on(self, message: str) -> tuple[FollowUp, ...]:
        """Give the follow-ups that were chosen from a message about several items."""
        query = select(FollowUpRow).where(*within(FollowUpRow, self._channel))
        followups = [_followup(row) for row in (await self._session.exec(query)).all()]
        return tuple(each for each in followups if message in each.shown_on)

    async def questions(self) -> tuple[Question, ...]:
        """Give what is known of the flags on every message of the channel about several items."""
        query = select(QuestionRow).where(*within(QuestionRow, self._channel))
        rows = (await self._session.exec(query)).all()
        return tuple(codec.load(Question, row.body) for row in rows)

    async def save(self, followup: FollowUp, look_at: datetime | None = None) -> None:
        """Keep a follow-up as it is now; its item is looked at upstream at the next chance.

        With `look_at` it is then.
        """
        await save_followup(self._session, followup, look_at)

    async def announce(
        self, followup: FollowUp, change: str, person: str | None, at: datetime
    ) -> None:
        """Keep a change for the webhook, where there is one; `person` is whose it is."""
        if not self._announces:
            return
        row = {"id": secrets.token_hex(12)} | change_row(followup, change, person, at)
        body = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
        self._session.add(
            OutgoingRow(
                platform=self._channel.platform.value,
                workspace=self._channel.workspace,
                due_at=at,
                tries=0,
                body=body,
            )
        )

    async def plan(self, posts: Sequence[Post]) -> tuple[Post, ...]:
        """Keep messages that tell of a change together with it."""
        return await self._session.run_sync(lambda session: plan(session.connection(), posts))

    async def question(self, message: str) -> Question | None:
        """Give what is known of the flags on a message about several items."""
        row = await self._session.get(QuestionRow, _question_key(self._channel, message))
        return codec.load(Question, row.body) if row else None

    async def save_question(self, question: Question) -> None:
        """Keep a question as it is now."""
        key = _question_key(self._channel, question.message)
        row = await self._session.get(QuestionRow, key)
        body = codec.dump(question)
        if row is None:
            row = QuestionRow(**columns(self._channel), message=question.message, body=body)
        row.body = body
        self._session.add(row)


class FollowUps:
    """The stored follow-ups. Every method raises `StoreFailed`."""

    def __init__(self, database: Database, *, announces: bool = False) -> None:
        """Take an open database; `announces` tells that a webhook gets every change."""
        self._database = database
        self._announces = announces

    async def of(self, channel: Channel) -> tuple[FollowUp, ...]:
        """Give every follow-up of a channel, also those that are gone."""
        rows = await self._database.look(lambda c: c.execute(_OF_CHANNEL, its(channel)).all())
        return tuple(_followup(row) for row in rows)

    async def all(self) -> tuple[FollowUp, ...]:
        """Give every follow-up of every channel."""
        rows = await self._database.look(lambda c: c.execute(select_rows(_FOLLOW_UPS)).all())
        return tuple(_followup(row) for row in rows)

    async def of_workspace(self, channel: Channel) -> tuple[FollowUp, ...]:
        """Give every follow-up of the workspace that a channel is in."""
        place = _FOLLOW_UPS.c.platform == channel.platform.value
        query = select_rows(_FOLLOW_UPS).where(place, _FOLLOW_UPS.c.workspace == channel.workspace)
        rows = await self._database.look(lambda c: c.execute(query).all())
        return tuple(_followup(row) for row in rows)

    async def due(
        self, now: datetime, platforms: Sequence[Platform], most: int
    ) -> tuple[FollowUp, ...]:
        """Give some of those whose items are to be looked at upstream by a moment."""
        moment = _FOLLOW_UPS.c.look_at
        query = select_rows(_FOLLOW_UPS).where(
            or_(moment.is_(None), moment <= now), _FOLLOW_UPS.c.platform.in_(platforms)
        )
        query = query.order_by(moment).limit(most)
        rows = await self._database.look(lambda c: c.execute(query).all())
        return tuple(_followup(row) for row in rows)

    async def put_off(self, until: Mapping[int, datetime]) -> None:
        """Have items, by the numbers of their follow-ups, looked at upstream at other moments."""
        known = _FOLLOW_UPS.c.id == bindparam("its_id")
        step = update(_FOLLOW_UPS).where(known).values(look_at=bindparam("its_moment"))
        rows = [{"its_id": number, "its_moment": at} for number, at in until.items()]
        if rows:
            await self._database.together("follow-ups", lambda c: c.execute(step, rows))

    @asynccontextmanager
    async def changing(self, channel: Channel) -> AsyncIterator[OpenFollowUps]:
        """Give what a channel has to be changed, one process at a time."""
        async with self._database.saving(turn(channel)) as session:
            yield OpenFollowUps(session, channel, announces=self._announces)


async def save_followup(
    session: AsyncSession, followup: FollowUp, look_at: datetime | None = None
) -> None:
    """Keep a follow-up within a transaction."""
    row = await _row(session, followup.channel, followup.item_key)
    body = codec.dump(followup)
    if row is None:
        row = FollowUpRow(**columns(followup.channel), item_key=followup.item_key, body=body)
    row.body, row.look_at = body, look_at
    session.add(row)


def save_reminder(connection: Connection, reminded: FollowUp) -> None:
    """Keep when a follow-up was reminded of, and whatever was said of it meanwhile."""
    of_item = _FOLLOW_UPS.c.item_key == reminded.item_key
    for row in connection.execute(_OF_CHANNEL.where(of_item), its(reminded.channel)).all():
        _nudge(connection, row, reminded.nudged_at)


def forget_reminders(connection: Connection, channel: Channel, at: datetime) -> None:
    """Take back the reminders of a moment, which nobody got to see."""
    for row in connection.execute(_OF_CHANNEL, its(channel)).all():
        if _followup(row).nudged_at == at:
            _nudge(connection, row, None)


def _nudge(connection: Connection, row: Any, at: datetime | None) -> None:
    body = codec.dump(replace(_followup(row), nudged_at=at))
    one = update(_FOLLOW_UPS).where(_FOLLOW_UPS.c.id == row.id)
    connection.execute(one.values(body=body))


async def _row(session: AsyncSession, channel: Channel, item_key: str) -> FollowUpRow | None:
    of_item = col(FollowUpRow.item_key) == item_key
    query = select(FollowUpRow).where(*within(FollowUpRow, channel), of_item)
    return (await session.exec(query)).first()


def _followup(row: Any) -> FollowUp:
    return replace(codec.load(FollowUp, row.body), id=row.id)


def _question_key(channel: Channel, message: str) -> tuple[str, str, str, str]:
    return channel.platform.value, channel.workspace, channel.id, message
