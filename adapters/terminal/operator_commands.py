"""Does what whoever runs the bot does with it: status, copies, days filled in, forgetting."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from adapters.terminal.options import Format, Options
from adapters.terminal.output import as_json, progress, say, warn
from adapters.wiring.assembly import (
    Running,
    clock_of,
    database_url,
    read_settings,
    running,
)
from bot.model.channels import Channel, Platform
from bot.model.posts import Delivery, DeliveryState
from bot.model.records import LogEntry
from bot.model.slots import due, next_due
from bot.model.subscriptions import Subscription
from bot.store.deliveries import leave_all
from bot.store.figures import DatabaseFigures, Processes, ProcessState, figures
from bot.store.followups import Waiting
from bot.store.retention import forget
from bot.store.store import ChannelStore
from bot.wording.channel_words import as_command, log_line
from digest.edited import ModelFailure
from digest.errors import CouldNotLook, InfraError, RateLimited, UsageError
from digest.languages import Language
from digest.models import Repo
from digest.phrase import NOTHING, Phrase
from digest.store.backup import back_up, held, restore
from digest.store.database import Database, upgrade
from digest.times import zone_named
from digest.windows import FIRST_DAY, day
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.making import why_failed
from digest.writing.rules import plain

LEFT_FOR_OTHERS = 500
"""GitHub requests that filling in leaves to the mornings, of the 5,000 an hour that a token has."""

LEFT_WITHOUT_TOKEN = 20
"""The same of 60 an hour."""

ONE_DAY = timedelta(days=1)


async def write_backup(file: Path, options: Options) -> int:
    """Write the whole database into a file."""
    settings = read_settings()
    async with Database(database_url(settings)) as database:
        counts = await back_up(database, file)
    size, rows = (await asyncio.to_thread(file.stat)).st_size, sum(counts.values())
    language = options.language or settings.lang
    say(localized(SAY.operating.backed_up(file, f"{rows:,}", f"{size:,}"), language) + "\n")
    return 0


async def restore_backup(file: Path, options: Options, *, yes: bool) -> int:
    """Put a backup in the place of what the database holds; `yes` also where it holds something."""
    if not await asyncio.to_thread(file.exists):
        raise UsageError(SAY.files.missing(file))
    settings = read_settings()
    url = database_url(settings)
    await upgrade(url)
    async with Database(url) as database, clock_of(settings, database) as clock:
        if not yes:
            if counts := await held(database):
                raise UsageError(SAY.cli.not_empty(database.place, _counted(counts)))
            if await Processes(database).live(clock()):
                raise UsageError(SAY.cli.bot_runs(database.place))
        counts = await restore(database, file, after=leave_all)
    language, words = options.language or settings.lang, SAY.operating
    is_empty = not any(counts.values())
    restored = words.restored(database.place, _counted(counts))
    say(localized(words.restored_empty(database.place) if is_empty else restored, language) + "\n")
    warn(localized(words.posted_again, language))
    return 0


async def forget_workspace(platform: Platform, workspace: str, options: Options) -> int:
    """Delete everything of a workspace, and say what that was."""
    settings = read_settings()
    async with Database(database_url(settings)) as database:
        counts = await forget(database, platform, workspace)
        others = () if counts else await _subscribed(database)
    name = f"{platform}:{workspace}"
    words, language = SAY.operating, options.language or settings.lang
    result = words.deleted(name, _counted(counts)) if counts else words.nothing_stored(name)
    say(localized(result, language) + "\n")
    if others:
        warn(localized(words.subscribed_in(", ".join(others)), language))
    return 0


async def _subscribed(database: Database) -> Sequence[str]:
    """Return the workspaces of all subscriptions: a name that is mistyped is kept of nothing."""
    subscriptions = ChannelStore(database).subscriptions
    both = (*await subscriptions.active(), *await subscriptions.paused())
    return sorted({f"{each.channel.platform}:{each.channel.workspace}" for each in both})


def _counted(counts: Mapping[str, int]) -> Phrase:
    """Say how many rows there are of each table, by its name."""
    named = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return Phrase.as_written(", ".join(named))


async def backfill(name: str, since: date, options: Options) -> int:
    """Collect day by day, the newest first; 1 where days are left, which the next run collects."""
    with progress() as tell:
        async with running(tell, options.source) as infra:
            (repo,) = await infra.answers.repos([name])
            tz, language = options.tz or infra.settings.tz, options.language or infra.settings.lang
            yesterday = infra.clock().astimezone(zone_named(tz)).date() - ONE_DAY
            example = f"infra backfill {name}"
            if since > yesterday:
                raise UsageError(SAY.cli.not_over(since, example, yesterday))
            if since < FIRST_DAY:
                raise UsageError(SAY.cli.before_git(since, example, yesterday.replace(day=1)))
            days = (yesterday - since).days + 1
            done, why = 0, NOTHING
            while done < days and not why:
                if not (why := _used_up(infra, language)):
                    one = yesterday - done * ONE_DAY
                    why = await _collect(infra, repo, one, tz, language)
                    done += not why
    words = SAY.operating
    say(localized(words.backfilled(repo, done, days, since), language) + "\n")
    if why:
        warn(localized(words.run_again(why), language))
    return 1 if why else 0


async def _collect(infra: Running, repo: Repo, one: date, tz: str, language: Language) -> Phrase:
    """Have one day stored; give why the days before it cannot be either, or nothing."""
    words = SAY.operating
    _, before = infra.budget()
    try:
        digest = await infra.pipeline.digest(repo, day(one, tz))
    except RateLimited as error:
        return error.why
    except CouldNotLook as error:
        return words.about(one, error.why)
    left, after = infra.budget()
    gaps = [gap.why for gap in digest.reading.gaps if not gap.lasting]
    budget = CATALOGUES[language].comma.join(
        localized(words.left(limit, f"{number:,}"), language)
        for limit, number in sorted(left.items())
    )
    made = after - before
    spent = words.requests_and_left(made, budget) if budget else words.requests(made)
    warn(localized(words.collected(f"{repo} {one}", len(digest.reading.items), spent), language))
    return words.about(one, gaps[0]) if gaps else NOTHING


def _used_up(infra: Running, language: Language) -> Phrase:
    """Say which limits of GitHub's have too little left; nothing where none has."""
    has_token = bool(infra.settings.github_token.get_secret_value())
    least = LEFT_FOR_OTHERS if has_token else LEFT_WITHOUT_TOKEN
    left, _ = infra.budget()
    short = [
        localized(SAY.operating.left_of(number, limit), language)
        for limit, number in left.items()
        if number < least
    ]
    return Phrase.as_written(CATALOGUES[language].semicolon.join(short)) if short else NOTHING


NOW = "now"
"""In the JSON document, what is due already."""

MOST_LOGGED = 5
"""Things that happened to a channel lately."""


@dataclass(frozen=True, slots=True)
class StatusFigures:
    """Everything that is shown, read at one moment, and in which language."""

    language: Language
    now: datetime
    place: Phrase
    subscriptions: tuple[Subscription, ...]
    waiting: dict[int, Delivery]
    logs: dict[Channel, tuple[LogEntry, ...]]
    webhook: Waiting
    processes: tuple[ProcessState, ...]
    figures: DatabaseFigures

    def process_line(self, state: ProcessState) -> Phrase:
        """Say when the clock of a process ticked, and which platforms it hears."""
        words, catalogue = SAY.status, CATALOGUES[self.language]
        parts = [words.no_clock]
        if state.ticked_at:
            seconds = max(0, round((self.now - state.ticked_at).total_seconds()))
            parts = [words.clock(words.ago(seconds))]
        for platform, why in state.unheard.items():
            parts.append(Phrase.as_written(f"{platform} {why}") if why else words.heard(platform))
        how = catalogue.semicolon.join(map(catalogue.localized, parts))
        return words.process(state.owner, state.only or words.everything, state.version, how)


async def status(channel: Channel | None, options: Options) -> int:
    """Say how each channel is, then the queue, the processes and the budgets."""
    settings = read_settings()
    async with (
        Database(database_url(settings)) as database,
        clock_of(settings, database) as clock,
    ):
        now = clock()
        store = ChannelStore(database)
        both = (await store.subscriptions.active(), await store.subscriptions.paused())
        subscriptions = tuple(sorted((*both[0], *both[1]), key=lambda each: each.id or 0))
        if channel:
            subscriptions = tuple(each for each in subscriptions if each.channel == channel)
        known = StatusFigures(
            options.language or settings.lang,
            now,
            database.place,
            subscriptions,
            await store.deliveries.unfinished(),
            {each.channel: await store.log.of(each.channel, MOST_LOGGED) for each in subscriptions},
            await store.outgoing.waiting(),
            await Processes(database).live(now),
            await figures(database, now),
        )
    if channel and not subscriptions:
        raise UsageError(SAY.cli.no_subscription(channel))
    if options.format is Format.JSON:
        say(as_json(_document(known)))
    else:
        say(_text(known))
    return 0


def _text(known: StatusFigures) -> str:
    language, words = known.language, SAY.status
    blocks = [_channel_text(each, known) for each in known.subscriptions]
    blocks = blocks or [f"{localized(words.no_channel, language)}\n"]
    numbers, webhook = known.figures, known.webhook
    queue = words.queue(numbers.waiting)
    if numbers.waiting_since:
        queue = words.queue_since(numbers.waiting, _utc(numbers.waiting_since))
    hook = words.webhook(webhook.number)
    if webhook.failing_since:
        hook = words.webhook_failing(webhook.number, _utc(webhook.failing_since))
    left = tuple(f"{limit} {number:,}" for limit, number in numbers.github.items())
    lines = [
        queue,
        hook,
        *(map(known.process_line, known.processes) if known.processes else [words.no_process]),
        words.github(left or words.github_unknown),
        words.today(_spent(numbers.model)),
        words.this_month(_spent(numbers.model_this_month)),
        *([_failed(numbers.model_failure, known)] if numbers.model_failure else []),
        known.place,
    ]
    return "\n".join([*blocks, "".join(f"{localized(each, language)}\n" for each in lines)])


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _spent(of: Mapping[str, int]) -> Phrase:
    """Say what a model cost: `7 questions, 18,532 tokens sent to it, 4,100 answered (UTC)`."""
    names = ("calls", "input_tokens", "output_tokens")
    return SAY.status.spent(*(f"{of.get(name, 0):,}" for name in names))


def _failed(failure: ModelFailure, known: StatusFigures) -> Phrase:
    """Say when and why a model failed last, and until when it is left alone, if it is now."""
    at, why = _utc(failure.at), plain(why_failed(failure.use, known.language))
    until = failure.paused_until
    if until and until > known.now:
        return SAY.status.model_paused(at, why, _utc(until))
    return SAY.status.model_failed(at, why)


def _channel_text(subscription: Subscription, known: StatusFigures) -> str:
    values, words = _channel(subscription, known), SAY.status
    last = values["last"] or words.nothing_yet
    next = {"": words.none, NOW: words.now}.get(values["next"], values["next"])
    lines = [words.last_and_next(last, next)]
    for name, sentence in (
        ("waiting", words.waiting),
        ("paused", words.paused),
        ("last_error", words.last_error),
    ):
        lines += [sentence(values[name])] if values[name] else []
    below = [*(localized(each, known.language) for each in lines), *values["log"]]
    head = f"{values['channel']}  {values['settings'].removeprefix('subscribe ')}"
    return "\n".join([head, *(f"  {each}" for each in below)]) + "\n"


def _channel(subscription: Subscription, known: StatusFigures) -> dict[str, Any]:
    waiting, logged = known.waiting.get(subscription.id or 0), known.logs[subscription.channel]
    language = known.language
    return {
        "channel": str(subscription.channel),
        "settings": as_command(subscription),
        "last": str(subscription.last_delivered_date or ""),
        "next": _next(subscription, known.now, language),
        "waiting": _waiting(waiting, subscription, language) if waiting else "",
        "paused": localized(subscription.paused, language),
        "last_error": localized(subscription.last_error, language),
        "log": [log_line(each, subscription.tz, language) for each in logged],
    }


def _next(subscription: Subscription, now: datetime, language: Language) -> str:
    try:
        if due(subscription, now):
            return NOW
        at = next_due(subscription, now)
    except InfraError as error:  # a zone that this machine does not know any more
        return localized(error.why, language)
    return _local(at, subscription.tz) if at else ""


def _waiting(delivery: Delivery, subscription: Subscription, language: Language) -> str:
    is_claimed = delivery.state is DeliveryState.CLAIMED
    state = SAY.status.claimed if is_claimed else SAY.status.planned
    parts = [state(delivery.slot.local_date)]
    if delivery.tries:
        parts.append(SAY.status.failed(delivery.tries))
    if delivery.retry_at:
        parts.append(SAY.status.again_at(_local(delivery.retry_at, subscription.tz)))
    words = CATALOGUES[language]
    return words.pause.join(map(words.localized, parts))


def _local(at: datetime, tz: str) -> str:
    return f"{at.astimezone(zone_named(tz)):%Y-%m-%d %H:%M} {tz}"


def _document(known: StatusFigures) -> dict[str, Any]:
    numbers = known.figures
    return {
        "at": known.now.isoformat(),
        "channels": [_channel(each, known) for each in known.subscriptions],
        "queue": {"length": numbers.waiting, "since": _moment(numbers.waiting_since)},
        "webhook": {
            "length": known.webhook.number,
            "failing_since": _moment(known.webhook.failing_since),
        },
        "processes": [
            {
                "owner": each.owner,
                "only": each.only,
                "version": each.version,
                "started_at": _moment(each.started_at),
                "ticked_at": _moment(each.ticked_at),
                "unheard": dict(each.unheard),
            }
            for each in known.processes
        ],
        "github": dict(numbers.github),
        "model_today": dict(numbers.model),
        "model_failure": _failure(numbers.model_failure) if numbers.model_failure else None,
        "gaps": numbers.gaps,
    }


def _failure(failure: ModelFailure) -> dict[str, Any]:
    use = failure.use
    return {
        "at": _moment(failure.at),
        "model": use.model,
        "outcome": use.outcome,
        "trouble": use.trouble,
        "asked": use.asked,
        "unanswered": use.unanswered,
        "paused_until": _moment(failure.paused_until),
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
