"""Does what whoever runs the bot does with it: copies, days filled in, workspaces forgotten."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import partial

from adapters.terminal.commands import (
    Backfill,
    Backup,
    Forget,
    Restore,
    Status,
)
from adapters.terminal.options import Options
from adapters.terminal.output import progress, say, warn
from adapters.terminal.status import status
from adapters.wiring.assembly import (
    Choices,
    Running,
    clock_of,
    database_url,
    read_settings,
    running,
)
from bot.store.figures import Processes, ProcessState
from bot.store.retention import forget
from bot.store.store import ChannelStore
from bot.store.timestamps import set_back
from digest.errors import CouldNotLook, RateLimited, UsageError
from digest.languages import Language
from digest.models import Repo
from digest.store.backup import back_up, held, restore
from digest.store.database import Database, upgrade
from digest.windows import FIRST_DAY, day, zone_named
from digest.wording.phrases import SAY
from digest.wording.saying import said

LEFT_FOR_OTHERS = 500
"""GitHub requests that filling in leaves to the mornings, of the 5,000 an hour that a token has."""

LEFT_WITHOUT_TOKEN = 20
"""The same of 60 an hour."""

ONE_DAY = timedelta(days=1)


async def operate(command: Status | Backfill | Backup | Restore | Forget, options: Options) -> int:
    """Do one command and give the exit status."""
    match command:
        case Status():
            return await status(command, options)
        case Backfill():
            return await _backfill(command, options)
        case Backup():
            return await _back_up(command)
        case Restore():
            return await _restore(command)
        case Forget():
            return await _forget(command)


async def _back_up(command: Backup) -> int:
    _refuse_existing(command)
    settings = read_settings()
    async with (
        Database(database_url(settings)) as database,
        clock_of(settings, database) as clock,
    ):
        counts = await back_up(database, command.file, clock())
    size = command.file.stat().st_size
    say(f"{command.file}: {sum(counts.values()):,} rows, {size:,} bytes\n")
    return 0


def _refuse_existing(command: Backup) -> None:
    if command.file.exists() and not command.yes:
        raise UsageError(SAY.cli.backup_exists(command.file))


async def _restore(command: Restore) -> int:
    settings = read_settings()
    url = database_url(settings)
    await upgrade(url)
    async with Database(url) as database, clock_of(settings, database) as clock:
        now = clock()
        if not command.yes:
            _refuse_held(database, await held(database))
            _refuse_live(database, await Processes(database).live(now))
        counts = await restore(database, command.file, after=partial(set_back, now=now))
    say(f"{said(database.place, Language.EN)} holds {_counted(counts)}\n")
    warn("channels are compared with it before they are told: see docs/running.md")
    return 0


def _refuse_held(database: Database, counts: Mapping[str, int]) -> None:
    if counts:
        raise UsageError(SAY.cli.not_empty(database.place, _counted(counts)))


def _refuse_live(database: Database, processes: Sequence[ProcessState]) -> None:
    if processes:
        raise UsageError(SAY.cli.bot_runs(database.place))


async def _forget(command: Forget) -> int:
    async with Database(database_url(read_settings())) as database:
        counts = await forget(database, command.platform, command.workspace)
        others = () if counts else await _subscribed(database)
    name = f"{command.platform}:{command.workspace}"
    say(f"{name}: deleted {_counted(counts)}\n" if counts else f"{name}: nothing is kept of it\n")
    if others:
        warn(f"channels are subscribed in {', '.join(others)}")
    return 0


async def _subscribed(database: Database) -> Sequence[str]:
    """Return the workspaces of all subscriptions: a name that is mistyped is kept of nothing."""
    subscriptions = ChannelStore(database).subscriptions
    both = (*await subscriptions.active(), *await subscriptions.paused())
    return sorted({f"{each.channel.platform}:{each.channel.workspace}" for each in both})


def _counted(counts: Mapping[str, int]) -> str:
    named = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return ", ".join(named) or "nothing"


async def _backfill(command: Backfill, options: Options) -> int:
    """Collect day by day; 1 where days are left, which the next run collects."""
    with progress() as tell:
        async with running(Choices(options.source), tell) as infra:
            (repo,) = await infra.answers.repos([command.repo])
            tz = options.tz or infra.settings.tz
            days = _days(command, infra, tz)
            done, why = 0, ""
            for one in days:
                if why := _used_up(infra):
                    break
                try:
                    why = await _collect(infra, repo, one, tz)
                except RateLimited as error:
                    why = str(error)
                if why:
                    break
                done += 1
    say(f"{repo}: {done} of {len(days)} days since {command.since} are stored\n")
    if why:
        warn(f"{why}; run it again, what is stored is not asked for again")
    return 1 if why else 0


def _days(command: Backfill, infra: Running, tz: str) -> list[date]:
    since, example = command.since, f"infra backfill {command.repo}"
    yesterday = infra.clock().astimezone(zone_named(tz)).date() - ONE_DAY
    if since > yesterday:
        raise UsageError(SAY.cli.not_over(since, example, yesterday))
    if since < FIRST_DAY:
        first = yesterday.replace(day=1)
        raise UsageError(SAY.cli.before_git(since, example, first))
    return [yesterday - number * ONE_DAY for number in range((yesterday - since).days + 1)]


async def _collect(infra: Running, repo: Repo, one: date, tz: str) -> str:
    """Have one day stored; give why the days before it cannot be either, or nothing."""
    _, before = infra.budget()
    try:
        digest = await infra.pipeline.digest(repo, day(one, tz))
    except RateLimited:
        raise
    except CouldNotLook as error:
        return f"{one}: {error}"
    left, after = infra.budget()
    gaps = [said(gap.why, Language.EN) for gap in digest.reading.gaps if not gap.lasting]
    budget = ", ".join(f"{limit} {number:,} left" for limit, number in sorted(left.items()))
    spent = f"{after - before} requests{f', {budget}' if budget else ''}"
    warn(f"{repo} {one}: {len(digest.reading.items)} items, {spent}")
    return f"{one}: {gaps[0]}" if gaps else ""


def _used_up(infra: Running) -> str:
    has_token = bool(infra.settings.github_token.get_secret_value())
    least = LEFT_FOR_OTHERS if has_token else LEFT_WITHOUT_TOKEN
    left, _ = infra.budget()
    short = {limit: number for limit, number in left.items() if number < least}
    return "; ".join(f"{number} requests of {limit} are left" for limit, number in short.items())
