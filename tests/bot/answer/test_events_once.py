"""Each event is handled once, however many processes hear it and however often it comes."""

import asyncio
from typing import Any

from bot.model.followups import ReactionKind
from tests.bot.bot_fixture import morning, open_bot
from tests.bot.platform_fake import ADA, CHANNEL, Transcript

EVENT = "Ev0123456789"


async def test_a_mention_that_two_processes_hear_twice_each_is_answered_once(
    database_url: str, clock: Any
) -> None:
    said = Transcript()
    async with (
        open_bot(database_url, clock, said, owner="first") as first,
        open_bot(database_url, clock, said, owner="second") as second,
    ):
        await asyncio.gather(
            *(
                bot.chat.answer_mention("repos", CHANNEL, ADA, thread="1.0", event_id=EVENT)
                for bot in (first, second, first, second)
            )
        )

    assert [each.parent for each in said.said[CHANNEL]] == ["1.0"]


async def test_a_reaction_that_two_processes_hear_is_marked_once(
    database_url: str, clock: Any
) -> None:
    said = Transcript()
    async with (
        open_bot(database_url, clock, said, owner="first") as first,
        open_bot(database_url, clock, said, owner="second") as second,
    ):
        await first.subscribe()
        await first.chat.deliver_due(morning())
        told = next(
            post
            for post in await first.store.posts.numbered(range(1, 50))
            if len(post.message.about) == 1
        )
        before = said.edits
        await asyncio.gather(
            *(
                bot.chat.react(
                    ReactionKind.FLAG,
                    CHANNEL,
                    told.ref,
                    ADA,
                    added=True,
                    at=clock(),
                    event_id=EVENT,
                )
                for bot in (first, second)
            )
        )
        (followup,) = await first.store.followups.of(CHANNEL)

    assert len(followup.marks) == 1
    assert said.edits - before == 1
