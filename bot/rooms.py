"""The parts of the bot behind the door for channels, each for one idea."""

from dataclasses import dataclass

from bot.channel_answers import ChannelAnswers
from bot.delivery import Delivering
from bot.flagging import Flagging
from bot.sharing import Sharing
from bot.subscribing import Subscribing


@dataclass(frozen=True, slots=True)
class Rooms:
    """What reads, subscribes, flags, shares and delivers."""

    reading: ChannelAnswers
    subscribing: Subscribing
    flagging: Flagging
    sharing: Sharing
    delivering: Delivering
