"""Says how everything is: `infra status`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from adapters.terminal.commands import Status
from adapters.terminal.options import Format, Options
from adapters.terminal.output import say
from adapters.wiring.run import clock_of, database_url, read_settings
from bot.model.channels import Channel
from bot.model.posts import Delivery
from bot.model.records import LogEntry
from bot.model.slots import due, next_due
from bot.model.subscriptions import Subscription
from bot.store.figures import Figures, Processes, ProcessState, figures
from bot.store.followups import Waiting
from bot.store.store import ChannelStore
from bot.wording.channel_words import as_command, log_line
from digest.errors import InfraError, UsageError
from digest.languages import Language
from digest.store.database import Database
from digest.windows import zone_named
from digest.wording.phrases import SAY
from digest.wording.saying import said

MOST_LOGGED = 5
"""Things that happened to a channel lately."""


@dataclass(frozen=True, slots=True)
class StatusFigures:
    """Everything that is told, read at one moment."""

    now: datetime
    place: str
    subscriptions: tuple[Subscription, ...]
    waiting: dict[int, Delivery]
    logs: dict[Channel, tuple[LogEntry, ...]]
    webhook: Waiting
    processes: tuple[ProcessState, ...]
    figures: Figures


async def status(command: Status, options: Options) -> int:
    """Say how each channel is, then the queue, the processes and the budgets."""
    if options.format not in (Format.TEXT, Format.JSON):
        raise UsageError(SAY.cli.status_formats)
    settings = read_settings()
    async with (
        Database(database_url(settings)) as database,
        clock_of(settings, database) as clock,
    ):
        now = clock()
        store = ChannelStore(database)
        both = (await store.subscriptions.active(), await store.subscriptions.paused())
        subscriptions = tuple(sorted((*both[0], *both[1]), key=lambda each: each.id or 0))
        if command.channel:
            subscriptions = tuple(each for each in subscriptions if each.channel == command.channel)
        known = StatusFigures(
            now,
            database.place,
            subscriptions,
            await store.deliveries.unfinished(),
            {each.channel: await store.log.of(each.channel, MOST_LOGGED) for each in subscriptions},
            await store.outgoing.waiting(),
            await Processes(database).live(now),
            await figures(database, now),
        )
    if command.channel and not subscriptions:
        raise UsageError(SAY.cli.no_subscription(command.channel))
    as_json = options.format is Format.JSON
    if as_json:
        say(json.dumps(_document(known), indent=2, ensure_ascii=False) + "\n")
    else:
        say(_line(known) if options.brief else _text(known))
    return 0


def _line(known: StatusFigures) -> str:
    """Give the whole in one line, for a prompt or a cron job's mail."""
    numbers = known.figures
    parts = [
        f"channels {numbers.active} (failing {numbers.failing}), paused {numbers.paused}",
        _queue(numbers),
        *([_webhook(known.webhook)] if known.webhook.number else []),
        f"processes {numbers.processes}, clock {_ago(numbers.ticked_at, known.now)}",
        f"GitHub requests left: {_github(numbers)}",
    ]
    return "; ".join(parts) + "\n"


def _text(known: StatusFigures) -> str:
    blocks = [_channel_text(each, known) for each in known.subscriptions]
    return "\n".join([*(blocks or ["no channel has a subscription\n"]), _rest_text(known)])


def _channel_text(subscription: Subscription, known: StatusFigures) -> str:
    values = _channel(subscription, known)
    lines = [f"{values['channel']}  {values['settings'].removeprefix('subscribe ')}"]
    lines.append(f"  last: {values['last'] or 'nothing yet'}; next: {values['next'] or 'none'}")
    for name in ("waiting", "paused", "last_error"):
        if values[name]:
            lines.append(f"  {name.replace('_', ' ')}: {values[name]}")
    lines += [f"  {each}" for each in values["log"]]
    return "\n".join(lines) + "\n"


def _channel(subscription: Subscription, known: StatusFigures) -> dict[str, Any]:
    waiting, logged = known.waiting.get(subscription.id or 0), known.logs[subscription.channel]
    return {
        "channel": str(subscription.channel),
        "settings": as_command(subscription),
        "last": str(subscription.last_told_date or ""),
        "next": _next(subscription, known.now),
        "waiting": _waiting(waiting, subscription) if waiting else "",
        "paused": said(subscription.paused, subscription.language),
        "last_error": said(subscription.last_error, subscription.language),
        "log": [log_line(each, subscription.tz, Language.EN) for each in logged],
    }


def _next(subscription: Subscription, now: datetime) -> str:
    try:
        if due(subscription, now):
            return "now"
        at = next_due(subscription, now)
    except InfraError as error:  # a zone that this machine does not know any more
        return str(error)
    return _local(at, subscription.tz) if at else ""


def _waiting(delivery: Delivery, subscription: Subscription) -> str:
    sentence = f"{delivery.slot.local_date} is {delivery.state}"
    if delivery.owner:
        sentence += f" by {delivery.owner}"
    if delivery.tries:
        sentence += f", failed {delivery.tries} times"
    if delivery.retry_at:
        sentence += f", again at {_local(delivery.retry_at, subscription.tz)}"
    return sentence


def _local(at: datetime, tz: str) -> str:
    return f"{at.astimezone(zone_named(tz)):%Y-%m-%d %H:%M} {tz}"


def _rest_text(known: StatusFigures) -> str:
    numbers, now = known.figures, known.now
    lines = [_queue(numbers), _webhook(known.webhook)]
    lines += [_process_text(each, now) for each in known.processes] or ["no process runs"]
    lines.append(f"GitHub requests left: {_github(numbers)}")
    lines.append(f"model today: {_spent(numbers.model)}")
    lines.append(f"model this month: {_spent(numbers.model_this_month)}")
    lines.append(known.place)
    return "\n".join(lines) + "\n"


def _spent(of: Mapping[str, int]) -> str:
    """Say what a model cost: `7 questions, 18,532 tokens sent to it, 4,100 answered (UTC)`."""
    calls, sent = of.get("calls", 0), of.get("input_tokens", 0)
    questions = f"{calls:,} question{'s' * (calls != 1)}"
    return f"{questions}, {sent:,} tokens sent to it, {of.get('output_tokens', 0):,} answered (UTC)"


def _queue(numbers: Figures) -> str:
    since = numbers.waiting_since
    return f"queue: {numbers.waiting}" + (
        f", the first due since {since:%Y-%m-%d %H:%M} UTC" if since else ""
    )


def _webhook(waiting: Waiting) -> str:
    since = waiting.failing_since
    return f"webhook: {waiting.number} waiting" + (
        f", failing since {since:%Y-%m-%d %H:%M} UTC" if since else ""
    )


def _github(numbers: Figures) -> str:
    left = ", ".join(f"{limit} {left:,}" for limit, left in numbers.github.items())
    return left or "not known while no process asks"


def _ago(at: datetime | None, now: datetime) -> str:
    return f"{max(0, round((now - at).total_seconds()))} s ago" if at else "never"


def _process_text(state: ProcessState, now: datetime) -> str:
    clock = f"clock {_ago(state.ticked_at, now)}" if state.ticked_at else "no clock"
    heard = [f"{name} {why or 'heard'}" for name, why in state.unheard.items()]
    name = state.only or "everything"
    return f"process {state.owner} ({name}, {state.version}): {'; '.join([clock, *heard])}"


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
