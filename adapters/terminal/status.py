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

    def process_line(self, state: ProcessState) -> Phrase:
        """Say when the clock of a process ticked, and which platforms it hears."""
        words, catalogue = SAY.status, CATALOGUES[self.language]
        parts = [words.no_clock]
        if state.ticked_at:
            seconds = max(0, round((self.now - state.ticked_at).total_seconds()))
            parts = [words.clock(words.ago(seconds))]
        for platform, why in state.unheard.items():
            parts.append(Phrase.as_written(f"{platform} {why}") if why else words.heard(platform))
        how = catalogue.semicolon.join(map(catalogue.said, parts))
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
    blocks = blocks or [f"{said(words.no_channel, language)}\n"]
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
        known.place,
    ]
    return "\n".join([*blocks, "".join(f"{said(each, language)}\n" for each in lines)])


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _spent(of: Mapping[str, int]) -> Phrase:
    """Say what a model cost: `7 questions, 18,532 tokens sent to it, 4,100 answered (UTC)`."""
    names = ("calls", "input_tokens", "output_tokens")
    return SAY.status.spent(*(f"{of.get(name, 0):,}" for name in names))


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
    is_claimed = delivery.state is DeliveryState.CLAIMED
    state = SAY.status.claimed if is_claimed else SAY.status.planned
    parts = [state(delivery.slot.local_date)]
    if delivery.tries:
        parts.append(SAY.status.failed(delivery.tries))
    if delivery.retry_at:
        parts.append(SAY.status.again_at(_local(delivery.retry_at, subscription.tz)))
    words = CATALOGUES[language]
    return words.pause.join(map(words.said, parts))


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
        "gaps": numbers.gaps,
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
