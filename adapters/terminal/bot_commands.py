"""Does what runs the bot, what stands in for a person of a channel, and lists follow-ups."""

import asyncio
import signal
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from adapters.terminal import documents
from adapters.terminal.digest_json import Document
from adapters.terminal.drawing import part_text
from adapters.terminal.files import read_text
from adapters.terminal.options import Format, Options
from adapters.terminal.output import as_json, progress, say, warn
from adapters.wiring.assembly import log_as_set, read_settings, running
from adapters.wiring.chat import AssembledBot, assembled_bot
from adapters.wiring.platforms import invited, slack_manifest, slack_messages
from adapters.wiring.process import run as run_bot
from bot.answer.overviews import MOST_LINKED
from bot.compose.chat_reply import ChatReply
from bot.compose.followup_parts import followups_part
from bot.compose.thread import plan
from bot.deliver.planning import Morning
from bot.model.channel_commands import (
    ListSubscriptions,
    ShowFollowUps,
    ShowSettings,
    Subscribe,
    parse_chat,
)
from bot.model.channels import OPERATOR, Channel, Person, Platform, Visit
from bot.model.commands import Question, shown
from bot.model.followups import FollowUp, Which, listing
from bot.model.references import read_repo
from bot.model.slots import EARLIEST, doubt, due
from bot.model.subscriptions import Subscription, changed
from digest.errors import ConfigurationError, UsageError
from digest.languages import Language
from digest.phrase import NOTHING, Phrase
from digest.times import zone_named
from digest.wording.phrases import SAY
from digest.wording.saying import localized


async def run(only: str, *, debug: bool) -> int:
    """Run the bot until it is asked to end; `only` is empty for everything."""
    log_as_set(read_settings(), debug=debug)
    await run_bot(only)
    # The little that is left of the process is not killed by a second wish to end it.
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(name)
        signal.signal(name, signal.SIG_IGN)
    return 0


async def manifest() -> int:
    """Print the manifest of the Slack app."""
    say(slack_manifest())
    return 0


async def invite() -> int:
    """Print the link that adds the bot to a Discord server."""
    settings = read_settings()
    token = settings.discord_token.get_secret_value()
    if not token:
        raise ConfigurationError(SAY.cli.discord_token)
    say(await invited(token, settings.discord_api_url) + "\n")
    return 0


PLACE = attrgetter("channel")


async def list_followups(command: ShowFollowUps, channel: Channel | None, options: Options) -> int:
    """Show the follow-ups of a channel, or of every channel where none is named."""
    which = command.which
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            language = command.language or options.language or bot.infra.settings.lang
            if channel and not (command.language or options.language):
                subscription = await bot.store.subscriptions.of(channel)
                language = subscription.language if subscription else language
            rows = _chosen(await bot.store.followups.all(), which, channel)
            most = MOST_LINKED if options.format is Format.TEXT else len(rows)
            links = await bot.chat.lists.links(rows[:most])
            now = bot.infra.clock()
    if options.format is Format.CSV:
        say(documents.followups_csv(rows, links))
    elif options.format is Format.JSON:
        say(as_json(documents.followups_json(channel, which, rows, links, language)))
    else:
        listed = partial(followups_part, language=language, which=which, now=now, where=links)
        is_one = channel is not None and which is not Which.EVERYWHERE
        texts = []
        for where, own in groupby(sorted(rows, key=PLACE), PLACE):
            texts += [*([] if is_one else [str(where)]), part_text(listed(tuple(own)), language)]
        say("\n".join(texts) or part_text(listed(()), language))
    return 0


def _chosen(
    stored: tuple[FollowUp, ...], which: Which, channel: Channel | None
) -> tuple[FollowUp, ...]:
    """Return what is asked for; `everywhere` is the whole workspace of a channel."""
    if channel:
        place = attrgetter("platform", "workspace", *([] if which is Which.EVERYWHERE else ["id"]))
        stored = tuple(each for each in stored if place(each.channel) == place(channel))
    return listing(stored, which)


async def deliver(moment: str, options: Options, *, send: bool) -> int:
    """Show, or send, what is due at a moment; 1 where a channel cannot be told, or not a thing."""
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            at = _moment(moment, options.tz or bot.infra.settings.tz)
            if at < EARLIEST:
                example = shown(f"--at {bot.infra.clock():%Y-%m-%dT%H:%M}")
                raise UsageError(SAY.cli.sent_too_early(f"{at:%Y-%m-%d}", example))
            language = options.language or bot.infra.settings.lang
            if send:
                return await _send(bot, at, language)
            mornings = await bot.chat.delivering.previews(at)
    for morning in mornings:
        say(_preview_text(morning, language))
    if not mornings:
        say(localized(SAY.operating.nothing_due, language) + "\n")
    return 1 if any(morning.is_blind for morning in mornings) else 0


def _moment(text: str, tz: str) -> datetime:
    """Read a moment; one without an offset is meant on the clock of a zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(SAY.cli.no_moment(shown(text))) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone_named(tz))


def _preview_text(morning: Morning, language: Language) -> str:
    subscription, slot = morning.subscription, morning.slot
    head = f"{subscription.channel}  {slot.window.label} {slot.window.tz}\n"
    pages = [
        "\n".join(part_text(part, thread.language) for part in (thread.parent, *thread.replies))
        for thread in morning.threads
    ]
    pages = pages or [localized(SAY.operating.nothing_to_send, language) + "\n"]
    return "\n".join([head, *pages]) + "\n"


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
            say(localized(line, language) + "\n")
            delivered += 1
            if after.last_error:
                warn(localized(SAY.operating.about(after.channel, after.last_error), language))
                failed += 1
        elif why := _why_untold(after, at, begun=after.id in unfinished, bot=bot):
            warn(localized(SAY.operating.about(after.channel, why), language))
            failed += 1
    if not delivered and not failed:
        say(localized(SAY.operating.nothing_due, language) + "\n")
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


async def in_channel(text: str, channel: Channel, options: Options) -> int:
    """Do, or show, what a channel says; 1 where it could not be done as it was said."""
    with progress() as tell:
        async with assembled_bot(tell) as bot:
            settings = bot.infra.settings
            operator = Person(
                channel.platform,
                channel.workspace,
                "",
                OPERATOR,
                tz=options.tz or settings.tz,
                language=options.language or settings.lang,
                may_manage=True,
            )
            who = Visit(channel, operator)
            given = await _given(text, who, bot)
            reply = await bot.chat.operate(text, who, given)
            answer = "\n".join(part_text(part, reply.language) for part in reply.parts)
            if options.format is Format.JSON:
                answer = as_json(await _document(text, answer, reply, who, bot))
    say(answer)
    return 1 if reply.failed else 0


async def _given(text: str, who: Visit, bot: AssembledBot) -> ChatReply | None:
    """Keep the surface in a file that `concern add FILE` names; None for any other command."""
    match text.split(maxsplit=2):
        case [first, second, name] if (first.casefold(), second.casefold()) == ("concern", "add"):
            file = Path(name)
            if surface := await asyncio.to_thread(read_text, file):
                return await bot.chat.settings.give(file.name, surface, who)
            if len(name.split()) == 1 and "://" not in name and read_repo(name) is None:
                raise UsageError(SAY.files.missing(shown(name)))
    return None


async def _document(
    text: str, answer: str, reply: ChatReply, who: Visit, bot: AssembledBot
) -> Document:
    kind, language, channel = text.split()[0].casefold(), reply.language, who.channel
    if kind == "concern":
        return documents.answered_json(kind, channel, answer, language, None)
    command = parse_chat(text)
    if isinstance(command, Question):
        found = None if reply.failed else await bot.chat.reading.reply(command, who)
        return documents.answered_json(kind, channel, answer, language, found)
    is_asking = isinstance(command, ListSubscriptions | ShowSettings)
    seen = await bot.chat.settings.seen(who)
    return documents.subscriptions_json(
        *(kind, channel, [seen] if seen else [], bot.infra.clock()),
        language,
        text=None if is_asking else answer.strip(),
    )


async def preview(name: str, when: str, options: Options) -> int:
    """Print a day's messages as Slack gets them."""
    with progress() as tell:
        async with running(tell, options.source, stored=options.store) as infra:
            asker = options.asker(infra.settings)
            repos = await infra.answers.repos([name])
            roundup = await infra.answers.roundup(repos, infra.answers.window(when, asker))
            subscription = changed(
                None,
                Subscribe(),
                repos=repos,
                channel=Channel(Platform.SLACK, "T0", "C0"),
                person=Person(Platform.SLACK, "T0", "U0", OPERATOR),
                now=infra.clock(),
                tz=asker.tz,
                language=asker.language,
            )
    messages = slack_messages(plan(roundup.digests, roundup.failed, subscription))
    say(as_json(messages))
    if messages:
        warn(localized(SAY.operating.drawn(messages[0]["builder"]), asker.language))
    return 0 if roundup.digests else 1
