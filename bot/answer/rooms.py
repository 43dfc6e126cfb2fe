"""The parts of the bot behind the door for channels, each for one idea."""

from dataclasses import dataclass

from bot.answer.channel_answers import ChannelAnswers
from bot.answer.subscribing import Subscribing
from bot.deliver.delivery import Delivering
from bot.deliver.sharing import Sharing
from bot.followups.flagging import Flagging


@dataclass(frozen=True, slots=True)
class Rooms:
    """What reads, subscribes, flags, shares and delivers."""

    reading: ChannelAnswers
    subscribing: Subscribing
    flagging: Flagging
    sharing: Sharing
    delivering: Delivering
