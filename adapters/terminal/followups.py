"""Follow-ups on the command line: of one channel or of all, as text or as rows for programs."""

from collections.abc import Mapping
from itertools import groupby

from adapters.terminal import channel_json
from adapters.terminal.commands import ListFollowUps
from adapters.terminal.drawing import part_text
from adapters.terminal.options import Format, Options
from adapters.terminal.output import progress, say
from adapters.wiring.chat import Chatting, chatting
from bot.answer.overviews import MOST_LINKED
from bot.compose.followup_parts import followups_part
from bot.model.followups import FollowUp, Which, listing
from digest.languages import Language


async def list_followups(command: ListFollowUps, options: Options) -> int:
    """Show the follow-ups of a channel, or of every channel where none is named."""
    with progress() as tell:
        async with chatting(tell) as bot:
            language = command.language or options.language or bot.infra.settings.lang
            rows = await _rows(command, bot)
            most = MOST_LINKED if options.format is Format.TEXT else len(rows)
            links = await bot.chat.commanding.lists.links(rows[:most])
            match options.format:
                case Format.CSV:
                    text = channel_json.followups_csv(rows, links)
                case Format.JSON:
                    text = channel_json.followups(
                        command.channel, command.which, rows, links, language
                    )
                case _:
                    text = _text(command, rows, links, language, bot)
    say(text)
    return 0


async def _rows(command: ListFollowUps, bot: Chatting) -> tuple[FollowUp, ...]:
    """Give what is asked for; `everywhere` is the whole workspace of a channel."""
    stored = await bot.store.followups.all()
    channel = command.channel
    if channel and command.which is Which.EVERYWHERE:
        place = (channel.platform, channel.workspace)
        stored = tuple(
            each for each in stored if (each.channel.platform, each.channel.workspace) == place
        )
    elif channel:
        stored = tuple(each for each in stored if each.channel == channel)
    return listing(stored, command.which)


def _text(
    command: ListFollowUps,
    rows: tuple[FollowUp, ...],
    links: Mapping[int | None, str],
    language: Language,
    bot: Chatting,
) -> str:
    """Draw a list for each channel, below its name where several may be there."""
    now = bot.infra.clock()
    is_one = command.channel is not None and command.which is not Which.EVERYWHERE
    by_channel = groupby(sorted(rows, key=lambda each: each.channel), lambda each: each.channel)
    told = []
    for channel, own in by_channel:
        part = followups_part(tuple(own), language, command.which, now=now, where=links)
        told += [*([] if is_one else [str(channel)]), part_text(part, language)]
    return "\n".join(told) or part_text(followups_part((), language, command.which), language)
