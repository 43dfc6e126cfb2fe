"""Says how everything is: `infra status`."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from adapters.run import clock_from, database_url, read_settings
from adapters.terminal.operating_commands import Status
from adapters.terminal.options import Format, Options
from adapters.terminal.output import say
from bot.posts import Delivery
from bot.slots import due, next_due
from bot.store.figures import Figures, figures
from bot.store.processes import Processes, ProcessState
from bot.store.store import ChannelStore
from bot.subscription_wording import as_command
from bot.subscriptions import Subscription
from digest.errors import InfraError, UsageError
from digest.store.database import Database
from digest.windows import zone_named


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that is told, read at one moment."""

    now: datetime
    place: str
    subscriptions: tuple[Subscription, ...]
    waiting: dict[int, Delivery]
    processes: tuple[ProcessState, ...]
    figures: Figures


async def status(command: Status, options: Options) -> int:
    """Say how each channel is, then the queue, the processes and the budgets."""
    if options.format not in (Format.TEXT, Format.JSON):
        raise UsageError("status is told as text or JSON: leave --format out, or --format json")
    settings = read_settings()
    now = clock_from(settings.now)()
    async with Database(database_url(settings)) as database:
        store = ChannelStore(database)
        both = (await store.subscriptions.active(), await store.subscriptions.paused())
        subscriptions = tuple(sorted((*both[0], *both[1]), key=lambda each: each.id or 0))
        if command.channel:
            subscriptions = tuple(each for each in subscriptions if each.channel == command.channel)
        known = Known(
            now,
            database.place,
            subscriptions,
            await store.deliveries.unfinished(),
            await Processes(database).live(now),
            await figures(database, now),
        )
    if command.channel and not subscriptions:
        raise UsageError(f"{command.channel} has no subscription")
    as_json = options.format is Format.JSON
    say(
        json.dumps(_document(known), indent=2, ensure_ascii=False) + "\n"
        if as_json
        else _text(known)
    )
    return 0


def _text(known: Known) -> str:
    blocks = [_channel_text(each, known) for each in known.subscriptions]
    return "\n".join([*(blocks or ["no channel has a subscription\n"]), _rest_text(known)])


def _channel_text(subscription: Subscription, known: Known) -> str:
    told = _channel(subscription, known)
    lines = [f"{told['channel']}  {told['settings'].removeprefix('subscribe ')}"]
    lines.append(f"  last: {told['last'] or 'nothing yet'}; next: {told['next'] or 'none'}")
    for name in ("waiting", "paused", "last_error"):
        if told[name]:
            lines.append(f"  {name.replace('_', ' ')}: {told[name]}")
    return "\n".join(lines) + "\n"


def _channel(subscription: Subscription, known: Known) -> dict[str, Any]:
    waiting = known.waiting.get(subscription.id or 0)
    return {
        "channel": str(subscription.channel),
        "settings": as_command(subscription),
        "last": str(subscription.last_told_date or ""),
        "next": _next(subscription, known.now),
        "waiting": _waiting(waiting, subscription) if waiting else "",
        "paused": subscription.paused,
        "last_error": subscription.last_error,
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
    said = f"{delivery.slot.local_date} is {delivery.state}"
    if delivery.owner:
        said += f" by {delivery.owner}"
    if delivery.tries:
        said += f", failed {delivery.tries} times"
    if delivery.retry_at:
        said += f", again at {_local(delivery.retry_at, subscription.tz)}"
    return said


def _local(at: datetime, tz: str) -> str:
    return f"{at.astimezone(zone_named(tz)):%Y-%m-%d %H:%M} {tz}"


def _rest_text(known: Known) -> str:
    numbers, now = known.figures, known.now
    since = numbers.waiting_since
    queue = f"queue: {numbers.waiting}"
    lines = [queue + (f", the first due since {since:%Y-%m-%d %H:%M} UTC" if since else "")]
    lines += [_process_text(each, now) for each in known.processes] or ["no process runs"]
    github = ", ".join(f"{limit} {left:,}" for limit, left in numbers.github.items())
    lines.append(f"GitHub requests left: {github or 'not known while no process asks'}")
    spent = numbers.model
    tokens = f"{spent.get('input_tokens', 0):,} + {spent.get('output_tokens', 0):,} tokens"
    lines.append(f"model today: {spent.get('calls', 0):,} calls, {tokens}")
    lines.append(known.place)
    return "\n".join(lines) + "\n"


def _process_text(state: ProcessState, now: datetime) -> str:
    clock = "no clock"
    if state.ticked_at:
        clock = f"clock {max(0, round((now - state.ticked_at).total_seconds()))} s ago"
    heard = [f"{name} {why or 'heard'}" for name, why in state.unheard.items()]
    name = state.only or "everything"
    return f"process {state.owner} ({name}, {state.version}): {'; '.join([clock, *heard])}"


def _document(known: Known) -> dict[str, Any]:
    numbers = known.figures
    return {
        "at": known.now.isoformat(),
        "channels": [_channel(each, known) for each in known.subscriptions],
        "queue": {"length": numbers.waiting, "since": _moment(numbers.waiting_since)},
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
