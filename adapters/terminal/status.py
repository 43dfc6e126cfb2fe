"""Says how everything is: `infra status`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from adapters.terminal.options import Format, Options
from adapters.terminal.output import as_json, say
from adapters.wiring.assembly import clock_of, database_url, read_settings
from bot.model.channels import Channel
from bot.model.posts import Delivery, DeliveryState
from bot.model.records import LogEntry
from bot.model.slots import due, next_due
from bot.model.subscriptions import Subscription
from bot.store.figures import Figures, Processes, ProcessState, figures
from bot.store.followups import Waiting
from bot.store.store import ChannelStore
from bot.wording.channel_words import as_command, log_line
from digest.errors import InfraError, UsageError
from digest.languages import Language
from digest.phrase import Phrase
from digest.store.database import Database
from digest.times import zone_named
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, said

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
    figures: Figures


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
    blocks = [_channel_text(each, known) for each in known.subscriptions]
    empty = said(SAY.status.no_channel, known.language) + "\n"
    return "\n".join([*(blocks or [empty]), _rest_text(known)])


def _channel_text(subscription: Subscription, known: StatusFigures) -> str:
    values = _channel(subscription, known)
    last = values["last"] or SAY.status.nothing_yet
    next = {"": SAY.status.none, NOW: SAY.status.now}.get(values["next"], values["next"])
    lines = [SAY.status.last_and_next(last, next)]
    for name, words in (
        ("waiting", SAY.status.waiting),
        ("paused", SAY.status.paused),
        ("last_error", SAY.status.last_error),
    ):
        lines += [words(values[name])] if values[name] else []
    below = [*(said(each, known.language) for each in lines), *values["log"]]
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
        "paused": said(subscription.paused, language),
        "last_error": said(subscription.last_error, language),
        "log": [log_line(each, subscription.tz, language) for each in logged],
    }


def _next(subscription: Subscription, now: datetime, language: Language) -> str:
    try:
        if due(subscription, now):
            return NOW
        at = next_due(subscription, now)
    except InfraError as error:  # a zone that this machine does not know any more
        return said(error.why, language)
    return _local(at, subscription.tz) if at else ""


def _waiting(delivery: Delivery, subscription: Subscription, language: Language) -> str:
    date, owner = str(delivery.slot.local_date), delivery.owner
    if delivery.state is DeliveryState.CLAIMED:
        parts = [SAY.status.claimed_by(date, owner) if owner else SAY.status.claimed(date)]
    else:
        parts = [SAY.status.planned_by(date, owner) if owner else SAY.status.planned(date)]
    if delivery.tries:
        parts.append(SAY.status.failed(delivery.tries))
    if delivery.retry_at:
        parts.append(SAY.status.again_at(_local(delivery.retry_at, subscription.tz)))
    words = CATALOGUES[language]
    return words.pause.join(map(words.said, parts))


def _local(at: datetime, tz: str) -> str:
    return f"{at.astimezone(zone_named(tz)):%Y-%m-%d %H:%M} {tz}"


def _rest_text(known: StatusFigures) -> str:
    numbers = known.figures
    lines = [
        _queue(numbers),
        _webhook(known.webhook),
        *([_process_text(each, known) for each in known.processes] or [SAY.status.no_process]),
        _github(numbers),
        SAY.status.today(_spent(numbers.model)),
        SAY.status.this_month(_spent(numbers.model_this_month)),
        known.place,
    ]
    return "".join(f"{said(each, known.language)}\n" for each in lines)


def _spent(of: Mapping[str, int]) -> Phrase:
    """Say what a model cost: `7 questions, 18,532 tokens sent to it, 4,100 answered (UTC)`."""
    names = ("calls", "input_tokens", "output_tokens")
    return SAY.status.spent(*(f"{of.get(name, 0):,}" for name in names))


def _queue(numbers: Figures) -> Phrase:
    since = numbers.waiting_since
    if since is None:
        return SAY.status.queue(numbers.waiting)
    return SAY.status.queue_since(numbers.waiting, _utc(since))


def _webhook(waiting: Waiting) -> Phrase:
    since = waiting.failing_since
    if since is None:
        return SAY.status.webhook(waiting.number)
    return SAY.status.webhook_failing(waiting.number, _utc(since))


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _github(numbers: Figures) -> Phrase:
    left = tuple(f"{limit} {left:,}" for limit, left in numbers.github.items())
    return SAY.status.github(left or SAY.status.github_unknown)


def _ago(at: datetime | None, now: datetime) -> Phrase:
    return SAY.status.ago(max(0, round((now - at).total_seconds()))) if at else SAY.status.never


def _process_text(state: ProcessState, known: StatusFigures) -> Phrase:
    clock = SAY.status.clock(_ago(state.ticked_at, known.now))
    parts = [clock if state.ticked_at else SAY.status.no_clock]
    for platform, why in state.unheard.items():
        parts.append(Phrase.as_written(f"{platform} {why}") if why else SAY.status.heard(platform))
    words = CATALOGUES[known.language]
    how = words.semicolon.join(map(words.said, parts))
    return SAY.status.process(state.owner, state.only or SAY.status.everything, state.version, how)


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
        "processes": [_process(each) for each in known.processes],
        "github": dict(numbers.github),
        "model_today": dict(numbers.model),
        "gaps": numbers.gaps,
    }


def _process(state: ProcessState) -> dict[str, Any]:
    return {
        "owner": state.owner,
        "only": state.only,
        "version": state.version,
        "started_at": _moment(state.started_at),
        "ticked_at": _moment(state.ticked_at),
        "unheard": dict(state.unheard),
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
