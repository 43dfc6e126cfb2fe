"""Does what runs the bot, what stands in for a person of a channel, and lists follow-ups."""

import asyncio
import signal
from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path

from adapters.terminal import channel_json
from adapters.terminal.asker import asker
from adapters.terminal.commands import (
    BotCommand,
    Deliver,
    DiscordInvite,
    InChannel,
    ListFollowUps,
    Run,
    SlackManifest,
    SlackPreview,
)
from adapters.terminal.files import read_text
from adapters.terminal.formats import draw, part_text
from adapters.terminal.options import Format, Options
from adapters.terminal.output import as_json, progress, say, warn
from adapters.wiring.assembly import Choices, log_as_set, read_settings, running
from adapters.wiring.chat import AssembledBot, assembled_bot
from adapters.wiring.platforms import slack_manifest, slack_messages
from adapters.wiring.process import run as run_bot
from bot.answer.overviews import MOST_LINKED
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import followups_part
from bot.compose.thread import plan
from bot.deliver.planning import Morning
from bot.model.channel_commands import (
    ListSubscriptions,
    ShowSettings,
    Subscribe,
    parse_chat,
)
from bot.model.channels import OPERATOR, Channel, Person, Platform
from bot.model.commands import Question, shown
from bot.model.followups import FollowUp, Which, listing
from bot.model.parts import Thread
from bot.model.references import read_repo
from bot.model.slots import EARLIEST, doubt, due
from bot.model.subscriptions import Subscription, changed
from digest.errors import ConfigurationError, UsageError
from digest.languages import Language
from digest.phrase import NOTHING, Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import said
from digest.zones import zone_named


async def list_followups(command: ListFollowUps, options: Options) -> int:
    """Show the follow-ups of a channel, or of every channel where none is named."""
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            language = command.language or options.language or bot.infra.settings.lang
            rows = await _rows(command, bot)
            most = MOST_LINKED if options.format is Format.TEXT else len(rows)
            links = await bot.chat.commands.lists.links(rows[:most])
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


async def _rows(command: ListFollowUps, bot: AssembledBot) -> tuple[FollowUp, ...]:
    """Return what is asked for; `everywhere` is the whole workspace of a channel."""
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
    bot: AssembledBot,
) -> str:
    """Draw a list for each channel, below its name where several may be there."""
    now = bot.infra.clock()
    is_one = command.channel is not None and command.which is not Which.EVERYWHERE
    by_channel = groupby(sorted(rows, key=lambda each: each.channel), lambda each: each.channel)
    texts = []
    for channel, own in by_channel:
        part = followups_part(tuple(own), language, command.which, now=now, where=links)
        texts += [*([] if is_one else [str(channel)]), part_text(part, language)]
    return "\n".join(texts) or part_text(followups_part((), language, command.which), language)


async def do(command: BotCommand, options: Options, *, debug: bool) -> int:
    """Do one of the commands that run the bot, and give the exit status."""
    match command:
        case Run(only):
            log_as_set(read_settings(), debug=debug)
            await run_bot(only, lambda line: None)
            _end_in_peace()
            return 0
        case Deliver():
            return await _deliver(command, options)
        case InChannel():
            return await _in_channel(command, options)
        case ListFollowUps():
            return await list_followups(command, options)
        case SlackManifest():
            say(slack_manifest())
            return 0
        case DiscordInvite():
            return await _invite()
        case SlackPreview():
            return await _preview(command, options)


def _end_in_peace() -> None:
    """Let the little that is left of the process not be killed by a second wish to end it."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(name)
        signal.signal(name, signal.SIG_IGN)


async def _invite() -> int:
    settings = read_settings()
    token = settings.discord_token.get_secret_value()
    if not token:
        raise ConfigurationError(SAY.cli.discord_token)
    from adapters.wiring.platforms import invited

    say(await invited(token, settings.discord_api_url) + "\n")
    return 0


async def _deliver(command: Deliver, options: Options) -> int:
    """Show, or send, what is due at a time; 1 where a channel could not be told."""
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            at = _moment(command.at, options.tz or bot.infra.settings.tz)
            _refuse_long_ago(at, bot.infra.clock())
            language = options.language or bot.infra.settings.lang
            if command.send:
                return await _send(bot, at, language)
            mornings = await bot.chat.delivering.previews(at)
    for morning in mornings:
        say(_preview_text(morning, language))
    if not mornings:
        say(said(SAY.operating.nothing_due, language) + "\n")
    return 0


def _refuse_long_ago(at: datetime, now: datetime) -> None:
    """Refuse a moment at which nothing can have been due."""
    if at < EARLIEST:
        example = shown(f"--at {now:%Y-%m-%dT%H:%M}")
        raise UsageError(SAY.cli.sent_too_early(f"{at:%Y-%m-%d}", example))


async def _send(bot: AssembledBot, at: datetime, language: Language) -> int:
    """Tell what is due, and say of each channel how it went; nothing due is said as well."""
    if wrong := doubt(bot.infra.clock()):
        raise wrong
    if not bot.publishers:
        raise ConfigurationError(SAY.chat.no_platform)
    before = await bot.store.subscriptions.active()
    await bot.chat.deliver_due(at)
    unfinished = await bot.store.deliveries.unfinished()
    afterwards = [await bot.store.subscriptions.of(each.channel) for each in before]
    delivered, failed = 0, 0
    for subscription, after in zip(before, afterwards, strict=True):
        if after is None or after.id is None:
            continue
        if after.last_delivered_date != subscription.last_delivered_date:
            line = SAY.operating.delivered(after.channel, after.last_delivered_date)
            say(said(line, language) + "\n")
            delivered += 1
            if after.last_error:
                warn(said(SAY.operating.about(after.channel, after.last_error), language))
                failed += 1
        elif why := _why_untold(after, at, begun=after.id in unfinished, bot=bot):
            warn(said(SAY.operating.about(after.channel, why), language))
            failed += 1
    if not delivered and not failed:
        say(said(SAY.operating.nothing_due, language) + "\n")
    return 1 if failed else 0


def _why_untold(after: Subscription, at: datetime, *, begun: bool, bot: AssembledBot) -> Phrase:
    """Say why a channel was not told, or nothing where nothing was due there."""
    if after.paused:
        return SAY.status.paused(after.paused)
    if not begun and due(after, at) is None:
        return NOTHING
    if after.channel.platform not in bot.publishers:
        return SAY.operating.not_set_up(after.channel.platform)
    return after.last_error or SAY.operating.not_delivered


async def _in_channel(command: InChannel, options: Options) -> int:
    """Do, or show, what a channel says; 1 where it could not be done as it was said."""
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            who = _operator(command.channel, options, bot)
            given = await _given(command, who, bot)
            reply = await bot.chat.operate(command.text, command.channel, who, given)
            text = "\n".join(part_text(part, reply.language) for part in reply.parts)
            if options.format is Format.JSON:
                text = await _as_json(command, text, reply, who, bot)
    say(text)
    return 1 if reply.failed else 0


async def _given(command: InChannel, who: Person, bot: AssembledBot) -> ChatReply | None:
    """Keep the surface in a file that `concern add FILE` names; None for any other command."""
    match command.text.split(maxsplit=2):
        case [first, second, name] if (first.casefold(), second.casefold()) == ("concern", "add"):
            file = Path(name)
            if text := await asyncio.to_thread(read_text, file):
                return await bot.chat.concerns.give(file.name, text, command.channel, who)
            if len(name.split()) == 1 and "://" not in name and read_repo(name) is None:
                raise UsageError(SAY.files.missing(shown(name)))
    return None


async def _as_json(
    command: InChannel, text: str, reply: ChatReply, who: Person, bot: AssembledBot
) -> str:
    channel, kind, language = command.channel, command.text.split()[0].casefold(), reply.language
    if kind == "concern":
        return channel_json.answered(kind, channel, text, language, None)
    command_read = parse_chat(command.text)
    if isinstance(command_read, Question):
        answer = None if reply.failed else await bot.chat.reading.reply(command_read, channel, who)
        document = draw(answer, Format.JSON) if answer else None
        return channel_json.answered(kind, channel, text, language, document)
    is_asking = isinstance(command_read, ListSubscriptions | ShowSettings)
    return channel_json.subscriptions(
        *(kind, channel, await bot.chat.subscriptions.seen(channel, who), bot.infra.clock()),
        language,
        text=None if is_asking else text.strip(),
    )


async def _preview(command: SlackPreview, options: Options) -> int:
    with progress() as tell:
        choices = Choices(options.source, options.store)
        async with running(choices, tell) as infra:
            asking = asker(infra, options)
            repos = await infra.answers.repos([command.repo])
            window = infra.answers.window(command.when, asking)
            roundup = await infra.answers.roundup(repos, window)
            channel = Channel(Platform.SLACK, "T0", "C0")
            subscription = changed(
                None,
                Subscribe(),
                repos=repos,
                channel=channel,
                person=Person(Platform.SLACK, "T0", "U0", OPERATOR),
                now=infra.clock(),
                tz=asking.tz,
                language=asking.language,
            )
    messages = slack_messages(plan(roundup.digests, roundup.failed, subscription))
    say(as_json(messages))
    if messages:
        warn(said(SAY.operating.drawn(messages[0]["builder"]), asking.language))
    return 0 if roundup.digests else 1


def _operator(channel: Channel, options: Options, bot: AssembledBot) -> Person:
    settings = bot.infra.settings
    return Person(
        channel.platform,
        channel.workspace,
        "",
        OPERATOR,
        tz=options.tz or settings.tz,
        language=options.language or settings.lang,
        may_manage=True,
    )


def _preview_text(morning: Morning, language: Language) -> str:
    subscription, slot = morning.subscription, morning.slot
    head = f"{subscription.channel}  {slot.window.label} {slot.window.tz}\n"
    pages = [_thread(thread) for thread in morning.threads]
    pages = pages or [said(SAY.operating.nothing_to_send, language) + "\n"]
    return "\n".join([head, *pages]) + "\n"


def _thread(thread: Thread) -> str:
    parts = (thread.parent, *thread.replies)
    return "\n".join(part_text(part, thread.language) for part in parts)


def _moment(text: str, tz: str) -> datetime:
    """Read a moment; one without an offset is meant on the clock of a zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(SAY.cli.no_moment(shown(text))) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone_named(tz))
    return moment
