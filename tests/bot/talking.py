"""What people do in the channel of a bot that is tested, and what they get to see."""

from datetime import timedelta

from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person, Visit
from bot.model.followups import Reaction, ReactionKind
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import ADA, CHANNEL, Said, at


def line(reply: ChatReply | None) -> str:
    assert reply
    (part,) = reply.parts
    return part.summary


def everything(reply: ChatReply | None) -> str:
    assert reply
    return str(reply.parts)


async def typed(bot: Bot, text: str, channel: Channel = CHANNEL, person: Person = ADA) -> ChatReply:
    reply = await bot.chat.answer_text(text, Visit(channel, person))
    await bot.chat.settle()
    return reply


async def react(
    bot: Bot,
    kind: ReactionKind,
    said: Said,
    person: Person = ADA,
    *,
    added: bool = True,
    second: int = 0,
    event: str = "",
    in_channel: bool = True,
    channel: Channel = CHANNEL,
) -> None:
    await bot.chat.followups.react(
        Reaction(
            kind,
            person,
            added,
            (),
            at(12, 10) + timedelta(seconds=second),
            said.ref,
            in_channel=in_channel,
        ),
        channel,
        event or f"{kind}{person.id}{added}{second}{said.ref}",
    )


async def listed(bot: Bot, which: str = "all", channel: Channel = CHANNEL) -> str:
    return everything(await typed(bot, f"followups {which}", channel))
